//! Projections of comparisons, in which both zeros are one number, and of minimum and maximum.

use crate::floats::ordinal::{MINUS_ZERO, NAN, ZERO};
use crate::floats::set::Set;

/// A comparison of numbers. With NaN each is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
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

impl Relation {
    /// Whether it holds.
    #[must_use]
    pub fn holds(self, x: i64, y: i64) -> bool {
        if x == NAN || y == NAN {
            return false;
        }
        match self {
            Relation::Less => up(x) < down(y),
            Relation::LessEqual => down(x) <= up(y),
            Relation::Equal => up(x) == up(y),
        }
    }

    /// Whether it may fail, and whether it may hold, for members of two sets.
    #[must_use]
    pub fn outcomes(self, x: Set, y: Set) -> [bool; 2] {
        let nan = (x.nan && !y.is_empty()) || (y.nan && !x.is_empty());
        if !x.has_numbers() || !y.has_numbers() {
            return [nan, false];
        }
        let (may_hold, may_fail) = match self {
            Relation::Less => (self.holds(x.lo, y.hi), !self.holds(x.hi, y.lo)),
            Relation::LessEqual => (self.holds(x.lo, y.hi), !self.holds(x.hi, y.lo)),
            Relation::Equal => {
                let meet = down(x.lo) <= up(y.hi) && down(y.lo) <= up(x.hi);
                let one = up(x.lo) == up(x.hi) && up(y.lo) == up(y.hi) && meet;
                (meet, !one)
            }
        };
        [nan || may_fail, may_hold]
    }

    /// What is left of two sets where it comes out as `outcome`.
    #[must_use]
    pub fn prune(self, x: Set, y: Set, outcome: bool) -> (Set, Set) {
        let (a, b) = (x.without_nan(), y.without_nan());
        if outcome {
            return self.among_numbers(a, b);
        }
        let (a, b) = match self {
            // Not x < y is y <= x, among numbers.
            Relation::Less => swapped(Relation::LessEqual.among_numbers(b, a)),
            Relation::LessEqual => swapped(Relation::Less.among_numbers(b, a)),
            Relation::Equal => (differing(a, b), differing(b, a)),
        };
        // With NaN on one side everything is left on the other.
        (if y.nan { x } else { Set { nan: x.nan, ..a } }, if x.nan { y } else { Set { nan: y.nan, ..b } })
    }

    fn among_numbers(self, x: Set, y: Set) -> (Set, Set) {
        if !x.has_numbers() || !y.has_numbers() {
            return (Set::EMPTY, Set::EMPTY);
        }
        match self {
            Relation::Less => {
                // Below -infinity there is nothing, and an end beyond all numbers leaves none.
                (Set { hi: x.hi.min(down(y.hi) - 1), ..x }, Set { lo: y.lo.max(up(x.lo) + 1), ..y })
            }
            Relation::LessEqual => (Set { hi: x.hi.min(up(y.hi)), ..x }, Set { lo: y.lo.max(down(x.lo)), ..y }),
            Relation::Equal => (x.meet(Set::between(down(y.lo), up(y.hi))), y.meet(Set::between(down(x.lo), up(x.hi)))),
        }
    }
}

fn swapped((a, b): (Set, Set)) -> (Set, Set) {
    (b, a)
}

/// The members of `x` that differ from a member of `y`, both of numbers.
fn differing(x: Set, y: Set) -> Set {
    if !y.has_numbers() {
        return Set::EMPTY;
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
pub fn minimum(x: Set, y: Set) -> Set {
    let mut result = Set { nan: x.nan && y.nan, ..Set::EMPTY };
    if x.has_numbers() && y.has_numbers() {
        let (mut lo, mut hi) = (x.lo.min(y.lo), x.hi.min(y.hi));
        // Of zeros with different signs either one may be the lesser.
        let zeros = (x.contains(ZERO) && y.contains(MINUS_ZERO)) || (x.contains(MINUS_ZERO) && y.contains(ZERO));
        if zeros {
            (lo, hi) = (down(lo), up(hi));
        }
        result = result.hull(Set::between(lo, hi));
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
pub fn inverse_minimum(x: Set, y: Set, z: Set) -> Set {
    let mut result = Set { nan: x.nan && (z.nan && y.nan || z.meet(y).has_numbers()), ..Set::EMPTY };
    let widened = Set { lo: down(z.lo), hi: up(z.hi), nan: false };
    // It is the lesser itself, or above it, and then the other one is.
    if z.has_numbers() && (y.has_numbers() || y.nan) {
        result = result.hull(x.without_nan().meet(widened));
    }
    if z.has_numbers() && y.meet(widened).has_numbers() {
        result = result.hull(x.without_nan().meet(Set { hi: i64::MAX, ..widened }));
    }
    result
}
