//! What came of a function.

use crate::harness::{Answer, RunRecord, Verdict};
use crate::num::float::decimal;
use crate::record::check::Check;
use crate::record::worst::Worst;
use crate::report::check::document::{LISTED, document};
use crate::report::check::{CheckReport, text};
use crate::report::worst::{WorstReport, document as worst_document};
use crate::spec::Spec;
use crate::suite::Expectation;
use crate::threads::Threads;
use crate::worst::Searched;
use std::fmt;

/// What a check of a function found. Printed, it is what a person reads.
#[derive(Clone, Debug)]
pub struct FunctionReport {
    /// The worst verdict that counts; none where the function was not called to the end.
    pub verdict: Option<Verdict>,
    /// The worst failures and the likely causes.
    pub text: String,
    /// The same with all failures.
    pub verbose: String,
    /// All of it, as `magneto check --json` prints it.
    pub document: Check,
    summary: String,
}

impl FunctionReport {
    pub(super) fn new(report: &CheckReport<'_>, notes: &[String]) -> Self {
        let verdict = report.checked.verdict();
        let told = |verbose: bool| with_notes(&for_code(&text::text(report, verbose), "search"), notes);
        FunctionReport {
            verdict,
            text: told(false),
            verbose: told(true),
            document: document(report, exit(verdict), LISTED, &Threads::default()),
            summary: summary(report, verdict),
        }
    }

    /// Whether every test that counts is OK. It says nothing of other inputs.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.verdict == Some(Verdict::Ok)
    }

    /// One line without its end: how many tests failed, and the worst of them.
    #[must_use]
    pub fn summary(&self) -> &str {
        &self.summary
    }
}

impl fmt::Display for FunctionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What a search for the worst input of a function found. Printed, it is what a person reads.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// The verdict on the worst result that was found; UNCERTAIN where none can be judged.
    pub verdict: Verdict,
    /// The largest errors, part by part.
    pub text: String,
    /// All of it, as `magneto worst --json` prints it.
    pub document: Worst,
}

impl SearchReport {
    pub(super) fn new(
        (spec, source): (&Spec, &[u8]),
        searched: &Searched,
        record: &RunRecord,
        notes: &[String],
    ) -> Self {
        let report = WorstReport { spec, source, record, searched, tally: None, against: None };
        let verdict = match report.verdict() {
            Verdict::Ok if searched.parts.is_empty() => Verdict::Uncertain,
            verdict => verdict,
        };
        let document = worst_document(&report, exit(Some(verdict)));
        SearchReport { verdict, text: with_notes(&report.text(), notes), document }
    }

    /// Whether nothing outside of the accuracy was found.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.verdict == Verdict::Ok
    }
}

impl fmt::Display for SearchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The exit code by which `magneto` tells a verdict; the harness broke where there is none.
#[must_use]
pub fn exit(verdict: Option<Verdict>) -> u8 {
    match verdict {
        Some(Verdict::Ok) => 0,
        Some(Verdict::Ko) => 1,
        Some(Verdict::Uncertain) => 3,
        None => 4,
    }
}

/// A text of the command line for who has no command line, but a function that `search`es for the worst input.
#[must_use]
pub fn for_code(text: &str, search: &str) -> String {
    text.replace(" (--verbose)", "").replace("`magneto worst` searches them", &format!("`{search}` searches them"))
}

fn with_notes(text: &str, notes: &[String]) -> String {
    notes.iter().fold(text.to_owned(), |text, note| format!("{text}note: {note}\n"))
}

/// How many tests failed, and the worst of them: no number at all is worse than any.
fn summary(report: &CheckReport<'_>, verdict: Option<Verdict>) -> String {
    let checked = report.checked;
    let failed = (0..checked.outcomes.len()).filter(|k| checked.outcomes[*k].fails());
    let off = |k: &usize| checked.outcomes[*k].error.map_or(f64::INFINITY, |e| e.0);
    let (count, all) = (failed.clone().count(), checked.cases.len());
    // Of equally bad ones the first.
    let Some(worst) = failed.rev().max_by(|a, b| off(a).total_cmp(&off(b))) else {
        let verdict = verdict.map_or("no verdict", Verdict::name);
        return format!("{verdict}: none of {all} tests failed");
    };
    let (case, outcome) = (&checked.cases[worst], &checked.outcomes[worst]);
    let inputs = report.spec.inputs.iter().zip(&case.input);
    let at: Vec<String> = inputs.map(|(input, x)| format!("{} = {}", input.name, decimal(*x))).collect();
    let came = match checked.run.answers[worst].answer {
        Answer::Value(y) => format!("{} was returned", decimal(y)),
        _ => outcome.why.clone(),
    };
    let ends = match &case.expectation {
        Expectation::Result(oracle) => oracle.ends(),
        Expectation::OutOfRange(_) => None,
    };
    let owed = ends.map_or(String::new(), |(lo, hi)| match lo == hi {
        true => format!(", and {} is owed", decimal(lo)),
        false => format!(", and {} to {} is owed", decimal(lo), decimal(hi)),
    });
    let at = if at.is_empty() { String::new() } else { format!("at {} ", at.join(", ")) };
    format!("KO: {count} of {all} tests failed; {at}{came}{owed}")
}
