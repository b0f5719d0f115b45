//! The text of a script as S-expressions.

use crate::spec::Diagnostic;
use crate::spec::span::Span;

#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "smt/grammar.pest"]
    pub struct SmtLexer;
}
use grammar::{Rule, SmtLexer};
use pest::Parser;

/// The deepest nesting that is read; what comes after the reader recurses over it.
const MAX_DEPTH: usize = 10_000;

pub(super) type Result<T> = std::result::Result<T, Diagnostic>;

/// An S-expression with its place.
#[derive(Clone, Debug)]
pub(super) struct Sexp<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Kind<'a> {
    /// A symbol (bars left out), keyword or literal.
    Atom(&'a str),
    /// A string, with its quotes.
    Text(&'a str),
    List(Vec<Sexp<'a>>),
}

impl<'a> Sexp<'a> {
    pub(super) fn atom(&self) -> Option<&'a str> {
        match self.kind {
            Kind::Atom(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[Sexp<'a>]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }
}

/// The forms of a text.
pub(super) fn read(source: &str) -> Result<Vec<Sexp<'_>>> {
    let mut open: Vec<(usize, Vec<Sexp<'_>>)> = Vec::new();
    let mut forms = Vec::new();
    let mut at = 0;
    while let Some(token) = token(&source[at..]) {
        let span = Span { start: at + token.as_span().start(), end: at + token.as_span().end() };
        let text = &source[span.start..span.end];
        at = span.end;
        let done = match token.as_rule() {
            Rule::open if open.len() == MAX_DEPTH => {
                return Err(Diagnostic::syntax(span, format!("brackets are nested more than {MAX_DEPTH} deep")));
            }
            Rule::open => {
                open.push((span.start, Vec::new()));
                continue;
            }
            Rule::close => {
                let Some((start, items)) = open.pop() else {
                    let wrong = Diagnostic::syntax(span, "this `)` closes nothing");
                    return Err(wrong.hint("remove it, or open what it is to close"));
                };
                Sexp { kind: Kind::List(items), span: Span { start, end: span.end } }
            }
            Rule::string => Sexp { kind: Kind::Text(text), span },
            Rule::quoted => Sexp { kind: Kind::Atom(&text[1..text.len() - 1]), span },
            Rule::endless => {
                let start = Span { start: span.start, end: span.start + 1 };
                let what = if text.starts_with('|') { "this quoted symbol" } else { "this string" };
                return Err(Diagnostic::syntax(start, format!("{what} is never closed")));
            }
            _ => Sexp { kind: Kind::Atom(text), span },
        };
        match open.last_mut() {
            Some((_, items)) => items.push(done),
            None => forms.push(done),
        }
    }
    match open.first() {
        Some((start, _)) => {
            let span = Span { start: *start, end: start + 1 };
            let hint =
                format!("{} still open at the end of the text", if open.len() == 1 { "it is" } else { "brackets are" });
            Err(Diagnostic::syntax(span, "this `(` is never closed").hint(hint))
        }
        None => Ok(forms),
    }
}

/// The first token of a text, if it has one.
fn token(text: &str) -> Option<pest::iterators::Pair<'_, Rule>> {
    SmtLexer::parse(Rule::next, text).ok()?.next()?.into_inner().next()
}
