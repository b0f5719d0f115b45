//! LaTeX as textbooks write formulas: letters beside each other are a product, `\sin 2x` is the sine of 2x.
//!
//! What has two readings is refused: `a/bc`, `\sin(x)^2`, `\sin^{-1} x`, `\log x`, `2\frac{1}{2}`.

mod apply;
mod cases;
mod degrees;
mod hints;
mod lex;
mod names;
mod operand;

use super::build::{Build, Part, Read};
use super::operators::Infix;
use crate::text::{Diagnostic, Span, quote};
use lex::{Piece, PieceKind, pieces};

/// The deepest nesting that is read.
const DEEPEST: usize = 60;

/// A text that is being read.
pub(super) struct Latex<'a> {
    text: &'a str,
    pieces: Vec<Piece>,
    at: usize,
    build: Build,
    depth: usize,
    /// How many bars are open that an absolute value ends with.
    bars: usize,
    /// Whether the factor that was read last is a variable.
    after_variable: bool,
    /// Whether `e` is Euler's number somewhere.
    euler: bool,
}

/// The formula that begins at a byte of a text, with the name of its result.
pub(super) fn formula(text: &str, start: usize, build: Build) -> Result<(Option<String>, Part, Build), Diagnostic> {
    let pieces = pieces(text, start)?;
    let mut latex = Latex { text, pieces, at: 0, build, depth: 0, bars: 0, after_variable: false, euler: false };
    let name = latex.result_name()?;
    let part = latex.sum()?;
    let _ = latex.takes('.') || latex.takes(',') || latex.takes(';');
    if latex.peek().kind != PieceKind::End {
        return Err(latex.unexpected("the formula ends before this"));
    }
    Ok((name, part, latex.build))
}

impl<'a> Latex<'a> {
    fn peek(&self) -> &Piece {
        &self.pieces[self.at.min(self.pieces.len() - 1)]
    }

    /// The piece after the next.
    fn second(&self) -> &Piece {
        &self.pieces[(self.at + 1).min(self.pieces.len() - 1)]
    }

    fn next(&mut self) -> Piece {
        let piece = self.peek().clone();
        self.at += 1;
        piece
    }

    fn is_sign(&self, sign: char) -> bool {
        self.peek().kind == PieceKind::Sign(sign)
    }

    fn takes(&mut self, sign: char) -> bool {
        let is_next = self.is_sign(sign);
        self.at += usize::from(is_next);
        is_next
    }

    fn command(&self) -> Option<&str> {
        if let PieceKind::Command(name) = &self.peek().kind { Some(name) } else { None }
    }

    fn takes_command(&mut self, names: &[&str]) -> bool {
        let is_next = self.command().is_some_and(|name| names.contains(&name));
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, sign: char) -> Result<(), Diagnostic> {
        if self.takes(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}` is missing"))) }
    }

    /// The place from a piece to the last one that was taken.
    fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.pieces[self.at.max(1) - 1].span.end.max(start.end) }
    }

    fn spelled(&self, span: Span) -> &'a str {
        &self.text[span.start..span.end]
    }

    /// What is wrong at the next piece.
    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let piece = self.peek();
        let found = match &piece.kind {
            PieceKind::End => "the text ends here".to_owned(),
            _ => format!("found {}", quote(self.spelled(piece.span))),
        };
        Diagnostic::syntax(piece.span, format!("{wanted}: {found}")).maybe_hint(hints::hint(&piece.kind))
    }

    /// Terms with `+` and `-` between them.
    fn sum(&mut self) -> Read {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Diagnostic::syntax(self.peek().span, format!("this is nested more than {DEEPEST} deep")));
        }
        let start = self.peek().span;
        let is_negative = self.takes('-');
        if !is_negative {
            self.takes('+');
        }
        let mut left = self.term()?;
        if is_negative {
            left = Build::negate(left, self.since(start))?;
        }
        loop {
            let means = match self.peek().kind {
                PieceKind::Sign('+') => Infix::Add,
                PieceKind::Sign('-') => Infix::Sub,
                _ => break,
            };
            self.at += 1;
            let right = self.term()?;
            left = self.build.binary(means, left, right)?;
        }
        self.depth -= 1;
        Build::bounded(left)
    }

    /// Products with `\cdot` and `/` between them.
    fn term(&mut self) -> Read {
        let mut left = self.product()?.0;
        loop {
            let at = self.peek().span;
            let is_quotient = if self.takes_command(&["cdot", "times", "ast"]) || self.takes('*') {
                false
            } else if self.takes_command(&["div"]) || self.takes('/') {
                true
            } else {
                return Ok(left);
            };
            let (right, factors) = self.product()?;
            if is_quotient && factors > 1 {
                let span = Span { start: at.start, end: right.span().end };
                let message = "a product behind `/` has two readings: `a/bc` may be a/(bc) or (a/b)c";
                return Err(Diagnostic::semantic(span, message).hint("write `\\frac{a}{bc}`"));
            }
            let means = if is_quotient { Infix::Div } else { Infix::Mul };
            left = self.build.binary(means, left, right)?;
        }
    }

    /// Factors beside each other, and how many they are.
    fn product(&mut self) -> Result<(Part, usize), Diagnostic> {
        let mut run = self.peek().span;
        let mut count = 1;
        let mut left = self.factor()?;
        while self.starts_factor(self.peek()) {
            let before = self.pieces[self.at - 1].clone();
            self.beside(&before)?;
            let is_run = matches!(before.kind, PieceKind::Letter(_))
                && matches!(self.peek().kind, PieceKind::Letter(_))
                && !self.peek().spaced;
            if !is_run {
                run = self.peek().span;
            }
            let right = self.factor()?;
            if is_run {
                let span = self.since(run);
                self.run_of_letters(span)?;
            }
            left = self.build.binary(Infix::Mul, left, right)?;
            count += 1;
        }
        Ok((left, count))
    }

    /// Letters that stand beside each other: a product, unless they spell a function.
    fn run_of_letters(&mut self, span: Span) -> Result<(), Diagnostic> {
        let word: String = self.spelled(span).chars().take_while(|c| c.is_alphabetic()).collect();
        let functions = ["sin", "cos", "tan", "exp", "log", "ln", "sqrt", "max", "min", "erf", "abs", "pi"];
        if let Some(name) = functions.iter().find(|f| **f == word) {
            let span = Span { start: span.start, end: span.start + word.len() };
            let message = format!("`{name}` without a backslash is a product of letters");
            return Err(Diagnostic::semantic(span, message).hint(format!("write `\\{name}`")));
        }
        let is_whole = word.chars().count() > 1 && !self.peek_is_letter();
        if is_whole {
            let letters: Vec<String> = word.chars().map(String::from).collect();
            self.build.assume(span, format!("`{word}` is the product {}", letters.join("·")));
        }
        Ok(())
    }

    fn peek_is_letter(&self) -> bool {
        matches!(self.peek().kind, PieceKind::Letter(_)) && !self.peek().spaced
    }

    /// What cannot stand beside a factor.
    fn beside(&mut self, before: &Piece) -> Result<(), Diagnostic> {
        let piece = self.peek().clone();
        let both = Span { start: before.span.start, end: piece.span.end };
        let is_bracket = piece.kind == PieceKind::Sign('(');
        match (&before.kind, &piece.kind) {
            (PieceKind::Number(..), PieceKind::Number(..)) => {
                return Err(self.unexpected("an operator is missing"));
            }
            (_, PieceKind::Number(..)) => {
                let message = "a number behind a factor has two readings: an index or a factor";
                return Err(Diagnostic::semantic(both, message).hint("write `x_2` or `2x`"));
            }
            (PieceKind::Number(..), PieceKind::Command(name))
                if name.ends_with("frac") && self.is_fraction_of_numbers() =>
            {
                let message = "a number before a fraction has two readings: a sum or a product";
                return Err(Diagnostic::semantic(both, message).hint("write `\\frac{5}{2}`, or `\\cdot`"));
            }
            (PieceKind::Number(..), PieceKind::Upright(name)) if name != "e" && !self.is_function() => {
                let message = "an upright name behind a number has two readings: a unit or a factor";
                return Err(Diagnostic::semantic(both, message).hint("leave units out, or write `\\cdot`"));
            }
            _ if is_bracket && self.after_variable => self.letter_before_bracket(before, both)?,
            _ => {}
        }
        Ok(())
    }

    /// `P(1+i)` is a product, `f(x)` may be a function of x.
    fn letter_before_bracket(&mut self, letter: &Piece, both: Span) -> Result<(), Diagnostic> {
        let name = self.spelled(letter.span);
        let inside = &self.pieces[self.at + 1..];
        let end = inside.iter().position(|p| matches!(p.kind, PieceKind::Sign(')'))).unwrap_or(inside.len());
        let is_sum = inside[..end].iter().any(|p| matches!(p.kind, PieceKind::Sign('+' | '-')));
        if !is_sum || inside[..end].iter().any(|p| p.kind == PieceKind::Sign(',')) {
            let message = format!("`{name}(…)` has two readings: a function of what is in brackets, or a product");
            return Err(
                Diagnostic::semantic(both, message).hint(format!("write `{name} \\cdot (…)`, or what {name} is"))
            );
        }
        self.build.assume(both, format!("`{name}(…)` is the product of {name} and what is in brackets"));
        Ok(())
    }
}
