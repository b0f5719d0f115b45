//! Ranges of inputs: `x: [0, 2*pi)` among what stands before a formula, and `x=[0, 2*pi) m` by itself.

use super::build::Build;
use super::lex::{TokenKind, tokens};
use super::parse::Parser;
use super::{Notation, Reading};
use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::spec::core::{Arg, Expr, ExprKind, Property, Value};
use crate::spec::parse_file;
use crate::text::{Diagnostic, Span, quote};

/// The range of an input, as it is given beside a formula.
#[derive(Clone, Debug)]
pub struct InputRange {
    /// The name of the input.
    pub input: String,
    /// Its unit, if one stands behind the range; only people read it.
    pub unit: Option<String>,
    /// What holds of the input.
    conditions: Vec<Expr>,
    /// Whether it is an integer.
    is_integer: bool,
}

/// How a range is written.
const SHAPE: &str = "write a range as `[0, 1]`, with a round bracket for an end that is left out";
/// What stands before the range of an integer.
const INTEGERS: [&str; 2] = ["integer", "int"];

/// Reads `x=[0, 2*pi)` or `x: [0, 2*pi) rad`: a range as it stands before a formula, `integer` before it for an integer, and a
/// unit behind it.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn read_range(text: &str) -> Result<InputRange, Diagnostic> {
    let mut depth = 0_usize;
    let closes = |(_, c): &(usize, char)| {
        depth += usize::from(matches!(c, '(' | '['));
        let closed = matches!(c, ')' | ']') && depth == 1;
        depth -= usize::from(matches!(c, ')' | ']') && depth > 0);
        closed
    };
    let end = text.char_indices().find(closes).map_or(text.len(), |(at, _)| at + 1);
    let (range_text, unit) = text.split_at(end);
    let tokens = tokens(range_text, Notation::Plain)?;
    let input = match &tokens[0].kind {
        TokenKind::Name { prefix, name } if prefix.is_empty() => name.clone(),
        _ => return Err(Diagnostic::syntax(tokens[0].span, "the name of an input is missing").hint("write `x=[0, 1]`")),
    };
    let names = std::slice::from_ref(&input);
    let mut parser = Parser::new(range_text, tokens, Build::new(Notation::Plain, names));
    if !matches!(parser.tokens[1].kind, TokenKind::Sign("=" | ":")) {
        parser.at = 1;
        return Err(parser.unexpected("`=` and a range are missing").hint("write `x=[0, 1]`"));
    }
    let conditions = bounds(&mut parser, input.clone())?;
    let unit = Some(unit.trim()).filter(|unit| !unit.is_empty()).map(str::to_owned);
    let is_integer = !parser.build.integers.is_empty();
    if let Some(kind) = unit.as_deref().filter(|unit| INTEGERS.contains(unit)) {
        let (start, message) = (text.len() - kind.len(), format!("{} stands before the range", quote(kind)));
        let hint = format!("write `{input}={kind} [0, 10]`; behind a range is its unit");
        return Err(Diagnostic::syntax(Span { start, end: text.len() }, message).hint(hint));
    }
    Ok(InputRange { input, unit, conditions, is_integer })
}

/// The properties of an input of a format.
pub(super) fn precision(format: &str) -> Vec<Property> {
    let file = parse_file(format!("(FPCore ((! :precision {format} x)) x)").as_bytes());
    file.cores.into_iter().flatten().flat_map(|core| core.args).flat_map(|arg| arg.props).collect()
}

impl Reading {
    /// Has an input in a range: a part of the domain from now on.
    pub fn within(&mut self, range: InputRange) {
        self.restrict(range.conditions);
        if range.is_integer {
            self.set_format(&range.input, "integer");
        }
        self.ranged.push(range.input);
    }

    /// Gives an input a format, unless it has one.
    pub(super) fn set_format(&mut self, input: &str, format: &str) {
        let plain = |arg: &&mut Arg| arg.name == input && arg.props.is_empty();
        self.core.args.iter_mut().filter(plain).for_each(|arg| arg.props = precision(format));
    }

    /// Adds conditions to those of the domain.
    pub(super) fn restrict(&mut self, conditions: Vec<Expr>) {
        let props = &mut self.core.props;
        let before = props.iter().position(|p| p.key == "pre").map(|at| (at, props.remove(at).value));
        let (at, mut all) = match before {
            Some((at, Value::Expr(Expr { kind: ExprKind::And(all), .. }))) => (at, all),
            Some((at, Value::Expr(one))) => (at, vec![one]),
            _ => (props.len(), Vec::new()),
        };
        all.extend(conditions);
        let pre = match all.len() {
            0 => return,
            1 => all.remove(0),
            _ => Expr::new(ExprKind::And(all)),
        };
        props.insert(at, Property { key: "pre".to_owned(), key_span: Span::default(), value: Value::Expr(pre) });
    }
}

/// `x: [lo, hi]` as conditions, or a condition on inputs.
pub(super) fn range(parser: &mut Parser<'_>) -> Result<Vec<Expr>, Diagnostic> {
    let is_declaration = parser.tokens.get(parser.at + 1).is_some_and(|t| t.kind == TokenKind::Sign(":"));
    if !is_declaration {
        misplaced(parser)?;
        let part = parser.formula()?;
        let hint = "an input stands before `->` with its range: `x: [0, 1]`";
        return Ok(vec![Build::as_condition(part).map_err(|d| d.hint(hint))?]);
    }
    let name = parser.next();
    parser.at -= 1;
    let input = match name.kind {
        TokenKind::Name { prefix, name } if prefix.is_empty() => name,
        TokenKind::Name { .. } => {
            let hint = "an input has a name of letters, digits and `_`";
            return Err(Diagnostic::syntax(name.span, "a dot or `::` is in the name of an input").hint(hint));
        }
        _ => return Err(parser.unexpected("the name of an input is missing")),
    };
    bounds(parser, input)
}

/// Refuses a declaration in another form: `x in [0, 1]`, `int n: [0, 10]`.
fn misplaced(parser: &Parser<'_>) -> Result<(), Diagnostic> {
    let token = |k: usize| parser.tokens.get(parser.at + k);
    let word = |k: usize| token(k).map_or("", |t| &parser.text[t.span.start..t.span.end]);
    let span = token(0).map_or_else(Span::default, |t| t.span);
    if ["in", "∈"].contains(&word(1)) {
        let message = format!("the range of {} is written behind `:`", quote(word(0)));
        return Err(Diagnostic::syntax(span, message).hint(format!("write `{}: [0, 1]`", word(0))));
    }
    if word(2) == ":" && matches!(token(1), Some(t) if matches!(t.kind, TokenKind::Name { .. })) {
        let is_integer = INTEGERS.contains(&word(0));
        let shape =
            if is_integer { format!("`{}: integer [0, 10]`", word(1)) } else { format!("`{}: [0, 1]`", word(1)) };
        return Err(Diagnostic::syntax(span, "the name of an input stands first").hint(format!("write {shape}")));
    }
    Ok(())
}

/// What holds of an input by the range that stands behind its name and a sign.
fn bounds(parser: &mut Parser<'_>, input: String) -> Result<Vec<Expr>, Diagnostic> {
    let start = parser.peek().span.start;
    parser.at += 2;
    if matches!(&parser.peek().kind, TokenKind::Name { prefix, name } if prefix.is_empty() && INTEGERS.contains(&&**name))
    {
        parser.at += 1;
        parser.build.integers.push(input.clone());
    }
    let lo_strict = match parser.sign() {
        Some("[") => false,
        Some("(") => true,
        _ => return Err(parser.unexpected("a range is missing").hint(SHAPE)),
    };
    parser.at += 1;
    let lo = end(parser, true)?;
    parser.expect(",").map_err(|d| d.hint(SHAPE))?;
    let hi = end(parser, false)?;
    let hi_strict = match parser.sign() {
        Some("]") => false,
        Some(")") => true,
        _ => return Err(parser.unexpected("the range is never closed").hint(SHAPE)),
    };
    parser.at += 1;
    let span = Span { start, end: parser.tokens[parser.at - 1].span.end };
    if let (Some(least), Some(most)) = (lo.as_ref().and_then(number), hi.as_ref().and_then(number))
        && least > most
    {
        return Err(Diagnostic::semantic(span, "the range is empty").hint("the smaller end comes first"));
    }
    let compare = |strict, operands| Expr { kind: ExprKind::Compare(Parser::relation_of(strict), operands), span };
    Ok(match (lo, hi) {
        (Some(lo), Some(hi)) if lo_strict == hi_strict => vec![compare(lo_strict, vec![lo, Expr::var(input), hi])],
        (lo, hi) => {
            let lo = lo.map(|lo| compare(lo_strict, vec![lo, Expr::var(&input)]));
            let hi = hi.map(|hi| compare(hi_strict, vec![Expr::var(&input), hi]));
            lo.into_iter().chain(hi).collect()
        }
    })
}

/// The value of an end that is written as a number.
fn number(end: &Expr) -> Option<Rational> {
    match &end.kind {
        ExprKind::Number(number) => Some(number.value.clone()),
        ExprKind::Op(Op::Neg, operands) => Some(-number(operands.first()?)?),
        _ => None,
    }
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
