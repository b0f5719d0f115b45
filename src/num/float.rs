//! Binary floating-point formats: their values, ulps, ordinals, and the middle float.

use super::mpfr::{Float, Integer, Rational, Round};
use std::cmp::Ordering;

/// An IEEE 754 style binary format whose values are all binary64 values too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// bfloat16: 8 bits of precision, the range of binary32.
    Bfloat16,
    /// binary16: 11 bits of precision.
    Binary16,
    /// binary32: 24 bits of precision.
    Binary32,
    /// binary64: 53 bits of precision.
    Binary64,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 4] = [Format::Bfloat16, Format::Binary16, Format::Binary32, Format::Binary64];

    /// Its name in FPCore.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Bfloat16 => "bfloat16",
            Format::Binary16 => "binary16",
            Format::Binary32 => "binary32",
            Format::Binary64 => "binary64",
        }
    }

    /// The format of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|f| f.name() == name)
    }

    /// Bits of precision p, the leading one included.
    #[must_use]
    pub fn precision(self) -> u32 {
        match self {
            Format::Bfloat16 => 8,
            Format::Binary16 => 11,
            Format::Binary32 => 24,
            Format::Binary64 => 53,
        }
    }

    /// The exponent of the smallest normal value 2^emin; the largest is emax = 1 - emin.
    #[must_use]
    pub fn emin(self) -> i32 {
        match self {
            Format::Bfloat16 | Format::Binary32 => -126,
            Format::Binary16 => -14,
            Format::Binary64 => -1022,
        }
    }

    /// The largest finite value.
    #[must_use]
    pub fn max(self) -> f64 {
        match self {
            Format::Bfloat16 => f64::from(f32::from_bits(0x7f7f_0000)),
            Format::Binary16 => 65504.0,
            Format::Binary32 => f64::from(f32::MAX),
            Format::Binary64 => f64::MAX,
        }
    }

    /// The exponent of the least significant bit of subnormal values: ulp(0) is 2 to it.
    #[must_use]
    pub fn least_exponent(self) -> i32 {
        self.emin() - self.precision() as i32 + 1
    }

    /// Whether `x` is a finite value of the format.
    #[must_use]
    pub fn holds(self, x: f64) -> bool {
        x.is_finite() && self.floor(x) == Some(x)
    }

    /// The largest finite value of the format that is at most `x`; none if `x` is below all of them or NaN.
    #[must_use]
    pub fn floor(self, x: f64) -> Option<f64> {
        if x.is_nan() || x < -self.max() {
            return None;
        }
        if self == Format::Binary64 {
            return Some(x.min(f64::MAX));
        }
        if x >= self.max() {
            return Some(self.max());
        }
        let quantum = 2f64.powi(exponent(x).max(self.emin()) - self.precision() as i32 + 1);
        // Both the division and the product are exact: a power of two, no overflow, and binary64 holds the result.
        Some((x / quantum).floor() * quantum)
    }

    /// The smallest finite value of the format that is at least `x`; none if `x` is above all of them or NaN.
    #[must_use]
    pub fn ceil(self, x: f64) -> Option<f64> {
        self.floor(-x).map(|y| 0.0 - y)
    }

    /// The value of the format nearest to `x`, clamped to the finite ones; `x` must not be NaN.
    #[must_use]
    pub fn nearest(self, x: f64) -> f64 {
        match (self.floor(x), self.ceil(x)) {
            (Some(lo), Some(hi)) => {
                if x - lo <= hi - x {
                    lo
                } else {
                    hi
                }
            }
            (Some(lo), None) => lo,
            (None, Some(hi)) => hi,
            (None, None) => 0.0,
        }
    }

    /// The next larger finite value; none above the largest. `x` must be a value of the format.
    #[must_use]
    pub fn next_up(self, x: f64) -> Option<f64> {
        if self == Format::Binary64 { Some(x.next_up()).filter(|y| y.is_finite()) } else { self.ceil(x.next_up()) }
    }

    /// The next smaller finite value; none below the smallest. `x` must be a value of the format.
    #[must_use]
    pub fn next_down(self, x: f64) -> Option<f64> {
        self.next_up(-x).map(|y| 0.0 - y)
    }

    /// The smallest finite value of the format that is at least the real number `x`.
    #[must_use]
    pub fn ceil_rational(self, x: &Rational) -> Option<f64> {
        self.ceil(rational_to_f64(x, Round::Up))
    }

    /// The largest finite value of the format that is at most the real number `x`.
    #[must_use]
    pub fn floor_rational(self, x: &Rational) -> Option<f64> {
        self.floor(rational_to_f64(x, Round::Down))
    }

    /// `ulp(x)` = 2^(max(e, emin) - p + 1) where 2^e <= |x| < 2^(e+1); for zero e counts as emin.
    #[must_use]
    pub fn ulp(self, x: &Rational) -> Rational {
        let e = if x.cmp0() == Ordering::Equal { self.emin() } else { floor_log2(x).max(self.emin()) };
        power_of_two(e - self.precision() as i32 + 1)
    }
}

/// Round a rational number to binary64 in a direction: to an infinity beyond the range where the direction asks for it.
#[must_use]
pub fn rational_to_f64(x: &Rational, round: Round) -> f64 {
    // Float rounds once to 53 bits; subnormal results need the direction again.
    Float::with_val_round(53, x, round).0.to_f64_round(round)
}

/// The binary32 number nearest to a rational number, ties to even; infinite beyond the range.
#[must_use]
pub fn rational_to_f32(x: &Rational) -> f32 {
    // Two bits more than binary32 has would not do for subnormal results, but an odd-rounded binary64 number does.
    let down = rational_to_f64(x, Round::Down);
    let odd = if rational(down) == *x || down.to_bits() & 1 == 1 || !down.is_finite() {
        down
    } else {
        rational_to_f64(x, Round::Up)
    };
    odd as f32
}

/// The exact rational value of a finite binary64 number.
#[must_use]
pub fn rational(x: f64) -> Rational {
    Rational::from_f64(x).unwrap_or_default()
}

/// 2^e as a rational number.
#[must_use]
pub fn power_of_two(e: i32) -> Rational {
    let two = Rational::from(1);
    if e >= 0 { two << e as u32 } else { two >> e.unsigned_abs() }
}

/// floor(log2 |x|) of a rational number other than zero.
#[must_use]
pub fn floor_log2(x: &Rational) -> i32 {
    let bits = |i: &Integer| i.significant_bits() as i32;
    let e = bits(x.numer()) - bits(x.denom());
    // 2^(e-1) < |x| < 2^(e+1)
    if x.clone().abs() >= power_of_two(e) { e } else { e - 1 }
}

/// The exponent e of a finite number other than zero, 2^e <= |x| < 2^(e+1); of zero, that of the least subnormal.
fn exponent(x: f64) -> i32 {
    let bits = (x.to_bits() >> 52 & 0x7ff) as i32;
    if bits != 0 {
        return bits - 1023;
    }
    let mantissa = x.to_bits() & ((1 << 52) - 1);
    if mantissa == 0 { -1074 } else { 63 - mantissa.leading_zeros() as i32 - 1074 }
}

/// The place of `x` in the ordered sequence of binary64 numbers, zero at 0: consecutive floats have consecutive
/// ordinals.
#[must_use]
pub fn ordinal(x: f64) -> i64 {
    let magnitude = (x.to_bits() & !(1 << 63)) as i64;
    if x.is_sign_negative() { -magnitude } else { magnitude }
}

/// The inverse of [`ordinal`].
#[must_use]
pub fn from_ordinal(n: i64) -> f64 {
    let magnitude = f64::from_bits(n.unsigned_abs());
    if n < 0 { -magnitude } else { magnitude }
}

/// How many binary64 numbers lie in `[lo, hi]`.
#[must_use]
pub fn count_floats(lo: f64, hi: f64) -> u64 {
    if lo > hi { 0 } else { ordinal(hi).abs_diff(ordinal(lo)).saturating_add(1) }
}

/// The float in the middle of `[lo, hi]` by ordinals: as many floats below as above. This halves exponents first,
/// which is right for ranges that span many magnitudes.
#[must_use]
pub fn middle_float(lo: f64, hi: f64) -> f64 {
    let (a, b) = (ordinal(lo), ordinal(hi));
    from_ordinal(a / 2 + b / 2 + (a % 2 + b % 2) / 2)
}

/// `0x1.8p+1`: the exact hexadecimal form of a finite number, lower case; `nan`, `inf` and `-inf` otherwise.
#[must_use]
pub fn hex(x: f64) -> String {
    if x.is_nan() {
        return "nan".into();
    }
    let sign = if x.is_sign_negative() { "-" } else { "" };
    if x.is_infinite() {
        return format!("{sign}inf");
    }
    if x == 0.0 {
        return format!("{sign}0x0p+0");
    }
    let e = exponent(x).max(-1022);
    let mantissa = x.to_bits() & ((1 << 52) - 1);
    let lead = u8::from(x.abs() >= f64::MIN_POSITIVE);
    let digits = format!("{mantissa:013x}");
    let digits = digits.trim_end_matches('0');
    let dot = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{lead}{dot}{digits}p{e:+}")
}

/// The shortest decimal that reads back as the same binary64 number; `nan`, `inf` and `-inf` otherwise.
#[must_use]
pub fn decimal(x: f64) -> String {
    if x.is_nan() {
        return "nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.into();
    }
    let text = format!("{x:?}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text.replace(".0e", "e"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        for (x, text) in [
            (1.0, "1"),
            (0.1, "0.1"),
            (-2.5, "-2.5"),
            (1e300, "1e300"),
            (1.5e-7, "1.5e-7"),
            (0.0, "0"),
            (5e-324, "5e-324"),
            (1e16, "1e16"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(decimal(x), text);
            assert_eq!(text.parse::<f64>(), Ok(x));
        }
    }

    #[test]
    fn hexadecimal_forms() {
        for (x, s) in [
            (3.0, "0x1.8p+1"),
            (-0.1, "-0x1.999999999999ap-4"),
            (0.0, "0x0p+0"),
            (1.0, "0x1p+0"),
            (5e-324, "0x0.0000000000001p-1022"),
            (f64::MAX, "0x1.fffffffffffffp+1023"),
        ] {
            assert_eq!(hex(x), s);
        }
    }

    #[test]
    fn rounding_into_formats() {
        let f = Format::Binary32;
        assert_eq!(f.floor(0.1), Some(f64::from(0.1f32.next_down())));
        assert_eq!(f.ceil(0.1), Some(f64::from(0.1f32)));
        assert_eq!(f.floor(1e-60), Some(0.0));
        assert_eq!(f.ceil(1e-60), Some(f64::from(f32::from_bits(1))));
        assert_eq!(f.ceil(1e39), None);
        assert_eq!(f.floor(1e39), Some(f64::from(f32::MAX)));
        assert_eq!(f.next_up(1.0), Some(f64::from(1f32.next_up())));
        assert_eq!(f.next_down(f64::from(f32::MIN_POSITIVE)), Some(f64::from(f32::MIN_POSITIVE.next_down())));
        assert_eq!(Format::Binary16.next_up(65504.0), None);
        assert_eq!(Format::Binary64.floor(f64::INFINITY), Some(f64::MAX));
        for k in -2000..2000 {
            let x = f64::from(k) * 0.37e-3;
            let (lo, hi) = (Format::Binary32.floor(x).unwrap(), Format::Binary32.ceil(x).unwrap());
            let near = f64::from(x as f32);
            assert!(lo <= x && x <= hi && (near == lo || near == hi));
        }
    }

    #[test]
    fn ulps() {
        let f = Format::Binary64;
        assert_eq!(f.ulp(&rational(1.0)), rational(f64::EPSILON));
        assert_eq!(f.ulp(&rational(1.0f64.next_down())), rational(f64::EPSILON / 2.0));
        assert_eq!(f.ulp(&Rational::new()), rational(5e-324));
        assert_eq!(floor_log2(&Rational::from((1, 3))), -2);
        assert_eq!(floor_log2(&Rational::from((-7, 2))), 1);
    }

    #[test]
    fn ordinals() {
        assert_eq!(middle_float(1.0, 4.0), 2.0);
        assert_eq!(middle_float(-1.0, 1.0), 0.0);
        assert_eq!(count_floats(0.0, 5e-324), 2);
        assert_eq!(count_floats(-5e-324, 5e-324), 3);
        assert_eq!(from_ordinal(ordinal(-3.5)), -3.5);
    }
}
