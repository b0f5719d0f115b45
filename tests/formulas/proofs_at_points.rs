//! Every proof of whole runs, attacked at points of the domain with 500 bits.
//!
//! The formulas of all proved mutants are lowered as they are written, nothing folded or cancelled, and evaluated side by
//! side. An equivalent mutant must have the same value or none; an indistinguishable one must have no value where f has
//! none, and one within both tolerances where it has. A larger accuracy must reach no further than it may. At no input by
//! which a range differs may a result be near enough to what f has there.
//!
//! Points are the program's own and those at which it came nearest to kills where it was asked for no proofs: it may kill
//! none of what it proves otherwise. From the best of both a direct search climbs.
//!
//! `MAGNETO_LONG=1` takes all of `fpbench/` with the full operators (`MAGNETO_PAPER=1` as well: `fpbench/paper/` instead,
//! where all ranges are bounded), `MAGNETO_POINTS` says at how many points (10,000 for a long run), `MAGNETO_FILTER` takes
//! the formulas with a text in their name.

use crate::support;
use crate::support::confirm::range_told_apart;
use crate::support::rng::Rng;
use magneto::mutate::{Change, Mutant, OperatorSet};
use magneto::num::mpfr::{Float, Round};
use magneto::num::{MpInterval, Ternary};
use magneto::points::probes::{many, probes};
use magneto::solve::Limits;
use magneto::spec::{InputBox, Spec};
use magneto::suite::{Interrupt, Options, Status, generate, generate_for};
use magneto::tape::eval::{Multi, Points, mp_truth};
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
    ranges: usize,
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

/// From how many points to climb for one claim.
const CLIMBS: usize = 3;
/// The points among which the best are looked for.
const CLIMB_FROM: usize = 4000;
/// How often the step of a climb is halved.
const HALVINGS: i32 = 50;

/// Points near these at which `size` is larger: one input after the other moves by steps that shrink.
fn climbed(domain: &InputBox, points: Vec<Vec<f64>>, size: impl Fn(&[f64]) -> f64) -> Vec<Vec<f64>> {
    let climb = |mut best: Vec<f64>| {
        let mut largest = size(&best);
        for halving in 1..HALVINGS {
            for (input, sign) in (0..best.len()).flat_map(|i| [(i, 1.0), (i, -1.0)]) {
                let mut point = best.clone();
                point[input] += sign * point[input].abs().max(1e-9) * 0.5f64.powi(halving);
                let point = domain.clamp(&point);
                let here = size(&point);
                if here.is_finite() && here > largest {
                    (best, largest) = (point, here);
                }
            }
        }
        best
    };
    points.into_iter().map(climb).collect()
}

/// Where the program comes nearest to kills of these mutants, which it proved, without proofs; panics if it kills one.
fn near_misses(spec: &Spec, proved: Vec<Mutant>) -> Vec<Vec<f64>> {
    let limits = Limits { boxes: 300, ..Limits::default() };
    let options = Options { proofs: false, limits, ..Options::default() };
    let Ok(run) = generate_for(spec, proved, &options, &Interrupt::default()) else { return Vec::new() };
    let killed = run.mutants.iter().find(|m| matches!(m.status, Status::Killed | Status::Probable));
    assert!(killed.is_none(), "{}: proved, and without proofs killed: {killed:?}", spec.name);
    run.mutants.into_iter().filter_map(|m| m.near_miss).map(|m| m.input).collect()
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
    let (mut claims, mut ranges) = (Vec::new(), 0);
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
                Change::Evaluation(_) => continue,
                Change::Range { .. } => {
                    ranges += 1;
                    if let Some(why) = range_told_apart(spec, judged, 12, &mut Rng(1)) {
                        let m = &judged.mutant;
                        panic!("{}: {} -> {}: {why}; {:?}", spec.name, m.before, m.after, judged.status);
                    }
                    continue;
                }
            },
        ));
    }
    let tape = b.finish();
    let domain = InputBox::new(spec).expect("a domain");
    let mut at = probes(&domain);
    at.extend(many(&domain, points));
    let proved = claims.iter().map(|(i, _)| run.mutants[*i].mutant.clone()).collect();
    at.extend(near_misses(spec, proved));
    let approximate = |x: &[f64]| {
        let mut values = Vec::new();
        let inputs: Vec<[f64; 1]> = x.iter().map(|v| [*v]).collect();
        evaluate(&tape, &mut Points { inputs: &inputs }, &mut values);
        values
    };
    // A part of the points will do to climb from, which for all claims together takes long.
    let from = &at[..at.len().min(CLIMB_FROM)];
    let values: Vec<_> = from.iter().map(|x| approximate(x)).collect();
    let mut high = Vec::new();
    for (_, claim) in &claims {
        let size = |v: &[[f64; 1]]| match claim {
            Claim::Larger { .. } => v[f.index()][0].abs(),
            Claim::Close(g) => {
                let (f, g) = (v[f.index()][0], v[g.index()][0]);
                (f - g).abs() / (f.abs() + g.abs())
            }
            Claim::Equal(_) => f64::NAN,
        };
        let mut sized: Vec<(f64, &Vec<f64>)> = values.iter().map(|v| size(v)).zip(from).collect();
        sized.retain(|s| s.0.is_finite());
        sized.sort_by(|a, b| b.0.total_cmp(&a.0));
        let best: Vec<Vec<f64>> = sized.into_iter().take(CLIMBS).map(|s| s.1.clone()).collect();
        high.extend(climbed(&domain, best, |x| size(&approximate(x))));
    }
    at.extend(high);
    let mut count = Count { proofs: claims.len() + ranges, ranges, ..Count::default() };
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
        "{:32} {:5} proofs ({} of ranges), {:9} times confirmed, {:7} times open",
        spec.name, count.proofs, count.ranges, count.settled, count.open
    );
    count
}

#[test]
fn proofs_hold_at_points() {
    let points = std::env::var("MAGNETO_POINTS").ok().and_then(|p| p.parse().ok());
    let filter = std::env::var("MAGNETO_FILTER").unwrap_or_default();
    let (specs, points): (Vec<Spec>, usize) = if support::long() && std::env::var_os("MAGNETO_PAPER").is_some() {
        (support::paper69(), points.unwrap_or(10_000))
    } else if support::long() {
        let all = support::files(&support::here("fpbench"));
        (all.iter().flat_map(|f| support::specs_of(f)).collect(), points.unwrap_or(10_000))
    } else {
        let some = ["rigidBody1", "doppler1", "sine", "sqroot", "test05_nonlin1, r4", "hypot", "sec4-example"];
        let all = support::files(&support::here("fpbench"));
        let all = all.iter().flat_map(|f| support::specs_of(f)).filter(|s| some.contains(&s.name.as_str()));
        (all.collect(), points.unwrap_or(200))
    };
    let (mut all, mut broken) = (Count::default(), Vec::new());
    for spec in specs.iter().filter(|s| s.name.contains(&filter)) {
        // The others are attacked all the same.
        let Ok(one) = std::panic::catch_unwind(|| attack(spec, OperatorSet::Full, points)) else {
            broken.push(&spec.name);
            continue;
        };
        all.proofs += one.proofs;
        all.ranges += one.ranges;
        all.settled += one.settled;
        all.open += one.open;
    }
    println!(
        "{} proofs ({} of ranges) at {points} points and the probes: {} confirmed, {} open",
        all.proofs, all.ranges, all.settled, all.open
    );
    assert!(broken.is_empty(), "wrong proofs, see above: {broken:?}");
    assert!(filter.is_empty() || all.proofs > 0, "no formula of that name");
    assert!(!filter.is_empty() || all.proofs > 100, "{} proofs only", all.proofs);
    assert!(
        all.settled >= points.min(200) * (all.proofs - all.ranges) / 2,
        "most points say nothing: {} do",
        all.settled
    );
}
