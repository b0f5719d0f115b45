//! Balls at a point: 256 bits, several times as fast as intervals of multiple precision.

use super::{Boxes, Deciding, Domain, Enclosure, Following, Relation, evaluate};
use crate::num::{Ball, Interval, MpInterval, Ternary};
use crate::ops::Op;
use crate::tape::node::{Const, ConstValue, LoopRest, Tape};

/// The precision of what balls leave to multiple precision, in bits.
const PRECISION: u32 = 256;

/// An enclosure of the value at a point, with what is known of definedness there.
#[derive(Clone, Debug, PartialEq)]
pub struct BallEnclosure {
    /// Contains the value if there is one.
    pub ball: Ball,
    /// Whether there is a value.
    pub def: Ternary,
}

impl BallEnclosure {
    /// The closest enclosure of an input.
    #[must_use]
    pub fn point(x: f64) -> Self {
        Self::of(&MpInterval::from_f64(x, PRECISION))
    }

    fn of(value: &MpInterval) -> Self {
        let ball = if value.def.is_false() { Ball::entire() } else { Ball::enclosing(&value.lo, &value.hi) };
        BallEnclosure { ball, def: value.def }
    }

    /// The same in multiple precision.
    #[must_use]
    pub fn interval(&self) -> MpInterval {
        let (lo, hi) = self.ball.ends();
        MpInterval::new(lo, hi).with_def(self.def)
    }

    fn truth(truth: Ternary, def: Ternary) -> Self {
        let ball = match truth {
            Ternary::True => Ball::integer(1),
            Ternary::False => Ball::integer(0),
            Ternary::Unknown => Ball::unit(),
        };
        BallEnclosure { ball, def }
    }
}

/// Balls at one input: rigorous.
pub struct Balls<'a> {
    /// The exact input.
    pub inputs: &'a [BallEnclosure],
}

impl Domain for Balls<'_> {
    type Value = BallEnclosure;
    fn input(&mut self, index: usize) -> BallEnclosure {
        self.inputs[index].clone()
    }
    fn constant(&mut self, c: &Const) -> BallEnclosure {
        match &c.value {
            ConstValue::Rational(r) => BallEnclosure::of(&MpInterval::from_rational(r, PRECISION)),
            ConstValue::Named(n) => n.enclose(PRECISION).map_or_else(|| self.undefined(), |v| BallEnclosure::of(&v)),
            ConstValue::Within(lo, hi) => {
                let ends = [lo, hi].map(|end| MpInterval::from_rational(end, PRECISION));
                BallEnclosure::of(&ends[0].hull(&ends[1]))
            }
        }
    }
    fn boolean(&mut self, b: bool) -> BallEnclosure {
        BallEnclosure::truth(b.into(), Ternary::True)
    }
    fn undefined(&mut self) -> BallEnclosure {
        BallEnclosure { ball: Ball::entire(), def: Ternary::False }
    }
    fn unknown(&mut self) -> BallEnclosure {
        BallEnclosure { ball: Ball::entire(), def: Ternary::Unknown }
    }
    fn unknown_unless(&mut self, has_none: &BallEnclosure) -> BallEnclosure {
        let is_sure = self.decide(has_none) == Ternary::True;
        if is_sure { self.undefined() } else { self.unknown() }
    }
    fn follow(&mut self, rest: &LoopRest, has_none: &BallEnclosure, args: &[&BallEnclosure]) -> BallEnclosure {
        if !rest.is_counted() {
            return rest.follow(self, has_none, args);
        }
        // So many rounds take a hundredth of the time in binary64.
        let boxed = |v: &BallEnclosure| Enclosure { x: self.interval(v), def: v.def, own: Ternary::Unknown };
        let args: Vec<Enclosure> = args.iter().map(|a| boxed(a)).collect();
        let inputs: &[Enclosure] = &[];
        let value = rest.follow(&mut Boxes { inputs }, &boxed(has_none), &args.iter().collect::<Vec<_>>());
        let [lo, hi] = [value.x.inf(), value.x.sup()].map(|end| MpInterval::from_f64(end, f64::MANTISSA_DIGITS));
        BallEnclosure::of(&lo.hull(&hi).with_def(value.def))
    }
    fn apply(&mut self, op: Op, args: &[&BallEnclosure]) -> BallEnclosure {
        // Operations that have a value wherever the ball of their result is known.
        let ball = match (op, args) {
            (Op::Neg, [a]) => Some(a.ball.neg()),
            (Op::Fabs, [a]) => a.ball.abs(),
            (Op::Sqrt, [a]) => a.ball.sqrt(),
            (Op::Add, [a, b]) => a.ball.add(&b.ball),
            (Op::Sub, [a, b]) => a.ball.sub(&b.ball),
            (Op::Mul, [a, b]) => a.ball.mul(&b.ball),
            (Op::Div, [a, b]) => a.ball.div(&b.ball),
            (Op::Fmax, [a, b]) => a.ball.max(&b.ball),
            (Op::Fmin, [a, b]) => a.ball.min(&b.ball),
            (Op::Fma, [a, b, c]) => a.ball.mul(&b.ball).and_then(|product| product.add(&c.ball)),
            _ => None,
        };
        match ball {
            Some(ball) => BallEnclosure { ball, def: args.iter().fold(Ternary::True, |def, a| def & a.def) },
            None => {
                let args: Vec<MpInterval> = args.iter().map(|a| a.interval()).collect();
                BallEnclosure::of(&op.enclose(&args.iter().collect::<Vec<_>>(), PRECISION))
            }
        }
    }
    fn compare(&mut self, relation: Relation, a: &BallEnclosure, b: &BallEnclosure) -> BallEnclosure {
        let truth = match a.ball.order(&b.ball) {
            Some(order) => relation.holds(order).into(),
            None => {
                let ([a_lo, a_hi], [b_lo, b_hi]) = (<[_; 2]>::from(a.ball.ends()), <[_; 2]>::from(b.ball.ends()));
                relation.decide([&a_lo, &a_hi], [&b_lo, &b_hi])
            }
        };
        BallEnclosure::truth(truth, a.def & b.def)
    }
    fn and(&mut self, a: &BallEnclosure, b: &BallEnclosure) -> BallEnclosure {
        BallEnclosure::truth(a.ball.as_truth() & b.ball.as_truth(), a.def & b.def)
    }
    fn not(&mut self, a: &BallEnclosure) -> BallEnclosure {
        BallEnclosure::truth(!a.ball.as_truth(), a.def)
    }
    fn choose(&mut self, c: &BallEnclosure, t: &BallEnclosure, e: &BallEnclosure) -> BallEnclosure {
        if c.def.is_false() {
            return self.undefined();
        }
        let picked = match c.ball.as_truth() {
            Ternary::True => t.clone(),
            Ternary::False => e.clone(),
            Ternary::Unknown => BallEnclosure::of(&t.interval().hull(&e.interval())),
        };
        BallEnclosure { def: picked.def & c.def, ..picked }
    }
}

impl Deciding for Balls<'_> {
    fn decide(&self, condition: &BallEnclosure) -> Ternary {
        if condition.def.is_true() { condition.ball.as_truth() } else { Ternary::Unknown }
    }
    fn has_value(&self, value: &BallEnclosure) -> bool {
        value.def.is_true()
    }
}

impl Following for Balls<'_> {
    fn precision(&self) -> u32 {
        PRECISION
    }
    fn evaluate_over(&self, tape: &Tape, inputs: &[BallEnclosure], values: &mut Vec<BallEnclosure>) {
        evaluate(tape, &mut Balls { inputs }, values);
    }
    fn interval(&self, value: &BallEnclosure) -> Interval {
        value.interval().outward()
    }
}
