//! What a comparison of two terms says of other comparisons of the same two, and of their difference.
//!
//! Sets of values do not know that `x < y` and `y < x` exclude each other. Two values are in one of four relations: less, equal,
//! greater, or unordered where one is NaN. A difference has the sign of the comparison in every direction of rounding, as results
//! below the normal numbers are exact.

use super::op::{Op, Sort};
use super::project::Function;
use super::relate::Relation;
use super::term::{Graph, Term};
use std::collections::HashMap;

/// Relations that two values may be in, as bits.
const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const UNORDERED: u8 = 8;

/// A comparison or a difference of the same two terms.
#[derive(Default)]
struct Pair {
    /// What each comparison of the first term with the second allows.
    comparisons: Vec<(Term, u8)>,
    /// The first less the second.
    differences: Vec<Term>,
    /// The second less the first.
    turned: Vec<Term>,
}

/// Formulas that follow from those that are true, each from one of them.
pub(super) fn consequences(graph: &mut Graph, roots: &[Term]) -> Vec<Term> {
    let mut pairs: HashMap<(Term, Term), Pair> = HashMap::new();
    for term in graph.terms() {
        let below = graph.below(term);
        match graph.op(term) {
            Op::Relation(relation) => {
                let (key, is_turned) = key(below[0], below[1]);
                let allowed = match (relation, is_turned) {
                    (Relation::Equal, _) => EQUAL,
                    (Relation::Less, false) => LESS,
                    (Relation::Less, true) => GREATER,
                    (Relation::LessEqual, false) => LESS | EQUAL,
                    (Relation::LessEqual, true) => GREATER | EQUAL,
                };
                pairs.entry(key).or_default().comparisons.push((term, allowed));
            }
            Op::Rounded(Function::Add) if graph.op(below[2]) == Op::Neg => {
                let (key, is_turned) = key(below[1], graph.below(below[2])[0]);
                let pair = pairs.entry(key).or_default();
                if is_turned { pair.turned.push(term) } else { pair.differences.push(term) }
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    for root in roots {
        let (term, holds) = if graph.op(*root) == Op::Not { (graph.below(*root)[0], false) } else { (*root, true) };
        let Op::Relation(_) = graph.op(term) else { continue };
        let below = graph.below(term);
        let Some(pair) = pairs.get(&key(below[0], below[1]).0) else { continue };
        let Some((_, allowed)) = pair.comparisons.iter().find(|(t, _)| *t == term) else { continue };
        let left = if holds { *allowed } else { (LESS | EQUAL | GREATER | UNORDERED) & !allowed };
        for (other, allowed) in pair.comparisons.iter().filter(|(t, _)| *t != term) {
            if left & !allowed == 0 {
                all.push(*other);
            } else if left & allowed == 0 {
                all.push(graph.not(*other));
            }
        }
        for (differences, below_zero, above_zero) in [(&pair.differences, LESS, GREATER), (&pair.turned, GREATER, LESS)]
        {
            for difference in differences {
                let zero = graph.constant(graph.sort(*difference), 0);
                for (allowed, operands) in [(below_zero, [*difference, zero]), (above_zero, [zero, *difference])] {
                    let strict = graph.apply(Op::Relation(Relation::Less), Sort::Bool, &operands);
                    if left & !allowed == 0 {
                        all.push(strict);
                    } else if left & allowed == 0 {
                        all.push(graph.not(strict));
                    }
                }
            }
        }
    }
    all
}

/// Two terms in the order of their places, and whether they were in the other one.
fn key(a: Term, b: Term) -> ((Term, Term), bool) {
    if a <= b { ((a, b), false) } else { ((b, a), true) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::float::format::{Format, Rounding};
    use crate::solve::float::value::{self, Open};

    /// Whatever the values are, what follows from a comparison that comes out so is true.
    #[test]
    fn consequences_are_true() {
        let format = Format::new(2, 3).expect("a format");
        let sort = Sort::Float(format);
        let all: Vec<i64> = (format.minus_infinity()..=format.infinity()).chain([i64::MIN]).collect();
        let mut graph = Graph::default();
        let (x, y) = (graph.variable(sort), graph.variable(sort));
        let mut literals = Vec::new();
        for relation in [Relation::Less, Relation::LessEqual, Relation::Equal] {
            for pair in [[x, y], [y, x]] {
                let truth = graph.apply(Op::Relation(relation), Sort::Bool, &pair);
                literals.extend([truth, graph.not(truth)]);
            }
        }
        for mode in Rounding::ALL {
            let mode = graph.mode(mode);
            for [a, b] in [[x, y], [y, x]] {
                let minus = graph.apply(Op::Neg, sort, &[b]);
                graph.apply(Op::Rounded(Function::Add), sort, &[mode, a, minus]);
            }
        }
        let mut count = 0;
        for literal in literals {
            let found = consequences(&mut graph, &[literal]);
            assert!(!found.is_empty());
            let mut values = Vec::new();
            for a in &all {
                for b in &all {
                    value::all(&graph, &[*a, *b], Open::default(), &mut values);
                    if values[literal.index()] == 1 {
                        count += 1;
                        assert!(found.iter().all(|t| values[t.index()] == 1), "{a} {b} {:?}", graph.op(literal));
                    }
                }
            }
        }
        assert!(count > 1000);
    }
}
