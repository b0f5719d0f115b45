//! The theory of floats: from names to operations.

use super::Result;
use super::bits;
use super::call::{Call, Meaning, width_of};
use super::names;
use super::sorts::{self, MOST_WIDTH};
use crate::floats::Format;
use crate::floats::set::Class;
use crate::num::Integer;
use crate::solve::float::project::RoundedFunction;
use crate::solve::float::relate::TermRelation;
use crate::solve::float::{BitsOp, Graph, Sort, Term, TermOp, exact};
use crate::text::sexp::Sexp;
use crate::text::{Diagnostic, Span, quote};

/// The format of an operand.
pub(super) fn format_of(graph: &Graph, call: &Call<'_>, i: usize) -> Result<Format> {
    match graph.sort(call.term(i)?) {
        Sort::Float(format) => Ok(format),
        other => {
            let (name, sort) = (quote(call.name), sorts::named(other));
            Err(call.wrong(format!("operand {} of {name} should be a float, and is of sort {sort}", i + 1)))
        }
    }
}

/// `(_ NaN E S)` and its kin, `(_ bvX N)`.
pub(super) fn indexed_value(graph: &mut Graph, span: Span, items: &[Sexp<'_>]) -> Result<Meaning> {
    let name = items.get(1).and_then(Sexp::atom).unwrap_or_default();
    let indices = items.get(2..).unwrap_or_default();
    if let Some(value) = name.strip_prefix("bv") {
        let [width] = indices else { return Err(Diagnostic::syntax(span, "`(_ bvX N)` has one index")) };
        let digits = value.bytes().all(|b| b.is_ascii_digit());
        let (width, value) = (sorts::index(width)?, value.parse::<Integer>().ok().filter(|_| digits));
        return match value {
            Some(value) if (1..=MOST_WIDTH).contains(&width) && value.significant_bits() <= width => {
                Ok(Meaning::Term(graph.constant_of_bits(Sort::Bits(width), &value)))
            }
            _ => Err(Diagnostic::unsupported(span, format!("this is no bit vector of 1 to {MOST_WIDTH} bits"))),
        };
    }
    if !["+oo", "-oo", "+zero", "-zero", "NaN"].contains(&name) {
        return Err(Diagnostic::semantic(span, format!("there is no value {}", quote(name))));
    }
    let format = sorts::format(span, indices)?;
    let sign = Integer::from(name.starts_with('-')) << (format.width() - 1);
    let bits = match name {
        "+oo" | "-oo" => exact::infinity(format) | sign,
        "NaN" => exact::infinity(format) | Integer::from(1) << (format.precision() - 2),
        _ => sign,
    };
    Ok(Meaning::Term(graph.constant_of_bits(Sort::Float(format), &bits)))
}

/// `((_ to_fp E S) …)` and others with indices.
pub(super) fn indexed(graph: &mut Graph, call: &Call<'_>, indices: &[Sexp<'_>]) -> Result<Meaning> {
    let term = match call.name {
        "to_fp" => to_fp(graph, call, sorts::format(call.span, indices)?)?,
        "to_fp_unsigned" => {
            call.count(2, 2)?;
            width_of(graph, call, 1)?;
            let operands = [call.of(graph, 0, Sort::Mode)?, call.term(1)?];
            let sort = Sort::Float(sorts::format(call.span, indices)?);
            graph.apply(TermOp::FromInteger { signed: false }, sort, &operands)
        }
        "extract" | "zero_extend" | "sign_extend" | "rotate_left" | "rotate_right" | "repeat" => {
            bits::indexed(graph, call, indices)?
        }
        _ => return Err(names::unknown(call, true)),
    };
    Ok(Meaning::Term(term))
}

fn to_fp(graph: &mut Graph, call: &Call<'_>, format: Format) -> Result<Term> {
    call.count(1, 2)?;
    let sort = Sort::Float(format);
    if call.operands.len() == 1 {
        let width = width_of(graph, call, 0)?;
        if width != format.width() {
            return Err(call.wrong(format!("the format has {} bits, and the operand {width}", format.width())));
        }
        return Ok(graph.apply(TermOp::FromBits, sort, &[call.term(0)?]));
    }
    let mode = call.of(graph, 0, Sort::Mode)?;
    let value = call.term(1)?;
    match graph.sort(value) {
        Sort::Float(from) if from == format => Ok(value),
        Sort::Float(_) => Ok(graph.apply(TermOp::Rounded(RoundedFunction::Cast(format)), sort, &[mode, value])),
        Sort::Bits(_) => Ok(graph.apply(TermOp::FromInteger { signed: true }, sort, &[mode, value])),
        other => Err(call.wrong(format!("`to_fp` makes no float of {}", sorts::named(other)))),
    }
}

/// A function without indices.
pub(super) fn apply(graph: &mut Graph, call: &Call<'_>) -> Result<Term> {
    if call.operands.is_empty() {
        return Err(call.wrong("a function has operands"));
    }
    if let Some(term) = rounded(graph, call)? {
        return Ok(term);
    }
    if let Some(term) = compared(graph, call)? {
        return Ok(term);
    }
    let same = |graph: &mut Graph, op: TermOp, n: usize| {
        call.count(n, n)?;
        let sort = Sort::Float(format_of(graph, call, 0)?);
        let operands = call.alike(graph)?;
        Ok(graph.apply(op, sort, &operands))
    };
    match call.name {
        "fp" => {
            call.count(3, 3)?;
            let widths = [width_of(graph, call, 0)?, width_of(graph, call, 1)?, width_of(graph, call, 2)?];
            let format = Format::wide(widths[1], widths[2] + 1).filter(|_| widths[0] == 1);
            let format =
                format.ok_or_else(|| call.wrong("`fp` takes a sign of one bit, an exponent and a fraction"))?;
            let low = Sort::Bits(widths[1] + widths[2]);
            let low = graph.apply(TermOp::Bits(BitsOp::Concat), low, &[call.term(1)?, call.term(2)?]);
            let all = graph.apply(TermOp::Bits(BitsOp::Concat), Sort::Bits(format.width()), &[call.term(0)?, low]);
            Ok(graph.apply(TermOp::FromBits, Sort::Float(format), &[all]))
        }
        "fp.abs" => same(graph, TermOp::Abs, 1),
        "fp.neg" => same(graph, TermOp::Neg, 1),
        "fp.rem" => same(graph, TermOp::Rem, 2),
        "fp.min" => same(graph, TermOp::Min, 2),
        "fp.max" => same(graph, TermOp::Max, 2),
        _ => bits::apply(graph, call),
    }
}

/// The functions that round: a direction, then floats.
fn rounded(graph: &mut Graph, call: &Call<'_>) -> Result<Option<Term>> {
    let function = match call.name {
        "fp.add" | "fp.sub" => RoundedFunction::Add,
        "fp.mul" => RoundedFunction::Mul,
        "fp.div" => RoundedFunction::Div,
        "fp.fma" => RoundedFunction::Fma,
        "fp.sqrt" => RoundedFunction::Sqrt,
        "fp.roundToIntegral" => RoundedFunction::Integral,
        _ => return Ok(None),
    };
    let n = function.operands() + 1;
    call.count(n, n)?;
    let mut operands = vec![call.of(graph, 0, Sort::Mode)?];
    let sort = Sort::Float(format_of(graph, call, 1)?);
    for i in 1..n {
        operands.push(call.of(graph, i, sort)?);
    }
    if call.name == "fp.sub" {
        operands[2] = graph.apply(TermOp::Neg, sort, &[operands[2]]);
    }
    Ok(Some(graph.apply(TermOp::Rounded(function), sort, &operands)))
}

/// Comparisons and classes of floats.
fn compared(graph: &mut Graph, call: &Call<'_>) -> Result<Option<Term>> {
    let (relation, turned) = match call.name {
        "fp.lt" => (TermRelation::Less, false),
        "fp.leq" => (TermRelation::LessEqual, false),
        "fp.gt" => (TermRelation::Less, true),
        "fp.geq" => (TermRelation::LessEqual, true),
        "fp.eq" => (TermRelation::Equal, false),
        _ => return class(graph, call),
    };
    call.count(2, usize::MAX)?;
    format_of(graph, call, 0)?;
    let operands = call.alike(graph)?;
    let mut all = Vec::new();
    for pair in operands.windows(2) {
        let pair = if turned { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
        all.push(graph.apply(TermOp::Relation(relation), Sort::Bool, &pair));
    }
    Ok(Some(graph.all(&all)))
}

fn class(graph: &mut Graph, call: &Call<'_>) -> Result<Option<Term>> {
    let op = match call.name {
        "fp.isNormal" => TermOp::Is(Class::Normal),
        "fp.isSubnormal" => TermOp::Is(Class::Subnormal),
        "fp.isZero" => TermOp::Is(Class::Zero),
        "fp.isInfinite" => TermOp::Is(Class::Infinite),
        "fp.isNaN" => TermOp::IsNan,
        "fp.isNegative" | "fp.isPositive" => TermOp::IsNegative,
        _ => return Ok(None),
    };
    call.count(1, 1)?;
    format_of(graph, call, 0)?;
    let x = call.term(0)?;
    let is = graph.apply(op, Sort::Bool, &[x]);
    if call.name != "fp.isPositive" {
        return Ok(Some(is));
    }
    let nan = graph.apply(TermOp::IsNan, Sort::Bool, &[x]);
    let either = graph.any(&[is, nan]);
    Ok(Some(graph.not(either)))
}
