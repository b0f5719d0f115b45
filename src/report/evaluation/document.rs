//! The evaluation as documents.

use super::{Report, claim, missed, owed};
use crate::num::float::hex;
use crate::report::csv::{Owed, Table};
use crate::report::json::{Fields, Scores, Share, named};
use crate::report::words;
use crate::suite::{Counts, Doubt, Standing};
use serde::Serialize;

impl<'a> Report<'a> {
    /// `eval.csv`: a row a mutant.
    #[must_use]
    pub fn csv(&self) -> Vec<u8> {
        let header = ["id", "operator", "objective", "line", "column", "before", "after", "standing", "killed_by"];
        let mut table = Table::new(header.into_iter().chain([
            "test_line",
            "tests",
            "would_kill",
            "proof",
            "reason",
            "subsumed_by",
        ]));
        for row in self.rows() {
            table.row([
                row.id.to_owned(),
                row.operator.to_owned(),
                row.objective.to_owned(),
                row.line.to_string(),
                row.column.to_string(),
                row.before.to_owned(),
                row.after.to_owned(),
                row.standing.to_owned(),
                row.killed_by.unwrap_or_default().to_owned(),
                row.test_line.map(|l| l.to_string()).unwrap_or_default(),
                row.tests.map(|n| n.to_string()).unwrap_or_default(),
                row.would_kill.join(" "),
                row.proof.unwrap_or_default(),
                row.reason.unwrap_or_default(),
                row.subsumed_by.unwrap_or_default().to_owned(),
            ]);
        }
        table.finish()
    }

    fn rows(&self) -> Vec<Row<'a>> {
        (0..self.suite.generated.mutants.len()).map(|m| self.row(m)).collect()
    }

    pub(super) fn row(&self, m: usize) -> Row<'a> {
        let judged = &self.suite.generated.mutants[m];
        let (mutant, standing) = (&judged.mutant, self.adequacy().standing(m));
        let (line, column) = self.suite.place(m);
        let killer = self.evaluation.killers[m].as_ref();
        let generated = |k: crate::report::Kill| self.suite.generated.tests[k.test].id.as_str();
        let open = matches!(standing, Standing::Missed | Standing::Undecided | Standing::Accepted);
        let filled = |text: String| Some(text).filter(|t| !t.is_empty());
        Row {
            id: &mutant.id,
            operator: mutant.operator.name(),
            objective: mutant.operator.objective(),
            line,
            column,
            before: &mutant.before,
            after: &mutant.after,
            standing: standing.name(),
            killed_by: killer.map(|k| k.id.as_str()),
            test_line: killer.map(|k| k.line),
            tests: Some(self.evaluation.kills[m]).filter(|_| self.evaluation.counted),
            would_kill: if open { self.suite.kills(m).into_iter().map(generated).collect() } else { Vec::new() },
            proof: filled(words::proof_of(judged)),
            reason: filled(words::reason_of(self.suite.spec, judged)).filter(|_| open),
            subsumed_by: judged.subsumed_by.as_deref(),
        }
    }

    /// `eval.json`, and what `--json` prints.
    #[must_use]
    pub fn json(&self) -> Document<'a> {
        let (spec, e, c) = (self.suite.spec, self.evaluation, self.counts());
        let part = |c: &Counts| Part { missed: missed(c), scores: Scores::new(c) };
        let suggestion = |s: super::Suggested| {
            let test = &self.suite.generated.tests[s.test];
            let owed = Owed::new(&test.expectation);
            Suggestion {
                id: &test.id,
                inputs: named(spec, &test.input, hex),
                lo: owed.bounds.map(|b| hex(b.0)),
                hi: owed.bounds.map(|b| hex(b.1)),
                expected: owed.expected(),
                kills: s.mutants.iter().map(|m| self.suite.generated.mutants[*m].mutant.id.as_str()).collect(),
            }
        };
        let wrong = |d: &Doubt| Wrong {
            test: d.id.clone(),
            line: d.line,
            inputs: named(spec, &d.input, hex),
            claim: claim(&d.claim),
            right: owed(&d.owed),
        };
        Document {
            schema: "magneto/eval/1",
            specification: &spec.name,
            requirement: spec.requirement.as_deref(),
            accuracy: spec.accuracy.to_string(),
            accuracy_is_default: spec.accuracy_defaulted,
            interrupted: self.interrupted || self.suite.generated.interrupted,
            tests: Tests {
                all: e.tests,
                inside: e.inside,
                outside: e.outside,
                unsatisfiable: e.unsatisfiable,
                unsettled: e.unsettled,
                first_to_kill: e.useful,
                with_expectations: e.claimed,
                wrong_expectations: e.wrong,
                unsettled_expectations: e.unsure,
            },
            wrong: e.doubts.iter().map(wrong).collect(),
            missed: missed(&c),
            scores: Scores::new(&c),
            minimal: Minimal {
                all: Share::new(self.adequacy().minimal(None)),
                objectives: Fields(
                    self.minimal().into_iter().filter_map(|(o, n)| Some((o?.to_owned(), Share::new(n)))).collect(),
                ),
            },
            operators: Fields(self.operator_counts().iter().map(|(o, c)| (o.name().to_owned(), part(c))).collect()),
            mutants: self.rows(),
            suggested: self.suggested().into_iter().map(suggestion).collect(),
        }
    }
}

/// `eval.json`.
#[derive(Serialize)]
pub struct Document<'a> {
    schema: &'static str,
    specification: &'a str,
    requirement: Option<&'a str>,
    accuracy: String,
    accuracy_is_default: bool,
    interrupted: bool,
    tests: Tests,
    wrong: Vec<Wrong>,
    missed: usize,
    scores: Scores,
    minimal: Minimal,
    operators: Fields<Part>,
    mutants: Vec<Row<'a>>,
    suggested: Vec<Suggestion<'a>>,
}

#[derive(Serialize)]
struct Tests {
    all: u64,
    inside: u64,
    outside: u64,
    unsatisfiable: u64,
    unsettled: u64,
    first_to_kill: u64,
    with_expectations: u64,
    wrong_expectations: u64,
    unsettled_expectations: u64,
}

/// The share of the run's minimal mutants that the tests kill, and of those of each objective taken alone.
#[derive(Serialize)]
struct Minimal {
    #[serde(flatten)]
    all: Share,
    objectives: Fields<Share>,
}

#[derive(Serialize)]
struct Wrong {
    test: String,
    line: usize,
    inputs: Fields<String>,
    claim: String,
    right: String,
}

#[derive(Serialize)]
struct Part {
    missed: usize,
    #[serde(flatten)]
    scores: Scores,
}

#[derive(Serialize)]
pub(super) struct Row<'a> {
    id: &'a str,
    operator: &'static str,
    objective: &'static str,
    line: usize,
    column: usize,
    before: &'a str,
    after: &'a str,
    standing: &'static str,
    killed_by: Option<&'a str>,
    test_line: Option<usize>,
    tests: Option<u64>,
    pub(super) would_kill: Vec<&'a str>,
    proof: Option<String>,
    reason: Option<String>,
    subsumed_by: Option<&'a str>,
}

#[derive(Serialize)]
struct Suggestion<'a> {
    id: &'a str,
    inputs: Fields<String>,
    lo: Option<String>,
    hi: Option<String>,
    expected: Option<String>,
    kills: Vec<&'a str>,
}
