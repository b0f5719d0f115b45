//! A formula with its inputs: `x: [0, 1], y: (0, 2*pi] -> x*y`.

use super::build::{Build, Part};
use super::latex;
use super::lex::{Token, TokenKind, tokens};
use super::parse::Parser;
use super::ranges::range;
use super::{Notation, Reading};
use crate::spec::core::{Arg, Core, Datum, DatumKind, Expr, Property, Value};
use crate::text::{Diagnostic, Span, quote};

/// Reads a formula in a notation, with the inputs that stand before `->` if there are some: `x: [0,1]`, where a round bracket
/// leaves an end out and `inf` is no end. An input without a range is any number. A name before `=` is that of the result.
///
/// # Errors
/// The first thing that is wrong with the text or that has two readings, with its place.
pub fn read(text: &str, notation: Notation) -> Result<Reading, Diagnostic> {
    if notation == Notation::Latex {
        return in_latex(text);
    }
    let tokens = tokens(text, notation)?;
    let arrow = tokens.iter().position(|t| t.kind == TokenKind::Sign("->"));
    let names = declared(&tokens[..arrow.unwrap_or(0)])?;
    let mut parser = Parser::new(text, tokens, Build::new(notation, &names));
    let mut conditions = Vec::new();
    if arrow.is_some() {
        conditions = ranges(&mut parser)?;
        parser.expect("->")?;
    }
    let name = result_name(&mut parser);
    let part = parser.formula()?;
    parser.takes(";");
    if parser.peek().kind != TokenKind::End {
        let unexpected = parser.unexpected("the formula ends before this");
        let is_assignment = parser.sign() == Some("=");
        return Err(unexpected.maybe_hint(is_assignment.then(|| "write `==` to compare".to_owned())));
    }
    reading(text, name, part, parser.build, names, conditions)
}

/// The same in LaTeX; what stands before `->` is in plain notation.
fn in_latex(text: &str) -> Result<Reading, Diagnostic> {
    let Some((head, _)) = text.split_once("->") else {
        let (name, part, build) = latex::formula(text, 0, Build::new(Notation::Latex, &[]))?;
        return reading(text, name, part, build, Vec::new(), Vec::new());
    };
    // `\rho: [1, 2]` is the range of what `\rho` is in the formula.
    let head = &head.replace('\\', " ");
    let tokens = tokens(head, Notation::Plain)?;
    let names = declared(&tokens)?;
    let mut parser = Parser::new(head, tokens, Build::new(Notation::Plain, &names));
    let conditions = ranges(&mut parser)?;
    // Conditions may be on inputs that have no range.
    let mut build = Build::new(Notation::Latex, &names);
    build.inputs = parser.build.inputs;
    build.integers = parser.build.integers;
    let (name, part, build) = latex::formula(text, head.len() + 2, build)?;
    reading(text, name, part, build, names, conditions)
}

/// What was read, put together.
fn reading(
    text: &str,
    name: Option<String>,
    part: Part,
    build: Build,
    ranged: Vec<String>,
    conditions: Vec<Expr>,
) -> Result<Reading, Diagnostic> {
    let body = build.result(part)?;
    let span = Span { start: 0, end: text.len() };
    let Build { inputs, integers, assumptions, .. } = build;
    let mut reading = Reading { core: core(inputs, name.as_deref(), body, span), name, ranged, assumptions };
    integers.iter().for_each(|input| reading.set_format(input, "integer"));
    reading.restrict(conditions);
    Ok(reading)
}

/// The names of the inputs among what stands before `->`.
fn declared(tokens: &[Token]) -> Result<Vec<String>, Diagnostic> {
    let mut names: Vec<String> = Vec::new();
    for pair in tokens.windows(2) {
        if let TokenKind::Name { prefix, name } = &pair[0].kind
            && prefix.is_empty()
            && pair[1].kind == TokenKind::Sign(":")
        {
            if names.contains(name) {
                return Err(Diagnostic::semantic(pair[0].span, format!("two inputs are called {}", quote(name))));
            }
            names.push(name.clone());
        }
    }
    Ok(names)
}

/// The ranges and conditions up to `->` or the end.
fn ranges(parser: &mut Parser<'_>) -> Result<Vec<Expr>, Diagnostic> {
    let mut conditions = Vec::new();
    loop {
        let ends = |parser: &Parser<'_>| parser.sign() == Some("->") || parser.peek().kind == TokenKind::End;
        if ends(parser) {
            return Ok(conditions);
        }
        conditions.extend(range(parser)?);
        if !ends(parser) {
            parser.expect(",")?;
        }
    }
}

/// A formula with its inputs and its name.
pub(super) fn core(inputs: Vec<String>, name: Option<&str>, body: Expr, span: Span) -> Core {
    let title = DatumKind::String(name.unwrap_or("formula").to_owned());
    let value = Value::Data(Datum { kind: title, span: Span::default() });
    let props = vec![Property { key: "name".to_owned(), key_span: Span::default(), value }];
    let arg = |name| Arg { name, props: Vec::new(), sizes: Vec::new(), size_names: Vec::new(), span: Span::default() };
    Core {
        ident: None,
        args: inputs.into_iter().map(arg).collect(),
        props,
        body,
        element: Vec::new(),
        results: Vec::new(),
        sizes: Vec::new(),
        span,
    }
}

/// Takes `v =`, and returns the name.
fn result_name(parser: &mut Parser<'_>) -> Option<String> {
    let TokenKind::Name { prefix, name } = &parser.peek().kind else { return None };
    let is_name = prefix.is_empty() && parser.tokens.get(parser.at + 1).is_some_and(|t| t.kind == TokenKind::Sign("="));
    let name = is_name.then(|| name.clone())?;
    parser.at += 2;
    Some(name)
}
