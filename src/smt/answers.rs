//! What a script is answered.

use crate::decide::Confirmation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

    pub(super) fn from_word(word: &str) -> Option<Self> {
        [SatStatus::Sat, SatStatus::Unsat, SatStatus::Unknown].into_iter().find(|s| s.word() == word)
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
    /// Where a proof was looked at again by plain evaluation of boxes, what it came to.
    pub confirmation: Option<Confirmation>,
}

impl CheckSat {
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
}

/// What each `(check-sat)` may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Parts of the values of the unknowns that are looked at, at most.
    pub boxes: u64,
    /// The same for a proof that is looked at again, by plain evaluation; none is where this is `None`.
    pub confirmation: Option<u64>,
}

impl From<u64> for Budget {
    fn from(boxes: u64) -> Self {
        Budget { boxes, confirmation: None }
    }
}
