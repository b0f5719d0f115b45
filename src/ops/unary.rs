//! The macro that makes an operator of a monotone function on an interval.

/// Defines operators of one argument that are monotone on their domain, which is an interval.
///
/// A line gives the name in FPCore, the direction, the domain, the binary64 function, the interval function, its
/// inverse (an enclosure of all arguments with a value in an interval), the derivative on an interval, MPFR's function
/// the exact value at a rational argument inside the domain and what a program gets at a float. Where the inverse is not
/// tight, `refined` contracts further: it is given the values and the arguments left. Where the condition number has a form
/// that is better than the derivative's, `condition` is it; `shape` says what else is known of the function as a whole.
macro_rules! monotone_operators {
    ($($(#[$doc:meta])* $name:ident = $fpcore:literal: $direction:ident on $domain:expr,
        point $point:expr, image $image:expr, inverse $inverse:expr, derivative $derivative:expr,
        mpfr $mpfr:ident, exact $exact:expr, float $float:expr $(, refined $refined:expr)?
        $(, condition $condition:expr)? $(, shape $shape:expr)?;)*) => {$(
        $(#[$doc])*
        pub struct $name;

        impl $crate::ops::Operator<1> for $name {
            const FPCORE: &'static str = $fpcore;

            const SHAPE: $crate::ops::Shape = $crate::ops::Shape::NONE
                $(.and($shape))?
                .directed($crate::ops::unary::increases(stringify!($direction)));

            #[inline]
            fn point([x]: [f64; 1]) -> f64 {
                if $domain.has(x) { $point(x) } else { f64::NAN }
            }

            #[inline]
            fn forward([x]: [Interval; 1]) -> (Interval, Ternary) {
                let def = $domain.of(x);
                if def.is_false() { (Interval::EMPTY, def) } else { ($image(x), def) }
            }

            #[inline]
            fn backward(y: Interval, [x]: [Interval; 1]) -> [Interval; 1] {
                if $domain.of(x).is_false() {
                    return [Interval::EMPTY];
                }
                let x = x & $domain.closure() & $inverse(y);
                $(let x = $refined(y, x);)?
                [x]
            }

            #[inline]
            fn partials([x]: [Interval; 1]) -> [Interval; 1] {
                [$crate::ops::domain::or_entire($derivative(x))]
            }

            $(fn conditions([x]: [Interval; 1]) -> [Interval; 1] {
                [$condition(x)]
            })?

            fn enclose([x]: [&MpInterval; 1], precision: u32) -> MpInterval {
                match $domain.clip(x) {
                    None => MpInterval::undefined(precision),
                    Some((x, def)) => {
                        let f = |x: &Float, r: Round| Float::with_val_round(precision, x.$mpfr(), r);
                        $crate::ops::mp::$direction(&x, f).with_def(def)
                    }
                }
            }

            fn float([x]: [f64; 1], format: $crate::floats::Format) -> $crate::ops::float::Computed {
                $float(x, format)
            }

            fn exact([x]: [&Rational; 1]) -> Exact {
                if !$domain.has_rational(x) {
                    Exact::Undefined
                } else if $crate::ops::domain::too_long(&[x]) {
                    Exact::Unknown
                } else {
                    $exact(x)
                }
            }
        }
    )*};
}
pub(super) use monotone_operators;

use super::Exact;
use crate::num::Rational;

/// Whether a direction is `increasing`.
pub(super) const fn increases(direction: &str) -> bool {
    direction.as_bytes()[0] == b'i'
}

/// The function is `value` at `argument`, and not known to be rational anywhere else.
pub(super) fn only_at(argument: i32, value: i32) -> impl Fn(&Rational) -> Exact {
    move |x| if *x == argument { Exact::Value(Rational::from(value)) } else { Exact::Unknown }
}
