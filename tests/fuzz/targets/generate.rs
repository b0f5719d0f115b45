//! Runs over small specifications, with a small budget: mutants, tests, proofs, and the files of the run.

#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};
use magneto::halt;
use magneto::lint::lint;
use magneto::options::Settings;
use magneto::record::{Part, Suite};
use magneto::solve::Limits;
use magneto::spec::{Overrides, parse_file, resolve};
use magneto::suite::{Interrupt, generate};
use magneto::threads::Threads;
use std::time::Duration;

/// A run takes no longer, but for what nothing ends in the middle.
const LIMIT: Duration = Duration::from_secs(1);
/// The most parts of a formula, and the most inputs.
const SIZE: usize = 40;
const INPUTS: usize = 3;

fuzz_target!(|source: &[u8]| {
    let file = parse_file(source);
    if file.cores.len() != 1 {
        return;
    }
    let overrides = Overrides { max_iterations: Some(10), ..Overrides::default() };
    let Ok(spec) = resolve(&file, 0, "source.fpcore", &overrides) else { return };
    if spec.core.body.size() > SIZE || spec.inputs.len() > INPUTS {
        return;
    }
    let mut settings = Settings::default();
    settings.overrides = overrides;
    settings.suite.limits = Limits { boxes: 20, ..Limits::default() };
    settings.suite.precision_cap = 400;
    settings.suite.jobs = 1;
    halt::limited(None, LIMIT, || {
        let _ = lint(&spec, 400, &Threads::new(1));
        let Ok(generated) = generate(&spec, &settings.suite, &Interrupt::default()) else { return };
        let suite = Suite { spec: &spec, source, settings: &settings, generated: &generated };
        let _ = Part::new(&suite).files();
    });
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    magneto_fuzz::mutate(&mut data[..max_size], size, seed, |data, size| fuzzer_mutate(data, size, max_size))
});

fuzz_crossover!(|data1: &[u8], data2: &[u8], out: &mut [u8], seed: u32| {
    magneto_fuzz::cross(data1, data2, out, seed)
});
