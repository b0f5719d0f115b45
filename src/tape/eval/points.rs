//! Binary64 at points.

use super::{Deciding, Domain, Relation};
use crate::num::Ternary;
use crate::ops::Op;
use crate::tape::node::Const;

/// Binary64 at several points at once: fast, not rigorous, NaN where there is no value.
pub struct Points<'a, const L: usize> {
    /// For every input, its value at each of the points.
    pub inputs: &'a [[f64; L]],
}

impl<const L: usize> Domain for Points<'_, L> {
    type Value = [f64; L];
    fn input(&mut self, index: usize) -> [f64; L] {
        self.inputs[index]
    }
    fn constant(&mut self, c: &Const) -> [f64; L] {
        [c.approx; L]
    }
    fn boolean(&mut self, b: bool) -> [f64; L] {
        [f64::from(u8::from(b)); L]
    }
    fn undefined(&mut self) -> [f64; L] {
        [f64::NAN; L]
    }
    fn unknown(&mut self) -> [f64; L] {
        [f64::NAN; L]
    }
    #[inline]
    fn apply(&mut self, op: Op, args: &[&[f64; L]]) -> [f64; L] {
        // Plain loops for what the compiler can vectorise.
        match (op, args) {
            (Op::Add, [a, b]) => std::array::from_fn(|i| a[i] + b[i]),
            (Op::Sub, [a, b]) => std::array::from_fn(|i| a[i] - b[i]),
            (Op::Mul, [a, b]) => std::array::from_fn(|i| a[i] * b[i]),
            (_, [a]) => std::array::from_fn(|i| op.point(&[a[i]])),
            (_, [a, b]) => std::array::from_fn(|i| op.point(&[a[i], b[i]])),
            (_, [a, b, c]) => std::array::from_fn(|i| op.point(&[a[i], b[i], c[i]])),
            _ => [f64::NAN; L],
        }
    }
    fn compare(&mut self, relation: Relation, a: &[f64; L], b: &[f64; L]) -> [f64; L] {
        std::array::from_fn(|i| a[i].partial_cmp(&b[i]).map_or(f64::NAN, |o| f64::from(u8::from(relation.holds(o)))))
    }
    fn and(&mut self, a: &[f64; L], b: &[f64; L]) -> [f64; L] {
        std::array::from_fn(|i| a[i] * b[i])
    }
    fn not(&mut self, a: &[f64; L]) -> [f64; L] {
        std::array::from_fn(|i| 1.0 - a[i])
    }
    fn choose(&mut self, c: &[f64; L], t: &[f64; L], e: &[f64; L]) -> [f64; L] {
        std::array::from_fn(|i| {
            if c[i] == 1.0 {
                t[i]
            } else if c[i] == 0.0 {
                e[i]
            } else {
                f64::NAN
            }
        })
    }
}

impl<const L: usize> Deciding for Points<'_, L> {
    fn decide(&self, condition: &[f64; L]) -> Ternary {
        // Where the condition has no value, neither branch matters.
        if condition.iter().all(|c| *c != 0.0) {
            Ternary::True
        } else {
            Ternary::decide(false, condition.iter().all(|c| *c != 1.0))
        }
    }
    fn has_value(&self, value: &[f64; L]) -> bool {
        value.iter().all(|x| !x.is_nan())
    }
}
