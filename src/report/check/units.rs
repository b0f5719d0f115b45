//! The tests of a check as test cases of the usual report formats.

use super::{CheckReport, finding};
use crate::harness::Verdict;
use crate::report::cases::{CaseGroup, ReportedCase, State};
use crate::report::off::ErrorUnit;
use crate::report::words;

/// One group for the domain, and one for robustness tests if there are some.
#[must_use]
pub fn groups(report: &CheckReport<'_>) -> Vec<CaseGroup> {
    let checked = report.checked;
    let of = |robustness: bool| -> Vec<ReportedCase> {
        let some = (0..checked.cases.len()).filter(|k| checked.outcomes[*k].robustness == robustness);
        some.map(|k| case(report, k)).collect()
    };
    let requirement = report.spec.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
    let name = &format!("{}{requirement}", report.spec.name);
    let groups = [(name.clone(), of(false)), (format!("{name} robustness"), of(true))];
    groups.into_iter().filter(|(_, cases)| !cases.is_empty()).map(|(name, cases)| CaseGroup { name, cases }).collect()
}

/// Why a test outside the domain fails nothing.
pub(super) const WAIVED: &str = "the specification writes no :magneto-out-of-range";

fn case(report: &CheckReport<'_>, k: usize) -> ReportedCase {
    let checked = report.checked;
    let outcome = &checked.outcomes[k];
    let message = finding(
        &checked.run.answers[k].answer,
        outcome,
        &ErrorUnit::of(&report.spec.accuracy),
        report.spec.result_format,
    );
    let state = match outcome.verdict {
        Some(Verdict::Ok) => State::Passed,
        Some(_) if !outcome.counts => State::Waived(format!("{message}; {WAIVED}")),
        Some(Verdict::Ko) => State::Failed(message),
        Some(Verdict::Uncertain) => State::Open(message),
        None => State::Broken(message),
    };
    ReportedCase { name: checked.cases[k].id.clone(), about: words::input(report.spec, &checked.cases[k].input), state }
}
