//! What polynomials of floats are, over the reals: their sign, or the float that they round to. Exact for known floats, by
//! intervals for sets of them.

use super::poly::Poly;
use crate::floats::ordinal::ZERO;
use crate::floats::rational::{from_rational, to_rational};
use crate::floats::set::FloatSpan;
use crate::floats::{Format, Rounding};
use crate::num::float::rational_to_f64;
use crate::num::mpfr::Round;
use crate::num::{Interval, Rational};
use crate::solve::float::relate::TermRelation;
use crate::solve::float::{Library, Term};

/// What is asked of a polynomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Whether it relates so to 0.
    Sign(TermRelation),
    /// What it is, rounded; that of zero is +0.
    Rounded(Format, Rounding),
}

/// A function of finite floats; of others it is `false`, or +0.
#[derive(Debug)]
pub(super) struct Constraint {
    name: String,
    asked: Asked,
    formats: Vec<Format>,
    monomials: Vec<Monomial>,
}

/// A coefficient, exact and enclosed, and places of operands.
#[derive(Debug)]
struct Monomial {
    coefficient: Rational,
    enclosed: Interval,
    factors: Vec<usize>,
}

impl Constraint {
    /// Of a polynomial of these variables, which are of these formats.
    pub(super) fn new(poly: &Poly, variables: &[Term], formats: Vec<Format>, asked: Asked) -> Self {
        let place = |v: &Term| variables.binary_search(v).unwrap_or_default();
        let one = |(monomial, coefficient): (&[Term], &Rational)| {
            let [lo, hi] = [Round::Down, Round::Up].map(|r| rational_to_f64(coefficient, r));
            let factors = monomial.iter().map(place).collect();
            Monomial { coefficient: coefficient.clone(), enclosed: Interval::new(lo, hi), factors }
        };
        let monomials: Vec<Monomial> = poly.monomials().map(one).collect();
        let written: Vec<String> = monomials.iter().map(|m| format!("{}*{:?}", m.coefficient, m.factors)).collect();
        let name = format!("{asked:?} of {} for {formats:?}", written.join(" + "));
        Constraint { name, asked, formats, monomials }
    }

    /// The polynomial for finite floats.
    fn exact(&self, operands: &[i64]) -> Option<Rational> {
        let values: Vec<Rational> =
            operands.iter().zip(&self.formats).map(|(x, f)| to_rational(*f, *x)).collect::<Option<_>>()?;
        Some(self.monomials.iter().map(|m| m.factors.iter().fold(m.coefficient.clone(), |p, k| p * &values[*k])).sum())
    }

    /// An enclosure of the polynomial, of what each of its monomials is without one factor `but`.
    fn enclosed(&self, x: &[Interval], monomial: &Monomial, but: Option<usize>) -> Interval {
        let mut left = but;
        let mut product = monomial.enclosed;
        let mut k = 0;
        while let Some(&factor) = monomial.factors.get(k) {
            let power = monomial.factors[k..].iter().take_while(|f| **f == factor).count();
            k += power;
            let power = power - usize::from(left.take_if(|b| *b == factor).is_some());
            if power % 2 == 1 {
                product = product * x[factor];
            }
            for _ in 0..power / 2 {
                product = product * x[factor].sqr();
            }
        }
        product
    }

    fn whole(&self, x: &[Interval]) -> Interval {
        self.monomials.iter().fold(Interval::point(0.0), |sum, m| sum + self.enclosed(x, m, None))
    }

    /// The real numbers of sets of floats.
    fn reals(&self, operands: &[FloatSpan]) -> Vec<Interval> {
        operands.iter().zip(&self.formats).map(|(s, f)| reals(*f, finite(*f, *s))).collect()
    }

    /// What the polynomial may be where the result is one of `z`.
    fn wanted(&self, z: FloatSpan) -> Interval {
        let infinity = f64::INFINITY;
        match (self.asked, z.single()) {
            (Asked::Sign(TermRelation::Equal), Some(1)) => Interval::point(0.0),
            (Asked::Sign(TermRelation::Less | TermRelation::LessEqual), Some(1)) => Interval::new(-infinity, 0.0),
            (Asked::Sign(TermRelation::Less | TermRelation::LessEqual), Some(0)) => Interval::new(0.0, infinity),
            (Asked::Rounded(format, _), _) if z.has_numbers() => {
                let beyond = |x: i64| x <= format.minus_infinity() || x >= format.infinity();
                let lo = if beyond(z.lo - 1) { -infinity } else { format.number_toward(Rounding::Down, z.lo - 1) };
                let hi = if beyond(z.hi + 1) { infinity } else { format.number_toward(Rounding::Up, z.hi + 1) };
                Interval::new(lo, hi)
            }
            _ => Interval::ENTIRE,
        }
    }
}

impl Library for Constraint {
    fn name(&self) -> &str {
        &self.name
    }

    fn value(&self, operands: &[i64]) -> i64 {
        let Some(value) = self.exact(operands) else { return ZERO };
        match self.asked {
            Asked::Sign(TermRelation::Less) => (value < 0).into(),
            Asked::Sign(TermRelation::LessEqual) => (value <= 0).into(),
            Asked::Sign(TermRelation::Equal) => (value == 0).into(),
            Asked::Rounded(format, mode) => from_rational(format, mode, &value),
        }
    }

    fn image(&self, operands: &[FloatSpan]) -> FloatSpan {
        let value = self.whole(&self.reals(operands));
        let others = if operands.iter().zip(&self.formats).all(|(s, f)| finite(*f, *s) == *s) {
            FloatSpan::EMPTY
        } else {
            FloatSpan::one(ZERO)
        };
        if value.is_empty() {
            return others;
        }
        // A zero of an interval has no sign; as a bound it is +0.
        let (lo, hi) = (value.inf() + 0.0, value.sup() + 0.0);
        let truth = |fails: bool, holds: bool| FloatSpan::between(i64::from(!fails), i64::from(holds));
        let image = match self.asked {
            Asked::Sign(TermRelation::Less) => truth(hi >= 0.0, lo < 0.0),
            Asked::Sign(TermRelation::LessEqual) => truth(hi > 0.0, lo <= 0.0),
            Asked::Sign(TermRelation::Equal) => truth(lo < 0.0 || hi > 0.0, lo <= 0.0 && hi >= 0.0),
            Asked::Rounded(format, mode) => {
                let rounded = |x: f64| format.ordinal_toward(mode, x);
                FloatSpan::between(rounded(lo), rounded(hi))
            }
        };
        image.hull(others)
    }

    fn preimage(&self, operands: &mut [FloatSpan], z: FloatSpan) {
        let bounded: Vec<FloatSpan> = operands.iter().zip(&self.formats).map(|(s, f)| finite(*f, *s)).collect();
        if bounded != operands && z.contains(ZERO) {
            // That is what it is for others.
            return;
        }
        operands.copy_from_slice(&bounded);
        let wanted = self.wanted(z);
        let mut x = self.reals(operands);
        for place in 0..operands.len() {
            let (mut factor, mut rest) = (Interval::point(0.0), Interval::point(0.0));
            for m in &self.monomials {
                if m.factors.iter().filter(|f| **f == place).count() == 1 {
                    factor = factor + self.enclosed(&x, m, Some(place));
                } else {
                    rest = rest + self.enclosed(&x, m, None);
                }
            }
            x[place] = factor.mul_rev(wanted - rest, x[place]);
            let format = self.formats[place];
            operands[place] = operands[place].meet(floats(format, x[place]));
        }
    }

    fn miss(&self, operands: &[i64]) -> Option<f64> {
        let Asked::Sign(_) = self.asked else { return None };
        let value = self.exact(operands)?;
        // In units of the last place of the largest monomial, in binary64.
        let sizes = self.monomials.iter().map(|m| {
            let exact = m.factors.iter().fold(m.coefficient.clone(), |p, k| {
                p * to_rational(self.formats[*k], operands[*k]).unwrap_or_default()
            });
            rational_to_f64(&exact.abs(), Round::Up)
        });
        let unit = sizes.fold(0.0, f64::max) * f64::EPSILON;
        let size = rational_to_f64(&value.abs(), Round::Up);
        Some(if unit > 0.0 { (1.0 + size / unit).log2().clamp(1.0, 64.0) } else { 1.0 })
    }
}

/// The finite numbers of a set.
fn finite(format: Format, s: FloatSpan) -> FloatSpan {
    let most = format.infinity() - 1;
    FloatSpan { nan: false, lo: s.lo.max(-1 - most), hi: s.hi.min(most) }
}

/// The real numbers between the finite floats of a set.
fn reals(format: Format, s: FloatSpan) -> Interval {
    if !s.has_numbers() {
        return Interval::EMPTY;
    }
    Interval::new(format.number_toward(Rounding::Down, s.lo), format.number_toward(Rounding::Up, s.hi))
}

/// The finite floats in an interval, zeros of both signs where it has 0.
fn floats(format: Format, x: Interval) -> FloatSpan {
    if x.is_empty() {
        return FloatSpan::EMPTY;
    }
    // -0 is the first of the zeros, +0 the last.
    let lo = format.ordinal_toward(Rounding::Up, if x.inf() == 0.0 { -0.0 } else { x.inf() });
    let hi = format.ordinal_toward(Rounding::Down, x.sup() + 0.0);
    finite(format, FloatSpan::between(lo, hi))
}
