//! Remainders, gamma and Bessel functions for the judge.

use super::{Evaluator, Maybe, No, Num, Tri, Yes, holds_zero, is_zero};
use magneto::num::mpfr::{AssignRound as _, Float, Rational, Round};
use magneto::ops::Op;
use std::cmp::Ordering;

/// The integer that a quotient is rounded to.
fn rounded(op: Op, quotient: &Rational) -> Rational {
    let down = Rational::from(quotient.floor_ref());
    if op == Op::Fmod {
        return if *quotient < 0 && down != *quotient { down + 1u32 } else { down };
    }
    let rest = Rational::from(quotient - &down);
    let half = Rational::from((1, 2));
    let up = rest > half || rest == half && !down.numer().is_even();
    if up { down + 1u32 } else { down }
}

/// The exact remainder of a division by a number that is not 0.
pub(super) fn remainder(op: Op, x: &Rational, y: &Rational) -> Rational {
    let n = rounded(op, &Rational::from(x / y));
    x - n * y
}

/// Quotients longer than this are not followed.
const LONGEST: i32 = 4000;

impl Evaluator {
    pub(super) fn remainder(&self, op: Op, x: &Num, y: &Num) -> Num {
        if is_zero(y) {
            return self.nothing();
        }
        if holds_zero(y) {
            return self.anything(Maybe);
        }
        let bound = self.abs(y).hi;
        let anywhere = || self.between(Float::with_val(self.bits, -&bound), bound.clone(), Yes);
        let wide = Evaluator { bits: self.bits * 2, exact: false };
        let quotient = wide.operate(Op::Div, &[x, y]);
        let vast = |f: &Float| f.is_infinite() || f.get_exp().is_some_and(|e| e.abs() > LONGEST);
        if vast(&quotient.lo) || vast(&quotient.hi) {
            return anywhere();
        }
        let (Some(lo), Some(hi)) = (quotient.lo.to_rational(), quotient.hi.to_rational()) else { return anywhere() };
        let (n, other) = (rounded(op, &lo), rounded(op, &hi));
        if n != other {
            return anywhere();
        }
        let product = self.operate(Op::Mul, &[&wide.rational(&n), y]);
        self.operate(Op::Sub, &[x, &product])
    }

    /// Only at numbers, and where a function of the second kind increases: elsewhere nothing is said.
    pub(super) fn bessel(&self, op: Op, x: &Num) -> Num {
        let is_second = matches!(op, Op::Y0 | Op::Y1);
        let defined = if is_second { Tri::of(x.lo > 0, x.hi <= 0) } else { Yes };
        if defined == No {
            return self.nothing();
        }
        let f = |a: &Float, r: Round| {
            let value = |r| match op {
                Op::J0 => Float::with_val_round(self.bits, a.j0_ref(), r).0,
                Op::J1 => Float::with_val_round(self.bits, a.j1_ref(), r).0,
                Op::Y0 => Float::with_val_round(self.bits, a.y0_ref(), r).0,
                _ => Float::with_val_round(self.bits, a.y1_ref(), r).0,
            };
            value(r)
        };
        let moderate = |a: &Float| a.is_zero() || a.get_exp().is_some_and(|e| e.abs() < 40);
        match defined == Yes && moderate(&x.lo) && moderate(&x.hi) && (x.lo == x.hi || is_second && x.hi < 2) {
            true => self.increasing(x, defined, f),
            false => self.anything(defined),
        }
    }

    pub(super) fn gamma(&self, op: Op, x: &Num) -> Num {
        if let Some(q) = x.exact.as_ref().filter(|q| q.is_integer() && **q <= 0) {
            debug_assert!(q.is_integer());
            return self.nothing();
        }
        let point = x.lo == x.hi;
        if point && x.lo <= 0 && x.lo.is_integer() {
            return self.nothing();
        }
        let moderate = |f: &Float| f.is_zero() || f.get_exp().is_some_and(|e| e.abs() < 40);
        let floor = |f: &Float| Float::with_val(self.bits, f.floor_ref());
        let defined = Tri::of(x.lo > 0 || floor(&x.lo) == floor(&x.hi) && !x.lo.is_integer(), false);
        if !moderate(&x.lo) || !moderate(&x.hi) || defined == No {
            return self.anything(defined);
        }
        let f = |a: &Float, r: Round| {
            if op == Op::Tgamma {
                return Float::with_val_round(self.bits, a.gamma_ref(), r).0;
            }
            let (mut y, mut sign) = (Float::new(self.bits), Ordering::Equal);
            let _ = (&mut y, &mut sign).assign_round(a.ln_abs_gamma_ref(), r);
            y
        };
        // Both fall up to 1.46163… and grow from there on.
        if point || x.lo > 1.47 {
            return self.increasing(x, defined, f);
        }
        if x.lo > 0 && x.hi < 1.46 {
            return self.decreasing(x, defined, f);
        }
        self.anything(defined)
    }
}
