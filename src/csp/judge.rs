//! What kills: the one place that says what a difference at one input is worth.

use crate::num::Ternary;
use crate::oracle::Comparison;
use crate::oracle::quick::{QuickTolerance, disjoint};
use crate::spec::OutOfRange;
use crate::tape::eval::Enclosure;

/// What one input says of a mutant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kill {
    /// It surely kills it.
    Sure {
        /// How far outside, in units of the bound; infinite where no result compares.
        margin: f64,
    },
    /// Every valid result of the mutant is valid.
    Inside,
    /// It surely does not kill it.
    No,
    /// That is not settled.
    Open,
}

/// Whether a mutant without a result can be told from one with it.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// What a program owes where it gives no result.
    pub response: OutOfRange,
}

impl Judge {
    /// Whether the response owed outside the domain can be told from a result.
    #[must_use]
    pub fn tells(self) -> bool {
        matches!(self.response, OutOfRange::Reject | OutOfRange::Nan)
    }

    /// Where a result is owed and the mutant gives none.
    #[must_use]
    pub fn without_result(self) -> Kill {
        match self.response {
            OutOfRange::Reject | OutOfRange::Nan => Kill::Sure { margin: f64::INFINITY },
            // It may do anything, also what is right.
            OutOfRange::Any => Kill::No,
            // Which end of the results it owes is not known, and one may be right.
            OutOfRange::Saturate => Kill::Open,
        }
    }

    /// By multiple precision.
    #[must_use]
    pub fn of(self, comparison: &Comparison) -> Kill {
        match comparison {
            Comparison::Disjoint { margin } => Kill::Sure { margin: *margin },
            Comparison::MutantUndefined => self.without_result(),
            Comparison::Inside => Kill::Inside,
            // Not in the domain: nothing is asked there.
            Comparison::SpecUndefined | Comparison::NotKilled => Kill::No,
            Comparison::Unsettled => Kill::Open,
        }
    }

    /// By binary64 intervals of both functions, where they settle it.
    #[must_use]
    pub fn quick(self, (f, tf): (&Enclosure, &QuickTolerance), (g, tg): (&Enclosure, &QuickTolerance)) -> Option<Kill> {
        if f.def.is_true() && g.def.is_false() {
            return Some(self.without_result());
        }
        match disjoint(f, g, tf, tg) {
            (Ternary::True, margin) => Some(Kill::Sure { margin }),
            (Ternary::False, _) => Some(Kill::No),
            (Ternary::Unknown, _) => None,
        }
    }
}
