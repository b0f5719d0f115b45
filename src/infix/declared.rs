//! A formula with its inputs: `x: [0, 1], y: (0, 2*pi] -> x*y`.

use super::build::Build;
use super::lex::{TokenKind, tokens};
use super::parse::Parser;
use super::{Notation, Reading};
use crate::ops::Op;
use crate::spec::Diagnostic;
use crate::spec::core::{Arg, Constant, Core, Datum, DatumKind, Expr, ExprKind, Property, Span, Value};
use crate::spec::diagnostic::quote;

/// Reads a formula in a notation, with the inputs that stand before `->` if there are some: `x: [0,1]`, where a round bracket
/// leaves an end out and `inf` is no end. An input without a range is any number. A name before `=` is that of the result.
///
/// # Errors
/// The first thing that is wrong with the text or that has two readings, with its place.
pub fn read(text: &str, notation: Notation) -> Result<Reading, Diagnostic> {
    let tokens = tokens(text, notation)?;
    let arrow = tokens.iter().position(|t| t.kind == TokenKind::Sign("->"));
    let mut declared: Vec<(String, Span)> = Vec::new();
    for pair in tokens[..arrow.unwrap_or(0)].windows(2) {
        if let TokenKind::Name { prefix, name } = &pair[0].kind
            && prefix.is_empty()
            && pair[1].kind == TokenKind::Sign(":")
        {
            if declared.iter().any(|d| d.0 == *name) {
                return Err(Diagnostic::semantic(pair[0].span, format!("two inputs are called {}", quote(name))));
            }
            declared.push((name.clone(), pair[0].span));
        }
    }
    let names: Vec<String> = declared.into_iter().map(|d| d.0).collect();
    let mut parser = Parser::new(text, tokens, Build::new(notation, &names));
    let mut conditions = Vec::new();
    if arrow.is_some() {
        while !parser.takes("->") {
            conditions.extend(range(&mut parser)?);
            if parser.sign() != Some("->") {
                parser.expect(",")?;
            }
        }
    }
    let name = result_name(&mut parser);
    let part = parser.formula()?;
    parser.takes(";");
    if parser.peek().kind != TokenKind::End {
        let unexpected = parser.unexpected("the formula ends before this");
        let is_assignment = parser.sign() == Some("=");
        return Err(unexpected.maybe_hint(is_assignment.then(|| "write `==` to compare".to_owned())));
    }
    let body = parser.build.result(part)?;
    let property = |key: &str, value| Property { key: key.to_owned(), key_span: Span::default(), value };
    let title = DatumKind::String(name.unwrap_or_else(|| "formula".to_owned()));
    let mut props = vec![property("name", Value::Data(Datum { kind: title, span: Span::default() }))];
    let pre = match conditions.len() {
        0 => None,
        1 => conditions.pop(),
        _ => Some(Expr::new(ExprKind::And(conditions))),
    };
    props.extend(pre.map(|pre| property("pre", Value::Expr(pre))));
    let inputs = parser.build.inputs.iter();
    let args = inputs.map(|name| Arg { name: name.clone(), props: Vec::new(), span: Span::default() }).collect();
    let span = Span { start: 0, end: text.len() };
    let core = Core { ident: None, args, props, body, span };
    Ok(Reading { core, assumptions: parser.build.assumptions })
}

/// Takes `v =`, and returns the name.
fn result_name(parser: &mut Parser<'_>) -> Option<String> {
    let TokenKind::Name { prefix, name } = &parser.peek().kind else { return None };
    let is_name = prefix.is_empty() && parser.tokens.get(parser.at + 1).is_some_and(|t| t.kind == TokenKind::Sign("="));
    let name = is_name.then(|| name.clone())?;
    parser.at += 2;
    Some(name)
}

/// `x: [lo, hi]` as conditions, or a condition on inputs.
fn range(parser: &mut Parser<'_>) -> Result<Vec<Expr>, Diagnostic> {
    let is_declaration = parser.tokens.get(parser.at + 1).is_some_and(|t| t.kind == TokenKind::Sign(":"));
    if !is_declaration {
        let part = parser.formula()?;
        let hint = "an input stands before `->` with its range: `x: [0, 1]`";
        return Ok(vec![Build::as_condition(part).map_err(|d| d.hint(hint))?]);
    }
    let name = parser.next();
    let TokenKind::Name { name: input, .. } = name.kind else {
        parser.at -= 1;
        return Err(parser.unexpected("the name of an input is missing"));
    };
    parser.at += 1;
    let shape = "write a range as `[0, 1]`, with a round bracket for an end that is left out";
    let lo_strict = match parser.sign() {
        Some("[") => false,
        Some("(") => true,
        _ => return Err(parser.unexpected("a range is missing").hint(shape)),
    };
    parser.at += 1;
    let lo = end(parser, true)?;
    parser.expect(",").map_err(|d| d.hint(shape))?;
    let hi = end(parser, false)?;
    let hi_strict = match parser.sign() {
        Some("]") => false,
        Some(")") => true,
        _ => return Err(parser.unexpected("the range is never closed").hint(shape)),
    };
    parser.at += 1;
    let compare = |strict, operands| Expr::new(ExprKind::Compare(Parser::relation_of(strict), operands));
    Ok(match (lo, hi) {
        (Some(lo), Some(hi)) if lo_strict == hi_strict => vec![compare(lo_strict, vec![lo, Expr::var(input), hi])],
        (lo, hi) => {
            let lo = lo.map(|lo| compare(lo_strict, vec![lo, Expr::var(&input)]));
            let hi = hi.map(|hi| compare(hi_strict, vec![Expr::var(&input), hi]));
            lo.into_iter().chain(hi).collect()
        }
    })
}

/// An end of a range; none where it is infinite on its own side.
fn end(parser: &mut Parser<'_>, is_lower: bool) -> Result<Option<Expr>, Diagnostic> {
    let before = parser.build.inputs.len();
    let part = parser.formula()?;
    let span = part.span();
    if parser.build.inputs.len() > before {
        let name = parser.build.inputs.pop().unwrap_or_default();
        let message = format!("{} is no number that is known", quote(&name));
        return Err(Diagnostic::semantic(span, message).hint("`inf` leaves an end open"));
    }
    let e = parser.build.result(part)?;
    let is_infinite = |e: &Expr| matches!(e.kind, ExprKind::Constant(Constant::Infinity));
    let below = matches!(&e.kind, ExprKind::Op(Op::Neg, es) if es.iter().all(is_infinite));
    if below && is_lower || is_infinite(&e) && !is_lower {
        return Ok(None);
    }
    if below || is_infinite(&e) {
        let hint = "an open range is `[0, inf]` or `[-inf, 0]`";
        return Err(Diagnostic::semantic(span, "this end of the range leaves no number in it").hint(hint));
    }
    Ok(Some(e))
}
