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
