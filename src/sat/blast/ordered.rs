//! Comparisons, classes, minima and maxima of floats in gates.

use super::super::circuit::SatLiteral;
use super::{Blaster, Value};
use crate::floats::Format;
use crate::floats::set::Class;
use crate::solve::float::{Term, TermOp};

impl Blaster<'_> {
    /// `fp.min` or `fp.max`.
    pub(super) fn lesser(&mut self, greater: bool, format: Format, below: &[Term]) -> Value {
        let [x_less, both_zero] = self.ordered(below, false);
        let [nan_x, nan_y] = [below[0], below[1]].map(|t| self.class_of(TermOp::IsNan, t));
        let (a, b) = (self.word(below[0]), self.word(below[1]));
        let c = &mut self.circuit;
        let takes_x = if greater { !x_less } else { x_less };
        // Of one number and NaN the number; of NaN twice NaN.
        let takes_x = c.choice(nan_x, SatLiteral::FALSE, takes_x);
        let takes_x = c.or(takes_x, nan_y);
        let mut word = c.choice_word(takes_x, &a, &b);
        let last = word.len() - 1;
        let known = self.zeros.iter().position(|(f, _)| *f == format).unwrap_or_else(|| {
            self.zeros.push((format, [c.fresh(), c.fresh(), c.fresh(), c.fresh()]));
            self.zeros.len() - 1
        });
        let open = self.zeros[known].1;
        let first = if greater { 2 } else { 0 };
        // Which of the two has the sign.
        let chosen = c.choice(a[last], open[first], open[first + 1]);
        let differ = c.xor(a[last], b[last]);
        let is_open = c.and(both_zero, differ);
        word[last] = c.choice(is_open, chosen, word[last]);
        Value::Float { packed: Some(word), parts: None }
    }

    /// Whether two floats are in order, and whether both are zeros.
    pub(super) fn ordered(&mut self, below: &[Term], or_equal: bool) -> [SatLiteral; 2] {
        let (x, y) = (below[0], below[1]);
        let or_equal = SatLiteral::of(or_equal);
        if self.is_packed(x) && self.is_packed(y) {
            let format = self.format(x);
            let words = [self.word(x), self.word(y)];
            let c = &mut self.circuit;
            let nans = [c.is_nan(format, &words[0]), c.is_nan(format, &words[1])];
            let nan = c.or(nans[0], nans[1]);
            let last = words[0].len() - 1;
            let zeros = [c.is_zero(&words[0][..last]), c.is_zero(&words[1][..last])];
            let both = c.and(zeros[0], zeros[1]);
            let [a, b] = [&words[0], &words[1]].map(|w| (&w[..last], w[last]));
            return [c.is_ordered([a, b], nan, [both, or_equal]), both];
        }
        let (x, y) = (self.parts(x), self.parts(y));
        let c = &mut self.circuit;
        let keys = [c.order_key(&x), c.order_key(&y)];
        let (nan, zeros) = (c.or(x.nan, y.nan), c.and(x.zero, y.zero));
        let both = c.and(zeros, !nan);
        let [a, b] = [(&keys[0][..], x.negative), (&keys[1][..], y.negative)];
        [c.is_ordered([a, b], nan, [both, or_equal]), both]
    }

    pub(super) fn class_of(&mut self, op: TermOp, x: Term) -> SatLiteral {
        let format = self.format(x);
        let direct = matches!(op, TermOp::IsNan | TermOp::IsNegative | TermOp::Is(Class::Zero | Class::Infinite));
        if !self.is_packed(x) && direct {
            let x = self.parts(x);
            return match op {
                TermOp::IsNan => x.nan,
                TermOp::IsNegative => self.circuit.and(x.negative, !x.nan),
                TermOp::Is(Class::Zero) => x.zero,
                _ => x.infinite,
            };
        }
        let word = self.word(x);
        match op {
            TermOp::IsNan => self.circuit.is_nan(format, &word),
            TermOp::Is(class) => self.circuit.is_of(format, class, &word),
            _ => word[word.len() - 1],
        }
    }
}
