//! Functions in pieces, comparisons, and the error functions.

use super::super::pi::WithPi;
use super::{Evaluator, Num, Tri, Yes, larger, smaller};
use magneto::num::mpfr::Float;
use magneto::ops::Op;
use magneto::spec::core::Compare;
use std::cmp::Ordering;

impl Evaluator {
    /// Functions in pieces, rounding to integers, and error functions.
    pub(super) fn piecewise(&self, op: Op, args: &[&Num]) -> Num {
        let (bits, x) = (self.bits, args[0]);
        let n = |k: i32| Float::with_val(bits, k);
        match op {
            Op::Erf => self.increasing(x, Yes, rounded!(bits, erf_ref)),
            Op::Erfc => self.decreasing(x, Yes, rounded!(bits, erfc_ref)),
            Op::Fabs => self.abs(x),
            Op::Fmin | Op::Fmax => {
                let (y, pick) = (args[1], if op == Op::Fmin { smaller } else { larger });
                self.between(pick(x.lo.clone(), y.lo.clone()), pick(x.hi.clone(), y.hi.clone()), Yes)
            }
            Op::Fdim => {
                let d = self.operate(Op::Sub, args);
                self.between(larger(d.lo, n(0)), larger(d.hi, n(0)), Yes)
            }
            Op::Copysign => {
                let (size, y) = (self.abs(x), args[1]);
                if y.lo >= 0 {
                    size
                } else if y.hi < 0 {
                    self.operate(Op::Neg, &[&size])
                } else {
                    self.between(Float::with_val(bits, -&size.hi), size.hi, Yes)
                }
            }
            Op::Floor => self.increasing(x, Yes, rounded!(bits, floor_ref)),
            Op::Ceil => self.increasing(x, Yes, rounded!(bits, ceil_ref)),
            Op::Round => self.increasing(x, Yes, rounded!(bits, round_ref)),
            Op::Nearbyint => self.increasing(x, Yes, rounded!(bits, round_even_ref)),
            Op::Trunc => self.increasing(x, Yes, rounded!(bits, trunc_ref)),
            _ => unreachable!("{op:?} is of another family"),
        }
    }
}

/// Whether a comparison of two numbers holds.
pub(crate) fn compare(c: Compare, a: &Num, b: &Num) -> Tri {
    let rational = a.exact.as_ref().zip(b.exact.as_ref()).map(|(a, b)| a.cmp(b));
    let same = || WithPi::of(a).is_some_and(|of_a| Some(of_a) == WithPi::of(b));
    if let Some(o) = rational.or_else(|| same().then_some(Ordering::Equal)) {
        return Tri::of(
            match c {
                Compare::Lt => o == Ordering::Less,
                Compare::Gt => o == Ordering::Greater,
                Compare::Le => o != Ordering::Greater,
                Compare::Ge => o != Ordering::Less,
                Compare::Eq => o == Ordering::Equal,
                Compare::Ne => o != Ordering::Equal,
            },
            true,
        );
    }
    let equal = || Tri::of(a.lo == a.hi && b.lo == b.hi && a.lo == b.lo, a.hi < b.lo || b.hi < a.lo);
    match c {
        Compare::Lt => Tri::of(a.hi < b.lo, a.lo >= b.hi),
        Compare::Gt => Tri::of(b.hi < a.lo, b.lo >= a.hi),
        Compare::Le => Tri::of(a.hi <= b.lo, a.lo > b.hi),
        Compare::Ge => Tri::of(b.hi <= a.lo, b.lo > a.hi),
        Compare::Eq => equal(),
        Compare::Ne => equal().not(),
    }
}
