//! Rounding to integers.

use super::domain::too_long;
use super::float::Computed;
use super::{Exact, Operator, mp};
use crate::floats::Format;
use crate::num::mpfr::Float;
use crate::num::{Interval, MpInterval, Rational, Ternary};

const ZERO: fn() -> Interval = || Interval::point(0.0);

/// The integers in `y`, as an interval with integer ends.
fn integers(y: Interval) -> Interval {
    Interval::new(y.inf().ceil(), y.sup().floor())
}

/// Arguments that a rounding takes to an integer in `y`: `below` to `above` around each.
fn around(y: Interval, below: f64, above: f64) -> Interval {
    let n = integers(y);
    if n.is_empty() { n } else { n + Interval::new(-below, above) }
}

macro_rules! roundings {
    ($($(#[$doc:meta])* $name:ident = $fpcore:literal: point $point:expr, image $image:expr, inverse $inverse:expr,
        mpfr $mpfr:ident, exact $exact:expr;)*) => {$(
        $(#[$doc])*
        pub struct $name;

        impl Operator<1> for $name {
            const FPCORE: &'static str = $fpcore;
            const KEEPS_FORMAT: bool = true;

            #[inline]
            fn point([x]: [f64; 1]) -> f64 {
                $point(x)
            }

            #[inline]
            fn forward([x]: [Interval; 1]) -> (Interval, Ternary) {
                ($image(x), Ternary::True)
            }

            fn backward(y: Interval, [x]: [Interval; 1]) -> [Interval; 1] {
                [x & $inverse(y)]
            }

            /// Zero where the function is constant on the box; it jumps otherwise.
            fn partials([x]: [Interval; 1]) -> [Interval; 1] {
                [if $image(x).is_point() { ZERO() } else { Interval::ENTIRE }]
            }

            fn enclose([x]: [&MpInterval; 1], precision: u32) -> MpInterval {
                mp::increasing(x, |x, r| Float::with_val_round(precision, x.$mpfr(), r))
            }

            fn float([x]: [f64; 1], format: Format) -> Computed {
                // Exact but in formats without the integers up to their largest value.
                Computed::Exactly(format.round($point(x)))
            }

            fn exact([x]: [&Rational; 1]) -> Exact {
                if too_long(&[x]) { Exact::Unknown } else { Exact::Value($exact(x)) }
            }
        }
    )*};
}

/// To the nearest integer, halves to even.
pub(super) fn ties_even(x: &Rational) -> Rational {
    let low = Rational::from(x.floor_ref());
    let twice_rest = (x - low.clone()) * 2u32;
    let even = low.numer().is_even();
    if twice_rest > 1 || (twice_rest == 1 && !even) { low + 1u32 } else { low }
}

roundings! {
    /// The largest integer not above x. Domain: reals | Range: integers
    Floor = "floor": point f64::floor, image Interval::floor, inverse |y| around(y, 0.0, 1.0),
        mpfr floor_ref, exact |x: &Rational| Rational::from(x.floor_ref());
    /// The smallest integer not below x. Domain: reals | Range: integers
    Ceil = "ceil": point f64::ceil, image Interval::ceil, inverse |y| around(y, 1.0, 0.0),
        mpfr ceil_ref, exact |x: &Rational| Rational::from(x.ceil_ref());
    /// The nearest integer, halves away from zero. Domain: reals | Range: integers
    Round = "round": point f64::round, image Interval::round, inverse |y| around(y, 0.5, 0.5),
        mpfr round_ref, exact |x: &Rational| Rational::from(x.round_ref());
    /// The nearest integer, halves to even. Domain: reals | Range: integers
    Nearbyint = "nearbyint": point f64::round_ties_even, image Interval::round_ties_even,
        inverse |y| around(y, 0.5, 0.5), mpfr round_even_ref, exact ties_even;
    /// x without its fraction. Domain: reals | Range: integers
    Trunc = "trunc": point f64::trunc, image Interval::trunc, inverse trunc_inverse,
        mpfr trunc_ref, exact |x: &Rational| Rational::from(x.trunc_ref());
}

/// Positive integers come from above, negative ones from below, zero from both sides.
fn trunc_inverse(y: Interval) -> Interval {
    let n = integers(y);
    if n.is_empty() {
        return n;
    }
    let wide = n + Interval::new(-1.0, 1.0);
    Interval::new(if n.inf() >= 1.0 { n.inf() } else { wide.inf() }, if n.sup() <= -1.0 { n.sup() } else { wide.sup() })
}
