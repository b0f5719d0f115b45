//! Arithmetic of IEEE 754 in any small binary format: correctly rounded operations on values held as binary64 numbers.
//!
//! An operation of a format narrower than binary64 is computed in binary64, rounded to odd by its exact error, and
//! rounded again to nearest: with two bits more at least, rounding to odd first changes nothing (Boldo and Melquiond,
//! *Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd*, 2008).

use super::float::{Format, rational_to_f64};
use super::mpfr::{Float, Rational, Round};
use std::cmp::Ordering;

/// A binary format by its parameters: precision p and the exponents emin and emax of the smallest and the largest
/// normal values. It has subnormal values, signed zeros, infinities and NaN.
///
/// It is binary64 itself, or its precision is 2 to 26 bits and its exponents are between -400 and 400: then products of
/// two values are exact in binary64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ieee {
    precision: u32,
    emin: i32,
    emax: i32,
}

impl From<Format> for Ieee {
    fn from(format: Format) -> Self {
        Ieee { precision: format.precision(), emin: format.emin(), emax: 1 - format.emin() }
    }
}

/// 2^e for -1074 <= e <= 1023.
fn power(e: i32) -> f64 {
    if e >= -1022 { f64::from_bits(((e + 1023) as u64) << 52) } else { f64::from_bits(1 << (e + 1074)) }
}

/// The exponent of a finite number: 2^e <= |x| < 2^(e+1); of zero, that of the least subnormal binary64 number.
fn exponent(x: f64) -> i32 {
    let bits = (x.to_bits() >> 52 & 0x7ff) as i32;
    let mantissa = x.to_bits() & ((1 << 52) - 1);
    match (bits, mantissa) {
        (0, 0) => -1074,
        (0, m) => 63 - m.leading_zeros() as i32 - 1074,
        (e, _) => e - 1023,
    }
}

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

impl Ieee {
    /// The format with those parameters.
    ///
    /// # Panics
    /// If it is neither binary64 nor small enough, see [`Ieee`].
    #[must_use]
    pub fn new(precision: u32, emin: i32, emax: i32) -> Self {
        let format = Ieee { precision, emin, emax };
        let small = (2..=26).contains(&precision) && -400 <= emin && emin < emax && emax <= 400;
        assert!(small || format.is_binary64(), "{format:?}");
        format
    }

    /// Bits of precision p, the leading one included.
    #[must_use]
    pub fn precision(self) -> u32 {
        self.precision
    }

    /// The exponent of the smallest normal value.
    #[must_use]
    pub fn emin(self) -> i32 {
        self.emin
    }

    /// The exponent of the largest finite values.
    #[must_use]
    pub fn emax(self) -> i32 {
        self.emax
    }

    /// Whether it is binary64.
    #[must_use]
    pub fn is_binary64(self) -> bool {
        self == Format::Binary64.into()
    }

    /// The format that has a name, if this is one of them.
    #[must_use]
    pub fn named(self) -> Option<Format> {
        Format::ALL.into_iter().find(|f| Ieee::from(*f) == self)
    }

    /// Whether every value of `other` is a value of this format.
    #[must_use]
    pub fn includes(self, other: Ieee) -> bool {
        let least = |f: Ieee| f.emin - f.precision as i32;
        self.precision >= other.precision && self.emax >= other.emax && least(self) <= least(other)
    }

    /// The largest finite value.
    #[must_use]
    pub fn max(self) -> f64 {
        (2.0 - power(1 - self.precision as i32)) * power(self.emax)
    }

    /// The smallest positive normal value.
    #[must_use]
    pub fn least_normal(self) -> f64 {
        power(self.emin)
    }

    /// The smallest positive value.
    #[must_use]
    pub fn least(self) -> f64 {
        power(self.emin - self.precision as i32 + 1)
    }

    /// The exponent of ulp(x): max(e, emin) - p + 1 where 2^e <= |x| < 2^(e+1), for an `x` with that exponent e.
    #[must_use]
    pub fn ulp_exponent(self, e: i32) -> i32 {
        e.max(self.emin) - self.precision as i32 + 1
    }

    /// The value nearest to `x`, ties to even: beyond the largest value by half an ulp or more, an infinity. NaN,
    /// infinities and the sign of a zero stay.
    #[must_use]
    pub fn round(self, x: f64) -> f64 {
        self.quantised(x, f64::round_ties_even, f64::INFINITY)
    }

    /// The largest value that is at most `x`, infinities included; the sign of a zero stays. `x` is not NaN.
    #[must_use]
    pub fn floor(self, x: f64) -> f64 {
        -self.ceil(-x)
    }

    /// The smallest value that is at least `x`, infinities included; the sign of a zero stays. `x` is not NaN.
    #[must_use]
    pub fn ceil(self, x: f64) -> f64 {
        if x < -self.max() && x.is_finite() {
            return -self.max();
        }
        self.quantised(x, f64::ceil, f64::INFINITY)
    }

    /// `x` in units of its last place, made an integer; beyond the largest value, `beyond`.
    fn quantised(self, x: f64, integer: impl Fn(f64) -> f64, beyond: f64) -> f64 {
        if self.is_binary64() || !x.is_finite() {
            return x;
        }
        // Exact: a power of two, no overflow, and binary64 holds the result.
        let quantum = power(self.ulp_exponent(exponent(x)));
        let y = integer(x / quantum) * quantum;
        if y.abs() > self.max() { beyond.copysign(y) } else { y }
    }

    /// The next larger value; infinity is the last one, and 0 comes after -0 as the same number. `x` is a value.
    #[must_use]
    pub fn next_up(self, x: f64) -> f64 {
        if x.is_infinite() { if x > 0.0 { x } else { -self.max() } } else { self.ceil(x.next_up()) }
    }

    /// The next smaller value, see [`Ieee::next_up`].
    #[must_use]
    pub fn next_down(self, x: f64) -> f64 {
        -self.next_up(-x)
    }

    /// The value nearest to a rational number, see [`Ieee::round`].
    #[must_use]
    pub fn round_rational(self, x: &Rational) -> f64 {
        let (lo, hi) = (rational_to_f64(x, Round::Down), rational_to_f64(x, Round::Up));
        self.nearest(lo, hi, |middle| x.partial_cmp(middle).unwrap_or(Ordering::Equal))
    }

    /// The value nearest to a multiple-precision number that is not NaN, see [`Ieee::round`].
    #[must_use]
    pub fn round_float(self, x: &Float) -> f64 {
        let (lo, hi) = (x.to_f64_round(Round::Down), x.to_f64_round(Round::Up));
        self.nearest(lo, hi, |middle| x.partial_cmp(middle).unwrap_or(Ordering::Equal))
    }

    /// The value nearest to a number between `lo` and `hi`, the next binary64 numbers, by how it compares with others.
    fn nearest(self, lo: f64, hi: f64, compare: impl Fn(&Float) -> Ordering) -> f64 {
        let (lo, hi) = (self.floor(lo), self.ceil(hi));
        if lo == hi {
            return lo;
        }
        // An infinity stands where the next value would be.
        let ulp = Float::with_val(64, power(self.emax)) >> (self.precision - 1);
        let place = |x: f64| match x.is_finite() {
            true => Float::with_val(64, x),
            false => (Float::with_val(64, self.max()) + &ulp) * x.signum(),
        };
        let middle = (place(lo) + place(hi)) >> 1u32;
        match compare(&middle) {
            Ordering::Less => lo,
            Ordering::Greater => hi,
            Ordering::Equal if self.is_even(lo) => lo,
            Ordering::Equal => hi,
        }
    }

    /// Whether the last bit of a value is 0; an infinity counts as even.
    fn is_even(self, x: f64) -> bool {
        x.is_infinite() || (x / power(self.ulp_exponent(exponent(x)))) % 2.0 == 0.0
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

/// A set of floats of one format: an interval of finite ones, infinities, NaN.
///
/// Finite floats are ordered as numbers are, with -0 before 0.
#[derive(Clone, Copy, Debug)]
pub struct FloatSet {
    /// The smallest finite one; there is none if `lo` is above `hi`.
    pub lo: f64,
    /// The largest finite one.
    pub hi: f64,
    /// Whether negative infinity is in the set.
    pub minus_infinity: bool,
    /// Whether positive infinity is in the set.
    pub plus_infinity: bool,
    /// Whether NaN is in the set.
    pub nan: bool,
}

/// Bit for bit, but that the ends of an empty interval do not matter.
impl PartialEq for FloatSet {
    fn eq(&self, other: &Self) -> bool {
        let ends = |s: &FloatSet| (!s.has_no_finite()).then_some((s.lo.to_bits(), s.hi.to_bits()));
        let flags = |s: &FloatSet| (s.minus_infinity, s.plus_infinity, s.nan);
        ends(self) == ends(other) && flags(self) == flags(other)
    }
}

impl FloatSet {
    /// No float.
    pub const EMPTY: FloatSet =
        FloatSet { lo: f64::INFINITY, hi: f64::NEG_INFINITY, minus_infinity: false, plus_infinity: false, nan: false };
    /// NaN alone.
    pub const NAN: FloatSet = FloatSet { nan: true, ..FloatSet::EMPTY };

    /// One float.
    #[must_use]
    pub fn point(x: f64) -> Self {
        Self::between(x, x)
    }

    /// All floats from `lo` to `hi` in the order of numbers, infinities included; NaN alone if one of them is NaN.
    #[must_use]
    pub fn between(lo: f64, hi: f64) -> Self {
        if lo.is_nan() || hi.is_nan() {
            return Self::NAN;
        }
        FloatSet {
            lo: if lo == f64::NEG_INFINITY { -f64::MAX } else { lo },
            hi: if hi == f64::INFINITY { f64::MAX } else { hi },
            minus_infinity: lo == f64::NEG_INFINITY,
            plus_infinity: hi == f64::INFINITY,
            nan: false,
        }
    }

    /// The same with the interval cut to the finite values of a format.
    #[must_use]
    pub fn within(self, format: Ieee) -> Self {
        FloatSet { lo: self.lo.max(-format.max()), hi: self.hi.min(format.max()), ..self }
    }

    /// Every float of a format, and NaN.
    #[must_use]
    pub fn all(format: Ieee) -> Self {
        FloatSet { nan: true, ..Self::between(f64::NEG_INFINITY, f64::INFINITY).within(format) }
    }

    /// Whether no finite float is in it.
    #[must_use]
    pub fn has_no_finite(&self) -> bool {
        !matches!(self.lo.partial_cmp(&self.hi), Some(Ordering::Less | Ordering::Equal))
    }

    /// The only float of the set, if there is just one.
    #[must_use]
    pub fn single(&self) -> Option<f64> {
        let finite = !self.has_no_finite();
        match (finite, self.minus_infinity, self.plus_infinity, self.nan) {
            (true, false, false, false) => (self.lo.to_bits() == self.hi.to_bits()).then_some(self.lo),
            (false, true, false, false) => Some(f64::NEG_INFINITY),
            (false, false, true, false) => Some(f64::INFINITY),
            (false, false, false, true) => Some(f64::NAN),
            _ => None,
        }
    }

    /// Whether a float is in the set.
    #[must_use]
    pub fn contains(&self, x: f64) -> bool {
        if x.is_nan() {
            self.nan
        } else if x.is_infinite() {
            if x > 0.0 { self.plus_infinity } else { self.minus_infinity }
        } else {
            self.lo.total_cmp(&x).is_le() && x.total_cmp(&self.hi).is_le()
        }
    }

    /// The smallest set of this kind that holds both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        let (lo, hi) = match (self.has_no_finite(), other.has_no_finite()) {
            (true, _) => (other.lo, other.hi),
            (_, true) => (self.lo, self.hi),
            _ => {
                let lo = if self.lo.total_cmp(&other.lo).is_le() { self.lo } else { other.lo };
                (lo, if self.hi.total_cmp(&other.hi).is_ge() { self.hi } else { other.hi })
            }
        };
        FloatSet {
            lo,
            hi,
            minus_infinity: self.minus_infinity || other.minus_infinity,
            plus_infinity: self.plus_infinity || other.plus_infinity,
            nan: self.nan || other.nan,
        }
    }

    /// The floats of the set, of a format, one by one; none if there are more than `limit`. A zero of each sign counts.
    #[must_use]
    pub fn members(&self, format: Ieee, limit: usize) -> Option<Vec<f64>> {
        let mut all = Vec::new();
        if !self.has_no_finite() {
            let mut x = self.lo;
            loop {
                if all.len() == limit {
                    return None;
                }
                all.push(x);
                if x.total_cmp(&self.hi).is_ge() {
                    break;
                }
                let next = if x == 0.0 && x.is_sign_negative() { 0.0 } else { format.next_up(x) };
                // Below zero comes its negative.
                x = if next == 0.0 && x < 0.0 { -0.0 } else { next };
            }
        }
        let rest =
            [(self.minus_infinity, f64::NEG_INFINITY), (self.plus_infinity, f64::INFINITY), (self.nan, f64::NAN)];
        all.extend(rest.iter().filter(|(there, _)| *there).map(|(_, x)| x));
        (all.len() <= limit).then_some(all)
    }
}
