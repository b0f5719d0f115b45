//! Sums in which sines and cosines cancel near 0, such as K x^2 - 1 + cos x: there an interval of cos x is 1 and its
//! rounding, which hides x^2.
//!
//! A sine is its argument times a factor that is nowhere far from 1, and 1 - cos u is u^2 times one; both are
//! functions of u like any other, so that equal ones cancel.

use super::table::{Atom, FormId, Table, Try};
use crate::num::{Interval, Rational};
use crate::ops::Op;

/// The least value of sin(u)/u is -0.21723... at 4.4934.
const LEAST_SINC: f64 = -0.2173;

/// An enclosure of the factor: sin(u)/u for [`Op::Sin`], (1 - cos u)/u^2 for [`Op::Cos`]; at u = 0 their limits.
pub(super) fn factor(op: Op) -> Interval {
    match op {
        Op::Sin => Interval::new(LEAST_SINC, 1.0),
        Op::Cos => Interval::new(0.0, 0.5),
        _ => Interval::ENTIRE,
    }
}

/// Term operations for one form.
const FUEL: u32 = 10_000;

impl Table {
    /// A sign key with the sign of another (the opposite one if the flag is set), wherever that has a value: its sines
    /// and cosines written with their factors. None if it has none of them.
    pub(super) fn with_factors(&mut self, key: FormId) -> Option<(FormId, bool)> {
        let fuel = std::mem::replace(&mut self.fuel, FUEL);
        let other = self.replaced(key);
        self.fuel = fuel;
        let other = other.ok()?;
        (other != key && other != FormId::ZERO).then(|| self.sign_key(other))
    }

    fn replaced(&mut self, key: FormId) -> Try<FormId> {
        let f = self.form(key);
        let mut sum = FormId::ZERO;
        for (m, c) in self.expand(&f)? {
            let mut term = self.constant(c);
            if m.exp != FormId::ZERO {
                let exponential = super::polynomial::Monomial { exp: m.exp, atoms: Vec::new() };
                let exponential = self.collect([(exponential, Rational::from(1))].into_iter().collect())?;
                term = self.mul(term, exponential)?;
            }
            for (a, k) in m.atoms {
                let atom = match *self.atom(a) {
                    Atom::Apply(op @ (Op::Sin | Op::Cos), [u, ..]) => self.by_factor(op, u)?,
                    ref other => {
                        let other = other.clone();
                        self.atomic(other)?
                    }
                };
                let power = self.power(atom, k as i32)?;
                term = self.mul(term, power)?;
            }
            sum = self.add(sum, term)?;
        }
        Ok(sum)
    }

    /// sin u as u times its factor, cos u as 1 - u^2 times its factor.
    fn by_factor(&mut self, op: Op, u: FormId) -> Try<FormId> {
        let factor = self.atomic(Atom::Factor(op, u))?;
        if op == Op::Sin {
            return self.mul(u, factor);
        }
        let square = self.power(u, 2)?;
        let less = self.mul(square, factor)?;
        self.sub(FormId::ONE, less)
    }
}
