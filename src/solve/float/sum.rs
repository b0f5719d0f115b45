//! Operands of sums: bounds that follow from the result alone.
//!
//! Where `x + y` is rounded to nearest even into `[zl, zu]`, `x` is at most as large as it can be with a `y` that cancels it
//! to a float of that range: the float with most trailing zeros in the range says how large (Bagnara, Carlier, Gori and
//! Gotlieb 2013, definitions 4.1 and 4.2, after Marre and Michel 2010; here for subnormals too). Without it propagation creeps
//! from float to float.

use crate::floats::ordinal::{MINUS_ZERO, Parts, ZERO};
use crate::floats::set::FloatSpan;
use crate::floats::soft::rounded;
use crate::floats::{Format, Rounding};

/// What an operand may be where the other one is in `y` and the sum in `z`, which holds no NaN; what `z` alone says, part by
/// part of it: below zero, zero, above.
pub(super) fn within(format: Format, mode: Rounding, y: FloatSpan, z: FloatSpan) -> FloatSpan {
    let below = z.meet(FloatSpan::between(format.minus_infinity(), MINUS_ZERO - 1));
    let above = z.meet(FloatSpan::between(1, format.infinity()));
    let mut result = FloatSpan::EMPTY;
    if above.has_numbers() {
        result = result.hull(positive(format, mode, above));
    }
    if below.has_numbers() {
        result = result.hull(positive(format, mirrored(mode), below.negated()).negated());
    }
    if z.contains(ZERO) || z.contains(MINUS_ZERO) {
        result = result.hull(opposite(y));
    }
    result
}

/// The direction for the negative of what is rounded.
fn mirrored(mode: Rounding) -> Rounding {
    match mode {
        Rounding::Up => Rounding::Down,
        Rounding::Down => Rounding::Up,
        _ => mode,
    }
}

/// A sum is zero only if it is exactly zero: the opposite numbers, both zeros as one.
fn opposite(y: FloatSpan) -> FloatSpan {
    let x = y.without_nan().negated();
    let lo = if x.lo == ZERO { MINUS_ZERO } else { x.lo };
    let hi = if x.hi == MINUS_ZERO { ZERO } else { x.hi };
    FloatSpan::between(lo, hi)
}

/// The operands of sums in a range of positive numbers.
fn positive(format: Format, mode: Rounding, z: FloatSpan) -> FloatSpan {
    let all = FloatSpan::numbers(format);
    if mode != Rounding::NearestEven || z.hi == format.infinity() {
        return all;
    }
    let fraction = format.precision() - 1;
    let top = 63 - ((z.lo - 1) ^ z.hi).leading_zeros();
    let keep = top.min(fraction);
    let roundest = format.parts(z.hi >> keep << keep);
    let zeros = roundest.mantissa.trailing_zeros() as i32;
    let place = roundest.exponent + zeros;
    // alpha = (2^p - 1) 2^place, and beta = alpha + the roundest.
    let alpha = Parts { negative: true, mantissa: (1 << format.precision()) - 1, exponent: place };
    let beta = Parts { negative: false, mantissa: alpha.mantissa + (roundest.mantissa >> zeros), exponent: place };
    let beta = rounded(format, Rounding::Up, beta, false);
    if beta == format.infinity() {
        all
    } else {
        FloatSpan::between(rounded(format, Rounding::Down, alpha, false), beta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::soft;

    /// All operands of all sums in all ranges of positive numbers, in tiny formats.
    #[test]
    fn operands_of_sums_in_a_range_are_within_and_the_greatest_is_the_end() {
        let (mut ranges, mut greatest) = (0, 0);
        for format in [(3, 3), (4, 2), (2, 4)].map(|(e, p)| Format::new(e, p).expect("a format")) {
            let most = format.infinity() - 1;
            let finite = -1 - most..=most;
            // By sum, the least and the greatest operand.
            let mut operands = vec![(i64::MAX, i64::MIN); format.infinity() as usize];
            for (x, y) in finite.clone().flat_map(|x| finite.clone().map(move |y| (x, y))) {
                let sum = soft::add(format, Rounding::NearestEven, x, y);
                if (1..=most).contains(&sum) {
                    let (lo, hi) = operands[sum as usize];
                    operands[sum as usize] = (lo.min(x), hi.max(x));
                }
            }
            for (lo, hi) in (1..=most).flat_map(|lo| (lo..=most).map(move |hi| (lo, hi))) {
                let own = &operands[lo as usize..=hi as usize];
                let (first, last) = own.iter().fold((i64::MAX, i64::MIN), |(a, b), (x, y)| (a.min(*x), b.max(*y)));
                let found = positive(format, Rounding::NearestEven, FloatSpan::between(lo, hi));
                assert!(found.contains(first) && found.contains(last), "{format:?} {lo} {hi}: {found:?}");
                ranges += 1;
                // What is beyond the greatest number does not count.
                greatest += u32::from(found.hi.min(most) == last);
            }
        }
        assert_eq!(greatest, ranges);
    }
}
