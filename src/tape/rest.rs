//! The rounds of a loop that are not written out: what one of them does, as a graph of its own, tells which loops are the same,
//! and shows states from which a loop never ends.
//!
//! Such states are a box that is found as abstract interpretation finds invariants (Cousot and Cousot, 1977): intervals that a
//! round is joined with until it stays inside of them, widened where that would take long, and made narrower again. If the
//! condition holds on all of the box and a round leads back into it, a loop whose variables are in it goes on for ever, or comes to
//! a number that has no value: in neither case has the loop one. The same holds if it is some rounds together that lead back, with the
//! condition holding before each of them. Where one box around all samples is not found, it is looked for around halves of them, by the
//! input that differs most.

use super::builder::Builder;
use super::eval::{Enclosure, Points, step};
use super::node::{LoopRest, NodeId, Tape, TapeNode};
use super::round::{LoopRound, extract_round};
use super::rounds::{BoxPath, BoxRound};
use crate::num::{Interval, Rational, Ternary};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// At so many inputs it is looked for states that a loop never leaves.
pub const SAMPLES: usize = 16;
/// How often a box is joined with a round: the first times with what it is, then with the next threshold, then without an end.
const JOINED: [usize; 3] = [3, 10, 14];
/// How much wider a box is at first than what the samples are, in parts of their size: a loop comes near to a limit, and never there.
const WIDER: f64 = 1.0 / 1024.0;
/// How often a box is made narrower.
const NARROWED: usize = 6;

impl Builder {
    /// The value of a loop after rounds that are not written out; the round is on the tape of rounds.
    pub(super) fn rest(&mut self, mut round: LoopRound, args: &[NodeId], is_counted: bool) -> NodeId {
        let rounds = self.rounds.take().unwrap_or_default();
        let used = round.reduce(rounds.tape());
        let deciding = round.names_for(rounds.tape(), vec![round.goes_on]);
        let bounds = self.never_left(&round, rounds.tape(), &deciding, args);
        let rest = LoopRest::new(&round, rounds.tape(), &used, &deciding, is_counted);
        self.rounds = Some(rounds);
        let has_none = match bounds {
            Some(bounds) => self.all_within(&bounds, &deciding, args),
            None => self.boolean(false),
        };
        let args = used.iter().map(|k| args[*k]).collect();
        self.unknown_rest(round, rest, args, has_none)
    }

    /// Whether the numbers lie within bounds.
    fn all_within(&mut self, bounds: &[Interval], used: &[usize], args: &[NodeId]) -> NodeId {
        let mut all = self.boolean(true);
        for k in used {
            for (end, is_lower) in [(bounds[*k].inf(), true), (bounds[*k].sup(), false)] {
                if let Ok(end) = Rational::try_from(end) {
                    let end = self.rational(end);
                    let holds = if is_lower { self.less_eq(end, args[*k]) } else { self.less_eq(args[*k], end) };
                    all = self.and(all, holds);
                }
            }
        }
        all
    }

    /// A box of the loop's names which no round leaves and on which the condition holds, if one is found from the samples. Names
    /// that are not `deciding` may have any value.
    fn never_left(
        &self,
        round: &LoopRound,
        rounds: &Tape,
        deciding: &[usize],
        args: &[NodeId],
    ) -> Option<Vec<Interval>> {
        if self.samples.is_empty() || deciding.iter().any(|k| self.is_truth(args[*k])) {
            return None;
        }
        let decides = |k: usize| deciding.contains(&k);
        let followed: Vec<Option<NodeId>> =
            round.next.iter().enumerate().map(|(k, next)| next.filter(|_| decides(k))).collect();
        let (tape, goes_on, next) = extract_round(rounds, round.goes_on, &followed);
        let search = Search { round: BoxRound { tape: &tape, goes_on, next } };
        let point = |k: usize, state: &[f64]| if decides(k) { Interval::point(state[k]) } else { Interval::ENTIRE };
        let boxes = self.states(args).into_iter().filter(|state| deciding.iter().all(|k| state[*k].is_finite()));
        let boxes = boxes.map(|state| (0..args.len()).map(|k| point(k, &state)).collect::<Vec<Interval>>());
        // Where the loop has ended the states after it tell nothing.
        let going_on = boxes.filter(|state| !search.step(state).0.as_truth().is_false());
        search.find_around(going_on.collect())
    }

    /// What the arguments are at the samples.
    fn states(&self, args: &[NodeId]) -> Vec<Vec<f64>> {
        let order = self.tape().below(args);
        let mut states = Vec::new();
        for samples in self.samples.chunks(SAMPLES) {
            let column = |i: usize| std::array::from_fn(|k| samples.get(k).map_or(f64::NAN, |s| s[i]));
            let inputs: Vec<[f64; SAMPLES]> = (0..self.tape().inputs()).map(column).collect();
            let mut values: FxHashMap<NodeId, [f64; SAMPLES]> = FxHashMap::default();
            for id in &order {
                let value = step(self.tape(), self.tape().node(*id), &mut Points { inputs: &inputs }, |o| &values[&o]);
                values.insert(*id, value);
            }
            states.extend((0..samples.len()).map(|k| args.iter().map(|a| values[a][k]).collect()));
        }
        states
    }
}

/// A somewhat wider interval.
fn wider(x: Interval) -> Interval {
    let margin = x.mag() * WIDER;
    if margin.is_finite() { Interval::new(x.inf() - margin, x.sup() + margin) } else { x }
}

/// A search for a box that no round leaves.
struct Search<'t> {
    round: BoxRound<'t>,
}

impl Search<'_> {
    /// The condition on a box, and what the box becomes.
    fn step(&self, state: &[Interval]) -> (Enclosure, Vec<Interval>) {
        let mut path = BoxPath::new(state);
        (self.round.follow(&mut path), path.now)
    }

    /// A box that no round leaves, on which the condition holds, around all of some states or else around a part of them: what
    /// a loop comes to may depend on the inputs.
    fn find_around(&self, states: Vec<Vec<Interval>>) -> Option<Vec<Interval>> {
        let mut parts = VecDeque::from([states]);
        while let Some(mut states) = parts.pop_front() {
            let hull: Vec<Interval> =
                states.iter().cloned().reduce(|a, b| a.iter().zip(&b).map(|(a, b)| *a | *b).collect())?;
            // Around a single state the inputs may be others as well.
            let near = |(x, next): (&Interval, &Option<NodeId>)| if next.is_none() { wider(*x) } else { *x };
            let around = (states.len() == 1).then(|| hull.iter().zip(&self.round.next).map(near).collect());
            if let Some(found) = around.and_then(|hull| self.find(hull)).or_else(|| self.find(hull.clone())) {
                return Some(found);
            }
            let is_given = |k: &usize| self.round.next[*k].is_none() && hull[*k].wid() > 0.0;
            let size = |k: &usize| hull[*k].wid() / hull[*k].mag();
            if let Some(k) = (0..hull.len()).filter(is_given).max_by(|a, b| size(a).total_cmp(&size(b))) {
                states.sort_by(|a, b| a[k].inf().total_cmp(&b[k].inf()));
                let upper = states.split_off(states.len() / 2);
                parts.extend([states, upper]);
            }
        }
        None
    }

    /// A box that no round leaves, on which the condition holds, around a box.
    fn find(&self, state: Vec<Interval>) -> Option<Vec<Interval>> {
        let is_variable = self.round.next.iter().map(Option::is_some);
        let whole = state.iter().zip(is_variable).map(|(x, is)| if is { Interval::ENTIRE } else { *x }).collect();
        let around = || self.round.returning_box(&state);
        self.narrow(whole).or_else(|| self.narrow(self.widen(state.clone())?)).or_else(around)
    }

    /// A larger box that no round leaves.
    fn widen(&self, mut state: Vec<Interval>) -> Option<Vec<Interval>> {
        for (x, _) in state.iter_mut().zip(&self.round.next).filter(|(_, next)| next.is_some()) {
            *x = wider(*x);
        }
        let constant = |node: &TapeNode| {
            if let TapeNode::Const(c) = node { Some(self.round.tape.constant(*c).approx) } else { None }
        };
        let mut thresholds: Vec<f64> =
            self.round.tape.nodes().iter().filter_map(constant).flat_map(|x| [x, -x]).chain([0.0, 1.0, -1.0]).collect();
        thresholds.sort_by(f64::total_cmp);
        for time in 0..=JOINED[2] {
            let (_, next) = self.step(&state);
            if next.iter().zip(&state).all(|(next, x)| next.subset(*x)) {
                return Some(state);
            }
            for (x, next) in state.iter_mut().zip(next) {
                if next.subset(*x) {
                    continue;
                }
                let (mut lo, mut hi) = (x.inf().min(next.inf()), x.sup().max(next.sup()));
                if time >= JOINED[0] {
                    let (is_lower, is_higher) = (lo < x.inf(), hi > x.sup());
                    let above = thresholds.iter().find(|t| **t >= hi && time < JOINED[1]);
                    let below = thresholds.iter().rev().find(|t| **t <= lo && time < JOINED[1]);
                    lo = if is_lower { below.map_or(f64::NEG_INFINITY, |t| *t) } else { lo };
                    hi = if is_higher { above.map_or(f64::INFINITY, |t| *t) } else { hi };
                }
                *x = Interval::new(lo, hi);
            }
        }
        None
    }

    /// A box that no round leaves, inside of another such, on which the condition holds.
    fn narrow(&self, mut state: Vec<Interval>) -> Option<Vec<Interval>> {
        for _ in 0..NARROWED {
            let (goes_on, next) = self.step(&state);
            if goes_on.as_truth() == Ternary::True {
                return Some(state);
            }
            // A round takes a smaller box into a smaller one.
            state = next.iter().zip(&state).map(|(next, x)| *next & *x).collect();
            if state.iter().any(|x| x.is_empty()) {
                return None;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wider_box_has_more_on_both_sides() {
        for (lo, hi) in [(1.0, 2.0), (-2.0, -1.0), (-1e-300, 1e-300), (0.0, 4.0), (-8.0, 0.5), (7.0, 7.0)] {
            let (x, wide) = (Interval::new(lo, hi), wider(Interval::new(lo, hi)));
            let margin = x.mag() * WIDER;
            assert!(wide.inf() < lo && wide.sup() > hi && wide.wid() <= x.wid() + 3.0 * margin, "{wide:?}");
        }
        assert_eq!(
            [Interval::ENTIRE, Interval::new(0.0, f64::INFINITY)].map(wider),
            [Interval::ENTIRE, Interval::new(0.0, f64::INFINITY)]
        );
    }
}
