//! The operators: how each maps enclosures, and where it has a value. One file a family.

use super::value::Tri::{self, Maybe, No, Yes};
use super::value::{Evaluator, Num, holds_zero, integer, is_zero, larger, smaller};
use magneto::num::mpfr::{Float, Rational};
use magneto::ops::Op;

/// A function of MPFR as one of a number and a direction of rounding.
macro_rules! rounded {
    ($bits:expr, $method:ident) => {
        |x: &Float, r: magneto::num::mpfr::Round| Float::with_val_round($bits, x.$method(), r).0
    };
}

mod arith;
mod explog;
mod nearest;
mod piecewise;
mod special;
mod trig;

use arith::exactly;
pub(super) use nearest::target;
pub(super) use piecewise::compare;

impl Evaluator {
    /// The value of an operator, exact where it is known to be.
    pub(super) fn apply(&self, op: Op, args: &[&Num]) -> Num {
        let defined = args.iter().fold(Yes, |d, a| d.and(a.defined));
        if defined == No {
            return self.nothing();
        }
        if self.exact {
            let known: Option<Vec<&Rational>> = args.iter().map(|a| a.exact.as_ref()).collect();
            if let Some(q) = known.and_then(|k| exactly(op, &k)) {
                return Num { defined, ..self.rational(&q) };
            }
            if let Some(y) = self.with_pi(op, args) {
                return Num { defined: y.defined.and(defined), ..y };
            }
        }
        let mut y = self.operate(op, args);
        y.defined = y.defined.and(defined);
        y
    }

    pub(super) fn operate(&self, op: Op, args: &[&Num]) -> Num {
        match op {
            Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Div | Op::Fma | Op::Sqrt | Op::Cbrt | Op::Hypot | Op::Pow => {
                self.arithmetic(op, args)
            }
            Op::Exp | Op::Exp2 | Op::Expm1 | Op::Log | Op::Log2 | Op::Log10 | Op::Log1p => self.exponential(op, args),
            Op::Sin | Op::Cos | Op::Tan | Op::Asin | Op::Acos | Op::Atan | Op::Atan2 => self.circular(op, args),
            Op::Sinh | Op::Cosh | Op::Tanh | Op::Asinh | Op::Acosh | Op::Atanh => self.hyperbolic(op, args),
            Op::Erf | Op::Erfc => self.piecewise(op, args),
            Op::Fabs | Op::Fmin | Op::Fmax | Op::Fdim | Op::Copysign => self.piecewise(op, args),
            Op::Floor | Op::Ceil | Op::Round | Op::Nearbyint | Op::Trunc => self.piecewise(op, args),
            Op::Tgamma | Op::Lgamma => self.gamma(op, args[0]),
            Op::J0 | Op::J1 | Op::Y0 | Op::Y1 => self.bessel(op, args[0]),
            Op::Fmod | Op::Remainder => self.remainder(op, args[0], args[1]),
            Op::Binary64 | Op::Binary32 | Op::Binary16 | Op::Bfloat16 => {
                self.nearest(args[0], target(op).expect("a format"))
            }
        }
    }

    /// The part of x at least (more than) k, and whether x is there.
    fn from(&self, x: &Num, k: i32, strict: bool) -> (Num, Tri) {
        let inside = if strict { x.lo > k } else { x.lo >= k };
        let outside = if strict { x.hi <= k } else { x.hi < k };
        (Num { lo: larger(x.lo.clone(), Float::with_val(self.bits, k)), ..x.clone() }, Tri::of(inside, outside))
    }
}
