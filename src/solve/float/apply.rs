//! Exact values of single operations.

use super::op::{BitsOp, Sort, TermOp};
use super::project::{OPERANDS, Rounded};
use crate::floats::ordinal::{MINUS_ZERO, NAN, ZERO, is_negative, magnitude, negated};
use crate::floats::soft;
use crate::floats::{Format, Rounding};

/// All ones, up to a width.
#[must_use]
pub fn mask(width: u32) -> u64 {
    if width == 0 { 0 } else { u64::MAX >> (64 - width) }
}

fn format_of(sort: Sort) -> Format {
    match sort {
        Sort::Float(format) => format,
        _ => Format::BINARY64,
    }
}

fn width_of(sort: Sort) -> u32 {
    match sort {
        Sort::Bits(width) => width,
        _ => 64,
    }
}

/// The direction with a number.
pub(super) fn mode(place: i64) -> Rounding {
    Rounding::ALL[place as usize]
}

/// The value of one operation on operands of these sorts, where SMT-LIB says what it is.
pub(super) fn of(op: TermOp, sort: Sort, below: &[Sort], values: &[i64]) -> Option<i64> {
    one(op, sort, &|k| below[k], values)
}

/// The same, the sorts of the operands asked for one by one.
pub(super) fn one(op: TermOp, sort: Sort, of: &dyn Fn(usize) -> Sort, x: &[i64]) -> Option<i64> {
    Some(match op {
        TermOp::Var(_) | TermOp::Wide(_) | TermOp::Library(_) => return None,
        TermOp::Const(value) => value,
        TermOp::Not => 1 - x[0],
        TermOp::And => x.iter().all(|v| *v == 1).into(),
        TermOp::Same => (x[0] == x[1]).into(),
        TermOp::Ite => x[if x[0] == 1 { 1 } else { 2 }],
        TermOp::Rounded(function) => {
            let mut operands = [0; OPERANDS];
            operands[..x.len() - 1].copy_from_slice(&x[1..]);
            Rounded { function, format: format_of(of(1)), mode: mode(x[0]) }.eval(operands)
        }
        TermOp::Rem => soft::rem(format_of(sort), x[0], x[1]),
        TermOp::Min | TermOp::Max => return lesser(op == TermOp::Max, x[0], x[1]),
        TermOp::Neg => negated(x[0]),
        TermOp::Abs => magnitude(x[0]),
        TermOp::Relation(relation) => relation.holds(x[0], x[1]).into(),
        TermOp::Is(class) => (x[0] != NAN && class.range(format_of(of(0))).contains(magnitude(x[0]))).into(),
        TermOp::IsNan => (x[0] == NAN).into(),
        TermOp::IsNegative => is_negative(x[0]).into(),
        TermOp::FromBits => format_of(sort).from_bits(x[0] as u64),
        TermOp::FromInteger { signed } => {
            from_integer(format_of(sort), mode(x[0]), width_of(of(1)), signed, x[1] as u64)
        }
        TermOp::ToInteger { signed } => {
            to_integer(format_of(of(1)), mode(x[0]), width_of(sort), signed, x[1]).unwrap_or_default() as i64
        }
        TermOp::Bits(op) => bits(op, sort, of, x) as i64,
    })
}

/// `fp.min` and `fp.max`, but for zeros with different signs.
fn lesser(greater: bool, x: i64, y: i64) -> Option<i64> {
    match (x, y) {
        (NAN, other) | (other, NAN) => Some(other),
        (ZERO, MINUS_ZERO) | (MINUS_ZERO, ZERO) => None,
        _ => Some(if greater { x.max(y) } else { x.min(y) }),
    }
}

/// The float nearest to an integer.
pub(super) fn from_integer(format: Format, mode: Rounding, width: u32, signed: bool, x: u64) -> i64 {
    let negative = signed && x >> (width - 1) & 1 == 1;
    let magnitude = if negative { x.wrapping_neg() & mask(width) } else { x };
    soft::from_integer(format, mode, negative, magnitude.into())
}

/// The integer nearest to a float, as bits, if it has no more than `width`.
pub(super) fn to_integer(format: Format, mode: Rounding, width: u32, signed: bool, x: i64) -> Option<u64> {
    let (negative, magnitude) = soft::integer(format, mode, x)?;
    let fits = match (signed, negative) {
        (false, true) => magnitude == 0,
        (false, false) => magnitude <= u128::from(mask(width)),
        (true, true) => magnitude <= 1 << (width - 1),
        (true, false) => magnitude < 1 << (width - 1),
    };
    let bits = magnitude as u64;
    fits.then(|| if negative { bits.wrapping_neg() & mask(width) } else { bits })
}

fn bits(op: BitsOp, sort: Sort, of: &dyn Fn(usize) -> Sort, x: &[i64]) -> u64 {
    // A comparison is of one bit.
    let width = if let Sort::Bits(width) = sort { width } else { 1 };
    let a = x[0] as u64;
    let b = x.get(1).map_or(0, |b| *b as u64);
    let from = width_of(of(0));
    let extended = |a: u64| if a >> (from - 1) & 1 == 1 { a | !mask(from) } else { a };
    let y = match op {
        BitsOp::Concat => a << width_of(of(1)) | b,
        BitsOp::Extract(top) => a >> (top + 1 - width),
        BitsOp::SignExtend => extended(a),
        BitsOp::Not => !a,
        BitsOp::And => a & b,
        BitsOp::Or => a | b,
        BitsOp::Xor => a ^ b,
        BitsOp::Add => a.wrapping_add(b),
        BitsOp::Mul => a.wrapping_mul(b),
        BitsOp::Neg => a.wrapping_neg(),
        BitsOp::Div => a.checked_div(b).unwrap_or(u64::MAX),
        BitsOp::Rem => a.checked_rem(b).unwrap_or(a),
        BitsOp::Shl => {
            if b < 64 {
                a << b
            } else {
                0
            }
        }
        BitsOp::Shr => {
            if b < 64 {
                a >> b
            } else {
                0
            }
        }
        BitsOp::Sar => (extended(a) as i64 >> b.min(63)) as u64,
        BitsOp::Less => (a < b).into(),
        BitsOp::LessEqual => (a <= b).into(),
    };
    y & mask(width)
}
