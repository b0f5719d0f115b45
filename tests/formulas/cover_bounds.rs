//! The number that is printed with a cover, the largest |f - g| in units of the sum of the tolerances, is a claim like
//! any other: it must lie at no point of the domain below the true one. Random problems with choices, so that they are
//! searched in several turns, are attacked at probes, and by a climb from the best of these, with 300 bits.
//!
//! `MAGNETO_LONG=1` takes many more of them.

use crate::support;
use crate::support::rng::Rng;
use magneto::csp::verify::Rules;
use magneto::csp::{Encoding, Pair};
use magneto::csp::{Verifier, decide};
use magneto::num::mpfr::{Float, Round};
use magneto::num::{MpInterval, Rational, Ternary};
use magneto::points::probes::{many, probes};
use magneto::solve::{Limits, SearchEnd};
use magneto::spec::{Accuracy, InputBox, Spec};
use magneto::suite::{Interrupt, Options, generate};
use magneto::tape::eval::{Multi, Points};
use magneto::tape::lower::lower;
use magneto::tape::{Builder, NodeId, evaluate};

const BITS: u32 = 300;

/// A specification and the mutant's body, as two FPCores.
fn problem(head: &str, f: &str, g: &str) -> (Spec, Spec) {
    let core = |body: &str| support::spec(&format!("(FPCore {head} {body})"));
    (core(f), core(g))
}

/// What was found of one problem: whether there was a cover with a number, and its boxes.
fn attacked((spec, other): &(Spec, Spec), boxes: u64, name: &str) -> Option<u64> {
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let mut b = Builder::new(names.len());
    let (f, g) = (lower(&mut b, &names, &spec.core.body), lower(&mut b, &names, &other.core.body));
    let conditions: Vec<NodeId> = spec.constraints.iter().map(|c| lower(&mut b, &names, c)).collect();
    let tape = b.finish();
    let pair = Pair::extract(&tape, f, g, &conditions, &spec.accuracy, &spec.accuracy);
    let domain = InputBox::new(spec).expect("a domain");
    let rules = Rules { cap: 960, format: spec.result_format, response: spec.out_of_range };
    let limits = Limits { boxes, ..Limits::default() };
    let mut verifier = Verifier::new(&pair, rules);
    let (answer, stats) = decide(&pair, &domain, &[], Encoding::Separation, limits, None, &mut verifier);
    let SearchEnd::Infeasible { worst } = answer else { return None };
    let ratio = |x: &[f64]| ratio_in_f64(&pair, x, &spec.accuracy);
    let mut points = probes(&domain);
    points.extend(many(&domain, 300));
    points.sort_by(|a, b| ratio(b).total_cmp(&ratio(a)));
    let climbed: Vec<Vec<f64>> = points.iter().take(3).map(|x| climb(&domain, x.clone(), &ratio)).collect();
    for x in points.iter().take(40).chain(&climbed) {
        if let Some(true_ratio) = least_ratio(spec, other, x) {
            assert!(true_ratio <= worst, "{name}: {worst:e} is printed, {:e} is true at {x:?}", true_ratio.to_f64());
        }
    }
    Some(stats.boxes)
}

/// |f - g| over the tolerances in binary64 arithmetic; 0 where it is no number.
fn ratio_in_f64(pair: &Pair, x: &[f64], accuracy: &Accuracy) -> f64 {
    let inputs: Vec<[f64; 1]> = x.iter().map(|v| [*v]).collect();
    let mut values = Vec::new();
    evaluate(&pair.tape, &mut Points { inputs: &inputs }, &mut values);
    let (f, g) = (values[pair.f.index()][0], values[pair.g.index()][0]);
    let part = |r: &Option<Rational>| r.as_ref().map_or(0.0, Rational::to_f64);
    let (rel, abs) = (part(&accuracy.rel), part(&accuracy.abs));
    let ratio = (f - g).abs() / ((rel * f.abs()).max(abs) + (rel * g.abs()).max(abs));
    if ratio.is_finite() { ratio } else { 0.0 }
}

fn climb(domain: &InputBox, mut best: Vec<f64>, size: &impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let mut largest = size(&best);
    for halving in 1..40 {
        for (input, sign) in (0..best.len()).flat_map(|i| [(i, 1.0), (i, -1.0)]) {
            let mut point = best.clone();
            point[input] += sign * point[input].abs().max(1e-9) * 0.5f64.powi(halving);
            let point = domain.clamp(&point);
            if size(&point) > largest {
                largest = size(&point);
                best = point;
            }
        }
    }
    best
}

/// A lower bound of the ratio at a point of the domain, by formulas lowered as they are written; none where it is not
/// settled that f and g have values and the conditions hold.
fn least_ratio(spec: &Spec, other: &Spec, x: &[f64]) -> Option<Float> {
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let mut b = Builder::literal(names.len());
    let roots = [lower(&mut b, &names, &spec.core.body), lower(&mut b, &names, &other.core.body)];
    let conditions: Vec<NodeId> = spec.constraints.iter().map(|c| lower(&mut b, &names, c)).collect();
    let tape = b.finish();
    let inputs: Vec<MpInterval> = x.iter().map(|x| MpInterval::from_f64(*x, BITS)).collect();
    let mut values = Vec::new();
    evaluate(&tape, &mut Multi { inputs: &inputs, precision: BITS }, &mut values);
    if conditions.iter().any(|c| values[c.index()].lo != 1) {
        return None;
    }
    let [f, g] = roots.map(|r| &values[r.index()]);
    if f.def != Ternary::True || g.def != Ternary::True {
        return None;
    }
    let down = |x: &Float, y: &Float| Float::with_val_round(BITS, x - y, Round::Down).0;
    let distance = down(&f.lo, &g.hi).max(&down(&g.lo, &f.hi));
    let up = |r: &Option<Rational>| Float::with_val_round(BITS, r.clone().unwrap_or_default(), Round::Up).0;
    let (rel, abs) = (up(&spec.accuracy.rel), up(&spec.accuracy.abs));
    let tolerance = |v: &MpInterval| {
        let size = v.hi.clone().abs().max(&v.lo.clone().abs());
        Float::with_val_round(BITS, &rel * &size, Round::Up).0.max(&abs)
    };
    let room = Float::with_val_round(BITS, tolerance(f) + tolerance(g), Round::Up).0;
    (room > 0).then(|| Float::with_val_round(BITS, distance / room, Round::Down).0)
}

/// A function of the inputs with choices in it, in which `?` stands for a number near 1, each of them another one.
fn random_function(r: &mut Rng, inputs: &[&str], depth: u32) -> String {
    if depth == 0 {
        let x = *r.pick(inputs);
        return match r.below(5) {
            0 => x.to_owned(),
            1 => format!("(* ? {x})"),
            2 => format!("(+ {x} ?)"),
            3 => format!("(* {x} {})", r.pick(inputs)),
            _ => format!("{}", 1 + r.below(9)),
        };
    }
    let mut part = || random_function(r, inputs, depth - 1);
    let (a, b, c, d) = (part(), part(), part(), part());
    match r.below(12) {
        0 => format!("(+ {a} {b})"),
        1 => format!("(* {a} {b})"),
        2 => format!("(if (< {c} {d}) {a} {b})"),
        3 => format!("(if (== {c} {d}) 7 (hypot 100 {b}))"),
        4 => format!("(fmin {a} {b})"),
        5 => format!("(fmax {a} {b})"),
        6 => format!("(+ 1 (fabs {a}))"),
        7 => format!("(hypot {a} {b})"),
        8 => format!("(sqrt (+ 1 (* {a} {a})))"),
        9 => format!("(* (+ 2 (sin {a})) (* ? (+ 3 (cos {b}))))"),
        10 => format!("(exp (/ {a} 50))"),
        _ => format!("(- {a} (* ? {b}))"),
    }
}

/// The text with a number in place of each `?`; in the mutant one of them is off by a share of the accuracy.
fn numbers(text: &str, r: &mut Rng, share: f64) -> (String, String) {
    let places = text.matches('?').count();
    let changed = r.below(places);
    let (mut f, mut g) = (String::new(), String::new());
    for (k, part) in text.split('?').enumerate() {
        if k > 0 {
            let value = 1.0 + r.below(40) as f64 / 16.0;
            f += &format!("{value}");
            g += &if k - 1 == changed { format!("(* {value} (+ 1 {share:e}))") } else { format!("{value}") };
        }
        f += part;
        g += part;
    }
    (f, g)
}

#[test]
fn no_printed_number_is_below_the_true_one() {
    let count = if support::long() { 20_000 } else { 400 };
    let heads: Vec<u64> = (0..count).collect();
    let found = support::on_two_threads(&heads, |_, seed| {
        let r = &mut Rng(*seed);
        let inputs: &[&str] = if r.below(2) == 0 { &["x"] } else { &["x", "y"] };
        let accuracy = *r.pick(&[1e-6, 1e-3, 0.1, 1.0, 3.0]);
        let range = *r.pick(&["(<= 0 v 8)", "(<= -4 v 4)", "(<= 1 v 1000)", "(<= -1000000 v 1000000)"]);
        let pre: Vec<String> = inputs.iter().map(|v| range.replace('v', v)).collect();
        let absolute = if r.below(4) == 0 { ":magneto-abs-error 1e-3" } else { "" };
        let head =
            format!("({}) :pre (and {}) :magneto-rel-error {accuracy:e} {absolute}", inputs.join(" "), pre.join(" "));
        let text = format!("(* ? {})", random_function(r, inputs, 2));
        let share = accuracy * r.pick(&[0.003, 0.1, 0.6, 1.2]);
        let (f, g) = numbers(&text, r, share);
        attacked(&problem(&head, &f, &g), 3000, &format!("{head} {f}; {g}"))
    });
    let covers: Vec<u64> = found.into_iter().flatten().collect();
    let several = covers.iter().filter(|boxes| **boxes > 512).count();
    println!("{count} problems: {} covers, {several} of them in several turns", covers.len());
    assert!(covers.len() * 4 > count as usize && several * 40 > count as usize, "{} {several}", covers.len());
}

#[test]
fn a_turn_that_ends_with_its_budget_counts() {
    let head = "(a) :magneto-rel-error 1e-6";
    let (f, g) = ("(if (== (* (* a a) a) a) 7 (hypot 1000 (fmin THIRD a)))", "THIRD");
    let pair = problem(head, &f.replace(g, "1/3"), &f.replace(g, "1/30"));
    assert!(attacked(&pair, 20_000, "hypot").is_some_and(|boxes| boxes > 512));
}

#[test]
fn a_relative_room_above_one_counts() {
    let head = "(x) :pre (<= 0 x 1000000) :magneto-rel-error 1";
    assert!(attacked(&problem(head, "(* 1.1 x)", "(+ x x)"), 4000, "1.1 x").is_some());
}

/// The number that is printed with a near miss is no noise of the precision at which it was seen.
#[test]
fn a_near_miss_far_below_the_tolerance_has_its_true_size() {
    let text = "(FPCore (x) :precision binary16 :magneto-inputs ((x binary32)) :pre (<= -0x1.8p-148 x 0x1p-147) \
                :magneto-rel-error 0x1p-9 (+ (fdim (/ (* x x) (/ x x)) (/ (/ x x) (fmin x 1/3))) \
                (* (remainder (atan x) (* x 3)) (+ (/ -1 x) (- x x)))))";
    let spec = support::spec(text);
    let run = generate(&spec, &Options::default(), &Interrupt::default()).unwrap();
    let mut looked = 0;
    for judged in &run.mutants {
        let Some(miss) = judged.near_miss.as_ref() else { continue };
        let Some(true_ratio) = least_ratio(&spec, &judged.mutant.apply(&spec), &miss.input) else { continue };
        let true_ratio = true_ratio.to_f64();
        assert!(
            (miss.ratio - true_ratio).abs() <= true_ratio * 0.01,
            "{:?}: {} and not {true_ratio}",
            judged.mutant.after,
            miss.ratio
        );
        looked += u32::from(true_ratio > 0.0 && true_ratio < 1e-30);
    }
    assert!(looked > 0);
}
