//! Places of a text as the protocol counts them: lines from 0, and columns in UTF-16 units from 0.

use gen_lsp_types::{Position, Range};
use magneto::text::Span;

/// A text with the places where its lines begin.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    pub(super) text: String,
    /// Where lines begin, in bytes. A line ends with `\n`, `\r\n` or `\r`.
    starts: Vec<usize>,
}

impl Text {
    pub(super) fn new(text: String) -> Self {
        let bytes = text.as_bytes();
        let ends = |k: &usize| bytes[*k] == b'\n' || bytes[*k] == b'\r' && bytes.get(k + 1) != Some(&b'\n');
        let starts = std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|k| k + 1)).collect();
        Text { text, starts }
    }

    /// The place of a byte; of one inside a character that of the character.
    pub(super) fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset).max(1) - 1;
        let before = &self.text[self.starts.get(line).copied().unwrap_or(0)..offset];
        let character = before.chars().map(char::len_utf16).sum::<usize>();
        Position { line: number(line), character: number(character) }
    }

    pub(super) fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end.max(span.start)) }
    }

    /// The byte at a place. What lies behind a line's end is its end, what lies behind the last line the text's end.
    pub(super) fn offset(&self, position: Position) -> usize {
        let Some(start) = self.starts.get(position.line as usize).copied() else { return self.text.len() };
        let next = self.starts.get(position.line as usize + 1).copied().unwrap_or(self.text.len());
        let line = self.text[start..next].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        let within = |(_, c): &(usize, char)| {
            units += number(c.len_utf16());
            units <= position.character
        };
        line.char_indices().take_while(within).last().map_or(start, |(at, c)| start + at + c.len_utf8())
    }

    /// The text with a part replaced.
    pub(super) fn replaced(&self, range: Range, with: &str) -> Text {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        let end = end.max(start);
        Text::new([&self.text[..start], with, &self.text[end..]].concat())
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
