//! What kills: the one place that says what a difference at one input is worth.

use crate::num::Ternary;
use crate::oracle::Comparison;
use crate::oracle::quick::{QuickTolerance, disjoint};
use crate::spec::OutOfRange;
use crate::tape::eval::Enclosure;

/// What one input says of a mutant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputJudgement {
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
pub struct StatusJudge {
    /// What a program owes where it gives no result.
    pub response: OutOfRange,
}

impl StatusJudge {
    /// Whether the response owed outside the domain can be told from a result.
    #[must_use]
    pub fn tells(self) -> bool {
        matches!(self.response, OutOfRange::Reject | OutOfRange::Nan)
    }

    /// Where a result is owed and the mutant gives none.
    #[must_use]
    pub fn without_result(self) -> InputJudgement {
        match self.response {
            OutOfRange::Reject | OutOfRange::Nan => InputJudgement::Sure { margin: f64::INFINITY },
            // It may do anything, also what is right.
            OutOfRange::Any => InputJudgement::No,
            // Which end of the results it owes is not known, and one may be right.
            OutOfRange::Saturate => InputJudgement::Open,
        }
    }

    /// By multiple precision.
    #[must_use]
    pub fn of(self, comparison: &Comparison) -> InputJudgement {
        match comparison {
            Comparison::Disjoint { margin } => InputJudgement::Sure { margin: *margin },
            Comparison::MutantUndefined => self.without_result(),
            Comparison::Inside => InputJudgement::Inside,
            // Not in the domain: nothing is asked there.
            Comparison::SpecUndefined | Comparison::NotKilled => InputJudgement::No,
            Comparison::Unsettled => InputJudgement::Open,
        }
    }

    /// By binary64 intervals of both functions and the tolerance of each, where they settle it.
    #[must_use]
    pub fn quick(
        self,
        f: &Enclosure,
        g: &Enclosure,
        tf: &QuickTolerance,
        tg: &QuickTolerance,
    ) -> Option<InputJudgement> {
        if f.def.is_true() && g.def.is_false() {
            return Some(self.without_result());
        }
        match disjoint(f, g, tf, tg) {
            (Ternary::True, margin) => Some(InputJudgement::Sure { margin }),
            (Ternary::False, _) => Some(InputJudgement::No),
            (Ternary::Unknown, _) => None,
        }
    }
}
