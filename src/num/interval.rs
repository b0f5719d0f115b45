//! Closed intervals with binary64 end points: the only file that names `inari`.
//!
//! Every operation is an enclosure: the result contains the image of the operands, restricted to the operation's
//! domain. Definedness is kept apart (see [`crate::ops::Operator::forward`]), because a decoration on every interval
//! costs more than a flag beside it.
//!
//! The four basic operations, squares and roots are computed here with the upward rounding of [`super::directed`]:
//! `inari` has to switch the processor's rounding mode around each operation, which costs several times the operation
//! itself. `inari` does the rest (fma, roundings to integers) and is the reference of the law tests: every result
//! contains `inari`'s, and no end is more than one binary64 number further out, that only near underflow.

use super::directed::{add_up, div_up, minus_sqrt_up, mul_up, sqrt_up};
use std::fmt;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// A closed, possibly unbounded, possibly empty interval of real numbers with binary64 end points.
//
// Stored with the lower end negated, so that both ends are rounded upward. Not empty: -inf < -m <= h < inf in the
// sense that m > -inf and h > -inf and -m <= h; empty: both are -inf. Neither is NaN or -0.0, so that equal sets have
// equal fields.
#[derive(Clone, Copy, PartialEq)]
pub struct Interval {
    /// Minus the lower end.
    m: f64,
    /// The upper end.
    h: f64,
}

const INF: f64 = f64::INFINITY;

/// The larger of two numbers that are not NaN, in one instruction.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller of two numbers that are not NaN, in one instruction.
#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

impl Interval {
    /// The empty set.
    pub const EMPTY: Interval = Interval { m: -INF, h: -INF };
    /// All real numbers.
    pub const ENTIRE: Interval = Interval { m: INF, h: INF };
    const ZERO: Interval = Interval { m: 0.0, h: 0.0 };

    /// The interval `[lo, hi]`; empty if `lo > hi` or if an end is NaN, or both ends are the same infinity.
    #[must_use]
    #[inline]
    pub fn new(lo: f64, hi: f64) -> Self {
        // Adding 0.0 makes -0.0 positive.
        if lo <= hi && lo < INF && hi > -INF { Interval { m: 0.0 - lo, h: hi + 0.0 } } else { Self::EMPTY }
    }

    /// The set of one real number `x`; empty if `x` is not finite.
    #[must_use]
    #[inline]
    pub fn point(x: f64) -> Self {
        Self::new(x, x)
    }

    /// From minus the lower end and the upper end, which are normal as above but may be in the wrong order.
    #[inline(always)]
    fn ordered(m: f64, h: f64) -> Self {
        if -m <= h { Interval { m, h } } else { Self::EMPTY }
    }

    /// As `inari` has it.
    fn reference(self) -> inari::Interval {
        inari::Interval::try_from((-self.m, self.h)).unwrap_or(inari::Interval::EMPTY)
    }

    /// From `inari`.
    fn from_reference(x: inari::Interval) -> Self {
        Self::new(x.inf(), x.sup())
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
        -self.m
    }

    /// The upper end; `-inf` for the empty set.
    #[must_use]
    #[inline]
    pub fn sup(self) -> f64 {
        self.h
    }

    /// A finite point inside, near the middle; NaN for the empty set.
    #[must_use]
    #[inline]
    pub fn mid(self) -> f64 {
        let (lo, hi) = (-self.m, self.h);
        if self.is_bounded() {
            let mid = 0.5 * (lo + hi);
            // The sum may overflow; the sum of halves does not.
            (if mid.is_finite() { mid } else { 0.5 * lo + 0.5 * hi }) + 0.0
        } else if self.is_empty() {
            f64::NAN
        } else if hi < INF {
            -f64::MAX
        } else if lo > -INF {
            f64::MAX
        } else {
            0.0
        }
    }

    /// `sup - inf` rounded upward; NaN for the empty set.
    #[must_use]
    #[inline]
    pub fn wid(self) -> f64 {
        if self.is_empty() { f64::NAN } else { add_up(self.m, self.h) }
    }

    /// The largest absolute value; NaN for the empty set.
    #[must_use]
    #[inline]
    pub fn mag(self) -> f64 {
        if self.is_empty() { f64::NAN } else { larger(self.m, self.h) }
    }

    /// The smallest absolute value; NaN for the empty set.
    #[must_use]
    #[inline]
    pub fn mig(self) -> f64 {
        if self.is_empty() { f64::NAN } else { larger(larger(-self.m, -self.h), 0.0) }
    }

    /// Whether no number is inside.
    #[must_use]
    #[inline]
    pub fn is_empty(self) -> bool {
        self.h == -INF
    }

    /// Whether exactly one number is inside.
    #[must_use]
    #[inline]
    pub fn is_point(self) -> bool {
        -self.m == self.h && self.h != -INF
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
        self.m <= other.m && self.h <= other.h
    }

    /// Whether no number is in both.
    #[must_use]
    #[inline]
    pub fn disjoint(self, other: Self) -> bool {
        (self & other).is_empty()
    }

    /// `|x|`.
    #[must_use]
    #[inline]
    pub fn abs(self) -> Self {
        if self.m <= 0.0 {
            self // the empty set as well
        } else if self.h <= 0.0 {
            -self
        } else {
            Interval { m: 0.0, h: larger(self.m, self.h) }
        }
    }

    /// `x^2`, which is tighter than `x * x` when zero is inside.
    #[must_use]
    #[inline]
    pub fn sqr(self) -> Self {
        if self.is_empty() {
            return self;
        }
        let (mig, mag) = (self.mig(), larger(self.m, self.h));
        Interval { m: mul_up(-mig, mig), h: mul_up(mag, mag) }
    }

    /// Square root of the part that is not negative.
    #[must_use]
    #[inline]
    pub fn sqrt(self) -> Self {
        if self.h < 0.0 {
            return Self::EMPTY;
        }
        Interval { m: minus_sqrt_up(larger(-self.m, 0.0)), h: sqrt_up(self.h) }
    }

    /// `1 / x` for `x != 0`.
    #[must_use]
    #[inline]
    pub fn recip(self) -> Self {
        Self::point(1.0) / self
    }

    /// The larger of two numbers.
    #[must_use]
    #[inline]
    pub fn max(self, other: Self) -> Self {
        if self.is_empty() || other.is_empty() {
            return Self::EMPTY;
        }
        Interval { m: smaller(self.m, other.m), h: larger(self.h, other.h) }
    }

    /// The smaller of two numbers.
    #[must_use]
    #[inline]
    pub fn min(self, other: Self) -> Self {
        if self.is_empty() || other.is_empty() {
            return Self::EMPTY;
        }
        Interval { m: larger(self.m, other.m), h: smaller(self.h, other.h) }
    }

    /// `x * y + z` with one rounding at each end.
    #[must_use]
    #[inline]
    pub fn mul_add(self, y: Self, z: Self) -> Self {
        Self::from_reference(self.reference().mul_add(y.reference(), z.reference()))
    }

    /// Round each number down to an integer.
    #[must_use]
    #[inline]
    pub fn floor(self) -> Self {
        Self::from_reference(self.reference().floor())
    }

    /// Round each number up to an integer.
    #[must_use]
    #[inline]
    pub fn ceil(self) -> Self {
        Self::from_reference(self.reference().ceil())
    }

    /// Round each number to the nearest integer, halves away from zero.
    #[must_use]
    #[inline]
    pub fn round(self) -> Self {
        Self::from_reference(self.reference().round())
    }

    /// Round each number to the nearest integer, halves to even.
    #[must_use]
    #[inline]
    pub fn round_ties_even(self) -> Self {
        Self::from_reference(self.reference().round_ties_even())
    }

    /// Drop the fractional part of each number.
    #[must_use]
    #[inline]
    pub fn trunc(self) -> Self {
        Self::from_reference(self.reference().trunc())
    }

    /// `{x : x * d = n for some d in self, n in numerator}` as at most two intervals (the rest empty): the reverse of
    /// multiplication, which keeps a hole around zero where there is one.
    #[must_use]
    #[inline]
    pub fn mul_rev_to_pair(self, numerator: Self) -> [Self; 2] {
        if self.m < 0.0 || self.h < 0.0 {
            // Not zero anywhere, or empty.
            return [numerator / self, Self::EMPTY];
        }
        if numerator.is_empty() {
            return [Self::EMPTY; 2];
        }
        if numerator.m >= 0.0 && numerator.h >= 0.0 {
            return [Self::ENTIRE, Self::EMPTY]; // zero times anything
        }
        // A negative numerator over the divisor is a positive one over minus the divisor.
        if numerator.h < 0.0 { (-self).rev_positive(-numerator) } else { self.rev_positive(numerator) }
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

impl Add for Interval {
    type Output = Self;
    #[inline]
    fn add(self, rhs: Self) -> Self {
        if self.is_empty() || rhs.is_empty() {
            return Self::EMPTY;
        }
        Interval { m: add_up(self.m, rhs.m), h: add_up(self.h, rhs.h) }
    }
}

impl Sub for Interval {
    type Output = Self;
    #[inline]
    fn sub(self, rhs: Self) -> Self {
        self + -rhs
    }
}

impl Mul for Interval {
    type Output = Self;
    #[inline]
    fn mul(self, rhs: Self) -> Self {
        if self.is_empty() || rhs.is_empty() {
            return Self::EMPTY;
        }
        let (a, b, c, d) = (-self.m, self.h, -rhs.m, rhs.h);
        if a < 0.0 && b > 0.0 && c < 0.0 && d > 0.0 {
            let m = larger(mul_up(self.m, d), mul_up(-b, c));
            return Interval { m, h: larger(mul_up(a, c), mul_up(b, d)) };
        }
        // One factor keeps its sign, so that one product decides each end: which, by the signs.
        let (lo, hi) = if c >= 0.0 {
            ((a, if a >= 0.0 { c } else { d }), (b, if b >= 0.0 { d } else { c }))
        } else if d <= 0.0 {
            ((b, if b >= 0.0 { c } else { d }), (a, if a >= 0.0 { d } else { c }))
        } else if a >= 0.0 {
            ((b, c), (b, d))
        } else {
            ((a, d), (a, c))
        };
        Interval { m: mul_up(-lo.0, lo.1), h: mul_up(hi.0, hi.1) }
    }
}

impl Div for Interval {
    type Output = Self;
    #[inline]
    fn div(self, rhs: Self) -> Self {
        if self.is_empty() || rhs.is_empty() {
            return Self::EMPTY;
        }
        if rhs.m >= 0.0 && rhs.h >= 0.0 {
            return self.div_by_zero(rhs);
        }
        // By a positive divisor [c, d]; selected without branches, as signs are hard to predict.
        let negative = rhs.h < 0.0;
        let x = if negative { -self } else { self };
        let (c, d) = if negative { (-rhs.h, rhs.m) } else { (-rhs.m, rhs.h) };
        // For a bound of a negative sign the far end of the divisor is the nearer one to zero. The ends that face each
        // other are never both infinite: c is finite, and so is an end of x that is divided by d.
        let m = div_up(x.m, if x.m >= 0.0 { c } else { d });
        Interval { m, h: div_up(x.h, if x.h >= 0.0 { c } else { d }) }
    }
}

impl Interval {
    /// The quotient by a divisor that holds zero.
    #[cold]
    fn div_by_zero(self, rhs: Self) -> Self {
        if rhs == Self::ZERO {
            Self::EMPTY
        } else if self == Self::ZERO {
            self
        } else if (rhs.m > 0.0 && rhs.h > 0.0) || (self.m > 0.0 && self.h > 0.0) {
            Self::ENTIRE
        } else {
            // Numerator and divisor have one sign each: the quotient reaches from the smallest quotient to infinity.
            let (x, flip) = if self.m > 0.0 { (-self, true) } else { (self, false) };
            let (d, flip) = if rhs.m > 0.0 { (rhs.m, !flip) } else { (rhs.h, flip) };
            let positive = Interval { m: div_up(x.m, d), h: INF };
            if flip { -positive } else { positive }
        }
    }

    /// `{x : x * d = n for some d in self, n in numerator}` for a positive numerator and zero in `self`.
    fn rev_positive(self, numerator: Self) -> [Self; 2] {
        // x is n/d for d > 0 or for d < 0, at least as far from zero as the lower end over the far end.
        let below = Interval { m: INF, h: div_up(-numerator.m, -self.m) };
        let above = Interval { m: div_up(numerator.m, self.h), h: INF };
        match (self.m > 0.0, self.h > 0.0) {
            (true, true) => [below, above],
            (true, false) => [below, Self::EMPTY],
            (false, true) => [above, Self::EMPTY],
            (false, false) => [Self::EMPTY; 2],
        }
    }
}

impl Neg for Interval {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Interval { m: self.h, h: self.m }
    }
}

/// Intersection.
impl BitAnd for Interval {
    type Output = Self;
    #[inline]
    fn bitand(self, rhs: Self) -> Self {
        Self::ordered(smaller(self.m, rhs.m), smaller(self.h, rhs.h))
    }
}

/// Convex hull.
impl BitOr for Interval {
    type Output = Self;
    #[inline]
    fn bitor(self, rhs: Self) -> Self {
        Interval { m: larger(self.m, rhs.m), h: larger(self.h, rhs.h) }
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
