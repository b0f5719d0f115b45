//! What is known of numbers and truth values while a loop is unrolled: what depends on no input, as exact rationals.

use crate::floats::Format;
use crate::num::Rational;
use crate::num::float::rational;
use crate::ops::{Exact, Op};
use crate::spec::core::Compare;
use std::cmp::Ordering;

/// The value of an expression that depends on no input.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    Number(Rational),
    Truth(bool),
}

impl Known {
    pub(super) fn number(&self) -> Option<&Rational> {
        if let Known::Number(x) = self { Some(x) } else { None }
    }

    pub(super) fn truth(&self) -> Option<bool> {
        if let Known::Truth(t) = self { Some(*t) } else { None }
    }
}

/// Operators of which a value is known beside roundings to formats: rational functions, remainders and roundings to integers, which IEEE 754 rounds correctly and which a
/// zero of either sign changes in no more than the sign of a zero.
const KNOWN: [Op; 17] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Div,
    Op::Neg,
    Op::Fabs,
    Op::Fmin,
    Op::Fmax,
    Op::Fma,
    Op::Floor,
    Op::Ceil,
    Op::Trunc,
    Op::Round,
    Op::Nearbyint,
    Op::Fmod,
    Op::Remainder,
    Op::Fdim,
];

/// A number as one of the format, if there is one: over the reals itself.
pub(super) fn rounded(x: &Rational, format: Option<Format>) -> Option<Rational> {
    let Some(format) = format else { return Some(x.clone()) };
    let y = format.round_rational(x);
    y.is_finite().then(|| rational(y))
}

/// The value of an operator on known operands, over the reals or in a format.
pub(super) fn operation(op: Op, operands: &[Option<Known>], format: Option<Format>) -> Option<Known> {
    let known = |x: &Option<Known>| rounded(x.as_ref()?.number()?, format);
    let operands = operands.iter().map(known).collect::<Option<Vec<Rational>>>()?;
    if !KNOWN.contains(&op) && op.rounds_to().is_none() || operands.len() < op.arity() {
        return None;
    }
    let once = |operands: &[&Rational]| match op.exact(operands) {
        Exact::Value(value) => rounded(&value, format),
        Exact::Undefined | Exact::OfPi(_) | Exact::Unknown => None,
    };
    let (first, rest) = operands.split_at(op.arity());
    let first = once(&first.iter().collect::<Vec<_>>())?;
    // `(+ a b c)` associates to the left.
    rest.iter().try_fold(first, |value, more| once(&[&value, more])).map(Known::Number)
}

/// Whether a comparison of known operands holds: of all neighbours, and for `!=` of all pairs.
pub(super) fn comparison(relation: Compare, operands: &[Option<Known>]) -> Option<Known> {
    let known = |x: &Option<Known>| x.as_ref().and_then(Known::number).cloned();
    let operands = operands.iter().map(known).collect::<Option<Vec<Rational>>>()?;
    let holds = |x: &Rational, y: &Rational| match (relation, x.cmp(y)) {
        (Compare::Lt, order) => order == Ordering::Less,
        (Compare::Gt, order) => order == Ordering::Greater,
        (Compare::Le, order) => order != Ordering::Greater,
        (Compare::Ge, order) => order != Ordering::Less,
        (Compare::Eq, order) => order == Ordering::Equal,
        (Compare::Ne, order) => order != Ordering::Equal,
    };
    let pairs = |(i, x): (usize, &Rational)| {
        let others = &operands[i + 1..];
        let others = if relation == Compare::Ne { others } else { &others[..others.len().min(1)] };
        others.iter().all(|y| holds(x, y))
    };
    Some(Known::Truth(operands.iter().enumerate().all(pairs)))
}

/// The value of `and` or `or`, if all of its terms are known: where one has no value, it has none.
pub(super) fn joined(is_and: bool, terms: &[Option<Known>]) -> Option<Known> {
    let terms = terms.iter().map(|t| t.as_ref()?.truth()).collect::<Option<Vec<bool>>>()?;
    Some(Known::Truth(if is_and { terms.iter().all(|t| *t) } else { terms.iter().any(|t| *t) }))
}
