//! Propagation: what each term may be, narrowed from its operands and from what it is used for, until nothing more follows
//! (HC4 of Benhamou, Goualard, Granvilliers and Puget, 1999, over ordinals).

use super::apply;
use super::domain::{TermDomain, bits_of_floats, floats_of_bits};
use super::image;
use super::integers;
use super::op::{Sort, TermOp};
use super::project::{OPERANDS, Rounded, RoundedFunction};
use super::relate;
use super::term::{Graph, Node, Term};
use crate::floats::Format;
use crate::floats::set::FloatSpan;
use std::collections::VecDeque;

/// No values of the unknowns are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Empty;

/// Who uses each term.
#[derive(Clone, Debug)]
pub struct Users(Vec<Vec<u32>>);

impl Users {
    /// Of the terms of a graph.
    #[must_use]
    pub fn new(graph: &Graph) -> Self {
        let mut users = vec![Vec::new(); graph.len()];
        for i in 0..graph.len() {
            for below in graph.operands(graph.node(i)) {
                if users[*below as usize].last() != Some(&(i as u32)) {
                    users[*below as usize].push(i as u32);
                }
            }
        }
        Users(users)
    }
}

/// The state of a propagation; its memory is used again.
#[derive(Debug)]
pub struct Propagator<'g> {
    graph: &'g Graph,
    users: Users,
    domains: Vec<TermDomain>,
    queue: VecDeque<u32>,
    queued: Vec<bool>,
    /// How many terms were looked at.
    pub work: u64,
}

/// Terms are looked at so many times at most, in the mean: then what is left is left. It is never too little.
const ROUNDS: usize = 60;
/// The least part of a domain that counts as progress is one over this.
const LEAST: u64 = 1024;

/// Whether so much was taken away that others are to look again: what comes float by float is left to bisection.
fn is_progress(before: TermDomain, after: TermDomain) -> bool {
    let (a, b) = (before.span(), after.span());
    before.set().nan != after.set().nan || (a != b && b <= a - a / LEAST)
}

impl<'g> Propagator<'g> {
    /// For a graph.
    #[must_use]
    pub fn new(graph: &'g Graph) -> Self {
        let (users, queued) = (Users::new(graph), vec![false; graph.len()]);
        Propagator { graph, users, domains: Vec::new(), queue: VecDeque::new(), queued, work: 0 }
    }

    /// All values, one by one for each term, where nothing is known.
    #[must_use]
    pub fn whole(&self) -> Vec<TermDomain> {
        (0..self.graph.len()).map(|i| TermDomain::all(self.graph.node(i).sort)).collect()
    }

    /// Narrow what terms may be. `from`: the terms of which it is known anew; all where there are none.
    ///
    /// # Errors
    /// If no values of the unknowns are left.
    pub fn run(&mut self, domains: &mut Vec<TermDomain>, from: &[Term]) -> Result<(), Empty> {
        std::mem::swap(&mut self.domains, domains);
        if from.is_empty() {
            (0..self.graph.len() as u32).for_each(|i| self.enqueue(i));
        }
        from.iter().for_each(|t| self.changed(t.index()));
        let mut left = ROUNDS * self.graph.len() + 1000;
        let mut result = Ok(());
        while let Some(next) = self.queue.pop_front() {
            self.queued[next as usize] = false;
            self.work += 1;
            result = self.revise(next as usize);
            left -= 1;
            if result.is_err() || left == 0 {
                break;
            }
        }
        while let Some(rest) = self.queue.pop_front() {
            self.queued[rest as usize] = false;
        }
        std::mem::swap(&mut self.domains, domains);
        result
    }

    fn enqueue(&mut self, i: u32) {
        if !std::mem::replace(&mut self.queued[i as usize], true) {
            self.queue.push_back(i);
        }
    }

    fn changed(&mut self, i: usize) {
        self.enqueue(i as u32);
        for k in 0..self.users.0[i].len() {
            self.enqueue(self.users.0[i][k]);
        }
    }

    fn narrow(&mut self, i: usize, to: TermDomain) -> Result<(), Empty> {
        let before = self.domains[i];
        let after = before.meet(to);
        if after.is_empty() {
            return Err(Empty);
        }
        self.domains[i] = after;
        if is_progress(before, after) {
            self.changed(i);
        }
        Ok(())
    }

    fn narrow_set(&mut self, i: usize, to: FloatSpan) -> Result<(), Empty> {
        self.narrow(i, TermDomain::Set(to))
    }

    fn set(&self, i: usize) -> FloatSpan {
        self.domains[i].set()
    }

    fn format(&self, i: usize) -> Format {
        match self.graph.node(i).sort {
            Sort::Float(format) => format,
            _ => Format::BINARY64,
        }
    }

    /// Whether a truth value is known.
    fn known(&self, i: usize) -> Option<bool> {
        self.domains[i].single().map(|v| v == 1)
    }

    fn settle(&mut self, i: usize, value: bool) -> Result<(), Empty> {
        self.narrow_set(i, FloatSpan::one(value.into()))
    }

    fn revise(&mut self, i: usize) -> Result<(), Empty> {
        let graph = self.graph;
        let node = graph.node(i);
        let below = graph.operands(node);
        let x: [usize; 4] = std::array::from_fn(|k| below.get(k).map_or(0, |b| *b as usize));
        match node.op {
            TermOp::Var(_) | TermOp::Wide(_) => Ok(()),
            TermOp::Const(value) => self.narrow(i, TermDomain::one(node.sort, value)),
            TermOp::Not => {
                let turned = |s: FloatSpan| FloatSpan::between(1 - s.hi, 1 - s.lo);
                self.narrow_set(i, turned(self.set(x[0])))?;
                self.narrow_set(x[0], turned(self.set(i)))
            }
            TermOp::And => self.conjunction(i, below),
            TermOp::Same => self.same(i, x),
            TermOp::Ite => self.choice(i, x),
            TermOp::Rounded(function) => self.rounded(i, function, x),
            TermOp::Library(place) => self.library(i, place, below),
            TermOp::Rem => self.narrow_set(i, image::remainder(self.format(i), self.set(x[0]), self.set(x[1]))),
            TermOp::Min => {
                let [a, b] = [0, 1].map(|k| self.set(x[k]));
                self.narrow_set(i, relate::minimum(a, b))?;
                let z = self.set(i);
                self.narrow_set(x[0], relate::inverse_minimum(a, b, z))?;
                self.narrow_set(x[1], relate::inverse_minimum(b, a, z))
            }
            TermOp::Max => {
                // -min(-x, -y)
                let [a, b] = [0, 1].map(|k| self.set(x[k]).negated());
                self.narrow_set(i, relate::minimum(a, b).negated())?;
                let z = self.set(i).negated();
                self.narrow_set(x[0], relate::inverse_minimum(a, b, z).negated())?;
                self.narrow_set(x[1], relate::inverse_minimum(b, a, z).negated())
            }
            TermOp::Neg => {
                self.narrow_set(i, self.set(x[0]).negated())?;
                self.narrow_set(x[0], self.set(i).negated())
            }
            TermOp::Abs => {
                self.narrow_set(i, self.set(x[0]).absolute())?;
                let (z, [negative, positive]) = (self.set(i), self.set(x[0]).halves());
                let left = positive.meet(z).hull(negative.meet(z.negated()));
                self.narrow_set(x[0], FloatSpan { nan: z.nan, ..left })
            }
            TermOp::Relation(relation) => {
                let (a, b) = (self.set(x[0]), self.set(x[1]));
                self.outcomes(i, relation.outcomes(a, b))?;
                let Some(outcome) = self.known(i) else { return Ok(()) };
                let (a, b) = relation.prune(a, b, outcome);
                self.narrow_set(x[0], a)?;
                self.narrow_set(x[1], b)
            }
            TermOp::Is(_) | TermOp::IsNan | TermOp::IsNegative => self.class(i, node.op, x[0]),
            TermOp::FromBits => {
                let format = self.format(i);
                self.narrow_set(i, floats_of_bits(format, self.domains[x[0]]))?;
                self.narrow(x[0], bits_of_floats(format, self.domains[x[0]], self.set(i)))
            }
            TermOp::FromInteger { .. } | TermOp::ToInteger { .. } | TermOp::Bits(_) => {
                self.of_integers(i, node, x, below.len())
            }
        }
    }

    /// What is known of the outcome of a question.
    fn outcomes(&mut self, i: usize, [fails, holds]: [bool; 2]) -> Result<(), Empty> {
        match (fails, holds) {
            (true, true) => Ok(()),
            (false, false) => Err(Empty),
            (_, holds) => self.settle(i, holds),
        }
    }

    fn conjunction(&mut self, i: usize, below: &[u32]) -> Result<(), Empty> {
        if self.known(i) == Some(true) {
            return below.iter().try_for_each(|b| self.settle(*b as usize, true));
        }
        let mut open = None;
        let mut count = 0;
        for b in below {
            match self.known(*b as usize) {
                Some(false) => return self.settle(i, false),
                Some(true) => {}
                None => {
                    open = Some(*b as usize);
                    count += 1;
                }
            }
        }
        match (open, self.known(i)) {
            (None, _) => self.settle(i, true),
            (Some(last), Some(false)) if count == 1 => self.settle(last, false),
            _ => Ok(()),
        }
    }

    fn same(&mut self, i: usize, x: [usize; 4]) -> Result<(), Empty> {
        let (a, b) = (self.domains[x[0]], self.domains[x[1]]);
        if a.meet(b).is_empty() {
            return self.settle(i, false);
        }
        if self.chosen(x[0]) == self.chosen(x[1]) {
            return self.settle(i, true);
        }
        let (one, other) = (a.single(), b.single());
        if one.is_some() && one == other {
            return self.settle(i, true);
        }
        match self.known(i) {
            Some(true) => {
                self.narrow(x[0], b)?;
                self.narrow(x[1], a)
            }
            Some(false) => {
                one.map_or(Ok(()), |v| self.narrow(x[1], b.without(v)))?;
                other.map_or(Ok(()), |v| self.narrow(x[0], a.without(v)))
            }
            None => Ok(()),
        }
    }

    /// The term that a choice is, where its condition is known; any other term is itself.
    fn chosen(&self, mut i: usize) -> usize {
        loop {
            let node = self.graph.node(i);
            let (TermOp::Ite, [c, a, b]) = (node.op, self.graph.operands(node)) else { return i };
            let Some(first) = self.known(*c as usize) else { return i };
            i = if first { *a } else { *b } as usize;
        }
    }

    fn choice(&mut self, i: usize, [c, a, b, _]: [usize; 4]) -> Result<(), Empty> {
        match self.known(c) {
            None => {
                let z = self.domains[i];
                let fits = [b, a].map(|k| !self.domains[k].meet(z).is_empty());
                self.outcomes(c, fits)?;
                self.narrow(i, self.domains[a].hull(self.domains[b]))
            }
            Some(first) => {
                // It is the same as that term, whatever that is.
                for k in 0..self.users.0[i].len() {
                    let user = self.users.0[i][k];
                    if self.graph.node(user as usize).op == TermOp::Same {
                        self.enqueue(user);
                    }
                }
                let chosen = if first { a } else { b };
                self.narrow(i, self.domains[chosen])?;
                self.narrow(chosen, self.domains[i])
            }
        }
    }

    fn rounded(&mut self, i: usize, function: RoundedFunction, x: [usize; 4]) -> Result<(), Empty> {
        let format = self.format(x[1]);
        let n = function.operands();
        let mut operands = [FloatSpan::EMPTY; OPERANDS];
        (0..n).for_each(|k| operands[k] = self.set(x[k + 1]));
        let modes = self.set(x[0]);
        let z = self.set(i);
        let (mut fitting, mut image) = (FloatSpan::EMPTY, FloatSpan::EMPTY);
        let each = |place: i64| Rounded { function, format, mode: apply::mode(place) };
        for place in modes.lo..=modes.hi {
            let result = each(place).direct(operands);
            if !result.meet(z).is_empty() {
                fitting = fitting.hull(FloatSpan::one(place));
                image = image.hull(result);
            }
        }
        self.narrow_set(x[0], fitting)?;
        self.narrow_set(i, image)?;
        let z = self.set(i);
        if z == image {
            // Every operand has its result there.
            return Ok(());
        }
        for k in 0..n {
            let mut left = FloatSpan::EMPTY;
            for place in fitting.lo..=fitting.hi {
                left = left.hull(each(place).inverse(k, operands, z));
            }
            self.narrow_set(x[k + 1], left)?;
            operands[k] = self.set(x[k + 1]);
        }
        Ok(())
    }

    fn library(&mut self, i: usize, place: u32, below: &[u32]) -> Result<(), Empty> {
        let function = self.graph.library(place);
        let mut operands: Vec<FloatSpan> = below.iter().map(|b| self.set(*b as usize)).collect();
        let points: Option<Vec<i64>> = operands.iter().map(|s| s.single()).collect();
        if let Some(points) = points {
            return self.narrow_set(i, FloatSpan::one(function.value(&points)));
        }
        self.narrow_set(i, function.image(&operands))?;
        function.preimage(&mut operands, self.set(i));
        below.iter().zip(operands).try_for_each(|(b, left)| self.narrow_set(*b as usize, left))
    }

    fn class(&mut self, i: usize, op: TermOp, x: usize) -> Result<(), Empty> {
        let (fails, holds) = image::class(op, self.format(x), self.set(x));
        self.outcomes(i, [!fails.is_empty(), !holds.is_empty()])?;
        match self.known(i) {
            Some(outcome) => self.narrow_set(x, if outcome { holds } else { fails }),
            None => Ok(()),
        }
    }

    fn of_integers(&mut self, i: usize, node: Node, x: [usize; 4], count: usize) -> Result<(), Empty> {
        let sorts: [Sort; 2] = std::array::from_fn(|k| self.graph.node(x[k]).sort);
        let mut below = [TermDomain::Bits(0, 0); 2];
        (0..count).for_each(|k| below[k] = self.domains[x[k]]);
        let (z, below) = integers::project(node.op, (node.sort, sorts), self.domains[i], below, count);
        self.narrow(i, z)?;
        (0..count).try_for_each(|k| self.narrow(x[k], below[k]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::float::relate::TermRelation;

    /// x < y < z and so on, the last comparison first: each tells of the next number only what it knows itself.
    #[test]
    fn what_is_known_is_passed_on_along_a_chain() {
        const LENGTH: usize = 10;
        let (format, mut graph) = (Format::BINARY32, Graph::default());
        let all: Vec<Term> = (0..LENGTH).map(|_| graph.variable(Sort::Float(format))).collect();
        let less = TermOp::Relation(TermRelation::Less);
        let chain: Vec<Term> = all.windows(2).rev().map(|pair| graph.apply(less, Sort::Bool, pair)).collect();
        let root = graph.all(&chain);
        let mut propagator = Propagator::new(&graph);
        let one = format.ordinal(1.0);
        for is_first in [true, false] {
            let mut domains = propagator.whole();
            domains[root.index()] = TermDomain::one(Sort::Bool, 1);
            let (known, range) = if is_first {
                (all[0], FloatSpan::between(one, format.infinity()))
            } else {
                (all[LENGTH - 1], FloatSpan::between(format.minus_infinity(), one))
            };
            domains[known.index()] = TermDomain::Set(range);
            assert!(propagator.run(&mut domains, &[]).is_ok());
            for (k, term) in (0..).zip(&all) {
                let set = domains[term.index()].set();
                let last = LENGTH as i64 - 1;
                assert!(!set.nan && if is_first { set.lo >= one + k } else { set.hi <= one - (last - k) }, "{set:?}");
            }
        }
    }
}
