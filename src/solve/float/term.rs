//! Formulas over floats as one graph: terms that are used twice are one node, and a node comes after those it uses.

use super::apply;
use super::exact;
use super::library::Library;
use super::op::{BitsOp, Sort, TermOp};
use super::project::RoundedFunction;
use super::relate::TermRelation;
use crate::floats::Rounding;
use crate::num::Integer;
use std::collections::HashMap;
use std::sync::Arc;

/// A term: its place in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(super) u32);

impl Term {
    /// Its place.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) op: TermOp,
    pub(super) sort: Sort,
    first: u32,
    count: u32,
}

/// A graph of terms.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    operands: Vec<u32>,
    known: HashMap<(TermOp, Sort, Vec<u32>), u32>,
    variables: Vec<Term>,
    libraries: Vec<Arc<dyn Library>>,
    wides: Vec<Integer>,
    has_wide: bool,
}

impl Graph {
    /// How many nodes it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Every term, those that others use before them.
    pub fn terms(&self) -> impl Iterator<Item = Term> + use<> {
        (0..self.nodes.len() as u32).map(Term)
    }

    /// The unknowns, in order of their numbers.
    #[must_use]
    pub fn variables(&self) -> &[Term] {
        &self.variables
    }

    /// The sort of a term.
    #[must_use]
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }

    pub(super) fn node(&self, i: usize) -> Node {
        self.nodes[i]
    }

    pub(super) fn operands(&self, node: Node) -> &[u32] {
        &self.operands[node.first as usize..(node.first + node.count) as usize]
    }

    /// What a term is.
    #[must_use]
    pub fn op(&self, term: Term) -> TermOp {
        self.nodes[term.index()].op
    }

    /// The operands of a term.
    #[must_use]
    pub fn below(&self, term: Term) -> Vec<Term> {
        self.operands(self.nodes[term.index()]).iter().map(|i| Term(*i)).collect()
    }

    /// The value of a constant.
    #[must_use]
    pub fn constant_value(&self, term: Term) -> Option<i64> {
        match self.op(term) {
            TermOp::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The bits of a constant, of any sort.
    #[must_use]
    pub fn constant_bits(&self, term: Term) -> Option<Integer> {
        match self.op(term) {
            TermOp::Const(value) => Some(exact::bits_of(self.sort(term), value)),
            TermOp::Wide(place) => Some(self.wides[place as usize].clone()),
            _ => None,
        }
    }

    /// The function of a library that a graph has at a place.
    #[must_use]
    pub fn library(&self, place: u32) -> &dyn Library {
        &*self.libraries[place as usize]
    }

    /// Whether there is a function of a library.
    #[must_use]
    pub fn has_library(&self) -> bool {
        !self.libraries.is_empty()
    }

    /// The functions of libraries, in order of their places.
    pub(super) fn libraries(&self) -> &[Arc<dyn Library>] {
        &self.libraries
    }

    /// Take in a function of a library: its place.
    pub fn add_library(&mut self, function: Arc<dyn Library>) -> u32 {
        let known = self.libraries.iter().position(|f| f.name() == function.name());
        let place = known.unwrap_or_else(|| {
            self.libraries.push(function);
            self.libraries.len() - 1
        });
        place as u32
    }

    /// Which terms some others are made of, by place; these as well.
    #[must_use]
    pub fn used_by(&self, roots: &[Term]) -> Vec<bool> {
        let mut used = vec![false; self.len()];
        roots.iter().for_each(|r| used[r.index()] = true);
        for i in (0..self.len()).rev() {
            if used[i] {
                self.operands(self.nodes[i]).iter().for_each(|k| used[*k as usize] = true);
            }
        }
        used
    }

    /// Values of the unknowns that are not wide, from their bits.
    #[must_use]
    pub fn narrow(&self, bits: &[Integer]) -> Vec<i64> {
        self.variables.iter().zip(bits).map(|(v, x)| exact::narrow(self.sort(*v), x)).collect()
    }

    /// A new unknown.
    pub fn variable(&mut self, sort: Sort) -> Term {
        let number = self.variables.len() as u32;
        let term = self.push(TermOp::Var(number), sort, &[]);
        self.variables.push(term);
        term
    }

    /// A value.
    pub fn constant(&mut self, sort: Sort, value: i64) -> Term {
        if sort.is_wide() {
            return self.constant_of_bits(sort, &Integer::from(value));
        }
        self.push(TermOp::Const(value), sort, &[])
    }

    /// A value of any sort, from its bits.
    pub fn constant_of_bits(&mut self, sort: Sort, bits: &Integer) -> Term {
        if !sort.is_wide() {
            return self.constant(sort, exact::narrow(sort, bits));
        }
        let known = self.wides.iter().position(|w| w == bits);
        let place = known.unwrap_or_else(|| {
            self.wides.push(bits.clone());
            self.wides.len() - 1
        });
        self.push(TermOp::Wide(place as u32), sort, &[])
    }

    /// Whether any term is of a sort that is wide.
    #[must_use]
    pub fn has_wide(&self) -> bool {
        self.has_wide
    }

    /// Whether a sort that is wide is among those of some terms and of what they are made of.
    #[must_use]
    pub fn is_wide(&self, roots: &[Term]) -> bool {
        let used = self.used_by(roots);
        self.terms().any(|t| used[t.index()] && self.sort(t).is_wide())
    }

    /// True or false.
    pub fn truth(&mut self, value: bool) -> Term {
        self.constant(Sort::Bool, value.into())
    }

    /// A direction.
    pub fn mode(&mut self, mode: Rounding) -> Term {
        let place = Rounding::ALL.iter().position(|m| *m == mode).unwrap_or_default();
        self.constant(Sort::Mode, place as i64)
    }

    /// A term of terms that fit the operation, which the caller has checked; simplified where it is plain what it is.
    pub fn apply(&mut self, op: TermOp, sort: Sort, operands: &[Term]) -> Term {
        match op {
            TermOp::Not => return self.not(operands[0]),
            TermOp::And => return self.all(operands),
            TermOp::Same if operands[0] == operands[1] => return self.truth(true),
            TermOp::Same if self.sort(operands[0]) == Sort::Bool => {
                for (a, b) in [(0, 1), (1, 0)] {
                    match self.constant_value(operands[a]) {
                        Some(0) => return self.not(operands[b]),
                        Some(_) => return operands[b],
                        None => {}
                    }
                }
            }
            TermOp::Ite => match self.constant_value(operands[0]) {
                Some(0) => return operands[2],
                Some(_) => return operands[1],
                None if operands[1] == operands[2] => return operands[1],
                None => {}
            },
            // A number is no less than itself, and equal to it; NaN is not.
            TermOp::Relation(TermRelation::Less) if operands[0] == operands[1] => return self.truth(false),
            TermOp::Relation(_) if operands[0] == operands[1] => {
                let nan = self.apply(TermOp::IsNan, Sort::Bool, &operands[..1]);
                return self.not(nan);
            }
            TermOp::Rounded(RoundedFunction::Mul) if operands[1] == operands[2] => {
                return self.apply(TermOp::Rounded(RoundedFunction::Square), sort, &operands[..2]);
            }
            _ => {}
        }
        let sorts: Vec<Sort> = operands.iter().map(|t| self.sort(*t)).collect();
        if sort.is_wide() || sorts.iter().any(|s| s.is_wide()) {
            return self.apply_wide(op, sort, operands, &sorts);
        }
        let constants: Option<Vec<i64>> = operands.iter().map(|t| self.constant_value(*t)).collect();
        if let Some(values) = constants {
            let value = match op {
                TermOp::Library(place) => Some(self.library(place).value(&values)),
                _ => apply::of(op, sort, &sorts, &values),
            };
            if let Some(value) = value {
                return self.constant(sort, value);
            }
        }
        if let TermOp::Bits(op) = op
            && let Some(simpler) = self.sliced(op, sort, operands)
        {
            return simpler;
        }
        if let Some(simpler) = self.rewritten(op, sort, operands) {
            return simpler;
        }
        let operands: Vec<u32> = operands.iter().map(|t| t.0).collect();
        self.push(op, sort, &operands)
    }

    /// A term that is there already.
    pub(super) fn existing(&self, op: TermOp, sort: Sort, operands: &[Term]) -> Option<Term> {
        let operands: Vec<u32> = operands.iter().map(|t| t.0).collect();
        self.known.get(&(op, sort, operands)).map(|t| Term(*t))
    }

    /// The same, where a sort is wide.
    fn apply_wide(&mut self, op: TermOp, sort: Sort, operands: &[Term], sorts: &[Sort]) -> Term {
        let constants: Option<Vec<Integer>> = operands.iter().map(|t| self.constant_bits(*t)).collect();
        if let Some(values) = constants
            && let Some(bits) = exact::one(op, sort, &|k| sorts[k], &values)
        {
            return self.constant_of_bits(sort, &bits);
        }
        if let TermOp::Bits(op @ (BitsOp::Extract(_) | BitsOp::Concat)) = op
            && let Some(simpler) = self.sliced(op, sort, operands)
        {
            return simpler;
        }
        if let Some(simpler) = self.rewritten(op, sort, operands) {
            return simpler;
        }
        let operands: Vec<u32> = operands.iter().map(|t| t.0).collect();
        self.push(op, sort, &operands)
    }

    /// Not.
    pub fn not(&mut self, term: Term) -> Term {
        match self.op(term) {
            TermOp::Const(value) => self.truth(value == 0),
            TermOp::Not => self.below(term)[0],
            _ => self.push(TermOp::Not, Sort::Bool, &[term.0]),
        }
    }

    /// All of them.
    pub fn all(&mut self, terms: &[Term]) -> Term {
        let mut left: Vec<u32> = Vec::new();
        for term in terms {
            match self.op(*term) {
                TermOp::Const(0) => return *term,
                TermOp::Const(_) => {}
                TermOp::And => left.extend(self.below(*term).iter().map(|t| t.0)),
                _ => left.push(term.0),
            }
        }
        left.sort_unstable();
        left.dedup();
        let denies =
            |t: &u32| self.op(Term(*t)) == TermOp::Not && left.binary_search(&self.below(Term(*t))[0].0).is_ok();
        if left.iter().any(denies) {
            return self.truth(false);
        }
        match left[..] {
            [] => self.truth(true),
            [one] => Term(one),
            _ => self.push(TermOp::And, Sort::Bool, &left),
        }
    }

    /// One of them.
    pub fn any(&mut self, terms: &[Term]) -> Term {
        let negated: Vec<Term> = terms.iter().map(|t| self.not(*t)).collect();
        let none = self.all(&negated);
        self.not(none)
    }

    fn push(&mut self, op: TermOp, sort: Sort, operands: &[u32]) -> Term {
        let key = (op, sort, operands.to_vec());
        if let Some(known) = self.known.get(&key) {
            return Term(*known);
        }
        let node = Node { op, sort, first: self.operands.len() as u32, count: operands.len() as u32 };
        let at = self.nodes.len() as u32;
        self.has_wide |= sort.is_wide();
        self.operands.extend(operands);
        self.nodes.push(node);
        self.known.insert(key, at);
        Term(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjunctions_of_conjunctions_are_one() {
        let mut graph = Graph::default();
        let [a, b, c] = [(); 3].map(|()| graph.variable(Sort::Bool));
        let whole = graph.all(&[a, b, c]);
        let (not, no, yes) = (graph.not(a), graph.truth(false), graph.truth(true));
        for [p, q, r] in [[a, b, c], [b, c, a], [c, a, b]] {
            let inner = graph.all(&[p, q]);
            assert_eq!([graph.all(&[inner, r]), graph.all(&[r, yes, inner]), graph.all(&[inner, whole])], [whole; 3]);
        }
        assert_eq!([graph.all(&[whole, not]), graph.all(&[not, whole]), graph.all(&[whole, no])], [no; 3]);
        assert_eq!([graph.all(&[a, a]), graph.all(&[]), graph.all(&[yes, a])], [a, yes, a]);
    }
}
