//! Words, numbers, texts and brackets of Python, C and C++.

use super::Language;
use crate::testfile::number::{At, Wrong};
use crate::text::Span;

/// The deepest brackets that are read.
const DEEPEST: usize = 100;

/// A piece of code.
#[derive(Clone, Debug)]
pub(super) enum Token {
    /// A number as it is spelled.
    Number(Span),
    /// A text, without its quotes.
    Text(String, Span),
    /// A name or a keyword.
    Word(Span),
    /// A character of its own.
    Mark(u8, Span),
    /// What stands in brackets, with the opening one.
    Group(u8, Vec<Token>, Span),
}

impl Token {
    pub(super) fn span(&self) -> Span {
        match self {
            Token::Number(s) | Token::Text(_, s) | Token::Word(s) | Token::Mark(_, s) | Token::Group(_, _, s) => *s,
        }
    }

    pub(super) fn is_mark(&self, mark: u8) -> bool {
        matches!(self, Token::Mark(m, _) if *m == mark)
    }

    /// What stands in brackets of a kind.
    pub(super) fn group(&self, open: u8) -> Option<&[Token]> {
        match self {
            Token::Group(o, inside, _) if *o == open => Some(inside),
            _ => None,
        }
    }

    pub(super) fn word<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self {
            Token::Word(span) => Some(&text[span.start..span.end]),
            _ => None,
        }
    }
}

/// The place of some pieces of code.
pub(super) fn span_of(tokens: &[Token]) -> Span {
    match (tokens.first(), tokens.last()) {
        (Some(a), Some(b)) => Span { start: a.span().start, end: b.span().end },
        _ => Span::default(),
    }
}

/// The parts between commas; what follows the last one counts if it is not empty.
pub(super) fn items(tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts: Vec<&[Token]> = tokens.split(|t| t.is_mark(b',')).collect();
    if parts.last().is_some_and(|p| p.is_empty()) {
        parts.pop();
    }
    parts
}

/// Reads code.
pub(super) fn lex(text: &str, language: Language) -> Result<Vec<Token>, At> {
    let mut lexer = Lexer { text, language, at: 0, line_begins: true };
    let mut open: Vec<(u8, usize, Vec<Token>)> = Vec::new();
    let mut here: Vec<Token> = Vec::new();
    while let Some(token) = lexer.next()? {
        match token {
            Token::Mark(mark @ (b'(' | b'[' | b'{'), span) => {
                if open.len() == DEEPEST {
                    return Err((span, Wrong::new("brackets are nested too deeply")));
                }
                open.push((mark, span.start, std::mem::take(&mut here)));
            }
            Token::Mark(mark @ (b')' | b']' | b'}'), span) => {
                let fits = |o: u8| matches!((o, mark), (b'(', b')') | (b'[', b']') | (b'{', b'}'));
                let Some((o, start, before)) = open.pop().filter(|o| fits(o.0)) else {
                    return Err((span, Wrong::new("a bracket closes that was not opened")));
                };
                let inside = std::mem::replace(&mut here, before);
                here.push(Token::Group(o, inside, Span { start, end: span.end }));
            }
            other => here.push(other),
        }
    }
    match open.pop() {
        Some((_, start, _)) => Err((Span { start, end: start + 1 }, Wrong::new("the bracket is not closed"))),
        None => Ok(here),
    }
}

struct Lexer<'t> {
    text: &'t str,
    language: Language,
    at: usize,
    line_begins: bool,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span_from(&self, start: usize) -> Span {
        Span { start, end: self.at }
    }

    fn next(&mut self) -> Result<Option<Token>, At> {
        self.skip();
        let start = self.at;
        let Some(c) = self.rest().chars().next() else { return Ok(None) };
        self.line_begins = false;
        let second = self.rest().as_bytes().get(1).copied().unwrap_or(0);
        if c.is_ascii_digit() || c == '.' && second.is_ascii_digit() {
            self.number();
            return Ok(Some(Token::Number(self.span_from(start))));
        }
        if c == '"' || c == '\'' {
            return self.text(false).map(Some);
        }
        if c.is_alphabetic() || c == '_' {
            let word: usize =
                self.rest().chars().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum();
            self.at += word;
            let prefix = self.text[start..self.at].to_ascii_lowercase();
            let quoted = self.rest().starts_with(['"', '\'']);
            if quoted
                && ["r", "b", "f", "u", "l", "u8", "br", "rb", "fr", "rf", "lr", "ur", "u8r"].contains(&prefix.as_str())
            {
                return self.text(prefix.contains('r')).map(Some);
            }
            return Ok(Some(Token::Word(self.span_from(start))));
        }
        self.at += c.len_utf8();
        let mark = if c.is_ascii() { c as u8 } else { b'?' };
        Ok(Some(Token::Mark(mark, self.span_from(start))))
    }

    /// Goes over spaces and comments, and in C over directives.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let Some(c) = rest.chars().next() else { return };
            let line = || rest.find('\n').unwrap_or(rest.len());
            if c == '\n' {
                (self.at, self.line_begins) = (self.at + 1, true);
            } else if c.is_whitespace() || c == '\u{feff}' {
                self.at += c.len_utf8();
            } else if self.language == Language::Python && c == '#' {
                self.at += line();
            } else if self.language == Language::Python && rest.starts_with("\\\n") {
                self.at += 2;
            } else if self.language == Language::C && rest.starts_with("//") {
                self.at += line();
            } else if self.language == Language::C && rest.starts_with("/*") {
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else if self.language == Language::C && c == '#' && self.line_begins {
                let mut end = line();
                while rest[..end].trim_end_matches('\r').ends_with('\\') && end < rest.len() {
                    end += 1 + rest[end + 1..].find('\n').unwrap_or(rest.len() - end - 1);
                }
                self.at += end;
            } else {
                return;
            }
        }
    }

    fn number(&mut self) {
        let bytes = self.text.as_bytes();
        let hexadecimal = self.rest().starts_with("0x") || self.rest().starts_with("0X");
        let start = self.at;
        while let Some(&b) = bytes.get(self.at) {
            let signed = |b: u8| if hexadecimal { b"pP".contains(&b) } else { b"eE".contains(&b) };
            let separator = b == b'\''
                && self.language == Language::C
                && bytes.get(self.at + 1).is_some_and(u8::is_ascii_alphanumeric);
            let sign = (b == b'+' || b == b'-') && self.at > start && signed(bytes[self.at - 1]);
            if !(b.is_ascii_alphanumeric() || b == b'.' || b == b'_' || separator || sign) {
                return;
            }
            self.at += 1;
        }
    }

    /// A text from its opening quote on.
    fn text(&mut self, raw: bool) -> Result<Token, At> {
        let start = self.at;
        let rest = self.rest();
        let wrong = |end: usize| Err((Span { start, end }, Wrong::new("the text is not closed")));
        if raw && self.language == Language::C {
            let Some(open) = rest.find('(') else { return wrong(start + 1) };
            let close = format!("){}\"", &rest[1..open]);
            let Some(end) = rest.find(&close) else { return wrong(start + 1) };
            let text = rest[open + 1..end].to_owned();
            self.at += end + close.len();
            return Ok(Token::Text(text, self.span_from(start)));
        }
        let one = &rest[..1];
        let three = one.repeat(3);
        let quote = if self.language == Language::Python && rest.starts_with(&three) { three.as_str() } else { one };
        let mut text = String::new();
        let mut at = quote.len();
        loop {
            let Some(c) = rest[at..].chars().next() else { return wrong(start + 1) };
            if rest[at..].starts_with(quote) {
                break;
            }
            if c == '\n' && quote.len() == 1 {
                return wrong(start + 1);
            }
            at += c.len_utf8();
            if c == '\\' {
                let escaped = rest[at..].chars().next().unwrap_or_default();
                at += escaped.len_utf8().min(rest.len() - at);
                if raw {
                    text.push(c);
                }
                text.push(match escaped {
                    'n' if !raw => '\n',
                    't' if !raw => '\t',
                    other => other,
                });
            } else {
                text.push(c);
            }
        }
        let end = start + at + quote.len();
        self.at = end;
        Ok(Token::Text(text, Span { start, end }))
    }
}
