//! The sign of a form by a simpler one.

use super::definedness::Signs;
use super::normal::Normalizer;
use super::table::{Atom, FormId, Try};
use crate::num::Rational;
use crate::ops::Op;

impl Normalizer<'_> {
    /// A form that is negative, 0 and positive where `y` is, wherever that has a value.
    pub(super) fn same_sign(&mut self, y: FormId) -> Try<FormId> {
        let (key, flip) = self.table.sign_key(y);
        let mut value = if flip { self.fraction(-1, 1) } else { FormId::ONE };
        for (factor, k) in self.split(key) {
            let factor = self.same_sign_of_factor(factor)?;
            // What is positive changes no sign; a negative one would, but for where the others are 0.
            let square = k % 2 == 0;
            if square && self.always(factor, Signs::NOT_ZERO) || self.always(factor, Signs::POSITIVE) {
                continue;
            }
            let power = self.table.power(factor, if square { 2 } else { 1 })?;
            value = self.table.mul(value, power)?;
        }
        let (key, flip) = self.table.sign_key(value);
        Ok(if flip { self.table.neg(key) } else { key })
    }

    fn same_sign_of_factor(&mut self, factor: FormId) -> Try<FormId> {
        let of = self.table.single_atom(factor).map(|a| self.table.atom(a).clone());
        if let Some(Atom::Apply(op, [u, ..])) = of
            && op.shape().keeps_sign()
        {
            return self.same_sign(u);
        }
        // Within half a turn; an algebraic number is no multiple of pi but 0.
        if let Some(Atom::Apply(Op::Sin, [u, ..])) = of
            && self.table.is_algebraic(u)
            && self.between(u, -2, 2)?
        {
            return self.same_sign(u);
        }
        // e^u - e^v, which sinh and tanh are made of, has the sign of u - v.
        let f = self.table.form(factor);
        if let ([], [(p, 1)]) = (f.atoms.as_slice(), f.polys.as_slice()) {
            let terms = self.table.poly(*p).0.clone();
            if let [(m, c), (n, d)] = terms.as_slice()
                && m.atoms.is_empty()
                && n.atoms.is_empty()
                && *c == Rational::from(-d)
            {
                let (up, down) = if *c > 0 { (m.exp, n.exp) } else { (n.exp, m.exp) };
                let difference = self.table.sub(up, down)?;
                return self.same_sign(difference);
            }
        }
        Ok(factor)
    }
}
