//! Correctly rounded arithmetic in any format and direction, on ordinals.
//!
//! Results follow IEEE 754-2019, sections 4.3 and 6: what is exact is computed in 128 bits, what lies below them is one sticky
//! bit. Round to nearest even in binary32 and binary64 is left to the machine.

use super::format::{Format, Rounding};
use super::ordinal::{MINUS_ZERO, NAN, Parts, ZERO, is_negative, magnitude, negated};
use std::cmp::Ordering;

fn signed(magnitude: i64, negative: bool) -> i64 {
    if negative { negated(magnitude) } else { magnitude }
}

/// `mantissa / 2^shift` as an integer; `sticky`: a little more than the mantissa is meant.
pub(crate) fn shifted(mode: Rounding, negative: bool, mantissa: u128, shift: u32, sticky: bool) -> u128 {
    let (kept, rest, half) = match shift {
        0 => (mantissa, 0, 1),
        1..=127 => (mantissa >> shift, mantissa & ((1 << shift) - 1), 1 << (shift - 1)),
        128 => (0, mantissa, 1 << 127),
        // Less than half of the last place.
        _ => (0, u128::from(mantissa != 0), u128::MAX),
    };
    let inexact = rest != 0 || sticky;
    let up = match mode {
        Rounding::NearestEven => match rest.cmp(&half) {
            Ordering::Greater => true,
            Ordering::Equal => sticky || kept & 1 == 1,
            Ordering::Less => false,
        },
        Rounding::NearestAway => rest >= half,
        Rounding::Up => inexact && !negative,
        Rounding::Down => inexact && negative,
        Rounding::Zero => false,
    };
    kept + u128::from(up)
}

/// What is beyond the largest finite value.
fn overflow(format: Format, mode: Rounding, negative: bool) -> i64 {
    let infinite = match mode {
        Rounding::NearestEven | Rounding::NearestAway => true,
        Rounding::Up => !negative,
        Rounding::Down => negative,
        Rounding::Zero => false,
    };
    signed(format.infinity() - i64::from(!infinite), negative)
}

/// The value of a format for a number that is not zero. Where `sticky`, its magnitude is a little more than the parts say, by
/// less than their last place, and the mantissa has two bits more than the format at least.
pub(crate) fn rounded(format: Format, mode: Rounding, x: Parts, sticky: bool) -> i64 {
    let exponent = x.exponent + 127 - x.mantissa.leading_zeros() as i32;
    if exponent > format.emax() {
        return overflow(format, mode, x.negative);
    }
    let binade = exponent.max(format.emin());
    let shift = binade - (format.precision() as i32 - 1) - x.exponent;
    let kept =
        if shift <= 0 { x.mantissa << -shift } else { shifted(mode, x.negative, x.mantissa, shift as u32, sticky) };
    // The hidden bit counts as one step of the exponent; so does a carry, up to infinity.
    let magnitude = (i64::from(binade - format.emin()) << (format.precision() - 1)) + kept as i64;
    signed(magnitude, x.negative)
}

/// The zero that an exact sum of opposite numbers is.
fn cancelled(mode: Rounding) -> i64 {
    if mode == Rounding::Down { MINUS_ZERO } else { ZERO }
}

/// The sum of two numbers that are not zero, of at most 126 bits each.
fn sum(format: Format, mode: Rounding, a: Parts, b: Parts) -> i64 {
    let normal = |x: Parts| {
        let up = x.mantissa.leading_zeros() as i32 - 2;
        Parts { mantissa: x.mantissa << up, exponent: x.exponent - up, ..x }
    };
    let (a, b) = (normal(a), normal(b));
    let (large, small) = if (a.exponent, a.mantissa) >= (b.exponent, b.mantissa) { (a, b) } else { (b, a) };
    let gap = large.exponent.abs_diff(small.exponent);
    let (low, sticky) = if gap > 127 {
        (0, true)
    } else {
        let low = small.mantissa >> gap;
        (low, low << gap != small.mantissa)
    };
    let mantissa = if large.negative == small.negative {
        large.mantissa + low
    } else {
        // What is below the last bit is taken away: one less, and a little more.
        large.mantissa - low - u128::from(sticky)
    };
    if mantissa == 0 { cancelled(mode) } else { rounded(format, mode, Parts { mantissa, ..large }, sticky) }
}

/// `x + y`
#[must_use]
pub fn add(format: Format, mode: Rounding, x: i64, y: i64) -> i64 {
    if x == NAN || y == NAN {
        return NAN;
    }
    if mode == Rounding::NearestEven {
        match format {
            Format::BINARY64 => return double(x, y, |x, y| x + y),
            Format::BINARY32 => return single(x, y, |x, y| x + y),
            _ => {}
        }
    }
    match (format.is_infinite(x), format.is_infinite(y)) {
        (true, true) => return if x == y { x } else { NAN },
        (true, false) => return x,
        (false, true) => return y,
        _ => {}
    }
    match (magnitude(x) == 0, magnitude(y) == 0) {
        (true, true) if x == y => x,
        (true, true) => cancelled(mode),
        (true, false) => y,
        (false, true) => x,
        _ => sum(format, mode, format.parts(x), format.parts(y)),
    }
}

/// `x * y`
#[must_use]
pub fn mul(format: Format, mode: Rounding, x: i64, y: i64) -> i64 {
    if x == NAN || y == NAN {
        return NAN;
    }
    if mode == Rounding::NearestEven {
        match format {
            Format::BINARY64 => return double(x, y, |x, y| x * y),
            Format::BINARY32 => return single(x, y, |x, y| x * y),
            _ => {}
        }
    }
    match product(format, x, y) {
        Ok(p) => rounded(format, mode, p, false),
        Err(special) => special,
    }
}

/// The exact product; what is zero, infinite or NaN as an ordinal.
fn product(format: Format, x: i64, y: i64) -> Result<Parts, i64> {
    let negative = is_negative(x) != is_negative(y);
    let (a, b) = (magnitude(x), magnitude(y));
    let infinity = format.infinity();
    if a == infinity || b == infinity {
        return Err(if a == 0 || b == 0 { NAN } else { signed(infinity, negative) });
    }
    if a == 0 || b == 0 {
        return Err(signed(ZERO, negative));
    }
    let (x, y) = (format.parts(x), format.parts(y));
    Ok(Parts { negative, mantissa: x.mantissa * y.mantissa, exponent: x.exponent + y.exponent })
}

/// `x / y`
#[must_use]
pub fn div(format: Format, mode: Rounding, x: i64, y: i64) -> i64 {
    if x == NAN || y == NAN {
        return NAN;
    }
    if mode == Rounding::NearestEven {
        match format {
            Format::BINARY64 => return double(x, y, |x, y| x / y),
            Format::BINARY32 => return single(x, y, |x, y| x / y),
            _ => {}
        }
    }
    let negative = is_negative(x) != is_negative(y);
    let infinity = format.infinity();
    match (magnitude(x), magnitude(y)) {
        (0, 0) => return NAN,
        (a, b) if a == infinity && b == infinity => return NAN,
        (a, b) if a == infinity || b == 0 => return signed(infinity, negative),
        (a, b) if a == 0 || b == infinity => return signed(ZERO, negative),
        _ => {}
    }
    let (x, y) = (format.parts(x), format.parts(y));
    let up = x.mantissa.leading_zeros();
    let dividend = x.mantissa << up;
    let mantissa = dividend / y.mantissa;
    let exponent = x.exponent - up as i32 - y.exponent;
    rounded(format, mode, Parts { negative, mantissa, exponent }, dividend % y.mantissa != 0)
}

/// The square root.
#[must_use]
pub fn sqrt(format: Format, mode: Rounding, x: i64) -> i64 {
    if x == NAN || x < MINUS_ZERO {
        return NAN;
    }
    if x == ZERO || x == MINUS_ZERO || x == format.infinity() {
        return x;
    }
    if mode == Rounding::NearestEven {
        match format {
            Format::BINARY64 => return f64::from_bits(x as u64).sqrt().to_bits() as i64,
            Format::BINARY32 => return i64::from(f32::from_bits(x as u32).sqrt().to_bits()),
            _ => {}
        }
    }
    let x = format.parts(x);
    let mut up = x.mantissa.leading_zeros() as i32;
    if (x.exponent - up) % 2 != 0 {
        up -= 1;
    }
    let radicand = x.mantissa << up;
    let mantissa = radicand.isqrt();
    let exponent = (x.exponent - up) / 2;
    rounded(format, mode, Parts { negative: false, mantissa, exponent }, mantissa * mantissa != radicand)
}

/// `x * y + c`, rounded once.
#[must_use]
pub fn fma(format: Format, mode: Rounding, x: i64, y: i64, c: i64) -> i64 {
    if x == NAN || y == NAN || c == NAN {
        return NAN;
    }
    let c_is_infinite = format.is_infinite(c);
    match product(format, x, y) {
        Err(NAN) => NAN,
        Err(special) if format.is_infinite(special) => {
            if c_is_infinite && c != special {
                NAN
            } else {
                special
            }
        }
        _ if c_is_infinite => c,
        Err(zero) if magnitude(c) == 0 => {
            if c == zero {
                c
            } else {
                cancelled(mode)
            }
        }
        Err(_) => c,
        Ok(p) if magnitude(c) == 0 => rounded(format, mode, p, false),
        Ok(p) => sum(format, mode, p, format.parts(c)),
    }
}

/// The remainder `x - y n`, n the integer nearest to `x / y`, the even one of two; exact.
#[must_use]
pub fn rem(format: Format, x: i64, y: i64) -> i64 {
    if x == NAN || y == NAN || format.is_infinite(x) || magnitude(y) == 0 {
        return NAN;
    }
    if format.is_infinite(y) || magnitude(x) == 0 {
        return x;
    }
    let (a, b) = (format.parts(x), format.parts(y));
    let gap = a.exponent - b.exponent;
    // In units of the lower last place.
    let (mut left, divisor) = if gap >= 0 {
        (a.mantissa, b.mantissa)
    } else if gap < -64 {
        return x;
    } else {
        (a.mantissa, b.mantissa << -gap)
    };
    // Modulo twice the divisor, which keeps the last bit of the quotient.
    left %= 2 * divisor;
    for _ in 0..gap {
        left = 2 * left % (2 * divisor);
    }
    let odd = left >= divisor;
    let left = left % divisor;
    let above = match (2 * left).cmp(&divisor) {
        Ordering::Less => false,
        Ordering::Equal => odd,
        Ordering::Greater => true,
    };
    let (mantissa, turned) = if above { (divisor - left, true) } else { (left, false) };
    let negative = a.negative != turned;
    if mantissa == 0 {
        return signed(ZERO, a.negative);
    }
    let exponent = a.exponent.min(b.exponent);
    rounded(format, Rounding::NearestEven, Parts { negative, mantissa, exponent }, false)
}

/// The nearest integer in a direction, as a value of the format; a zero keeps the sign.
#[must_use]
pub fn to_integral(format: Format, mode: Rounding, x: i64) -> i64 {
    match integer(format, mode, x) {
        None => x,
        Some((negative, 0)) => signed(ZERO, negative),
        Some((negative, mantissa)) => rounded(format, mode, Parts { negative, mantissa, exponent: 0 }, false),
    }
}

/// The nearest integer in a direction: sign and magnitude. `None` where a value is NaN, infinite, or of 2^126 or more: an
/// integer then, if it is a number.
pub(crate) fn integer(format: Format, mode: Rounding, x: i64) -> Option<(bool, u128)> {
    if x == NAN || format.is_infinite(x) {
        return None;
    }
    if magnitude(x) == 0 {
        return Some((x < 0, 0));
    }
    let parts = format.parts(x);
    if parts.exponent >= 0 {
        let fits = parts.exponent <= 126 - format.precision() as i32;
        return fits.then(|| (parts.negative, parts.mantissa << parts.exponent));
    }
    Some((parts.negative, shifted(mode, parts.negative, parts.mantissa, parts.exponent.unsigned_abs(), false)))
}

/// The value of another format.
#[must_use]
pub fn cast(from: Format, to: Format, mode: Rounding, x: i64) -> i64 {
    if x == NAN || magnitude(x) == 0 {
        x
    } else if from.is_infinite(x) {
        signed(to.infinity(), x < 0)
    } else {
        rounded(to, mode, from.parts(x), false)
    }
}

/// The value for an integer, given as sign and magnitude below 2^127; that of zero is +0.
#[must_use]
pub fn from_integer(format: Format, mode: Rounding, negative: bool, magnitude: u128) -> i64 {
    if magnitude == 0 {
        ZERO
    } else {
        rounded(format, mode, Parts { negative, mantissa: magnitude, exponent: 0 }, false)
    }
}

/// By the machine, to nearest even.
fn double(x: i64, y: i64, f: impl Fn(f64, f64) -> f64) -> i64 {
    let value = |n: i64| f64::from_bits(Format::BINARY64.to_bits(n));
    Format::BINARY64.from_bits(f(value(x), value(y)).to_bits())
}

fn single(x: i64, y: i64, f: impl Fn(f32, f32) -> f32) -> i64 {
    let value = |n: i64| f32::from_bits(Format::BINARY32.to_bits(n) as u32);
    Format::BINARY32.from_bits(f(value(x), value(y)).to_bits().into())
}
