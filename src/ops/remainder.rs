//! The remainders of division.

use super::arith::{Div, nonzero};
use super::domain::{all_or_none, too_long};
use super::float::Computed;
use super::mp::Rounded;
use super::rounding::ties_even;
use super::{Exact, Operator, mp};
use crate::floats::Format;
use crate::num::mpfr::{AssignRound as _, Float, Round};
use crate::num::{Interval, MpInterval, Rational, Ternary};

const INF: f64 = f64::INFINITY;
const ONE: fn() -> Interval = || Interval::point(1.0);

/// A remainder x - y n with n = round(x / y) for one of two roundings.
struct Division {
    /// The rounding of an interval of quotients.
    round: fn(Interval) -> Interval,
    /// A bound of |remainder| / |y|.
    share: f64,
    /// Whether the remainder has the sign of x.
    keeps_sign: bool,
}

const FMOD: Division = Division { round: Interval::trunc, share: 1.0, keeps_sign: true };
const REMAINDER: Division = Division { round: Interval::round_ties_even, share: 0.5, keeps_sign: false };

impl Division {
    /// The quotient's integer on the box, if it is everywhere the same.
    fn quotient(&self, x: Interval, y: Interval) -> Option<f64> {
        let n = (self.round)(x / y);
        (n.is_point() && !y.contains(0.0)).then_some(n.inf())
    }

    /// What the remainder cannot exceed: share |y|, |x|, and the sign of x where it is kept.
    fn range(&self, x: Interval, y: Interval) -> Interval {
        let largest = x.mag().min((Interval::point(self.share) * y.abs()).sup());
        let lo = if self.keeps_sign && x.inf() >= 0.0 { 0.0 } else { -largest };
        let hi = if self.keeps_sign && x.sup() <= 0.0 { 0.0 } else { largest };
        Interval::new(lo, hi)
    }

    fn forward(&self, x: Interval, y: Interval, point: fn([f64; 2]) -> f64) -> (Interval, Ternary) {
        let def = nonzero(y);
        if def.is_false() {
            return (Interval::EMPTY, def);
        }
        // The remainder of two binary64 numbers is a binary64 number.
        if x.is_point() && y.is_point() {
            return (Interval::point(point([x.inf(), y.inf()])), def);
        }
        let range = self.range(x, y);
        match self.quotient(x, y) {
            Some(n) => (range & (x - y * Interval::point(n)), def),
            None => (range, def),
        }
    }

    fn backward(&self, z: Interval, x: Interval, y: Interval) -> [Interval; 2] {
        let z = z & self.range(x, y);
        if z.is_empty() || nonzero(y).is_false() {
            return [Interval::EMPTY; 2];
        }
        // |remainder| <= |x|, and <= share |y|.
        let least = z.mig();
        let (up, down) = (Interval::new(least, INF), Interval::new(-INF, -least));
        let mut x = if self.keeps_sign && z.inf() > 0.0 {
            x & up
        } else if self.keeps_sign && z.sup() < 0.0 {
            x & down
        } else {
            (x & up) | (x & down)
        };
        let mut y = {
            let bound = (Interval::point(least) / Interval::point(self.share)).inf();
            (y & Interval::new(bound, INF)) | (y & Interval::new(-INF, -bound))
        };
        if let Some(n) = (!x.is_empty() && !y.is_empty()).then(|| self.quotient(x, y)).flatten() {
            let n = Interval::point(n);
            x = x & (z + y * n);
            y = n.mul_rev(x - z, y);
        }
        all_or_none([x, y])
    }

    fn partials(&self, x: Interval, y: Interval) -> [Interval; 2] {
        // Constant quotient: x - n y. It jumps otherwise.
        match self.quotient(x, y) {
            Some(n) => [ONE(), -Interval::point(n)],
            None => [Interval::ENTIRE; 2],
        }
    }
}

/// The image in multiple precision; `round` rounds a quotient and `exact` gives the remainder of two numbers.
fn enclose(
    division: &Division,
    [x, y]: [&MpInterval; 2],
    precision: u32,
    round: impl Fn(&Float) -> Float,
    exact: impl Fn(&Float, &Float, Round) -> Rounded,
) -> MpInterval {
    if mp::is_zero(y) {
        return MpInterval::undefined(precision);
    }
    if mp::holds_zero(y) {
        return MpInterval::entire(precision, Ternary::Unknown);
    }
    if x.is_point() && y.is_point() {
        return mp::value(|r| exact(&x.lo, &y.lo, r));
    }
    // The bounds that always hold; see `Division::range`.
    let (mag_x, mag_y) = (mp::abs(x).hi, mp::abs(y).hi);
    let share = Float::with_val_round(precision, &mag_y * division.share, Round::Up).0;
    let largest = if mag_x < share { Float::with_val_round(precision, &mag_x, Round::Up).0 } else { share };
    let mut lo = Float::with_val(precision, -&largest);
    let mut hi = largest;
    if division.keeps_sign && x.lo >= 0 {
        lo = Float::new(precision);
    }
    if division.keeps_sign && x.hi <= 0 {
        hi = Float::new(precision);
    }
    let quotient = Div::enclose([x, y], precision + 64);
    let n = round(&quotient.lo);
    if n.is_finite() && n == round(&quotient.hi) {
        // x - n y, falling in y if n > 0; where n = 0 this is x, also for unbounded y.
        let minus_n = Float::with_val(n.prec(), -&n);
        let (y_low, y_high) = if n > 0 { (&y.hi, &y.lo) } else { (&y.lo, &y.hi) };
        let difference = |x: &Float, y: &Float, r| {
            if n.is_zero() {
                Float::with_val_round(precision, x, r).0
            } else {
                Float::with_val_round(precision, minus_n.mul_add_ref(y, x), r).0
            }
        };
        let (below, above) = (difference(&x.lo, y_low, Round::Down), difference(&x.hi, y_high, Round::Up));
        if below > lo {
            lo = below;
        }
        if above < hi {
            hi = above;
        }
    }
    MpInterval::new(lo, hi)
}

/// x - y n with n = x / y without its fraction. Domain: y != 0 | Range: reals
pub struct Fmod;

impl Operator<2> for Fmod {
    const FPCORE: &'static str = "fmod";
    const KEEPS_FORMAT: bool = true;

    #[inline]
    fn point([x, y]: [f64; 2]) -> f64 {
        x % y
    }

    fn forward([x, y]: [Interval; 2]) -> (Interval, Ternary) {
        FMOD.forward(x, y, Self::point)
    }

    fn backward(z: Interval, [x, y]: [Interval; 2]) -> [Interval; 2] {
        FMOD.backward(z, x, y)
    }

    fn partials([x, y]: [Interval; 2]) -> [Interval; 2] {
        FMOD.partials(x, y)
    }

    fn enclose(x: [&MpInterval; 2], precision: u32) -> MpInterval {
        let round = |q: &Float| Float::with_val(q.prec(), q.trunc_ref());
        enclose(&FMOD, x, precision, round, |a, b, r| Float::with_val_round(precision, a % b, r))
    }

    fn float([x, y]: [f64; 2], _: Format) -> Computed {
        // Exact, and zero with the sign of x.
        Computed::Exactly(x % y)
    }

    fn exact([x, y]: [&Rational; 2]) -> Exact {
        exact([x, y], |q| Rational::from(q.trunc_ref()))
    }
}

/// x - y n with n = x / y rounded to nearest, halves to even. Domain: y != 0 | Range: reals
pub struct Remainder;

impl Operator<2> for Remainder {
    const FPCORE: &'static str = "remainder";
    const KEEPS_FORMAT: bool = true;

    fn point([x, y]: [f64; 2]) -> f64 {
        if y == 0.0 || !x.is_finite() || y.is_nan() {
            return f64::NAN;
        }
        let divisor = y.abs();
        // Every step is exact. First |x| modulo 2|y|, unless 2|y| overflows and |x| is below it anyway.
        let mut rest = if divisor <= 0.5 * f64::MAX { x.abs() % (2.0 * divisor) } else { x.abs() };
        // Then at most two more |y| go, compared as twice the rest where the half of a tiny |y| is not representable.
        let tiny = divisor < 2.0 * f64::MIN_POSITIVE;
        let above_half = |rest: f64| if tiny { 2.0 * rest > divisor } else { rest > 0.5 * divisor };
        let from_half = |rest: f64| if tiny { 2.0 * rest >= divisor } else { rest >= 0.5 * divisor };
        if above_half(rest) {
            rest -= divisor;
            if from_half(rest) {
                rest -= divisor;
            }
        }
        if x < 0.0 { -rest } else { rest }
    }

    fn forward([x, y]: [Interval; 2]) -> (Interval, Ternary) {
        REMAINDER.forward(x, y, Self::point)
    }

    fn backward(z: Interval, [x, y]: [Interval; 2]) -> [Interval; 2] {
        REMAINDER.backward(z, x, y)
    }

    fn partials([x, y]: [Interval; 2]) -> [Interval; 2] {
        REMAINDER.partials(x, y)
    }

    fn enclose(x: [&MpInterval; 2], precision: u32) -> MpInterval {
        let round = |q: &Float| Float::with_val(q.prec(), q.round_even_ref());
        enclose(&REMAINDER, x, precision, round, |a, b, r| {
            let mut rest = Float::new(precision);
            let compared = rest.assign_round(a.remainder_ref(b), r);
            (rest, compared)
        })
    }

    fn float([x, y]: [f64; 2], _: Format) -> Computed {
        let rest = if y.is_infinite() && x.is_finite() { x } else { Self::point([x, y]) };
        Computed::Exactly(if rest == 0.0 { rest.copysign(x) } else { rest })
    }

    fn exact([x, y]: [&Rational; 2]) -> Exact {
        exact([x, y], ties_even)
    }
}

/// The remainder of rational numbers for a rounding of the quotient.
fn exact([x, y]: [&Rational; 2], round: impl Fn(&Rational) -> Rational) -> Exact {
    if *y == 0 {
        Exact::Undefined
    } else if too_long(&[x, y]) {
        Exact::Unknown
    } else {
        let quotient = Rational::from(x / y);
        Exact::Value(x - round(&quotient) * y)
    }
}
