//! What is wrong with a text, where, and what to do about it.

use super::place::line_column;
use super::quote::is_hidden;
use super::span::Span;
use std::fmt::Write as _;

/// What sort of mistake a [`Diagnostic`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiagnosticKind {
    /// The text is not of its language.
    Syntax,
    /// Something that this program does not support, such as loops.
    Unsupported,
    /// A text without a meaning, or without one as a specification: an unbound variable, an empty domain.
    Semantic,
}

/// One mistake in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where it is in the source.
    pub span: Span,
    /// What is wrong, one sentence without a full stop.
    pub message: String,
    /// What may help.
    pub hint: Option<String>,
    /// What sort of mistake it is.
    pub kind: DiagnosticKind,
}

/// The longest excerpt of a source line that is shown.
const WINDOW: usize = 100;
/// The indentation of an excerpt.
const GUTTER: &str = "    ";

impl Diagnostic {
    /// A mistake in the shape of the text.
    #[must_use]
    pub fn syntax(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { span, message: message.into(), hint: None, kind: DiagnosticKind::Syntax }
    }

    /// Something that this program does not support.
    #[must_use]
    pub fn unsupported(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { span, message: message.into(), hint: None, kind: DiagnosticKind::Unsupported }
    }

    /// A mistake in the meaning.
    #[must_use]
    pub fn semantic(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { span, message: message.into(), hint: None, kind: DiagnosticKind::Semantic }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Diagnostic { hint: Some(hint.into()), ..self }
    }

    /// The same with a hint if there is one.
    #[must_use]
    pub fn maybe_hint(self, hint: Option<String>) -> Self {
        Diagnostic { hint, ..self }
    }

    /// The diagnostic as a person reads it: file, line and column, message, the source line with the place marked, hint.
    ///
    /// Lines and columns count from 1, columns in characters. `source` is the text that was read; any bytes will do.
    #[must_use]
    pub fn render(&self, file_name: &str, source: &[u8]) -> String {
        self.render_from(file_name, source, 1)
    }

    /// The same where `source` is a part of the file that begins with line `first`.
    #[must_use]
    pub fn render_from(&self, file_name: &str, source: &[u8], first: usize) -> String {
        let start = self.span.start.min(source.len());
        let end = self.span.end.clamp(start, source.len());
        let (line, column) = line_column(source, start);
        let line = line + first - 1;
        let mut out = format!("error: {file_name}:{line}:{column}: {}\n", self.message);
        let line_start = source[..start].iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
        let line_end = source[start..].iter().position(|&b| b == b'\n').map_or(source.len(), |p| start + p);
        // Only a window of bytes is decoded: a line may be as long as the file.
        let from = line_start.max(start.saturating_sub(4 * WINDOW));
        let to = line_end.min(start + 4 * WINDOW);
        let before: Vec<char> = decode(&source[from..start], from > line_start);
        let after: Vec<char> = decode(&source[start..to], false);
        let marked = decode(&source[start..end.min(to)], false).len().max(1);
        let cut_left = before.len().saturating_sub(WINDOW / 2);
        let text: String = before[cut_left..].iter().chain(&after).take(WINDOW).collect();
        // What is no text is not shown.
        if !text.trim().is_empty() && !text.contains('\u{FFFD}') {
            let left = if cut_left > 0 || from > line_start { "…" } else { "" };
            let right = if before.len() - cut_left + after.len() > WINDOW || to < line_end { "…" } else { "" };
            let column = left.chars().count() + before.len() - cut_left;
            let room = WINDOW.saturating_sub(before.len() - cut_left).max(1);
            let _ = writeln!(out, "{GUTTER}{left}{}{right}", text.trim_end());
            let _ = writeln!(out, "{GUTTER}{:column$}{}", "", "^".repeat(marked.min(room)));
        }
        if let Some(hint) = &self.hint {
            let _ = writeln!(out, "hint: {hint}");
        }
        out
    }
}

/// The characters of a piece of a line, one column each, fit for a terminal.
fn decode(bytes: &[u8], starts_inside: bool) -> Vec<char> {
    // A cut may fall inside a character: drop the bytes that continue it.
    let skip = if starts_inside { bytes.iter().take_while(|&&b| b & 0xC0 == 0x80).count() } else { 0 };
    let text = String::from_utf8_lossy(&bytes[skip..]);
    let shown = |c: char| if c == '\t' || c == '\r' || c == '\u{FEFF}' { ' ' } else { c };
    text.chars().map(|c| if is_hidden(shown(c)) { '\u{FFFD}' } else { shown(c) }).collect()
}
