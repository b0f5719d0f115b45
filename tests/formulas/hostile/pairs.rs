//! Pairs that were thought out.
//!
//! `pairs.txt` holds arguments with precondition and accuracy, and below them pairs of bodies, some with an input at which
//! they are to be told apart.

use super::{Encoding, Kind, SearchEnd, claims, groups, show, text, wrong};
use crate::support;
use crate::support::judge::{Judge, Outcome, Tri};
use crate::support::points::Points;
use crate::support::rng::Rng;

/// Arguments with properties, the bodies, and an input at which they differ or none.
type Case = (&'static str, &'static str, &'static str, Vec<f64>);

fn cases() -> Vec<Case> {
    let read = |head: &'static str, line: &'static str| {
        let (bodies, at) = line.split_once(" @ ").unwrap_or((line, ""));
        let (own, mutant) = bodies.split_once(" => ").expect("two bodies");
        let at = at.split(", ").filter(|x| !x.is_empty()).map(|x| x.parse().expect("a number")).collect();
        (head, own, mutant, at)
    };
    let all = groups(include_str!("pairs.txt"));
    all.into_iter().flat_map(|(head, lines)| lines.into_iter().map(move |l| read(head, l))).collect()
}

#[test]
fn pairs_that_were_thought_out() {
    let cases = cases();
    let judged = support::on_two_threads(&cases, |_, (head, own, mutant, at)| {
        let (spec, body) = (support::spec(&text(head, own)), support::spec(&text(head, mutant)).core.body);
        let judge = Judge { spec: &spec, most: 2048 };
        let what = format!("{head} {own} {mutant}");
        let mut problems = Vec::new();
        if !at.is_empty() {
            let outcome = judge.compare(&body, at);
            let differs = !matches!(outcome, Outcome::Open | Outcome::Neither | Outcome::Meet);
            if !differs || judge.precondition(at) != Tri::Yes {
                problems.push(format!("{what}: the case is wrong: {outcome:?}"));
            }
        }
        // None where the format has no value in a range: there is nothing to claim.
        let Some(points) = Points::new(&spec, &[&spec.core.body, &body]) else { return (problems, Vec::new()) };
        let mut points = points.make(if support::long() { 1000 } else { 60 }, &mut Rng(1));
        points.extend((!at.is_empty()).then(|| at.clone()));
        let mut kinds = Vec::new();
        let cap = if support::long() { 3840 } else { 960 };
        for (encoding, boxes) in [(Encoding::Separation, 1000), (Encoding::Paper, 100)] {
            let boxes = if support::long() { 3000 } else { boxes };
            let (problem, kind) = wrong(
                &spec,
                &body,
                &claims(&spec, &body, (boxes, cap), encoding, encoding == Encoding::Separation),
                &points,
            );
            problems.extend(problem.map(|p| format!("{what}: {encoding:?}: {p}")));
            kinds.push(kind);
        }
        if show() {
            println!("{kinds:?} {what}");
        }
        (problems, kinds)
    });
    let count = |k: Kind| judged.iter().flat_map(|j| &j.1).filter(|x| **x == k).count();
    let (killed, proved, open) = (count(Kind::Killed), count(Kind::Proved), count(Kind::Open));
    println!("{} pairs: {killed} killed, {proved} proved, {open} open", cases.len());
    let problems: Vec<String> = judged.into_iter().flat_map(|j| j.0).collect();
    assert!(problems.is_empty(), "{} wrong:\n{problems:#?}", problems.len());
    assert!(killed > cases.len() / 2 && proved > cases.len() / 2);
}

/// Formulas that are rational or without a value at some multiples of pi/12, and the multiples, up to 24, where the judge
/// is to find none.
const WITHOUT: &[(&str, &[i32])] = &[
    ("(/ 1 (sin (* PI (/ x 12))))", &[0, 12]),
    ("(/ 1 (- 1 (* 2 (sin (/ (* PI x) 12)))))", &[2, 10]),
    ("(let ([t (* (/ x 6) PI_2)]) (/ 1 (+ 1 (* 2 (cos t)))))", &[8, 16]),
    ("(/ PI (+ 1 (sin (* PI_4 (/ x 3)))))", &[18]),
    ("(tan (- PI (/ (* x PI) 12)))", &[6, 18]),
    ("(/ 1 (+ 1 (tan (* PI (/ x 12)))))", &[6, 9, 18, 21]),
    ("(/ 1 (- (* PI x) (+ PI (fmax PI (* 2 PI)))))", &[3]),
    ("(if (== (* PI x) (* 5 PI)) (/ 1 0) 1)", &[5]),
];

/// The judge's own arithmetic with pi: where there is a value, and that it is in the enclosures.
#[test]
fn the_judge_knows_multiples_of_pi() {
    for (body, without) in WITHOUT {
        let spec = support::spec(&text("(x) :pre (<= -48 x 72) :magneto-abs-error 1e-9", body));
        let judge = Judge { spec: &spec, most: 2048 };
        for x in 0..24 {
            let at = [f64::from(x)];
            let expected = if without.contains(&x) { Tri::No } else { Tri::Yes };
            assert_eq!(judge.defined(&at), expected, "{body} at {x}");
            // Nearly a multiple is none.
            assert_eq!(judge.defined(&[at[0].next_up()]), Tri::Yes, "{body} beside {x}");
            let first = judge.first(&at);
            if first.defined == Tri::Yes {
                assert_ne!(judge.valid(first.lo.to_f64(), &at), Tri::No, "{body} at {x}");
            }
        }
    }
}

/// Pairs where the judge cannot settle what happens at the input, and reason can.
const BEYOND: &[(&str, &str, &str, &[f64])] = &[
    // z is |x - 0.3125| and a 0 that no precision shows: z / z has no value at 0.3125. That input is met in the first of
    // many turns, which hundreds of others take.
    (
        "(x) :pre (<= 0.3125 x 0.31250000000004) :magneto-abs-error 1e-60",
        "(+ 2 (sin x))",
        "(let ([z (+ (fabs (- x 0.3125)) (- (+ (pow (sin x) 2) (pow (cos x) 2)) 1))])
           (+ 1 (+ (/ z z) (* 2 (* (sin (/ x 2)) (cos (/ x 2)))))))",
        &[0.3125],
    ),
];

/// No proof where a kill is known that nothing computes.
#[test]
fn what_is_not_settled_is_not_proved() {
    for (head, own, mutant, at) in BEYOND {
        let (spec, body) = (support::spec(&text(head, own)), support::spec(&text(head, mutant)).core.body);
        let judge = Judge { spec: &spec, most: 2048 };
        assert_eq!((judge.compare(&body, at), judge.precondition(at)), (Outcome::Open, Tri::Yes), "{mutant}");
        for boxes in [600, 3000, 30_000] {
            let claims = claims(&spec, &body, (boxes, 960), Encoding::Separation, true);
            let open = matches!(claims.answer, SearchEnd::Unknown(_)) && claims.equal.is_none();
            assert!(open, "{boxes} {mutant}: {:?} {:?}", claims.answer, claims.equal);
        }
    }
}
