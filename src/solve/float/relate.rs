//! Projections of comparisons, in which both zeros are one number, and of minimum and maximum.

use crate::floats::ordinal::{MINUS_ZERO, NAN, ZERO};
use crate::floats::set::FloatSpan;

/// A comparison of numbers. With NaN each is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TermRelation {
    /// `x < y`
    Less,
    /// `x <= y`
    LessEqual,
    /// `x == y`
    Equal,
}

fn up(x: i64) -> i64 {
    if x == MINUS_ZERO { ZERO } else { x }
}

fn down(x: i64) -> i64 {
    if x == ZERO { MINUS_ZERO } else { x }
}

impl TermRelation {
    /// Whether it holds.
    #[must_use]
    pub fn holds(self, x: i64, y: i64) -> bool {
        if x == NAN || y == NAN {
            return false;
        }
        match self {
            TermRelation::Less => up(x) < down(y),
            TermRelation::LessEqual => down(x) <= up(y),
            TermRelation::Equal => up(x) == up(y),
        }
    }

    /// Whether it may fail, and whether it may hold, for members of two sets.
    #[must_use]
    pub fn outcomes(self, x: FloatSpan, y: FloatSpan) -> [bool; 2] {
        let nan = (x.nan && !y.is_empty()) || (y.nan && !x.is_empty());
        if !x.has_numbers() || !y.has_numbers() {
            return [nan, false];
        }
        let (may_hold, may_fail) = match self {
            TermRelation::Less => (self.holds(x.lo, y.hi), !self.holds(x.hi, y.lo)),
            TermRelation::LessEqual => (self.holds(x.lo, y.hi), !self.holds(x.hi, y.lo)),
            TermRelation::Equal => {
                let meet = down(x.lo) <= up(y.hi) && down(y.lo) <= up(x.hi);
                let one = up(x.lo) == up(x.hi) && up(y.lo) == up(y.hi) && meet;
                (meet, !one)
            }
        };
        [nan || may_fail, may_hold]
    }

    /// What is left of two sets where it comes out as `outcome`.
    #[must_use]
    pub fn prune(self, x: FloatSpan, y: FloatSpan, outcome: bool) -> (FloatSpan, FloatSpan) {
        let (a, b) = (x.without_nan(), y.without_nan());
        if outcome {
            return self.among_numbers(a, b);
        }
        let (a, b) = match self {
            // Not x < y is y <= x, among numbers.
            TermRelation::Less => swapped(TermRelation::LessEqual.among_numbers(b, a)),
            TermRelation::LessEqual => swapped(TermRelation::Less.among_numbers(b, a)),
            TermRelation::Equal => (differing(a, b), differing(b, a)),
        };
        // With NaN on one side everything is left on the other.
        (if y.nan { x } else { FloatSpan { nan: x.nan, ..a } }, if x.nan { y } else { FloatSpan { nan: y.nan, ..b } })
    }

    fn among_numbers(self, x: FloatSpan, y: FloatSpan) -> (FloatSpan, FloatSpan) {
        if !x.has_numbers() || !y.has_numbers() {
            return (FloatSpan::EMPTY, FloatSpan::EMPTY);
        }
        match self {
            TermRelation::Less => {
                // Below -infinity there is nothing, and an end beyond all numbers leaves none.
                (FloatSpan { hi: x.hi.min(down(y.hi) - 1), ..x }, FloatSpan { lo: y.lo.max(up(x.lo) + 1), ..y })
            }
            TermRelation::LessEqual => {
                (FloatSpan { hi: x.hi.min(up(y.hi)), ..x }, FloatSpan { lo: y.lo.max(down(x.lo)), ..y })
            }
            TermRelation::Equal => {
                (x.meet(FloatSpan::between(down(y.lo), up(y.hi))), y.meet(FloatSpan::between(down(x.lo), up(x.hi))))
            }
        }
    }
}

fn swapped((a, b): (FloatSpan, FloatSpan)) -> (FloatSpan, FloatSpan) {
    (b, a)
}

/// The members of `x` that differ from a member of `y`, both of numbers.
fn differing(x: FloatSpan, y: FloatSpan) -> FloatSpan {
    if !y.has_numbers() {
        return FloatSpan::EMPTY;
    }
    if up(y.lo) != up(y.hi) {
        return x;
    }
    let (first, last) = (down(y.lo), up(y.hi));
    let mut left = x;
    if left.lo >= first && left.lo <= last {
        left.lo = last + 1;
    }
    if left.hi <= last && left.hi >= first {
        left.hi = first - 1;
    }
    left
}

/// What the lesser of two may be (`fp.min`): of a number and NaN the number, of two zeros either.
#[must_use]
pub fn minimum(x: FloatSpan, y: FloatSpan) -> FloatSpan {
    let mut result = FloatSpan { nan: x.nan && y.nan, ..FloatSpan::EMPTY };
    if x.has_numbers() && y.has_numbers() {
        let (mut lo, mut hi) = (x.lo.min(y.lo), x.hi.min(y.hi));
        // Of zeros with different signs either one may be the lesser.
        let zeros = (x.contains(ZERO) && y.contains(MINUS_ZERO)) || (x.contains(MINUS_ZERO) && y.contains(ZERO));
        if zeros {
            (lo, hi) = (down(lo), up(hi));
        }
        result = result.hull(FloatSpan::between(lo, hi));
    }
    if x.nan {
        result = result.hull(y.without_nan());
    }
    if y.nan {
        result = result.hull(x.without_nan());
    }
    result
}

/// What is left of one operand of the lesser of two where that is in `z`.
#[must_use]
pub fn inverse_minimum(x: FloatSpan, y: FloatSpan, z: FloatSpan) -> FloatSpan {
    let mut result = FloatSpan { nan: x.nan && (z.nan && y.nan || z.meet(y).has_numbers()), ..FloatSpan::EMPTY };
    let widened = FloatSpan { lo: down(z.lo), hi: up(z.hi), nan: false };
    // It is the lesser itself, or above it, and then the other one is.
    if z.has_numbers() && (y.has_numbers() || y.nan) {
        result = result.hull(x.without_nan().meet(widened));
    }
    if z.has_numbers() && y.meet(widened).has_numbers() {
        result = result.hull(x.without_nan().meet(FloatSpan { hi: i64::MAX, ..widened }));
    }
    result
}
