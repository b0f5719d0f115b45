//! Closed intervals with binary64 end points: the only file that names `inari`.
//!
//! Every operation is an enclosure: the result contains the image of the operands, restricted to the operation's
//! domain. Definedness is kept apart (see [`crate::ops::Operator::forward`]), because a decoration on every interval
//! costs more than a flag beside it.

use std::fmt;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// A closed, possibly unbounded, possibly empty interval of real numbers with binary64 end points.
#[derive(Clone, Copy, PartialEq)]
pub struct Interval(inari::Interval);

impl Interval {
    /// The empty set.
    pub const EMPTY: Interval = Interval(inari::Interval::EMPTY);
    /// All real numbers.
    pub const ENTIRE: Interval = Interval(inari::Interval::ENTIRE);

    /// The interval `[lo, hi]`; empty if `lo > hi` or if an end is NaN, or both ends are the same infinity.
    #[must_use]
    #[inline]
    pub fn new(lo: f64, hi: f64) -> Self {
        match inari::Interval::try_from((lo, hi)) {
            Ok(i) => Interval(i),
            Err(_) => Self::EMPTY,
        }
    }

    /// The set of one real number `x`; empty if `x` is not finite.
    #[must_use]
    #[inline]
    pub fn point(x: f64) -> Self {
        Self::new(x, x)
    }

    /// `[lo, hi]` with each end moved outward by one binary64 step.
    ///
    /// NaN at an end means that nothing is known there.
    #[must_use]
    #[inline]
    pub fn outward(lo: f64, hi: f64) -> Self {
        let lo = if lo.is_nan() { f64::NEG_INFINITY } else { lo.next_down() };
        let hi = if hi.is_nan() { f64::INFINITY } else { hi.next_up() };
        // next_down(+inf) is MAX and next_up(-inf) is MIN: an overflowed end stays an enclosure.
        Self::new(lo, hi)
    }

    /// The lower end; `+inf` for the empty set.
    #[must_use]
    #[inline]
    pub fn inf(self) -> f64 {
        self.0.inf()
    }

    /// The upper end; `-inf` for the empty set.
    #[must_use]
    #[inline]
    pub fn sup(self) -> f64 {
        self.0.sup()
    }

    /// A finite point inside, near the middle; NaN for the empty set.
    #[must_use]
    #[inline]
    pub fn mid(self) -> f64 {
        self.0.mid()
    }

    /// `sup - inf` rounded upward; NaN for the empty set.
    #[must_use]
    #[inline]
    pub fn wid(self) -> f64 {
        self.0.wid()
    }

    /// The largest absolute value; NaN for the empty set.
    #[must_use]
    #[inline]
    pub fn mag(self) -> f64 {
        self.0.mag()
    }

    /// The smallest absolute value; NaN for the empty set.
    #[must_use]
    #[inline]
    pub fn mig(self) -> f64 {
        self.0.mig()
    }

    /// Whether no number is inside.
    #[must_use]
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Whether exactly one number is inside.
    #[must_use]
    #[inline]
    pub fn is_point(self) -> bool {
        self.0.is_singleton()
    }

    /// Whether `x` is inside.
    #[must_use]
    #[inline]
    pub fn contains(self, x: f64) -> bool {
        self.inf() <= x && x <= self.sup() && x.is_finite()
    }

    /// Whether every number of `self` is in `other`.
    #[must_use]
    #[inline]
    pub fn subset(self, other: Self) -> bool {
        self.0.subset(other.0)
    }

    /// Whether no number is in both.
    #[must_use]
    #[inline]
    pub fn disjoint(self, other: Self) -> bool {
        self.0.disjoint(other.0)
    }

    /// `|x|`.
    #[must_use]
    #[inline]
    pub fn abs(self) -> Self {
        Interval(self.0.abs())
    }

    /// `x^2`, which is tighter than `x * x` when zero is inside.
    #[must_use]
    #[inline]
    pub fn sqr(self) -> Self {
        Interval(self.0.sqr())
    }

    /// Square root of the part that is not negative.
    #[must_use]
    #[inline]
    pub fn sqrt(self) -> Self {
        Interval(self.0.sqrt())
    }

    /// `1 / x` for `x != 0`.
    #[must_use]
    #[inline]
    pub fn recip(self) -> Self {
        Interval(self.0.recip())
    }

    /// The larger of two numbers.
    #[must_use]
    #[inline]
    pub fn max(self, other: Self) -> Self {
        Interval(self.0.max(other.0))
    }

    /// The smaller of two numbers.
    #[must_use]
    #[inline]
    pub fn min(self, other: Self) -> Self {
        Interval(self.0.min(other.0))
    }

    /// `x * y + z` with one rounding at each end.
    #[must_use]
    #[inline]
    pub fn mul_add(self, y: Self, z: Self) -> Self {
        Interval(self.0.mul_add(y.0, z.0))
    }

    /// Round each number down to an integer.
    #[must_use]
    #[inline]
    pub fn floor(self) -> Self {
        Interval(self.0.floor())
    }

    /// Round each number up to an integer.
    #[must_use]
    #[inline]
    pub fn ceil(self) -> Self {
        Interval(self.0.ceil())
    }

    /// Round each number to the nearest integer, halves away from zero.
    #[must_use]
    #[inline]
    pub fn round(self) -> Self {
        Interval(self.0.round())
    }

    /// Round each number to the nearest integer, halves to even.
    #[must_use]
    #[inline]
    pub fn round_ties_even(self) -> Self {
        Interval(self.0.round_ties_even())
    }

    /// Drop the fractional part of each number.
    #[must_use]
    #[inline]
    pub fn trunc(self) -> Self {
        Interval(self.0.trunc())
    }

    /// `{x : x * d = n for some d in self, n in numerator}` as at most two intervals (the rest empty): the reverse of
    /// multiplication, which keeps a hole around zero where there is one.
    #[must_use]
    #[inline]
    pub fn mul_rev_to_pair(self, numerator: Self) -> [Self; 2] {
        let [a, b] = self.0.mul_rev_to_pair(numerator.0);
        [Interval(a), Interval(b)]
    }

    /// The part of `x` that satisfies `x * self = numerator` for some choice: HC4's projection of a product.
    #[must_use]
    #[inline]
    pub fn mul_rev(self, numerator: Self, x: Self) -> Self {
        let [a, b] = self.mul_rev_to_pair(numerator);
        (a & x) | (b & x)
    }

    /// Whether both ends are finite and the set is not empty.
    #[must_use]
    #[inline]
    pub fn is_bounded(self) -> bool {
        !self.is_empty() && self.inf().is_finite() && self.sup().is_finite()
    }
}

macro_rules! binary {
    ($trait:ident, $method:ident) => {
        impl $trait for Interval {
            type Output = Self;
            #[inline]
            fn $method(self, rhs: Self) -> Self {
                Interval($trait::$method(self.0, rhs.0))
            }
        }
    };
}
binary!(Add, add);
binary!(Sub, sub);
binary!(Mul, mul);
binary!(Div, div);

impl Neg for Interval {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Interval(-self.0)
    }
}

/// Intersection.
impl BitAnd for Interval {
    type Output = Self;
    #[inline]
    fn bitand(self, rhs: Self) -> Self {
        Interval(self.0.intersection(rhs.0))
    }
}

/// Convex hull.
impl BitOr for Interval {
    type Output = Self;
    #[inline]
    fn bitor(self, rhs: Self) -> Self {
        Interval(self.0.convex_hull(rhs.0))
    }
}

impl fmt::Debug for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() { f.write_str("[empty]") } else { write!(f, "[{:?}, {:?}]", self.inf(), self.sup()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outward_of_overflow_is_an_enclosure() {
        let i = Interval::outward(f64::INFINITY, f64::INFINITY);
        assert_eq!((i.inf(), i.sup()), (f64::MAX, f64::INFINITY));
        assert!(Interval::new(1.0, -1.0).is_empty());
        assert!(Interval::point(f64::NAN).is_empty());
    }

    #[test]
    fn product_projection_keeps_the_hole() {
        // x * [-1, 1] = 2 leaves nothing between -2 and 2.
        let x = Interval::new(-1.0, 1.0).mul_rev(Interval::point(2.0), Interval::new(0.0, 10.0));
        assert_eq!((x.inf(), x.sup()), (2.0, 10.0));
    }
}
