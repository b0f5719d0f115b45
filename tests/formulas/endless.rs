//! Loops that never end: where it is claimed that a loop has no value, it is still going round long after the rounds that are
//! written out. The rounds here are those of exact rational numbers, by nothing of what made the claim.

use crate::support;
use magneto::num::random::Random;
use magneto::num::{Interval, Rational, Ternary};
use magneto::oracle::shared::{Common, Shared};
use magneto::oracle::{Comparison, Function, Ladder, LadderSeen};
use magneto::spec::core::{Compare, Expr, ExprKind, Loop, LoopHead};
use magneto::suite::{Interrupt, Options, Status, generate};
use magneto::tape::eval::Boxes;
use magneto::tape::lower::lower;
use magneto::tape::{Builder, NeededValues, TapeNode};
use std::collections::HashMap;

/// How many rounds a loop has to go on for.
const ROUNDS: usize = 1_200;
/// Numbers of more bits are not computed.
const BITS: u32 = 2_000;

type Scope = HashMap<String, Rational>;

/// The value of a number of the grammar below, as long as numbers are short.
fn number(e: &Expr, scope: &Scope) -> Option<Rational> {
    let value = match &e.kind {
        ExprKind::Number(n) => n.value.clone(),
        ExprKind::Var(name) => scope[name].clone(),
        ExprKind::If(parts) => number(if holds(&parts[0], scope)? { &parts[1] } else { &parts[2] }, scope)?,
        ExprKind::Op(op, args) => {
            let x = args.iter().map(|a| number(a, scope)).collect::<Option<Vec<_>>>()?;
            let of = |k: usize| x[k].clone();
            match (op.name(), x.len()) {
                ("+", 2) => of(0) + of(1),
                ("-", 2) => of(0) - of(1),
                ("*", 2) => of(0) * of(1),
                ("fabs", 1) => of(0).abs(),
                ("fmin", 2) => of(0).min(of(1)),
                ("fmax", 2) => of(0).max(of(1)),
                other => panic!("{other:?}"),
            }
        }
        _ => panic!("{e}"),
    };
    (value.numer().significant_bits().max(value.denom().significant_bits()) <= BITS).then_some(value)
}

fn holds(e: &Expr, scope: &Scope) -> Option<bool> {
    let ExprKind::Compare(relation, args) = &e.kind else { panic!("{e}") };
    let (x, y) = (number(&args[0], scope)?, number(&args[1], scope)?);
    Some(match relation {
        Compare::Lt => x < y,
        Compare::Gt => x > y,
        Compare::Le => x <= y,
        Compare::Ge => x >= y,
        _ => panic!("{e}"),
    })
}

/// The value of a loop, and none where it goes on for all [`ROUNDS`]; nothing where its numbers become too long before.
fn end(l: &Loop, x: f64) -> Option<Option<Rational>> {
    let LoopHead::While(condition) = &l.head else { panic!("a loop") };
    let mut scope = Scope::from([("x".to_owned(), Rational::try_from(x).unwrap())]);
    for v in &l.state {
        let init = number(&v.init, &scope)?;
        scope.insert(v.name.clone(), init);
    }
    for _ in 0..ROUNDS {
        if !holds(condition, &scope)? {
            return Some(Some(number(&l.body, &scope)?));
        }
        let mut next = scope.clone();
        for v in &l.state {
            let value = number(&v.update, if l.sequential { &next } else { &scope })?;
            next.insert(v.name.clone(), value);
        }
        scope = next;
    }
    Some(None)
}

/// A number over `x` and the variables of a loop.
fn expression(random: &mut Random, depth: usize) -> String {
    let mut pick = |all: &[&str]| all[(random.unit() * all.len() as f64) as usize].to_owned();
    if depth == 0 {
        return pick(&["s", "s", "t", "t", "x", "0", "1", "0.5", "-0.25", "2", "0.125", "3"]);
    }
    let op = pick(&["+", "-", "*", "*", "fabs", "fmin", "fmax", "if", "leaf"]);
    let mut one = || expression(random, depth - 1);
    match op.as_str() {
        "leaf" => expression(random, 0),
        "fabs" => format!("(fabs {})", one()),
        "if" => format!("(if (< {} {}) {} {})", one(), one(), one(), one()),
        _ => format!("({op} {} {})", one(), one()),
    }
}

/// Half of the loops change slowly, so that many end after the rounds that are written out.
fn random_loop(random: &mut Random) -> String {
    let mut pick = |all: &[&str]| all[(random.unit() * all.len() as f64) as usize].to_owned();
    let slow = [
        "(+ s 0.03125)",
        "(- s (* 0.03125 t))",
        "(* s 0.984375)",
        "(fmin (* s 1.015625) 7)",
        "(- s (* 0.0625 (- s t)))",
    ];
    let slow = [pick(&slow), pick(&["t", "t", "(fmax t 0)", "(* t 0.9921875)", "(+ t 0.015625)", "(fabs x)"])];
    let (star, relation, limit) =
        (pick(&["", "*"]), pick(&["<", "<=", ">", ">="]), pick(&["8", "5", "-6", "0.5", "0.0078125"]));
    let late = pick(&["-1", "-1.5", "-0.5"]);
    if random.unit() < 0.1 {
        // It ends for some inputs alone, long after the rounds that are written out.
        return format!("(while{star} (< s {late}) ([s -5 (- s (* 0.00390625 (- s x)))] [t 1 t]) (+ s t))");
    }
    if random.unit() < 0.5 {
        return format!("(while{star} ({relation} (+ s t) {limit}) ([s x {}] [t 1 {}]) (+ s t))", slow[0], slow[1]);
    }
    let [first, second, limit] = [1, 0, 0].map(|depth| expression(random, depth));
    let [s, t] = [2, 2].map(|depth| expression(random, depth));
    format!("(while{star} ({relation} (+ {first} {second}) {limit}) ([s x {s}] [t 1 {t}]) (+ s t))")
}

#[test]
fn a_loop_that_is_said_never_to_end_goes_on() {
    let mut random = Random(2026);
    let samples: Vec<Vec<f64>> = (0..16).map(|k| vec![f64::from(k) / 2.0 - 3.75]).collect();
    let names = ["x".to_owned()];
    let (mut claims, mut loops, mut checked, mut ended) = (0, 0, 0, 0);
    let all = if support::long() { 2_000 } else { 800 };
    for _ in 0..all {
        let text = format!("(FPCore (x) :pre (<= -4 x 4) {})", random_loop(&mut random));
        let file = magneto::spec::parse_file(text.as_bytes());
        let Some(Ok(core)) = file.cores.first() else { panic!("{text}") };
        let ExprKind::Loop(l) = &core.body.kind else { panic!("{text}") };
        // Those that depend on no input are decided otherwise.
        let Ok(unrolled) = magneto::spec::unroll::unroll(&names, &core.body, 1_000) else { continue };
        if unrolled.open.is_none() {
            continue;
        }
        loops += 1;
        let mut b = Builder::new(1).with_samples(samples.clone());
        let root = lower(&mut b, &names, &core.body);
        let tape = b.finish();
        let points = samples.iter().map(|s| s[0]).chain((0..8).map(|_| (random.unit() * 2048.0).round() / 256.0 - 4.0));
        for x in points {
            let mut values = NeededValues::default();
            values.evaluate(&tape, &mut Boxes { inputs: &[Interval::point(x)] }, [root]);
            let is_claimed = values.value(root).def.is_false();
            claims += usize::from(is_claimed);
            let end = end(l, x);
            let (goes_on, ends) = (end == Some(None), matches!(end, Some(Some(_))));
            assert!(!(is_claimed && ends), "{text} ends at {x}");
            checked += usize::from(is_claimed && goes_on);
            ended += usize::from(ends);
        }
    }
    // Loops that end and loops that do not, and most of the claims seen to the end.
    let is_some = |found: usize, of_thousand: usize| found * 1000 > all * of_thousand;
    let found = is_some(loops, 350) && is_some(claims, 2_000) && is_some(checked, 1_750) && is_some(ended, 5_000);
    assert!(found, "{loops} {claims} {checked} {ended}");
}

/// Beyond the rounds that are written out a loop is followed at a single input, by intervals of multiple precision and by balls.
#[test]
fn a_loop_that_is_followed_ends_as_its_rounds_say() {
    let mut random = Random(2027);
    let accuracy = support::spec("(FPCore (x) :magneto-rel-error 1e-6 x)").accuracy;
    let tolerance = Rational::from((1, 1_000_000));
    let names = ["x".to_owned()];
    let (mut late, mut never, mut different) = (0, 0, 0);
    let all = if support::long() { 2_000 } else { 300 };
    for _ in 0..all {
        let text = format!("(FPCore (x) :pre (<= -4 x 4) {})", random_loop(&mut random));
        let file = magneto::spec::parse_file(text.as_bytes());
        let Some(Ok(core)) = file.cores.first() else { panic!("{text}") };
        let ExprKind::Loop(l) = &core.body.kind else { panic!("{text}") };
        let Ok(unrolled) = magneto::spec::unroll::unroll(&names, &core.body, 1_000) else { continue };
        if unrolled.open.is_none() {
            continue;
        }
        let mut b = Builder::new(1);
        let (own, root) = (b.var(0), lower(&mut b, &names, &core.body));
        let tape = b.finish();
        let common = Common::new(&tape, own);
        for _ in 0..6 {
            let x = (random.unit() * 2048.0).round() / 256.0 - 4.0;
            let Some(end) = end(l, x) else { continue };
            let mut ladder = Ladder::new(&tape, &[x], 240);
            let seen = ladder.see(Function { tape: &tape, root, accuracy: &accuracy }, 2);
            let is_late = matches!(tape.node(root), TapeNode::If(..)) && {
                let mut values = NeededValues::default();
                values.evaluate(&tape, &mut Boxes { inputs: &[Interval::point(x)] }, [root]);
                values.value(root).def == Ternary::Unknown
            };
            match (&seen, &end) {
                (LadderSeen::Value(set), Some(end)) => {
                    assert!(set.value.lo <= *end && *end <= set.value.hi, "{text} at {x}");
                    late += usize::from(is_late);
                }
                (LadderSeen::Undefined, None) => never += usize::from(is_late),
                (LadderSeen::Unsettled | LadderSeen::Vast { .. }, _) => {}
                _ => panic!("{text} at {x}: {seen:?} {end:?}"),
            }
            let compared = Shared::new(&tape, &common, &accuracy, &[x], 240).compare(root, &accuracy, 240);
            let x = Rational::try_from(x).unwrap();
            let is_apart = |end: &Rational| {
                let sum = x.clone().abs() + end.clone().abs();
                Rational::from(&x - end).abs() > sum * &tolerance
            };
            match (&compared, &end) {
                (Comparison::Disjoint { .. }, Some(end)) => {
                    assert!(is_apart(end), "{text} at {x}");
                    different += usize::from(is_late);
                }
                (Comparison::Inside | Comparison::NotKilled, Some(end)) => assert!(!is_apart(end), "{text} at {x}"),
                (Comparison::MutantUndefined, None) | (Comparison::Unsettled, _) => {}
                _ => panic!("{text} at {x}: {compared:?} {end:?}"),
            }
        }
    }
    assert!(late > all / 10 && never > all / 10 && different > all / 10, "{late} {never} {different}");
}

/// What a mutant does to a loop that ends where a result is near enough: it goes on for ever, and a test shows it.
#[test]
fn mutants_whose_loops_never_end_are_killed() {
    let spec = support::spec(
        "(FPCore (y) :pre (< 1 y 50) :magneto-rel-error 1e-10
          (while* (> e 0.01) ([x y (* x 0.5)] [i 0 (+ i 1)] [e 1 x]) x))",
    );
    let options = Options { operators: "binary,add,constant".parse().unwrap(), ..Options::default() };
    let run = generate(&spec, &options, &Interrupt::default()).unwrap();
    let status = |after: &str| {
        let found: Vec<&Status> = run.mutants.iter().filter(|m| m.mutant.after == after).map(|m| &m.status).collect();
        assert!(!found.is_empty(), "no mutant {after}");
        found
    };
    for after in ["(/ x 0.5)", "(fmin x 0.5)", "(fmax x 0.5)", "(+ x 0.5)", "(/ e e)", "(- 0.01)"] {
        assert!(status(after).iter().all(|s| **s == Status::Killed), "{after}: {:?}", status(after));
    }
    // Nothing depends on the counter.
    for after in ["(* i 1)", "(/ i 1)", "(sqrt (+ i 1))", "(acos (+ i 1))"] {
        assert!(status(after).iter().all(|s| matches!(s, Status::Equivalent(_))), "{after}: {:?}", status(after));
    }
}

/// Where a loop comes to depends on the input, and only its derivative shows that it stays there: Newton's method for a root
/// that it does not look for.
#[test]
fn mutants_of_newtons_method_that_never_end_are_killed() {
    let spec = support::spec(
        "(FPCore (a) :pre (<= 1 a 100) :magneto-rel-error 1e-10
          (while (> (fabs (- (* x x) a)) 1e-6) ([x a (/ (+ x (/ a x)) 2)]) x))",
    );
    let options = Options { operators: "constant".parse().unwrap(), ..Options::default() };
    let run = generate(&spec, &options, &Interrupt::default()).unwrap();
    let of = |after: &str| &run.mutants.iter().find(|m| m.mutant.after == after).expect("a mutant").status;
    for after in ["1", "3", "-2", "-1e-6"] {
        assert_eq!(*of(after), Status::Killed, "{after}");
    }
}
