//! Test suites: tests with their oracles, mutants with their status, the kill matrix between them.

mod accuracy;
mod adequacy;
mod batches;
mod beyond;
mod bits;
mod boundary;
mod bounds;
mod claims;
mod complete;
mod defined;
mod dyadic;
mod earlier;
mod engine;
pub mod evaluate;
mod evaluations;
pub mod generate;
mod given;
mod ground;
mod large;
mod matrix;
mod minimize;
mod near;
mod phases;
mod places;
mod plain;
mod probing;
mod programs;
mod proofs;
pub mod random;
pub mod recheck;
mod regions;
mod row;
mod run;
mod searches;
pub mod second;
mod sieve;
mod somewhere;
mod statuses;
pub mod steps;
pub mod subsumption;
mod ties;
mod zeros;

pub use adequacy::{Adequacy, Killer, Standing, SuiteEvaluation};
pub use claims::{Claim, Doubt};
pub use complete::{KeptTests, Whereabouts, is_everyday};
pub use evaluate::Evaluator;
pub use generate::{generate, generate_for};
pub use minimize::{fewest, minimized};
pub use phases::Phases;
pub use plain::{PlainAccuracy, plain};
pub use row::{Row, Unknown};
pub use run::{DEFAULT_MEMORY, Generated, Interrupt, NoRun, Options, Solved, TellSolved};

use crate::csp::judge::InputJudgement;
use crate::mutate::Mutant;
use crate::num::{AtMost, Rational};
use crate::oracle::Oracle;
use crate::program::LibmUlps;
use crate::solve::{Stats, StopReason};
use crate::spec::OutOfRange;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// Why a mutant cannot be killed.
#[derive(Clone, Debug, PartialEq)]
pub enum EquivalenceProof {
    /// The mutant is the specification written otherwise: one node of the tape.
    SameExpression,
    /// One node of the tape once the choices that D decides are made.
    SameOnDomain,
    /// What is changed is the same function on the domain before and after, by its normal form: so is what is made of it.
    SamePart,
    /// The same normal form, with what was needed for it.
    NormalForm(crate::equiv::Proof),
    /// A chain of laws, each valid on the domain.
    Rewriting(crate::equiv::Proof),
    /// Another mutant is the same function by its normal form, and this is the proof for it.
    SameAs {
        /// The other mutant's id.
        id: String,
        /// Its proof.
        proof: Box<EquivalenceProof>,
    },
    /// The mutated range holds the same values of the input format, or f has no value in what was added.
    SameInputs,
    /// Outside the domain any result is allowed, so that another domain does not show.
    ResponseNotTold,
    /// A cover of D by boxes on each of which the valid sets surely meet.
    Cover {
        /// The boxes looked at.
        boxes: u64,
        /// The largest bound of |f - g| / (t_f + t_g) on any of them: at most 1.
        worst: AtMost,
    },
    /// At the inputs by which the two differ f has no value, or none that a result can be near enough to.
    NoTest(NoTest),
    /// On D |f - g| is nowhere larger than a lower bound of t_f + t_g, by the normal form of the difference of the two.
    Near {
        /// The boxes looked at.
        boxes: u64,
    },
    /// The same as for `NeverReaches`, because |f| is nowhere larger than this by the normal forms of bound - f and
    /// bound + f.
    Bounded {
        /// The largest |f| at which the larger bound reaches no further, rounded down; if `strict`, |f| is less.
        bound: AtMost,
        /// Whether |f| is nowhere equal to the bound.
        strict: bool,
        /// The boxes looked at.
        boxes: u64,
    },
    /// A program: a bound of its rounding errors shows that everything that it may return on D is valid.
    MeetsAccuracy {
        /// The boxes looked at.
        boxes: u64,
        /// The largest error proved on any of them, in units of the tolerance: at most 1.
        worst: AtMost,
        /// The errors of library functions that the proof takes for granted; none where the program calls none.
        library: Option<LibmUlps>,
    },
    /// The part of D on which the mutant differs holds no input at which f has a value.
    EmptyRegion {
        /// The boxes looked at.
        boxes: u64,
    },
    /// A larger bound contains the specification's, and nowhere on D does it reach beyond it by more than 1000 r.
    NeverReaches {
        /// The boxes looked at.
        boxes: u64,
    },
}

/// How it was shown that none of some inputs can be a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoTest {
    /// The inputs that were examined one by one.
    pub inputs: u64,
    /// The boxes that show that |f| is beyond the result format at all the others, or below its numbers and not 0.
    pub boxes: u64,
}

/// Why a mutant is undecided.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The solver stopped without an answer.
    Stopped(StopReason),
    /// The run was interrupted before the mutant's turn.
    Interrupted,
    /// The formula is large, and the searches that it has room for went to other mutants.
    NotSearched,
    /// No input was found at which the mutated range shows and f surely has a value.
    NoDefinedPoint,
}

/// The status of a mutant after a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// Some test surely gets KO.
    Killed,
    /// An accuracy mutant that the paper counts as probably killed.
    Probable,
    /// The same function on D, proved.
    Equivalent(EquivalenceProof),
    /// Another function, and proved that no input of D gets KO at this accuracy.
    Indistinguishable(EquivalenceProof),
    /// Neither killed nor proved.
    Undecided(Reason),
    /// Neither killed nor proved, and a person has decided that it need not be. Boxed: it is rare.
    Accepted(Box<Acceptance>),
}

/// A person's decision on an undecided mutant.
#[derive(Clone, Debug, PartialEq)]
pub struct Acceptance {
    /// Who decided.
    pub by: String,
    /// Why.
    pub reason: String,
    /// Why the mutant is undecided.
    pub open: Reason,
}

impl Status {
    /// Without its reasons.
    #[must_use]
    pub fn standing(&self) -> Standing {
        match self {
            Status::Killed => Standing::Killed,
            Status::Probable => Standing::Probable,
            Status::Equivalent(_) => Standing::Equivalent,
            Status::Indistinguishable(_) => Standing::Indistinguishable,
            Status::Undecided(_) => Standing::Undecided,
            Status::Accepted(_) => Standing::Accepted,
        }
    }

    /// As it stands in files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.standing().name()
    }
}

/// The point at which a mutant came nearest to being killed.
#[derive(Clone, Debug, PartialEq)]
pub struct NearestMiss {
    /// The input.
    pub input: Vec<f64>,
    /// |f - g| / (t_f + t_g) there; above 1 would be a kill.
    pub ratio: f64,
}

/// A mutant with what became of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The mutant.
    pub mutant: Mutant,
    /// Its status.
    pub status: Status,
    /// How near a mutant that was not killed came, if that is known.
    pub near_miss: Option<NearestMiss>,
    /// What the solver did for it.
    pub stats: Stats,
    /// The id of an earlier mutant that is known to be the same function: one expression, or one normal form.
    pub same_as: Option<String>,
    /// Of a killed mutant that is not minimal, the id of the minimal one that stands for it on the tests of the run; see
    /// [`subsumption`].
    pub subsumed_by: Option<String>,
}

impl Judged {
    /// A mutant of which nothing is known.
    pub(crate) fn new(mutant: Mutant) -> Self {
        let status = Status::Undecided(Reason::Interrupted);
        Judged { mutant, status, near_miss: None, stats: Stats::default(), same_as: None, subsumed_by: None }
    }

    /// Whether it is one of the killed mutants that stand for all others on the tests of the run.
    #[must_use]
    pub fn is_minimal(&self) -> bool {
        self.status == Status::Killed && self.subsumed_by.is_none()
    }
}

/// The counts of a run, and the scores of semantics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// All mutants.
    pub all: usize,
    /// Killed ones.
    pub killed: usize,
    /// Probably killed ones.
    pub probable: usize,
    /// Equivalent ones.
    pub equivalent: usize,
    /// Indistinguishable ones.
    pub indistinguishable: usize,
    /// Undecided ones.
    pub undecided: usize,
    /// Accepted ones.
    #[serde(default)]
    pub accepted: usize,
    /// All but the accuracy mutants.
    pub functional: usize,
    /// Equivalent, indistinguishable and accepted ones that are no accuracy mutants: what nobody need kill.
    pub functional_not_killable: usize,
}

impl Counts {
    /// Count.
    #[must_use]
    pub fn of<'a>(mutants: impl IntoIterator<Item = &'a Judged>) -> Self {
        let mut c = Counts::default();
        for j in mutants {
            c.add(j.mutant.operator, j.status.standing());
        }
        c
    }

    /// Count one more mutant.
    pub fn add(&mut self, operator: crate::mutate::MutationOperator, standing: Standing) {
        let functional = operator != crate::mutate::MutationOperator::Accuracy;
        self.all += 1;
        self.functional += usize::from(functional);
        match standing {
            Standing::Killed => self.killed += 1,
            Standing::Probable => self.probable += 1,
            // Killable: in the denominator only.
            Standing::Missed => {}
            Standing::Equivalent => self.equivalent += 1,
            Standing::Indistinguishable => self.indistinguishable += 1,
            Standing::Undecided => self.undecided += 1,
            Standing::Accepted => self.accepted += 1,
        }
        if functional && matches!(standing, Standing::Equivalent | Standing::Indistinguishable | Standing::Accepted) {
            self.functional_not_killable += 1;
        }
    }

    /// Killed of those that can be killed, accuracy mutants left out.
    #[must_use]
    pub fn rigorous(&self) -> ScoreShare {
        ScoreShare { part: self.killed, whole: self.functional - self.functional_not_killable }
    }

    /// Killed or probably killed of all, as the paper counts.
    #[must_use]
    pub fn paper(&self) -> ScoreShare {
        ScoreShare { part: self.killed + self.probable, whole: self.all }
    }

    /// Those that are not undecided, of all.
    #[must_use]
    pub fn resolved_share(&self) -> ScoreShare {
        ScoreShare { part: self.all - self.undecided, whole: self.all }
    }

    /// [`Counts::rigorous`] as a number; 1 where no mutant can be killed.
    #[must_use]
    pub fn rigorous_score(&self) -> f64 {
        self.rigorous().value()
    }

    /// [`Counts::paper`] as a number; 1 where there are no mutants.
    #[must_use]
    pub fn paper_score(&self) -> f64 {
        self.paper().value()
    }

    /// The share that is not undecided; 1 where there are no mutants.
    #[must_use]
    pub fn resolved(&self) -> f64 {
        self.resolved_share().value()
    }
}

impl<'a> std::iter::Sum<&'a Counts> for Counts {
    fn sum<I: Iterator<Item = &'a Counts>>(counts: I) -> Self {
        counts.fold(Counts::default(), |a, b| Counts {
            all: a.all + b.all,
            killed: a.killed + b.killed,
            probable: a.probable + b.probable,
            equivalent: a.equivalent + b.equivalent,
            indistinguishable: a.indistinguishable + b.indistinguishable,
            undecided: a.undecided + b.undecided,
            accepted: a.accepted + b.accepted,
            functional: a.functional + b.functional,
            functional_not_killable: a.functional_not_killable + b.functional_not_killable,
        })
    }
}

/// A score with its counts: `part` of `whole`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreShare {
    /// How many.
    pub part: usize,
    /// Of how many.
    pub whole: usize,
}

impl ScoreShare {
    /// As a number from 0 to 1; 1 of nothing.
    #[must_use]
    pub fn value(self) -> f64 {
        if self.whole == 0 { 1.0 } else { self.part as f64 / self.whole as f64 }
    }

    /// Exactly.
    #[must_use]
    pub fn exact(self) -> Rational {
        if self.whole == 0 { Rational::from(1) } else { Rational::from((self.part as u64, self.whole as u64)) }
    }

    /// To four places, rounded down: 1.0000 means all.
    #[must_use]
    pub fn text(self) -> String {
        let units = if self.whole == 0 { 10_000 } else { self.part as u128 * 10_000 / self.whole as u128 };
        format!("{}.{:04}", units / 10_000, units % 10_000)
    }
}
