//! A formula with its inputs: `x: [0, 1], y: (0, 2*pi] -> x*y`.

use super::build::Build;
use super::lex::{TokenKind, tokens};
use super::parse::Parser;
use super::ranges::range;
use super::{Notation, Reading};
use crate::spec::Diagnostic;
use crate::spec::core::{Arg, Core, Datum, DatumKind, Expr, Property, Span, Value};
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
    let span = Span { start: 0, end: text.len() };
    let Build { inputs, assumptions, .. } = parser.build;
    let mut reading = Reading { core: core(inputs, name.as_deref(), body, span), name, ranged: names, assumptions };
    reading.restrict(conditions);
    Ok(reading)
}

/// A formula with its inputs and its name.
pub(super) fn core(inputs: Vec<String>, name: Option<&str>, body: Expr, span: Span) -> Core {
    let title = DatumKind::String(name.unwrap_or("formula").to_owned());
    let value = Value::Data(Datum { kind: title, span: Span::default() });
    let props = vec![Property { key: "name".to_owned(), key_span: Span::default(), value }];
    let arg = |name| Arg { name, props: Vec::new(), span: Span::default() };
    Core { ident: None, args: inputs.into_iter().map(arg).collect(), props, body, span }
}

/// Takes `v =`, and returns the name.
fn result_name(parser: &mut Parser<'_>) -> Option<String> {
    let TokenKind::Name { prefix, name } = &parser.peek().kind else { return None };
    let is_name = prefix.is_empty() && parser.tokens.get(parser.at + 1).is_some_and(|t| t.kind == TokenKind::Sign("="));
    let name = is_name.then(|| name.clone())?;
    parser.at += 2;
    Some(name)
}
