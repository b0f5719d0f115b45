//! What `magneto check` found, for people and for programs.

pub mod causes;
pub mod document;
pub mod several;
pub mod text;
pub mod units;

use crate::floats::Format;
use crate::harness::{Answer, Checked, TestOutcome, Verdict};
use crate::report::off::ErrorUnit;
use crate::spec::Spec;

/// A specification with what a check of an implementation found.
#[derive(Clone, Copy)]
pub struct CheckReport<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// The text of the file that it was read from.
    pub source: &'a [u8],
    /// What was found.
    pub checked: &'a Checked,
}

/// What came back, why that is not right, and how far it is off: one or two sentences without a full stop.
#[must_use]
pub fn finding(answer: &Answer, outcome: &TestOutcome, unit: &ErrorUnit, format: Format) -> String {
    let Answer::Value(y) = answer else { return outcome.why.clone() };
    let off = match outcome.error {
        Some((bounds, _)) if outcome.verdict != Some(Verdict::Ok) => format!(": off by {}", unit.tell(bounds)),
        _ => String::new(),
    };
    format!("returned {}, {}{off}", format.shown(*y), outcome.why)
}
