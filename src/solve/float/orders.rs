//! What comparisons of terms say of other comparisons of the same two, of their difference and sums, and of each other.
//!
//! Sets of values do not know that `x < y` and `y < x` exclude each other. Two values are in one of four relations: less, equal,
//! greater, or unordered where one is NaN. A difference has the sign of the comparison in every direction of rounding, as results
//! below the normal numbers are exact.

use super::monotone::{OrderEdge, TermOrder};
use super::op::{BitsOp, Sort, TermOp};
use super::project::RoundedFunction;
use super::relate::TermRelation;
use super::term::{Graph, Term};
use crate::floats::set::Class;
use std::collections::BTreeMap;

/// Relations that two values may be in, as bits.
const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const UNORDERED: u8 = 8;

/// A comparison or a difference of the same two terms.
struct Pair {
    /// The relations that are left.
    left: u8,
    /// The comparisons whose outcome is known.
    told: Vec<Term>,
    /// Whether the order of other terms says something of these.
    is_derived: bool,
    /// What each comparison of the first term with the second allows.
    comparisons: Vec<(Term, u8)>,
    /// The first less the second.
    differences: Vec<Term>,
    /// The second less the first.
    turned: Vec<Term>,
}

impl Default for Pair {
    fn default() -> Self {
        let left = LESS | EQUAL | GREATER | UNORDERED;
        Pair {
            left,
            told: Vec::new(),
            is_derived: false,
            comparisons: Vec::new(),
            differences: Vec::new(),
            turned: Vec::new(),
        }
    }
}

/// The operands of a comparison.
fn compared(graph: &Graph, term: Term) -> Option<Vec<Term>> {
    matches!(graph.op(term), TermOp::Relation(_) | TermOp::Same | TermOp::Bits(BitsOp::Less | BitsOp::LessEqual))
        .then(|| graph.below(term))
}

/// The pairs of terms that are compared or subtracted, with what all formulas together leave of each.
fn compared_pairs(graph: &Graph, roots: &[Term]) -> Pairs {
    let mut pairs = Pairs::new();
    for term in graph.terms() {
        let below = graph.below(term);
        let op = match graph.op(term) {
            TermOp::Bits(BitsOp::Less) => TermOp::Relation(TermRelation::Less),
            TermOp::Bits(BitsOp::LessEqual) => TermOp::Relation(TermRelation::LessEqual),
            // Of floats the same is another relation than equal.
            TermOp::Same if matches!(graph.sort(below[0]), Sort::Bits(_)) => TermOp::Relation(TermRelation::Equal),
            op => op,
        };
        match op {
            TermOp::Relation(relation) => {
                let (key, is_turned) = key(below[0], below[1]);
                let allowed = match (relation, is_turned) {
                    (TermRelation::Equal, _) => EQUAL,
                    (TermRelation::Less, false) => LESS,
                    (TermRelation::Less, true) => GREATER,
                    (TermRelation::LessEqual, false) => LESS | EQUAL,
                    (TermRelation::LessEqual, true) => GREATER | EQUAL,
                };
                let pair = pairs.entry(key).or_default();
                if let Sort::Bits(_) = graph.sort(below[0]) {
                    pair.left &= !UNORDERED;
                }
                if key.0 == key.1 {
                    pair.left &= EQUAL | UNORDERED;
                }
                pair.comparisons.push((term, allowed));
            }
            TermOp::Rounded(RoundedFunction::Add) if graph.op(below[2]) == TermOp::Neg => {
                let (key, is_turned) = key(below[1], graph.below(below[2])[0]);
                let pair = pairs.entry(key).or_default();
                if is_turned { pair.turned.push(term) } else { pair.differences.push(term) }
            }
            _ => {}
        }
    }
    for root in roots {
        let (term, holds) = if graph.op(*root) == TermOp::Not { (graph.below(*root)[0], false) } else { (*root, true) };
        let Some(below) = compared(graph, term) else { continue };
        let Some(pair) = pairs.get_mut(&key(below[0], below[1]).0) else { continue };
        let Some((_, allowed)) = pair.comparisons.iter().find(|(t, _)| *t == term) else { continue };
        pair.left &= if holds { *allowed } else { !allowed };
        pair.told.push(term);
    }
    pairs
}

/// Formulas that follow from those that are true.
pub(super) fn consequences(graph: &mut Graph, roots: &[Term]) -> Vec<Term> {
    let mut pairs = compared_pairs(graph, roots);
    let order = TermOrder::new(graph, &told_order(&pairs));
    let has_circle = order.has_circle();
    for (key, pair) in pairs.iter_mut().filter(|(_, pair)| !pair.comparisons.is_empty()) {
        narrow_by_order(&order, *key, pair);
    }
    let mut compared: Vec<Term> = pairs.keys().flat_map(|(a, b)| [*a, *b]).collect();
    compared.sort_unstable();
    compared.dedup();
    let found: Vec<_> = compared.iter().filter_map(|t| order.mean(*t).map(|(inner, of)| (*t, inner, of))).collect();
    let mut all = means(graph, &found);
    if has_circle {
        all.push(graph.truth(false));
    }
    for ((a, b), pair) in pairs.iter().filter(|(_, pair)| !pair.told.is_empty() || pair.is_derived) {
        let left = pair.left;
        if left == 0 {
            all.push(graph.truth(false));
        }
        if left == UNORDERED {
            let nan = [*a, *b].map(|t| graph.apply(TermOp::IsNan, Sort::Bool, &[t]));
            all.push(graph.any(&nan));
        }
        for (other, allowed) in pair.comparisons.iter().filter(|(t, _)| pair.told[..] != [*t]) {
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
                    let strict = graph.apply(TermOp::Relation(TermRelation::Less), Sort::Bool, &operands);
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

/// The pairs with what is left of each.
type Pairs = BTreeMap<(Term, Term), Pair>;

/// The order that the comparisons say.
fn told_order(pairs: &Pairs) -> Vec<OrderEdge> {
    let mut edges = Vec::new();
    for ((a, b), pair) in pairs.iter().filter(|(_, pair)| !pair.told.is_empty()) {
        let is_strict = pair.left & EQUAL == 0;
        if pair.left & !(LESS | EQUAL) == 0 {
            edges.push(OrderEdge { lesser: *a, greater: *b, is_strict });
        }
        if pair.left & !(GREATER | EQUAL) == 0 {
            edges.push(OrderEdge { lesser: *b, greater: *a, is_strict });
        }
    }
    edges
}

/// What the order of all terms leaves of a pair that is compared.
fn narrow_by_order(order: &TermOrder<'_>, (a, b): (Term, Term), pair: &mut Pair) {
    let before = pair.left;
    for (x, y, below, above) in [(a, b, LESS, GREATER), (b, a, GREATER, LESS)] {
        match order.told(x, y) {
            Some(is_strict) => pair.left &= below | if is_strict { 0 } else { EQUAL },
            None if order.is_at_most(x, y) => pair.left &= !above,
            None => {}
        }
    }
    pair.is_derived = pair.left != before;
}

/// A mean is between what it is of, unless a sum or difference is infinite.
fn means(graph: &mut Graph, means: &[(Term, Term, [Term; 2])]) -> Vec<Term> {
    let mut all = Vec::new();
    for (mean, inner, [lesser, greater]) in means {
        let infinite = graph.apply(TermOp::Is(Class::Infinite), Sort::Bool, &[*inner]);
        for operands in [[*mean, *lesser], [*greater, *mean]] {
            let outside = graph.apply(TermOp::Relation(TermRelation::Less), Sort::Bool, &operands);
            let inside = graph.not(outside);
            all.push(graph.any(&[infinite, inside]));
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
    use crate::floats::{Format, Rounding};
    use crate::solve::float::value::{self, Open};

    /// Whatever the values are, what follows from comparisons that come out so is true.
    #[test]
    fn consequences_are_true() {
        let format = Format::new(2, 3).expect("a format");
        let sort = Sort::Float(format);
        let all: Vec<i64> = (format.minus_infinity()..=format.infinity()).chain([i64::MIN]).collect();
        let mut graph = Graph::default();
        let (x, y) = (graph.variable(sort), graph.variable(sort));
        let mut literals = Vec::new();
        for relation in [TermRelation::Less, TermRelation::LessEqual, TermRelation::Equal] {
            for pair in [[x, y], [y, x]] {
                let truth = graph.apply(TermOp::Relation(relation), Sort::Bool, &pair);
                literals.extend([truth, graph.not(truth)]);
            }
        }
        let mut differences = Vec::new();
        for mode in Rounding::ALL {
            let mode = graph.mode(mode);
            for [a, b] in [[x, y], [y, x]] {
                let minus = graph.apply(TermOp::Neg, sort, &[b]);
                differences.push(graph.apply(TermOp::Rounded(RoundedFunction::Add), sort, &[mode, a, minus]));
            }
        }
        // x < y says which sign each difference has.
        let of_differences = consequences(&mut graph, &literals[..1]);
        let says = |d: &Term| of_differences.iter().any(|t| graph.below(*t).contains(d));
        assert!(differences.iter().all(says));
        let mut count = 0;
        let pairs = literals.iter().flat_map(|a| literals.iter().map(move |b| [*a, *b]));
        for told in pairs.collect::<Vec<_>>() {
            let found = consequences(&mut graph, &told);
            assert!(!found.is_empty());
            let mut values = Vec::new();
            for a in &all {
                for b in &all {
                    value::all(&graph, &[*a, *b], Open::default(), &mut values);
                    if told.iter().all(|t| values[t.index()] == 1) {
                        count += 1;
                        assert!(
                            found.iter().all(|t| values[t.index()] == 1),
                            "{a} {b} {:?}",
                            told.map(|t| graph.op(t))
                        );
                    }
                }
            }
        }
        assert!(count > 1000);
    }

    /// Three values of which each is below the next, and sums of values in order: what follows is true wherever what is told is.
    #[test]
    fn circles_and_sums() {
        let format = Format::new(2, 2).expect("a format");
        let sort = Sort::Float(format);
        let all: Vec<i64> = (format.minus_infinity()..=format.infinity()).chain([i64::MIN]).collect();
        let mut graph = Graph::default();
        let [x, y, z] = [(); 3].map(|()| graph.variable(sort));
        let relate = |graph: &mut Graph, relation, a, b| graph.apply(TermOp::Relation(relation), Sort::Bool, &[a, b]);
        let below = [(x, y), (y, z), (z, x)].map(|(a, b)| relate(&mut graph, TermRelation::Less, a, b));
        let at_most = [(x, y), (y, z), (z, x)].map(|(a, b)| relate(&mut graph, TermRelation::LessEqual, a, b));
        let falsehood = graph.truth(false);
        assert!(consequences(&mut graph, &below).contains(&falsehood));
        assert!(consequences(&mut graph, &[below[0], at_most[1], at_most[2]]).contains(&falsehood));
        assert!(!consequences(&mut graph, &at_most).contains(&falsehood));
        let mode = graph.mode(Rounding::NearestEven);
        let mut sums = Vec::new();
        for (a, b) in [(x, x), (y, y), (x, z), (z, y)] {
            sums.push(graph.apply(TermOp::Rounded(RoundedFunction::Add), sort, &[mode, a, b]));
        }
        let mut told = vec![[below[0], relate(&mut graph, TermRelation::Less, sums[1], sums[0])]];
        assert!(consequences(&mut graph, &told[0]).contains(&falsehood));
        for (a, b) in [(0, 1), (2, 3), (3, 2), (1, 0), (0, 2)] {
            for relation in [TermRelation::Less, TermRelation::LessEqual, TermRelation::Equal] {
                let sum = relate(&mut graph, relation, sums[a], sums[b]);
                let not = graph.not(sum);
                told.extend(
                    [below[0], at_most[0], below[2]].into_iter().flat_map(|known| [[known, sum], [known, not]]),
                );
            }
        }
        let mut count = 0;
        for told in told {
            let found = consequences(&mut graph, &told);
            let mut values = Vec::new();
            for point in all.iter().flat_map(|a| all.iter().flat_map(|b| all.iter().map(|c| [*a, *b, *c]))) {
                value::all(&graph, &point, Open::default(), &mut values);
                if told.iter().all(|t| values[t.index()] == 1) {
                    count += 1;
                    assert!(found.iter().all(|t| values[t.index()] == 1), "{point:?}");
                }
            }
        }
        assert!(count > 1000);
    }
}
