//! Loops and arrays in a precondition, written out: what says which inputs are in the domain knows numbers and conditions alone.

use super::core::{Expr, ExprKind};
use super::sort::is_condition;
use super::unroll::{has_loops, never_ends, unroll};
use crate::text::Diagnostic;

/// A precondition over inputs of these names without its loops and arrays: an element of an array that is an argument is an input,
/// as `A[0]`. Loops may go round so many times.
///
/// # Errors
/// They cannot be written out.
pub(super) fn flat_precondition(pre: &Expr, inputs: &[String], iterations: u64) -> Result<Expr, Diagnostic> {
    if !has_loops(pre) {
        return Ok(pre.clone());
    }
    let unrolled = unroll(inputs, pre, iterations).map_err(|stuck| stuck.diagnostic())?;
    if let Some(span) = unrolled.endless {
        return Err(never_ends(span));
    }
    if let Some(span) = unrolled.open {
        let message = "how often this loop goes round depends on inputs";
        return Err(Diagnostic::unsupported(span, message).hint("a precondition says which inputs there are"));
    }
    let mut pre = unrolled.body;
    merge_conditions(&mut pre);
    rename_all(&mut pre, &separator(inputs));
    Ok(pre)
}

/// Puts each condition that a `let` names, and that is used once, into its place: what conditions say of the ranges of inputs is
/// read off those that stand in the `and` of the whole.
fn merge_conditions(e: &mut Expr) {
    e.children_mut().into_iter().for_each(merge_conditions);
    let ExprKind::Let { sequential: true, bindings, body } = &mut e.kind else { return };
    let mut k = 0;
    while k < bindings.len() {
        let (name, value) = bindings[k].clone();
        let mut later: Vec<&mut Expr> = bindings[k + 1..].iter_mut().map(|(_, value)| value).collect();
        later.push(body);
        let uses: usize = later.iter().map(|e| uses(e, &name)).sum();
        if is_condition(&value) && uses == 1 {
            later.into_iter().for_each(|e| put(e, &name, &value));
            bindings.remove(k);
        } else {
            k += 1;
        }
    }
    if bindings.is_empty() {
        *e = (**body).clone();
    }
}

/// How often a name stands in an expression; none is bound twice in what was written out.
fn uses(e: &Expr, name: &str) -> usize {
    match &e.kind {
        ExprKind::Var(v) => usize::from(v == name),
        _ => e.children().into_iter().map(|e| uses(e, name)).sum(),
    }
}

fn put(e: &mut Expr, name: &str, value: &Expr) {
    match &mut e.kind {
        ExprKind::Var(v) if v == name => *e = value.clone(),
        // The rounds of a loop stand side by side, not one in the other.
        ExprKind::And(terms) if matches!(value.kind, ExprKind::And(_)) => {
            let ExprKind::And(inner) = &value.kind else { return };
            match terms.iter().position(|t| matches!(&t.kind, ExprKind::Var(v) if v == name)) {
                Some(at) => drop(terms.splice(at..=at, inner.iter().cloned())),
                None => terms.iter_mut().for_each(|e| put(e, name, value)),
            }
        }
        _ => e.children_mut().into_iter().for_each(|e| put(e, name, value)),
    }
}

/// What stands in the place of the space in the names that were made, so that they are no inputs.
fn separator(inputs: &[String]) -> String {
    let mut separator = "_".to_owned();
    while inputs.iter().any(|name| name.contains(&separator)) {
        separator.push('_');
    }
    separator
}

/// Gives names that were made, such as `s 3`, a form that a person could write: the domain is printed.
fn rename_all(e: &mut Expr, separator: &str) {
    match &mut e.kind {
        ExprKind::Var(name) => *name = name.replace(' ', separator),
        ExprKind::Let { bindings, .. } => {
            bindings.iter_mut().for_each(|(name, _)| *name = name.replace(' ', separator))
        }
        _ => {}
    }
    e.children_mut().into_iter().for_each(|e| rename_all(e, separator));
}
