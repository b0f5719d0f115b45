//! Signs that follow from other signs: of what a condition of the domain states, of the order of arguments, of squares,
//! and of sums by parts of them.

use super::definedness::{Logic, Signs};
use super::facts::Facts;
use super::polynomial::{Monomial, Terms, add_term};
use super::table::{Atom, FormId, Table};
use crate::num::Rational;
use crate::ops::Op;

/// Term operations to take a stated form out of another.
const REST_FUEL: u32 = 10_000;

impl Facts {
    /// The form as a multiple of what a condition of the domain speaks of, and a rest of which the sign is known:
    /// (b + c - a) / 2 > 0 follows from b + c > a + 1e-6. The number of boxes for the rest.
    pub(super) fn by_stated(
        &mut self,
        t: &mut Table,
        l: &Logic,
        form: FormId,
        signs: Signs,
        value: bool,
    ) -> Option<u32> {
        if self.within_rest || self.stated.is_empty() {
            return None;
        }
        // Few, and in a fixed order.
        let mut stated: Vec<(FormId, Signs)> = self.stated.iter().map(|(f, s)| (*f, *s)).collect();
        stated.sort_unstable_by_key(|s| s.0);
        for (key, of_key) in stated {
            let fuel = std::mem::replace(&mut t.fuel, REST_FUEL);
            let parts = multiple_and_rest(t, form, key);
            t.fuel = fuel;
            let Some((factor, rest)) = parts else { continue };
            let of_multiple = of_key.flipped_if(factor < 0);
            let side = [Signs::NOT_NEGATIVE, Signs::NOT_POSITIVE].into_iter().find(|s| of_multiple.within(*s));
            let Some(side) = side else { continue };
            if let Some(r) = t.rational(rest) {
                if of_multiple.plus(Signs::of(&r)).within(signs) {
                    return Some(0);
                }
                continue;
            }
            if !of_multiple.plus(side).within(signs) {
                continue;
            }
            self.within_rest = true;
            let boxes = self.find_sign(t, l, rest, side, value);
            self.within_rest = false;
            if boxes.is_some() {
                return boxes;
            }
        }
        None
    }

    /// The sign of k (A(u) - A(v)) + rest, of an increasing function, from those of k, u - v and the rest:
    /// log(x + 1) > log(x). The number of boxes for all three.
    pub(super) fn by_order(&mut self, t: &mut Table, l: &Logic, form: FormId, signs: Signs) -> Option<u32> {
        let fuel = std::mem::replace(&mut t.fuel, REST_FUEL);
        let parts = difference_and_rest(t, form);
        t.fuel = fuel;
        let Ordered { factor, difference, rest } = parts?;
        for (side, strict) in [(Signs::NOT_NEGATIVE, Signs::POSITIVE), (Signs::NOT_POSITIVE, Signs::NEGATIVE)] {
            let wanted = [side, strict].into_iter().find(|s| s.within(signs));
            let Some(wanted) = wanted else { continue };
            // One strict part makes the sum strict.
            let of_pair = if rest == FormId::ZERO { wanted } else { side };
            let positive = if of_pair == side { Signs::NOT_NEGATIVE } else { Signs::POSITIVE };
            let mut of_factor = None;
            for flip in [false, true] {
                of_factor = of_factor.or_else(|| {
                    let boxes = self.find_sign(t, l, factor, positive.flipped_if(flip), false)?;
                    Some((boxes, flip))
                });
            }
            let Some((boxes, flip)) = of_factor else { continue };
            let Some(more) = self.find_sign(t, l, difference, of_pair.flipped_if(flip), false) else { continue };
            if rest == FormId::ZERO {
                return Some(boxes + more);
            }
            if let Some(rest) = self.find_sign(t, l, rest, wanted, false) {
                return Some(boxes + more + rest);
            }
        }
        None
    }

    /// The sign of P + Q sqrt(u): that of the part with the larger square. The number of boxes for the sign of the part
    /// and for that of the difference of the squares. Only for a sum of at most so many terms.
    pub(super) fn by_square(
        &mut self,
        t: &mut Table,
        l: &Logic,
        form: FormId,
        signs: Signs,
        most: usize,
    ) -> Option<u32> {
        if self.within_squares {
            return None;
        }
        let fuel = std::mem::replace(&mut t.fuel, REST_FUEL);
        let parts = beside_a_root(t, form, most);
        t.fuel = fuel;
        let [p, q, difference] = parts?;
        self.within_squares = true;
        let found = [(p, Signs::POSITIVE), (q, Signs::NEGATIVE)].into_iter().find_map(|(part, larger)| {
            [Signs::POSITIVE, Signs::NEGATIVE].into_iter().find_map(|side| {
                let weak = Signs::ZERO.within(signs) && side.within(signs);
                if !side.within(signs) {
                    return None;
                }
                let zero = |s: Signs| if weak { s.or_zero() } else { s };
                let of_part = self.find_sign(t, l, part, zero(side), false)?;
                Some(of_part + self.find_sign(t, l, difference, zero(larger), false)?)
            })
        });
        self.within_squares = false;
        found
    }

    /// That a sum with products of sines and cosines has no negative value, or no positive one, from a term of that sign
    /// and the rest. The number of boxes for both.
    pub(super) fn by_rest(&mut self, t: &mut Table, l: &Logic, form: FormId, signs: Signs) -> Option<u32> {
        let side = [Signs::NOT_NEGATIVE, Signs::NOT_POSITIVE].into_iter().find(|s| s.within(signs))?;
        if self.within_rest {
            return None;
        }
        let fuel = std::mem::replace(&mut t.fuel, REST_FUEL);
        let splits = terms_and_rests(t, form);
        t.fuel = fuel;
        for (term, rest) in splits {
            let of_term = Signs::of_interval(self.over_box(t, l, term));
            if !of_term.within(side) {
                continue;
            }
            self.within_rest = true;
            let boxes = self.find_sign(t, l, rest, side, false);
            self.within_rest = false;
            if let Some(boxes) = boxes {
                return Some(1 + boxes);
            }
        }
        None
    }

    /// That a sum with exponentials has no negative value, or no positive one, from pairs of terms and the rest:
    /// 2 e^u - e^(u + v) is not negative where v is small, whatever u is, and several such pairs need several u. The
    /// number of boxes for all of them.
    pub(super) fn by_pairs(&mut self, t: &mut Table, l: &Logic, form: FormId, signs: Signs) -> Option<u32> {
        let side = [Signs::NOT_NEGATIVE, Signs::NOT_POSITIVE].into_iter().find(|s| s.within(signs))?;
        let (key, flip) = t.sign_key(form);
        let negative = flip != (side == Signs::NOT_POSITIVE);
        let fuel = std::mem::replace(&mut t.fuel, REST_FUEL);
        let parts = self.pairs_and_rest(t, l, key, negative);
        t.fuel = fuel;
        let mut boxes = 0;
        for part in parts? {
            boxes += self.find_sign(t, l, part, Signs::NOT_NEGATIVE.flipped_if(negative), false)?;
        }
        Some(boxes)
    }

    /// The terms of a sum in pairs, each negative one with the positive one from which its exponent differs least; the
    /// positive ones that are left one by one. For the negative sum the other way round. None if there are not enough.
    fn pairs_and_rest(&mut self, t: &mut Table, l: &Logic, key: FormId, negative: bool) -> Option<Vec<FormId>> {
        let f = t.form(key);
        let [(p, 1)] = f.polys.as_slice() else { return None };
        let terms = t.poly(*p).0.clone();
        if !f.atoms.is_empty() || terms.len() < 3 || terms.len() > MAX_PAIRED {
            return None;
        }
        let (mut plus, minus): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(_, c)| (*c > 0) != negative);
        if minus.len() < 2 || plus.len() < minus.len() {
            return None;
        }
        let mut parts = Vec::new();
        for (m, c) in minus {
            let mut nearest: Option<(usize, f64)> = None;
            for (k, (n, _)) in plus.iter().enumerate().filter(|(_, (n, _))| n.atoms == m.atoms && n.exp != m.exp) {
                let difference = t.sub(m.exp, n.exp).ok()?;
                let size = self.over_box(t, l, difference).mag();
                if nearest.is_none_or(|(_, least)| size < least) {
                    nearest = Some((k, size));
                }
            }
            let (n, d) = plus.remove(nearest?.0);
            parts.push(t.collect([(m, c), (n, d)].into_iter().collect()).ok()?);
        }
        for (n, d) in plus {
            parts.push(t.collect([(n, d)].into_iter().collect()).ok()?);
        }
        Some(parts)
    }
}

/// `form` = factor * `key` + rest, such that the first term that the two share is gone from the rest. `None` where they
/// share none or are no polynomials.
fn multiple_and_rest(t: &mut Table, form: FormId, key: FormId) -> Option<(Rational, FormId)> {
    let (f, k) = (t.form(form), t.form(key));
    let (f, k) = (t.expand(&f).ok()?, t.expand(&k).ok()?);
    let (of_f, of_k) = k.iter().find_map(|(m, c)| {
        let constant = m.exp == FormId::ZERO && m.atoms.is_empty();
        f.get(m).filter(|_| !constant).map(|d| (d.clone(), c.clone()))
    })?;
    let factor = of_f / of_k;
    let multiple = t.scale(key, &factor).ok()?;
    let rest = t.sub(form, multiple).ok()?;
    Some((factor, rest))
}

/// `factor` (A(u) - A(v)) + `rest` with `difference` = u - v, where A increases wherever it has a value.
struct Ordered {
    factor: FormId,
    difference: FormId,
    rest: FormId,
}

/// P, Q and P^2 - Q^2 u of a form P + Q sqrt(u), which has neither other roots nor exponentials.
fn beside_a_root(t: &mut Table, form: FormId, most: usize) -> Option<[FormId; 3]> {
    let f = t.form(form);
    let terms = t.expand(&f).ok()?;
    let root = |t: &Table, a: super::table::AtomId| match *t.atom(a) {
        Atom::Apply(Op::Sqrt, [u, ..]) => Some(u),
        _ => None,
    };
    let mut roots = terms.keys().flat_map(|m| m.atoms.iter()).filter(|(a, _)| root(t, *a).is_some());
    let &(atom, _) = roots.next()?;
    if terms.len() > most || roots.any(|r| *r != (atom, 1)) {
        return None;
    }
    let u = root(t, atom)?;
    let (mut p, mut q) = (Terms::new(), Terms::new());
    for (mut m, c) in terms {
        let before = m.atoms.len();
        m.atoms.retain(|a| a.0 != atom);
        let part = if m.atoms.len() == before { &mut p } else { &mut q };
        add_term(part, m, c);
    }
    let (p, q) = (t.collect(p).ok()?, t.collect(q).ok()?);
    if p == FormId::ZERO {
        return None;
    }
    let (square, other) = (t.power(p, 2).ok()?, t.power(q, 2).ok()?);
    let other = t.mul(other, u).ok()?;
    let difference = t.sub(square, other).ok()?;
    Some([p, q, difference])
}

/// The most terms of a sum of which one is taken out.
const MAX_TAKEN_APART: usize = 6;

/// Each term of a sum in which sines and cosines are multiplied, with the rest of the sum.
fn terms_and_rests(t: &mut Table, form: FormId) -> Vec<(FormId, FormId)> {
    let f = t.form(form);
    let Ok(terms) = t.expand(&f) else { return Vec::new() };
    let waves = |m: &Monomial| {
        let of_wave = |a: &&(super::table::AtomId, u32)| matches!(t.atom(a.0), Atom::Apply(Op::Sin | Op::Cos, _));
        m.atoms.iter().filter(of_wave).map(|a| a.1).sum::<u32>()
    };
    if terms.len() < 3 || terms.len() > MAX_TAKEN_APART || !terms.keys().any(|m| waves(m) >= 2) {
        return Vec::new();
    }
    let mut splits = Vec::new();
    for (m, c) in &terms {
        let mut rest = terms.clone();
        rest.remove(m);
        let term = t.collect([(m.clone(), c.clone())].into_iter().collect());
        if let (Ok(term), Ok(rest)) = (term, t.collect(rest)) {
            splits.push((term, rest));
        }
    }
    splits
}

/// The most terms of a sum that are put in pairs.
const MAX_PAIRED: usize = 40;
/// The most terms among which two are looked for that are ordered.
const MAX_ORDERED: usize = 12;

/// The first such shape of a form that is a polynomial; none if there is none.
fn difference_and_rest(t: &mut Table, form: FormId) -> Option<Ordered> {
    let f = t.form(form);
    let terms: Vec<(Monomial, Rational)> = t.expand(&f).ok()?.into_iter().collect();
    if terms.len() > MAX_ORDERED {
        return None;
    }
    // A term as k A(u).
    let taken_apart = |m: &Monomial| {
        let parts = m.atoms.iter().enumerate().filter_map(|(i, (a, power))| match t.atom(*a) {
            Atom::Apply(op, args) if *power == 1 && op.shape().increasing => {
                let mut factor = m.clone();
                factor.atoms.remove(i);
                Some((factor, *op, args[0]))
            }
            _ => None,
        });
        parts.collect::<Vec<_>>()
    };
    let parts: Vec<_> = terms.iter().map(|(m, _)| taken_apart(m)).collect();
    let pairs = (0..terms.len()).flat_map(|i| (i + 1..terms.len()).map(move |j| (i, j)));
    let (i, j, factor, u, v) =
        pairs.filter(|(i, j)| terms[*i].1 == Rational::from(-&terms[*j].1)).find_map(|(i, j)| {
            let both = parts[i].iter().flat_map(|p| parts[j].iter().map(move |q| (p, q)));
            let (p, q) = both.into_iter().find(|(p, q)| p.0 == q.0 && p.1 == q.1)?;
            Some((i, j, p.0.clone(), p.2, q.2))
        })?;
    let coefficient = terms[i].1.clone();
    let rest = terms.into_iter().enumerate().filter(|(k, _)| *k != i && *k != j).map(|(_, term)| term).collect();
    Some(Ordered {
        factor: t.collect([(factor, coefficient)].into_iter().collect()).ok()?,
        difference: t.sub(u, v).ok()?,
        rest: t.collect(rest).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Format;
    use crate::num::Interval;
    use crate::spec::InputBox;
    use crate::tape::Builder;

    /// Of atan(x + d) - atan(x) + r, where d and r are squares or 1 more: what is above 0 has to be the rest, or d where there
    /// is none. No point that refutes a sign at once has an input that is 0.
    #[test]
    fn an_order_that_is_not_strict_gives_no_strict_sign() {
        let domain = InputBox { ranges: vec![Interval::new(-1.0, 2.0); 3], formats: vec![Format::BINARY64; 3] };
        let (mut t, logic) = (Table::new(), Logic::default());
        t.fuel = 1_000_000;
        let [x, y, z] = [0, 1, 2].map(|i| t.atomic(Atom::Input(i)).expect("a form"));
        let mut above = |i: FormId| {
            let square = t.power(i, 2).expect("a form");
            [square, t.add(square, FormId::ONE).expect("a form")]
        };
        let (differences, rests) = (above(y), above(z));
        for (d, r) in [0, 1].into_iter().flat_map(|d| [None, Some(0), Some(1)].map(|r| (d, r))) {
            let shifted = t.add(x, differences[d]).expect("a form");
            let [more, less] = [shifted, x].map(|of| t.apply1(Op::Atan, of).expect("a form"));
            let difference = t.sub(more, less).expect("a form");
            let sum = r.map_or(difference, |r| t.add(difference, rests[r]).expect("a form"));
            let negative = t.neg(sum);
            let is_strict = r.map_or(d == 1, |r| r == 1);
            for (form, [side, strict]) in
                [(sum, [Signs::NOT_NEGATIVE, Signs::POSITIVE]), (negative, [Signs::NOT_POSITIVE, Signs::NEGATIVE])]
            {
                let facts = || Facts::new(&domain, Builder::new(3).tape(), &[]);
                let mut has = |signs: Signs| facts().by_order(&mut t, &logic, form, signs).is_some();
                assert_eq!([side, strict, side.flipped()].map(&mut has), [true, is_strict, false], "{d} {r:?}");
            }
        }
    }

    #[test]
    fn terms_are_ordered_that_have_one_factor_and_one_increasing_function() {
        let mut t = Table::new();
        t.fuel = 1_000_000;
        let [x, y, z] = [0, 1, 2].map(|i| t.atomic(Atom::Input(i)).expect("a form"));
        let more = t.add(y, FormId::ONE).expect("a form");
        // Of two terms, each a factor, an operator and its argument, the first less the second.
        let mut less = |[k, l]: [FormId; 2], [p, q]: [Op; 2], [u, v]: [FormId; 2]| {
            let [first, second] = [(k, p, u), (l, q, v)].map(|(factor, op, of)| {
                let value = t.apply1(op, of).expect("a form");
                t.mul(factor, value).expect("a form")
            });
            let difference = t.sub(first, second).expect("a form");
            let parts = difference_and_rest(&mut t, difference)?;
            let apart = t.sub(u, v).expect("a form");
            // Either way round.
            let is_first = parts.difference == apart;
            let factor = if is_first { k } else { t.neg(k) };
            assert!(is_first || parts.difference == t.neg(apart));
            assert_eq!((parts.factor, parts.rest), (factor, FormId::ZERO));
            Some(())
        };
        let arguments = [more, y];
        for op in [Op::Atan, Op::Asinh, Op::Cbrt] {
            assert!(less([x, x], [op, op], arguments).is_some() && less([z, z], [op, op], arguments).is_some());
            assert!(less([x, z], [op, op], arguments).is_none(), "{op:?}");
        }
        assert!(less([x, x], [Op::Atan, Op::Asinh], arguments).is_none());
        assert!(less([x, x], [Op::Sin, Op::Sin], arguments).is_none());
    }
}
