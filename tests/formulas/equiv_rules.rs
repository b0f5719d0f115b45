//! Rules of normal forms, each with false twins: pairs that differ where the rule's condition fails, which must not be
//! proved. What is proved is attacked at points.

use crate::equiv_common::{Finding, Pair, attack_at, points};
use magneto::equiv::{prove_by_cases, prove_by_rewriting};

/// Inputs, precondition, two functions, and whether they are the same.
const PAIRS: &[(&str, &str, &str, &str, bool)] = &[
    // sqrt(u^2 v) / u: v may be negative only where u is 0, which is divided by.
    ("u v", "(and (<= -2 u 2) (<= -2 v 2))", "(/ (sqrt (* (* u u) v)) u)", "(/ (* (fabs u) (sqrt v)) u)", true),
    (
        "u v",
        "(and (<= -2 u 2) (<= -2 v 2))",
        "(/ (sqrt (* (* u u) v)) u)",
        "(* (copysign 1 u) (/ (sqrt v) (/ u u)))",
        true,
    ),
    ("u v", "(and (<= -2 u 2) (<= -2 v 2))", "(/ (sqrt (* (* u u) v)) u)", "(sqrt v)", false),
    ("u v", "(and (<= -2 u 2) (<= -2 v 2))", "(sqrt (* (* u u) v))", "(* (fabs u) (sqrt v))", false),
    ("u v", "(and (<= -2 u 2) (<= -2 v 2))", "(/ (sqrt (* (* u u) v)) 3)", "(/ (* (fabs u) (sqrt v)) 3)", false),
    (
        "u v",
        "(and (<= -2 u 2) (<= 1 v 2))",
        "(/ (sqrt (* (* u u) (- v 1.5))) v)",
        "(/ (* (fabs u) (sqrt (- v 1.5))) v)",
        false,
    ),
    // |u| / u
    ("u", "(<= -2 u 2)", "(/ (fabs u) u)", "(/ u (fabs u))", true),
    ("u", "(<= -2 u 2)", "(/ (fabs u) u)", "(copysign 1 u)", false),
    ("u", "(<= 1e-9 u 2)", "(/ (fabs u) u)", "(copysign 1 u)", true),
    ("u", "(<= -2 u 2)", "(/ (fabs u) (* u u))", "(/ 1 (fabs u))", true),
    ("u", "(<= -2 u 2)", "(/ (fabs u) (* u u))", "(/ 1 u)", false),
    // sin(2 u) / cos(u)
    ("x", "(<= 0.5 x 20)", "(/ (sin (* 2 x)) (* 2 (cos x)))", "(sin x)", true),
    ("x", "(<= 0.5 x 20)", "(/ (sin (* 2 x)) (* 2 (cos x)))", "(cos x)", false),
    ("x", "(<= 0 x 20)", "(/ (sin (* 2 x)) (* 2 (sin x)))", "(cos x)", false),
    ("x", "(<= 0.5 x 20)", "(/ (sin (* 3 x)) (* 2 (cos x)))", "(sin x)", false),
    // Roots of numbers: each prime that is no cube stays below the root.
    ("x", "(<= -4 x 4)", "(* x (cbrt 2))", "x", false),
    ("x", "(<= -4 x 4)", "(* x (cbrt 16))", "(* 2 (* x (cbrt 2)))", true),
    ("x", "(<= -4 x 4)", "(* x (cbrt 16))", "(* 2 x)", false),
    ("x", "(<= -4 x 4)", "(* (cbrt 4) (* x (cbrt 54)))", "(* 6 x)", true),
    ("x", "(<= -4 x 4)", "(* x (cbrt 1/2))", "(* 1/2 (* x (cbrt 4)))", true),
    ("x", "(<= -4 x 4)", "(* x (cbrt -24))", "(* -2 (* x (cbrt 3)))", true),
    ("x", "(<= -4 x 4)", "(* x (cbrt -24))", "(* -2 (* x (cbrt 9)))", false),
    ("x", "(<= -4 x 4)", "(* x (sqrt 12))", "(* 2 (* x (sqrt 3)))", true),
    ("x", "(<= -4 x 4)", "(* x (sqrt 12))", "(* 2 x)", false),
    // Powers with fractions, of which square and cube roots alone are roots.
    ("x", "(<= 0 x 4)", "(pow x 1/2)", "(sqrt x)", true),
    ("x", "(<= 0 x 4)", "(pow x 2/3)", "(* (cbrt x) (cbrt x))", true),
    ("x", "(<= 0 x 4)", "(pow x 1/5)", "(sqrt x)", false),
    ("x", "(<= 0 x 4)", "(pow x 2/5)", "(* (cbrt x) (cbrt x))", false),
    // Cosines of inverse functions.
    ("x", "(<= -1 x 1)", "(cos (asin x))", "(sqrt (- 1 (* x x)))", true),
    ("x", "(<= -1 x 1)", "(cos (asin x))", "(sqrt (+ 1 (* x x)))", false),
    ("x", "(<= -4 x 4)", "(cos (atan x))", "(/ 1 (sqrt (+ 1 (* x x))))", true),
    ("x", "(<= -4 x 4)", "(cos (atan x))", "(sqrt (+ 1 (* x x)))", false),
    // e^y - e^z has the sign of y - z.
    (
        "x y z",
        "(and (<= -9 x 9) (<= -3 y 3) (<= -3 z 3))",
        "(copysign x (- (exp y) (exp z)))",
        "(copysign x (- y z))",
        true,
    ),
    (
        "x y z",
        "(and (<= -9 x 9) (<= -3 y 3) (<= -3 z 3))",
        "(copysign x (- (exp z) (exp y)))",
        "(copysign x (- z y))",
        true,
    ),
    (
        "x y z",
        "(and (<= -9 x 9) (<= -3 y 3) (<= -3 z 3))",
        "(copysign x (- (exp y) (exp z)))",
        "(copysign x (- z y))",
        false,
    ),
    (
        "x y z",
        "(and (<= -9 x 9) (<= -3 y 3) (<= -3 z 3))",
        "(copysign x (- (exp z) (exp y)))",
        "(copysign x (- y z))",
        false,
    ),
    // Signs.
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(copysign x y)", "(copysign x (atan y))", true),
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(copysign x y)", "(copysign x (tanh (* 3 y)))", true),
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(copysign x y)", "(copysign x (* y (+ 1 (* x x))))", true),
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(copysign x y)", "(copysign x (* y (* x x)))", false),
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(copysign x y)", "(- (copysign x (- y)))", false),
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(copysign x y)", "(copysign x (cosh y))", false),
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(copysign x y)", "(copysign x (sin y))", false),
    ("x y", "(and (<= -9 x 9) (<= -3.125 y 3.125))", "(copysign x y)", "(copysign x (sin y))", true),
    ("x y", "(and (<= -9 x 9) (<= -3.25 y 3.25))", "(copysign x y)", "(copysign x (sin y))", false),
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(copysign x y)", "(copysign x (exp y))", false),
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(fabs (copysign x (tan y)))", "(fabs x)", true),
    ("x y", "(and (<= -9 x 9) (<= -9 y 9))", "(fabs (copysign x (/ 1 y)))", "(fabs x)", false),
    // What is never 0 at binary fractions.
    ("x", "(<= -2 x 3)", "(if (== (exp x) 8) 1 x)", "x", true),
    ("x", "(<= -2 x 3)", "(if (== (exp x) 1) 1 x)", "x", false),
    ("x", "(<= -2 x 3)", "(if (== (sinh x) 2) 1 x)", "x", true),
    ("x", "(<= -2 x 3)", "(if (== (sinh x) 0) 1 x)", "x", false),
    ("x", "(<= -2 x 3)", "(if (== x (log 8)) 1 x)", "x", true),
    ("x", "(<= -2 x 3)", "(if (== x (log 1)) 1 x)", "x", false),
    ("x", "(<= -2 x 3)", "(if (== (atan x) 1) 1 x)", "x", true),
    ("x", "(<= -2 x 3)", "(if (== (cos x) 1) 2 x)", "x", false),
    ("x", "(<= -2 x 3)", "(if (== (cos x) 0.5) 2 x)", "x", true),
    ("x", "(<= -2 x 3)", "(if (== (asin x) 0) 2 x)", "(if (== x x) x 3)", false),
    ("x", "(<= -2 x 3)", "(if (== x 0.8) 2 x)", "x", true),
    ("x", "(<= -2 x 3)", "(if (== x 0.75) 2 x)", "x", false),
    ("x", "(<= -2 x 3)", "(if (== (* 0.8 x) 0.8) 2 x)", "x", false),
    ("x", "(<= -2 x 3)", "(if (== (* 0.3 x) 0.15) 2 x)", "x", false),
    ("x", "(<= -2 x 3)", "(if (== x (sqrt 2)) 2 x)", "x", true),
    ("x", "(<= -2 x 3)", "(if (== x (sqrt 4)) 3 x)", "x", false),
    // Multiples of pi.
    ("x", "(<= -2 x 3)", "(* x (cos (/ (* 2 PI) 6)))", "(/ x 2)", true),
    ("x", "(<= -2 x 3)", "(* x (sin (* 14 (/ PI 7))))", "(* 0 x)", true),
    ("x", "(<= -2 x 3)", "(* x (sin (* 13 (/ PI 7))))", "(* 0 x)", false),
    ("x", "(<= -2 x 3)", "(* x (sin (* 2 3.14159265358979323846)))", "(* 0 x)", false),
];

#[test]
fn rules_prove_what_holds_and_nothing_else() {
    let mut wrong = Vec::new();
    for (inputs, pre, f, g, same) in PAIRS {
        let pair = Pair::text(inputs, pre, f, g);
        let proof = pair.prove();
        if *same {
            if proof.is_none() {
                wrong.push(format!("not proved: {f} = {g} where {pre}"));
            }
            for x in points(&pair.domain) {
                let found = attack_at(&pair.tape, pair.f, pair.g, &pair.conditions, &x);
                if let Finding::Refuted(why) = found {
                    wrong.push(format!("{f} = {g} is proved and refuted at {x:?}: {why}"));
                }
            }
            continue;
        }
        let proof = proof
            .or_else(|| prove_by_cases(&pair.tape, pair.f, pair.g, &pair.domain, &pair.conditions, &pair.names))
            .or_else(|| prove_by_rewriting(&pair.tape, pair.f, pair.g, &pair.domain, &pair.conditions, &pair.names));
        if let Some(proof) = proof {
            wrong.push(format!("proved: {f} = {g} where {pre}: {proof}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
