//! Circular functions and their inverses in normal form.

use super::definedness::{Need, Signs};
use super::normal::Normalizer;
use super::polynomial::Monomial;
use super::table::{Atom, FormId, Try};
use crate::num::Rational;
use crate::ops::{MAX_ARITY, Op};

/// An angle without its sign and its right angles: `x = ±(angle + turns pi / 2)`.
struct Reduced {
    angle: FormId,
    turns: u32,
    negative: bool,
}

impl Normalizer<'_> {
    /// The rational multiple of pi that is a term of the sum, and the rest.
    fn pi_part(&mut self, x: FormId) -> Try<(Rational, FormId)> {
        let pi = self.table.atom_id(Atom::Pi)?;
        let f = self.table.form(x);
        let Ok(mut terms) = self.table.expand(&f) else { return Ok((Rational::new(), x)) };
        let of_pi = Monomial { exp: FormId::ZERO, atoms: vec![(pi, 1)] };
        match terms.remove(&of_pi) {
            Some(c) => Ok((c, self.table.collect(terms)?)),
            None => Ok((Rational::new(), x)),
        }
    }

    fn reduce(&mut self, x: FormId) -> Try<Reduced> {
        let (mut c, mut rest) = self.pi_part(x)?;
        let sign_of = if rest == FormId::ZERO { c.clone() } else { self.table.form(rest).coeff.clone() };
        let negative = sign_of < 0;
        if negative {
            c = -c;
            rest = self.table.neg(rest);
        }
        let turns = Rational::from(&c * 2).floor();
        let left = c - Rational::from(&turns / 2);
        let turns = turns.numer().mod_u(4);
        let pi = self.table.atomic(Atom::Pi)?;
        let extra = self.table.scale(pi, &left)?;
        Ok(Reduced { angle: self.table.add(rest, extra)?, turns, negative })
    }

    /// The value of an operator that is made of sines and their inverses, and its own needs.
    pub(super) fn circular_rule(&mut self, op: Op, args: [FormId; MAX_ARITY], needs: &mut Vec<Need>) -> Try<FormId> {
        let [x, y, _] = args;
        match op {
            Op::Sin => self.sin(x),
            Op::Cos => self.cos(x),
            Op::Tan => {
                let (sin, cos) = (self.sin(x)?, self.cos(x)?);
                self.need(needs, cos, Signs::NOT_ZERO)?;
                self.table.div(sin, cos)
            }
            Op::Asin => {
                self.need_unit(needs, x, false)?;
                self.arc_sine(x)
            }
            Op::Acos => {
                self.need_unit(needs, x, false)?;
                let value = self.arc_sine(x)?;
                let right = self.right_angle()?;
                self.table.sub(right, value)
            }
            Op::Atan => self.atan(x),
            Op::Atan2 if self.always(y, Signs::POSITIVE) => {
                let slope = self.table.div(x, y)?;
                self.atan(slope)
            }
            _ => self.piecewise_rule(op, args, needs),
        }
    }

    /// The sine.
    pub(super) fn sin(&mut self, x: FormId) -> Try<FormId> {
        let r = self.reduce(x)?;
        let value = self.quarter(r.angle, r.turns)?;
        Ok(if r.negative { self.table.neg(value) } else { value })
    }

    /// The cosine.
    pub(super) fn cos(&mut self, x: FormId) -> Try<FormId> {
        let r = self.reduce(x)?;
        self.quarter(r.angle, r.turns + 1)
    }

    /// sin(angle + turns pi / 2)
    fn quarter(&mut self, angle: FormId, turns: u32) -> Try<FormId> {
        let value = if turns.is_multiple_of(2) { self.plain_sin(angle)? } else { self.plain_cos(angle)? };
        Ok(if turns % 4 >= 2 { self.table.neg(value) } else { value })
    }

    fn plain_sin(&mut self, x: FormId) -> Try<FormId> {
        if let Some(value) = self.special_angle(x, true)? {
            return Ok(value);
        }
        match self.inverse_argument(x) {
            Some((Op::Asin, u)) => Ok(u),
            // sin(atan u) = u / sqrt(1 + u^2)
            Some((Op::Atan, u)) => {
                let length = self.length(u, false)?;
                self.table.div(u, length)
            }
            _ => self.table.apply1(Op::Sin, x),
        }
    }

    fn plain_cos(&mut self, x: FormId) -> Try<FormId> {
        if let Some(value) = self.special_angle(x, false)? {
            return Ok(value);
        }
        match self.inverse_argument(x) {
            Some((Op::Asin, u)) => self.length(u, true),
            Some((Op::Atan, u)) => {
                let length = self.length(u, false)?;
                self.table.power(length, -1)
            }
            _ => self.table.apply1(Op::Cos, x),
        }
    }

    /// sqrt(1 + u^2), or sqrt(1 - u^2)
    fn length(&mut self, u: FormId, minus: bool) -> Try<FormId> {
        let square = self.table.power(u, 2)?;
        let sum = if minus { self.table.sub(FormId::ONE, square)? } else { self.table.add(FormId::ONE, square)? };
        self.sqrt(sum)
    }

    fn inverse_argument(&self, x: FormId) -> Option<(Op, FormId)> {
        match *self.table.atom(self.table.single_atom(x)?) {
            Atom::Apply(op @ (Op::Asin | Op::Atan), [u, ..]) => Some((op, u)),
            _ => None,
        }
    }

    /// The value at 0, pi/6, pi/4 and pi/3.
    fn special_angle(&mut self, x: FormId, sin: bool) -> Try<Option<FormId>> {
        let (c, rest) = self.pi_part(x)?;
        if rest != FormId::ZERO {
            return Ok(None);
        }
        // The square of the value is n / 4.
        let n = [(0, 1), (1, 6), (1, 4), (1, 3), (1, 2)].iter().position(|q| c == Rational::from(*q));
        match n {
            Some(n) => {
                let n = if sin { n } else { 4 - n };
                self.sqrt_rational(&Rational::from((n as u32, 4))).map(Some)
            }
            None => Ok(None),
        }
    }

    /// Whether on the whole domain `lo pi/2 <= x <= hi pi/2`.
    pub(super) fn between(&mut self, x: FormId, lo: i32, hi: i32) -> Try<bool> {
        let right = self.right_angle()?;
        let (lo, hi) = (self.table.scale(right, &Rational::from(lo))?, self.table.scale(right, &Rational::from(hi))?);
        let (above, below) = (self.table.sub(x, lo)?, self.table.sub(hi, x)?);
        Ok(self.always(above, Signs::NOT_NEGATIVE) && self.always(below, Signs::NOT_NEGATIVE))
    }

    /// The arc sine of a form in [-1, 1].
    pub(super) fn arc_sine(&mut self, x: FormId) -> Try<FormId> {
        if self.table.form(x).coeff < 0 {
            let minus = self.table.neg(x);
            let value = self.arc_sine(minus)?;
            return Ok(self.table.neg(value));
        }
        if let Some(n) =
            [(1, 2), (1, 1)].iter().position(|q| self.table.rational(x).is_some_and(|x| x == Rational::from(*q)))
        {
            let right = self.right_angle()?;
            return self.table.scale(right, &Rational::from([(1, 3), (1, 1)][n]));
        }
        let of = self.table.single_atom(x).map(|a| self.table.atom(a).clone());
        match of {
            Some(Atom::Apply(Op::Sin, [u, ..])) if self.between(u, -1, 1)? => Ok(u),
            Some(Atom::Apply(Op::Cos, [u, ..])) if self.between(u, 0, 2)? => {
                let right = self.right_angle()?;
                self.table.sub(right, u)
            }
            _ => self.table.apply1(Op::Asin, x),
        }
    }

    /// The arc tangent.
    pub(super) fn atan(&mut self, x: FormId) -> Try<FormId> {
        let f = self.table.form(x);
        if f.coeff < 0 {
            let minus = self.table.neg(x);
            let value = self.atan(minus)?;
            return Ok(self.table.neg(value));
        }
        if x == FormId::ONE {
            let right = self.right_angle()?;
            return self.table.scale(right, &Rational::from((1, 2)));
        }
        // sin(u) / cos(u), of which the cosine is not 0.
        if let ([(a, 1), (b, -1)] | [(b, -1), (a, 1)], true, true) =
            (f.atoms.as_slice(), f.coeff == 1 && f.exp == FormId::ZERO, f.polys.is_empty())
        {
            let (a, b) = (self.table.atom(*a).clone(), self.table.atom(*b).clone());
            if let (Atom::Apply(Op::Sin, [u, ..]), Atom::Apply(Op::Cos, [v, ..])) = (a, b)
                && u == v
                && self.between(u, -1, 1)?
            {
                return Ok(u);
            }
        }
        self.table.apply1(Op::Atan, x)
    }
}
