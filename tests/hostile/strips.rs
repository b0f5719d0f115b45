//! Ranges that differ by inputs that can be no test, and accuracies that reach just not far enough: proved where that is
//! so, and where one input of many is different, or a number is a little larger, not.

use super::support;
use super::support::confirm::range_told_apart;
use super::support::rng::Rng;
use magneto::mutate::{Change, Operator, OperatorSet, mutants};
use magneto::num::float::{Format, rational};
use magneto::spec::{Bound, Range, Spec};
use magneto::suite::{Interrupt, Options, Proof, Status, generate, generate_for};

/// The input x in a range, with its format and further properties, and a body.
fn spec(format: &str, (lo, hi): (&str, &str), rest: &str, body: &str) -> Spec {
    support::spec(&format!("(FPCore (x) :name \"strip\" :precision {format} :pre (<= {lo} x {hi}) {rest} {body})"))
}

/// What becomes of the mutant whose range is this one.
fn with_range(spec: &Spec, (lo, hi): (f64, f64)) -> (Status, Option<String>) {
    let bound = |x: f64| Some(Bound { value: rational(x), strict: false });
    let mut mutant = mutants(spec, &OperatorSet::Full).remove(0);
    mutant.change = Change::Range { input: 0, range: Range { lo: bound(lo), hi: bound(hi) } };
    let run = generate_for(spec, vec![mutant], &Options { jobs: 1, ..Options::default() }, &Interrupt::default());
    let judged = run.unwrap_or_else(|e| panic!("{}: {e}", spec.core)).mutants.remove(0);
    let told = range_told_apart(spec, &judged, 4, &mut Rng(1));
    let proved = matches!(judged.status, Status::Equivalent(_) | Status::Indistinguishable(_));
    (judged.status, told.filter(|_| proved))
}

/// So many values of the format further.
fn step(x: f64, format: Format, n: i32) -> f64 {
    let next = |x: f64| if n > 0 { format.next_up(x) } else { format.next_down(x) };
    (0..n.abs()).fold(x, |x, _| next(x).expect("a value"))
}

#[test]
fn strips_without_tests() {
    let b32 = Format::Binary32;
    let tight = ":magneto-rel-error 1e-16";
    let max32 = "3.4028234663852886e38";
    let root = ("binary32", tight, "(if (or (< x 2.1) (> x 5)) x (sqrt x))");
    let loose = ":magneto-rel-error 1e-3";
    let square = ("binary32", loose, "(* x x)");
    // Outside [2.1, 5] there are tests. Squares of binary32 numbers have square roots among them: the others are not near enough to any.
    let cases: Vec<((&str, &str, &str), (String, String), (f64, f64), bool)> = vec![
        // A strip without a square; the same with one at its end, and with one in the midst of a few thousand.
        (root, ("2".into(), "3".into()), (2.0, step(3.0, b32, -40)), true),
        (root, ("2".into(), step(4.0, b32, -1).to_string()), (2.0, step(4.0, b32, -2000)), true),
        (root, ("2".into(), "4".into()), (2.0, step(4.0, b32, -2000)), false),
        (root, ("2".into(), step(4.0, b32, 1500).to_string()), (2.0, step(4.0, b32, -1500)), false),
        (root, (step(2.25, b32, 1).to_string(), "9".into()), (step(2.25, b32, 500), 9.0), true),
        (root, ("2.25".into(), "9".into()), (step(2.25, b32, 500), 9.0), false),
        // One strip without tests and another one, which is added, with values.
        (root, ("2".into(), "3".into()), (1.5, step(3.0, b32, -40)), false),
        // Beyond the largest number, and not from the first input on.
        (square, ("1".into(), "1e30".into()), (1.0, 1e20), true),
        (square, ("-1e30".into(), "1".into()), (-1e20, 1.0), true),
        (square, ("1".into(), "1e30".into()), (1.0, 9.2e18), false),
        (("binary32", ":magneto-rel-error 0.5", "(* x x)"), ("1".into(), "1e30".into()), (1.0, 2e19), false),
        (("binary32", ":magneto-abs-error 1e39", "(* x x)"), ("1".into(), "1e30".into()), (1.0, 1.9e19), false),
        (("binary32", ":magneto-ulps (4000000 binary32)", "(* x x)"), ("1".into(), "1e30".into()), (1.0, 2e19), false),
        (("binary32", ":magneto-ulps (2 binary16)", "(* x x)"), ("1".into(), "1e30".into()), (1.0, 1e20), true),
        // One number of two signs, of which one part is small.
        (("binary32", loose, "(* x (- 25e18 x))"), ("1".into(), "1e30".into()), (1.0, 2e19), false),
        // An exponential that no number of binary64 is near to.
        (("binary64", loose, "(exp x)"), ("0".into(), "1e5".into()), (0.0, 800.0), true),
        (("binary64", loose, "(exp x)"), ("0".into(), "1e5".into()), (0.0, 709.0), false),
        (("binary64", loose, "(exp (- x))"), ("0".into(), "1e5".into()), (0.0, 744.0), false),
        // Without a value there, and with one at one end.
        (("binary32", tight, "(log (- 2 x))"), ("1".into(), "9".into()), (1.0, 2.0), true),
        (("binary32", loose, "(log (- 2 x))"), ("1".into(), "9".into()), (1.0, step(2.0, b32, -2)), false),
        // What is refused is told from what is taken, even at the last number.
        (("binary32", loose, "x"), ("1".into(), max32.into()), (1.0, step(b32.max(), b32, -1)), false),
    ];
    let mut wrong = Vec::new();
    for ((format, rest, body), (lo, hi), range, none) in &cases {
        let (status, told) = with_range(&spec(format, (lo.as_str(), hi.as_str()), rest, body), *range);
        let proved = matches!(status, Status::Equivalent(_) | Status::Indistinguishable(Proof::NoTest(_)));
        if proved != *none || told.is_some() {
            wrong.push(format!("{body} {rest} on [{lo}, {hi}], {range:?}: {status:?} {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Accuracies with a function, of which the mutant with `power` more digits reaches no further than 1000 r, and one of
/// which it does.
const REACHES: [(&str, usize, &str, &str, &str); 8] = [
    // (1000 - 1) r |f| <= 1000 r up to 1000/999 = 1.001001...
    (
        "(<= -1e300 x 1e300)",
        3,
        ":magneto-rel-error 1e-10",
        "(* 2.00200 (/ (- 1 (cos x)) (* x x)))",
        "(* 2.00201 (/ (- 1 (cos x)) (* x x)))",
    ),
    ("(<= 0 x 1)", 3, ":magneto-rel-error 1e-10", "(* 1.001001 x)", "(* 1.0010011 x)"),
    ("(<= 0 x 1)", 2, ":magneto-rel-error 1e-10", "(* 10.1010 x)", "(* 10.1011 x)"),
    ("(<= -1 x 0)", 2, ":magneto-rel-error 1e-10", "(* 10.1010 x)", "(* 10.1011 x)"),
    // The absolute part is the larger one below 1e-3; r is the relative one.
    ("(<= 0 x 1)", 3, ":magneto-rel-error 1e-10 :magneto-abs-error 1.001e-10", "(* 0.5 x)", "(* 1.0011 x)"),
    ("(<= 0 x 1)", 3, ":magneto-rel-error 1e-10 :magneto-abs-error 1.001e-10", "(* 0.5 x)", "(* 1.00101 x)"),
    // One ulp of numbers from 1 on is 2^-52, which is 2 units of r = 2^-53.
    ("(<= 0 x 1)", 3, ":magneto-ulps (1 binary64)", "(* 0.5 x)", "x"),
    ("(<= 0.125 x 0.5)", 3, ":magneto-ulps (1 binary64)", "(* 1.5 x)", "(* 2 x)"),
];

#[test]
fn accuracies_that_reach_just_not_far_enough() {
    for (pre, power, rest, within, beyond) in REACHES {
        let status = |body: &str| {
            let spec = support::spec(&format!("(FPCore (x) :name \"reach\" :pre {pre} {rest} {body})"));
            let operators = OperatorSet::Only(vec![Operator::Accuracy]);
            let options = Options { operators, jobs: 1, ..Options::default() };
            generate(&spec, &options, &Interrupt::default()).expect("an input").mutants[power - 1].status.clone()
        };
        assert!(matches!(status(within), Status::Indistinguishable(_)), "{within} {rest}: {:?}", status(within));
        assert!(!matches!(status(beyond), Status::Indistinguishable(_)), "{beyond} {rest}: {:?}", status(beyond));
    }
}
