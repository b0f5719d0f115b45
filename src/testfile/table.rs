//! A table: which row is its header, what separates its cells, which decimal mark its numbers have.

use super::FileProblem;
use super::fields::Cell;
use super::header::{Columns, Fields};
use super::layout::{DecimalMark, Delimiter, Guesses};
use super::number::{At, Wrong, literal};
use super::rows::{Rows, Stop};
use crate::text::{Diagnostic, Span, line_column, quote};
use std::borrow::Cow;
use std::io::BufRead;

/// How far down a header is looked for. Unit: rows that are not blank.
const ABOVE: usize = 20;

/// A table whose header is read.
pub(super) struct Table {
    pub(super) rows: Rows<Box<dyn BufRead>>,
    pub(super) columns: Columns,
    shown: String,
    /// The sheet of a workbook that it is.
    sheet: Option<String>,
    /// The decimal mark that was seen first, and where.
    mark: Option<(DecimalMark, usize)>,
    is_first: bool,
}

/// What a row is.
pub(super) enum Kind {
    /// A test.
    Test,
    /// Nothing.
    Skipped,
}

impl Table {
    /// Reads as far as the header.
    pub(super) fn open(
        source: Box<dyn BufRead>,
        (shown, sheet): (&str, Option<&str>),
        fields: &Fields,
        guesses: &mut Guesses,
        empty: &str,
    ) -> Result<Table, FileProblem> {
        let mut table = Table {
            rows: Rows::new(source),
            columns: Columns::default(),
            shown: shown.to_owned(),
            sheet: sheet.map(str::to_owned),
            mark: None,
            is_first: true,
        };
        let mut first: Option<(Vec<u8>, usize, Span, Wrong)> = None;
        let mut said = fields.layout.delimiter.or(sheet.map(|_| Delimiter::Tab));
        for _ in 0..ABOVE {
            match table.rows.read() {
                Ok(true) => {}
                Ok(false) => break,
                Err(stop) => return Err(table.stopped(stop)),
            }
            if let Some(delimiter) = said_by_file(&table.rows.raw) {
                said = said.or(Some(delimiter));
                continue;
            }
            match table.header(fields, said) {
                Ok(columns) => {
                    table.columns = columns;
                    let told = table.tell(fields, guesses, said, first.as_ref().map(|f| f.1));
                    told.map_err(|(span, wrong)| table.problem(span, wrong))?;
                    return Ok(table);
                }
                Err((span, wrong)) => {
                    first.get_or_insert_with(|| (table.rows.raw.clone(), table.rows.line, span, wrong));
                }
            }
        }
        let Some((raw, line, span, wrong)) = first else {
            return Err(FileProblem(format!("error: {shown}: nothing but blank lines\nhint: {empty}\n")));
        };
        Err(table.problem_in(&raw, line, span, wrong))
    }

    /// The columns of the row at hand, at the first delimiter that gives a column to each input.
    fn header(&mut self, fields: &Fields, said: Option<Delimiter>) -> Result<Columns, At> {
        let tried = said.map_or_else(|| Delimiter::ALL.to_vec(), |d| vec![d]);
        let mut best: Option<(usize, Columns)> = None;
        // Of the row as most cells: who reads the message finds the columns of the file in it.
        let mut wrong: Option<(usize, At)> = None;
        let mut note = |cells: usize, at: At| {
            if wrong.as_ref().is_none_or(|w| w.0 < cells) {
                wrong = Some((cells, at));
            }
        };
        for (k, delimiter) in tried.iter().enumerate() {
            if let Err(stop) = self.rows.cut(*delimiter) {
                let Stop::Wrong(span, why) = stop else { continue };
                note(1, (span, why));
                continue;
            }
            let mut cells: Vec<Cow<'_, str>> = (0..self.rows.len()).map(|c| self.rows.text(c)).collect();
            // A comment before the names is how some programs write a header.
            if let Some(bare) = cells[..1].first().and_then(|c| c.strip_prefix('#')).map(|c| c.trim().to_owned()) {
                // Apart from the names, it has no column of its own.
                if bare.is_empty() && *delimiter == Delimiter::Space && cells.len() > 1 {
                    cells.remove(0);
                } else {
                    cells[0] = Cow::Owned(bare);
                }
            }
            match fields.find(&cells) {
                // The fewer names have to be understood, the better.
                Ok(columns) if best.as_ref().is_none_or(|b| columns.understood.len() < b.1.understood.len()) => {
                    best = Some((k, columns));
                }
                Ok(_) => {}
                Err((cell, why)) => {
                    let whole =
                        || Span { start: self.rows.span(0).start, end: self.rows.span(self.rows.len() - 1).end };
                    note(self.rows.len(), (cell.map_or_else(whole, |c| self.rows.span(c)), why));
                }
            }
        }
        match (best, wrong) {
            (Some((k, columns)), _) => {
                let _ = self.rows.cut(tried[k]);
                Ok(columns)
            }
            (None, wrong) => Err(wrong.map_or((Span::default(), Wrong::new("no column has a name")), |w| w.1)),
        }
    }

    /// Tells what was understood of the header.
    fn tell(
        &mut self,
        fields: &Fields,
        guesses: &mut Guesses,
        said: Option<Delimiter>,
        first: Option<usize>,
    ) -> Result<(), At> {
        let whole = Span { start: 0, end: 1 };
        if let (Some(first), true) = (first, self.sheet.is_none()) {
            let what = format!("skipped what stands before the header: lines {first} to {}", self.rows.line - 1);
            guesses.take(whole, what, "begin the file with the header")?;
        } else if let Some(first) = first {
            let what = format!("skipped what stands before the header: rows {first} to {}", self.rows.line - 1);
            guesses.take(whole, what, "begin the sheet with the header")?;
        }
        let delimiter = self.rows.delimiter();
        if said.is_none() && delimiter != Delimiter::Comma {
            let what = format!("read cells as separated by {}s", delimiter.name());
            guesses.take(whole, what, &format!("say --delimiter {}", delimiter.name()))?;
        }
        self.tell_latin(guesses)?;
        let columns = std::mem::take(&mut self.columns);
        let told = fields.tell(&columns, |c| self.rows.span(c), guesses);
        self.columns = columns;
        if self.columns.is_test {
            self.rows.give_back();
        }
        told
    }

    /// Tells that cells of the row at hand are read as Latin-1, if some that are looked at are.
    fn tell_latin(&mut self, guesses: &mut Guesses) -> Result<(), At> {
        let used = self.columns.places.iter().flatten().find_map(|c| self.rows.not_utf8(*c));
        match used {
            Some(_) if guesses.notes.iter().any(|n| n.contains("Latin-1")) => Ok(()),
            Some(span) => {
                let line = self.rows.line;
                guesses.take(span, format!("read as Latin-1: line {line} is not UTF-8"), "save the file as UTF-8")
            }
            None => Ok(()),
        }
    }

    /// Goes to the next row. Returns what it is, or none at the end.
    pub(super) fn advance(&mut self, fields: &Fields, guesses: &mut Guesses) -> Result<Option<Kind>, Advance> {
        match self.rows.advance() {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(stop) => return Err(Advance::Stopped(self.stopped(stop))),
        }
        self.kind(fields, guesses).map(Some).map_err(Advance::Wrong)
    }

    fn kind(&mut self, fields: &Fields, guesses: &mut Guesses) -> Result<Kind, At> {
        let is_first = std::mem::take(&mut self.is_first) && !self.columns.is_test;
        self.tell_latin(guesses)?;
        let texts = || (0..self.rows.len()).map(|c| self.rows.text(c));
        if self.rows.len() > 1 && texts().all(|t| t.is_empty()) {
            return Ok(Kind::Skipped);
        }
        let names_tests = self.columns.places[fields.inputs] == Some(0);
        if self.rows.text(0).starts_with('#') && !(names_tests && self.rows.len() == self.columns.width) {
            let what = "skipped lines that begin with # as comments";
            guesses.take(self.rows.span(0), what, "leave comments out")?;
            return Ok(Kind::Skipped);
        }
        let inputs = || self.columns.places[..fields.inputs].iter().flatten();
        let units: Vec<Cow<'_, str>> = inputs().map(|c| self.rows.text(*c)).collect();
        if is_first && units.iter().any(|u| is_unit(u)) && units.iter().all(|u| is_unit(u) || is_no_unit(u)) {
            let what = format!("skipped line {}, which looks like units: {}", self.rows.line, units.join(", "));
            let span = self.rows.span(*inputs().next().unwrap_or(&0));
            guesses.take(span, what, "leave the line with units out")?;
            return Ok(Kind::Skipped);
        }
        Ok(Kind::Test)
    }

    /// The cells of the fields in the row at hand.
    pub(super) fn cells(&mut self, fields: &Fields, guesses: &mut Guesses) -> Result<Vec<Cell<'static>>, At> {
        let (rows, width) = (&self.rows, self.columns.width);
        let used = (0..rows.len()).rposition(|c| !rows.text(c).is_empty()).map_or(0, |last| last + 1);
        if used > width || rows.len() < width {
            let (n, span) = (rows.len(), rows.span(width.min(rows.len())));
            let wrong = Wrong::new(format!("the row has {n} cells, and the header {width}"));
            return Err((
                span,
                if n > width {
                    wrong.hint("write decimal points, not commas; put a text with a comma in quotes")
                } else {
                    wrong.hint("write a cell for each column; it may be empty where the column is no input")
                },
            ));
        }
        let mut cells = Vec::with_capacity(self.columns.places.len());
        for field in 0..self.columns.places.len() {
            let Some(column) = self.columns.places[field] else {
                cells.push(None);
                continue;
            };
            let (text, span) = (self.rows.text(column).into_owned(), self.rows.span(column));
            let is_number = field != fields.inputs;
            let text = if is_number { self.number(text, span, column, fields, guesses)? } else { text };
            // An empty cell of an input is there, and wrong.
            cells.push((field < fields.inputs || !text.is_empty()).then_some((Cow::Owned(text), span)));
        }
        Ok(cells)
    }

    /// The text of a number with a decimal point, whatever mark it has in the file.
    fn number(
        &mut self,
        text: String,
        span: Span,
        column: usize,
        fields: &Fields,
        guesses: &mut Guesses,
    ) -> Result<String, At> {
        let has_point = text.contains('.') && literal(&text).is_ok() && !text.contains(['x', 'X']);
        let with_point = text.replacen(',', ".", 1);
        let has_comma = text.contains(',') && !text.contains('.') && literal(&with_point).is_ok();
        if !has_point && !has_comma {
            return Ok(text);
        }
        let (own, said) = (if has_comma { DecimalMark::Comma } else { DecimalMark::Point }, fields.layout.decimal);
        let seen = self.mark.map(|m| m.0);
        if said.or(seen).is_some_and(|m| m != own) {
            let name = |m: DecimalMark| if m == DecimalMark::Comma { "comma" } else { "point" };
            let wrong = match (said, self.mark) {
                (Some(said), _) => Wrong::new(format!("a decimal {} in {}", name(own), quote(&text)))
                    .hint(format!("--decimal {} says that there is none", name(said))),
                (None, mark) => {
                    let (other, line) = mark.unwrap_or((own, 0));
                    let text = quote(&text);
                    Wrong::new(format!(
                        "a decimal {} in {text}, and a decimal {} in line {line}",
                        name(own),
                        name(other)
                    ))
                    .hint("write all decimals alike: write a decimal point; and no separators between thousands")
                }
            };
            return Err((span, wrong));
        }
        if own == DecimalMark::Comma && said.is_none() && seen.is_none() {
            let delimiter = self.rows.delimiter();
            if is_thousands(&text) && delimiter != Delimiter::Semicolon {
                let hint = format!("write a decimal point: {with_point}; or say --decimal comma");
                return Err((span, Wrong::new(format!("{} may be a decimal or thousands", quote(&text))).hint(hint)));
            }
            debug_assert!(delimiter != Delimiter::Comma || self.rows.is_quoted(column));
            let what = format!("read decimal commas: {} in line {} as {with_point}", quote(&text), self.rows.line);
            guesses.take(span, what, "say --decimal comma")?;
        }
        self.mark.get_or_insert((own, self.rows.line));
        Ok(if own == DecimalMark::Comma { with_point } else { text })
    }

    /// A mistake in the row at hand.
    pub(super) fn problem(&self, span: Span, wrong: Wrong) -> FileProblem {
        self.problem_in(&self.rows.raw, self.rows.line, span, wrong)
    }

    fn problem_in(&self, raw: &[u8], line: usize, span: Span, wrong: Wrong) -> FileProblem {
        let Some(sheet) = &self.sheet else {
            let shown = Diagnostic::semantic(span, wrong.message).maybe_hint(wrong.hint);
            return FileProblem(shown.render_from(&self.shown, raw, line));
        };
        let cell = cell_name(self.rows.cell_at(span.start), line);
        let hint = wrong.hint.map_or(String::new(), |h| format!("hint: {h}\n"));
        FileProblem(format!("error: {}: sheet {}, cell {cell}: {}\n{hint}", self.shown, quote(sheet), wrong.message))
    }

    /// Where a place of the row at hand is, in words.
    pub(super) fn place(&self, span: Span) -> String {
        if self.sheet.is_some() {
            return format!("cell {}", cell_name(self.rows.cell_at(span.start), self.rows.line));
        }
        let (line, column) = line_column(&self.rows.raw, span.start);
        format!("line {}, column {column}", line + self.rows.line - 1)
    }

    fn stopped(&self, stop: Stop) -> FileProblem {
        match stop {
            Stop::Io(e) => FileProblem(format!("error: cannot read {}: {e}\n", self.shown)),
            Stop::Wrong(span, wrong) => self.problem(span, wrong),
        }
    }
}

/// Why there is no next row.
pub(super) enum Advance {
    /// The file is at fault, and nothing more is read.
    Stopped(FileProblem),
    /// The row is at fault.
    Wrong(At),
}

/// What the line `sep=;` says, by which spreadsheets know the delimiter.
fn said_by_file(raw: &[u8]) -> Option<Delimiter> {
    let raw = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw);
    let text = std::str::from_utf8(raw).ok()?.trim_end_matches(['\r', '\n']).trim_matches('"');
    Delimiter::read(text.strip_prefix("sep=")?)
}

/// Whether a number has a comma where thousands would have one.
fn is_thousands(text: &str) -> bool {
    let unsigned = text.trim_start_matches(['+', '-']);
    unsigned
        .split_once(',')
        .is_some_and(|(whole, rest)| (1..=3).contains(&whole.len()) && !whole.starts_with('0') && rest.len() == 3)
}

/// Whether a cell looks like a unit: in brackets, or a word of letters with powers and quotients.
fn is_unit(text: &str) -> bool {
    let bare = text.trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
    let letter = |c: char| c.is_alphabetic() || "%°µΩ".contains(c);
    let is_special = ["nan", "inf", "infinity"].iter().any(|s| bare.eq_ignore_ascii_case(s));
    let known = bare.len() <= 12
        && bare.starts_with(letter)
        && bare.split(['/', '*', '·', '.', ' ']).all(|p| {
            let p = p.trim_end_matches(|c: char| c.is_ascii_digit() || "^-+²³".contains(c));
            p.is_empty()
                || UNITS.contains(&p)
                || (p.len() > 1
                    && p.chars().next().is_some_and(|c| "kMGmµunpdc".contains(c))
                    && UNITS.contains(&&p[p.chars().next().map_or(0, char::len_utf8)..]))
        });
    !is_special && bare.starts_with(letter) && (bare.len() < text.len() || known)
}

/// Units that people write, without prefixes of powers of ten.
const UNITS: [&str; 52] = [
    "m", "s", "g", "A", "K", "mol", "cd", "Pa", "bar", "N", "J", "W", "V", "C", "F", "H", "T", "Hz", "Ω", "Ohm", "ohm",
    "lm", "lx", "Bq", "Gy", "Sv", "l", "L", "t", "min", "h", "d", "rad", "deg", "°", "°C", "degC", "°F", "degF", "ft",
    "in", "mi", "kn", "kt", "lb", "psi", "eV", "%", "dB", "rpm", "mmHg", "sr",
];

/// Whether a cell says that there is no unit.
fn is_no_unit(text: &str) -> bool {
    ["", "-", "1", "[-]", "[1]", "(-)", "\u{2013}"].contains(&text)
}

/// The name of a cell of a spreadsheet, both counted as there: column from 0, row from 1.
fn cell_name(column: usize, row: usize) -> String {
    let mut letters = Vec::new();
    let mut left = column + 1;
    while left > 0 {
        letters.push(char::from(b'A' + ((left - 1) % 26) as u8));
        left = (left - 1) / 26;
    }
    format!("{}{row}", letters.iter().rev().collect::<String>())
}
