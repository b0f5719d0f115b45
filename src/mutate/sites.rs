//! Places in a body: every subexpression, where it is, and what is put there.

use super::Key;
use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::spec::core::{Arg, Expr, ExprKind, Loop, Number};
use crate::spec::{Sort, Spec, rational_text, sort, wrapped};
use crate::text::Span;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Names bound by `let`s, innermost first: what many sites have in common is kept once.
type Scope = Option<Rc<Binding>>;

/// A name bound by a `let`.
struct Binding {
    name: String,
    /// What it is.
    sort: Sort,
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
    /// What the value is.
    sort: Sort,
    made_up: bool,
}

impl Site<'_> {
    /// The names bound around it, innermost first.
    fn bindings(&self) -> impl Iterator<Item = &Binding> {
        std::iter::successors(self.scope.as_deref(), |b| b.outer.as_deref())
    }

    /// Whether it is in no text, or has no meaning of its own there: the `ref` that takes one of several results out of an array,
    /// its indices, and the sizes of that array, which say how many results there are; what the name of a size stands for in a core
    /// that is called; or how a result wraps around.
    pub(super) fn is_made_up(&self) -> bool {
        self.made_up
    }

    /// Whether the value is an array.
    pub(super) fn is_array(&self) -> bool {
        self.sort == Sort::Array
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
        let mut visible: BTreeMap<&str, Sort> = BTreeMap::new();
        for binding in self.bindings() {
            visible.entry(&binding.name).or_insert(binding.sort);
        }
        for arg in &spec.core.args {
            visible.entry(&arg.name).or_insert(of_argument(arg));
        }
        visible.into_iter().filter(|(_, sort)| *sort == self.sort).map(|(name, _)| name).collect()
    }
}

/// Every subexpression of a specification's body in pre-order, operands from left to right.
pub(super) fn all(spec: &Spec) -> Vec<Site<'_>> {
    let mut sites = Vec::new();
    // Arguments that are numbers need no mention.
    let arrays = spec.core.args.iter().map(|a| (a.name.clone(), of_argument(a)));
    let bound = arrays.filter(|(_, sort)| *sort != Sort::Number).collect();
    let walk = Walk { parent: None, level: 0, bound, scope: None, sites: &mut sites };
    walk.root(&spec.core.body, Key::of(&spec.name));
    sites
}

/// A walk through a body.
struct Walk<'w, 'a> {
    parent: Option<(usize, usize)>,
    level: usize,
    /// Names bound, innermost last, and what each is.
    bound: Vec<(String, Sort)>,
    /// The same.
    scope: Scope,
    sites: &'w mut Vec<Site<'a>>,
}

impl<'a> Walk<'_, 'a> {
    fn bind(&mut self, (name, sort): (String, Sort)) {
        let outer = self.scope.take();
        let depth = outer.as_ref().map_or(1, |b| b.depth + 1);
        self.scope = Some(Rc::new(Binding { name: name.clone(), sort, depth, outer }));
        self.bound.push((name, sort));
    }

    fn root(mut self, body: &'a Expr, key: Key) {
        self.walk(body, key);
    }

    fn walk(&mut self, e: &'a Expr, key: Key) {
        let sort = sort(e, &mut self.bound);
        let (place, scope, truth) = (self.sites.len(), self.scope.clone(), sort == Sort::Truth);
        let made_up = self.is_made_up(e);
        self.sites.push(Site {
            place,
            parent: self.parent,
            level: self.level,
            key,
            expr: e,
            scope,
            truth,
            sort,
            made_up,
        });
        if let ExprKind::Loop(l) = &e.kind {
            return self.walk_loop(l, place, key);
        }
        let outer = (self.bound.len(), self.scope.clone());
        let mut held = Vec::new();
        for (i, child) in e.children().into_iter().enumerate() {
            let mut entry = None;
            if let ExprKind::Let { bindings, .. } = &e.kind {
                match bindings.get(i) {
                    Some((name, value)) => entry = Some((name.clone(), crate::spec::sort(value, &mut self.bound))),
                    None => held.drain(..).for_each(|entry| self.bind(entry)),
                }
            }
            self.walk_child(child, (place, i), key);
            match &e.kind {
                ExprKind::Let { sequential: true, .. } => entry.into_iter().for_each(|entry| self.bind(entry)),
                _ => held.extend(entry),
            }
        }
        self.bound.truncate(outer.0);
        self.scope = outer.1;
    }

    /// See [`Site::is_made_up`].
    fn is_made_up(&self, e: &Expr) -> bool {
        if let ExprKind::Ref(parts) = &e.kind
            && parts[1..].iter().all(|index| index.span == e.span)
        {
            // What is written has its indices at places of their own.
            return true;
        }
        let Some((at, i)) = self.parent else { return wrapped(e).is_some() };
        let around = &self.sites[at];
        match &around.expr.kind {
            ExprKind::Op(..) if around.parent.is_none() => around.made_up && i > 0,
            ExprKind::Ref(_) => around.made_up && i > 0,
            ExprKind::Size(_) => around.made_up || e.span == around.expr.span,
            ExprKind::Loop(l) => i < l.indices().len() && around.parent.is_some_and(|(at, _)| self.sites[at].made_up),
            _ => around.made_up,
        }
    }

    fn walk_child(&mut self, child: &'a Expr, (place, i): (usize, usize), key: Key) {
        let around = self.parent.replace((place, i));
        self.level += 1;
        self.walk(child, if self.level > 1 { key.and(&format!(".{i}")) } else { key.and(&i.to_string()) });
        self.level -= 1;
        self.parent = around;
    }

    fn walk_loop(&mut self, l: &'a Loop, place: usize, key: Key) {
        let variables = crate::spec::variables(l, &mut self.bound);
        let indices: Vec<&String> = l.indices().iter().map(|(name, _)| name).collect();
        for (i, part) in l.parts().into_iter().enumerate() {
            let outer = (self.bound.len(), self.scope.clone());
            let seen = |is: bool, sort| if is { Some(sort) } else { part.hides.then_some(Sort::Nothing) };
            for (k, (name, sort)) in variables.iter().enumerate() {
                seen(k < part.variables, *sort).into_iter().for_each(|sort| self.bind((name.clone(), sort)));
            }
            for name in &indices {
                seen(part.indices, Sort::Number).into_iter().for_each(|sort| self.bind(((*name).clone(), sort)));
            }
            self.walk_child(part.expr, (place, i), key);
            self.bound.truncate(outer.0);
            self.scope = outer.1;
        }
    }
}

fn of_argument(arg: &Arg) -> Sort {
    if arg.sizes.is_empty() { Sort::Number } else { Sort::Array }
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
