//! Rewrites that keep the function and its domain: they are made wherever a node is built.

use super::builder::Builder;
use super::node::{NodeId, TapeNode};
use crate::floats::Format;
use crate::num::Rational;
use crate::ops::{Op, Parity};

/// So deep is looked whether a node has values of a format.
const DEEP: u32 = 4;

impl Builder {
    /// The operand without its minus sign, if it has one: a negation, or a negative constant.
    fn negated(&mut self, x: NodeId) -> Option<NodeId> {
        match self.tape().node(x) {
            TapeNode::Op(Op::Neg, [inner, ..]) => Some(inner),
            _ => {
                let value = self.tape().rational(x).filter(|r| **r < 0)?.clone();
                Some(self.rational(-value))
            }
        }
    }

    /// `y - x` for an `x - y` whose operands are in descending order.
    fn turned(&mut self, id: NodeId) -> Option<NodeId> {
        match self.tape().node(id) {
            TapeNode::Op(Op::Sub, [x, y, _]) if x > y => Some(self.op(Op::Sub, &[y, x])),
            _ => None,
        }
    }

    /// Move minus signs outward, so that expressions which differ in them only are built from the same nodes.
    pub(super) fn sign(&mut self, op: Op, args: &[NodeId]) -> Option<NodeId> {
        let first = match op {
            // x - y and y - x under an even or odd function are one expression with either sign.
            _ if op.arity() == 1 || op == Op::Pow => self.negated(args[0]).or_else(|| self.turned(args[0])),
            _ => self.negated(args[0]),
        };
        let minus = |b: &mut Self, value: NodeId| b.op(Op::Neg, &[value]);
        match (op, args, first) {
            (Op::Add, &[a, b], _) => {
                // A negative constant is subtracted too: x + (-1) is x - 1.
                if let Some(b) = self.negated(b) {
                    return Some(self.op(Op::Sub, &[a, b]));
                }
                first.map(|a| self.op(Op::Sub, &[b, a]))
            }
            (Op::Sub, &[a, b], _) => {
                if let Some(b) = self.negated(b) {
                    return Some(self.op(Op::Add, &[a, b]));
                }
                let a = first.filter(|_| self.tape().rational(a).is_none())?;
                let sum = self.op(Op::Add, &[a, b]);
                Some(minus(self, sum))
            }
            (Op::Neg, &[a], _) => match self.tape().node(a) {
                TapeNode::Op(Op::Sub, [x, y, _]) => Some(self.op(Op::Sub, &[y, x])),
                _ => None,
            },
            (Op::Mul | Op::Div, &[a, b], _) => {
                let second = self.negated(b);
                let (a, b, odd) = match (first, second) {
                    (Some(a), Some(b)) => (a, b, false),
                    (Some(a), None) => (a, b, true),
                    (None, Some(b)) => (a, b, true),
                    (None, None) => return None,
                };
                let value = self.op(op, &[a, b]);
                Some(if odd { minus(self, value) } else { value })
            }
            (Op::Pow, &[_, n], Some(a)) => {
                let even = self.tape().rational(n).filter(|n| n.is_integer())?.numer().is_even();
                let value = self.op(op, &[a, n]);
                Some(if even { value } else { minus(self, value) })
            }
            (_, _, Some(a)) => {
                let parity = op.shape().parity?;
                let value = self.op(op, &[a]);
                Some(if parity == Parity::Odd { minus(self, value) } else { value })
            }
            _ => None,
        }
    }

    /// A node that equals `op(args)` in value and in domain: a known one, or one whose enclosure is tighter.
    pub(super) fn identity(&mut self, op: Op, args: &[NodeId]) -> Option<NodeId> {
        let is = |k: usize, v: i32| self.tape().rational(args[k]).is_some_and(|r| *r == v);
        match op {
            Op::Add if is(0, 0) => Some(args[1]),
            Op::Add | Op::Sub if is(1, 0) => Some(args[0]),
            Op::Sub if is(0, 0) => Some(self.op(Op::Neg, &[args[1]])),
            // Nothing is left but the domain.
            Op::Sub if args[0] == args[1] => {
                let zero = self.rational(0.into());
                Some(self.op(Op::Mul, &[zero, args[0]]))
            }
            Op::Add | Op::Sub => self.minus_one(op, args),
            // Nothing is left of it, nor of its domain where it has a value everywhere.
            Op::Mul if is(0, 0) => self.is_total(args[1]).then_some(args[0]),
            Op::Mul if is(1, 0) => self.is_total(args[0]).then_some(args[1]),
            Op::Mul if is(0, 1) => Some(args[1]),
            Op::Mul | Op::Div | Op::Pow if is(1, 1) => Some(args[0]),
            Op::Mul if is(0, -1) => Some(self.op(Op::Neg, &[args[1]])),
            Op::Mul | Op::Div if is(1, -1) => Some(self.op(Op::Neg, &[args[0]])),
            // A product of equal factors is a power, whose enclosure knows that the factors are the same number.
            Op::Mul if args[0] == args[1] => {
                let two = self.rational(2.into());
                Some(self.op(Op::Pow, &[args[0], two]))
            }
            Op::Mul => self.power_times(args[0], args[1]).or_else(|| self.power_times(args[1], args[0])),
            Op::Div if args[0] == args[1] && self.tape().rational(args[0]).is_none() => {
                let (zero, one) = (self.rational(0.into()), self.rational(1.into()));
                let domain = self.op(Op::Div, &[zero, args[0]]);
                Some(self.op(Op::Add, &[one, domain]))
            }
            Op::Fmin | Op::Fmax if args[0] == args[1] => Some(args[0]),
            Op::Fdim => {
                let (difference, zero) = (self.op(Op::Sub, args), self.rational(0.into()));
                Some(self.op(Op::Fmax, &[difference, zero]))
            }
            Op::Log => self.log_of_sum(args[0]).or_else(|| self.inverse(op, args[0])),
            _ if op.rounds_to().is_some_and(|format| self.has_values_of(format, args[0], DEEP)) => Some(args[0]),
            _ if op.arity() == 1 => self.inverse(op, args[0]).or_else(|| self.at_pi(op, args[0])),
            _ => None,
        }
    }

    /// Whether all values of a node are numbers of a format by what it is made of, so that rounding changes none of them. What is
    /// `deep` levels down is not looked at.
    fn has_values_of(&self, format: Format, node: NodeId, deep: u32) -> bool {
        let both =
            |a, b| deep > 0 && self.has_values_of(format, a, deep - 1) && self.has_values_of(format, b, deep - 1);
        let is_zero = |node| self.tape().rational(node).is_some_and(|r| *r == 0);
        match self.tape().node(node) {
            TapeNode::Const(_) => self.tape().rational(node).is_some_and(|r| format.has(r)),
            TapeNode::Op(Op::Neg | Op::Fabs, [a, ..]) => both(a, a),
            TapeNode::Op(Op::Fmin | Op::Fmax, [a, b, _]) | TapeNode::If(_, a, b) => both(a, b),
            TapeNode::Op(Op::Mul, [a, b, _]) => is_zero(a) || is_zero(b),
            TapeNode::Op(op, _) => op.rounds_to().is_some_and(|own| format.includes(own)),
            _ => false,
        }
    }

    /// Whether a node has a value at all inputs, by what it is made of.
    fn is_total(&mut self, node: NodeId) -> bool {
        for k in self.totals.len()..=node.index() {
            let node = self.tape().nodes()[k];
            let mut is_total = match node {
                TapeNode::Undefined | TapeNode::Unknown(..) => false,
                TapeNode::Op(Op::Add | Op::Sub | Op::Mul | Op::Fmin | Op::Fmax, _) => true,
                TapeNode::Op(Op::Pow, [_, n, _]) => self.tape().rational(n).is_some_and(|n| n.is_integer() && *n > 0),
                TapeNode::Op(op, _) => op.shape().total,
                _ => true,
            };
            node.for_each_operand(|o| is_total &= self.totals[o.index()]);
            self.totals.push(is_total);
        }
        self.totals[node.index()]
    }

    /// What may be compared in place of `a` and `b`, in value and in domain: the operands of a difference or of a
    /// strictly increasing function that has a value everywhere.
    pub(super) fn same_order(&self, a: NodeId, b: NodeId) -> Option<(NodeId, NodeId)> {
        let increasing = |id: NodeId| match self.tape().node(id) {
            TapeNode::Op(op, [x, ..]) if op.shape().increasing && op.shape().total => Some((op, x)),
            _ => None,
        };
        let zero = |id: NodeId| self.tape().rational(id).is_some_and(|r| *r == 0);
        let keeps_zero = |op: Op| !matches!(op, Op::Exp | Op::Exp2);
        let negated = |id: NodeId| match self.tape().node(id) {
            TapeNode::Op(Op::Neg, [x, ..]) => Some(x),
            _ => None,
        };
        let difference = |id: NodeId| match self.tape().node(id) {
            TapeNode::Op(Op::Sub, [x, y, _]) => Some((x, y)),
            _ => None,
        };
        match (negated(a), negated(b)) {
            (Some(x), Some(y)) => return Some((y, x)),
            (Some(x), None) if zero(b) => return Some((b, x)),
            (None, Some(y)) if zero(a) => return Some((y, a)),
            _ => {}
        }
        match (difference(a), difference(b)) {
            (Some(terms), _) if zero(b) => return Some(terms),
            (_, Some((x, y))) if zero(a) => return Some((y, x)),
            _ => {}
        }
        match (increasing(a), increasing(b)) {
            (Some((p, x)), Some((q, y))) if p == q => Some((x, y)),
            (Some((p, x)), _) if zero(b) && keeps_zero(p) => Some((x, b)),
            (_, Some((q, y))) if zero(a) && keeps_zero(q) => Some((a, y)),
            _ => None,
        }
    }

    /// x in place of x^n, n a positive integer, in a comparison with 0 for equality.
    pub(super) fn same_zeros(&self, a: NodeId, b: NodeId) -> Option<(NodeId, NodeId)> {
        let base = |power: NodeId, other: NodeId| match self.tape().node(power) {
            TapeNode::Op(Op::Pow, [x, n, _]) => {
                let positive = self.tape().rational(n).is_some_and(|n| n.is_integer() && *n > 0);
                let zero = self.tape().rational(other).is_some_and(|r| *r == 0);
                (positive && zero).then_some((x, other))
            }
            _ => None,
        };
        base(a, b).or_else(|| base(b, a))
    }

    /// `g(f(x))` as `x` where g is the inverse of f and f has a value everywhere, and `-(-x)`.
    fn inverse(&self, op: Op, arg: NodeId) -> Option<NodeId> {
        let TapeNode::Op(inner, [x, ..]) = self.tape().node(arg) else { return None };
        (inner.shape().total && inner.shape().inverse == Some(op)).then_some(x)
    }

    /// `log(1 + x)` as `log1p(x)`, which is accurate near 0.
    fn log_of_sum(&mut self, arg: NodeId) -> Option<NodeId> {
        let TapeNode::Op(op, [a, b, _]) = self.tape().node(arg) else { return None };
        let one = |id: NodeId| self.tape().rational(id).is_some_and(|r| *r == 1);
        let x = match op {
            Op::Add if one(a) => b,
            Op::Add if one(b) => a,
            Op::Sub if one(a) => self.op(Op::Neg, &[b]),
            _ => return None,
        };
        Some(self.op(Op::Log1p, &[x]))
    }

    /// `exp(x) - 1` as `expm1(x)` and `1 - cos(x)` as `2 sin(x/2)^2`, which are accurate near 0, with either sign.
    fn minus_one(&mut self, op: Op, args: &[NodeId]) -> Option<NodeId> {
        let is = |k: usize, v: i32| self.tape().rational(args[k]).is_some_and(|r| *r == v);
        // (the other operand, whether it is subtracted)
        let (other, negated) = match op {
            Op::Sub if is(1, 1) => (args[0], false),
            Op::Sub if is(0, 1) => (args[1], true),
            Op::Add if is(1, -1) => (args[0], false),
            Op::Add if is(0, -1) => (args[1], false),
            _ => return None,
        };
        let (value, negated) = match self.tape().node(other) {
            TapeNode::Op(Op::Exp, [x, ..]) => (self.op(Op::Expm1, &[x]), negated),
            TapeNode::Op(Op::Cos, [x, ..]) => {
                let (half, two) = (self.rational(Rational::from((1, 2))), self.rational(2.into()));
                let x = self.op(Op::Mul, &[half, x]);
                let sine = self.op(Op::Sin, &[x]);
                let square = self.op(Op::Pow, &[sine, two]);
                (self.op(Op::Mul, &[two, square]), !negated)
            }
            _ => return None,
        };
        Some(if negated { self.op(Op::Neg, &[value]) } else { value })
    }

    /// `x^n * x` as `x^(n+1)` for an integer n >= 1.
    fn power_times(&mut self, power: NodeId, x: NodeId) -> Option<NodeId> {
        let TapeNode::Op(Op::Pow, [base, n, _]) = self.tape().node(power) else { return None };
        let n = self.tape().rational(n).filter(|n| n.is_integer() && **n >= 1)?.clone();
        if base != x {
            return None;
        }
        let n = self.rational(n + 1);
        Some(self.op(Op::Pow, &[x, n]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::Builder;

    #[test]
    fn neutral_operands_are_left_out_on_either_side() {
        let mut b = Builder::new(1);
        // The smaller node stands first in a sum.
        let (zero, one) = (b.rational(0.into()), b.rational(1.into()));
        let x = b.var(0);
        let sums = [b.op(Op::Add, &[zero, x]), b.op(Op::Add, &[x, zero]), b.op(Op::Sub, &[x, zero])];
        let products = [b.op(Op::Mul, &[one, x]), b.op(Op::Mul, &[x, one]), b.op(Op::Div, &[x, one])];
        assert_eq!((sums, products), ([x; 3], [x; 3]));
        let minus = b.op(Op::Neg, &[x]);
        assert_eq!(b.op(Op::Sub, &[zero, x]), minus);
    }

    #[test]
    fn nothing_is_left_of_0_times_what_has_a_value_everywhere() {
        let mut b = Builder::new(2);
        let (zero, two, half) = (b.rational(0.into()), b.rational(2.into()), b.rational(Rational::from((1, 2))));
        let (x, y, none) = (b.var(0), b.var(1), b.undefined());
        let less = b.less(x, y);
        let (sine, square, part) = (b.op(Op::Sin, &[x]), b.op(Op::Pow, &[x, two]), b.choose(less, x, y));
        for total in [x, sine, square, part] {
            assert_eq!([b.op(Op::Mul, &[zero, total]), b.op(Op::Mul, &[total, zero])], [zero; 2], "{total:?}");
        }
        assert_eq!(b.op(Op::Sub, &[sine, sine]), zero);
        let (log, over, root) = (b.op(Op::Log, &[x]), b.op(Op::Div, &[x, y]), b.op(Op::Pow, &[x, half]));
        let power = b.op(Op::Pow, &[x, y]);
        let (sum, choice) = (b.op(Op::Add, &[log, y]), b.choose(less, x, none));
        for partial in [log, over, root, power, sum, choice] {
            assert_ne!(b.op(Op::Mul, &[zero, partial]), zero, "{partial:?}");
            assert_ne!(b.op(Op::Sub, &[partial, partial]), zero, "{partial:?}");
        }
    }

    #[test]
    fn logarithms_of_sums_and_of_powers_are_simpler_functions() {
        let mut b = Builder::new(1);
        let (one, x) = (b.rational(1.into()), b.var(0));
        let (sum, difference) = (b.op(Op::Add, &[one, x]), b.op(Op::Sub, &[one, x]));
        let (log1p, minus) = (b.op(Op::Log1p, &[x]), b.op(Op::Neg, &[x]));
        assert_eq!(b.op(Op::Log, &[sum]), log1p);
        assert_eq!(b.op(Op::Log, &[difference]), b.op(Op::Log1p, &[minus]));
        let grown = b.op(Op::Exp, &[x]);
        assert_eq!(b.op(Op::Log, &[grown]), x);
    }

    #[test]
    fn differences_that_cancel_near_zero_are_other_functions() {
        let mut b = Builder::new(1);
        let (one, x) = (b.rational(1.into()), b.var(0));
        let (exp, cos) = (b.op(Op::Exp, &[x]), b.op(Op::Cos, &[x]));
        let (grown, shrunk) = (b.op(Op::Expm1, &[x]), b.op(Op::Sub, &[one, exp]));
        assert_eq!(b.op(Op::Sub, &[exp, one]), grown);
        assert_eq!(shrunk, b.op(Op::Neg, &[grown]));
        let (two, half) = (b.rational(2.into()), b.rational(Rational::from((1, 2))));
        let half = b.op(Op::Mul, &[half, x]);
        let sine = b.op(Op::Sin, &[half]);
        let square = b.op(Op::Pow, &[sine, two]);
        let versine = b.op(Op::Mul, &[two, square]);
        assert_eq!(b.op(Op::Sub, &[one, cos]), versine);
        assert_eq!(b.op(Op::Sub, &[cos, one]), b.op(Op::Neg, &[versine]));
    }

    #[test]
    fn a_positive_difference_is_a_maximum() {
        let mut b = Builder::new(2);
        let (zero, x, y) = (b.rational(0.into()), b.var(0), b.var(1));
        let difference = b.op(Op::Sub, &[x, y]);
        let most = b.op(Op::Fmax, &[difference, zero]);
        assert_eq!(b.op(Op::Fdim, &[x, y]), most);
    }

    #[test]
    fn comparisons_with_zero_lose_signs_and_differences() {
        let mut b = Builder::new(2);
        let (zero, x, y) = (b.rational(0.into()), b.var(0), b.var(1));
        let (minus, difference) = (b.op(Op::Neg, &[x]), b.op(Op::Sub, &[x, y]));
        assert_eq!(b.less(zero, minus), b.less(x, zero));
        assert_eq!(b.less(minus, zero), b.less(zero, x));
        assert_eq!(b.less(zero, difference), b.less(y, x));
        assert_eq!(b.less(difference, zero), b.less(x, y));
    }
}
