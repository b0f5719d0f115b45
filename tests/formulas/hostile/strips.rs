//! Ranges that differ by inputs that can be no test, and accuracies that reach just not far enough: proved where that is
//! so, and where one input of many is different, or a number is a little larger, not.

use super::{seeds, show};
use crate::support;
use crate::support::confirm::{range_told_apart, tells_apart};
use crate::support::judge::Judge;
use crate::support::rng::Rng;
use magneto::floats::Format;
use magneto::mutate::{Change, MutationOperator, OperatorSet, mutants};
use magneto::num::float::rational;
use magneto::spec::{Range, RangeEnd, Spec};
use magneto::suite::{EquivalenceProof, Interrupt, Judged, Options, Status, generate, generate_for};

/// The input x in a range, with its format and further properties, and a body.
fn spec(format: &str, (lo, hi): (&str, &str), rest: &str, body: &str) -> Spec {
    support::spec(&format!("(FPCore (x) :name \"strip\" :precision {format} :pre (<= {lo} x {hi}) {rest} {body})"))
}

/// What becomes of the mutant whose range of x is this one; an error where there is no input to test.
fn judged(spec: &Spec, (lo, hi): (f64, f64)) -> Result<Judged, String> {
    let bound = |x: f64| Some(RangeEnd { value: rational(x), strict: false });
    let mut mutant = mutants(spec, &OperatorSet::Full).remove(0);
    mutant.change = Change::Range { input: 0, range: Range { lo: bound(lo), hi: bound(hi) } };
    let run = generate_for(spec, vec![mutant], &Options { jobs: 1, ..Options::default() }, &Interrupt::default());
    Ok(run?.mutants.remove(0))
}

fn is_proved(judged: &Judged) -> bool {
    matches!(judged.status, Status::Equivalent(_) | Status::Indistinguishable(_))
}

/// The status, and what refutes it.
fn with_range(spec: &Spec, range: (f64, f64)) -> (Status, Option<String>) {
    let judged = judged(spec, range).unwrap_or_else(|e| panic!("{}: {e}", spec.core));
    let told = range_told_apart(spec, &judged, 4, &mut Rng(1)).filter(|_| is_proved(&judged));
    (judged.status, told)
}

/// So many values of the format further.
fn step(x: f64, format: Format, n: i32) -> f64 {
    let next = |x: f64| if n > 0 { format.next_up(x) } else { format.next_down(x) };
    (0..n.abs()).fold(x, |x, _| next(x).unwrap_or(x))
}

/// Format, accuracy and body; a range and another one; whether no input tells the two apart.
type Case<'a> = ((&'a str, &'a str, &'a str), (String, String), (f64, f64), bool);

#[test]
fn strips_without_tests() {
    let b32 = Format::BINARY32;
    let tight = ":magneto-rel-error 1e-16";
    let max32 = "3.4028234663852886e38";
    let root = ("binary32", tight, "(if (or (< x 2.1) (> x 5)) x (sqrt x))");
    let loose = ":magneto-rel-error 1e-3";
    let square = ("binary32", loose, "(* x x)");
    // Outside [2.1, 5] there are tests. Squares of binary32 numbers have square roots among them: the others are not near enough to any.
    let cases: Vec<Case<'_>> = vec![
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
        let proved = matches!(status, Status::Equivalent(_) | Status::Indistinguishable(EquivalenceProof::NoTest(_)));
        if proved != *none || told.is_some() {
            wrong.push(format!("{body} {rest} on [{lo}, {hi}], {range:?}: {status:?} {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Accuracies with a function, of which the mutant with `power` more digits reaches no further than 1000 r, and one of
/// which it does.
const REACHES: [(&str, usize, &str, &str, &str); 9] = [
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
    // Below 1 everywhere, and 1 at one end.
    ("(<= 1 x 1e300)", 3, ":magneto-ulps (1 binary64)", "(/ x (+ x 1))", "(/ (+ x 1) (* 2 x))"),
    ("(<= 0.125 x 0.5)", 3, ":magneto-ulps (1 binary64)", "(* 1.5 x)", "(* 2 x)"),
];

#[test]
fn accuracies_that_reach_just_not_far_enough() {
    for (pre, power, rest, within, beyond) in REACHES {
        let status = |body: &str| {
            let spec = support::spec(&format!("(FPCore (x) :name \"reach\" :pre {pre} {rest} {body})"));
            let operators = OperatorSet::Only(vec![MutationOperator::Accuracy]);
            let options = Options { operators, jobs: 1, ..Options::default() };
            generate(&spec, &options, &Interrupt::default()).expect("an input").mutants[power - 1].status.clone()
        };
        assert!(matches!(status(within), Status::Indistinguishable(_)), "{within} {rest}: {:?}", status(within));
        assert!(!matches!(status(beyond), Status::Indistinguishable(_)), "{beyond} {rest}: {:?}", status(beyond));
    }
}

/// The formats of an input with few values, and of results.
const FORMATS: [(&str, Format, &str); 4] = [
    ("binary16", Format::BINARY16, "binary32"),
    ("bfloat16", Format::BFLOAT16, "binary32"),
    ("binary16", Format::BINARY16, "binary64"),
    ("bfloat16", Format::BFLOAT16, "binary64"),
];

/// Random ranges of an input of few values: every one of a strip is looked at.
#[test]
fn random_strips() {
    let bodies = [
        "(sqrt x)",
        "(* x x)",
        "(pow x 11)",
        "(exp x)",
        "(exp (* x x))",
        "(exp (- (* 9 x)))",
        "(log x)",
        "(/ 1 x)",
        "(/ 1 (- x 3))",
        "(* x 1e-30)",
        "(* x 1e-40)",
        "(* 1e36 x)",
        "(/ x 3)",
        "(sin x)",
        "(tan (* PI_2 x))",
        "(floor x)",
        "(- (* x x) 2)",
        "(* 1e40 (- x 3))",
        "(if (< x 2) x (* 1e40 x))",
        "(pow 2 x)",
        "(cbrt x)",
        "(if (< x 8) (sqrt x) x)",
    ];
    let accuracies = [
        ":magneto-rel-error 1e-3",
        ":magneto-rel-error 1e-8",
        ":magneto-rel-error 1e-16",
        ":magneto-rel-error 1e-30",
        ":magneto-rel-error 0.25",
        ":magneto-rel-error 0.5",
        ":magneto-abs-error 1e-40",
        ":magneto-abs-error 1e38",
        ":magneto-abs-error 1e39",
        ":magneto-rel-error 1e-9 :magneto-abs-error 1e-44",
        ":magneto-ulps (1/2 binary32)",
        ":magneto-ulps (0.01 binary32)",
        ":magneto-ulps (100 binary16)",
        ":magneto-ulps (1/100 bfloat16) :magneto-rel-error 1e-4",
    ];
    let (mut problems, mut proofs, mut no_tests) = (0, 0, 0);
    for seed in seeds(600) {
        let mut r = Rng(seed);
        let (input, format, result) = *r.pick(&FORMATS);
        let (body, accuracy) = (*r.pick(&bodies), *r.pick(&accuracies));
        let response = *r.pick(&["", ":magneto-out-of-range nan"]);
        let end = |r: &mut Rng| {
            let x = *r.pick(&[0.0, 1.0, 2.0, 3.0, 4.0, 0.5, 8.0, 20.0, 100.0, 1e4, -1.0, -4.0, -1e4, 6e4, 1e-5]);
            step(format.floor(x).expect("a value"), format, r.below(5) as i32 - 2)
        };
        let (a, b) = (end(&mut r), end(&mut r));
        let (lo, hi) = (a.min(b), a.max(b));
        let rest = format!("{accuracy} {response} :magneto-inputs {input}");
        let spec = spec(result, (&lo.to_string(), &hi.to_string()), &rest, body);
        let moved = |x: f64, r: &mut Rng| match r.below(2) {
            0 => step(x, format, r.below(40) as i32 - 20),
            _ => format.floor(x * (0.5 + r.unit())).unwrap_or(x),
        };
        let (lo2, hi2) = if r.below(2) == 0 { (moved(lo, &mut r), hi) } else { (lo, moved(hi, &mut r)) };
        if lo2 > hi2 || (lo, hi) == (lo2, hi2) {
            continue;
        }
        let Ok(judged) = judged(&spec, (lo2, hi2)) else { continue };
        problems += 1;
        if !is_proved(&judged) || matches!(judged.status, Status::Indistinguishable(EquivalenceProof::ResponseNotTold))
        {
            continue;
        }
        proofs += 1;
        no_tests += usize::from(matches!(judged.status, Status::Indistinguishable(_)));
        if show() {
            println!("{body} {rest} on [{lo}, {hi}], [{lo2}, {hi2}]: {:?}", judged.status);
        }
        let judge = Judge { spec: &spec, most: 1024 };
        for (from, to) in [(lo, lo2), (hi, hi2)] {
            let (from, to) = (from.min(to), from.max(to));
            let mut x = Some(from);
            while let Some(v) = x.filter(|v| *v <= to) {
                assert!(
                    !tells_apart(&judge, &judged, &[v]),
                    "{body} {rest} on [{lo}, {hi}], [{lo2}, {hi2}]: {:?} at {v:e}, seed {seed}",
                    judged.status
                );
                x = format.next_up(v);
            }
        }
    }
    println!("{problems} ranges: {proofs} proofs, {no_tests} of them for want of tests");
    assert!(no_tests * 50 > problems, "{no_tests} proofs of {problems} only");
}
