//! Reads the tests of a file, whatever its form, one after the other.

use super::code::{self, Listed};
use super::columns::input_columns;
use super::encoding::{is_utf16, utf16};
use super::fields::json_cells;
use super::header::Fields;
use super::json::Document;
use super::layout::{Guesses, Layout};
use super::number::{At, Wrong};
use super::record::{Assembled, Rounding, assemble};
use super::sheet::{EXTENSIONS, Workbook};
use super::table::{Advance, Kind, Table};
use super::{FileProblem, TestRecord};
use crate::spec::{Spec, beside};
use crate::text::{Diagnostic, Span, line_column, quote};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The fields of a test beside its inputs.
const OTHERS: [&str; 6] = ["test_id", "lo", "hi", "expected", "abs_tol", "rel_tol"];
/// The largest file that is read as a whole.
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
    fields: Fields,
    guesses: Guesses,
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

enum Form {
    Table(Box<Table>),
    Json(Document),
    Listed(Listed),
}

impl<'s> Reader<'s> {
    /// Open a file whose layout nobody says anything of, see [`Reader::open_as`].
    ///
    /// # Errors
    /// The file cannot be read, is empty, or is no list of tests for `spec`.
    pub fn open(path: &Path, spec: &'s Spec) -> Result<Self, FileProblem> {
        Reader::open_as(path, spec, Layout::default())
    }

    /// Open a file: its form is found out, and of a table the header is read. A name that ends with `.json`, or a first
    /// character `[` or `{`, says JSON; names of workbooks, of Python, C and C++ code and of XML say what these are.
    ///
    /// # Errors
    /// The file cannot be read, is empty, or is no list of tests for `spec`.
    pub fn open_as(path: &Path, spec: &'s Spec, layout: Layout) -> Result<Self, FileProblem> {
        let shown = path.display().to_string();
        let mut names: Vec<String> = input_columns(spec).into_iter().map(|[name, _]| name).collect();
        names.extend(OTHERS.map(str::to_owned));
        let unknown = |name: &String| !names.contains(name);
        let said = layout.map.iter().map(|(n, _)| n).chain(layout.scale.iter().map(|(n, _)| n));
        if let Some(name) = said.clone().find(|n| unknown(n)) {
            let list = names.join(", ");
            return Err(FileProblem(format!(
                "error: {} is no field of a test\nhint: the fields are {list}\n",
                quote(name)
            )));
        }
        let mut guesses = Guesses { strict: layout.strict, notes: Vec::new() };
        let fields = Fields { names, inputs: spec.inputs.len(), layout };
        let form = form(path, &shown, spec, &fields, &mut guesses)?;
        let ignored = if let Form::Table(table) = &form { table.columns.ignored.clone() } else { Vec::new() };
        let hint = if let Form::Table(table) = &form { fields.perhaps_expected(&table.columns) } else { None };
        guesses.notes.extend(hint);
        Ok(Reader {
            spec,
            shown,
            form,
            fields,
            guesses,
            ignored,
            rounded: 0,
            first_rounded: String::new(),
            left_out: 0,
            first_left_out: 0,
            count: 0,
            taken: HashSet::new(),
            done: false,
        })
    }

    /// What is worth knowing of what was read so far: ignored columns, rounded decimals.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.guesses.notes.iter().map(|n| format!("{}: {n}", self.shown)).collect();
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
            Form::Table(table) => table.rows.bytes.clone(),
            Form::Json(document) => Arc::new(AtomicU64::new(document.text.len() as u64)),
            Form::Listed(listed) => Arc::new(AtomicU64::new(listed.text.len() as u64)),
        }
    }

    /// The next test; none of it where it is left out.
    fn advance(&mut self) -> Option<Result<Option<TestRecord>, FileProblem>> {
        let number = self.count + 1;
        let mut otherwise = false;
        let (line, assembled): (usize, Assembled) = match &mut self.form {
            Form::Table(table) => {
                let cells = match table.advance(&self.fields, &mut self.guesses) {
                    Ok(None) => return None,
                    Ok(Some(Kind::Skipped)) => return Some(Ok(None)),
                    Ok(Some(Kind::Test)) => table.cells(&self.fields, &mut self.guesses),
                    Err(Advance::Wrong(at)) => Err(at),
                    Err(Advance::Stopped(problem)) => {
                        self.done = true;
                        return Some(Err(problem));
                    }
                };
                otherwise = table.columns.otherwise;
                let line = table.rows.line;
                (line, cells.and_then(|c| assemble(self.spec, &self.fields, &c, line, number)))
            }
            Form::Json(document) => {
                let at = document.advance()?;
                let cells = json_cells(document, at, &self.fields);
                let line = document.line;
                let assembled = cells.and_then(|(cells, ignored, renamed)| {
                    otherwise = renamed;
                    for name in ignored {
                        if self.ignored.len() <= NAMED && !self.ignored.contains(&name) {
                            self.ignored.push(name);
                        }
                    }
                    assemble(self.spec, &self.fields, &cells, line, number)
                });
                (line, assembled)
            }
            Form::Listed(listed) => {
                let (cells, line) = listed.advance()?;
                otherwise = true;
                (line, assemble(self.spec, &self.fields, cells, line, number))
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
            Ok(Some((record, rounding))) => Ok(Some(self.finish(record, &rounding, otherwise))),
            Err((span, wrong)) => Err(self.problem(span, wrong)),
        })
    }

    /// Counts a record's rounded decimals, and gives it a name that no other has.
    fn finish(&mut self, mut record: TestRecord, rounding: &Rounding, otherwise: bool) -> TestRecord {
        if otherwise && !self.taken.insert(record.id.clone()) {
            record.id = format!("{} (#{})", record.id, self.count);
        }
        if let (Some((span, to)), 0) = (&rounding.first, self.rounded) {
            let of = |raw: &[u8]| quote(&String::from_utf8_lossy(&raw[span.start..span.end]));
            let in_text = |raw: &[u8]| {
                let (line, column) = line_column(raw, span.start);
                (format!("line {line}, column {column}"), of(raw))
            };
            let (place, text) = match &self.form {
                Form::Table(table) => (table.place(*span), of(&table.rows.raw)),
                Form::Json(document) => in_text(document.text.as_bytes()),
                Form::Listed(listed) => in_text(listed.text.as_bytes()),
            };
            self.first_rounded = format!("the first in {place}: {text} is read as {to}");
        }
        self.rounded += rounding.count;
        record
    }

    /// What is wrong at a place of the test at hand.
    fn problem(&self, span: Span, wrong: Wrong) -> FileProblem {
        match &self.form {
            Form::Table(table) => table.problem(span, wrong),
            Form::Json(document) => problem(&self.shown, document.text.as_bytes(), span, wrong),
            Form::Listed(listed) => problem(&self.shown, listed.text.as_bytes(), span, wrong),
        }
    }
}

/// Opens a file, and finds out its form.
fn form(path: &Path, shown: &str, spec: &Spec, fields: &Fields, guesses: &mut Guesses) -> Result<Form, FileProblem> {
    let unreadable = |e: &dyn std::fmt::Display| FileProblem(format!("error: cannot read {shown}: {e}\n"));
    let absent = |e: std::io::Error| match e.kind() {
        ErrorKind::NotFound => {
            let hint = beside(path, &["csv", "json", "xlsx", "ods"]);
            FileProblem(format!("error: cannot read {shown}: there is no such file\nhint: {hint}\n"))
        }
        _ => unreadable(&e),
    };
    if path.is_dir() {
        return Err(FileProblem(format!("error: {shown} is a folder\nhint: name a CSV or JSON file in it\n")));
    }
    let mut source = BufReader::with_capacity(1 << 16, File::open(path).map_err(absent)?);
    let start = source.fill_buf().map_err(|e| unreadable(&e))?;
    if start.is_empty() {
        return Err(FileProblem(format!("error: {shown}: the file is empty\nhint: {}\n", header_hint(spec))));
    }
    let named = |list: &[&str]| path.extension().is_some_and(|e| list.iter().any(|x| e.eq_ignore_ascii_case(x)));
    // ZIP archives and OLE files, whatever their names.
    if named(&EXTENSIONS) || start.starts_with(b"PK\x03\x04") || start.starts_with(b"\xd0\xcf\x11\xe0") {
        return sheet(path, shown, spec, fields, guesses);
    }
    let first = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start().first();
    let is_json = named(&["json"]) || matches!(first, Some(b'[' | b'{'));
    let language = path.extension().and_then(|e| code::Language::of(&e.to_string_lossy()));
    let is_wide = is_utf16(start);
    if !is_json && language.is_none() && !is_wide {
        let open = Table::open(Box::new(source), (shown, None), fields, guesses, &header_hint(spec))?;
        return Ok(Form::Table(Box::new(open)));
    }
    let mut bytes = Vec::new();
    source.take(MAX_DOCUMENT + 1).read_to_end(&mut bytes).map_err(|e| unreadable(&e))?;
    if bytes.len() as u64 > MAX_DOCUMENT {
        let most = MAX_DOCUMENT >> 20;
        return Err(FileProblem(format!(
            "error: {shown} has more than {most} MiB\nhint: a CSV file may have any size\n"
        )));
    }
    let wrong_at = |bytes: &[u8], (span, wrong): At| problem(shown, bytes, span, wrong);
    if let Some((text, is_guess)) = utf16(&bytes) {
        let start = Span { start: 0, end: 1 };
        let text = text.map_err(|wrong| wrong_at(&bytes, (start, wrong)))?;
        if is_guess {
            let told = guesses.take(start, "read as UTF-16, which it does not say of itself", "save the file as UTF-8");
            told.map_err(|at| wrong_at(&bytes, at))?;
        }
        bytes = text.into_bytes();
    }
    if let Some(language) = language {
        let text = String::from_utf8(bytes).map_err(|e| {
            let start = e.utf8_error().valid_up_to();
            wrong_at(e.as_bytes(), (Span { start, end: start + 1 }, super::rows::not_utf8()))
        })?;
        let listed = Listed::read(text, language, spec, fields, guesses);
        return listed.map(Form::Listed).map_err(|(text, at)| wrong_at(text.as_bytes(), at));
    }
    if is_json || matches!(bytes.trim_ascii_start().first(), Some(b'[' | b'{')) {
        let document = Document::new(bytes);
        return document.map(Form::Json).map_err(|(bytes, span, wrong)| wrong_at(&bytes, (span, wrong)));
    }
    let open = Table::open(Box::new(Cursor::new(bytes)), (shown, None), fields, guesses, &header_hint(spec))?;
    Ok(Form::Table(Box::new(open)))
}

/// The table of a workbook: of the sheet that is said, or of the only one that has a column for each input.
fn sheet(path: &Path, shown: &str, spec: &Spec, fields: &Fields, guesses: &mut Guesses) -> Result<Form, FileProblem> {
    let fail = |wrong: Wrong| {
        let hint = wrong.hint.map_or(String::new(), |h| format!("hint: {h}\n"));
        FileProblem(format!("error: {shown}: {}\n{hint}", wrong.message))
    };
    let mut workbook = Workbook::open(path).map_err(fail)?;
    let names = workbook.names();
    let list = names.iter().map(|n| quote(n)).collect::<Vec<_>>().join(", ");
    if let Some(said) = &fields.layout.sheet
        && !names.contains(said)
    {
        return Err(fail(
            Wrong::new(format!("there is no sheet {}", quote(said))).hint(format!("the sheets are {list}")),
        ));
    }
    let (mut fitting, mut first) = (Vec::new(), None);
    for name in names.iter().filter(|n| fields.layout.sheet.as_ref().is_none_or(|s| s == *n)) {
        let text = workbook.text(name).map_err(fail)?;
        let mut own = Guesses { strict: guesses.strict, notes: Vec::new() };
        let source = Box::new(Cursor::new(text.into_bytes()));
        match Table::open(source, (shown, Some(name)), fields, &mut own, &header_hint(spec)) {
            Ok(table) => fitting.push((name, table, own)),
            Err(problem) => first = first.or(Some(problem)),
        }
    }
    if fitting.len() > 1 {
        let found = fitting.iter().map(|f| quote(f.0)).collect::<Vec<_>>().join(" and ");
        let wrong = Wrong::new(format!("the sheets {found} have tests"));
        return Err(fail(wrong.hint("say which one: --sheet NAME")));
    }
    let Some((name, table, own)) = fitting.pop() else {
        return Err(first.unwrap_or_else(|| fail(Wrong::new("there is no sheet in it"))));
    };
    if names.len() > 1 && fields.layout.sheet.is_none() {
        let what = format!("read sheet {} of {list}", quote(name));
        guesses.take(Span::default(), what, "say --sheet NAME").map_err(|(_, wrong)| fail(wrong))?;
    }
    guesses.notes.extend(own.notes);
    Ok(Form::Table(Box::new(table)))
}

impl Iterator for Reader<'_> {
    type Item = Result<TestRecord, FileProblem>;

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
        Some(Err(FileProblem(said)))
    }
}

fn header_hint(spec: &Spec) -> String {
    let names: Vec<String> = input_columns(spec).into_iter().map(|[name, _]| name).collect();
    format!("write a line `{}`, then a line with numbers for each test", names.join(","))
}

fn problem(shown: &str, raw: &[u8], span: Span, wrong: Wrong) -> FileProblem {
    FileProblem(Diagnostic::semantic(span, wrong.message).maybe_hint(wrong.hint).render(shown, raw))
}
