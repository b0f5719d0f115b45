//! Bessel functions of the orders 0 and 1, as C has them beyond its standard.

use super::domain::{REALS, above, newton, or_entire};
use super::float::{ANY, Computed, library};
use super::unary::only_at;
use super::{Exact, Operator, Shape, mp};
use crate::floats::Format;
use crate::num::elementary as el;
use crate::num::mpfr::{Float, Round};
use crate::num::{Interval, MpInterval, Rational, Ternary};

const INF: f64 = f64::INFINITY;

/// Whether a number is near enough to 1 that MPFR needs no more bits for its size than it has memory for.
fn is_moderate(x: &Float) -> bool {
    const LARGEST_EXPONENT: i32 = 1 << 16;
    x.is_zero() || x.get_exp().is_some_and(|e| e.abs() <= LARGEST_EXPONENT)
}

/// The part of `x` in which a function with values in `y` may be, by interval Newton where it has a value everywhere.
fn narrowed<O: Operator<1>>(y: Interval, x: Interval) -> Interval {
    let (image, def) = O::forward([x]);
    if (image & y).is_empty() {
        return Interval::EMPTY;
    }
    match def.is_true() {
        true => newton(y, x, |x| O::forward([x]).0, O::partials([x])[0]),
        false => x,
    }
}

/// The hull of a function on a narrow interval: its value at the left end, and a bound of its derivative.
fn around(x: &MpInterval, precision: u32, slope: f64, f: impl Fn(&Float, Round) -> mp::Rounded) -> MpInterval {
    let width = Float::with_val_round(precision, &x.hi - &x.lo, Round::Up).0;
    let reach = Float::with_val_round(precision, &width * slope, Round::Up).0;
    let lo = Float::with_val_round(precision, &f(&x.lo, Round::Down).0 - &reach, Round::Down).0;
    let hi = Float::with_val_round(precision, &f(&x.lo, Round::Up).0 + &reach, Round::Up).0;
    MpInterval::new(lo, hi)
}

macro_rules! bessel_functions {
    ($($(#[$doc:meta])* $name:ident = $fpcore:literal: on $domain:expr, image $image:path, derivative $derivative:expr,
       mpfr $mpfr:ident, exact $exact:expr, float $special:expr, shape $shape:expr;)*) => {$(
        $(#[$doc])*
        pub struct $name;

        impl Operator<1> for $name {
            const FPCORE: &'static str = $fpcore;
            const SHAPE: Shape = $shape;

            fn point([x]: [f64; 1]) -> f64 {
                if $domain.has(x) { Float::with_val(53, Float::with_val(53, x).$mpfr()).to_f64() } else { f64::NAN }
            }

            fn forward([x]: [Interval; 1]) -> (Interval, Ternary) {
                ($image(x), $domain.of(x))
            }

            fn backward(y: Interval, [x]: [Interval; 1]) -> [Interval; 1] {
                [narrowed::<Self>(y, x)]
            }

            fn partials([x]: [Interval; 1]) -> [Interval; 1] {
                let derivative: fn(Interval) -> Interval = $derivative;
                [or_entire(derivative(x))]
            }

            fn enclose([x]: [&MpInterval; 1], precision: u32) -> MpInterval {
                let Some((x, def)) = $domain.clip(x) else { return MpInterval::undefined(precision) };
                if !def.is_true() || !is_moderate(&x.lo) || !is_moderate(&x.hi) {
                    return MpInterval::entire(precision, def);
                }
                let f = |x: &Float, r| Float::with_val_round(precision, x.$mpfr(), r);
                if x.is_point() {
                    return mp::value(|r| f(&x.lo, r));
                }
                let hull = Interval::new(x.lo.to_f64_round(Round::Down), x.hi.to_f64_round(Round::Up));
                let slope = Self::partials([hull])[0].mag();
                match slope.is_finite() {
                    true => around(&x, precision, slope, f),
                    false => MpInterval::entire(precision, def),
                }
            }

            fn float([x]: [f64; 1], _: Format) -> Computed {
                library(x, $special, ANY)
            }

            fn exact([x]: [&Rational; 1]) -> Exact {
                if $domain.has_rational(x) { $exact(x) } else { Exact::Undefined }
            }
        }
    )*};
}

bessel_functions! {
    /// The Bessel function of the first kind of order 0. Domain: reals | Range: [-0.403, 1]
    J0 = "j0": on REALS, image el::j0, derivative |x| -el::j1(x), mpfr j0_ref, exact only_at(0, 1),
        float &[(0.0, 1.0), (INF, 0.0), (-INF, 0.0)], shape Shape::EVEN.total();
    /// The Bessel function of the first kind of order 1. Domain: reals | Range: [-0.582, 0.582]
    J1 = "j1": on REALS, image el::j1, derivative el::j1_slope, mpfr j1_ref, exact only_at(0, 0),
        float &[(0.0, 0.0), (INF, 0.0), (-INF, 0.0)], shape Shape::ODD.total();
    /// The Bessel function of the second kind of order 0. Domain: positive numbers | Range: up to 0.521
    Y0 = "y0": on above(0.0), image el::y0, derivative |x| -el::y1(x), mpfr y0_ref, exact |_| Exact::Unknown,
        float &[(0.0, -INF), (INF, 0.0)], shape Shape::NONE;
    /// The Bessel function of the second kind of order 1. Domain: positive numbers | Range: up to 0.417
    Y1 = "y1": on above(0.0), image el::y1, derivative el::y1_slope, mpfr y1_ref, exact |_| Exact::Unknown,
        float &[(0.0, -INF), (INF, 0.0)], shape Shape::NONE;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::Op;

    const ALL: [Op; 4] = [Op::J0, Op::J1, Op::Y0, Op::Y1];

    /// Values from many places of a box, its derivative's too, lie in what is said of the box, however wide it is.
    #[test]
    fn images_and_derivatives_hold_what_the_box_has() {
        let starts = (0..150).map(|k| f64::from(k * k) / 700.0 - 3.0).chain([1e-9, 1e-300, 40.0, 1e4, 1e7 + 0.5]);
        for a in starts {
            for width in [0.0, 1e-12, 1e-3, 0.05, 0.3, 1.0, 4.0, 30.0] {
                let x = Interval::new(a, a + width);
                for op in ALL {
                    let (image, def) = op.forward(&[x]);
                    let mut slope = [Interval::EMPTY];
                    op.partials(&[x], &mut slope);
                    for k in 0..=16 {
                        let at = a + width * f64::from(k) / 16.0;
                        let y = op.point(&[at]);
                        assert_eq!(y.is_nan(), at <= 0.0 && matches!(op, Op::Y0 | Op::Y1), "{op:?} {at}");
                        if y.is_nan() {
                            assert!(!def.is_true());
                            continue;
                        }
                        assert!(image.contains(y), "{op:?}({at}) = {y} of {x:?} in {image:?}");
                        let h = 1e-5 * at.abs().max(1e-3);
                        let (before, after) = (op.point(&[at - h]), op.point(&[at + h]));
                        if h > 1e-9 && before.is_finite() && after.is_finite() && at.abs() < 1e3 {
                            let measured = (after - before) / (2.0 * h);
                            let error = 1e-6 * (1.0 + measured.abs());
                            let near = slope[0] + Interval::new(-error, error);
                            assert!(near.contains(measured), "{op:?}'({at}) = {measured} in {:?}", slope[0]);
                        }
                    }
                }
            }
        }
    }

    /// Narrow boxes have narrow images, so that searches and covers come to an end.
    #[test]
    fn images_are_narrow() {
        for op in ALL {
            for a in [0.7, 1.9, 2.1, 3.6, 3.9, 11.0, 57.3] {
                for width in [1e-3, 1e-6] {
                    let (image, _) = op.forward(&[Interval::new(a, a + width)]);
                    assert!(image.sup() - image.inf() <= 4.0 * width, "{op:?} {a} {width}: {image:?}");
                }
            }
        }
    }

    /// At high precision points are rounded once, and intervals hold what their ends have.
    #[test]
    fn enclosures_hold_finer_ones() {
        for op in ALL {
            for x in [1e-20, 0.3, 2.404_825_557_695_773, 3.831_705_970_207_512, 8.5, 123.25, 1e10] {
                for precision in [60, 200, 1000] {
                    let at = MpInterval::from_f64(x, precision);
                    let (y, fine) = (op.enclose(&[&at], precision), op.enclose(&[&at], 2 * precision));
                    assert!(y.lo <= fine.lo && fine.hi <= y.hi && y.def.is_true(), "{op:?} {x}");
                    let mut next = at.lo.clone();
                    (0..1000).for_each(|_| next.next_up());
                    let wide = op.enclose(&[&MpInterval::new(at.lo.clone(), next.clone())], precision);
                    let end = op.enclose(&[&MpInterval::new(next.clone(), next)], 2 * precision);
                    assert!(wide.lo <= fine.lo && wide.lo <= end.lo && end.hi <= wide.hi, "{op:?} {x}");
                }
            }
        }
    }
}
