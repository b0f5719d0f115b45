//! Equality of syntax trees up to source places and the spelling of numbers.

use super::core::{Core, Datum, DatumKind, Expr, ExprKind, Loop, Property, Value};

/// Whether two cores are the same up to places in the source and the spelling of numbers.
#[must_use]
pub fn same_core(a: &Core, b: &Core) -> bool {
    let same_args = a.args.len() == b.args.len()
        && a.args.iter().zip(&b.args).all(|(a, b)| a.name == b.name && a.sizes == b.sizes && props(&a.props, &b.props));
    a.ident == b.ident && same_args && props(&a.props, &b.props) && same_expr(&a.body, &b.body)
}

/// Whether two expressions are the same up to places in the source and the spelling of numbers.
#[must_use]
pub fn same_expr(a: &Expr, b: &Expr) -> bool {
    use ExprKind as K;
    match (&a.kind, &b.kind) {
        (K::Number(a), K::Number(b)) => a.value == b.value,
        (K::Constant(a), K::Constant(b)) => a == b,
        (K::Var(a), K::Var(b)) => a == b,
        (K::Op(f, a), K::Op(g, b)) => f == g && all(a, b),
        (K::Compare(f, a), K::Compare(g, b)) => f == g && all(a, b),
        (K::And(a), K::And(b)) | (K::Or(a), K::Or(b)) => all(a, b),
        (K::Not(a), K::Not(b)) | (K::Cast(a), K::Cast(b)) => same_expr(a, b),
        (K::Classify(f, a), K::Classify(g, b)) => f == g && same_expr(a, b),
        (K::If(a), K::If(b)) => all(a.as_slice(), b.as_slice()),
        (K::Let { sequential: s, bindings: a, body: x }, K::Let { sequential: t, bindings: b, body: y }) => {
            let same_bindings = a.len() == b.len() && a.iter().zip(b).all(|((n, a), (m, b))| n == m && same_expr(a, b));
            s == t && same_bindings && same_expr(x, y)
        }
        (K::Annotated(p, a), K::Annotated(q, b)) => props(p, q) && same_expr(a, b),
        (K::Call(f, a), K::Call(g, b)) => f == g && all(a, b),
        (K::Array(a), K::Array(b)) | (K::Ref(a), K::Ref(b)) => all(a, b),
        (K::Dim(a), K::Dim(b)) => same_expr(a, b),
        (K::Size(a), K::Size(b)) => all(a.as_slice(), b.as_slice()),
        (K::Loop(l), K::Loop(m)) => {
            let names = |l: &Loop| -> Vec<String> {
                l.indices().iter().map(|(n, _)| n.clone()).chain(l.state.iter().map(|v| v.name.clone())).collect()
            };
            let (a, b) = (l.parts(), m.parts());
            let same = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same_expr(a.expr, b.expr));
            l.name() == m.name() && names(l) == names(m) && same
        }
        _ => false,
    }
}

fn all(a: &[Expr], b: &[Expr]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_expr(a, b))
}

fn props(a: &[Property], b: &[Property]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.key == b.key && same_value(&a.value, &b.value))
}

fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Expr(a), Value::Expr(b)) => same_expr(a, b),
        (Value::Data(a), Value::Data(b)) => same_datum(a, b),
        _ => false,
    }
}

fn same_datum(a: &Datum, b: &Datum) -> bool {
    match (&a.kind, &b.kind) {
        (DatumKind::Symbol(a), DatumKind::Symbol(b)) | (DatumKind::String(a), DatumKind::String(b)) => a == b,
        (DatumKind::Number(a), DatumKind::Number(b)) => a.value == b.value,
        (DatumKind::List(a), DatumKind::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_datum(a, b))
        }
        _ => false,
    }
}
