//! Inequalities of real formulas that normal forms prove, each with one that is a little stronger and that a point of the
//! domain shows to be false: it must never be proved. `equiv_bounds` has one case for each kind of reasoning.

use crate::equiv_common::{Pair, points};
use magneto::csp::tolerance::LowerTolerance;
use magneto::equiv::Prover;
use magneto::num::{Interval, Rational};
use magneto::spec::parse_rational;
use magneto::tape::eval::Points;
use magneto::tape::evaluate;

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap_or_else(|_| panic!("no number: {text}"))
}

/// The value of both bodies at a point in binary64 arithmetic.
fn at(p: &Pair, x: &[f64]) -> (f64, f64) {
    let lanes: Vec<[f64; 1]> = x.iter().map(|v| [*v]).collect();
    let mut values = Vec::new();
    evaluate(&p.tape, &mut Points { inputs: &lanes }, &mut values);
    (values[p.f.index()][0], values[p.g.index()][0])
}

fn prover(p: &Pair) -> Prover<'_> {
    Prover::new(&p.tape, &p.domain, &p.conditions).with_boxes(8000)
}

const HAVERSINE: &str = "(sqrt (+ (pow (sin (* 1/2 (* (/ PI 180) (- b a)))) 2)
    (* (* (cos (* (/ PI 180) a)) (cos (* (/ PI 180) b))) (pow (sin (* 1/2 (* (/ PI 180) (- d c)))) 2))))";

/// Inputs, precondition, f, a bound of |f|, one that is too small, and a point that shows it.
type Bound<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str, &'a [f64]);

const BOUNDS: &[Bound<'_>] = &[
    // A quotient 0/0 at 0, over all numbers of the format.
    ("x", "(!= x 0)", "(/ (- 1 (cos x)) (* x x))", "0.5", "0.499999", &[1e-4]),
    ("x", "(!= x 0)", "(/ (sin (* 3 x)) x)", "3", "2.999", &[1e-4]),
    // Its largest value is at an edge, where numerator and denominator are equal.
    ("x y", "(and (< 0 x 1) (< -1 y -0.1))", "(/ (+ x y) (- x y))", "1", "0.999", &[1e-9, -0.5]),
    // Numerator and denominator are beyond all numbers.
    (
        "x y z",
        "(and (<= 10 x 30) (<= 10 y 20) (<= 10 z 20))",
        "(/ (* z (- (exp (* (+ x y) z)) 1)) (* (- (exp (* x z)) 1) (- (exp (* y z)) 1)))",
        "20.0001",
        "19.9999",
        &[10.0, 10.0, 20.0],
    ),
    // Of an angle, whatever the others are.
    (
        "a b c d",
        "(and (<= -80 a 80) (<= -80 b 80) (<= -180 c 180) (<= -180 d 180))",
        HAVERSINE,
        "1",
        "0.9999",
        &[45.0, -45.0, 0.0, 180.0],
    ),
    // The sum of a square and a product of cosines; without the condition it is larger.
    (
        "a b",
        "(and (<= -80 a 80) (<= -80 b 80))",
        "(- (pow (cos (* 1/2 (* (/ PI 180) (- b a)))) 2) (* (cos (* (/ PI 180) a)) (cos (* (/ PI 180) b))))",
        "1",
        "0.96",
        &[80.0, 80.0],
    ),
    // An impedance: the inputs of the cosine do not matter.
    (
        "t r l v",
        "(and (<= 0 t 300) (<= 1 r 50) (<= 0.1 l 0.4) (<= 1 v 12))",
        "(* (sqrt (+ (pow (/ (* v r) (+ (* r r) (* l l))) 2) (pow (/ (* v l) (+ (* r r) (* l l))) 2))) (cos (* 50 t)))",
        "60",
        "11.9",
        &[0.0, 1.0, 0.1, 12.0],
    ),
];

#[test]
fn bounds_and_smaller_ones() {
    for (inputs, pre, f, bound, too_small, point) in BOUNDS {
        let p = Pair::text(inputs, pre, f, f);
        let (bound, small) = (number(bound), number(too_small));
        assert!(prover(&p).prove_at_most(p.f, &bound).is_some(), "|{f}| <= {bound}");
        assert!(at(&p, point).0.abs() > small.to_f64(), "{f} at {point:?}: {}", at(&p, point).0);
        assert_eq!(prover(&p).prove_at_most(p.f, &small), None, "|{f}| <= {small}");
        assert_eq!(prover(&p).prove_below(p.f, &small), None, "|{f}| < {small}");
        // What binary64 arithmetic says of it, where that is not too large by its own errors.
        let sizes = points(&p.domain).into_iter().map(|x| at(&p, &x).0.abs());
        let most = sizes.filter(|y| *y <= bound.to_f64()).fold(0.0, f64::max);
        let most = Rational::from_f64(most * (1.0 - 1e-6)).unwrap();
        assert_eq!(prover(&p).prove_at_most(p.f, &most), None, "|{f}| <= {most}");
    }
}

#[test]
fn a_bound_that_is_not_reached() {
    let p = Pair::text("x", "(<= -1e300 x 1e300)", "(/ 1 (+ 1 (exp (- x))))", "x");
    assert!(prover(&p).prove_below(p.f, &1.into()).is_some());
    // One that is reached.
    let p = Pair::text("x", "(<= 0 x 1)", "(/ 1 (+ 1 x))", "x");
    assert!(prover(&p).prove_at_most(p.f, &1.into()).is_some());
    assert_eq!(prover(&p).prove_below(p.f, &1.into()), None);
}

#[test]
fn what_is_beyond() {
    let huge = Rational::from(1) << 1026_u32;
    let p = Pair::text("x y", "(and (<= 90 x 100) (<= 10 y 20))", "(- (exp (* x y)) 1)", "(- 1 (exp (* x y)))");
    assert!(prover(&p).prove_beyond(p.f, &huge).is_some());
    assert!(prover(&p).prove_beyond(p.g, &huge).is_some());
    let p = Pair::text("x y", "(and (<= 71 x 100) (<= 10 y 20))", "(- (exp (* x y)) 1)", "x");
    assert_eq!(prover(&p).prove_beyond(p.f, &huge), None, "e^710 is smaller");
    // Beyond on both sides is not beyond on one: between them is 0.
    let p = Pair::text("x", "(<= -1 x 1)", "(* x 1e100)", "x");
    assert_eq!(prover(&p).prove_beyond(p.f, &1.into()), None);
}

/// Inputs, precondition, two functions, a tolerance (relative, absolute) within which they are, and one in which not.
type Near = (&'static str, &'static str, &'static str, &'static str, [&'static str; 2], [&'static str; 2]);

const NEAR: &[Near] = &[
    // Two terms of a sum of exponentials change.
    (
        "x y",
        "(and (<= 0 x 1) (<= 0 y 1))",
        "(- (+ (* 3 (exp (- (+ (* 0.1 (* x x)) (* 17 (* y y)))))) (* 2 (exp (- (+ (* 9 x) (* 0.1 (* y y))))))))",
        "(- (+ (* 3 (exp (- (+ (* 0.11 (* x x)) (* 17 (* y y)))))) (* 2 (exp (- (+ (* 9 x) (* 0.11 (* y y))))))))",
        ["0.0051", "0"],
        ["0.0049", "0"],
    ),
    // A limited value moves by no more than the value.
    (
        "u o",
        "(and (<= 0.1 u 0.9) (<= -0.5 o 0.5))",
        "(fmax -40 (fmin 125 (+ (* 40 (log u)) o)))",
        "(fmax -40 (fmin 125 (+ (* 40 (log u)) (asinh o))))",
        ["0", "0.0095"],
        ["0", "0.009"],
    ),
    ("x", "(<= 1 x 1e300)", "(* x x)", "(* x (+ x 1e-9))", ["5e-10", "0"], ["4.9e-10", "0"]),
    // Values of both signs: relative and absolute.
    ("x", "(<= -1 x 1)", "(sin x)", "(* 1.001 (sin x))", ["0.0005", "0"], ["0.00049", "0"]),
    ("x", "(<= -1 x 1)", "x", "(+ x 0.001)", ["0", "0.0005"], ["0.4", "0"]),
];

#[test]
fn near_and_not_near_enough() {
    for (inputs, pre, f, g, within, without) in NEAR {
        let p = Pair::text(inputs, pre, f, g);
        let tolerance = |[r, a]: &[&str; 2]| LowerTolerance { relative: number(r), absolute: number(a) };
        let (wide, narrow) = (tolerance(within), tolerance(without));
        let apart = |x: &Vec<f64>| {
            let (f, g) = at(&p, x);
            let [tf, tg] = [f, g].map(|y| (narrow.relative.to_f64() * y.abs()).max(narrow.absolute.to_f64()));
            (f - g).abs() > tf + tg
        };
        assert!(points(&p.domain).iter().any(apart), "{f} and {g} are within {narrow:?}");
        assert_eq!(prover(&p).prove_near(p.f, p.g, &narrow), None, "{f} and {g} within {narrow:?}");
        // Values of both signs are for boxes, not for normal forms.
        if *f != "(sin x)" {
            assert!(prover(&p).prove_near(p.f, p.g, &wide).is_some(), "{f} and {g} within {wide:?}");
        }
    }
}

#[test]
fn near_means_values_at_the_same_points() {
    let wide = LowerTolerance { relative: Rational::new(), absolute: 1.into() };
    let p = Pair::text("x", "(<= -1 x 1)", "0", "(* 0 (log x))");
    assert_eq!(prover(&p).prove_near(p.f, p.g, &wide), None);
    let p = Pair::text("x", "(<= 0.5 x 1)", "0", "(* 0 (log x))");
    assert!(prover(&p).prove_near(p.f, p.g, &wide).is_some());
}

/// Two bodies over x and y, and whether the second has the value of the first wherever that has one.
const WHERE_DEFINED: &[(&str, &str, bool)] = &[
    ("(sqrt (- x y))", "(sqrt (fdim x y))", true),
    ("(+ y (log (- (* x x) y)))", "(+ y (log (fdim (* x x) y)))", true),
    ("(/ x (sqrt (- x y)))", "(/ x (sqrt (fmax (- x y) 0)))", true),
    ("(sqrt (/ (- x y) (+ 12 x)))", "(sqrt (/ (fdim x y) (+ 12 x)))", true),
    ("(sqrt (/ (- x y) (- x 12)))", "(sqrt (/ (fdim y x) (- 12 x)))", true),
    ("(sqrt (/ (- x y) (- x 12)))", "(sqrt (/ (fdim x y) (- x 12)))", false),
    ("(sqrt (* (- x y) (* x x)))", "(sqrt (* (fdim x y) (* x x)))", false),
    ("(- x y)", "(fdim x y)", false),
    // Where x is y only the root has a value.
    ("(sqrt (- x y))", "(* (sqrt (fdim x y)) (/ (log (fdim x y)) (log (fdim x y))))", false),
    ("(sqrt (- x y))", "(sqrt (fdim y x))", false),
];

#[test]
fn what_f_needs_for_a_value_counts() {
    let none = LowerTolerance { relative: Rational::new(), absolute: Rational::new() };
    for (f, g, is_same) in WHERE_DEFINED {
        let p = Pair::text("x y", "(and (<= -9 x 9) (<= -9 y 9))", f, g);
        let mut prover = prover(&p);
        assert_eq!(prover.prove_equal(p.f, p.g), None, "{f} and {g}");
        assert_eq!(prover.prove_near(p.f, p.g, &none), None, "{f} and {g}");
        prover.assume_value(p.f);
        assert_eq!(prover.prove_near(p.f, p.g, &none).is_some(), *is_same, "{f} and {g}");
    }
}

/// Inputs, precondition, two bodies, and whether they are the same function at all floats of the domain.
const TANGENTS: &[(&str, &str, &str, &str, bool)] = &[
    ("x", "(<= -9 x 9)", "(* 0 (tan x))", "0", true),
    ("x", "(<= -9 x 9)", "(* 0 (tan (- (* 3 (* x x)) 0.1)))", "0", true),
    ("x", "(<= 0 x 9)", "(* 0 (tan (sqrt (+ x 1))))", "0", true),
    ("x", "(<= 0 x 9)", "(* 0 (tan (if (< x 1) x (fabs (- x 3)))))", "0", true),
    // Poles at numbers of the format.
    ("x", "(<= 0 x 9)", "(* 0 (tan (* x PI)))", "0", false),
    ("x", "(<= 0 x 9)", "(* 0 (tan (+ x (/ PI 2))))", "0", false),
    ("x", "(<= 0 x 1)", "(* 0 (tan (asin x)))", "0", false),
    ("x", "(<= 0 x 1)", "(* 0 (tan (* 2 (atan x))))", "0", false),
    ("x", "(<= 0 x 9)", "(* 0 (tan (if (< x 1) x (* PI 1/2))))", "0", false),
    ("x", "(<= -9 x 9)", "(* 0 (tan (* PI_2 (floor x))))", "0", false),
];

#[test]
fn tangents_of_what_is_algebraic() {
    for (inputs, pre, f, g, same) in TANGENTS {
        assert_eq!(Pair::text(inputs, pre, f, g).prove().is_some(), *same, "{f}");
    }
}

/// Enclosures of the factors of sine and cosine hold their values.
#[test]
fn one_less_a_cosine() {
    for (f, sup) in [("(/ (sin x) x)", 1.0), ("(/ (- 1 (cos x)) (* x x))", 0.5)] {
        let p = Pair::text("x", "(< 0 x 1000)", f, "x");
        for k in 1..200_000 {
            let y = at(&p, &[f64::from(k) * 0.005]).0;
            assert!(Interval::new(-0.2173, sup).contains(y), "{f}: {y}");
        }
    }
}
