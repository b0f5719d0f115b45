//! Floats for rational numbers, and rational numbers for floats.

use super::format::{Format, Rounding};
use super::ordinal::{NAN, Parts, ZERO, magnitude};
use super::soft::rounded;
use crate::num::{Integer, Rational};

/// The value of a format for a rational number, rounded once; that of zero is +0.
#[must_use]
pub fn from_rational(format: Format, mode: Rounding, x: &Rational) -> i64 {
    if *x == 0 {
        return ZERO;
    }
    let (n, d) = (x.numer().clone().abs(), x.denom().clone());
    // 126 bits of the quotient, or 127.
    let up = 126 - (i64::from(n.significant_bits()) - i64::from(d.significant_bits()));
    let by = up.unsigned_abs() as u32;
    let (n, d) = if up >= 0 { (n << by, d) } else { (n, d << by) };
    let (quotient, rest) = n.div_rem(d);
    let mantissa = quotient.to_u128().unwrap_or(u128::MAX);
    // An exponent beyond all formats is as good as any.
    let exponent = (-up).clamp(-1 << 20, 1 << 20) as i32;
    rounded(format, mode, Parts { negative: *x < 0, mantissa, exponent }, rest != 0)
}

/// The rational number that a finite value of a format is; none for NaN and infinities.
#[must_use]
pub fn to_rational(format: Format, x: i64) -> Option<Rational> {
    if x == NAN || format.is_infinite(x) {
        return None;
    }
    if magnitude(x) == 0 {
        return Some(Rational::new());
    }
    let Parts { negative, mantissa, exponent } = format.parts(x);
    let size = Rational::from(Integer::from(mantissa));
    let size = if exponent >= 0 { size << exponent.unsigned_abs() } else { size >> exponent.unsigned_abs() };
    Some(if negative { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::float::rational;

    #[test]
    fn all_values_of_tiny_formats_are_rational_numbers_and_back() {
        for format in [(2, 2), (3, 2), (3, 4), (4, 3)].map(|(e, p)| Format::new(e, p).expect("a format")) {
            for bits in 0..1 << format.width() {
                let (x, value) = (format.from_bits(bits), format.decode(bits));
                let found = to_rational(format, x);
                assert_eq!(found, value.is_finite().then(|| rational(value)), "{format:?} {value}");
                let back = found.map(|r| from_rational(format, Rounding::NearestEven, &r));
                assert!(back.is_none_or(|y| y == x || value == 0.0), "{format:?} {value}");
            }
        }
    }
}
