//! Steps of a program that are polynomials of its inputs over the reals, few terms of them.

use crate::num::float::rational_to_f64;
use crate::num::mpfr::Round;
use crate::num::{Interval, Rational};
use crate::ops::{Op, too_long};
use crate::program::{Literal, Node, Program, Step};
use std::collections::BTreeMap;

/// The most terms, and the largest exponent.
const TERMS: usize = 12;
const EXPONENT: i32 = 16;

/// A product of inputs: index and exponent, which is not 0. No exponent: 1.
pub(super) type Product = Vec<(usize, i32)>;

/// A sum of multiples of products of inputs, none of them 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sum {
    terms: BTreeMap<Product, Rational>,
}

impl Sum {
    pub(super) fn constant(value: Rational) -> Self {
        Sum { terms: [(Vec::new(), value)].into_iter().filter(|t| t.1 != 0).collect() }
    }

    pub(super) fn input(index: usize) -> Self {
        Sum { terms: [(vec![(index, 1)], Rational::from(1))].into_iter().collect() }
    }

    pub(super) fn times(&self, factor: &Rational) -> Self {
        if *factor == 0 {
            return Sum::default();
        }
        Sum { terms: self.terms.iter().map(|(p, c)| (p.clone(), Rational::from(c * factor))).collect() }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        for (product, c) in &other.terms {
            *sum.terms.entry(product.clone()).or_default() += c;
        }
        sum.terms.retain(|_, c| *c != 0);
        sum
    }

    fn by(&self, other: &Self) -> Self {
        let mut all = Sum::default();
        for (p, a) in &self.terms {
            for (q, b) in &other.terms {
                *all.terms.entry(joined(p, q, 1)).or_default() += Rational::from(a * b);
            }
        }
        all.terms.retain(|_, c| *c != 0);
        all
    }

    /// The terms that are not the constant one: products and their factors.
    pub(super) fn varying(&self) -> impl Iterator<Item = (&Product, &Rational)> {
        self.terms.iter().filter(|(product, _)| !product.is_empty())
    }

    /// Whether it has no term.
    pub(super) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Factor and rest with self = factor * other + rest, where no term of the rest is a multiple of `leading`, which is a
    /// term of the other one. `None` if that takes too many steps.
    pub(super) fn divided(&self, other: &Self, leading: &Product) -> Option<(Self, Self)> {
        let below = other.terms.get(leading)?;
        let (mut factor, mut rest) = (Sum::default(), self.clone());
        for _ in 0..2 * TERMS {
            let quotient = |(p, c): (&Product, &Rational)| {
                let product = joined(p, leading, -1);
                product.iter().all(|(_, e)| *e > 0).then(|| (product, Rational::from(c / below)))
            };
            let Some(term) = rest.terms.iter().find_map(quotient) else { return Some((factor, rest)) };
            let term = Sum { terms: [term].into_iter().collect() };
            factor = factor.plus(&term);
            rest = rest.plus(&term.by(other).times(&Rational::from(-1)));
        }
        None
    }

    fn as_constant(&self) -> Option<Rational> {
        match self.terms.len() {
            0 => Some(Rational::new()),
            _ if self.varying().next().is_none() => self.terms.get(&Vec::new()).cloned(),
            _ => None,
        }
    }

    /// The only term.
    fn as_term(&self) -> Option<(&Product, &Rational)> {
        self.terms.iter().next().filter(|_| self.terms.len() == 1)
    }

    /// What an operator makes of polynomials, if that is one with few terms.
    pub(super) fn apply(op: Op, operands: &[&Self]) -> Option<Self> {
        let made = match (op, operands) {
            (Op::Add, [a, b]) => a.plus(b),
            (Op::Sub, [a, b]) => a.plus(&b.times(&Rational::from(-1))),
            (Op::Neg, [a]) => a.times(&Rational::from(-1)),
            (Op::Mul, [a, b]) => a.by(b),
            (Op::Div, [a, b]) => a.times(&b.as_constant().filter(|b| *b != 0)?.recip()),
            (Op::Fma, [a, b, c]) => a.by(b).plus(c),
            _ => return None,
        };
        let few = made.terms.len() <= TERMS && made.terms.keys().flatten().all(|(_, e)| *e <= EXPONENT);
        // A factor that is squared again and again would outgrow any memory.
        let short = !too_long(&made.terms.values().collect::<Vec<_>>());
        (few && short).then_some(made)
    }

    /// The quotient by the only term of another one, if it has one alone: exponents may be negative.
    pub(super) fn over(&self, other: &Self) -> Option<Self> {
        let (below, factor) = other.as_term()?;
        let term = |(p, c): (&Product, &Rational)| (joined(p, below, -1), Rational::from(c / factor));
        Some(Sum { terms: self.terms.iter().map(term).collect() })
    }

    /// Whether no exponent is negative.
    pub(super) fn is_entire(&self) -> bool {
        self.terms.keys().flatten().all(|(_, e)| *e > 0)
    }

    /// The same with factors as intervals; `None` where one is beyond binary64.
    pub(super) fn enclosed(&self) -> Option<Enclosed> {
        let around = |r: &Rational| Interval::new(rational_to_f64(r, Round::Down), rational_to_f64(r, Round::Up));
        let terms = self.terms.iter().map(|(p, c)| Some((p.clone(), around(c))).filter(|t| t.1.is_bounded()));
        Some(Enclosed { terms: terms.collect::<Option<_>>()? })
    }
}

/// The product of one and the power of another.
fn joined(p: &Product, q: &Product, power: i32) -> Product {
    let mut all: BTreeMap<usize, i32> = p.iter().copied().collect();
    for (i, e) in q {
        *all.entry(*i).or_default() += power * e;
    }
    all.into_iter().filter(|(_, e)| *e != 0).collect()
}

/// A sum to be enclosed on boxes.
#[derive(Clone, Debug)]
pub(super) struct Enclosed {
    terms: Vec<(Product, Interval)>,
}

impl Enclosed {
    /// Its values at the inputs of a box, those left out at which an input with a negative exponent is 0.
    pub(super) fn range(&self, ranges: &[Interval]) -> Interval {
        let power = |all: Interval, (i, e): &(usize, i32)| all * power(ranges[*i], *e);
        let term = |(product, factor): &(Product, Interval)| product.iter().fold(*factor, power);
        self.terms.iter().map(term).fold(Interval::point(0.0), |sum, t| sum + t)
    }
}

/// A power of each number of an interval; 0 has none with a negative exponent.
pub(super) fn power(x: Interval, e: i32) -> Interval {
    let even = (0..e.unsigned_abs() / 2).fold(Interval::point(1.0), |all, _| all * x.sqr());
    let whole = if e % 2 == 0 { even } else { even * x };
    if e < 0 { whole.recip() } else { whole }
}

/// A polynomial over another one, which is not 0 where the step has a value.
#[derive(Clone, Debug)]
pub(super) struct Quotient {
    pub(super) above: Sum,
    pub(super) below: Sum,
}

impl Quotient {
    fn entire(above: Sum) -> Self {
        Quotient { above, below: Sum::constant(Rational::from(1)) }
    }

    /// What an operator makes of quotients, if that is one of polynomials with few terms.
    pub(super) fn apply(op: Op, operands: &[&Self]) -> Option<Self> {
        let by = |a: &Sum, b: &Sum| Sum::apply(Op::Mul, &[a, b]);
        match (op, operands) {
            (Op::Neg, [a]) => Some(Quotient { above: Sum::apply(op, &[&a.above])?, below: a.below.clone() }),
            (Op::Add | Op::Sub, [a, b]) if a.below == b.below => {
                Some(Quotient { above: Sum::apply(op, &[&a.above, &b.above])?, below: a.below.clone() })
            }
            (Op::Add | Op::Sub, [a, b]) => {
                let (x, y) = (by(&a.above, &b.below)?, by(&b.above, &a.below)?);
                Some(Quotient { above: Sum::apply(op, &[&x, &y])?, below: by(&a.below, &b.below)? })
            }
            (Op::Mul, [a, b]) => Some(Quotient { above: by(&a.above, &b.above)?, below: by(&a.below, &b.below)? }),
            (Op::Div, [_, b]) if b.above.is_zero() => None,
            (Op::Div, [a, b]) => Some(Quotient { above: by(&a.above, &b.below)?, below: by(&a.below, &b.above)? }),
            (Op::Fma, [a, b, c]) => Quotient::apply(Op::Add, &[&Quotient::apply(Op::Mul, &[a, b])?, c]),
            _ => None,
        }
    }
}

/// The steps of a program that are quotients of polynomials.
pub(super) fn quotients(program: &Program) -> Vec<Option<Quotient>> {
    walk(program, Quotient::entire, Quotient::apply)
}

/// The steps of a program that are polynomials.
pub(super) fn polynomials(program: &Program) -> Vec<Option<Sum>> {
    walk(program, |sum| sum, Sum::apply)
}

/// What each step of a program is over the reals, of inputs and numbers, where `apply` knows it.
fn walk<T: Clone>(
    program: &Program,
    entire: impl Fn(Sum) -> T,
    apply: impl Fn(Op, &[&T]) -> Option<T>,
) -> Vec<Option<T>> {
    let mut found: Vec<Option<T>> = Vec::with_capacity(program.nodes().len());
    for Node { step, .. } in program.nodes() {
        let operands: Option<Vec<&T>> =
            step.operands()[..step.arity()].iter().map(|o| found[o.index()].as_ref()).collect();
        let one = operands.and_then(|operands| match step {
            Step::Literal(Literal::Number(r)) => Some(entire(Sum::constant(r.clone()))),
            Step::Input(i) => Some(entire(Sum::input(*i as usize))),
            Step::Op(op, _) => apply(*op, &operands),
            Step::Convert(_) => operands.first().map(|same| (*same).clone()),
            _ => None,
        });
        found.push(one);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::Exact;

    fn value(sum: &Sum, at: &[Rational]) -> Rational {
        let power = |i: usize, e: i32| (0..e).map(|_| at[i].clone()).product::<Rational>();
        let term = |(p, c): (&Product, &Rational)| p.iter().map(|(i, e)| power(*i, *e)).product::<Rational>() * c;
        sum.terms.iter().map(term).sum()
    }

    /// Sums of two inputs and numbers, of which some vanish.
    fn sums() -> Vec<Sum> {
        let (x, y, one) = (Sum::input(0), Sum::input(1), Sum::constant(1.into()));
        let third = Sum::constant(Rational::from((1, 3)));
        vec![x.plus(&third), x.by(&y).plus(&one), y.times(&Rational::from(-2)).plus(&x), third, Sum::default(), x]
    }

    #[test]
    fn operators_give_the_sums_and_quotients_of_their_values() {
        const OPS: [Op; 6] = [Op::Neg, Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Fma];
        let (all, at) = (sums(), [Rational::from((7, 2)), Rational::from(-5)]);
        let each = || 0..all.len();
        let triples = each().flat_map(|i| each().flat_map(move |j| (0..6).map(move |k| [i, j, k])));
        for triple in triples {
            let own = triple.map(|i| all[i].clone());
            // Over another sum, so that there is a denominator.
            let over = [0, 1, 2].map(|k| Quotient { above: own[k].clone(), below: all[(triple[k] + k) % 4].clone() });
            for op in OPS {
                let n = op.arity();
                let exact = |values: [Rational; 3]| {
                    let [a, b, c] = values.each_ref();
                    match op.exact(&[a, b, c][..n]) {
                        Exact::Value(value) => Some(value),
                        _ => None,
                    }
                };
                let known = exact(own.each_ref().map(|sum| value(sum, &at)));
                let made = Sum::apply(op, &own.each_ref()[..n]);
                assert!(made.is_some() || op == Op::Div, "{op:?} {own:?}");
                assert!(made.is_none_or(|sum| Some(value(&sum, &at)) == known), "{op:?} {own:?}");
                let of = |q: &Quotient| value(&q.above, &at) / value(&q.below, &at);
                let known = exact(over.each_ref().map(of));
                let made = Quotient::apply(op, &over.each_ref()[..n]);
                assert_eq!(made.is_some(), known.is_some(), "{op:?} {over:?}");
                assert_eq!(made.as_ref().map(of), known, "{op:?} {over:?}");
            }
        }
    }
}
