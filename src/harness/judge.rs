//! The verdict on what an implementation answered to one test.

use super::answer::Answer;
use crate::num::float::decimal;
use crate::oracle::formula::Formula;
use crate::oracle::{Ladder, LadderSeen, Oracle, ValidSet};
use crate::spec::{OutOfRange, Spec};
use crate::suite::Expectation;

pub use crate::oracle::Verdict;

/// What became of one test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestOutcome {
    /// The verdict; none where the harness broke.
    pub verdict: Option<Verdict>,
    /// Whether the input is outside the domain, so that the test is one of robustness.
    pub robustness: bool,
    /// Whether a verdict other than OK fails a check: outside the domain only where the specification writes what is
    /// owed there, since a plain function owes nothing.
    pub counts: bool,
    /// Why, in a few words.
    pub why: String,
    /// How far a finite result is from the exact value, in units of the bound and in ulps of the result format.
    pub error: Option<(f64, f64)>,
    /// The same relative to the exact value, where that is not 0.
    pub relative: Option<f64>,
}

impl TestOutcome {
    /// Whether it fails a check.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.counts && self.verdict == Some(Verdict::Ko)
    }
}

/// Judges answers by one specification.
pub struct Judge<'a> {
    formula: Formula<'a>,
    cap: u32,
}

impl<'a> Judge<'a> {
    /// Make ready, with `cap` as the last precision of the ladder in bits.
    #[must_use]
    pub fn new(spec: &'a Spec, cap: u32) -> Self {
        Judge { formula: Formula::new(spec), cap }
    }

    /// The verdict on an answer to an input of which `expectation` is what is owed, and how far it is off.
    #[must_use]
    pub fn judge(&self, input: &[f64], expectation: &Expectation, answer: &Answer) -> TestOutcome {
        let mut outcome = self.judge_alone(expectation, answer);
        let set = match (answer, expectation) {
            (Answer::Value(y), Expectation::Result(_)) if y.is_finite() => self.valid_set(input).map(|set| (*y, set)),
            _ => None,
        };
        outcome.error = set.as_ref().map(|(y, set)| set.error(*y, self.formula.spec.result_format));
        outcome.relative = set.as_ref().and_then(|(y, set)| {
            let f = set.middle();
            let distance = crate::num::float::rational(*y) - &f;
            (f != 0).then(|| (distance / f).to_f64().abs())
        });
        outcome
    }

    /// The verdict on an answer alone, which is a comparison: errors are not measured.
    #[must_use]
    pub fn judge_alone(&self, expectation: &Expectation, answer: &Answer) -> TestOutcome {
        let robustness = matches!(expectation, Expectation::OutOfRange(_));
        let counts = !robustness || self.formula.spec.out_of_range_stated;
        let (verdict, why) = verdict(expectation, answer);
        TestOutcome { verdict, robustness, counts, why, error: None, relative: None }
    }

    /// The valid set at an input, by the first precision that shows it narrowly enough for a few digits.
    fn valid_set(&self, input: &[f64]) -> Option<ValidSet> {
        let mut ladder = Ladder::new(&self.formula.tape, input, self.cap);
        let mut best = None;
        for level in 1..ladder.levels() {
            if let LadderSeen::Value(set) = ladder.see(self.formula.function(), level) {
                let width = (set.value.hi.clone() - &set.value.lo) * (1u32 << 20);
                let narrow = width <= set.tolerance.lo;
                best = Some(set);
                if narrow {
                    break;
                }
            }
        }
        best
    }
}

/// The verdict on an answer to an input of which `expectation` is what is owed, and why; no verdict where the harness
/// broke.
#[must_use]
pub fn verdict(expectation: &Expectation, answer: &Answer) -> (Option<Verdict>, String) {
    match (answer, expectation) {
        (Answer::Missing, _) => (None, "not run: the run had ended before".to_owned()),
        (Answer::Garbage(why), _) => (None, why.clone()),
        (_, Expectation::OutOfRange(response)) => {
            let (verdict, why) = outside(*response, answer);
            (Some(verdict), why)
        }
        (Answer::Value(y), Expectation::Result(oracle)) => (Some(oracle.verdict(*y)), inside(oracle, *y).to_owned()),
        // Whether the input is in the domain is open, and with it what is owed.
        (Answer::Reject(_) | Answer::Crash(_) | Answer::Hang { .. }, Expectation::Result(Oracle::Unsettled)) => {
            (Some(Verdict::Uncertain), "whether the input is in the domain is not settled".to_owned())
        }
        (Answer::Reject(text), Expectation::Result(_)) => {
            (Some(Verdict::Ko), with("refused an input of the domain", text))
        }
        (Answer::Crash(_) | Answer::Hang { .. }, Expectation::Result(_)) => (Some(Verdict::Ko), failure(answer)),
    }
}

fn with(what: &str, text: &str) -> String {
    if text.is_empty() { what.to_owned() } else { format!("{what}: {text}") }
}

/// What happened where there is no result.
fn failure(answer: &Answer) -> String {
    match answer {
        Answer::Crash(how) => with("crashed", how),
        Answer::Hang { seconds } => format!("no answer within {} s", decimal(*seconds)),
        _ => String::new(),
    }
}

fn inside(oracle: &Oracle, y: f64) -> &'static str {
    match (oracle, oracle.verdict(y)) {
        (_, Verdict::Ok) => "within the bound",
        (Oracle::Unsatisfiable, _) => "no result of the format meets the bound",
        (_, Verdict::Ko) if !y.is_finite() => "a finite result is owed",
        (_, Verdict::Ko) => "not within the bound",
        (_, Verdict::Uncertain) => "not settled at the precision cap",
    }
}

/// The verdict on what is done with an input outside the domain.
fn outside(owed: OutOfRange, answer: &Answer) -> (Verdict, String) {
    let said = |text: &str| text.to_owned();
    match (owed, answer) {
        (OutOfRange::Any, Answer::Crash(_) | Answer::Hang { .. }) => {
            (Verdict::Ok, format!("nothing is owed here ({})", failure(answer)))
        }
        (OutOfRange::Any, _) => (Verdict::Ok, said("nothing is owed here")),
        (_, Answer::Crash(_) | Answer::Hang { .. }) => (Verdict::Ko, failure(answer)),
        (OutOfRange::Reject, Answer::Reject(how)) => (Verdict::Ok, with("refused, as it should be", how)),
        (OutOfRange::Reject, Answer::Value(y)) if y.is_nan() => (Verdict::Ok, said("refused, as it should be: NaN")),
        (OutOfRange::Reject, _) => (Verdict::Ko, said("an error is owed here, not a result")),
        (OutOfRange::Nan, Answer::Value(y)) if y.is_nan() => (Verdict::Ok, said("NaN, as it should be")),
        (OutOfRange::Nan, _) => (Verdict::Ko, said("NaN is owed here")),
        (OutOfRange::Saturate, Answer::Value(y)) if y.is_finite() => {
            (Verdict::Uncertain, said("whether it is returned inside the domain is not checked"))
        }
        (OutOfRange::Saturate, _) => (Verdict::Ko, said("a finite result is owed here")),
    }
}
