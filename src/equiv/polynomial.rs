//! Multivariate polynomials over exact rationals, in atoms and exponentials.

use super::ids::{AtomId, FormId};
use crate::num::Rational;
use crate::num::mpfr::{Complete, Integer};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A product of atoms, and of one exponential: exponents add up, so that more than one is never needed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Monomial {
    /// The exponent of e; zero where there is no exponential.
    pub(super) exp: FormId,
    /// Powers of atoms, none of them 0, in the order of the atoms.
    pub(super) atoms: Vec<(AtomId, u32)>,
}

impl Monomial {
    /// The empty product.
    pub(super) fn one() -> Self {
        Monomial { exp: FormId::ZERO, atoms: Vec::new() }
    }

    /// The power of an atom.
    pub(super) fn power(&self, atom: AtomId) -> u32 {
        self.atoms.iter().find(|(a, _)| *a == atom).map_or(0, |(_, k)| *k)
    }

    /// `self / other` among atoms, where that is a product again.
    fn quotient(&self, other: &Self) -> Option<Monomial> {
        if other.atoms.iter().any(|(a, k)| self.power(*a) < *k) {
            return None;
        }
        let less = |&(a, k): &(AtomId, u32)| (a, k - other.power(a));
        let atoms = self.atoms.iter().map(less).filter(|(_, k)| *k > 0).collect();
        Some(Monomial { exp: self.exp, atoms })
    }
}

/// Lexicographic by powers, which multiplication keeps: what exact division needs.
impl Ord for Monomial {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_exp = self.exp.cmp(&other.exp);
        if by_exp.is_ne() {
            return by_exp;
        }
        for (x, y) in self.atoms.iter().zip(&other.atoms) {
            // The one with the earlier atom has a power of it where the other has none.
            let o = y.0.cmp(&x.0).then(x.1.cmp(&y.1));
            if o.is_ne() {
                return o;
            }
        }
        self.atoms.len().cmp(&other.atoms.len())
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Terms in the order of their monomials, no coefficient 0.
pub(super) type Terms = BTreeMap<Monomial, Rational>;

/// A finished polynomial.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Poly(pub(super) Vec<(Monomial, Rational)>);

impl Poly {
    /// Whether there are exponentials in it.
    fn has_exponentials(&self) -> bool {
        self.0.iter().any(|(m, _)| m.exp != FormId::ZERO)
    }

    /// The quotient, if the division leaves nothing. Atoms are taken as free variables, exponentials are not divided.
    pub(super) fn divide(&self, divisor: &Self) -> Option<Terms> {
        if self.has_exponentials() || divisor.has_exponentials() || self.0.len() < divisor.0.len() {
            return None;
        }
        let (lead, coefficient) = divisor.0.last()?;
        // The last terms must divide as well, which most candidates fail.
        let (tail, tail_coefficient) = (&self.0.first()?.0, &divisor.0.first()?.0);
        tail.quotient(tail_coefficient)?;
        let mut rest: Terms = self.0.iter().cloned().collect();
        let mut quotient = Terms::new();
        while let Some((m, c)) = rest.last_key_value() {
            if quotient.len() > MAX_QUOTIENT {
                return None;
            }
            let (m, c) = (m.quotient(lead)?, Rational::from(c / coefficient));
            for (n, d) in &divisor.0 {
                let atoms = merge(&m.atoms, &n.atoms)?;
                subtract(&mut rest, Monomial { exp: FormId::ZERO, atoms }, Rational::from(&c * d));
            }
            quotient.insert(m, c);
        }
        Some(quotient)
    }
}

impl Poly {
    /// The polynomial whose square this is, up to its sign. Exponentials are not looked into.
    pub(super) fn square_root(&self) -> Option<Terms> {
        let ends_are_squares = [self.0.first()?, self.0.last()?].into_iter().all(|(m, c)| {
            *c > 0 && c.numer().is_perfect_square() && c.is_integer() && m.atoms.iter().all(|(_, k)| k % 2 == 0)
        });
        if self.has_exponentials() || !ends_are_squares {
            return None;
        }
        let (m, c) = self.0.last()?;
        let atoms = m.atoms.iter().map(|(a, k)| (*a, k / 2)).collect();
        let lead = (Monomial { exp: FormId::ZERO, atoms }, Rational::from(c.numer().sqrt_ref().complete()));
        let mut root: Terms = [lead.clone()].into_iter().collect();
        let mut rest: Terms = self.0.iter().cloned().collect();
        rest.pop_last();
        while let Some((m, c)) = rest.last_key_value() {
            let (m, c) = (m.quotient(&lead.0)?, Rational::from(c / &lead.1) / Rational::from(2));
            // A term that does not come after the others belongs to no root.
            if root.len() > MAX_ROOT || root.first_key_value().is_none_or(|(last, _)| m >= *last) {
                return None;
            }
            // (root + t)^2 = root^2 + t (2 root + t)
            let twice = root.iter().map(|(n, d)| (n.clone(), Rational::from(d * 2)));
            for (n, d) in twice.chain([(m.clone(), c.clone())]) {
                let atoms = merge(&m.atoms, &n.atoms)?;
                subtract(&mut rest, Monomial { exp: FormId::ZERO, atoms }, Rational::from(&d * &c));
            }
            root.insert(m, c);
        }
        Some(root)
    }
}

/// Roots of more terms are not looked for.
const MAX_ROOT: usize = 24;
/// Quotients of more terms are not computed.
const MAX_QUOTIENT: usize = 200;

fn subtract(terms: &mut Terms, m: Monomial, c: Rational) {
    add_term(terms, m, -c);
}

/// Add one term to a sum.
pub(super) fn add_term(terms: &mut Terms, m: Monomial, c: Rational) {
    match terms.entry(m) {
        std::collections::btree_map::Entry::Vacant(v) => {
            if c != 0 {
                v.insert(c);
            }
        }
        std::collections::btree_map::Entry::Occupied(mut o) => {
            *o.get_mut() += c;
            if *o.get() == 0 {
                o.remove();
            }
        }
    }
}

/// A power that adds up without overflow.
pub(super) trait Power: Copy + PartialEq {
    /// The sum.
    fn plus(self, other: Self) -> Option<Self>;
    /// Whether it is 0.
    fn is_zero(self) -> bool;
}

impl Power for u32 {
    fn plus(self, other: Self) -> Option<Self> {
        self.checked_add(other)
    }
    fn is_zero(self) -> bool {
        self == 0
    }
}

impl Power for i32 {
    fn plus(self, other: Self) -> Option<Self> {
        self.checked_add(other)
    }
    fn is_zero(self) -> bool {
        self == 0
    }
}

/// The powers of a product; none on overflow.
pub(super) fn merge<T: Copy + Ord, K: Power>(a: &[(T, K)], b: &[(T, K)]) -> Option<Vec<(T, K)>> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            Ordering::Less => {
                out.push(a[i]);
                i += 1;
            }
            Ordering::Greater => {
                out.push(b[j]);
                j += 1;
            }
            Ordering::Equal => {
                let k = a[i].1.plus(b[j].1)?;
                if !k.is_zero() {
                    out.push((a[i].0, k));
                }
                i += 1;
                j += 1;
            }
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    Some(out)
}

/// The positive rational by which to divide so that the coefficients become integers without a common factor.
pub(super) fn content<'c>(coefficients: impl Iterator<Item = &'c Rational>) -> Rational {
    let (mut top, mut bottom) = (Integer::new(), Integer::from(1));
    for c in coefficients {
        top.gcd_mut(c.numer());
        bottom.lcm_mut(c.denom());
    }
    Rational::from((top, bottom))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_squares_at_its_ends_and_no_exponentials() {
        let root = |coefficients: [i32; 3], exp: FormId| {
            let power = |k: u32| Monomial { exp, atoms: (k > 0).then_some((AtomId(1), k)).into_iter().collect() };
            let terms: Terms = (0..3).map(|k| (power(k), Rational::from(coefficients[k as usize]))).collect();
            Poly(terms.into_iter().collect()).square_root().map(|root| root.len())
        };
        assert_eq!([[1, 2, 1], [9, 12, 4], [1, -2, 1]].map(|c| root(c, FormId::ZERO)), [Some(2); 3]);
        // 3 x^2 + 2 x + 1 is no (x + 1)^2.
        assert_eq!([[1, 2, 3], [2, 2, 1], [1, 2, -1]].map(|c| root(c, FormId::ZERO)), [None; 3]);
        assert_eq!(root([1, 2, 1], FormId::ONE), None);
    }

    #[test]
    fn a_quotient_of_products_has_the_differences_of_their_powers() {
        let product = |powers: &[(u32, u32)]| {
            let atoms = powers.iter().map(|(atom, power)| (AtomId(*atom), *power)).collect();
            Monomial { exp: FormId::ZERO, atoms }
        };
        let all = product(&[(1, 3), (2, 1), (5, 2)]);
        assert_eq!([1, 2, 3, 5].map(|atom| all.power(AtomId(atom))), [3, 1, 0, 2]);
        assert_eq!(all.quotient(&product(&[(1, 1), (5, 2)])), Some(product(&[(1, 2), (2, 1)])));
        assert_eq!(all.quotient(&all), Some(Monomial::one()));
        assert_eq!(all.quotient(&product(&[(5, 3)])), None);
        assert_eq!(all.quotient(&product(&[(3, 1)])), None);
    }
}
