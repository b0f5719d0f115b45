//! Pieces of a formula in LaTeX.

use crate::num::Rational;
use crate::spec::parse_rational;
use crate::text::{Diagnostic, Span, quote};

/// A piece of a text.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) kind: PieceKind,
    pub(super) span: Span,
    /// Whether a space stands before it, or a command that is one.
    pub(super) spaced: bool,
}

/// See [`Piece`].
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PieceKind {
    /// Digits, with a point or none.
    Number(String, Rational),
    /// A letter, which is a variable.
    Letter(char),
    /// A command without its backslash; `\\` is that with the name `\`.
    Command(String),
    /// A name in upright letters, as `\mathrm{…}`, `\text{…}` and `\operatorname{…}` have it.
    Upright(String),
    /// Any other character.
    Sign(char),
    /// The end of the text.
    End,
}

/// Commands that are spaces or say how something looks, and mean nothing.
const NOTHING: [&str; 23] = [
    ",",
    ";",
    ":",
    "!",
    " ",
    "quad",
    "qquad",
    "displaystyle",
    "textstyle",
    "limits",
    "nolimits",
    "nonumber",
    "notag",
    "left",
    "right",
    "big",
    "Big",
    "bigl",
    "bigr",
    "Bigl",
    "Bigr",
    "bigg",
    "Bigg",
];
/// Commands of which the name in braces is one name.
const UPRIGHT: [&str; 8] = ["mathrm", "text", "operatorname", "mathit", "mathsf", "textrm", "rm", "mbox"];
/// Commands that mean nothing, with what is in their braces.
const LABELS: [&str; 2] = ["label", "tag"];
/// Environments that say where a formula stands on its page.
const DISPLAYS: [&str; 4] = ["equation", "equation*", "displaymath", "math"];

/// Reads the pieces of a formula that begins there. Dollars and the like around it are left out.
pub(super) fn pieces(text: &str, start: usize) -> Result<Vec<Piece>, Diagnostic> {
    let mut scan = Scan { text, at: start, spaced: false };
    let mut all = Vec::new();
    while let Some(piece) = scan.piece()? {
        all.push(piece);
    }
    let end = text.trim_end().len().max(start);
    all.push(Piece { kind: PieceKind::End, span: Span { start: end, end }, spaced: true });
    Ok(all)
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    spaced: bool,
}

impl Scan<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn piece(&mut self) -> Result<Option<Piece>, Diagnostic> {
        loop {
            let before = self.at;
            let Some(first) = self.rest().chars().next() else { return Ok(None) };
            let kind = self.kind(first)?;
            let spaced = std::mem::replace(&mut self.spaced, kind.is_none());
            if let Some(kind) = kind {
                return Ok(Some(Piece { kind, span: Span { start: before, end: self.at }, spaced }));
            }
        }
    }

    /// What begins with a character; none for what means nothing.
    fn kind(&mut self, first: char) -> Result<Option<PieceKind>, Diagnostic> {
        if first.is_ascii_digit() || first == '.' && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) {
            return self.number().map(Some);
        }
        if first == '\\' {
            return self.command();
        }
        self.at += first.len_utf8();
        if first == '%' {
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            return Ok(None);
        }
        if first.is_whitespace() || matches!(first, '$' | '~') {
            return Ok(None);
        }
        Ok(Some(match first {
            'π' => PieceKind::Command("pi".to_owned()),
            '·' | '×' | '⋅' => PieceKind::Command("cdot".to_owned()),
            '\u{2212}' => PieceKind::Sign('-'),
            c if c.is_alphabetic() => PieceKind::Letter(c),
            c => PieceKind::Sign(c),
        }))
    }

    fn number(&mut self) -> Result<PieceKind, Diagnostic> {
        let start = self.at;
        let mut points = 0;
        let mut digit = |c: char| {
            points += usize::from(c == '.');
            c.is_ascii_digit() || c == '.' && points == 1
        };
        self.at += self.rest().find(|c| !digit(c)).unwrap_or(self.rest().len());
        // At the end of a row the point ends a sentence: `x < 0. \\end{cases}`.
        let behind = self.rest().trim_start();
        if self.text[start..self.at].ends_with('.') && [r"\\", r"\end"].iter().any(|end| behind.starts_with(end)) {
            self.at -= 1;
        }
        let span = Span { start, end: self.at };
        if self.rest().starts_with("{,}") {
            let span = Span { start, end: self.at + 3 };
            return Err(Diagnostic::syntax(span, "a comma in a number has two readings").hint("write a point"));
        }
        let text = self.text[start..self.at].to_owned();
        let value = parse_rational(&text).map_err(|e| Diagnostic::syntax(span, e.to_string()))?;
        Ok(PieceKind::Number(text, value))
    }

    /// What stands in the braces that come next.
    fn argument(&self) -> Option<&str> {
        let rest = self.rest().trim_start().strip_prefix('{')?;
        rest.split_once('}').map(|(inside, _)| inside)
    }

    fn command(&mut self) -> Result<Option<PieceKind>, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let letters = self.rest().find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest().len());
        let length = if letters > 0 { letters } else { self.rest().chars().next().map_or(0, char::len_utf8) };
        let name = self.rest()[..length].to_owned();
        self.at += length;
        if NOTHING.contains(&name.as_str()) || matches!(name.as_str(), "(" | ")" | "[" | "]") {
            // `\left.` has no bracket to be seen.
            if matches!(name.as_str(), "left" | "right") && self.rest().trim_start().starts_with('.') {
                let span = Span { start, end: self.at };
                return Err(Diagnostic::syntax(span, "a bracket that is not seen has no partner")
                    .hint("write brackets, or `\\begin{cases}` for a choice"));
            }
            return Ok(None);
        }
        let argument = self.argument();
        let is_display = matches!(name.as_str(), "begin" | "end") && argument.is_some_and(|a| DISPLAYS.contains(&a));
        if is_display || LABELS.contains(&name.as_str()) && argument.is_some() {
            self.at += self.rest().find('}').map_or(0, |at| at + 1);
            return Ok(None);
        }
        if name == "operatorname" && self.rest().starts_with('*') {
            self.at += 1;
        }
        if !UPRIGHT.contains(&name.as_str()) {
            return Ok(Some(PieceKind::Command(name)));
        }
        let Some(inside) = self.argument().map(str::to_owned) else {
            let span = Span { start, end: self.at };
            return Err(Diagnostic::syntax(span, format!("a name in braces is missing behind `\\{name}`"))
                .hint(format!("write `\\{name}{{max}}`")));
        };
        self.at += self.rest().find('}').map_or(0, |at| at + 1);
        // Of a sentence its end is no part of a name.
        let word = inside.trim().trim_end_matches(['.', ',', ';']).trim_end();
        match word {
            "\\pi" => return Ok(Some(PieceKind::Command("pi".to_owned()))),
            _ if word.is_empty() => return Ok(None),
            _ if word.starts_with(char::is_alphabetic) && word.chars().all(|c| c.is_alphanumeric() || c == ' ') => {}
            _ => {
                let span = Span { start, end: self.at };
                let message = format!("{} is no name", quote(word));
                return Err(
                    Diagnostic::syntax(span, message).hint("a name begins with a letter, and has letters and digits")
                );
            }
        }
        Ok(Some(PieceKind::Upright(word.to_owned())))
    }
}
