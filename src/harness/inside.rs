//! Implementations in this very process: a function, without a process of its own, a protocol or a limit of time.
//!
//! ```
//! use magneto::harness::inside::{InsideCheck, check, of_numbers};
//! use magneto::harness::{Case, RunRecord, Verdict};
//! use magneto::spec::{Overrides, parse_file, resolve};
//! use magneto::suite::{Interrupt, Options, generate};
//!
//! let text = "(FPCore (x) :pre (<= 0 x 1) :magneto-ulps (4 binary64) (expm1 x))";
//! let spec = resolve(&parse_file(text.as_bytes()), 0, "expm1.fpcore", &Overrides::default()).expect("a specification");
//! let options = Options::default();
//! let cases: Vec<Case> = generate(&spec, &options, &Interrupt::default()).expect("a run").tests.iter().map(Case::from).collect();
//! let with = InsideCheck { spec: &spec, options: &options, stop: None };
//! let right = check(&with, cases.clone(), &of_numbers(1, |x| x[0].exp_m1()), RunRecord::default());
//! assert_eq!(right.tally(false).ko, 0);
//! let wrong = check(&with, cases, &of_numbers(1, |x| x[0].exp() - 1.0), RunRecord::default());
//! assert!(wrong.outcomes.iter().any(|o| o.verdict == Some(Verdict::Ko)));
//! ```

pub use super::function::{InProcess, of_numbers};

use super::function::{Stop, call};
use super::{Answer, Case, Checked, GivenAnswer, PipeRun, RunRecord};
use crate::halt;
use crate::mutate::mutants;
use crate::spec::Spec;
use crate::suite::Options;
use crate::threads::Threads;
use std::sync::atomic::AtomicBool;

/// What a check goes by.
#[derive(Clone, Copy)]
pub struct InsideCheck<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// Which mutants may be likely causes, the last precision of the oracle's ladder, and threads to judge on.
    pub options: &'a Options,
    /// Set to end early.
    pub stop: Option<&'a AtomicBool>,
}

/// Puts all tests to a function in one call, judges what it answers, and looks for likely causes. `record` says how the
/// function is called and made.
#[must_use]
pub fn check(with: &InsideCheck<'_>, cases: Vec<Case>, function: &InProcess<'_>, record: RunRecord) -> Checked {
    let InsideCheck { spec, options, stop } = *with;
    let numbers: Vec<f64> = cases.iter().flat_map(|case| case.input.iter().copied()).collect();
    let mut run = PipeRun { answers: vec![Answer::Missing.into(); cases.len()], ..PipeRun::default() };
    match call(function, &numbers, cases.len(), spec.result_format) {
        Ok(answers) => run.answers = answers.into_iter().map(GivenAnswer::from).collect(),
        Err(Stop::Broken(fault)) => run.broken = Some(fault),
        Err(Stop::Interrupted) => run.interrupted = true,
    }
    let judge = || {
        let mutants = mutants(spec, &options.operators);
        Checked::new(spec, cases, run, record, mutants, options.precision_cap, &Threads::new(options.jobs))
    };
    halt::watched(stop, None, judge).0
}
