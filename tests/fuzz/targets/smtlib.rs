//! Scripts of SMT-LIB, with a small budget: no answer is contradicted by the one of another seed, or by its confirmation.

#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};
use magneto::decide::Confirmation;
use magneto::smt::{Budget, run, run_stream};
use std::time::Duration;

fuzz_target!(|source: &[u8]| {
    let budget =
        Budget { boxes: 40, confirmation: Some(40), time: Some(Duration::from_secs(2)), memory: Some(1 << 30) };
    // By commands, as a program that waits for answers sends them.
    let streamed = run_stream(source, budget, &mut |_| {}).expect("bytes are read");
    let Ok(text) = std::str::from_utf8(source) else { return };
    let answers = match run(text, budget) {
        Ok(answers) => answers,
        Err(diagnostic) => {
            let _ = diagnostic.render("script.smt2", source);
            streamed
        }
    };
    for check in answers.checks {
        assert!(!matches!(check.confirmation, Some(Confirmation::Refuted(_))), "a proof is refuted: {check:?}");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    magneto_fuzz::mutate(&mut data[..max_size], size, seed, |data, size| fuzzer_mutate(data, size, max_size))
});

fuzz_crossover!(|data1: &[u8], data2: &[u8], out: &mut [u8], seed: u32| {
    magneto_fuzz::cross(data1, data2, out, seed)
});
