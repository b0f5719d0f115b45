//! The tables: tests, mutants, the matrix between them, and the trace from requirements to verdicts.

use super::number::decimal;
use super::{Suite, words};
use crate::num::float::hex;
use crate::oracle::Oracle;
use crate::suite::{Cell, Expectation, Status};
use crate::testfile::columns::{AFTER, BEFORE, input_columns};

/// What a trace says of a test that kills no mutant.
pub(crate) const KILLS_NOTHING: &str = "kills nothing";
/// What a trace says of a requirement without a test.
pub(crate) const NO_TEST: &str = "no test";

/// What a test's row says of the result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Owed {
    /// The ends of the valid interval; of a capped oracle, of the largest that may be valid.
    pub bounds: Option<(f64, f64)>,
    /// Of a capped oracle, the interval that surely is valid.
    pub inner: Option<(f64, f64)>,
    /// The value of the result format nearest to f.
    pub value: Option<f64>,
    /// The response that is owed outside the domain.
    pub response: Option<&'static str>,
}

impl Owed {
    /// Of what a test asks.
    #[must_use]
    pub fn new(expectation: &Expectation) -> Self {
        match expectation {
            Expectation::OutOfRange(r) => Owed { response: Some(r.name()), ..Owed::default() },
            Expectation::Result(Oracle::Decided { lo, hi, expected }) => {
                Owed { bounds: Some((*lo, *hi)), value: Some(*expected), ..Owed::default() }
            }
            Expectation::Result(Oracle::Capped { outer, inner }) => {
                Owed { bounds: Some(*outer), inner: Some(*inner), ..Owed::default() }
            }
            Expectation::Result(Oracle::Unsatisfiable | Oracle::Undefined | Oracle::Unsettled) => Owed::default(),
        }
    }

    /// The column `expected`.
    #[must_use]
    pub fn expected(&self) -> Option<String> {
        self.value.map(hex).or(self.response.map(str::to_owned))
    }
}

/// `tests.csv`.
#[must_use]
pub fn tests(suite: &Suite<'_>) -> Vec<u8> {
    let columns = input_columns(suite.spec);
    let header = BEFORE.iter().map(|s| (*s).to_owned()).chain(columns.into_iter().flatten());
    let header: Vec<String> = header.chain(AFTER.iter().map(|s| (*s).to_owned())).collect();
    let mut table = Table::new(header);
    for (t, test) in suite.generated.tests.iter().enumerate() {
        let owed = Owed::new(&test.expectation);
        let pair = |x: Option<f64>| [x.map(hex).unwrap_or_default(), x.map(decimal).unwrap_or_default()];
        let mut row = vec![test.id.clone()];
        row.extend(test.input.iter().flat_map(|x| pair(Some(*x))));
        row.extend(pair(owed.bounds.map(|b| b.0)));
        row.extend(pair(owed.bounds.map(|b| b.1)));
        row.push(owed.expected().unwrap_or_default());
        row.push(owed.value.map(decimal).unwrap_or_default());
        row.push(suite.killed_by(t).0.join(" "));
        row.push(test.origin.name().to_owned());
        row.push(owed.inner.map(|b| hex(b.0)).unwrap_or_default());
        row.push(owed.inner.map(|b| hex(b.1)).unwrap_or_default());
        row.push(test.reason.clone());
        table.row(row);
    }
    table.finish()
}

/// `mutants.csv`.
#[must_use]
pub fn mutants(suite: &Suite<'_>) -> Vec<u8> {
    let header = [
        "id",
        "operator",
        "objective",
        "line",
        "column",
        "before",
        "after",
        "fpcore",
        "status",
        "killed_by",
        "margin",
        "proof",
        "reason",
        "same_as",
        "subsumed_by",
    ];
    let mut table = Table::new(header);
    for (m, judged) in suite.generated.mutants.iter().enumerate() {
        let mutant = &judged.mutant;
        let (line, column) = suite.place(m);
        let kills = suite.kills(m);
        let by: Vec<&str> = kills.iter().map(|k| suite.generated.tests[k.test].id.as_str()).collect();
        let margin = kills.iter().filter_map(|k| k.margin).reduce(f64::max);
        table.row([
            mutant.id.clone(),
            mutant.operator.name().to_owned(),
            mutant.operator.objective().to_owned(),
            line.to_string(),
            column.to_string(),
            mutant.before.clone(),
            mutant.after.clone(),
            mutant.one_line(suite.spec),
            judged.status.name().to_owned(),
            by.join(" "),
            margin.map(decimal).unwrap_or_default(),
            words::proof_of(judged),
            words::reason_of(suite.spec, judged),
            judged.same_as.clone().unwrap_or_default(),
            judged.subsumed_by.clone().unwrap_or_default(),
        ]);
    }
    table.finish()
}

/// `matrix.csv`: a row a test, a column a mutant.
#[must_use]
pub fn matrix(suite: &Suite<'_>) -> Vec<u8> {
    let ids = suite.generated.mutants.iter().map(|j| j.mutant.id.as_str());
    let mut table = Table::new(std::iter::once("test_id").chain(ids));
    for (test, row) in suite.generated.tests.iter().zip(&suite.generated.matrix) {
        table.row(std::iter::once(test.id.as_str()).chain(row.iter().map(|c| c.name())));
    }
    table.finish()
}

/// `trace.csv`: for every mutant the tests that kill it. The gaps have rows of their own: a mutant without a test, with its
/// status and why; a test that kills nothing; a specification without any test.
#[must_use]
pub fn trace(suite: &Suite<'_>) -> Vec<u8> {
    let mut table = Table::new(["requirement", "objective", "mutant", "operator", "test", "verdict", "reason"]);
    let requirement = suite.spec.requirement.as_deref().unwrap_or_default();
    for (m, judged) in suite.generated.mutants.iter().enumerate() {
        let mutant = &judged.mutant;
        let mut row = |test: &str, verdict: &str, reason: &str| {
            let operator = mutant.operator;
            table.row([requirement, operator.objective(), &mutant.id, operator.name(), test, verdict, reason]);
        };
        let kills = suite.kills(m);
        for kill in &kills {
            let test = &suite.generated.tests[kill.test];
            row(&test.id, suite.generated.matrix[kill.test][m].name(), "");
        }
        let no_test = kills.is_empty() || !matches!(judged.status, Status::Killed | Status::Probable);
        if no_test {
            let why =
                [words::proof_of(judged), words::reason_of(suite.spec, judged)].into_iter().find(|w| !w.is_empty());
            row("", judged.status.name(), &why.unwrap_or_default());
        }
    }
    for (t, test) in suite.generated.tests.iter().enumerate() {
        if !suite.generated.matrix[t].iter().any(Cell::is_kill) {
            table.row([requirement, "", "", "", &test.id, KILLS_NOTHING, &test.reason]);
        }
    }
    if suite.generated.tests.is_empty() {
        table.row([requirement, "", "", "", "", NO_TEST, ""]);
    }
    table.finish()
}

/// One row of a table that is written as it goes, its line end included.
#[must_use]
pub fn line<S: AsRef<[u8]>>(cells: impl IntoIterator<Item = S>) -> Vec<u8> {
    Table::new(cells).finish()
}

/// A table under construction. Writing into memory does not fail.
pub(crate) struct Table(::csv::Writer<Vec<u8>>);

impl Table {
    pub(crate) fn new<S: AsRef<[u8]>>(header: impl IntoIterator<Item = S>) -> Self {
        let mut table = Table(::csv::WriterBuilder::new().flexible(true).from_writer(Vec::new()));
        table.row(header);
        table
    }

    pub(crate) fn row<S: AsRef<[u8]>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let written = self.0.write_record(cells);
        debug_assert!(written.is_ok());
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0.into_inner().unwrap_or_default()
    }
}
