//! HC4 on many boxes at once: structure of arrays, outward rounding by error-free transformation, no branches in the
//! usual operations, so that the loops over lanes vectorise.
//!
//! It contracts as [`Hc4`] does, up to rounding: what it keeps contains every solution. A lane that cannot hold a
//! solution is marked and computed on without meaning. Where an operation is not one of the usual ones, or a divisor
//! holds zero, the lanes concerned are computed one by one with [`Op::forward`] and [`Op::backward`]. Problems with
//! conditions or choices go to [`Hc4`] altogether.

use super::contract::{Contractor, Outcome};
use super::hc4::Hc4;
use super::lanes::{LANES, Lanes, Mask, NOTHING};
use crate::csp::Csp;
use crate::num::Interval;
use crate::ops::{MAX_ARITY, Op};
use crate::tape::{Node, NodeId, Tape};

/// The contractor of many boxes, with its scratch memory.
#[derive(Default)]
pub struct BatchHc4 {
    x: Vec<Lanes>,
    /// Nodes that are contracted below the image of their operands in some lane.
    changed: Vec<bool>,
    one: Hc4,
}

/// Up to this number of boxes they are contracted one by one: all lanes cost as much as a few boxes.
const FEW: usize = 5;

impl BatchHc4 {
    /// Contract each of `boxes`, sub-boxes of the problem's box, and say what became of each, in `outcomes` (cleared
    /// first). An empty box is left as it was.
    pub fn contract_many<B: AsMut<[Interval]>>(&mut self, csp: &Csp, boxes: &mut [B], outcomes: &mut Vec<Outcome>) {
        outcomes.clear();
        let usual = |n: &NodeId| matches!(csp.tape.node(*n), Node::Var(_) | Node::Const(_) | Node::Op(..));
        let batched = csp.conditions.is_empty() && csp.cone.nodes.iter().all(usual);
        for some in boxes.chunks_mut(LANES) {
            if !batched || some.len() <= FEW {
                outcomes.extend(some.iter_mut().map(|b| self.one.contract(csp, b.as_mut())));
            } else {
                self.contract_lanes(csp, some, outcomes);
            }
        }
    }

    fn contract_lanes<B: AsMut<[Interval]>>(&mut self, csp: &Csp, boxes: &mut [B], outcomes: &mut Vec<Outcome>) {
        self.x.resize(csp.tape.len(), Lanes::ENTIRE);
        self.changed.clear();
        self.changed.resize(csp.tape.len(), false);
        let mut dead = NOTHING;
        // Lanes without a box are not to be waited for, and have ordinary numbers, which are faster.
        dead.or_from(boxes.len());
        for &n in &csp.cone.nodes {
            if let Node::Var(v) = csp.tape.node(n) {
                let lanes = &mut self.x[n.index()];
                if boxes.len() < LANES {
                    *lanes = Lanes::splat(boxes[0].as_mut()[v as usize]);
                }
                for (i, b) in boxes.iter_mut().enumerate() {
                    lanes.set(i, b.as_mut()[v as usize]);
                }
                dead.or_empty(lanes);
            } else {
                self.forward(&csp.tape, n, &mut dead);
            }
        }
        if !dead.all() {
            let positive = Lanes::splat(Interval::new(0.0, f64::INFINITY));
            Kept { x: &mut self.x, changed: &mut self.changed, dead: &mut dead }.keep(csp.gap, &positive);
            for &n in csp.cone.nodes.iter().rev() {
                self.project(&csp.tape, n, &mut dead);
            }
        }
        let first = outcomes.len();
        outcomes.extend((0..boxes.len()).map(|i| if dead.has(i) { Outcome::Empty } else { Outcome::Same }));
        for &n in &csp.cone.nodes {
            let Node::Var(v) = csp.tape.node(n) else { continue };
            if !self.changed[n.index()] {
                continue;
            }
            let lanes = &self.x[n.index()];
            for (i, b) in boxes.iter_mut().enumerate().filter(|(i, _)| !dead.has(*i)) {
                let old = &mut b.as_mut()[v as usize];
                if lanes.differs(i, *old) {
                    *old = lanes.get(i);
                    outcomes[first + i] = Outcome::Contracted;
                }
            }
        }
    }

    /// Compute a node's image in every lane.
    fn forward(&mut self, tape: &Tape, n: NodeId, dead: &mut Mask) {
        let (before, from) = self.x.split_at_mut(n.index());
        let out = &mut from[0];
        let (op, args) = match tape.node(n) {
            Node::Op(op, args) => (op, args),
            Node::Const(c) => return *out = Lanes::splat(tape.constant(c).interval),
            _ => return,
        };
        let [a, b, _] = args;
        let (x, y) = (&before[a.index()], &before[b.index()]);
        match op {
            Op::Add => x.add(y, out),
            Op::Sub => x.sub(y, out),
            Op::Neg => x.neg(out),
            Op::Mul => x.mul(y, out),
            Op::Fabs => x.abs(out),
            Op::Fmin => x.min(y, out),
            Op::Fmax => x.max(y, out),
            Op::Sqrt => {
                x.sqrt(out);
                dead.or_negative(x);
            }
            Op::Pow if is_two(tape, b) => x.sqr(out),
            Op::Div => {
                x.div(y, out);
                y.with_zero(|i| out.set(i, x.get(i) / y.get(i)));
                dead.or_empty(out);
            }
            _ => {
                let k = op.arity();
                for i in (0..LANES).filter(|i| !dead.has(*i)) {
                    let operands: [Interval; MAX_ARITY] = args.map(|n| before[n.index()].get(i));
                    let (image, def) = op.forward(&operands[..k]);
                    out.set(i, if def.is_false() { Interval::EMPTY } else { image });
                }
                dead.or_empty(out);
            }
        }
    }

    /// Project a node's value onto its operands.
    fn project(&mut self, tape: &Tape, n: NodeId, dead: &mut Mask) {
        let Node::Op(op, args) = tape.node(n) else { return };
        let square = op == Op::Pow && is_two(tape, args[1]);
        let total = match op {
            Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Fabs | Op::Fmin | Op::Fmax => true,
            Op::Div => !self.x[args[1].index()].hold_zero(),
            _ => square,
        };
        if total && !self.changed[n.index()] {
            return;
        }
        let [a, b, _] = args;
        let constant = |n: NodeId| matches!(tape.node(n), Node::Const(_));
        let mut part = Lanes::ENTIRE;
        let (before, from) = self.x.split_at_mut(n.index());
        let z = &from[0];
        let mut k = Kept { x: before, changed: &mut self.changed, dead };
        match op {
            Op::Add | Op::Sub => {
                let plus = op == Op::Add;
                if !constant(a) {
                    let y = &k.x[b.index()];
                    if plus {
                        z.sub(y, &mut part)
                    } else {
                        z.add(y, &mut part)
                    }
                    k.keep(a, &part);
                }
                if !constant(b) {
                    let x = &k.x[a.index()];
                    if plus {
                        z.sub(x, &mut part)
                    } else {
                        x.sub(z, &mut part)
                    }
                    k.keep(b, &part);
                }
            }
            Op::Neg => {
                z.neg(&mut part);
                k.keep(a, &part);
            }
            Op::Mul => {
                if !constant(a) {
                    k.x[b.index()].reverse_product(z, &k.x[a.index()], &mut part);
                    k.keep(a, &part);
                }
                if !constant(b) {
                    k.x[a.index()].reverse_product(z, &k.x[b.index()], &mut part);
                    k.keep(b, &part);
                }
            }
            Op::Div => {
                if !constant(a) {
                    z.mul(&k.x[b.index()], &mut part);
                    k.keep(a, &part);
                }
                if !constant(b) {
                    z.reverse_product(&k.x[a.index()], &k.x[b.index()], &mut part);
                    k.keep(b, &part);
                }
            }
            Op::Sqrt => {
                z.not_negative().sqr(&mut part);
                k.keep(a, &part);
            }
            Op::Fabs | Op::Pow if op == Op::Fabs || square => {
                k.dead.or_negative(z);
                let mut magnitude = z.not_negative();
                if square {
                    z.sqrt(&mut magnitude);
                }
                k.x[a.index()].of_magnitude(&magnitude, &mut part);
                k.keep(a, &part);
            }
            _ => {
                let arity = op.arity();
                let mut parts = [Lanes::ENTIRE; MAX_ARITY];
                for i in (0..LANES).filter(|i| !k.dead.has(*i)) {
                    let mut operands: [Interval; MAX_ARITY] = args.map(|n| k.x[n.index()].get(i));
                    // Empty operands are seen by `keep`.
                    op.backward(z.get(i), &mut operands[..arity]);
                    parts.iter_mut().zip(&operands).for_each(|(p, x)| p.set(i, *x));
                }
                for (p, n) in parts.iter().zip(&args[..arity]) {
                    k.keep(*n, p);
                }
            }
        }
    }
}

/// The values before a node, to be contracted by it.
struct Kept<'a> {
    x: &'a mut [Lanes],
    changed: &'a mut [bool],
    dead: &'a mut Mask,
}

impl Kept<'_> {
    /// Keep the part of a node's value in `part`.
    #[inline]
    fn keep(&mut self, n: NodeId, part: &Lanes) {
        self.changed[n.index()] |= self.x[n.index()].keep(part);
        self.dead.or_empty(&self.x[n.index()]);
    }
}

fn is_two(tape: &Tape, n: NodeId) -> bool {
    matches!(tape.node(n), Node::Const(c) if tape.constant(c).interval == Interval::point(2.0))
}
