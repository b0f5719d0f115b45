//! Numbers as files and people see them.

use crate::num::Rational;
pub use crate::num::float::decimal;
use crate::num::float::hex;
use crate::num::float::rational_to_f64;
use crate::num::mpfr::Round;
use crate::num::outward::significant;
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

/// A rational number to so many significant decimal digits, the nearest: `1.234e-5` or `12.34`.
#[must_use]
pub fn digits(x: &Rational, count: u32) -> String {
    significant(x, count, Round::Nearest)
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
