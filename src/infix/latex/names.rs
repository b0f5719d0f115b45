//! Names of variables: a letter with marks over it and an index.

use super::Latex;
use super::lex::{Piece, PieceKind};
use super::operand::{ACCENTS, GREEK, has};
use crate::text::{Diagnostic, Span};

impl Latex<'_> {
    /// The place of the first `=` that is not in braces.
    fn equals(&self) -> Option<usize> {
        let mut depth = 0_i32;
        self.pieces.iter().position(|p| {
            depth += match p.kind {
                PieceKind::Sign('{') => 1,
                PieceKind::Sign('}') => -1,
                _ => 0,
            };
            depth == 0 && p.kind == PieceKind::Sign('=')
        })
    }

    /// Takes `v =` or `f(x, y) =`, and returns the name; what is in brackets are the first inputs.
    pub(super) fn result_name(&mut self) -> Result<Option<String>, Diagnostic> {
        let Some(equals) = self.equals() else { return Ok(None) };
        let has_cases = self.pieces[..equals].iter().any(|p| p.kind == PieceKind::Command("begin".to_owned()));
        if has_cases {
            return Ok(None);
        }
        let start = self.peek().span;
        let is_variable = self.starts_variable();
        let name = if is_variable { self.variable()? } else { None };
        if name.is_some() && self.takes('(') {
            while self.starts_variable() {
                let at = self.peek().span;
                if let Some(input) = self.variable()? {
                    self.build.input(&input, self.since(at));
                }
                let _ = self.takes(',');
            }
            let _ = self.takes(')');
        }
        match name {
            Some(name) if self.takes('=') => Ok(Some(name)),
            _ => {
                let span = Span { start: start.start, end: self.pieces[equals].span.end };
                let hint = "a formula is read, no equation: `v = \\sqrt{2gh}` or `\\sqrt{2gh}`";
                Err(Diagnostic::syntax(span, "a name stands before `=`, and nothing else").hint(hint))
            }
        }
    }

    /// The name of a variable with its index; none for Euler's number in upright letters.
    pub(super) fn variable(&mut self) -> Result<Option<String>, Diagnostic> {
        let piece = self.next();
        let mut name = match &piece.kind {
            PieceKind::Letter(letter) => letter.to_string(),
            PieceKind::Upright(word) if word == "e" && !self.is_sign('_') => return Ok(None),
            PieceKind::Upright(word) if matches!(word.as_str(), "i" | "d") => {
                let what = if word == "i" { "the imaginary unit" } else { "a differential" };
                let message = format!("an upright {word} is {what}");
                return Err(Diagnostic::semantic(piece.span, message).hint("formulas are over the real numbers"));
            }
            PieceKind::Upright(word) => word.replace(' ', "_"),
            PieceKind::Command(mark) if has(ACCENTS, mark) => {
                let is_group = self.takes('{');
                let inside = self.next();
                let base = Self::spelling(&inside).filter(|base| !base.starts_with(|c: char| c.is_ascii_digit()));
                let base = base.ok_or_else(|| {
                    let message = format!("a letter is missing behind `\\{mark}`");
                    Diagnostic::syntax(inside.span, message).hint(format!("write `\\{mark}{{x}}`"))
                })?;
                if is_group {
                    self.expect('}')?;
                }
                format!("{base}_{mark}")
            }
            PieceKind::Command(greek) => greek.clone(),
            _ => return Err(self.unexpected("a letter is missing")),
        };
        let before_letter = self.is_letter(0);
        if piece.kind == PieceKind::Command("Delta".to_owned()) && before_letter {
            let message = "`\\Delta` before a letter has two readings: a difference, or a product";
            let letter = self.spelled(self.peek().span);
            let hint =
                format!("write `{{\\Delta {letter}}}` for one variable, `\\Delta \\cdot {letter}` for a product");
            return Err(Diagnostic::semantic(piece.span, message).hint(hint));
        }
        if self.takes('_') {
            name = format!("{name}_{}", self.index()?);
        }
        if self.is_sign('\'') {
            return Err(self.unexpected("a prime may be a derivative"));
        }
        Ok(Some(name))
    }

    /// Whether the piece so many behind the next is a letter.
    pub(super) fn is_letter(&self, behind: usize) -> bool {
        self.pieces.get(self.at + behind).is_some_and(|p| match &p.kind {
            PieceKind::Letter(_) => true,
            PieceKind::Command(name) => has(GREEK, name),
            _ => false,
        })
    }

    /// A letter, a word or a number as a part of a name.
    fn spelling(piece: &Piece) -> Option<String> {
        match &piece.kind {
            PieceKind::Letter(letter) => Some(letter.to_string()),
            PieceKind::Number(text, _) => Some(text.replace('.', "_")),
            PieceKind::Upright(word) => Some(word.replace(' ', "_")),
            PieceKind::Command(name) if has(GREEK, name) => Some(name.clone()),
            PieceKind::Command(name) if name == "infty" => Some("inf".to_owned()),
            PieceKind::Sign(',') => Some("_".to_owned()),
            _ => None,
        }
    }

    /// What stands behind `_`.
    fn index(&mut self) -> Result<String, Diagnostic> {
        let hint = "an index is made of letters and digits, as in `x_{max}`";
        if !self.takes('{') {
            let piece = self.next();
            let is_one = !matches!(&piece.kind, PieceKind::Number(text, _) if text.len() > 1);
            return match Self::spelling(&piece).filter(|_| is_one) {
                Some(text) => Ok(text),
                None => Err(Diagnostic::syntax(piece.span, "this is no index of one character").hint(hint)),
            };
        }
        let mut name = String::new();
        while !self.takes('}') {
            let Some(text) = Self::spelling(self.peek()) else {
                return Err(self.unexpected("an index goes on or ends").hint(hint));
            };
            self.at += 1;
            name += &text;
        }
        Ok(name)
    }
}
