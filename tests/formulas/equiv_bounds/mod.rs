//! Inequalities by normal forms: each kind of reasoning proves what it is for, and nothing that is almost true; random
//! bounds and tolerances just below what a point shows are never proved.
//!
//! `MAGNETO_PROBLEMS=20000 MAGNETO_SEED=1` for a long attack.

mod random;

use crate::equiv_common::Pair;
use crate::support::rng::Rng;
use magneto::csp::tolerance::LowerTolerance;
use magneto::equiv::Prover;
use magneto::floats::Format;
use magneto::num::Rational;
use magneto::num::float::power_of_two;
use magneto::oracle::{Ends, tolerance};
use magneto::spec::{Accuracy, parse_rational};

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap_or_else(|_| panic!("no number: {text}"))
}

fn with_prover<T>(pair: &Pair, ask: impl FnOnce(&mut Prover<'_>) -> T) -> T {
    ask(&mut Prover::new(&pair.tape, &pair.domain, &pair.conditions).with_boxes(8000))
}

const WHOLE: &str = "(<= -1.7e308 x 1.7e308)";

/// Inputs, precondition, function, a bound of |f|, and one just below the largest |f|.
const BOUNDED: [(&str, &str, &str, &str, &str); 9] = [
    ("x", WHOLE, "(/ (- 1 (cos x)) (* x x))", "0.5005", "0.4999995"),
    ("x", WHOLE, "(/ (- 1 (cos x)) (* x x))", "0.5", "0.4999999999"),
    ("x", WHOLE, "(/ (sin x) x)", "1", "0.999999"),
    ("x y", "(and (<= 2 x 3) (<= 0 y 1))", "(/ (+ x y) (- x y))", "3.000001", "2.999999"),
    ("x", "(<= -1 x 1)", "(- (* x x) x)", "2.000001", "1.999999"),
    ("x", "(<= 0 x 700)", "(* x (exp (- x)))", "0.368", "0.367879"),
    ("x", "(<= 1 x 1e300)", "(- (log (+ x 1)) (log x))", "0.6931472", "0.6931471"),
    ("x", "(<= -1e-300 x 1e-300)", "(* 3 x)", "3.0001e-300", "2.9999e-300"),
    ("x y", "(and (<= 0 x 2) (<= 0 y 2) (<= (+ x y) 2))", "(+ x y)", "2.0000001", "1.9999999"),
];

#[test]
fn bounds() {
    for (inputs, pre, f, bound, below) in BOUNDED {
        let pair = Pair::text(inputs, pre, f, f);
        let proved = |k: &str| with_prover(&pair, |p| p.prove_at_most(pair.f, &number(k))).is_some();
        assert!(proved(bound), "not proved: |{f}| <= {bound}");
        assert!(!proved(below), "proved: |{f}| <= {below}");
    }
}

/// Precondition, function, a bound that it is beyond, and one that it is not beyond everywhere.
const BEYOND: [(&str, &str, &str, &str); 5] = [
    ("(<= 400 x 700)", "(exp x)", "1e173", "5.3e173"),
    ("(<= 1e20 x 1e30)", "(* x x)", "0.9999999e40", "1.0000001e40"),
    ("(<= -9 x -3)", "(pow x 3)", "27", "27.0001"),
    ("(<= 1e-30 x 1e-20)", "(/ -1 x)", "1e20", "1.0000001e20"),
    // Beyond, but on either side of 0.
    ("(<= 2 x 3)", "(+ x 1)", "3", "3.0000001"),
];

#[test]
fn beyond() {
    for (pre, f, bound, above) in BEYOND {
        let pair = Pair::text("x", pre, f, f);
        let proved = |k: &str| with_prover(&pair, |p| p.prove_beyond(pair.f, &number(k))).is_some();
        assert!(proved(bound), "not proved: |{f}| >= {bound}");
        assert!(!proved(above), "proved: |{f}| >= {above}");
    }
    let sides = Pair::text("x", "(<= -1 x 1)", "(/ 1 x)", "x");
    assert!(with_prover(&sides, |p| p.prove_beyond(sides.f, &number("0.5"))).is_none(), "on both sides of 0");
}

/// Inputs, a function, a precondition under which it is never negative, and one under which it is in a tiny part.
const SIGNS: [(&str, &str, &str, &str); 23] = [
    // The order of arguments.
    ("x", "(- (atan x) (atan (* x x)))", "(<= 0 x 1)", "(<= 0 x 1.000000001)"),
    ("x", "(- (asinh (* x x)) (asinh x))", "(<= 1 x 1e150)", "(<= 0.999999999 x 1e150)"),
    (
        "x y",
        "(* (- x 1e-9) (- (atan (+ y 1)) (atan y)))",
        "(and (<= 1e-9 x 1) (<= 0 y 9))",
        "(and (<= 0 x 1) (<= 0 y 9))",
    ),
    (
        "x y",
        "(* (- x 1) (- (cbrt y) (cbrt (+ y 1))))",
        "(and (<= -9 x 1) (<= -9 y 9))",
        "(and (<= -9 x 1.00000001) (<= -9 y 9))",
    ),
    ("n", "(- (- (* (+ n 1) (log (+ n 1))) (* n (log n))) 1e-200)", "(<= 1 n 1e300)", "(<= 1e-300 n 1e300)"),
    (
        "x y",
        "(+ (- (log (+ x 1)) (log x)) y)",
        "(and (<= 1 x 1e300) (<= 0 y 1))",
        "(and (<= 1 x 1e300) (<= -1e-9 y 1))",
    ),
    // Pairs of exponentials.
    (
        "x y v",
        "(- (+ (* 2 (exp x)) (* 2 (exp y))) (+ (exp (+ x v)) (exp (+ y v))))",
        "(and (<= -1000 x 1000) (<= -1000 y 1000) (<= 0 v 0.693147))",
        "(and (<= -1000 x 1000) (<= -1000 y 1000) (<= 0 v 0.693148))",
    ),
    (
        "x y v",
        "(- (+ (exp (- x v)) (exp (- y v))) (+ (exp x) (exp y)))",
        "(and (<= -1000 x 1000) (<= -1000 y 1000) (<= -1 v 0))",
        "(and (<= -1000 x 1000) (<= -1000 y 1000) (<= -1 v 1e-12))",
    ),
    // Divided by one of them.
    ("x", "(- (exp (* 2 x)) (* 3 (exp x)))", "(<= 1.09862 x 1000)", "(<= 1.0986 x 1000)"),
    ("x", "(- (* 1e300 (exp (* 2 x))) (* 3e300 (exp x)))", "(<= 1.09862 x 1e6)", "(<= 1.0986 x 1e6)"),
    ("x", "(- (* 3e-300 (exp x)) (* 1e-300 (exp (* 2 x))))", "(<= -1e6 x 1.0986)", "(<= -1e6 x 1.09862)"),
    // Sines and cosines by their factors.
    ("x", "(- x (sin x))", "(<= 0 x 1e300)", "(<= -1e-9 x 1e300)"),
    ("x", "(+ (sin x) (* 0.2173 x))", "(<= 0 x 1e300)", "(<= -1e-300 x 1e300)"),
    (
        "x k",
        "(+ (- (* k (* x x)) 1) (cos x))",
        "(and (<= -1e9 x 1e9) (<= 0.5 k 9))",
        "(and (<= -1 x 1) (<= 0.4999999 k 9))",
    ),
    ("x k", "(+ (sin x) (* k x))", "(and (<= 0 x 1e9) (<= 0.2173 k 9))", "(and (<= 0 x 9) (<= 0.21723 k 9))"),
    ("x y", "(* y (- (sin x) x))", "(and (<= 0 x 1e9) (<= -1 y 0))", "(and (<= 0 x 1e9) (<= -1 y 1e-200))"),
    ("x", "(* (- x (sin x)) (- 1 (cos x)))", "(<= 0 x 1e9)", "(<= -1e-100 x 1e9)"),
    // Squares; products of sines and cosines as sums, and a part of them with a sign of its own.
    (
        "x y",
        "(- 1 (sqrt (+ (* x x) (* y y))))",
        "(and (<= 0 x 0.6) (<= 0 y 0.8))",
        "(and (<= 0 x 0.6) (<= 0 y 0.80000001))",
    ),
    ("x", "(- (* 2 (sqrt x)) 3)", "(<= 2.25 x 1e300)", "(<= 2.2499999 x 1e300)"),
    ("x", "(+ (* 2 (sqrt x)) -3)", "(<= 2.25 x 1e300)", "(<= 2.2499999 x 1e300)"),
    (
        "x y z",
        "(- (+ 1 z) (+ (* (cos x) (cos y)) (* (sin x) (sin y))))",
        "(and (<= -9 x 9) (<= -9 y 9) (<= 0 z 1))",
        "(and (<= -9 x 9) (<= -9 y 9) (<= -1e-9 z 1))",
    ),
    (
        "x y z",
        "(- (+ 1 z) (- (* (sin x) (cos y)) (* (cos x) (sin y))))",
        "(and (<= -9 x 9) (<= -9 y 9) (<= 0 z 1))",
        "(and (<= -9 x 9) (<= -9 y 9) (<= -1e-9 z 1))",
    ),
    // Conditions of the domain.
    ("x y", "(- x y)", "(and (<= 0 x 9) (<= 0 y 9) (<= y x))", "(and (<= 0 x 9) (<= 0 y 9) (<= y (+ x 1e-9)))"),
];

#[test]
fn signs() {
    for (inputs, f, always, nearly) in SIGNS {
        let proved = |pre: &str| {
            let pair = Pair::text(inputs, pre, f, &format!("(fabs {f})"));
            with_prover(&pair, |p| p.prove_equal(pair.f, pair.g)).is_some()
        };
        assert!(proved(always), "not proved: {f} >= 0 where {always}");
        assert!(!proved(nearly), "proved: {f} >= 0 where {nearly}");
    }
}

/// Inputs, precondition, two functions, a relative tolerance with which they are near, and one with which they are not.
const NEAR: [(&str, &str, &str, &str, &str, &str); 8] = [
    ("x", "(<= 1e-300 x 1e300)", "(sqrt x)", "(sqrt (* x 1.000002))", "5.001e-7", "4.999e-7"),
    ("x", "(<= -1 x 1)", "(exp x)", "(exp (* x 1.000002))", "1.0001e-6", "0.9999e-6"),
    ("x y", "(and (<= 2 x 3) (<= 0 y 1))", "(/ (+ x y) (- x y))", "(/ (+ (* 1.00002 x) y) (- x y))", "1e-5", "0.99e-5"),
    ("x", "(and (< 0 x) (<= x 1))", "(/ 1 x)", "(/ 1.002 x)", "1e-3", "0.99e-3"),
    ("x", "(<= 0 x 1)", "(/ 1 x)", "(/ 1.002 x)", "1e-3", "0.99e-3"),
    ("x", "(<= 1 x 2)", "(/ x x)", "1", "1e-30", "-1"),
    ("x", "(< 0 x 1)", "(/ x x)", "1", "1e-30", "-1"),
    (
        "x y",
        "(and (<= 0 x 10) (<= 0 y 10) (< (+ y 1) x))",
        "(sqrt (- x y))",
        "(* 1.002 (sqrt (- x y)))",
        "1e-3",
        "0.99e-3",
    ),
];

fn relative(r: &str) -> LowerTolerance {
    LowerTolerance { relative: number(r), absolute: Rational::new() }
}

#[test]
fn near() {
    for (inputs, pre, f, g, enough, less) in NEAR {
        let pair = Pair::text(inputs, pre, f, g);
        let proved = |t: &str| with_prover(&pair, |p| p.prove_near(pair.f, pair.g, &relative(t))).is_some();
        assert!(proved(enough), "not proved: {f} is near {g} where {pre}");
        assert!(less == "-1" || !proved(less), "proved: {f} is near {g} within {less}");
    }
    // Only one has a value somewhere, however wide the tolerance is.
    for (pre, f, g) in [
        ("(<= -1 x 1)", "(/ x x)", "1"),
        ("(<= 0 x 1)", "(/ x x)", "1"),
        ("(<= 0 x 1)", "(+ x (- (log x) (log x)))", "x"),
        ("(<= -1e-300 x 1)", "(+ x (- (sqrt x) (sqrt x)))", "x"),
        ("(<= 0 x 2)", "(tan x)", "(+ (tan x) (- (sqrt (- 2 (* x x))) (sqrt (- 2 (* x x)))))"),
        ("(<= 0 x 1)", "(+ 1 x)", "(+ 1 (* x (tan (* PI x))))"),
        ("(<= 0 x 1)", "(if (< x 1/2) x 1)", "(if (< x 1/2) x (/ 1 (- 1 x)))"),
        ("(and (<= 0 x 2) (<= (* x x) 3))", "x", "(+ x (- (asin (/ x 1.732)) (asin (/ x 1.732))))"),
    ] {
        let pair = Pair::text("x", pre, f, g);
        let wide = LowerTolerance { relative: Rational::from(1000), absolute: Rational::from(1000) };
        assert!(with_prover(&pair, |p| p.prove_near(pair.f, pair.g, &wide)).is_none(), "{f} and {g}");
    }
}

#[test]
fn tangents() {
    let proved = |u: &str| {
        let f = format!("(- (+ 1 (tan {u})) (tan {u}))");
        let pair = Pair::text("x y", "(and (<= 1 x 100) (<= 1/2 y 100))", &f, "1");
        with_prover(&pair, |p| p.prove_equal(pair.f, pair.g)).is_some()
    };
    for u in [
        "x",
        "(* x x)",
        "(- (* 3 x) (/ y 7))",
        "(+ (sqrt x) (cbrt y))",
        "(floor (* x y))",
        "(fmax x y)",
        "(hypot x y)",
        "(if (< x y) x (* 2 y))",
        "(* SQRT2 x)",
        "(pow x 5)",
        "(copysign x (- y 3))",
    ] {
        assert!(proved(u), "tan {u} has a value at every input");
    }
    // Either there is an input with a pole, or nobody knows.
    for u in [
        "(* PI x)",
        "(* PI_2 x)",
        "(/ x M_1_PI)",
        "(* E x)",
        "(* LN2 x)",
        "(exp x)",
        "(log x)",
        "(* LOG2E x)",
        "(pow PI x)",
        "(pow x y)",
        "(exp2 x)",
        "(atan (/ 1 (- x 2)))",
        "(* 2 (atan x))",
        "(* 2 (asin y))",
        "(acos (- x 1))",
        "(fmax x PI_2)",
        "(fmin x PI_2)",
        "(copysign PI_2 (- x 2))",
        "(hypot PI_2 (- x 1))",
        "(fabs (* PI_2 x))",
        "(* PI_2 (floor x))",
        "(* PI_2 (round x))",
        "(* PI_2 (trunc x))",
        "(* PI_2 (nearbyint x))",
        "(fma PI_2 x y)",
        "(fmod (* PI_2 x) 7)",
        "(fdim (* PI x) PI_2)",
        "(atan2 x (- y 1))",
        "(tgamma x)",
        "(* (tgamma y) (tgamma y) 1/2)",
        "(lgamma x)",
        "(sqrt (* PI x))",
        "(cbrt (* PI x))",
        "(if (< x 3) x (* PI_2 y))",
        "(if (< x 3) (* PI_2 y) x)",
        "(* PI (sin x))",
        "(sinh x)",
        "(* M_2_SQRTPI x)",
        "(let ((p (* 2 (acos 0)))) (* p y))",
        "(* x (atan2 1 0))",
        "(* x (asin 1))",
        "(* x (* 2 (atan 1)))",
    ] {
        assert!(!proved(u), "tan {u} may have no value somewhere");
    }
}

/// What the proofs take for a tolerance is never more than it.
#[test]
fn lower_bounds_of_tolerances() {
    let mut r = Rng(7);
    let formats = [Format::BFLOAT16, Format::BINARY16, Format::BINARY32, Format::BINARY64];
    let mut equal = 0;
    for _ in 0..20_000 {
        let mut some = |chance: usize| {
            let value = Rational::from((1 + r.below(1000) as u32, 1 + r.below(1000) as u32));
            let value = value * power_of_two(r.below(300) as i32 - 200);
            (r.below(chance) != 0).then_some(value)
        };
        let (rel, abs, ulps) = (some(2), some(2), some(3));
        let accuracy = Accuracy { rel, abs, ulps: ulps.map(|n| (n, *r.pick(&formats))) };
        let lower = LowerTolerance::new(&accuracy);
        // Beside powers of two as well.
        let near = Rational::from(1) + Rational::from((r.below(3) as i32 - 1, 1 << r.below(31)));
        let f = match r.below(4) {
            0 => Rational::new(),
            1 => near * power_of_two(r.below(2400) as i32 - 1200),
            _ => {
                Rational::from((r.below(1 << 20) as u32, 1 + r.below(99) as u32))
                    * power_of_two(r.below(600) as i32 - 400)
            }
        };
        let tolerance = tolerance(&Ends { lo: f.clone(), hi: f.clone() }, &accuracy);
        let bound = (&lower.relative * f.clone().abs()).max(lower.absolute.clone());
        assert!(tolerance.lo >= bound, "{accuracy:?} at {f}: {} is below {bound}", tolerance.lo);
        equal += usize::from(tolerance.lo == bound);
    }
    assert!(equal > 5000, "{equal} only are the tolerance itself");
}
