//! Values of constant expressions: exact where they are rational, else enclosed.

use super::core::{Constant, Expr, ExprKind};
use super::number::MAX_BITS;
use crate::num::mpfr::{Float, MpConstant, Round};
use crate::num::{MpInterval, Rational, Ternary};
use crate::ops::{Exact, Op};

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

impl Constant {
    /// An enclosure with ends of `precision` bits; `None` for infinity, NaN and the truth values.
    #[must_use]
    pub fn enclose(self, precision: u32) -> Option<MpInterval> {
        // Constants that are decreasing in another one take its far end.
        let opposite = |r: Round| if r == Round::Down { Round::Up } else { Round::Down };
        let pi = |p: u32, r: Round| Float::with_val_round(p, MpConstant::Pi, r).0;
        let ln = |n: u32, p: u32, r: Round| {
            let mut x = Float::with_val(p.max(32), n);
            x.ln_round(r);
            Float::with_val_round(p, x, r).0
        };
        let sqrt = |x: Float, p: u32, r: Round| {
            let mut x = x;
            x.sqrt_round(r);
            Float::with_val_round(p, x, r).0
        };
        let over = |n: u32, x: Float, p: u32, r: Round| Float::with_val_round(p, n / &x, r).0;
        let wide = precision.max(32) + 16;
        let by = |f: &dyn Fn(u32, Round) -> Float| Some(MpInterval::round_both(precision, f));
        match self {
            Constant::E => by(&|p, r| {
                let mut x = Float::with_val(wide, 1);
                x.exp_round(r);
                Float::with_val_round(p, x, r).0
            }),
            Constant::Log2E => by(&|p, r| over(1, ln(2, wide, opposite(r)), p, r)),
            Constant::Log10E => by(&|p, r| over(1, ln(10, wide, opposite(r)), p, r)),
            Constant::Ln2 => by(&|p, r| ln(2, p, r)),
            Constant::Ln10 => by(&|p, r| ln(10, p, r)),
            Constant::Pi => by(&pi),
            Constant::Pi2 => by(&|p, r| pi(p, r) / 2),
            Constant::Pi4 => by(&|p, r| pi(p, r) / 4),
            Constant::InvPi => by(&|p, r| over(1, pi(wide, opposite(r)), p, r)),
            Constant::TwoInvPi => by(&|p, r| over(2, pi(wide, opposite(r)), p, r)),
            Constant::TwoInvSqrtPi => by(&|p, r| over(2, sqrt(pi(wide, opposite(r)), wide, opposite(r)), p, r)),
            Constant::Sqrt2 => by(&|p, r| sqrt(Float::with_val(wide, 2), p, r)),
            Constant::Sqrt1_2 => by(&|p, r| sqrt(Float::with_val(wide, 0.5), p, r)),
            Constant::Infinity | Constant::Nan | Constant::True | Constant::False => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_enclosed() {
        use std::f64::consts as c;
        let close = [
            (Constant::E, c::E),
            (Constant::Log2E, c::LOG2_E),
            (Constant::Log10E, c::LOG10_E),
            (Constant::Ln2, c::LN_2),
            (Constant::Ln10, c::LN_10),
            (Constant::Pi, c::PI),
            (Constant::Pi2, c::FRAC_PI_2),
            (Constant::Pi4, c::FRAC_PI_4),
            (Constant::InvPi, c::FRAC_1_PI),
            (Constant::TwoInvPi, c::FRAC_2_PI),
            (Constant::TwoInvSqrtPi, c::FRAC_2_SQRT_PI),
            (Constant::Sqrt2, c::SQRT_2),
            (Constant::Sqrt1_2, c::FRAC_1_SQRT_2),
        ];
        for (constant, value) in close {
            for precision in [2, 20, 53, 200] {
                let coarse = constant.enclose(precision).unwrap();
                let fine = constant.enclose(4 * precision + 64).unwrap();
                assert!(coarse.lo <= fine.lo && fine.lo < fine.hi && fine.hi <= coarse.hi, "{constant:?} {precision}");
                let width = Float::with_val(53, &coarse.hi - &coarse.lo).to_f64() / value;
                assert!(width <= 4.0 * 0.5_f64.powi(i32::try_from(precision).unwrap()), "{constant:?} {precision}");
            }
            let x = constant.enclose(53).unwrap();
            assert!(x.lo.to_f64() <= value.next_up() && value.next_down() <= x.hi.to_f64(), "{constant:?}");
        }
        assert!(Constant::Infinity.enclose(53).is_none() && Constant::True.enclose(53).is_none());
    }
}
