//! Mutants that can be killed in a tiny part of the domain only, fed in on purpose: none may be proved.

use magneto::equiv::{Prover, prove_by_cases};
use magneto::mutate::{Change, Mutant, OperatorSet, mutants};
use magneto::spec::{InputBox, Overrides, Spec, parse_file, resolve};
use magneto::suite::recheck::{Proved, RecheckEffort, recheck};
use magneto::suite::{Interrupt, Options, Status, generate_for};
use magneto::tape::{Builder, NodeId, lower::lower};

/// Inputs, precondition, specification and mutant. EPS is the share of the domain in which they differ.
const CASES: [(&str, &str, &str, &str); 22] = [
    ("x", "(<= 0 x 1)", "(+ 1 x)", "(if (< x EPS) (+ 2 x) (+ 1 x))"),
    ("x", "(<= 0 x 1)", "(+ 1 x)", "(if (> x (- 1 EPS)) (- 1 x) (+ 1 x))"),
    ("x", "(<= 0 x 1)", "(exp x)", "(if (<= (fabs (- x 1/3)) EPS) (exp (* 2 x)) (exp x))"),
    ("x", "(<= 0 x 1)", "(fmax x EPS)", "(fmax x (* 2 EPS))"),
    ("x", "(<= 0 x 1)", "(fmin (+ 1 x) 2)", "(fmin (+ 1 x) (- 2 EPS))"),
    ("x", "(<= EPS x 1)", "(fabs (- x (* 2 EPS)))", "(- x (* 2 EPS))"),
    ("x", "(<= 0 x 1)", "(sqrt (pow (- x EPS) 2))", "(- x EPS)"),
    ("x", "(<= 0 x 1)", "(fdim x EPS)", "(- x EPS)"),
    ("x", "(<= -1 x 1)", "(/ x (- x 2))", "(/ x (- x (- 1 EPS)))"),
    ("x", "(<= 0 x 1)", "(sqrt x)", "(sqrt (- x EPS))"),
    ("x", "(<= 0 x 1)", "(log (+ x 1))", "(if (< x EPS) (log x) (log (+ x 1)))"),
    ("x", "(<= 0 x 1)", "(asin x)", "(asin (* x (+ 1 EPS)))"),
    ("x", "(<= 0 x 1)", "(acos (- x 1))", "(acos (- (* x (+ 1 EPS)) (+ 1 EPS)))"),
    ("x", "(<= 1 x 2)", "(floor (+ x 3))", "(floor (+ (+ x EPS) 3))"),
    ("x", "(<= 0 x 1)", "(trunc (+ x 1/2))", "(trunc (+ x (- 1/2 EPS)))"),
    ("x y", "(and (<= 0 x 1) (<= 0 y 1))", "(+ x y)", "(if (and (< x EPS) (< y 1/2)) (+ (+ x y) 1) (+ x y))"),
    ("x y", "(and (<= 0 x 1) (<= 0 y 1))", "(* x y)", "(fmin (* x y) (- 1 EPS))"),
    ("x y", "(and (<= 0 x 1) (<= 0 y 1))", "(hypot x y)", "(fmax (hypot x y) EPS)"),
    ("x y", "(and (<= 0 x 1) (<= 0 y 1) (< x y))", "(- y x)", "(fmax (- y x) EPS)"),
    ("x y", "(and (<= 0 x 1) (<= 0 y 1) (< x (+ y EPS)))", "(fdim y x)", "(- y x)"),
    ("x y", "(and (<= 1 x 9) (<= 1 y 9) (> (+ x y) (+ 2 EPS)))", "(+ x (fmax y 1))", "(+ x (fmax y (+ 1 EPS)))"),
    (
        "x y z",
        "(and (<= 0 x 1) (<= 0 y 1) (<= 0 z 1))",
        "(if (< x y) (+ 1 z) (+ 2 z))",
        "(if (< x (+ y EPS)) (+ 1 z) (+ 2 z))",
    ),
];

/// One specification, with the mutant's body.
fn case(n: usize, eps: &str) -> (Spec, Mutant) {
    let (inputs, pre, f, g) = CASES[n];
    let core = |body: &str| {
        format!("(FPCore ({inputs}) :name \"case {n}\" :pre {pre} :magneto-rel-error 1e-14 {body})").replace("EPS", eps)
    };
    let text = core(f) + "\n" + &core(g);
    let file = parse_file(text.as_bytes());
    let spec = |k| resolve(&file, k, "case", &Overrides::default()).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let (spec, other) = (spec(0), spec(1));
    // Any mutant, with its change replaced.
    let mut mutant = mutants(&spec, &OperatorSet::Full).remove(0);
    mutant.change = Change::Body(other.core.body.into());
    (spec, mutant)
}

#[test]
fn none_is_proved() {
    let mut killed = 0;
    for eps in ["1e-3", "1e-6", "1e-9", "1e-12"] {
        for n in 0..CASES.len() {
            let (spec, mutant) = case(n, eps);
            let Change::Body(body) = &mutant.change else { unreachable!() };
            let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
            let mut b = Builder::new(names.len());
            let (f, g) = (lower(&mut b, &names, &spec.core.body), lower(&mut b, &names, body));
            let conditions: Vec<NodeId> = spec.constraints.iter().map(|c| lower(&mut b, &names, c)).collect();
            let (tape, domain) = (b.finish(), InputBox::new(&spec).unwrap());
            let proof = Prover::new(&tape, &domain, &conditions).prove_equal(f, g);
            assert!(proof.is_none(), "case {n}, {eps}: {proof:?}");
            let proof = prove_by_cases(&tape, f, g, &domain, &conditions, &names);
            assert!(proof.is_none(), "case {n}, {eps}: {proof:?}");
            let options = Options { jobs: 1, ..Options::default() };
            let run = generate_for(&spec, vec![mutant], &options, &Interrupt::default()).unwrap();
            match &run.mutants[0].status {
                Status::Killed => killed += 1,
                Status::Undecided(_) => println!("case {n}, {eps}: undecided"),
                status => panic!("case {n}, {eps}: {status:?}"),
            }
        }
    }
    println!("{killed} of {} killed", 4 * CASES.len());
    assert!(killed >= 4 * CASES.len() - 8, "{killed}");
}

#[test]
fn a_false_claim_is_refuted() {
    let effort = RecheckEffort { points: 500, boxes: 200 };
    for n in [0, 3, 5, 9, 15] {
        let (spec, mutant) = case(n, "1e-1");
        for claim in [Proved::Equivalent, Proved::Indistinguishable] {
            let found = recheck(&spec, &mutant, claim, None, effort).unwrap();
            assert!(found.refuted.is_some(), "case {n}: {found:?}");
        }
    }
    // What cannot be covered is not confirmed.
    let (spec, mutant) = case(3, "1e-12");
    let found =
        recheck(&spec, &mutant, Proved::Indistinguishable, None, RecheckEffort { points: 0, boxes: 5000 }).unwrap();
    assert!(found.refuted.is_some() || found.cover.is_some_and(|c| !c.complete), "{found:?}");
}
