//! Exponentials and logarithms in normal form.

use super::definedness::Signs;
use super::normal::{Normalizer, small_primes};
use super::polynomial::{Terms, add_term};
use super::table::{Atom, Form, FormId, Try};
use crate::num::Rational;
use crate::num::mpfr::Integer;
use crate::ops::Op;

/// The largest power that an exponential of a logarithm becomes.
const MAX_POWER: u32 = 1 << 10;

impl Normalizer<'_> {
    /// `e^x`; e^(c log a) is a power or a root of a.
    pub(super) fn exp(&mut self, x: FormId) -> Try<FormId> {
        let x = self.shallow(x)?;
        let f = self.table.form(x);
        let Ok(terms) = self.table.expand(&f) else {
            return Ok(self.table.intern(Form { exp: x, ..Form::constant(Rational::from(1)) }));
        };
        let (mut rest, mut value) = (Terms::new(), FormId::ONE);
        for (m, c) in terms {
            let log = match m.atoms.as_slice() {
                [(a, 1)] if m.exp == FormId::ZERO => match *self.table.atom(*a) {
                    Atom::Apply(Op::Log, [u, ..]) => Some(u),
                    _ => None,
                },
                _ => None,
            };
            let numerator = c.numer().to_i32().filter(|k| k.unsigned_abs() <= MAX_POWER);
            let (Some(u), Some(k)) = (log, numerator) else {
                add_term(&mut rest, m, c);
                continue;
            };
            // The logarithm has a value, so u > 0.
            let power = match c.denom().to_u32() {
                Some(1) => self.table.power(u, k)?,
                Some(2) => {
                    let root = self.sqrt(u)?;
                    self.table.power(root, k)?
                }
                Some(3) => {
                    let root = self.cbrt(u)?;
                    self.table.power(root, k)?
                }
                _ => {
                    add_term(&mut rest, m, c);
                    continue;
                }
            };
            value = self.table.mul(value, power)?;
        }
        let exp = self.table.collect(rest)?;
        let exponential = self.table.intern(Form { exp, ..Form::constant(Rational::from(1)) });
        self.table.mul(exponential, value)
    }

    /// The logarithm of a form, of which only points count where it is positive.
    pub(super) fn log(&mut self, x: FormId) -> Try<FormId> {
        let f = self.table.form(x);
        if f.coeff == 0 {
            return Err(super::table::Stop::Limit);
        }
        let mut value = self.log_rational(&f.coeff.clone().abs())?;
        value = self.table.add(value, f.exp)?;
        let mut negative = f.coeff < 0;
        // Factors of unknown sign with odd powers.
        let mut mixed = Vec::new();
        for (factor, k) in self.split(x) {
            let part = if self.is_magnitude(factor) || self.always(factor, Signs::POSITIVE) {
                factor
            } else if k % 2 == 0 {
                // Not 0 where x > 0.
                self.fabs(factor)?
            } else if self.always(factor, Signs::NEGATIVE) {
                negative = !negative;
                self.table.neg(factor)
            } else {
                mixed.push((factor, k));
                continue;
            };
            let log = self.log_factor(part)?;
            let log = self.table.scale(log, &Rational::from(k))?;
            value = self.table.add(value, log)?;
        }
        let sign = if negative { Rational::from(-1) } else { Rational::from(1) };
        let log = match mixed.as_slice() {
            [] if negative => return Err(super::table::Stop::Limit),
            [] => return Ok(value),
            // An odd power is positive where its base is.
            [(factor, k)] => {
                let part = self.table.scale(*factor, &sign)?;
                let log = self.log_factor(part)?;
                self.table.scale(log, &Rational::from(*k))?
            }
            _ => {
                let mut product = self.table.constant(sign);
                for (factor, k) in mixed {
                    let power = self.table.power(factor, k)?;
                    product = self.table.mul(product, power)?;
                }
                self.table.apply1(Op::Log, product)?
            }
        };
        self.table.add(value, log)
    }

    /// The logarithm of one factor where it is positive: log(sqrt(u)) = log(u) / 2.
    fn log_factor(&mut self, factor: FormId) -> Try<FormId> {
        let root = self.table.single_atom(factor).and_then(|a| match *self.table.atom(a) {
            Atom::Apply(Op::Sqrt, [u, ..]) => Some((u, 2)),
            Atom::Apply(Op::Cbrt, [u, ..]) => Some((u, 3)),
            _ => None,
        });
        match root {
            Some((u, n)) => {
                let log = self.log(u)?;
                self.table.scale(log, &Rational::from((1, n)))
            }
            None => self.table.apply1(Op::Log, factor),
        }
    }

    /// The logarithm of a positive rational number by those of primes.
    pub(super) fn log_rational(&mut self, x: &Rational) -> Try<FormId> {
        let (top, bottom) = (self.log_integer(x.numer())?, self.log_integer(x.denom())?);
        self.table.sub(top, bottom)
    }

    fn log_integer(&mut self, n: &Integer) -> Try<FormId> {
        let (primes, rest) = small_primes(n);
        let mut parts: Vec<(Rational, u32)> = primes.into_iter().map(|(p, k)| (Rational::from(p), k)).collect();
        if rest != 1 {
            parts.push((Rational::from(rest), 1));
        }
        let mut value = FormId::ZERO;
        for (p, k) in parts {
            let p = self.table.constant(p);
            let log = self.table.apply1(Op::Log, p)?;
            let log = self.table.scale(log, &Rational::from(k))?;
            value = self.table.add(value, log)?;
        }
        Ok(value)
    }
}
