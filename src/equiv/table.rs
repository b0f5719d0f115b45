//! Normal forms, every one once: products of powers of atoms and of polynomials in them.
//!
//! What a form says: *at every point where the expression that it came from has a value, all its atoms have values,
//! no factor with a negative power is 0, and the product is the value.* Every operation here keeps that, because it
//! is an identity of real numbers at such points. Whether there is a value is kept apart, see
//! [`super::definedness`].

use super::ids::CondId;
pub(super) use super::ids::{AtomId, FormId, PolyId};
use super::polynomial::{Monomial, Poly};
use crate::num::float::rational_to_f64;
use crate::num::mpfr::Round;
use crate::num::{Interval, Rational};
use crate::ops::{MAX_ARITY, Op};
use crate::tape::NodeId;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::sync::Arc;

/// What polynomials are made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Atom {
    /// An input.
    Input(u32),
    /// The number pi.
    Pi,
    /// An operator applied to normal forms; operands beyond its arity repeat the first.
    Apply(Op, [FormId; MAX_ARITY]),
    /// The factor that makes a sine of its argument, or 1 less the cosine of its square: see [`super::near_zero`].
    Factor(Op, FormId),
    /// A choice that is not decided on the domain.
    If(CondId, FormId, FormId),
    /// A node of the tape as it stands: too large, or nothing is known of it.
    Node(NodeId),
}

/// `coeff * e^exp * product of atom^k * product of poly^k`; coefficient 0 is [`FormId::ZERO`] only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    /// The rational factor.
    pub(super) coeff: Rational,
    /// The exponent of e.
    pub(super) exp: FormId,
    /// Powers of atoms, in order.
    pub(super) atoms: Vec<(AtomId, i32)>,
    /// Powers of polynomials, in order.
    pub(super) polys: Vec<(PolyId, i32)>,
}

impl Form {
    /// A rational number.
    pub(super) fn constant(coeff: Rational) -> Self {
        Form { coeff, exp: FormId::ZERO, atoms: Vec::new(), polys: Vec::new() }
    }

    /// Whether it is a rational number.
    pub(super) fn is_constant(&self) -> bool {
        self.exp == FormId::ZERO && self.atoms.is_empty() && self.polys.is_empty()
    }

    /// Whether no power is negative.
    pub(super) fn is_polynomial(&self) -> bool {
        self.atoms.iter().all(|a| a.1 > 0) && self.polys.iter().all(|p| p.1 > 0)
    }
}

/// Why there is no normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A limit was reached: nothing is known.
    Limit,
    /// There is a value nowhere.
    Nowhere,
}

/// A result, or "don't know".
pub(super) type Try<T> = Result<T, Stop>;

/// Forms are not nested deeper than this.
const MAX_DEPTH: u32 = 48;

/// All forms, atoms and polynomials made so far.
pub(super) struct Table {
    atoms: Vec<(Atom, u32)>,
    atom_ids: FxHashMap<Atom, AtomId>,
    polys: Vec<(Arc<Poly>, u32)>,
    /// How many terms they have together.
    pub(super) terms: usize,
    /// Enclosures of the coefficients of polynomials and of the factors of forms: asked for on every box.
    of_polys: Vec<OnceCell<Vec<Interval>>>,
    of_forms: Vec<OnceCell<Interval>>,
    poly_ids: FxHashMap<Arc<Poly>, PolyId>,
    forms: Vec<(Arc<Form>, u32)>,
    form_ids: FxHashMap<Arc<Form>, FormId>,
    pub(super) sums: FxHashMap<(FormId, FormId), Try<FormId>>,
    pub(super) products: FxHashMap<(FormId, FormId), Try<FormId>>,
    pub(super) quotients: FxHashMap<(PolyId, PolyId), Option<FormId>>,
    pub(super) relations: FxHashMap<AtomId, Option<(u32, Arc<Poly>)>>,
    /// Term operations left for the node at hand.
    pub(super) fuel: u32,
}

impl Table {
    /// The table with 0 and 1.
    pub(super) fn new() -> Self {
        let mut t = Table {
            atoms: Vec::new(),
            atom_ids: FxHashMap::default(),
            polys: Vec::new(),
            terms: 0,
            of_polys: Vec::new(),
            of_forms: Vec::new(),
            poly_ids: FxHashMap::default(),
            forms: Vec::new(),
            form_ids: FxHashMap::default(),
            sums: FxHashMap::default(),
            products: FxHashMap::default(),
            quotients: FxHashMap::default(),
            relations: FxHashMap::default(),
            fuel: 0,
        };
        t.intern(Form::constant(Rational::new()));
        t.intern(Form::constant(Rational::from(1)));
        t
    }

    /// A form.
    pub(super) fn form(&self, id: FormId) -> Arc<Form> {
        self.forms[id.0 as usize].0.clone()
    }

    /// An atom.
    pub(super) fn atom(&self, id: AtomId) -> &Atom {
        &self.atoms[id.0 as usize].0
    }

    /// A polynomial.
    pub(super) fn poly(&self, id: PolyId) -> &Arc<Poly> {
        &self.polys[id.0 as usize].0
    }

    /// The terms of a polynomial with enclosures of their coefficients.
    pub(super) fn terms(&self, id: PolyId) -> impl Iterator<Item = (&Monomial, Interval)> {
        let poly = self.poly(id);
        let of = self.of_polys[id.0 as usize].get_or_init(|| poly.0.iter().map(|(_, c)| enclose(c)).collect());
        poly.0.iter().zip(of).map(|((m, _), c)| (m, *c))
    }

    /// An enclosure of the rational factor of a form.
    pub(super) fn factor(&self, id: FormId) -> Interval {
        *self.of_forms[id.0 as usize].get_or_init(|| enclose(&self.forms[id.0 as usize].0.coeff))
    }

    /// The value of a form that is a rational number.
    pub(super) fn rational(&self, id: FormId) -> Option<Rational> {
        let f = &self.forms[id.0 as usize].0;
        f.is_constant().then(|| f.coeff.clone())
    }

    /// The form, new or known.
    pub(super) fn intern(&mut self, form: Form) -> FormId {
        let form = if form.coeff == 0 { Form::constant(Rational::new()) } else { form };
        if let Some(&id) = self.form_ids.get(&form) {
            return id;
        }
        let of_atoms = form.atoms.iter().map(|a| self.atoms[a.0.0 as usize].1);
        let of_polys = form.polys.iter().map(|p| self.polys[p.0.0 as usize].1);
        let depth = of_atoms.chain(of_polys).max().unwrap_or(0);
        let depth = if form.exp == FormId::ZERO { depth } else { depth.max(self.depth(form.exp) + 1) };
        let id = FormId(self.forms.len() as u32);
        let form = Arc::new(form);
        self.forms.push((form.clone(), depth));
        self.of_forms.push(OnceCell::new());
        self.form_ids.insert(form, id);
        id
    }

    fn depth(&self, id: FormId) -> u32 {
        self.forms.get(id.0 as usize).map_or(0, |f| f.1)
    }

    /// Whether nothing should be built on the form.
    pub(super) fn is_deep(&self, id: FormId) -> bool {
        self.depth(id) >= MAX_DEPTH
    }

    /// A rational number.
    pub(super) fn constant(&mut self, value: Rational) -> FormId {
        self.intern(Form::constant(value))
    }

    /// The atom, new or known, as a form.
    pub(super) fn atomic(&mut self, atom: Atom) -> Try<FormId> {
        let id = self.atom_id(atom)?;
        Ok(self.intern(Form { atoms: vec![(id, 1)], ..Form::constant(Rational::from(1)) }))
    }

    /// The atom, new or known.
    pub(super) fn atom_id(&mut self, atom: Atom) -> Try<AtomId> {
        if let Some(&id) = self.atom_ids.get(&atom) {
            return Ok(id);
        }
        let depth = match &atom {
            Atom::Input(_) | Atom::Pi | Atom::Node(_) => 0,
            Atom::Apply(_, args) => args.iter().map(|a| self.depth(*a) + 1).max().unwrap_or(0),
            Atom::Factor(_, u) => self.depth(*u) + 1,
            Atom::If(_, t, e) => self.depth(*t).max(self.depth(*e)) + 1,
        };
        if depth > MAX_DEPTH {
            return Err(Stop::Limit);
        }
        Ok(self.new_atom(atom, depth))
    }

    fn new_atom(&mut self, atom: Atom, depth: u32) -> AtomId {
        let id = AtomId(self.atoms.len() as u32);
        self.atoms.push((atom.clone(), depth));
        self.atom_ids.insert(atom, id);
        id
    }

    /// A node of the tape as it stands.
    pub(super) fn opaque(&mut self, node: NodeId) -> FormId {
        let atom = Atom::Node(node);
        let id = match self.atom_ids.get(&atom) {
            Some(&id) => id,
            None => self.new_atom(atom, 0),
        };
        self.intern(Form { atoms: vec![(id, 1)], ..Form::constant(Rational::from(1)) })
    }

    /// An operator of one operand as an atom.
    pub(super) fn apply1(&mut self, op: Op, x: FormId) -> Try<FormId> {
        self.atomic(Atom::Apply(op, [x; MAX_ARITY]))
    }

    /// The polynomial, new or known: of at least two terms, its coefficients integers without a common factor.
    pub(super) fn poly_id(&mut self, poly: Poly) -> PolyId {
        if let Some(&id) = self.poly_ids.get(&poly) {
            return id;
        }
        let of_term = |m: &Monomial| {
            let deepest = m.atoms.iter().map(|a| self.atoms[a.0.0 as usize].1).max().unwrap_or(0);
            if m.exp == FormId::ZERO { deepest } else { deepest.max(self.depth(m.exp) + 1) }
        };
        let depth = poly.0.iter().map(|(m, _)| of_term(m)).max().unwrap_or(0);
        let id = PolyId(self.polys.len() as u32);
        self.terms += poly.0.len();
        let poly = Arc::new(poly);
        self.polys.push((poly.clone(), depth));
        self.of_polys.push(OnceCell::new());
        self.poly_ids.insert(poly, id);
        id
    }

    /// A form that is one atom: that atom.
    pub(super) fn single_atom(&self, id: FormId) -> Option<AtomId> {
        let f = &self.forms[id.0 as usize].0;
        match f.atoms.as_slice() {
            [(a, 1)] if f.coeff == 1 && f.exp == FormId::ZERO && f.polys.is_empty() => Some(*a),
            _ => None,
        }
    }
}

/// The narrowest interval that holds a rational number.
pub(super) fn enclose(x: &Rational) -> Interval {
    Interval::new(rational_to_f64(x, Round::Down), rational_to_f64(x, Round::Up))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absolute_value_over_its_number_is_the_sign_and_over_another_one_is_not() {
        let mut t = Table::new();
        let x = t.atomic(Atom::Input(0)).expect("a form");
        let (twice, below) = (t.scale(x, &Rational::from(2)).expect("a form"), t.power(x, -1).expect("a form"));
        let mut over_x = |of: FormId| {
            let size = t.apply1(Op::Fabs, of).expect("a form");
            t.mul(size, below).expect("a product")
        };
        let (one, two) = (over_x(x), over_x(twice));
        let sign = |t: &Table, form: FormId| match t.single_atom(form).map(|a| t.atom(a)) {
            Some(Atom::Apply(Op::Copysign, [_, of, _])) => Some(*of),
            _ => None,
        };
        assert_eq!((sign(&t, one), sign(&t, two)), (Some(x), None));
    }

    #[test]
    fn nothing_is_built_on_forms_that_are_deep() {
        let mut t = Table::new();
        let mut x = t.atomic(Atom::Input(0)).expect("a form");
        for depth in 0..MAX_DEPTH {
            assert!(!t.is_deep(x), "{depth}");
            x = t.apply1(Op::Sin, x).expect("a form");
        }
        assert!(t.is_deep(x) && t.apply1(Op::Sin, x).is_err());
        // The depth of a product is that of its deepest factor.
        let y = t.atomic(Atom::Input(1)).expect("a form");
        let product = t.mul(x, y).expect("a product");
        assert!(t.is_deep(product) && t.apply1(Op::Cos, product).is_err());
    }
}
