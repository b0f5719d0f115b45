//! The fields of a test: columns of a table, members of an object.

use super::header::{Fields, other_name};
use super::json::Document;
use super::number::{At, Wrong};
use crate::text::{Span, nearest, quote};
use std::borrow::Cow;

/// A field of a test: its text and where it is.
pub(super) type Cell<'a> = Option<(Cow<'a, str>, Span)>;

/// The fields of an object, the names of members that are ignored, and whether the test has its name from another member
/// than `test_id`.
pub(super) fn json_cells<'a>(
    document: &'a Document,
    at: Span,
    known_fields: &Fields,
) -> Result<(Vec<Cell<'a>>, Vec<String>, bool), At> {
    let (names, inputs) = (&known_fields.names, known_fields.inputs);
    let said = |name: &str| known_fields.layout.map.iter().find(|(_, c)| c == name).map(|(field, _)| field.clone());
    let rename = |name: &str| {
        let prefixed = |n: &&String| n.trim_start_matches("input.") == name;
        names[..inputs].iter().find(|n| *n == name).or_else(|| names[..inputs].iter().find(prefixed)).cloned()
    };
    let mut fields = document.fields(at, |name| rename(name).unwrap_or_else(|| name.to_owned()))?;
    fields.iter_mut().for_each(|f| f.name = said(&f.name).unwrap_or_else(|| std::mem::take(&mut f.name)));
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
            if !known_fields.is_written(&field.name) {
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
