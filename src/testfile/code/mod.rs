//! Tests in code and in results of tests, as far as they are plain literals: what is not is refused at its place, never guessed.
//!
//! - Python: `@pytest.mark.parametrize` with its values in place or in a list of the same file; `pytest.param`, `ids`,
//!   `pytest.approx`.
//! - C and C++: assertions of GoogleTest, Catch2 and Unity that call the function with literals; `INSTANTIATE_TEST_SUITE_P` with
//!   `Values` or `ValuesIn`, Catch2's `GENERATE(table<…>({…}))`, Unity's `TEST_CASE(…)`, and arrays of cases.
//! - JUnit results: properties of a test case with the names of inputs, or parameters in its name: `f[1.5-2.0]`.
//!
//! A literal means what its compiler makes of it: `0.1f` is the nearest binary32 number.

mod assertions;
mod c;
mod junit;
mod lex;
mod python;
mod value;

use super::fields::Cell;
use super::header::{Columns, Fields};
use super::layout::Guesses;
use super::number::{At, Wrong};
use crate::spec::Spec;
use crate::text::{Span, quote};
use std::borrow::Cow;
use value::Value;

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// Python.
    Python,
    /// C and C++.
    C,
    /// JUnit's XML.
    Junit,
}

impl Language {
    /// What an extension says.
    pub(super) fn of(extension: &str) -> Option<Language> {
        match extension.to_ascii_lowercase().as_str() {
            "py" => Some(Language::Python),
            "c" | "h" | "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" | "inc" => Some(Language::C),
            "xml" => Some(Language::Junit),
            _ => None,
        }
    }
}

/// The tests of a file, in the order in which they stand there.
pub(super) struct Listed {
    pub(super) text: String,
    tests: Vec<(Vec<Cell<'static>>, usize)>,
    next: usize,
}

/// What the tests of a file are collected in.
struct Found<'a> {
    text: &'a str,
    spec: &'a Spec,
    fields: &'a Fields,
    guesses: &'a mut Guesses,
    tests: Vec<(Vec<Cell<'static>>, Span)>,
}

impl Listed {
    /// Reads all tests of a file.
    pub(super) fn read(
        text: String,
        language: Language,
        spec: &Spec,
        fields: &Fields,
        guesses: &mut Guesses,
    ) -> Result<Listed, (String, At)> {
        let mut found = Found { text: &text, spec, fields, guesses, tests: Vec::new() };
        let read = match language {
            Language::Python => python::read(&mut found),
            Language::C => c::read(&mut found),
            Language::Junit => junit::read(&mut found),
        };
        let mut tests = found.tests;
        let read = match read {
            Ok(()) if tests.is_empty() => Err((Span { start: 0, end: 1 }, nothing(language, spec))),
            other => other,
        };
        if let Err(at) = read {
            return Err((text, at));
        }
        tests.sort_by_key(|t| t.1.start);
        let (mut line, mut counted) = (1, 0);
        let numbered = tests.into_iter().map(|(cells, span)| {
            line += text.as_bytes()[counted..span.start].iter().filter(|b| **b == b'\n').count();
            counted = span.start;
            (cells, line)
        });
        let tests = numbered.collect();
        Ok(Listed { text, tests, next: 0 })
    }

    /// The next test and its line.
    pub(super) fn advance(&mut self) -> Option<(&[Cell<'static>], usize)> {
        let (cells, line) = self.tests.get(self.next)?;
        self.next += 1;
        Some((cells, *line))
    }
}

/// What is said of a file in which there is no test.
fn nothing(language: Language, spec: &Spec) -> Wrong {
    let names = spec.inputs.iter().map(|i| i.name.as_str()).collect::<Vec<_>>().join(", ");
    let what = match language {
        Language::Python => format!("a table of pytest.mark.parametrize with the names {names}"),
        Language::C => format!("an assertion that calls the function with {} numbers, or a table", spec.inputs.len()),
        Language::Junit => format!("a test case with the properties {names}"),
    };
    Wrong::new("there is no test in it").hint(format!("what is looked for is {what}"))
}

impl Found<'_> {
    /// Adds a test whose values have names.
    fn push(&mut self, columns: &Columns, values: &[Option<Value>], id: Option<Value>, span: Span) {
        let cell = |v: &Value| (!v.text.is_empty()).then(|| (Cow::Owned(v.text.clone()), v.span));
        let mut cells: Vec<Cell<'static>> =
            columns.places.iter().map(|p| p.and_then(|p| values.get(p)?.as_ref()).and_then(cell)).collect();
        // An empty cell of an input is there, and wrong.
        for cell in &mut cells[..self.fields.inputs] {
            cell.get_or_insert((Cow::Borrowed(""), span));
        }
        if let Some(id) = id {
            cells[self.fields.inputs] = cell(&id);
        }
        self.tests.push((cells, span));
    }

    /// The columns of values that have a place alone: as `--map` says, or inputs in their order with what is expected after them.
    fn by_place(&mut self, count: usize, span: Span) -> Result<Columns, At> {
        let fields = self.fields;
        let mut columns = Columns { places: vec![None; fields.names.len()], width: count, ..Columns::default() };
        let mut said = false;
        for (name, place) in &fields.layout.map {
            let place: Option<usize> = place.parse().ok().filter(|p| (1..=count).contains(p));
            if let (Some(field), Some(place)) = (fields.names.iter().position(|n| n == name), place) {
                (columns.places[field], said) = (Some(place - 1), true);
            }
        }
        let missing = (0..fields.inputs).find(|i| columns.places[*i].is_none());
        if said && missing.is_none() {
            return Ok(columns);
        }
        let names = fields.names[..fields.inputs].join(", ");
        if count != fields.inputs && count != fields.inputs + 1 {
            let wrong = Wrong::new(format!("{count} values where the inputs are {names}"));
            let places: Vec<String> =
                (1..).zip(&fields.names[..fields.inputs]).map(|(k, n)| format!("{n}={k}")).collect();
            return Err((span, wrong.hint(format!("say which value is which: --map {}", places.join(",")))));
        }
        (0..fields.inputs).for_each(|i| columns.places[i] = Some(i));
        let with = if count > fields.inputs { ", expected" } else { "" };
        if count > fields.inputs {
            columns.places[fields.inputs + 3] = Some(fields.inputs);
        }
        let map: Vec<String> = (1..).zip(&fields.names[..fields.inputs]).map(|(k, n)| format!("{n}={k}")).collect();
        let say = format!("say --map {}", map.join(","));
        self.guesses.take(span, format!("read values by their places as {names}{with}"), &say)?;
        Ok(columns)
    }

    /// The columns that some names give, or none where no input is among them.
    fn by_name(&mut self, names: &[(String, Span)]) -> Result<Option<Columns>, At> {
        // Exported tests begin the names of inputs so, that none is a keyword.
        let own = |n: &str| {
            let bare = n.strip_prefix("in_").unwrap_or(n);
            if self.fields.names[..self.fields.inputs].iter().any(|i| i == bare) {
                bare.to_owned()
            } else {
                n.to_owned()
            }
        };
        let header: Vec<Cow<'_, str>> = names.iter().map(|(n, _)| Cow::Owned(own(n))).collect();
        match self.fields.find(&header) {
            Ok(columns) => {
                self.fields.tell(&columns, |c| names.get(c).map_or(Span::default(), |n| n.1), self.guesses)?;
                Ok(Some(columns))
            }
            Err(_) if !header.iter().any(|h| self.fields.names[..self.fields.inputs].iter().any(|i| i == h)) => {
                Ok(None)
            }
            Err((at, wrong)) => {
                let span = at.and_then(|c| names.get(c)).or(names.first()).map_or(Span::default(), |n| n.1);
                Err((span, wrong))
            }
        }
    }

    /// The function whose calls are the tests, from those that are called so: as `--fn` says, the specification's name, or the
    /// only one.
    fn function(&mut self, called: &[(String, Span)]) -> Result<Option<String>, At> {
        if let Some(said) = &self.fields.layout.function {
            return match called.iter().find(|c| c.0 == *said) {
                Some(_) => Ok(Some(said.clone())),
                None => Ok(None),
            };
        }
        let plain = |t: &str| t.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        if let Some((own, _)) = called.iter().find(|c| plain(&c.0) == plain(&self.spec.name)) {
            return Ok(Some(own.clone()));
        }
        let Some((first, span)) = called.first() else { return Ok(None) };
        if let Some((other, at)) = called.iter().find(|c| c.0 != *first) {
            let wrong = Wrong::new(format!("assertions call both {} and {}", quote(first), quote(other)));
            return Err((*at, wrong.hint("say which one is meant: --fn NAME")));
        }
        self.guesses.take(*span, format!("read calls of {} as tests", quote(first)), "say --fn NAME")?;
        Ok(Some(first.clone()))
    }
}
