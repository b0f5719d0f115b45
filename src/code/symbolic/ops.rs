//! What operators make of terms. Where there is no term for a result it is an unknown of which nothing is said: what is
//! proved holds then too, and an input that is found is tried on the code before it counts.

use super::terms::Terms;
use crate::code::bits;
use crate::code::ins::{Binary, Compare, Unary};
use crate::code::machine::Trap;
use crate::code::relation::{self, relation};
use crate::floats::BitsKind;
use crate::floats::ordinal::{NAN, ZERO};
use crate::floats::{Format, Rounding};
use crate::solve::float::project::RoundedFunction;
use crate::solve::float::relate::TermRelation;
use crate::solve::float::{BitsOp, Sort, Term, TermOp};

/// What one operand becomes.
pub(super) fn unary(t: &mut Terms, op: Unary, a: Term) -> Result<Term, Trap> {
    use Unary::*;
    let (single, double) = (Sort::Float(Format::BINARY32), Sort::Float(Format::BINARY64));
    let integral = |t: &mut Terms, mode| t.rounded(RoundedFunction::Integral, mode, &[a]);
    let converted = |t: &mut Terms, sort, signed| {
        let mode = t.graph.mode(Rounding::NearestEven);
        t.graph.apply(TermOp::FromInteger { signed }, sort, &[mode, a])
    };
    Ok(match op {
        I32Eqz | I64Eqz => {
            let truth = t.non_zero(a);
            let zero = t.graph.not(truth);
            t.number(zero)
        }
        I32Extend8S | I32Extend16S | I64Extend8S | I64Extend16S | I64Extend32S => {
            let from = match op {
                I32Extend8S | I64Extend8S => 8,
                I64Extend32S => 32,
                _ => 16,
            };
            let low = t.extract(a, 0, from);
            t.extend(low, t.width(a), true)
        }
        F32Abs | F64Abs => t.exact(TermOp::Abs, &[a]),
        F32Neg | F64Neg => t.exact(TermOp::Neg, &[a]),
        F32Ceil | F64Ceil => integral(t, Rounding::Up),
        F32Floor | F64Floor => integral(t, Rounding::Down),
        F32Trunc | F64Trunc => integral(t, Rounding::Zero),
        F32Nearest | F64Nearest => integral(t, Rounding::NearestEven),
        F32Sqrt | F64Sqrt => t.nearest(RoundedFunction::Sqrt, &[a]),
        I32WrapI64 => t.extract(a, 0, 32),
        I64ExtendI32S => t.extend(a, 64, true),
        I64ExtendI32U => t.extend(a, 64, false),
        F32ConvertI32S | F32ConvertI64S => converted(t, single, true),
        F32ConvertI32U | F32ConvertI64U => converted(t, single, false),
        F64ConvertI32S | F64ConvertI64S => converted(t, double, true),
        F64ConvertI32U | F64ConvertI64U => converted(t, double, false),
        F32DemoteF64 => t.nearest(RoundedFunction::Cast(Format::BINARY32), &[a]),
        F64PromoteF32 => t.nearest(RoundedFunction::Cast(Format::BINARY64), &[a]),
        I32ReinterpretF32 | I64ReinterpretF64 => t.bits_of(a),
        F32ReinterpretI32 => t.with_bits(single, a),
        F64ReinterpretI64 => t.with_bits(double, a),
        I32Clz | I32Ctz | I32Popcnt | I64Clz | I64Ctz | I64Popcnt => match t.known(a) {
            Some(x) => t.int(t.width(a), bits::unary(op, x)?),
            None => t.anything(t.sort(a)),
        },
        // Conversions that trap or saturate where the number has no integer.
        _ => match t.known(a) {
            Some(x) => t.int(integer_width(op), bits::unary(op, x)?),
            None => t.anything(Sort::Bits(integer_width(op))),
        },
    })
}

/// The width of what a conversion to an integer gives.
fn integer_width(op: Unary) -> u32 {
    use Unary::*;
    match op {
        I32TruncF32S | I32TruncF32U | I32TruncF64S | I32TruncF64U | I32TruncSatF32S | I32TruncSatF32U
        | I32TruncSatF64S | I32TruncSatF64U => 32,
        _ => 64,
    }
}

/// A cast in C from a float to an integer.
pub(super) fn cast(t: &mut Terms, op: Unary, a: Term) -> Term {
    use Unary::*;
    let width = integer_width(op);
    if let Some(x) = t.known(a) {
        return t.int(width, bits::cast(op, x));
    }
    match op {
        I32TruncSatF32S | I32TruncSatF64S | I64TruncSatF32S | I64TruncSatF64S => to_integer(t, a, width),
        // Through a 64-bit integer.
        I32TruncSatF32U | I32TruncSatF64U => {
            let long = to_integer(t, a, 64);
            t.extract(long, 0, 32)
        }
        _ => t.anything(Sort::Bits(64)),
    }
}

/// Towards zero to an integer with a sign, to the least one where there is none.
fn to_integer(t: &mut Terms, a: Term, width: u32) -> Term {
    let format = t.format(a);
    let sort = Sort::Float(format);
    // The least integer is a number of every format here; numbers just below it are none, or are rounded to it.
    let bound = |negative: bool| {
        let magnitude = (f64::from(width) - 1.0).exp2();
        let bits = if negative { -magnitude } else { magnitude };
        let value = if format == Format::BINARY32 { u64::from((bits as f32).to_bits()) } else { bits.to_bits() };
        format.from_bits(value)
    };
    let (least, above) = (t.graph.constant(sort, bound(true)), t.graph.constant(sort, bound(false)));
    let truncated = t.rounded(RoundedFunction::Integral, Rounding::Zero, &[a]);
    let from = t.related(TermRelation::LessEqual, least, truncated);
    let upto = t.related(TermRelation::Less, truncated, above);
    let inside = t.graph.all(&[from, upto]);
    // What is converted always has an integer: what SMT-LIB leaves open is never met.
    let zero = t.graph.constant(sort, ZERO);
    let convertible = t.choice(inside, truncated, zero);
    let mode = t.graph.mode(Rounding::Zero);
    let integer = t.graph.apply(TermOp::ToInteger { signed: true }, Sort::Bits(width), &[mode, convertible]);
    let outside = t.int(width, 1 << (width - 1));
    t.choice(inside, integer, outside)
}

/// What two operands become.
pub(super) fn binary(t: &mut Terms, op: Binary, a: Term, b: Term) -> Result<Term, Trap> {
    use Binary::*;
    let width = t.width(a);
    let plain = |t: &mut Terms, op| t.bits(op, width, &[a, b]);
    let shifted = |t: &mut Terms, op| {
        let most = t.int(width, u64::from(width - 1));
        let by = t.bits(BitsOp::And, width, &[b, most]);
        t.bits(op, width, &[a, by])
    };
    Ok(match op {
        I32Add | I64Add => plain(t, BitsOp::Add),
        I32Sub | I64Sub => {
            let minus = t.bits(BitsOp::Neg, width, &[b]);
            t.bits(BitsOp::Add, width, &[a, minus])
        }
        I32Mul | I64Mul => plain(t, BitsOp::Mul),
        I32And | I64And => plain(t, BitsOp::And),
        I32Or | I64Or => plain(t, BitsOp::Or),
        I32Xor | I64Xor => plain(t, BitsOp::Xor),
        I32Shl | I64Shl => shifted(t, BitsOp::Shl),
        I32ShrS | I64ShrS => shifted(t, BitsOp::Sar),
        I32ShrU | I64ShrU => shifted(t, BitsOp::Shr),
        // In either order the same term.
        F32Add | F64Add => t.nearest(RoundedFunction::Add, &[a.min(b), a.max(b)]),
        // Of a number it is +0 in this direction of rounding; else NaN.
        F32Sub | F64Sub if a == b => {
            let format = t.format(a);
            let [zero, nan, infinity] =
                [ZERO, NAN, format.infinity()].map(|x| t.graph.constant(Sort::Float(format), x));
            let magnitude = t.exact(TermOp::Abs, &[a]);
            let finite = t.related(TermRelation::Less, magnitude, infinity);
            t.choice(finite, zero, nan)
        }
        F32Sub | F64Sub => {
            let minus = t.exact(TermOp::Neg, &[b]);
            t.nearest(RoundedFunction::Add, &[a, minus])
        }
        F32Mul | F64Mul => t.nearest(RoundedFunction::Mul, &[a.min(b), a.max(b)]),
        F32Div | F64Div => t.nearest(RoundedFunction::Div, &[a, b]),
        F32Min | F64Min => lesser(t, a, b),
        F32Max | F64Max => {
            let (a, b) = (t.exact(TermOp::Neg, &[a]), t.exact(TermOp::Neg, &[b]));
            let least = lesser(t, a, b);
            t.exact(TermOp::Neg, &[least])
        }
        F32Copysign | F64Copysign => copysign(t, a, b),
        I32DivS | I32DivU | I32RemS | I32RemU | I32Rotl | I32Rotr | I64DivS | I64DivU | I64RemS | I64RemU | I64Rotl
        | I64Rotr => match (t.known(a), t.known(b)) {
            (Some(x), Some(y)) => t.int(width, bits::binary(op, x, y)?),
            (_, Some(0)) if !matches!(op, I32Rotl | I32Rotr | I64Rotl | I64Rotr) => {
                return Err(Trap::DivisionByZero);
            }
            _ => match op {
                I32DivU | I64DivU => plain(t, BitsOp::Div),
                I32RemU | I64RemU => plain(t, BitsOp::Rem),
                I32DivS | I64DivS | I32RemS | I64RemS => signed(t, matches!(op, I32DivS | I64DivS), a, b),
                _ => t.anything(Sort::Bits(width)),
            },
        },
    })
}

/// Quotient or remainder of numbers with signs, towards zero.
fn signed(t: &mut Terms, is_quotient: bool, a: Term, b: Term) -> Term {
    let width = t.width(a);
    let top = t.int(width, 1 << (width - 1));
    let mut apart = |x: Term| {
        let negative = t.truth(TermOp::Bits(BitsOp::LessEqual), &[top, x]);
        let minus = t.bits(BitsOp::Neg, width, &[x]);
        (negative, t.choice(negative, minus, x))
    };
    let ((a_negative, a), (b_negative, b)) = (apart(a), apart(b));
    let same = t.truth(TermOp::Same, &[a_negative, b_negative]);
    let (result, negative) = if is_quotient {
        (t.bits(BitsOp::Div, width, &[a, b]), t.graph.not(same))
    } else {
        (t.bits(BitsOp::Rem, width, &[a, b]), a_negative)
    };
    let minus = t.bits(BitsOp::Neg, width, &[result]);
    t.choice(negative, minus, result)
}

/// WebAssembly's minimum: NaN if an operand is, and -0 below +0.
fn lesser(t: &mut Terms, a: Term, b: Term) -> Term {
    let (a_first, b_first) = (t.related(TermRelation::Less, a, b), t.related(TermRelation::Less, b, a));
    let negative = t.truth(TermOp::IsNegative, &[a]);
    let equal = t.choice(negative, a, b);
    let numbers = t.choice(b_first, b, equal);
    let numbers = t.choice(a_first, a, numbers);
    let (a_nan, b_nan) = (t.truth(TermOp::IsNan, &[a]), t.truth(TermOp::IsNan, &[b]));
    let or_b = t.choice(b_nan, b, numbers);
    t.choice(a_nan, a, or_b)
}

/// The magnitude of one with the sign of the other; that of NaN may be either.
pub(super) fn copysign(t: &mut Terms, a: Term, b: Term) -> Term {
    let magnitude = t.exact(TermOp::Abs, &[a]);
    let minus = t.exact(TermOp::Neg, &[magnitude]);
    let mut negative = t.truth(TermOp::IsNegative, &[b]);
    let nan = t.truth(TermOp::IsNan, &[b]);
    if t.graph.constant_value(nan) != Some(0) {
        let either = t.anything(Sort::Bool);
        negative = t.choice(nan, either, negative);
    }
    t.choice(negative, minus, magnitude)
}

/// Whether a comparison holds.
pub(super) fn compare(t: &mut Terms, op: Compare, a: Term, b: Term) -> Term {
    use relation::CodeRelation as R;
    let (relation, kind) = relation(op);
    let (relation, a, b) = match relation {
        R::Gt => (R::Lt, b, a),
        R::Ge => (R::Le, b, a),
        other => (other, a, b),
    };
    match (kind, relation) {
        (BitsKind::Int { .. }, R::Eq) => t.truth(TermOp::Same, &[a, b]),
        (BitsKind::Int { .. }, R::Ne) => {
            // A truth value as a number is asked about as itself.
            if t.known(b) == Some(0) {
                return t.non_zero(a);
            }
            let same = t.truth(TermOp::Same, &[a, b]);
            t.graph.not(same)
        }
        (BitsKind::Int { signed, .. }, _) => {
            let (a, b) = if signed { (t.shifted(a), t.shifted(b)) } else { (a, b) };
            let op = if relation == R::Lt { BitsOp::Less } else { BitsOp::LessEqual };
            t.truth(TermOp::Bits(op), &[a, b])
        }
        (_, R::Lt) => t.related(TermRelation::Less, a, b),
        (_, R::Le) => t.related(TermRelation::LessEqual, a, b),
        (_, R::Ne) => {
            let equal = t.related(TermRelation::Equal, a, b);
            t.graph.not(equal)
        }
        _ => t.related(TermRelation::Equal, a, b),
    }
}
