//! Numbers and truth values that may not be settled, and how monotone and other tame functions map them.

use super::pi::WithPi;
use magneto::num::mpfr::{Float, MpConstant, Rational, Round, Special};
use magneto::ops::{Constant, Op};

/// A truth value that may not be settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tri {
    Yes,
    No,
    Maybe,
}
use Tri::{Maybe, No, Yes};

impl Tri {
    pub(super) fn and(self, other: Tri) -> Tri {
        match (self, other) {
            (No, _) | (_, No) => No,
            (Yes, Yes) => Yes,
            _ => Maybe,
        }
    }

    pub(super) fn not(self) -> Tri {
        match self {
            Yes => No,
            No => Yes,
            Maybe => Maybe,
        }
    }

    pub(super) fn of(yes: bool, no: bool) -> Tri {
        if yes {
            Yes
        } else if no {
            No
        } else {
            Maybe
        }
    }
}

/// An enclosure of a number; `exact` where the number is known to be that rational, `with_pi` where it is known to be
/// another number a + b pi. `defined` is `No` where there is no number; the ends mean nothing then.
#[derive(Clone, Debug)]
pub(crate) struct Num {
    pub(crate) lo: Float,
    pub(crate) hi: Float,
    pub(crate) exact: Option<Rational>,
    pub(super) with_pi: Option<WithPi>,
    pub(crate) defined: Tri,
}

/// Evaluates at one precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evaluator {
    pub(crate) bits: u32,
    /// Whether to follow exact rational values too: dearer, and decides ties and zeros.
    pub(crate) exact: bool,
}

/// Rationals longer than this are not followed.
const LONGEST: u32 = 60_000;

pub(super) fn is_zero(x: &Num) -> bool {
    x.exact.as_ref().is_some_and(|q| *q == 0) || (x.lo.is_zero() && x.hi.is_zero())
}

pub(super) fn holds_zero(x: &Num) -> bool {
    !(x.lo > 0 || x.hi < 0)
}

pub(super) fn integer(x: &Num) -> Option<i64> {
    if let Some(q) = &x.exact {
        return if q.is_integer() { q.numer().to_i64() } else { None };
    }
    if x.lo == x.hi && x.lo.is_integer() { x.lo.to_integer()?.to_i64() } else { None }
}

pub(super) fn smaller(a: Float, b: Float) -> Float {
    if a <= b { a } else { b }
}

pub(super) fn larger(a: Float, b: Float) -> Float {
    if a >= b { a } else { b }
}

impl Evaluator {
    fn round(&self, q: &Rational, r: Round) -> Float {
        Float::with_val_round(self.bits, q, r).0
    }

    pub(super) fn rational(&self, q: &Rational) -> Num {
        let short = q.numer().significant_bits() + q.denom().significant_bits() < LONGEST;
        Num {
            lo: self.round(q, Round::Down),
            hi: self.round(q, Round::Up),
            exact: (self.exact && short).then(|| q.clone()),
            with_pi: None,
            defined: Yes,
        }
    }

    pub(super) fn nothing(&self) -> Num {
        let nan = Float::with_val(self.bits, Special::Nan);
        Num { lo: nan.clone(), hi: nan, exact: None, with_pi: None, defined: No }
    }

    pub(super) fn anything(&self, defined: Tri) -> Num {
        let (lo, hi) = (Special::NegInfinity, Special::Infinity);
        let (lo, hi) = (Float::with_val(self.bits, lo), Float::with_val(self.bits, hi));
        Num { lo, hi, exact: None, with_pi: None, defined }
    }

    pub(super) fn between(&self, lo: Float, hi: Float, defined: Tri) -> Num {
        if lo.is_nan() || hi.is_nan() {
            return self.anything(defined);
        }
        assert!(lo <= hi, "the judge itself is wrong: [{lo}, {hi}]");
        let small = lo.get_exp().is_none_or(|e| e.unsigned_abs() < LONGEST);
        let exact = if self.exact && lo == hi && small { lo.to_rational() } else { None };
        Num { lo, hi, exact, with_pi: None, defined }
    }

    pub(super) fn constant(&self, c: Constant) -> Num {
        let wide = Evaluator { bits: self.bits + 64, exact: false };
        let n = |k: i32| wide.rational(&Rational::from(k));
        let pi = Num {
            lo: Float::with_val_round(wide.bits, MpConstant::Pi, Round::Down).0,
            hi: Float::with_val_round(wide.bits, MpConstant::Pi, Round::Up).0,
            exact: None,
            with_pi: None,
            defined: Yes,
        };
        let un = |op, x: &Num| wide.apply(op, &[x]);
        let div = |x: &Num, y: &Num| wide.apply(Op::Div, &[x, y]);
        let value = match c {
            Constant::E => un(Op::Exp, &n(1)),
            Constant::Log2E => div(&n(1), &un(Op::Log, &n(2))),
            Constant::Log10E => div(&n(1), &un(Op::Log, &n(10))),
            Constant::Ln2 => un(Op::Log, &n(2)),
            Constant::Ln10 => un(Op::Log, &n(10)),
            Constant::Pi => pi,
            Constant::Pi2 => div(&pi, &n(2)),
            Constant::Pi4 => div(&pi, &n(4)),
            Constant::InvPi => div(&n(1), &pi),
            Constant::TwoInvPi => div(&n(2), &pi),
            Constant::TwoInvSqrtPi => div(&n(2), &un(Op::Sqrt, &pi)),
            Constant::Sqrt2 => un(Op::Sqrt, &n(2)),
            Constant::Sqrt1_2 => div(&n(1), &un(Op::Sqrt, &n(2))),
            _ => return self.nothing(),
        };
        let lo = Float::with_val_round(self.bits, &value.lo, Round::Down).0;
        let value = self.between(lo, Float::with_val_round(self.bits, &value.hi, Round::Up).0, Yes);
        Num { with_pi: WithPi::constant(c).filter(|_| self.exact), ..value }
    }

    pub(super) fn increasing(&self, x: &Num, defined: Tri, f: impl Fn(&Float, Round) -> Float) -> Num {
        self.between(f(&x.lo, Round::Down), f(&x.hi, Round::Up), defined)
    }

    pub(super) fn decreasing(&self, x: &Num, defined: Tri, f: impl Fn(&Float, Round) -> Float) -> Num {
        self.between(f(&x.hi, Round::Down), f(&x.lo, Round::Up), defined)
    }

    /// The extremes at the corners of a box.
    pub(super) fn corners(&self, x: &Num, y: &Num, f: impl Fn(&Float, &Float, Round) -> Float) -> Num {
        let all = |r: Round, pick: fn(Float, Float) -> Float| {
            let [a, b, c, d] = [f(&x.lo, &y.lo, r), f(&x.lo, &y.hi, r), f(&x.hi, &y.lo, r), f(&x.hi, &y.hi, r)];
            if [&a, &b, &c, &d].into_iter().any(Float::is_nan) { None } else { Some(pick(pick(a, b), pick(c, d))) }
        };
        match (all(Round::Down, smaller), all(Round::Up, larger)) {
            (Some(lo), Some(hi)) => self.between(lo, hi, Yes),
            _ => self.anything(Yes),
        }
    }

    pub(super) fn abs(&self, x: &Num) -> Num {
        let (a, b) = (Float::with_val(self.bits, x.lo.abs_ref()), Float::with_val(self.bits, x.hi.abs_ref()));
        let lo = if holds_zero(x) { Float::new(self.bits) } else { smaller(a.clone(), b.clone()) };
        self.between(lo, larger(a, b), Yes)
    }

    /// A function whose slope is at most 1 in magnitude.
    pub(super) fn gentle(&self, x: &Num, f: impl Fn(&Float, Round) -> Float) -> Num {
        // Reducing such an argument takes as many bits as it has.
        let vast = |f: &Float| f.is_infinite() || f.get_exp().is_some_and(|e| e > 1 << 16);
        if vast(&x.lo) || vast(&x.hi) {
            return self.between(Float::with_val(self.bits, -1), Float::with_val(self.bits, 1), Yes);
        }
        let width = Float::with_val_round(self.bits, &x.hi - &x.lo, Round::Up).0;
        let lo = smaller(f(&x.lo, Round::Down), f(&x.hi, Round::Down));
        let hi = larger(f(&x.lo, Round::Up), f(&x.hi, Round::Up));
        let lo = Float::with_val_round(self.bits, &lo - &width, Round::Down).0;
        let hi = Float::with_val_round(self.bits, &hi + &width, Round::Up).0;
        let one = Float::with_val(self.bits, 1);
        let minus = Float::with_val(self.bits, -1);
        if lo.is_nan() || hi.is_nan() {
            return self.between(minus, one, Yes);
        }
        self.between(larger(lo, minus), smaller(hi, one), Yes)
    }
}
