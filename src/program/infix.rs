//! Expressions as a person writes them in C.

use crate::floats::Format;
use crate::ops::Op;
use crate::spec::core::{Expr, ExprKind, Number, Property, Value};

/// How tightly an operator binds.
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const UNARY: u8 = 3;
const ATOM: u8 = 4;

/// The expression as C writes it, but for what C has no expression of, which stays FPCore. A value stored in a lower
/// format is cast to it: `(float)(x * y)`.
#[must_use]
pub fn infix(e: &Expr) -> String {
    written(e).0
}

/// The text with how tightly it binds.
fn written(e: &Expr) -> (String, u8) {
    let inner = |e: &Expr, least: u8| {
        let (text, binds) = written(e);
        if binds < least { format!("({text})") } else { text }
    };
    match &e.kind {
        ExprKind::Number(n) => literal(n, ""),
        ExprKind::Constant(c) => (c.name().to_owned(), ATOM),
        ExprKind::Var(name) => (name.clone(), ATOM),
        ExprKind::Annotated(properties, inner) => match format_of(properties) {
            Some(format) => in_format(inner, format),
            None => written(inner),
        },
        ExprKind::Cast(inner) => written(inner),
        ExprKind::Op(Op::Neg, args) => {
            let text = inner(&args[0], UNARY);
            // `--x` would be a decrement.
            (if text.starts_with('-') { format!("-({text})") } else { format!("-{text}") }, UNARY)
        }
        ExprKind::Op(op @ (Op::Add | Op::Sub), args) => (chain(args, op.name(), SUM, &inner), SUM),
        ExprKind::Op(op @ (Op::Mul | Op::Div), args) => (chain(args, op.name(), PRODUCT, &inner), PRODUCT),
        ExprKind::Op(op, args) => {
            let args: Vec<String> = args.iter().map(|a| inner(a, 0)).collect();
            (format!("{}({})", op.name(), args.join(", ")), ATOM)
        }
        ExprKind::If(parts) => {
            let [c, t, e] = parts.each_ref().map(|p| inner(p, SUM));
            (format!("{c} ? {t} : {e}"), 0)
        }
        ExprKind::Compare(relation, args) if args.len() == 2 => (chain(args, relation.name(), SUM, &inner), 0),
        _ => (e.to_string(), ATOM),
    }
}

/// A number with the suffix of its format.
fn literal(n: &Number, suffix: &str) -> (String, u8) {
    match n {
        n if n.text.contains('/') => (format!("({}{suffix})", n.text), ATOM),
        n if n.value < 0 => (format!("{}{suffix}", n.text), UNARY),
        n => (format!("{}{suffix}", n.text), ATOM),
    }
}

/// Operands joined by an operator that associates to the left.
fn chain(args: &[Expr], name: &str, binds: u8, inner: &impl Fn(&Expr, u8) -> String) -> String {
    let operand = |(k, a): (usize, &Expr)| inner(a, if k == 0 { binds } else { binds + 1 });
    args.iter().enumerate().map(operand).collect::<Vec<_>>().join(&format!(" {name} "))
}

/// What is written of a part in another format: a literal with a suffix, a cast.
fn in_format(e: &Expr, format: Format) -> (String, u8) {
    let name = match format {
        Format::BINARY64 => return written(e),
        Format::BINARY32 => "float".to_owned(),
        Format::BINARY16 => "half".to_owned(),
        _ => format.name(),
    };
    match (&e.kind, format) {
        (ExprKind::Number(n), Format::BINARY32) => literal(n, "f"),
        (ExprKind::Cast(inner), _) => {
            let (text, binds) = written(inner);
            (if binds < UNARY { format!("({name})({text})") } else { format!("({name}){text}") }, UNARY)
        }
        _ => {
            let (text, binds) = written(e);
            (if binds < UNARY { format!("({name})({text})") } else { format!("({name}){text}") }, UNARY)
        }
    }
}

/// The floating-point format that `:precision` names.
pub(super) fn format_of(properties: &[Property]) -> Option<Format> {
    let property = properties.iter().find(|p| p.key == "precision")?;
    match &property.value {
        Value::Data(datum) => Format::from_name(&datum.to_string()).filter(|format| !format.is_fixed()),
        Value::Expr(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::parse_file;

    #[test]
    fn expressions_are_what_c_reads_as_them() {
        for (fpcore, c) in [
            ("(- (- x))", "-(-x)"),
            ("(- -3)", "-(-3)"),
            ("(- (- -3 x))", "-(-3 - x)"),
            ("(- (* -2 x))", "-(-2 * x)"),
            ("(- (- x) (- y))", "-x - -y"),
            ("(- x (+ y 1))", "x - (y + 1)"),
            ("(/ x (* y 2))", "x / (y * 2)"),
            ("(* (! :precision binary32 -3) (! :precision binary32 PI))", "-3f * (float)PI"),
            ("(! :precision binary32 (+ x (/ y PI)))", "(float)(x + y / PI)"),
        ] {
            let file = parse_file(format!("(FPCore (x y) {fpcore})").as_bytes());
            assert_eq!(infix(&file.cores[0].as_ref().expect("a core").body), c);
        }
    }
}
