//! Attacks on the claims of the solver and of the prover: pairs of functions that were thought out to mislead them,
//! random pairs made of what they cancel, and whole runs on specifications at the edge of what has a value.
//!
//! `MAGNETO_PROBLEMS=100000 MAGNETO_SEED=1 cargo test --test hostile` attacks for longer.

#[allow(dead_code)]
mod support;

use magneto::csp::{Encoding, InputBox, Pair};
use magneto::equiv::{Prover, prove_by_cases};
use magneto::mutate::{Operator, OperatorSet};
use magneto::num::{Interval, MpInterval};
use magneto::ops::Op;
use magneto::solver::verify::Rules;
use magneto::solver::{Answer, Limits, Verifier, decide};
use magneto::spec::core::Expr;
use magneto::spec::{OutOfRange, Spec};
use magneto::suite::{Interrupt, Options, generate};
use magneto::tape::diff::difference;
use magneto::tape::eval::{Boxes, Multi};
use magneto::tape::meanvalue::MeanValue;
use magneto::tape::relative::relative_difference;
use magneto::tape::simplify::{sharpen, simplify};
use magneto::tape::{Builder, NodeId, Tape, evaluate, lower::lower};
use support::confirm::{attack, confirm};
use support::judge::{Judge, Outcome, Tri};
use support::points::{Points, Random};

/// What a run would claim of a specification and another body.
struct Claims {
    answer: Answer,
    /// The proof that both are the same function, by normal forms or by cases.
    equal: Option<String>,
}

fn claims(spec: &Spec, body: &Expr, boxes: u64, cap: u32, encoding: Encoding) -> Claims {
    let domain = InputBox::new(spec).expect("a domain");
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let mut b = Builder::new(names.len());
    let (f, g) = (lower(&mut b, &names, &spec.core.body), lower(&mut b, &names, body));
    let conditions: Vec<_> = spec.constraints.iter().map(|c| lower(&mut b, &names, c)).collect();
    let tape = b.finish();
    let pair = Pair::extract(&tape, f, g, &conditions, &spec.accuracy, &spec.accuracy);
    let told = matches!(spec.out_of_range, OutOfRange::Reject | OutOfRange::Nan);
    let rules = Rules { cap, format: spec.result_format, response_told: told };
    let limits = Limits { boxes, ..Limits::default() };
    let mut verifier = Verifier::new(&pair, rules);
    let (answer, stats) = decide(&pair, &domain, &[], encoding, limits, None, &mut verifier);
    if std::env::var_os("MAGNETO_SHOW").is_some() {
        println!("{answer:?} {stats:?}");
    }
    let mut prover = Prover::new(&tape, &domain, &conditions).with_names(&names);
    let equal = prover.prove_equal(f, g).or_else(|| prove_by_cases(&tape, (f, g), &domain, &conditions, &names));
    Claims { answer, equal: equal.map(|p| p.to_string()) }
}

/// What is wrong with the claims, attacked at `points`; also what they were.
fn wrong(spec: &Spec, body: &Expr, claims: &Claims, points: &[Vec<f64>]) -> (Option<String>, Kind) {
    let judge = Judge { spec, most: 2048 };
    let told = matches!(spec.out_of_range, OutOfRange::Reject | OutOfRange::Nan);
    let kills = |outcome: &Outcome| match outcome {
        Outcome::Apart | Outcome::OnlySpec => true,
        Outcome::OnlyMutant => told,
        Outcome::Meet | Outcome::Neither | Outcome::Open => false,
    };
    let (proved, equal) = match &claims.answer {
        Answer::Inner { point, .. } => {
            let outcome = judge.compare(body, point);
            let is_wrong = !kills(&outcome) && outcome != Outcome::Open || judge.precondition(point) == Tri::No;
            let why = is_wrong.then(|| format!("{outcome:?} at {point:?}, where there is said to be a kill"));
            if why.is_some() || claims.equal.is_none() {
                return (why, Kind::Killed);
            }
            (true, true)
        }
        Answer::Equal => (true, true),
        Answer::Infeasible { .. } => (true, claims.equal.is_some()),
        Answer::Unknown(_) => (claims.equal.is_some(), claims.equal.is_some()),
    };
    if !proved {
        return (None, Kind::Open);
    }
    for x in points {
        let outcome = judge.compare(body, x);
        // Where the response owed outside the domain cannot be told, a larger domain of definition is still a change.
        let bad = kills(&outcome) || equal && (outcome == Outcome::Meet && judge.differ(body, x));
        let bad = bad || claims.equal.is_some() && outcome == Outcome::OnlyMutant;
        if bad && judge.precondition(x) == Tri::Yes {
            return (Some(format!("{outcome:?} at {x:?}: {:?} {:?}", claims.answer, claims.equal)), Kind::Proved);
        }
    }
    (None, Kind::Proved)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Killed,
    Proved,
    Open,
}

fn text(head: &str, body: &str) -> String {
    let (args, rest) = head.split_once(')').unwrap();
    format!("(FPCore {args}) :name \"hostile\" {rest} {body})")
}

/// Arguments, precondition and accuracy; a body; another one; an input that the judge confirms to tell them apart.
type Case = (&'static str, &'static str, &'static str, &'static [f64]);

include!("hostile/cases.rs");

#[test]
fn pairs_that_were_thought_out() {
    let judged = support::on_two_threads(CASES, |_, (head, own, mutant, at)| {
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
        let mut points = points.make(if support::long() { 1000 } else { 120 }, &mut Random(1));
        points.extend((!at.is_empty()).then(|| at.to_vec()));
        let mut kinds = Vec::new();
        for encoding in [Encoding::Separation, Encoding::Paper] {
            let (problem, kind) = wrong(&spec, &body, &claims(&spec, &body, 3000, 3840, encoding), &points);
            problems.extend(problem.map(|p| format!("{what}: {encoding:?}: {p}")));
            kinds.push(kind);
        }
        if std::env::var_os("MAGNETO_SHOW").is_some() {
            println!("{kinds:?} {what}");
        }
        (problems, kinds)
    });
    let count = |k: Kind| judged.iter().flat_map(|j| &j.1).filter(|x| **x == k).count();
    let (killed, proved, open) = (count(Kind::Killed), count(Kind::Proved), count(Kind::Open));
    println!("{} pairs: {killed} killed, {proved} proved, {open} open", CASES.len());
    let problems: Vec<String> = judged.into_iter().flat_map(|j| j.0).collect();
    assert!(problems.is_empty(), "{} wrong:\n{problems:#?}", problems.len());
}

/// No proof where a kill is known that nothing computes.
#[test]
fn what_is_not_settled_is_not_proved() {
    for (head, own, mutant, at) in BEYOND {
        let (spec, body) = (support::spec(&text(head, own)), support::spec(&text(head, mutant)).core.body);
        let judge = Judge { spec: &spec, most: 2048 };
        assert_eq!((judge.compare(&body, at), judge.precondition(at)), (Outcome::Open, Tri::Yes), "{mutant}");
        for boxes in [600, 3000, 30_000] {
            let claims = claims(&spec, &body, boxes, 960, Encoding::Separation);
            println!("{boxes}: {:?}", claims.answer);
            let open = matches!(claims.answer, Answer::Unknown(_)) && claims.equal.is_none();
            assert!(open, "{boxes} {mutant}: {:?} {:?}", claims.answer, claims.equal);
        }
    }
}

include!("hostile/twins.rs");

include!("hostile/specs.rs");
include!("hostile/domains.rs");
include!("hostile/cancelled.rs");
