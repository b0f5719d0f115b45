//! Bessel functions of the orders 0 and 1 over binary64 intervals.
//!
//! Values at numbers are MPFR's, rounded outward. On intervals the mean value theorem goes on from the middle; the derivatives are
//! J0' = -J1 and J1' = J0 - J1 / x, and the same for Y (DLMF 10.6.2 and 10.6.3). What bounds them:
//!
//! - J0' and J1' have integrals over sines (DLMF 10.9.2), so that |J1'| <= 1/2 and |J1''| <= 4 / (3 pi);
//! - the extrema of each function have falling sizes, and the first ones are known (DLMF 10.21(i), Watson 15.31);
//! - J0^2 + Y0^2 <= 2 / (pi x), and J1^2 + Y1^2 falls (Watson 13.74).

use super::Interval;
use crate::num::mpfr::{Float, Round};

/// The largest and the smallest value of J0, rounded outward; of J1 the largest size; of Y0 and Y1 the largest values.
const J0_RANGE: (f64, f64) = (-0.402_759_395_702_553, 1.0);
const J1_MOST: f64 = 0.581_865_224_281_597;
const Y0_MOST: f64 = 0.520_786_412_402_268;
const Y1_MOST: f64 = 0.416_729_928_145_138;
/// Up to here Y0 and Y1 increase, rounded down.
const Y0_TOP: f64 = 2.197_141_326_031;
const Y1_TOP: f64 = 3.683_022_856_585;
/// 4 / (3 pi), rounded up.
const J1_CURVED: f64 = 0.424_413_181_578_4;

/// A value at a number, rounded outward; `f` rounds it to a precision of its own.
fn at(x: f64, f: impl Fn(&Float, Round) -> Float) -> Interval {
    let x = Float::with_val(53, x);
    // The exponent has more room than in binary64.
    Interval::new(f(&x, Round::Down).to_f64_round(Round::Down), f(&x, Round::Up).to_f64_round(Round::Up))
}

fn j0_at(x: f64) -> Interval {
    if x.is_infinite() { Interval::point(0.0) } else { at(x, |x, r| Float::with_val_round(53, x.j0_ref(), r).0) }
}

fn j1_at(x: f64) -> Interval {
    if x.is_infinite() { Interval::point(0.0) } else { at(x, |x, r| Float::with_val_round(53, x.j1_ref(), r).0) }
}

/// Of a positive number, as [`y1_at`].
fn y0_at(x: f64) -> Interval {
    if x.is_infinite() { Interval::point(0.0) } else { at(x, |x, r| Float::with_val_round(53, x.y0_ref(), r).0) }
}

fn y1_at(x: f64) -> Interval {
    if x.is_infinite() { Interval::point(0.0) } else { at(x, |x, r| Float::with_val_round(53, x.y1_ref(), r).0) }
}

/// `[-b, b]`, and everything where b is beyond binary64.
fn within(b: f64) -> Interval {
    if b.is_finite() { Interval::new(-b, b) } else { Interval::ENTIRE }
}

/// A function on an interval with finite ends by the mean value theorem, or by its values at the ends where it is monotone;
/// `derivative` encloses its derivative there.
fn mean_value(x: Interval, f: impl Fn(f64) -> Interval, derivative: Interval) -> Interval {
    if derivative.inf() >= 0.0 || derivative.sup() <= 0.0 {
        return f(x.inf()) | f(x.sup());
    }
    let middle = x.mid();
    f(middle) + derivative * (x - Interval::point(middle))
}

/// J1' on an interval with finite ends.
fn j1_derivative(x: Interval) -> Interval {
    let middle = x.mid();
    let m = Interval::point(middle);
    let there = if middle == 0.0 { Interval::point(0.5) } else { j0_at(middle) - j1_at(middle) / m };
    (there + within(J1_CURVED) * (x - m)) & within(0.5)
}

/// J0: the Bessel function of the first kind of order 0.
#[must_use]
pub fn j0(x: Interval) -> Interval {
    let range = Interval::new(J0_RANGE.0, J0_RANGE.1);
    if x.is_empty() || !x.is_bounded() {
        return if x.is_empty() { x } else { range };
    }
    if x.is_point() {
        return j0_at(x.inf());
    }
    let slope = -(j1_at(x.mid()) + within(0.5) * (x - Interval::point(x.mid()))) & within(J1_MOST);
    mean_value(x, j0_at, slope) & range
}

/// J1: the Bessel function of the first kind of order 1.
#[must_use]
pub fn j1(x: Interval) -> Interval {
    let range = within(J1_MOST);
    if x.is_empty() || !x.is_bounded() {
        return if x.is_empty() { x } else { range };
    }
    if x.is_point() {
        return j1_at(x.inf());
    }
    mean_value(x, j1_at, j1_derivative(x)) & range
}

/// The derivative of [`j1`].
#[must_use]
pub fn j1_slope(x: Interval) -> Interval {
    if x.is_empty() || !x.is_bounded() { within(0.5) } else { j1_derivative(x) }
}

/// Bounds of the sizes of Y1 and of its derivative from a positive number on.
struct Sizes {
    y1: f64,
    slope: f64,
}

fn sizes_from(a: f64) -> Sizes {
    let a = Interval::point(a);
    let y0 = (Interval::point(std::f64::consts::FRAC_2_PI.next_up()) / a).sqrt().sup();
    let y1 = (j1_at(a.inf()).sqr() + y1_at(a.inf()).sqr()).sqrt().sup();
    Sizes { y1, slope: (Interval::point(y0) + Interval::point(y1) / a).sup() }
}

/// Y0: the Bessel function of the second kind of order 0, on the positive numbers.
#[must_use]
pub fn y0(x: Interval) -> Interval {
    of_second_kind(x, y0_at, Y0_TOP, Y0_MOST, |x| {
        let Sizes { y1, slope } = sizes_from(x.inf());
        let middle = x.mid();
        -(y1_at(middle) + within(slope) * (x - Interval::point(middle))) & within(y1)
    })
}

/// Y1: the Bessel function of the second kind of order 1, on the positive numbers.
#[must_use]
pub fn y1(x: Interval) -> Interval {
    of_second_kind(x, y1_at, Y1_TOP, Y1_MOST, |x| {
        let Sizes { y1, slope } = sizes_from(x.inf());
        let (a, middle) = (Interval::point(x.inf()), Interval::point(x.mid()));
        let there = y0_at(x.mid()) - y1_at(x.mid()) / middle;
        // Bessel's equation: Y1'' = -Y1' / x - (1 - 1 / x^2) Y1.
        let factor = Interval::point(1.0).max(Interval::point(1.0) / a.sqr());
        let curved = (Interval::point(slope) / a + factor * Interval::point(y1)).sup();
        (there + within(curved) * (x - middle)) & within(slope)
    })
}

/// The derivative of [`y1`].
#[must_use]
pub fn y1_slope(x: Interval) -> Interval {
    if x.inf() > 0.0 { y0(x) - y1(x) / x } else { Interval::ENTIRE }
}

/// A function that increases from minus infinity at 0 to its largest value `most`, not before `top`; `slope` encloses its derivative
/// on an interval with positive and finite ends.
fn of_second_kind(
    x: Interval,
    f: impl Fn(f64) -> Interval,
    top: f64,
    most: f64,
    slope: impl Fn(Interval) -> Interval,
) -> Interval {
    let x = x & Interval::new(0.0, f64::INFINITY);
    if x.is_empty() || x.sup() == 0.0 {
        return Interval::EMPTY;
    }
    let low = |a: f64| if a > 0.0 { f(a).inf() } else { f64::NEG_INFINITY };
    if x.sup() <= top {
        return Interval::new(low(x.inf()), f(x.sup()).sup());
    }
    let range = Interval::new(f64::NEG_INFINITY, most);
    // After the first maximum nothing is lower than the value at the left end or the first minimum, whose size is less than `most`.
    let rest = range & Interval::new(low(x.inf()).min(-most), most);
    match x.inf() > 0.0 && x.is_bounded() {
        true if x.is_point() => f(x.inf()),
        true => mean_value(x, f, slope(x)) & rest,
        false => rest,
    }
}
