//! Inputs at which a loop ends that goes on at most others: reached as a branch of code is, by the alternating-variable method.

use crate::floats::{BitsKind, rank};
use crate::halt;
use crate::num::random::Random;
use crate::points::evenly;
use crate::search::goal::{Best, Distance, FAR, wander};
use crate::search::values::{Pool, special};
use crate::spec::InputBox;
use crate::suite::state::engine::Engine;
use crate::tape::eval::{Points, evaluate};
use crate::tape::{NodeId, Tape, TapeNode};
use std::collections::HashSet;

/// Where binary64 arithmetic sees f at one of so many inputs or more, no others are looked for.
const RARE: usize = 4;
/// After how many rounds a loop is to end at least: one input for each from each of the starts.
const ROUNDS: [usize; 8] = [0, 1, 2, 3, 5, 10, 20, 50];
/// From how many inputs it is set out.
const STARTS: usize = 6;
/// At most so many inputs beside those are added, of which one number is another; the nearest by this share.
const BESIDE: usize = 512;
const NEAR: f64 = 1.0 / 1024.0;
/// The most nodes that are evaluated on one way, and inputs.
const NODES: usize = 20_000_000;
const INPUTS: usize = 4_000;

/// A condition that takes a loop to its end, or to a round that comes before what is not known.
#[derive(Clone, Copy)]
struct Exit {
    condition: NodeId,
    /// Whether it has to hold for the loop to end.
    holds: bool,
}

/// The exits of f from loops of which not all rounds are written out, in the order in which they are come to.
fn exits(tape: &Tape, f: NodeId) -> Vec<Exit> {
    let goes_on = tape.unknowns();
    let exit = |id: NodeId| match tape.node(id) {
        TapeNode::If(condition, then, otherwise) if goes_on[then.index()] != goes_on[otherwise.index()] => {
            Some(Exit { condition, holds: goes_on[otherwise.index()] })
        }
        _ => None,
    };
    tape.below(&[f]).into_iter().rev().filter_map(exit).collect()
}

/// How many floats a condition is from being true, or from being false. Far where there is no value.
fn floats_from(tape: &Tape, values: &[[f64; 1]], condition: NodeId, wanted: bool) -> u64 {
    let both = |a, b, is_sum: bool| {
        let [a, b] = [a, b].map(|c| floats_from(tape, values, c, wanted));
        if is_sum { a.saturating_add(b) } else { a.min(b) }
    };
    let apart = |a: NodeId, b: NodeId| {
        let [a, b] = [a, b].map(|x| values[x.index()][0]);
        (!a.is_nan() && !b.is_nan()).then(|| i128::from(rank(a)) - i128::from(rank(b)))
    };
    // How far a number is from at most 0.
    let at_most = |n: i128| u64::try_from(n.max(0)).unwrap_or(FAR - 1);
    match tape.node(condition) {
        TapeNode::Bool(b) if b == wanted => 0,
        TapeNode::Less(a, b) => apart(a, b).map_or(FAR, |n| at_most(if wanted { n + 1 } else { -n })),
        TapeNode::LessEq(a, b) => apart(a, b).map_or(FAR, |n| at_most(if wanted { n } else { 1 - n })),
        TapeNode::Equal(a, b) => apart(a, b).map_or(FAR, |n| at_most(if wanted { n.abs() } else { 1 - n.abs() })),
        TapeNode::And(a, b) => both(a, b, wanted),
        TapeNode::Or(a, b) => both(a, b, !wanted),
        TapeNode::Not(a) => floats_from(tape, values, a, !wanted),
        _ => FAR,
    }
}

/// What is asked of an input.
struct Ending<'a> {
    tape: &'a Tape,
    exits: &'a [Exit],
    conditions: &'a [NodeId],
}

impl Ending<'_> {
    fn values(&self, input: &[f64]) -> Vec<[f64; 1]> {
        let inputs: Vec<[f64; 1]> = input.iter().map(|x| [*x]).collect();
        let mut values = Vec::new();
        evaluate(self.tape, &mut Points { inputs: &inputs }, &mut values);
        values
    }

    /// An input at which the loop ends after so many rounds or more, looked for from a start.
    fn reach(&self, rounds: usize, start: &[f64], seed: u64, domain: &InputBox) -> Option<Vec<f64>> {
        let kinds = vec![BitsKind::F64; start.len()];
        let pool = Pool { values: kinds.iter().map(|k| special(*k)).collect(), texts: Vec::new() };
        let input_of = |bits: &[u64]| {
            let numbers: Vec<f64> = bits.iter().map(|b| f64::from_bits(*b)).collect();
            numbers.iter().all(|x| !x.is_nan()).then(|| domain.clamp(&numbers))
        };
        let mut left = INPUTS.min(NODES / self.tape.len().max(1));
        let mut distance = |bits: &[u64]| {
            left = left.checked_sub(1).filter(|_| !halt::requested())?;
            Some(input_of(bits).map_or(Distance::FAR, |input| self.distance(&self.values(&input), rounds)))
        };
        let input: Vec<u64> = start.iter().map(|x| x.to_bits()).collect();
        let mut best = Best { distance: distance(&input)?, input };
        wander(&mut best, &kinds, &pool, &mut Random::seeded(seed), &mut distance);
        input_of(&best.input).filter(|_| best.distance == Distance::NONE)
    }

    /// How far the loop is from an end after at least so many rounds.
    fn distance(&self, values: &[[f64; 1]], rounds: usize) -> Distance {
        let floats = |condition, wanted| floats_from(self.tape, values, condition, wanted);
        let outside = self.conditions.iter().fold(0u64, |all, c| all.saturating_add(floats(*c, true)));
        if outside > 0 {
            return Distance { level: u32::MAX - 1, ulps: outside };
        }
        let too_early = |(k, exit): (usize, &Exit)| {
            let ulps = floats(exit.condition, !exit.holds);
            (ulps > 0).then(|| Distance { level: (rounds - k) as u32, ulps })
        };
        let early = self.exits[..rounds].iter().enumerate().find_map(too_early);
        early.unwrap_or_else(|| {
            let ends = self.exits[rounds..].iter().map(|exit| floats(exit.condition, exit.holds));
            Distance::at_test(ends.min().unwrap_or(FAR))
        })
    }
}

/// Inputs at which f is known though a loop goes on beyond what is written out of it at nearly all `probes`, with inputs beside
/// them. There are none where it ends at many of them.
pub(in crate::suite) fn ends(engine: &Engine<'_>, probes: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let own = engine.own();
    let exits = exits(&own.tape, own.f);
    let ending = Ending { tape: &own.tape, exits: &exits, conditions: &own.conditions };
    let is_known = |input: &Vec<f64>| ending.values(input)[own.f.index()][0].is_finite();
    let has_inputs = !engine.domain().ranges.is_empty();
    if !has_inputs || exits.is_empty() || probes.iter().filter(|p| is_known(p)).count() * RARE >= probes.len() {
        return Vec::new();
    }
    let starts: Vec<&Vec<f64>> = evenly(&probes.iter().collect::<Vec<_>>(), STARTS);
    let rounds = ROUNDS.iter().filter(|k| **k < exits.len());
    let ways: Vec<(usize, usize)> = rounds.flat_map(|k| (0..starts.len()).map(|s| (*k, s))).collect();
    let reach =
        |(rounds, start): &(usize, usize)| ending.reach(*rounds, starts[*start], *start as u64, engine.domain());
    let ends: Vec<Vec<f64>> = engine.threads().side_by_side(1, &ways, reach).into_iter().flatten().collect();
    let beside = ends.iter().flat_map(|end| beside(end, engine.domain())).filter(is_known).collect::<Vec<_>>();
    let beside = evenly(&beside.iter().collect::<Vec<_>>(), BESIDE);
    let mut seen = HashSet::new();
    let is_new = |x: &&Vec<f64>| seen.insert(x.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
    ends.iter().chain(beside).filter(is_new).cloned().collect()
}

/// Inputs of a part of the domain at which a loop ends that may go on at others, each reached from one of some starts.
pub(in crate::suite) fn ends_in(engine: &Engine<'_>, part: &InputBox, starts: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let own = engine.own();
    let exits = exits(&own.tape, own.f);
    if exits.is_empty() {
        return Vec::new();
    }
    let ending = Ending { tape: &own.tape, exits: &exits, conditions: &own.conditions };
    let starts: Vec<(u64, &Vec<f64>)> = (0..).zip(evenly(&starts.iter().collect::<Vec<_>>(), STARTS)).collect();
    let reach = |(seed, start): &(u64, &Vec<f64>)| ending.reach(0, start, *seed, part);
    engine.threads().side_by_side(1, &starts, reach).into_iter().flatten().collect()
}

/// The inputs that have another number in one place.
fn beside<'d>(end: &'d [f64], domain: &'d InputBox) -> impl Iterator<Item = Vec<f64>> + 'd {
    let others = |x: f64| [0.0, -x, 2.0 * x, x / 2.0, x * (1.0 + NEAR), 1.0];
    (0..end.len()).flat_map(move |i| {
        others(end[i]).into_iter().map(move |x| {
            let mut input = end.to_vec();
            input[i] = x;
            domain.clamp(&input)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::Builder;

    /// What a condition says of two numbers.
    type Holds = fn(f64, f64) -> bool;

    #[test]
    fn a_condition_is_no_float_away_where_it_holds_and_some_where_it_does_not() {
        let numbers = [-1.0, -f64::MIN_POSITIVE, -5e-324, 0.0, 5e-324, 1.0, 1.0 + f64::EPSILON];
        let mut b = Builder::new(2);
        let (x, y) = (b.var(0), b.var(1));
        let (less, less_eq, equal) = (b.less(x, y), b.less_eq(x, y), b.equal(x, y));
        let not = b.not(less);
        let (and, or) = (b.and(less_eq, not), b.or(less, equal));
        let tape = b.finish();
        let of: [(NodeId, Holds); 6] = [
            (less, |x, y| x < y),
            (less_eq, |x, y| x <= y),
            (equal, |x, y| x == y),
            (not, |x, y| x >= y),
            (and, |x, y| x == y),
            (or, |x, y| x <= y),
        ];
        for (x, y) in numbers.iter().flat_map(|x| numbers.iter().map(move |y| (*x, *y))) {
            let mut values = Vec::new();
            evaluate(&tape, &mut Points { inputs: &[[x], [y]] }, &mut values);
            for (condition, holds) in of {
                for wanted in [true, false] {
                    let floats = floats_from(&tape, &values, condition, wanted);
                    assert_eq!(floats == 0, holds(x, y) == wanted, "{x} {y} {wanted} {floats}");
                    let apart = rank(x).abs_diff(rank(y));
                    assert!(floats <= apart + 1, "{x} {y} {wanted} {floats}");
                }
            }
        }
    }
}
