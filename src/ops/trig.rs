//! Circular functions and their inverses.

use super::condition::even;
use super::domain::{UNIT, all_or_none, or_entire};
use super::float::{ANY, Computed, library};
use super::mp::Rounded;
use super::unary::{monotone_operators, only_at};
use super::{Exact, Op, Operator, Shape, mp};
use crate::floats::Format;
use crate::num::elementary as el;
use crate::num::mpfr::{Float, Round};
use crate::num::{Interval, MpInterval, Rational, Ternary};
use std::cmp::Ordering;
use std::f64::consts::{FRAC_PI_2, PI};

const INF: f64 = f64::INFINITY;
const ONE: fn() -> Interval = || Interval::point(1.0);
const PI_ENCLOSED: fn() -> Interval = || Interval::new(PI, el::PI_UP);

monotone_operators! {
    /// Arc sine. Domain: [-1, 1] | Range: [-pi/2, pi/2]
    Asin = "asin": increasing on UNIT, point core_math::asin, image el::asin,
        inverse |y: Interval| el::sin(y & Interval::new(-el::HALF_PI_UP, el::HALF_PI_UP)),
        derivative |x: Interval| (ONE() - x.sqr()).sqrt().recip(), mpfr asin_ref, exact only_at(0, 0),
        float |x, _| library(x, &[(0.0, 0.0)], ANY),
        condition |x: Interval| even(x, |x| x / (ONE() - x.sqr()).sqrt() / el::asin(x)),
        shape Shape::ODD.near_identity(3, [-189, -166]).transcendental().forms(&[
            "(atan (/ x (sqrt (- 1 (* x x)))))",
            "(atan2 x (sqrt (- 1 (* x x))))",
        ]);
    /// Arc cosine. Domain: [-1, 1] | Range: [0, pi]
    Acos = "acos": decreasing on UNIT, point core_math::acos, image el::acos,
        inverse |y: Interval| el::cos(y & Interval::new(0.0, el::PI_UP)),
        derivative |x: Interval| -(ONE() - x.sqr()).sqrt().recip(), mpfr acos_ref, exact only_at(1, 0),
        float |x, _| library(x, &[(1.0, 0.0)], (0.0, INF)),
        shape Shape::NONE.forms(&["(atan2 (sqrt (- 1 (* x x))) x)", "(- PI_2 (asin x))"]);
    /// Arc tangent. Domain: reals | Range: (-pi/2, pi/2)
    Atan = "atan": increasing on super::domain::REALS, point core_math::atan, image el::atan, inverse el::atan_inverse,
        derivative |x: Interval| (ONE() + x.sqr()).recip(), mpfr atan_ref, exact only_at(0, 0),
        float atan_of_float,
        condition |x: Interval| even(x, |x| x / (ONE() + x.sqr()) / el::atan(x)),
        shape Shape::ODD.total().inverse(Op::Tan).near_identity(3, [290, 334]).transcendental();
}

fn atan_of_float(x: f64, _: Format) -> Computed {
    if x.is_infinite() { Computed::QuarterPi(if x > 0.0 { 2 } else { -2 }) } else { library(x, &[(0.0, 0.0)], ANY) }
}

/// The hull of the parts of `x` in the intervals `base + k * period` for all integers `k`.
///
/// Wide or far `x` is returned as it is.
fn periodic(x: Interval, base: Interval, period: Interval) -> Interval {
    const FAR: f64 = 1e9;
    if base.is_empty() {
        return base;
    }
    if x.is_empty() || x.mag() > FAR {
        return x;
    }
    // One more on either side makes up for the rounding of these quotients, which are below 2^30.
    let first = ((x.inf() - base.sup()) / period.inf()).floor() - 1.0;
    let last = ((x.sup() - base.inf()) / period.inf()).ceil() + 1.0;
    let piece = |k: f64| x & (base + Interval::point(k) * period);
    let mut hull = Interval::EMPTY;
    let mut k = first;
    while k <= last {
        hull = hull | piece(k);
        if !hull.is_empty() {
            break;
        }
        k += 1.0;
    }
    let mut from_top = last;
    while from_top > k {
        let p = piece(from_top);
        if !p.is_empty() {
            return hull | p;
        }
        from_top -= 1.0;
    }
    hull
}

/// Above this exponent of the argument, reduction by pi costs too much memory in multiple precision.
const LARGEST_EXPONENT: i32 = 1 << 16;

/// Whether the ends are small enough for MPFR, and closer than pi.
fn narrow(x: &MpInterval) -> bool {
    let small = |a: &Float| a.is_zero() || a.get_exp().is_some_and(|e| e <= LARGEST_EXPONENT);
    small(&x.lo) && small(&x.hi) && Float::with_val_round(53, &x.hi - &x.lo, Round::Up).0 < 3.125
}

/// The sign of `f(x)` for a function whose only zero among the representable numbers is 0, with a few bits.
fn sign(v: Rounded) -> Ordering {
    v.0.cmp0().unwrap_or(Ordering::Equal)
}

/// The image under sine or cosine, with `slope` the derivative's value.
fn wave(
    x: &MpInterval,
    precision: u32,
    f: impl Fn(&Float, Round) -> Rounded,
    slope: impl Fn(&Float) -> Ordering,
) -> MpInterval {
    if !narrow(x) {
        return mp::from_f64(-1.0, 1.0, precision);
    }
    if x.is_point() {
        return mp::value(|r| f(&x.lo, r));
    }
    // The ends are closer than pi, so the derivative has at most one zero inside and its signs at the ends tell.
    let (at_lo, at_hi) = (slope(&x.lo), slope(&x.hi));
    let ends = |r| (f(&x.lo, r).0, f(&x.hi, r).0);
    let lo = if at_lo == Ordering::Less && at_hi != Ordering::Less {
        Float::with_val(precision, -1)
    } else {
        let (a, b) = ends(Round::Down);
        if a < b { a } else { b }
    };
    let hi = if at_lo == Ordering::Greater && at_hi != Ordering::Greater {
        Float::with_val(precision, 1)
    } else {
        let (a, b) = ends(Round::Up);
        if a > b { a } else { b }
    };
    MpInterval::new(lo, hi)
}

/// Sine. Domain: reals | Range: [-1, 1]
pub struct Sin;

impl Operator<1> for Sin {
    const FPCORE: &'static str = "sin";
    const SHAPE: Shape = Shape::ODD.total().near_identity(3, [164, 167]).transcendental();

    #[inline]
    fn point([x]: [f64; 1]) -> f64 {
        core_math::sin(x)
    }

    #[inline]
    fn forward([x]: [Interval; 1]) -> (Interval, Ternary) {
        (el::sin(x), Ternary::True)
    }

    fn backward(y: Interval, [x]: [Interval; 1]) -> [Interval; 1] {
        if Interval::new(-1.0, 1.0).subset(y) {
            return [x];
        }
        // asin y + 2 k pi and pi - asin y + 2 k pi
        let (angle, turn) = (el::asin(y), PI_ENCLOSED() * Interval::point(2.0));
        [periodic(x, angle, turn) | periodic(x, PI_ENCLOSED() - angle, turn)]
    }

    #[inline]
    fn partials([x]: [Interval; 1]) -> [Interval; 1] {
        [el::cos(x)]
    }

    fn conditions([x]: [Interval; 1]) -> [Interval; 1] {
        if x.mag() >= PI {
            return super::condition::from_derivatives([x], el::sin(x), Self::partials([x]));
        }
        // x cot x
        [even(x, |x| x * el::cos(x) / el::sin(x))]
    }

    fn enclose([x]: [&MpInterval; 1], precision: u32) -> MpInterval {
        wave(
            x,
            precision,
            |x, r| Float::with_val_round(precision, x.sin_ref(), r),
            |x| sign(Float::with_val_round(32, x.cos_ref(), Round::Zero)),
        )
    }

    fn float([x]: [f64; 1], _: Format) -> Computed {
        library(x, &[(0.0, 0.0)], (-1.0, 1.0))
    }

    fn exact([x]: [&Rational; 1]) -> Exact {
        only_at(0, 0)(x)
    }
}

/// Cosine. Domain: reals | Range: [-1, 1]
pub struct Cos;

impl Operator<1> for Cos {
    const FPCORE: &'static str = "cos";
    const SHAPE: Shape = Shape::EVEN.total();

    #[inline]
    fn point([x]: [f64; 1]) -> f64 {
        core_math::cos(x)
    }

    #[inline]
    fn forward([x]: [Interval; 1]) -> (Interval, Ternary) {
        (el::cos(x), Ternary::True)
    }

    fn backward(y: Interval, [x]: [Interval; 1]) -> [Interval; 1] {
        if Interval::new(-1.0, 1.0).subset(y) {
            return [x];
        }
        let (angle, turn) = (el::acos(y), PI_ENCLOSED() * Interval::point(2.0));
        [periodic(x, angle, turn) | periodic(x, -angle, turn)]
    }

    #[inline]
    fn partials([x]: [Interval; 1]) -> [Interval; 1] {
        [-el::sin(x)]
    }

    fn enclose([x]: [&MpInterval; 1], precision: u32) -> MpInterval {
        wave(
            x,
            precision,
            |x, r| Float::with_val_round(precision, x.cos_ref(), r),
            |x| sign(Float::with_val_round(32, x.sin_ref(), Round::Zero)).reverse(),
        )
    }

    fn float([x]: [f64; 1], _: Format) -> Computed {
        library(x, &[(0.0, 1.0)], (-1.0, 1.0))
    }

    fn exact([x]: [&Rational; 1]) -> Exact {
        only_at(0, 1)(x)
    }
}

/// Tangent. Domain: cos x != 0 | Range: reals
///
/// The poles are irrational, so that no binary64 number and no rational number is one.
pub struct Tan;

impl Operator<1> for Tan {
    const FPCORE: &'static str = "tan";
    const SHAPE: Shape = Shape::ODD.near_identity(3, [-371, -333]).forms(&["(/ (sin x) (cos x))"]);

    #[inline]
    fn point([x]: [f64; 1]) -> f64 {
        core_math::tan(x)
    }

    #[inline]
    fn forward([x]: [Interval; 1]) -> (Interval, Ternary) {
        let (y, pole_free) = el::tan(x);
        (y, Ternary::decide(pole_free, false))
    }

    fn backward(y: Interval, [x]: [Interval; 1]) -> [Interval; 1] {
        if y == Interval::ENTIRE {
            return [x];
        }
        [periodic(x, el::atan(y), PI_ENCLOSED())]
    }

    #[inline]
    fn partials([x]: [Interval; 1]) -> [Interval; 1] {
        [ONE() + el::tan(x).0.sqr()]
    }

    fn conditions([x]: [Interval; 1]) -> [Interval; 1] {
        if x.mag() >= FRAC_PI_2 {
            return super::condition::from_derivatives([x], el::tan(x).0, Self::partials([x]));
        }
        [even(x, |x| x / (el::sin(x) * el::cos(x)))]
    }

    fn enclose([x]: [&MpInterval; 1], precision: u32) -> MpInterval {
        let cosine = |x: &Float| sign(Float::with_val_round(32, x.cos_ref(), Round::Zero));
        let f = |x: &Float, r| Float::with_val_round(precision, x.tan_ref(), r);
        if narrow(x) && (x.is_point() || cosine(&x.lo) == cosine(&x.hi)) {
            mp::increasing(x, f)
        } else {
            MpInterval::entire(precision, Ternary::Unknown)
        }
    }

    fn float([x]: [f64; 1], _: Format) -> Computed {
        library(x, &[(0.0, 0.0)], ANY)
    }

    fn exact([x]: [&Rational; 1]) -> Exact {
        only_at(0, 0)(x)
    }
}

/// The angle of the point (x, y), as atan2(y, x). Domain: all but (0, 0) | Range: (-pi, pi]
pub struct Atan2;

/// Whether the box meets the cut along the negative x axis from below, where the angle jumps.
fn meets_cut(y: Interval, x: Interval) -> bool {
    x.inf() < 0.0 && y.inf() < 0.0 && y.sup() >= 0.0
}

impl Operator<2> for Atan2 {
    const FPCORE: &'static str = "atan2";
    const SHAPE: Shape = Shape::NONE.forms(&["(atan (/ x y))"]);
    const TELLS_ZEROS_APART: bool = true;

    #[inline]
    fn point([y, x]: [f64; 2]) -> f64 {
        // Zeros positive: over the reals a zero has no sign.
        if y == 0.0 && x == 0.0 { f64::NAN } else { core_math::atan2(y + 0.0, x + 0.0) }
    }

    #[inline]
    fn forward([y, x]: [Interval; 2]) -> (Interval, Ternary) {
        let zero = |i: Interval| i.is_point() && i.contains(0.0);
        let def = Ternary::decide(!(y.contains(0.0) && x.contains(0.0)), zero(y) && zero(x));
        (el::atan2(y, x), def)
    }

    fn backward(z: Interval, [y, x]: [Interval; 2]) -> [Interval; 2] {
        let (image, def) = Self::forward([y, x]);
        let z = z & image;
        if def.is_false() || z.is_empty() {
            return [Interval::EMPTY; 2];
        }
        let (mut y, mut x) = (y, x);
        let positive = Interval::new(0.0, f64::INFINITY);
        // The half planes. FRAC_PI_2 is below pi/2, its successor above.
        if z.inf() > 0.0 {
            y = y & positive;
        } else if z.sup() < 0.0 {
            y = y & -positive;
        }
        if z.inf() >= -FRAC_PI_2 && z.sup() <= FRAC_PI_2 {
            x = x & positive;
        } else if z.inf() > FRAC_PI_2 || z.sup() < -FRAC_PI_2 {
            x = x & -positive;
        }
        let (tangent, pole_free) = el::tan(z);
        if pole_free {
            y = y & (x * tangent);
            x = tangent.mul_rev(y, x);
        }
        all_or_none([y, x])
    }

    fn partials([y, x]: [Interval; 2]) -> [Interval; 2] {
        if meets_cut(y, x) {
            return [Interval::ENTIRE; 2];
        }
        let square = x.sqr() + y.sqr();
        [or_entire(x / square), or_entire(-(y / square))]
    }

    fn enclose([y, x]: [&MpInterval; 2], precision: u32) -> MpInterval {
        if mp::is_zero(y) && mp::is_zero(x) {
            return MpInterval::undefined(precision);
        }
        let pi = |r| Float::with_val_round(precision, crate::num::mpfr::MpConstant::Pi, r).0;
        if mp::holds_zero(y) && mp::holds_zero(x) {
            return MpInterval::new(-pi(Round::Up), pi(Round::Up)).with_def(Ternary::Unknown);
        }
        // Zeros positive: the sign of a zero means much to MPFR.
        let plain = |a: &Float| if a.is_zero() { Float::new(53) } else { a.clone() };
        let angle = |y: &Float, x: &Float, r| Float::with_val_round(precision, plain(y).atan2_ref(&plain(x)), r);
        if y.is_point() && x.is_point() {
            return mp::value(|r| angle(&y.lo, &x.lo, r));
        }
        if x.lo < 0 && y.lo < 0 && y.hi >= 0 {
            return MpInterval::new(-pi(Round::Up), pi(Round::Up));
        }
        // Off the cut and the origin the angle is monotone along each side of the box: its extrema are at corners.
        mp::corners(y, x, 0.0, angle)
    }

    fn float([y, x]: [f64; 2], _: Format) -> Computed {
        if x.is_nan() || y.is_nan() {
            return Computed::Exactly(f64::NAN);
        }
        let left = x.is_sign_negative();
        // Beside the axes nothing but the signs decides; an angle in quarters of a half turn, none for zero.
        let quarters = match (x.is_infinite(), y.is_infinite()) {
            (true, true) => {
                if left {
                    3
                } else {
                    1
                }
            }
            (true, false) => {
                if left {
                    4
                } else {
                    0
                }
            }
            (false, true) => 2,
            (false, false) if y == 0.0 => {
                if left {
                    4
                } else {
                    0
                }
            }
            (false, false) if x == 0.0 => 2,
            (false, false) => return Computed::Near(ANY.0, ANY.1),
        };
        match quarters {
            0 => Computed::Exactly(0f64.copysign(y)),
            k => Computed::QuarterPi(if y.is_sign_negative() { -k } else { k }),
        }
    }

    fn exact([y, x]: [&Rational; 2]) -> Exact {
        match (y.cmp0(), x.cmp0()) {
            (Ordering::Equal, Ordering::Equal) => Exact::Undefined,
            (Ordering::Equal, Ordering::Greater) => Exact::Value(Rational::new()),
            _ => Exact::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_angle_beside_the_cut_increases_with_its_ordinate() {
        let [by_y, _] = Atan2::partials([Interval::new(-1.0, 1.0), Interval::new(0.0, 1.0)]);
        assert!(by_y.inf() >= 0.0, "{by_y:?}");
        let [by_y, _] = Atan2::partials([Interval::new(-1.0, 1.0), Interval::new(-1.0, 1.0)]);
        assert_eq!(by_y, Interval::ENTIRE);
    }

    #[test]
    fn an_angle_says_in_which_half_planes_its_point_is() {
        let free = Interval::new(-5.0, 5.0);
        let at = |lo, hi| Atan2::backward(Interval::new(lo, hi), [free, free]);
        let (behind, ahead) = (at(2.0, 4.0), at(-1.0, 1.0));
        assert!(behind[1].sup() <= 0.0 && behind[0].inf() >= 0.0, "{behind:?}");
        assert!(ahead[1].inf() >= 0.0 && ahead[0] == free, "{ahead:?}");
        assert!(at(-4.0, -2.0)[1].sup() <= 0.0);
    }
}
