//! Pairs that have different normal forms and are equal by laws of their operators.

use crate::equiv_common::{Finding, Pair, attack, attack_at, has_value, points};
use magneto::equiv::{Proof, laws, prove_by_rewriting};

/// Inputs, precondition, two bodies.
type Case = (&'static str, &'static str, &'static str, &'static str);

const EQUAL: &[Case] = &[
    ("x", "(<= -4 x 4)", "(asinh x)", "(log (+ x (sqrt (+ (* x x) 1))))"),
    ("x", "(<= -4 x 4)", "(acosh x)", "(log (+ x (sqrt (- (* x x) 1))))"),
    ("x", "(<= -4 x 4)", "(asinh (sinh x))", "x"),
    ("x", "(<= -4 x 4)", "(sinh (asinh x))", "x"),
    ("x", "(<= -4 x 4)", "(acosh (cosh x))", "(fabs x)"),
    ("x", "(<= 1 x 4)", "(cosh (acosh x))", "x"),
    ("x", "(<= -4 x 4)", "(cosh (asinh x))", "(sqrt (+ 1 (* x x)))"),
    ("x", "(<= 1 x 4)", "(sinh (acosh x))", "(sqrt (- (* x x) 1))"),
    ("x", "(<= -2 x 2)", "(cos (asin x))", "(sqrt (- 1 (* x x)))"),
    ("x", "(<= -2 x 2)", "(sin (acos x))", "(sqrt (- 1 (* x x)))"),
    ("x", "(<= -2 x 2)", "(tan (asin x))", "(/ x (sqrt (- 1 (* x x))))"),
    ("x", "(<= -2 x 2)", "(tan (acos x))", "(/ (sqrt (- 1 (* x x))) x)"),
    ("x", "(<= -2 x 2)", "(cos (atan x))", "(/ 1 (sqrt (+ 1 (* x x))))"),
    ("x", "(<= 1 x 2)", "(+ (atan x) (atan (/ 1 x)))", "PI_2"),
    ("x", "(<= -2 x -1)", "(+ (atan x) (atan (/ 1 x)))", "(- PI_2)"),
    ("x y", "(and (<= 1 x 2) (<= 1 y 3))", "(atan (/ x y))", "(- PI_2 (atan (/ y x)))"),
    ("x", "(<= -0.5 x 0.5)", "(asin x)", "(atan (/ x (sqrt (- 1 (* x x)))))"),
    ("x", "(<= -0.5 x 0.5)", "(acos x)", "(* 2 (asin (sqrt (/ (- 1 x) 2))))"),
    ("x", "(<= -0.5 x 0.5)", "(acos x)", "(* 2 (atan (sqrt (/ (- 1 x) (+ 1 x)))))"),
    ("x y", "(and (<= -2 x 2) (<= 1 y 3))", "(atan2 y x)", "(- PI_2 (atan (/ x y)))"),
    ("x y", "(and (<= -2 x 2) (<= -3 y -1))", "(atan2 y x)", "(- (atan2 (- y) x))"),
    ("x y", "(and (<= -2 x -1) (<= 0 y 1))", "(atan2 y x)", "(+ PI (atan (/ y x)))"),
    ("x y", "(and (<= -2 x -1) (<= -3 y -1))", "(atan2 y x)", "(- (atan (/ y x)) PI)"),
    ("x y", "(and (<= 1 x 2) (<= 1 y 3))", "(atan2 y x)", "(- PI_2 (atan2 x y))"),
    ("x", "(<= 0.5 x 4)", "(tgamma (+ x 1))", "(* x (tgamma x))"),
    ("x", "(<= 0.5 x 4)", "(lgamma (+ x 1))", "(+ (log x) (lgamma x))"),
    ("x", "(<= 0.5 x 4)", "(lgamma x)", "(log (tgamma x))"),
    ("x", "(<= 0.5 x 4)", "(tgamma x)", "(exp (lgamma x))"),
    ("x y z", "(and (<= -2 x 2) (<= -2 y 2) (<= -2 z 2))", "(fmax x (fmax y z))", "(fmax (fmax x y) z)"),
    ("x y", "(and (<= -2 x 2) (<= -2 y 2))", "(fmin x (fmax x y))", "x"),
    ("x y", "(and (<= -2 x 2) (<= -2 y 2))", "(fmax x (fmax x y))", "(fmax x y)"),
    ("x y z", "(and (<= -2 x 2) (<= -2 y 2) (<= -2 z 2))", "(fmin x (fmax y z))", "(fmax (fmin x y) (fmin x z))"),
    ("x y", "(and (<= -2 x 2) (<= -2 y 2))", "(exp (fmax x y))", "(fmax (exp x) (exp y))"),
    ("x y", "(and (<= 1 x 2) (<= 1 y 2))", "(log (fmin x y))", "(fmin (log x) (log y))"),
    ("x y", "(and (<= 1 x 2) (<= 1 y 2))", "(sqrt (fmin x y))", "(fmin (sqrt x) (sqrt y))"),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(floor (fmin x y))", "(fmin (floor x) (floor y))"),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(atan (fmin x y))", "(fmin (atan x) (atan y))"),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(exp (if (< x y) x 1))", "(if (< x y) (exp x) E)"),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(* 2 (if (< x y) x 1))", "(if (< x y) (+ x x) 2)"),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(if (< x y) x y)", "(fmin x y)"),
    ("x", "(<= -2 x 2)", "(if (< x 0) (- x) x)", "(fabs x)"),
    ("x", "(<= -2 x 2)", "(floor (floor x))", "(floor x)"),
    ("x", "(<= -2 x 2)", "(ceil (round x))", "(round x)"),
    ("x y", "(and (<= -9 x 9) (<= 1 y 2))", "(fmod (fmod x y) y)", "(fmod x y)"),
    ("x y", "(and (<= 0 x 1) (<= 2 y 3))", "(fmod x y)", "x"),
    ("x y", "(and (<= 1 x 5) (<= 2 y 3))", "(fmod x y)", "(- x (* y (floor (/ x y))))"),
    ("x", "(<= -2 x 2)", "(sin (* 2 x))", "(* 2 (* (sin x) (cos x)))"),
    ("x", "(<= -2 x 2)", "(cos (* 2 x))", "(- 1 (* 2 (* (sin x) (sin x))))"),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(sin (+ x y))", "(+ (* (sin x) (cos y)) (* (cos x) (sin y)))"),
    ("x", "(<= -1 x 1)", "(tan (/ x 2))", "(/ (sin x) (+ 1 (cos x)))"),
    ("x", "(<= -1 x 1)", "(sin (* 3 x))", "(- (* 3 (sin x)) (* 4 (pow (sin x) 3)))"),
    ("x", "(<= -1 x 1)", "(sin (acos (cos x)))", "(fabs (sin x))"),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(copysign (copysign x y) y)", "(copysign x y)"),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(fabs (copysign x y))", "(fabs x)"),
    ("x", "(<= -3 x 3)", "(log1p (expm1 (asinh (sinh x))))", "x"),
    ("x", "(<= -3 x 3)", "(erf (asinh (sinh x)))", "(- 1 (erfc x))"),
    ("x y", "(and (<= -9 x 9) (<= 1 y 2))", "(fabs (fmod x y))", "(fmod (fabs x) y)"),
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(fmax (fabs x) (- x))", "(fabs x)"),
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(hypot (fmax x y) (fmin x y))", "(hypot x y)"),
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(+ (fmax x y) (fmin x y))", "(+ x y)"),
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(* (fmax x y) (fmin x y))", "(* x y)"),
    ("x", "(<= -4 x 4)", "(atan (sinh x))", "(* 2 (atan (tanh (/ x 2))))"),
    ("x", "(<= -4 x 4)", "(atan (sinh x))", "(asin (tanh x))"),
    ("x", "(<= -4 x 4)", "(sinh x)", "(tan (asin (tanh x)))"),
];

/// Pairs that a law would make equal if its condition, or definedness, did not matter.
const DIFFERENT: &[Case] = &[
    ("x", "(<= -4 x 4)", "(cosh (acosh x))", "x"),
    ("x", "(<= 0.999999999999 x 4)", "(cosh (acosh x))", "x"),
    ("x", "(<= -4 x 4)", "(acosh (cosh x))", "x"),
    ("x", "(<= -2 x 2)", "(sinh (acosh x))", "(sqrt (- (* x x) 1))"),
    ("x", "(<= -1 x 1)", "(asin x)", "(atan (/ x (sqrt (- 1 (* x x)))))"),
    ("x", "(<= -1 x 1)", "(acos x)", "(* 2 (atan (sqrt (/ (- 1 x) (+ 1 x)))))"),
    ("x", "(<= -2 x 2)", "(+ (atan x) (atan (/ 1 x)))", "PI_2"),
    ("x", "(<= -1e-12 x 2)", "(+ (atan x) (atan (/ 1 x)))", "PI_2"),
    ("x", "(<= 0 x 2)", "(+ (atan x) (atan (/ 1 x)))", "PI_2"),
    ("x y", "(and (<= -2 x 2) (<= 0 y 3))", "(atan2 y x)", "(- PI_2 (atan (/ x y)))"),
    ("x y", "(and (<= -2 x -1) (<= -1e-12 y 1))", "(atan2 y x)", "(+ PI (atan (/ y x)))"),
    ("x y", "(and (<= -2 x -1) (<= -3 y 0))", "(atan2 y x)", "(- (atan (/ y x)) PI)"),
    ("x", "(<= -0.5 x 4)", "(tgamma (+ x 1))", "(* x (tgamma x))"),
    ("x", "(<= -0.5 x 4)", "(lgamma x)", "(log (tgamma x))"),
    ("x y", "(and (<= -1e-12 x 2) (<= 1 y 2))", "(log (fmax x y))", "(fmax (log x) (log y))"),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(sqrt (fmax x y))", "(fmax (sqrt x) (sqrt y))"),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(cosh (fmax x y))", "(fmax (cosh x) (cosh y))"),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(if (< (log x) 0) y y)", "y"),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(if (< x 0) y (log x))", "(if (<= x 0) y (log x))"),
    (
        "x y",
        "(and (<= -1 x 2) (<= -1 y 2))",
        "(if (< y 0) 1 (if (< (log x) 0) 1 2))",
        "(if (or (< y 0) (< (log x) 0)) 1 2)",
    ),
    (
        "x y",
        "(and (<= -1 x 2) (<= -1 y 2))",
        "(if (< y 0) (if (< (log x) 0) 1 2) 2)",
        "(if (and (< y 0) (< (log x) 0)) 1 2)",
    ),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(if (< x y) x y)", "(fmax x y)"),
    ("x y", "(and (<= -1 x 2) (<= -1 y 2))", "(copysign (copysign x (log y)) 1)", "(copysign x 1)"),
    ("x y", "(and (<= -1 x 2) (<= 1 y 3))", "(fmod x y)", "x"),
    ("x y", "(and (<= 0 x 2) (<= 1.999999999999 y 3))", "(fmod x y)", "x"),
    ("x y", "(and (<= -9 x 9) (<= 1 y 3))", "(fmod x y)", "(- x (* y (floor (/ x y))))"),
    ("x", "(<= -2 x 2)", "(floor (ceil x))", "(floor x)"),
    ("x", "(<= -4 x 4)", "(sqrt (- 1 (* (cos x) (cos x))))", "(sin x)"),
    ("x", "(<= -4 x 4)", "(tan (/ x 2))", "(/ (- 1 (cos x)) (sin x))"),
];

fn rewrite(p: &Pair) -> Option<Proof> {
    prove_by_rewriting(&p.tape, p.f, p.g, &p.domain, &p.conditions, &p.names)
}

#[test]
fn equal_by_laws() {
    let (mut missed, mut steps) = (Vec::new(), 0);
    for &(inputs, pre, f, g) in EQUAL {
        let p = Pair::text(inputs, pre, f, g);
        attack(&p).unwrap_or_else(|why| panic!("{f} and {g}: {why}"));
        match rewrite(&p) {
            Some(proof) => {
                println!("{f}   {g}   {proof}");
                steps += proof.facts.iter().map(|line| attack_step(inputs, pre, line)).count();
            }
            None => missed.push(format!("{f}   {g}   on {pre}")),
        }
    }
    assert!(missed.is_empty(), "not proved:\n{}", missed.join("\n"));
    assert!(steps >= EQUAL.len(), "{steps} steps");
}

/// A step as it is printed, read again: both sides are the same function.
fn attack_step(inputs: &str, pre: &str, line: &str) {
    let (before, rest) = line.split_once(" = ").expect(line);
    let (after, why) = rest.split_once(": ").expect(line);
    assert!(!why.is_empty(), "{line}");
    // A condition is looked at by what follows from it.
    let number = |text: &str| match ["(<", "(not", "(and", "(or"].iter().any(|p| text.starts_with(p)) {
        true => format!("(if {text} 1 0)"),
        false => text.to_owned(),
    };
    let p = Pair::text(inputs, pre, &number(before), &number(after));
    let agreed = attack(&p).unwrap_or_else(|why| panic!("{line}: {why}"));
    assert!(agreed > 100, "{line}: {agreed} points");
}

#[test]
fn different_pairs_are_not_proved() {
    for &(inputs, pre, f, g) in DIFFERENT {
        let p = Pair::text(inputs, pre, f, g);
        let proof = rewrite(&p);
        assert!(proof.is_none(), "{f} and {g} on {pre}: {}", proof.unwrap());
    }
}

/// Puts expressions in place of the variables of a text.
fn substitute(text: &str, variables: &[String], values: &[&str]) -> String {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let one = |token: &str| match variables.iter().position(|v| v == token) {
        Some(i) => values[i].to_owned(),
        None => token.to_owned(),
    };
    spaced.split_whitespace().map(one).collect::<Vec<_>>().join(" ")
}

/// Every law at many points, its variables in turn expressions with and without a value there: where its condition
/// holds, both sides have the same value or none.
#[test]
fn the_laws_hold_point_by_point() {
    const NUMBERS: [&str; 7] = ["u", "v", "(+ 1 (* u u))", "(sqrt v)", "(/ 1 u)", "(log (+ u v))", "0"];
    const CONDITIONS: [&str; 3] = ["(< u v)", "(<= 0 (sqrt u))", "(not (< (log v) 0))"];
    let (mut agreed, mut apart) = (0, 0);
    let all = laws();
    for law in &all {
        let mut settled = 0;
        let is_condition = |name: &String| ["c", "d"].contains(&name.as_str());
        for turn in 0..7 {
            let pick = |(i, name): (usize, &String)| match is_condition(name) {
                true => CONDITIONS[(turn + i) % CONDITIONS.len()],
                false => NUMBERS[(turn + i * (1 + turn / 4)) % NUMBERS.len()],
            };
            let values: Vec<&str> = law.variables.iter().enumerate().map(pick).collect();
            let put = |text: &str| substitute(text, &law.variables, &values);
            // Two conditions are compared by what follows from them.
            let side = |text: &str| match law.left.starts_with("(not") {
                true => format!("(if {} 1 0)", put(text)),
                false => put(text),
            };
            let (left, right) = (side(&law.left), side(&law.right));
            let p = Pair::text("u v", "(and (<= -4 u 4) (<= -4 v 4))", &left, &right);
            // Surely not 0: where the condition is true, or without a value; and where what has to have a value has one.
            let when = put(law.when.as_deref().unwrap_or("(<= 0 0)"));
            let ask = Pair::text("u v", "(and (<= -4 u 4) (<= -4 v 4))", &format!("(if {when} 1 0)"), "0");
            let needed: Vec<Pair> = law
                .needed
                .iter()
                .map(|n| match is_condition(n) {
                    true => format!("(if {} 1 1)", put(n)),
                    false => put(n),
                })
                .map(|text| Pair::text("u v", "(and (<= -4 u 4) (<= -4 v 4))", &text, "0"))
                .collect();
            for x in points(&p.domain) {
                // Refuted also where only one of the two has a value: the condition has none.
                let holds = matches!(attack_at(&ask.tape, ask.f, ask.g, &[], &x), Finding::Refuted(_));
                if !holds || !needed.iter().all(|n| has_value(&n.tape, n.f, &x)) {
                    apart += 1;
                    continue;
                }
                match attack_at(&p.tape, p.f, p.g, &[], &x) {
                    Finding::Refuted(why) => panic!("{}: {left} and {right}: {why}", law.name),
                    Finding::Agrees => settled += 1,
                    Finding::Unsettled => {}
                }
            }
        }
        assert!(settled > 100, "{}: {settled} points only", law.name);
        agreed += settled;
    }
    println!("{} laws at {agreed} points; {apart} points where they say nothing", all.len());
}
