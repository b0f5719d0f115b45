//! What forms are made of.

use super::definedness::{Cond, CondId, Logic};
use super::table::{Atom, AtomId, FormId, Table};
use crate::tape::NodeId;
use std::collections::{BTreeSet, HashSet};

/// All that a form is computed from.
#[derive(Debug, Default)]
pub(super) struct Cone {
    /// Indices of the inputs on which it depends.
    pub(super) inputs: BTreeSet<u32>,
    /// How many terms are computed for its value at one point.
    pub(super) terms: u64,
    atoms: HashSet<AtomId>,
    forms: HashSet<FormId>,
    /// Forms that are still to be looked at.
    open: Vec<FormId>,
}

impl Cone {
    /// The cone of some forms together.
    pub(super) fn new(t: &Table, l: &Logic, forms: &[FormId]) -> Self {
        let mut cone = Cone::default();
        forms.iter().for_each(|f| cone.add(*f));
        while let Some(form) = cone.open.pop() {
            let f = t.form(form);
            cone.terms += 1;
            cone.add(f.exp);
            f.atoms.iter().for_each(|(a, _)| cone.add_atom(t, l, *a));
            for (p, _) in &f.polys {
                for (m, _) in &t.poly(*p).0 {
                    cone.terms += 1;
                    cone.add(m.exp);
                    m.atoms.iter().for_each(|(a, _)| cone.add_atom(t, l, *a));
                }
            }
        }
        cone
    }

    /// The nodes of the tape in it that stand as they are.
    pub(super) fn nodes(&self, t: &Table) -> Vec<NodeId> {
        let node = |a: &AtomId| if let Atom::Node(n) = t.atom(*a) { Some(*n) } else { None };
        self.atoms.iter().filter_map(node).collect()
    }

    fn add(&mut self, form: FormId) {
        if self.forms.insert(form) {
            self.open.push(form);
        }
    }

    fn add_atom(&mut self, t: &Table, l: &Logic, atom: AtomId) {
        if !self.atoms.insert(atom) {
            return;
        }
        match t.atom(atom) {
            Atom::Input(i) => {
                self.inputs.insert(*i);
            }
            Atom::Apply(op, args) => args[..op.arity()].iter().for_each(|a| self.add(*a)),
            Atom::Factor(_, u) => self.add(*u),
            Atom::If(c, a, b) => {
                self.add_condition(l, *c);
                self.add(*a);
                self.add(*b);
            }
            Atom::Pi | Atom::Node(_) => {}
        }
    }

    fn add_condition(&mut self, l: &Logic, c: CondId) {
        match l.cond(c) {
            Cond::Sign(f, _) => self.add(*f),
            Cond::All(parts) | Cond::Any(parts) => parts.iter().for_each(|p| self.add_condition(l, *p)),
            Cond::Bool(_) | Cond::Node(..) => {}
        }
    }
}
