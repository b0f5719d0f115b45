//! Circular functions at rational multiples of pi. Where their value is rational no evaluation tells it exactly: an
//! enclosure of sin(2 pi) holds 0 and numbers beside it at every precision, and whether it may be divided by is never
//! settled. The rational values are those of I. Niven's theorem: 0, ±1/2 and ±1 (and for the tangent 0 and ±1).

use super::builder::Builder;
use super::node::{ConstValue, NodeId, TapeNode};
use super::pi::{circular, multiple_of_pi};
use crate::num::Rational;
use crate::ops::{Exact, Op};

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
            TapeNode::Const(c) => match &self.tape().constant(c).value {
                ConstValue::Named(c) => multiple_of_pi(*c),
                ConstValue::Rational(r) if *r == 0 => Some(r.clone()),
                _ => None,
            },
            TapeNode::Op(Op::Neg, [a, ..]) => Some(-of(a)?),
            TapeNode::Op(Op::Add, [a, b, _]) => Some(of(a)? + of(b)?),
            TapeNode::Op(Op::Sub, [a, b, _]) => Some(of(a)? - of(b)?),
            TapeNode::Op(Op::Mul, [a, b, _]) => match (number(a), number(b)) {
                (Some(r), _) => Some(r * of(b)?),
                (_, Some(r)) => Some(of(a)? * r),
                _ => None,
            },
            TapeNode::Op(Op::Div, [a, b, _]) => Some(of(a)? / number(b).filter(|r| *r != 0)?),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{MpInterval, Ternary};
    use crate::ops::Constant;
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
                        TapeNode::Undefined => assert!(v.def != Ternary::True, "{op:?} {n}/{d}"),
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
