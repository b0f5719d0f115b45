//! Every proof of whole runs, attacked at points of the domain with 500 bits.
//!
//! The formulas of all proved mutants are lowered as they are written, nothing folded or cancelled, and evaluated side by
//! side. An equivalent mutant must have the same value or none; an indistinguishable one must have no value where f has
//! none, and one within both tolerances where it has.
//!
//! `MAGNETO_LONG=1` takes all of `fpbench/` with the full operators, `MAGNETO_POINTS` says at how many points (10,000 for
//! a long run), `MAGNETO_FILTER` takes the formulas with a text in their name.

#[allow(dead_code)]
mod support;

use magneto::csp::InputBox;
use magneto::mutate::{Change, OperatorSet};
use magneto::num::mpfr::{Float, Round};
use magneto::num::{MpInterval, Ternary};
use magneto::solver::probes::{many, probes};
use magneto::spec::Spec;
use magneto::suite::{Interrupt, Options, Status, generate};
use magneto::tape::eval::{Multi, mp_truth};
use magneto::tape::lower::lower;
use magneto::tape::{Builder, NodeId, evaluate};

const BITS: u32 = 500;

/// A claim about a mutant.
enum Claim {
    /// The same function.
    Equal(NodeId),
    /// Valid sets that meet everywhere.
    Close(NodeId),
    /// A relative bound that is larger, and reaches no further than this beyond the own one. Unit: of the result.
    Larger { bound: f64, reach: f64 },
}

#[derive(Default)]
struct Count {
    proofs: usize,
    settled: usize,
    open: usize,
}

/// The ends of a distance between two intervals, outward.
fn distance(a: &MpInterval, b: &MpInterval) -> (Float, Float) {
    let down = |x: &Float, y: &Float| Float::with_val_round(BITS, x - y, Round::Down).0;
    let up = |x: &Float, y: &Float| Float::with_val_round(BITS, x - y, Round::Up).0;
    let zero = Float::new(BITS);
    (down(&a.lo, &b.hi).max(&down(&b.lo, &a.hi)).max(&zero), up(&a.hi, &b.lo).max(&up(&b.hi, &a.lo)))
}

/// The largest magnitude.
fn largest(x: &MpInterval) -> Float {
    x.hi.clone().abs().max(&x.lo.clone().abs())
}

/// Attack all proofs of a formula at `points` points beside the probes.
fn attack(spec: &Spec, operators: OperatorSet, points: usize) -> Count {
    let options = Options { operators, ..Options::default() };
    let Ok(run) = generate(spec, &options, &Interrupt::default()) else { return Count::default() };
    // The bounds are compared with a relative accuracy: the only one in these files.
    let Some(bound) = spec.accuracy.rel.clone() else { return Count::default() };
    let bound = bound.to_f64();
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let mut b = Builder::literal(names.len());
    let f = lower(&mut b, &names, &spec.core.body);
    let conditions: Vec<NodeId> = spec.constraints.iter().map(|c| lower(&mut b, &names, c)).collect();
    let mut claims = Vec::new();
    for (i, judged) in run.mutants.iter().enumerate() {
        let equal = match judged.status {
            Status::Equivalent(_) => true,
            Status::Indistinguishable(_) => false,
            _ => continue,
        };
        claims.push((
            i,
            match &judged.mutant.change {
                Change::Body(body) if equal => Claim::Equal(lower(&mut b, &names, body)),
                Change::Body(body) => Claim::Close(lower(&mut b, &names, body)),
                Change::Accuracy(a) => match &a.rel {
                    Some(r) => Claim::Larger { bound: r.to_f64(), reach: 1000.0 * bound },
                    None => continue,
                },
                // The same inputs of the format: nothing to evaluate.
                Change::Range { .. } => continue,
            },
        ));
    }
    let tape = b.finish();
    let domain = InputBox::new(spec).expect("a domain");
    let mut at = probes(&domain);
    at.extend(many(&domain, points));
    let mut count = Count { proofs: claims.len(), ..Count::default() };
    let mut values = Vec::new();
    for x in &at {
        let inputs: Vec<MpInterval> = x.iter().map(|x| MpInterval::from_f64(*x, BITS)).collect();
        evaluate(&tape, &mut Multi { inputs: &inputs, precision: BITS }, &mut values);
        let holds = |c: &NodeId| values[c.index()].def.is_true() && mp_truth(&values[c.index()]).is_true();
        if !conditions.iter().all(holds) {
            continue;
        }
        let own = &values[f.index()];
        for (i, claim) in &claims {
            let wrong = |why: &str| {
                let m = &run.mutants[*i];
                panic!("{}: {} -> {} at {x:?}: {why}; {:?}", spec.name, m.mutant.before, m.mutant.after, m.status)
            };
            let settled = match claim {
                Claim::Larger { bound: larger, reach } => {
                    let least = if own.lo.is_sign_negative() && !own.hi.is_sign_negative() {
                        0.0
                    } else {
                        own.lo.to_f64().abs().min(own.hi.to_f64().abs())
                    };
                    if own.def.is_true() && (larger - bound) * least > reach * (1.0 + 1e-12) {
                        wrong("the larger bound reaches further");
                    }
                    own.def.is_true()
                }
                Claim::Equal(g) | Claim::Close(g) => {
                    let other = &values[g.index()];
                    match (own.def, other.def) {
                        (Ternary::True, Ternary::False) | (Ternary::False, Ternary::True) => {
                            wrong("only one has a value");
                            true
                        }
                        (Ternary::True, Ternary::True) => {
                            let (least, most) = distance(own, other);
                            let sum = Float::with_val(BITS, largest(own) + largest(other));
                            let tolerance = match claim {
                                Claim::Equal(_) => Float::new(BITS),
                                _ => Float::with_val_round(BITS, sum * bound * (1.0 + 1e-12), Round::Up).0,
                            };
                            if least > tolerance {
                                wrong("the values are further apart than that");
                            }
                            most <= tolerance || matches!(claim, Claim::Equal(_))
                        }
                        (Ternary::False, Ternary::False) => true,
                        _ => false,
                    }
                }
            };
            if settled {
                count.settled += 1;
            } else {
                count.open += 1;
            }
        }
    }
    println!(
        "{:32} {:5} proofs, {:9} times confirmed, {:7} times open",
        spec.name, count.proofs, count.settled, count.open
    );
    count
}

#[test]
fn proofs_hold_at_points() {
    let points = std::env::var("MAGNETO_POINTS").ok().and_then(|p| p.parse().ok());
    let filter = std::env::var("MAGNETO_FILTER").unwrap_or_default();
    let (specs, points): (Vec<Spec>, usize) = if support::long() {
        let all = support::files(&support::here("fpbench"));
        (all.iter().flat_map(|f| support::specs_of(f)).collect(), points.unwrap_or(10_000))
    } else {
        let some = ["rigidBody1", "doppler1", "sine", "sqroot", "test05_nonlin1, r4", "hypot", "sec4-example"];
        let all = support::files(&support::here("fpbench"));
        let all = all.iter().flat_map(|f| support::specs_of(f)).filter(|s| some.contains(&s.name.as_str()));
        (all.collect(), points.unwrap_or(200))
    };
    let mut all = Count::default();
    for spec in specs.iter().filter(|s| s.name.contains(&filter)) {
        let one = attack(spec, OperatorSet::Full, points);
        all.proofs += one.proofs;
        all.settled += one.settled;
        all.open += one.open;
    }
    println!("{} proofs at {points} points and the probes: {} confirmed, {} open", all.proofs, all.settled, all.open);
    assert!(filter.is_empty() || all.proofs > 0, "no formula of that name");
    assert!(!filter.is_empty() || all.proofs > 100, "{} proofs only", all.proofs);
    assert!(all.settled >= points.min(200) * all.proofs / 2, "most points say nothing: {} do", all.settled);
}
