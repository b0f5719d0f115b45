//! Numbers as files and people see them.

pub use crate::num::float::decimal;
use crate::num::float::hex;
use crate::num::float::rational_to_f64;
use crate::num::mpfr::Round;
use crate::num::{Integer, Rational};
use crate::spec::parse_rational;

/// `0x1.8p+1 (3)`.
#[must_use]
pub fn both(x: f64) -> String {
    format!("{} ({})", hex(x), decimal(x))
}

/// A number of which only the size matters, to three digits.
#[must_use]
pub fn rough(x: f64) -> String {
    if x == 0.0 || !x.is_finite() || (1e-3..1e6).contains(&x.abs()) {
        let digits = if x.abs() >= 100.0 { 0 } else { 3 };
        let text = format!("{x:.digits$}");
        return if !x.is_finite() { decimal(x) } else { text };
    }
    format!("{x:.2e}")
}

/// A bound from above that is not negative, rounded up to four significant digits: the shortest decimal of a binary64
/// number may lie below it, and would not be a bound.
#[must_use]
pub fn at_most(x: f64) -> String {
    Rational::from_f64(x).map_or_else(|| decimal(x), |x| rounded(&x, 4, Rational::ceil))
}

/// A rational number rounded to so many significant decimal digits (half up), as `1.234e-5` or `12.34`.
#[must_use]
pub fn digits(x: &Rational, count: u32) -> String {
    rounded(x, count, |x| (x + Rational::from((1, 2))).floor())
}

/// The same with another rounding of its magnitude to an integer number of units of the last digit.
fn rounded(x: &Rational, count: u32, to_integer: fn(Rational) -> Rational) -> String {
    if *x == 0 {
        return "0".into();
    }
    let sign = if *x < 0 { "-" } else { "" };
    let x = x.clone().abs();
    // A first guess of the exponent by the bits, then at most a few steps.
    let bits = i64::from(x.numer().significant_bits()) - i64::from(x.denom().significant_bits());
    let mut exponent = (bits as f64 * std::f64::consts::LOG10_2).floor() as i64 - 1;
    let mut whole = to_integer(shifted(&x, i64::from(count) - 1 - exponent));
    while whole.to_string().len() > count as usize {
        exponent += 1;
        whole = to_integer(shifted(&x, i64::from(count) - 1 - exponent));
    }
    let text = whole.to_string();
    let text = text.trim_end_matches('0');
    let place = |text: &str| if text.len() > 1 { format!("{}.{}", &text[..1], &text[1..]) } else { text.to_owned() };
    let len = text.len() as i64;
    let zeros = |n: i64| "0".repeat(usize::try_from(n).unwrap_or(0));
    if !(-5..=20).contains(&exponent) {
        format!("{sign}{}e{exponent}", place(text))
    } else if exponent < 0 {
        format!("{sign}0.{}{text}", zeros(-exponent - 1))
    } else if len <= exponent + 1 {
        format!("{sign}{text}{}", zeros(exponent + 1 - len))
    } else {
        let (whole, fraction) = text.split_at(exponent as usize + 1);
        format!("{sign}{whole}.{fraction}")
    }
}

/// x * 10^places.
fn shifted(x: &Rational, places: i64) -> Rational {
    let power = ten_to(places.unsigned_abs());
    if places >= 0 { Rational::from(x * &power) } else { Rational::from(x / &power) }
}

fn ten_to(n: u64) -> Integer {
    use crate::num::mpfr::Pow;
    Integer::from(10).pow(u32::try_from(n).unwrap_or(u32::MAX))
}

/// The inverse of [`hex`].
#[must_use]
pub fn from_hex(text: &str) -> Option<f64> {
    match text {
        "nan" => return Some(f64::NAN),
        "inf" => return Some(f64::INFINITY),
        "-inf" => return Some(f64::NEG_INFINITY),
        "-0x0p+0" => return Some(-0.0),
        _ => {}
    }
    let exact = parse_rational(text).ok()?;
    let x = rational_to_f64(&exact, Round::Down);
    (x == rational_to_f64(&exact, Round::Up)).then_some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_round_trips() {
        for x in [0.0, -0.0, 1.5, -0.1, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(from_hex(&hex(x)).map(f64::to_bits), Some(x.to_bits()));
        }
        assert_eq!(from_hex("0.1"), None);
        assert_eq!(from_hex("x"), None);
    }

    #[test]
    fn bounds_are_rounded_up() {
        for (x, text) in [
            (0.0, "0"),
            (0.5, "0.5"),
            (1.0, "1"),
            (0.25, "0.25"),
            (0.1, "0.1001"),
            (2f64.powi(-53), "1.111e-16"),
            (0.7919265817264288, "0.792"),
            (0.99999, "1"),
            (5e-324, "4.941e-324"),
            (f64::MAX, "1.798e308"),
        ] {
            assert_eq!(at_most(x), text);
            let read = crate::spec::parse_rational(text).unwrap();
            assert!(read >= Rational::from_f64(x).unwrap(), "{x:e}");
        }
    }

    #[test]
    fn digits_of_rationals() {
        let r = |p: i64, q: i64| Rational::from((p, q));
        for (x, n, text) in [
            (r(1, 3), 5, "0.33333"),
            (r(-2, 3), 5, "-0.66667"),
            (r(999_999, 1_000_000), 3, "1"),
            (r(1000, 1), 3, "1000"),
            (r(12345, 10), 10, "1234.5"),
            (r(1, 1_000_000_000), 4, "1e-9"),
            (r(123, 1_000_000_000), 2, "1.2e-7"),
            (r(0, 1), 4, "0"),
            (r(10, 1), 1, "10"),
            (r(5, 100), 3, "0.05"),
        ] {
            assert_eq!(digits(&x, n), text);
        }
    }
}
