//! Where the time of a run goes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Wall-clock time by kind of work. No result depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Phases {
    /// Mutants are made and put onto one tape.
    pub mutants: Duration,
    /// Probe points are evaluated on all mutants.
    pub probes: Duration,
    /// Proofs by normal form.
    pub proofs: Duration,
    /// Searches, with the verification of what they find.
    pub solver: Duration,
    /// Mutants of ranges and of the accuracy.
    pub others: Duration,
    /// Oracles of inputs, and their verdicts on all mutants: the rows of the kill matrix.
    pub oracle: Duration,
}

impl Phases {
    /// Name and time of each, in the order of a run.
    #[must_use]
    pub fn parts(&self) -> [(&'static str, Duration); 6] {
        [
            ("mutants", self.mutants),
            ("probes", self.probes),
            ("proofs", self.proofs),
            ("solver", self.solver),
            ("ranges and accuracy", self.others),
            ("oracle", self.oracle),
        ]
    }

    /// The times of two runs together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Phases {
            mutants: self.mutants + other.mutants,
            probes: self.probes + other.probes,
            proofs: self.proofs + other.proofs,
            solver: self.solver + other.solver,
            others: self.others + other.others,
            oracle: self.oracle + other.oracle,
        }
    }

    /// All of it.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.parts().iter().map(|p| p.1).sum()
    }
}

/// Shares the time that passes out to phases. Oracles are asked for in the midst of the others, so that their time is
/// taken off.
pub(super) struct Watch {
    since: Instant,
    oracle: Duration,
}

impl Watch {
    pub(super) fn start() -> Self {
        Watch { since: Instant::now(), oracle: Duration::ZERO }
    }

    /// The time since the last call, less what went into oracles, of which `oracle` is the total so far.
    pub(super) fn lap(&mut self, oracle: Duration) -> Duration {
        let now = Instant::now();
        let lap = now.duration_since(self.since).saturating_sub(oracle.saturating_sub(self.oracle));
        (self.since, self.oracle) = (now, oracle);
        lap
    }
}
