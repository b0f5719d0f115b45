//! Forms whose value is an algebraic number wherever the inputs are rational, and what follows from that.
//!
//! Every input of a domain is a floating-point number, hence rational. F. Lindemann (1882): e^a is transcendental for
//! every algebraic a other than 0. So cos a is never 0 for an algebraic a, and sin a for an algebraic a other than 0 is
//! neither: tan has a value at every algebraic number, although a box of real numbers may hold many of its poles. An
//! inverse function of an algebraic number is no algebraic number either, but for 0.

use super::polynomial::Monomial;
use super::table::{Atom, AtomId, FormId, Table};
use crate::num::Rational;
use crate::ops::Op;

impl Table {
    /// Whether the form surely has an algebraic value at every rational input at which it has one.
    pub(super) fn is_algebraic(&self, form: FormId) -> bool {
        let f = self.form(form);
        f.exp == FormId::ZERO
            && f.atoms.iter().all(|(a, _)| self.is_algebraic_atom(*a))
            && f.polys.iter().all(|(p, _)| {
                let monomials = self.poly(*p).0.iter().map(|(m, _)| m);
                let all =
                    |m: &Monomial| m.exp == FormId::ZERO && m.atoms.iter().all(|(a, _)| self.is_algebraic_atom(*a));
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

    /// For a form that at rational inputs is 0 only where another one is: that one. A multiple of 1 - cos u, or of a polynomial
    /// in e^u whose coefficients add up to 0, for an algebraic u: elsewhere a transcendental number would be algebraic.
    pub(super) fn zero_only_with(&self, form: FormId) -> Option<FormId> {
        let f = self.form(form);
        if let ([(a, _)], []) = (f.atoms.as_slice(), f.polys.as_slice()) {
            return match self.atom(*a) {
                // sin u is 0 at multiples of pi, of which 0 alone is algebraic.
                Atom::Apply(Op::Sin | Op::Tan, [u, ..]) => Some(*u).filter(|u| self.is_algebraic(*u)),
                _ => None,
            };
        }
        let ([], [(p, _)]) = (f.atoms.as_slice(), f.polys.as_slice()) else { return None };
        let terms = &self.poly(*p).0;
        if let Some(u) = self.common_exponent(terms) {
            return Some(u);
        }
        let [(m, c), (n, d)] = terms.as_slice() else { return None };
        let (m, one) = if *n == Monomial::one() { (m, n) } else { (n, m) };
        let ([(a, 1)], FormId::ZERO) = (m.atoms.as_slice(), m.exp) else { return None };
        match self.atom(*a) {
            Atom::Apply(Op::Cos, [u, ..]) if *one == Monomial::one() && Rational::from(c + d) == 0 => {
                Some(*u).filter(|u| self.is_algebraic(*u))
            }
            _ => None,
        }
    }

    /// Whether the form is 0 at no rational inputs because a transcendental number would be algebraic there: a polynomial
    /// in e^u with rational coefficients that is not 0 where u is, a number and a function of an algebraic u, or an
    /// algebraic form and a multiple of pi or of another transcendental number. The same for an irrational number that
    /// would be rational, and for an input that would be no binary fraction.
    pub(super) fn is_never_zero(&self, form: FormId) -> bool {
        if self.cosine_of_algebraic(form).is_some() {
            return true;
        }
        let f = self.form(form);
        let ([], [(p, _)]) = (f.atoms.as_slice(), f.polys.as_slice()) else { return false };
        let terms = &self.poly(*p).0;
        self.exponentials_only(terms) || self.one_transcendental_term(terms) || self.one_irrational_term(terms)
    }

    /// e^u is algebraic only where u is 0, and there the terms add up to the sum of their coefficients.
    fn exponentials_only(&self, terms: &[(Monomial, Rational)]) -> bool {
        self.common_exponent(terms).is_some()
            && terms.iter().map(|(_, c)| c.clone()).fold(Rational::new(), |sum, c| sum + c) != 0
    }

    /// The algebraic u of terms that are rational multiples of powers of e^u. The powers of a transcendental number differ: the
    /// sum is 0 only where u is, if anywhere.
    fn common_exponent(&self, terms: &[(Monomial, Rational)]) -> Option<FormId> {
        let mut common: Option<FormId> = None;
        for (m, _) in terms {
            if !m.atoms.is_empty() {
                return None;
            }
            if m.exp == FormId::ZERO {
                continue;
            }
            let (e, u) = (self.form(m.exp), self.form(*common.get_or_insert(m.exp)));
            if (e.exp, &e.atoms, &e.polys) != (u.exp, &u.atoms, &u.polys) {
                return None;
            }
        }
        common.filter(|u| self.is_algebraic(*u))
    }

    /// A rational form and a multiple of the root of an integer that is no square; or a multiple of an input and a number
    /// that no binary format has: inputs are multiples of powers of 2.
    fn one_irrational_term(&self, terms: &[(Monomial, Rational)]) -> bool {
        let input = |a: AtomId| matches!(self.atom(a), Atom::Input(_));
        let rational = |m: &Monomial| m.exp == FormId::ZERO && m.atoms.iter().all(|(a, _)| input(*a));
        let (rest, others): (Vec<_>, Vec<_>) = terms.iter().partition(|(m, _)| rational(m));
        match (rest.as_slice(), others.as_slice()) {
            (_, [(m, _)]) => match m.atoms.as_slice() {
                [(a, 1)] if m.exp == FormId::ZERO => match self.atom(*a) {
                    Atom::Apply(Op::Sqrt, [u, ..]) => {
                        self.rational(*u).is_some_and(|u| u.is_integer() && u > 0 && !u.numer().is_perfect_square())
                    }
                    _ => false,
                },
                _ => false,
            },
            ([(m, c), (n, d)], []) => {
                let ((x, a), (one, b)) = if m.atoms.is_empty() { ((n, d), (m, c)) } else { ((m, c), (n, d)) };
                let value = Rational::from(b / a);
                one.atoms.is_empty() && matches!(x.atoms.as_slice(), [(_, 1)]) && !value.denom().is_power_of_two()
            }
            _ => false,
        }
    }

    fn one_transcendental_term(&self, terms: &[(Monomial, Rational)]) -> bool {
        let algebraic = |m: &Monomial| m.exp == FormId::ZERO && m.atoms.iter().all(|(a, _)| self.is_algebraic_atom(*a));
        let (rest, others): (Vec<_>, Vec<_>) = terms.iter().partition(|(m, _)| algebraic(m));
        let [(m, factor)] = others.as_slice() else { return false };
        let ([(atom, 1)], FormId::ZERO) = (m.atoms.as_slice(), m.exp) else { return false };
        let number = |r: &[&(Monomial, Rational)]| match r {
            [(one, c)] if *one == Monomial::one() => Some(c.clone()),
            _ => None,
        };
        match self.atom(*atom) {
            Atom::Pi => true,
            Atom::Apply(Op::Log, [u, ..]) if self.rational(*u).is_some_and(|u| u > 0 && u != 1) => true,
            Atom::Apply(Op::Sin | Op::Cos | Op::Atan | Op::Asinh, [u, ..])
                if self.rational(*u).is_some_and(|u| u != 0) =>
            {
                true
            }
            // 0 where u is 0, or 1 for the last two: there the number is left, which is not 0.
            Atom::Apply(op, [u, ..]) if op.shape().transcendental => {
                self.is_algebraic(*u) && number(&rest).is_some_and(|c| c != 0)
            }
            Atom::Apply(Op::Cos, [u, ..]) => {
                self.is_algebraic(*u) && number(&rest).is_some_and(|c| c != Rational::from(-factor))
            }
            _ => false,
        }
    }
}
