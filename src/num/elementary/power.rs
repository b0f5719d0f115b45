//! Roots, powers and the Euclidean distance.

use super::{INF, Interval, increasing};

/// Cube root. Domain: reals | Range: reals
#[must_use]
#[inline]
pub fn cbrt(x: Interval) -> Interval {
    increasing(x, super::REALS, cube_exact, core_math::cbrt)
}

/// `y^3` if that is exact in binary64, else NaN.
#[inline]
fn cube_exact(y: f64) -> f64 {
    if y == 0.0 {
        return 0.0;
    }
    // Far from underflow and overflow, where the residuals of the products would be wrong.
    if !(1e-60..1e60).contains(&y.abs()) {
        return f64::NAN;
    }
    let square = y * y;
    let cube = square * y;
    if y.mul_add(y, -square) == 0.0 && square.mul_add(y, -cube) == 0.0 { cube } else { f64::NAN }
}

/// sqrt(x^2 + y^2). Domain: reals | Range: [0, inf)
#[must_use]
#[inline]
pub fn hypot(x: Interval, y: Interval) -> Interval {
    if x.is_empty() || y.is_empty() {
        return Interval::EMPTY;
    }
    // The value, and enclosures of the squares of the distance and of the value: where they tell, the end is kept.
    let at = |a: f64, b: f64| {
        let v = core_math::hypot(a, b);
        let square = Interval::point(a).sqr() + Interval::point(b).sqr();
        (v, square, Interval::point(v).sqr())
    };
    let (v, square, rounded) = at(x.mig(), y.mig());
    let lo = if square.inf() >= rounded.sup() && v.is_finite() { v } else { v.next_down().max(0.0) };
    if x.mag().is_infinite() || y.mag().is_infinite() {
        return Interval::new(lo, INF);
    }
    let (v, square, rounded) = at(x.mag(), y.mag());
    let hi = if square.sup() <= rounded.inf() && v.is_finite() { v } else { v.next_up() };
    Interval::new(lo, hi)
}

/// `x^n` for `x >= 0` finite and an integer `n`, if it is a binary64 number and that is easy to see.
#[inline]
fn power_exact(x: f64, n: f64) -> Option<f64> {
    if n == 0.0 {
        return Some(1.0);
    }
    if n == 1.0 {
        return Some(x);
    }
    let bits = x.to_bits();
    let exponent_field = bits >> 52;
    if exponent_field == 0 || n.abs() > 1100.0 {
        return None;
    }
    // x = odd * 2^e, so x^n = odd^n * 2^(e n), which needs the bits of odd^n.
    let significand = (bits & ((1 << 52) - 1)) | 1 << 52;
    let zeros = significand.trailing_zeros();
    let odd = significand >> zeros;
    let scale = super::exp2_exact((exponent_field as f64 - 1075.0 + f64::from(zeros)) * n);
    let power = match odd {
        1 => 1,
        // No odd number above 1 has a 34th power below 2^53.
        _ if (0.0..=33.0).contains(&n) => odd.checked_pow(n as u32).filter(|p| *p < 1 << 53)?,
        _ => return None,
    };
    let v = power as f64 * scale; // NaN if the scale is out of range
    v.is_normal().then_some(v)
}

/// `(a + b) (c + d)` without `b d`, as an unevaluated sum of a nearest number and the rest.
///
/// For `|b| <= u |a|`, `|d| <= u |c|`, u = 2^-53, it is off by at most 2^-102 of the product: `b d` by `u^2`, and the
/// three roundings of numbers below `4 u |a c|` by `u` each. If `b = d = 0` it is exact: the residual of one product is
/// a number, and the nearest number with a rest of at most half a unit is that sum already.
#[inline(always)]
fn times((a, b): (f64, f64), (c, d): (f64, f64)) -> (f64, f64) {
    let q = a * c;
    let r = a.mul_add(c, -q) + (a * d + b * c);
    let s = q + r;
    (s, r - (s - q))
}

/// `x^n` for `x` in [2^-100, 2^100] and `n` in 2..=8: (value rounded down, value rounded up); both the value itself if
/// the powers up to it are exact.
///
/// At most four products, each off by 2^-102 or less and each error taken at most eight times: less than 2^-96 together.
/// In that range nothing overflows, and no residual underflows (2^-800 has residuals of 2^-906).
#[inline]
fn small_power(x: f64, n: u32) -> (f64, f64) {
    let one = (x, 0.0);
    let square = times(one, one);
    let (a, b) = match n {
        2 => (one, one),
        3 => (square, one),
        4 => (square, square),
        5 => (times(square, square), one),
        6 => (times(square, one), times(square, one)),
        7 => (times(times(square, one), times(square, one)), one),
        _ => (times(square, square), times(square, square)),
    };
    let (s, rest) = times(a, b);
    let doubt = if a.1 == 0.0 && b.1 == 0.0 { 0.0 } else { s * f64::from_bits((1023 - 96) << 52) };
    let lo = if rest - doubt < 0.0 { s.next_down() } else { s };
    (lo, if rest + doubt > 0.0 { s.next_up() } else { s })
}

/// Where [`small_power`] is used.
const SMALL: std::ops::RangeInclusive<f64> = 7.888609052210118e-31..=1.2676506002282294e30; // 2^-100 to 2^100

/// `x^y` at one corner of a box, for `0 <= x <= inf`: (value rounded down, value rounded up).
///
/// At `x` = 0 or infinity and at infinite `y` this is the limit that bounds the box, as C's `pow` defines it. Exact
/// powers are kept exact only where `y` is one integer for the whole box: kept at a corner of a box with other
/// exponents they would make it tighter than a part of it.
#[inline]
fn corner(x: f64, y: f64, integer: bool) -> (f64, f64) {
    if integer {
        if (2.0..=8.0).contains(&y) && SMALL.contains(&x) {
            return small_power(x, y as u32);
        }
        if let Some(v) = power_exact(x, y) {
            return (v, v);
        }
    }
    let v = core_math::pow(x, y);
    // x^y >= 1 if and only if x - 1 and y do not differ in sign: keeps the end isotone around the exact value 1.
    let lo = if v == 1.0 && (x >= 1.0) == (y >= 0.0) { v } else { v.next_down().max(0.0) };
    let hi = if v == 1.0 && (x >= 1.0) != (y >= 0.0) { v } else { v.next_up() };
    if x == 1.0 { (1.0, 1.0) } else { (lo, hi) }
}

/// The hull of `x^y` for `x > 0`, and of its limits at `x = 0` if `x` reaches it. Needs `0 <= x`, `x` not only 0.
///
/// `x^y = exp(y log x)` is monotone in each argument, so that its extrema are at corners.
#[inline]
fn positive_power(x: Interval, y: Interval) -> Interval {
    let (a, b) = (x.inf().max(0.0) + 0.0, x.sup());
    let (c, d) = (y.inf(), y.sup());
    let integer = c == d && c.fract() == 0.0;
    let corner = |x, y| corner(x, y, integer);
    if a == b && c == d {
        let (lo, hi) = corner(a, c);
        return Interval::new(lo, hi);
    }
    if a >= 1.0 {
        let lo = corner(if c >= 0.0 { a } else { b }, c).0;
        let hi = corner(if d >= 0.0 { b } else { a }, d).1;
        Interval::new(lo, hi)
    } else if b <= 1.0 {
        let lo = corner(if d >= 0.0 { a } else { b }, d).0;
        let hi = corner(if c >= 0.0 { b } else { a }, c).1;
        Interval::new(lo, hi)
    } else {
        Interval::new(corner(b, c).0.min(corner(a, d).0), corner(b, d).1.max(corner(a, c).1))
    }
}

/// `x^n` for an integer `n` (any binary64 number without fraction). Domain: reals, without 0 if `n < 0`
#[must_use]
#[inline]
pub fn powi(x: Interval, n: f64) -> Interval {
    debug_assert!(n.fract() == 0.0);
    if n == 2.0 {
        return x.sqr();
    }
    if n == 1.0 || x.is_empty() {
        return x;
    }
    if n == 0.0 {
        return Interval::point(1.0);
    }
    if n == -1.0 {
        return x.recip();
    }
    let only_zero = x.is_point() && x.contains(0.0);
    if only_zero {
        return if n > 0.0 { Interval::point(0.0) } else { Interval::EMPTY };
    }
    let n_point = Interval::point(n);
    let even = (n * 0.5).fract() == 0.0;
    if even {
        positive_power(x.abs(), n_point)
    } else if x.inf() >= 0.0 {
        positive_power(x, n_point)
    } else if x.sup() <= 0.0 {
        -positive_power(-x, n_point)
    } else if n > 0.0 {
        Interval::new(-corner(-x.inf(), n, true).1, corner(x.sup(), n, true).1)
    } else {
        Interval::ENTIRE
    }
}

/// `x^y` as FPCore and C define it: for `x > 0` every `y`; 0^y = 0 for `y > 0`, 0^0 = 1; for `x < 0` integers `y`.
#[must_use]
pub fn pow(x: Interval, y: Interval) -> Interval {
    if x.is_empty() || y.is_empty() {
        return Interval::EMPTY;
    }
    if y.is_point() && y.inf().fract() == 0.0 {
        return powi(x, y.inf());
    }
    if x.inf() > 0.0 {
        return positive_power(x, y);
    }
    let mut image = if x.sup() > 0.0 { positive_power(x & Interval::new(0.0, INF), y) } else { Interval::EMPTY };
    if x.contains(0.0) {
        if y.sup() > 0.0 {
            image = image | Interval::point(0.0);
        }
        if y.contains(0.0) {
            image = image | Interval::point(1.0);
        }
    }
    if x.inf() < 0.0 {
        let (first, last) = (y.inf().ceil(), y.sup().floor());
        let negative = x & Interval::new(-INF, 0.0);
        if first == last {
            image = image | powi(negative, first);
        } else if first < last {
            let magnitude = positive_power(negative.abs(), y);
            image = image | magnitude | -magnitude;
        }
    }
    image
}

/// The numbers `x >= 0` with `x^n` in `z`, for an integer `n` other than 0 and the part of `z` that is not negative.
#[must_use]
pub fn root(z: Interval, n: f64) -> Interval {
    let z = z & Interval::new(0.0, INF);
    if z.is_empty() || (z.is_point() && z.contains(0.0)) {
        return if n > 0.0 { z } else { Interval::EMPTY };
    }
    if n == 2.0 {
        return z.sqrt();
    }
    if n == 3.0 {
        return cbrt(z);
    }
    if n == 4.0 {
        return z.sqrt().sqrt();
    }
    positive_power(z, Interval::point(n).recip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_tight() {
        let p = Interval::point;
        assert_eq!(powi(p(3.0), 5.0), p(243.0));
        assert_eq!(powi(p(-3.0), 5.0), p(-243.0));
        for n in 2..=8 {
            let cubed = powi(p(0.1), f64::from(n));
            assert!(cubed.inf().next_up() == cubed.sup() && cubed.contains(core_math::pow(0.1, f64::from(n))), "{n}");
            assert_eq!(powi(p(3.0), f64::from(n)), p(3.0f64.powi(n)));
        }
        assert_eq!(powi(Interval::new(-2.0, 1.0), 4.0), Interval::new(0.0, 16.0));
        assert_eq!(powi(Interval::new(-2.0, 1.0), 3.0), Interval::new(-8.0, 1.0));
        assert_eq!(pow(p(2.0), p(-3.0)), p(0.125));
        assert_eq!(pow(p(0.0), p(-1.0)), Interval::EMPTY);
        assert_eq!(pow(Interval::new(-1.0, 0.0), p(-1.0)), Interval::new(-INF, -1.0));
        assert_eq!(cbrt(p(-27.0)), p(-3.0));
        assert_eq!(hypot(p(3.0), p(-4.0)), p(5.0));
        assert_eq!(hypot(p(0.0), p(0.0)), p(0.0));
    }

    #[test]
    fn a_rest_below_the_error_of_products_is_doubted() {
        // (1 + 2^-52)^3 = 1 + 3 2^-52 + 3 2^-104 + ..., where a rest of less than 2^-96 may be all error.
        let near = 1.0 + 3.0 * f64::EPSILON;
        assert_eq!(powi(Interval::point(1.0 + f64::EPSILON), 3.0), Interval::new(near.next_down(), near.next_up()));
    }

    #[test]
    fn powers_of_negative_numbers_need_integers() {
        assert!(pow(Interval::point(-2.0), Interval::new(0.25, 0.5)).is_empty());
        assert_eq!(pow(Interval::point(-2.0), Interval::new(1.5, 2.5)), Interval::point(4.0));
        let i = pow(Interval::point(-2.0), Interval::new(1.0, 2.0));
        assert!(i.contains(-2.0) && i.contains(4.0));
    }
}
