//! What the conditions of a domain say of the values of a program's steps: where a step is a polynomial of the inputs and so
//! is what a condition compares, the step is a multiple of that, if need be by a polynomial, and a rest in fewer terms.
//! Boxes cannot follow that: on none of them does a + b > c show in the ranges of a, b and c alone, wherever the border runs
//! through, nor that c - b is less than a.

use super::polynomial::{Enclosed, Sum, polynomials};
use crate::num::Interval;
use crate::ops::Op;
use crate::program::Program;
use crate::tape::{NodeId, Tape, TapeNode};

/// An end of what a step can be.
#[derive(Clone, Debug)]
struct Side {
    /// The step is a multiple of what is not negative, and this.
    rest: Enclosed,
    /// The multiple.
    factor: Enclosed,
}

impl Side {
    /// What a function that is not negative says of another one: with `of` = factor * `positive` + rest, and fewer terms
    /// that vary in the rest than in `of`, the rest is an end of what that can be.
    fn all(of: &Sum, positive: &Sum) -> Vec<Side> {
        let mut found: Vec<(Sum, Sum)> = positive.varying().filter_map(|(p, _)| of.divided(positive, p)).collect();
        found.retain(|(factor, rest)| !factor.is_zero() && rest.varying().count() < of.varying().count());
        found.dedup();
        let side = |(factor, rest): (Sum, Sum)| Some(Side { rest: rest.enclosed()?, factor: factor.enclosed()? });
        found.into_iter().filter_map(side).collect()
    }

    /// What the step can be at inputs of a box.
    fn range(&self, ranges: &[Interval]) -> Interval {
        let factor = self.factor.range(ranges);
        let end = || self.rest.range(ranges);
        let far = f64::INFINITY;
        if factor.inf() >= 0.0 {
            Interval::new(end().inf(), far)
        } else if factor.sup() <= 0.0 {
            Interval::new(-far, end().sup())
        } else {
            Interval::ENTIRE
        }
    }
}

/// What the conditions say of each step of a program.
#[derive(Debug, Default)]
pub(super) struct Stated {
    /// By step; empty if nothing is said of any.
    sides: Vec<Vec<Side>>,
}

impl Stated {
    pub(super) fn new(program: &Program, tape: &Tape, conditions: &[NodeId]) -> Self {
        let positive = positive(tape, conditions);
        if positive.is_empty() {
            return Stated::default();
        }
        let sides =
            |sum: &Option<Sum>| sum.iter().flat_map(|s| positive.iter().flat_map(|p| Side::all(s, p))).collect();
        Stated { sides: polynomials(program).iter().map(sides).collect() }
    }

    /// Bounds of the exact value of a step at every input of a box at which the conditions hold, beside what its operands
    /// say.
    pub(super) fn range(&self, step: usize, ranges: &[Interval]) -> Interval {
        let sides = self.sides.get(step).into_iter().flatten();
        sides.fold(Interval::ENTIRE, |range, side| range & side.range(ranges))
    }
}

/// The polynomials that are not negative where all conditions hold.
fn positive(tape: &Tape, conditions: &[NodeId]) -> Vec<Sum> {
    let mut found = Vec::new();
    let mut open = conditions.to_vec();
    while let Some(condition) = open.pop() {
        match tape.node(condition) {
            TapeNode::And(a, b) => open.extend([a, b]),
            TapeNode::Less(a, b) | TapeNode::LessEq(a, b) => {
                let difference =
                    polynomial(tape, a).zip(polynomial(tape, b)).and_then(|(a, b)| Sum::apply(Op::Sub, &[&b, &a]));
                found.extend(difference.filter(|d| d.varying().next().is_some()));
            }
            _ => {}
        }
    }
    found
}

/// A node as a polynomial of the inputs.
fn polynomial(tape: &Tape, root: NodeId) -> Option<Sum> {
    let (tape, roots) = tape.extract(&[root]);
    let mut sums: Vec<Option<Sum>> = Vec::with_capacity(tape.len());
    for (place, node) in tape.nodes().iter().enumerate() {
        let sum = match node {
            TapeNode::Var(i) => Some(Sum::input(*i as usize)),
            TapeNode::Const(_) => tape.rational(NodeId(place as u32)).map(|r| Sum::constant(r.clone())),
            TapeNode::Op(op, args) => {
                let operands: Option<Vec<&Sum>> = args[..op.arity()].iter().map(|a| sums[a.index()].as_ref()).collect();
                operands.and_then(|operands| Sum::apply(*op, &operands))
            }
            _ => None,
        };
        sums.push(sum);
    }
    sums.swap_remove(roots[0].index())
}
