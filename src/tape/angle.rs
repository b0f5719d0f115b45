//! Circular functions at rational multiples of pi. Where their value is rational no evaluation tells it exactly: an
//! enclosure of sin(2 pi) holds 0 and numbers beside it at every precision, and whether it may be divided by is never
//! settled. The rational values are those of I. Niven's theorem: 0, ±1/2 and ±1 (and for the tangent 0 and ±1).

use super::builder::Builder;
use super::node::{ConstValue, Node, NodeId};
use crate::num::Rational;
use crate::num::float::rational;
use crate::ops::{Exact, Op};
use crate::spec::core::Constant;
use std::cmp::Ordering;

/// How deeply an angle is looked into.
const MAX_DEPTH: u32 = 16;

impl Builder {
    /// The exact value of a circular function at a rational multiple of pi, where it is rational, or has none.
    pub(super) fn at_pi(&mut self, op: Op, x: NodeId) -> Option<NodeId> {
        if !matches!(op, Op::Sin | Op::Cos | Op::Tan) {
            return None;
        }
        let turn = self.multiple_of_pi(x, MAX_DEPTH)?;
        match circular(op, &turn) {
            Exact::Value(value) => Some(self.rational(value)),
            Exact::Undefined => Some(self.undefined()),
            Exact::OfPi(_) | Exact::Unknown => None,
        }
    }

    /// The rational number r of an expression that is r pi as it is written.
    fn multiple_of_pi(&self, x: NodeId, depth: u32) -> Option<Rational> {
        let depth = depth.checked_sub(1)?;
        let of = |x: NodeId| self.multiple_of_pi(x, depth);
        let number = |x: NodeId| self.tape().rational(x).cloned();
        match self.tape().node(x) {
            Node::Const(c) => match &self.tape().constant(c).value {
                ConstValue::Named(c) => multiple_of_pi(*c),
                ConstValue::Rational(r) if *r == 0 => Some(r.clone()),
                _ => None,
            },
            Node::Op(Op::Neg, [a, ..]) => Some(-of(a)?),
            Node::Op(Op::Add, [a, b, _]) => Some(of(a)? + of(b)?),
            Node::Op(Op::Sub, [a, b, _]) => Some(of(a)? - of(b)?),
            Node::Op(Op::Mul, [a, b, _]) => match (number(a), number(b)) {
                (Some(r), _) => Some(r * of(b)?),
                (_, Some(r)) => Some(of(a)? * r),
                _ => None,
            },
            Node::Op(Op::Div, [a, b, _]) => Some(of(a)? / number(b).filter(|r| *r != 0)?),
            _ => None,
        }
    }
}

/// The rational number r of a constant that is r pi.
pub(super) fn multiple_of_pi(constant: Constant) -> Option<Rational> {
    match constant {
        Constant::Pi => Some(1.into()),
        Constant::Pi2 => Some((1, 2).into()),
        Constant::Pi4 => Some((1, 4).into()),
        _ => None,
    }
}

/// What an operator gives of arguments of which some are multiples of pi; none where it has no rule for that.
pub(super) fn apply_to_pi(op: Op, args: &[&Exact]) -> Option<Exact> {
    use Exact::{OfPi, Undefined, Value};
    // What is exact of the factors is that of the multiples.
    let times_pi = |exact: Exact| match exact {
        Value(r) if r != 0 => OfPi(r),
        other => other,
    };
    match (op, args) {
        (Op::Neg | Op::Fabs, [OfPi(r)]) => Some(times_pi(op.exact(&[r]))),
        (Op::Add | Op::Sub, [OfPi(r), OfPi(s)]) => Some(times_pi(op.exact(&[r, s]))),
        (Op::Add | Op::Sub, [OfPi(r), Value(zero)]) if *zero == 0 => Some(OfPi(r.clone())),
        (Op::Add, [Value(zero), OfPi(r)]) if *zero == 0 => Some(OfPi(r.clone())),
        (Op::Sub, [Value(zero), OfPi(r)]) if *zero == 0 => Some(OfPi(Rational::from(-r))),
        (Op::Mul, [OfPi(r), Value(s)] | [Value(s), OfPi(r)]) => Some(times_pi(op.exact(&[r, s]))),
        (Op::Div, [OfPi(_), Value(zero)]) if *zero == 0 => Some(Undefined),
        (Op::Div, [OfPi(r), Value(s)]) => Some(times_pi(op.exact(&[r, s]))),
        (Op::Div, [OfPi(r), OfPi(s)]) => Some(op.exact(&[r, s])),
        (Op::Div, [Value(zero), OfPi(_)]) if *zero == 0 => Some(Value(zero.clone())),
        (Op::Fmin | Op::Fmax, [a, b]) => {
            let is_first = order(a, b)? == if op == Op::Fmin { Ordering::Less } else { Ordering::Greater };
            Some(Exact::clone(if is_first { a } else { b }))
        }
        (Op::Sin | Op::Cos | Op::Tan, [OfPi(r)]) => Some(circular(op, r)),
        _ => None,
    }
}

/// How two numbers lie of which one is a multiple of pi; none where that takes more digits of pi than binary64 has.
pub(super) fn order(a: &Exact, b: &Exact) -> Option<Ordering> {
    match (a, b) {
        (Exact::OfPi(r), Exact::OfPi(s)) => Some(r.cmp(s)),
        (Exact::OfPi(r), Exact::Value(v)) => {
            let ends = [std::f64::consts::PI, std::f64::consts::PI.next_up()].map(|pi| (rational(pi) * r).cmp(v));
            (ends[0] == ends[1]).then_some(ends[0])
        }
        (Exact::Value(_), Exact::OfPi(_)) => order(b, a).map(Ordering::reverse),
        _ => None,
    }
}

/// The sine, cosine or tangent of r pi.
fn circular(op: Op, turn: &Rational) -> Exact {
    let half = Rational::from((1, 2));
    let value = match op {
        Op::Sin => sine(turn.clone()),
        Op::Cos => sine(turn + half),
        _ => {
            let part = turn - turn.clone().floor();
            if part == half {
                return Exact::Undefined;
            }
            [((0, 1), 0), ((1, 4), 1), ((3, 4), -1)].iter().find(|v| part == Rational::from(v.0)).map(|v| v.1.into())
        }
    };
    value.map_or(Exact::Unknown, Exact::Value)
}

/// The sine of r pi where it is rational.
fn sine(turn: Rational) -> Option<Rational> {
    let part = &turn - Rational::from(&turn / 2).floor() * 2;
    let values: [((i32, i32), (i32, i32)); 8] = [
        ((0, 1), (0, 1)),
        ((1, 6), (1, 2)),
        ((1, 2), (1, 1)),
        ((5, 6), (1, 2)),
        ((1, 1), (0, 1)),
        ((7, 6), (-1, 2)),
        ((3, 2), (-1, 1)),
        ((11, 6), (-1, 2)),
    ];
    values.iter().find(|v| part == Rational::from(v.0)).map(|v| Rational::from(v.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{MpInterval, Ternary};
    use crate::tape::eval::{Multi, Rationals};
    use crate::tape::evaluate;

    /// r pi in several spellings.
    fn angles(b: &mut Builder, n: i32, d: i32) -> Vec<NodeId> {
        let pi = b.named(Constant::Pi);
        let [r, n, d, one] = [(n, d), (n, 1), (d, 1), (1, 1)].map(|q| b.rational(Rational::from(q)));
        let product = b.op(Op::Mul, &[r, pi]);
        let whole = b.op(Op::Mul, &[pi, n]);
        let quotient = b.op(Op::Div, &[whole, d]);
        let inverse = b.op(Op::Div, &[one, one]);
        let again = b.op(Op::Mul, &[quotient, inverse]);
        let (more, twice) = (b.op(Op::Add, &[product, pi]), b.op(Op::Mul, &[one, pi]));
        let back = b.op(Op::Sub, &[more, twice]);
        vec![product, quotient, again, back]
    }

    #[test]
    fn exact_values_are_the_real_ones() {
        for op in [Op::Sin, Op::Cos, Op::Tan] {
            let mut exact = 0;
            for (n, d) in (1..=12).flat_map(|d| (-30..=30).map(move |n| (n, d))) {
                let mut b = Builder::new(0);
                for angle in angles(&mut b, n, d) {
                    let folded = b.op(op, &[angle]);
                    let mut literal = Builder::literal(0);
                    let pi = literal.named(Constant::Pi);
                    let r = literal.rational(Rational::from((n, d)));
                    let same = literal.op(Op::Mul, &[r, pi]);
                    let root = literal.op(op, &[same]);
                    let (tape, mut values) = (literal.finish(), Vec::<MpInterval>::new());
                    evaluate(&tape, &mut Multi { inputs: &[], precision: 200 }, &mut values);
                    let v = &values[root.index()];
                    match b.tape().node(folded) {
                        Node::Undefined => assert!(v.def != Ternary::True, "{op:?} {n}/{d}"),
                        _ => {
                            if let Some(r) = b.tape().rational(folded) {
                                exact += 1;
                                assert!(v.lo <= *r && *r <= v.hi, "{op:?} {n}/{d}: {r}");
                            } else {
                                // What is left as it is has no such value.
                                let near = |q: (i32, i32)| v.lo <= Rational::from(q) && v.hi >= Rational::from(q);
                                assert!(![(0, 1), (1, 1), (-1, 1)].into_iter().any(near), "{op:?} {n}/{d}");
                            }
                        }
                    }
                }
            }
            assert!(exact > 100, "{op:?}: {exact}");
        }
    }

    /// Formulas of an input, and at how many of 61 twelfths it is known that they are rational or have no value.
    #[test]
    fn values_at_inputs_are_the_real_ones() {
        let formulas: [(&str, usize); 11] = [
            ("(sin (* PI x))", 21),
            ("(/ PI (cos (* x PI)))", 6),
            ("(tan (- (* PI_4 (* 2 x)) PI))", 11),
            ("(/ (- (* x PI) PI) (fabs (- (* -1 PI_2))))", 61),
            ("(sin (+ 0 (- 0 (- (* x PI) 0))))", 21),
            ("(- (* PI x) (* x PI))", 61),
            ("(/ 1 (sin (fmax PI x)))", 61),
            ("(cos (fmin (* 2 PI) (fmax PI (* x PI))))", 53),
            ("(if (< (* 2 x) PI) 1 (if (<= (* 3 PI) (* PI x)) 2 3))", 61),
            ("(/ 0 (* PI (+ x 9)))", 61),
            ("(/ (* PI 3) (sin (* PI x)))", 5),
        ];
        for (formula, rational) in formulas {
            let text = format!("(FPCore (x) {formula})");
            let core = crate::spec::parse_file(text.as_bytes()).cores.remove(0).unwrap();
            let mut b = Builder::new(1);
            let root = crate::tape::lower::lower(&mut b, &["x".to_owned()], &core.body);
            let (tape, mut known) = (b.finish(), 0);
            for n in -30..=30 {
                let inputs = [Rational::from((n, 12))];
                let (mut exact, mut values) = (Vec::new(), Vec::<MpInterval>::new());
                evaluate(&tape, &mut Rationals { inputs: &inputs }, &mut exact);
                let x = MpInterval::from_rational(&inputs[0], 200);
                evaluate(&tape, &mut Multi { inputs: &[x], precision: 200 }, &mut values);
                let v = &values[root.index()];
                match &exact[root.index()] {
                    Exact::Value(r) => assert!(v.lo <= *r && *r <= v.hi, "{formula} at {n}/12: {r}"),
                    Exact::Undefined => assert!(v.def != Ternary::True, "{formula} at {n}/12"),
                    Exact::OfPi(_) | Exact::Unknown => continue,
                }
                known += 1;
            }
            assert_eq!(known, rational, "{formula}");
        }
    }

    #[test]
    fn what_is_nearly_a_multiple_is_none() {
        let mut b = Builder::new(1);
        let (pi, x) = (b.named(Constant::Pi), b.var(0));
        let near = b.rational(Rational::from((314_159_265, 100_000_000)));
        let one = b.rational(1.into());
        let sum = b.op(Op::Add, &[pi, one]);
        let (square, times_x) = (b.op(Op::Mul, &[pi, pi]), b.op(Op::Mul, &[pi, x]));
        for angle in [near, sum, square, times_x] {
            let value = b.op(Op::Sin, &[angle]);
            assert!(b.tape().rational(value).is_none());
        }
    }
}
