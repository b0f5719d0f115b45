//! What a term may be from what its operands may be: evaluation of boxes from the unknowns up, with nothing narrowed.

use super::apply;
use super::domain::{TermDomain, floats_of_bits};
use super::integers;
use super::op::{Sort, TermOp};
use super::project::{OPERANDS, Rounded, RoundedFunction};
use super::relate;
use super::term::{Graph, Node};
use crate::floats::Format;
use crate::floats::set::{Class, FloatSpan};

/// All values of a term for values of its operands in `domains`, and perhaps more.
pub(super) fn image(graph: &Graph, term: usize, domains: &[TermDomain]) -> TermDomain {
    let node = graph.node(term);
    let below = graph.operands(node);
    let domain = |k: usize| domains[below[k] as usize];
    let set = |k: usize| domain(k).set();
    let format = |k: usize| match graph.node(below[k] as usize).sort {
        Sort::Float(format) => format,
        _ => Format::BINARY64,
    };
    TermDomain::Set(match node.op {
        TermOp::Var(_) | TermOp::Wide(_) => return TermDomain::all(node.sort),
        TermOp::Const(value) => return TermDomain::one(node.sort, value),
        TermOp::Not => FloatSpan::between(1 - set(0).hi, 1 - set(0).lo),
        TermOp::And => {
            let known = |value| move |k| domain(k).single() == Some(value);
            let fails = (0..below.len()).any(known(0));
            let holds = (0..below.len()).all(known(1));
            truth([!holds, !fails])
        }
        TermOp::Same => {
            let (a, b) = (domain(0), domain(1));
            truth([a.single().is_none() || a.single() != b.single(), !a.meet(b).is_empty()])
        }
        TermOp::Ite => match domain(0).single() {
            Some(0) => return domain(2),
            Some(_) => return domain(1),
            None => return domain(1).hull(domain(2)),
        },
        TermOp::Rounded(function) => rounded(function, format(1), below.len(), set),
        TermOp::Library(place) => {
            let operands: Vec<FloatSpan> = (0..below.len()).map(set).collect();
            let points: Option<Vec<i64>> = operands.iter().map(|s| s.single()).collect();
            let function = graph.library(place);
            points.map_or_else(|| function.image(&operands), |p| FloatSpan::one(function.value(&p)))
        }
        TermOp::Rem => remainder(format(0), set(0), set(1)),
        TermOp::Min => relate::minimum(set(0), set(1)),
        TermOp::Max => relate::minimum(set(0).negated(), set(1).negated()).negated(),
        TermOp::Neg => set(0).negated(),
        TermOp::Abs => set(0).absolute(),
        TermOp::Relation(relation) => truth(relation.outcomes(set(0), set(1))),
        TermOp::Is(_) | TermOp::IsNan | TermOp::IsNegative => {
            let (fails, holds) = class(node.op, format(0), set(0));
            truth([!fails.is_empty(), !holds.is_empty()])
        }
        TermOp::FromBits => match node.sort {
            Sort::Float(format) => floats_of_bits(format, domain(0)),
            _ => return TermDomain::all(node.sort),
        },
        TermOp::FromInteger { .. } | TermOp::ToInteger { .. } | TermOp::Bits(_) => {
            return of_integers(graph, node, domains);
        }
    })
}

/// A truth value that may be false, and true.
fn truth([fails, holds]: [bool; 2]) -> FloatSpan {
    FloatSpan::between(i64::from(!fails), i64::from(holds))
}

fn rounded(function: RoundedFunction, format: Format, count: usize, set: impl Fn(usize) -> FloatSpan) -> FloatSpan {
    let mut operands = [FloatSpan::EMPTY; OPERANDS];
    (1..count).for_each(|k| operands[k - 1] = set(k));
    let each = |place| Rounded { function, format, mode: apply::mode(place) }.direct(operands);
    (set(0).lo..=set(0).hi).map(each).fold(FloatSpan::EMPTY, FloatSpan::hull)
}

fn of_integers(graph: &Graph, node: Node, domains: &[TermDomain]) -> TermDomain {
    let below = graph.operands(node);
    let place = |k: usize| below.get(k).map_or(0, |b| *b as usize);
    let sorts: [Sort; 2] = std::array::from_fn(|k| graph.node(place(k)).sort);
    let operands = std::array::from_fn(|k| below.get(k).map_or(TermDomain::Bits(0, 0), |b| domains[*b as usize]));
    integers::project(node.op, (node.sort, sorts), TermDomain::all(node.sort), operands, below.len()).0
}

/// A remainder: at most as large as each operand, in magnitude; where both are known, what it is.
pub(super) fn remainder(format: Format, a: FloatSpan, b: FloatSpan) -> FloatSpan {
    if let (Some(a), Some(b)) = (a.single(), b.single()) {
        return FloatSpan::one(crate::floats::soft::rem(format, a, b));
    }
    let (a, b) = (a.absolute(), b.absolute());
    if !a.has_numbers() || !b.has_numbers() {
        return FloatSpan::NAN;
    }
    let most = FloatSpan::between(0, a.hi.min(b.hi));
    FloatSpan { nan: true, ..most.hull(most.negated()) }
}

/// The values of a set that are not of the class that `op` asks for, and those that are.
pub(super) fn class(op: TermOp, format: Format, all: FloatSpan) -> (FloatSpan, FloatSpan) {
    let [negative, positive] = all.halves();
    let nan = FloatSpan { nan: all.nan, ..FloatSpan::EMPTY };
    let of = |class: Class| {
        let range = class.range(format);
        positive.meet(range).hull(negative.meet(range.negated()))
    };
    match op {
        TermOp::Is(class) => {
            let others = Class::ALL.into_iter().filter(|c| *c != class);
            (others.fold(nan, |s, c| s.hull(of(c))), of(class))
        }
        TermOp::IsNan => (all.without_nan(), nan),
        _ => (positive.hull(nan), negative),
    }
}

#[cfg(test)]
mod tests {
    use super::super::relate::TermRelation;
    use super::super::term::Term;
    use super::super::value::{self, Open};
    use super::*;
    use crate::floats::ordinal::NAN;
    use crate::num::random::Random;

    /// At all values of a tiny format: what a term may be is what it is for some values of its operands.
    #[test]
    fn images_hold_all_values() {
        let format = Format::new(2, 2).expect("a format");
        let sort = Sort::Float(format);
        let mut graph = Graph::default();
        let [x, y, p, q] = [sort, sort, Sort::Bool, Sort::Bool].map(|s| graph.variable(s));
        let mut apply = |op, sort, operands: &[Term]| graph.apply(op, sort, operands);
        let mut terms = vec![
            apply(TermOp::Same, Sort::Bool, &[x, y]),
            apply(TermOp::Same, Sort::Bool, &[p, q]),
            apply(TermOp::And, Sort::Bool, &[p, q]),
            apply(TermOp::Not, Sort::Bool, &[p]),
            apply(TermOp::Ite, sort, &[p, x, y]),
            apply(TermOp::IsNan, Sort::Bool, &[x]),
            apply(TermOp::IsNegative, Sort::Bool, &[x]),
        ];
        terms.extend([TermOp::Neg, TermOp::Abs].map(|op| apply(op, sort, &[x])));
        terms.extend([TermOp::Rem, TermOp::Min, TermOp::Max].map(|op| apply(op, sort, &[x, y])));
        terms.extend(Class::ALL.map(|class| apply(TermOp::Is(class), Sort::Bool, &[x])));
        let relations = [TermRelation::Less, TermRelation::LessEqual, TermRelation::Equal];
        terms.extend(relations.map(|relation| apply(TermOp::Relation(relation), Sort::Bool, &[x, y])));
        let all: Vec<i64> = (format.minus_infinity()..=format.infinity()).chain([NAN]).collect();
        let mut random = Random::seeded(4);
        let (mut values, mut is_sharp) = (Vec::new(), vec![false; graph.len()]);
        for _ in 0..3000 {
            let mut domains: Vec<TermDomain> = graph.terms().map(|t| TermDomain::all(graph.sort(t))).collect();
            for v in [x, y] {
                let [a, b] = [(); 2].map(|()| all[random.index(all.len() - 1)]);
                let (lo, hi) = if random.index(3) == 0 { (a, a) } else { (a.min(b), a.max(b)) };
                domains[v.index()] = TermDomain::Set(FloatSpan { lo, hi, nan: random.index(3) == 0 });
            }
            for v in [p, q] {
                domains[v.index()] =
                    [TermDomain::one(Sort::Bool, 0), TermDomain::one(Sort::Bool, 1), TermDomain::all(Sort::Bool)]
                        [random.index(3)];
            }
            let images: Vec<TermDomain> = terms.iter().map(|t| image(&graph, t.index(), &domains)).collect();
            let members = |v: Term, from: &[i64]| -> Vec<i64> {
                from.iter().copied().filter(|value| domains[v.index()].set().contains(*value)).collect()
            };
            for a in members(x, &all) {
                for b in members(y, &all) {
                    for c in members(p, &[0, 1]) {
                        for d in members(q, &[0, 1]) {
                            value::all(&graph, &[a, b, c, d], Open::default(), &mut values);
                            for (t, image) in terms.iter().zip(&images) {
                                let op = graph.op(*t);
                                assert!(
                                    image.set().contains(values[t.index()]),
                                    "{op:?} of {a} {b} {c} {d}: {image:?}"
                                );
                            }
                        }
                    }
                }
            }
            for (t, image) in terms.iter().zip(&images) {
                is_sharp[t.index()] |= *image != TermDomain::all(graph.sort(*t));
            }
        }
        assert!(terms.iter().all(|t| is_sharp[t.index()]));
    }
}
