//! Exact arithmetic with rational multiples of pi. The rational values of circular functions there are those of I. Niven's
//! theorem: 0, ±1/2 and ±1 (and for the tangent 0 and ±1).

use crate::num::Rational;
use crate::num::float::rational;
use crate::ops::{Constant, Exact, Op};
use std::cmp::Ordering;

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
pub(super) fn circular(op: Op, turn: &Rational) -> Exact {
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

    #[test]
    fn nothing_but_zero_is_a_rational_number_beside_pi() {
        let [zero, three, pi] = [Exact::Value(0.into()), Exact::Value(3.into()), Exact::OfPi(1.into())];
        for op in [Op::Add, Op::Sub, Op::Div] {
            for pair in [[&three, &pi], [&pi, &three]] {
                let rational = matches!(apply_to_pi(op, &pair), Some(Exact::Value(_)));
                assert!(!rational, "{op:?} {pair:?}");
            }
        }
        assert_eq!(apply_to_pi(Op::Add, &[&zero, &pi]), Some(pi.clone()));
        assert_eq!(apply_to_pi(Op::Sub, &[&zero, &pi]), Some(Exact::OfPi((-1).into())));
        assert_eq!(apply_to_pi(Op::Div, &[&zero, &pi]), Some(zero));
    }
}
