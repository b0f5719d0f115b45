//! What a script is answered, and running one.

use super::Result;
use super::script::Script;
use crate::decide::Confirmation;
use crate::text::Diagnostic;
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

/// The stack of a thread that reads a script, without its terms. Unit: bytes.
const STACK: usize = 16 << 20;
/// What reading takes for each bracket of the script. Arguments are read before a definition's body, in which they stand by
/// name: however deep the terms are that come of it, no more brackets are open at a time than the script has. Unit: bytes.
const STACK_OF_A_BRACKET: usize = 16 << 10;
/// The most stack of all. Unit: bytes.
const MOST_STACK: usize = 1 << 30;

/// The stack that a script takes at most. Unit: bytes.
fn stack(source: &str) -> usize {
    let brackets = source.bytes().filter(|b| *b == b'(').count();
    brackets.saturating_mul(STACK_OF_A_BRACKET).saturating_add(STACK).min(MOST_STACK)
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

/// Runs a script.
///
/// # Errors
/// If something of it is no SMT-LIB, or is not supported, with its place.
pub fn run(source: &str, budget: impl Into<Budget>) -> Result<Answers> {
    let budget = budget.into();
    let token = crate::halt::current();
    std::thread::scope(|scope| {
        let work = || crate::halt::under(token, || Script::default().run(source, budget));
        let thread = std::thread::Builder::new().stack_size(stack(source)).spawn_scoped(scope, work);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => {
                let whole = crate::text::Span { start: 0, end: 0 };
                Err(Diagnostic::unsupported(whole, "the system gives no memory for the stack that terms are read with"))
            }
        }
    })
}
