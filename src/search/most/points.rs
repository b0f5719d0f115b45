//! Points by places, and what can be asked of them.

use super::space::Cell;
use crate::num::random::Random;

/// A point by places.
pub(crate) type Places = Vec<i64>;

/// A point with its error.
pub(crate) type Rated = (f64, Places);

/// What is searched: the errors at points, in any order of calls and deterministic.
pub(crate) trait Errors {
    /// Why the search cannot go on.
    type Stop;

    /// The errors at points with, for each, the error beyond which it matters; none where there is nothing to compare.
    ///
    /// # Errors
    /// The search cannot go on.
    fn errors(&mut self, points: &[Places], best: &[f64]) -> Result<Vec<Option<f64>>, Self::Stop>;

    /// The errors at points with their signs, to three digits; none where there is nothing to compare.
    ///
    /// # Errors
    /// The search cannot go on.
    fn signed(&mut self, points: &[Places]) -> Result<Vec<Option<f64>>, Self::Stop>;

    /// The evaluations that are left.
    fn left(&self) -> u64;
}

/// A point of a cell.
pub(crate) fn any(cell: &Cell, random: &mut Random) -> Places {
    let each = cell.lo.iter().zip(&cell.hi);
    // The width of all of binary64 does not fit into i64.
    each.map(|(lo, hi)| lo.wrapping_add(random.below(hi.wrapping_sub(*lo) as u64) as i64)).collect()
}

/// One of so many, at least one.
pub(crate) fn one_of(count: usize, random: &mut Random) -> usize {
    random.below(count.max(1) as u64 - 1) as usize
}
