//! What became of a mutant, and why.

use super::Standing;
use crate::mutate::Mutant;
use crate::num::AtMost;
use crate::program::LibmUlps;
use crate::solve::{Stats, StopReason};

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
    /// [`super::subsumption`].
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
