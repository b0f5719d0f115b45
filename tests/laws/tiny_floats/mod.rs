//! Floats of tiny formats by the standard's definitions: exact real arithmetic, and rounding by looking at all values. It
//! shares nothing with `solve::float` but what an ordinal is.

use magneto::floats::ordinal;
use magneto::floats::ordinal::{MINUS_ZERO, NAN, ZERO};
use magneto::floats::{Format, Rounding};

/// A format.
pub(crate) fn tiny(exponent: u32, precision: u32) -> Format {
    Format::new(exponent, precision).expect("a small format")
}

/// All values, NaN last.
pub(crate) fn values(format: Format) -> Vec<i64> {
    (format.minus_infinity()..=format.infinity()).chain([NAN]).collect()
}

/// The number that an ordinal stands for, by counting: fraction by fraction, binade by binade.
pub(crate) fn number(format: Format, n: i64) -> f64 {
    if n == NAN {
        return f64::NAN;
    }
    let magnitude = ordinal::magnitude(n);
    let per_binade = 1 << (format.precision() - 1);
    let (binade, fraction) = (magnitude / per_binade, magnitude % per_binade);
    let value = if magnitude == format.infinity() {
        f64::INFINITY
    } else {
        let least = 2f64.powi(format.emin()) / per_binade as f64;
        if binade == 0 {
            fraction as f64 * least
        } else {
            (per_binade + fraction) as f64 * least * 2f64.powi(binade as i32 - 1)
        }
    };
    if n < 0 { -value } else { value }
}

/// The value nearest to a real number in a direction, by looking at all of them; a zero keeps its sign.
pub(crate) fn nearest(format: Format, mode: Rounding, x: f64) -> i64 {
    let infinity = format.infinity();
    let negative = x.is_sign_negative();
    let signed = |n: i64| if negative { -1 - n } else { n };
    if x.is_nan() {
        return NAN;
    }
    if x.is_infinite() || x == 0.0 {
        return signed(if x == 0.0 { ZERO } else { infinity });
    }
    let x = x.abs();
    let below = (0..infinity).rev().find(|n| number(format, *n) <= x).expect("0 is below");
    if number(format, below) == x {
        return signed(below);
    }
    // Beyond the largest value the next one would be a power of two.
    let beyond = if below + 1 == infinity { 2f64.powi(format.emax() + 1) } else { number(format, below + 1) };
    let middle = (number(format, below) + beyond) / 2.0;
    let up = match mode {
        Rounding::NearestEven => x > middle || (x == middle && below % 2 == 1),
        Rounding::NearestAway => x >= middle,
        Rounding::Up => !negative,
        Rounding::Down => negative,
        Rounding::Zero => false,
    };
    signed(below + i64::from(up))
}

/// The sum of two real numbers (the first may be a product): the sign of a zero follows rules of its own.
pub(crate) fn sum(format: Format, mode: Rounding, x: f64, y: f64) -> i64 {
    if x + y != 0.0 {
        return nearest(format, mode, x + y);
    }
    if x == 0.0 && x.is_sign_negative() == y.is_sign_negative() {
        return if x.is_sign_negative() { MINUS_ZERO } else { ZERO };
    }
    if mode == Rounding::Down { MINUS_ZERO } else { ZERO }
}

/// The integer in a direction, as a real number; a zero keeps the sign.
pub(crate) fn integer(mode: Rounding, x: f64) -> f64 {
    match mode {
        Rounding::NearestEven => x.round_ties_even(),
        Rounding::NearestAway => x.round(),
        Rounding::Up => x.ceil(),
        Rounding::Down => x.floor(),
        Rounding::Zero => x.trunc(),
    }
}

/// The remainder of IEEE 754: exact here.
pub(crate) fn remainder(format: Format, x: f64, y: f64) -> i64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return NAN;
    }
    if y.is_infinite() {
        return nearest(format, Rounding::Zero, x);
    }
    let left = x - y * (x / y).round_ties_even();
    nearest(format, Rounding::Zero, if left == 0.0 { 0f64.copysign(x) } else { left })
}
