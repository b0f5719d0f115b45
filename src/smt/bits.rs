//! The theory of bit vectors: from names to operations.

use super::Result;
use super::call::{Call, Meaning, width_of};
use super::names;
use super::overflow;
use super::sorts::{self, MOST_WIDTH};
use crate::num::Integer;
use crate::solve::float::{BitsOp, Graph, Sort, Term, TermOp};
use crate::text::sexp::Sexp;

/// A function with indices.
pub(super) fn indexed(graph: &mut Graph, call: &Call<'_>, indices: &[Sexp<'_>]) -> Result<Term> {
    let number = |i: usize| indices.get(i).map_or_else(|| Err(call.wrong("an index is missing")), sorts::index);
    call.count(1, 1)?;
    let (x, width, first) = (call.term(0)?, width_of(graph, call, 0)?, number(0)?);
    let too_wide = || Err(sorts::too_wide(call.span));
    let concat = |graph: &mut Graph, top: Term, top_width: u32, low: Term, low_width: u32| {
        graph.apply(TermOp::Bits(BitsOp::Concat), Sort::Bits(top_width + low_width), &[top, low])
    };
    let extract = |graph: &mut Graph, top: u32, low: u32| {
        graph.apply(TermOp::Bits(BitsOp::Extract(top)), Sort::Bits(top - low + 1), &[x])
    };
    Ok(match call.name {
        "extract" => {
            let (top, low) = (first, number(1)?);
            if top >= width || low > top {
                return Err(call.wrong(format!("bits {top} to {low} are not all there: there are {width}")));
            }
            extract(graph, top, low)
        }
        "repeat" => {
            if first == 0 || first > MOST_WIDTH / width {
                return too_wide();
            }
            (1..first).fold(x, |all, times| concat(graph, x, width, all, times * width))
        }
        "rotate_left" | "rotate_right" => {
            // So many bits from the top come to the bottom.
            let by = first % width;
            let top = if call.name == "rotate_left" || by == 0 { by } else { width - by };
            if top == 0 {
                return Ok(x);
            }
            let (high, low) = (extract(graph, width - top - 1, 0), extract(graph, width - 1, width - top));
            concat(graph, high, width - top, low, top)
        }
        _ if first == 0 => x,
        _ if first > MOST_WIDTH.saturating_sub(width) => return too_wide(),
        "zero_extend" => {
            let zeros = graph.constant(Sort::Bits(first), 0);
            concat(graph, zeros, first, x, width)
        }
        _ => graph.apply(TermOp::Bits(BitsOp::SignExtend), Sort::Bits(first + width), &[x]),
    })
}

/// `bvsdiv`, `bvsrem` and `bvsmod` by what SMT-LIB says that they abbreviate.
fn signed_division(graph: &mut Graph, name: &str, width: u32, [a, b]: [Term; 2]) -> Term {
    let sort = Sort::Bits(width);
    let negated = |graph: &mut Graph, x: Term| graph.apply(TermOp::Bits(BitsOp::Neg), sort, &[x]);
    let either = |graph: &mut Graph, c: Term, x: Term, y: Term| graph.apply(TermOp::Ite, sort, &[c, x, y]);
    let one = graph.constant(Sort::Bits(1), 1);
    let [(is_a, a_size), (is_b, b_size)] = [a, b].map(|x| {
        let top = graph.apply(TermOp::Bits(BitsOp::Extract(width - 1)), Sort::Bits(1), &[x]);
        let is_negative = graph.apply(TermOp::Same, Sort::Bool, &[top, one]);
        let minus = negated(graph, x);
        (is_negative, either(graph, is_negative, minus, x))
    });
    let op = if name == "bvsdiv" { BitsOp::Div } else { BitsOp::Rem };
    let size = graph.apply(TermOp::Bits(op), sort, &[a_size, b_size]);
    let minus = negated(graph, size);
    let alike = graph.apply(TermOp::Same, Sort::Bool, &[is_a, is_b]);
    match name {
        "bvsdiv" => either(graph, alike, size, minus),
        "bvsrem" => either(graph, is_a, minus, size),
        _ => {
            let signed = either(graph, is_a, minus, size);
            let sum = graph.apply(TermOp::Bits(BitsOp::Add), sort, &[signed, b]);
            let zero = graph.constant(sort, 0);
            let is_zero = graph.apply(TermOp::Same, Sort::Bool, &[size, zero]);
            let stays = graph.any(&[alike, is_zero]);
            either(graph, stays, signed, sum)
        }
    }
}

/// More than two beside each other.
fn concatenated(graph: &mut Graph, call: &Call<'_>) -> Result<Term> {
    let (last, before) = (call.operands.len() - 1, &call.operands[..call.operands.len() - 1]);
    let high = apply(graph, &Call { operands: before, ..*call })?;
    let operands = [Meaning::Term(high), call.operands[last].clone()];
    apply(graph, &Call { operands: &operands, ..*call })
}

/// Whether all bits are set, or one is: a vector of one bit.
fn reduced(graph: &mut Graph, call: &Call<'_>) -> Result<Term> {
    call.count(1, 1)?;
    let (x, sort) = (call.term(0)?, Sort::Bits(width_of(graph, call, 0)?));
    let [zero, one] = [0, 1].map(|bit| graph.constant(Sort::Bits(1), bit));
    let none = graph.constant(sort, 0);
    let (of, hit, other) = if call.name == "bvredand" {
        (graph.apply(TermOp::Bits(BitsOp::Not), sort, &[x]), one, zero)
    } else {
        (x, zero, one)
    };
    let is_none = graph.apply(TermOp::Same, Sort::Bool, &[of, none]);
    Ok(graph.apply(TermOp::Ite, Sort::Bits(1), &[is_none, hit, other]))
}

/// Functions of bit vectors.
pub(super) fn apply(graph: &mut Graph, call: &Call<'_>) -> Result<Term> {
    let op = match call.name {
        "concat" => {
            call.count(2, usize::MAX)?;
            if call.operands.len() > 2 {
                return concatenated(graph, call);
            }
            let width = width_of(graph, call, 0)? + width_of(graph, call, 1)?;
            if width > MOST_WIDTH {
                return Err(sorts::too_wide(call.span));
            }
            return Ok(graph.apply(TermOp::Bits(BitsOp::Concat), Sort::Bits(width), &[call.term(0)?, call.term(1)?]));
        }
        "bvnot" => BitsOp::Not,
        "bvneg" => BitsOp::Neg,
        "bvand" => BitsOp::And,
        "bvor" => BitsOp::Or,
        "bvxor" => BitsOp::Xor,
        "bvadd" | "bvsub" => BitsOp::Add,
        "bvmul" => BitsOp::Mul,
        "bvudiv" => BitsOp::Div,
        "bvurem" => BitsOp::Rem,
        "bvshl" => BitsOp::Shl,
        "bvlshr" => BitsOp::Shr,
        "bvashr" => BitsOp::Sar,
        "bvnand" | "bvnor" | "bvxnor" | "bvcomp" | "bvsdiv" | "bvsrem" | "bvsmod" => return derived(graph, call),
        "bvredor" | "bvredand" => return reduced(graph, call),
        "bvult" | "bvugt" | "bvslt" | "bvsgt" => BitsOp::Less,
        "bvule" | "bvuge" | "bvsle" | "bvsge" => BitsOp::LessEqual,
        name if overflow::is_known(name) => return overflow::apply(graph, call),
        _ => return Err(names::unknown(call, false)),
    };
    let width = width_of(graph, call, 0)?;
    let one = matches!(op, BitsOp::Not | BitsOp::Neg);
    let associative = matches!(op, BitsOp::And | BitsOp::Or | BitsOp::Xor | BitsOp::Add | BitsOp::Mul);
    match (one, associative && call.name != "bvsub") {
        (true, _) => call.count(1, 1)?,
        (_, true) => call.count(2, usize::MAX)?,
        _ => call.count(2, 2)?,
    }
    let mut operands = call.alike(graph)?;
    let sort = Sort::Bits(width);
    match op {
        _ if call.name == "bvsub" => operands[1] = graph.apply(TermOp::Bits(BitsOp::Neg), sort, &[operands[1]]),
        BitsOp::Less | BitsOp::LessEqual => {
            if call.name.starts_with("bvs") {
                // With the top bits turned, two's complement is in the order of unsigned numbers.
                let top = graph.constant_of_bits(sort, &(Integer::from(1) << (width - 1)));
                for x in &mut operands {
                    *x = graph.apply(TermOp::Bits(BitsOp::Xor), sort, &[*x, top]);
                }
            }
            if call.name.contains('g') {
                operands.reverse();
            }
            return Ok(graph.apply(TermOp::Bits(op), Sort::Bool, &operands));
        }
        _ => {}
    }
    let first = operands[0];
    if one {
        return Ok(graph.apply(TermOp::Bits(op), sort, &[first]));
    }
    Ok(operands[1..].iter().fold(first, |a, b| graph.apply(TermOp::Bits(op), sort, &[a, *b])))
}

/// Functions that are others in one.
fn derived(graph: &mut Graph, call: &Call<'_>) -> Result<Term> {
    call.count(2, 2)?;
    let (width, operands) = (width_of(graph, call, 0)?, call.alike(graph)?);
    let (sort, pair) = (Sort::Bits(width), [operands[0], operands[1]]);
    let inner = match call.name {
        "bvnand" => BitsOp::And,
        "bvnor" => BitsOp::Or,
        "bvxnor" => BitsOp::Xor,
        "bvcomp" => {
            let same = graph.apply(TermOp::Same, Sort::Bool, &pair);
            let [zero, one] = [0, 1].map(|bit| graph.constant(Sort::Bits(1), bit));
            return Ok(graph.apply(TermOp::Ite, Sort::Bits(1), &[same, one, zero]));
        }
        name => return Ok(signed_division(graph, name, width, pair)),
    };
    let inner = graph.apply(TermOp::Bits(inner), sort, &pair);
    Ok(graph.apply(TermOp::Bits(BitsOp::Not), sort, &[inner]))
}
