//! Large formulas: each mutant is judged at a point by what it changes. A mutant is another value at a place of the
//! formula, and what that makes of the result is followed from the place up. Where one operand of sums, products and the
//! like changes alone, the result changes by a known multiple of it: the steps between are taken at once. So it costs a few
//! operations to judge a mutant of a formula with ten thousand.
//!
//! Enclosures by intervals with binary64 ends all the way: a kill that is found here is one.

use crate::csp::judge::{InputJudgement, StatusJudge};
use crate::mutate::{Change, Mutant};
use crate::num::{Interval, Ternary};
use crate::ops::Op;
use crate::oracle::quick::QuickTolerance;
use crate::spec::Spec;
use crate::spec::core::{Expr, ExprKind};
use crate::tape::eval::{Boxes, Enclosure, step};
use crate::tape::lower::{Lowered, lower, lower_parts};
use crate::tape::{Builder, NodeId, Tape, TapeNode, evaluate};
use crate::threads::Threads;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// The most operations that are followed for a mutant at a point; then nothing is known of it there.
const STEPS: usize = 4096;
/// How many mutants are worth a thread.
const WORTH: usize = 2048;

/// A mutant as other values at places.
struct Edit {
    /// The nodes of the graph, one a place.
    nodes: Vec<NodeId>,
    /// What is there, and in the mutant, on the tape of parts.
    from: NodeId,
    to: NodeId,
}

/// A formula with a node for each of its subexpressions, and what mutants have at them.
pub(super) struct Sieve {
    /// Every subexpression is a node of its own.
    graph: Tape,
    root: NodeId,
    /// The nodes that use each node: those of node k are `users[first[k]..first[k + 1]]`.
    users: Vec<u32>,
    first: Vec<u32>,
    /// Whether the result depends on each node.
    live: Vec<bool>,
    /// The formula, and after it what mutants have at places, every expression once.
    parts: Tape,
    /// How many nodes of it are the formula's.
    own: usize,
    edits: Vec<Option<Edit>>,
    judge: StatusJudge,
    tolerance: QuickTolerance,
    threads: Threads,
}

impl Sieve {
    /// Of those mutants that are other expressions at places.
    pub(super) fn new(spec: &Spec, mutants: &[&Mutant], threads: Threads) -> Self {
        let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
        let body: &Expr = mutants.iter().find_map(|m| edit_of(m)).map_or(&spec.core.body, |(body, ..)| body);
        let mut builder = Builder::apart(names.len());
        let lowered = Lowered::new(&mut builder, &names, body);
        let graph = builder.finish();
        let mut places: Vec<(usize, &Expr, usize)> = Vec::new();
        for (k, m) in mutants.iter().enumerate() {
            let Some((_, at, with)) = edit_of(m) else { continue };
            // The same at several places is the same number.
            if at.len() == 1 || matches!(with.kind, ExprKind::Number(_)) {
                places.push((at[0], with, k));
            }
        }
        places.sort_by_key(|(place, _, k)| (*place, *k));
        let mut builder = Builder::new(names.len());
        lower(&mut builder, &names, body);
        let own = builder.tape().len();
        let asked: Vec<(usize, &Expr)> = places.iter().map(|(place, with, _)| (*place, *with)).collect();
        let found = lower_parts(&mut builder, &names, body, &asked);
        let mut edits: Vec<Option<Edit>> = mutants.iter().map(|_| None).collect();
        for ((_, _, k), pair) in places.iter().zip(found) {
            let at = edit_of(mutants[*k]).map_or(&[][..], |(_, at, _)| at);
            let nodes: Option<Vec<NodeId>> = at.iter().map(|place| lowered.node(*place)).collect();
            edits[*k] = nodes.zip(pair).map(|(nodes, [from, to])| Edit { nodes, from, to });
        }
        let (users, first) = users(&graph);
        Sieve {
            live: live(&graph, lowered.root()),
            root: lowered.root(),
            graph,
            users,
            first,
            parts: builder.finish(),
            own,
            edits,
            judge: StatusJudge { response: spec.out_of_range },
            tolerance: QuickTolerance::new(&spec.accuracy),
            threads,
        }
    }

    /// Whether a mutant can be judged here.
    pub(super) fn knows(&self, mutant: usize) -> bool {
        self.edits[mutant].is_some()
    }

    /// What a mutant changes, before and after, on the tape of parts; none where it is more than one place.
    pub(super) fn part(&self, mutant: usize) -> Option<(&Tape, NodeId, NodeId)> {
        let edit = self.edits[mutant].as_ref().filter(|e| e.nodes.len() == 1)?;
        Some((&self.parts, edit.from, edit.to))
    }

    /// Whether a mutant is the same expression: it has at its place what is there, or no result depends on its places.
    pub(super) fn is_same(&self, mutant: usize) -> bool {
        let Some(edit) = &self.edits[mutant] else { return false };
        edit.nodes.len() == 1 && edit.from == edit.to || !edit.nodes.iter().any(|n| self.live[n.index()])
    }

    /// The mutants among some that an input surely kills if the formula has a value there, each with its margin.
    pub(super) fn kills(&self, input: &[f64], mutants: &[usize]) -> Vec<(usize, f64)> {
        let inputs: Vec<Interval> = input.iter().map(|x| Interval::point(*x)).collect();
        self.each(&inputs, mutants, |work, edit| work.kill(edit))
    }

    /// The mutants among some whose valid results surely have some in common with the formula's at every input of a box,
    /// each with a bound of their distance in units of the sum of the tolerances: at most 1.
    pub(super) fn near(&self, ranges: &[Interval], mutants: &[usize]) -> Vec<(usize, f64)> {
        self.each(ranges, mutants, |work, edit| work.near(edit))
    }

    /// What `say` finds of some mutants on a box on all of which the formula has a value.
    fn each(
        &self,
        inputs: &[Interval],
        mutants: &[usize],
        say: impl Fn(&mut Work<'_>, &Edit) -> Option<f64> + Sync,
    ) -> Vec<(usize, f64)> {
        let mut values = Vec::new();
        evaluate(&self.graph, &mut Boxes { inputs }, &mut values);
        if !values[self.root.index()].def.is_true() {
            return Vec::new();
        }
        let mut own = Vec::new();
        let mut domain = Boxes { inputs };
        for node in &self.parts.nodes()[..self.own] {
            let value = step(&self.parts, *node, &mut domain, |o| &own[o.index()]);
            own.push(value);
        }
        let (leaps, reached) = (self.leaps(&values), self.reached(&values));
        let at = At { sieve: self, inputs, values, own, leaps, reached };
        let chunks: Vec<&[usize]> = mutants.chunks(WORTH).collect();
        let found = self.threads.side_by_side(1, &chunks, |chunk| {
            let mut work = Work::new(&at);
            chunk.iter().filter_map(|m| Some((*m, say(&mut work, self.edits[*m].as_ref()?)?))).collect::<Vec<_>>()
        });
        found.concat()
    }

    /// Whether the result depends on each node where these are the values: not where a choice surely takes the other branch.
    fn reached(&self, values: &[Enclosure]) -> Vec<bool> {
        let mut reached = vec![false; self.graph.len()];
        reached[self.root.index()] = true;
        for (k, node) in self.graph.nodes().iter().enumerate().rev() {
            if !reached[k] {
                continue;
            }
            if let TapeNode::If(c, then, otherwise) = node {
                let truth = values[c.index()].as_truth();
                reached[c.index()] = true;
                reached[then.index()] |= truth != Ternary::False;
                reached[otherwise.index()] |= truth != Ternary::True;
            } else {
                node.for_each_operand(|o| reached[o.index()] = true);
            }
        }
        reached
    }

    /// For each node that one operation uses, and that alone, how what comes of it changes with it.
    fn leaps(&self, values: &[Enclosure]) -> Vec<Option<Leap>> {
        let mut leaps: Vec<Option<Leap>> = vec![None; self.graph.len()];
        for node in (0..self.graph.len()).rev() {
            let [user] = self.users_of(node) else { continue };
            let Some(slope) = self.slope(node, *user as usize, values) else { continue };
            leaps[node] = Some(match leaps[*user as usize] {
                Some(on) => Leap { to: on.to, slope: on.slope * slope },
                None => Leap { to: *user, slope },
            });
        }
        leaps
    }

    fn users_of(&self, node: usize) -> &[u32] {
        &self.users[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// By what multiple of it an operation changes with one operand, the other being what it is, wherever the operand has a
    /// value; none where that is not so.
    fn slope(&self, node: usize, user: usize, values: &[Enclosure]) -> Option<Interval> {
        let value = &values[user];
        if !value.def.is_true() {
            return None;
        }
        let TapeNode::Op(op, [a, b, _]) = self.graph.nodes()[user] else { return None };
        let (is_left, one) = (a.index() == node, Interval::point(1.0));
        let other = if is_left { b } else { a };
        match op {
            Op::Add => Some(one),
            Op::Sub => Some(if is_left { one } else { -one }),
            Op::Neg => Some(-one),
            Op::Mul => Some(values[other.index()].x),
            // The divisor is not 0: there is a value.
            Op::Div if is_left => Some(one / values[other.index()].x),
            _ => None,
        }
    }
}

/// The body that a mutant is made from, the places that it changes, and what it has there.
fn edit_of(mutant: &Mutant) -> Option<(&Expr, &[usize], &Expr)> {
    if let Change::Body(body) = &mutant.change { body.edit() } else { None }
}

/// Whether the value of `root` depends on each node.
fn live(graph: &Tape, root: NodeId) -> Vec<bool> {
    let mut live = vec![false; graph.len()];
    live[root.index()] = true;
    for (k, node) in graph.nodes().iter().enumerate().rev() {
        if live[k] {
            node.for_each_operand(|o| live[o.index()] = true);
        }
    }
    live
}

/// The nodes that use each node, one after the other, and where each one's begin.
fn users(graph: &Tape) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0u32; graph.len() + 1];
    graph.nodes().iter().for_each(|n| n.for_each_operand(|o| first[o.index() + 1] += 1));
    for k in 1..first.len() {
        first[k] += first[k - 1];
    }
    let (mut next, mut users) = (first.clone(), vec![0u32; first[graph.len()] as usize]);
    for (user, node) in (0..).zip(graph.nodes()) {
        node.for_each_operand(|o| {
            users[next[o.index()] as usize] = user;
            next[o.index()] += 1;
        });
    }
    (users, first)
}

/// Several operations at once: what a node changes by, times the slope, is what another one changes by.
#[derive(Clone, Copy)]
struct Leap {
    to: u32,
    slope: Interval,
}

/// The formula at a point or on a box.
struct At<'a> {
    sieve: &'a Sieve,
    inputs: &'a [Interval],
    /// Of the graph.
    values: Vec<Enclosure>,
    /// Of the formula's own nodes on the tape of parts.
    own: Vec<Enclosure>,
    leaps: Vec<Option<Leap>>,
    /// See [`Sieve::reached`].
    reached: Vec<bool>,
}

/// Another value of a node, and by how much it differs.
#[derive(Clone, Copy)]
struct Changed {
    value: Enclosure,
    by: Interval,
}

/// Room for judging one mutant after the other.
struct Work<'a> {
    at: &'a At<'a>,
    /// The values of mutants' parts that are known, by place after the formula's own.
    parts: HashMap<NodeId, Enclosure>,
    changed: HashMap<u32, Changed>,
    /// Nodes that have to be looked at.
    next: BinaryHeap<Reverse<u32>>,
}

impl<'a> Work<'a> {
    fn new(at: &'a At<'a>) -> Self {
        Work { at, parts: HashMap::new(), changed: HashMap::new(), next: BinaryHeap::new() }
    }

    /// The margin by which a mutant is surely killed.
    fn kill(&mut self, edit: &Edit) -> Option<f64> {
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
    fn near(&mut self, edit: &Edit) -> Option<f64> {
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
