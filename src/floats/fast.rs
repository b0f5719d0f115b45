//! Arithmetic of IEEE 754 in any small binary format: correctly rounded operations on values held as binary64 numbers.
//!
//! An operation of a format narrower than binary64 is computed in binary64, rounded to odd by its exact error, and
//! rounded again to nearest: with two bits more at least, rounding to odd first changes nothing (Boldo and Melquiond,
//! *Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd*, 2008).

use super::format::Format;
use crate::num::float::{exponent, power, rational_to_f64};
use crate::num::mpfr::{Float, Rational, Round};
use std::cmp::Ordering;

/// `s`, the nearest number to `s + error`, rounded to odd instead; `error` need only have the sign of the true one.
fn to_odd(s: f64, error: f64) -> f64 {
    if error == 0.0 || error.is_nan() || !s.is_finite() || s.to_bits() & 1 == 1 {
        s
    } else if error > 0.0 {
        s.next_up()
    } else {
        s.next_down()
    }
}

/// `a + b` rounded to odd: TwoSum (Knuth, Møller) gives the error.
fn add_odd(a: f64, b: f64) -> f64 {
    let s = a + b;
    let b1 = s - a;
    to_odd(s, (a - (s - b1)) + (b - b1))
}

impl Format {
    /// The value nearest to `x`, ties to even: beyond the largest value by half an ulp or more, an infinity. NaN,
    /// infinities and the sign of a zero stay.
    #[must_use]
    pub fn round(self, x: f64) -> f64 {
        self.quantised(x, f64::round_ties_even)
    }

    /// The largest value that is at most `x`, infinities included; the sign of a zero stays. `x` is not NaN.
    #[must_use]
    pub fn round_down(self, x: f64) -> f64 {
        if self.is_fixed() && x.is_finite() {
            return self.floor(x).unwrap_or(f64::NEG_INFINITY);
        }
        -self.round_up(-x)
    }

    /// The smallest value that is at least `x`, infinities included; the sign of a zero stays. `x` is not NaN.
    #[must_use]
    pub fn round_up(self, x: f64) -> f64 {
        if self.is_fixed() && x.is_finite() {
            return self.ceil(x).unwrap_or(f64::INFINITY);
        }
        if x < -self.max() && x.is_finite() {
            return -self.max();
        }
        self.quantised(x, f64::ceil)
    }

    /// `x` in units of its last place, made an integer; beyond the largest value, infinity.
    fn quantised(self, x: f64, integer: impl Fn(f64) -> f64) -> f64 {
        if self.is_binary64() || !x.is_finite() {
            return x;
        }
        // Exact: a power of two, no overflow, and binary64 holds the result.
        let quantum = power(self.ulp_exponent(exponent(x)));
        let y = integer(x / quantum) * quantum;
        if y < self.min() || y > self.max() {
            f64::INFINITY.copysign(y)
        } else if self.is_fixed() {
            // There is one zero.
            y + 0.0
        } else {
            y
        }
    }

    /// The next larger value; infinity is the last one, and 0 comes after -0 as the same number. `x` is a value.
    #[must_use]
    pub fn successor(self, x: f64) -> f64 {
        if x.is_infinite() { if x > 0.0 { x } else { self.min() } } else { self.round_up(x.next_up()) }
    }

    /// The next smaller value, see [`Format::successor`].
    #[must_use]
    pub fn predecessor(self, x: f64) -> f64 {
        if self.is_fixed() && x.is_finite() {
            return self.round_down(x.next_down());
        }
        -self.successor(-x)
    }

    /// The value nearest to a rational number, see [`Format::round`].
    #[must_use]
    pub fn round_rational(self, x: &Rational) -> f64 {
        let (lo, hi) = (rational_to_f64(x, Round::Down), rational_to_f64(x, Round::Up));
        self.between(lo, hi, |middle| x.partial_cmp(middle).unwrap_or(Ordering::Equal))
    }

    /// Whether a rational number is a value.
    #[must_use]
    pub fn has(self, x: &Rational) -> bool {
        let y = self.round_rational(x);
        y.is_finite() && crate::num::float::rational(y) == *x
    }

    /// The value nearest to a multiple-precision number that is not NaN, see [`Format::round`].
    #[must_use]
    pub fn round_float(self, x: &Float) -> f64 {
        let (lo, hi) = (x.to_f64_round(Round::Down), x.to_f64_round(Round::Up));
        self.between(lo, hi, |middle| x.partial_cmp(middle).unwrap_or(Ordering::Equal))
    }

    /// The value nearest to a number between `lo` and `hi`, the next binary64 numbers, by how it compares with others.
    fn between(self, lo: f64, hi: f64, compare: impl Fn(&Float) -> Ordering) -> f64 {
        let (lo, hi) = (self.round_down(lo), self.round_up(hi));
        if lo == hi {
            return lo;
        }
        // An infinity stands where the next value would be.
        let ulp = Float::with_val(64, power(self.emax())) >> (self.precision() - 1);
        let place = |x: f64| match x.is_finite() {
            true => Float::with_val(64, x),
            false if x < 0.0 => Float::with_val(64, self.min()) - &ulp,
            false => Float::with_val(64, self.max()) + &ulp,
        };
        let middle = (place(lo) + place(hi)) >> 1u32;
        match compare(&middle) {
            Ordering::Less => lo,
            Ordering::Greater => hi,
            Ordering::Equal if self.is_even(lo) => lo,
            Ordering::Equal => hi,
        }
    }

    /// Whether the last bit of a value is 0; an infinity counts as even, but for the one below a fixed-point format.
    fn is_even(self, x: f64) -> bool {
        if x.is_infinite() {
            return x > 0.0 || !self.is_fixed();
        }
        (x / power(self.ulp_exponent(exponent(x)))) % 2.0 == 0.0
    }

    /// `a + b`, correctly rounded.
    #[must_use]
    pub fn add(self, a: f64, b: f64) -> f64 {
        if self.is_binary64() { a + b } else { self.round(add_odd(a, b)) }
    }

    /// `a - b`, correctly rounded.
    #[must_use]
    pub fn sub(self, a: f64, b: f64) -> f64 {
        self.add(a, -b)
    }

    /// `a b`, correctly rounded.
    #[must_use]
    pub fn mul(self, a: f64, b: f64) -> f64 {
        // Exact in binary64 for narrower formats.
        self.round(a * b)
    }

    /// `a / b`, correctly rounded.
    #[must_use]
    pub fn div(self, a: f64, b: f64) -> f64 {
        let q = a / b;
        if self.is_binary64() { q } else { self.round(to_odd(q, (-q).mul_add(b, a) * b.signum())) }
    }

    /// The square root, correctly rounded.
    #[must_use]
    pub fn sqrt(self, a: f64) -> f64 {
        let s = a.sqrt();
        if self.is_binary64() { s } else { self.round(to_odd(s, (-s).mul_add(s, a))) }
    }

    /// `a b + c`, rounded once.
    #[must_use]
    pub fn fma(self, a: f64, b: f64, c: f64) -> f64 {
        if self.is_binary64() { a.mul_add(b, c) } else { self.round(add_odd(a * b, c)) }
    }
}
