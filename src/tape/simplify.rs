//! Choices that a box decides: `fmin`, `fmax`, `fabs` and `if` give way to the operand that they return on all of it.

use super::builder::Builder;
use super::diff::difference;
use super::eval::{Boxes, Enclosure};
use super::evaluate;
use super::node::{Node, NodeId, Tape};
use crate::num::{Interval, Ternary};
use crate::ops::Op;

/// Whether the tape has a choice that a box might decide.
#[must_use]
pub fn has_choices(tape: &Tape) -> bool {
    tape.nodes().iter().any(|n| matches!(n, Node::Op(Op::Fmin | Op::Fmax | Op::Fabs, _) | Node::If(..)))
}

/// The same functions on `domain`, in value and in definedness, with the choices made that it decides. Returns the new
/// tape and where the `roots` are on it.
#[must_use]
pub fn simplify(tape: &Tape, roots: &[NodeId], domain: &[Interval]) -> (Tape, Vec<NodeId>) {
    let mut b = Builder::new(tape.inputs());
    let mut place: Vec<NodeId> = Vec::with_capacity(tape.len());
    for &node in tape.nodes() {
        let new = match node.map_operands(|o| place[o.index()]) {
            Node::Var(i) => b.var(i as usize),
            Node::Const(c) => b.constant(tape.constant(c).value.clone()),
            Node::Bool(t) => b.boolean(t),
            Node::Undefined => b.undefined(),
            Node::Op(op, args) => decided(&mut b, op, args, domain).unwrap_or_else(|| b.op(op, &args[..op.arity()])),
            Node::Less(x, y) => b.less(x, y),
            Node::LessEq(x, y) => b.less_eq(x, y),
            Node::Equal(x, y) => b.equal(x, y),
            Node::And(x, y) => b.and(x, y),
            Node::Or(x, y) => b.or(x, y),
            Node::Not(x) => b.not(x),
            Node::If(c, t, e) => {
                let known = at(&b, c, domain);
                match known.as_truth() {
                    Ternary::True if known.def.is_true() => t,
                    Ternary::False if known.def.is_true() => e,
                    _ => b.choose(c, t, e),
                }
            }
        };
        place.push(new);
    }
    let roots: Vec<NodeId> = roots.iter().map(|r| place[r.index()]).collect();
    b.finish().extract(&roots)
}

/// What a node is on the box.
fn at(b: &Builder, node: NodeId, domain: &[Interval]) -> Enclosure {
    let (tape, root) = b.tape().extract(&[node]);
    let mut values = Vec::new();
    evaluate(&tape, &mut Boxes { inputs: domain }, &mut values);
    values[root[0].index()]
}

/// The operand that the operator returns on all of the box. The other operand must have a value on all of it, or its
/// domain would be lost.
fn decided(b: &mut Builder, op: Op, [x, y, _]: [NodeId; 3], domain: &[Interval]) -> Option<NodeId> {
    match op {
        Op::Fabs => {
            let value = at(b, x, domain).x;
            if value.inf() >= 0.0 {
                Some(x)
            } else if value.sup() <= 0.0 {
                Some(b.op(Op::Neg, &[x]))
            } else {
                None
            }
        }
        Op::Fmin | Op::Fmax => {
            if !(at(b, x, domain).def.is_true() && at(b, y, domain).def.is_true()) {
                return None;
            }
            let d = difference(b, x, y);
            let d = at(b, d, domain);
            // The difference may have holes of its own, where both operands are equal.
            let d = if d.def.is_true() { d.x } else { at(b, x, domain).x - at(b, y, domain).x };
            let (x, y) = if op == Op::Fmax { (x, y) } else { (y, x) };
            if d.inf() >= 0.0 {
                Some(x)
            } else if d.sup() <= 0.0 {
                Some(y)
            } else {
                None
            }
        }
        _ => None,
    }
}
