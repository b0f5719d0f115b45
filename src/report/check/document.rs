//! `check.json` and `check.csv`. Nothing in them depends on the time or the machine's load.

use super::{CheckReport, causes};
use crate::harness::{Answer, Checked, Verdict, VerdictTally};
use crate::num::float::{decimal, hex};
use crate::record::check::{Broken, Cause, Check, TestResult, Unlisted, VerdictCounts};
use crate::record::manifest::{VERSION, file_name, hash};
use crate::record::table::Table;
use crate::record::tests::{Owed, named};
use crate::record::{Fields, VerdictWord};
use crate::spec::Spec;
use crate::testfile::columns::input_columns;
use crate::threads::Threads;

/// The most causes that are written.
const MOST: usize = 20;

/// The most tests that are listed of a check that is interrupted: a person waits for a second, no longer.
pub const LISTED: usize = 20_000;

/// What is written of a check that ends with an exit code. An interrupted one of more than `listed` tests has as many of those
/// that are KO or UNCERTAIN. Rows are made by several threads.
#[must_use]
pub fn document(report: &CheckReport<'_>, exit: u8, listed: usize, threads: &Threads) -> Check {
    let (spec, checked) = (report.spec, report.checked);
    let counts = |robustness: bool| VerdictCounts::from(checked.tally(robustness));
    let (rows, unlisted) = rows(checked, listed);
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
        tests: threads.side_by_side(ROWS, &rows, |k| test(report, *k)),
        unlisted,
        notes: checked.run.notes.clone(),
        stderr: checked.run.errors.clone(),
        content_sha256: String::new(),
    }
}

/// So many rows are worth a thread. Unit: rows of some 3 us.
const ROWS: usize = 1000;

/// The tests that are listed, and what became of the others.
fn rows(checked: &Checked, listed: usize) -> (Vec<usize>, Option<Unlisted>) {
    let all = 0..checked.cases.len();
    if !checked.run.interrupted || all.len() <= listed {
        return (all.collect(), None);
    }
    let is_told = |k: &usize| matches!(checked.outcomes[*k].verdict, Some(Verdict::Ko | Verdict::Uncertain));
    let rows: Vec<usize> = all.filter(is_told).take(listed).collect();
    let left_out = |robustness: bool| {
        let mut tally = checked.tally(robustness);
        for outcome in rows.iter().map(|k| &checked.outcomes[*k]).filter(|o| o.robustness == robustness) {
            match outcome.verdict {
                Some(Verdict::Ko) => tally.ko -= 1,
                _ => tally.uncertain -= 1,
            }
        }
        VerdictCounts::from(tally)
    };
    let unlisted = Unlisted { counts: left_out(false), robustness: left_out(true) };
    (rows, Some(unlisted))
}

impl From<VerdictTally> for VerdictCounts {
    fn from(t: VerdictTally) -> Self {
        VerdictCounts { tests: t.all(), ok: t.ok, ko: t.ko, uncertain: t.uncertain, none: t.none }
    }
}

fn test(report: &CheckReport<'_>, k: usize) -> TestResult {
    let checked = report.checked;
    let (case, outcome) = (&checked.cases[k], &checked.outcomes[k]);
    let (kind, value) = kind(&checked.run.answers[k].answer);
    let owed = Owed::new(&case.expectation);
    TestResult {
        id: case.id.clone(),
        inputs: named(report.spec, &case.input, hex),
        inputs_dec: named(report.spec, &case.input, decimal),
        robustness: outcome.robustness,
        verdict: VerdictWord::from(outcome.verdict),
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
pub fn table(spec: &Spec, check: &Check) -> Vec<u8> {
    // The names of the inputs must not be those of the other columns.
    let free = |name: String| if AFTER.contains(&name.as_str()) { format!("input.{name}") } else { name };
    let columns = input_columns(spec).into_iter().flatten().map(free);
    let first = std::iter::once("test_id".to_owned());
    let mut table = Table::new(first.chain(columns).chain(AFTER.map(str::to_owned)));
    for t in &check.tests {
        let mut row = vec![t.id.as_str()];
        let pairs = t.inputs.0.iter().zip(&t.inputs_dec.0);
        row.extend(pairs.flat_map(|((_, exact), (_, dec))| [exact.as_str(), dec]));
        row.extend([if t.robustness { "yes" } else { "no" }, t.verdict.name(), &t.answer]);
        let cells = [&t.result, &t.result_dec, &t.lo, &t.hi, &t.expected, &t.error_in_bounds, &t.error_in_ulps];
        row.extend(cells.map(|cell| cell.as_deref().unwrap_or_default()));
        row.push(&t.reason);
        table.row(row);
    }
    table.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::{Case, GivenAnswer, PipeRun, RunRecord};
    use crate::oracle::Oracle;
    use crate::record::json;
    use crate::spec::{OutOfRange, Overrides, parse_file, resolve};
    use crate::suite::Expectation;

    const SOURCE: &str = "(FPCore (x) :pre (<= 0 x 1000) :magneto-rel-error 1e-9 :magneto-out-of-range reject (+ x 1))";

    /// A check of so many tests, of which one in ten is outside of the domain, one in seven wrong and one in three not run.
    fn checked(spec: &Spec, count: u32, interrupted: bool) -> Checked {
        let case = |k: u32| {
            let (input, y) = (vec![f64::from(k)], f64::from(k) + 1.0);
            let right = Expectation::Result(Oracle::Decided { lo: y, hi: y, expected: y });
            let expectation = if k.is_multiple_of(10) { Expectation::OutOfRange(OutOfRange::Reject) } else { right };
            Case { id: format!("t{k}"), input, expectation }
        };
        let answer = |k: u32| match (k % 3, k % 7) {
            (0, _) => Answer::Missing,
            (_, 0) => Answer::Value(-1.0),
            _ => Answer::Value(f64::from(k) + 1.0),
        };
        let answers: Vec<GivenAnswer> = (0..count).map(|k| answer(k).into()).collect();
        let run = PipeRun { answers, interrupted, ..PipeRun::default() };
        let cases = (0..count).map(case).collect();
        Checked::new(spec, cases, run, RunRecord::default(), Vec::new(), 120, &Threads::new(2))
    }

    #[test]
    fn an_interrupted_check_of_many_lists_what_is_wrong_and_counts_the_rest() {
        let spec = resolve(&parse_file(SOURCE.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
        let written = |count: u32, interrupted: bool| -> Check {
            let checked = checked(&spec, count, interrupted);
            let report = CheckReport { spec: &spec, source: SOURCE.as_bytes(), checked: &checked };
            let check = document(&report, 130, 40, &Threads::new(2));
            assert_eq!(table(&spec, &check).iter().filter(|b| **b == b'\n').count(), check.tests.len() + 1);
            let text = check.text();
            let read: Check = json::read(&text).unwrap();
            assert_eq!(text, json::document(&read.clone().sealed()), "the text is sealed");
            assert_eq!(read.disagreement(), None);
            read
        };
        for (whole, count) in [(written(1000, false), 1000), (written(40, true), 40)] {
            assert_eq!((whole.tests.len(), whole.unlisted), (count, None));
        }
        let cut = written(1000, true);
        let told = |t: &TestResult| matches!(t.verdict, VerdictWord::Ko | VerdictWord::Uncertain);
        assert!(cut.tests.len() == 40 && cut.tests.iter().all(told), "{} tests", cut.tests.len());
        let left = cut.unlisted.unwrap();
        assert_eq!(cut.counts.tests + cut.robustness.tests, 1000);
        assert_eq!(left.counts.tests + left.robustness.tests, 960);
        assert!(left.counts.ok == cut.counts.ok && left.counts.ko < cut.counts.ko, "{left:?}");
        // A count that was changed is found out.
        let changed = Check { unlisted: Some(Unlisted { counts: cut.counts, ..left }), ..cut };
        assert!(changed.sealed().disagreement().is_some_and(|why| why.starts_with("`counts` says 900 tests")));
    }
}
