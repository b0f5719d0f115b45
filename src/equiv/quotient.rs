//! What a divisor tells of what it divides: where it is not 0, neither are its factors.

use super::normal::Normalizer;
use super::table::{Atom, AtomId, Form, FormId, Stop, Try};
use crate::num::Rational;
use crate::ops::Op;

impl Normalizer<'_> {
    /// `x / y` where y is not 0: sqrt(u^2 v) / u is |u| sqrt(v) / u although v may be negative where u is 0, and
    /// sin(2 u) / cos(u) is 2 sin(u).
    pub(super) fn quotient(&mut self, x: FormId, y: FormId) -> Try<FormId> {
        let factors = self.table.factors(y).ok_or(Stop::Nowhere)?;
        let mut top = x;
        for (atom, power) in self.table.form(x).atoms.clone() {
            if power != 1 {
                continue;
            }
            let other = match *self.table.atom(atom) {
                Atom::Apply(Op::Sqrt, [w, ..]) => self.root_beside(w, &factors)?,
                Atom::Apply(Op::Sin, [w, ..]) => self.double_angle_beside(w, &factors)?,
                _ => None,
            };
            if let Some(other) = other {
                let rest = self.without(top, atom);
                top = self.table.mul(rest, other)?;
            }
        }
        self.table.div(top, y)
    }

    /// A product without one of its atoms, which has the power 1.
    fn without(&mut self, form: FormId, atom: AtomId) -> FormId {
        let mut f = Form::clone(&self.table.form(form));
        f.atoms.retain(|a| *a != (atom, 1));
        self.table.intern(f)
    }

    /// The root of `w` with the even powers of factors taken out that are not 0; none if there are none.
    fn root_beside(&mut self, w: FormId, factors: &[FormId]) -> Try<Option<FormId>> {
        let (mut outside, mut inside) = (FormId::ONE, w);
        for (factor, k) in self.split(w) {
            if k > 0 && k % 2 == 0 && factors.contains(&factor) {
                let magnitude = self.fabs(factor)?;
                let half = self.table.power(magnitude, k / 2)?;
                outside = self.table.mul(outside, half)?;
                let whole = self.table.power(factor, k)?;
                inside = self.table.div(inside, whole)?;
            }
        }
        if inside == w {
            return Ok(None);
        }
        let root = self.sqrt(inside)?;
        self.table.mul(outside, root).map(Some)
    }

    /// sin(w) as 2 sin(w/2) cos(w/2) where one of these is a factor that is divided by.
    fn double_angle_beside(&mut self, w: FormId, factors: &[FormId]) -> Try<Option<FormId>> {
        let half = self.table.scale(w, &Rational::from((1, 2)))?;
        let (sin, cos) = (self.sin(half)?, self.cos(half)?);
        if !factors.iter().any(|f| *f == sin || *f == cos) {
            return Ok(None);
        }
        let product = self.table.mul(sin, cos)?;
        self.table.scale(product, &Rational::from(2)).map(Some)
    }
}
