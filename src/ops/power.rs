//! Roots, powers and the Euclidean distance.

use super::condition::of_term;
use super::domain::{all_or_none, both_signs, from, or_entire, too_long};
use super::float::{ANY, Computed, library};
use super::unary::monotone_operators;
use super::{Exact, Operator, Shape, mp, narrow};
use crate::floats::Format;
use crate::num::elementary as el;
use crate::num::mpfr::{Float, Integer, Pow as _, Round};
use crate::num::{Interval, MpInterval, Rational, Ternary};
use std::cmp::Ordering;

const INF: f64 = f64::INFINITY;

/// The `n`-th root of a rational number (not negative unless `n` is odd), if it is rational.
fn rational_root(x: &Rational, n: u32) -> Option<Rational> {
    let root = |k: &Integer| {
        let (root, rest) = k.clone().root_rem(Integer::new(), n);
        (rest == 0).then_some(root)
    };
    // A fraction in lowest terms is an n-th power if and only if both parts are.
    Some(Rational::from((root(x.numer())?, root(x.denom())?)))
}

fn exact_root(x: &Rational, n: u32) -> Exact {
    rational_root(x, n).map_or(Exact::Unknown, Exact::Value)
}

monotone_operators! {
    /// Square root. Domain: [0, inf) | Range: [0, inf)
    Sqrt = "sqrt": increasing on from(0.0), point f64::sqrt, image Interval::sqrt,
        inverse |y: Interval| (y & Interval::new(0.0, INF)).sqr(),
        derivative |x: Interval| (x.sqrt() * Interval::point(2.0)).recip(), mpfr sqrt_ref, exact |x| exact_root(x, 2),
        float |x, format: Format| Computed::Exactly(format.sqrt(x)),
        condition |_| Interval::point(0.5),
        shape Shape::NONE.forms(&["(pow x 1/2)"]);
    /// Cube root. Domain: reals | Range: reals
    Cbrt = "cbrt": increasing on super::domain::REALS, point core_math::cbrt, image el::cbrt,
        inverse |y| el::powi(y, 3.0),
        derivative |x| (el::cbrt(x).sqr() * Interval::point(3.0)).recip(), mpfr cbrt_ref, exact |x| exact_root(x, 3),
        float |x, _| library(x, &[(0.0, 0.0), (-INF, -INF), (INF, INF)], ANY),
        condition |_| Interval::point(3.0).recip(),
        shape Shape::ODD.total().forms(&["(pow x (/ 1 3))"]);
}

/// sqrt(x^2 + y^2). Domain: reals | Range: [0, inf)
pub struct Hypot;

impl Operator<2> for Hypot {
    const FPCORE: &'static str = "hypot";
    const SHAPE: Shape = Shape::NONE.forms(&["(sqrt (+ (* x x) (* y y)))"]);

    #[inline]
    fn point([x, y]: [f64; 2]) -> f64 {
        // C's hypot of NaN and infinity is infinite.
        if x.is_nan() || y.is_nan() { f64::NAN } else { core_math::hypot(x, y) }
    }

    #[inline]
    fn forward([x, y]: [Interval; 2]) -> (Interval, Ternary) {
        (el::hypot(x, y), Ternary::True)
    }

    fn backward(z: Interval, [x, y]: [Interval; 2]) -> [Interval; 2] {
        let z = z & Interval::new(0.0, INF);
        if z.is_empty() {
            return [z; 2];
        }
        // |x| = sqrt(z^2 - y^2), and never above z, which holds where the squares overflow.
        let leg = |other: Interval| (z.sqr() - other.sqr()).sqrt() & Interval::new(0.0, z.sup());
        let x = both_signs(leg(y), x);
        all_or_none([x, both_signs(leg(x), y)])
    }

    fn partials([x, y]: [Interval; 2]) -> [Interval; 2] {
        // At the origin, where this is not differentiable, the gradients around have components in [-1, 1].
        let unit = Interval::new(-1.0, 1.0);
        let h = el::hypot(x, y);
        [x, y].map(|leg| if h.contains(0.0) { unit } else { (leg / h) & unit })
    }

    fn conditions([x, y]: [Interval; 2]) -> [Interval; 2] {
        // x^2 / (x^2 + y^2)
        [of_term(x.sqr(), y.sqr()), of_term(y.sqr(), x.sqr())]
    }

    fn enclose([x, y]: [&MpInterval; 2], precision: u32) -> MpInterval {
        let (x, y) = (mp::abs(x), mp::abs(y));
        let hypot = |a: &Float, b: &Float, r| Float::with_val_round(precision, a.hypot_ref(b), r);
        if x.is_point() && y.is_point() {
            return mp::value(|r| hypot(&x.lo, &y.lo, r));
        }
        MpInterval::new(hypot(&x.lo, &y.lo, Round::Down).0, hypot(&x.hi, &y.hi, Round::Up).0)
    }

    fn float([x, y]: [f64; 2], _: Format) -> Computed {
        if x.is_infinite() || y.is_infinite() {
            Computed::Exactly(INF)
        } else if x == 0.0 || y == 0.0 {
            Computed::Exactly(x.abs() + y.abs())
        } else if x.is_nan() || y.is_nan() {
            Computed::Exactly(f64::NAN)
        } else {
            Computed::Near(0.0, INF)
        }
    }

    fn exact([x, y]: [&Rational; 2]) -> Exact {
        if too_long(&[x, y]) { Exact::Unknown } else { exact_root(&(x.clone().square() + y.clone().square()), 2) }
    }
}

/// x^y. Domain: x > 0; x = 0 and y >= 0; x < 0 and y an integer | Range: reals
///
/// 0^0 = 1, as in FPCore and C.
pub struct Pow;

/// Whether `y` is one integer.
#[inline]
fn integer(y: Interval) -> Option<f64> {
    (y.is_point() && y.inf().fract() == 0.0).then_some(y.inf())
}

#[inline]
fn power_domain(x: Interval, y: Interval) -> Ternary {
    if x.inf() > 0.0 || (x.inf() >= 0.0 && y.inf() >= 0.0) {
        return Ternary::True;
    }
    if let Some(n) = integer(y) {
        return Ternary::decide(n >= 0.0 || !x.contains(0.0), x.is_point() && x.contains(0.0));
    }
    // Nowhere: no positive base, no integer exponent for negative ones, no zero with an exponent that it takes.
    let no_integer = y.inf().ceil() > y.sup().floor();
    let no_negative = x.inf() >= 0.0 || no_integer;
    let no_zero = !x.contains(0.0) || y.sup() < 0.0;
    Ternary::decide(false, x.sup() <= 0.0 && no_negative && no_zero)
}

impl Operator<2> for Pow {
    const FPCORE: &'static str = "pow";

    #[inline]
    fn point([x, y]: [f64; 2]) -> f64 {
        // C's pow of a NaN with 1 or 0 is 1, and of 0 with a negative number infinite.
        if y == 2.0 {
            x * x
        } else if y == 3.0 {
            x * x * x
        } else if x.is_nan() || y.is_nan() || (x == 0.0 && y < 0.0) {
            f64::NAN
        } else {
            core_math::pow(x, y)
        }
    }

    #[inline]
    fn forward([x, y]: [Interval; 2]) -> (Interval, Ternary) {
        if let Some(n) = integer(y).filter(|n| *n > 0.0) {
            return (el::powi(x, n), Ternary::True);
        }
        let def = power_domain(x, y);
        if def.is_false() { (Interval::EMPTY, def) } else { (el::pow(x, y), def) }
    }

    fn backward(z: Interval, [x, y]: [Interval; 2]) -> [Interval; 2] {
        // x^2 and x^3, common and total: the roots alone tell whether the value is in reach.
        if y.is_point() && y.inf() == 2.0 {
            return all_or_none([both_signs(z.sqrt(), x), y]);
        }
        if y.is_point() && y.inf() == 3.0 {
            return all_or_none([x & el::cbrt(z), y]);
        }
        let (image, def) = Self::forward([x, y]);
        if def.is_false() || (image & z).is_empty() {
            return [Interval::EMPTY; 2];
        }
        if let Some(n) = integer(y) {
            let x = if n == 0.0 {
                x
            } else if (n * 0.5).fract() == 0.0 {
                both_signs(el::root(z, n), x)
            } else {
                (x & el::root(z, n)) | (x & -el::root(-z, n))
            };
            return all_or_none([x, y]);
        }
        if x.inf() < 0.0 {
            return [x, y];
        }
        // For x > 0: y log x = log z.
        let log_z = el::log(z);
        let log_x = y.mul_rev(log_z, el::log(x));
        let mut base = x & el::exp(log_x);
        let mut exponent = log_x.mul_rev(log_z, y);
        if x.contains(0.0) {
            // 0^y = 0 for y > 0, and 0^0 = 1.
            if z.contains(0.0) && y.sup() > 0.0 {
                base = base | Interval::point(0.0);
                exponent = exponent | (y & Interval::new(0.0, INF));
            }
            if z.contains(1.0) && y.contains(0.0) {
                base = base | Interval::point(0.0);
                exponent = exponent | Interval::point(0.0);
            }
        }
        all_or_none([base, exponent])
    }

    fn partials([x, y]: [Interval; 2]) -> [Interval; 2] {
        // Below 2^53, n - 1 is exact.
        if let Some(n) = integer(y).filter(|n| n.abs() < 9e15) {
            let by_x = if n == 0.0 { Interval::point(0.0) } else { or_entire(y * el::powi(x, n - 1.0)) };
            // The derivative by an exponent that does not vary: small integers are constants nearly always, for
            // which it is not worth two logarithms.
            let by_y = if x.inf() > 0.0 && n.abs() > 8.0 { el::pow(x, y) * el::log(x) } else { Interval::ENTIRE };
            return [by_x, by_y];
        }
        if x.inf() > 0.0 {
            [or_entire(y * el::pow(x, y - Interval::point(1.0))), or_entire(el::pow(x, y) * el::log(x))]
        } else {
            // 0^y jumps at y = 0, and negative bases have isolated exponents.
            [Interval::ENTIRE; 2]
        }
    }

    fn conditions([x, y]: [Interval; 2]) -> [Interval; 2] {
        [y, if x.inf() > 0.0 { or_entire(y * el::log(x)) } else { Interval::ENTIRE }]
    }

    fn enclose([x, y]: [&MpInterval; 2], precision: u32) -> MpInterval {
        enclose_power(x, y, precision)
    }

    fn float([x, y]: [f64; 2], _: Format) -> Computed {
        let whole = y.fract() == 0.0;
        let odd = whole && (y * 0.5).fract() != 0.0;
        // As large as an infinity or as small as a zero, with a sign where the power is odd.
        let end = |large: bool| {
            let y = if large { INF } else { 0.0 };
            Computed::Exactly(if odd { y.copysign(x) } else { y })
        };
        if y == 0.0 || x == 1.0 || (x == -1.0 && y.is_infinite()) {
            Computed::Exactly(1.0)
        } else if x.is_nan() || y.is_nan() {
            Computed::Exactly(f64::NAN)
        } else if y.is_infinite() {
            Computed::Exactly(if (x.abs() > 1.0) == (y > 0.0) { INF } else { 0.0 })
        } else if x == 0.0 {
            end(y < 0.0)
        } else if x.is_infinite() {
            end(y > 0.0)
        } else if x < 0.0 && !whole {
            Computed::Exactly(f64::NAN)
        } else {
            Computed::Near(ANY.0, ANY.1)
        }
    }

    fn exact([x, y]: [&Rational; 2]) -> Exact {
        exact_power(x, y)
    }
}

fn enclose_power(x: &MpInterval, y: &MpInterval, precision: u32) -> MpInterval {
    let power = |a: &Float, b: &Float, r| {
        // A zero must not carry a sign into MPFR.
        let a = if a.is_zero() { Float::new(53) } else { a.clone() };
        Float::with_val_round(precision, (&a).pow(b), r)
    };
    if let Some(narrow) = narrow::power(x, y, precision) {
        return narrow;
    }
    if x.lo > 0 || (x.lo >= 0 && y.lo >= 0) {
        // An exponent that does not vary makes it monotone: two powers instead of eight, and powers are dear.
        if y.is_point() {
            let f = |a: &Float, r| power(a, &y.lo, r);
            return if y.lo >= 0 { mp::increasing(x, f) } else { mp::decreasing(x, f) };
        }
        // exp(y log x) has its extrema at corners, and signs say at which; MPFR gives the limits at 0 and infinity.
        let (small, large) = (x.lo >= 1, x.hi >= 1);
        let [least, most] = if y.lo >= 0 {
            [(&x.lo, if small { &y.lo } else { &y.hi }), (&x.hi, if large { &y.hi } else { &y.lo })]
        } else if y.hi <= 0 {
            [(&x.hi, if large { &y.lo } else { &y.hi }), (&x.lo, if small { &y.hi } else { &y.lo })]
        } else {
            return mp::corners(x, y, 0.0, power);
        };
        return MpInterval::new(power(least.0, least.1, Round::Down).0, power(most.0, most.1, Round::Up).0);
    }
    if y.is_point() && y.lo.is_integer() {
        if mp::is_zero(x) {
            return MpInterval::undefined(precision); // y < 0 here
        }
        if y.lo < 0 && mp::holds_zero(x) {
            return MpInterval::entire(precision, Ternary::Unknown);
        }
        // y is even if half of it is an integer: halving is exact.
        let even = Float::with_val(y.lo.prec(), &y.lo >> 1u32).is_integer();
        let f = |a: &Float, r| power(a, &y.lo, r);
        return match (even, y.lo.cmp0()) {
            (true, Some(Ordering::Less)) => mp::decreasing(&mp::abs(x), f),
            (true, _) => mp::increasing(&mp::abs(x), f),
            (false, Some(Ordering::Less)) => mp::decreasing(x, f),
            (false, _) => mp::increasing(x, f),
        };
    }
    let no_integer = {
        let first = Float::with_val_round(y.lo.prec(), y.lo.ceil_ref(), Round::Down).0;
        first > y.hi
    };
    if (x.hi < 0 && no_integer) || (mp::is_zero(x) && y.hi < 0) || (x.hi <= 0 && no_integer && y.hi < 0) {
        return MpInterval::undefined(precision);
    }
    MpInterval::entire(precision, Ternary::Unknown)
}

fn exact_power(x: &Rational, y: &Rational) -> Exact {
    if *x == 0 {
        return match y.cmp0() {
            Ordering::Greater => Exact::Value(Rational::new()),
            Ordering::Equal => Exact::Value(Rational::from(1)),
            Ordering::Less => Exact::Undefined,
        };
    }
    if *x < 0 && !y.is_integer() {
        return Exact::Undefined;
    }
    if *x == 1 {
        return Exact::Value(Rational::from(1));
    }
    let (Some(n), Some(d)) = (y.numer().to_i32(), y.denom().to_u32()) else { return Exact::Unknown };
    let bits = u64::from(x.numer().significant_bits().max(x.denom().significant_bits()));
    if bits * u64::from(n.unsigned_abs()) > 20_000 || bits > 20_000 || d > 64 {
        return Exact::Unknown;
    }
    let Some(root) = rational_root(x, d) else { return Exact::Unknown };
    let power = Rational::from((&root).pow(n));
    Exact::Value(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enclosed(x: (f64, f64), y: (f64, f64)) -> MpInterval {
        let interval = |(lo, hi)| MpInterval::new(Float::with_val(53, lo), Float::with_val(53, hi));
        enclose_power(&interval(x), &interval(y), 120)
    }

    #[test]
    fn powers_have_no_value_where_no_number_of_the_box_has_one() {
        for (x, y) in [((-2.0, -1.0), (0.5, 0.75)), ((-1.0, 0.0), (-0.5, -0.5)), ((0.0, 0.0), (-2.0, -0.5))] {
            assert!(enclosed(x, y).def.is_false(), "{x:?} {y:?}");
        }
        // One has a value here, another one has none.
        for (x, y) in [((-1.0, 0.0), (-1.0, -0.5)), ((-1.0, 0.0), (0.5, 0.5)), ((-1.0, 2.0), (-3.0, -3.0))] {
            assert!(enclosed(x, y).def == Ternary::Unknown, "{x:?} {y:?}");
        }
        let poles = enclosed((-1.0, 2.0), (-3.0, -3.0));
        assert!(poles.lo.is_infinite() && poles.hi.is_infinite());
    }

    /// The logarithm of the power is y log x, of which log x and y are the derivatives by y and by log x.
    #[test]
    fn condition_numbers_of_powers_are_those_of_their_logarithms() {
        for (x, y) in [(0.5, 2.0), (1.0, 3.0), (2.0, 0.5), (7.0, -1.5), (1e10, 20.0)] {
            let c = Pow::conditions([x, y].map(Interval::point));
            for (found, exact) in c.into_iter().zip([y, y * x.ln()]) {
                assert!(
                    (found.mid() - exact).abs() <= 1e-12 * exact.abs() && found.wid() <= 1e-12 * exact.abs(),
                    "{x} {y}"
                );
            }
        }
        for x in [Interval::new(0.0, 1.0), Interval::new(-1.0, 1.0)] {
            assert!(Pow::conditions([x, Interval::point(2.0)])[1].contains(2.0 * 1e-300f64.ln()), "{x:?}");
        }
    }
}
