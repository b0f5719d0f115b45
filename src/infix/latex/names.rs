//! Names of variables: a letter with marks over it and an index.

use super::Latex;
use super::lex::{Piece, PieceKind};
use super::operand::{ACCENTS, GREEK, has};
use crate::text::Diagnostic;

impl Latex<'_> {
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
                let base = Self::spelling(&inside).ok_or_else(|| {
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
        let before_letter = matches!(self.peek().kind, PieceKind::Letter(_));
        if piece.kind == PieceKind::Command("Delta".to_owned()) && before_letter {
            let message = "`\\Delta` before a letter has two readings: a difference, or a product";
            return Err(Diagnostic::semantic(piece.span, message)
                .hint("write `{\\Delta p}` for one variable, `\\Delta \\cdot p` for a product"));
        }
        if self.takes('_') {
            name = format!("{name}_{}", self.index()?);
        }
        if self.is_sign('\'') {
            return Err(self.unexpected("a prime may be a derivative"));
        }
        Ok(Some(name))
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
