//! Exact values of all terms as bits, of sorts of any width.

use super::exact;
use super::op::{Sort, TermOp};
use super::term::{Graph, Term};
use super::value::Open;
use crate::num::Integer;

/// The bits of all terms for those of the unknowns; `open` for each format that minima and maxima have.
#[must_use]
pub fn all_bits(graph: &Graph, inputs: &[Integer], open: Open) -> Vec<Integer> {
    let mut values: Vec<Integer> = Vec::with_capacity(graph.len());
    for i in 0..graph.len() {
        let node = graph.node(i);
        let below = graph.operands(node);
        let value = match node.op {
            TermOp::Var(number) => inputs.get(number as usize).cloned().unwrap_or_default(),
            TermOp::Const(_) | TermOp::Wide(_) => graph.constant_bits(Term(i as u32)).unwrap_or_default(),
            TermOp::Library(place) => {
                let operands: Vec<i64> =
                    below.iter().map(|k| exact::narrow(graph.sort(Term(*k)), &values[*k as usize])).collect();
                exact::bits_of(node.sort, graph.library(place).value(&operands))
            }
            TermOp::Ite => values[below[if values[below[0] as usize] == 1 { 1 } else { 2 }] as usize].clone(),
            op => {
                let operands: Vec<Integer> = below.iter().map(|k| values[*k as usize].clone()).collect();
                let sort = |k: usize| graph.sort(Term(below[k]));
                exact::one(op, node.sort, &sort, &operands).unwrap_or_else(|| chosen(op, node.sort, &operands, open))
            }
        };
        values.push(value);
    }
    values
}

/// The zero that a minimum or maximum of zeros with different signs is by choice.
fn chosen(op: TermOp, sort: Sort, x: &[Integer], open: Open) -> Integer {
    let Sort::Float(format) = sort else { return Integer::new() };
    let first = if op == TermOp::Max { 2 } else { 0 };
    let negative = open.zeros >> (first + u8::from(x[0] == 0)) & 1 == 1;
    Integer::from(negative) << (format.width() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Format;
    use crate::solve::float::value;

    /// Of all values of a tiny format, with each choice of the zeros.
    #[test]
    fn minima_and_maxima_are_the_same_in_ordinals_and_in_bits() {
        let format = Format::new(2, 2).expect("a format");
        let sort = Sort::Float(format);
        let mut graph = Graph::default();
        let operands = [(); 2].map(|()| graph.variable(sort));
        let terms = [TermOp::Min, TermOp::Max].map(|op| graph.apply(op, sort, &operands));
        let all: Vec<i64> = (0..1 << format.width()).map(|bits| format.from_bits(bits)).collect();
        let mut ordinals = Vec::new();
        for (x, y) in all.iter().flat_map(|x| all.iter().map(move |y| (*x, *y))) {
            for zeros in 0..16 {
                let open = Open { zeros };
                value::all(&graph, &[x, y], open, &mut ordinals);
                let bits = all_bits(&graph, &[x, y].map(|x| exact::bits_of(sort, x)), open);
                for term in terms {
                    let expected = exact::bits_of(sort, ordinals[term.index()]);
                    assert_eq!(bits[term.index()], expected, "{:?} {x} {y} {zeros}", graph.op(term));
                }
            }
        }
    }
}
