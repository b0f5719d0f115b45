//! What is wrong with a specification, where, and what to do about it.

use super::span::Span;
use std::borrow::Cow;
use std::fmt::Write as _;

/// What sort of mistake a [`Diagnostic`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiagnosticKind {
    /// The text is not FPCore.
    Syntax,
    /// FPCore that this program does not support, such as loops.
    Unsupported,
    /// FPCore without a meaning, or without one as a specification: an unbound variable, an empty domain.
    Semantic,
}

/// One mistake in a specification.
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

/// Line and column of a byte of the source, both from 1; the column counts characters.
#[must_use]
pub fn line_column(source: &[u8], offset: usize) -> (usize, usize) {
    let before = &source[..offset.min(source.len())];
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let before = before[line_start..].strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&before[line_start..]);
    (line, String::from_utf8_lossy(before).chars().count() + 1)
}

/// Lines and columns of many places of one source: [`line_column`], without reading it for each.
pub struct Lines<'a> {
    source: &'a [u8],
    /// Where lines begin.
    starts: Vec<usize>,
    /// The bytes that continue a character; none where the source is no UTF-8.
    inside: Option<Vec<usize>>,
}

impl<'a> Lines<'a> {
    /// Of a source.
    #[must_use]
    pub fn new(source: &'a [u8]) -> Self {
        let ends = source.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(k, _)| k + 1);
        let inside = || source.iter().enumerate().filter(|(_, b)| **b & 0xC0 == 0x80).map(|(k, _)| k).collect();
        let inside = std::str::from_utf8(source).is_ok().then(inside);
        Lines { source, starts: std::iter::once(0).chain(ends).collect(), inside }
    }

    /// Line and column of a byte, both from 1; the column counts characters.
    #[must_use]
    pub fn place(&self, offset: usize) -> (usize, usize) {
        let Some(inside) = &self.inside else { return line_column(self.source, offset) };
        let offset = offset.min(self.source.len());
        let line = self.starts.partition_point(|s| *s <= offset);
        let start = self.starts[line - 1];
        let before = |end: usize| inside.partition_point(|k| *k < end);
        let mark = usize::from(self.source[start..offset].starts_with("\u{FEFF}".as_bytes()));
        (line, offset - start - (before(offset) - before(start)) - mark + 1)
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

/// Whether a character is not shown as itself but does something: controls, formats (such as the marks that turn the
/// direction of a text), separators of lines, and what is no character.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    let format = matches!(c,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}'
        | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}');
    let none = matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe;
    c.is_control() || format || none
}

/// How a hidden character is shown, by its number: `<U+202E>`. None of what is shown as itself, nor of line ends and tabs.
#[must_use]
pub fn number_of(c: char) -> Option<String> {
    (is_hidden(c) && !matches!(c, '\n' | '\t')).then(|| format!("<U+{:04X}>", u32::from(c)))
}

/// A text in which all characters are seen, see [`number_of`].
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    match text.chars().any(|c| is_hidden(c) && !matches!(c, '\n' | '\t')) {
        false => Cow::Borrowed(text),
        true => Cow::Owned(text.chars().map(|c| number_of(c).unwrap_or_else(|| c.to_string())).collect()),
    }
}

/// A piece of a formula, short enough for a line.
#[must_use]
pub fn clip(text: &str) -> String {
    const LONGEST: usize = 48;
    let mut short: String = text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

/// A piece of the source in backquotes, cut where it is too long for a message.
#[must_use]
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    let clean = |c: char| if is_hidden(c) { '\u{FFFD}' } else { c };
    let mut short: String = text.chars().take(LONGEST).map(clean).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    format!("`{short}`")
}

/// The candidate nearest to `name` in spelling, if it is near enough to be what was meant.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let len = name.chars().take(41).count();
    nearest_within(name, candidates, if len <= 2 { 1 } else { 1 + len / 4 })
}

/// The same among the candidates that at most so many edits change into `name`; a change of case is none.
pub(super) fn nearest_within<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Option<&'a str> {
    let name: Vec<char> = name.chars().take(41).collect();
    if name.len() > 40 {
        return None;
    }
    let scored = candidates.into_iter().map(|c| (distance(&name, &c.chars().collect::<Vec<_>>()), c));
    // A distance of the whole word would offer anything for a name of one letter.
    scored.filter(|&(d, c)| d <= limit && d < c.chars().count().max(name.len())).min_by_key(|&(d, _)| d).map(|(_, c)| c)
}

/// Edit distance with transpositions of neighbours; a change of case costs nothing at equal length otherwise.
fn distance(a: &[char], b: &[char]) -> usize {
    let equal = |x: char, y: char| x.eq_ignore_ascii_case(&y);
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let same = equal(a[i - 1], b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + usize::from(!same));
            if i > 1 && j > 1 && equal(a[i - 1], b[j - 2]) && equal(a[i - 2], b[j - 1]) {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
