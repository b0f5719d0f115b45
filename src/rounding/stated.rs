//! What the conditions of a domain say of the values of a program's steps: where a step is a linear function of the inputs
//! and so is what a condition compares, the step is a multiple of that and a rest in fewer inputs. Boxes cannot follow that:
//! on none of them does a + b > c show in the ranges of a, b and c alone, wherever the border runs through, nor that c - b is
//! less than a.

use super::flow::{Action, Flow};
use crate::num::float::rational_to_f64;
use crate::num::mpfr::Round;
use crate::num::{Interval, Rational};
use crate::ops::Op;
use crate::tape::node::ConstValue;
use crate::tape::{Node, NodeId, Tape};
use std::collections::BTreeMap;

/// A sum of multiples of inputs, none of them 0, and a constant.
#[derive(Clone, Debug, Default)]
struct Linear {
    slopes: BTreeMap<usize, Rational>,
    constant: Rational,
}

impl Linear {
    fn constant(constant: Rational) -> Self {
        Linear { constant, ..Linear::default() }
    }

    fn input(index: usize) -> Self {
        Linear { slopes: BTreeMap::from([(index, Rational::from(1))]), ..Linear::default() }
    }

    fn times(&self, factor: &Rational) -> Self {
        if *factor == 0 {
            return Linear::default();
        }
        let slopes = self.slopes.iter().map(|(i, s)| (*i, Rational::from(s * factor))).collect();
        Linear { slopes, constant: Rational::from(&self.constant * factor) }
    }

    fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.constant += &other.constant;
        for (i, slope) in &other.slopes {
            *sum.slopes.entry(*i).or_default() += slope;
        }
        sum.slopes.retain(|_, s| *s != 0);
        sum
    }

    /// Its value if it is one.
    fn as_constant(&self) -> Option<&Rational> {
        self.slopes.is_empty().then_some(&self.constant)
    }

    /// The image of linear operands, where it is linear.
    fn apply(op: Op, operands: &[&Self]) -> Option<Self> {
        match (op, operands) {
            (Op::Add, [a, b]) => Some(a.plus(b)),
            (Op::Sub, [a, b]) => Some(a.plus(&b.times(&Rational::from(-1)))),
            (Op::Neg, [a]) => Some(a.times(&Rational::from(-1))),
            (Op::Mul, [a, b]) => match (a.as_constant(), b.as_constant()) {
                (Some(factor), _) => Some(b.times(factor)),
                (_, Some(factor)) => Some(a.times(factor)),
                _ => None,
            },
            (Op::Div, [a, b]) => b.as_constant().filter(|b| **b != 0).map(|b| a.times(&b.clone().recip())),
            (Op::Fma, [a, b, c]) => Self::apply(Op::Mul, &[a, b]).map(|product| product.plus(c)),
            _ => None,
        }
    }

    /// The sides that a function which is not negative gives this one: with self = factor * other + rest, and fewer inputs
    /// in the rest than here, the rest is an end of what self can be.
    fn sides<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = Side> + 'a {
        let factor = |(i, slope): (&usize, &Rational)| Some(Rational::from(slope / other.slopes.get(i)?));
        let mut factors: Vec<Rational> = self.slopes.iter().filter_map(factor).collect();
        factors.sort();
        factors.dedup();
        factors.into_iter().filter_map(move |factor| {
            let rest = self.plus(&other.times(&Rational::from(-&factor)));
            (rest.slopes.len() < self.slopes.len()).then(|| Side::new(&rest, factor > 0))
        })
    }
}

/// An end of what a step can be, as a linear function of the inputs.
#[derive(Clone, Debug)]
struct Side {
    slopes: Vec<(usize, Interval)>,
    constant: Interval,
    is_least: bool,
}

impl Side {
    fn new(rest: &Linear, is_least: bool) -> Self {
        let around = |r: &Rational| Interval::new(rational_to_f64(r, Round::Down), rational_to_f64(r, Round::Up));
        let slopes = rest.slopes.iter().map(|(i, s)| (*i, around(s))).collect();
        Side { slopes, constant: around(&rest.constant), is_least }
    }

    /// What the step can be at inputs of a box.
    fn range(&self, ranges: &[Interval]) -> Interval {
        let end = self.slopes.iter().fold(self.constant, |sum, (i, slope)| sum + *slope * ranges[*i]);
        if self.is_least { Interval::new(end.inf(), INF) } else { Interval::new(-INF, end.sup()) }
    }
}

const INF: f64 = f64::INFINITY;

/// What the conditions say of each step of a program.
#[derive(Debug, Default)]
pub(super) struct Stated {
    /// By step; empty if nothing is said of any.
    sides: Vec<Vec<Side>>,
}

impl Stated {
    pub(super) fn new(flow: &Flow, tape: &Tape, conditions: &[NodeId]) -> Self {
        let positive = positive(tape, conditions);
        if positive.is_empty() {
            return Stated::default();
        }
        let sides = |form: &Option<Linear>| {
            let each = form.iter().flat_map(|f| positive.iter().flat_map(|p| f.sides(p)));
            each.filter(|s| s.constant.is_bounded() && s.slopes.iter().all(|(_, slope)| slope.is_bounded())).collect()
        };
        Stated { sides: forms(flow).iter().map(sides).collect() }
    }

    /// Bounds of the exact value of a step at every input of a box at which the conditions hold, beside what its operands
    /// say.
    pub(super) fn range(&self, step: usize, ranges: &[Interval]) -> Interval {
        let sides = self.sides.get(step).into_iter().flatten();
        sides.fold(Interval::ENTIRE, |range, side| range & side.range(ranges))
    }
}

/// The steps that are linear functions of the inputs.
fn forms(flow: &Flow) -> Vec<Option<Linear>> {
    let mut forms: Vec<Option<Linear>> = Vec::with_capacity(flow.steps.len());
    for step in &flow.steps {
        let operands: Option<Vec<&Linear>> = step.operands[..step.arity()].iter().map(|o| forms[*o].as_ref()).collect();
        let form = operands.and_then(|operands| match &step.action {
            Action::Literal(c) => match &c.value {
                ConstValue::Rational(r) => Some(Linear::constant(r.clone())),
                ConstValue::Named(_) | ConstValue::Within(..) => None,
            },
            Action::Input(i) => Some(Linear::input(*i)),
            Action::Apply(op) => Linear::apply(*op, &operands),
            Action::Convert => operands.first().map(|form| (*form).clone()),
            _ => None,
        });
        forms.push(form);
    }
    forms
}

/// The linear functions that are not negative where all conditions hold.
fn positive(tape: &Tape, conditions: &[NodeId]) -> Vec<Linear> {
    let mut found = Vec::new();
    let mut open = conditions.to_vec();
    while let Some(condition) = open.pop() {
        match tape.node(condition) {
            Node::And(a, b) => open.extend([a, b]),
            Node::Less(a, b) | Node::LessEq(a, b) => {
                let difference =
                    linear(tape, a).zip(linear(tape, b)).and_then(|(a, b)| Linear::apply(Op::Sub, &[&b, &a]));
                found.extend(difference.filter(|d| !d.slopes.is_empty()));
            }
            _ => {}
        }
    }
    found
}

/// A node as a linear function of the inputs.
fn linear(tape: &Tape, root: NodeId) -> Option<Linear> {
    let (tape, roots) = tape.extract(&[root]);
    let mut forms: Vec<Option<Linear>> = Vec::with_capacity(tape.len());
    for (place, node) in tape.nodes().iter().enumerate() {
        let form = match node {
            Node::Var(i) => Some(Linear::input(*i as usize)),
            Node::Const(_) => tape.rational(NodeId(place as u32)).map(|r| Linear::constant(r.clone())),
            Node::Op(op, args) => {
                let operands: Option<Vec<&Linear>> =
                    args[..op.arity()].iter().map(|a| forms[a.index()].as_ref()).collect();
                operands.and_then(|operands| Linear::apply(*op, &operands))
            }
            _ => None,
        };
        forms.push(form);
    }
    forms.swap_remove(roots[0].index())
}
