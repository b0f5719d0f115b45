//! The forward walk over a tape, generic in what a value is: binary64, intervals, multiple precision, exact.

mod balls;
mod boxes;
mod multi;
mod points;
mod rationals;

pub use balls::{BallEnclosure, Balls};
pub use boxes::{Boxes, Enclosure};
pub use multi::{Multi, decided, mp_truth};
pub use points::Points;
pub use rationals::Rationals;

use super::node::{Const, LoopRest, NodeId, Tape, TapeNode};
use crate::num::{Interval, Ternary};
use crate::ops::Op;
use std::cmp::Ordering;

/// How one kind of value is computed.
pub trait Domain {
    /// A value of a node. Truth values are the numbers 0 and 1 of the domain.
    type Value;
    /// The input with that index.
    fn input(&mut self, index: usize) -> Self::Value;
    /// A constant.
    fn constant(&mut self, c: &Const) -> Self::Value;
    /// A truth value.
    fn boolean(&mut self, b: bool) -> Self::Value;
    /// No value.
    fn undefined(&mut self) -> Self::Value;
    /// What is not known: a value or none.
    fn unknown(&mut self) -> Self::Value;
    /// No value where the condition surely holds; else what is not known. Where no value is as good as one that is not known, the
    /// condition need not be looked at.
    fn unknown_unless(&mut self, _has_none: &Self::Value) -> Self::Value {
        self.unknown()
    }
    /// The value of a loop that goes on after the rounds that are written out; it has none where the condition surely holds.
    /// Default: the loop is not followed.
    fn follow(&mut self, _rest: &LoopRest, has_none: &Self::Value, _args: &[&Self::Value]) -> Self::Value {
        self.unknown_unless(has_none)
    }
    /// An operator applied to its operands.
    fn apply(&mut self, op: Op, args: &[&Self::Value]) -> Self::Value;
    /// A comparison: `Less`, `Equal`, or both for "less or equal".
    fn compare(&mut self, relation: Relation, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// `a and b`.
    fn and(&mut self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// `not a`.
    fn not(&mut self, a: &Self::Value) -> Self::Value;
    /// `then` where the condition holds, `otherwise` where it does not.
    fn choose(&mut self, condition: &Self::Value, then: &Self::Value, otherwise: &Self::Value) -> Self::Value;
}

/// A domain at one input, where conditions mostly are decided.
pub trait Deciding: Domain {
    /// Whether a condition that surely has a truth value holds; unknown where it may have none.
    fn decide(&self, condition: &Self::Value) -> Ternary;
    /// Whether there surely is a value.
    fn has_value(&self, value: &Self::Value) -> bool;
}

/// A domain in which loops are followed round by round.
pub trait Following: Deciding<Value: Clone + PartialEq + Send + 'static> {
    /// How many bits its numbers have.
    fn precision(&self) -> u32;
    /// All nodes of a tape over other inputs, into `values` (cleared first).
    fn evaluate_over(&self, tape: &Tape, inputs: &[Self::Value], values: &mut Vec<Self::Value>);
    /// An interval with binary64 ends that holds the value, if there is one.
    fn interval(&self, value: &Self::Value) -> Interval;
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessEq,
    /// `==`
    Equal,
}

impl Relation {
    /// Whether it holds for numbers that compare so.
    #[must_use]
    pub fn holds(self, o: Ordering) -> bool {
        match self {
            Relation::Less => o == Ordering::Less,
            Relation::LessEq => o != Ordering::Greater,
            Relation::Equal => o == Ordering::Equal,
        }
    }

    /// What is known of it for two numbers, each between the two ends that are given for it.
    #[must_use]
    pub fn decide<T: PartialOrd>(self, [a_lo, a_hi]: [&T; 2], [b_lo, b_hi]: [&T; 2]) -> Ternary {
        match self {
            Relation::Less => Ternary::decide(a_hi < b_lo, a_lo >= b_hi),
            Relation::LessEq => Ternary::decide(a_hi <= b_lo, a_lo > b_hi),
            Relation::Equal => {
                Ternary::decide(a_lo == a_hi && b_lo == b_hi && a_lo == b_lo, a_hi < b_lo || b_hi < a_lo)
            }
        }
    }
}

/// Evaluate every node of `tape` in order into `values` (cleared first). Where only what some nodes need at an input
/// counts, see [`super::NeededValues`].
pub fn evaluate<D: Domain>(tape: &Tape, domain: &mut D, values: &mut Vec<D::Value>) {
    values.clear();
    values.reserve(tape.len());
    for &node in tape.nodes() {
        let v = step(tape, node, domain, |id| &values[id.index()]);
        values.push(v);
    }
}

/// The value of one node, its operands' values given by `of`.
#[inline]
pub fn step<'v, D: Domain>(tape: &Tape, node: TapeNode, domain: &mut D, of: impl Fn(NodeId) -> &'v D::Value) -> D::Value
where
    D::Value: 'v,
{
    match node {
        TapeNode::Var(i) => domain.input(i as usize),
        TapeNode::Const(c) => domain.constant(tape.constant(c)),
        TapeNode::Bool(b) => domain.boolean(b),
        TapeNode::Undefined => domain.undefined(),
        TapeNode::Unknown(number, [has_none, args]) => match tape.rest(number) {
            Some(rest) => {
                let args: Vec<&D::Value> = tape.arguments(args).map(&of).collect();
                domain.follow(rest, of(has_none), &args)
            }
            None => domain.unknown_unless(of(has_none)),
        },
        TapeNode::Arguments(..) => domain.unknown(),
        TapeNode::Op(op, [a, b, c]) => match op.arity() {
            1 => domain.apply(op, &[of(a)]),
            2 => domain.apply(op, &[of(a), of(b)]),
            _ => domain.apply(op, &[of(a), of(b), of(c)]),
        },
        TapeNode::Less(a, b) => domain.compare(Relation::Less, of(a), of(b)),
        TapeNode::LessEq(a, b) => domain.compare(Relation::LessEq, of(a), of(b)),
        TapeNode::Equal(a, b) => domain.compare(Relation::Equal, of(a), of(b)),
        TapeNode::And(a, b) => domain.and(of(a), of(b)),
        TapeNode::Or(a, b) => {
            let (na, nb) = (domain.not(of(a)), domain.not(of(b)));
            let neither = domain.and(&na, &nb);
            domain.not(&neither)
        }
        TapeNode::Not(a) => domain.not(of(a)),
        TapeNode::If(c, t, e) => domain.choose(of(c), of(t), of(e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of all ranges of small integers, by all pairs of their numbers and half way between.
    #[test]
    fn comparisons_are_decided_where_all_numbers_of_two_ranges_agree() {
        let ranges = || (0..4).flat_map(|lo| (lo..4).map(move |hi| (2 * lo, 2 * hi)));
        for ((a, b), (c, d)) in ranges().flat_map(|x| ranges().map(move |y| (x, y))) {
            for relation in [Relation::Less, Relation::LessEq, Relation::Equal] {
                let mut outcomes = (a..=b).flat_map(|x| (c..=d).map(move |y| relation.holds(x.cmp(&y))));
                let first = outcomes.next().expect("a pair");
                let expected = if outcomes.all(|holds| holds == first) { first.into() } else { Ternary::Unknown };
                assert_eq!(relation.decide([&a, &b], [&c, &d]), expected, "{a} {b} {relation:?} {c} {d}");
            }
        }
    }
}
