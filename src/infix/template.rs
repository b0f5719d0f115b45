//! Functions that FPCore has not, as formulas in FPCore over their arguments.

use crate::spec::core::{Expr, ExprKind};
use crate::spec::parse_file;
use crate::text::Span;

/// The names that templates have for their arguments.
const ARGUMENTS: [&str; 3] = ["x", "y", "z"];

/// The formula with its arguments in place. An argument that is used several times, and is more than a name or a number, is
/// bound by a `let`. `None` for a text that is no FPCore, which a test excludes.
pub(super) fn filled(formula: &str, arguments: Vec<Expr>, span: Span) -> Option<Expr> {
    let names = &ARGUMENTS[..arguments.len().min(ARGUMENTS.len())];
    let file = parse_file(format!("(FPCore ({}) {formula})", names.join(" ")).as_bytes());
    let body = file.cores.into_iter().next()?.ok()?.body;
    let (mut direct, mut bound) = (Vec::new(), Vec::new());
    for (name, argument) in names.iter().zip(arguments) {
        let is_plain = matches!(argument.kind, ExprKind::Var(_) | ExprKind::Number(_) | ExprKind::Constant(_));
        if is_plain || uses(&body, name) < 2 {
            direct.push((*name, argument));
        } else {
            bound.push(((*name).to_owned(), argument));
        }
    }
    // A bound name would hide an input of the same name in what stands beside it.
    let hides = bound.iter().any(|(name, _)| direct.iter().any(|(_, e)| mentions(e, name)));
    let bound: Vec<(String, String, Expr)> =
        bound.into_iter().map(|(name, e)| (name.clone(), if hides { format!("{name}'") } else { name }, e)).collect();
    let renamed: Vec<(&str, Expr)> =
        bound.iter().filter_map(|(old, new, _)| Some((*names.iter().find(|n| *n == old)?, Expr::var(new)))).collect();
    direct.extend(renamed);
    let body = replaced(&body, &direct, span);
    let bindings: Vec<(String, Expr)> = bound.into_iter().map(|(_, new, e)| (new, e)).collect();
    if bindings.is_empty() {
        return Some(body);
    }
    Some(Expr { kind: ExprKind::Let { sequential: false, bindings, body: Box::new(body) }, span })
}

/// How often a formula names a variable.
fn uses(e: &Expr, name: &str) -> usize {
    let own = usize::from(matches!(&e.kind, ExprKind::Var(v) if v == name));
    own + e.children().into_iter().map(|c| uses(c, name)).sum::<usize>()
}

/// Whether a formula names a variable or binds it.
fn mentions(e: &Expr, name: &str) -> bool {
    let binds = matches!(&e.kind, ExprKind::Let { bindings, .. } if bindings.iter().any(|b| b.0 == name));
    binds || uses(e, name) > 0
}

/// A template with formulas in the place of variables; what templates are not made of stays as it is.
fn replaced(e: &Expr, with: &[(&str, Expr)], span: Span) -> Expr {
    let all = |es: &[Expr]| es.iter().map(|e| replaced(e, with, span)).collect::<Vec<_>>();
    let kind = match &e.kind {
        ExprKind::Var(name) => match with.iter().find(|(n, _)| n == name) {
            Some((_, e)) => return e.clone(),
            None => e.kind.clone(),
        },
        ExprKind::Op(op, es) => ExprKind::Op(*op, all(es)),
        ExprKind::Compare(op, es) => ExprKind::Compare(*op, all(es)),
        ExprKind::If(parts) => ExprKind::If(Box::new(parts.each_ref().map(|e| replaced(e, with, span)))),
        kind => kind.clone(),
    };
    Expr { kind, span }
}
