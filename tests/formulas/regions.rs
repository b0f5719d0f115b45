//! Operator `region`: each mutant is killed exactly by the tests in its region, an empty region is proved to be empty, and
//! the tests fill the domain.

use magneto::mutate::{Change, Mutant, MutationOperator, OperatorSet, mutants};
use magneto::num::float::rational;
use magneto::num::{MpInterval, Rational};
use magneto::spec::core::{Expr, ExprKind};
use magneto::spec::{InputBox, Overrides, Spec, parse_file, resolve};
use magneto::suite::{
    EquivalenceProof, Expectation, Generated, Interrupt, Judged, MatrixCell, Options, Status, generate,
};
use magneto::tape::eval::{Multi, mp_truth};
use magneto::tape::lower::lower;
use magneto::tape::{Builder, evaluate};
use std::collections::HashSet;

fn spec(text: &str) -> Spec {
    resolve(&parse_file(text.as_bytes()), 0, "text.fpcore", &Overrides::default()).unwrap()
}

fn run(spec: &Spec, operators: &str) -> Generated {
    let options = Options { operators: operators.parse().unwrap(), jobs: 1, ..Options::default() };
    generate(spec, &options, &Interrupt::default()).unwrap()
}

/// The region of a mutant, read off its own text: the condition of the `if` around the body.
fn region(mutant: &Mutant) -> Expr {
    let Change::Body(body) = &mutant.change else { panic!("no body") };
    let ExprKind::Let { body, .. } = &body.kind else { panic!("no let") };
    let ExprKind::If(parts) = &body.kind else { panic!("no if") };
    parts[0].clone()
}

/// Enough for a sum of any two numbers of binary64 to be exact.
const BITS: u32 = 2400;

/// Whether a condition holds at an input, in multiple precision.
fn holds(spec: &Spec, condition: &Expr, input: &[f64]) -> magneto::num::Ternary {
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let mut builder = Builder::new(names.len());
    let root = lower(&mut builder, &names, condition);
    let inputs: Vec<MpInterval> = input.iter().map(|x| MpInterval::from_f64(*x, BITS)).collect();
    let mut values = Vec::new();
    evaluate(&builder.finish(), &mut Multi { inputs: &inputs, precision: BITS }, &mut values);
    mp_truth(&values[root.index()])
}

const SPECS: [&str; 6] = [
    "(FPCore (x) :pre (<= -0.9 x 1000) :magneto-ulps (2 binary64) (log1p x))",
    "(FPCore (x y) :pre (and (<= -1e300 x 1e300) (<= -1e300 y 1e300)) :magneto-rel-error 1e-12 (hypot x y))",
    "(FPCore (f x) :pre (and (<= 0 f 3) (<= -700 x 700)) :magneto-abs-error 1e-9
       (let* ([x (+ x f)] [y (* x 2)]) (if (< y 3) (sin (+ y f)) (fmax (fabs (- y 50)) (atan2 f (- x 7))))))",
    "(FPCore (x) :precision binary32 :pre (<= -4 x 4) :magneto-ulps (1 binary32) (sinh x))",
    "(FPCore (a b) :pre (and (<= 0 a 1) (<= 0 b 1) (<= b a)) :magneto-rel-error 1e-10 (- (* 2 a) b))",
    "(FPCore (x) :pre (<= 0 x 1) :magneto-rel-error 1e-10 :magneto-abs-error 1e-12 (if (== x 0) 0 (* x (log x))))",
];

#[test]
fn a_test_kills_the_mutants_in_whose_region_it_lies_and_no_other() {
    for text in SPECS {
        let spec = spec(text);
        let g = run(&spec, "region");
        assert!(g.mutants.len() > 10, "{text}");
        let (mut inside, mut outside) = (0, 0);
        for (m, judged) in g.mutants.iter().enumerate() {
            let condition = region(&judged.mutant);
            let name = format!("{text}\n{condition}: {:?}", judged.status);
            for (test, row) in g.tests.iter().zip(&g.matrix) {
                if !matches!(test.expectation, Expectation::Result(_)) {
                    continue;
                }
                let there = holds(&spec, &condition, &test.input);
                assert_eq!(matches!(row[m], MatrixCell::Ko { .. }), there.is_true(), "{name} at {:?}", test.input);
                inside += usize::from(there.is_true());
                outside += usize::from(there.is_false());
            }
            assert!(matches!(judged.status, Status::Killed | Status::Equivalent(_)), "{name}");
        }
        assert!(inside > g.mutants.len() / 2 && outside > 0, "{text}: {inside} and {outside}");
    }
}

#[test]
fn an_empty_region_is_proved_to_be_empty() {
    let text = "(FPCore (x y) :pre (and (<= 1 x 2) (<= 0 y 20) (<= y (* x x))) :magneto-rel-error 1e-10 (+ x y))";
    let spec = spec(text);
    let g = run(&spec, "region");
    let empty = |s: &Status| matches!(s, Status::Equivalent(EquivalenceProof::EmptyRegion { .. }));
    let proved: Vec<&Mutant> = g.mutants.iter().filter(|j| empty(&j.status)).map(|j| &j.mutant).collect();
    // y is 4 at most: the binades from 8 on, and the slices from 5 on.
    assert!(proved.iter().any(|m| m.after.contains("(<= 8 y) (< y 16)")), "{:#?}", proved);
    assert!(proved.len() >= 7, "{:#?}", proved);
    let domain = InputBox::new(&spec).unwrap();
    for m in proved {
        let condition = region(m);
        for point in magneto::points::spread::spread(&domain, 1_000, 1_000) {
            let inside = point[1] <= point[0] * point[0];
            assert!(!(inside && holds(&spec, &condition, &point).is_true()), "{condition} at {point:?}");
        }
    }
    assert!(g.mutants.iter().all(|j| matches!(j.status, Status::Killed) || empty(&j.status)));
}

#[test]
fn no_input_stays_at_one_value_and_every_part_of_the_domain_has_a_test() {
    for text in SPECS {
        let spec = spec(text);
        let g = run(&spec, "full");
        let tests: Vec<_> = g.tests.iter().filter(|t| matches!(t.expectation, Expectation::Result(_))).collect();
        for (input, range) in InputBox::new(&spec).unwrap().ranges.iter().enumerate() {
            let values: HashSet<u64> = tests.iter().map(|t| t.input[input].to_bits()).collect();
            assert!(2 * values.len() > tests.len(), "{text}: {} values in {} tests", values.len(), tests.len());
            for k in 0..8 {
                let (lo, hi) = (range.inf() + (range.sup() - range.inf()) * 0.125 * f64::from(k), 0.125);
                let in_slice = |x: f64| lo <= x && x <= lo + hi * (range.sup() - range.inf());
                assert!(tests.iter().any(|t| in_slice(t.input[input])), "{text}: input {input}, slice {k}");
            }
        }
    }
}

/// A table with a wrong entry, wherever it begins: no gap between the tests of one input is wider than an entry in 64.
#[test]
fn the_tests_of_one_input_leave_no_wide_gap() {
    for text in ["(FPCore (x) :pre (<= 0 x 6.4) (exp x))", "(FPCore (d) :pre (<= -720 d 360) (sin (* d (/ PI 180))))"] {
        let spec = spec(text);
        let range = InputBox::new(&spec).unwrap().ranges[0];
        let mut at: Vec<f64> = run(&spec, "region").tests.iter().map(|t| t.input[0]).collect();
        at.extend([range.inf(), range.sup()]);
        at.sort_by(f64::total_cmp);
        let gap = at.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
        assert!(gap <= (range.sup() - range.inf()) / 64.0, "{text}: {gap}");
    }
}

/// However far a range goes, each binade of everyday numbers is a part with a test.
#[test]
fn everyday_binades_of_a_huge_range_have_tests() {
    let spec = spec("(FPCore (x) :pre (<= -700 x 10000) :magneto-rel-error 1e-9 (log (+ 1 (exp x))))");
    let run = run(&spec, "region");
    for e in 0..12 {
        let binade = f64::exp2(f64::from(e))..f64::exp2(f64::from(e + 1));
        assert!(run.tests.iter().any(|t| binade.contains(&t.input[0])), "{binade:?}");
        let middle = [1.25 * binade.start];
        let is_part = |m: &&Judged| {
            let part = region(&m.mutant);
            // The slices of the range are wider.
            holds(&spec, &part, &middle).is_true() && !holds(&spec, &part, &[4.0 * middle[0]]).is_true()
        };
        assert!(run.mutants.iter().any(|m| is_part(&m)), "{binade:?}");
    }
}

/// A program may take -0 for another number than 0, or divide by it.
#[test]
fn minus_zero_is_a_test_where_it_is_clear_what_is_owed() {
    let is_minus_zero = |x: &f64| *x == 0.0 && x.is_sign_negative();
    let count = |f: &str| {
        let run = run(&spec(&format!("(FPCore (x y) :pre (and (<= -1 x 1) (<= 0 y 1)) {f})")), "region");
        let has = |i: usize| run.tests.iter().filter(|t| is_minus_zero(&t.input[i])).count();
        (has(0), has(1))
    };
    let (x, y) = count("(+ (cos x) (sqrt y))");
    assert!(x > 0 && y > 0, "{x} {y}");
    // What is owed depends on the sign of 0 in C, and not over the reals.
    assert_eq!(count("(+ 1 (atan2 y x))"), (0, 0));
}

/// Which of two formulas holds where a choice goes over only the place itself tells.
#[test]
fn places_where_choices_go_over_are_tests() {
    let cases = [
        ("(FPCore (d) :pre (<= -720 d 720) (- d (* 360 (floor (/ (+ d 180) 360)))))", vec![-540.0, 540.0]),
        ("(FPCore (x) :pre (<= 0 x 10) (fmod x 4))", vec![4.0, 8.0]),
        ("(FPCore (x) :pre (<= 0 x 10) (if (< x 2.5) x (* x x)))", vec![2.5]),
        ("(FPCore (x y) :pre (and (<= 0 x 10) (<= 0 y 1)) (+ y (fmin x 6.5)))", vec![6.5]),
    ];
    for (text, places) in cases {
        let g = run(&spec(text), "region");
        for place in places {
            let has = |x: f64| g.tests.iter().any(|t| t.input[0] == x);
            assert!(has(place), "{text}: no test at {place}");
            assert!(has(place.next_up()) || has(place.next_down()), "{text}: no test beside {place}");
        }
    }
}

/// On both sides of a branch cut, and on it.
#[test]
fn axes_have_tests_with_both_signs_of_the_other_input() {
    let g = run(&spec("(FPCore (y x) :pre (and (<= -10 y 10) (<= -10 x 10)) (+ 8 (atan2 y x)))"), "region");
    for (zero, other) in [(0, 1), (1, 0)] {
        for sign in [1.0, -1.0] {
            let found = g.tests.iter().any(|t| t.input[zero] == 0.0 && sign * t.input[other] > 0.0);
            assert!(found, "no test with input {zero} 0 and input {other} of sign {sign}");
        }
    }
}

#[test]
fn expected_tests_have_special_points_whatever_the_operators() {
    let spec = spec("(FPCore (x y) :pre (and (<= 0 x 4) (<= -3 y 3)) :magneto-rel-error 1e-10 (- (log (+ x 1)) y))");
    let boundary = |operators: &str, boundary: bool| {
        let options = Options { operators: operators.parse().unwrap(), boundary, jobs: 1, ..Options::default() };
        generate(&spec, &options, &Interrupt::default()).unwrap()
    };
    for operators in ["paper", "constant", "full"] {
        let g = boundary(operators, true);
        for part in ["goes through 0", "x is nearly y", "every input is 1"] {
            assert!(g.tests.iter().any(|t| t.reason.contains(part)), "{operators}: {part}");
        }
    }
    assert!(boundary("paper", false).tests.iter().all(|t| !t.reason.contains("goes through 0")));
}

/// Where |f| is beyond the numbers of the result format there is no test, and a region of nothing else needs none.
#[test]
fn a_region_without_a_representable_result_can_have_no_test() {
    let spec = spec("(FPCore (x) :pre (<= 1 x 1e308) :magneto-rel-error 1e-10 (* x (* x x)))");
    let g = run(&spec, "region");
    let settled = |s: &Status| matches!(s, Status::Killed | Status::Indistinguishable(EquivalenceProof::NoTest(_)));
    assert!(g.mutants.iter().all(|j| settled(&j.status)), "{:#?}", g.counts);
    let without: Vec<&Mutant> = g.mutants.iter().filter(|j| j.status != Status::Killed).map(|j| &j.mutant).collect();
    assert!(without.len() > 7, "{}", without.len());
    // 2^341.34 is the largest number with a cube.
    for x in magneto::points::spread::spread(&InputBox::new(&spec).unwrap(), 100, 400) {
        let inside = without.iter().any(|m| holds(&spec, &region(m), &x).is_true());
        assert!(!inside || x[0] > 2f64.powi(341), "{x:?}");
    }
}

/// Near the line a = sqrt(2) b, where intervals hold 0 however narrow they are, floats give no small value either.
#[test]
fn a_region_where_floats_cannot_cancel_can_have_no_test() {
    let spec = spec("(FPCore (a b) :magneto-rel-error 1e-10 (- (* a a) (* 2 (* b b))))");
    let g = run(&spec, "region");
    let is_without = |s: &Status| matches!(s, Status::Indistinguishable(EquivalenceProof::NoTest(_)));
    assert!(g.mutants.iter().all(|j| matches!(j.status, Status::Killed) || is_without(&j.status)), "{:#?}", g.counts);
    let without: Vec<Expr> = g.mutants.iter().filter(|j| is_without(&j.status)).map(|j| region(&j.mutant)).collect();
    let domain = InputBox::new(&spec).unwrap();
    let mut inside = 0;
    for point in magneto::points::spread::spread(&domain, 300, 300) {
        let a = point[0];
        // The floats nearest to the line, and their neighbours.
        let mut b = (a.abs() / 2f64.sqrt()).next_down().next_down();
        for _ in 0..5 {
            if without.iter().any(|c| holds(&spec, c, &[a, b]).is_true()) {
                inside += 1;
                let f: Rational = rational(a) * rational(a) - rational(b) * rational(b) * 2;
                assert!(f.abs() > rational(f64::MAX), "{a:e}, {b:e}");
            }
            b = b.next_up();
        }
    }
    assert!(without.len() >= 8 && inside > 10, "{}, {inside}", without.len());
}

/// Where f is not 0 and yet below the numbers of the result format there is no test either; where it is 0 there is one.
#[test]
fn a_region_of_values_below_all_numbers_can_have_no_test() {
    for (body, pre, is_below) in [
        ("(/ (* x (* x x)) 6)", "(<= 0 x 1)", (|x| x < 2f64.powi(-350)) as fn(f64) -> bool),
        ("(- (atan (+ x 1)) (atan x))", "(<= 0 x 1e308)", |x| x > 2f64.powi(530)),
        ("(- (/ 1 (sqrt x)) (/ 1 (sqrt (+ x 1))))", "(<= 1 x 1e308)", |x| x > 2f64.powi(700)),
        ("(- (cbrt (+ x 1)) (cbrt x))", "(<= 0 x 1e308)", |_| false),
        ("(- (/ 1 (+ x 1)) (/ 1 x))", "(<= 1 x 1e308)", |x| x > 2f64.powi(530)),
        ("(/ (- 1 (cos x)) (* x x))", "(<= 1 x 1e308)", |x| x > 2f64.powi(500)),
        ("(/ (exp x) (- (exp x) 1))", "(<= -1e308 x -1)", |x| x < -740.0),
    ] {
        let spec = spec(&format!("(FPCore (x) :pre {pre} :magneto-rel-error 1e-10 {body})"));
        let g = run(&spec, "region");
        let undecided: Vec<&String> =
            g.mutants.iter().filter(|j| matches!(j.status, Status::Undecided(_))).map(|j| &j.mutant.after).collect();
        assert!(undecided.is_empty(), "{body}: {undecided:#?}");
        let is_without = |s: &Status| matches!(s, Status::Indistinguishable(EquivalenceProof::NoTest(_)));
        let without: Vec<&Mutant> = g.mutants.iter().filter(|j| is_without(&j.status)).map(|j| &j.mutant).collect();
        for x in magneto::points::spread::spread(&InputBox::new(&spec).unwrap(), 100, 400) {
            let inside = without.iter().any(|m| holds(&spec, &region(m), &x).is_true());
            assert!(!inside || is_below(x[0]), "{body}: {x:?}");
        }
    }
    // 0 is a result, and an absolute tolerance holds it.
    for (body, accuracy) in [("(* (* x x) 0)", "rel-error 1e-10"), ("(/ (* x (* x x)) 6)", "abs-error 1e-300")] {
        let spec = spec(&format!("(FPCore (x) :pre (<= 0 x 1) :magneto-{accuracy} {body})"));
        let g = run(&spec, "region");
        assert!(
            g.mutants.iter().all(|j| !matches!(j.status, Status::Indistinguishable(EquivalenceProof::NoTest(_)))),
            "{body}"
        );
    }
}

/// Newton's method for a zero of the sine at 0: what is left after some rounds is below all numbers and not 0, so that 0 alone is
/// a test, and no mutant is killed that has the value 0 there.
#[test]
fn an_iteration_that_comes_below_all_numbers_has_a_test_at_0_alone() {
    let from = |x0: &str, rounds: u32, pre: &str, accuracy: &str| {
        format!(
            "(FPCore (x0) :pre {pre} :magneto-{accuracy}
               (while (< i {rounds}) ([x {x0} (- x (/ (- x (/ (pow x 3) 6)) (- 1 (/ (* x x) 2))))] [i 0 (+ i 1)]) x))"
        )
    };
    let text = |rounds: u32, pre: &str, accuracy: &str| from("x0", rounds, pre, accuracy);
    let is_without = |j: &&Judged| matches!(j.status, Status::Indistinguishable(EquivalenceProof::NoTest(_)));
    let symmetric = "(<= -1 x0 1)";
    let spec_of_eight = spec(&text(8, symmetric, "rel-error 1e-10"));
    let g = run(&spec_of_eight, "binary,delete");
    let without = g.mutants.iter().filter(is_without).count();
    assert!(without >= 5, "{without}");
    for j in &g.mutants {
        assert!(!matches!(j.status, Status::Undecided(_)), "{} -> {}", j.mutant.before, j.mutant.after);
    }
    assert!(g.tests.iter().all(|t| t.input[0] == 0.0));
    // Multiple precision says the same at many inputs.
    let mut b = Builder::new(1);
    let root = lower(&mut b, &["x0".to_owned()], &spec_of_eight.core.body);
    let tape = b.finish();
    let mut values = Vec::new();
    for x in magneto::points::spread::spread(&InputBox::new(&spec_of_eight).unwrap(), 20, 20) {
        let inputs = [MpInterval::from_f64(x[0], 1 << 17)];
        evaluate(&tape, &mut Multi { inputs: &inputs, precision: 1 << 17 }, &mut values);
        let f = &values[root.index()];
        let least = f64::from_bits(1);
        assert!(f.hi < least && f.lo > -least, "{x:?}");
        // Nearer to 0 so many bits are too few.
        assert!(x[0].abs() < 0.25 || f.lo > 0 || f.hi < 0, "{x:?}");
    }
    // Six rounds leave numbers, an absolute tolerance holds 0, other values come out beside a pole, and a mutant that has a value at
    // 1/2 is told apart where f has none.
    for text in [
        text(6, symmetric, "rel-error 1e-10"),
        text(8, symmetric, "abs-error 1e-300"),
        text(8, "(<= -3 x0 3)", "rel-error 1e-10"),
        from("(* x0 (/ (- x0 1/2) (- x0 1/2)))", 8, symmetric, "rel-error 1e-10"),
    ] {
        let mut options = Options { operators: "delete".parse().unwrap(), jobs: 1, ..Options::default() };
        options.limits.boxes = 0;
        let g = generate(&spec(&text), &options, &Interrupt::default()).unwrap();
        assert_eq!(g.mutants.iter().filter(is_without).count(), 0, "{text}");
    }
}

/// Values that take thousands of bits near 0, and regions of which the conditions leave a narrow part.
#[test]
fn regions_that_are_hard_to_reach_have_tests() {
    for text in [
        "(FPCore (x) :pre (<= -1.5 x 1.5) :magneto-rel-error 1e-10 (/ (- x (sin x)) (- x (tan x))))",
        "(FPCore (x y) :pre (and (<= 0 x 3) (<= 0 y 4) (<= y (+ (* 2 (* (* x x) (* (- x 2) (- x 2)))) 2))
           (<= y (+ 36 (* x (- (* x (+ 88 (* x (- (* 4 x) 32)))) 96))))) :magneto-rel-error 1e-10 (+ x y))",
    ] {
        let run = run(&spec(text), "region");
        let undecided: Vec<&String> =
            run.mutants.iter().filter(|j| j.status.name() == "undecided").map(|j| &j.mutant.after).collect();
        assert!(undecided.is_empty(), "{text}: {undecided:#?}");
    }
}

/// One input is hardly ever as large as the others, and negative on a small part of its range: sums cancel there alone.
#[test]
fn programs_for_sums_of_unlike_ranges_are_decided() {
    let text = "(FPCore (x0 x1 x2 x3) :precision binary32
        :pre (and (< -1e-5 x0 1.00001) (< 0 x1 1) (< 0 x2 1) (< 0 x3 1)) (+ (+ (+ x0 x1) x2) x3))";
    for judged in run(&spec(text), "full").mutants {
        assert_ne!(judged.status.name(), "undecided", "{}", judged.mutant.after);
    }
}

#[test]
fn which_operators_make_regions() {
    let spec = spec(SPECS[2]);
    let of = |set: &str| mutants(&spec, &set.parse::<OperatorSet>().unwrap());
    let regions = |list: &[Mutant]| list.iter().filter(|m| m.operator == MutationOperator::Region).count();
    assert_eq!(regions(&of("paper")), 0);
    let alone = of("region");
    assert_eq!(regions(&alone), alone.len());
    assert_eq!(regions(&of("full")), alone.len());
    // The name of the variable around the body hides no input.
    let text = alone[0].one_line(&spec);
    assert!(text.contains("(let ([f_ (let* ("), "{text}");
    for m in &alone {
        let read = spec_of(&m.one_line(&spec));
        assert_eq!(read.core.body.to_string(), m.apply(&spec).core.body.to_string());
    }
    let texts: HashSet<&str> = alone.iter().map(|m| m.after.as_str()).collect();
    for part in ["(<= 0x1p-", "(== f 0)", "(< 0 (cos ", "(not (< (* (+ x f) 2) 3))", "(< (- (+ x f) 7) 0)", "PI"] {
        assert!(texts.iter().any(|t| t.contains(part)), "{part}: {texts:#?}");
    }
    let ids: HashSet<&str> = alone.iter().map(|m| m.id.as_str()).collect();
    assert_eq!(ids.len(), alone.len());
}

fn spec_of(text: &str) -> Spec {
    spec(text)
}
