//! Trigonometric functions.

use super::{Evaluator, Maybe, No, Num, Tri, Yes, holds_zero, is_zero, smaller};
use magneto::num::mpfr::Float;
use magneto::ops::{Constant, Op};

impl Evaluator {
    /// Trigonometric functions and their inverses.
    pub(super) fn circular(&self, op: Op, args: &[&Num]) -> Num {
        let (bits, x) = (self.bits, args[0]);
        let n = |k: i32| Float::with_val(bits, k);
        match op {
            Op::Sin => self.gentle(x, rounded!(bits, sin_ref)),
            Op::Cos => self.gentle(x, rounded!(bits, cos_ref)),
            Op::Tan => {
                let cosine = self.gentle(x, rounded!(bits, cos_ref));
                let width = Float::with_val(bits, &x.hi - &x.lo);
                // Between two poles, if the cosine has no zero.
                if holds_zero(&cosine) || width.is_nan() || width > 1 {
                    return self.anything(Maybe);
                }
                self.increasing(x, Yes, rounded!(bits, tan_ref))
            }
            Op::Asin | Op::Acos => {
                let (below, d) = self.from(x, -1, false);
                let inside = d.and(Tri::of(x.hi <= 1, x.lo > 1));
                if inside == No {
                    return self.nothing();
                }
                let x = Num { hi: smaller(x.hi.clone(), n(1)), ..below };
                if op == Op::Asin {
                    self.increasing(&x, inside, rounded!(bits, asin_ref))
                } else {
                    self.decreasing(&x, inside, rounded!(bits, acos_ref))
                }
            }
            Op::Atan => self.increasing(x, Yes, rounded!(bits, atan_ref)),
            Op::Atan2 => self.angle(x, args[1]),
            _ => unreachable!("{op:?} is of another family"),
        }
    }

    /// atan2 of y and x, the angle of the point (x, y).
    fn angle(&self, y: &Num, x: &Num) -> Num {
        if is_zero(y) && is_zero(x) {
            return self.nothing();
        }
        if is_zero(y) && x.hi < 0 {
            return self.constant(Constant::Pi);
        }
        if !(y.lo > 0 || y.hi < 0 || x.lo > 0) {
            // On or across the negative half axis, or at the origin.
            return self.anything(Maybe);
        }
        self.corners(y, x, |a, b, r| Float::with_val_round(self.bits, a.atan2_ref(b), r).0)
    }
}
