//! One line of the pipe protocol: what an implementation answers to one test.

use crate::floats::Format;
use crate::num::Rational;
use crate::num::float::rational;
use crate::oracle::nearest;
use crate::spec::{ResultPlace, parse_rational};
use crate::text::quote;
use crate::unfit::Unfit;

/// What came back for one test.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A number, rounded to the result format; NaN and infinities too.
    Value(f64),
    /// The implementation refused the input, and why.
    Reject(String),
    /// It broke down at the input: a signal, an early exit, an exception that is a defect. How.
    Crash(String),
    /// No answer within the time for one test.
    Hang {
        /// That time. Unit: seconds.
        seconds: f64,
    },
    /// What came back cannot be read, or cannot be attributed to this test. Why.
    Garbage(String),
    /// The test was not put to the implementation: the run had ended before.
    Missing,
}

impl From<f64> for Answer {
    fn from(y: f64) -> Self {
        Answer::Value(y)
    }
}

/// An answer with the text that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenAnswer {
    /// The answer.
    pub answer: Answer,
    /// The line, if there was one, trimmed.
    pub text: Option<String>,
}

impl From<Answer> for GivenAnswer {
    fn from(answer: Answer) -> Self {
        GivenAnswer { answer, text: None }
    }
}

/// The longest line that is read. Unit: bytes.
pub const MAX_LINE: usize = 4096;

/// Reads a line: a number (decimal or hexadecimal, rounded to nearest into `format`, to an infinity beyond its range),
/// `nan`, `inf`, `-inf`, each with `errno EDOM` or `errno ERANGE` behind it where the function set that, `error: text` for
/// a refusal, or `crash: text` from an adapter whose function broke down.
///
/// # Errors
/// A sentence that says why the line is none of these; the text behind `broken:` from an adapter that cannot call its function.
pub fn parse(line: &str, format: Format) -> Result<Answer, Unfit> {
    let line = line.trim();
    let line = errno(line).map_or(line, |(before, _)| before);
    let lower = line.to_ascii_lowercase();
    if let Some(rest) = word(line, &lower, "error") {
        return Ok(Answer::Reject(clip(rest, LONGEST_REASON)));
    }
    if let Some(rest) = word(line, &lower, "crash") {
        return Ok(Answer::Crash(clip(rest, LONGEST_REASON)));
    }
    if let Some(rest) = word(line, &lower, "broken") {
        return Err(clip(rest, LONGEST_REASON).into());
    }
    let unsigned = lower.strip_prefix(['+', '-']).unwrap_or(&lower);
    // C prints the payload as `nan(0x8000)`.
    if unsigned == "nan" || unsigned.starts_with("nan(") && unsigned.ends_with(')') {
        return Ok(Answer::Value(f64::NAN));
    }
    if unsigned == "inf" || unsigned == "infinity" {
        return Ok(Answer::Value(if line.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY }));
    }
    number(line, format).map(Answer::Value)
}

/// Reads a line with several results, of which one is wanted, as [`parse`] reads a line with one.
///
/// # Errors
/// A sentence that says why the line is no such.
pub fn parse_one_of(line: &str, place: ResultPlace, format: Format) -> Result<Answer, Unfit> {
    let (trimmed, ResultPlace { index, count }) = (line.trim(), place);
    let lower = trimmed.to_ascii_lowercase();
    let says = |name| word(trimmed, &lower, name).is_some();
    if count == 1 || ["error", "crash", "broken"].into_iter().any(says) {
        return parse(line, format);
    }
    let results = errno(trimmed).map_or(trimmed, |(before, _)| before);
    let words: Vec<&str> = results.split_whitespace().collect();
    match words.len() == count {
        true => parse(words[index], format),
        false => Err(format!("{} has not {count} results", quote(trimmed)).into()),
    }
}

/// The result of a line that says that the function set `errno` as well, and to what.
pub(super) fn errno(line: &str) -> Option<(&str, &str)> {
    let (before, name) = line.rsplit_once(char::is_whitespace)?;
    let result = before.trim_end().strip_suffix("errno")?;
    let known = ["EDOM", "ERANGE"].contains(&name) && result.ends_with(char::is_whitespace);
    known.then(|| (result.trim_end(), name))
}

/// What stands after `name:`, also where it is nothing.
fn word<'a>(line: &'a str, lower: &str, name: &str) -> Option<&'a str> {
    lower
        .strip_prefix(name)?
        .trim_start()
        .starts_with(':')
        .then(|| line.split_once(':').map_or("", |(_, rest)| rest.trim()))
}

fn number(text: &str, format: Format) -> Result<f64, Unfit> {
    let wrong = |hint: &str| Err(format!("{} is not a number{hint}", quote(text)).into());
    if text.is_empty() {
        return Err("an empty line is no answer".into());
    }
    if text.contains(['/', '_']) {
        return wrong("");
    }
    if text.split_whitespace().count() > 1 {
        return wrong(" but several words; one number a line is expected");
    }
    if let Ok(value) = parse_rational(text) {
        if is_beyond(&value, format) {
            let infinite = if value > 0 { f64::INFINITY } else { f64::NEG_INFINITY };
            return Ok(if format.is_fixed() { value.to_f64() } else { infinite });
        }
        let rounded = nearest(&value, format);
        // A rational number has no sign where it is 0.
        return Ok(if rounded == 0.0 && text.starts_with('-') { -0.0 } else { rounded });
    }
    let comma = text.replacen(',', ".", 1);
    if comma != text && parse_rational(&comma).is_ok() {
        return wrong("; a decimal comma? Set the locale to `C`");
    }
    match beyond(text) {
        Some(value) => Ok(value),
        None => wrong(""),
    }
}

/// A finite number or an infinity rounded to nearest into `format`, to an infinity beyond its range, as a number of a line is.
pub(super) fn rounded(y: f64, format: Format) -> f64 {
    if !y.is_finite() || format.holds(y) {
        return y;
    }
    let value = rational(y);
    if is_beyond(&value, format) {
        // Fixed-point formats have no infinity to round to.
        return if format.is_fixed() { y } else { f64::INFINITY.copysign(y) };
    }
    nearest(&value, format).copysign(y)
}

/// Whether a number lies so far beyond the format's range that it is not rounded to the number at its end: half an ulp or more.
fn is_beyond(value: &Rational, format: Format) -> bool {
    let half = format.ulp(&rational(format.max())) / 2;
    let (below, above) = (rational(format.min()) - &half, rational(format.max()) + &half);
    // Of two that are as near, the even one is taken: the least fixed-point number is even.
    *value >= above || *value < below || (*value == below && !format.is_fixed())
}

/// A decimal or hexadecimal number whose exponent is beyond what is kept exactly: 0 or an infinity.
fn beyond(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text).to_ascii_lowercase();
    let (mantissa, exponent) = match unsigned.strip_prefix("0x") {
        Some(hex) => hex.split_once('p')?,
        None => unsigned.split_once('e')?,
    };
    let prefix = if unsigned.starts_with("0x") { "0x" } else { "" };
    parse_rational(&format!("{prefix}{mantissa}")).ok()?;
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let magnitude = if exponent.starts_with('-') { 0.0 } else { f64::INFINITY };
    Some(if text.starts_with('-') { -magnitude } else { magnitude })
}

/// The longest reason that is kept. Unit: characters.
const LONGEST_REASON: usize = 200;

/// The beginning of a text that somebody else wrote, for a message: nothing in it moves a terminal's cursor.
#[must_use]
pub(super) fn clip(text: &str, most: usize) -> String {
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut short: String = text.trim().chars().take(most).map(clean).collect();
    if text.chars().nth(most).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let value = |text: &str| match parse(text, Format::BINARY64) {
            Ok(Answer::Value(y)) => y,
            other => panic!("{text}: {other:?}"),
        };
        for (text, y) in [
            ("0x1.8p+1", 3.0),
            (" 3\r", 3.0),
            ("0X1.8P+1", 3.0),
            ("+.5", 0.5),
            ("-0", 0.0),
            ("1e400", f64::INFINITY),
            ("-1e999999999999999999999", f64::NEG_INFINITY),
            ("1e-999999999999", 0.0),
            ("0x1p-99999999", 0.0),
            ("1.7976931348623158e308", f64::MAX),
            ("Infinity", f64::INFINITY),
            ("-inf", f64::NEG_INFINITY),
            ("5e-324", 5e-324),
        ] {
            assert_eq!(value(text), y, "{text}");
        }
        for text in ["nan", "-NaN", "nan(0x123)"] {
            assert!(value(text).is_nan());
        }
        for (text, negative) in [("-0", true), ("-0x0p+0", true), ("-1e-400", true), ("0", false), ("+0.0", false)] {
            assert_eq!((value(text), value(text).is_sign_negative()), (0.0, negative), "{text}");
        }
        assert!(value("nan errno EDOM").is_nan() && value("0x1p+0 errno ERANGE") == 1.0);
        assert!(parse("1 errno 33", Format::BINARY64).is_err() && parse("errno EDOM", Format::BINARY64).is_err());
        assert_eq!(parse("0.1", Format::BINARY32), Ok(Answer::Value(f64::from(0.1f32))));
        assert_eq!(parse("Error: too: large", Format::BINARY64), Ok(Answer::Reject("too: large".into())));
        assert_eq!(parse("error:", Format::BINARY64), Ok(Answer::Reject(String::new())));
        assert_eq!(parse("crash: NameError", Format::BINARY64), Ok(Answer::Crash("NameError".into())));
        for (text, why) in [
            ("", "empty line"),
            ("1,5", "decimal comma"),
            ("1 2", "several words"),
            ("1/2", "not a number"),
            ("hello", "`hello` is not a number"),
            ("1e", "not a number"),
            ("errors", "not a number"),
        ] {
            let said = parse(text, Format::BINARY64).unwrap_err();
            assert!(said.message.contains(why), "{text}: {said}");
        }
    }
}
