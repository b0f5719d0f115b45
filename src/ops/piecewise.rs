//! Absolute value, minimum, maximum, positive difference, sign transfer.

use super::domain::{all_or_none, both_signs, too_long};
use super::float::Computed;
use super::{Exact, Operator, Shape, mp};
use crate::floats::Format;
use crate::num::mpfr::Float;
use crate::num::{Interval, MpInterval, Rational, Ternary};

const INF: f64 = f64::INFINITY;
const ONE: fn() -> Interval = || Interval::point(1.0);
const ZERO: fn() -> Interval = || Interval::point(0.0);
/// Between "this operand" and "the other one".
const EITHER: fn() -> Interval = || Interval::new(0.0, 1.0);

/// |x|. Domain: reals | Range: [0, inf)
pub struct Fabs;

/// The derivative of the absolute value: Clarke's at zero.
fn sign(x: Interval) -> Interval {
    if x.inf() > 0.0 {
        ONE()
    } else if x.sup() < 0.0 {
        -ONE()
    } else {
        Interval::new(-1.0, 1.0)
    }
}

impl Operator<1> for Fabs {
    const FPCORE: &'static str = "fabs";
    const KEEPS_FORMAT: bool = true;
    const SHAPE: Shape = Shape::EVEN.total().forms(&["(sqrt (* x x))"]);

    #[inline]
    fn point([x]: [f64; 1]) -> f64 {
        x.abs()
    }

    #[inline]
    fn forward([x]: [Interval; 1]) -> (Interval, Ternary) {
        (x.abs(), Ternary::True)
    }

    #[inline]
    fn backward(y: Interval, [x]: [Interval; 1]) -> [Interval; 1] {
        [both_signs(y & Interval::new(0.0, INF), x)]
    }

    #[inline]
    fn partials([x]: [Interval; 1]) -> [Interval; 1] {
        [sign(x)]
    }

    fn conditions(_: [Interval; 1]) -> [Interval; 1] {
        [ONE()]
    }

    fn enclose([x]: [&MpInterval; 1], precision: u32) -> MpInterval {
        mp::rounded(&mp::abs(x), precision)
    }

    fn float([x]: [f64; 1], _: Format) -> Computed {
        Computed::Exactly(x.abs())
    }

    fn exact([x]: [&Rational; 1]) -> Exact {
        if too_long(&[x]) { Exact::Unknown } else { Exact::Value(x.clone().abs()) }
    }
}

/// The larger of x and y. Domain: reals | Range: reals
pub struct Fmax;

impl Operator<2> for Fmax {
    const FPCORE: &'static str = "fmax";
    const KEEPS_FORMAT: bool = true;

    #[inline]
    fn point([x, y]: [f64; 2]) -> f64 {
        // Unlike C's fmax, a NaN is kept: it says that there is no value.
        if x >= y {
            x
        } else if x < y {
            y
        } else {
            f64::NAN
        }
    }

    #[inline]
    fn forward([x, y]: [Interval; 2]) -> (Interval, Ternary) {
        (x.max(y), Ternary::True)
    }

    fn backward(z: Interval, [x, y]: [Interval; 2]) -> [Interval; 2] {
        let below = Interval::new(-INF, z.sup());
        // The one that cannot reach z leaves it to the other.
        let reach = |operand: Interval, other: Interval| operand & if other.sup() < z.inf() { z } else { below };
        all_or_none([reach(x, y), reach(y, x)])
    }

    #[inline]
    fn partials([x, y]: [Interval; 2]) -> [Interval; 2] {
        if x.inf() > y.sup() {
            [ONE(), ZERO()]
        } else if x.sup() < y.inf() {
            [ZERO(), ONE()]
        } else {
            [EITHER(); 2]
        }
    }

    /// The value is one of the arguments.
    fn conditions(x: [Interval; 2]) -> [Interval; 2] {
        Self::partials(x)
    }

    fn enclose([x, y]: [&MpInterval; 2], precision: u32) -> MpInterval {
        let larger = |a: &Float, b: &Float| if a > b { a.clone() } else { b.clone() };
        mp::rounded(&MpInterval::new(larger(&x.lo, &y.lo), larger(&x.hi, &y.hi)), precision)
    }

    fn float([x, y]: [f64; 2], _: Format) -> Computed {
        if x == 0.0 && y == 0.0 && x.is_sign_positive() != y.is_sign_positive() {
            return Computed::Zero;
        }
        // A NaN gives way to the other operand.
        Computed::Exactly(if x.is_nan() || y > x { y } else { x })
    }

    fn exact([x, y]: [&Rational; 2]) -> Exact {
        if too_long(&[x, y]) { Exact::Unknown } else { Exact::Value(if x > y { x.clone() } else { y.clone() }) }
    }
}

/// The smaller of x and y. Domain: reals | Range: reals
///
/// min(x, y) = -max(-x, -y).
pub struct Fmin;

impl Operator<2> for Fmin {
    const FPCORE: &'static str = "fmin";
    const KEEPS_FORMAT: bool = true;

    #[inline]
    fn point([x, y]: [f64; 2]) -> f64 {
        -Fmax::point([-x, -y])
    }

    #[inline]
    fn forward([x, y]: [Interval; 2]) -> (Interval, Ternary) {
        (x.min(y), Ternary::True)
    }

    fn backward(z: Interval, [x, y]: [Interval; 2]) -> [Interval; 2] {
        Fmax::backward(-z, [-x, -y]).map(|i| -i)
    }

    #[inline]
    fn partials([x, y]: [Interval; 2]) -> [Interval; 2] {
        Fmax::partials([-x, -y])
    }

    /// The value is one of the arguments.
    fn conditions(x: [Interval; 2]) -> [Interval; 2] {
        Self::partials(x)
    }

    fn enclose([x, y]: [&MpInterval; 2], precision: u32) -> MpInterval {
        Fmax::enclose([&x.neg(), &y.neg()], precision).neg()
    }

    fn float([x, y]: [f64; 2], format: Format) -> Computed {
        match Fmax::float([-x, -y], format) {
            Computed::Exactly(z) => Computed::Exactly(-z),
            zero => zero,
        }
    }

    fn exact([x, y]: [&Rational; 2]) -> Exact {
        if too_long(&[x, y]) { Exact::Unknown } else { Exact::Value(if x < y { x.clone() } else { y.clone() }) }
    }
}

/// max(x - y, 0). Domain: reals | Range: [0, inf)
pub struct Fdim;

impl Operator<2> for Fdim {
    const FPCORE: &'static str = "fdim";
    const SHAPE: Shape = Shape::NONE.forms(&["(fmax (- x y) 0)"]);

    #[inline]
    fn point([x, y]: [f64; 2]) -> f64 {
        Fmax::point([x - y, 0.0])
    }

    #[inline]
    fn forward([x, y]: [Interval; 2]) -> (Interval, Ternary) {
        ((x - y).max(ZERO()), Ternary::True)
    }

    fn backward(z: Interval, [x, y]: [Interval; 2]) -> [Interval; 2] {
        let z = z & Interval::new(0.0, INF);
        if z.is_empty() {
            return [z; 2];
        }
        // Zero stands for every difference that is not positive.
        let difference = if z.inf() > 0.0 { z } else { Interval::new(-INF, z.sup()) };
        let x = x & (difference + y);
        all_or_none([x, y & (x - difference)])
    }

    #[inline]
    fn partials([x, y]: [Interval; 2]) -> [Interval; 2] {
        let by_x = Fmax::partials([x, y])[0];
        [by_x, -by_x]
    }

    fn enclose([x, y]: [&MpInterval; 2], precision: u32) -> MpInterval {
        let difference = super::arith::Sub::enclose([x, y], precision);
        Fmax::enclose([&difference, &mp::from_f64(0.0, 0.0, precision)], precision)
    }

    fn float([x, y]: [f64; 2], format: Format) -> Computed {
        Computed::Exactly(if x <= y { 0.0 } else { format.sub(x, y) })
    }

    fn exact([x, y]: [&Rational; 2]) -> Exact {
        if too_long(&[x, y]) {
            Exact::Unknown
        } else {
            Exact::Value(if x > y { Rational::from(x - y) } else { Rational::new() })
        }
    }
}

/// |x| if y >= 0, else -|x|. Domain: reals | Range: reals
///
/// Over the reals a zero has no sign: the sign of y = 0 is taken as positive.
pub struct Copysign;

impl Operator<2> for Copysign {
    const FPCORE: &'static str = "copysign";
    const KEEPS_FORMAT: bool = true;
    const TELLS_ZEROS_APART: bool = true;

    #[inline]
    fn point([x, y]: [f64; 2]) -> f64 {
        if y >= 0.0 {
            x.abs()
        } else if y < 0.0 {
            -x.abs()
        } else {
            f64::NAN
        }
    }

    #[inline]
    fn forward([x, y]: [Interval; 2]) -> (Interval, Ternary) {
        let magnitude = x.abs();
        let image = if y.inf() >= 0.0 {
            magnitude
        } else if y.sup() < 0.0 {
            -magnitude
        } else {
            magnitude | -magnitude
        };
        (image, Ternary::True)
    }

    fn backward(z: Interval, [x, y]: [Interval; 2]) -> [Interval; 2] {
        let (image, _) = Self::forward([x, y]);
        let z = z & image;
        let x = both_signs(z.abs(), x);
        let y = if z.inf() > 0.0 {
            y & Interval::new(0.0, INF)
        } else if z.sup() < 0.0 {
            y & Interval::new(-INF, 0.0)
        } else {
            y
        };
        all_or_none([x, y])
    }

    fn partials([x, y]: [Interval; 2]) -> [Interval; 2] {
        if y.inf() >= 0.0 {
            [sign(x), ZERO()]
        } else if y.sup() < 0.0 {
            [-sign(x), ZERO()]
        } else {
            [Interval::ENTIRE; 2]
        }
    }

    fn enclose([x, y]: [&MpInterval; 2], precision: u32) -> MpInterval {
        let magnitude = mp::rounded(&mp::abs(x), precision);
        if y.lo >= 0 {
            magnitude
        } else if y.hi < 0 {
            magnitude.neg()
        } else {
            magnitude.hull(&magnitude.neg())
        }
    }

    fn float([x, y]: [f64; 2], _: Format) -> Computed {
        Computed::Exactly(x.copysign(y))
    }

    fn exact([x, y]: [&Rational; 2]) -> Exact {
        if too_long(&[x, y]) {
            return Exact::Unknown;
        }
        let magnitude = x.clone().abs();
        Exact::Value(if *y >= 0 { magnitude } else { -magnitude })
    }
}
