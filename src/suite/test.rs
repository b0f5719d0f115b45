//! A test, and the verdict of one on a mutant.

use crate::csp::judge::InputJudgement;
use crate::oracle::Oracle;
use crate::spec::OutOfRange;

/// What a test asks of an implementation.
#[derive(Clone, Debug, PartialEq)]
pub enum Expectation {
    /// A result within the oracle.
    Result(Oracle),
    /// The response that is owed outside the domain.
    OutOfRange(OutOfRange),
}

/// Where a test came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A point of the deterministic probe sequence, or where a condition goes over.
    Probe,
    /// A solution that the solver found for a mutant.
    Solver,
    /// A point where an input's range and a mutant's differ.
    Bounds,
    /// A point at which a larger error bound shows.
    Accuracy,
    /// A point that a reviewer expects: an end of a range, a special value, a zero, an extreme or a kink of f.
    Boundary,
    /// One of the points that fill the domain.
    Spread,
    /// A point beside a zero of what is computed, or where inputs are related or special together.
    Special,
    /// One that a person brings.
    Given,
    /// A test of an earlier run.
    Earlier,
}

impl Origin {
    /// All of them.
    pub const ALL: [Origin; 9] = [
        Origin::Probe,
        Origin::Solver,
        Origin::Bounds,
        Origin::Accuracy,
        Origin::Boundary,
        Origin::Spread,
        Origin::Special,
        Origin::Given,
        Origin::Earlier,
    ];

    /// As it stands in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Origin::Probe => "probe",
            Origin::Solver => "solver",
            Origin::Bounds => "bounds",
            Origin::Accuracy => "accuracy",
            Origin::Boundary => "boundary",
            Origin::Spread => "spread",
            Origin::Special => "special",
            Origin::Given => "given",
            Origin::Earlier => "earlier",
        }
    }
}

/// One test.
#[derive(Clone, Debug)]
pub struct Test {
    /// `t001`, `t002`, … in the order in which they were found.
    pub id: String,
    /// The exact input, values of the input formats.
    pub input: Vec<f64>,
    /// What an implementation owes.
    pub expectation: Expectation,
    /// Where it came from.
    pub origin: Origin,
    /// The mutant for which it was made, by index; none for one that was made for a reviewer.
    pub target: Option<usize>,
    /// Why it is there, for a reader.
    pub reason: String,
}

/// A cell of the kill matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MatrixCell {
    /// The mutant surely gives a result that is invalid: killed.
    Ko {
        /// How far outside, in units of the bound; infinite where no result compares.
        margin: f64,
    },
    /// Every valid result of the mutant is valid.
    Ok,
    /// Neither.
    Uncertain,
    /// The paper's probable kill of an accuracy mutant.
    Probable,
}

impl From<InputJudgement> for MatrixCell {
    fn from(kill: InputJudgement) -> Self {
        match kill {
            InputJudgement::Sure { margin } => MatrixCell::Ko { margin },
            InputJudgement::Inside => MatrixCell::Ok,
            InputJudgement::No | InputJudgement::Open => MatrixCell::Uncertain,
        }
    }
}

impl MatrixCell {
    /// Whether it takes the mutant out: killed, or probably killed as in the paper.
    #[must_use]
    pub fn is_kill(&self) -> bool {
        matches!(self, MatrixCell::Ko { .. } | MatrixCell::Probable)
    }

    /// As it stands in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MatrixCell::Ko { .. } => "KO",
            MatrixCell::Ok => "OK",
            MatrixCell::Uncertain => "UNCERTAIN",
            MatrixCell::Probable => "PROBABLE",
        }
    }
}
