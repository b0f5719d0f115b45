//! Real numbers that depend on unknowns: polynomials of floats, by cases.

use crate::floats::rational::to_rational;
use crate::num::Rational;
use crate::solve::float::{Graph, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A polynomial with rational coefficients, none of them 0; its variables are the real values of floats. A monomial is the list
/// of its factors in order, the empty one the constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Poly(BTreeMap<Vec<Term>, Rational>);

impl Poly {
    /// A number.
    pub(super) fn number(x: Rational) -> Self {
        Poly::default().plus_monomial(Vec::new(), x)
    }

    /// The real value of a float.
    pub(super) fn variable(x: Term) -> Self {
        Poly::default().plus_monomial(vec![x], Rational::from(1))
    }

    /// The number that it is, if it has no variables.
    pub(super) fn known(&self) -> Option<Rational> {
        match self.0.len() {
            0 => Some(Rational::new()),
            1 => self.0.get(&Vec::new()).cloned(),
            _ => None,
        }
    }

    /// Monomials and their coefficients.
    pub(super) fn monomials(&self) -> impl Iterator<Item = (&[Term], &Rational)> {
        self.0.iter().map(|(m, c)| (m.as_slice(), c))
    }

    /// How many monomials it has.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The constant.
    pub(super) fn constant(&self) -> Rational {
        self.0.get(&Vec::new()).cloned().unwrap_or_default()
    }

    /// The floats in it, each once.
    pub(super) fn variables(&self) -> Vec<Term> {
        self.0.keys().flatten().copied().collect::<BTreeSet<Term>>().into_iter().collect()
    }

    fn plus_monomial(mut self, monomial: Vec<Term>, by: Rational) -> Self {
        let sum = self.0.remove(&monomial).unwrap_or_default() + by;
        if sum != 0 {
            self.0.insert(monomial, sum);
        }
        self
    }

    /// `self + other`
    pub(super) fn plus(&self, other: &Poly) -> Self {
        other.0.iter().fold(self.clone(), |sum, (m, c)| sum.plus_monomial(m.clone(), c.clone()))
    }

    /// `self * other`
    pub(super) fn times(&self, other: &Poly) -> Self {
        let mut product = Poly::default();
        for (m, c) in &self.0 {
            for (n, d) in &other.0 {
                let mut factors = [m.as_slice(), n.as_slice()].concat();
                factors.sort_unstable();
                product = product.plus_monomial(factors, Rational::from(c * d));
            }
        }
        product
    }

    /// With other floats for its variables.
    pub(super) fn map(&self, mut to: impl FnMut(Term) -> Term) -> Self {
        self.0.iter().fold(Poly::default(), |sum, (m, c)| {
            let mut factors: Vec<Term> = m.iter().map(|x| to(*x)).collect();
            factors.sort_unstable();
            sum.plus_monomial(factors, c.clone())
        })
    }

    /// `self * factor`
    pub(super) fn scaled(&self, factor: &Rational) -> Self {
        self.times(&Poly::number(factor.clone()))
    }

    /// `self - other`
    pub(super) fn minus(&self, other: &Poly) -> Self {
        self.plus(&other.scaled(&Rational::from(-1)))
    }
}

/// A real number: the polynomial of the case whose conditions all hold, which is one and no other.
#[derive(Clone, Debug)]
pub(super) struct Real {
    pub(super) cases: Vec<(Vec<Term>, Poly)>,
}

impl From<Poly> for Real {
    fn from(poly: Poly) -> Self {
        Real { cases: vec![(Vec::new(), poly)] }
    }
}

/// A number may have so many cases and so many monomials at most.
const MOST: usize = 256;

impl Real {
    /// The number that it is, if it depends on nothing.
    pub(super) fn known(&self) -> Option<Rational> {
        match self.cases.as_slice() {
            [(_, poly)] => poly.known(),
            _ => None,
        }
    }

    /// What it is for the values of all terms; infinities and NaN count as 0.
    pub(super) fn value(&self, graph: &Graph, values: &[i64]) -> Rational {
        let number = |x: &Term| match graph.sort(*x) {
            Sort::Float(format) => to_rational(format, values[x.index()]).unwrap_or_default(),
            _ => Rational::new(),
        };
        let case = self.cases.iter().find(|(conditions, _)| conditions.iter().all(|c| values[c.index()] == 1));
        let Some((_, poly)) = case else { return Rational::new() };
        poly.monomials().map(|(m, c)| m.iter().fold(c.clone(), |p, x| p * number(x))).sum()
    }

    /// What two numbers come to, case by case; none where that is too much.
    pub(super) fn with(&self, other: &Real, work: impl Fn(&Poly, &Poly) -> Poly) -> Option<Real> {
        let mut cases = Vec::new();
        for (p, a) in &self.cases {
            for (q, b) in &other.cases {
                if cases.len() == MOST || a.len() * b.len() > MOST {
                    return None;
                }
                cases.push(([p.as_slice(), q.as_slice()].concat(), work(a, b)));
            }
        }
        Some(Real { cases })
    }

    /// `self * factor`
    pub(super) fn times_number(&self, factor: &Rational) -> Real {
        Real { cases: self.cases.iter().map(|(c, p)| (c.clone(), p.scaled(factor))).collect() }
    }

    /// One number where a condition holds, else another; none where that is too much.
    pub(super) fn either([holds, fails]: [Term; 2], one: &Real, other: &Real) -> Option<Real> {
        let under = |condition: Term, x: &Real| {
            x.cases.iter().map(move |(c, p)| ([c.as_slice(), &[condition]].concat(), p.clone())).collect::<Vec<_>>()
        };
        let cases = [under(holds, one), under(fails, other)].concat();
        (cases.len() <= MOST).then_some(Real { cases })
    }
}
