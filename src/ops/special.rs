//! Error functions and gamma functions.

use super::condition::even;
use super::domain::{REALS, newton, or_entire, too_long};
use super::float::{ANY, Computed, library};
use super::unary::{monotone_operators, only_at};
use super::{Exact, Operator, Shape, mp};
use crate::floats::Format;
use crate::num::elementary::{self as el, ARGMIN};
use crate::num::mpfr::{AssignRound as _, Float, Integer, MpConstant, Round};
use crate::num::{Interval, MpInterval, Rational, Ternary};
use std::cmp::Ordering;

const INF: f64 = f64::INFINITY;
/// 2 / sqrt(pi), enclosed.
const TWO_OVER_ROOT_PI: fn() -> Interval =
    || Interval::outward(std::f64::consts::FRAC_2_SQRT_PI, std::f64::consts::FRAC_2_SQRT_PI);

fn erf_derivative(x: Interval) -> Interval {
    TWO_OVER_ROOT_PI() * el::exp(-x.sqr())
}

/// Arguments with an error function in `y`: erfc x <= exp(-x^2) for x >= 0, so x <= sqrt(-log(1 - erf x)).
fn erf_inverse(y: Interval) -> Interval {
    let y = y & Interval::new(-1.0, 1.0);
    if y.is_empty() {
        return y;
    }
    let bound = |value: f64| {
        let distance = Interval::point(1.0) - Interval::point(value.max(0.0));
        let square = -el::log(distance);
        if distance.sup() <= 0.0 { f64::INFINITY } else { square.sqrt().sup().max(0.0) }
    };
    let hi = if y.sup() >= 0.0 { bound(y.sup()) } else { 0.0 };
    let lo = if y.inf() <= 0.0 { -bound(-y.inf()) } else { 0.0 };
    Interval::new(lo, hi)
}

/// Arguments with a complementary error function in `y`: through erf, and for small values through its bound.
fn erfc_inverse(y: Interval) -> Interval {
    let y = y & Interval::new(0.0, 2.0);
    let x = erf_inverse(Interval::point(1.0) - y);
    // erfc x <= exp(-x^2) for x >= 0.
    if y.inf() > 0.0 && y.sup() < 1.0 {
        x & Interval::new(0.0, (-el::log(Interval::point(y.inf()))).sqrt().sup())
    } else {
        x
    }
}

monotone_operators! {
    /// Error function. Domain: reals | Range: (-1, 1)
    Erf = "erf": increasing on REALS, point core_math::erf, image el::erf, inverse erf_inverse,
        derivative erf_derivative, mpfr erf_ref, exact only_at(0, 0),
        float |x, _| library(x, &[(0.0, 0.0), (-INF, -1.0), (INF, 1.0)], (-1.0, 1.0)),
        refined |y, x| newton(y, x, el::erf, erf_derivative(x)),
        condition |x: Interval| even(x, |x| x * erf_derivative(x) / el::erf(x)),
        shape Shape::ODD.total();
    /// 1 - erf(x). Domain: reals | Range: (0, 2)
    Erfc = "erfc": decreasing on REALS, point core_math::erfc, image el::erfc, inverse erfc_inverse,
        derivative |x| -erf_derivative(x), mpfr erfc_ref, exact only_at(0, 1),
        float |x, _| library(x, &[(-INF, 2.0), (INF, 0.0)], (0.0, 2.0)),
        refined |y, x| newton(y, x, el::erfc, -erf_derivative(x)),
        shape Shape::NONE.forms(&["(- 1 (erf x))"]);
}

/// Whether the points of `x` are off the poles 0, -1, -2, ...
fn gamma_domain(x: Interval) -> Ternary {
    Ternary::decide(el::free_of_poles(x), x.is_point() && is_pole(x.inf()))
}

fn is_pole(x: f64) -> bool {
    x <= 0.0 && x.fract() == 0.0
}

/// HC4's projection for a function with derivative `derivative` on the positive numbers.
fn gamma_backward(
    y: Interval,
    x: Interval,
    f: impl Fn(Interval) -> Interval,
    derivative: impl Fn(Interval) -> Interval,
) -> Interval {
    let def = gamma_domain(x);
    if def.is_false() || (def.is_true() && (f(x) & y).is_empty()) {
        return Interval::EMPTY;
    }
    if x.inf() > 0.0 { newton(y, x, f, derivative(x)) } else { x }
}

/// A function on the pieces between the poles, where log |gamma| is convex, so that the sign of its derivative at the
/// ends tells where it rises; `below(a, width)` is a lower bound on `[a, a + width]` if it falls at `a`. On either side of the
/// minimum of the positive piece no derivative is needed, and the function is looked at where it is largest and smallest alone.
fn convex(
    x: &MpInterval,
    precision: u32,
    f: impl Fn(&Float, Round) -> Float,
    below: impl Fn(&Float, &Float) -> Float,
) -> MpInterval {
    if x.lo >= ARGMIN.1 {
        return MpInterval::new(f(&x.lo, Round::Down), f(&x.hi, Round::Up));
    }
    if x.lo > 0 && x.hi <= ARGMIN.0 {
        return MpInterval::new(f(&x.hi, Round::Down), f(&x.lo, Round::Up));
    }
    let slope = |a: &Float| Float::with_val_round(64, a.digamma_ref(), Round::Zero).0;
    let hi = {
        let (a, b) = (f(&x.lo, Round::Up), f(&x.hi, Round::Up));
        if a > b { a } else { b }
    };
    let lo = if slope(&x.lo) >= 0 {
        f(&x.lo, Round::Down)
    } else if slope(&x.hi) <= 0 {
        f(&x.hi, Round::Down)
    } else {
        let width = Float::with_val_round(precision, &x.hi - &x.lo, Round::Up).0;
        below(&x.lo, &width)
    };
    MpInterval::new(lo, hi)
}

/// How an argument of the gamma functions lies.
enum Place {
    /// At a pole.
    Pole,
    /// Not surely between two neighbouring poles, or wide.
    Unsettled,
    /// Between two neighbouring poles, or positive; whether gamma is negative there.
    Piece(bool),
}

fn place(x: &MpInterval) -> Place {
    // 2^52: below, the integers next to a number have at most 53 bits; binary64 has only integers beyond.
    const LARGEST: f64 = 4_503_599_627_370_496.0;
    if x.is_point() && x.lo <= 0 && x.lo.is_integer() {
        return Place::Pole;
    }
    // However large: what rises there needs its ends alone.
    let rises = x.lo >= ARGMIN.1;
    if x.lo > 0 && (x.is_point() || rises || x.hi < LARGEST) {
        return Place::Piece(false);
    }
    if x.hi >= 0 || x.lo < -LARGEST {
        return Place::Unsettled;
    }
    let floor = |a: &Float| Float::with_val_round(64, a.floor_ref(), Round::Down).0;
    if floor(&x.lo) == floor(&x.hi) && !x.lo.is_integer() {
        let odd = !(floor(&x.lo) / 2u32).is_integer();
        Place::Piece(odd)
    } else {
        Place::Unsettled
    }
}

/// The gamma function. Domain: all but 0, -1, -2, ... | Range: all but 0
pub struct Tgamma;

impl Operator<1> for Tgamma {
    const FPCORE: &'static str = "tgamma";
    const SHAPE: Shape = Shape::NONE.forms(&["(exp (lgamma x))"]);

    fn point([x]: [f64; 1]) -> f64 {
        if is_pole(x) { f64::NAN } else { core_math::tgamma(x) }
    }

    fn forward([x]: [Interval; 1]) -> (Interval, Ternary) {
        (el::tgamma(x), gamma_domain(x))
    }

    fn backward(y: Interval, [x]: [Interval; 1]) -> [Interval; 1] {
        [gamma_backward(y, x, el::tgamma, |x| Self::partials([x])[0])]
    }

    fn partials([x]: [Interval; 1]) -> [Interval; 1] {
        // gamma' = gamma psi (DLMF 5.2.2); psi is at hand for positive arguments only.
        [if x.inf() > 0.0 { or_entire(el::tgamma(x) * el::digamma(x)) } else { Interval::ENTIRE }]
    }

    fn enclose([x]: [&MpInterval; 1], precision: u32) -> MpInterval {
        let negative = match place(x) {
            Place::Pole => return MpInterval::undefined(precision),
            Place::Unsettled => return MpInterval::entire(precision, Ternary::decide(x.lo > 0, false)),
            Place::Piece(negative) => negative,
        };
        let gamma = |x: &Float, r| Float::with_val_round(precision, x.gamma_ref(), r);
        if x.is_point() {
            return mp::value(|r| gamma(&x.lo, r));
        }
        // Rounding |gamma| is rounding gamma the other way where it is negative.
        let magnitude = |x: &Float, r: Round| gamma(x, if negative { r.reverse() } else { r }).0.abs();
        let image = convex(x, precision, magnitude, |a, width| {
            // Log-convex, so convex: at least |gamma(a)| (1 + psi(a) width), with psi(a) < 0.
            let psi = Float::with_val_round(precision, a.digamma_ref(), Round::Down).0;
            let fall = Float::with_val_round(precision, &psi * width, Round::Down).0;
            let factor = Float::with_val_round(precision, 1 + &fall, Round::Down).0;
            let zero = Float::new(precision);
            if factor <= 0 {
                zero
            } else {
                // By reference: an owned operand would be overwritten, rounded to nearest.
                Float::with_val_round(precision, &magnitude(a, Round::Down) * &factor, Round::Down).0
            }
        });
        if negative { image.neg() } else { image }
    }

    fn float([x]: [f64; 1], _: Format) -> Computed {
        if x == 0.0 {
            Computed::Exactly(INF.copysign(x))
        } else if is_pole(x) {
            Computed::Exactly(f64::NAN)
        } else {
            library(x, &[(INF, INF)], ANY)
        }
    }

    fn exact([x]: [&Rational; 1]) -> Exact {
        if *x <= 0 && x.is_integer() {
            return Exact::Undefined;
        }
        match x.numer().to_u32() {
            Some(n) if x.is_integer() && n <= 64 => {
                Exact::Value(Rational::from(Integer::from(Integer::factorial(n - 1))))
            }
            _ => Exact::Unknown,
        }
    }
}

/// log |gamma(x)|. Domain: all but 0, -1, -2, ... | Range: reals
pub struct Lgamma;

/// log gamma on a positive interval that is so near one of its zeros 1 and 2 that two terms of the series are enough, where
/// MPFR takes seconds at thousands of bits. With e = x - z it is e (a + e (b + t)), |t| <= |e| / 2, where a and b are -euler and pi^2/12 at 1,
/// and 1 - euler and pi^2/12 - 1/2 at 2: DLMF 5.7.3, whose terms from the third on are at most
/// zeta(3)/3 |e|^3 / (1 - |e|) together.
fn near_zero(x: &MpInterval, precision: u32) -> Option<MpInterval> {
    /// Bits beyond the precision, so that the result is off by its last rounding alone.
    const GUARD: u32 = 64;
    if !x.def.is_true() {
        return None;
    }
    let (result, precision) = (precision, precision + GUARD);
    let both = |f: &dyn Fn(Round) -> Float| MpInterval::new(f(Round::Down), f(Round::Up));
    let times = |x: &MpInterval, y: &MpInterval| super::arith::Mul::enclose([x, y], precision);
    let plus = |x: &MpInterval, y: &MpInterval| super::arith::Add::enclose([x, y], precision);
    let whole = |n: f64| MpInterval::from_f64(n, precision);
    let near = |e: &Float| e.is_zero() || e.get_exp().is_some_and(|k| i64::from(k) < -i64::from(precision / 2).max(4));
    let at = |x: &Float, zero: u32| {
        let e = both(&|r| Float::with_val_round(precision, x - zero, r).0);
        if !near(&e.lo) || !near(&e.hi) {
            return None;
        }
        let euler = both(&|r| Float::with_val_round(precision, MpConstant::Euler, r).0);
        let pi = both(&|r| Float::with_val_round(precision, MpConstant::Pi, r).0);
        let twelfth = MpInterval::from_rational(&Rational::from((1, 12)), precision);
        let square = times(&times(&pi, &pi), &twelfth);
        let (a, b) = match zero {
            1 => (euler.neg(), square),
            _ => (plus(&whole(1.0), &euler.neg()), plus(&square, &whole(-0.5))),
        };
        let size = mp::abs(&e);
        let rest = MpInterval::new(Float::with_val(precision, -&size.hi) / 2u32, size.hi / 2u32);
        Some(times(&e, &plus(&a, &times(&e, &plus(&b, &rest)))))
    };
    let zero = [1, 2].into_iter().find(|zero| near(&Float::with_val(precision, &x.lo - *zero)))?;
    // Monotone there: it falls at 1 and rises at 2.
    let y = at(&x.lo, zero)?.hull(&at(&x.hi, zero)?);
    let round = |x: &Float, r: Round| Float::with_val_round(result, x, r).0;
    Some(MpInterval::new(round(&y.lo, Round::Down), round(&y.hi, Round::Up)))
}

impl Operator<1> for Lgamma {
    const FPCORE: &'static str = "lgamma";
    const SHAPE: Shape = Shape::NONE.forms(&["(log (fabs (tgamma x)))"]);

    fn point([x]: [f64; 1]) -> f64 {
        if is_pole(x) { f64::NAN } else { core_math::lgamma(x) }
    }

    fn forward([x]: [Interval; 1]) -> (Interval, Ternary) {
        (el::lgamma(x), gamma_domain(x))
    }

    fn backward(y: Interval, [x]: [Interval; 1]) -> [Interval; 1] {
        [gamma_backward(y, x, el::lgamma, el::digamma)]
    }

    fn partials([x]: [Interval; 1]) -> [Interval; 1] {
        [if x.inf() > 0.0 { or_entire(el::digamma(x)) } else { Interval::ENTIRE }]
    }

    fn enclose([x]: [&MpInterval; 1], precision: u32) -> MpInterval {
        match place(x) {
            Place::Pole => return MpInterval::undefined(precision),
            Place::Unsettled => return MpInterval::entire(precision, Ternary::decide(x.lo > 0, false)),
            Place::Piece(_) => {}
        }
        if let Some(y) = near_zero(x, precision) {
            return y;
        }
        let lgamma = |x: &Float, r: Round| {
            let (mut y, mut sign) = (Float::new(precision), Ordering::Equal);
            let compared = (&mut y, &mut sign).assign_round(x.ln_abs_gamma_ref(), r);
            (y, compared)
        };
        if x.is_point() {
            return mp::value(|r| lgamma(&x.lo, r));
        }
        convex(
            x,
            precision,
            |x, r| lgamma(x, r).0,
            |a, width| {
                let psi = Float::with_val_round(precision, a.digamma_ref(), Round::Down).0;
                let fall = Float::with_val_round(precision, &psi * width, Round::Down).0;
                Float::with_val_round(precision, &lgamma(a, Round::Down).0 + &fall, Round::Down).0
            },
        )
    }

    fn float([x]: [f64; 1], _: Format) -> Computed {
        if is_pole(x) {
            Computed::Exactly(INF)
        } else {
            library(x, &[(1.0, 0.0), (2.0, 0.0), (-INF, INF), (INF, INF)], ANY)
        }
    }

    fn exact([x]: [&Rational; 1]) -> Exact {
        if *x <= 0 && x.is_integer() {
            Exact::Undefined
        } else if too_long(&[x]) || !(*x == 1 || *x == 2) {
            Exact::Unknown
        } else {
            Exact::Value(Rational::new())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beyond the minimum both rise, up to values that no MPFR number reaches; before it both fall.
    #[test]
    fn gamma_between_its_pole_and_infinity() {
        const PRECISION: u32 = 120;
        let gammas: [fn([&MpInterval; 1], u32) -> MpInterval; 2] = [Tgamma::enclose, Lgamma::enclose];
        for (a, b) in [(1.5, 1.75), (2.0, 3.0), (9e15, 1e16), (1e67, 2e67), (0.25, 0.5), (1e-300, 1.25), (1.25, 1.5)] {
            for enclose in gammas {
                let at = |x: f64| enclose([&MpInterval::from_f64(x, PRECISION)], PRECISION);
                let image = enclose(
                    [&MpInterval::new(Float::with_val(PRECISION, a), Float::with_val(PRECISION, b))],
                    PRECISION,
                );
                let hull = at(a).hull(&at(b));
                assert!(image.def.is_true() && image.lo <= hull.lo && image.hi == hull.hi, "[{a}, {b}]");
                // Only across the minimum is anything lower than at the ends.
                assert_eq!(image.lo == hull.lo, !(a < ARGMIN.0 && b > ARGMIN.1), "[{a}, {b}]");
                assert!(
                    (1..8).map(|k| at(a + (b - a) * f64::from(k) / 8.0)).all(|y| image.lo <= y.lo && y.hi <= image.hi)
                );
            }
        }
        let huge = MpInterval::new(Float::with_val(PRECISION, 1e16), Float::with_val(PRECISION, f64::INFINITY));
        let y = Tgamma::enclose([&huge], PRECISION);
        assert!(y.lo.get_exp().is_some_and(|e| e > 1 << 29) && y.hi.is_infinite(), "{}", y.lo);
    }

    #[test]
    fn small_values_of_erfc_bound_its_argument() {
        // exp(-9^2) is less than 1e-35.
        let x = erfc_inverse(Interval::new(1e-35, 1e-30));
        assert!(x.inf() >= 0.0 && x.sup() < 9.0, "{x:?}");
        assert_eq!(erfc_inverse(Interval::new(0.0, 0.5)).sup(), f64::INFINITY);
    }

    /// What is said near the zeros of log gamma holds what MPFR says with more bits, and is as narrow as asked.
    #[test]
    fn log_gamma_near_its_zeros() {
        const PRECISION: u32 = 120;
        let number = |text: &str| Float::with_val(400, Float::parse(text).unwrap());
        let exact = |x: &Float, r| {
            let (mut y, mut sign) = (Float::new(400), Ordering::Equal);
            let _ = (&mut y, &mut sign).assign_round(x.ln_abs_gamma_ref(), r);
            y
        };
        for zero in [1u32, 2] {
            for e in ["1e-28", "-1e-28", "3e-30", "-7e-36", "1e-50", "-1e-80"] {
                let x = number(e) + zero;
                let near = MpInterval::new(
                    Float::with_val_round(PRECISION, &x, Round::Down).0,
                    Float::with_val_round(PRECISION, &x, Round::Up).0,
                );
                let y = near_zero(&near, PRECISION).unwrap();
                let ends = [exact(&near.lo, Round::Down), exact(&near.hi, Round::Down)];
                for value in [exact(&x, Round::Down), exact(&x, Round::Up), ends[0].clone(), ends[1].clone()] {
                    assert!(y.lo <= value && value <= y.hi, "{zero} + {e}: {value} not in [{}, {}]", y.lo, y.hi);
                }
                // No wider than the values at its ends, but for roundings.
                let spread = Float::with_val(400, &ends[0] - &ends[1]).abs();
                let width = Float::with_val(400, &y.hi - &y.lo);
                let largest = ends[0].clone().abs().max(&ends[1].clone().abs());
                assert!(width <= spread + largest * number("1e-30"), "{zero} + {e}: {width}");
            }
            let across = MpInterval::new(
                Float::with_val(PRECISION, zero) - number("1e-29"),
                Float::with_val(PRECISION, zero) + number("1e-30"),
            );
            let y = near_zero(&across, PRECISION).unwrap();
            assert!(y.lo < 0 && y.hi > 0 && Lgamma::enclose([&across], PRECISION).lo == y.lo);
            // Farther off it is MPFR's.
            assert!(near_zero(&MpInterval::from_f64(f64::from(zero) + 1e-9, PRECISION), PRECISION).is_none());
            let at = near_zero(&MpInterval::from_f64(f64::from(zero), PRECISION), PRECISION).unwrap();
            assert!(at.lo == 0 && at.hi == 0);
        }
    }
}
