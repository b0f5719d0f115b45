//! Exponentials, logarithms and hyperbolic functions.

use super::condition::{even, monotone};
use super::domain::{OPEN_UNIT, REALS, above, from};
use super::float::{ANY, Computed, library};
use super::unary::{monotone_operators, only_at};
use super::{Exact, Op, Operator, Shape};
use crate::floats::Format;
use crate::num::elementary as el;
use crate::num::mpfr::{Float, Integer, Round};
use crate::num::{Interval, MpInterval, Rational, Ternary};

const INF: f64 = f64::INFINITY;
const ONE: fn() -> Interval = || Interval::point(1.0);
/// log 2 and log 10, enclosed.
const LOG_2: fn() -> Interval = || Interval::outward(std::f64::consts::LN_2, std::f64::consts::LN_2);
const LOG_10: fn() -> Interval = || Interval::outward(std::f64::consts::LN_10, std::f64::consts::LN_10);

/// `2^x` for an integer of at most 12 bits.
fn exp2_exact(x: &Rational) -> Exact {
    match x.numer().to_i32() {
        Some(n) if x.is_integer() && n.unsigned_abs() <= 4096 => {
            let power = Rational::from(Integer::from(1) << n.unsigned_abs());
            Exact::Value(if n < 0 { power.recip() } else { power })
        }
        _ => Exact::Unknown,
    }
}

/// The integer `k` with `base^k = x`, for `x > 0`.
fn log_exact(x: &Rational, base: u32) -> Exact {
    let power_of = |n: &Integer| {
        let (rest, k) = n.clone().remove_factor(&Integer::from(base));
        (rest == 1).then_some(k)
    };
    match (power_of(x.numer()), power_of(x.denom())) {
        (Some(n), Some(0)) => Exact::Value(Rational::from(n)),
        (Some(0), Some(d)) => Exact::Value(-Rational::from(d)),
        _ => Exact::Unknown,
    }
}

monotone_operators! {
    /// e^x. Domain: reals | Range: (0, inf)
    Exp = "exp": increasing on REALS, point core_math::exp, image el::exp, inverse el::log,
        derivative el::exp, mpfr exp_ref, exact only_at(0, 1),
        float |x, _| library(x, &[(0.0, 1.0), (-INF, 0.0), (INF, INF)], (0.0, INF)),
        condition |x: Interval| x,
        shape Shape::NONE.total().inverse(Op::Log);
    /// 2^x. Domain: reals | Range: (0, inf)
    Exp2 = "exp2": increasing on REALS, point core_math::exp2, image el::exp2, inverse el::log2,
        derivative |x| el::exp2(x) * LOG_2(), mpfr exp2_ref, exact exp2_exact,
        float |x, _| library(x, &[(0.0, 1.0), (-INF, 0.0), (INF, INF)], (0.0, INF)),
        condition |x: Interval| x * LOG_2(),
        shape Shape::NONE.total().inverse(Op::Log2).forms(&["(exp (* x LN2))", "(pow 2 x)"]);
    /// e^x - 1. Domain: reals | Range: (-1, inf)
    Expm1 = "expm1": increasing on REALS, point core_math::expm1, image el::expm1, inverse el::log1p,
        derivative el::exp, mpfr exp_m1_ref, exact only_at(0, 0),
        float |x, _| library(x, &[(0.0, 0.0), (-INF, -1.0), (INF, INF)], (-1.0, INF)),
        condition |x: Interval| monotone(x, |x| x * el::exp(x) / el::expm1(x)),
        shape Shape::NONE.total().inverse(Op::Log1p).near_identity(2, [-595, -426]).forms(&["(- (exp x) 1)"]);
    /// Natural logarithm. Domain: (0, inf) | Range: reals
    Log = "log": increasing on above(0.0), point core_math::log, image el::log, inverse el::exp,
        derivative |x: Interval| x.recip() & Interval::new(0.0, f64::INFINITY), mpfr ln_ref, exact only_at(1, 0),
        float |x, _| library(x, &[(0.0, -INF), (1.0, 0.0), (INF, INF)], ANY),
        shape Shape::NONE.transcendental();
    /// Logarithm to base 2. Domain: (0, inf) | Range: reals
    Log2 = "log2": increasing on above(0.0), point core_math::log2, image el::log2, inverse el::exp2,
        derivative |x: Interval| (x * LOG_2()).recip() & Interval::new(0.0, f64::INFINITY), mpfr log2_ref,
        exact |x| log_exact(x, 2),
        float |x, _| library(x, &[(0.0, -INF), (1.0, 0.0), (INF, INF)], ANY),
        shape Shape::NONE.forms(&["(/ (log x) LN2)"]);
    /// Logarithm to base 10. Domain: (0, inf) | Range: reals
    Log10 = "log10": increasing on above(0.0), point core_math::log10, image el::log10, inverse el::exp10,
        derivative |x: Interval| (x * LOG_10()).recip() & Interval::new(0.0, f64::INFINITY), mpfr log10_ref,
        exact |x| log_exact(x, 10),
        float |x, _| library(x, &[(0.0, -INF), (1.0, 0.0), (INF, INF)], ANY),
        shape Shape::NONE.forms(&["(/ (log x) LN10)"]);
    /// log(1 + x). Domain: (-1, inf) | Range: reals
    Log1p = "log1p": increasing on above(-1.0), point core_math::log1p, image el::log1p, inverse el::expm1,
        derivative |x: Interval| (ONE() + x).recip() & Interval::new(0.0, f64::INFINITY), mpfr ln_1p_ref,
        exact only_at(0, 0),
        float |x, _| library(x, &[(0.0, 0.0), (-1.0, -INF), (INF, INF)], ANY),
        condition |x: Interval| monotone(x, |x| x / (ONE() + x) / el::log1p(x)),
        shape Shape::NONE.near_identity(2, [378, 773]).forms(&["(log (+ 1 x))"]);
    /// Hyperbolic sine. Domain: reals | Range: reals
    Sinh = "sinh": increasing on REALS, point core_math::sinh, image el::sinh, inverse el::asinh,
        derivative el::cosh, mpfr sinh_ref, exact only_at(0, 0),
        float |x, _| library(x, &[(0.0, 0.0), (-INF, -INF), (INF, INF)], ANY),
        condition |x: Interval| even(x, |x| x * el::cosh(x) / el::sinh(x)),
        shape Shape::ODD.total().inverse(Op::Asinh).near_identity(3, [-169, -166]).forms(&[
            "(/ (- (exp x) (exp (- x))) 2)",
            "(/ (- (exp x) (/ 1 (exp x))) 2)",
        ]);
    /// Hyperbolic tangent. Domain: reals | Range: (-1, 1)
    Tanh = "tanh": increasing on REALS, point core_math::tanh, image el::tanh, inverse el::atanh,
        derivative |x| el::cosh(x).sqr().recip(), mpfr tanh_ref, exact only_at(0, 0),
        float |x, _| library(x, &[(0.0, 0.0), (-INF, -1.0), (INF, 1.0)], (-1.0, 1.0)),
        condition |x: Interval| even(x, |x| x / (el::sinh(x) * el::cosh(x))),
        shape Shape::ODD.total().inverse(Op::Atanh).near_identity(3, [303, 334]).forms(&[
            "(/ (- (exp (* 2 x)) 1) (+ (exp (* 2 x)) 1))",
            "(/ (- (exp x) (exp (- x))) (+ (exp x) (exp (- x))))",
            "(/ (sinh x) (cosh x))",
            "(- 1 (/ 2 (+ (exp (* 2 x)) 1)))",
        ]);
    /// Inverse hyperbolic sine. Domain: reals | Range: reals
    Asinh = "asinh": increasing on REALS, point core_math::asinh, image el::asinh, inverse el::sinh,
        derivative |x: Interval| (ONE() + x.sqr()).sqrt().recip(), mpfr asinh_ref, exact only_at(0, 0),
        float |x, _| library(x, &[(0.0, 0.0), (-INF, -INF), (INF, INF)], ANY),
        condition |x: Interval| even(x, |x| x / (ONE() + x.sqr()).sqrt() / el::asinh(x)),
        shape Shape::ODD.total().inverse(Op::Sinh).near_identity(3, [150, 167]).transcendental().forms(&[
            "(log (+ x (sqrt (+ (* x x) 1))))",
        ]);
    /// Inverse hyperbolic cosine. Domain: [1, inf) | Range: [0, inf)
    Acosh = "acosh": increasing on from(1.0), point core_math::acosh, image el::acosh,
        inverse |y: Interval| el::cosh(y & Interval::new(0.0, f64::INFINITY)),
        derivative |x: Interval| (x.sqr() - ONE()).sqrt().recip(), mpfr acosh_ref, exact only_at(1, 0),
        float |x, _| library(x, &[(1.0, 0.0), (INF, INF)], (0.0, INF)),
        shape Shape::NONE.transcendental().forms(&["(log (+ x (sqrt (- (* x x) 1))))"]);
    /// Inverse hyperbolic tangent. Domain: (-1, 1) | Range: reals
    Atanh = "atanh": increasing on OPEN_UNIT, point core_math::atanh, image el::atanh, inverse el::tanh,
        derivative |x: Interval| (ONE() - x.sqr()).recip() & Interval::new(0.0, f64::INFINITY), mpfr atanh_ref,
        exact only_at(0, 0),
        float |x, _| library(x, &[(0.0, 0.0), (-1.0, -INF), (1.0, INF)], ANY),
        condition |x: Interval| even(x, |x| x / (ONE() - x.sqr()) / el::atanh(x)),
        shape Shape::ODD.near_identity(3, [-395, -333]).forms(&[
            "(/ (log (/ (+ 1 x) (- 1 x))) 2)",
            "(/ (- (log (+ 1 x)) (log (- 1 x))) 2)",
        ]);
}

/// Hyperbolic cosine. Domain: reals | Range: [1, inf)
pub struct Cosh;

impl Operator<1> for Cosh {
    const FPCORE: &'static str = "cosh";
    const SHAPE: Shape =
        Shape::EVEN.total().forms(&["(/ (+ (exp x) (exp (- x))) 2)", "(/ (+ (exp x) (/ 1 (exp x))) 2)"]);

    #[inline]
    fn point([x]: [f64; 1]) -> f64 {
        core_math::cosh(x)
    }

    #[inline]
    fn forward([x]: [Interval; 1]) -> (Interval, Ternary) {
        (el::cosh(x), Ternary::True)
    }

    fn backward(y: Interval, [x]: [Interval; 1]) -> [Interval; 1] {
        [super::domain::both_signs(el::acosh(y), x)]
    }

    fn partials([x]: [Interval; 1]) -> [Interval; 1] {
        [el::sinh(x)]
    }

    fn enclose([x]: [&MpInterval; 1], precision: u32) -> MpInterval {
        super::mp::increasing(&super::mp::abs(x), |x, r| Float::with_val_round(precision, x.cosh_ref(), r))
    }

    fn float([x]: [f64; 1], _: Format) -> Computed {
        library(x, &[(0.0, 1.0), (-INF, INF), (INF, INF)], (1.0, INF))
    }

    fn exact([x]: [&Rational; 1]) -> Exact {
        only_at(0, 1)(x)
    }
}
