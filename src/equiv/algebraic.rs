//! Forms whose value is an algebraic number wherever the inputs are rational, and what follows from that.
//!
//! Every input of a domain is a floating-point number, hence rational. F. Lindemann (1882): e^a is transcendental for
//! every algebraic a other than 0. So cos a is never 0 for an algebraic a, and sin a for an algebraic a other than 0 is
//! neither: tan has a value at every algebraic number, although a box of real numbers may hold many of its poles.

use super::table::{Atom, AtomId, FormId, Table};
use crate::ops::Op;

impl Table {
    /// Whether the form surely has an algebraic value at every rational input at which it has one.
    pub(super) fn is_algebraic(&self, form: FormId) -> bool {
        let f = self.form(form);
        f.exp == FormId::ZERO
            && f.atoms.iter().all(|(a, _)| self.is_algebraic_atom(*a))
            && f.polys.iter().all(|(p, _)| {
                let monomials = self.poly(*p).0.iter().map(|(m, _)| m);
                let all = |m: &super::polynomial::Monomial| {
                    m.exp == FormId::ZERO && m.atoms.iter().all(|(a, _)| self.is_algebraic_atom(*a))
                };
                monomials.clone().all(all)
            })
    }

    fn is_algebraic_atom(&self, atom: AtomId) -> bool {
        match self.atom(atom) {
            Atom::Input(_) => true,
            // The forms of the other operators of arithmetic, and of rounding, are made of these.
            Atom::Apply(Op::Sqrt | Op::Cbrt | Op::Fabs | Op::Copysign | Op::Floor, args) => {
                args.iter().all(|a| self.is_algebraic(*a))
            }
            // Whatever decides it.
            Atom::If(_, a, b) => self.is_algebraic(*a) && self.is_algebraic(*b),
            Atom::Apply(..) | Atom::Factor(..) | Atom::Pi | Atom::Node(_) => false,
        }
    }

    /// The argument of a cosine that is never 0, if the form is one (or a multiple or power of one).
    pub(super) fn cosine_of_algebraic(&self, form: FormId) -> Option<FormId> {
        let f = self.form(form);
        let [(atom, _)] = f.atoms.as_slice() else { return None };
        match self.atom(*atom) {
            Atom::Apply(Op::Cos, [u, ..]) if f.polys.is_empty() && f.exp == FormId::ZERO && self.is_algebraic(*u) => {
                Some(*u)
            }
            _ => None,
        }
    }
}
