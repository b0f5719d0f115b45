//! Where an expression has a value: the conditions for it, in normal form.
//!
//! A node has a value at a point if and only if all its needs hold there. A need about a form holds at a point if the
//! form has a value there that satisfies it; the needs of the operands stand in the same set and see to the former.

pub(super) use super::ids::CondId;
use super::polynomial::{Monomial, Poly};
use super::table::{Atom, Form, FormId, Stop, Table, Try};
use crate::num::float::{floor_log2, power_of_two};
use crate::num::{Interval, Rational};
use crate::ops::{MAX_ARITY, Op};
use crate::tape::NodeId;
use std::collections::{BTreeSet, HashMap};

/// A set of signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Signs(u8);

impl Signs {
    /// `< 0`
    pub(super) const NEGATIVE: Signs = Signs(1);
    /// `= 0`
    pub(super) const ZERO: Signs = Signs(2);
    /// `> 0`
    pub(super) const POSITIVE: Signs = Signs(4);
    /// `<= 0`
    pub(super) const NOT_POSITIVE: Signs = Signs(3);
    /// `>= 0`
    pub(super) const NOT_NEGATIVE: Signs = Signs(6);
    /// `!= 0`
    pub(super) const NOT_ZERO: Signs = Signs(5);
    /// Any.
    pub(super) const ALL: Signs = Signs(7);

    /// The sign of a number.
    pub(super) fn of(x: &Rational) -> Self {
        match x.cmp0() {
            std::cmp::Ordering::Less => Self::NEGATIVE,
            std::cmp::Ordering::Equal => Self::ZERO,
            std::cmp::Ordering::Greater => Self::POSITIVE,
        }
    }

    /// The signs in an interval.
    pub(super) fn of_interval(x: Interval) -> Self {
        let bit = |b: bool, s: Signs| if b { s.0 } else { 0 };
        Signs(
            bit(x.inf() < 0.0, Self::NEGATIVE) | bit(x.contains(0.0), Self::ZERO) | bit(x.sup() > 0.0, Self::POSITIVE),
        )
    }

    /// The signs of the numbers with the opposite sign.
    pub(super) fn flipped(self) -> Self {
        Signs(self.0 & 2 | self.0 << 2 & 4 | self.0 >> 2 & 1)
    }

    /// These or 0.
    pub(super) fn or_zero(self) -> Self {
        Signs(self.0 | Self::ZERO.0)
    }

    /// Flipped if so asked.
    pub(super) fn flipped_if(self, flip: bool) -> Self {
        if flip { self.flipped() } else { self }
    }

    /// The others.
    pub(super) fn complement(self) -> Self {
        Signs(!self.0 & 7)
    }

    /// In both.
    pub(super) fn and(self, other: Self) -> Self {
        Signs(self.0 & other.0)
    }

    /// In both or in neither.
    pub(super) fn agreement(self, other: Self) -> Self {
        Signs(!(self.0 ^ other.0) & 7)
    }

    /// Whether every sign of `self` is in `other`.
    pub(super) fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The signs of a sum of two numbers with these signs.
    pub(super) fn plus(self, other: Self) -> Self {
        for (side, strict) in [(Self::NOT_NEGATIVE, Self::POSITIVE), (Self::NOT_POSITIVE, Self::NEGATIVE)] {
            if self.within(side) && other.within(side) {
                return if self.within(strict) || other.within(strict) { strict } else { side };
            }
        }
        Self::ALL
    }

    /// As a relation to zero.
    pub(super) fn text(self) -> &'static str {
        ["is impossible", "< 0", "= 0", "<= 0", "> 0", "!= 0", ">= 0", "is a number"][usize::from(self.0 & 7)]
    }
}

/// A condition, given that all it is made of has a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cond {
    /// A truth value.
    Bool(bool),
    /// The sign of the form is one of these. The form is a sign key, see [`Table::sign_key`].
    Sign(FormId, Signs),
    /// All of them; sorted, at least two.
    All(Vec<CondId>),
    /// At least one of them; sorted, at least two.
    Any(Vec<CondId>),
    /// A node of the tape as it stands, or its contrary.
    Node(NodeId, bool),
}

/// A need by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NeedId(pub(super) u32);

/// Needs, in order.
pub(super) type NeedSet = Vec<NeedId>;

/// One condition for a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Need {
    /// The sign of the form, a sign key, is one of these.
    Sign(FormId, Signs),
    /// The arguments are in the operator's domain.
    Own(Op, [FormId; MAX_ARITY]),
    /// The node of the tape has a value.
    Node(NodeId),
    /// Holds nowhere.
    Never,
    /// Where the condition holds the needs of one branch, elsewhere those of the other.
    Branch(CondId, NeedSet, NeedSet),
}

/// All conditions and needs made so far.
#[derive(Default)]
pub(super) struct Logic {
    conds: Vec<(Cond, u32)>,
    cond_ids: HashMap<Cond, CondId>,
    needs: Vec<(Need, u32)>,
    need_ids: HashMap<Need, NeedId>,
}

impl Logic {
    /// A condition.
    pub(super) fn cond(&self, id: CondId) -> &Cond {
        &self.conds[id.0 as usize].0
    }

    /// The condition, new or known.
    pub(super) fn cond_id(&mut self, cond: Cond) -> CondId {
        if let Some(&id) = self.cond_ids.get(&cond) {
            return id;
        }
        let id = CondId(self.conds.len() as u32);
        let depth = match &cond {
            Cond::All(parts) | Cond::Any(parts) => parts.iter().map(|p| self.cond_depth(*p) + 1).max().unwrap_or(0),
            Cond::Bool(_) | Cond::Sign(..) | Cond::Node(..) => 0,
        };
        self.conds.push((cond.clone(), depth));
        self.cond_ids.insert(cond, id);
        id
    }

    /// A need.
    pub(super) fn need(&self, id: NeedId) -> &Need {
        &self.needs[id.0 as usize].0
    }

    /// The need, new or known.
    pub(super) fn need_id(&mut self, need: Need) -> NeedId {
        if let Some(&id) = self.need_ids.get(&need) {
            return id;
        }
        let id = NeedId(self.needs.len() as u32);
        let depth = match &need {
            Need::Branch(_, t, e) => t.iter().chain(e).map(|n| self.need_depth(*n) + 1).max().unwrap_or(0),
            _ => 0,
        };
        self.needs.push((need.clone(), depth));
        self.need_ids.insert(need, id);
        id
    }

    /// How deeply conditions are nested in it.
    pub(super) fn cond_depth(&self, id: CondId) -> u32 {
        self.conds[id.0 as usize].1
    }

    /// How deeply branches are nested in it.
    pub(super) fn need_depth(&self, id: NeedId) -> u32 {
        self.needs[id.0 as usize].1
    }

    /// The contrary.
    pub(super) fn not(&mut self, id: CondId) -> CondId {
        let contrary = match self.cond(id).clone() {
            Cond::Bool(b) => Cond::Bool(!b),
            Cond::Sign(f, s) => Cond::Sign(f, s.complement()),
            Cond::Node(n, b) => Cond::Node(n, !b),
            Cond::All(parts) => {
                let parts = parts.into_iter().map(|p| self.not(p)).collect();
                return self.any(parts);
            }
            Cond::Any(parts) => {
                let parts = parts.into_iter().map(|p| self.not(p)).collect();
                return self.all(parts);
            }
        };
        self.cond_id(contrary)
    }

    /// All of them.
    pub(super) fn all(&mut self, parts: Vec<CondId>) -> CondId {
        self.join(parts, true)
    }

    /// At least one of them.
    pub(super) fn any(&mut self, parts: Vec<CondId>) -> CondId {
        self.join(parts, false)
    }

    fn join(&mut self, parts: Vec<CondId>, all: bool) -> CondId {
        let mut flat = Vec::new();
        for p in parts {
            match self.cond(p) {
                Cond::Bool(b) if *b == all => {}
                Cond::Bool(_) => return p,
                Cond::All(inner) if all => flat.extend(inner.iter().copied()),
                Cond::Any(inner) if !all => flat.extend(inner.iter().copied()),
                _ => flat.push(p),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        match flat.as_slice() {
            [] => self.cond_id(Cond::Bool(all)),
            [one] => *one,
            _ => self.cond_id(if all { Cond::All(flat) } else { Cond::Any(flat) }),
        }
    }
}

/// The union of two sets.
pub(super) fn union(a: &[NeedId], b: &[NeedId]) -> NeedSet {
    if b.is_empty() {
        return a.to_vec();
    }
    let mut all: NeedSet = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// By how many exponentials a sum is divided in turn.
const MAX_ALIKE: usize = 8;
/// Term operations for one of them.
const ALIKE_FUEL: u32 = 10_000;

impl Table {
    /// A form without denominators, exponentials or a rational factor that has the sign of `form` wherever that has a
    /// value; the opposite sign if the flag is set.
    pub(super) fn sign_key(&mut self, form: FormId) -> (FormId, bool) {
        let f = self.form(form);
        if f.coeff == 0 {
            return (form, false);
        }
        // Even powers can be 0, but not in a denominator.
        fn powers<T: Copy>(x: &[(T, i32)]) -> Vec<(T, i32)> {
            let key = |k: i32| if k % 2 != 0 { 1 } else { i32::from(k > 0) * 2 };
            x.iter().map(|&(t, k)| (t, key(k))).filter(|x| x.1 != 0).collect()
        }
        let (atoms, polys) = (powers(&f.atoms), powers(&f.polys));
        let key = Form { atoms, polys, ..Form::constant(Rational::from(1)) };
        (self.intern(key), f.coeff < 0)
    }

    /// Forms with the sign of a form's sign key, wherever that has a value (the opposite sign if the flag is set): the key
    /// itself where the form has a denominator, the same with the factors of its sines and cosines, or their products as
    /// sums, and, for a sum of exponentials, the sum divided by one of them, by turns, and by a power of two.
    /// e^(2u) - 3 e^u > 0 is seen from 1 - 3 e^(-u), where e^u is beyond all numbers. They are for evaluation only: as
    /// normal forms their coefficients would be integers.
    pub(super) fn signs_alike(&mut self, form: FormId, key: FormId) -> Vec<(FormId, bool)> {
        let mut alike = Vec::new();
        if !self.form(form).is_polynomial() {
            alike.push((key, false));
        }
        alike.extend(self.with_factors(key));
        alike.extend(self.with_sums(key));
        let f = self.form(key);
        for (i, &(p, _)) in f.polys.iter().enumerate() {
            let poly = self.poly(p).clone();
            let exponents: std::collections::BTreeSet<FormId> = poly.0.iter().map(|(m, _)| m.exp).collect();
            let largest = poly.0.iter().map(|(_, c)| floor_log2(&c.clone().abs())).max().unwrap_or(0);
            let scale = power_of_two(-largest);
            for &shift in exponents.iter().filter(|e| **e != FormId::ZERO).take(MAX_ALIKE) {
                let fuel = std::mem::replace(&mut self.fuel, ALIKE_FUEL);
                let shifted = poly.0.iter().map(|(m, c)| {
                    let exp = self.sub(m.exp, shift)?;
                    Ok((Monomial { exp, atoms: m.atoms.clone() }, Rational::from(c * &scale)))
                });
                let shifted: Try<Vec<_>> = shifted.collect();
                self.fuel = fuel;
                let Ok(mut shifted) = shifted else { continue };
                shifted.sort_unstable();
                let mut form = Form::clone(&f);
                form.polys[i].0 = self.poly_id(Poly(shifted));
                form.polys.sort_unstable();
                alike.push((self.intern(form), false));
            }
        }
        alike
    }

    /// A sign key without the squares of these factors, which are not 0.
    pub(super) fn without_squares(&mut self, key: FormId, not_zero: &BTreeSet<FormId>) -> FormId {
        let mut f = Form::clone(&self.form(key));
        let mut drop = |factor: Form, k: i32| k % 2 == 0 && not_zero.contains(&self.intern(factor));
        let one = || Form::constant(Rational::from(1));
        f.atoms.retain(|&(a, k)| !drop(Form { atoms: vec![(a, 1)], ..one() }, k));
        f.polys.retain(|&(p, k)| !drop(Form { polys: vec![(p, 1)], ..one() }, k));
        self.intern(f)
    }

    /// The factors of a sign key; none where one is there twice.
    pub(super) fn single_factors(&mut self, key: FormId) -> Vec<FormId> {
        let f = self.form(key);
        let one = || Form::constant(Rational::from(1));
        let atoms = f.atoms.iter().map(|&(a, k)| (k, Form { atoms: vec![(a, 1)], ..one() }));
        let polys = f.polys.iter().map(|&(p, k)| (k, Form { polys: vec![(p, 1)], ..one() }));
        let all: Vec<(i32, Form)> = atoms.chain(polys).collect();
        if all.iter().any(|(k, _)| *k != 1) {
            return Vec::new();
        }
        all.into_iter().map(|(_, form)| self.intern(form)).collect()
    }

    /// Factors all of which must be different from 0 for `form` to be so; none if it is 0 everywhere.
    pub(super) fn factors(&mut self, form: FormId) -> Option<Vec<FormId>> {
        let f = self.form(form);
        if f.coeff == 0 {
            return None;
        }
        let mut factors = Vec::new();
        for &(a, _) in f.atoms.iter().filter(|x| x.1 > 0) {
            match *self.atom(a) {
                // A root or an absolute value is 0 where its argument is.
                Atom::Apply(Op::Sqrt | Op::Cbrt | Op::Fabs, [u, ..]) => factors.extend(self.factors(u)?),
                Atom::Pi => {}
                _ => factors.push(self.intern(Form { atoms: vec![(a, 1)], ..Form::constant(Rational::from(1)) })),
            }
        }
        for &(p, _) in f.polys.iter().filter(|x| x.1 > 0) {
            factors.push(self.intern(Form { polys: vec![(p, 1)], ..Form::constant(Rational::from(1)) }));
        }
        Some(factors)
    }

    /// The needs for the sign of `form` to be one of `signs`, given that the form has a value.
    ///
    /// # Errors
    /// It never is.
    pub(super) fn sign_needs(&mut self, form: FormId, signs: Signs) -> Try<Vec<Need>> {
        if let Some(value) = self.rational(form) {
            return if Signs::of(&value).within(signs) { Ok(Vec::new()) } else { Err(Stop::Nowhere) };
        }
        if signs == Signs::NOT_ZERO {
            let factors = self.factors(form).ok_or(Stop::Nowhere)?;
            return Ok(factors.into_iter().map(|f| Need::Sign(f, Signs::NOT_ZERO)).collect());
        }
        let (key, flip) = self.sign_key(form);
        let signs = signs.flipped_if(flip);
        if key == FormId::ONE {
            return if Signs::POSITIVE.within(signs) { Ok(Vec::new()) } else { Err(Stop::Nowhere) };
        }
        // A strict sign: even powers are not 0, and the others have the sign.
        if signs == Signs::POSITIVE || signs == Signs::NEGATIVE {
            let f = self.form(key);
            let mut needs = Vec::new();
            let mut odd = Form::constant(Rational::from(1));
            for &(a, k) in &f.atoms {
                // A root or an absolute value is positive where its argument is not 0.
                if k == 1 && !matches!(self.atom(a), Atom::Pi | Atom::Apply(Op::Sqrt | Op::Fabs, _)) {
                    odd.atoms.push((a, 1));
                } else {
                    let even = self.intern(Form { atoms: vec![(a, 1)], ..Form::constant(Rational::from(1)) });
                    needs.extend(
                        self.factors(even).ok_or(Stop::Nowhere)?.into_iter().map(|f| Need::Sign(f, Signs::NOT_ZERO)),
                    );
                }
            }
            for &(p, k) in &f.polys {
                if k == 1 {
                    odd.polys.push((p, 1));
                } else {
                    let even = self.intern(Form { polys: vec![(p, 1)], ..Form::constant(Rational::from(1)) });
                    needs.push(Need::Sign(even, Signs::NOT_ZERO));
                }
            }
            if odd.is_constant() {
                return if signs == Signs::POSITIVE { Ok(needs) } else { Err(Stop::Nowhere) };
            }
            needs.push(Need::Sign(self.intern(odd), signs));
            return Ok(needs);
        }
        Ok(vec![Need::Sign(key, signs)])
    }
}

#[cfg(test)]
mod tests;
