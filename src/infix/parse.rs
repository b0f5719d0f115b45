//! Reading tokens by how tightly operators bind (V. Pratt, Top down operator precedence, POPL 1973).

use super::Notation;
use super::build::{Build, Part, Read};
use super::functions;
use super::lex::{Token, TokenKind};
use super::operators::{self, Infix, Level, Powers, Prefix};
use crate::ops::Op;
use crate::spec::core::{Compare, Expr, ExprKind};
use crate::text::{Diagnostic, Span, quote};

/// The deepest nesting that is read; what is printed of it stays below what FPCore may have.
const DEEPEST: usize = 60;
/// Words that are no names.
const WORDS: [&str; 5] = ["and", "or", "not", "if", "else"];

/// A text that is being read.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    pub(super) build: Build,
    depth: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, tokens: Vec<Token>, build: Build) -> Self {
        Parser { text, tokens, at: 0, build, depth: 0 }
    }

    /// The token that comes next; the last one is the end.
    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    pub(super) fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    /// The spelling of an operator, bracket or word that comes next.
    pub(super) fn sign(&self) -> Option<&str> {
        match &self.peek().kind {
            TokenKind::Sign(sign) => Some(sign),
            TokenKind::Name { prefix, name } if prefix.is_empty() && WORDS.contains(&name.as_str()) => Some(name),
            _ => None,
        }
    }

    /// Takes a sign if it comes next.
    pub(super) fn takes(&mut self, sign: &str) -> bool {
        let is_next = self.sign() == Some(sign);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Diagnostic> {
        if self.takes(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}` is missing"))) }
    }

    /// What is wrong at the next token.
    pub(super) fn unexpected(&self, wanted: &str) -> Diagnostic {
        let token = self.peek();
        let found = match &token.kind {
            TokenKind::End => "the text ends here".to_owned(),
            _ => format!("found {}", quote(&self.text[token.span.start..token.span.end])),
        };
        Diagnostic::syntax(token.span, format!("{wanted}: {found}"))
    }

    fn notation(&self) -> Notation {
        self.build.notation
    }

    /// A whole formula: anything down to a choice.
    pub(super) fn formula(&mut self) -> Read {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = format!("brackets and choices are nested more than {DEEPEST} deep");
            return Err(Diagnostic::syntax(self.peek().span, message));
        }
        let part = self.expression(Level::Whole)?;
        let read = self.choice(part);
        self.depth -= 1;
        read.and_then(Build::bounded)
    }

    /// `c ? a : b`, or Python's `a if c else b`.
    fn choice(&mut self, part: Part) -> Read {
        let start = part.span().start;
        let python = matches!(self.notation(), Notation::Python | Notation::Plain);
        if self.sign() == Some("?") {
            if matches!(self.notation(), Notation::Python | Notation::Sympy | Notation::Matlab) {
                let message = format!("`?` is no operator of {}", self.notation().title());
                let hint = if python { "write `a if c else b`" } else { "say `--language c`" };
                return Err(Diagnostic::syntax(self.peek().span, message).hint(hint));
            }
            self.at += 1;
            let yes = self.formula()?;
            self.expect(":")?;
            let no = self.formula()?;
            let span = Span { start, end: no.span().end };
            return Build::conditional(part, yes, no, span);
        }
        if python && self.takes("if") {
            let condition = self.expression(Level::Whole)?;
            self.expect("else")?;
            let no = self.formula()?;
            let span = Span { start, end: no.span().end };
            return Build::conditional(condition, part, no, span);
        }
        Ok(part)
    }

    /// What binds at least so tightly.
    fn expression(&mut self, least: Level) -> Read {
        let mut left = self.operand()?;
        while let Some(row) = self.sign().and_then(|s| operators::infix(s, self.notation())) {
            if let Infix::Refused(why, hint) = row.means {
                let message = format!("{} {why}", quote(row.sign));
                return Err(Diagnostic::semantic(self.peek().span, message).hint(hint));
            }
            if row.level < least {
                break;
            }
            left = match row.means {
                Infix::Compare(_) => self.comparison(left)?,
                Infix::Power => self.power(left)?,
                means => {
                    self.at += 1;
                    let right = self.expression(above(row.level))?;
                    self.build.binary(means, left, right)?
                }
            };
        }
        self.beside()?;
        Ok(left)
    }

    /// Refuses what stands beside a finished operand without an operator.
    fn beside(&self) -> Result<(), Diagnostic> {
        let is_operand = match &self.peek().kind {
            TokenKind::Number { .. } | TokenKind::Text(_) => true,
            TokenKind::Name { .. } => self.sign().is_none(),
            TokenKind::Sign(sign) => matches!(*sign, "(" | "[" | "{"),
            TokenKind::End => false,
        };
        if !is_operand {
            return Ok(());
        }
        Err(self.unexpected("an operator is missing").hint("multiplication is written `*`"))
    }

    fn comparison(&mut self, first: Part) -> Read {
        let (mut parts, mut relations) = (vec![first], Vec::new());
        let begin = self.peek().span;
        while let Some(Infix::Compare(relation)) = self.relation() {
            self.at += 1;
            relations.push(relation);
            parts.push(self.expression(above(Level::Compare))?);
        }
        if relations.len() > 1 && !operators::chains(self.notation()) {
            let message =
                "`a < b < c` does not mean the same in all languages: in C and MATLAB it compares a condition with c";
            return Err(Diagnostic::semantic(begin, message).hint("write `a < b && b < c`"));
        }
        self.build.compared(parts, &relations)
    }

    fn relation(&self) -> Option<Infix> {
        let row = operators::infix(self.sign()?, self.notation())?;
        matches!(row.means, Infix::Compare(_)).then_some(row.means)
    }

    /// A power, with all that stand behind it.
    fn power(&mut self, base: Part) -> Read {
        let powers = operators::powers(self.notation());
        let sign = self.next().span;
        let is_signed = self.sign().is_some_and(|s| operators::prefix(s, self.notation()).is_some());
        let exponent = self.deeper(|parser| match powers {
            Powers::Right => parser.expression(if is_signed { Level::Unary } else { Level::Power }),
            _ => parser.exponent(),
        })?;
        let another =
            self.sign().and_then(|s| operators::infix(s, self.notation())).is_some_and(|r| r.means == Infix::Power);
        if another && (powers == Powers::Refused || powers == Powers::Left && is_signed) {
            let span = Span { start: sign.start, end: self.peek().span.end };
            let message =
                "of two powers beside each other MATLAB takes the left one first, and other languages the right one";
            return Err(Diagnostic::semantic(span, message).hint("write brackets: `a^(b^c)` or `(a^b)^c`"));
        }
        self.build.binary(Infix::Power, base, exponent)
    }

    /// An exponent of which signs are a part, and no other power.
    fn exponent(&mut self) -> Read {
        let token = self.peek().clone();
        let prefix = self.sign().and_then(|s| operators::prefix(s, self.notation())).map(|p| p.0);
        match prefix {
            Some(Prefix::Minus) => {
                self.at += 1;
                let part = self.deeper(Self::exponent)?;
                let span = Span { start: token.span.start, end: part.span().end };
                Build::negate(part, span)
            }
            Some(Prefix::Plus) => {
                self.at += 1;
                self.deeper(Self::exponent)
            }
            _ => self.operand(),
        }
    }

    fn operand(&mut self) -> Read {
        self.deeper(Self::any_operand)
    }

    /// Reads what is one level below.
    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Read) -> Read {
        self.depth += 1;
        if self.depth > 3 * DEEPEST {
            return Err(Diagnostic::syntax(self.peek().span, "this is nested too deep"));
        }
        let part = read(self);
        self.depth -= 1;
        part
    }

    fn any_operand(&mut self) -> Read {
        let start = self.peek().span.start;
        if let Some((prefix, level)) = self.sign().and_then(|s| operators::prefix(s, self.notation())) {
            self.at += 1;
            let part = self.expression(level)?;
            let span = Span { start, end: part.span().end };
            return match prefix {
                Prefix::Plus => Build::as_number(part.clone()).map(|_| Part { grouped: true, ..part }),
                Prefix::Minus => Build::negate(part, span),
                Prefix::Not => Build::not(part, span),
                Prefix::Root => {
                    let kind = ExprKind::Op(Op::Sqrt, vec![Build::as_number(part)?]);
                    Ok(Build::real(Expr { kind, span }))
                }
            };
        }
        if self.sign() == Some("(") {
            return self.bracket();
        }
        let refused = self.sign().and_then(|s| operators::infix(s, self.notation())).map(|r| (r.sign, r.means));
        if let Some((sign, Infix::Refused(why, hint))) = refused {
            return Err(Diagnostic::semantic(self.peek().span, format!("{} {why}", quote(sign))).hint(hint));
        }
        if matches!(self.sign(), Some("[" | "{")) {
            let message = "arrays are not read: a formula is a number";
            return Err(Diagnostic::syntax(self.peek().span, message).hint("round brackets group"));
        }
        if self.sign().is_some() {
            let is_choice = self.sign() == Some("if");
            let unexpected = self.unexpected("a number, a name or a bracket is missing");
            let hint = match self.notation() {
                Notation::Python | Notation::Sympy => "a choice is written `a if c else b`",
                _ => "a choice is written `c ? a : b`",
            };
            return Err(unexpected.maybe_hint(is_choice.then(|| hint.to_owned())));
        }
        let token = self.next();
        match token.kind {
            TokenKind::Number { text, value, whole, single } => {
                Ok(self.build.number(&text, value, whole, single, token.span))
            }
            TokenKind::Name { prefix, name } if self.sign() == Some("(") => self.call(&prefix, &name, token.span),
            TokenKind::Name { prefix, name } => self.build.name(&prefix, &name, token.span),
            TokenKind::Sign(_) | TokenKind::Text(_) | TokenKind::End => {
                self.at -= 1;
                Err(self.unexpected("a number, a name or a bracket is missing"))
            }
        }
    }

    /// Brackets, or one of C's casts.
    fn bracket(&mut self) -> Read {
        let start = self.next().span.start;
        if self.notation() == Notation::C
            && let TokenKind::Name { prefix, name } = &self.peek().kind
            && prefix.is_empty()
            && self.tokens.get(self.at + 1).is_some_and(|t| t.kind == TokenKind::Sign(")"))
            && ["double", "float", "int", "long"].contains(&name.as_str())
        {
            let (name, span) = (name.clone(), self.peek().span);
            if matches!(name.as_str(), "int" | "long") {
                let message = format!("a cast to {name} cuts a fraction off");
                return Err(Diagnostic::semantic(span, message).hint("write `trunc(x)`"));
            }
            self.at += 2;
            let part = self.expression(Level::Unary)?;
            if name == "float" {
                self.build.assume(span, "`(float)` rounds, which plays no part over the real numbers");
            }
            return Ok(Build::real(Build::as_number(part)?));
        }
        let mut part = self.formula()?;
        self.expect(")")?;
        // The text of a part has its brackets.
        part.expr.span = Span { start, end: self.tokens[self.at - 1].span.end };
        Ok(Part { grouped: true, ..part })
    }

    fn call(&mut self, prefix: &str, name: &str, head: Span) -> Read {
        self.at += 1;
        if self.notation() == Notation::Sympy
            && functions::is_prefix(prefix, Notation::Sympy)
            && let Some(read) = self.sympy_call(name, head)
        {
            return read;
        }
        let mut arguments = Vec::new();
        if !self.takes(")") {
            loop {
                arguments.push(self.formula()?);
                if self.takes(")") {
                    break;
                }
                let ends = self.peek().kind == TokenKind::End;
                self.expect(if ends { ")" } else { "," })?;
            }
        }
        let span = Span { start: head.start, end: self.tokens[self.at - 1].span.end };
        self.build.call(prefix, name, arguments, span, head)
    }

    /// A relation `<` or `<=` for an end of a range.
    pub(super) fn relation_of(strict: bool) -> Compare {
        if strict { Compare::Lt } else { Compare::Le }
    }
}

/// The level above one, for the right operand of what associates to the left.
fn above(level: Level) -> Level {
    match level {
        Level::Whole => Level::Or,
        Level::Or => Level::And,
        Level::And => Level::EachOr,
        Level::EachOr => Level::EachAnd,
        Level::EachAnd => Level::Not,
        Level::Not => Level::Compare,
        Level::Compare => Level::BitOr,
        Level::BitOr => Level::BitXor,
        Level::BitXor => Level::BitAnd,
        Level::BitAnd => Level::Shift,
        Level::Shift => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product => Level::Ratio,
        Level::Ratio => Level::Unary,
        Level::Unary | Level::Power => Level::Power,
    }
}
