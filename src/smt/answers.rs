//! What a script is answered.

use crate::decide::Confirmation;
use crate::halt::HaltReason;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What `(check-sat)` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SatStatus {
    /// The assertions hold for some values of the unknowns; they were found, and verified by exact evaluation.
    Sat,
    /// They hold for none, as was proved.
    Unsat,
    /// Neither was found within the budget.
    Unknown,
}

impl SatStatus {
    /// As SMT-LIB writes it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            SatStatus::Sat => "sat",
            SatStatus::Unsat => "unsat",
            SatStatus::Unknown => "unknown",
        }
    }

    /// What a word of SMT-LIB says.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [SatStatus::Sat, SatStatus::Unsat, SatStatus::Unknown].into_iter().find(|s| s.word() == word)
    }
}

/// Why an answer is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UnknownReason {
    /// The budget was used up, or something was left out of the question.
    Incomplete,
    /// Its time was over: another run may say more.
    Timeout,
    /// More memory was in use than may be.
    Memout,
    /// A person interrupted it.
    Interrupted,
}

impl UnknownReason {
    /// What it is where the search was asked to end early.
    pub(super) fn of(halted: Option<HaltReason>) -> Self {
        match halted {
            None => UnknownReason::Incomplete,
            Some(HaltReason::Time) => UnknownReason::Timeout,
            Some(HaltReason::Memory) => UnknownReason::Memout,
            Some(HaltReason::Interrupted) => UnknownReason::Interrupted,
        }
    }

    /// As `(get-info :reason-unknown)` is answered.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            UnknownReason::Incomplete => "incomplete",
            UnknownReason::Timeout => "timeout",
            UnknownReason::Memout => "memout",
            UnknownReason::Interrupted => "interrupted",
        }
    }
}

/// One `(check-sat)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckSat {
    /// The answer.
    pub status: SatStatus,
    /// What `(set-info :status …)` said before it.
    pub expected: Option<SatStatus>,
    /// The values of the constants that are declared, where it is sat: name and value.
    pub model: Vec<(String, String)>,
    /// Parts of the values of the unknowns that were looked at.
    pub boxes: u64,
    /// Points at which the formulas were evaluated by the search.
    pub evaluations: u64,
    /// Where a proof was looked at again, by plain evaluation of boxes or by the other engine, what it came to.
    pub confirmation: Option<Confirmation>,
    /// Why the answer is unknown, or a proof that was looked at again is not confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<UnknownReason>,
}

impl CheckSat {
    /// Whether the answer is unknown, or a proof that was looked at again is not confirmed.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.status == SatStatus::Unknown || matches!(self.confirmation, Some(Confirmation::Open(_)))
    }

    /// Whether the script says otherwise.
    #[must_use]
    pub fn contradicts(&self) -> bool {
        let known = |s: SatStatus| s != SatStatus::Unknown;
        known(self.status) && self.expected.is_some_and(|e| known(e) && e != self.status)
    }
}

/// What a script answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Every `(check-sat)`, in order.
    pub checks: Vec<CheckSat>,
    /// What a solver prints.
    pub output: String,
    /// Commands that were answered by an error.
    pub errors: usize,
    /// Whether a question for an unsat core, which asks many, ended early: it may be larger than need be.
    pub core_ended: Option<UnknownReason>,
}

/// What each `(check-sat)` may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Parts of the values of the unknowns that are looked at, at most.
    pub boxes: u64,
    /// The same for a proof that is looked at again, by plain evaluation; none is where this is `None`.
    pub confirmation: Option<u64>,
    /// How long each may take; what is answered depends on the machine then.
    pub time: Option<Duration>,
    /// The memory that the program may use meanwhile. Unit: bytes.
    pub memory: Option<u64>,
}

impl From<u64> for Budget {
    fn from(boxes: u64) -> Self {
        Budget { boxes, confirmation: None, time: None, memory: None }
    }
}

/// What happens while a script is answered.
#[derive(Clone, Copy, Debug)]
pub enum ScriptEvent<'e> {
    /// The `(check-sat)` of this number, from 1, begins.
    Begins(usize),
    /// Somebody waits for this answer.
    Answered(&'e str),
}

/// Who is told of it.
pub type Listener<'l> = dyn FnMut(ScriptEvent<'_>) + Send + 'l;
