//! Tokens.

use super::Notation;
use super::operators;
use crate::num::Rational;
use crate::spec::parse_rational;
use crate::text::{Diagnostic, Span, quote};

/// A piece of a text.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// See [`Token`].
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// A number, whether it is spelled as an integer, and whether it is one of C's binary32.
    Number { text: String, value: Rational, whole: bool, single: bool },
    /// A name with what stands before it: `np.` of `np.sin`.
    Name { prefix: String, name: String },
    /// An operator, a bracket or a comma.
    Sign(&'static str),
    /// A text in quotes, which SymPy has for names and numbers.
    Text(String),
    /// The end of the text.
    End,
}

/// Signs of no operator.
const BRACKETS: [&str; 12] = ["->", "..", "(", ")", "[", "]", "{", "}", ",", ";", "=", ":"];

/// Reads all tokens.
pub(super) fn tokens(text: &str, notation: Notation) -> Result<Vec<Token>, Diagnostic> {
    let mut lexer = Scan { text, at: 0, notation };
    let mut all = Vec::new();
    while let Some(token) = lexer.next_token()? {
        all.push(token);
    }
    // The end is marked where the text ends, not behind spaces after it.
    let end = text.trim_end().len();
    all.push(Token { kind: TokenKind::End, span: Span { start: end, end } });
    Ok(all)
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    notation: Notation,
}

impl Scan<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn take(&mut self, length: usize) -> Span {
        let start = self.at;
        self.at += length;
        Span { start, end: self.at }
    }

    fn next_token(&mut self) -> Result<Option<Token>, Diagnostic> {
        let blank = self.rest().len() - self.rest().trim_start().len();
        self.at += blank;
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        let second = self.rest().chars().nth(1).unwrap_or(' ');
        if first.is_ascii_digit() || first == '.' && second.is_ascii_digit() {
            return self.number().map(Some);
        }
        if is_start(first) {
            return Ok(Some(self.name()));
        }
        if self.notation == Notation::Sympy && matches!(first, '\'' | '"') {
            return self.quoted(first).map(Some);
        }
        let sign = operators::signs(self.notation)
            .chain(BRACKETS)
            .filter(|s| self.rest().starts_with(s))
            .max_by_key(|s| s.len());
        if let Some(sign) = sign {
            let span = self.take(sign.len());
            return Ok(Some(Token { kind: TokenKind::Sign(sign), span }));
        }
        Err(self.stranger(first))
    }

    /// Why a character cannot stand in a formula.
    fn stranger(&mut self, c: char) -> Diagnostic {
        let span = self.take(c.len_utf8());
        let hint = match c {
            '²' => "write `^2` or `**2`",
            '³' => "write `^3` or `**3`",
            '\'' | '"' => {
                "there are no strings and no transposed matrices; what SymPy's `srepr` prints is read with `--language sympy`"
            }
            '\\' | '$' => "LaTeX is read with `--language latex`",
            '#' => "leave comments out",
            _ => "a formula is made of numbers, names, operators, commas and brackets",
        };
        Diagnostic::syntax(span, format!("{} has no meaning here", quote(&c.to_string()))).hint(hint)
    }

    fn quoted(&mut self, quote: char) -> Result<Token, Diagnostic> {
        let length = self.rest()[1..].find(quote);
        let text = length.map(|length| self.rest()[1..=length].to_owned());
        let span = self.take(length.map_or(self.rest().len(), |length| length + 2));
        match text {
            Some(text) => Ok(Token { kind: TokenKind::Text(text), span }),
            None => Err(Diagnostic::syntax(span, "a quote is never closed")),
        }
    }

    fn name(&mut self) -> Token {
        let start = self.at;
        let mut prefix = String::new();
        loop {
            let word: String = self.rest().chars().take_while(|c| is_part(*c)).collect();
            self.at += word.len();
            let rest = self.rest();
            let joined = ["::", "."].into_iter().find(|j| {
                let known = *j == "::" || self.notation != Notation::Matlab;
                known && rest.strip_prefix(j).is_some_and(|r| r.starts_with(is_start))
            });
            let Some(joined) = joined else {
                // Julia's `sin.(x)` is `sin(x)` of one number.
                if self.notation == Notation::Julia && rest.starts_with(".(") {
                    self.at += 1;
                }
                let span = Span { start, end: start + prefix.len() + word.len() };
                return Token { kind: TokenKind::Name { prefix, name: word }, span };
            };
            prefix.push_str(&word);
            prefix.push_str(joined);
            self.at += joined.len();
        }
    }

    fn number(&mut self) -> Result<Token, Diagnostic> {
        let start = self.at;
        let length = self.spelling();
        let spelled = &self.text[start..start + length];
        let separators: &[char] = match self.notation {
            Notation::C => &['\''],
            Notation::Python | Notation::Julia => &['_'],
            _ => &[],
        };
        let mut text: String = spelled.chars().filter(|c| !separators.contains(c)).collect();
        let span = self.take(length);
        let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        let whole = !text.contains('.') && (is_hexadecimal || !text.contains(['e', 'E'])) && !text.contains(['p', 'P']);
        if is_hexadecimal && !text.contains(['p', 'P']) && text.contains('.') {
            return Err(
                Diagnostic::syntax(span, "a hexadecimal number with a point needs an exponent").hint("write `0x1.8p0`")
            );
        }
        let octal =
            whole && !is_hexadecimal && text.len() > 1 && text.starts_with('0') && text.bytes().any(|b| b != b'0');
        if octal && !matches!(self.notation, Notation::Matlab | Notation::Julia) {
            let decimal = text.trim_start_matches('0').to_owned();
            let message = format!("{} begins with 0, and C takes such a number for octal", quote(&text));
            return Err(Diagnostic::syntax(span, message).hint(format!("write `{decimal}`")));
        }
        let single = self.suffix(span, whole)?;
        let value = parse_rational(&text).map_err(|e| Diagnostic::syntax(span, e.to_string()))?;
        if octal {
            text = text.trim_start_matches('0').to_owned();
        }
        let whole = whole && !single;
        Ok(Token { kind: TokenKind::Number { text, value, whole, single }, span: Span { start, end: self.at } })
    }

    /// The length of a number.
    fn spelling(&self) -> usize {
        let text = self.rest().as_bytes();
        let at = |k: usize| text.get(k).copied().unwrap_or(b' ');
        let hexadecimal = at(0) == b'0' && matches!(at(1), b'x' | b'X') && at(2).is_ascii_hexdigit();
        let is_digit = |b: u8| if hexadecimal { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
        let separator = match self.notation {
            Notation::C => b'\'',
            Notation::Python | Notation::Julia => b'_',
            _ => b' ',
        };
        let digits = |from: usize| {
            let mut k = from;
            while is_digit(at(k)) || at(k) == separator && separator != b' ' && k > from && is_digit(at(k + 1)) {
                k += 1;
            }
            k
        };
        let mut k = digits(if hexadecimal { 2 } else { 0 });
        // `1..2` is a range, and `2.^x`, `2.*x`, `2./x` have operators of MATLAB and Julia.
        let dotted = matches!(self.notation, Notation::Matlab | Notation::Julia | Notation::Plain)
            && matches!(at(k + 1), b'^' | b'*' | b'/');
        if at(k) == b'.' && at(k + 1) != b'.' && !dotted {
            k = digits(k + 1);
        }
        let marks = if hexadecimal { [b'p', b'P'] } else { [b'e', b'E'] };
        if marks.contains(&at(k)) {
            let sign = usize::from(matches!(at(k + 1), b'+' | b'-'));
            if at(k + 1 + sign).is_ascii_digit() {
                k += 1 + sign;
                while at(k).is_ascii_digit() {
                    k += 1;
                }
            }
        }
        k
    }

    /// Takes C's suffix of a number, and says whether it makes a binary32 number of it.
    fn suffix(&mut self, number: Span, whole: bool) -> Result<bool, Diagnostic> {
        let word: String = self.rest().chars().take_while(|c| is_part(*c)).collect();
        if word.is_empty() {
            return Ok(false);
        }
        let lower = word.to_ascii_lowercase();
        if self.notation == Notation::C {
            let taken =
                if whole { ["l", "ll"].contains(&lower.as_str()) } else { ["f", "l"].contains(&lower.as_str()) };
            if taken {
                self.at += word.len();
                return Ok(!whole && lower == "f");
            }
        }
        let span = Span { start: number.start, end: number.end + word.len() };
        let both = &self.text[span.start..span.end];
        let number = &self.text[number.start..number.end];
        let hint = match lower.as_str() {
            "i" | "j" | "im" => "formulas are over the real numbers".to_owned(),
            "f" | "l" | "u" | "ul" | "ull" | "f0" => format!("leave the suffix out: `{number}`"),
            _ => format!("multiplication is written `*`: `{number}*{word}`"),
        };
        Err(Diagnostic::syntax(span, format!("{} is no number", quote(both))).hint(hint))
    }
}

/// Whether a name may begin so.
pub(super) fn is_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Whether a name may go on so.
fn is_part(c: char) -> bool {
    c.is_alphabetic() || c.is_ascii_digit() || c == '_' || ('₀'..='₉').contains(&c)
}
