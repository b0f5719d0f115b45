//! The rational operations: + - * / and fma.

use super::condition::of_term;
use super::domain::{all_or_none, or_entire, too_long};
use super::float::Computed;
use super::{Exact, Op, Operator, Shape, mp};
use crate::floats::Format;
use crate::num::mpfr::{Float, Round};
use crate::num::{Interval, MpInterval, Rational, Ternary};

const ONE: fn() -> Interval = || Interval::point(1.0);

/// The exact value, unless the operands are too long.
fn exactly(x: &[&Rational], value: impl FnOnce() -> Rational) -> Exact {
    if too_long(x) { Exact::Unknown } else { Exact::Value(value()) }
}

/// x + y. Domain: reals | Range: reals
pub struct Add;

impl Operator<2> for Add {
    const FPCORE: &'static str = "+";

    #[inline]
    fn point([x, y]: [f64; 2]) -> f64 {
        x + y
    }

    #[inline]
    fn forward([x, y]: [Interval; 2]) -> (Interval, Ternary) {
        (x + y, Ternary::True)
    }

    #[inline]
    fn backward(z: Interval, [x, y]: [Interval; 2]) -> [Interval; 2] {
        let x = x & (z - y);
        all_or_none([x, y & (z - x)])
    }

    #[inline]
    fn partials(_: [Interval; 2]) -> [Interval; 2] {
        [ONE(); 2]
    }

    fn conditions([x, y]: [Interval; 2]) -> [Interval; 2] {
        [of_term(x, y), of_term(y, x)]
    }

    fn enclose([x, y]: [&MpInterval; 2], precision: u32) -> MpInterval {
        let add = |a: &Float, b: &Float, r: Round| Float::with_val_round(precision, a + b, r);
        if x.is_point() && y.is_point() {
            return mp::value(|r| add(&x.lo, &y.lo, r));
        }
        MpInterval::new(add(&x.lo, &y.lo, Round::Down).0, add(&x.hi, &y.hi, Round::Up).0)
    }

    fn float([x, y]: [f64; 2], format: Format) -> Computed {
        Computed::Exactly(format.add(x, y))
    }

    fn exact([x, y]: [&Rational; 2]) -> Exact {
        exactly(&[x, y], || Rational::from(x + y))
    }
}

/// x - y. Domain: reals | Range: reals
pub struct Sub;

impl Operator<2> for Sub {
    const FPCORE: &'static str = "-";

    #[inline]
    fn point([x, y]: [f64; 2]) -> f64 {
        x - y
    }

    #[inline]
    fn forward([x, y]: [Interval; 2]) -> (Interval, Ternary) {
        (x - y, Ternary::True)
    }

    #[inline]
    fn backward(z: Interval, [x, y]: [Interval; 2]) -> [Interval; 2] {
        let x = x & (z + y);
        all_or_none([x, y & (x - z)])
    }

    #[inline]
    fn partials(_: [Interval; 2]) -> [Interval; 2] {
        [ONE(), -ONE()]
    }

    fn conditions([x, y]: [Interval; 2]) -> [Interval; 2] {
        [of_term(x, -y), of_term(-y, x)]
    }

    fn enclose([x, y]: [&MpInterval; 2], precision: u32) -> MpInterval {
        let sub = |a: &Float, b: &Float, r: Round| Float::with_val_round(precision, a - b, r);
        if x.is_point() && y.is_point() {
            return mp::value(|r| sub(&x.lo, &y.lo, r));
        }
        MpInterval::new(sub(&x.lo, &y.hi, Round::Down).0, sub(&x.hi, &y.lo, Round::Up).0)
    }

    fn float([x, y]: [f64; 2], format: Format) -> Computed {
        Computed::Exactly(format.sub(x, y))
    }

    fn exact([x, y]: [&Rational; 2]) -> Exact {
        exactly(&[x, y], || Rational::from(x - y))
    }
}

/// -x. Domain: reals | Range: reals
pub struct Neg;

impl Operator<1> for Neg {
    const FPCORE: &'static str = "-";
    const KEEPS_FORMAT: bool = true;
    const SHAPE: Shape = Shape::ODD.total().inverse(Op::Neg);

    #[inline]
    fn point([x]: [f64; 1]) -> f64 {
        -x
    }

    #[inline]
    fn forward([x]: [Interval; 1]) -> (Interval, Ternary) {
        (-x, Ternary::True)
    }

    #[inline]
    fn backward(y: Interval, [x]: [Interval; 1]) -> [Interval; 1] {
        [x & -y]
    }

    #[inline]
    fn partials(_: [Interval; 1]) -> [Interval; 1] {
        [-ONE()]
    }

    fn conditions(_: [Interval; 1]) -> [Interval; 1] {
        [ONE()]
    }

    fn enclose([x]: [&MpInterval; 1], precision: u32) -> MpInterval {
        mp::rounded(&x.neg(), precision)
    }

    fn float([x]: [f64; 1], _: Format) -> Computed {
        Computed::Exactly(-x)
    }

    fn exact([x]: [&Rational; 1]) -> Exact {
        exactly(&[x], || Rational::from(-x))
    }
}

/// x * y. Domain: reals | Range: reals
pub struct Mul;

impl Operator<2> for Mul {
    const FPCORE: &'static str = "*";

    #[inline]
    fn point([x, y]: [f64; 2]) -> f64 {
        x * y
    }

    #[inline]
    fn forward([x, y]: [Interval; 2]) -> (Interval, Ternary) {
        (x * y, Ternary::True)
    }

    #[inline]
    fn backward(z: Interval, [x, y]: [Interval; 2]) -> [Interval; 2] {
        let x = y.mul_rev(z, x);
        all_or_none([x, x.mul_rev(z, y)])
    }

    #[inline]
    fn partials([x, y]: [Interval; 2]) -> [Interval; 2] {
        [y, x]
    }

    fn conditions(_: [Interval; 2]) -> [Interval; 2] {
        [ONE(); 2]
    }

    fn enclose([x, y]: [&MpInterval; 2], precision: u32) -> MpInterval {
        let multiply = |a: &Float, b: &Float, r: Round| Float::with_val_round(precision, a * b, r);
        if x.is_point() && y.is_point() {
            return mp::value(|r| multiply(&x.lo, &y.lo, r));
        }
        mp::product(x, (&y.lo, &y.hi), multiply)
    }

    fn float([x, y]: [f64; 2], format: Format) -> Computed {
        Computed::Exactly(format.mul(x, y))
    }

    fn exact([x, y]: [&Rational; 2]) -> Exact {
        exactly(&[x, y], || Rational::from(x * y))
    }
}

/// x / y. Domain: y != 0 | Range: reals
pub struct Div;

impl Operator<2> for Div {
    const FPCORE: &'static str = "/";

    #[inline]
    fn point([x, y]: [f64; 2]) -> f64 {
        if y == 0.0 { f64::NAN } else { x / y }
    }

    #[inline]
    fn forward([x, y]: [Interval; 2]) -> (Interval, Ternary) {
        (x / y, nonzero(y))
    }

    #[inline]
    fn backward(z: Interval, [x, y]: [Interval; 2]) -> [Interval; 2] {
        if nonzero(y).is_false() {
            return [Interval::EMPTY; 2];
        }
        let x = x & (z * y);
        all_or_none([x, z.mul_rev(x, y)])
    }

    #[inline]
    fn partials([x, y]: [Interval; 2]) -> [Interval; 2] {
        [or_entire(y.recip()), or_entire(-(x / y.sqr()))]
    }

    fn conditions(_: [Interval; 2]) -> [Interval; 2] {
        [ONE(), -ONE()]
    }

    fn enclose([x, y]: [&MpInterval; 2], precision: u32) -> MpInterval {
        if mp::is_zero(y) {
            return MpInterval::undefined(precision);
        }
        if mp::holds_zero(y) {
            return MpInterval::entire(precision, Ternary::Unknown);
        }
        let divide = |a: &Float, b: &Float, r: Round| Float::with_val_round(precision, a / b, r);
        if x.is_point() && y.is_point() {
            return mp::value(|r| divide(&x.lo, &y.lo, r));
        }
        // The least factor is that of the largest divisor.
        mp::product(x, (&y.hi, &y.lo), divide)
    }

    fn float([x, y]: [f64; 2], format: Format) -> Computed {
        Computed::Exactly(format.div(x, y))
    }

    fn exact([x, y]: [&Rational; 2]) -> Exact {
        if *y == 0 { Exact::Undefined } else { exactly(&[x, y], || Rational::from(x / y)) }
    }
}

/// Whether a divisor is not zero.
#[inline]
pub(super) fn nonzero(y: Interval) -> Ternary {
    Ternary::decide(!y.contains(0.0), y.is_point() && y.contains(0.0))
}

/// x * y + z. Domain: reals | Range: reals
pub struct Fma;

impl Operator<3> for Fma {
    const FPCORE: &'static str = "fma";
    const SHAPE: Shape = Shape::NONE.forms(&["(+ (* x y) z)"]);

    #[inline]
    fn point([x, y, z]: [f64; 3]) -> f64 {
        x.mul_add(y, z)
    }

    #[inline]
    fn forward([x, y, z]: [Interval; 3]) -> (Interval, Ternary) {
        (x.mul_add(y, z), Ternary::True)
    }

    fn backward(w: Interval, [x, y, z]: [Interval; 3]) -> [Interval; 3] {
        let product = w - z;
        let x = y.mul_rev(product, x);
        let y = x.mul_rev(product, y);
        all_or_none([x, y, z & (w - x * y)])
    }

    #[inline]
    fn partials([x, y, _]: [Interval; 3]) -> [Interval; 3] {
        [y, x, ONE()]
    }

    fn conditions([x, y, z]: [Interval; 3]) -> [Interval; 3] {
        let product = of_term(x * y, z);
        [product, product, of_term(z, x * y)]
    }

    fn enclose([x, y, z]: [&MpInterval; 3], precision: u32) -> MpInterval {
        let fma = |a: &Float, b: &Float, c: &Float, r: Round| {
            let v = Float::with_val_round(precision, a.mul_add_ref(b, c), r);
            // An unbounded end times zero is zero; then the sum is the addend.
            let zero_product = a.is_zero() || b.is_zero();
            if v.0.is_nan() && zero_product { Float::with_val_round(precision, c, r) } else { v }
        };
        if x.is_point() && y.is_point() && z.is_point() {
            return mp::value(|r| fma(&x.lo, &y.lo, &z.lo, r));
        }
        // The other NaN is a product unbounded on the wrong side of an unbounded addend: the addend decides.
        let lo = mp::corners(x, y, f64::NEG_INFINITY, |a, b, r| fma(a, b, &z.lo, r)).lo;
        let hi = mp::corners(x, y, f64::INFINITY, |a, b, r| fma(a, b, &z.hi, r)).hi;
        MpInterval::new(lo, hi)
    }

    fn float([x, y, z]: [f64; 3], format: Format) -> Computed {
        Computed::Exactly(format.fma(x, y, z))
    }

    fn exact([x, y, z]: [&Rational; 3]) -> Exact {
        exactly(&[x, y, z], || Rational::from(x * y) + z)
    }
}
