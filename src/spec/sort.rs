//! What expressions are the values of: numbers, truth values or arrays.

use super::core::{Expr, ExprKind, Loop, LoopHead};
use crate::ops::Constant;

/// What an expression is the value of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A number.
    Number,
    /// A truth value.
    Truth,
    /// An array of any size.
    Array,
    /// Of a name where it has no meaning.
    Nothing,
}

/// Whether the value is a truth value; the expression has no variables from outside.
pub(crate) fn is_condition(e: &Expr) -> bool {
    sort(e, &mut Vec::new()) == Sort::Truth
}

/// What the value is; `names` are the variables in scope that are no numbers, and those that hide them.
pub(crate) fn sort(e: &Expr, names: &mut Vec<(String, Sort)>) -> Sort {
    match &e.kind {
        ExprKind::Compare(..) | ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Not(_) | ExprKind::Classify(..) => {
            Sort::Truth
        }
        ExprKind::Constant(Constant::True | Constant::False) => Sort::Truth,
        ExprKind::Var(name) => names.iter().rev().find(|(n, _)| n == name).map_or(Sort::Number, |&(_, sort)| sort),
        ExprKind::If(parts) => sort(&parts[1], names),
        ExprKind::Cast(e) | ExprKind::Annotated(_, e) => sort(e, names),
        ExprKind::Let { sequential, bindings, body } => {
            let outer = names.len();
            let mut bound = Vec::new();
            for (name, value) in bindings {
                let entry = (name.clone(), sort(value, names));
                if *sequential { names.push(entry) } else { bound.push(entry) }
            }
            names.append(&mut bound);
            let is = sort(body, names);
            names.truncate(outer);
            is
        }
        ExprKind::Loop(l) if matches!(l.head, LoopHead::Tensor(_)) => Sort::Array,
        ExprKind::Loop(l) => {
            let outer = names.len();
            let bound = variables(l, names);
            names.extend(bound);
            let is = sort(&l.body, names);
            names.truncate(outer);
            is
        }
        ExprKind::Array(_) => Sort::Array,
        ExprKind::Number(_)
        | ExprKind::Constant(_)
        | ExprKind::Op(..)
        | ExprKind::Call(..)
        | ExprKind::Ref(_)
        | ExprKind::Dim(_)
        | ExprKind::Size(_) => Sort::Number,
    }
}

/// What the variables of a loop are, in order.
pub(crate) fn variables(l: &Loop, names: &mut Vec<(String, Sort)>) -> Vec<(String, Sort)> {
    let outer = names.len();
    let mut bound = Vec::new();
    for v in &l.state {
        let entry = (v.name.clone(), sort(&v.init, names));
        if l.sequential && matches!(l.head, LoopHead::While(_)) {
            names.push(entry.clone());
        }
        bound.push(entry);
    }
    names.truncate(outer);
    bound
}
