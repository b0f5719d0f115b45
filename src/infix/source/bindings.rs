//! What is bound to names, and conditions turned round, as parts of a formula.

use crate::ops::Constant;
use crate::spec::core::{Compare, Expr, ExprKind};
use crate::text::Span;

/// Names with what each is bound to.
pub(super) type Bindings = Vec<(String, Expr)>;

/// The name of a variable in a formula: that of no constant.
pub(super) fn own_name(name: &str) -> String {
    let is_constant = Constant::ALL.iter().any(|c| c.name() == name);
    if is_constant { format!("{name}_") } else { name.to_owned() }
}

/// A `let` around a formula; one behind the other they are one `let*`.
pub(super) fn bind(mut bindings: Bindings, sequential: bool, body: Expr, at: Span) -> Expr {
    if bindings.is_empty() {
        return body;
    }
    if let (ExprKind::Var(name), [(own, _)]) = (&body.kind, &bindings[..])
        && name == own
    {
        return bindings.swap_remove(0).1;
    }
    let kind = match body.kind {
        ExprKind::Let { sequential: inner, bindings: more, body }
            if bindings.len() == 1
                && (inner || more.len() == 1)
                && more.iter().all(|(name, _)| *name != bindings[0].0) =>
        {
            bindings.extend(more);
            ExprKind::Let { sequential: true, bindings, body }
        }
        kind => ExprKind::Let { sequential, bindings, body: Box::new(Expr { kind, span: body.span }) },
    };
    Expr { kind, span: at }
}

/// The value that a variable has behind steps, with those bindings that it needs.
pub(super) fn last(steps: &[Bindings], name: &str, at: Span) -> Expr {
    let own = |step: &Bindings| step.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
    let found = steps.iter().enumerate().rev().find_map(|(index, step)| Some((index, own(step)?)));
    let Some((index, mut value)) = found else {
        return Expr { kind: ExprKind::Var(name.to_owned()), span: at };
    };
    for step in steps[..index].iter().rev() {
        let needed = step.iter().filter(|(own, _)| mentions(&value, own)).cloned().collect();
        value = bind(needed, false, value, at);
    }
    value
}

fn mentions(e: &Expr, name: &str) -> bool {
    matches!(&e.kind, ExprKind::Var(v) if v == name) || e.children().into_iter().any(|c| mentions(c, name))
}

/// The opposite of a condition.
pub(super) fn negated(e: Expr) -> Expr {
    let kind = match e.kind {
        ExprKind::Compare(relation, es) if es.len() == 2 => {
            let opposite = match relation {
                Compare::Lt => Compare::Ge,
                Compare::Le => Compare::Gt,
                Compare::Gt => Compare::Le,
                Compare::Ge => Compare::Lt,
                Compare::Eq => Compare::Ne,
                Compare::Ne => Compare::Eq,
            };
            ExprKind::Compare(opposite, es)
        }
        ExprKind::Or(es) => ExprKind::And(es.into_iter().map(negated).collect()),
        ExprKind::And(es) => ExprKind::Or(es.into_iter().map(negated).collect()),
        ExprKind::Not(inner) => return *inner,
        kind => ExprKind::Not(Box::new(Expr { kind, span: e.span })),
    };
    Expr { kind, span: e.span }
}
