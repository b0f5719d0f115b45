//! The fields of a test: columns of a table, members of an object.

use super::columns::AFTER;
use super::json::Document;
use super::number::{Wrong, literal};
use super::rows::Rows;
use crate::spec::Spec;
use crate::spec::core::Span;
use crate::spec::diagnostic::{nearest, quote};
use std::borrow::Cow;
use std::io::BufRead;

/// A field of a test: its text and where it is.
pub(super) type Cell<'a> = Option<(Cow<'a, str>, Span)>;

/// What people call the column of a test's name; the first that is there counts.
const NAMES: [&str; 4] = ["id", "name", "test", "test_name"];

/// The one of some columns that names the tests, where there is no `test_id`.
fn other_name(columns: &[String]) -> Option<&'static str> {
    NAMES.into_iter().find(|name| columns.iter().any(|c| c == name))
}

/// A mistake at a place.
pub(super) type At = (Span, Wrong);

/// What a header says.
#[derive(Default)]
pub(super) struct Columns {
    /// The column of each field.
    pub(super) places: Vec<Option<usize>>,
    /// The names of columns that are ignored.
    pub(super) ignored: Vec<String>,
    /// Whether the tests have their names from another column than `test_id`.
    pub(super) otherwise: bool,
}

/// Finds the columns of the fields.
pub(super) fn find_columns<R: BufRead>(spec: &Spec, rows: &Rows<R>, names: &[String]) -> Result<Columns, At> {
    let header = (0..rows.len()).map(|c| rows.text(c)).collect::<Result<Vec<_>, At>>()?;
    let mut found: Vec<Option<usize>> = vec![None; names.len()];
    let mut ignored = Vec::new();
    for (column, text) in header.iter().enumerate() {
        match names.iter().position(|n| n == text) {
            Some(field) if found[field].is_some() => {
                return Err((rows.span(column), Wrong::new(format!("there are two columns {}", quote(text)))));
            }
            Some(field) => found[field] = Some(column),
            None => ignored.push(text.to_string()),
        }
    }
    let inputs = spec.inputs.len();
    let otherwise = other_name(&ignored).filter(|_| found[inputs].is_none());
    if let Some(name) = otherwise {
        found[inputs] = header.iter().position(|h| h == name);
        ignored.retain(|i| i != name);
    }
    let missing: Vec<&str> = (0..inputs).filter(|i| found[*i].is_none()).map(|i| names[i].as_str()).collect();
    if let Some(first) = missing.first() {
        let list = missing.iter().map(|n| quote(n)).collect::<Vec<_>>().join(", ");
        let whole = Span { start: rows.span(0).start, end: rows.span(rows.len() - 1).end };
        let wrong = Wrong::new(format!("there is no column {list}"));
        let separator = [";", "\t", "|"].into_iter().find(|s| header.iter().any(|h| h.contains(s)));
        let numbers = header.iter().filter(|h| literal(h).is_ok()).count();
        return Err((
            whole,
            if let Some(separator) = separator {
                wrong.hint(format!("separate cells by commas, not by {separator:?}, and write decimal points"))
            } else if numbers > 0 {
                wrong.hint(format!("the first line names the columns: {}", names[..inputs].join(",")))
            } else if let Some(near) = nearest(first, ignored.iter().map(String::as_str)) {
                wrong.hint(format!("is {} meant?", quote(near)))
            } else {
                wrong.hint(format!("the inputs are {}", names[..inputs].join(", ")))
            },
        ));
    }
    ignored.retain(|name| !written(names, inputs, name));
    Ok(Columns { places: found, ignored, otherwise: otherwise.is_some() })
}

/// Whether a column is one that Magneto itself writes for people, or for itself.
fn written(names: &[String], inputs: usize, name: &str) -> bool {
    AFTER.contains(&name)
        || ["id", "inputs_dec", "probable", "target"].contains(&name)
        || name.strip_suffix("_dec").is_some_and(|n| names[..inputs].iter().any(|i| i == n))
}

pub(super) fn csv_cells<'a, R: BufRead>(
    rows: &'a Rows<R>,
    columns: &[Option<usize>],
    width: usize,
    inputs: usize,
) -> Result<Vec<Cell<'a>>, At> {
    if rows.len() != width {
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
    let one = |(field, column): (usize, &Option<usize>)| {
        let Some(column) = *column else { return Ok(None) };
        let text = rows.text(column)?;
        // An empty cell of an input is there, and wrong.
        Ok((field < inputs || !text.is_empty()).then(|| (text, rows.span(column))))
    };
    columns.iter().enumerate().map(one).collect()
}

/// The fields of an object, the names of members that are ignored, and whether the test has its name from another member
/// than `test_id`.
pub(super) fn json_cells<'a>(
    document: &'a Document,
    at: Span,
    names: &[String],
    inputs: usize,
) -> Result<(Vec<Cell<'a>>, Vec<String>, bool), At> {
    let rename = |name: &str| {
        let prefixed = |n: &&String| n.trim_start_matches("input.") == name;
        names[..inputs].iter().find(|n| *n == name).or_else(|| names[..inputs].iter().find(prefixed)).cloned()
    };
    let fields = document.fields(at, |name| rename(name).unwrap_or_else(|| name.to_owned()))?;
    let mut cells: Vec<Cell<'a>> = vec![None; names.len()];
    let mut seen = vec![false; names.len()];
    let mut ignored = Vec::new();
    let known = |name: &str| names.iter().position(|n| n == name);
    let others: Vec<String> = fields.iter().map(|f| f.name.clone()).filter(|n| known(n).is_none()).collect();
    let has_id = fields.iter().any(|f| f.name == names[inputs]);
    let alias = other_name(&others).filter(|_| !has_id);
    for field in fields {
        let own = if alias == Some(field.name.as_str()) { Some(inputs) } else { known(&field.name) };
        let Some(index) = own else {
            if !written(names, inputs, &field.name) {
                ignored.push(field.name);
            }
            continue;
        };
        if std::mem::replace(&mut seen[index], true) {
            return Err((field.span, Wrong::new(format!("{} is given twice", quote(&field.name)))));
        }
        let text = document.scalar(field.span).map_err(|wrong| (field.span, wrong))?;
        cells[index] = text.filter(|t| index < inputs || !t.is_empty()).map(|t| (t, field.span));
    }
    let missing = |i: &usize| cells[*i].is_none();
    if let Some(i) = (0..inputs).find(missing) {
        let near = nearest(&names[i], ignored.iter().map(String::as_str)).map(quote);
        let wrong = Wrong::new(format!("the test has no value for {}", quote(&names[i])));
        let hint = near.map_or(format!("the inputs are {}", names[..inputs].join(", ")), |n| format!("is {n} meant?"));
        return Err((Span { start: at.start, end: at.start + 1 }, wrong.hint(hint)));
    }
    Ok((cells, ignored, alias.is_some()))
}
