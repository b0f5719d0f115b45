//! JUnit results: test cases with their values as properties, or in their names.

use super::Found;
use super::value::Value;
use crate::testfile::number::{At, Wrong, literal};
use crate::text::Span;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// A test case while it is read.
struct Case {
    name: String,
    span: Span,
    properties: Vec<(String, Value)>,
}

pub(super) fn read(found: &mut Found<'_>) -> Result<(), At> {
    let mut reader = Reader::from_str(found.text);
    let mut case: Option<Case> = None;
    let mut others = 0;
    loop {
        let start = usize::try_from(reader.buffer_position()).unwrap_or(0);
        let event = reader.read_event();
        let end = usize::try_from(reader.buffer_position()).unwrap_or(start);
        let span = Span { start, end: end.max(start) };
        let wrong = |e: &dyn std::fmt::Display| (span, Wrong::new(format!("this is no XML: {e}")));
        match event.map_err(|e| wrong(&e))? {
            Event::Eof => break,
            Event::Start(tag) if tag.local_name().as_ref() == b"testcase" => {
                case = Some(Case { name: attribute(&tag, b"name"), span, properties: Vec::new() });
            }
            Event::Empty(tag) if tag.local_name().as_ref() == b"testcase" => {
                let case = Case { name: attribute(&tag, b"name"), span, properties: Vec::new() };
                others += usize::from(!finish(found, case)?);
            }
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == b"property" => {
                let value = Value { text: attribute(&tag, b"value"), span, is_text: false };
                if let Some(case) = &mut case {
                    case.properties.push((attribute(&tag, b"name"), value));
                }
            }
            Event::End(tag) if tag.local_name().as_ref() == b"testcase" => {
                if let Some(case) = case.take() {
                    others += usize::from(!finish(found, case)?);
                }
            }
            _ => {}
        }
    }
    if others > 0 && !found.tests.is_empty() {
        found.guesses.notes.push(format!("left out {others} test cases without values of the inputs"));
    }
    Ok(())
}

fn attribute(tag: &BytesStart<'_>, name: &[u8]) -> String {
    let found = tag.attributes().flatten().find(|a| a.key.local_name().as_ref() == name);
    let text = found.map(|a| String::from_utf8_lossy(&a.value).into_owned()).unwrap_or_default();
    quick_xml::escape::unescape(&text).map(|t| t.trim().to_owned()).unwrap_or(text)
}

/// Adds the test that a test case is, if it has values.
fn finish(found: &mut Found<'_>, case: Case) -> Result<bool, At> {
    let id = Value { text: case.name.clone(), span: case.span, is_text: true };
    if !case.properties.is_empty() {
        let names: Vec<(String, Span)> = case.properties.iter().map(|(n, v)| (n.clone(), v.span)).collect();
        if let Some(columns) = found.by_name(&names)? {
            let values: Vec<Option<Value>> = case.properties.into_iter().map(|(_, v)| Some(v)).collect();
            found.push(&columns, &values, Some(id), case.span);
            return Ok(true);
        }
    }
    let inside = case.name.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
    let Some(parts) = inside.and_then(parameters) else { return Ok(false) };
    let columns = found.by_place(parts.len(), case.span)?;
    let value = |text: String| Some(Value { text, span: case.span, is_text: false });
    let values: Vec<Option<Value>> = parts.into_iter().map(value).collect();
    found.push(&columns, &values, Some(id), case.span);
    Ok(true)
}

/// The numbers between the hyphens of a name; none where a part is no number.
fn parameters(text: &str) -> Option<Vec<String>> {
    let mut parts: Vec<String> = Vec::new();
    let mut whole = true;
    for piece in text.split('-') {
        // A piece that is no number by itself goes on behind its sign: an exponent, or a negative number.
        match parts.last_mut() {
            Some(last) if !whole => {
                last.push('-');
                last.push_str(piece);
            }
            _ => parts.push(piece.to_owned()),
        }
        whole = parts.last().is_some_and(|last| literal(last).is_ok());
    }
    whole.then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::parameters;

    #[test]
    fn numbers_between_hyphens() {
        let read = |t: &str| parameters(t).map(|p| p.join(" "));
        assert_eq!(read("1.5-2.0-3"), Some("1.5 2.0 3".to_owned()));
        assert_eq!(read("1e-05--2.5"), Some("1e-05 -2.5".to_owned()));
        assert_eq!(read("-1--1"), Some("-1 -1".to_owned()));
        assert_eq!(read("a-1"), None);
        assert_eq!(read("1-"), None);
    }
}
