//! Choices that a box decides: `fmin`, `fmax`, `fabs` and `if` give way to the operand that they return on all of it.

use super::builder::Builder;
use super::diff::difference;
use super::eval::{Boxes, Enclosure, step};
use super::evaluate;
use super::meanvalue::MeanValue;
use super::node::{NodeId, Tape, TapeNode};
use crate::cover::{Covered, Order, PartLook, cover};
use crate::num::{Interval, Ternary};
use crate::ops::Op;

/// Whether the tape has a choice that a box might decide.
#[must_use]
pub fn has_choices(tape: &Tape) -> bool {
    tape.nodes().iter().any(|n| matches!(n, TapeNode::Op(Op::Fmin | Op::Fmax | Op::Fabs, _) | TapeNode::If(..)))
}

/// The same functions on `domain`, in value and in definedness, with the choices made that it decides. Returns the new
/// tape and where the `roots` are on it.
#[must_use]
pub fn simplify(tape: &Tape, roots: &[NodeId], domain: &[Interval]) -> (Tape, Vec<NodeId>) {
    let mut b = Builder::new(tape.inputs());
    let mut place: Vec<NodeId> = Vec::with_capacity(tape.len());
    let mut on_box = OnBox { domain, values: Vec::new() };
    for &node in tape.nodes() {
        let chosen = match node.map_operands(|o| place[o.index()]) {
            TapeNode::Op(op, args) => decided(&mut b, op, args, &mut on_box),
            TapeNode::If(c, t, e) => {
                let known = on_box.at(&b, c);
                match known.as_truth() {
                    Ternary::True if known.def.is_true() => Some(t),
                    Ternary::False if known.def.is_true() => Some(e),
                    _ => None,
                }
            }
            _ => None,
        };
        place.push(chosen.unwrap_or_else(|| b.copy(tape, node, &place)));
    }
    let roots: Vec<NodeId> = roots.iter().map(|r| place[r.index()]).collect();
    b.finish().extract(&roots)
}

/// The same functions wherever the node `condition` has this truth value. Returns the new tape, where the `roots` are on
/// it, and there the condition that holds.
#[must_use]
pub fn assume(tape: &Tape, roots: &[NodeId], condition: NodeId, truth: bool) -> (Tape, Vec<NodeId>, NodeId) {
    let mut b = Builder::new(tape.inputs());
    let mut place: Vec<NodeId> = Vec::with_capacity(tape.len());
    for (i, &node) in tape.nodes().iter().enumerate() {
        let new = if i == condition.index() { b.boolean(truth) } else { b.copy(tape, node, &place) };
        place.push(new);
    }
    let stated = b.copy(tape, tape.node(condition), &place);
    let stated = if truth { stated } else { b.not(stated) };
    let mut all: Vec<NodeId> = roots.iter().map(|r| place[r.index()]).collect();
    all.push(stated);
    let (tape, mut at) = b.finish().extract(&all);
    let stated = at.pop().unwrap_or(stated);
    (tape, at, stated)
}

/// The same functions with every difference in them cancelled as far as it goes: sqrt(x + 1) - sqrt x as
/// 1 / (sqrt(x + 1) + sqrt x). Equal wherever both have a value; the new ones may have none at some points of `domain`
/// where the old ones have. Returns the new tape and where the `roots` are on it.
#[must_use]
pub fn sharpen(tape: &Tape, roots: &[NodeId], domain: &[Interval]) -> (Tape, Vec<NodeId>) {
    let mut b = Builder::new(tape.inputs());
    b.announce(domain);
    let mut place: Vec<NodeId> = Vec::with_capacity(tape.len());
    for &node in tape.nodes() {
        let new = match node.map_operands(|o| place[o.index()]) {
            TapeNode::Op(Op::Sub, [x, y, _]) => difference(&mut b, x, y),
            _ => b.copy(tape, node, &place),
        };
        place.push(new);
    }
    let roots: Vec<NodeId> = roots.iter().map(|r| place[r.index()]).collect();
    b.finish().extract(&roots)
}

/// What the nodes of a tape that grows are on a box, each computed once.
struct OnBox<'d> {
    domain: &'d [Interval],
    values: Vec<Enclosure>,
}

impl OnBox<'_> {
    fn at(&mut self, b: &Builder, node: NodeId) -> Enclosure {
        for new in &b.tape().nodes()[self.values.len().min(node.index() + 1)..=node.index()] {
            let value = step(b.tape(), *new, &mut Boxes { inputs: self.domain }, |o| &self.values[o.index()]);
            self.values.push(value);
        }
        self.values[node.index()]
    }
}

/// The operand that the operator returns on all of the box. The other operand must have a value on all of it, or its
/// domain would be lost.
fn decided(b: &mut Builder, op: Op, [x, y, _]: [NodeId; 3], on_box: &mut OnBox<'_>) -> Option<NodeId> {
    let domain = on_box.domain;
    match op {
        Op::Fabs => {
            let value = on_box.at(b, x).x;
            if value.inf() >= 0.0 {
                Some(x)
            } else if value.sup() <= 0.0 {
                Some(b.op(Op::Neg, &[x]))
            } else {
                None
            }
        }
        Op::Fmin | Op::Fmax => {
            if !(on_box.at(b, x).def.is_true() && on_box.at(b, y).def.is_true()) {
                return None;
            }
            let (u, v) = ordered_alike(b, x, y).unwrap_or((x, y));
            let d = difference(b, u, v);
            let (x, y) = if op == Op::Fmax { (x, y) } else { (y, x) };
            if never_positive(b, d, domain) {
                return Some(y);
            }
            let opposite = b.op(Op::Neg, &[d]);
            never_positive(b, opposite, domain).then_some(x)
        }
        _ => None,
    }
}

/// Two nodes in the same order as `x` and `y` wherever these have values: both are one increasing function of them, or x
/// is the difference of two such and y is 0.
fn ordered_alike(b: &Builder, x: NodeId, y: NodeId) -> Option<(NodeId, NodeId)> {
    let (x, y) = match b.tape().node(x) {
        TapeNode::Op(Op::Sub, [u, v, _]) if b.tape().rational(y).is_some_and(|r| *r == 0) => (u, v),
        _ => (x, y),
    };
    let (TapeNode::Op(p, [u, m, _]), TapeNode::Op(q, [v, n, _])) = (b.tape().node(x), b.tape().node(y)) else {
        return None;
    };
    let increasing = match p {
        // Defined for u >= 0 at most where the power is no integer.
        Op::Pow => m == n && b.tape().rational(m).is_some_and(|n| *n > 0 && !n.is_integer()),
        _ => p.shape().increasing,
    };
    (p == q && increasing).then_some((u, v))
}

/// The most boxes looked at for the sign of a difference.
const SIGN_BOXES: u64 = 65;

/// Whether a node surely has a value and is at most 0 on all of the box.
fn never_positive(b: &Builder, node: NodeId, domain: &[Interval]) -> bool {
    let (tape, root) = b.tape().extract(&[node]);
    let mut mean_value = MeanValue::default();
    let mut values = Vec::new();
    let covered = cover([domain.to_vec()], Order::Newest, SIGN_BOXES, |part: &Vec<Interval>, _| {
        evaluate(&tape, &mut Boxes { inputs: part }, &mut values);
        let x = values[root[0].index()];
        if !x.def.is_true() || x.x.inf() > 0.0 {
            return PartLook::End(());
        }
        if x.x.sup() <= 0.0 || mean_value.never_positive(&tape, root[0], part, &values).is_some() {
            return PartLook::Done;
        }
        let widest = (0..part.len()).max_by(|i, j| part[*i].wid().total_cmp(&part[*j].wid()));
        let Some(i) = widest.filter(|i| !part[*i].is_point()) else { return PartLook::End(()) };
        let middle = part[i].mid();
        PartLook::Cut([Interval::new(part[i].inf(), middle), Interval::new(middle, part[i].sup())].map(|half| {
            let mut next = part.clone();
            next[i] = half;
            next
        }))
    });
    matches!(covered, Covered::All(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rational;

    #[test]
    fn a_choice_is_left_out_where_nothing_of_the_domain_is_lost() {
        let domain = [Interval::new(-1.0, 4.0)];
        let kept = |choose: fn(&mut Builder, NodeId, NodeId, NodeId) -> NodeId| {
            let mut b = Builder::new(1);
            let x = b.var(0);
            let (root, least) = (b.op(Op::Sqrt, &[x]), b.rational(Rational::from(-1)));
            let chosen = choose(&mut b, x, root, least);
            let (tape, roots) = simplify(&b.finish(), &[chosen], &domain);
            tape.node(roots[0])
        };
        // The root has no value below 0, where the minimum must have none.
        assert!(matches!(kept(|b, _, root, least| b.op(Op::Fmin, &[root, least])), TapeNode::Op(Op::Fmin, _)));
        assert!(matches!(kept(|b, _, root, least| b.op(Op::Fmax, &[least, root])), TapeNode::Op(Op::Fmax, _)));
        assert!(matches!(kept(|b, x, _, least| b.op(Op::Fmax, &[x, least])), TapeNode::Var(_)));
        assert!(matches!(kept(|b, x, _, least| b.op(Op::Fmin, &[least, x])), TapeNode::Const(_)));
        assert!(matches!(kept(|b, _, root, _| b.op(Op::Fabs, &[root])), TapeNode::Op(Op::Sqrt, _)));
    }

    #[test]
    fn an_absolute_value_is_left_out_where_the_sign_is_known() {
        let kept = |lo: f64, hi: f64| {
            let mut b = Builder::new(1);
            let x = b.var(0);
            let size = b.op(Op::Fabs, &[x]);
            let (tape, roots) = simplify(&b.finish(), &[size], &[Interval::new(lo, hi)]);
            tape.node(roots[0])
        };
        assert!(matches!(kept(0.0, 4.0), TapeNode::Var(_)));
        assert!(matches!(kept(-4.0, 0.0), TapeNode::Op(Op::Neg, _)));
        assert!(matches!(kept(-1.0, 4.0), TapeNode::Op(Op::Fabs, _)));
    }

    /// Logarithms are in the order of their arguments, which have values where the logarithms have none.
    #[test]
    fn a_logarithm_without_a_value_is_not_left_out() {
        let kept = |more: i32| {
            let mut b = Builder::new(1);
            let (x, more, six) = (b.var(0), b.rational(Rational::from(more)), b.rational(Rational::from(6)));
            let (lesser, greater) = (b.op(Op::Add, &[x, more]), b.op(Op::Add, &[x, six]));
            let (lesser, greater) = (b.op(Op::Log, &[lesser]), b.op(Op::Log, &[greater]));
            let chosen = b.op(Op::Fmax, &[lesser, greater]);
            let (tape, roots) = simplify(&b.finish(), &[chosen], &[Interval::new(-1.0, 4.0)]);
            tape.node(roots[0])
        };
        assert!(matches!(kept(0), TapeNode::Op(Op::Fmax, _)));
        assert!(matches!(kept(2), TapeNode::Op(Op::Log, _)));
    }

    /// The difference of the roots has another form, which has no value at 0.
    #[test]
    fn roots_are_in_the_order_of_their_operands() {
        let kept = |op: Op, is_first: bool| {
            let mut b = Builder::new(1);
            let x = b.var(0);
            let twice = b.op(Op::Add, &[x, x]);
            let (lesser, greater) = (b.op(Op::Sqrt, &[x]), b.op(Op::Sqrt, &[twice]));
            let pair = if is_first { [lesser, greater] } else { [greater, lesser] };
            let (difference, zero) = (b.op(Op::Sub, &pair), b.rational(0.into()));
            let chosen = b.op(op, &[difference, zero]);
            let (tape, roots) = simplify(&b.finish(), &[chosen], &[Interval::new(0.0, 1.0)]);
            tape.rational(roots[0]).is_some()
        };
        let is_zero =
            [(Op::Fmax, true), (Op::Fmax, false), (Op::Fmin, true), (Op::Fmin, false)].map(|(op, k)| kept(op, k));
        assert_eq!(is_zero, [true, false, false, true]);
    }

    #[test]
    fn differences_from_the_identity_are_sharp_near_0() {
        let mut b = Builder::new(1);
        let x = b.var(0);
        let sine = b.op(Op::Sin, &[x]);
        let rest = b.op(Op::Sub, &[x, sine]);
        let domain = [Interval::new(1e-6, 1e-3)];
        let (tape, roots) = sharpen(&b.finish(), &[rest], &domain);
        let mut values = Vec::new();
        crate::tape::evaluate(&tape, &mut Boxes { inputs: &domain }, &mut values);
        // x^3 / 6 is the first term that is left.
        let value = values[roots[0].index()].x;
        assert!(value.inf() > 1e-19 && value.sup() < 2e-10, "{value:?}");
    }
}
