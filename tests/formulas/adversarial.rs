//! Problems that are made to be hard to judge: kills in tiny regions, holes, poles, ends, ties. Whatever the run claims
//! is confirmed or attacked; and where a killing input is known, no proof may say that there is none.

use crate::support;
use crate::support::confirm::{attack, confirm};
use crate::support::judge::{Judge, Outcome, Tri};
use magneto::csp::{Csp, Encoding, Pair, Question};
use magneto::mutate::{Change, Mutant, MutationOperator, OperatorSet, mutants};
use magneto::oracle::{Comparison, DEFAULT_CAP, Ladder, all_hold, compare};
use magneto::solve::bisect::Bisection;
use magneto::solve::{Limits, PointCheck, SearchEnd, search};
use magneto::spec::core::Expr;
use magneto::spec::{InputBox, Spec};
use magneto::suite::{Interrupt, Options, generate};
use magneto::tape::{Builder, lower::lower};

/// What the solver says of a specification and another body, as a run would ask it.
fn ask(spec: &Spec, body: &Expr, limits: Limits, encoding: Encoding) -> SearchEnd {
    let domain = InputBox::new(spec).expect("a domain");
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let mut b = Builder::new(names.len());
    let (f, g) = (lower(&mut b, &names, &spec.core.body), lower(&mut b, &names, body));
    let conditions: Vec<_> = spec.constraints.iter().map(|c| lower(&mut b, &names, c)).collect();
    let pair = Pair::extract(&b.finish(), f, g, &conditions, &spec.accuracy, &spec.accuracy).simplified(&domain);
    if pair.f == pair.g {
        return SearchEnd::Equal;
    }
    let mut worst: f64 = 0.0;
    for csp in Csp::build(&pair, &domain, encoding) {
        let mut check = |x: &[f64], _: magneto::solve::Care| {
            let mut ladder = Ladder::new(&pair.tape, x, DEFAULT_CAP);
            let inside = all_hold(&mut ladder, &pair.conditions);
            if !inside.is_true() {
                return if inside.is_false() { PointCheck::No } else { PointCheck::Unsettled };
            }
            match compare(&mut ladder, pair.spec(), pair.mutant(), false) {
                c if c.is_kill() => PointCheck::Solution,
                Comparison::Unsettled => PointCheck::Unsettled,
                _ => PointCheck::No,
            }
        };
        match search(&mut Question::new(&csp, limits, &mut check), limits, None).0 {
            SearchEnd::Infeasible { worst: w } => worst = worst.max(w),
            other => return other,
        }
    }
    SearchEnd::Infeasible { worst }
}

fn every_way() -> Vec<(Limits, Encoding)> {
    let mut ways = Vec::new();
    for encoding in [Encoding::Separation, Encoding::Paper] {
        for (hc4, mean_value) in [(true, true), (true, false), (false, true), (false, false)] {
            for bisection in [Bisection::Smear, Bisection::Largest, Bisection::RoundRobin] {
                ways.push((Limits { boxes: 3000, hc4, mean_value, bisection, ..Limits::default() }, encoding));
            }
        }
    }
    ways
}

/// `head` is arguments, precondition and accuracy; `at` an input that the judge confirms to kill `mutant`.
struct Case {
    head: &'static str,
    own: &'static str,
    mutant: &'static str,
    at: &'static [f64],
}

const ABOVE_ONE: f64 = 1.0000000000000002;

const CASES: &[Case] = &[
    // The one input at which a square root vanishes, where the difference of the roots is 0/0.
    Case {
        head: "(x) :pre (<= -1 x 1) :magneto-abs-error 0.4",
        own: "(let ([d (fabs (- x 0.3125))]) (+ (sqrt (* 2 d)) (fmax 0 (- 2 (* 1e17 d)))))",
        mutant: "(let ([d (fabs (- x 0.3125))]) (+ (sqrt (* 3 d)) (fmax 0 (- 3 (* 1e17 d)))))",
        at: &[0.3125],
    },
    Case {
        head: "(x) :pre (<= 0.3125 x 0.3125) :magneto-abs-error 0.4",
        own: "(let ([d (- x 0.3125)]) (+ (sqrt (* 2 d)) 2))",
        mutant: "(let ([d (- x 0.3125)]) (+ (sqrt (* 3 d)) 3))",
        at: &[0.3125],
    },
    Case {
        head: "(x) :pre (<= 0 x 1e-320) :magneto-abs-error 0.4",
        own: "(+ (sqrt (* 2 x)) (fmax 0 (- 2 (* 1e324 x))))",
        mutant: "(+ (sqrt (* 3 x)) (fmax 0 (- 3 (* 1e324 x))))",
        at: &[0.0],
    },
    Case {
        head: "(x y) :pre (and (<= 0 x 1e-322) (<= 0 y 1e-322)) :magneto-abs-error 0.4",
        own: "(* (+ 1 (sqrt (+ x y))) (fmax 0 (- 2 (* 1e324 (+ x y)))))",
        mutant: "(* (+ 1 (sqrt (+ x (* 2 y)))) (fmax 0 (- 3 (* 1e324 (+ x y)))))",
        at: &[0.0, 0.0],
    },
    // A difference that is a condition away from a hole.
    Case {
        head: "(x) :pre (<= 0 x 1e-321) :magneto-abs-error 0.1",
        own: "(+ (sqrt x) (if (== x 0) 1 0))",
        mutant: "(+ (sqrt (* 2 x)) (if (== x 0) 2 0))",
        at: &[0.0],
    },
    // One float at which a divisor is 0.
    Case {
        head: "(x) :pre (<= 0 x 1) :magneto-rel-error 1e-10",
        own: "(+ x 1)",
        mutant: "(+ x (/ (- x 0.3125) (- x 0.3125)))",
        at: &[0.3125],
    },
    Case {
        head: "(x) :pre (<= 0 x 1) :magneto-abs-error 0.5",
        own: "(+ x 1)",
        mutant: "(+ x (/ (* 1e-30 (- x 0.8125)) (- x 0.8125)))",
        at: &[0.8125],
    },
    // Domain edges: only one of both has a value.
    Case {
        head: "(x) :pre (<= 0.5 x 1.0000000000000003) :magneto-abs-error 1",
        own: "(+ x 1)",
        mutant: "(+ (sqrt (- 1 x)) 1)",
        at: &[ABOVE_ONE],
    },
    Case {
        head: "(x) :pre (<= 0 x 1) :magneto-abs-error 1e300",
        own: "(sqrt x)",
        mutant: "(log (+ x 1e-400))",
        at: &[],
    },
    Case { head: "(x) :pre (<= 0 x 1e-300) :magneto-abs-error 1e300", own: "(sqrt x)", mutant: "(log x)", at: &[0.0] },
    Case {
        head: "(x) :pre (<= -1 x 1) :magneto-abs-error 10",
        own: "(acos x)",
        mutant: "(acos (* x 1.0000000000000001))",
        at: &[1.0],
    },
    Case {
        head: "(x) :pre (<= -1 x 1) :magneto-abs-error 10",
        own: "(acos (* x 1.0000000000000001))",
        mutant: "(acos x)",
        at: &[],
    },
    Case {
        head: "(x) :pre (<= -2 x 2) :magneto-abs-error 1",
        own: "(fabs x)",
        mutant: "(sqrt (* (- x 0.3125) (+ (- x 0.3125) 1e-300)))",
        at: &[],
    },
    // A corner of the box, 1e-12 of it in each direction.
    Case {
        head: "(x y z) :pre (and (<= 0 x 1) (<= 0 y 1) (<= 0 z 1)) :magneto-rel-error 1e-3",
        own: "(fmax 1 (- (+ x (+ y z)) 1))",
        mutant: "(fmax 1 (+ 1 (* 1e9 (- (+ x (+ y z)) 2.999999999999))))",
        at: &[1.0, 1.0, 1.0],
    },
    Case {
        head: "(x y) :pre (and (<= 0 x 1) (<= 0 y 1)) :magneto-rel-error 1e-3",
        own: "(+ x (+ y 1))",
        mutant: "(+ x (+ y (fmax 1 (- 1 (* 1e13 (+ (fabs (- x 0.71875)) (- (fabs (- y 0.40625)) 1e-12)))))))",
        at: &[0.71875, 0.40625],
    },
    // The end of a range, a pole next to it, and strict ends.
    Case {
        head: "(x) :pre (< 0 x 1) :magneto-rel-error 1e-3",
        own: "(/ 1 x)",
        mutant: "(/ 1 (+ x 1e-323))",
        at: &[5e-324],
    },
    Case {
        head: "(x) :pre (and (<= 0 x) (< x 1)) :magneto-abs-error 1e15",
        own: "(/ 1 (- 1 x))",
        mutant: "(/ 1 (- 1.0000000000000002 x))",
        at: &[0.9999999999999999],
    },
    Case {
        head: "(x) :pre (<= 0 x 1000) :magneto-rel-error 1e-2",
        own: "(+ 2 (sin (* 1e15 x)))",
        mutant: "(+ 2 (fmin (sin (* 1e15 x)) 0.9))",
        at: &[],
    },
    // Cancellation: the difference shows where the sum vanishes.
    Case {
        head: "(x y) :pre (and (<= 1 x 2) (<= 1 y 2)) :magneto-rel-error 1e-10",
        own: "(- x y)",
        mutant: "(- x (* y 1.0000000000000000000001))",
        at: &[1.5, 1.5],
    },
    Case {
        head: "(x) :pre (<= 0.1 x 0.3) :magneto-rel-error 1e-10",
        own: "(- x 0.25)",
        mutant: "(- x 0.2500000000000000000000000001)",
        at: &[0.25],
    },
    // Tolerances: just more than a tie, near powers of two, absolute and relative parts.
    Case {
        head: "(x) :pre (<= 1 x 2) :magneto-abs-error 0.5",
        own: "x",
        mutant: "(+ x 1.0000000000000000000000000000000001)",
        at: &[1.5],
    },
    Case { head: "(x) :pre (<= 0.5 x 1) :magneto-ulps (1 binary64)", own: "x", mutant: "(- x 2.3e-16)", at: &[0.75] },
    Case { head: "(x) :pre (<= 1 x 1) :magneto-ulps (1 binary64)", own: "x", mutant: "(- x 3.34e-16)", at: &[1.0] },
    Case {
        head: "(x) :precision binary32 :pre (<= 0 x 1) :magneto-ulps (1 binary32)",
        own: "x",
        mutant: "(+ x 3e-45)",
        at: &[0.0],
    },
    Case {
        head: "(x) :pre (<= -1 x 1) :magneto-rel-error 1e-2 :magneto-abs-error 1e-10",
        own: "x",
        mutant: "(+ x 2.1e-10)",
        at: &[0.0],
    },
    Case {
        head: "(x) :pre (<= -1 x 1) :magneto-rel-error 0.5",
        own: "(* x x)",
        mutant: "(+ (* x x) 1e-320)",
        at: &[0.0],
    },
    Case {
        head: "(x) :pre (<= 0.25 x 1) :magneto-ulps (1/4 binary64)",
        own: "x",
        mutant: "(+ x 1.7e-16)",
        at: &[0.75],
    },
    // Constraints that leave a line, or a corner.
    Case {
        head: "(x y) :pre (and (<= 0 x 1) (<= 0 y 1) (== x y)) :magneto-rel-error 1e-10",
        own: "(+ x y)",
        mutant: "(+ x (+ y 1e-5))",
        at: &[0.5, 0.5],
    },
    Case {
        head: "(x y) :pre (and (<= 0 x 1) (<= 0 y 1) (<= (+ x y) 0)) :magneto-abs-error 0.25",
        own: "(+ x y)",
        mutant: "(- 1 (+ x y))",
        at: &[0.0, 0.0],
    },
    // Conditions: a branch that one float takes.
    Case {
        head: "(x) :pre (<= 0 x 1) :magneto-abs-error 0.1",
        own: "x",
        mutant: "(if (== x 0.3125) (+ x 1) x)",
        at: &[0.3125],
    },
    Case {
        head: "(x) :pre (<= 0 x 1) :magneto-abs-error 0.1",
        own: "(if (< x 0.3125) 0 1)",
        mutant: "(if (<= x 0.3125) 0 1)",
        at: &[0.3125],
    },
    Case {
        head: "(x) :pre (<= -1 x 1) :magneto-abs-error 0.1",
        own: "(if (< (* x x) 0) 0 x)",
        mutant: "(if (<= (* x x) 0) 1 x)",
        at: &[0.0],
    },
    // A branch without a value that is taken nowhere but at one float.
    Case {
        head: "(x) :pre (<= -1 x 1) :magneto-abs-error 0.1",
        own: "(if (< x 0) x (+ 1 (sqrt x)))",
        mutant: "(if (<= x 0) x (+ 1 (sqrt x)))",
        at: &[0.0],
    },
    Case {
        head: "(x) :pre (<= -1 x 1) :magneto-abs-error 5",
        own: "(if (== x 0) 1 (/ (sin x) x))",
        mutant: "(if (== x 0.3125) 1 (/ (sin x) x))",
        at: &[0.0],
    },
    // Rounding functions jump.
    Case { head: "(x) :pre (<= 0 x 4) :magneto-abs-error 0.3", own: "(floor x)", mutant: "(ceil (- x 1))", at: &[3.0] },
    Case { head: "(x) :pre (<= 2 x 3) :magneto-abs-error 0.3", own: "(round x)", mutant: "(nearbyint x)", at: &[2.5] },
    // Powers at the edge of their domain.
    Case { head: "(x) :pre (<= 0 x 1) :magneto-abs-error 0.3", own: "1", mutant: "(pow x 1e-400)", at: &[0.0] },
    Case {
        head: "(x y) :pre (and (<= 0 x 1) (<= 0 y 1)) :magneto-abs-error 0.3",
        own: "(pow x y)",
        mutant: "(pow (+ x 1e-330) y)",
        at: &[],
    },
    // Beyond the range of binary64 on the way.
    Case {
        head: "(x) :pre (<= 1e200 x 1e300) :magneto-rel-error 1e-10",
        own: "(/ (* x x) x)",
        mutant: "(/ (* x x) (* x 1.000001))",
        at: &[1e250],
    },
    Case {
        head: "(x) :pre (<= 1e-300 x 1e-200) :magneto-rel-error 1e-10",
        own: "(/ (* x x) x)",
        mutant: "(/ (* x x) (* x 1.000001))",
        at: &[1e-250],
    },
];

fn spec_of(case: &Case) -> (Spec, Expr) {
    let (args, rest) = case.head.split_once(')').unwrap();
    let text = |body: &str| format!("(FPCore {args}) :name \"case\" {rest} {body})");
    (support::spec(&text(case.own)), support::spec(&text(case.mutant)).core.body)
}

/// No way of solving proves a mutant harmless for which a killing input is known.
#[test]
fn known_kills_are_never_proved_away() {
    let mut wrong = Vec::new();
    let mut found = 0;
    for case in CASES.iter().filter(|c| !c.at.is_empty()) {
        let (spec, body) = spec_of(case);
        let judge = Judge { spec: &spec, most: 4096 };
        let outcome = judge.compare(&body, case.at);
        if !matches!(outcome, Outcome::Apart | Outcome::OnlySpec) {
            wrong.push(format!("the case {} is wrong: {outcome:?}", case.mutant));
        }
        assert_eq!(judge.precondition(case.at), Tri::Yes, "{}", case.head);
        for (limits, encoding) in every_way() {
            match ask(&spec, &body, limits, encoding) {
                SearchEnd::Inner { point, .. } => {
                    found += 1;
                    let outcome = judge.compare(&body, &point);
                    if !matches!(outcome, Outcome::Apart | Outcome::OnlySpec) {
                        wrong.push(format!("{}: {} is not killed at {point:?}", case.own, case.mutant));
                    }
                }
                SearchEnd::Unknown(_) => {}
                proof => wrong.push(format!(
                    "{}: {} for {} is {proof:?} by {limits:?} {encoding:?}, but killed at {:?}",
                    case.head, case.mutant, case.own, case.at
                )),
            }
        }
    }
    println!("{found} found");
    assert!(wrong.is_empty(), "{} wrong:\n{wrong:#?}", wrong.len());
    assert!(found > 100, "{found}");
}

/// Pairs that no input of the domain tells apart: whatever is found is wrong.
#[test]
fn ties_are_no_kills() {
    let cases = [
        ("(x) :pre (<= 1 x 2) :magneto-abs-error 0.5", "x", "(+ x 1)"),
        ("(x) :pre (<= 1 x 2) :magneto-abs-error 0.5", "x", "(- x 1)"),
        ("(x) :pre (<= 1 x 2) :magneto-rel-error 1/3", "x", "(* x 2)"),
        ("(x) :pre (<= 1 x 2) :magneto-rel-error 1/3", "(* x 2)", "x"),
        ("(x) :pre (<= 1 x 1.5) :magneto-ulps (1 binary64)", "x", "(+ x (pow 2 -51))"),
        ("(x) :pre (<= 1 x 1) :magneto-ulps (1 binary64)", "x", "(- x (* 3 (pow 2 -53)))"),
        ("(x) :pre (<= 0 x 0) :magneto-ulps (1 binary64)", "x", "(+ x (pow 2 -1073))"),
        ("(x) :pre (<= 0 x 1) :magneto-abs-error 0.1", "(sqrt x)", "(sqrt (fmax 0 x))"),
        ("(x) :pre (<= 0.1 x 1) :magneto-rel-error 1e-10", "(/ x x)", "1"),
        ("(x) :pre (<= 1 x 2) :magneto-rel-error 0.5", "(* PI x)", "(* 3 (* PI x))"),
        ("(x) :pre (<= 2 x 3) :magneto-abs-error 0.5", "(sqrt (* x x))", "(+ x 1)"),
    ];
    for (head, own, mutant) in cases {
        let (spec, body) = spec_of(&Case { head, own, mutant, at: &[] });
        for (limits, encoding) in every_way() {
            let answer = ask(&spec, &body, Limits { boxes: 300, ..limits }, encoding);
            assert!(!matches!(answer, SearchEnd::Inner { .. }), "{own} {mutant}: {answer:?}");
        }
    }
}

/// Whole runs on the same problems, with every mutant that the tool makes and the one that was made on purpose.
#[test]
fn runs_on_hard_problems() {
    let run = |case: &Case, operators: OperatorSet| {
        let (spec, _) = spec_of(case);
        let mut options = Options { operators, jobs: 1, precision_cap: 960, ..Options::default() };
        options.limits.boxes = if support::long() { 2000 } else { 60 };
        let Ok(g) = generate(&spec, &options, &Interrupt::default()) else { return Vec::new() };
        let mut wrong = confirm(&spec, &g).wrong;
        wrong.extend(attack(&spec, &g, if support::long() { 1000 } else { 40 }, 1).1);
        wrong.iter().map(|w| format!("{}\n    {} {}", w, case.head, case.own)).collect()
    };
    let some = OperatorSet::Only(vec![
        MutationOperator::Constant,
        MutationOperator::Bounds,
        MutationOperator::Binary,
        MutationOperator::Delete,
    ]);
    let operators = if support::long() { OperatorSet::Full } else { some };
    let wrong: Vec<String> = support::on_two_threads(CASES, |_, case| run(case, operators.clone())).concat();
    assert!(wrong.is_empty(), "{} wrong:\n{:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

/// Among the tool's own mutants: an exact tie of an accuracy in ulps of a binary32 function.
#[test]
fn mutants_of_the_adversary_are_made_by_the_tool() {
    let spec = support::spec(
        "(FPCore (x) :name \"roots\" :pre (<= -1 x 1) :magneto-abs-error 0.4
           (let ([d (fabs (- x 0.3125))]) (+ (sqrt (* 2 d)) (fmax 0 (- 2 (* 1e17 d))))))",
    );
    let made: Vec<Mutant> = mutants(&spec, &OperatorSet::Paper);
    let three = |m: &&Mutant| m.operator == MutationOperator::Constant && m.before == "2" && m.after == "3";
    let Some(Mutant { change: Change::Body(body), id, .. }) = made.iter().find(three) else { panic!("no 2 -> 3") };
    let judge = Judge { spec: &spec, most: 1024 };
    assert_eq!(judge.compare(body, &[0.3125]), Outcome::Apart);
    let options = Options { operators: OperatorSet::Paper, jobs: 1, ..Options::default() };
    let g = generate(&spec, &options, &Interrupt::default()).unwrap();
    let judged = g.mutants.iter().find(|m| m.mutant.id == *id).unwrap();
    let proved = matches!(judged.status.name(), "equivalent" | "indistinguishable");
    assert!(!proved, "{id} is {:?}, but killed at 0.3125", judged.status);
}
