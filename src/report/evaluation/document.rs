//! The evaluation as documents.

use super::{EvaluationReport, claim, missed, owed};
use crate::num::float::hex;
use crate::record::evaluation::{
    After, EvaluatedMutant, Evaluation, KillingTest, Minimal, OperatorGroup, Suggestion, TestCounts, Wrong,
};
use crate::record::manifest::{file_name, hash};
use crate::record::summary::Scores;
use crate::record::table::Table;
use crate::record::tests::{Owed, named};
use crate::record::{Fields, Kill};
use crate::report::words;
use crate::suite::{Counts, Doubt, Standing};
use std::collections::BTreeMap;

impl<'a> EvaluationReport<'a> {
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
                row.id,
                row.operator.name().to_owned(),
                row.objective,
                row.line.to_string(),
                row.column.to_string(),
                row.before,
                row.after,
                row.standing.name().to_owned(),
                row.killed_by.unwrap_or_default(),
                row.test_line.map(|l| l.to_string()).unwrap_or_default(),
                row.tests.map(|n| n.to_string()).unwrap_or_default(),
                row.would_kill.join(" "),
                row.proof.unwrap_or_default(),
                row.reason.unwrap_or_default(),
                row.subsumed_by.unwrap_or_default(),
            ]);
        }
        table.finish()
    }

    fn rows(&self) -> Vec<EvaluatedMutant> {
        self.suite.kills().into_iter().enumerate().map(|(m, kills)| self.row(m, &kills)).collect()
    }

    fn killing_tests(&self) -> Vec<KillingTest> {
        let killers = self.evaluation.killers.iter().flatten();
        let by_line: BTreeMap<_, _> = killers.map(|k| ((k.line, &k.id), &k.input)).collect();
        let one = |((line, id), input): ((usize, &String), &Vec<f64>)| KillingTest {
            test: id.clone(),
            line,
            inputs: named(self.suite.spec, input, hex),
        };
        by_line.into_iter().map(one).collect()
    }

    fn row(&self, m: usize, kills: &[Kill]) -> EvaluatedMutant {
        let judged = &self.suite.generated.mutants[m];
        let (mutant, standing) = (&judged.mutant, self.adequacy().standing(m));
        let (line, column) = self.suite.place(m);
        let killer = self.evaluation.killers[m].as_ref();
        let generated = |k: &Kill| self.suite.generated.tests[k.test].id.clone();
        let open = matches!(standing, Standing::Missed | Standing::Undecided | Standing::Accepted);
        let filled = |text: String| Some(text).filter(|t| !t.is_empty());
        EvaluatedMutant {
            id: mutant.id.clone(),
            operator: mutant.operator,
            objective: mutant.operator.objective().to_owned(),
            line,
            column,
            before: mutant.before.clone(),
            after: mutant.after.clone(),
            standing,
            killed_by: killer.map(|k| k.id.clone()),
            test_line: killer.map(|k| k.line),
            tests: Some(self.evaluation.kills[m]).filter(|_| self.evaluation.counted),
            would_kill: if open { kills.iter().map(generated).collect() } else { Vec::new() },
            proof: filled(words::proof_of(judged)),
            reason: filled(words::reason_of(self.suite.spec, judged)).filter(|_| open),
            subsumed_by: judged.subsumed_by.clone(),
        }
    }

    /// `eval.json`, and what `--json` prints.
    #[must_use]
    pub fn json(&self) -> Evaluation {
        let (spec, e, c) = (self.suite.spec, self.evaluation, self.counts());
        let part = |c: &Counts| OperatorGroup { missed: missed(c), scores: Scores::new(c) };
        let suggestion = |s: super::additions::Suggested| {
            let test = &self.suite.generated.tests[s.test];
            let owed = Owed::new(&test.expectation);
            Suggestion {
                id: test.id.clone(),
                inputs: named(spec, &test.input, hex),
                lo: owed.bounds.map(|b| hex(b.0)),
                hi: owed.bounds.map(|b| hex(b.1)),
                expected: owed.expected(),
                everyday: s.everyday,
                kills: s.mutants.iter().map(|m| self.suite.generated.mutants[*m].mutant.id.clone()).collect(),
            }
        };
        let wrong = |d: &Doubt| Wrong {
            test: d.id.clone(),
            line: d.line,
            inputs: named(spec, &d.input, hex),
            claim: claim(&d.claim),
            right: owed(&d.owed),
            off: self.off(d),
            loose: d.is_loose(),
        };
        let share = |(part, whole)| crate::suite::ScoreShare { part, whole }.into();
        Evaluation {
            specification: spec.name.clone(),
            requirement: spec.requirement.clone(),
            file: file_name(spec),
            sha256: hash(self.suite.source),
            accuracy: spec.accuracy.to_string(),
            accuracy_is_default: spec.accuracy_defaulted,
            interrupted: self.interrupted || self.suite.generated.interrupted,
            tests: TestCounts {
                all: e.tests,
                inside: e.inside,
                outside: e.outside,
                unsatisfiable: e.unsatisfiable,
                unsettled: e.unsettled,
                first_to_kill: e.useful,
                with_expectations: e.claimed,
                wrong_expectations: e.wrong,
                loose_tolerances: e.loose,
                waived_expectations: e.waived,
                unsettled_expectations: e.unsure,
            },
            wrong: e.doubts.iter().map(wrong).collect(),
            missed: missed(&c),
            scores: Scores::new(&c),
            minimal: Minimal {
                all: share(self.adequacy().minimal(None)),
                objectives: Fields(
                    self.minimal().into_iter().filter_map(|(o, n)| Some((o?.to_owned(), share(n)))).collect(),
                ),
            },
            operators: Fields(self.operator_counts().iter().map(|(o, c)| (o.name().to_owned(), part(c))).collect()),
            killers: self.killing_tests(),
            mutants: self.rows(),
            suggested: self.suggested().into_iter().map(suggestion).collect(),
            after: self.after().map(|(everyday, all)| After { everyday: everyday.into(), all: all.into() }),
            tolerances: self.tolerances_document(),
            completion: self.completion_document(),
        }
    }
}
