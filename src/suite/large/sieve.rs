//! Large formulas: each mutant is judged at a point by what it changes. A mutant is another value at a place of the
//! formula, and what that makes of the result is followed from the place up. Where one operand of sums, products and the
//! like changes alone, the result changes by a known multiple of it: the steps between are taken at once. So it costs a few
//! operations to judge a mutant of a formula with ten thousand.
//!
//! Enclosures by intervals with binary64 ends all the way: a kill that is found here is one.

mod work;

use crate::csp::judge::StatusJudge;
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
use work::{At, Leap, Work};

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
