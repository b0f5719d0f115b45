//! Binary64 numbers: as rational numbers, by powers of two, and as text.

use super::mpfr::{Float, Integer, Rational, Round};

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

/// 2^e, rounded up below the binary64 numbers and to infinity above them.
#[must_use]
pub fn power(e: i32) -> f64 {
    match e {
        ..=-1075 => f64::from_bits(1),
        -1074..=-1023 => f64::from_bits(1 << (e + 1074)),
        -1022..=1023 => f64::from_bits(((e + 1023) as u64) << 52),
        _ => f64::INFINITY,
    }
}

/// The exponent e of a finite number other than zero, 2^e <= |x| < 2^(e+1); of zero, that of the least subnormal.
#[must_use]
pub fn exponent(x: f64) -> i32 {
    let bits = (x.to_bits() >> 52 & 0x7ff) as i32;
    if bits != 0 {
        return bits - 1023;
    }
    let mantissa = x.to_bits() & ((1 << 52) - 1);
    if mantissa == 0 { -1074 } else { 63 - mantissa.leading_zeros() as i32 - 1074 }
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
    fn exponents_are_those_of_the_powers_below() {
        for e in -1074..=1023 {
            let (x, last) = (power(e), power(e + 1).next_down().min(f64::MAX));
            assert_eq!((exponent(x), exponent(-x), exponent(last)), (e, e, e));
        }
        assert_eq!(exponent(0.0), -1074);
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
    fn powers_of_two_below_rational_numbers() {
        assert_eq!(floor_log2(&Rational::from((1, 3))), -2);
        assert_eq!(floor_log2(&Rational::from((-7, 2))), 1);
    }
}
