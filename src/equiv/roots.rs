//! Square and cube roots in normal form.

use super::definedness::Signs;
use super::normal::{Normalizer, small_primes};
use super::table::{Atom, Form, FormId, Try};
use crate::num::Rational;
use crate::num::mpfr::Integer;
use crate::ops::Op;

impl Normalizer<'_> {
    /// The factors of a form with their powers, without the rational one and the exponential.
    pub(super) fn split(&mut self, form: FormId) -> Vec<(FormId, i32)> {
        let f = self.table.form(form);
        let one = || Form::constant(Rational::from(1));
        let mut factors = Vec::with_capacity(f.atoms.len() + f.polys.len());
        for &(a, k) in &f.atoms {
            factors.push((self.table.intern(Form { atoms: vec![(a, 1)], ..one() }), k));
        }
        for &(p, k) in &f.polys {
            factors.push((self.table.intern(Form { polys: vec![(p, 1)], ..one() }), k));
        }
        factors
    }

    /// `e^(exp / n)`
    fn root_of_exp(&mut self, exp: FormId, n: u32) -> Try<FormId> {
        let exp = self.table.scale(exp, &Rational::from((1, n)))?;
        Ok(self.table.intern(Form { exp, ..Form::constant(Rational::from(1)) }))
    }

    /// The square root of a form that is not negative where it has a value.
    pub(super) fn sqrt(&mut self, x: FormId) -> Try<FormId> {
        if x == FormId::ZERO {
            return Ok(x);
        }
        let f = self.table.form(x);
        let mut outside = self.root_of_exp(f.exp, 2)?;
        let magnitude = self.sqrt_rational(&f.coeff.clone().abs())?;
        outside = self.table.mul(outside, magnitude)?;
        let mut inside = if f.coeff < 0 { self.fraction(-1, 1) } else { FormId::ONE };
        let mut squares = Vec::new();
        for (factor, k) in self.split(x) {
            let (half, odd) = (k.div_euclid(2), k.rem_euclid(2) == 1);
            if odd {
                inside = self.table.mul(inside, factor)?;
            }
            if half == 0 {
                continue;
            }
            if half < 0 || odd {
                // In a denominator, so not 0; or 0 only where the factor left inside is.
                let magnitude = self.fabs(factor)?;
                let power = self.table.power(magnitude, half)?;
                outside = self.table.mul(outside, power)?;
            } else {
                squares.push((factor, half));
            }
        }
        // At a zero of a square the rest might be negative, and its root without a value.
        let safe = squares.is_empty() || self.always(inside, Signs::NOT_NEGATIVE);
        for (factor, half) in squares {
            if safe || self.always(factor, Signs::NOT_ZERO) {
                let magnitude = self.fabs(factor)?;
                let power = self.table.power(magnitude, half)?;
                outside = self.table.mul(outside, power)?;
            } else {
                let square = self.table.power(factor, 2 * half)?;
                inside = self.table.mul(inside, square)?;
            }
        }
        let root = self.sqrt_inside(inside)?;
        self.table.mul(outside, root)
    }

    /// The root of what is left: factors of one sign on the domain stand alone.
    fn sqrt_inside(&mut self, inside: FormId) -> Try<FormId> {
        if self.table.rational(inside).is_some_and(|r| r == 1) {
            return Ok(inside);
        }
        let factors = self.split(inside);
        let (mut value, mut rest) = (FormId::ONE, inside);
        if factors.len() > 1 {
            for (factor, k) in factors {
                if k != 1 {
                    continue;
                }
                let part = if self.always(factor, Signs::POSITIVE) {
                    factor
                } else if self.always(factor, Signs::NEGATIVE) {
                    self.table.neg(factor)
                } else {
                    continue;
                };
                rest = self.table.div(rest, part)?;
                let root = self.table.apply1(Op::Sqrt, part)?;
                value = self.table.mul(value, root)?;
            }
        }
        if self.table.rational(rest).is_some_and(|r| r == 1) {
            return Ok(value);
        }
        let root = self.table.apply1(Op::Sqrt, rest)?;
        self.table.mul(value, root)
    }

    /// The square root of a rational number that is not negative: squares out, one root a small prime.
    pub(super) fn sqrt_rational(&mut self, x: &Rational) -> Try<FormId> {
        // sqrt(p/q) = sqrt(p q) / q
        let (mut outside, mut value) = (Rational::from((Integer::from(1), x.denom().clone())), FormId::ONE);
        let product = Integer::from(x.numer() * x.denom());
        if product == 0 {
            return Ok(FormId::ZERO);
        }
        let (primes, rest) = small_primes(&product);
        for (p, k) in primes {
            outside *= Integer::from(Integer::u_pow_u(p, k / 2));
            if k % 2 == 1 {
                let p = self.table.constant(Rational::from(p));
                let root = self.table.apply1(Op::Sqrt, p)?;
                value = self.table.mul(value, root)?;
            }
        }
        let (root, remainder) = rest.clone().sqrt_rem(Integer::new());
        if remainder == 0 {
            outside *= root;
        } else {
            let rest = self.table.constant(Rational::from(rest));
            let root = self.table.apply1(Op::Sqrt, rest)?;
            value = self.table.mul(value, root)?;
        }
        self.table.scale(value, &outside)
    }

    /// The cube root, factor by factor.
    pub(super) fn cbrt(&mut self, x: FormId) -> Try<FormId> {
        if x == FormId::ZERO {
            return Ok(x);
        }
        let f = self.table.form(x);
        let mut value = self.root_of_exp(f.exp, 3)?;
        let root = self.cbrt_rational(&f.coeff)?;
        value = self.table.mul(value, root)?;
        for (factor, k) in self.split(x) {
            let whole = self.table.power(factor, k.div_euclid(3))?;
            value = self.table.mul(value, whole)?;
            if k.rem_euclid(3) != 0 {
                let root = self.table.apply1(Op::Cbrt, factor)?;
                let root = self.table.power(root, k.rem_euclid(3))?;
                value = self.table.mul(value, root)?;
            }
        }
        Ok(value)
    }

    fn cbrt_rational(&mut self, x: &Rational) -> Try<FormId> {
        // cbrt(p/q) = cbrt(p q^2) / q
        let product = Integer::from(x.numer() * x.denom()) * x.denom();
        let (primes, rest) = small_primes(&product.clone().abs());
        let (mut outside, mut value) = (Rational::from((Integer::from(1), x.denom().clone())), FormId::ONE);
        if product < 0 {
            outside = -outside;
        }
        for (p, k) in primes {
            outside *= Integer::from(Integer::u_pow_u(p, k / 3));
            if k % 3 != 0 {
                let p = self.table.constant(Rational::from(p));
                let root = self.table.apply1(Op::Cbrt, p)?;
                let root = self.table.power(root, (k % 3) as i32)?;
                value = self.table.mul(value, root)?;
            }
        }
        let (root, remainder) = rest.clone().root_rem(Integer::new(), 3);
        if remainder == 0 {
            outside *= root;
        } else {
            let rest = self.table.constant(Rational::from(rest));
            let root = self.table.apply1(Op::Cbrt, rest)?;
            value = self.table.mul(value, root)?;
        }
        self.table.scale(value, &outside)
    }

    /// Whether the form is a root or absolute value: never negative.
    pub(super) fn is_magnitude(&self, form: FormId) -> bool {
        let atom = self.table.single_atom(form);
        atom.is_some_and(|a| matches!(self.table.atom(a), Atom::Pi | Atom::Apply(Op::Fabs | Op::Sqrt, _)))
    }
}
