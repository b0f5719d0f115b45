//! The solver for one pair: cheap probes first, then what symbolic means show at once, then the search.

use super::probes::{LANES, lanes};
use super::search::{Answer, Care, Check, Limits, Stats, StopReason, search};
use super::verify::Verifier;
use crate::csp::tolerance::Guess;
use crate::csp::{Csp, Encoding, InputBox, Pair};
use crate::tape::eval::Points;
use crate::tape::evaluate;
use std::sync::atomic::AtomicBool;

/// Find a verified kill of the pair's mutant on `domain`, or prove that there is none. `probes` are points to look at
/// before any search. Ends early where `stop` is set.
pub fn decide(
    pair: &Pair,
    domain: &InputBox,
    probes: &[Vec<f64>],
    encoding: Encoding,
    limits: Limits,
    stop: Option<&AtomicBool>,
    verifier: &mut Verifier<'_>,
) -> (Answer, Stats) {
    let mut total = Stats::default();
    if let Some(point) = probe(pair, probes, verifier) {
        let domain = point.iter().map(|x| crate::num::Interval::point(*x)).collect();
        return (Answer::Inner { point, domain, inner: false }, total);
    }
    total.boxes += 1;
    let simple = pair.simplified(domain);
    if simple.f == simple.g {
        return (Answer::Equal, total);
    }
    let mut problems = Csp::build(&simple, domain, encoding);
    let mut largest: f64 = 0.0;
    // Several problems take turns with growing budgets, so that one without an answer does not hold up the others.
    let mut budget = if problems.len() > 1 { FIRST_TURN.min(limits.boxes) } else { limits.boxes };
    loop {
        let mut open = Vec::new();
        let mut reason = StopReason::Budget;
        for csp in problems {
            let limits = Limits { boxes: budget, ..limits };
            let (answer, stats) = search(&csp, limits, stop, &mut |x, care| verifier.check(x, care));
            total.boxes += stats.boxes;
            total.pruned += stats.pruned;
            total.points += stats.points;
            total.rounds += stats.rounds;
            match answer {
                Answer::Infeasible { worst } => largest = largest.max(worst),
                Answer::Unknown(why) => {
                    reason = why;
                    open.push(csp);
                }
                found => return (found, total),
            }
        }
        if open.is_empty() {
            return (Answer::Infeasible { worst: largest }, total);
        }
        if budget >= limits.boxes || reason == StopReason::Interrupted {
            return (Answer::Unknown(reason), total);
        }
        budget = budget.saturating_mul(8).min(limits.boxes);
        problems = open;
    }
}

/// The boxes of the first turn where several problems are searched.
const FIRST_TURN: u64 = 32;

/// The first probe that binary64 arithmetic takes for a kill and that is one.
pub fn probe(pair: &Pair, probes: &[Vec<f64>], verifier: &mut Verifier<'_>) -> Option<Vec<f64>> {
    let tolerance = (pair.spec_tolerance(), pair.mutant_tolerance());
    let mut values = Vec::new();
    for chunk in probes.chunks(LANES) {
        evaluate(&pair.tape, &mut Points { inputs: &lanes(chunk, pair.tape.inputs()) }, &mut values);
        for (l, point) in chunk.iter().enumerate() {
            let (f, g) = (values[pair.f.index()][l], values[pair.g.index()][l]);
            if seems_killed(f, g, &tolerance.0, &tolerance.1)
                && verifier.check(point, Care::Thorough) == Check::Solution
            {
                return Some(point.clone());
            }
        }
    }
    None
}

/// Whether values in binary64 arithmetic differ by more than the tolerances, or one is none.
#[must_use]
pub fn seems_killed(f: f64, g: f64, tf: &Guess, tg: &Guess) -> bool {
    if f.is_nan() || g.is_nan() {
        return f.is_nan() != g.is_nan();
    }
    f.is_finite() && (f - g).abs() > (tf.at(f) + tg.at(g)) * 1.001
}
