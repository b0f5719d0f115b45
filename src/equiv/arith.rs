//! Arithmetic on normal forms.

use super::polynomial::{Monomial, Poly, Terms, add_term, content, merge};
use super::table::{Atom, AtomId, Form, FormId, PolyId, Stop, Table, Try};
use crate::num::Rational;
use crate::num::mpfr::Pow;
use crate::ops::Op;
use std::sync::Arc;

/// The most terms of a polynomial.
const MAX_TERMS: usize = 600;
/// The most bits of a numerator or denominator.
const MAX_BITS: u32 = 4000;
/// The largest power that is multiplied out.
const MAX_EXPANDED_POWER: i32 = 40;
/// The largest power that is kept as a power.
const MAX_POWER: u32 = 1 << 20;

fn bits(x: &Rational) -> u32 {
    x.numer().significant_bits().max(x.denom().significant_bits())
}

impl Table {
    /// `-a`.
    pub(super) fn neg(&mut self, a: FormId) -> FormId {
        let mut f = Form::clone(&self.form(a));
        f.coeff = -f.coeff;
        self.intern(f)
    }

    /// `r a`.
    pub(super) fn scale(&mut self, a: FormId, r: &Rational) -> Try<FormId> {
        let mut f = Form::clone(&self.form(a));
        f.coeff *= r;
        if bits(&f.coeff) > MAX_BITS {
            return Err(Stop::Limit);
        }
        Ok(self.intern(f))
    }

    /// `a - b`.
    pub(super) fn sub(&mut self, a: FormId, b: FormId) -> Try<FormId> {
        let b = self.neg(b);
        self.add(a, b)
    }

    /// `a / b`; no value anywhere where `b` is the number 0.
    pub(super) fn div(&mut self, a: FormId, b: FormId) -> Try<FormId> {
        let b = self.power(b, -1)?;
        self.mul(a, b)
    }

    /// `a^n`.
    pub(super) fn power(&mut self, a: FormId, n: i32) -> Try<FormId> {
        match n {
            0 => return Ok(FormId::ONE),
            1 => return Ok(a),
            _ => {}
        }
        let f = self.form(a);
        if f.coeff == 0 {
            return if n > 0 { Ok(a) } else { Err(Stop::Limit) };
        }
        if u64::from(bits(&f.coeff)) * u64::from(n.unsigned_abs()) > u64::from(MAX_BITS) && f.coeff.clone().abs() != 1 {
            return Err(Stop::Limit);
        }
        let exp = self.scale(f.exp, &Rational::from(n))?;
        let raised = |k: i32| k.checked_mul(n).filter(|k| k.unsigned_abs() <= MAX_POWER).ok_or(Stop::Limit);
        let atoms = f.atoms.iter().map(|(a, k)| Ok((*a, raised(*k)?))).collect::<Try<Vec<_>>>()?;
        let polys = f.polys.iter().map(|(p, k)| Ok((*p, raised(*k)?))).collect::<Try<Vec<_>>>()?;
        self.build(Form { coeff: Rational::from((&f.coeff).pow(n)), exp, atoms, polys })
    }

    /// `a b`.
    pub(super) fn mul(&mut self, a: FormId, b: FormId) -> Try<FormId> {
        match (a, b) {
            (FormId::ZERO, _) | (_, FormId::ZERO) => return Ok(FormId::ZERO),
            (FormId::ONE, x) | (x, FormId::ONE) => return Ok(x),
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.products.get(&key) {
            return known;
        }
        let product = self.product(a, b);
        self.products.insert(key, product);
        product
    }

    fn product(&mut self, a: FormId, b: FormId) -> Try<FormId> {
        let (f, g) = (self.form(a), self.form(b));
        let coeff = Rational::from(&f.coeff * &g.coeff);
        if bits(&coeff) > MAX_BITS {
            return Err(Stop::Limit);
        }
        let exp = self.add(f.exp, g.exp)?;
        let atoms = merge(&f.atoms, &g.atoms).ok_or(Stop::Limit)?;
        let polys = merge(&f.polys, &g.polys).ok_or(Stop::Limit)?;
        if atoms.iter().map(|x| x.1).chain(polys.iter().map(|x| x.1)).any(|k| k.unsigned_abs() > MAX_POWER) {
            return Err(Stop::Limit);
        }
        self.build(Form { coeff, exp, atoms, polys })
    }

    /// A power of the atom that is a form without the atom: sqrt(u)^2 = u, cbrt(u)^3 = u, |u|^2 = u^2,
    /// copysign(1, u)^2 = 1.
    fn closing_power(&mut self, atom: AtomId) -> Try<Option<(i32, FormId)>> {
        Ok(match *self.atom(atom) {
            Atom::Apply(Op::Sqrt, [u, ..]) => Some((2, u)),
            Atom::Apply(Op::Cbrt, [u, ..]) => Some((3, u)),
            Atom::Apply(Op::Fabs, [u, ..]) => Some((2, self.power(u, 2)?)),
            // The sign of u: see the rule of `copysign`.
            Atom::Apply(Op::Copysign, [FormId::ONE, ..]) => Some((2, FormId::ONE)),
            _ => None,
        })
    }

    /// The form with closing powers taken out and polynomials divided where they divide.
    fn build(&mut self, mut f: Form) -> Try<FormId> {
        let mut more = Vec::new();
        for i in 0..f.atoms.len() {
            let (atom, k) = f.atoms[i];
            if k == 1 {
                continue;
            }
            if let Some((n, whole)) = self.closing_power(atom)? {
                f.atoms[i].1 = k.rem_euclid(n);
                more.push((whole, k.div_euclid(n)));
            }
        }
        f.atoms.retain(|(_, k)| *k != 0);
        more.extend(self.signs_taken_out(&mut f)?);
        if let Some((p, q, quotient)) = self.divisible(&f.polys) {
            // p = q * quotient, one power of each.
            let lower = |polys: &mut Vec<(PolyId, i32)>, id: PolyId, by: i32| {
                polys.iter_mut().filter(|x| x.0 == id).for_each(|x| x.1 += by);
            };
            let up = f.polys.iter().any(|x| x.0 == p && x.1 > 0);
            let sign = if up { 1 } else { -1 };
            lower(&mut f.polys, p, -sign);
            lower(&mut f.polys, q, sign);
            f.polys.retain(|(_, k)| *k != 0);
            more.push((quotient, sign));
            let rest = self.build(f)?;
            return self.times(rest, more);
        }
        let rest = self.intern(f);
        self.times(rest, more)
    }

    /// Take |u| u^k out of a product as the sign of u and u^(k+1), k being odd and negative, so that u is not 0: the
    /// factors taken out.
    fn signs_taken_out(&mut self, f: &mut Form) -> Try<Vec<(FormId, i32)>> {
        fn raise<T: Copy + PartialEq>(powers: &mut Vec<(T, i32)>, of: T) -> bool {
            let Some(power) = powers.iter_mut().find(|x| x.0 == of && x.1 < 0 && x.1 % 2 != 0) else { return false };
            power.1 += 1;
            powers.retain(|x| x.1 != 0);
            true
        }
        let mut signs = Vec::new();
        for (atom, k) in f.atoms.clone() {
            let Atom::Apply(Op::Fabs, [u, ..]) = *self.atom(atom) else { continue };
            let of = self.form(u);
            if k != 1 || of.coeff != 1 || of.exp != FormId::ZERO {
                continue;
            }
            let raised = match (of.atoms.as_slice(), of.polys.as_slice()) {
                ([(a, 1)], []) => raise(&mut f.atoms, *a),
                ([], [(p, 1)]) => raise(&mut f.polys, *p),
                _ => false,
            };
            if raised {
                f.atoms.retain(|x| x.0 != atom);
                signs.push((self.atomic(Atom::Apply(Op::Copysign, [FormId::ONE, u, FormId::ONE]))?, 1));
            }
        }
        Ok(signs)
    }

    fn times(&mut self, mut form: FormId, more: Vec<(FormId, i32)>) -> Try<FormId> {
        for (factor, k) in more {
            let raised = self.power(factor, k)?;
            form = self.mul(form, raised)?;
        }
        Ok(form)
    }

    /// Two polynomials on different sides of the fraction bar, the first a multiple of the second.
    fn divisible(&mut self, polys: &[(PolyId, i32)]) -> Option<(PolyId, PolyId, FormId)> {
        for &(p, k) in polys {
            for &(q, l) in polys {
                if (k > 0) != (l > 0)
                    && let Some(quotient) = self.quotient(p, q)
                {
                    return Some((p, q, quotient));
                }
            }
        }
        None
    }

    fn quotient(&mut self, p: PolyId, q: PolyId) -> Option<FormId> {
        if let Some(&known) = self.quotients.get(&(p, q)) {
            return known;
        }
        let terms = self.poly(p).divide(&self.poly(q).clone());
        let quotient = terms.and_then(|t| self.collect(t).ok());
        self.quotients.insert((p, q), quotient);
        quotient
    }

    /// `a + b`.
    pub(super) fn add(&mut self, a: FormId, b: FormId) -> Try<FormId> {
        match (a, b) {
            (FormId::ZERO, x) | (x, FormId::ZERO) => return Ok(x),
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.sums.get(&key) {
            return known;
        }
        let sum = self.sum(key.0, key.1);
        self.sums.insert(key, sum);
        sum
    }

    fn sum(&mut self, a: FormId, b: FormId) -> Try<FormId> {
        let (f, g) = (self.form(a), self.form(b));
        if f.exp == g.exp && f.atoms == g.atoms && f.polys == g.polys {
            let coeff = Rational::from(&f.coeff + &g.coeff);
            if bits(&coeff) > MAX_BITS {
                return Err(Stop::Limit);
            }
            return Ok(self.intern(Form { coeff, ..Form::clone(&f) }));
        }
        let (atoms, polys) = (lower(&f.atoms, &g.atoms), lower(&f.polys, &g.polys));
        let mut terms = self.remainder(&f, f.exp, &atoms, &polys)?;
        for (m, c) in self.remainder(&g, f.exp, &atoms, &polys)? {
            add_term(&mut terms, m, c);
        }
        let sum = self.collect(terms)?;
        if sum == FormId::ZERO {
            return Ok(sum);
        }
        let common = self.intern(Form { coeff: Rational::from(1), exp: f.exp, atoms, polys });
        self.mul(common, sum)
    }

    /// The form without the common factor, multiplied out.
    fn remainder(&mut self, f: &Form, exp: FormId, atoms: &[(AtomId, i32)], polys: &[(PolyId, i32)]) -> Try<Terms> {
        let minus = |x: &[(AtomId, i32)]| x.iter().map(|(a, k)| (*a, -k)).collect::<Vec<_>>();
        let atoms = merge(&f.atoms, &minus(atoms)).ok_or(Stop::Limit)?;
        let minus: Vec<_> = polys.iter().map(|(p, k)| (*p, -k)).collect();
        let polys = merge(&f.polys, &minus).ok_or(Stop::Limit)?;
        let exp = self.sub(f.exp, exp)?;
        self.expand(&Form { coeff: f.coeff.clone(), exp, atoms, polys })
    }

    /// A form without negative powers, multiplied out.
    pub(super) fn expand(&mut self, f: &Form) -> Try<Terms> {
        let all = f.atoms.iter().map(|x| x.1).chain(f.polys.iter().map(|x| x.1));
        if all.clone().any(|k| k < 0) || all.sum::<i32>() > MAX_EXPANDED_POWER {
            return Err(Stop::Limit);
        }
        let mut terms = Terms::new();
        if f.coeff == 0 {
            return Ok(terms);
        }
        let atoms = f.atoms.iter().map(|(a, k)| (*a, *k as u32)).collect();
        self.add_reduced(&mut terms, Monomial { exp: f.exp, atoms }, f.coeff.clone())?;
        for &(p, k) in &f.polys {
            let p = self.poly(p).clone();
            for _ in 0..k {
                terms = self.multiply(&terms, &p)?;
            }
        }
        Ok(terms)
    }

    fn multiply(&mut self, a: &Terms, b: &Poly) -> Try<Terms> {
        let mut out = Terms::new();
        for (m, c) in a {
            for (n, d) in &b.0 {
                let product = self.times_monomial(m, n)?;
                self.add_reduced(&mut out, product, Rational::from(c * d))?;
            }
        }
        Ok(out)
    }

    fn times_monomial(&mut self, m: &Monomial, n: &Monomial) -> Try<Monomial> {
        let exp = self.add(m.exp, n.exp)?;
        Ok(Monomial { exp, atoms: merge(&m.atoms, &n.atoms).ok_or(Stop::Limit)? })
    }

    /// Add a term, powers of atoms above their relation's rewritten by it.
    fn add_reduced(&mut self, terms: &mut Terms, m: Monomial, c: Rational) -> Try<()> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stop::Limit)?;
        for (i, &(atom, k)) in m.atoms.iter().enumerate() {
            if k < 2 {
                continue;
            }
            let Some((n, whole)) = self.relation(atom)? else { continue };
            if k < n {
                continue;
            }
            let mut rest = m.clone();
            rest.atoms[i].1 = k - n;
            rest.atoms.retain(|(_, k)| *k > 0);
            for (t, d) in &whole.0 {
                let product = self.times_monomial(&rest, t)?;
                self.add_reduced(terms, product, Rational::from(&c * d))?;
            }
            return Ok(());
        }
        if bits(&c) > MAX_BITS {
            return Err(Stop::Limit);
        }
        add_term(terms, m, c);
        if terms.len() > MAX_TERMS { Err(Stop::Limit) } else { Ok(()) }
    }

    /// A power of the atom that is a polynomial with smaller powers of it: the closing powers, and
    /// sin(u)^2 = 1 - cos(u)^2.
    fn relation(&mut self, atom: AtomId) -> Try<Option<(u32, Arc<Poly>)>> {
        if let Some(known) = self.relations.get(&atom) {
            return Ok(known.clone());
        }
        let relation = match *self.atom(atom) {
            Atom::Apply(Op::Sin, [u, ..]) => {
                let cos = self.atom_id(Atom::Apply(Op::Cos, [u; 3]))?;
                let square = Monomial { exp: FormId::ZERO, atoms: vec![(cos, 2)] };
                Some((2, Poly(vec![(Monomial::one(), Rational::from(1)), (square, Rational::from(-1))])))
            }
            _ => match self.closing_power(atom)? {
                Some((n, whole)) if self.form(whole).is_polynomial() => {
                    let terms = self.expand(&self.form(whole))?;
                    Some((n as u32, Poly(terms.into_iter().collect())))
                }
                _ => None,
            },
        };
        let relation = relation.map(|(n, p)| (n, Arc::new(p)));
        self.relations.insert(atom, relation.clone());
        Ok(relation)
    }

    /// The form of a sum: rational factor, common atoms and a common exponential taken out.
    pub(super) fn collect(&mut self, terms: Terms) -> Try<FormId> {
        let mut terms: Vec<(Monomial, Rational)> = terms.into_iter().collect();
        let Some((first, _)) = terms.first() else { return Ok(FormId::ZERO) };
        let mut common = first.atoms.clone();
        for (m, _) in &terms[1..] {
            common = common.iter().map(|(a, k)| (*a, (*k).min(m.power(*a)))).filter(|(_, k)| *k > 0).collect();
        }
        for (m, _) in &mut terms {
            for (a, k) in &common {
                m.atoms.iter_mut().filter(|x| x.0 == *a).for_each(|x| x.1 -= k);
            }
            m.atoms.retain(|(_, k)| *k > 0);
        }
        let (coeff, exp, poly) = self.primitive(terms)?;
        let atoms = common.into_iter().map(|(a, k)| (a, k as i32)).collect();
        if poly.0.len() == 1 {
            return self.build(Form { coeff, exp, atoms, polys: Vec::new() });
        }
        let (coeff, poly, k) = match poly.square_root() {
            Some(root) => {
                let (scale, _, root) = self.primitive(root.into_iter().collect())?;
                (coeff * scale.square(), root, 2)
            }
            None => (coeff, poly, 1),
        };
        let polys = vec![(self.poly_id(poly), k)];
        self.build(Form { coeff, exp, atoms, polys })
    }

    /// `coeff e^exp poly`, the polynomial with integer coefficients and the same however it was scaled and shifted.
    fn primitive(&mut self, terms: Vec<(Monomial, Rational)>) -> Try<(Rational, FormId, Poly)> {
        let mut shifts: Vec<FormId> = terms.iter().map(|(m, _)| m.exp).collect();
        shifts.sort_unstable();
        shifts.dedup();
        let mut best: Option<(Rational, FormId, Poly)> = None;
        for shift in shifts {
            let mut shifted = Vec::with_capacity(terms.len());
            for (m, c) in &terms {
                shifted.push((Monomial { exp: self.sub(m.exp, shift)?, atoms: m.atoms.clone() }, c.clone()));
            }
            shifted.sort_unstable();
            let mut scale = content(shifted.iter().map(|(_, c)| c));
            if shifted.last().is_some_and(|(_, c)| *c < 0) {
                scale = -scale;
            }
            shifted.iter_mut().for_each(|(_, c)| *c /= &scale);
            let poly = Poly(shifted);
            if best.as_ref().is_none_or(|(_, _, p)| poly < *p) {
                best = Some((scale, shift, poly));
            }
        }
        best.ok_or(Stop::Limit)
    }
}

/// For everything in either product the smaller of its powers, 0 where it is missing.
fn lower<T: Copy + Ord>(a: &[(T, i32)], b: &[(T, i32)]) -> Vec<(T, i32)> {
    let power = |x: &[(T, i32)], t: T| x.iter().find(|y| y.0 == t).map_or(0, |y| y.1);
    let mut all: Vec<T> = a.iter().chain(b).map(|x| x.0).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(|t| (t, power(a, t).min(power(b, t)))).filter(|x| x.1 != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_the_number_0_are_0_or_nothing() {
        let mut t = Table::new();
        assert!(matches!(t.power(FormId::ZERO, 3), Ok(FormId::ZERO)));
        assert!(matches!(t.power(FormId::ZERO, 0), Ok(FormId::ONE)));
        assert!(t.power(FormId::ZERO, -1).is_err());
        assert!(matches!(t.power(FormId::ONE, -3), Ok(FormId::ONE)));
    }
}
