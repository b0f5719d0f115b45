//! Places in a body: every subexpression, where it is, and what is put there.

use super::Key;
use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::spec::core::{Expr, ExprKind, Number};
use crate::spec::{Spec, is_condition, rational_text};
use crate::text::Span;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Names bound by `let`s, innermost first: what many sites have in common is kept once.
type Scope = Option<Rc<Binding>>;

/// A name bound by a `let`.
struct Binding {
    name: String,
    /// Whether it is a truth value.
    truth: bool,
    /// How many there are with those outside.
    depth: usize,
    outer: Scope,
}

impl Drop for Binding {
    /// Scopes are as long as there are `let`s, and dropping them one inside the other would be as deep.
    fn drop(&mut self) {
        let mut next = self.outer.take();
        while let Some(mut binding) = next.and_then(|b| Rc::try_unwrap(b).ok()) {
            next = binding.outer.take();
        }
    }
}

/// A subexpression with where it is.
pub(super) struct Site<'a> {
    /// Its place in pre-order.
    pub(super) place: usize,
    /// The place of the expression that it is an operand of, and which of its operands.
    pub(super) parent: Option<(usize, usize)>,
    /// How many expressions it is inside of.
    pub(super) level: usize,
    /// The specification's name and which operand to take at every level from the root, for ids.
    pub(super) key: Key,
    /// The subexpression.
    pub(super) expr: &'a Expr,
    /// Names bound by a `let` around it.
    scope: Scope,
    /// Whether the value is a truth value rather than a number.
    pub(super) truth: bool,
}

impl Site<'_> {
    /// The names bound around it, innermost first.
    fn bindings(&self) -> impl Iterator<Item = &Binding> {
        std::iter::successors(self.scope.as_deref(), |b| b.outer.as_deref())
    }

    /// How many names are bound around it.
    pub(super) fn depth(&self) -> usize {
        self.scope.as_ref().map_or(0, |b| b.depth)
    }

    /// Whether a `let` around it hides the input of this name.
    pub(super) fn hides(&self, input: &str) -> bool {
        self.bindings().any(|b| b.name == input)
    }

    /// The variables that may stand here, sorted: of two of one name the inner one, and none of the other type.
    pub(super) fn variables<'s>(&'s self, spec: &'s Spec) -> Vec<&'s str> {
        let inputs = spec.inputs.iter().map(|i| (i.name.as_str(), false));
        let mut visible: BTreeMap<&str, bool> = BTreeMap::new();
        for binding in self.bindings() {
            visible.entry(&binding.name).or_insert(binding.truth);
        }
        for (name, truth) in inputs {
            visible.entry(name).or_insert(truth);
        }
        visible.into_iter().filter(|(_, truth)| *truth == self.truth).map(|(name, _)| name).collect()
    }
}

/// Every subexpression of a specification's body in pre-order, operands from left to right.
pub(super) fn all(spec: &Spec) -> Vec<Site<'_>> {
    let mut sites = Vec::new();
    let walk = Walk { parent: None, level: 0, bound: Vec::new(), scope: None, sites: &mut sites };
    walk.root(&spec.core.body, Key::of(&spec.name));
    sites
}

/// A walk through a body.
struct Walk<'w, 'a> {
    parent: Option<(usize, usize)>,
    level: usize,
    /// Names bound, innermost last, and whether each is a truth value.
    bound: Vec<(String, bool)>,
    /// The same.
    scope: Scope,
    sites: &'w mut Vec<Site<'a>>,
}

impl<'a> Walk<'_, 'a> {
    fn bind(&mut self, (name, truth): (String, bool)) {
        let outer = self.scope.take();
        let depth = outer.as_ref().map_or(1, |b| b.depth + 1);
        self.scope = Some(Rc::new(Binding { name: name.clone(), truth, depth, outer }));
        self.bound.push((name, truth));
    }

    fn root(mut self, body: &'a Expr, key: Key) {
        self.walk(body, key);
    }

    fn walk(&mut self, e: &'a Expr, key: Key) {
        let truth = is_condition(e, &mut self.bound);
        let (place, scope) = (self.sites.len(), self.scope.clone());
        self.sites.push(Site { place, parent: self.parent, level: self.level, key, expr: e, scope, truth });
        let outer = (self.bound.len(), self.scope.clone());
        let mut held = Vec::new();
        for (i, child) in e.children().into_iter().enumerate() {
            let mut entry = None;
            if let ExprKind::Let { bindings, .. } = &e.kind {
                match bindings.get(i) {
                    Some((name, value)) => entry = Some((name.clone(), is_condition(value, &mut self.bound))),
                    None => held.drain(..).for_each(|entry| self.bind(entry)),
                }
            }
            let around = self.parent.replace((place, i));
            self.level += 1;
            self.walk(child, if self.level > 1 { key.and(&format!(".{i}")) } else { key.and(&i.to_string()) });
            self.level -= 1;
            self.parent = around;
            match &e.kind {
                ExprKind::Let { sequential: true, .. } => entry.into_iter().for_each(|entry| self.bind(entry)),
                _ => held.extend(entry),
            }
        }
        self.bound.truncate(outer.0);
        self.scope = outer.1;
    }
}

/// Whether an expression has no operands.
pub(super) fn is_leaf(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Number(_) | ExprKind::Constant(_) | ExprKind::Var(_))
}

/// Whether an expression is an operator all of whose operands are leaves.
pub(super) fn is_leaf_op(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Op(_, args) if args.iter().all(is_leaf))
}

/// An expression made by a mutation, standing at the place of another.
pub(super) fn expression(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

/// An operator over operands.
pub(super) fn op(op: Op, args: Vec<Expr>, span: Span) -> Expr {
    expression(ExprKind::Op(op, args), span)
}

/// A literal.
pub(super) fn literal(value: Rational, span: Span) -> Expr {
    let text = rational_text(&value);
    expression(ExprKind::Number(Number { value, text }), span)
}

/// A variable.
pub(super) fn var(name: &str, span: Span) -> Expr {
    expression(ExprKind::Var(name.to_owned()), span)
}

/// A truth value.
pub(super) fn truth(value: bool, span: Span) -> Expr {
    expression(ExprKind::Constant(if value { Constant::True } else { Constant::False }), span)
}
