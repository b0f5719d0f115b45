//! Unknowns that a formula says the value of are no unknowns: `x = t` puts `t` in the place of `x`.

use super::op::TermOp;
use super::orders::consequences;
use super::relate::TermRelation;
use super::term::{Graph, Term};

/// A question without the unknowns that follow from others.
#[derive(Debug)]
pub struct Eliminated {
    /// Its terms.
    pub graph: Graph,
    /// What is to be true: no conjunction is left among them.
    pub roots: Vec<Term>,
    /// The term for each unknown of the question as it was; none where it does not matter.
    pub unknowns: Vec<Option<Term>>,
}

/// The same question with fewer unknowns: values that solve it give values of all of them that solve what was asked, and
/// every solution of that is found so.
#[must_use]
pub fn eliminate(graph: &Graph, roots: &[Term]) -> Eliminated {
    eliminated(graph, roots, false)
}

/// The same where floats that are equal are the same, too: values that solve it give values that solve what was asked, but zeros
/// of other signs are lost, so that it may have no solution where that has one.
#[must_use]
pub fn eliminate_equal(graph: &Graph, roots: &[Term]) -> Eliminated {
    eliminated(graph, roots, true)
}

fn eliminated(graph: &Graph, roots: &[Term], equal: bool) -> Eliminated {
    let mut definitions: Vec<Option<Definition>> = vec![None; graph.variables().len()];
    for root in roots {
        for part in parts(graph, *root) {
            define(graph, part, equal, &mut definitions);
        }
    }
    let mut to = Graph::default();
    graph.libraries().iter().for_each(|f| _ = to.add_library(f.clone()));
    let mut copy = Copy { from: graph, to, copies: vec![None; graph.len()], definitions };
    let copied: Vec<Term> = roots.iter().map(|r| copy.term(*r)).collect();
    let unknowns = graph.variables().iter().map(|v| copy.reached(*v)).collect();
    let mut graph = copy.to;
    let all = graph.all(&copied);
    let mut roots = parts(&graph, all);
    roots.extend(consequences(&mut graph, &roots));
    let all = graph.all(&roots);
    Eliminated { roots: parts(&graph, all), graph, unknowns }
}

/// What an unknown is.
#[derive(Clone, Copy, Debug)]
enum Definition {
    Term(Term),
    Truth(bool),
}

/// The parts of a conjunction.
fn parts(graph: &Graph, root: Term) -> Vec<Term> {
    if graph.op(root) == TermOp::And { graph.below(root) } else { vec![root] }
}

fn variable(graph: &Graph, term: Term) -> Option<usize> {
    match graph.op(term) {
        TermOp::Var(number) => Some(number as usize),
        _ => None,
    }
}

/// Take what is true as the definition of an unknown that has none yet.
fn define(graph: &Graph, truth: Term, equal: bool, definitions: &mut [Option<Definition>]) {
    match graph.op(truth) {
        TermOp::Var(number) if definitions[number as usize].is_none() => {
            definitions[number as usize] = Some(Definition::Truth(true));
        }
        TermOp::Not => {
            if let Some(v) = variable(graph, graph.below(truth)[0])
                && definitions[v].is_none()
            {
                definitions[v] = Some(Definition::Truth(false));
            }
        }
        op if op == TermOp::Same || (equal && op == TermOp::Relation(TermRelation::Equal)) => {
            let below = graph.below(truth);
            for (x, t) in [(below[0], below[1]), (below[1], below[0])] {
                if let Some(v) = variable(graph, x)
                    && definitions[v].is_none()
                    && !uses(graph, t, v, definitions)
                {
                    definitions[v] = Some(Definition::Term(t));
                    return;
                }
            }
        }
        _ => {}
    }
}

/// Whether a term is made of an unknown, by definitions too.
fn uses(graph: &Graph, term: Term, unknown: usize, definitions: &[Option<Definition>]) -> bool {
    let mut seen = vec![false; graph.len()];
    let mut next = vec![term];
    while let Some(term) = next.pop() {
        if std::mem::replace(&mut seen[term.index()], true) {
            continue;
        }
        match variable(graph, term) {
            Some(v) if v == unknown => return true,
            Some(v) => {
                if let Some(Definition::Term(t)) = definitions[v] {
                    next.push(t);
                }
            }
            None => next.extend(graph.below(term)),
        }
    }
    false
}

/// A graph on its way into another one.
struct Copy<'g> {
    from: &'g Graph,
    to: Graph,
    copies: Vec<Option<Term>>,
    definitions: Vec<Option<Definition>>,
}

impl Copy<'_> {
    /// The copy of a term; without recursion, as formulas may be deep.
    fn term(&mut self, root: Term) -> Term {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.copies[term.index()].is_some() {
                stack.pop();
                continue;
            }
            let below = self.below(term);
            let missing: Vec<Term> = below.iter().copied().filter(|t| self.copies[t.index()].is_none()).collect();
            if missing.is_empty() {
                let operands: Vec<Term> = below.iter().filter_map(|t| self.copies[t.index()]).collect();
                self.copies[term.index()] = Some(self.one(term, &operands));
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
        self.copies[root.index()].unwrap_or(root)
    }

    /// What has to be copied first.
    fn below(&self, term: Term) -> Vec<Term> {
        match variable(self.from, term).map(|v| self.definitions[v]) {
            Some(Some(Definition::Term(t))) => vec![t],
            Some(_) => Vec::new(),
            None => self.from.below(term),
        }
    }

    fn one(&mut self, term: Term, operands: &[Term]) -> Term {
        let sort = self.from.sort(term);
        match self.from.op(term) {
            TermOp::Var(number) => match self.definitions[number as usize] {
                Some(Definition::Term(_)) => operands[0],
                Some(Definition::Truth(value)) => self.to.truth(value),
                None => self.to.variable(sort),
            },
            TermOp::Const(value) => self.to.constant(sort, value),
            TermOp::Wide(_) => {
                let bits = self.from.constant_bits(term).unwrap_or_default();
                self.to.constant_of_bits(sort, &bits)
            }
            TermOp::Not => self.to.not(operands[0]),
            TermOp::And => self.to.all(operands),
            op => self.to.apply(op, sort, operands),
        }
    }

    /// The term for an unknown: as it was copied, or from its definition.
    fn reached(&mut self, unknown: Term) -> Option<Term> {
        let defined = variable(self.from, unknown).and_then(|v| self.definitions[v]);
        match (self.copies[unknown.index()], defined) {
            (None, Some(_)) => Some(self.term(unknown)),
            (copy, _) => copy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Format;
    use crate::solve::float::Sort;

    #[test]
    fn an_unknown_gives_way_to_a_term_that_is_not_made_of_it() {
        let sort = Sort::Float(Format::new(3, 2).expect("a format"));
        let mut graph = Graph::default();
        let [x, y] = [(); 2].map(|()| graph.variable(sort));
        let (minus, size) = (graph.apply(TermOp::Neg, sort, &[y]), graph.apply(TermOp::Abs, sort, &[x]));
        let mut same = |a, b| graph.apply(TermOp::Same, Sort::Bool, &[a, b]);
        let (by_other, by_itself, in_a_circle) = (same(x, minus), same(x, size), same(y, size));
        for roots in [&[by_other][..], &[by_itself], &[by_other, in_a_circle]] {
            assert_eq!(eliminate(&graph, roots).graph.variables().len(), 1, "{roots:?}");
        }
    }
}
