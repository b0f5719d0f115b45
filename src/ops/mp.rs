//! Images under monotone functions in multiple precision.

use crate::num::MpInterval;
use crate::num::mpfr::{Float, Round, Special};
use std::cmp::Ordering;

/// A correctly rounded value, and how it compares with the exact one (MPFR's ternary value).
pub(super) type Rounded = (Float, Ordering);

/// `[f rounded down, f rounded up]` from one evaluation: rounded up is the next number unless the value is exact.
pub(super) fn value(f: impl Fn(Round) -> Rounded) -> MpInterval {
    let (lo, compared) = f(Round::Down);
    let mut hi = lo.clone();
    if compared != Ordering::Equal {
        hi.next_up();
    }
    MpInterval::new(lo, hi)
}

/// The image of `x` under a function that does not decrease.
pub(super) fn increasing(x: &MpInterval, f: impl Fn(&Float, Round) -> Rounded) -> MpInterval {
    if x.is_point() {
        return value(|r| f(&x.lo, r));
    }
    MpInterval::new(f(&x.lo, Round::Down).0, f(&x.hi, Round::Up).0)
}

/// The image of `x` under a function that does not increase.
pub(super) fn decreasing(x: &MpInterval, f: impl Fn(&Float, Round) -> Rounded) -> MpInterval {
    if x.is_point() {
        return value(|r| f(&x.lo, r));
    }
    MpInterval::new(f(&x.hi, Round::Down).0, f(&x.lo, Round::Up).0)
}

/// The hull of a function of two arguments over the four corners of a box, where its extrema are.
///
/// A NaN is a product of zero and an unbounded end, or a quotient of two of those, and its limit is `nan`.
pub(super) fn corners(
    x: &MpInterval,
    y: &MpInterval,
    nan: f64,
    f: impl Fn(&Float, &Float, Round) -> Rounded,
) -> MpInterval {
    if x.is_point() && y.is_point() {
        return value(|r| f(&x.lo, &y.lo, r));
    }
    let ends = [(&x.lo, &y.lo), (&x.lo, &y.hi), (&x.hi, &y.lo), (&x.hi, &y.hi)];
    let all = |r: Round| {
        ends.map(|(a, b)| {
            let v = f(a, b, r).0;
            if v.is_nan() { Float::with_val(v.prec(), nan) } else { v }
        })
    };
    let lo = all(Round::Down).into_iter().reduce(|a, b| if b < a { b } else { a });
    let hi = all(Round::Up).into_iter().reduce(|a, b| if b > a { b } else { a });
    MpInterval::new(lo.expect("four corners"), hi.expect("four corners"))
}

/// The hull of `f`, which is the product of `x` and a factor between those that `least` and `most` stand for, over the box:
/// the signs say in which corner each end is. A NaN is a product of zero and an unbounded end, and its limit is zero.
pub(super) fn product(
    x: &MpInterval,
    (least, most): (&Float, &Float),
    f: impl Fn(&Float, &Float, Round) -> Rounded,
) -> MpInterval {
    let limit = |v: Float| if v.is_nan() { Float::with_val(v.prec(), 0) } else { v };
    let hull = |(a, b): (&Float, &Float), (c, d): (&Float, &Float)| {
        MpInterval::new(limit(f(a, b, Round::Down).0), limit(f(c, d, Round::Up).0))
    };
    match (sign(&x.lo, &x.hi), sign(least, most)) {
        (Some(Sign::Positive), Some(Sign::Positive)) => hull((&x.lo, least), (&x.hi, most)),
        (Some(Sign::Positive), Some(Sign::Negative)) => hull((&x.hi, least), (&x.lo, most)),
        (Some(Sign::Positive), None) => hull((&x.hi, least), (&x.hi, most)),
        (Some(Sign::Negative), Some(Sign::Positive)) => hull((&x.lo, most), (&x.hi, least)),
        (Some(Sign::Negative), Some(Sign::Negative)) => hull((&x.hi, most), (&x.lo, least)),
        (Some(Sign::Negative), None) => hull((&x.lo, most), (&x.lo, least)),
        (None, Some(Sign::Positive)) => hull((&x.lo, most), (&x.hi, most)),
        (None, Some(Sign::Negative)) => hull((&x.hi, least), (&x.lo, least)),
        (None, None) => {
            let (one, other) = (hull((&x.lo, most), (&x.lo, least)), hull((&x.hi, least), (&x.hi, most)));
            one.hull(&other)
        }
    }
}

/// The sign of a set of numbers; zero has both.
enum Sign {
    Positive,
    Negative,
}

/// The sign of all numbers between two, in either order, if they have one.
fn sign(a: &Float, b: &Float) -> Option<Sign> {
    if *a >= 0 && *b >= 0 {
        Some(Sign::Positive)
    } else if *a <= 0 && *b <= 0 {
        Some(Sign::Negative)
    } else {
        None
    }
}

/// The same interval with ends of `precision` bits.
pub(super) fn rounded(x: &MpInterval, precision: u32) -> MpInterval {
    let lo = Float::with_val_round(precision, &x.lo, Round::Down).0;
    MpInterval::new(lo, Float::with_val_round(precision, &x.hi, Round::Up).0)
}

/// `[lo, hi]` of two binary64 numbers, exact (at least 53 bits).
pub(super) fn from_f64(lo: f64, hi: f64, precision: u32) -> MpInterval {
    MpInterval::new(Float::with_val(precision.max(53), lo), Float::with_val(precision.max(53), hi))
}

/// `|x|` of the interval, exact.
pub(super) fn abs(x: &MpInterval) -> MpInterval {
    if x.lo >= 0 {
        MpInterval::new(x.lo.clone(), x.hi.clone())
    } else if x.hi <= 0 {
        MpInterval::new(Float::with_val(x.hi.prec(), -&x.hi), Float::with_val(x.lo.prec(), -&x.lo))
    } else {
        let top = Float::with_val(x.lo.prec(), -&x.lo);
        let hi = if top > x.hi { top } else { x.hi.clone() };
        MpInterval::new(Float::with_val(hi.prec(), Special::Zero), hi)
    }
}

/// Whether the interval holds zero.
pub(super) fn holds_zero(x: &MpInterval) -> bool {
    x.lo <= 0 && x.hi >= 0
}

/// Whether the interval is zero alone.
pub(super) fn is_zero(x: &MpInterval) -> bool {
    x.lo.is_zero() && x.hi.is_zero()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::Op;

    /// All intervals with some ends.
    fn intervals(ends: &[f64]) -> Vec<MpInterval> {
        let pairs = ends.iter().flat_map(|a| ends.iter().map(move |b| (*a, *b)));
        let pairs = pairs.filter(|(a, b)| a <= b && !(a == b && a.is_infinite()));
        pairs.map(|(a, b)| from_f64(a, b, 60)).collect()
    }

    #[test]
    fn signs_name_the_corners_at_which_the_ends_are() {
        let inf = f64::INFINITY;
        let all = intervals(&[-inf, -3.0, -1.0, -0.3, 0.0, 0.7, 1.0, 5.0, inf]);
        let divisors: Vec<_> = all.iter().filter(|y| !holds_zero(y)).cloned().collect();
        let positive = intervals(&[0.1, 0.5, 1.0, 1.5, 7.0, inf]);
        let from_zero = intervals(&[0.0, 0.5, 1.0, 1.5, 7.0, inf]);
        let exponents: Vec<_> = all.iter().filter(|y| y.lo >= 0).cloned().collect();
        type Raw = fn(&Float, &Float, Round) -> Rounded;
        let raw: [Raw; 3] = [
            |a, b, r| Float::with_val_round(70, a * b, r),
            |a, b, r| Float::with_val_round(70, a / b, r),
            |a, b, r| Float::with_val_round(70, crate::num::mpfr::Pow::pow(a, b), r),
        ];
        for (op, f, x, y) in [
            (Op::Mul, raw[0], &all, &all),
            (Op::Div, raw[1], &all, &divisors),
            (Op::Pow, raw[2], &positive, &all),
            (Op::Pow, raw[2], &from_zero, &exponents),
        ] {
            for (x, y) in x.iter().flat_map(|x| y.iter().map(move |y| (x, y))) {
                let (found, hull) = (op.enclose(&[x, y], 70), corners(x, y, 0.0, f));
                assert!(found.lo == hull.lo && found.hi == hull.hi, "{op:?} {x:?} {y:?}: {found:?}, not {hull:?}");
            }
        }
    }
}
