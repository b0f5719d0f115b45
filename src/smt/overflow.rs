//! Whether arithmetic of bit vectors leaves their range: computed in as many bits as the exact result has.

use super::Result;
use super::call::{Call, width_of};
use super::sorts::{self, MOST_WIDTH};
use crate::num::Integer;
use crate::solve::float::{BitsOp, Graph, Sort, Term, TermOp};

/// Names of predicates, what they are about, and whether they tell that there is no overflow.
const NAMES: [(&str, Arithmetic, bool); 12] = [
    ("bvnego", Arithmetic::Negation, false),
    ("bvuaddo", Arithmetic::Two { op: BitsOp::Add, signed: false }, false),
    ("bvsaddo", Arithmetic::Two { op: BitsOp::Add, signed: true }, false),
    ("bvumulo", Arithmetic::Two { op: BitsOp::Mul, signed: false }, false),
    ("bvsmulo", Arithmetic::Two { op: BitsOp::Mul, signed: true }, false),
    ("bvusubo", Arithmetic::Difference { signed: false }, false),
    ("bvssubo", Arithmetic::Difference { signed: true }, false),
    ("bvsdivo", Arithmetic::Quotient, false),
    ("bvumul_noovfl", Arithmetic::Two { op: BitsOp::Mul, signed: false }, true),
    ("bvsmul_noovfl", Arithmetic::Signs { negative: false }, true),
    ("bvsmul_noudfl", Arithmetic::Signs { negative: true }, true),
    ("bvuadd_noovfl", Arithmetic::Two { op: BitsOp::Add, signed: false }, true),
];

#[derive(Clone, Copy)]
enum Arithmetic {
    Negation,
    Two {
        op: BitsOp,
        signed: bool,
    },
    Difference {
        signed: bool,
    },
    Quotient,
    /// A signed product on one side of the range only.
    Signs {
        negative: bool,
    },
}

/// Whether a name is of such a predicate.
pub(super) fn is_known(name: &str) -> bool {
    NAMES.iter().any(|(n, ..)| *n == name)
}

/// The names of all of them.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, ..)| *name)
}

/// The predicate with operands.
pub(super) fn apply(graph: &mut Graph, call: &Call<'_>) -> Result<Term> {
    let Some((_, about, turned)) = NAMES.iter().find(|(n, ..)| *n == call.name) else {
        return Err(call.wrong("there is no such function"));
    };
    let count = if matches!(about, Arithmetic::Negation) { 1 } else { 2 };
    call.count(count, count)?;
    let width = width_of(graph, call, 0)?;
    let x = call.alike(graph)?;
    if 2 * width > MOST_WIDTH {
        return Err(sorts::too_wide(call.span));
    }
    let least = graph.constant_of_bits(Sort::Bits(width), &(Integer::from(1) << (width - 1)));
    let overflows = match *about {
        Arithmetic::Negation => graph.apply(TermOp::Same, Sort::Bool, &[x[0], least]),
        Arithmetic::Quotient => {
            let ones = (Integer::from(1) << width) - 1u32;
            let ones = graph.constant_of_bits(Sort::Bits(width), &ones);
            let parts = [(x[0], least), (x[1], ones)].map(|(a, b)| graph.apply(TermOp::Same, Sort::Bool, &[a, b]));
            graph.all(&parts)
        }
        Arithmetic::Two { op, signed } => {
            let to = if op == BitsOp::Mul { 2 * width } else { width + 1 };
            let [a, b] = [x[0], x[1]].map(|t| extended(graph, t, width, to, signed));
            let exact = graph.apply(TermOp::Bits(op), Sort::Bits(to), &[a, b]);
            leaves(graph, exact, width, to, signed)
        }
        Arithmetic::Difference { signed } => {
            let to = width + 1;
            let [a, b] = [x[0], x[1]].map(|t| extended(graph, t, width, to, signed));
            let minus = graph.apply(TermOp::Bits(BitsOp::Neg), Sort::Bits(to), &[b]);
            let exact = graph.apply(TermOp::Bits(BitsOp::Add), Sort::Bits(to), &[a, minus]);
            leaves(graph, exact, width, to, signed)
        }
        Arithmetic::Signs { negative } => {
            let to = 2 * width;
            let [a, b] = [x[0], x[1]].map(|t| extended(graph, t, width, to, true));
            let exact = graph.apply(TermOp::Bits(BitsOp::Mul), Sort::Bits(to), &[a, b]);
            let leaves = leaves(graph, exact, width, to, true);
            let sign = graph.apply(TermOp::Bits(BitsOp::Extract(to - 1)), Sort::Bits(1), &[exact]);
            let side = graph.constant(Sort::Bits(1), negative.into());
            let there = graph.apply(TermOp::Same, Sort::Bool, &[sign, side]);
            graph.all(&[leaves, there])
        }
    };
    Ok(if *turned { graph.not(overflows) } else { overflows })
}

fn extended(graph: &mut Graph, x: Term, width: u32, to: u32, signed: bool) -> Term {
    if signed {
        return graph.apply(TermOp::Bits(BitsOp::SignExtend), Sort::Bits(to), &[x]);
    }
    let zeros = graph.constant(Sort::Bits(to - width), 0);
    graph.apply(TermOp::Bits(BitsOp::Concat), Sort::Bits(to), &[zeros, x])
}

/// Whether a result is none of so many bits.
fn leaves(graph: &mut Graph, exact: Term, width: u32, to: u32, signed: bool) -> Term {
    let low = graph.apply(TermOp::Bits(BitsOp::Extract(width - 1)), Sort::Bits(width), &[exact]);
    let back = extended(graph, low, width, to, signed);
    let same = graph.apply(TermOp::Same, Sort::Bool, &[back, exact]);
    graph.not(same)
}
