//! Rounding to the nearest number of a floating-point format, ties to even (IEEE 754-2019, section 4.3.1): what a program does
//! with the result of an operation. There is no value where that is an infinity.

use super::float::Computed;
use super::{Exact, Operator, Shape};
use crate::floats::Format;
use crate::num::float::power;
use crate::num::mpfr::{Float, Round};
use crate::num::{Interval, MpInterval, Rational, Ternary};

/// The numbers that round to finite ones are nearer to 0 than this, in enough bits: the largest number and half an ulp.
fn overflow_threshold(format: Format) -> Float {
    let half_ulp = power(format.emax() - format.precision() as i32);
    Float::with_val(64, format.max()) + half_ulp
}

/// The same in binary64, rounded up.
fn threshold_above(format: Format) -> f64 {
    overflow_threshold(format).to_f64_round(Round::Up)
}

/// Whether the points of `x` are rounded to finite numbers.
fn is_finite(format: Format, x: Interval) -> Ternary {
    let (threshold, size) = (threshold_above(format), x.mag());
    // Of binary64 the threshold is no number of the ends.
    let inside = if format.is_binary64() { size <= format.max() } else { size < threshold };
    Ternary::decide(inside, x.mig() >= threshold)
}

/// The image of the part of `x` that is rounded to finite numbers.
fn image(format: Format, x: Interval) -> Interval {
    let (lo, hi) = (format.round(x.inf()), format.round(x.sup()));
    Interval::new(lo, hi) & Interval::new(format.min(), format.max())
}

/// Numbers among which are all that are rounded to one in `y`.
fn preimage(format: Format, y: Interval) -> Interval {
    let y = y & Interval::new(format.min(), format.max());
    if y.is_empty() {
        return y;
    }
    let (first, last) = (format.round_up(y.inf()), format.round_down(y.sup()));
    if first > last {
        return Interval::EMPTY;
    }
    // The middle to the next number is one of binary64 where that has more bits.
    let middle = |x: f64, next: f64| match (next.is_finite(), format.is_binary64()) {
        (false, _) => threshold_above(format).copysign(x),
        (true, true) => next,
        (true, false) => (x + next) / 2.0,
    };
    Interval::new(middle(first, format.predecessor(first)), middle(last, format.successor(last)))
}

macro_rules! nearest {
    ($($(#[$doc:meta])* $name:ident = $fpcore:literal in $format:expr;)*) => {$(
        $(#[$doc])*
        pub struct $name;

        impl Operator<1> for $name {
            const FPCORE: &'static str = $fpcore;
            const SHAPE: Shape = Shape::ODD;
            const ROUNDS_TO: Option<Format> = Some($format);

            #[inline]
            fn point([x]: [f64; 1]) -> f64 {
                let y = $format.round(x);
                if y.is_finite() { y } else { f64::NAN }
            }

            #[inline]
            fn forward([x]: [Interval; 1]) -> (Interval, Ternary) {
                (image($format, x), is_finite($format, x))
            }

            fn backward(y: Interval, [x]: [Interval; 1]) -> [Interval; 1] {
                [x & preimage($format, y)]
            }

            /// Zero where the function is constant on the box; it jumps otherwise.
            fn partials([x]: [Interval; 1]) -> [Interval; 1] {
                [if image($format, x).is_point() { Interval::point(0.0) } else { Interval::ENTIRE }]
            }

            fn enclose([x]: [&MpInterval; 1], precision: u32) -> MpInterval {
                let threshold = overflow_threshold($format);
                let below = Float::with_val(64, -&threshold);
                let is_above = |end: &Float| *end >= threshold;
                let is_below = |end: &Float| *end <= below;
                let nearest = |end: &Float, r| {
                    let y = $format.round_float(end).clamp($format.min(), $format.max());
                    Float::with_val_round(precision, y, r).0
                };
                let def = Ternary::decide(
                    !is_above(&x.hi) && !is_below(&x.lo),
                    is_above(&x.lo) || is_below(&x.hi),
                );
                MpInterval::new(nearest(&x.lo, Round::Down), nearest(&x.hi, Round::Up)).with_def(def)
            }

            fn float([x]: [f64; 1], format: Format) -> Computed {
                Computed::Exactly(format.round($format.round(x)))
            }

            fn exact([x]: [&Rational; 1]) -> Exact {
                let y = $format.round_rational(x);
                if y.is_finite() { Exact::Value(crate::num::float::rational(y)) } else { Exact::Undefined }
            }
        }
    )*};
}

nearest! {
    /// The nearest binary64 number. Domain: reals that do not overflow | Range: binary64 numbers
    Binary64 = "binary64" in Format::BINARY64;
    /// The nearest binary32 number. Domain: reals that do not overflow | Range: binary32 numbers
    Binary32 = "binary32" in Format::BINARY32;
    /// The nearest binary16 number. Domain: reals that do not overflow | Range: binary16 numbers
    Binary16 = "binary16" in Format::BINARY16;
    /// The nearest bfloat16 number. Domain: reals that do not overflow | Range: bfloat16 numbers
    Bfloat16 = "bfloat16" in Format::BFLOAT16;
}
