//! Arrays: what is read from them, place by place, and when two are the same.
//!
//! What is read from a written array is what was written where the place is the same, else what is read from the array before. An
//! array that is declared is a function of its places. That two arrays are the same says so of all places that are named
//! anywhere, and of one more for all others; that they are not names a place at which they differ (after Stump, Barrett,
//! Dill and Levitt, *A Decision Procedure for an Extensional Theory of Arrays*, 2001).

use super::functions::{Function, Functions, is_used, surely_differ};
use crate::num::Integer;
use crate::solve::float::{Graph, Sort, Term, TermOp};
use std::collections::{BTreeSet, HashMap};

/// An array, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Array(usize);

/// The sorts of places and of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ArraySort {
    pub(super) index: Sort,
    pub(super) element: Sort,
}

/// What an array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    /// A declared one: a function, and what it is at places that nothing names.
    Unknown {
        function: Function,
        elsewhere: Term,
    },
    /// The same value everywhere.
    Constant(Term),
    Store {
        before: Array,
        index: Term,
        value: Term,
    },
    Choice {
        condition: Term,
        holds: Array,
        fails: Array,
    },
}

/// That two arrays are the same, as a truth value.
#[derive(Clone, Copy, Debug)]
struct Equality {
    same: Term,
    arrays: [Array; 2],
    /// Where they differ if they do.
    witness: Term,
}

/// All arrays of a script.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrays {
    nodes: Vec<(ArraySort, Node)>,
    known: HashMap<(ArraySort, Node), Array>,
    reads: HashMap<(Array, Term), Term>,
    equalities: Vec<Equality>,
    same: HashMap<[Array; 2], Term>,
    /// The places that are named, by the sort of arrays, in order.
    places: HashMap<ArraySort, BTreeSet<Term>>,
}

/// The most places at which arrays that are the same are looked at.
const MOST_PLACES: usize = 3000;

impl Arrays {
    fn push(&mut self, sort: ArraySort, node: Node) -> Array {
        if let Some(known) = self.known.get(&(sort, node)) {
            return *known;
        }
        let array = Array(self.nodes.len());
        self.nodes.push((sort, node));
        self.known.insert((sort, node), array);
        array
    }

    /// A new unknown.
    pub(super) fn declare(&mut self, graph: &mut Graph, functions: &mut Functions, sort: ArraySort) -> Array {
        let (function, elsewhere) = (functions.declare(), graph.variable(sort.element));
        self.push(sort, Node::Unknown { function, elsewhere })
    }

    /// The array that has one value everywhere.
    pub(super) fn constant(&mut self, sort: ArraySort, value: Term) -> Array {
        self.push(sort, Node::Constant(value))
    }

    /// The sort of an array.
    pub(super) fn sort(&self, array: Array) -> ArraySort {
        self.nodes[array.0].0
    }

    /// An array with one value written.
    pub(super) fn store(&mut self, before: Array, index: Term, value: Term) -> Array {
        let sort = self.sort(before);
        self.places.entry(sort).or_default().insert(index);
        self.push(sort, Node::Store { before, index, value })
    }

    /// One array or another.
    pub(super) fn choice(&mut self, graph: &Graph, condition: Term, [holds, fails]: [Array; 2]) -> Array {
        match graph.constant_value(condition) {
            Some(1) => holds,
            Some(_) => fails,
            None if holds == fails => holds,
            None => self.push(self.sort(holds), Node::Choice { condition, holds, fails }),
        }
    }

    /// What an array has at a place.
    pub(super) fn select(&mut self, graph: &mut Graph, functions: &mut Functions, array: Array, index: Term) -> Term {
        self.places.entry(self.sort(array)).or_default().insert(index);
        self.read(graph, functions, array, Some(index))
    }

    /// The same, without naming the place; nothing is the place that nothing names.
    fn read(&mut self, graph: &mut Graph, functions: &mut Functions, array: Array, index: Option<Term>) -> Term {
        let element = self.sort(array).element;
        let (mut writes, mut at) = (Vec::new(), array);
        let mut value = loop {
            if let Some(known) = index.and_then(|i| self.reads.get(&(at, i))) {
                break *known;
            }
            match self.nodes[at.0].1 {
                Node::Store { before, index: place, value } => {
                    let Some(index) = index.filter(|i| !surely_differ(graph, *i, place)) else {
                        at = before;
                        continue;
                    };
                    if index == place {
                        break value;
                    }
                    let same = graph.apply(TermOp::Same, Sort::Bool, &[index, place]);
                    writes.push((at, same, value));
                    at = before;
                }
                Node::Constant(value) => break value,
                Node::Unknown { function, elsewhere } => {
                    break index.map_or(elsewhere, |i| functions.apply(graph, function, &[i], element));
                }
                Node::Choice { condition, holds, fails } => {
                    let a = self.read(graph, functions, holds, index);
                    let b = self.read(graph, functions, fails, index);
                    break graph.apply(TermOp::Ite, element, &[condition, a, b]);
                }
            }
        };
        if let Some(index) = index {
            self.reads.insert((at, index), value);
            for (array, same, written) in writes.into_iter().rev() {
                value = graph.apply(TermOp::Ite, element, &[same, written, value]);
                self.reads.insert((array, index), value);
            }
            self.reads.insert((array, index), value);
        }
        value
    }

    /// Whether two arrays are the same.
    pub(super) fn same(&mut self, graph: &mut Graph, functions: &mut Functions, a: Array, b: Array) -> Term {
        if a == b {
            return graph.truth(true);
        }
        let arrays = [a.min(b), a.max(b)];
        if let Some(known) = self.same.get(&arrays) {
            return *known;
        }
        let (same, witness) = (graph.variable(Sort::Bool), graph.variable(self.sort(a).index));
        self.same.insert(arrays, same);
        self.equalities.push(Equality { same, arrays, witness });
        for array in arrays {
            self.select(graph, functions, array, witness);
        }
        same
    }

    /// What follows of arrays that are the same or are not, as far as that is used; `None` where it is too much.
    pub(super) fn lemmas(&mut self, graph: &mut Graph, functions: &mut Functions, used: &[bool]) -> Option<Vec<Term>> {
        let mut lemmas = Vec::new();
        for Equality { same, arrays: [a, b], witness } in self.equalities.clone() {
            if !is_used(used, same) {
                continue;
            }
            let [x, y] = [a, b].map(|array| self.read(graph, functions, array, Some(witness)));
            let alike = graph.apply(TermOp::Same, Sort::Bool, &[x, y]);
            let differ = graph.not(alike);
            lemmas.push(graph.any(&[same, differ]));
            let not_same = graph.not(same);
            for place in self.all_places(graph, self.sort(a))? {
                let [x, y] = [a, b].map(|array| self.read(graph, functions, array, place));
                let alike = graph.apply(TermOp::Same, Sort::Bool, &[x, y]);
                lemmas.push(graph.any(&[not_same, alike]));
            }
            if crate::halt::requested() {
                return None;
            }
        }
        Some(lemmas)
    }

    /// The places that are named, and one for the others where there are others; all there are where those are few.
    fn all_places(&self, graph: &mut Graph, sort: ArraySort) -> Option<Vec<Option<Term>>> {
        let named: Vec<Option<Term>> = self.places.get(&sort).into_iter().flatten().copied().map(Some).collect();
        let count = match sort.index {
            Sort::Bool => 2,
            Sort::Mode => 5,
            Sort::Bits(width) if width < 16 => 1usize << width,
            Sort::Float(format) if format.width() < 16 => 1usize << format.width(),
            _ => usize::MAX,
        };
        if named.len() < count {
            return (named.len() <= MOST_PLACES).then(|| named.into_iter().chain([None]).collect());
        }
        let all = (0..count).map(|k| Some(graph.constant_of_bits(sort.index, &Integer::from(k)))).collect();
        (count <= MOST_PLACES).then_some(all)
    }

    /// What a declared array, as a function, is at places that nothing names.
    pub(super) fn elsewhere(&self, of: Function) -> Option<Term> {
        self.nodes.iter().find_map(|(_, node)| match node {
            Node::Unknown { function, elsewhere } if *function == of => Some(*elsewhere),
            _ => None,
        })
    }

    /// What an array is, in the values of all terms: what it has at places, the last of them first to be asked, and elsewhere.
    pub(super) fn value(
        &self,
        functions: &Functions,
        array: Array,
        values: &[Integer],
        used: &[bool],
    ) -> (Vec<(Integer, Integer)>, Integer) {
        let at = |t: Term| values.get(t.index()).cloned().unwrap_or_default();
        let mut writes = Vec::new();
        let mut array = array;
        let (mut entries, elsewhere) = loop {
            match self.nodes[array.0].1 {
                Node::Constant(value) => break (Vec::new(), at(value)),
                Node::Unknown { function, elsewhere } => {
                    let applications = functions.of(function).iter().filter(|a| is_used(used, a.result));
                    break (applications.map(|a| (at(a.operands[0]), at(a.result))).collect(), at(elsewhere));
                }
                Node::Store { before, index, value } => {
                    writes.push((at(index), at(value)));
                    array = before;
                }
                Node::Choice { condition, holds, fails } => array = if at(condition) == 1 { holds } else { fails },
            }
        };
        entries.extend(writes.into_iter().rev());
        (entries, elsewhere)
    }
}
