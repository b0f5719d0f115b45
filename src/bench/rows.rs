//! What a run of the paper's evaluation keeps of each formula.

use super::published::{COUNTS, TYPES};
use crate::mutate::MutationOperator;
use crate::suite::random::RandomTested;
use crate::suite::{Counts, Phases};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What became of one formula.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FormulaRow {
    /// The suite.
    pub suite: String,
    /// The name.
    pub name: String,
    /// What was found, or why nothing was.
    pub found: Result<FoundForFormula, String>,
    /// From the specification to tests, kill matrix, statuses and proofs.
    pub time: Duration,
}

/// What was found for a formula.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FoundForFormula {
    /// The number of inputs.
    pub inputs: usize,
    /// The number of different operations of the body.
    pub operations: usize,
    /// Mutants by status.
    pub counts: Counts,
    /// The same by mutation operator.
    pub operators: Vec<ByOperator>,
    /// Tests.
    pub tests: usize,
    /// Tests that `--minimize` keeps.
    pub minimized: usize,
    /// What no choice of tests with the same kills goes below.
    pub fewest: usize,
    /// Boxes of all searches.
    pub boxes: u64,
    /// Evaluations of a mutant at a point or on a box.
    pub evaluations: u64,
    /// Random testing.
    pub random: RandomKills,
    /// The mutants without an answer.
    pub undecided: Vec<Undecided>,
    /// The time to read the specification.
    pub parse: Duration,
    /// Where the rest of the time went.
    pub phases: Phases,
}

/// The mutants of one operator.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ByOperator {
    /// The operator.
    pub operator: MutationOperator,
    /// Its mutants by status.
    pub counts: Counts,
}

/// What random points kill.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RandomKills {
    /// Uniform over numbers, for the time that Magneto took: the paper's baseline BB.
    pub timed: Option<RandomTested>,
    /// Uniform over numbers, with as many evaluations as Magneto.
    pub numbers: RandomTested,
    /// Uniform over floats, with as many evaluations as Magneto.
    pub floats: RandomTested,
}

impl RandomKills {
    /// Name, definition and result of each.
    #[must_use]
    pub fn all(&self) -> Vec<(&'static str, &'static str, RandomTested)> {
        let timed = self.timed.map(|t| ("BB", "uniform over the numbers of D, for the time that Magneto took", t));
        let others = [
            ("numbers", "uniform over the numbers of D, as many evaluations as Magneto", self.numbers),
            ("floats", "uniform over the floats of D, as many evaluations as Magneto", self.floats),
        ];
        timed.into_iter().chain(others).collect()
    }
}

/// A mutant without an answer.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Undecided {
    /// Its id.
    pub id: String,
    /// What kind of change.
    pub operator: MutationOperator,
    /// What was changed.
    pub before: String,
    /// Into what.
    pub after: String,
    /// Why there is no answer.
    pub reason: String,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The formulas in order.
    pub rows: Vec<FormulaRow>,
    /// Whether it was stopped before the end.
    pub interrupted: bool,
}

impl Run {
    /// The formulas with what was found for them.
    pub fn found(&self) -> impl Iterator<Item = (&FormulaRow, &FoundForFormula)> + Clone {
        self.rows.iter().filter_map(|r| r.found.as_ref().ok().map(|f| (r, f)))
    }

    /// The formulas for which nothing was found, and why.
    pub fn failed(&self) -> impl Iterator<Item = (&FormulaRow, &str)> {
        self.rows.iter().filter_map(|r| r.found.as_ref().err().map(|e| (r, e.as_str())))
    }

    /// The mean over the formulas; 1 where there are none.
    #[must_use]
    pub fn mean(&self, value: impl Fn(&FoundForFormula) -> f64) -> f64 {
        let n = self.found().count();
        if n == 0 { 1.0 } else { self.found().map(|(_, f)| value(f)).sum::<f64>() / n as f64 }
    }

    /// The counts of all formulas together.
    #[must_use]
    pub fn total(&self) -> Counts {
        self.found().map(|(_, f)| &f.counts).sum()
    }

    /// The counts of a mutation operator over all formulas.
    #[must_use]
    pub fn of_operator(&self, operator: MutationOperator) -> Counts {
        self.found().flat_map(|(_, f)| &f.operators).filter(|o| o.operator == operator).map(|o| &o.counts).sum()
    }

    /// Time of all formulas.
    #[must_use]
    pub fn time(&self) -> Duration {
        self.rows.iter().map(|r| r.time).sum()
    }

    /// Where the time of all formulas went: name and time, reading the specifications first.
    #[must_use]
    pub fn phases(&self) -> Vec<(&'static str, Duration)> {
        let parse = self.found().map(|(_, f)| f.parse).sum();
        let mut all = vec![("parse", parse)];
        for (k, (name, _)) in Phases::default().parts().iter().enumerate() {
            all.push((*name, self.found().map(|(_, f)| f.phases.parts()[k].1).sum()));
        }
        all
    }

    /// The formulas on which a random baseline kills more, with the baseline's name.
    #[must_use]
    pub fn beaten(&self) -> Vec<(&str, &'static str)> {
        let better =
            |f: &FoundForFormula, t: &RandomTested| t.killed + t.probable > f.counts.killed + f.counts.probable;
        let mut all = Vec::new();
        for (row, f) in self.found() {
            let worse = f.random.all().into_iter().filter(|(_, _, t)| better(f, t));
            all.extend(worse.map(|(name, _, _)| (row.name.as_str(), name)));
        }
        all
    }
}

/// The paper's counts for a formula, by type.
#[must_use]
pub fn published(row: &FormulaRow) -> Option<[usize; 8]> {
    COUNTS.iter().find(|c| c.0 == row.name).map(|c| c.1)
}

/// Whether a formula has as many mutants of every type as the paper counted; `None` if the paper has no such formula.
#[must_use]
pub fn is_counted_alike(row: &FormulaRow, found: &FoundForFormula) -> Option<bool> {
    let count = |t| found.operators.iter().find(|o| o.operator == t).map_or(0, |o| o.counts.all);
    published(row).map(|p| TYPES.map(count) == p)
}
