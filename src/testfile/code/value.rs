//! The number or text that a piece of code is, where it is a plain literal.

use super::Language;
use super::lex::{Token, items, span_of};
use crate::floats::Format;
use crate::num::float::hex;
use crate::testfile::number::{At, Wrong, literal, number};
use crate::text::{Span, quote};

/// A literal: its text as a cell of a table would have it, and its place.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) span: Span,
    pub(super) is_text: bool,
}

/// What is said of code that is no literal.
fn not_plain(text: &str, span: Span) -> At {
    let wrong = Wrong::new(format!("{} is no plain number", quote(&text[span.start..span.end])));
    (span, wrong.hint("write the number itself, or export the tests as CSV"))
}

/// The literal that a piece of code is.
pub(super) fn value(text: &str, language: Language, tokens: &[Token]) -> Result<Value, At> {
    let span = span_of(tokens);
    let plain = |text: String| Ok(Value { text, span, is_text: false });
    match tokens {
        [Token::Text(t, _), rest @ ..] if rest.iter().all(|t| matches!(t, Token::Text(..))) => {
            let more = rest.iter().map(|t| if let Token::Text(t, _) = t { t.as_str() } else { "" });
            let text = std::iter::once(t.as_str()).chain(more).collect();
            Ok(Value { text, span, is_text: true })
        }
        [Token::Group(b'(', inside, _)] => value(text, language, inside),
        [Token::Mark(sign @ (b'+' | b'-'), _), rest @ ..] if !rest.is_empty() => {
            let inner = value(text, language, rest)?;
            if inner.is_text || inner.text.starts_with(['-', '+']) {
                return Err(not_plain(text, span));
            }
            plain(if *sign == b'-' { format!("-{}", inner.text) } else { inner.text })
        }
        [Token::Number(at)] => plain(spelled(&text[at.start..at.end], language, *at)?),
        _ => match special(text, language, tokens) {
            Some(known) => plain(known),
            None => Err(not_plain(text, span)),
        },
    }
}

/// The number of a literal as a table would have it.
fn spelled(literal_text: &str, language: Language, span: Span) -> Result<String, At> {
    let bad = |hint: &str| {
        let wrong = Wrong::new(format!("{} is no plain number", quote(literal_text)));
        Err((span, wrong.hint(hint)))
    };
    let lower = literal_text.to_ascii_lowercase();
    let hexadecimal = lower.starts_with("0x");
    let digits = match language {
        Language::C => lower.replace('\'', ""),
        _ => lower.replace('_', ""),
    };
    if language != Language::C {
        return match literal(&digits) {
            Ok(_) => Ok(digits),
            Err(_) => bad("write a decimal number"),
        };
    }
    let is_integer = if hexadecimal { !digits.contains('p') } else { !digits.contains(['.', 'e']) };
    if is_integer {
        let bare = digits.trim_end_matches(['u', 'l', 'z']);
        let octal = !hexadecimal && bare.len() > 1 && bare.starts_with('0');
        return match literal(bare) {
            Ok(_) if octal => bad("a number that begins with 0 is octal in C: write it in decimal"),
            Ok(_) => Ok(bare.to_owned()),
            Err(_) => bad("write a decimal number"),
        };
    }
    if let Some(single) = digits.strip_suffix('f') {
        // As the compiler reads it: the nearest binary32 number.
        return match number(single, Format::BINARY32) {
            Ok(n) => Ok(hex(n.value)),
            Err(wrong) => Err((span, wrong)),
        };
    }
    let bare = digits.trim_end_matches('l');
    match literal(bare) {
        Ok(_) => Ok(bare.to_owned()),
        Err(_) => bad("write a decimal number"),
    }
}

/// NaN, infinities and hexadecimal texts, as the languages spell them.
fn special(text: &str, language: Language, tokens: &[Token]) -> Option<String> {
    let code: String = tokens.iter().map(|t| &text[t.span().start..t.span().end]).collect();
    let bare: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    if language == Language::C {
        return match bare.as_str() {
            "NAN" => Some("nan"),
            "INFINITY" | "HUGE_VAL" => Some("inf"),
            "std::numeric_limits<double>::infinity()" | "std::numeric_limits<float>::infinity()" => Some("inf"),
            "std::numeric_limits<double>::quiet_NaN()" | "std::numeric_limits<float>::quiet_NaN()" => Some("nan"),
            _ => None,
        }
        .map(str::to_owned);
    }
    match bare.as_str() {
        "math.nan" | "np.nan" | "numpy.nan" | "nan" | "NAN" => return Some("nan".to_owned()),
        "math.inf" | "np.inf" | "numpy.inf" | "inf" => return Some("inf".to_owned()),
        "None" => return Some(String::new()),
        _ => {}
    }
    let (last, before) = tokens.split_last()?;
    let [argument] = items(last.group(b'(')?)[..] else { return None };
    let [Token::Text(inside, _)] = argument else { return None };
    let callee: String = before.iter().map(|t| &text[t.span().start..t.span().end]).collect();
    let inside = inside.trim().to_ascii_lowercase();
    let unsigned = inside.trim_start_matches(['+', '-']);
    match callee.as_str() {
        "float" if ["nan", "inf", "infinity"].contains(&unsigned) || literal(&inside).is_ok() => Some(inside),
        "float.fromhex" if literal(&inside).is_ok() && unsigned.starts_with("0x") => Some(inside),
        // What the file itself calls so.
        name if text.contains(&format!("{name} = float.fromhex")) && literal(&inside).is_ok() => Some(inside),
        _ => None,
    }
}
