//! Rows of separated cells, one at a time, with the place of every cell. Quotes as in RFC 4180; what that does not allow is
//! an error at its place rather than a guess, which is why no general reader does it.

use super::layout::Delimiter;
use super::number::Wrong;
use crate::text::Span;
use std::borrow::Cow;
use std::io::{self, BufRead, Read as _};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

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
    delimiter: Delimiter,
    /// Whether the row was given back, and is the next one again.
    again: bool,
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
        let delimiter = Delimiter::Comma;
        Rows { source, raw: Vec::new(), line: 1, cells: Vec::new(), delimiter, again: false, bytes: Arc::default() }
    }

    /// What separates the cells of the rows that were last cut.
    pub(super) fn delimiter(&self) -> Delimiter {
        self.delimiter
    }

    /// Go to the next row. Returns whether there is one.
    pub(super) fn advance(&mut self) -> Result<bool, Stop> {
        if self.read()? { self.split().map(|()| true) } else { Ok(false) }
    }

    /// Read the next row that is not blank, and leave it uncut. Returns whether there is one.
    pub(super) fn read(&mut self) -> Result<bool, Stop> {
        if std::mem::take(&mut self.again) {
            return Ok(true);
        }
        loop {
            self.line += self.raw.iter().filter(|b| **b == b'\n').count();
            self.raw.clear();
            if !self.read_line()? {
                return Ok(false);
            }
            // A byte order mark is no text, wherever it stands.
            if !self.raw.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.raw).trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }

    /// Cut the row at another delimiter, which the next ones have as well.
    pub(super) fn cut(&mut self, delimiter: Delimiter) -> Result<(), Stop> {
        self.delimiter = delimiter;
        self.split()
    }

    /// Give the row back: it is the next one once more.
    pub(super) fn give_back(&mut self) {
        self.again = true;
    }

    /// Whether a cell stands in quotes.
    pub(super) fn is_quoted(&self, cell: usize) -> bool {
        self.cells.get(cell).is_some_and(|c| c.quoted)
    }

    /// The cell in which a byte of the row is.
    pub(super) fn cell_at(&self, byte: usize) -> usize {
        self.cells.iter().take_while(|c| c.text.end < byte).count()
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
        let bom = if self.raw.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let (separator, any_space) = (self.delimiter.byte(), self.delimiter == Delimiter::Space);
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
                _ if ends_line => {
                    self.finish(state, start, end, i);
                    return Ok(());
                }
                // Spaces before the first cell and several of them separate nothing.
                (State::Start, b' ' | b'\t') if any_space => start = i + 1,
                (_, byte) if byte == separator || any_space && byte == b'\t' => {
                    self.finish(state, start, end, i);
                    (state, start) = (State::Start, i + 1);
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
        if self.delimiter == Delimiter::Space && state == State::Start {
            return;
        }
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

    /// The first byte of a cell that is no UTF-8.
    pub(super) fn not_utf8(&self, cell: usize) -> Option<Span> {
        let text = self.cells.get(cell)?.text.clone();
        let start = text.start + std::str::from_utf8(&self.raw[text]).err()?.valid_up_to();
        Some(Span { start, end: start + 1 })
    }

    /// The text of a cell, without the spaces around it. What is no UTF-8 is read as Latin-1, in which every byte is a
    /// character; whoever asks sees to it that this is told ([`Rows::not_utf8`]).
    pub(super) fn text(&self, cell: usize) -> Cow<'_, str> {
        let Some(c) = self.cells.get(cell) else { return Cow::Borrowed("") };
        let bytes = &self.raw[c.text.clone()];
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text.trim()),
            Err(_) => Cow::Owned(bytes.iter().map(|b| char::from(*b)).collect::<String>().trim().to_owned()),
        };
        if c.quoted && text.contains('"') { Cow::Owned(text.replace("\"\"", "\"")) } else { text }
    }
}

/// That a text is in some other encoding.
pub(super) fn not_utf8() -> Wrong {
    Wrong::new("a byte that is not UTF-8").hint("save the file as UTF-8")
}
