//! Elementary functions over binary64 intervals.
//!
//! Each function returns an enclosure of the image of the part of the interval that lies in the function's domain.
//!
//! **What soundness rests on.** The values at the end points come from CORE-MATH, whose binary64 functions are
//! correctly rounded to nearest, and each end is then moved outward by one binary64 step. So an enclosure needs only
//! that the error at an end point stays below one unit in the last place: a misrounded last bit is harmless. `tgamma`
//! and `lgamma` are correctly rounded by CORE-MATH's own word only, without worst cases or a published proof, so
//! [`tgamma`] and [`lgamma`] move outward by eight steps. Signs of sines and cosines decide where extrema and poles
//! lie. Square roots and rational operations are `inari`'s with directed rounding. All of it must run in
//! round-to-nearest, which Rust guarantees.
//!
//! Correct rounding keeps monotonicity, so that end points with a fixed step outward are inclusion-isotone. Where a
//! function has exactly known values ("pins", such as exp 0 = 1), an end that comes out as the pinned value is kept
//! as it is if the argument lies on the proper side of the pin: this is exact at the pin and stays isotone around it.

mod bessel;
mod gamma;
mod power;
mod trig;

pub use bessel::{j0, j1, j1_slope, y0, y1, y1_slope};
pub(crate) use gamma::{ARGMIN, free_of_poles};
pub use gamma::{digamma, lgamma, tgamma};
pub use power::{cbrt, hypot, pow, powi, root};
pub use trig::*;

use super::Interval;

const INF: f64 = f64::INFINITY;
/// Smallest binary64 number above pi (the nearest one is below).
pub const PI_UP: f64 = std::f64::consts::PI.next_up();
/// Smallest binary64 number above pi/2 (the nearest one is below).
pub const HALF_PI_UP: f64 = std::f64::consts::FRAC_PI_2.next_up();

/// The image of `x` under an increasing function with values in `range`.
///
/// `pin(y)` is the argument at which the function is exactly `y`, if that is known, else NaN.
#[inline(always)]
fn increasing(x: Interval, range: (f64, f64), pin: impl Fn(f64) -> f64, f: impl Fn(f64) -> f64) -> Interval {
    if x.is_empty() {
        return x;
    }
    let (a, b) = (x.inf(), x.sup());
    let fa = f(a);
    let fb = if a == b { fa } else { f(b) };
    // A NaN, which CORE-MATH never gives inside the domain, would become the bound of the range here.
    let lo = if a >= pin(fa) { fa } else { fa.next_down().max(range.0) };
    let hi = if b <= pin(fb) { fb } else { fb.next_up().min(range.1) };
    Interval::new(lo, hi)
}

/// The image of `x` under a decreasing function; see [`increasing`].
#[inline(always)]
fn decreasing(x: Interval, range: (f64, f64), pin: impl Fn(f64) -> f64, f: impl Fn(f64) -> f64) -> Interval {
    -increasing(x, (-range.1, -range.0), |y| pin(-y), |x| -f(x))
}

/// The function is exactly `y` at `x`.
#[inline(always)]
fn pinned(x: f64, y: f64) -> impl Fn(f64) -> f64 {
    move |v| if v == y { x } else { f64::NAN }
}

const REALS: (f64, f64) = (-INF, INF);
const POSITIVE: (f64, f64) = (0.0, INF);

/// Defines functions that are monotone on an interval `[lo, hi]`, which holds their domain.
macro_rules! monotone {
    ($($(#[$doc:meta])* $name:ident: $dir:ident on ($lo:expr, $hi:expr) to $range:expr, pin $pin:expr;)*) => {$(
        $(#[$doc])*
        #[must_use]
        #[inline]
        pub fn $name(x: Interval) -> Interval {
            $dir(x & Interval::new($lo, $hi), $range, $pin, core_math::$name)
        }
    )*};
}

monotone! {
    /// e^x. Domain: reals | Range: (0, inf)
    exp: increasing on (-INF, INF) to POSITIVE, pin pinned(0.0, 1.0);
    /// 2^x. Domain: reals | Range: (0, inf)
    exp2: increasing on (-INF, INF) to POSITIVE, pin exponent;
    /// 10^x. Domain: reals | Range: (0, inf)
    exp10: increasing on (-INF, INF) to POSITIVE, pin log10_exact;
    /// e^x - 1. Domain: reals | Range: (-1, inf)
    expm1: increasing on (-INF, INF) to (-1.0, INF), pin pinned(0.0, 0.0);
    /// Natural logarithm. Domain: (0, inf) | Range: reals
    log: increasing on (0.0, INF) to REALS, pin pinned(1.0, 0.0);
    /// Logarithm to base 2. Domain: (0, inf) | Range: reals
    log2: increasing on (0.0, INF) to REALS, pin exp2_exact;
    /// Logarithm to base 10. Domain: (0, inf) | Range: reals
    log10: increasing on (0.0, INF) to REALS, pin exp10_exact;
    /// log(1 + x). Domain: (-1, inf) | Range: reals
    log1p: increasing on (-1.0, INF) to REALS, pin pinned(0.0, 0.0);
    /// Hyperbolic sine. Domain: reals | Range: reals
    sinh: increasing on (-INF, INF) to REALS, pin pinned(0.0, 0.0);
    /// Hyperbolic tangent. Domain: reals | Range: (-1, 1)
    tanh: increasing on (-INF, INF) to (-1.0, 1.0), pin pinned(0.0, 0.0);
    /// Inverse hyperbolic sine. Domain: reals | Range: reals
    asinh: increasing on (-INF, INF) to REALS, pin pinned(0.0, 0.0);
    /// Inverse hyperbolic cosine. Domain: [1, inf) | Range: [0, inf)
    acosh: increasing on (1.0, INF) to POSITIVE, pin pinned(1.0, 0.0);
    /// Inverse hyperbolic tangent. Domain: (-1, 1) | Range: reals
    atanh: increasing on (-1.0, 1.0) to REALS, pin pinned(0.0, 0.0);
    /// Error function. Domain: reals | Range: (-1, 1)
    erf: increasing on (-INF, INF) to (-1.0, 1.0), pin pinned(0.0, 0.0);
    /// 1 - erf(x). Domain: reals | Range: (0, 2)
    erfc: decreasing on (-INF, INF) to (0.0, 2.0), pin pinned(0.0, 1.0);
}

/// Hyperbolic cosine. Domain: reals | Range: [1, inf)
#[must_use]
#[inline]
pub fn cosh(x: Interval) -> Interval {
    increasing(x.abs(), (1.0, INF), pinned(0.0, 1.0), core_math::cosh)
}

/// The integer `k` with `2^k = y`, else NaN.
#[inline]
fn exponent(y: f64) -> f64 {
    let bits = y.to_bits();
    let (field, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    match (field, fraction) {
        (1..=0x7fe, 0) => field as f64 - 1023.0,
        (0, f) if f.is_power_of_two() => f64::from(f.trailing_zeros()) - 1074.0,
        _ => f64::NAN,
    }
}

/// `2^k` for an integer `k` in the range of binary64, else NaN.
#[inline]
fn exp2_exact(k: f64) -> f64 {
    if k.fract() != 0.0 || !(-1074.0..=1023.0).contains(&k) {
        f64::NAN
    } else if k >= -1022.0 {
        f64::from_bits(((k + 1023.0) as u64) << 52)
    } else {
        f64::from_bits(1 << (k + 1074.0) as u64)
    }
}

/// The powers of ten that binary64 holds exactly.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// `10^k` for an integer `k` for which binary64 holds it exactly, else NaN.
#[inline]
fn exp10_exact(k: f64) -> f64 {
    if k.fract() == 0.0 && (0.0..=22.0).contains(&k) { POWERS_OF_TEN[k as usize] } else { f64::NAN }
}

/// The integer `k` with `10^k = y`, else NaN.
#[inline]
fn log10_exact(y: f64) -> f64 {
    // Most values are no integers: this keeps the search off the usual path.
    if y.fract() != 0.0 {
        return f64::NAN;
    }
    POWERS_OF_TEN.iter().position(|&p| p == y).map_or(f64::NAN, |k| k as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_exact_and_isotone() {
        let p = Interval::point;
        assert_eq!(exp(p(0.0)), p(1.0));
        assert_eq!(log(p(1.0)), p(0.0));
        assert_eq!(exp2(p(-1074.0)), p(5e-324));
        assert_eq!(log2(p(5e-324)), p(-1074.0));
        assert_eq!(log10(p(1e22)), p(22.0));
        assert_eq!(erfc(p(0.0)), p(1.0));
        assert_eq!(cosh(p(0.0)), p(1.0));
        assert_eq!(exp(p(5e-324)), Interval::new(1.0, 1.0f64.next_up()));
        assert_eq!(erfc(p(5e-324)), Interval::new(1.0f64.next_down(), 1.0));
    }

    #[test]
    fn overflow_and_underflow_stay_enclosures() {
        assert_eq!(exp(Interval::point(1000.0)), Interval::new(f64::MAX, INF));
        assert_eq!(exp(Interval::point(-1000.0)), Interval::new(0.0, 5e-324));
        assert_eq!(exp(Interval::ENTIRE), Interval::new(0.0, INF));
        assert!(exp(Interval::EMPTY).is_empty());
        assert!(log(Interval::new(-2.0, -1.0)).is_empty());
    }
}
