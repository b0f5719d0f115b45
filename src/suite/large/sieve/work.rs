//! What another value at a place makes of the result, followed up from the place.

use super::{Edit, STEPS, Sieve};
use crate::csp::judge::InputJudgement;
use crate::num::{Interval, Ternary};
use crate::ops::Op;
use crate::tape::eval::{Boxes, Enclosure, step};
use crate::tape::{NodeId, TapeNode};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Several operations at once: what a node changes by, times the slope, is what another one changes by.
#[derive(Clone, Copy)]
pub(super) struct Leap {
    pub(super) to: u32,
    pub(super) slope: Interval,
}

/// The formula at a point or on a box.
pub(super) struct At<'a> {
    pub(super) sieve: &'a Sieve,
    pub(super) inputs: &'a [Interval],
    /// Of the graph.
    pub(super) values: Vec<Enclosure>,
    /// Of the formula's own nodes on the tape of parts.
    pub(super) own: Vec<Enclosure>,
    pub(super) leaps: Vec<Option<Leap>>,
    /// See [`Sieve::reached`].
    pub(super) reached: Vec<bool>,
}

/// Another value of a node, and by how much it differs.
#[derive(Clone, Copy)]
pub(super) struct Changed {
    value: Enclosure,
    by: Interval,
}

/// Room for judging one mutant after the other.
pub(super) struct Work<'a> {
    at: &'a At<'a>,
    /// The values of mutants' parts that are known, by place after the formula's own.
    parts: HashMap<NodeId, Enclosure>,
    changed: HashMap<u32, Changed>,
    /// Nodes that have to be looked at.
    next: BinaryHeap<Reverse<u32>>,
}

impl<'a> Work<'a> {
    pub(super) fn new(at: &'a At<'a>) -> Self {
        Work { at, parts: HashMap::new(), changed: HashMap::new(), next: BinaryHeap::new() }
    }

    /// The margin by which a mutant is surely killed.
    pub(super) fn kill(&mut self, edit: &Edit) -> Option<f64> {
        let sieve = self.at.sieve;
        if !edit.nodes.iter().any(|n| self.at.reached[n.index()]) {
            return None;
        }
        let root = self.root(edit)?;
        let f = &self.at.values[sieve.root.index()];
        if root.value.def.is_false() {
            return if let InputJudgement::Sure { margin } = sieve.judge.without_result() {
                Some(margin)
            } else {
                None
            };
        }
        root.value.def.is_true().then(|| sieve.tolerance.apart(f.x, root.value.x, root.by))?
    }

    /// A bound of the distance of the two in units of the sum of the tolerances, if it is at most 1.
    pub(super) fn near(&mut self, edit: &Edit) -> Option<f64> {
        let root = self.root(edit).filter(|r| r.value.def.is_true() && !r.by.is_empty())?;
        let (sieve, f) = (self.at.sieve, &self.at.values[self.at.sieve.root.index()]);
        let least = (sieve.tolerance.bounds(f.x).0 + sieve.tolerance.bounds(root.value.x).0).next_down();
        let ratio = (root.by.abs().sup() / least).next_up();
        (least > 0.0 && ratio <= 1.0).then_some(ratio)
    }

    /// What a mutant makes of the root.
    fn root(&mut self, edit: &Edit) -> Option<Changed> {
        let value = self.part(edit.to);
        if value.def == Ternary::Unknown {
            return None;
        }
        self.changed.clear();
        self.next.clear();
        for node in &edit.nodes {
            let by = value.x - self.at.values[node.index()].x;
            self.changed.insert(node.0, Changed { value, by });
        }
        self.follow(edit)
    }

    /// The value of what a mutant has at its place.
    fn part(&mut self, id: NodeId) -> Enclosure {
        let (at, tape) = (self.at, &self.at.sieve.parts);
        let is_new = |o: &NodeId| o.index() >= at.own.len();
        let mut open = vec![id];
        while let Some(&top) = open.last() {
            let before = open.len();
            if is_new(&top) && !self.parts.contains_key(&top) {
                tape.node(top).for_each_operand(|o| {
                    if is_new(&o) && !self.parts.contains_key(&o) {
                        open.push(o);
                    }
                });
                if open.len() > before {
                    continue;
                }
                let of = |o: NodeId| at.own.get(o.index()).unwrap_or_else(|| &self.parts[&o]);
                let value = step(tape, tape.node(top), &mut Boxes { inputs: at.inputs }, of);
                self.parts.insert(top, value);
            }
            open.pop();
        }
        at.own.get(id.index()).copied().unwrap_or_else(|| self.parts[&id])
    }

    /// What the changed nodes make of the root; none where they make nothing of it, or that is too far.
    fn follow(&mut self, edit: &Edit) -> Option<Changed> {
        let sieve = self.at.sieve;
        let mut lone = if let [one] = edit.nodes[..] { Some(one.0) } else { None };
        if lone.is_none() {
            edit.nodes.iter().for_each(|n| self.look_at_users(n.0));
        }
        for _ in 0..STEPS {
            if let Some(node) = lone.take() {
                if node == sieve.root.0 {
                    return self.changed.get(&node).copied();
                }
                // Nothing else has changed, nor will it before the end of the leap.
                if let Some(leap) = self.at.leaps[node as usize] {
                    let changed = self.leap(node, leap);
                    self.changed.insert(leap.to, changed);
                    lone = Some(leap.to);
                    continue;
                }
                self.look_at_users(node);
            }
            let Reverse(node) = self.next.pop()?;
            while self.next.peek() == Some(&Reverse(node)) {
                self.next.pop();
            }
            // A place of the mutant stays what the mutant has there.
            if self.changed.contains_key(&node) {
                continue;
            }
            let changed = self.step(node);
            let known = &self.at.values[node as usize];
            // The very same value: most often of a comparison.
            let is_point = |e: &Enclosure| e.def.is_false() || e.def.is_true() && e.x.inf() == e.x.sup();
            if is_point(known) && is_point(&changed.value) && changed.value.x == known.x {
                continue;
            }
            self.changed.insert(node, changed);
            match self.next.is_empty() {
                true => lone = Some(node),
                false => self.look_at_users(node),
            }
        }
        None
    }

    fn look_at_users(&mut self, node: u32) {
        self.next.extend(self.at.sieve.users_of(node as usize).iter().map(|u| Reverse(*u)));
    }

    /// The end of a leap. Its operations are strict: where an operand has no value they have none.
    fn leap(&self, node: u32, leap: Leap) -> Changed {
        let (from, known) = (self.changed[&node], &self.at.values[leap.to as usize]);
        if from.value.def.is_false() {
            return from;
        }
        let by = from.by * leap.slope;
        Changed { value: Enclosure { x: known.x + by, def: from.value.def, own: Ternary::True }, by }
    }

    /// One operation with what has changed.
    fn step(&self, node: u32) -> Changed {
        let (at, graph) = (self.at, &self.at.sieve.graph);
        let of = |o: NodeId| self.changed.get(&o.0).map_or(&at.values[o.index()], |c| &c.value);
        let by = |o: NodeId| self.changed.get(&o.0).map_or(Interval::point(0.0), |c| c.by);
        let this = graph.nodes()[node as usize];
        let known = at.values[node as usize].x;
        let mut value = step(graph, this, &mut Boxes { inputs: at.inputs }, of);
        let by = match this {
            TapeNode::Op(Op::Add, [a, b, _]) => by(a) + by(b),
            TapeNode::Op(Op::Sub, [a, b, _]) => by(a) - by(b),
            TapeNode::Op(Op::Neg, [a, ..]) => -by(a),
            TapeNode::Op(Op::Mul, [a, b, _]) => by(a) * of(b).x + at.values[a.index()].x * by(b),
            _ => value.x - known,
        };
        let closer = value.x & (known + by);
        if !closer.is_empty() {
            value.x = closer;
        }
        Changed { value, by }
    }
}
