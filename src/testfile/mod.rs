//! Test files that a user brings, and those that a run wrote.
//!
//! **CSV**: UTF-8, with or without a byte order mark; lines end with LF or CR LF; the delimiter is a comma; quotes as in
//! RFC 4180, and a quoted cell may hold line ends. The first row names the columns: one for each input, in any order,
//! and `test_id`, `lo`, `hi`, `expected` where they are there. Blank lines are skipped. One row is in memory at a time.
//!
//! **JSON**: an array of objects with the same names, or an object with such an array under `tests`, as `tests.json`
//! has; the inputs may stand in an object `inputs` of the test. Numbers are JSON numbers or strings.
//!
//! What the numbers mean:
//! - An input is a finite number, decimal or hexadecimal (`0x1.8p+1`). A decimal that is no value of the input's format
//!   is rounded to the nearest one, ties to even, as a compiler does with a literal; how many were is said once. A
//!   hexadecimal number that is no value of the format is an error, as is a decimal beyond the format's range, or one
//!   other than 0 that rounds to 0. -0 keeps its sign, subnormal numbers are taken. NaN and infinities are no inputs of a
//!   specification: tests that have one (`cover` writes them) are left out, which is said once.
//! - `expected` is a number, rounded in the same way to the result's format, `inf` or `-inf`, or the response that is
//!   owed outside the domain: `reject`, `nan`, `saturate`, `any`.
//! - `lo` and `hi` are rounded inward, which leaves the same numbers of the format between them.
//! - An empty cell of these three says nothing; an empty cell of an input is an error.
//!
//! Columns that are not known are ignored with a note; the decimals that Magneto writes beside hexadecimal numbers
//! (`x_dec`) are not read, and have no note.

pub mod columns;
mod fields;
mod json;
mod number;
mod record;
mod rows;

use crate::floats::Format;
use crate::spec::core::Span;
use crate::spec::diagnostic::{line_column, quote};
use crate::spec::{Diagnostic, OutOfRange, Spec, beside};
use crate::unfit::Unfit;
use columns::input_columns;
use fields::{At, Columns, csv_cells, find_columns, json_cells};
use json::Document;
use number::Wrong;
use record::{Rounding, assemble};
use rows::{Rows, Stop};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// One test of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its `test_id`, or what else the file calls its name (see [`Reader`]); without one `#` and its number in the file, from 1.
    pub id: String,
    /// The line where it begins, from 1.
    pub line: usize,
    /// A value of its format for each input, in the order of the specification. Zeros keep their sign.
    pub input: Vec<f64>,
    /// The smallest result that the file takes for right, a value of the result's format.
    pub lo: Option<f64>,
    /// The largest.
    pub hi: Option<f64>,
    /// What the file says that a right program does.
    pub expected: Option<Expected>,
}

/// The number that a person's text means as an input of a format: a decimal is rounded to the nearest value, which is
/// told; a hexadecimal number is meant exactly. -0 keeps its sign.
///
/// # Errors
/// What is wrong with it, and a hint.
pub fn input_number(text: &str, format: Format) -> Result<(f64, bool), Unfit> {
    number::number(text, format).map(|n| (n.value, n.rounded)).map_err(|w| Unfit { message: w.message, hint: w.hint })
}

/// What a test file expects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// A result: a value of the result's format or an infinity.
    Value(f64),
    /// A response owed outside the domain.
    Response(OutOfRange),
}

/// What is wrong with a test file: a complete message with file, line, column and a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem(pub String);

/// The fields of a test beside its inputs.
const OTHERS: [&str; 4] = ["test_id", "lo", "hi", "expected"];
/// The largest JSON document that is read: it is in memory as a whole.
const MAX_DOCUMENT: u64 = 256 << 20;
/// How many ignored columns a note names.
const NAMED: usize = 8;

/// Reads the tests of a file one after the other.
///
/// Without a column `test_id`, `id`, `name`, `test` or `test_name` names the tests, unless it is an input; of equal names a
/// later one gets the number of its test.
///
/// After an error in a cell the iterator goes on with the next test, so that a caller may report several; after an error
/// in the form of the file it ends.
pub struct Reader<'s> {
    spec: &'s Spec,
    shown: String,
    form: Form,
    /// The names of inputs, then [`OTHERS`].
    names: Vec<String>,
    ignored: Vec<String>,
    rounded: u64,
    first_rounded: String,
    /// The tests that were left out since an input is NaN or infinite, and the line of the first.
    left_out: u64,
    first_left_out: usize,
    count: u64,
    /// The names that tests have so far.
    taken: HashSet<String>,
    done: bool,
}

/// A test with what was rounded, or none where it is left out.
type Assembled = Result<Option<(Record, Rounding)>, At>;

enum Form {
    Csv { rows: Box<Rows<BufReader<File>>>, columns: Columns, width: usize },
    Json(Document),
}

impl<'s> Reader<'s> {
    /// Open a file: its form is found out, and of a table the header is read. A name that ends with `.json`, or a first
    /// character `[` or `{`, says JSON.
    ///
    /// # Errors
    /// The file cannot be read, is empty, or is no list of tests for `spec`.
    pub fn open(path: &Path, spec: &'s Spec) -> Result<Self, Problem> {
        let shown = path.display().to_string();
        let unreadable = |e: &dyn std::fmt::Display| Problem(format!("error: cannot read {shown}: {e}\n"));
        let absent = |e: std::io::Error| match e.kind() {
            ErrorKind::NotFound => {
                let hint = beside(path, &["csv", "json"]);
                Problem(format!("error: cannot read {shown}: there is no such file\nhint: {hint}\n"))
            }
            _ => unreadable(&e),
        };
        if path.is_dir() {
            return Err(Problem(format!("error: {shown} is a folder\nhint: name a CSV or JSON file in it\n")));
        }
        let mut source = BufReader::with_capacity(1 << 16, File::open(path).map_err(absent)?);
        let start = source.fill_buf().map_err(|e| unreadable(&e))?;
        let first = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start().first();
        let named = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
        if start.is_empty() {
            return Err(Problem(format!("error: {shown}: the file is empty\nhint: {}\n", header_hint(spec))));
        }
        let is_json = named || matches!(first, Some(b'[' | b'{'));
        let mut names: Vec<String> = input_columns(spec).into_iter().map(|[name, _]| name).collect();
        names.extend(OTHERS.map(str::to_owned));
        let form = if is_json {
            let mut bytes = Vec::new();
            source.take(MAX_DOCUMENT + 1).read_to_end(&mut bytes).map_err(|e| unreadable(&e))?;
            if bytes.len() as u64 > MAX_DOCUMENT {
                let most = MAX_DOCUMENT >> 20;
                return Err(Problem(format!(
                    "error: {shown} has more than {most} MiB\nhint: a CSV file may have any size\n"
                )));
            }
            let document = Document::new(bytes);
            Form::Json(document.map_err(|(bytes, span, wrong)| problem(&shown, &bytes, 1, span, wrong))?)
        } else {
            Form::Csv { rows: Box::new(Rows::new(source)), columns: Columns::default(), width: 0 }
        };
        let mut reader = Reader {
            spec,
            shown,
            form,
            names,
            ignored: Vec::new(),
            rounded: 0,
            first_rounded: String::new(),
            left_out: 0,
            first_left_out: 0,
            count: 0,
            taken: HashSet::new(),
            done: false,
        };
        reader.header()?;
        Ok(reader)
    }

    /// What is worth knowing of what was read so far: ignored columns, rounded decimals.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.ignored.is_empty() {
            let some: Vec<String> = self.ignored.iter().take(NAMED).map(|n| quote(n)).collect();
            let more = if self.ignored.len() > NAMED { " and others" } else { "" };
            notes.push(format!("{}: ignored {}{more}: no inputs of {}", self.shown, some.join(", "), self.spec.name));
        }
        if self.rounded > 0 {
            let (n, first) = (self.rounded, &self.first_rounded);
            notes.push(format!("{}: rounded {n} decimals to their formats, {first}", self.shown));
        }
        if self.left_out > 0 {
            let (n, line) = (self.left_out, self.first_left_out);
            let tests = if n == 1 { "1 test" } else { &format!("{n} tests") };
            notes.push(format!(
                "{}: left out {tests} with NaN or infinite inputs, the first in line {line}",
                self.shown
            ));
        }
        notes
    }

    /// The bytes of the file that are read so far, while the reader goes on; all of them from the start for JSON.
    #[must_use]
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        match &self.form {
            Form::Csv { rows, .. } => rows.bytes.clone(),
            Form::Json(document) => Arc::new(AtomicU64::new(document.text.len() as u64)),
        }
    }

    fn header(&mut self) -> Result<(), Problem> {
        let Form::Csv { rows, columns, width } = &mut self.form else { return Ok(()) };
        match rows.advance() {
            Ok(true) => {}
            Ok(false) => {
                let message = format!("error: {}: nothing but blank lines\nhint: ", self.shown);
                return Err(Problem(format!("{message}{}\n", header_hint(self.spec))));
            }
            Err(stop) => return Err(stopped(&self.shown, rows, stop)),
        }
        *width = rows.len();
        match find_columns(self.spec, rows, &self.names) {
            Ok(found) => {
                self.ignored.clone_from(&found.ignored);
                *columns = found;
            }
            Err((span, wrong)) => return Err(problem(&self.shown, &rows.raw, rows.line, span, wrong)),
        }
        Ok(())
    }

    /// The next test; none of it where it is left out.
    fn advance(&mut self) -> Option<Result<Option<Record>, Problem>> {
        let (inputs, number) = (self.spec.inputs.len(), self.count + 1);
        let mut otherwise = false;
        let (raw, first, line, assembled): (&[u8], usize, usize, Assembled) = match &mut self.form {
            Form::Csv { rows, columns, width } => {
                match rows.advance() {
                    Ok(true) => {}
                    Ok(false) => return None,
                    Err(stop) => {
                        self.done = true;
                        return Some(Err(stopped(&self.shown, rows, stop)));
                    }
                }
                let cells = csv_cells(rows, &columns.places, *width, inputs);
                otherwise = columns.otherwise;
                (&rows.raw, rows.line, rows.line, cells.and_then(|c| assemble(self.spec, &c, rows.line, number)))
            }
            Form::Json(document) => {
                let at = document.advance()?;
                let cells = json_cells(document, at, &self.names, inputs);
                let line = document.line;
                let assembled = cells.and_then(|(cells, ignored, renamed)| {
                    otherwise = renamed;
                    for name in ignored {
                        if self.ignored.len() <= NAMED && !self.ignored.contains(&name) {
                            self.ignored.push(name);
                        }
                    }
                    assemble(self.spec, &cells, line, number)
                });
                (document.text.as_bytes(), 1, line, assembled)
            }
        };
        self.count += 1;
        Some(match assembled {
            Ok(None) => {
                if self.left_out == 0 {
                    self.first_left_out = line;
                }
                self.left_out += 1;
                Ok(None)
            }
            Ok(Some((mut record, rounding))) => {
                if otherwise && !self.taken.insert(record.id.clone()) {
                    record.id = format!("{} (#{})", record.id, self.count);
                }
                if let (Some((span, to)), 0) = (&rounding.first, self.rounded) {
                    let (line, column) = line_column(raw, span.start);
                    let text = quote(&String::from_utf8_lossy(&raw[span.start..span.end]));
                    let line = line + first - 1;
                    self.first_rounded = format!("the first in line {line}, column {column}: {text} is read as {to}");
                }
                self.rounded += rounding.count;
                Ok(Some(record))
            }
            Err((span, wrong)) => Err(problem(&self.shown, raw, first, span, wrong)),
        })
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        while let Some(item) = self.advance() {
            if let Some(item) = item.transpose() {
                return Some(item);
            }
        }
        self.done = true;
        if self.count > self.left_out {
            return None;
        }
        let said = if self.count == 0 {
            format!("error: {}: there is no test in it\nhint: {}\n", self.shown, header_hint(self.spec))
        } else {
            let (shown, line) = (&self.shown, self.first_left_out);
            format!("error: {shown}:{line}: no test in it has finite inputs\nhint: inputs are finite numbers\n")
        };
        Some(Err(Problem(said)))
    }
}

fn header_hint(spec: &Spec) -> String {
    let names: Vec<String> = input_columns(spec).into_iter().map(|[name, _]| name).collect();
    format!("write a line `{}`, then a line with numbers for each test", names.join(","))
}

fn problem(shown: &str, raw: &[u8], first: usize, span: Span, wrong: Wrong) -> Problem {
    Problem(Diagnostic::semantic(span, wrong.message).maybe_hint(wrong.hint).render_from(shown, raw, first))
}

fn stopped(shown: &str, rows: &Rows<BufReader<File>>, stop: Stop) -> Problem {
    match stop {
        Stop::Io(e) => Problem(format!("error: cannot read {shown}: {e}\n")),
        Stop::Wrong(span, wrong) => problem(shown, &rows.raw, rows.line, span, wrong),
    }
}
