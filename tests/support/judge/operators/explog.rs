//! Exponential, logarithmic and hyperbolic functions.

use super::{Evaluator, No, Num, Tri, Yes, smaller};
use magneto::num::mpfr::Float;
use magneto::ops::Op;

impl Evaluator {
    /// Exponential functions and logarithms.
    pub(super) fn exponential(&self, op: Op, args: &[&Num]) -> Num {
        let (bits, x) = (self.bits, args[0]);
        match op {
            Op::Exp => self.increasing(x, Yes, rounded!(bits, exp_ref)),
            Op::Exp2 => self.increasing(x, Yes, rounded!(bits, exp2_ref)),
            Op::Expm1 => self.increasing(x, Yes, rounded!(bits, exp_m1_ref)),
            Op::Log | Op::Log2 | Op::Log10 => match self.from(x, 0, true) {
                (_, No) => self.nothing(),
                (x, d) if op == Op::Log => self.increasing(&x, d, rounded!(bits, ln_ref)),
                (x, d) if op == Op::Log2 => self.increasing(&x, d, rounded!(bits, log2_ref)),
                (x, d) => self.increasing(&x, d, rounded!(bits, log10_ref)),
            },
            Op::Log1p => match self.from(x, -1, true) {
                (_, No) => self.nothing(),
                (x, d) => self.increasing(&x, d, rounded!(bits, ln_1p_ref)),
            },
            _ => unreachable!("{op:?} is of another family"),
        }
    }

    /// Hyperbolic functions and their inverses.
    pub(super) fn hyperbolic(&self, op: Op, args: &[&Num]) -> Num {
        let (bits, x) = (self.bits, args[0]);
        let n = |k: i32| Float::with_val(bits, k);
        match op {
            Op::Sinh => self.increasing(x, Yes, rounded!(bits, sinh_ref)),
            Op::Cosh => self.increasing(&self.abs(x), Yes, rounded!(bits, cosh_ref)),
            Op::Tanh => self.increasing(x, Yes, rounded!(bits, tanh_ref)),
            Op::Asinh => self.increasing(x, Yes, rounded!(bits, asinh_ref)),
            Op::Acosh => match self.from(x, 1, false) {
                (_, No) => self.nothing(),
                (x, d) => self.increasing(&x, d, rounded!(bits, acosh_ref)),
            },
            Op::Atanh => {
                let (below, d) = self.from(x, -1, true);
                let inside = d.and(Tri::of(x.hi < 1, x.lo >= 1));
                if inside == No {
                    return self.nothing();
                }
                let x = Num { hi: smaller(x.hi.clone(), n(1)), ..below };
                self.increasing(&x, inside, rounded!(bits, atanh_ref))
            }
            _ => unreachable!("{op:?} is of another family"),
        }
    }
}
