//! How specification and mutant compare at one exact input.

use super::ladder::{Function, Ladder, LadderSeen, is_modest, stays_vast};
use super::valid::ValidSet;
use crate::num::mpfr::Round;
use crate::num::{Rational, Ternary};
use crate::spec::Accuracy;

/// How specification and mutant compare at one input, both with a value or without.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// Their valid sets are surely disjoint: KO.
    Disjoint {
        /// How far outside the specification's set the mutant's nearest valid value is, in units of the bound
        /// (infinite for a bound of 0).
        margin: f64,
    },
    /// The specification has a value and the mutant surely has none: KO.
    MutantUndefined,
    /// The mutant has a value and the specification surely has none.
    SpecUndefined,
    /// Every valid result of the mutant is valid: OK.
    Inside,
    /// Surely not disjoint, and not inside; or both surely without a value.
    NotKilled,
    /// Not settled at the precision cap.
    Unsettled,
}

impl Comparison {
    /// Whether the mutant surely gets KO.
    #[must_use]
    pub fn is_kill(&self) -> bool {
        matches!(self, Comparison::Disjoint { .. } | Comparison::MutantUndefined | Comparison::SpecUndefined)
    }
}

/// Compare two functions at the input of the ladder. With `settle_inside` the precision is raised until it is known
/// whether a mutant that is not killed is inside; without, as soon as it surely is not killed.
#[must_use]
pub fn compare(ladder: &mut Ladder<'_>, spec: Function<'_>, mutant: Function<'_>, settle_inside: bool) -> Comparison {
    let mut unless_more = Comparison::Unsettled;
    let settled = ladder.first(|ladder, level| {
        let (of_spec, of_mutant) = (ladder.see(spec, level), ladder.see(mutant, level));
        // Exact arithmetic, which is dear in the rounds of a loop, shows no value either.
        if ladder.is_lost(spec) || ladder.is_lost(mutant) {
            return Some(Comparison::Unsettled);
        }
        match compare_seen(&of_spec, &of_mutant, mutant.accuracy) {
            Some(Comparison::NotKilled) if settle_inside && may_be_inside(&of_spec, &of_mutant) => {
                unless_more = Comparison::NotKilled;
                None
            }
            settled => settled,
        }
    });
    settled.unwrap_or(unless_more)
}

/// How two functions compare, if what is seen of both says so.
pub(super) fn compare_seen(spec: &LadderSeen, mutant: &LadderSeen, of_mutant: &Accuracy) -> Option<Comparison> {
    Some(match (spec, mutant) {
        (LadderSeen::Value(s), LadderSeen::Value(m)) => match s.disjoint(m) {
            Ternary::True => Comparison::Disjoint { margin: margin(s, m) },
            Ternary::False if m.inside(s).is_true() => Comparison::Inside,
            Ternary::False => Comparison::NotKilled,
            Ternary::Unknown => return None,
        },
        // A vast value's valid set is vast, and far from any that is not.
        (LadderSeen::Value(s), LadderSeen::Vast { .. })
            if stays_vast(of_mutant) && is_modest(&s.lower.lo) && is_modest(&s.upper.hi) =>
        {
            Comparison::Disjoint { margin: f64::MAX }
        }
        (known, LadderSeen::Undefined) if known.has_value().is_true() => Comparison::MutantUndefined,
        (LadderSeen::Undefined, known) if known.has_value().is_true() => Comparison::SpecUndefined,
        (LadderSeen::Undefined, LadderSeen::Undefined) => Comparison::NotKilled,
        _ => return None,
    })
}

/// Whether it is open if all results that are valid for the mutant are for the specification.
fn may_be_inside(spec: &LadderSeen, mutant: &LadderSeen) -> bool {
    matches!((spec, mutant), (LadderSeen::Value(s), LadderSeen::Value(m)) if m.inside(s) == Ternary::Unknown)
}

/// The gap between two disjoint sets in units of the specification's bound, rounded downward.
fn margin(s: &ValidSet, m: &ValidSet) -> f64 {
    let gap = if m.lower.lo > s.upper.hi {
        Rational::from(&m.lower.lo - &s.upper.hi)
    } else {
        Rational::from(&s.lower.lo - &m.upper.hi)
    };
    if s.tolerance.hi == 0 {
        return f64::INFINITY;
    }
    crate::num::float::rational_to_f64(&(gap / &s.tolerance.hi), Round::Down)
}
