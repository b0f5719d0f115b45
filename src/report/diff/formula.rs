//! What changed in what a specification asks for.

use super::Edit;
use crate::spec::core::{Expr, ExprKind};
use crate::spec::{Input, Spec};

/// Everything that changed, in the order in which a person reads a specification.
pub(super) fn edits(old: &Spec, new: &Spec) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut note = |what: &str, before: Option<String>, after: Option<String>| {
        if before != after {
            edits.push(Edit { what: what.to_owned(), before, after });
        }
    };
    note("name", Some(old.name.clone()), Some(new.name.clone()));
    note("requirement", old.requirement.clone(), new.requirement.clone());
    for (before, after) in differences(&old.core.body, &new.core.body) {
        note("formula", Some(before.to_string()), Some(after.to_string()));
    }
    let shown = |i: &Input| format!("{} in {}", i.range, i.format.name());
    for input in &old.inputs {
        let after = new.inputs.iter().find(|i| i.name == input.name);
        note(&format!("input {}", input.name), Some(shown(input)), after.map(shown));
    }
    for input in new.inputs.iter().filter(|i| old.inputs.iter().all(|o| o.name != i.name)) {
        note(&format!("input {}", input.name), None, Some(shown(input)));
    }
    let conditions = |s: &Spec| -> Vec<String> { s.constraints.iter().map(ToString::to_string).collect() };
    let (before, after) = (conditions(old), conditions(new));
    before.iter().filter(|c| !after.contains(c)).for_each(|c| note("condition", Some(c.clone()), None));
    after.iter().filter(|c| !before.contains(c)).for_each(|c| note("condition", None, Some(c.clone())));
    note("accuracy", Some(old.accuracy.to_string()), Some(new.accuracy.to_string()));
    let format = |s: &Spec| Some(s.result_format.name().to_owned());
    note("result", format(old), format(new));
    let response = |s: &Spec| Some(s.out_of_range.name().to_owned());
    note("out of range", response(old), response(new));
    edits
}

/// The smallest parts that differ, in the order of the text.
fn differences<'a>(old: &'a Expr, new: &'a Expr) -> Vec<(&'a Expr, &'a Expr)> {
    let (mut found, mut open) = (Vec::new(), vec![(old, new)]);
    while let Some((a, b)) = open.pop() {
        let (inside, others) = (a.children(), b.children());
        if is_same_shape(a, b) && inside.len() == others.len() {
            open.extend(inside.into_iter().zip(others).rev());
        } else if a.to_string() != b.to_string() {
            found.push((a, b));
        }
    }
    found
}

/// Whether two expressions are the same but for what is inside of them. Numbers, names and annotations have nothing inside.
fn is_same_shape(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Op(f, _), ExprKind::Op(g, _)) => f == g,
        (ExprKind::Compare(f, _), ExprKind::Compare(g, _)) => f == g,
        (ExprKind::Call(f, _), ExprKind::Call(g, _)) => f == g,
        (ExprKind::Classify(f, _), ExprKind::Classify(g, _)) => f == g,
        (ExprKind::And(_), ExprKind::And(_))
        | (ExprKind::Or(_), ExprKind::Or(_))
        | (ExprKind::Not(_), ExprKind::Not(_))
        | (ExprKind::If(_), ExprKind::If(_))
        | (ExprKind::Cast(_), ExprKind::Cast(_)) => true,
        (ExprKind::Let { sequential: s, bindings: one, .. }, ExprKind::Let { sequential: t, bindings: other, .. }) => {
            s == t && one.iter().map(|b| &b.0).eq(other.iter().map(|b| &b.0))
        }
        _ => false,
    }
}
