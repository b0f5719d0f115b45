//! S-expressions: tokens come from `grammar.pest`, nesting is built here without recursion.

use super::core::Span;
use super::diagnostic::{Diagnostic, line_column};

/// The deepest nesting that is read. Everything after the reader may recurse over the tree, so that the depth is bounded
/// here: at this one a level may take 5 kB of the 2 MB that a thread has by default.
pub const MAX_DEPTH: usize = 400;
/// After so many bracket mistakes the rest of a text is given up.
const MAX_MISTAKES: usize = 50;

#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "spec/grammar.pest"]
    pub struct Lexer;
}
use grammar::{Lexer, Rule};
use pest::Parser;

/// An S-expression with its place.
#[derive(Debug)]
pub(super) struct Sexp<'a> {
    pub(super) kind: SexpKind<'a>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum SexpKind<'a> {
    /// A symbol, keyword or number.
    Atom(&'a str),
    /// A string, escapes resolved.
    Text(String),
    /// A list in either sort of brackets.
    List(Vec<Sexp<'a>>),
}

impl<'a> Sexp<'a> {
    /// The text of an atom.
    pub(super) fn atom(&self) -> Option<&'a str> {
        match self.kind {
            SexpKind::Atom(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list.
    pub(super) fn list(&self) -> Option<&[Sexp<'a>]> {
        match &self.kind {
            SexpKind::List(items) => Some(items),
            _ => None,
        }
    }
}

/// The top-level forms of a text, each read or broken, and what is wrong between them.
#[derive(Debug, Default)]
pub(super) struct Forms<'a> {
    pub(super) forms: Vec<Result<Sexp<'a>, Vec<Diagnostic>>>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// A list under construction, or a `#` waiting for its operand.
struct Frame<'a> {
    open: &'a str,
    span: Span,
    items: Vec<Sexp<'a>>,
}

struct Builder<'a> {
    source: &'a str,
    stack: Vec<Frame<'a>>,
    broken: Vec<Diagnostic>,
    mistakes: usize,
    out: Forms<'a>,
}

/// Reads all forms of a text.
pub(super) fn read(source: &str) -> Forms<'_> {
    let mut builder = Builder { source, stack: Vec::new(), broken: Vec::new(), mistakes: 0, out: Forms::default() };
    let mut at = 0;
    // The grammar is total, so that there is a token until the text ends; an error ends it as well.
    while let Some(token) = token(&source[at..]) {
        let span = Span { start: at + token.as_span().start(), end: at + token.as_span().end() };
        let text = &source[span.start..span.end];
        at = span.end;
        let goes_on = match token.as_rule() {
            Rule::open => builder.open(text, span),
            Rule::hash => builder.push_frame(text, span),
            Rule::close => builder.close(text, span),
            Rule::string => builder.item(Sexp { kind: SexpKind::Text(unescape(text)), span }),
            Rule::atom => builder.item(Sexp { kind: SexpKind::Atom(text), span }),
            Rule::endless => builder.stop(
                Diagnostic::syntax(Span { start: span.start, end: span.start + 1 }, "this string is never closed")
                    .hint("a string ends with `\"`; inside it write `\\\"`"),
            ),
            _ => true,
        };
        if !goes_on {
            return builder.out;
        }
    }
    builder.abandon(None);
    builder.out
}

/// The first token of a text, if it has one.
fn token(text: &str) -> Option<pest::iterators::Pair<'_, Rule>> {
    Lexer::parse(Rule::next, text).ok()?.next()?.into_inner().next()
}

impl<'a> Builder<'a> {
    /// Starts a list. A line that begins with `(FPCore` starts a new core even where brackets are still open, so that
    /// one missing bracket does not take the rest of the file with it.
    fn open(&mut self, text: &'a str, span: Span) -> bool {
        let rest = &self.source[span.end..];
        let is_core = rest.strip_prefix("FPCore").is_some_and(|r| r.starts_with([' ', '\t', '\r', '\n', '(', '[']));
        let at_line_start = span.start == 0 || self.source.as_bytes()[span.start - 1] == b'\n';
        if is_core && at_line_start && !self.stack.is_empty() {
            self.abandon(Some(span.start));
            if self.too_many(span) {
                return false;
            }
        }
        self.push_frame(text, span)
    }

    /// Counts a mistake: a text that is no FPCore at all is not to be reported bracket by bracket.
    fn too_many(&mut self, span: Span) -> bool {
        self.mistakes += 1;
        self.mistakes > MAX_MISTAKES
            && !self.stop(Diagnostic::syntax(span, "too many bracket mistakes: the text is not read from here on"))
    }

    fn push_frame(&mut self, open: &'a str, span: Span) -> bool {
        if self.stack.len() >= MAX_DEPTH {
            return self.stop(Diagnostic::syntax(span, format!("brackets are nested more than {MAX_DEPTH} deep")));
        }
        self.stack.push(Frame { open, span, items: Vec::new() });
        true
    }

    /// Adds a finished form to the list around it.
    fn item(&mut self, item: Sexp<'a>) -> bool {
        let mut item = item;
        loop {
            match self.stack.pop() {
                None => {
                    let broken = std::mem::take(&mut self.broken);
                    self.out.forms.push(if broken.is_empty() { Ok(item) } else { Err(broken) });
                    return true;
                }
                Some(frame) if frame.open == "#" => {
                    let span = Span { start: frame.span.start, end: item.span.end };
                    let atom = |text| Sexp { kind: SexpKind::Atom(text), span: frame.span };
                    let items = vec![atom("!"), atom(":precision"), atom("integer"), item];
                    item = Sexp { kind: SexpKind::List(items), span };
                }
                Some(mut frame) => {
                    frame.items.push(item);
                    self.stack.push(frame);
                    return true;
                }
            }
        }
    }

    fn close(&mut self, text: &'a str, span: Span) -> bool {
        while self.stack.last().is_some_and(|f| f.open == "#") {
            self.stack.pop();
            self.broken.push(Diagnostic::syntax(span, "`#` must be followed by an expression"));
        }
        let Some(frame) = self.stack.pop() else {
            self.broken.clear();
            let message = format!("this `{text}` closes nothing");
            let hint = "remove it, or open what it is to close";
            self.out.diagnostics.push(Diagnostic::syntax(span, message).hint(hint));
            return !self.too_many(span);
        };
        let wanted = if frame.open == "(" { ")" } else { "]" };
        if text != wanted {
            let (line, column) = line_column(self.source.as_bytes(), frame.span.start);
            let message = format!("`{text}` closes the `{}` of line {line}, column {column}", frame.open);
            self.broken
                .push(Diagnostic::syntax(span, message).hint(format!("write `{wanted}`, or close what is open")));
            if self.too_many(span) {
                return false;
            }
        }
        let span = Span { start: frame.span.start, end: span.end };
        self.item(Sexp { kind: SexpKind::List(frame.items), span })
    }

    /// Gives up the form that is open, which ends before the next core or with the text.
    fn abandon(&mut self, next: Option<usize>) {
        let mut broken = std::mem::take(&mut self.broken);
        if let Some(frame) = self.stack.first() {
            let brackets = self.stack.iter().filter(|f| f.open != "#").count();
            let place = match next {
                None => "at the end of the text".to_owned(),
                Some(at) => {
                    format!("before the next core in line {}", line_column(self.source.as_bytes(), at).0)
                }
            };
            let missing = if brackets == 1 { "one is".to_owned() } else { format!("{brackets} are") };
            let message = format!("this `{}` is never closed", frame.open);
            broken.push(Diagnostic::syntax(frame.span, message).hint(format!("{missing} still open {place}")));
        }
        self.stack.clear();
        if !broken.is_empty() {
            self.out.forms.push(Err(broken));
        }
    }

    /// Gives up the rest of the text.
    fn stop(&mut self, diagnostic: Diagnostic) -> bool {
        let mut broken = std::mem::take(&mut self.broken);
        broken.push(diagnostic);
        if self.stack.is_empty() {
            self.out.diagnostics.append(&mut broken);
        } else {
            self.out.forms.push(Err(broken));
        }
        false
    }
}

/// The content of a string token: `\x` stands for `x`.
fn unescape(token: &str) -> String {
    let mut out = String::with_capacity(token.len());
    let mut chars = token[1..token.len() - 1].chars();
    while let Some(c) = chars.next() {
        if let Some(c) = if c == '\\' { chars.next() } else { Some(c) } {
            out.push(c);
        }
    }
    out
}
