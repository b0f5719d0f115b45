//! `check.json` and `check.csv`. Nothing in them depends on the time or the machine's load.

use super::{Report, causes};
use crate::harness::Answer;
use crate::num::float::{decimal, hex};
use crate::record::check::{Broken, Cause, Check, Counts, Test};
use crate::record::manifest::{VERSION, file_name, hash};
use crate::record::table::Table;
use crate::record::tests::{Owed, named};
use crate::record::{Fields, Verdict};
use crate::testfile::columns::input_columns;

/// The most causes that are written.
const MOST: usize = 20;

/// What is written of a check that ends with an exit code.
#[must_use]
pub fn document(report: &Report<'_>, exit: u8) -> Check {
    let (spec, checked) = (report.spec, report.checked);
    let counts = |robustness: bool| {
        let t = checked.tally(robustness);
        Counts { tests: t.all(), ok: t.ok, ko: t.ko, uncertain: t.uncertain, none: t.none }
    };
    let (of_failures, of_results) = (checked.causes.failures, checked.causes.results);
    let (whole, partial): (Vec<_>, Vec<_>) = causes::said(report).into_iter().partition(|s| s.explains_all);
    let cause = |s: causes::Said| Cause {
        class: s.class,
        matches: s.text,
        failures: s.failures,
        of_failures,
        results: s.results,
        of_results,
        mutants: s.mutants,
    };
    Check {
        magneto: VERSION.to_owned(),
        specification: spec.name.clone(),
        requirement: spec.requirement.clone(),
        file: file_name(spec),
        sha256: hash(report.source),
        accuracy: spec.accuracy.to_string(),
        accuracy_is_default: spec.accuracy_defaulted,
        implementation: Fields(checked.record.0.clone()),
        exit,
        interrupted: checked.run.interrupted,
        counts: counts(false),
        robustness: counts(true),
        robustness_counts: spec.out_of_range_stated,
        broken: checked.run.broken.as_ref().map(|b| Broken { test: b.test.clone(), reason: b.why.clone() }),
        causes: whole.into_iter().take(MOST).map(cause).collect(),
        partial_causes: partial.into_iter().take(MOST).map(cause).collect(),
        facts: checked.facts.iter().map(|f| causes::fact(f, spec.result_format)).collect(),
        tests: (0..checked.cases.len()).map(|k| test(report, k)).collect(),
        notes: checked.run.notes.clone(),
        stderr: checked.run.errors.clone(),
        content_sha256: String::new(),
    }
    .sealed()
}

fn test(report: &Report<'_>, k: usize) -> Test {
    let checked = report.checked;
    let (case, outcome) = (&checked.cases[k], &checked.outcomes[k]);
    let (kind, value) = kind(&checked.run.answers[k].answer);
    let owed = Owed::new(&case.expectation);
    Test {
        id: case.id.clone(),
        inputs: named(report.spec, &case.input, hex),
        inputs_dec: named(report.spec, &case.input, decimal),
        robustness: outcome.robustness,
        verdict: Verdict::from(outcome.verdict),
        answer: kind.to_owned(),
        result: value.map(hex),
        result_dec: value.map(decimal),
        lo: owed.bounds.map(|b| hex(b.0)),
        hi: owed.bounds.map(|b| hex(b.1)),
        expected: owed.expected(),
        error_in_bounds: outcome.error.map(|e| decimal(e.0)),
        error_in_ulps: outcome.error.map(|e| decimal(e.1)),
        reason: outcome.why.clone(),
    }
}

/// What kind of answer it is, and the number if it is one.
fn kind(answer: &Answer) -> (&'static str, Option<f64>) {
    match answer {
        Answer::Value(y) => ("result", Some(*y)),
        Answer::Reject(_) => ("reject", None),
        Answer::Crash(_) => ("crash", None),
        Answer::Hang { .. } => ("hang", None),
        Answer::Garbage(_) => ("unreadable", None),
        Answer::Missing => ("missing", None),
    }
}

/// The columns of `check.csv` after those of the inputs.
const AFTER: [&str; 11] = [
    "robustness",
    "verdict",
    "answer",
    "result",
    "result_dec",
    "lo",
    "hi",
    "expected",
    "error_in_bounds",
    "error_in_ulps",
    "reason",
];

/// `check.csv`: a row a test.
#[must_use]
pub fn table(report: &Report<'_>) -> Vec<u8> {
    // The names of the inputs must not be those of the other columns.
    let free = |name: String| if AFTER.contains(&name.as_str()) { format!("input.{name}") } else { name };
    let columns = input_columns(report.spec).into_iter().flatten().map(free);
    let first = std::iter::once("test_id".to_owned());
    let mut table = Table::new(first.chain(columns).chain(AFTER.map(str::to_owned)));
    for k in 0..report.checked.cases.len() {
        let t = test(report, k);
        let mut row = vec![t.id];
        let pairs = t.inputs.0.into_iter().zip(t.inputs_dec.0);
        row.extend(pairs.flat_map(|((_, exact), (_, dec))| [exact, dec]));
        row.extend([if t.robustness { "yes" } else { "no" }, t.verdict.name(), &t.answer].map(str::to_owned));
        row.extend([t.result, t.result_dec, t.lo, t.hi, t.expected].map(Option::unwrap_or_default));
        row.extend([t.error_in_bounds, t.error_in_ulps].map(Option::unwrap_or_default));
        row.push(t.reason);
        table.row(row);
    }
    table.finish()
}
