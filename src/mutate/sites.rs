//! Places in a body: every subexpression with its path, and what is put there.

use crate::num::Rational;
use crate::ops::Op;
use crate::spec::core::{Constant, Expr, ExprKind, Number, Span};
use crate::spec::{Spec, is_condition, rational_text};
use std::collections::BTreeMap;

/// A subexpression with where it is.
pub(super) struct Site<'a> {
    /// Its place in pre-order.
    pub(super) place: usize,
    /// Which operand to take at every level, from the root.
    pub(super) path: Vec<usize>,
    /// The subexpression.
    pub(super) expr: &'a Expr,
    /// Names bound by a `let` around it, innermost last, and whether each is a truth value.
    bound: Vec<(String, bool)>,
    /// Whether the value is a truth value rather than a number.
    pub(super) truth: bool,
}

impl Site<'_> {
    /// The path as text, for ids.
    pub(super) fn key(&self) -> String {
        self.path.iter().map(usize::to_string).collect::<Vec<_>>().join(".")
    }

    /// Whether a `let` around it hides the input of this name.
    pub(super) fn hides(&self, input: &str) -> bool {
        self.bound.iter().any(|(name, _)| name == input)
    }

    /// The variables that may stand here, sorted: of two of one name the inner one, and none of the other type.
    pub(super) fn variables<'s>(&'s self, spec: &'s Spec) -> Vec<&'s str> {
        let inputs = spec.inputs.iter().map(|i| (i.name.as_str(), false));
        let bound = self.bound.iter().map(|(name, truth)| (name.as_str(), *truth));
        let visible: BTreeMap<&str, bool> = inputs.chain(bound).collect();
        visible.into_iter().filter(|(_, truth)| *truth == self.truth).map(|(name, _)| name).collect()
    }
}

/// Every subexpression in pre-order, operands from left to right.
pub(super) fn all(body: &Expr) -> Vec<Site<'_>> {
    let mut sites = Vec::new();
    walk(body, &mut Vec::new(), &mut Vec::new(), &mut sites);
    sites
}

fn walk<'a>(e: &'a Expr, path: &mut Vec<usize>, bound: &mut Vec<(String, bool)>, out: &mut Vec<Site<'a>>) {
    let truth = is_condition(e, bound);
    out.push(Site { place: out.len(), path: path.clone(), expr: e, bound: bound.clone(), truth });
    let outer = bound.len();
    let mut held = Vec::new();
    for (i, child) in e.children().into_iter().enumerate() {
        let mut entry = None;
        if let ExprKind::Let { bindings, .. } = &e.kind {
            match bindings.get(i) {
                Some((name, value)) => entry = Some((name.clone(), is_condition(value, bound))),
                None => bound.append(&mut held),
            }
        }
        path.push(i);
        walk(child, path, bound, out);
        path.pop();
        match &e.kind {
            ExprKind::Let { sequential: true, .. } => bound.extend(entry),
            _ => held.extend(entry),
        }
    }
    bound.truncate(outer);
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
pub(super) fn made(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

/// An operator over operands.
pub(super) fn op(op: Op, args: Vec<Expr>, span: Span) -> Expr {
    made(ExprKind::Op(op, args), span)
}

/// A literal.
pub(super) fn literal(value: Rational, span: Span) -> Expr {
    let text = rational_text(&value);
    made(ExprKind::Number(Number { value, text }), span)
}

/// A variable.
pub(super) fn var(name: &str, span: Span) -> Expr {
    made(ExprKind::Var(name.to_owned()), span)
}

/// A truth value.
pub(super) fn truth(value: bool, span: Span) -> Expr {
    made(ExprKind::Constant(if value { Constant::True } else { Constant::False }), span)
}
