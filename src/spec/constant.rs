//! Values of constant expressions: exact where they are rational, else enclosed.

use super::core::{Expr, ExprKind};
use super::number::MAX_BITS;
use crate::num::mpfr::{Float, Round};
use crate::num::{MpInterval, Rational, Ternary};
use crate::ops::{Constant, Exact, Op};

/// The precision at which constants such as `(* 2 PI)` are enclosed.
const PRECISION: u32 = 128;
/// The precision of an enclosure's ends, enough to part it from every number of an input format.
const END_PRECISION: u32 = 64;

/// The value of a constant expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    Exact(Rational),
    /// In this closed interval.
    Between(Rational, Rational),
    /// Positive infinity, or negative.
    Infinite(bool),
}

/// The names that `let` has bound around an expression, innermost last, with the value where it is constant.
pub(super) type Scope = Vec<(String, Option<Known>)>;

/// The value of an expression, if it is constant and not too hard.
pub(super) fn known(e: &Expr, scope: &Scope) -> Option<Known> {
    match &e.kind {
        ExprKind::Number(n) => Some(Known::Exact(n.value.clone())),
        ExprKind::Constant(Constant::Infinity) => Some(Known::Infinite(true)),
        ExprKind::Constant(c) => c.enclose(PRECISION).and_then(outward),
        ExprKind::Var(name) => scope.iter().rev().find(|(bound, _)| bound == name)?.1.clone(),
        ExprKind::Cast(e) | ExprKind::Annotated(_, e) => known(e, scope),
        ExprKind::Op(op, operands) => {
            let values = operands.iter().map(|o| known(o, scope)).collect::<Option<Vec<_>>>()?;
            if let (Op::Neg, [Known::Infinite(positive)]) = (op, values.as_slice()) {
                return Some(Known::Infinite(!positive));
            }
            if values.len() <= op.arity() {
                return apply(*op, &values);
            }
            let (first, rest) = values.split_first()?;
            rest.iter().try_fold(first.clone(), |acc, value| apply(*op, &[acc, value.clone()]))
        }
        _ => None,
    }
}

fn apply(op: Op, values: &[Known]) -> Option<Known> {
    let exact: Option<Vec<&Rational>> =
        values.iter().map(|v| if let Known::Exact(r) = v { Some(r) } else { None }).collect();
    if let Some(exact) = exact {
        match rational(op, &exact) {
            Exact::Value(value) => return Some(Known::Exact(value)),
            Exact::Undefined => return None,
            Exact::OfPi(_) | Exact::Unknown => {}
        }
    }
    let interval = |value: &Known| match value {
        Known::Exact(r) => Some(MpInterval::from_rational(r, PRECISION)),
        Known::Between(lo, hi) => {
            let lo = Float::with_val_round(PRECISION, lo, Round::Down).0;
            Some(MpInterval::new(lo, Float::with_val_round(PRECISION, hi, Round::Up).0))
        }
        Known::Infinite(_) => None,
    };
    let intervals = values.iter().map(interval).collect::<Option<Vec<_>>>()?;
    outward(op.enclose(&intervals.iter().collect::<Vec<_>>(), PRECISION))
}

/// The four operations on rational numbers here, the others where the operator knows.
fn rational(op: Op, x: &[&Rational]) -> Exact {
    let bits = |r: &Rational| i64::from(r.numer().significant_bits()) + i64::from(r.denom().significant_bits());
    if x.iter().map(|r| bits(r)).sum::<i64>() > MAX_BITS {
        return Exact::Unknown;
    }
    match (op, x) {
        (Op::Neg, [a]) => Exact::Value(Rational::from(-*a)),
        (Op::Add, [a, b]) => Exact::Value(Rational::from(*a + *b)),
        (Op::Sub, [a, b]) => Exact::Value(Rational::from(*a - *b)),
        (Op::Mul, [a, b]) => Exact::Value(Rational::from(*a * *b)),
        (Op::Div, [_, b]) if b.is_zero() => Exact::Undefined,
        (Op::Div, [a, b]) => Exact::Value(Rational::from(*a / *b)),
        _ => op.exact(x),
    }
}

/// The enclosure with ends of few digits, if it is bounded and the value exists.
fn outward(x: MpInterval) -> Option<Known> {
    if x.def != Ternary::True {
        return None;
    }
    if x.is_point() {
        return x.lo.to_rational().map(Known::Exact);
    }
    let lo = Float::with_val_round(END_PRECISION, &x.lo, Round::Down).0.to_rational()?;
    let hi = Float::with_val_round(END_PRECISION, &x.hi, Round::Up).0.to_rational()?;
    Some(Known::Between(lo, hi))
}
