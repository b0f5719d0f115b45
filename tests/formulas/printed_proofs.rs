//! What is printed of a proof is read back and holds; where a number, a fact or a condition of it is falsified, that is
//! found out.
//!
//! `MAGNETO_LONG=1` takes all of `fpbench/paper/`.

use crate::support;
use magneto::mutate::{Change, Mutant, OperatorSet, mutants};
use magneto::report::words::proof_of;
use magneto::spec::Spec;
use magneto::suite::recheck::{Proved, RecheckEffort, Rechecked, recheck};
use magneto::suite::{Interrupt, Judged, Options, Status, generate, generate_for};

/// Head, specification, mutant, a part of the printed proof, and what it is falsified to.
const CASES: &[(&str, &str, &str, &str, &str)] = &[
    // Conditions for a value that two sides put differently.
    (
        "(x y) :pre (and (<= -10 x 10) (<= 0 y 10))",
        "(log (* (+ 2 x) (sqrt y)))",
        "(+ (log (+ x 2)) (* 0.5 (log y)))",
        "\n  y > 0",
        "",
    ),
    (
        "(x y) :pre (and (<= -10 x 10) (<= 0 y 10))",
        "(log (* (+ 2 x) (sqrt y)))",
        "(+ (log (+ x 2)) (* 0.5 (log y)))",
        "y > 0",
        "y >= 0",
    ),
    ("(x y) :pre (and (<= -9 x 9) (<= -9 y 9))", "(/ (- x y) (- x y))", "(+ 0 (/ (- y x) (- y x)))", "!= 0", ">= 0"),
    ("(x y) :pre (and (<= -9 x 9) (<= -9 y 9))", "(/ (- x y) (- x y))", "(+ 0 (/ (- y x) (- y x)))", "\n  1", "\n  2"),
    ("(x y) :pre (and (<= -9 x 9) (<= -9 y 9))", "(/ 1 (sqrt (+ x y)))", "(/ (sqrt (+ x y)) (+ x y))", "> 0", ">= 0"),
    ("(x) :pre (<= -9 x 9)", "(/ (log (* x x)) 2)", "(log (fabs x))", "x != 0", "x > 0"),
    ("(x) :pre (<= -4 x 4)", "(* 2 (asin x))", "(+ (asin x) (asin x))", "(x - 1) <= 0", "(x - 2) <= 0"),
    (
        "(x y) :pre (and (<= -9 x 9) (<= -9 y 9))",
        "(* 2 (pow x y))",
        "(+ (pow x y) (pow x y))",
        "(x, y) is",
        "(y, x) is",
    ),
    // Forms.
    ("(x) :pre (<= 1 x 2)", "(* (+ x 1) (+ x 1))", "(+ (+ (* x x) (* 2 x)) 1)", "(x + 1)^2", "(x + 1)^3"),
    ("(x) :pre (<= 1 x 2)", "(* (sin x) (exp x))", "(* 2 (* (/ (exp x) 2) (sin x)))", "sin(x)", "cos(x)"),
    // Facts of the domain.
    ("(x) :pre (<= 1 x 2)", "(fabs x)", "(sqrt (* x x))", "x >= 0", "x <= 0"),
    ("(x) :pre (<= 0 x 2)", "(fabs (- x 3))", "(- 3 x)", "<= 0", "= 0"),
    ("(x) :pre (<= 1 x 2)", "x", "(/ (* x x) x)", "x != 0", "x < 0"),
    // Cases.
    ("(x y) :pre (and (<= -9 x 9) (<= -9 y 9))", "(if (< x y) (fmin x y) (fmax x y))", "x", "where (", "where (2*"),
    // Bounds.
    ("(x) :pre (<= 1 x 2) :magneto-rel-error 1e-3", "(exp x)", "(exp (* x 1.0001))", "at most 0.", "at most 0.0"),
    ("(x) :pre (<= 0 x 1000000) :magneto-rel-error 1", "(* 1.1 x)", "(+ x x)", "at most 1 ", "at most 0.25 "),
];

fn judged(head: &str, f: &str, g: &str, proofs: bool) -> (Spec, Mutant, Judged) {
    let core = |body: &str| support::spec(&format!("(FPCore {head} {body})"));
    let (spec, other) = (core(f), core(g));
    // Any mutant, with its change replaced.
    let mut mutant = mutants(&spec, &OperatorSet::Full).remove(0);
    mutant.change = Change::Body(other.core.body.into());
    let options = Options { jobs: 1, proofs, ..Options::default() };
    let run = generate_for(&spec, vec![mutant.clone()], &options, &Interrupt::default()).unwrap();
    (spec, mutant, run.mutants.into_iter().next().unwrap())
}

fn checked(spec: &Spec, mutant: &Mutant, status: &Status, text: &str, effort: RecheckEffort) -> Rechecked {
    let claim = Proved::of(status.name()).unwrap_or_else(|| panic!("no proof: {status:?}"));
    recheck(spec, mutant, claim, Some(text), effort).unwrap()
}

#[test]
fn a_falsified_proof_is_found_out() {
    let effort = RecheckEffort { points: 400, boxes: 2000 };
    let mut wrong_ones = Vec::new();
    for (head, f, g, part, falsified) in CASES {
        let by_cover = part.starts_with("at most");
        let (spec, mutant, judged) = judged(head, f, g, !by_cover);
        let text = proof_of(&judged);
        if text.is_empty() {
            wrong_ones.push(format!("{f} -> {g}: no proof: {:?}", judged.status));
            continue;
        }
        let honest = checked(&spec, &mutant, &judged.status, &text, effort);
        let read = honest.refuted.is_none() && honest.statements > 0 && honest.unread == 0;
        let wrong = text.replacen(part, falsified, 1);
        let found = checked(&spec, &mutant, &judged.status, &wrong, effort);
        if !read || wrong == text || found.refuted.is_none() {
            wrong_ones.push(format!("{f} -> {g}: {honest:?}\n{text}\nfalsified: {found:?}\n{wrong}"));
        }
    }
    assert!(wrong_ones.is_empty(), "{}", wrong_ones.join("\n\n"));
}

#[test]
fn what_is_printed_holds() {
    let effort = RecheckEffort { points: 60, boxes: 0 };
    let own = [
        "(FPCore (x y) :name \"signs\" :pre (and (<= -9 x 9) (<= 0 y 9)) (log (* (+ 2 x) (sqrt y))))",
        "(FPCore (x y) :name \"powers\" :pre (and (<= -9 x 9) (<= -9 y 9)) (/ (pow x 3) (sqrt (* x y))))",
        "(FPCore (x y) :name \"choice\" :pre (and (<= -9 x 9) (<= -9 y 9)) (if (< x y) (sqrt x) (/ x (fmax y 1))))",
        "(FPCore (u-1 a*b) :name \"names\" :pre (and (<= -9 u-1 9) (<= -9 a*b 9)) (atan2 (* u-1 a*b) (fabs a*b)))",
        "(FPCore (x) :name \"waves\" :pre (<= -9 x 9) (/ (sin (* 2 x)) (* (cos x) (tan x))))",
        "(FPCore (x y) :name \"whole\" :pre (and (<= 1 x 9) (<= 1 y 9)) (* (floor (+ x 1)) (fmod x y)))",
        "(FPCore (x) :name \"coarse\" :pre (<= 0 x 9) :magneto-rel-error 0.5 (fmin (* 3 x) (exp (sqrt x))))",
    ];
    let mut specs: Vec<Spec> = own.iter().map(|text| support::spec(text)).collect();
    let some = support::paper69().into_iter().enumerate();
    specs.extend(some.filter(|(k, _)| support::long() || k % 5 == 0).map(|(_, spec)| spec));
    let counts = support::on_two_threads(&specs, |_, spec| {
        let mut options = Options { operators: OperatorSet::Full, jobs: 1, ..Options::default() };
        options.limits.boxes = 300;
        let run = generate(spec, &options, &Interrupt::default()).unwrap();
        let (mut read, mut unread, mut seen) = (0, 0, std::collections::HashSet::new());
        for j in &run.mutants {
            let text = proof_of(j);
            if text.is_empty() || !seen.insert(text.clone()) {
                continue;
            }
            let found = checked(spec, &j.mutant, &j.status, &text, effort);
            let m = &j.mutant;
            assert!(found.refuted.is_none(), "{}: {} -> {}: {found:?}\n{text}", spec.name, m.before, m.after);
            if found.unread > 0 {
                println!("{}: {} -> {}: not read: {text}", spec.name, m.before, m.after);
            }
            read += found.statements;
            unread += found.unread;
        }
        (read, unread)
    });
    let (read, unread) = counts.iter().fold((0, 0), |s, c| (s.0 + c.0, s.1 + c.1));
    println!("{read} statements hold, {unread} are not read");
    assert!(read > 50 && unread * 100 < read, "{read} {unread}");
}
