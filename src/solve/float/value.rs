//! Exact values of all terms.

use super::apply;
use super::op::TermOp;
use super::term::{Graph, Term};
use crate::floats::ordinal::{MINUS_ZERO, ZERO};

/// What a value is where SMT-LIB leaves it open: of zeros with different signs, the zero that a minimum or maximum is. Each
/// choice of bits is one meaning of the functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// Bits 0 and 1: `fp.min` of -0 and +0, and of +0 and -0, is -0 where set. Bits 2 and 3: the same for `fp.max`.
    pub zeros: u8,
}

/// What SMT-LIB leaves open was met on the way to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Met {
    /// It says what every value is.
    Nothing,
    /// The minimum or maximum of zeros with different signs.
    Zeros,
}

/// The number of choices of [`Open`].
pub const MEANINGS: u8 = 16;

/// The values of all terms for values of the unknowns, and whether something that SMT-LIB leaves open was met.
pub fn all(graph: &Graph, inputs: &[i64], open: Open, values: &mut Vec<i64>) -> Met {
    values.clear();
    let mut met = Met::Nothing;
    let mut operands: Vec<i64> = Vec::new();
    for i in 0..graph.len() {
        let node = graph.node(i);
        let value = match node.op {
            TermOp::Var(number) => inputs[number as usize],
            TermOp::Const(value) => value,
            TermOp::Library(place) => {
                operands.clear();
                operands.extend(graph.operands(node).iter().map(|k| values[*k as usize]));
                graph.library(place).value(&operands)
            }
            op => {
                let below = graph.operands(node);
                operands.clear();
                operands.extend(below.iter().map(|k| values[*k as usize]));
                let sort = |k: usize| graph.sort(Term(below[k]));
                apply::one(op, node.sort, &sort, &operands).unwrap_or_else(|| {
                    met = Met::Zeros;
                    chosen(op, &operands, open)
                })
            }
        };
        values.push(value);
    }
    met
}

/// What an open value is by choice.
fn chosen(op: TermOp, x: &[i64], open: Open) -> i64 {
    let zero = |bit: u8| if open.zeros >> bit & 1 == 1 { MINUS_ZERO } else { ZERO };
    match op {
        TermOp::Min => zero(u8::from(x[0] == ZERO)),
        TermOp::Max => zero(2 + u8::from(x[0] == ZERO)),
        _ => 0,
    }
}
