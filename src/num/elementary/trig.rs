//! Circular functions and their inverses.

use super::{HALF_PI_UP, INF, Interval, PI_UP, decreasing, increasing, pinned};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// Up to this magnitude quadrants are counted with one product.
const QUADRANTS_BELOW: f64 = 1_048_576.0; // 2^20
/// More than the error of that count: two roundings of a number below 2^20, relative error 2^-52 together.
const COUNT_ERROR: f64 = 1.0 / 1_073_741_824.0; // 2^-30
/// A number below pi.
const BELOW_PI: f64 = 3.125;

/// The multiples of pi/2 in `x`, as numbers `first..=last` (none if `first > last`): every one that is inside, perhaps
/// also one that is closer to an end of `x` than twice [`COUNT_ERROR`].
#[inline]
fn quarter_turns(x: Interval) -> (i64, i64) {
    let first = (x.inf() * FRAC_2_PI - COUNT_ERROR).ceil();
    let last = (x.sup() * FRAC_2_PI + COUNT_ERROR).floor();
    (first as i64, last as i64)
}

/// Whether some `k` in `first..=last` is `residue` modulo 4.
#[inline]
fn has_residue(first: i64, last: i64, residue: i64) -> bool {
    first + (residue - first).rem_euclid(4) <= last
}

/// The image from the arguments and values at the two ends and the extrema between them.
#[inline]
fn wave(a: f64, fa: f64, b: f64, fb: f64, top: bool, bottom: bool) -> Interval {
    // The value is zero only at 0, and there it is exact. A NaN would become the bound of the range.
    let down = |x: f64, v: f64| if x == 0.0 && v == 0.0 { v } else { v.next_down().max(-1.0) };
    let up = |x: f64, v: f64| if x == 0.0 && v == 0.0 { v } else { v.next_up().min(1.0) };
    let lo = if bottom { -1.0 } else { down(a, fa).min(down(b, fb)) };
    let hi = if top { 1.0 } else { up(a, fa).max(up(b, fb)) };
    Interval::new(lo, hi)
}

/// The sine (`shift` 0) or cosine (`shift` 1): top at quarter turns of `1 - shift`, bottom two quarter turns on.
#[inline(always)]
fn sine_like(x: Interval, shift: i64, f: impl Fn(f64) -> f64, derivative: impl Fn(f64) -> f64) -> Interval {
    if x.is_empty() {
        return x;
    }
    let (a, b) = (x.inf(), x.sup());
    if a == b {
        let v = f(a);
        return wave(a, v, a, v, false, false);
    }
    if x.mag() <= QUADRANTS_BELOW {
        let (first, last) = quarter_turns(x);
        let top = has_residue(first, last, 1 - shift);
        let bottom = has_residue(first, last, 3 - shift);
        return if top && bottom { Interval::new(-1.0, 1.0) } else { wave(a, f(a), b, f(b), top, bottom) };
    }
    // NaN-safe: an unbounded interval has an infinite width.
    if x.wid() < BELOW_PI {
        // At most one zero of the derivative is inside, so its signs at the ends tell. The derivative's rounded value
        // has the true sign: no binary64 number but 0 is a multiple of pi/2.
        let (da, db) = (derivative(a), derivative(b));
        return wave(a, f(a), b, f(b), da > 0.0 && db < 0.0, da < 0.0 && db > 0.0);
    }
    Interval::new(-1.0, 1.0)
}

/// Sine. Domain: reals | Range: [-1, 1]
#[must_use]
#[inline]
pub fn sin(x: Interval) -> Interval {
    sine_like(x, 0, core_math::sin, core_math::cos)
}

/// Cosine. Domain: reals | Range: [-1, 1]
#[must_use]
#[inline]
pub fn cos(x: Interval) -> Interval {
    if x.is_point() && x.contains(0.0) {
        return Interval::point(1.0);
    }
    sine_like(x, 1, core_math::cos, |x| -core_math::sin(x))
}

/// Tangent, and whether `x` is free of poles. Domain: cos x != 0 | Range: reals
///
/// A binary64 number is never a pole, so a point has a value.
#[must_use]
#[inline]
pub fn tan(x: Interval) -> (Interval, bool) {
    if x.is_empty() {
        return (x, true);
    }
    let (a, b) = (x.inf(), x.sup());
    let pole_free = x.mag() <= FRAC_PI_2
        || a == b
        // Less than one period: there is a pole inside if and only if the cosine changes its sign.
        || (x.wid() < BELOW_PI && (core_math::cos(a) > 0.0) == (core_math::cos(b) > 0.0));
    if pole_free { (increasing(x, super::REALS, pinned_tan, core_math::tan), true) } else { (Interval::ENTIRE, false) }
}

/// Among the binary64 numbers the tangent is zero only at 0.
#[inline]
fn pinned_tan(v: f64) -> f64 {
    if v == 0.0 { 0.0 } else { f64::NAN }
}

/// Arc sine. Domain: [-1, 1] | Range: [-pi/2, pi/2]
#[must_use]
#[inline]
pub fn asin(x: Interval) -> Interval {
    increasing(x & Interval::new(-1.0, 1.0), (-HALF_PI_UP, HALF_PI_UP), pinned(0.0, 0.0), core_math::asin)
}

/// Arc cosine. Domain: [-1, 1] | Range: [0, pi]
#[must_use]
#[inline]
pub fn acos(x: Interval) -> Interval {
    decreasing(x & Interval::new(-1.0, 1.0), (0.0, PI_UP), pinned(1.0, 0.0), core_math::acos)
}

/// Arc tangent. Domain: reals | Range: (-pi/2, pi/2)
#[must_use]
#[inline]
pub fn atan(x: Interval) -> Interval {
    increasing(x, (-HALF_PI_UP, HALF_PI_UP), pinned(0.0, 0.0), core_math::atan)
}

/// The numbers whose arc tangent is in `y`: the tangent of the part of `y` in (-pi/2, pi/2).
#[must_use]
pub fn atan_inverse(y: Interval) -> Interval {
    let y = y & Interval::new(-HALF_PI_UP, HALF_PI_UP);
    // The binary64 numbers up to FRAC_PI_2 are below pi/2, the next one is above.
    if y.is_empty() || y.inf() > FRAC_PI_2 || y.sup() < -FRAC_PI_2 {
        return Interval::EMPTY;
    }
    let lo = if y.inf() < -FRAC_PI_2 { -INF } else { tan(Interval::point(y.inf())).0.inf() };
    let hi = if y.sup() > FRAC_PI_2 { INF } else { tan(Interval::point(y.sup())).0.sup() };
    Interval::new(lo, hi)
}

/// The angle of the point (x, y). Domain: all but (0, 0) | Range: (-pi, pi]
#[must_use]
pub fn atan2(y: Interval, x: Interval) -> Interval {
    if y.is_empty() || x.is_empty() {
        return Interval::EMPTY;
    }
    // Zeros positive: the sign of a zero means nothing here, but much to CORE-MATH.
    let (y0, y1, x0, x1) = (y.inf() + 0.0, y.sup() + 0.0, x.inf() + 0.0, x.sup() + 0.0);
    if y0 == 0.0 && y1 == 0.0 && x0 == 0.0 && x1 == 0.0 {
        Interval::EMPTY
    } else if y0 >= 0.0 {
        upper_angle(y0, y1, x0, x1)
    } else if y1 < 0.0 || (y1 == 0.0 && x0 >= 0.0) {
        -upper_angle(-y1 + 0.0, -y0, x0, x1)
    } else if x0 >= 0.0 {
        // The right half plane, on both sides of the x axis.
        Interval::new(
            core_math::atan2(y0, x0).next_down().max(-HALF_PI_UP),
            core_math::atan2(y1, x0).next_up().min(HALF_PI_UP),
        )
    } else {
        // The cut along the negative x axis: pi on it and above, -pi below.
        Interval::new(-PI_UP, PI_UP)
    }
}

/// The angles of the points of `[x0, x1] x [y0, y1]` with `y0 >= 0`, not only the origin; zeros positive.
fn upper_angle(y0: f64, y1: f64, x0: f64, x1: f64) -> Interval {
    if y1 == 0.0 {
        // On the x axis: 0 to the right, pi to the left.
        let lo = if x1 > 0.0 { 0.0 } else { std::f64::consts::PI };
        return Interval::new(lo, if x0 < 0.0 { PI_UP } else { 0.0 });
    }
    // The angle falls as x grows; as y grows it rises on the right and falls on the left.
    let lo = core_math::atan2(if x1 > 0.0 { y0 } else { y1 }, x1);
    let hi = core_math::atan2(if x0 < 0.0 { y0 } else { y1 }, x0);
    // It is exactly zero on the positive x axis only.
    let lo = if y0 == 0.0 && x1 > 0.0 { 0.0 } else { lo.next_down().max(0.0) };
    Interval::new(lo, hi.next_up().min(PI_UP))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extrema_inside_are_found() {
        let i = sin(Interval::new(1.0, 2.0));
        assert_eq!(i.sup(), 1.0);
        assert!(i.inf() > 0.84);
        assert_eq!(cos(Interval::new(3.0, 3.2)).inf(), -1.0);
        assert_eq!(sin(Interval::new(-1.0, 10.0)), Interval::new(-1.0, 1.0));
        // Above the count of quadrants: the signs of the derivative decide.
        let a = 2.0f64.powi(60);
        assert!(sin(Interval::point(a)).wid() < 1e-15);
        assert_eq!(sin(Interval::new(a, a.next_up())), Interval::new(-1.0, 1.0));
        assert_eq!(sin(Interval::point(0.0)), Interval::point(0.0));
        assert_eq!(cos(Interval::point(0.0)), Interval::point(1.0));
    }

    #[test]
    fn tangent_knows_its_poles() {
        assert!(!tan(Interval::new(1.0, 2.0)).1);
        assert!(tan(Interval::new(2.0, 4.0)).1);
        assert!(tan(Interval::point(FRAC_PI_2)).1);
        assert!(!tan(Interval::new(FRAC_PI_2, HALF_PI_UP)).1);
        // An arc tangent is less than pi / 2, which lies between these two numbers.
        for beyond in
            [Interval::new(2.0, 3.0), Interval::point(HALF_PI_UP), Interval::point(-HALF_PI_UP), Interval::EMPTY]
        {
            assert!(atan_inverse(beyond).is_empty(), "{beyond:?}");
        }
        assert_eq!(atan_inverse(Interval::new(FRAC_PI_2, 2.0)).sup(), INF);
        assert_eq!(atan_inverse(Interval::new(-2.0, -FRAC_PI_2)).inf(), -INF);
    }

    #[test]
    fn angles_of_quadrants() {
        let i = atan2(Interval::new(-1.0, 1.0), Interval::new(-2.0, -1.0));
        assert_eq!(i, Interval::new(-PI_UP, PI_UP));
        assert_eq!(atan2(Interval::point(0.0), Interval::point(3.0)), Interval::point(0.0));
        assert!(atan2(Interval::point(-0.0), Interval::point(-3.0)).inf() > 3.125);
        assert!(atan2(Interval::new(-1.0, 0.0), Interval::new(-2.0, -1.0)).inf() < -3.125);
        assert!(atan2(Interval::point(0.0), Interval::point(-0.0)).is_empty());
    }
}
