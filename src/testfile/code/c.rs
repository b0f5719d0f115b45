//! Tests in C and C++: assertions, and tables of values.

use super::assertions::{self, Tolerance};
use super::lex::{Token, items, lex, span_of};
use super::value::value;
use super::{Found, Language};
use crate::testfile::header::Columns;
use crate::testfile::number::{At, Wrong};
use crate::text::Span;

/// Parts of names that say that an array holds tests.
const CASES: [&str; 5] = ["case", "test", "vector", "sample", "param"];

/// The structures of a file by name, with the names of their fields.
type Structures = Vec<(String, Vec<(String, Span)>)>;

pub(super) fn read(found: &mut Found<'_>) -> Result<(), At> {
    let text = found.text;
    let tokens = lex(text, Language::C)?;
    let mut structures = Structures::new();
    collect_structures(text, &tokens, &mut structures);
    tables(found, &tokens, &structures)?;
    let has_tables = !found.tests.is_empty();
    let mut all = Vec::new();
    assertions::find(text, &tokens, found.fields.inputs, &mut all);
    let called: Vec<(String, Span)> = all.iter().map(|a| a.function.clone()).collect();
    let plain: Vec<(String, Span)> = all.iter().filter(|a| a.is_plain(text)).map(|a| a.function.clone()).collect();
    // Calls of other functions, with variables, are no concern of ours where tests are in tables.
    let Some(function) = found.function(if has_tables { &plain } else { &called })? else {
        return inherit(found, has_tables, &all);
    };
    for assertion in all.iter().filter(|a| a.function.0 == function) {
        if !has_tables || assertion.is_plain(text) {
            assertion.add(found)?;
        }
    }
    inherit(found, has_tables, &all)
}

/// The tolerance of the one assertion that is over the rows of tables.
fn inherit(found: &mut Found<'_>, has_tables: bool, all: &[assertions::Assertion<'_>]) -> Result<(), At> {
    let mut over = all.iter().filter(|a| !a.is_plain(found.text)).filter_map(|a| a.tolerance.as_ref());
    if let (true, Some(tolerance), None) = (has_tables, over.next(), over.next()) {
        let (field, value) = Tolerance::field(tolerance);
        let inputs = found.fields.inputs;
        for (cells, _) in &mut found.tests {
            if cells[inputs + 3].is_some() && cells[inputs + 4].is_none() && cells[inputs + 5].is_none() {
                cells[inputs + field] = Some((value.text.clone().into(), value.span));
            }
        }
    }
    Ok(())
}

/// `struct Name { double a, b; };`, and the name behind a `typedef`.
fn collect_structures(text: &str, tokens: &[Token], all: &mut Structures) {
    for (at, token) in tokens.iter().enumerate() {
        if let Token::Group(b'{', inside, _) = token {
            collect_structures(text, inside, all);
            let before = |k: usize| at.checked_sub(k).and_then(|i| tokens[i].word(text));
            let named = before(2) == Some("struct");
            if named || before(1) == Some("struct") {
                let name = if named { before(1) } else { tokens.get(at + 1).and_then(|t| t.word(text)) };
                all.push((name.unwrap_or_default().to_owned(), field_names(text, inside)));
            }
        }
    }
}

/// The names of a structure's fields: the last word before each comma and semicolon.
fn field_names(text: &str, inside: &[Token]) -> Vec<(String, Span)> {
    let declarations = inside.split(|t| t.is_mark(b';'));
    let name = |part: &[Token]| {
        let end = part.iter().position(|t| t.is_mark(b'=')).unwrap_or(part.len());
        part[..end].iter().rev().find_map(|t| t.word(text).map(|w| (w.to_owned(), t.span())))
    };
    declarations.flat_map(|d| d.split(|t| t.is_mark(b','))).filter_map(name).collect()
}

/// All tables in some code.
fn tables(found: &mut Found<'_>, tokens: &[Token], structures: &Structures) -> Result<(), At> {
    let text = found.text;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        match (token.word(text), next) {
            (Some("INSTANTIATE_TEST_SUITE_P" | "INSTANTIATE_TEST_CASE_P"), Some(Token::Group(b'(', inside, _))) => {
                values(found, inside, structures)?;
            }
            // Unity's parameters stand before the test, Catch2's names in it.
            (Some("TEST_CASE"), Some(Token::Group(b'(', inside, span)))
                if !items(inside).iter().all(|i| matches!(i, [Token::Text(..)])) =>
            {
                row(found, None, &items(inside), *span)?;
            }
            (Some("GENERATE"), Some(Token::Group(b'(', inside, _))) => generated(found, inside, structures)?,
            _ => {}
        }
        if let Token::Group(b'{', inside, _) = token
            && !array(found, tokens, at, inside, structures)?
        {
            tables(found, inside, structures)?;
        }
    }
    Ok(())
}

/// `Values(row, row, …)`; `ValuesIn(name)` names an array, which is read where it stands.
fn values(found: &mut Found<'_>, inside: &[Token], structures: &Structures) -> Result<(), At> {
    let text = found.text;
    for pair in inside.windows(2) {
        if let (Some("Values"), Some(list)) = (pair[0].word(text), pair[1].group(b'(')) {
            rows(found, &items(list), structures, None)?;
        }
    }
    Ok(())
}

/// `table<double, double>({ {…}, {…} })`.
fn generated(found: &mut Found<'_>, inside: &[Token], structures: &Structures) -> Result<(), At> {
    let is_table = inside.iter().any(|t| t.word(found.text) == Some("table"));
    let list = inside.iter().rev().find_map(|t| t.group(b'('));
    if let (true, Some([Token::Group(b'{', list, _)])) = (is_table, list) {
        rows(found, &items(list), structures, None)?;
    }
    Ok(())
}

/// An array of cases, if the braces are one. Returns whether they are.
fn array(
    found: &mut Found<'_>,
    tokens: &[Token],
    at: usize,
    inside: &[Token],
    structures: &Structures,
) -> Result<bool, At> {
    let text = found.text;
    // Back to the beginning of the declaration.
    let begin = tokens[..at].iter().rposition(|t| t.is_mark(b';') || t.is_mark(b'}')).map_or(0, |k| k + 1);
    let head = &tokens[begin..at];
    let end = head.iter().position(|t| t.is_mark(b'=')).unwrap_or(head.len());
    let head = &head[..end];
    let Some(name) = head.iter().rev().find_map(|t| t.word(text)) else { return Ok(false) };
    let mut list = items(inside);
    // Arrays of C++ have one more pair of braces.
    while let [[Token::Group(b'{', inner, _)]] = list[..]
        && items(inner).iter().all(|i| matches!(i, [Token::Group(b'{', ..)]))
    {
        list = items(inner);
    }
    if list.is_empty() || !list.iter().all(|i| braces(text, i).is_some()) {
        return Ok(false);
    }
    let inline = head.iter().find_map(|t| t.group(b'{')).map(|g| field_names(text, g));
    let typed = || head.iter().find_map(|t| structures.iter().find(|s| t.word(text) == Some(s.0.as_str())));
    let Some(names) = inline.or_else(|| typed().map(|s| s.1.clone())) else {
        let lower = name.to_ascii_lowercase();
        let given = text.contains(&format!("ValuesIn({name})"));
        if given || CASES.iter().any(|c| lower.contains(c)) {
            rows(found, &list, structures, None)?;
            return Ok(true);
        }
        return Ok(false);
    };
    let Some(columns) = found.by_name(&names)? else { return Ok(true) };
    rows(found, &list, structures, Some((&columns, &names)))?;
    Ok(true)
}

/// What stands in a row's braces, or in the parentheses of `make_tuple`, with the type before it.
fn braces<'t>(text: &'t str, item: &'t [Token]) -> Option<(&'t [Token], Option<&'t str>)> {
    let (last, before) = item.split_last()?;
    let word = before.iter().rev().find_map(|t| t.word(text));
    let inside = last.group(b'{').or_else(|| {
        let tuple = word.is_some_and(|w| ["make_tuple", "tuple", "make_pair"].contains(&w));
        last.group(b'(').filter(|_| tuple || before.iter().any(|t| t.word(text) == Some("tuple")))
    })?;
    Some((inside, word))
}

fn rows(
    found: &mut Found<'_>,
    list: &[&[Token]],
    structures: &Structures,
    named: Option<(&Columns, &[(String, Span)])>,
) -> Result<(), At> {
    let text = found.text;
    for item in list {
        let span = span_of(item);
        let (inside, word) = match braces(text, item) {
            Some(found) => found,
            // A value of the only input.
            None if found.fields.inputs == 1 => (*item, None),
            None => {
                let wrong = Wrong::new("the row is no plain list of values");
                return Err((span, wrong.hint("write {…}, Type{…} or std::make_tuple(…) with numbers")));
            }
        };
        let own = structures.iter().find(|s| Some(s.0.as_str()) == word);
        if let (None, Some((_, names))) = (named, own) {
            if let Some(columns) = found.by_name(names)? {
                row(found, Some((&columns, names)), &items(inside), span)?;
            }
            continue;
        }
        row(found, named, &items(inside), span)?;
    }
    Ok(())
}

/// One row: values by the names of fields, as they say themselves (`.x = 1`), or by place.
fn row(
    found: &mut Found<'_>,
    named: Option<(&Columns, &[(String, Span)])>,
    list: &[&[Token]],
    span: Span,
) -> Result<(), At> {
    let text = found.text;
    let Some((columns, names)) = named else { return by_place(found, list, span) };
    let mut values = vec![None; names.len()];
    let mut id = None;
    for (k, code) in list.iter().enumerate() {
        let (place, code) = match code {
            [dot, word, equal, rest @ ..] if dot.is_mark(b'.') && equal.is_mark(b'=') => {
                let at = names.iter().position(|n| word.word(text) == Some(n.0.as_str()));
                (at.unwrap_or(names.len()), rest)
            }
            other => (k, *other),
        };
        if place >= names.len() {
            return Err((span_of(code), Wrong::new("a value for which the structure has no field")));
        }
        let is_id = matches!(code, [Token::Text(..)]);
        if columns.places.contains(&Some(place)) {
            values[place] = Some(value(text, Language::C, code)?);
        } else if is_id && id.is_none() {
            id = Some(value(text, Language::C, code)?);
        }
    }
    found.push(columns, &values, id, span);
    Ok(())
}

/// A row whose values have a place alone; a text among them names the test.
fn by_place(found: &mut Found<'_>, list: &[&[Token]], span: Span) -> Result<(), At> {
    let text = found.text;
    let said = !found.fields.layout.map.is_empty();
    let (texts, numbers): (Vec<&[Token]>, Vec<&[Token]>) =
        list.iter().copied().partition(|code| !said && matches!(code, [Token::Text(..)]));
    let columns = found.by_place(numbers.len(), span)?;
    let mut values = vec![None; numbers.len()];
    for place in columns.places.iter().flatten() {
        values[*place] = Some(value(text, Language::C, numbers[*place])?);
    }
    let id = texts.first().and_then(|code| value(text, Language::C, code).ok());
    found.push(&columns, &values, id, span);
    Ok(())
}
