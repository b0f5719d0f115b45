//! S-expressions, in which FPCore and SMT-LIB are written: tokens come from `sexp.pest`, nesting is built here without
//! recursion.

use super::diagnostic::Diagnostic;
use super::place::line_column;
use super::span::Span;

/// After so many bracket mistakes the rest of a text is given up.
const MAX_MISTAKES: usize = 50;

#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "text/sexp.pest"]
    pub struct Lexer;
}
use grammar::{Lexer, Rule};
use pest::Parser;

/// The language of a text, which says what its tokens are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// FPCore: square brackets as well, `#` before an integer expression, strings with `\"`. A line that begins with
    /// `(FPCore` starts a new form even where brackets are still open.
    FpCore,
    /// SMT-LIB 2.6: symbols in bars, strings with `""`.
    SmtLib,
}

impl Dialect {
    /// The deepest nesting that is read. Whatever comes after the reader may recurse over the tree, so that the depth is
    /// bounded here: at that of FPCore a level may take 5 kB of the 2 MB that a thread has by default; SMT-LIB is read by a
    /// thread with a stack of its own.
    #[must_use]
    pub const fn deepest(self) -> usize {
        match self {
            Dialect::FpCore => 400,
            Dialect::SmtLib => 10_000,
        }
    }

    /// The first token of a text, if it has one.
    fn token(self, text: &str) -> Option<pest::iterators::Pair<'_, Rule>> {
        let rule = match self {
            Dialect::FpCore => Rule::fpcore,
            Dialect::SmtLib => Rule::smt_lib,
        };
        Lexer::parse(rule, text).ok()?.next()?.into_inner().next()
    }
}

/// An S-expression with its place.
#[derive(Clone, Debug)]
pub struct Sexp<'a> {
    /// What it is.
    pub kind: SexpKind<'a>,
    /// Where it stands.
    pub span: Span,
}

/// See [`Sexp`].
#[derive(Clone, Debug)]
pub enum SexpKind<'a> {
    /// A symbol (bars left out), keyword or number.
    Atom(&'a str),
    /// A string as it is written, with its quotes.
    Text(&'a str),
    /// A list in either sort of brackets.
    List(Vec<Sexp<'a>>),
}

impl<'a> Sexp<'a> {
    /// The text of an atom.
    #[must_use]
    pub fn atom(&self) -> Option<&'a str> {
        match self.kind {
            SexpKind::Atom(text) => Some(text),
            _ => None,
        }
    }

    /// Moves it so many bytes further on: it was read from a part of a text that begins there.
    pub fn move_by(&mut self, bytes: usize) {
        self.span = self.span.after(bytes);
        if let SexpKind::List(items) = &mut self.kind {
            items.iter_mut().for_each(|item| item.move_by(bytes));
        }
    }

    /// The elements of a list.
    #[must_use]
    pub fn list(&self) -> Option<&[Sexp<'a>]> {
        match &self.kind {
            SexpKind::List(items) => Some(items),
            _ => None,
        }
    }
}

/// The top-level forms of a text, each read or broken, and what is wrong between them.
#[derive(Debug, Default)]
pub struct Forms<'a> {
    /// The forms in order, each usable or with what is wrong with it.
    pub forms: Vec<Result<Sexp<'a>, Vec<Diagnostic>>>,
    /// What is wrong outside the forms.
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> Forms<'a> {
    /// All forms, for a language in which one mistake makes the whole text unusable.
    ///
    /// # Errors
    /// The first mistake of the text.
    pub fn all(self) -> Result<Vec<Sexp<'a>>, Diagnostic> {
        let broken = self.forms.iter().filter_map(|f| f.as_ref().err()).flatten();
        match self.diagnostics.iter().chain(broken).min_by_key(|d| d.span.start) {
            Some(first) => Err(first.clone()),
            None => Ok(self.forms.into_iter().flatten().collect()),
        }
    }
}

/// A list under construction, or a `#` waiting for its operand.
struct Frame<'a> {
    open: &'a str,
    span: Span,
    items: Vec<Sexp<'a>>,
}

struct Builder<'a> {
    source: &'a str,
    dialect: Dialect,
    stack: Vec<Frame<'a>>,
    broken: Vec<Diagnostic>,
    mistakes: usize,
    out: Forms<'a>,
}

/// Reads all forms of a text.
#[must_use]
pub fn read(source: &str, dialect: Dialect) -> Forms<'_> {
    let mut builder =
        Builder { source, dialect, stack: Vec::new(), broken: Vec::new(), mistakes: 0, out: Forms::default() };
    let mut at = 0;
    // The grammar is total, so that there is a token until the text ends; an error ends it as well.
    while let Some(token) = dialect.token(&source[at..]) {
        let span = Span { start: at + token.as_span().start(), end: at + token.as_span().end() };
        let text = &source[span.start..span.end];
        at = span.end;
        let goes_on = match token.as_rule() {
            Rule::open | Rule::square_open => builder.open(text, span),
            Rule::close | Rule::square_close => builder.close(text, span),
            Rule::hash => builder.push_frame(text, span),
            Rule::string | Rule::smt_string => builder.item(Sexp { kind: SexpKind::Text(text), span }),
            Rule::symbol => builder.item(Sexp { kind: SexpKind::Atom(&text[1..text.len() - 1]), span }),
            Rule::endless | Rule::smt_endless => builder.endless(text, span),
            _ => builder.item(Sexp { kind: SexpKind::Atom(text), span }),
        };
        if !goes_on {
            return builder.out;
        }
    }
    builder.abandon(None);
    builder.out
}

/// What a token of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `(` or `[`
    Open,
    /// `)` or `]`
    Close,
    /// A symbol, keyword or number, or `#`.
    Atom,
    /// A string; one that is never closed reaches to the end of the text.
    Text,
}

/// A token of a text, whether the text has a meaning or not yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedToken {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// The tokens of a text in their order; between them are spaces and comments.
pub fn tokens(source: &str, dialect: Dialect) -> impl Iterator<Item = PlacedToken> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let token = dialect.token(&source[at..])?;
        let span = Span { start: at + token.as_span().start(), end: at + token.as_span().end() };
        at = span.end;
        let kind = match token.as_rule() {
            Rule::open | Rule::square_open => TokenKind::Open,
            Rule::close | Rule::square_close => TokenKind::Close,
            Rule::string | Rule::smt_string | Rule::endless | Rule::smt_endless => TokenKind::Text,
            _ => TokenKind::Atom,
        };
        Some(PlacedToken { kind, span })
    })
}

impl<'a> Builder<'a> {
    /// Starts a list. A line that begins with `(FPCore` starts a new core even where brackets are still open, so that
    /// one missing bracket does not take the rest of the file with it.
    fn open(&mut self, text: &'a str, span: Span) -> bool {
        let rest = &self.source[span.end..];
        let is_core = rest.strip_prefix("FPCore").is_some_and(|r| r.starts_with([' ', '\t', '\r', '\n', '(', '[']));
        let at_line_start = span.start == 0 || self.source.as_bytes()[span.start - 1] == b'\n';
        if self.dialect == Dialect::FpCore && is_core && at_line_start && !self.stack.is_empty() {
            self.abandon(Some(span.start));
            if self.too_many(span) {
                return false;
            }
        }
        self.push_frame(text, span)
    }

    /// A string, or a symbol in bars, that does not end before the text does.
    fn endless(&mut self, text: &str, span: Span) -> bool {
        let what = if text.starts_with('|') { "quoted symbol" } else { "string" };
        let start = Span { start: span.start, end: span.start + 1 };
        let hint =
            (self.dialect == Dialect::FpCore).then(|| "a string ends with `\"`; inside it write `\\\"`".to_owned());
        self.stop(Diagnostic::syntax(start, format!("this {what} is never closed")).maybe_hint(hint))
    }

    /// Counts a mistake: a text in another language is not to be reported bracket by bracket.
    fn too_many(&mut self, span: Span) -> bool {
        self.mistakes += 1;
        self.mistakes > MAX_MISTAKES
            && !self.stop(Diagnostic::syntax(span, "too many bracket mistakes: the text is not read from here on"))
    }

    fn push_frame(&mut self, open: &'a str, span: Span) -> bool {
        let deepest = self.dialect.deepest();
        if self.stack.len() >= deepest {
            return self.stop(Diagnostic::syntax(span, format!("brackets are nested more than {deepest} deep")));
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

/// The content of a string of FPCore, given with its quotes: `\x` stands for `x`.
#[must_use]
pub fn unescaped(token: &str) -> String {
    let mut out = String::with_capacity(token.len());
    let mut chars = token[1..token.len() - 1].chars();
    while let Some(c) = chars.next() {
        if let Some(c) = if c == '\\' { chars.next() } else { Some(c) } {
            out.push(c);
        }
    }
    out
}
