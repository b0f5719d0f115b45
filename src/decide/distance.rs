//! How far values of the unknowns are from making formulas true: what the search lowers.
//!
//! A comparison is missed by as many floats as lie between its operands, counted as the logarithm of their number (Fu and Su,
//! *XSat*, 2016, with floats in the place of differences); a conjunction by the sum of its parts, a disjunction by its least.

use crate::floats::ordinal::{NAN, rank_of};
use crate::solve::float::relate::TermRelation;
use crate::solve::float::{Graph, Sort, Term, TermOp};

/// What a comparison misses that is not counted in floats: one with NaN, or a class.
const FAR: f64 = 70.0;

/// For each term that is true or false, how far it is from false and from true.
pub(super) struct Distances {
    far: Vec<[f64; 2]>,
}

impl Distances {
    pub(super) fn new() -> Self {
        Distances { far: Vec::new() }
    }

    /// How far all the formulas are from true, 0 where they are, for the values of all terms.
    pub(super) fn of(&mut self, graph: &Graph, roots: &[Term], values: &[i64]) -> f64 {
        self.far.clear();
        for term in graph.terms() {
            let far = if graph.sort(term) == Sort::Bool { self.one(graph, term, values) } else { [0.0; 2] };
            self.far.push(far);
        }
        roots.iter().map(|r| self.far[r.index()][1]).sum()
    }

    fn one(&self, graph: &Graph, term: Term, values: &[i64]) -> [f64; 2] {
        let below = graph.below(term);
        let far = |t: Term| self.far[t.index()];
        let at = |k: usize| values[below[k].index()];
        let holds = values[term.index()] == 1;
        // What it is takes no step; the other takes so many.
        let settled = |gap: f64| if holds { [gap, 0.0] } else { [0.0, gap] };
        match graph.op(term) {
            TermOp::Not => {
                let [no, yes] = far(below[0]);
                [yes, no]
            }
            TermOp::And => {
                let all = below.iter().map(|t| far(*t)[1]).sum();
                let none = below.iter().map(|t| far(*t)[0]).fold(f64::INFINITY, f64::min);
                [none, all]
            }
            TermOp::Ite => {
                let [c, a, b] = [far(below[0]), far(below[1]), far(below[2])];
                [0, 1].map(|want| (c[1] + a[want]).min(c[0] + b[want]))
            }
            TermOp::Same if graph.sort(below[0]) == Sort::Bool => {
                let [a, b] = [far(below[0]), far(below[1])];
                [(a[0] + b[1]).min(a[1] + b[0]), (a[0] + b[0]).min(a[1] + b[1])]
            }
            TermOp::Same if matches!(graph.sort(below[0]), Sort::Float(_)) => settled(gap(at(0), at(1), 0)),
            TermOp::Relation(relation) => {
                let strict = u64::from((relation == TermRelation::Less) != holds);
                settled(gap(rank_of(at(0)), rank_of(at(1)), strict))
            }
            TermOp::Library(place) => {
                let operands: Vec<i64> = below.iter().map(|t| values[t.index()]).collect();
                settled(graph.library(place).miss(&operands).unwrap_or(FAR))
            }
            _ => settled(FAR),
        }
    }
}

/// The logarithm of the number of floats between two values, and of one at least where they are equal or `more`.
fn gap(x: i64, y: i64, more: u64) -> f64 {
    if (x == NAN) != (y == NAN) {
        return FAR;
    }
    (1.0 + x.abs_diff(y).saturating_add(more).max(1) as f64).log2()
}
