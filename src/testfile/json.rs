//! Tests in JSON: what `tests.json` holds, or an array of objects.

use super::number::Wrong;
use super::rows::not_utf8;
use crate::text::Span;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The objects of a document as places in it.
pub(super) struct Document {
    pub(super) text: String,
    tests: Vec<Span>,
    next: usize,
    /// The line of the test that [`Document::advance`] gave last, from 1.
    pub(super) line: usize,
    counted: usize,
}

/// The members of an object in order, the values as they are spelled.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
                    members.push((key, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// A value of an object with its place in the document.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) span: Span,
}

impl Document {
    /// Find the tests of a document.
    pub(super) fn new(bytes: Vec<u8>) -> Result<Self, (Vec<u8>, Span, Wrong)> {
        let text = String::from_utf8(bytes).map_err(|e| {
            let start = e.utf8_error().valid_up_to();
            (e.into_bytes(), Span { start, end: start + 1 }, not_utf8())
        })?;
        match tests(&text) {
            Ok(tests) => Ok(Document { text, tests, next: 0, line: 1, counted: 0 }),
            Err((span, wrong)) => Err((text.into_bytes(), span, wrong)),
        }
    }

    /// The place of the next test.
    pub(super) fn advance(&mut self) -> Option<Span> {
        let span = self.tests.get(self.next).copied()?;
        self.next += 1;
        self.line += self.text.as_bytes()[self.counted..span.start].iter().filter(|b| **b == b'\n').count();
        self.counted = span.start;
        Some(span)
    }

    /// The members of the object at a place; those of its object `inputs` take part under the names that `rename` gives
    /// them.
    pub(super) fn fields(&self, at: Span, rename: impl Fn(&str) -> String) -> Result<Vec<Field>, (Span, Wrong)> {
        let mut fields: Vec<Field> = Vec::new();
        for (name, value) in members(&self.text, at)? {
            let span = place(&self.text, value);
            if name == "inputs" && value.get().starts_with('{') {
                for (name, value) in members(&self.text, span)? {
                    fields.push(Field { name: rename(&name), span: place(&self.text, value) });
                }
            } else {
                fields.push(Field { name, span });
            }
        }
        Ok(fields)
    }

    /// The number or string at a place; none for `null`.
    pub(super) fn scalar(&self, at: Span) -> Result<Option<Cow<'_, str>>, Wrong> {
        let text = &self.text[at.start..at.end];
        match text.as_bytes().first() {
            Some(b'"') => serde_json::from_str::<String>(text).map(|s| Some(Cow::Owned(s.trim().to_owned()))),
            Some(b'-' | b'0'..=b'9') => return Ok(Some(Cow::Borrowed(text))),
            Some(b'n') => return Ok(None),
            _ => {
                return Err(
                    Wrong::new("neither a number nor a string").hint("write a number, or a string that holds one")
                );
            }
        }
        .map_err(|e| Wrong::new(e.to_string()))
    }
}

/// The places of the tests in a document.
fn tests(text: &str) -> Result<Vec<Span>, (Span, Wrong)> {
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let whole = Span { start, end: text.len() };
    let list = if text[start..].starts_with('{') {
        let document = members(text, whole)?;
        let Some((_, list)) = document.iter().find(|(name, _)| name == "tests") else {
            let wrong = Wrong::new("the object has no member `tests`");
            return Err((Span { start, end: start + 1 }, wrong.hint("write an array of objects, one a test")));
        };
        place(text, list)
    } else {
        whole
    };
    let items: Vec<&RawValue> = parse(text, list)?;
    Ok(items.into_iter().map(|item| place(text, item)).collect())
}

fn members(text: &str, at: Span) -> Result<Vec<(String, &RawValue)>, (Span, Wrong)> {
    parse::<Members<'_>>(text, at).map(|m| m.0)
}

/// Parse a part of the document.
fn parse<'a, T: Deserialize<'a>>(text: &'a str, at: Span) -> Result<T, (Span, Wrong)> {
    let part = &text[at.start..at.end];
    serde_json::from_str(part).map_err(|e| {
        let start = at.start + offset(part, e.line(), e.column());
        let said = e.to_string();
        let message = said.split(" at line ").next().unwrap_or_default();
        let message =
            message.strip_prefix("invalid type: ").map_or(message.to_owned(), |m| m.replace("expected", "not"));
        let wrong = Wrong::new(format!("this is no list of tests in JSON: {message}"));
        let wrong = wrong.hint("write an array of objects, one a test: [{\"x\": 1.5}, …]");
        (Span { start, end: (start + 1).min(text.len()) }, wrong)
    })
}

/// The byte at a line and column (in bytes) as the parser counts them; it may name the one after the last.
fn offset(part: &str, line: usize, column: usize) -> usize {
    let start: usize = part.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut at = (start + column.saturating_sub(1)).min(part.len());
    while !part.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Where a value is in the text of which it is a part.
fn place(text: &str, value: &RawValue) -> Span {
    let value = value.get();
    let start = (value.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    Span { start, end: start + value.len() }
}
