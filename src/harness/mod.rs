//! Implementations under test: how each kind is run, what it answers, the verdicts, and what failures look like.
//!
//! Every implementation runs in a process of its own behind the pipe protocol ([`pipe`]), so that a crash, a hang or a
//! trap is a verdict. A line that cannot be read, or one too many, is no verdict on the function: the harness around it
//! is broken, and the test is named.

pub mod adapter;
pub mod answer;
pub mod batch;
pub mod cases;
pub mod causes;
pub mod cdylib;
pub mod facts;
pub mod foundation;
pub mod function;
pub mod inside;
pub mod judge;
pub mod kinds;
pub mod pipe;
pub mod prepare;
mod process;
pub mod results;
pub mod rounded;
pub mod signature;

pub use adapter::{CallingWay, ClaimedCall};
pub use answer::{Answer, GivenAnswer};
pub use cases::{Case, cases};
pub use causes::{Causes, Hypothesis, SlightlyOff};
pub use facts::Fact;
pub use foundation::Foundation;
pub use judge::{Judge, TestOutcome, Verdict};
pub use kinds::{
    ImplementationKind, KINDS, PYTHON_RULES, SIGNATURE_OPTION, UnderTest, kind_of_key, listed_options,
    names_of_function_options,
};
pub use pipe::{PipeProgram, PipeRun, run};
pub use prepare::{NotReady, PreparedTarget};
pub use signature::Signature;

use crate::halt;
use crate::mutate::{Change, Mutant};
use crate::num::float::decimal;
use crate::spec::{OutOfRange, Spec};
use crate::suite::Expectation;
use crate::threads::Threads;
use causes::Observation;
use sha2::{Digest as _, Sha256};
use std::path::Path;
use std::time::Duration;

/// Bounds of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunLimits {
    /// The most that one test may take. Default: 10 s.
    pub answer: Duration,
    /// The most that starting may take; the first answer of a process of an implementation that does not say when it is ready may take as long, since
    /// nothing tells when such a process has started. Default: 10 s.
    pub start: Duration,
    /// How many times the process may be started again. Default: 20.
    pub restarts: u32,
}

impl Default for RunLimits {
    fn default() -> Self {
        RunLimits { answer: Duration::from_secs(10), start: Duration::from_secs(10), restarts: 20 }
    }
}

/// Why the harness, not the function, failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HarnessFault {
    /// The id of the test at which it did, if it was one.
    pub test: Option<String>,
    /// Why.
    pub why: String,
    /// What was written to standard error, the last lines.
    pub errors: Vec<String>,
}

/// How an implementation was run, for the record: names with values.
#[derive(Clone, Debug, Default)]
pub struct RunRecord(pub Vec<(String, String)>);

impl RunRecord {
    /// Whether the function returns a status, by which it refuses.
    fn has_status(&self) -> bool {
        let signature = self.0.iter().find(|(name, _)| name == "signature").map(|(_, text)| text.as_str());
        signature.is_some_and(|s| s == COMPILED_STATUS || s.parse().is_ok_and(Signature::has_status))
    }

    fn add(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        if !value.is_empty() {
            self.0.push((name.to_owned(), value));
        }
    }
}

/// The signature that is recorded of a function that is called by an adapter, and the same where it returns a status.
const COMPILED: &str = "compiled";
const COMPILED_STATUS: &str = "compiled-status";

/// The hidden command by which this program calls a function of a shared library in a process of its own: its name, the
/// library, the function, the signature.
pub const CALL: &str = "call-library";

/// So many answers are worth a thread: one takes from 5 us on.
const JUDGED: usize = 32;

/// Everything that a check found.
pub struct Checked {
    /// The tests.
    pub cases: Vec<Case>,
    /// What came back, and what happened beside it.
    pub run: PipeRun,
    /// What became of each test.
    pub outcomes: Vec<TestOutcome>,
    /// What the failures look like; the places are those in `mutants`.
    pub causes: Causes,
    /// What the results have in common.
    pub facts: Vec<Fact>,
    /// The mutants that the results were compared with.
    pub mutants: Vec<Mutant>,
    /// How the implementation was made and run.
    pub record: RunRecord,
}

/// How many tests had which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct VerdictTally {
    pub ok: usize,
    pub ko: usize,
    pub uncertain: usize,
    /// The harness broke.
    pub none: usize,
}

impl VerdictTally {
    /// All of them.
    #[must_use]
    pub fn all(&self) -> usize {
        self.ok + self.ko + self.uncertain + self.none
    }
}

/// A function with a status refuses by that alone: the NaN of a call that says it went well is a result like any other.
fn deny_nan(cases: &[Case], answers: &[GivenAnswer], outcomes: &mut [TestOutcome]) {
    for ((case, given), outcome) in cases.iter().zip(answers).zip(outcomes) {
        if case.expectation == Expectation::OutOfRange(OutOfRange::Reject)
            && matches!(given.answer, Answer::Value(y) if y.is_nan())
        {
            outcome.verdict = Some(Verdict::Ko);
            "a status other than 0 is owed here".clone_into(&mut outcome.why);
        }
    }
}

/// Takes for a refusal, where one is owed, a result beside which `errno` was set to EDOM or ERANGE.
fn take_refusals(cases: &[Case], answers: &mut [GivenAnswer], has_status: bool) {
    for (case, given) in cases.iter().zip(answers) {
        let (Expectation::OutOfRange(OutOfRange::Reject), Answer::Value(y)) = (&case.expectation, &given.answer) else {
            continue;
        };
        let set = given.text.as_deref().and_then(answer::errno).map(|(_, name)| name.to_owned());
        if let Some(name) = set.filter(|_| !has_status) {
            given.answer = Answer::Reject(format!("errno {name}, with {}", decimal(*y)));
        }
    }
}

impl Checked {
    /// Judge what came back, and look for what the failures look like among the mutants. `cap` is the last precision
    /// of the ladder in bits, and threads judge side by side. Once the run, or this, is interrupted no error is measured any
    /// more.
    #[must_use]
    pub fn new(
        spec: &Spec,
        cases: Vec<Case>,
        mut run: PipeRun,
        record: RunRecord,
        mutants: Vec<Mutant>,
        cap: u32,
        threads: &Threads,
    ) -> Self {
        let judge = Judge::new(spec, cap);
        take_refusals(&cases, &mut run.answers, record.has_status());
        let judged: Vec<(&Case, &GivenAnswer)> = cases.iter().zip(&run.answers).collect();
        let mut outcomes = threads.side_by_side(JUDGED, &judged, |(c, g)| match run.interrupted || halt::requested() {
            // Who waits for the end has all verdicts at once.
            true => judge.judge_alone(&c.expectation, &g.answer),
            false => judge.judge(&c.input, &c.expectation, &g.answer),
        });
        if record.has_status() {
            deny_nan(&cases, &run.answers, &mut outcomes);
        }
        // Who never refuses an input, or need not, checks no range, and its results outside say nothing of the function.
        let refuses = outcomes.iter().any(|o| o.robustness && o.counts && o.verdict == Some(Verdict::Ok));
        let observed: Vec<Observation<'_>> = cases
            .iter()
            .zip(&run.answers)
            .zip(&outcomes)
            .filter(|((_, g), o)| {
                matches!(g.answer, Answer::Value(_) | Answer::Reject(_)) && (refuses || !o.robustness)
            })
            .map(|((case, given), o)| Observation { input: &case.input, answer: &given.answer, failed: o.fails() })
            .collect();
        let mut causes = causes::causes(spec, &mutants, &observed, cap);
        let facts = facts::facts(&run.answers, &outcomes, spec.result_format);
        // Every formula without a value there agrees with a refusal. Only a range tells refused inputs from others.
        if let Some(Fact::Refused(refused, all)) = facts.iter().find(|f| matches!(f, Fact::Refused(..))) {
            let is_range = |k: usize| matches!(mutants[k].change, Change::Range { .. });
            let telling = |h: &Hypothesis| matches!(h, Hypothesis::Mutant { first, .. } if is_range(*first));
            causes.list.retain(|c| refused < all && telling(&c.hypothesis));
        }
        drop(observed);
        run.interrupted |= halt::requested();
        Checked { cases, run, outcomes, causes, facts, mutants, record }
    }

    /// The verdicts of the tests inside the domain, or of those outside.
    #[must_use]
    pub fn tally(&self, robustness: bool) -> VerdictTally {
        let mut tally = VerdictTally::default();
        for outcome in self.outcomes.iter().filter(|o| o.robustness == robustness) {
            match outcome.verdict {
                Some(Verdict::Ok) => tally.ok += 1,
                Some(Verdict::Ko) => tally.ko += 1,
                Some(Verdict::Uncertain) => tally.uncertain += 1,
                None => tally.none += 1,
            }
        }
        tally
    }

    /// The worst verdict that counts; none where the run did not come to its end or the harness broke.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        let counted = |wanted: Verdict| self.outcomes.iter().any(|o| o.counts && o.verdict == Some(wanted));
        let worst = [Verdict::Ko, Verdict::Uncertain].into_iter().find(|v| counted(*v)).unwrap_or(Verdict::Ok);
        (!self.run.interrupted && !self.is_broken()).then_some(worst)
    }

    /// Whether the harness broke, at one test or as a whole.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.run.broken.is_some() || self.outcomes.iter().any(|o| o.verdict.is_none())
    }
}

/// The SHA-256 of a file's contents as 64 hexadecimal digits.
fn hash_of(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    Some(Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect())
}
