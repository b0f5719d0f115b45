//! Sums, products, roots and powers.

use super::{Evaluator, Maybe, No, Num, Yes, holds_zero, integer, is_zero};
use magneto::num::mpfr::{Float, Pow as _, Rational, Round, Special};
use magneto::ops::Op;

impl Evaluator {
    /// Sums, products, roots and powers.
    pub(super) fn arithmetic(&self, op: Op, args: &[&Num]) -> Num {
        let (bits, x) = (self.bits, args[0]);
        match op {
            Op::Add => self.between(
                Float::with_val_round(bits, &x.lo + &args[1].lo, Round::Down).0,
                Float::with_val_round(bits, &x.hi + &args[1].hi, Round::Up).0,
                Yes,
            ),
            Op::Sub => self.between(
                Float::with_val_round(bits, &x.lo - &args[1].hi, Round::Down).0,
                Float::with_val_round(bits, &x.hi - &args[1].lo, Round::Up).0,
                Yes,
            ),
            Op::Neg => self.between(Float::with_val(bits, -&x.hi), Float::with_val(bits, -&x.lo), Yes),
            Op::Mul => self.corners(x, args[1], |a, b, r| {
                if a.is_zero() || b.is_zero() {
                    return Float::new(bits);
                }
                Float::with_val_round(bits, a * b, r).0
            }),
            Op::Div if is_zero(args[1]) => self.nothing(),
            Op::Div if args[1].lo == 0 && (x.lo >= 0 || x.hi <= 0) => self.by_what_is_not_negative(x, &args[1].hi),
            Op::Div if holds_zero(args[1]) => self.anything(Maybe),
            Op::Div => self.corners(x, args[1], |a, b, r| Float::with_val_round(bits, a / b, r).0),
            Op::Fma => {
                let product = self.operate(Op::Mul, &args[..2]);
                self.operate(Op::Add, &[&product, args[2]])
            }
            Op::Sqrt => match self.from(x, 0, false) {
                (_, No) => self.nothing(),
                (x, d) => self.increasing(&x, d, rounded!(bits, sqrt_ref)),
            },
            Op::Cbrt => self.increasing(x, Yes, rounded!(bits, cbrt_ref)),
            Op::Hypot => {
                let (a, b) = (self.abs(x), self.abs(args[1]));
                self.corners(&a, &b, |a, b, r| Float::with_val_round(bits, a.hypot_ref(b), r).0)
            }
            Op::Pow => self.power(x, args[1]),
            _ => unreachable!("{op:?} is of another family"),
        }
    }

    /// A number of one sign by one from 0 to a bound: where it has a value, that is at least as far from 0 as by the bound.
    fn by_what_is_not_negative(&self, x: &Num, bound: &Float) -> Num {
        let quotient = |a: &Float, r| Float::with_val_round(self.bits, a / bound, r).0;
        let infinity = |sign: Special| Float::with_val(self.bits, sign);
        if x.lo >= 0 {
            self.between(quotient(&x.lo, Round::Down), infinity(Special::Infinity), Maybe)
        } else {
            self.between(infinity(Special::NegInfinity), quotient(&x.hi, Round::Up), Maybe)
        }
    }

    fn power(&self, x: &Num, y: &Num) -> Num {
        let raise = |a: &Float, b: &Float, r| {
            let a = if a.is_zero() { Float::new(self.bits) } else { a.clone() };
            Float::with_val_round(self.bits, (&a).pow(b), r).0
        };
        if x.lo > 0 {
            return self.corners(x, y, raise);
        }
        if let Some(n) = integer(y) {
            if n == 0 {
                return self.rational(&Rational::from(1));
            }
            if n < 0 && is_zero(x) {
                return self.nothing();
            }
            if n < 0 && holds_zero(x) {
                return self.anything(Maybe);
            }
            let exponent = Float::with_val(64, n);
            let f = |a: &Float, r: Round| raise(a, &exponent, r);
            return match (n % 2 == 0, n > 0) {
                (true, true) => self.increasing(&self.abs(x), Yes, f),
                (true, false) => self.decreasing(&self.abs(x), Yes, f),
                (false, true) => self.increasing(x, Yes, f),
                (false, false) => self.decreasing(x, Yes, f),
            };
        }
        let whole = Float::with_val_round(self.bits, y.lo.ceil_ref(), Round::Down).0 <= y.hi;
        if is_zero(x) && y.lo > 0 {
            return self.rational(&Rational::new());
        }
        if (is_zero(x) && y.hi < 0) || (x.hi < 0 && !whole) {
            return self.nothing();
        }
        if x.lo >= 0 && y.lo > 0 {
            return self.corners(x, y, raise);
        }
        self.anything(Maybe)
    }
}

/// The exact value of the rational operations.
pub(crate) fn exactly(op: Op, x: &[&Rational]) -> Option<Rational> {
    Some(match (op, x) {
        (Op::Add, [a, b]) => Rational::from(*a + *b),
        (Op::Sub, [a, b]) => Rational::from(*a - *b),
        (Op::Mul, [a, b]) => Rational::from(*a * *b),
        (Op::Div, [a, b]) if **b != 0 => Rational::from(*a / *b),
        (Op::Fma, [a, b, c]) => Rational::from(*a * *b) + *c,
        (Op::Neg, [a]) => Rational::from(-*a),
        (Op::Fabs, [a]) => (*a).clone().abs(),
        (Op::Fmin, [a, b]) => (*a).clone().min((*b).clone()),
        (Op::Fmax, [a, b]) => (*a).clone().max((*b).clone()),
        (Op::Fmod | Op::Remainder, [a, b]) if **b != 0 => super::special::remainder(op, a, b),
        (Op::Fdim, [a, b]) => Rational::from(*a - *b).max(Rational::new()),
        (Op::Pow, [a, n]) if n.is_integer() => {
            let k = n.numer().to_i32().filter(|k| k.abs() <= 64)?;
            if **a == 0 && k < 0 {
                return None;
            }
            let base = if k < 0 { (*a).clone().recip() } else { (*a).clone() };
            (0..k.abs()).fold(Rational::from(1), |p, _| p * &base)
        }
        (Op::Sqrt, [a]) if **a >= 0 && a.numer().is_perfect_square() && a.denom().is_perfect_square() => {
            Rational::from((a.numer().clone().sqrt(), a.denom().clone().sqrt()))
        }
        (_, [a]) => super::nearest::finite(a, super::nearest::target(op)?)?,
        _ => return None,
    })
}
