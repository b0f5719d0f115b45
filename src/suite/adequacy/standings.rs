//! What tests do to the mutants of a run: killed, missed, or not the tests' fault.

use crate::spec::Spec;
use crate::suite::adequacy::claims::Doubt;
use crate::suite::adequacy::complete::{Whereabouts, smallest};
use crate::suite::adequacy::subsumption::stands_for;
use crate::suite::{Counts, Generated, Judged, MatrixCell, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The first test that kills a mutant.
#[derive(Clone, Debug, PartialEq)]
pub struct Killer {
    /// Its id.
    pub id: String,
    /// Its line in the file.
    pub line: usize,
    /// Its inputs in the specification's order.
    pub input: Vec<f64>,
    /// Whether it only probably kills: a mutant of the accuracy.
    pub probable: bool,
}

/// What became of a mutant, with the tests of a run or with those that somebody brought: the one list of status words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The suite kills it.
    Killed,
    /// The suite kills it probably: an accuracy mutant.
    Probable,
    /// A generated test kills it (or, of the accuracy, probably), and the suite does not.
    Missed,
    /// Proved to be the same function.
    Equivalent,
    /// Proved that no test kills it at this accuracy.
    Indistinguishable,
    /// Neither the suite nor a generated test kills it, and there is no proof.
    Undecided,
    /// Neither killed nor proved, and a person accepted that.
    Accepted,
}

impl Standing {
    /// Those that a mutant of a run can have, in the order in which files and reports list them: without tests of
    /// somebody else none is missed.
    pub const OF_A_RUN: [Standing; 6] = [
        Standing::Killed,
        Standing::Probable,
        Standing::Equivalent,
        Standing::Indistinguishable,
        Standing::Undecided,
        Standing::Accepted,
    ];

    /// As it stands in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Standing::Killed => "killed",
            Standing::Probable => "probable",
            Standing::Missed => "missed",
            Standing::Equivalent => "equivalent",
            Standing::Indistinguishable => "indistinguishable",
            Standing::Undecided => "undecided",
            Standing::Accepted => "accepted",
        }
    }
}

impl std::fmt::Display for Standing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What is known of the tests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SuiteEvaluation {
    /// The first test that kills each mutant.
    pub killers: Vec<Option<Killer>>,
    /// Whether all kills were wanted, so that [`SuiteEvaluation::kills`] means something.
    pub counted: bool,
    /// How many tests kill each mutant.
    pub kills: Vec<u64>,
    /// Whether some test that kills a mutant does not surely let its value pass by a tolerance of its own.
    pub caught: Vec<bool>,
    /// All tests.
    pub tests: u64,
    /// Tests at inputs of the domain, at which a result is owed.
    pub inside: u64,
    /// Tests outside the domain: not in :pre, or where f has no value.
    pub outside: u64,
    /// Tests at which the accuracy cannot be met by any number of the result format.
    pub unsatisfiable: u64,
    /// Tests at which it is not settled whether f has a value.
    pub unsettled: u64,
    /// Tests that were the first to kill some mutant.
    pub useful: u64,
    /// Tests with an expectation.
    pub claimed: u64,
    /// Expectations that do not hold: the first of them.
    pub doubts: Vec<Doubt>,
    /// How many there are.
    pub wrong: u64,
    /// How many of them are tolerances that are too wide, see [`Doubt::is_loose`].
    pub loose: u64,
    /// Expectations outside the domain that differ from the response that is taken for owed where the specification writes none:
    /// they fail nothing.
    pub waived: u64,
    /// Tests with an interval or a tolerance of their own.
    pub tolerant: u64,
    /// Tests with expectations that are not settled.
    pub unsure: u64,
}

/// An evaluation beside the run that says which mutants can be killed.
#[derive(Clone, Copy)]
pub struct Adequacy<'a> {
    /// The run that made the mutants.
    pub run: &'a Generated,
    /// What the tests do.
    pub evaluation: &'a SuiteEvaluation,
}

impl Adequacy<'_> {
    /// What became of a mutant.
    #[must_use]
    pub fn standing(&self, mutant: usize) -> Standing {
        match (&self.evaluation.killers[mutant], &self.run.mutants[mutant].status) {
            (Some(killer), _) if killer.probable => Standing::Probable,
            (Some(_), _) => Standing::Killed,
            (None, Status::Killed | Status::Probable) => Standing::Missed,
            (None, Status::Equivalent(_)) => Standing::Equivalent,
            (None, Status::Indistinguishable(_)) => Standing::Indistinguishable,
            (None, Status::Undecided(_)) => Standing::Undecided,
            (None, Status::Accepted(_)) => Standing::Accepted,
        }
    }

    /// The mutants that the tests' inputs tell apart, and whose value every such test takes for right by a tolerance of its own.
    #[must_use]
    pub fn let_pass(&self) -> Vec<usize> {
        let e = self.evaluation;
        (0..e.killers.len()).filter(|m| e.killers[*m].is_some() && !e.caught[*m]).collect()
    }

    /// Counts of the suite for all mutants, as its own tolerances judge results: what they let pass is missed.
    #[must_use]
    pub fn counts_with_tolerances(&self) -> Counts {
        let mut counts = Counts::default();
        let let_pass = self.let_pass();
        for (m, judged) in self.run.mutants.iter().enumerate() {
            let standing = if let_pass.binary_search(&m).is_ok() { Standing::Missed } else { self.standing(m) };
            counts.add(judged.mutant.operator, standing);
        }
        counts
    }

    /// The mutants of a standing.
    #[must_use]
    pub fn with(&self, standing: Standing) -> Vec<usize> {
        (0..self.run.mutants.len()).filter(|m| self.standing(*m) == standing).collect()
    }

    /// Counts of the suite for some mutants.
    #[must_use]
    pub fn counts(&self, mutants: impl Iterator<Item = usize>) -> Counts {
        let mut counts = Counts::default();
        mutants.for_each(|m| counts.add(self.run.mutants[m].mutant.operator, self.standing(m)));
        counts
    }

    /// Of the run's minimal mutants (see [`super::subsumption`]), how many the suite kills, and how many there are: of all, or of
    /// those of an objective taken alone. Easy mutants, of which most tests kill hundreds, do not make it look better.
    #[must_use]
    pub fn minimal(&self, objective: Option<&str>) -> (usize, usize) {
        let wanted = |j: &Judged| objective.is_none_or(|o| j.mutant.operator.objective() == o);
        let some = |j: &Judged| j.status == Status::Killed && wanted(j);
        let killed: Vec<bool> = self.run.mutants.iter().map(some).collect();
        let stands = stands_for(&self.run.matrix, &killed);
        let minimal: Vec<usize> = (0..stands.len()).filter(|m| stands[*m] == Some(*m)).collect();
        let by_suite = minimal.iter().filter(|m| self.standing(**m) == Standing::Killed).count();
        (by_suite, minimal.len())
    }

    /// Counts of the suite for all mutants, with some tests of the run beside it.
    #[must_use]
    pub fn counts_with(&self, tests: &[usize]) -> Counts {
        let mut counts = Counts::default();
        for (m, judged) in self.run.mutants.iter().enumerate() {
            let cells = || tests.iter().map(|t| &self.run.matrix[*t][m]);
            let standing = match self.standing(m) {
                Standing::Missed if cells().any(|c| matches!(c, MatrixCell::Ko { .. })) => Standing::Killed,
                Standing::Missed if cells().any(MatrixCell::is_kill) => Standing::Probable,
                other => other,
            };
            counts.add(judged.mutant.operator, standing);
        }
        counts
    }

    /// A few tests of the run over a specification that kill all that the suite misses, by index.
    #[must_use]
    pub fn suggested(&self, spec: &Spec) -> Vec<usize> {
        smallest(spec, self.run, &self.with(Standing::Missed))
    }

    /// For each input with a range, where the mutants that the tests miss would be killed; `ranges` are those of the inputs.
    #[must_use]
    pub fn whereabouts(&self, ranges: &[Option<(f64, f64)>]) -> Vec<Option<Whereabouts>> {
        let missed = self.with(Standing::Missed);
        let places = |m: usize, input: usize| {
            let rows = self.run.matrix.iter().zip(&self.run.tests).filter(move |(row, _)| row[m].is_kill());
            rows.map(move |(_, test)| test.input[input])
        };
        let along = |(input, range): (usize, &Option<(f64, f64)>)| {
            let (lo, hi) = (*range)?;
            let tenth = (hi - lo) / 10.0;
            let mut found = Whereabouts::default();
            for &m in &missed {
                let all = |inside: &dyn Fn(f64) -> bool| places(m, input).all(inside);
                let count = if all(&|x| x < lo || x > hi) {
                    &mut found.outside
                } else if all(&|x| x >= lo && x <= lo + tenth) {
                    &mut found.low
                } else if all(&|x| x <= hi && x >= hi - tenth) {
                    &mut found.high
                } else {
                    &mut found.elsewhere
                };
                *count += 1;
            }
            Some(found)
        };
        ranges.iter().enumerate().map(along).collect()
    }
}
