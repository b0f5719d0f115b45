//! Questions about operations, on sets.

use super::pieces::Pieces;
use super::{binary, compare, floats, is_float, unary};
use crate::code::host::{Pole, Without};
use crate::code::ins::{Compare, Type, Unary};
use crate::code::probe::{Operation, Probe, integers as range_of};
use crate::code::relation::relation;
use crate::floats::BitsKind;

/// Whether the answer to a question may be "yes".
pub(super) fn may_be(probe: Probe, operands: &[Pieces]) -> bool {
    let beside = |op: Compare, step: i128| {
        let of = |s: &Pieces| match relation(op).1 {
            _ if is_float(s.ty) => floats::in_order(s),
            BitsKind::Int { signed: false, .. } => s.unsigned(),
            _ => s.signed(),
        };
        let (a, b) = (of(&operands[0]), of(&operands[1]));
        a.iter().any(|(p, q)| b.iter().any(|(r, s)| p + step <= *s && *r <= q + step))
    };
    let result = |op: Operation, kept: &[Pieces]| match (op, kept) {
        (Operation::One(op), [a]) => Some(unary(op, a)),
        (Operation::Two(op), [a, b]) => Some(binary(op, a, b)),
        // Of a function of the host nothing is known.
        _ => None,
    };
    let numbers = |keep: fn(f64) -> bool| operands.iter().map(|s| floats::only(s, keep)).collect::<Vec<_>>();
    match probe {
        Probe::Equal(op) => beside(op, 0),
        Probe::Below(op) => beside(op, 1),
        Probe::Above(op) => beside(op, -1),
        Probe::Infinity(op) | Probe::Overflow(op) => {
            if let Operation::Call(call) = op {
                return call.overflows || call.pole != Pole::Zero || may(&floats::only(&operands[0], |x| x == 0.0));
            }
            let mut kept = numbers(f64::is_finite);
            if op.is_division() && matches!(probe, Probe::Overflow(_)) {
                kept[1] = floats::only(&kept[1], |x| x != 0.0);
            }
            result(op, &kept).is_none_or(|r| floats::may_be_infinite(&r))
        }
        Probe::Reached => true,
        Probe::Nan(Operation::Call(call)) => is_without(call.without, operands),
        Probe::Nan(op) => result(op, &numbers(|x| !x.is_nan())).is_none_or(|r| floats::may_be_nan(&r)),
        Probe::Beyond(op) => {
            let Some((least, end)) = range_of(op) else { return true };
            let end = Pieces::one(Type::F64, end.to_bits());
            let a = floats::only(&operands[0], f64::is_finite);
            let a = if a.ty == Type::F32 { unary(Unary::F64PromoteF32, &a) } else { a };
            let whole = unary(Unary::F64Trunc, &a);
            compare(Compare::F64Ge, &a, &end).0
                || compare(Compare::F64Lt, &whole, &Pieces::one(Type::F64, least.to_bits())).0
        }
        Probe::ZeroDivisor(_) => {
            operands[1].parts.iter().any(|p| p.0 == 0) || {
                is_float(operands[1].ty)
                    && compare(zero_test(operands[1].ty), &operands[1], &Pieces::one(operands[1].ty, 0)).0
            }
        }
    }
}

fn may(a: &Pieces) -> bool {
    !a.parts.is_empty()
}

/// Whether a function of the host may have no value at some of the numbers.
fn is_without(without: Without, operands: &[Pieces]) -> bool {
    let compared = |op: Compare, bound: f64| {
        let x = &operands[0];
        let x = if x.ty == Type::F32 { unary(Unary::F64PromoteF32, x) } else { x.clone() };
        compare(op, &x, &Pieces::one(Type::F64, bound.to_bits())).0
    };
    match without {
        Without::Nothing => false,
        Without::Below(n) => compared(Compare::F64Lt, n.into()),
        Without::BeyondOne => compared(Compare::F64Lt, -1.0) || compared(Compare::F64Gt, 1.0),
        Without::Infinite => floats::may_be_infinite(&operands[0]),
        Without::Remainder => floats::may_be_infinite(&operands[0]) || may(&floats::only(&operands[1], |y| y == 0.0)),
        Without::Some => true,
    }
}

fn zero_test(ty: Type) -> Compare {
    if ty == Type::F64 { Compare::F64Eq } else { Compare::F32Eq }
}
