//! One walk through a program over a box: ranges of the computed and of the exact values, the error that each step adds,
//! and first bounds of the error of each value.

use super::branches::Branches;
use super::carried::{Beside, carried, relative};
use super::fact::Fact;
use super::local::{Computed, Local, Values};
use super::products::Products;
use super::shares::Shares;
use super::stated::Stated;
use super::units::{bits, constant, least_exponent, rounded, significant_bits, trailing_exponent};
use crate::floats::Format;
use crate::num::directed::{add_up, div_up};
use crate::num::float::exponent;
use crate::num::{Interval, Ternary};
use crate::ops::{MAX_ARITY, Op};
use crate::program::{Id, Literal, Node, Program, Step};
use crate::tape::eval::Relation;

const ZERO: fn() -> Interval = || Interval::point(0.0);
const ONE: fn() -> Interval = || Interval::point(1.0);
const EITHER: fn() -> Interval = || Interval::new(0.0, 1.0);
const INF: f64 = f64::INFINITY;

/// The constants of a program in its formats, and the units in the last place of library functions.
pub(super) struct Walker<'a> {
    program: &'a Program,
    /// The formats of the inputs.
    inputs: &'a [Format],
    ulps: f64,
    literals: Vec<Option<Fact>>,
    known: Option<Known<'a>>,
}

/// What is known of the steps beside what their operands say. Where it is not asked for, no operation is taken for exact
/// either, and no error is counted as a share of the value.
pub(super) struct Known<'a> {
    pub(super) stated: Stated,
    pub(super) shares: Shares,
    pub(super) products: Products,
    pub(super) branches: Branches<'a>,
}

impl Known<'_> {
    /// What is known of a step on a box, the steps before it being known.
    fn beside(&self, i: usize, step: &Step, ranges: &[Interval], facts: &[Fact]) -> Beside {
        let product = self.products.range(i, facts);
        let by_product = match step {
            Step::Op(Op::Mul, _) => product,
            Step::Op(Op::Fma, [.., c]) => product + facts[c.index()].between,
            _ => Interval::ENTIRE,
        };
        let exact = self.stated.range(i, ranges) & by_product;
        Beside { exact, shares: self.shares.of(i, ranges), product }
    }
}

impl<'a> Walker<'a> {
    pub(super) fn new(program: &'a Program, inputs: &'a [Format], ulps: f64, known: Option<Known<'a>>) -> Self {
        let of = |node: &Node| match &node.step {
            Step::Literal(l) => Some(literal(l, node.format)),
            _ => None,
        };
        Walker { program, inputs, ulps, literals: program.nodes().iter().map(of).collect(), known }
    }

    /// Walk through the program over a box of inputs.
    pub(super) fn walk(&self, ranges: &[Interval], facts: &mut Vec<Fact>) {
        facts.clear();
        for (i, node) in self.program.nodes().iter().enumerate() {
            let of = |k: Id| &facts[k.index()];
            let known = self.known.as_ref();
            let beside = known.map(|k| k.beside(i, &node.step, ranges, facts));
            let fact = match &node.step {
                Step::Literal(_) => self.literals[i].unwrap_or_else(Fact::nothing),
                Step::Input(input) => self.input(*input as usize, ranges, node.format),
                Step::Op(op, operands) => {
                    let n = op.arity();
                    let facts: [&Fact; MAX_ARITY] = std::array::from_fn(|k| of(operands[if k < n { k } else { 0 }]));
                    let same = n == 2 && operands[0] == operands[1];
                    self.apply(*op, &facts[..n], node.format, same, beside.as_ref())
                }
                Step::Convert(a) => convert(of(*a), node.format),
                Step::Compare(relation, a, b) => compare(*relation, of(*a), of(*b)),
                Step::Classify(..) => Fact::nothing(),
                Step::And(a, b) => logic(of(*a), of(*b), |a, b| a & b),
                Step::Or(a, b) => logic(of(*a), of(*b), |a, b| a | b),
                Step::Not(a) => Fact { between: ONE() - of(*a).between, ..*of(*a) },
                Step::Truth(b) => Fact::truth((*b).into(), true),
                Step::If(c, t, e) => {
                    let apart = || known.map_or(INF, |k| k.branches.distance(i, ranges, facts));
                    choose(of(*c), of(*t), of(*e), apart)
                }
            };
            facts.push(beside.map_or(fact, |b| fact.within(b.exact)));
        }
    }

    fn input(&self, input: usize, ranges: &[Interval], format: Format) -> Fact {
        let (range, own) = (ranges[input], self.inputs[input]);
        let mut values = Values::anywhere(range);
        if range.is_point() {
            let x = range.inf();
            (values.grid, values.bits) =
                if x == 0.0 { (Some(1 << 20), 0) } else { (Some(trailing_exponent(x)), significant_bits(x)) };
        } else {
            let least = if range.mig() > 0.0 { exponent(range.mig()) } else { own.emin() };
            (values.grid, values.bits) = (Some(own.ulp_exponent(least)), bits(own));
        }
        values.least = values.least.max(values.grid.unwrap_or(values.least));
        Fact::new(values.nearest(format, None), range, [ZERO(); MAX_ARITY], (0.0, 0.0))
    }

    /// `same`: whether both of two operands are one step.
    fn apply(&self, op: Op, operands: &[&Fact], format: Format, same: bool, beside: Option<&Beside>) -> Fact {
        if operands.iter().any(|o| !o.sound) || signed_zero_matters(op, operands) {
            return Fact::nothing();
        }
        let n = operands.len();
        let mut between = [Interval::EMPTY; MAX_ARITY];
        let mut computed = [operands[0].computed; MAX_ARITY];
        for (k, o) in operands.iter().enumerate() {
            between[k] = o.between;
            computed[k] = o.computed;
        }
        let computed = &computed[..n];
        let (values, def) = image(op, &between[..n]);
        if !def.is_true() || !values.is_bounded() {
            return Fact::nothing();
        }
        let mut partials = [ZERO(); MAX_ARITY];
        op.partials(&between[..n], &mut partials[..n]);
        let mut ranges = [Interval::EMPTY; MAX_ARITY];
        ranges.iter_mut().zip(computed).for_each(|(r, c)| *r = c.range);
        let (mut range, _) = image(op, &ranges[..n]);
        let mut values = values;
        if same && op == Op::Mul {
            (range, values) = (ranges[0].sqr(), between[0].sqr());
        }
        let before = carried(operands, &partials);
        // At the computed operands the value is as near to the exact one as what is carried.
        let near = range & beside.map_or(Interval::ENTIRE, |b| b.exact + Interval::new(-before, before));
        let exact = Values::of(op, computed, if near.is_empty() { range } else { near });
        let mut local = match op.range(format) {
            None if self.known.is_none() && !is_exact(op) => exact.standard(format),
            None => exact.nearest(format, ends(op, &ranges[..n], format)),
            Some((lo, hi)) => {
                let least = near_identity(op, &computed[0]).unwrap_or(exact.least).max(exact.least);
                Values { least, ..exact }.library(format, self.ulps, Interval::new(lo, hi))
            }
        };
        // One of the terms is a value of the format, and the other is the distance from it.
        if self.known.is_some() && matches!(op, Op::Add | Op::Sub) && local.error > 0.0 {
            let fits = |c: &Computed| c.bits <= bits(format) && c.grid >= least_exponent(format);
            for (one, other) in [(0, 1), (1, 0)] {
                if fits(&computed[one]) {
                    local.error = local.error.min(computed[other].range.mag());
                }
            }
        }
        if self.known.is_none() {
            local.share = INF;
        }
        let share = beside.map_or(INF, |beside| relative(op, operands, &between[..n], beside));
        Fact::new(local, values, partials, (before, share))
    }
}

/// What is known of a literal that is rounded to a format.
fn literal(literal: &Literal, format: Format) -> Fact {
    let exact = constant(literal);
    let Some((exact, (near, error))) = exact.and_then(|c| Some((c.interval, rounded(&c, format)?))) else {
        return Fact::nothing();
    };
    let range = Interval::point(near);
    let (grid, bits) = if near == 0.0 { (1 << 20, 0) } else { (trailing_exponent(near), significant_bits(near)) };
    let size = exact.mig();
    let share = if error == 0.0 {
        0.0
    } else if size > 0.0 {
        div_up(error, size)
    } else {
        INF
    };
    let local = Local { computed: Some(Computed { range, grid, bits }), error, share };
    Fact::new(local, exact, [ZERO(); MAX_ARITY], (0.0, 0.0))
}

/// The image of a box and definedness on it.
fn image(op: Op, x: &[Interval]) -> (Interval, Ternary) {
    match (op, x) {
        (Op::Add, [a, b]) => (*a + *b, Ternary::True),
        (Op::Sub, [a, b]) => (*a - *b, Ternary::True),
        (Op::Mul, [a, b]) => (*a * *b, Ternary::True),
        _ => op.forward(x),
    }
}

/// The nearest binary64 results at the corners of a box, between which by monotony all results are: tighter than bounds
/// of the exact values rounded outward.
fn ends(op: Op, x: &[Interval], format: Format) -> Option<Interval> {
    if !format.is_binary64() {
        return None;
    }
    let hull = |v: [f64; 4]| {
        let lo = v.iter().copied().fold(INF, f64::min);
        let hi = v.iter().copied().fold(-INF, f64::max);
        (lo.is_finite() && hi.is_finite()).then(|| Interval::new(lo, hi))
    };
    match (op, x) {
        (Op::Add, [a, b]) => Some(Interval::new(a.inf() + b.inf(), a.sup() + b.sup())),
        (Op::Sub, [a, b]) => Some(Interval::new(a.inf() - b.sup(), a.sup() - b.inf())),
        (Op::Mul, [a, b]) => hull([a.inf() * b.inf(), a.inf() * b.sup(), a.sup() * b.inf(), a.sup() * b.sup()]),
        (Op::Div, [a, b]) if !b.contains(0.0) => {
            hull([a.inf() / b.inf(), a.inf() / b.sup(), a.sup() / b.inf(), a.sup() / b.sup()])
        }
        (Op::Sqrt, [a]) => Some(Interval::new(a.inf().sqrt(), a.sup().sqrt())),
        _ => None,
    }
}

/// Whether a result is the value itself, by definition.
fn is_exact(op: Op) -> bool {
    !matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Fma | Op::Sqrt | Op::Fdim)
}

/// Where a computed zero may have a sign that the real number 0 has not, and it tells.
fn signed_zero_matters(op: Op, operands: &[&Fact]) -> bool {
    let zero = |k: usize| operands[k].between.contains(0.0);
    match op {
        Op::Copysign => zero(1),
        Op::Atan2 => zero(0) && operands[1].between.inf() <= 0.0,
        _ => false,
    }
}

/// For a function that is 0 at 0 only and at least half its argument in magnitude near it: its least magnitude, 2 to it,
/// where it is not 0.
fn near_identity(op: Op, x: &Computed) -> Option<i32> {
    let is_near = match op {
        Op::Log1p | Op::Expm1 => true,
        Op::Neg | Op::Cbrt => false,
        _ => op.shape().is_odd(),
    };
    (is_near && x.range.mag() <= 1.0).then(|| x.grid - 1)
}

fn convert(x: &Fact, format: Format) -> Fact {
    if !x.sound {
        return Fact::nothing();
    }
    let mut values = Values::anywhere(x.computed.range);
    values.grid = Some(x.computed.grid);
    values.bits = x.computed.bits;
    values.least = values.least.max(x.computed.grid);
    let mut partials = [ZERO(); MAX_ARITY];
    partials[0] = ONE();
    Fact::new(values.nearest(format, None), x.between, partials, (x.absolute, x.relative))
}

fn compare(relation: Relation, a: &Fact, b: &Fact) -> Fact {
    if !a.sound || !b.sound {
        return Fact { sound: false, ..Fact::truth(Ternary::Unknown, false) };
    }
    let (x, y) = (a.between, b.between);
    let t = relation.decide([&x.inf(), &x.sup()], [&y.inf(), &y.sup()]);
    Fact::truth(t, a.absolute == 0.0 && b.absolute == 0.0)
}

fn logic(a: &Fact, b: &Fact, f: impl Fn(Ternary, Ternary) -> Ternary) -> Fact {
    let same = a.absolute == 0.0 && b.absolute == 0.0;
    Fact { sound: a.sound && b.sound, ..Fact::truth(f(a.as_truth(), b.as_truth()), same) }
}

/// `apart`: how far the exact values of both branches are from each other at most where the program goes another way than the
/// function.
fn choose(c: &Fact, t: &Fact, e: &Fact, apart: impl Fn() -> f64) -> Fact {
    if !c.sound {
        return Fact::nothing();
    }
    let picked = |x: &Fact, partials: [Interval; 2]| Fact {
        error: 0.0,
        share: 0.0,
        partials: [ZERO(), partials[0], partials[1]],
        ..*x
    };
    match c.as_truth() {
        Ternary::True => picked(t, [ONE(), ZERO()]),
        Ternary::False => picked(e, [ZERO(), ONE()]),
        Ternary::Unknown if !t.sound || !e.sound => Fact::nothing(),
        Ternary::Unknown => {
            // The program may go one way where the function goes the other.
            let is_same_way = c.absolute == 0.0;
            let anywhere = (t.between - e.between).mag();
            let apart = if is_same_way { 0.0 } else { apart().min(anywhere) };
            let jump = match apart {
                _ if is_same_way || anywhere == 0.0 => 0.0,
                // The distances from the one exact value.
                0.0 => add_up(t.absolute, e.absolute),
                _ => add_up(apart, add_up(t.absolute, e.absolute)).min(anywhere),
            };
            let one_way = |a: f64, b: f64| a.max(b);
            Fact {
                computed: Computed {
                    range: t.computed.range | e.computed.range,
                    grid: t.computed.grid.min(e.computed.grid),
                    bits: t.computed.bits.max(e.computed.bits),
                },
                between: t.between | e.between,
                error: jump,
                share: if jump == 0.0 { 0.0 } else { INF },
                absolute: add_up(one_way(t.absolute, e.absolute), apart),
                relative: if apart == 0.0 { one_way(t.relative, e.relative) } else { INF },
                partials: [ZERO(), EITHER(), EITHER()],
                sound: true,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_the_same_where_both_operands_are_or_its_value_is_known() {
        let all = [Ternary::False, Ternary::Unknown, Ternary::True].into_iter().flat_map(|t| [(t, true), (t, false)]);
        for ((a, a_same), (b, b_same)) in all.clone().flat_map(|x| all.clone().map(move |y| (x, y))) {
            let connected =
                |f: fn(Ternary, Ternary) -> Ternary| logic(&Fact::truth(a, a_same), &Fact::truth(b, b_same), f);
            let is_same = |t: Ternary, same: bool| same || t != Ternary::Unknown;
            for (value, fact) in [(a & b, connected(|a, b| a & b)), (a | b, connected(|a, b| a | b))] {
                assert_eq!(fact.as_truth(), value);
                let expected = is_same(value, is_same(a, a_same) && is_same(b, b_same));
                assert_eq!(fact.absolute == 0.0, expected, "{a:?} {a_same} {b:?} {b_same}");
            }
        }
        let of = |sound: bool| Fact { sound, ..Fact::truth(Ternary::True, true) };
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            assert_eq!(logic(&of(a), &of(b), |a, b| a & b).sound, a && b);
            assert_eq!(compare(Relation::LessEq, &of(a), &of(b)).sound, a && b);
        }
    }

    /// Rounding keeps the order, so that the results lie between those at the ends.
    #[test]
    fn results_lie_between_those_at_the_ends() {
        let numbers = [-3.0, -0.1, 0.0, 0.3, 1.0, 7.0];
        let ranges =
            || numbers.iter().enumerate().flat_map(|(i, lo)| numbers[i..].iter().map(|hi| Interval::new(*lo, *hi)));
        for (a, b) in ranges().flat_map(|a| ranges().map(move |b| (a, b))) {
            for (op, f) in [
                (Op::Add, (|x, y| x + y) as fn(f64, f64) -> f64),
                (Op::Sub, |x, y| x - y),
                (Op::Mul, |x, y| x * y),
                (Op::Div, |x, y| x / y),
            ] {
                let corners = [(a.inf(), b.inf()), (a.inf(), b.sup()), (a.sup(), b.inf()), (a.sup(), b.sup())];
                let all = corners.map(|(x, y)| f(x, y));
                let hull = Interval::new(all.into_iter().fold(INF, f64::min), all.into_iter().fold(-INF, f64::max));
                let expected = (op != Op::Div || !b.contains(0.0)).then_some(hull);
                assert_eq!(ends(op, &[a, b], Format::BINARY64), expected, "{op:?} {a:?} {b:?}");
                assert_eq!(ends(op, &[a, b], Format::BINARY32), None);
            }
        }
    }
}
