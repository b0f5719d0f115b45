//! Comma-separated rows, one at a time, with the place of every cell. Quotes as in RFC 4180; what that does not allow is
//! an error at its place rather than a guess, which is why no general reader does it.

use super::number::Wrong;
use crate::spec::core::Span;
use std::borrow::Cow;
use std::io::{self, BufRead, Read as _};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The longest row that is read. Unit: bytes.
const LONGEST: usize = 1 << 20;

/// Why there is no next row.
pub(super) enum Stop {
    /// The file cannot be read.
    Io(io::Error),
    /// It is no table: where in the row.
    Wrong(Span, Wrong),
}

/// The rows of a table. Blank lines are skipped.
pub(super) struct Rows<R> {
    source: R,
    /// The row as it stands in the file, its line end included.
    pub(super) raw: Vec<u8>,
    /// The line where it begins, from 1.
    pub(super) line: usize,
    cells: Vec<Cell>,
    /// The bytes read so far.
    pub(super) bytes: Arc<AtomicU64>,
}

struct Cell {
    text: Range<usize>,
    quoted: bool,
}

/// Where a scan of a row is.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// Before the first character of a cell that is no space.
    Start,
    Plain,
    Quoted,
    /// After a quote in a quoted cell: its end, or half of an escaped one.
    Closed,
}

impl<R: BufRead> Rows<R> {
    pub(super) fn new(source: R) -> Self {
        Rows { source, raw: Vec::new(), line: 1, cells: Vec::new(), bytes: Arc::default() }
    }

    /// Go to the next row. Returns whether there is one.
    pub(super) fn advance(&mut self) -> Result<bool, Stop> {
        loop {
            self.line += self.raw.iter().filter(|b| **b == b'\n').count();
            self.raw.clear();
            if !self.read_line()? {
                return Ok(false);
            }
            if self.line == 1 && self.raw.starts_with(&[0xff, 0xfe]) | self.raw.starts_with(&[0xfe, 0xff]) {
                let wrong = Wrong::new("the file is in UTF-16").hint("save it as UTF-8");
                return Err(Stop::Wrong(Span { start: 0, end: 1 }, wrong));
            }
            if !self.raw.trim_ascii().is_empty() && self.raw != b"\xef\xbb\xbf" {
                return self.split().map(|()| true);
            }
        }
    }

    /// Append one line. Returns whether there was one.
    fn read_line(&mut self) -> Result<bool, Stop> {
        let room = (LONGEST + 1).saturating_sub(self.raw.len()) as u64;
        let read = (&mut self.source).take(room).read_until(b'\n', &mut self.raw).map_err(Stop::Io)?;
        if self.raw.len() > LONGEST {
            let wrong = Wrong::new(format!("a row of more than {} MiB", LONGEST >> 20))
                .hint("is a quote not closed, or is this no CSV file?");
            return Err(Stop::Wrong(Span { start: 0, end: 1 }, wrong));
        }
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read > 0)
    }

    /// Find the cells; a cell in quotes may go over several lines.
    fn split(&mut self) -> Result<(), Stop> {
        self.cells.clear();
        let bom = if self.raw.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let (mut state, mut start, mut end, mut i) = (State::Start, bom, bom, bom);
        loop {
            let Some(&byte) = self.raw.get(i) else {
                if state == State::Quoted {
                    if self.read_line()? {
                        continue;
                    }
                    let wrong = Wrong::new("a quote is not closed").hint("every cell that begins with \" ends with \"");
                    return Err(Stop::Wrong(Span { start: start - 1, end: start }, wrong));
                }
                // The last line of the file, without a line end.
                self.finish(state, start, end, i);
                return Ok(());
            };
            let ends_line = byte == b'\n' || byte == b'\r' && matches!(self.raw.get(i + 1), None | Some(b'\n'));
            match (state, byte) {
                (State::Quoted, b'"') => (state, end) = (State::Closed, i),
                (State::Quoted, _) => {}
                (State::Closed, b'"') => state = State::Quoted,
                (_, b',') => {
                    self.finish(state, start, end, i);
                    (state, start) = (State::Start, i + 1);
                }
                _ if ends_line => {
                    self.finish(state, start, end, i);
                    return Ok(());
                }
                (_, b'\r') => {
                    let wrong = Wrong::new("a carriage return without a line feed").hint("end lines by LF or CR LF");
                    return Err(Stop::Wrong(Span { start: i, end: i + 1 }, wrong));
                }
                (State::Start | State::Closed, b' ' | b'\t') => {}
                (State::Start, b'"') => (state, start) = (State::Quoted, i + 1),
                (State::Start, _) => state = State::Plain,
                (State::Plain, _) => {}
                (State::Closed, _) => {
                    let wrong =
                        Wrong::new("text after the closing quote of a cell").hint("write a quote inside as \"\"");
                    return Err(Stop::Wrong(Span { start: i, end: i + 1 }, wrong));
                }
            }
            i += 1;
        }
    }

    /// Note a cell that `here` ends; the text of a quoted one ends at `end`.
    fn finish(&mut self, state: State, start: usize, end: usize, here: usize) {
        let quoted = state == State::Closed;
        self.cells.push(Cell { text: start..if quoted { end } else { here }, quoted });
    }

    /// How many cells the row has.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Where a cell is in the row, without its quotes and the spaces around it.
    pub(super) fn span(&self, cell: usize) -> Span {
        let Some(c) = self.cells.get(cell) else {
            let end = self.raw.trim_ascii_end().len();
            return Span { start: end, end };
        };
        let bytes = &self.raw[c.text.clone()];
        let start = c.text.start + (bytes.len() - bytes.trim_ascii_start().len());
        Span { start: start.min(c.text.end), end: (start + bytes.trim_ascii().len()).min(c.text.end) }
    }

    /// The text of a cell, without the spaces around it; an error if it is not UTF-8.
    pub(super) fn text(&self, cell: usize) -> Result<Cow<'_, str>, (Span, Wrong)> {
        let Some(c) = self.cells.get(cell) else { return Ok(Cow::Borrowed("")) };
        let text = std::str::from_utf8(&self.raw[c.text.clone()]).map_err(|e| {
            let start = c.text.start + e.valid_up_to();
            (Span { start, end: start + 1 }, not_utf8())
        })?;
        let text = text.trim();
        Ok(if c.quoted && text.contains('"') { Cow::Owned(text.replace("\"\"", "\"")) } else { Cow::Borrowed(text) })
    }
}

/// That a text is in some other encoding.
pub(super) fn not_utf8() -> Wrong {
    Wrong::new("a byte that is not UTF-8").hint("save the file as UTF-8")
}
