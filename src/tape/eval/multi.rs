//! Intervals of multiple precision at a point.

use super::{Deciding, Domain, Following, Relation, evaluate};
use crate::num::mpfr::Float;
use crate::num::{Interval, MpInterval, Ternary};
use crate::ops::Op;
use crate::tape::node::{Const, ConstValue, LoopRest, Tape};

/// Multiple-precision intervals at one input, with directed rounding: rigorous at any precision.
pub struct Multi<'a> {
    /// The exact input.
    pub inputs: &'a [MpInterval],
    /// Bits of the ends.
    pub precision: u32,
}

impl Multi<'_> {
    fn truth(&self, t: Ternary, def: Ternary) -> MpInterval {
        let (lo, hi) = match t {
            Ternary::True => (1, 1),
            Ternary::False => (0, 0),
            Ternary::Unknown => (0, 1),
        };
        MpInterval::new(Float::with_val(self.precision, lo), Float::with_val(self.precision, hi)).with_def(def)
    }
}

/// An enclosure as a truth value.
#[must_use]
pub fn mp_truth(v: &MpInterval) -> Ternary {
    Ternary::decide(v.lo == 1, v.hi == 0)
}

impl Domain for Multi<'_> {
    type Value = MpInterval;
    fn input(&mut self, index: usize) -> MpInterval {
        self.inputs[index].clone()
    }
    fn constant(&mut self, c: &Const) -> MpInterval {
        match &c.value {
            ConstValue::Rational(r) => MpInterval::from_rational(r, self.precision),
            ConstValue::Named(n) => n.enclose(self.precision).unwrap_or_else(|| MpInterval::undefined(self.precision)),
            ConstValue::Within(lo, hi) => {
                MpInterval::from_rational(lo, self.precision).hull(&MpInterval::from_rational(hi, self.precision))
            }
        }
    }
    fn boolean(&mut self, b: bool) -> MpInterval {
        self.truth(b.into(), Ternary::True)
    }
    fn undefined(&mut self) -> MpInterval {
        MpInterval::undefined(self.precision)
    }
    fn unknown(&mut self) -> MpInterval {
        MpInterval::entire(self.precision, Ternary::Unknown)
    }
    fn unknown_unless(&mut self, has_none: &MpInterval) -> MpInterval {
        let is_sure = self.decide(has_none) == Ternary::True;
        if is_sure { self.undefined() } else { self.unknown() }
    }
    fn follow(&mut self, rest: &LoopRest, has_none: &MpInterval, args: &[&MpInterval]) -> MpInterval {
        rest.follow(self, has_none, args)
    }
    fn apply(&mut self, op: Op, args: &[&MpInterval]) -> MpInterval {
        op.enclose(args, self.precision)
    }
    fn compare(&mut self, relation: Relation, a: &MpInterval, b: &MpInterval) -> MpInterval {
        self.truth(relation.decide([&a.lo, &a.hi], [&b.lo, &b.hi]), a.def & b.def)
    }
    fn and(&mut self, a: &MpInterval, b: &MpInterval) -> MpInterval {
        self.truth(mp_truth(a) & mp_truth(b), a.def & b.def)
    }
    fn not(&mut self, a: &MpInterval) -> MpInterval {
        self.truth(!mp_truth(a), a.def)
    }
    fn choose(&mut self, c: &MpInterval, t: &MpInterval, e: &MpInterval) -> MpInterval {
        if c.def.is_false() {
            return MpInterval::undefined(self.precision);
        }
        let picked = match mp_truth(c) {
            Ternary::True => t.clone(),
            Ternary::False => e.clone(),
            Ternary::Unknown => t.hull(e),
        };
        let def = picked.def & c.def;
        picked.with_def(def)
    }
}

impl Deciding for Multi<'_> {
    fn decide(&self, condition: &MpInterval) -> Ternary {
        decided(condition)
    }
    fn has_value(&self, value: &MpInterval) -> bool {
        value.def.is_true()
    }
}

impl Following for Multi<'_> {
    fn precision(&self) -> u32 {
        self.precision
    }
    fn evaluate_over(&self, tape: &Tape, inputs: &[MpInterval], values: &mut Vec<MpInterval>) {
        evaluate(tape, &mut Multi { inputs, precision: self.precision }, values);
    }
    fn interval(&self, value: &MpInterval) -> Interval {
        value.outward()
    }
}

/// Whether a condition that surely has a truth value holds; unknown where it may have none.
#[must_use]
pub fn decided(condition: &MpInterval) -> Ternary {
    if condition.def.is_true() { mp_truth(condition) } else { Ternary::Unknown }
}
