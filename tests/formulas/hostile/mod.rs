//! Attacks on the claims of the solver and of the prover: pairs of functions that were thought out to mislead them,
//! random pairs made of what they cancel, the differences themselves, preconditions, and whole runs on specifications at
//! the edge of what has a value.
//!
//! `MAGNETO_PROBLEMS=100000 MAGNETO_SEED=1 MAGNETO_LONG=1 cargo test --test formulas hostile` attacks for longer, and
//! `MAGNETO_SHOW=1` shows what became of every pair.

mod cancelled;
mod domains;
mod pairs;
mod runs;
mod strips;
mod twins;

use crate::support::judge::{Judge, Outcome, Tri};
use magneto::csp::tolerance::LowerTolerance;
use magneto::csp::verify::Rules;
use magneto::csp::{Encoding, Pair};
use magneto::csp::{Verifier, decide};
use magneto::equiv::{Prover, prove_by_cases, prove_by_rewriting};
use magneto::solve::{Limits, SearchEnd};
use magneto::spec::core::Expr;
use magneto::spec::{InputBox, OutOfRange, Spec};
use magneto::tape::{Builder, lower::lower};

/// The random problems of a test: `usual` many, or as many as the environment asks for.
fn seeds(usual: u64) -> Vec<u64> {
    let number = |name: &str, usual: u64| std::env::var(name).map_or(usual, |n| n.parse().expect("a number"));
    let first = number("MAGNETO_SEED", 0);
    (first..first + number("MAGNETO_PROBLEMS", usual)).collect()
}

/// Whether to print what becomes of everything.
fn show() -> bool {
    std::env::var_os("MAGNETO_SHOW").is_some()
}

/// The lines of a file that begin a group, each with the indented lines below it; `#` begins a remark.
fn groups(file: &str) -> Vec<(&str, Vec<&str>)> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in file.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
        match (line.strip_prefix("    "), groups.last_mut()) {
            (Some(below), Some(group)) => group.1.push(below),
            _ => groups.push((line, Vec::new())),
        }
    }
    groups
}

/// What a run would claim of a specification and another body.
struct Claims {
    answer: SearchEnd,
    /// The proof that both are the same function, by normal forms, by cases or by rewriting.
    equal: Option<String>,
    /// Whether it is proved by normal forms that their valid sets meet everywhere.
    near: bool,
}

/// `rewriting`: whether to look for proofs by rewriting too, which take by far the longest.
fn claims(spec: &Spec, body: &Expr, (boxes, cap): (u64, u32), encoding: Encoding, rewriting: bool) -> Claims {
    let domain = InputBox::new(spec).expect("a domain");
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let mut b = Builder::new(names.len());
    let (f, g) = (lower(&mut b, &names, &spec.core.body), lower(&mut b, &names, body));
    let conditions: Vec<_> = spec.constraints.iter().map(|c| lower(&mut b, &names, c)).collect();
    let tape = b.finish();
    let pair = Pair::extract(&tape, f, g, &conditions, &spec.accuracy, &spec.accuracy);
    let rules = Rules { cap, format: spec.result_format, response: spec.out_of_range };
    let limits = Limits { boxes, ..Limits::default() };
    let mut verifier = Verifier::new(&pair, rules);
    let answer = decide(&pair, &domain, &[], encoding, limits, None, &mut verifier).0;
    let mut prover = Prover::new(&tape, &domain, &conditions).with_names(&names);
    let equal = prover
        .prove_equal(f, g)
        .or_else(|| prove_by_cases(&tape, f, g, &domain, &conditions, &names))
        .or_else(|| rewriting.then(|| prove_by_rewriting(&tape, f, g, &domain, &conditions, &names))?);
    let near = prover.prove_near(f, g, &LowerTolerance::new(&spec.accuracy)).is_some();
    Claims { answer, equal: equal.map(|p| p.to_string()), near }
}

/// What is wrong with the claims, attacked at `points`; also what they were.
fn wrong(spec: &Spec, body: &Expr, claims: &Claims, points: &[Vec<f64>]) -> (Option<String>, Kind) {
    let judge = Judge { spec, most: 2048 };
    // Nothing is owed where f has no value, and a mutant without a value may do anything where any response will do.
    let kills = |outcome: &Outcome| match outcome {
        Outcome::Apart => true,
        Outcome::OnlySpec => spec.out_of_range != OutOfRange::Any,
        Outcome::OnlyMutant | Outcome::Meet | Outcome::Neither | Outcome::Open => false,
    };
    let (proved, equal) = match &claims.answer {
        SearchEnd::Inner { point, .. } => {
            let outcome = judge.compare(body, point);
            let is_wrong = !kills(&outcome) && outcome != Outcome::Open || judge.precondition(point) == Tri::No;
            let why = is_wrong.then(|| format!("{outcome:?} at {point:?}, where there is said to be a kill"));
            let near = claims.near && kills(&outcome) && judge.precondition(point) == Tri::Yes;
            let why = why.or(near.then(|| format!("{outcome:?} at {point:?}, and they are proved to be near")));
            if why.is_some() || claims.equal.is_none() {
                return (why, Kind::Killed);
            }
            (true, true)
        }
        SearchEnd::Equal => (true, true),
        SearchEnd::Infeasible { .. } => (true, claims.equal.is_some()),
        SearchEnd::Unknown(_) => (claims.near || claims.equal.is_some(), claims.equal.is_some()),
    };
    if !proved {
        return (None, Kind::Open);
    }
    for x in points {
        let outcome = judge.compare(body, x);
        // A larger domain of definition is no kill, but a change.
        let bad = kills(&outcome) || equal && (outcome == Outcome::Meet && judge.differ(body, x));
        let bad = bad || claims.equal.is_some() && matches!(outcome, Outcome::OnlyMutant | Outcome::OnlySpec);
        if bad && judge.precondition(x) == Tri::Yes {
            return (Some(format!("{outcome:?} at {x:?}: {:?} {:?}", claims.answer, claims.equal)), Kind::Proved);
        }
    }
    (None, Kind::Proved)
}

/// What became of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Killed,
    Proved,
    Open,
}

/// An FPCore of arguments with properties, and a body.
fn text(head: &str, body: &str) -> String {
    let (args, rest) = head.split_once(')').unwrap();
    format!("(FPCore {args}) :name \"hostile\" {rest} {body})")
}
