//! Tables of pytest.

use super::lex::{Token, items, lex, span_of};
use super::value::{Value, value};
use super::{Found, Language};
use crate::testfile::header::Columns;
use crate::testfile::number::{At, Wrong};
use crate::text::{Span, quote};

/// The tolerances of `pytest.approx` where it is given none.
const APPROX: [&str; 2] = ["1e-12", "1e-6"];

pub(super) fn read(found: &mut Found<'_>) -> Result<(), At> {
    let text = found.text;
    let tokens = lex(text, Language::Python)?;
    for (at, token) in tokens.iter().enumerate() {
        let Some(inside) = tokens.get(at + 1).and_then(|t| t.group(b'(')) else { continue };
        if token.word(text) == Some("parametrize") {
            table(found, &tokens, at + 2, inside, token.span())?;
        }
    }
    Ok(())
}

/// One table, whose decorator ends before the token `after`.
fn table(found: &mut Found<'_>, tokens: &[Token], after: usize, inside: &[Token], span: Span) -> Result<(), At> {
    let text = found.text;
    let arguments = items(inside);
    let keyword = |name: &str| {
        let one = |a: &&[Token]| a.len() > 2 && a[0].word(text) == Some(name) && a[1].is_mark(b'=');
        arguments.iter().find(|a| one(a)).map(|a| &a[2..])
    };
    let place = |k: usize, name: &str| {
        arguments.get(k).copied().filter(|a| !a.get(1).is_some_and(|t| t.is_mark(b'='))).or(keyword(name))
    };
    let (Some(names), Some(rows)) = (place(0, "argnames"), place(1, "argvalues")) else {
        return Err((span, Wrong::new("a table without names and values")));
    };
    let Some(names) = argument_names(names) else {
        return Err((span_of(names), Wrong::new("the names are no plain texts").hint("write them as \"a, b, c\"")));
    };
    let Some(columns) = found.by_name(&names)? else { return Ok(()) };
    let rows = list(text, tokens, rows)?;
    let ids = match keyword("ids").map(|ids| list(text, tokens, ids)) {
        Some(Ok(ids)) => ids.iter().map(|id| value(text, Language::Python, id).ok().filter(|v| v.is_text)).collect(),
        _ => Vec::new(),
    };
    let tolerance = columns.places[found.fields.inputs + 3].and_then(|e| {
        let name = &names.get(e)?.0;
        let body = &tokens[after..];
        let end = body.iter().position(|t| t.is_mark(b'@')).unwrap_or(body.len());
        approx(text, &body[..end], name)
    });
    for (k, item) in rows.iter().enumerate() {
        row(found, &columns, &names, item, (ids.get(k).cloned().flatten(), tolerance.as_ref()))?;
    }
    Ok(())
}

/// The names of a table: a text with commas, or texts.
fn argument_names(tokens: &[Token]) -> Option<Vec<(String, Span)>> {
    match tokens {
        [Token::Text(list, span)] => Some(list.split(',').map(|n| (n.trim().to_owned(), *span)).collect()),
        [Token::Group(b'[' | b'(', inside, _)] => {
            let one = |item: &[Token]| match item {
                [Token::Text(name, span)] => Some((name.clone(), *span)),
                _ => None,
            };
            items(inside).into_iter().map(one).collect()
        }
        _ => None,
    }
}

/// The items of a list in place, or of one that has a name in the file.
fn list<'t>(text: &str, tokens: &'t [Token], list: &'t [Token]) -> Result<Vec<&'t [Token]>, At> {
    match list {
        [Token::Group(b'[' | b'(', inside, _)] => Ok(items(inside)),
        [word @ Token::Word(span)] => {
            let assigned = |w: &[Token]| w[0].word(text) == word.word(text) && w[1].is_mark(b'=');
            let found = tokens.windows(3).find(|w| assigned(w)).and_then(|w| w[2].group(b'[').or(w[2].group(b'(')));
            let name = quote(&text[span.start..span.end]);
            let wrong = || Wrong::new(format!("{name} is no list of values in this file"));
            found
                .map(items)
                .ok_or_else(|| (*span, wrong().hint("write the values as a list, or export the tests as CSV")))
        }
        other => {
            let wrong = Wrong::new("the values are no plain list");
            Err((span_of(other), wrong.hint("write the values as a list, or export the tests as CSV")))
        }
    }
}

/// What `approx(name, …)` in a test's body leaves, absolute and relative.
fn approx(text: &str, body: &[Token], name: &str) -> Option<[Value; 2]> {
    for (k, token) in body.iter().enumerate() {
        if token.word(text) == Some("approx")
            && let Some(inside) = body.get(k + 1).and_then(|t| t.group(b'('))
            && items(inside).first().is_some_and(|a| a.len() == 1 && a[0].word(text) == Some(name))
        {
            return tolerances(text, inside, token.span());
        }
    }
    let inner = |t: &Token| match t {
        Token::Group(_, inside, _) => approx(text, inside, name),
        _ => None,
    };
    body.iter().find_map(inner)
}

/// The tolerances of an `approx`, absolute and relative.
fn tolerances(text: &str, inside: &[Token], span: Span) -> Option<[Value; 2]> {
    let mut both = APPROX.map(|t| Value { text: t.to_owned(), span, is_text: false });
    let arguments = items(inside);
    let keyword = |name: &str| arguments.iter().find(|a| a.len() > 2 && a[0].word(text) == Some(name)).map(|a| &a[2..]);
    let (absolute, relative) = (keyword("abs"), keyword("rel"));
    if let Some(a) = absolute {
        both[0] = value(text, Language::Python, a).ok()?;
        // An absolute tolerance alone has no relative one beside it.
        if relative.is_none() {
            both[1].text = "0".to_owned();
        }
    }
    if let Some(r) = relative {
        both[1] = value(text, Language::Python, r).ok()?;
    }
    Some(both)
}

/// One row: a tuple, `pytest.param(…)`, or the value of the only name.
fn row(
    found: &mut Found<'_>,
    columns: &Columns,
    names: &[(String, Span)],
    item: &[Token],
    (id, tolerance): (Option<Value>, Option<&[Value; 2]>),
) -> Result<(), At> {
    let text = found.text;
    let span = span_of(item);
    let mut id = id;
    let values: Vec<&[Token]> = match item {
        [.., word, Token::Group(b'(', inside, _)] if word.word(text) == Some("param") => {
            let (own, others): (Vec<_>, Vec<_>) =
                items(inside).into_iter().partition(|a| !a.get(1).is_some_and(|t| t.is_mark(b'=')));
            let named = others.iter().find(|a| a[0].word(text) == Some("id")).map(|a| &a[2..]);
            id = named.and_then(|t| value(text, Language::Python, t).ok()).or(id);
            own
        }
        [Token::Group(b'(' | b'[', inside, _)] if names.len() > 1 => items(inside),
        other if names.len() == 1 => vec![other],
        _ => return Err((span, Wrong::new("the row is no plain tuple").hint("write its values in parentheses"))),
    };
    if values.len() != names.len() {
        return Err((span, Wrong::new(format!("the row has {} values, and {} names", values.len(), names.len()))));
    }
    let mut cells = vec![None; names.len()];
    let expected = columns.places[found.fields.inputs + 3];
    let mut own = tolerance.cloned();
    for place in columns.places.iter().flatten() {
        let mut code = values[*place];
        if Some(*place) == expected
            && let [.., word, Token::Group(b'(', inside, _)] = code
            && word.word(text) == Some("approx")
        {
            own = tolerances(text, inside, word.span());
            code = items(inside).first().copied().unwrap_or_default();
        }
        cells[*place] = Some(value(text, Language::Python, code)?);
    }
    found.push(columns, &cells, id, span);
    if let (Some(both), Some((cells, _)), Some(_)) = (own, found.tests.last_mut(), expected) {
        for (k, tolerance) in both.into_iter().enumerate() {
            let cell = &mut cells[found.fields.inputs + 4 + k];
            cell.get_or_insert((tolerance.text.into(), tolerance.span));
        }
    }
    Ok(())
}
