//! Domains that are intervals, and small helpers that the operators share.

use crate::num::mpfr::Float;
use crate::num::{Interval, MpInterval, Rational, Ternary};

const INF: f64 = f64::INFINITY;

/// An interval of the real line as the domain of an operator.
#[derive(Clone, Copy)]
pub(super) struct Domain {
    lo: f64,
    hi: f64,
    /// Whether finite ends are left out.
    open: bool,
}

/// All real numbers.
pub(super) const REALS: Domain = Domain { lo: -INF, hi: INF, open: false };

/// `[lo, inf)`.
pub(super) const fn from(lo: f64) -> Domain {
    Domain { lo, hi: INF, open: false }
}

/// `(lo, inf)`.
pub(super) const fn above(lo: f64) -> Domain {
    Domain { lo, hi: INF, open: true }
}

/// `[-1, 1]`.
pub(super) const UNIT: Domain = Domain { lo: -1.0, hi: 1.0, open: false };
/// `(-1, 1)`.
pub(super) const OPEN_UNIT: Domain = Domain { lo: -1.0, hi: 1.0, open: true };

impl Domain {
    /// What is known of `x` being inside, from how its ends compare with the domain's. An open one has a lower end.
    fn decide(self, above_lo: bool, below_hi: bool, outside: bool) -> Ternary {
        Ternary::decide(above_lo && (self.hi == INF || below_hi), outside)
    }

    /// Whether the points of `x` are inside.
    #[inline]
    pub(super) fn of(self, x: Interval) -> Ternary {
        let (a, b) = (x.inf(), x.sup());
        if self.open {
            self.decide(a > self.lo, b < self.hi, b <= self.lo || a >= self.hi)
        } else {
            self.decide(a >= self.lo, b <= self.hi, b < self.lo || a > self.hi)
        }
    }

    /// The closure as an interval.
    #[inline]
    pub(super) fn closure(self) -> Interval {
        Interval::new(self.lo, self.hi)
    }

    /// Whether the binary64 number (perhaps infinite, by overflow) is inside.
    #[inline]
    pub(super) fn has(self, x: f64) -> bool {
        if self.open { x > self.lo && x < self.hi || x == INF && self.hi == INF } else { x >= self.lo && x <= self.hi }
    }

    /// Whether the rational number is inside.
    pub(super) fn has_rational(self, x: &Rational) -> bool {
        let above_lo = if self.open { *x > self.lo } else { *x >= self.lo };
        above_lo && (self.hi == INF || if self.open { *x < self.hi } else { *x <= self.hi })
    }

    /// The part of `x` in the closure of the domain, and whether `x` is inside; `None` if no part of it is.
    pub(super) fn clip(self, x: &MpInterval) -> Option<(MpInterval, Ternary)> {
        let (a, b) = (&x.lo, &x.hi);
        let def = if self.open {
            self.decide(*a > self.lo, *b < self.hi, *b <= self.lo || *a >= self.hi)
        } else {
            self.decide(*a >= self.lo, *b <= self.hi, *b < self.lo || *a > self.hi)
        };
        if def.is_false() {
            return None;
        }
        let lo = if *a < self.lo { Float::with_val(53, self.lo) } else { a.clone() };
        let hi = if *b > self.hi { Float::with_val(53, self.hi) } else { b.clone() };
        Some((MpInterval::new(lo, hi), def))
    }
}

/// An enclosure of a derivative: where the formula has no value, nothing is known.
#[inline]
pub(super) fn or_entire(x: Interval) -> Interval {
    if x.is_empty() { Interval::ENTIRE } else { x }
}

/// The part of `x` whose absolute value is in `magnitude` (not negative).
#[inline]
pub(super) fn both_signs(magnitude: Interval, x: Interval) -> Interval {
    (x & magnitude) | (x & -magnitude)
}

/// Every component empty if one of them is.
#[inline]
pub(super) fn all_or_none<const N: usize>(x: [Interval; N]) -> [Interval; N] {
    if x.iter().any(|i| i.is_empty()) { [Interval::EMPTY; N] } else { x }
}

/// One step of interval Newton as a projection: the `t` in `x` with `f(t)` in `y`, where `derivative` encloses the
/// derivative on `x`, by the mean value theorem around a point of `x`.
pub(super) fn newton(y: Interval, x: Interval, f: impl Fn(Interval) -> Interval, derivative: Interval) -> Interval {
    let middle = Interval::point(x.mid());
    if x.is_empty() || !x.is_bounded() || middle.is_empty() {
        return x;
    }
    let step = derivative.mul_rev(y - f(middle), Interval::ENTIRE);
    x & (middle + step)
}

/// Operands of more bits than this are not worth an exact computation.
const EXACT_BITS: u32 = 20_000;

/// Whether a numerator or denominator is too long for exact computation.
pub(crate) fn too_long(x: &[&Rational]) -> bool {
    x.iter().any(|x| x.numer().significant_bits().max(x.denom().significant_bits()) > EXACT_BITS)
}
