//! Pairs that are equal and must be proved so, and pairs that are not and must never be.

use crate::equiv_common::{Pair, attack, file, specs};
use magneto::equiv::{ProofKind, Prover};

#[test]
fn the_pairs_that_cannot_be_killed() {
    let all = specs(&file("src/bench/pairs.fpcore"));
    assert_eq!(all.len(), 36);
    for pair in all.chunks(2) {
        let name = &pair[0].name;
        let p = Pair::new(&pair[0], &pair[1]);
        let proof = p.prove();
        let expected = ["EQ1", "EQ2", "EQ3", "EQ4"].iter().any(|n| name.starts_with(n));
        assert_eq!(proof.is_some(), expected, "{name}: {proof:?}");
        if let Some(proof) = proof {
            println!("{name}: {proof}");
            assert!(attack(&p).unwrap() > 100);
            let on_domain = name.starts_with("EQ3");
            assert_eq!(proof.kind == ProofKind::OnDomain, on_domain);
        }
    }
}

/// Inputs, precondition, two bodies.
type Case = (&'static str, &'static str, &'static str, &'static str);

const EQUAL: &[Case] = &[
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(sin (+ x y))", "(sin (+ y x))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(sin (- x y))", "(- (sin (- y x)))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(cos (- x y))", "(cos (- y x))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(pow (+ x y) 2)", "(+ (* x x) (+ (* 2 (* x y)) (* y y)))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(hypot x y)", "(sqrt (+ (* x x) (* y y)))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(fma x y 1)", "(+ 1 (* y x))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(fmax x y)", "(- (fmin (- x) (- y)))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(fmax x y)", "(- (+ x y) (fmin y x))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(fabs (- x y))", "(- (fmax x y) (fmin x y))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(fdim x y)", "(fmax 0 (- x y))"),
    ("x y", "(and (<= 1 x 2) (<= -1 y 1))", "(fdim x y)", "(- x y)"),
    ("x", "(<= -1 x 1)", "(fmax x x)", "x"),
    ("x", "(<= -1 x 1)", "(+ x x)", "(* 2 x)"),
    ("x", "(<= -1 x 1)", "(sqrt (* x x))", "(fabs x)"),
    ("x", "(<= 0 x 1)", "(sqrt (* x x))", "x"),
    ("x", "(<= -1 x 0)", "(sqrt (* x x))", "(- x)"),
    ("x", "(<= 0 x 4)", "(* (sqrt x) (sqrt x))", "x"),
    ("x", "(<= 1 x 4)", "(* (sqrt x) (sqrt x))", "(/ (* x (sqrt x)) (sqrt x))"),
    ("x", "(<= 1 x 4)", "(/ 1 (sqrt x))", "(/ (sqrt x) x)"),
    ("x", "(<= 1 x 4)", "(/ 1 (sqrt x))", "(pow x -0.5)"),
    ("x", "(<= 1 x 4)", "(- (sqrt (+ x 1)) (sqrt x))", "(/ 1 (+ (sqrt (+ x 1)) (sqrt x)))"),
    ("x", "(<= 1 x 4)", "(log (exp x))", "x"),
    // The cosine is 0 at no number of a format.
    ("x", "(<= -4 x 4)", "(+ (* (sin x) (sin x)) (* (cos x) (cos x)))", "(/ (cos x) (cos x))"),
    ("x", "(<= 1 x 4)", "(exp (log x))", "x"),
    ("x", "(<= -4 x 4)", "(exp (log x))", "(exp (* 1 (log x)))"),
    ("x y", "(and (<= 1 x 4) (<= 1 y 4))", "(log (* x y))", "(+ (log x) (log y))"),
    ("x y", "(and (<= 1 x 4) (<= 1 y 4))", "(log (/ x y))", "(- (log x) (log y))"),
    ("x y", "(and (<= 1 x 4) (<= 1 y 4))", "(pow x y)", "(exp (* y (log x)))"),
    ("x y", "(and (<= 1 x 4) (<= 1 y 4))", "(pow (* x y) 3)", "(* (pow x 3) (pow y 3))"),
    ("x y", "(and (<= 1 x 4) (<= 1 y 4))", "(* (exp x) (exp y))", "(exp (+ x y))"),
    ("x y", "(and (<= 1 x 4) (<= 1 y 4))", "(pow (exp x) y)", "(exp (* x y))"),
    ("x", "(<= 1 x 4)", "(log (* x x))", "(* 2 (log x))"),
    ("x", "(<= -4 x 4)", "(log (* x x))", "(* 2 (log (fabs x)))"),
    ("x", "(<= 1 x 4)", "(log (sqrt x))", "(/ (log x) 2)"),
    ("x", "(<= 1 x 4)", "(log2 (* 8 x))", "(+ 3 (log2 x))"),
    ("x", "(<= 1 x 4)", "(log10 (* 1000 x))", "(+ 3 (log10 x))"),
    ("x", "(<= 1 x 4)", "(log2 x)", "(/ (log x) LN2)"),
    ("x", "(<= 1 x 4)", "(exp2 x)", "(exp (* x LN2))"),
    ("x", "(<= 1 x 4)", "(exp2 (log2 x))", "x"),
    ("x", "(<= 1 x 4)", "(log1p x)", "(log (+ 1 x))"),
    ("x", "(<= 1 x 4)", "(expm1 x)", "(- (exp x) 1)"),
    ("x", "(<= -4 x 4)", "(tan x)", "(/ (sin x) (cos x))"),
    ("x", "(<= -4 x 4)", "(tan x)", "(tan (+ x PI))"),
    ("x", "(<= -4 x 4)", "(sin (+ x (* 2 PI)))", "(sin x)"),
    ("x", "(<= -4 x 4)", "(sin (+ x PI_2))", "(cos x)"),
    ("x", "(<= -4 x 4)", "(cos (- PI x))", "(- (cos x))"),
    ("x", "(<= -4 x 4)", "(+ (* (sin x) (sin x)) (* (cos x) (cos x)))", "1"),
    ("x", "(<= -1 x 1)", "(asin (sin x))", "x"),
    ("x", "(<= -1 x 1)", "(atan (tan x))", "x"),
    ("x", "(<= 0 x 3)", "(acos (cos x))", "x"),
    ("x", "(<= -1 x 1)", "(sin (asin x))", "x"),
    ("x", "(<= -1 x 1)", "(cos (acos x))", "x"),
    ("x", "(<= -1 x 1)", "(tan (atan x))", "x"),
    ("x", "(<= -2 x 2)", "(acos x)", "(- PI_2 (asin x))"),
    ("x", "(<= -4 x 4)", "(sinh x)", "(/ (- (exp x) (exp (- x))) 2)"),
    ("x", "(<= -4 x 4)", "(- (* (cosh x) (cosh x)) (* (sinh x) (sinh x)))", "1"),
    ("x", "(<= -4 x 4)", "(tanh x)", "(/ (sinh x) (cosh x))"),
    ("x", "(<= -4 x 4)", "(atanh (tanh x))", "x"),
    ("x", "(<= -0.5 x 0.5)", "(atanh x)", "(* 0.5 (log (/ (+ 1 x) (- 1 x))))"),
    ("x", "(<= -0.5 x 0.5)", "(atanh (- x))", "(- (atanh x))"),
    ("x", "(<= -4 x 4)", "(asinh (- x))", "(- (asinh x))"),
    ("x", "(<= -4 x 4)", "(cbrt (* x (* x x)))", "x"),
    ("x", "(<= -4 x 4)", "(cbrt (- x))", "(- (cbrt x))"),
    ("x", "(<= -4 x 4)", "(cbrt (* 8 x))", "(* 2 (cbrt x))"),
    ("x", "(<= -4 x 4)", "(floor (+ x 3))", "(+ 3 (floor x))"),
    ("x", "(<= -4 x 4)", "(ceil x)", "(- (floor (- x)))"),
    ("x", "(<= 0.25 x 0.5)", "(floor x)", "0"),
    ("x", "(<= 0 x 5)", "(trunc x)", "(floor x)"),
    ("x", "(<= -4 x 4)", "(erf (- x))", "(- (erf x))"),
    ("x", "(<= -4 x 4)", "(erfc x)", "(- 1 (erf x))"),
    ("x y", "(and (<= 1 x 2) (<= -1 y 1))", "(copysign x y)", "(copysign (- x) (* 3 y))"),
    ("x y", "(and (<= 1 x 2) (<= 1 y 2))", "(copysign x y)", "x"),
    ("x y", "(and (<= 1 x 2) (<= -1 y 2))", "(atan2 y x)", "(atan (/ y x))"),
    ("x y", "(and (<= 1 x 2) (<= 0 y 1))", "(if (<= y x) (- x y) (- y x))", "(- x y)"),
    ("x y", "(and (<= 0 x 1) (<= 0 y 1))", "(if (<= y x) x y)", "(if (< x y) y x)"),
    ("x y", "(and (<= 0 x 1) (<= 0 y 1))", "(if (< (* 2 x) (* 2 y)) x y)", "(if (> y x) x y)"),
    ("x y", "(and (<= 0 x 1) (<= 0 y 1) (<= y x))", "(fmax x y)", "x"),
    ("x y", "(and (<= 0 x 1) (<= 0 y 1) (<= y x))", "(sqrt (* (- x y) (- x y)))", "(- x y)"),
    ("x", "(<= 2 x 4)", "(/ (- (* x x) 1) (- x 1))", "(+ x 1)"),
    ("x", "(<= -2 x 4)", "(sin (/ (* x x) x))", "(* 1 (sin (/ (* 2 x) (/ (* 2 x) x))))"),
    ("x", "(<= 2 x 4)", "(/ x (/ x (+ x 1)))", "(+ x 1)"),
    ("x", "(<= -2 x 4)", "(/ 1 (* x x))", "(pow x -2)"),
    ("x y", "(and (<= -2 x 4) (<= -2 y 4))", "(/ (/ 1 x) y)", "(/ 1 (* y x))"),
    ("x", "(<= 1 x 1)", "(+ x 2)", "3"),
    ("x", "(<= 0 x 1e308)", "(fdim (log (+ x 1)) (log x))", "(- (log (+ x 1)) (log x))"),
    ("x", "(<= 0 x 1e308)", "(fdim (atan (+ x 1)) (atan x))", "(- (atan (+ x 1)) (atan x))"),
    ("x y", "(and (<= 0 x 1e308) (<= 0 y 1))", "(fabs (- (log x) (log (+ x y))))", "(- (log (+ x y)) (log x))"),
    ("x", "(<= -2 x 2)", "(sqrt (+ (* x (+ x 2)) 1))", "(fabs (+ 1 x))"),
    ("x y", "(and (<= 0 x 2) (<= 1 y 2))", "(sqrt (* x y))", "(* (sqrt x) (sqrt y))"),
    ("x", "(<= 0 x 2)", "(sqrt (/ x 2))", "(/ (sqrt x) SQRT2)"),
    ("x", "(<= 0 x 2)", "(+ (log x) (sqrt x))", "(+ (sqrt x) (log x))"),
    ("x", "(<= -2 x 2)", "(* x E)", "(* (exp 1) x)"),
    ("x", "(<= -2 x 2)", "(/ x (+ (* x x) 1))", "(* x (pow (+ 1 (* x x)) -1))"),
    ("x", "(<= -2 x 2)", "(* x (atan 1))", "(* x PI_4)"),
    ("x", "(<= -2 x 2)", "(/ (- (exp (* 2 x)) 1) (exp x))", "(* 2 (sinh x))"),
];

/// The same for what is not equal: the difference is tiny, in a tiny place, or in definedness alone.
const DIFFERENT: &[Case] = &[
    ("x", "(<= -4 x 4)", "(* (sqrt x) (sqrt x))", "(/ (* x (sqrt x)) (sqrt x))"),
    ("x", "(<= -1 x 1)", "x", "(+ x 1e-300)"),
    ("x", "(<= -1 x 1)", "(* x 3)", "(* x 3.000000000000000000000000000001)"),
    ("x", "(<= -1 x 1)", "(sin x)", "(sin (+ x 1e-30))"),
    ("x", "(<= 0 x 1)", "x", "(fmax x 1e-12)"),
    ("x", "(<= 0 x 1e308)", "(fdim (log x) (log (+ x 1)))", "(- (log x) (log (+ x 1)))"),
    ("x y", "(and (<= 1 x 2) (<= -1e-12 y 1))", "(fdim (log (+ x y)) (log x))", "(- (log (+ x y)) (log x))"),
    ("x", "(<= 0 x 1)", "(fdim (tan (+ x 1)) (tan x))", "(- (tan (+ x 1)) (tan x))"),
    ("x", "(<= 0 x 1)", "x", "(fmin x 0.999999999999)"),
    ("x", "(<= 0 x 1)", "x", "(if (< x 1e-12) 0 x)"),
    ("x", "(<= 0 x 1)", "(fabs (- x 1e-12))", "(- x 1e-12)"),
    ("x", "(<= -1 x 1)", "(/ x x)", "1"),
    ("x", "(<= 0 x 1)", "(/ x x)", "1"),
    ("x", "(<= -1 x 1)", "(* (sqrt x) (sqrt x))", "x"),
    ("x", "(<= -1e-12 x 1)", "(* (sqrt x) (sqrt x))", "x"),
    ("x", "(<= -1 x 1)", "(log (* x x))", "(* 2 (log x))"),
    ("x", "(<= -1e-12 x 1)", "(log (* x x))", "(* 2 (log x))"),
    ("x", "(<= -2 x 2)", "(atan (tan x))", "x"),
    ("x", "(<= -2 x 2)", "(asin (sin x))", "x"),
    ("x", "(<= 0 x 1.5707963267948968)", "(asin (sin x))", "x"),
    ("x", "(<= -1e-12 x 3)", "(acos (cos x))", "x"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(/ (* x y) y)", "x"),
    ("x", "(<= -1 x 1)", "(exp (log x))", "x"),
    ("x", "(<= -1 x 1)", "(pow x 0.5)", "(pow (* x x) 0.25)"),
    ("x", "(<= 0 x 1)", "(* 0 (log x))", "0"),
    ("x", "(<= 0 x 1)", "(- (log x) (log x))", "0"),
    ("x", "(<= -1 x 1)", "(* 0 (/ 1 x))", "0"),
    ("x", "(<= -1 x 1)", "(cbrt x)", "(pow x 1/3)"),
    ("x", "(<= -1 x 1)", "(sqrt (* x x))", "x"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(sqrt (* x y))", "(* (sqrt x) (sqrt y))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(sqrt (* (* x x) y))", "(* (fabs x) (sqrt y))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(log (* x y))", "(+ (log x) (log y))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(sqrt (/ x y))", "(/ (sqrt x) (sqrt y))"),
    ("x y", "(and (<= 0 x 1) (<= 0 y 1))", "(sqrt (/ x y))", "(sqrt (* x (/ y (* y (+ y 1e-30)))))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(fmax x y)", "(fmin x y)"),
    ("x y", "(and (<= 1 x 2) (<= 0 y 1.000000000001))", "(fmax x y)", "x"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(copysign x y)", "(- (copysign x (- y)))"),
    ("x y", "(and (<= -1 x 1) (<= -1 y 1))", "(atan2 y x)", "(atan (/ y x))"),
    ("x y", "(and (<= 0 x 1) (<= -1 y 1))", "(atan2 y x)", "(atan (/ y x))"),
    ("x", "(<= 0 x 1)", "(log x)", "(log (fabs x))+"),
    ("x", "(<= -1 x 1)", "(log x)", "(log (fabs x))"),
    ("x", "(<= -4 x 4)", "(round x)", "(floor (+ x 0.5))"),
    ("x", "(<= 0 x 4)", "(nearbyint x)", "(round x)"),
    ("x", "(<= -4 x 4)", "(trunc x)", "(floor x)"),
    ("x", "(<= -1e-12 x 5)", "(trunc x)", "(floor x)"),
    ("x", "(<= 0 x 1)", "(floor x)", "0"),
    ("x", "(<= -4 x 4)", "(tan x)", "(/ 1 (/ (cos x) (sin x)))"),
    ("x", "(<= -1 x 1)", "(/ 1 (/ 1 x))", "x"),
    ("x", "(<= -1 x 1)", "(pow x -2)", "(/ 1 (fabs x))"),
    ("x", "(<= 1 x 2)", "(pow x 2)", "(pow x 2.000000000000000000000000000001)"),
    ("x y", "(and (<= 0 x 1) (<= 0 y 1))", "(pow x y)", "(exp (* y (log x)))"),
    ("x y", "(and (<= 0 x 1) (<= 0 y 1))", "(if (<= y x) x (+ y 1))", "(if (< y x) x (+ y 1))"),
    ("x", "(<= -1 x 1)", "(if (< x 0) 1 (sqrt x))", "(if (< x 0) 1 (* (sqrt (- x)) (/ (sqrt x) (sqrt (- x)))))"),
    ("x", "(<= -1 x 1)", "(if (<= x 0) 0 (log x))", "(if (< x 0) 0 (log x))"),
    ("x", "(<= -4 x 4)", "(lgamma x)", "(log (tgamma x))"),
    ("x", "(<= -1 x 1)", "(acosh (+ 1 x))", "(log (+ (+ 1 x) (sqrt (* x (+ x 2)))))+"),
    ("x", "(<= -1 x 1)", "(/ 1 (+ x 1e-300))", "(/ 1 x)"),
    ("x", "(<= -4 x 4)", "(sin x)", "(sin (+ x 6.283185307179586476925286766559))"),
    // At 1/2 it has no value.
    ("x", "(<= -4 x 4)", "(+ (* (sin x) (sin x)) (* (cos x) (cos x)))", "(/ (cos (* PI x)) (cos (* PI x)))"),
    ("x", "(<= 0 x 1)", "(/ (* x x) (* x x))", "(/ x x)+1"),
];

#[test]
fn equal_pairs_are_proved() {
    let mut missed = Vec::new();
    for &(inputs, pre, f, g) in EQUAL {
        let p = Pair::text(inputs, pre, f, g);
        match p.prove() {
            Some(_) => {
                attack(&p).unwrap_or_else(|why| panic!("{f} and {g}: {why}"));
            }
            None => missed.push(format!("{f}   {g}   on {pre}: {:?}", attack(&p))),
        }
    }
    assert!(missed.is_empty(), "not proved:\n{}", missed.join("\n"));
}

#[test]
fn different_pairs_are_not_proved() {
    for &(inputs, pre, f, g) in DIFFERENT {
        // A sum written after the second body is part of it.
        let g = g.split_once(")+").map_or(g.to_string(), |(g, more)| {
            let more = if more.is_empty() { "1e-40" } else { more };
            format!("(+ {g}) {more})")
        });
        let p = Pair::text(inputs, pre, f, &g);
        let proof = p.prove();
        assert!(proof.is_none(), "{f} and {g} on {pre}: {}", proof.unwrap());
    }
}

/// Rounds of Newton's method for a zero of sin by Taylor's polynomials: the third is beyond any limit of a normal form.
fn newton(start: &str, rounds: usize) -> String {
    let sin = "(+ (- x (/ (pow x 3) 6)) (- (/ (pow x 5) 120) (/ (pow x 7) 5040)))";
    let cos = "(+ (- 1 (/ (pow x 2) 2)) (- (/ (pow x 4) 24) (/ (pow x 6) 720)))";
    (0..rounds).fold(start.to_owned(), |x, _| format!("(let ([x {x}]) (- x (/ {sin} {cos})))"))
}

#[test]
fn no_form_is_made_of_what_lacks_a_part_that_has_none() {
    let (pre, f) = ("(< -1 x 1)", newton("x", 3));
    let other = Pair::text("x", pre, &f, &newton("(* x 1.0001)", 3));
    let mut prover = Prover::new(&other.tape, &other.domain, &other.conditions).with_fuel(1 << 20);
    let parts = prover.parts_as_they_stand(other.f);
    assert!(!parts.is_empty() && other.tape.computes_all(other.f, &parts) && !other.tape.computes_all(other.g, &parts));
    let left = prover.fuel_left();
    assert!(left < 1 << 20);
    assert_eq!(prover.prove_equal(other.f, other.g), None);
    assert_eq!(prover.fuel_left(), left);
    // What has the part is compared as ever.
    let same = Pair::text("x", pre, &format!("(* 2 {f})"), &format!("(+ {f} {f})"));
    assert!(same.prove().is_some());
}

#[test]
fn a_product_that_uses_up_the_operations_has_no_form() {
    // As a part of a sum the product is multiplied out.
    let polynomial = |step: usize| {
        let powers: Vec<String> = (1..40).map(|k| format!("(* {} (pow x {k}))", k * step + 1)).collect();
        format!("(+ 1 {})", powers.join(" "))
    };
    let (p, q) = (polynomial(1), polynomial(3));
    let pair = Pair::text(
        "x",
        "(<= 1 x 2)",
        &format!("(+ (* {p} {q}) (sin x))"),
        &format!("(+ (sin x) (* (* 2 {q}) (* 1/2 {p})))"),
    );
    let prover = || Prover::new(&pair.tape, &pair.domain, &pair.conditions);
    assert!(prover().prove_equal(pair.f, pair.g).is_some());
    let mut short = prover().with_fuel(1);
    assert_eq!(short.prove_equal(pair.f, pair.g), None);
    assert_eq!(short.fuel_left(), 0);
}
