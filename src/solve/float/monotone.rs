//! Which of two floats is at most the other: from comparisons that are told, and since rounding keeps order.
//!
//! `x <= y` gives `x + z <= y + z` and `sqrt(x) <= sqrt(y)` in one direction of rounding and, where signs are known, the same of products
//! and quotients. A sum `x + y` is at most `x` where `y <= 0`, as `x` itself is a number of the format; so is a product with a factor of at
//! most 1. All this is said of terms that are not NaN, and none of it says that they are not.

#[cfg(test)]
mod tests;

use super::op::{Sort, TermOp};
use super::project::RoundedFunction;
use super::relate::TermRelation;
use super::term::{Graph, Term};
use crate::floats::ordinal::{MINUS_ZERO, NAN, ZERO};
use crate::floats::{Format, Rounding, soft};
use std::cell::Cell;
use std::collections::BTreeMap;

/// A term that is at most another one. Neither is NaN.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrderEdge {
    pub(super) lesser: Term,
    pub(super) greater: Term,
    /// Whether it is below it.
    pub(super) is_strict: bool,
}

/// A side of zero, with both zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Above,
    Below,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Side::Above => Side::Below,
            Side::Below => Side::Above,
        }
    }
}

/// The most comparisons and constants of which the order is looked at.
const MOST_EDGES: usize = 400;
/// The most steps for the order of all pairs of a question.
const MOST_STEPS: u32 = 200_000;
/// How deep operands are looked at.
const DEPTH: u32 = 4;

/// What comparisons that are told say of the order of terms.
pub(super) struct TermOrder<'g> {
    graph: &'g Graph,
    above: BTreeMap<Term, Vec<(Term, bool)>>,
    /// Constants that are at most a term, or below it: the greatest of them, as an ordinal.
    lower: BTreeMap<Term, (i64, bool)>,
    /// Constants that a term is at most, or below: the least of them.
    upper: BTreeMap<Term, (i64, bool)>,
    steps: Cell<u32>,
}

impl<'g> TermOrder<'g> {
    /// Of what is told. Where that is too much, nothing is known.
    pub(super) fn new(graph: &'g Graph, told: &[OrderEdge]) -> Self {
        let mut order = TermOrder {
            graph,
            above: BTreeMap::new(),
            lower: BTreeMap::new(),
            upper: BTreeMap::new(),
            steps: Cell::new(0),
        };
        let constants = constants(graph);
        if told.len() + constants.len() > MOST_EDGES {
            return order;
        }
        let neighbours = constants.windows(2).filter(|c| graph.sort(c[0].0) == graph.sort(c[1].0));
        let mut edges = told.to_vec();
        for pair in neighbours {
            let [(lesser, x), (greater, y)] = [pair[0], pair[1]];
            edges.push(OrderEdge { lesser, greater, is_strict: TermRelation::Less.holds(x, y) });
        }
        for edge in &edges {
            order.above.entry(edge.lesser).or_default().push((edge.greater, edge.is_strict));
        }
        for (constant, value) in &constants {
            for (term, is_strict) in order.reached(*constant) {
                let bound = order.lower.entry(term).or_insert((*value, is_strict));
                *bound = (*bound).max((*value, is_strict));
            }
        }
        let sources: Vec<Term> = order.above.keys().copied().collect();
        for term in sources {
            for (constant, is_strict) in order.reached(term) {
                let Some(value) = graph.constant_value(constant).filter(|_| is_float(graph, constant)) else {
                    continue;
                };
                let bound = order.upper.entry(term).or_insert((value, is_strict));
                *bound = (*bound).min((value, is_strict));
            }
        }
        order
    }

    /// The terms that one is at most, and whether it is below them; not the term itself.
    fn reached(&self, from: Term) -> BTreeMap<Term, bool> {
        let mut reached = BTreeMap::new();
        let mut open = vec![(from, false)];
        while let Some((at, strict)) = open.pop() {
            for (next, is_strict) in self.above.get(&at).into_iter().flatten() {
                let strict = strict || *is_strict;
                let known = reached.get(next).copied();
                if known.is_none() || (strict && known == Some(false)) {
                    reached.insert(*next, strict);
                    open.push((*next, strict));
                }
            }
        }
        reached
    }

    /// Whether comparisons say that a term is at most another one, and if so, whether it is below it. Neither is NaN then.
    pub(super) fn told(&self, a: Term, b: Term) -> Option<bool> {
        if !self.above.contains_key(&a) || self.is_tired() {
            return None;
        }
        self.reached(a).get(&b).copied()
    }

    /// Whether terms are in a circle: each at most the next, and one below the next.
    pub(super) fn has_circle(&self) -> bool {
        self.above.keys().any(|t| self.reached(*t).get(t) == Some(&true))
    }

    /// Whether a term is at most another one where neither is NaN.
    pub(super) fn is_at_most(&self, a: Term, b: Term) -> bool {
        self.at_most(a, b, DEPTH)
    }

    /// Whether enough was looked at.
    fn is_tired(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        self.steps.get() > MOST_STEPS
    }

    fn at_most(&self, a: Term, b: Term, depth: u32) -> bool {
        if a == b {
            return true;
        }
        if depth == 0 || self.is_tired() || !is_float(self.graph, a) || self.graph.sort(a) != self.graph.sort(b) {
            return false;
        }
        if let (Some(x), Some(y)) = (self.graph.constant_value(a), self.graph.constant_value(b)) {
            return x == NAN || y == NAN || TermRelation::LessEqual.holds(x, y);
        }
        let depth = depth - 1;
        self.told(a, b).is_some()
            || self.is_negated(a, b, depth)
            || self.is_between(a, b, depth)
            || self.rises(a, b, depth)
            || self.is_at_most_operand(a, b, depth)
            || self.is_operand_at_most(a, b, depth)
    }

    fn is_negated(&self, a: Term, b: Term, depth: u32) -> bool {
        let is = |t| self.graph.op(t) == TermOp::Neg;
        is(a) && is(b) && self.at_most(self.graph.below(b)[0], self.graph.below(a)[0], depth)
    }

    /// By signs, or by 1 and what is at most that.
    fn is_between(&self, a: Term, b: Term, depth: u32) -> bool {
        (self.is_at_most_zero(a, depth) && self.is_at_least_zero(b, depth))
            || (self.is_at_most_one(a, depth) && self.is_at_least_one(b, depth))
    }

    /// The function, the direction and the operands of a rounded term.
    fn rounded(&self, t: Term) -> Option<(RoundedFunction, Term, Vec<Term>)> {
        let TermOp::Rounded(function) = self.graph.op(t) else { return None };
        let mut below = self.graph.below(t);
        let mode = below.remove(0);
        Some((function, mode, below))
    }

    /// The same function of operands that are in order.
    fn rises(&self, a: Term, b: Term, depth: u32) -> bool {
        let (Some((function, mode, p)), Some((other, other_mode, q))) = (self.rounded(a), self.rounded(b)) else {
            return false;
        };
        if function != other || mode != other_mode {
            return false;
        }
        let at_most = |x: Term, y: Term| self.at_most(x, y, depth);
        let are_positive = |of: &[Term]| of.iter().all(|t| self.is_at_least_zero(*t, depth));
        let each = |i: usize, j: usize| at_most(p[0], q[i]) && at_most(p[1], q[j]);
        match function {
            RoundedFunction::Add => each(0, 1) || each(1, 0),
            RoundedFunction::Mul => are_positive(&p) && are_positive(&q) && (each(0, 1) || each(1, 0)),
            RoundedFunction::Fma => {
                are_positive(&p[..2]) && are_positive(&q[..2]) && at_most(p[2], q[2]) && (each(0, 1) || each(1, 0))
            }
            RoundedFunction::Div => {
                let signs =
                    are_positive(&[p[0], q[0]]) && self.is_above_zero(p[1], depth) && self.is_above_zero(q[1], depth);
                signs && at_most(p[0], q[0]) && at_most(q[1], p[1])
            }
            RoundedFunction::Square => are_positive(&p) && are_positive(&q) && at_most(p[0], q[0]),
            RoundedFunction::Sqrt | RoundedFunction::Integral | RoundedFunction::Cast(_) => at_most(p[0], q[0]),
        }
    }

    /// Whether a term is at most one of its own operands, which is at most the other term.
    fn is_at_most_operand(&self, a: Term, b: Term, depth: u32) -> bool {
        let Some((function, _, x)) = self.rounded(a) else { return false };
        let at_most = |t: Term| self.at_most(t, b, depth);
        match function {
            RoundedFunction::Add => {
                [(0, 1), (1, 0)].iter().any(|(i, j)| self.is_at_most_zero(x[*j], depth) && at_most(x[*i]))
            }
            RoundedFunction::Mul => [(0, 1), (1, 0)].iter().any(|(i, j)| {
                self.is_at_most_one(x[*j], depth) && self.is_at_least_zero(x[*i], depth) && at_most(x[*i])
            }),
            RoundedFunction::Div => {
                self.is_at_least_one(x[1], depth) && self.is_at_least_zero(x[0], depth) && at_most(x[0])
            }
            _ => false,
        }
    }

    /// Whether a term is at most an operand of another one, which is at most that.
    fn is_operand_at_most(&self, a: Term, b: Term, depth: u32) -> bool {
        let Some((function, _, x)) = self.rounded(b) else { return false };
        let at_least = |t: Term| self.at_most(a, t, depth);
        match function {
            RoundedFunction::Add => {
                [(0, 1), (1, 0)].iter().any(|(i, j)| self.is_at_least_zero(x[*j], depth) && at_least(x[*i]))
            }
            RoundedFunction::Mul => [(0, 1), (1, 0)].iter().any(|(i, j)| {
                self.is_at_least_one(x[*j], depth) && self.is_at_least_zero(x[*i], depth) && at_least(x[*i])
            }),
            _ => false,
        }
    }

    /// Whether a term has a bound: one of constants, of which `fits` is asked.
    fn is_bounded(&self, bounds: &BTreeMap<Term, (i64, bool)>, t: Term, fits: impl Fn(i64, bool) -> bool) -> bool {
        match self.graph.constant_value(t) {
            Some(value) => value == NAN || fits(value, false),
            None => bounds.get(&t).is_some_and(|(value, is_strict)| fits(*value, *is_strict)),
        }
    }

    fn is_at_least_zero(&self, t: Term, depth: u32) -> bool {
        self.is_on_side(t, Side::Above, depth)
    }

    fn is_at_most_zero(&self, t: Term, depth: u32) -> bool {
        self.is_on_side(t, Side::Below, depth)
    }

    /// Whether a term is on one side of zero, or zero.
    fn is_on_side(&self, t: Term, side: Side, depth: u32) -> bool {
        if !is_float(self.graph, t) {
            return false;
        }
        let is_told = match side {
            Side::Above => self.is_bounded(&self.lower, t, |value, _| value >= MINUS_ZERO),
            Side::Below => self.is_bounded(&self.upper, t, |value, _| value <= ZERO),
        };
        if is_told || depth == 0 || self.is_tired() {
            return is_told;
        }
        let depth = depth - 1;
        let below = self.graph.below(t);
        let is = |x: Term, side: Side| self.is_on_side(x, side, depth);
        match self.graph.op(t) {
            TermOp::Abs | TermOp::Rounded(RoundedFunction::Sqrt | RoundedFunction::Square) => side == Side::Above,
            TermOp::FromInteger { signed } => side == Side::Above && !signed,
            TermOp::Neg => is(below[0], side.other()),
            TermOp::Rounded(RoundedFunction::Integral | RoundedFunction::Cast(_)) => is(below[1], side),
            TermOp::Rounded(RoundedFunction::Add) => {
                let is_difference = |x: Term, minus: Term| {
                    let y = self.graph.below(minus);
                    self.graph.op(minus) == TermOp::Neg
                        && match side {
                            Side::Above => self.at_most(y[0], x, depth),
                            Side::Below => self.at_most(x, y[0], depth),
                        }
                };
                (is(below[1], side) && is(below[2], side))
                    || is_difference(below[1], below[2])
                    || is_difference(below[2], below[1])
            }
            TermOp::Rounded(RoundedFunction::Mul) => [Side::Above, Side::Below].into_iter().any(|first| {
                let second = if side == Side::Above { first } else { first.other() };
                is(below[1], first) && is(below[2], second)
            }),
            TermOp::Rounded(RoundedFunction::Div) => is(below[1], side) && self.is_above_zero(below[2], depth),
            _ => false,
        }
    }

    fn is_above_zero(&self, t: Term, depth: u32) -> bool {
        if self.is_bounded(&self.lower, t, |value, is_strict| value > ZERO || (is_strict && value >= MINUS_ZERO)) {
            return true;
        }
        if depth == 0 || self.is_tired() {
            return false;
        }
        let depth = depth - 1;
        let below = self.graph.below(t);
        match self.graph.op(t) {
            TermOp::Rounded(RoundedFunction::Sqrt) => self.is_above_zero(below[1], depth),
            TermOp::Rounded(RoundedFunction::Add) => [(1, 2), (2, 1)]
                .iter()
                .any(|(i, j)| self.is_above_zero(below[*i], depth) && self.is_at_least_zero(below[*j], depth)),
            _ => false,
        }
    }

    /// Whether a quotient has a dividend and a divisor in order, of which the divisor is above zero.
    fn is_quotient(&self, t: Term, depth: u32, in_order: impl Fn(Term, Term) -> bool) -> bool {
        let below = self.graph.below(t);
        depth > 0
            && self.graph.op(t) == TermOp::Rounded(RoundedFunction::Div)
            && self.is_above_zero(below[2], depth - 1)
            && in_order(below[1], below[2])
    }

    fn is_at_most_one(&self, t: Term, depth: u32) -> bool {
        let Some(format) = format(self.graph, t) else { return false };
        self.is_bounded(&self.upper, t, |value, _| value <= one(format))
            || self.is_at_most_zero(t, 0)
            || self.is_quotient(t, depth, |x, y| self.at_most(x, y, depth - 1))
    }

    fn is_at_least_one(&self, t: Term, depth: u32) -> bool {
        let Some(format) = format(self.graph, t) else { return false };
        self.is_bounded(&self.lower, t, |value, _| value >= one(format))
            || self.is_quotient(t, depth, |x, y| self.at_most(y, x, depth - 1))
    }

    /// What a term is half of, in which direction.
    fn halved(&self, t: Term) -> Option<Term> {
        let format = format(self.graph, t)?;
        let (function, _, x) = self.rounded(t)?;
        let two = soft::from_integer(format, Rounding::NearestEven, false, 2);
        let half = soft::div(format, Rounding::NearestEven, one(format), two);
        let is = |t: Term, value: i64| self.graph.constant_value(t) == Some(value);
        match function {
            RoundedFunction::Div if is(x[1], two) => Some(x[0]),
            RoundedFunction::Mul if is(x[1], half) => Some(x[0]),
            RoundedFunction::Mul if is(x[0], half) => Some(x[1]),
            _ => None,
        }
    }

    /// The operands of a sum, in both orders.
    fn summands(&self, t: Term) -> Vec<[Term; 2]> {
        match self.rounded(t) {
            Some((RoundedFunction::Add, _, x)) => vec![[x[0], x[1]], [x[1], x[0]]],
            _ => Vec::new(),
        }
    }

    /// Whether a term overflows to infinity, not to the greatest number.
    fn is_nearest(&self, t: Term) -> bool {
        let mode = self.rounded(t).and_then(|(_, mode, _)| self.graph.constant_value(mode));
        let nearest = [Rounding::NearestEven, Rounding::NearestAway];
        mode.is_some_and(|place| nearest.contains(&Rounding::ALL[place as usize]))
    }

    /// Of a mean of two terms, `(x + y) / 2` or `x + (y - x) / 2`: the sum or difference, which may be infinite, and `x` and `y`, the
    /// lesser one first. Otherwise the mean is between them.
    pub(super) fn mean(&self, t: Term) -> Option<(Term, [Term; 2])> {
        let ends = |x: Term, y: Term| {
            let ordered = |a, b| self.is_at_most(a, b).then_some([a, b]);
            ordered(x, y).or_else(|| ordered(y, x))
        };
        if let Some(sum) = self.halved(t).filter(|sum| self.is_nearest(*sum)) {
            return self.summands(sum).first().and_then(|[x, y]| ends(*x, *y)).map(|ends| (sum, ends));
        }
        self.summands(t).into_iter().find_map(|[x, half]| {
            let difference = self.halved(half).filter(|difference| self.is_nearest(*difference))?;
            let of = |[y, minus]: [Term; 2]| {
                (self.graph.op(minus) == TermOp::Neg && self.graph.below(minus)[0] == x).then_some(y)
            };
            let y = self.summands(difference).into_iter().find_map(of)?;
            ends(x, y).map(|ends| (difference, ends))
        })
    }
}

/// The format of a term that is a float, where its values are ordinals.
fn format(graph: &Graph, t: Term) -> Option<Format> {
    match graph.sort(t) {
        Sort::Float(format) if !format.is_wide() => Some(format),
        _ => None,
    }
}

fn is_float(graph: &Graph, t: Term) -> bool {
    format(graph, t).is_some()
}

/// The ordinal of 1.
fn one(format: Format) -> i64 {
    soft::from_integer(format, Rounding::NearestEven, false, 1)
}

/// The constants of a graph that are floats, by format and value.
fn constants(graph: &Graph) -> Vec<(Term, i64)> {
    let numbers = graph.terms().filter(|t| is_float(graph, *t)).filter_map(|t| Some((t, graph.constant_value(t)?)));
    let mut constants: Vec<(Term, i64)> = numbers.filter(|(_, value)| *value != NAN).collect();
    let width = |t: Term| format(graph, t).map(|f| (f.width(), f.precision()));
    constants.sort_by_key(|(t, value)| (width(*t), *value));
    constants
}
