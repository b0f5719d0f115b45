//! Intervals over a box.

use super::{Deciding, Domain, Following, Relation, evaluate};
use crate::num::{Interval, Ternary};
use crate::ops::Op;
use crate::tape::node::{Const, Tape};

/// An enclosure of the values over a box, with what is known of definedness over it. `x` is empty if and only if
/// `def` is `False`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosure {
    /// Contains every value that the node takes on the box.
    pub x: Interval,
    /// Whether the node has a value on all of the box, on none of it, or not settled.
    pub def: Ternary,
    /// Whether the node's own operation is defined wherever its operands are.
    pub own: Ternary,
}

impl Enclosure {
    /// An interval in which the node surely has a value everywhere.
    #[must_use]
    pub fn defined(x: Interval) -> Self {
        Enclosure { x, def: Ternary::True, own: Ternary::True }
    }

    /// The image under an operation that is defined wherever its operands are.
    #[inline]
    fn total(x: Interval, def: Ternary) -> Self {
        if x.is_empty() { Self::nowhere() } else { Enclosure { x, def, own: Ternary::True } }
    }

    fn truth(t: Ternary, def: Ternary) -> Self {
        if def.is_false() {
            return Self::nowhere();
        }
        let x = match t {
            Ternary::True => Interval::point(1.0),
            Ternary::False => Interval::point(0.0),
            Ternary::Unknown => Interval::new(0.0, 1.0),
        };
        Enclosure { x, def, own: Ternary::True }
    }

    /// The enclosure as a truth value.
    #[must_use]
    pub fn as_truth(&self) -> Ternary {
        Ternary::decide(self.x.inf() == 1.0, self.x.sup() == 0.0)
    }

    fn nowhere() -> Self {
        Enclosure { x: Interval::EMPTY, def: Ternary::False, own: Ternary::Unknown }
    }
}

impl From<Interval> for Enclosure {
    fn from(x: Interval) -> Self {
        Enclosure::defined(x)
    }
}

/// Intervals with binary64 ends over a box: rigorous.
pub struct Boxes<'a, I = Interval> {
    /// The box, one interval an input, or what else is known of each.
    pub inputs: &'a [I],
}

impl<I: Copy + Into<Enclosure>> Domain for Boxes<'_, I> {
    type Value = Enclosure;
    #[inline]
    fn input(&mut self, index: usize) -> Enclosure {
        self.inputs[index].into()
    }
    #[inline]
    fn constant(&mut self, c: &Const) -> Enclosure {
        Enclosure::defined(c.interval)
    }
    fn boolean(&mut self, b: bool) -> Enclosure {
        Enclosure::truth(b.into(), Ternary::True)
    }
    fn undefined(&mut self) -> Enclosure {
        Enclosure { own: Ternary::False, ..Enclosure::nowhere() }
    }
    fn unknown(&mut self) -> Enclosure {
        Enclosure { x: Interval::ENTIRE, def: Ternary::Unknown, own: Ternary::Unknown }
    }
    fn unknown_unless(&mut self, has_none: &Enclosure) -> Enclosure {
        let is_sure = self.decide(has_none) == Ternary::True;
        if is_sure { self.undefined() } else { self.unknown() }
    }
    #[inline]
    fn apply(&mut self, op: Op, args: &[&Enclosure]) -> Enclosure {
        // Operations without a domain of their own, by far the most frequent.
        match (op, args) {
            (Op::Add, [a, b]) => return Enclosure::total(a.x + b.x, a.def & b.def),
            (Op::Sub, [a, b]) => return Enclosure::total(a.x - b.x, a.def & b.def),
            (Op::Mul, [a, b]) => return Enclosure::total(a.x * b.x, a.def & b.def),
            (Op::Neg, [a]) => return Enclosure::total(-a.x, a.def),
            (Op::Fabs, [a]) => return Enclosure::total(a.x.abs(), a.def),
            _ => {}
        }
        let mut x = [Interval::EMPTY; crate::ops::MAX_ARITY];
        let mut def = Ternary::True;
        for (slot, a) in x.iter_mut().zip(args) {
            *slot = a.x;
            def = def & a.def;
        }
        if def.is_false() {
            return Enclosure::nowhere();
        }
        let (x, own) = op.forward(&x[..args.len()]);
        if own.is_false() || x.is_empty() {
            return Enclosure { own, ..Enclosure::nowhere() };
        }
        Enclosure { x, def: def & own, own }
    }
    fn compare(&mut self, relation: Relation, a: &Enclosure, b: &Enclosure) -> Enclosure {
        let ends = |e: &Enclosure| (e.x.inf(), e.x.sup());
        let (a0, b0) = (ends(a), ends(b));
        let t = relation.decide([&a0.0, &a0.1], [&b0.0, &b0.1]);
        Enclosure::truth(t, a.def & b.def)
    }
    fn and(&mut self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        Enclosure::truth(a.as_truth() & b.as_truth(), a.def & b.def)
    }
    fn not(&mut self, a: &Enclosure) -> Enclosure {
        Enclosure::truth(!a.as_truth(), a.def)
    }
    fn choose(&mut self, c: &Enclosure, t: &Enclosure, e: &Enclosure) -> Enclosure {
        if c.def.is_false() {
            return Enclosure::nowhere();
        }
        let picked = match c.as_truth() {
            Ternary::True => *t,
            Ternary::False => *e,
            Ternary::Unknown => Enclosure { x: t.x | e.x, def: t.def.join(e.def), own: Ternary::True },
        };
        let def = picked.def & c.def;
        if def.is_false() { Enclosure::nowhere() } else { Enclosure { def, own: Ternary::True, ..picked } }
    }
}

impl<I: Copy + Into<Enclosure>> Deciding for Boxes<'_, I> {
    fn decide(&self, condition: &Enclosure) -> Ternary {
        if condition.def.is_true() { condition.as_truth() } else { Ternary::Unknown }
    }
    fn has_value(&self, value: &Enclosure) -> bool {
        value.def.is_true()
    }
}

impl<I: Copy + Into<Enclosure>> Following for Boxes<'_, I> {
    fn precision(&self) -> u32 {
        f64::MANTISSA_DIGITS
    }
    fn evaluate_over(&self, tape: &Tape, inputs: &[Enclosure], values: &mut Vec<Enclosure>) {
        evaluate(tape, &mut Boxes { inputs }, values);
    }
    fn interval(&self, value: &Enclosure) -> Interval {
        value.x
    }
}
