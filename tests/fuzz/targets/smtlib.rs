//! Scripts of SMT-LIB, with a small budget: no answer is contradicted by that of another budget, or by its confirmation.

#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};
use magneto::decide::Confirmation;
use magneto::smt::{Answers, Budget, CheckSat, SatStatus, run, run_stream};
use std::time::Duration;

fuzz_target!(|source: &[u8]| {
    let budget =
        Budget { boxes: 40, confirmation: Some(40), time: Some(Duration::from_secs(2)), memory: Some(1 << 30) };
    // By commands, as a program that waits for answers sends them.
    let streamed = run_stream(source, budget, &mut |_| {}).expect("bytes are read");
    let is_known = |check: &&CheckSat| check.status != SatStatus::Unknown;
    let Ok(text) = std::str::from_utf8(source) else { return };
    let whole = match run(text, Budget { boxes: 25, ..budget }) {
        Ok(answers) => answers,
        Err(diagnostic) => {
            let _ = diagnostic.render("script.smt2", source);
            Answers::default()
        }
    };
    // What is known by both is the same, where no command was answered by an error.
    for (one, other) in streamed.checks.iter().zip(&whole.checks).filter(|_| streamed.errors == 0) {
        let are_known = is_known(&one) && is_known(&other);
        assert!(!are_known || one.status == other.status, "two answers: {one:?} and {other:?}");
    }
    for check in streamed.checks.iter().chain(&whole.checks) {
        assert!(!matches!(check.confirmation, Some(Confirmation::Refuted(_))), "a proof is refuted: {check:?}");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    magneto_fuzz::mutate(&mut data[..max_size], size, seed, |data, size| fuzzer_mutate(data, size, max_size))
});

fuzz_crossover!(|data1: &[u8], data2: &[u8], out: &mut [u8], seed: u32| {
    magneto_fuzz::cross(data1, data2, out, seed)
});
