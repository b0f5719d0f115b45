//! The number in a cell: a value of a format, or why it is none.

use crate::floats::Format;
use crate::num::Rational;
use crate::num::float::{decimal, hex, rational};
use crate::spec::{BadNumber, parse_rational};
use crate::text::{Span, quote};
use crate::unfit::Unfit;

/// What is wrong with a piece of a test file, and what may help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

impl Wrong {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Wrong { message: message.into(), hint: None }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Wrong { hint: Some(hint.into()), ..self }
    }
}

/// A mistake at a place.
pub(super) type At = (Span, Wrong);

/// A number of a format, and whether the text meant another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) value: f64,
    pub(super) rounded: bool,
}

/// From a column's number x to a field's: factor x + offset, exactly.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// The factor, above 0.
    pub factor: Rational,
    /// What is added.
    pub offset: Rational,
}

impl Scale {
    /// Reads `FACTOR` or `FACTOR+OFFSET`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Scale, Unfit> {
        // A sign that is no exponent's begins the offset.
        let sign =
            |(at, c): &(usize, char)| *at > 0 && matches!(c, '+' | '-') && !text[..*at].ends_with(['e', 'E', 'p', 'P']);
        let at = text.char_indices().find(sign).map_or(text.len(), |(at, _)| at);
        let number = |t: &str| match t.split_once('/') {
            Some((a, b)) => {
                let (a, b) = (literal(a)?, literal(b)?);
                if b == 0 { Err(Wrong::new("division by 0")) } else { Ok(a / b) }
            }
            None => literal(t),
        };
        let read = |t: &str| number(t).map_err(|w| Unfit::from(w.message));
        let (factor, offset) = (read(&text[..at])?, if at < text.len() { read(&text[at..])? } else { Rational::new() });
        if factor <= 0 {
            return Err(format!("the factor {} is not above 0", quote(&text[..at])).into());
        }
        Ok(Scale { factor, offset })
    }

    /// The field's number from the column's.
    pub(super) fn apply(&self, x: Rational) -> Rational {
        x * &self.factor + &self.offset
    }
}

/// Reads a decimal or hexadecimal number. A decimal that is no value of the format is rounded to the nearest one, ties
/// to even, as every compiler does; a hexadecimal number is meant exactly.
pub(super) fn number(text: &str, format: Format) -> Result<Number, Wrong> {
    scaled(text, format, None)
}

/// The same of a number from which another is made first; that one is rounded, however it is spelled.
pub(super) fn scaled(text: &str, format: Format, scale: Option<&Scale>) -> Result<Number, Wrong> {
    if let Some(number) = plain(text).filter(|_| format == Format::BINARY64 && scale.is_none()) {
        return Ok(number);
    }
    let exact = literal(text)?;
    let exact = scale.map_or(exact.clone(), |s| s.apply(exact));
    let Some(value) = nearest(&exact, format) else {
        return Err(Wrong::new(format!("{} is beyond the {} numbers", quote(text), format.name())).hint(format!(
            "the largest is {} ({})",
            hex(format.max()),
            decimal(format.max())
        )));
    };
    let rounded = rational(value) != exact;
    if rounded && value == 0.0 {
        let least = format.next_up(0.0).unwrap_or_default();
        return Err(Wrong::new(format!("{} is too small for a {} number", quote(text), format.name())).hint(format!(
            "the smallest above 0 is {} ({})",
            hex(least),
            decimal(least)
        )));
    }
    if rounded && scale.is_none() && is_hexadecimal(text) {
        return Err(Wrong::new(format!("{} is no {} number", quote(text), format.name())).hint(format!(
            "the nearest is {} ({})",
            hex(value),
            decimal(value)
        )));
    }
    let is_signed = text.starts_with('-') && scale.is_none_or(|s| s.offset == 0) && !format.is_fixed();
    let value = if value == 0.0 && exact == 0 && is_signed { -0.0 } else { value };
    Ok(Number { value, rounded })
}

/// The binary64 number of a short decimal without exponent, which is what long files hold, without rational arithmetic.
fn plain(text: &str) -> Option<Number> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    let (length, places) = (whole.len() + fraction.len(), u32::try_from(fraction.len()).ok()?);
    if length == 0 || length > 19 || !digits(whole) || !digits(fraction) {
        return None;
    }
    let mantissa = whole.bytes().chain(fraction.bytes()).fold(0u64, |m, b| m * 10 + u64::from(b - b'0'));
    let value: f64 = text.parse().ok()?;
    // m / 10^k is a dyadic number if and only if 5^k divides m.
    let five = 5u64.pow(places);
    let bits = (mantissa / five).checked_ilog2().map_or(0, |e| e + 1 - (mantissa / five).trailing_zeros());
    Some(Number { value, rounded: mantissa % five != 0 || bits > 53 })
}

/// The hint where nothing else is known of a text that is no number.
pub(super) const ANY_NUMBER: &str = "write a number, such as 1.5 or 0x1.8p+0";

/// The exact value of a decimal or hexadecimal number.
pub(super) fn literal(text: &str) -> Result<Rational, Wrong> {
    if text.is_empty() {
        return Err(Wrong::new("the cell is empty").hint("write a number"));
    }
    let wrong = || Wrong::new(format!("{} is not a decimal or hexadecimal number", quote(text)));
    if text.contains('/') {
        return Err(wrong().hint("write the quotient as a number"));
    }
    parse_rational(text).map_err(|e| {
        if matches!(e, BadNumber::TooLong(_) | BadNumber::HugeExponent(_)) {
            return Wrong::new(e.to_string());
        }
        match hint(text) {
            Some(hint) => wrong().hint(hint),
            None => wrong().hint(ANY_NUMBER),
        }
    })
}

/// What may have been meant by a text that is no number.
fn hint(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let bare = lower.trim_start_matches(['+', '-']);
    let is_number = |t: &str| parse_rational(t).is_ok();
    if ["nan", "inf", "infinity", "1.#inf", "1.#qnan", "#n/a", "#value!"].contains(&bare) {
        return Some("an input is a finite number; leave such a test out".into());
    }
    if is_number(&text.replacen(',', ".", 1)) {
        return Some(format!("write a decimal point: {}", text.replacen(',', ".", 1)));
    }
    let plain: String = text.chars().filter(|c| !(c.is_whitespace() || "_',".contains(*c))).collect();
    if plain != text && is_number(&plain) {
        return Some(format!("write the digits without separators: {plain}"));
    }
    if is_number(lower.trim_end_matches(['f', 'l', 'd', '%'])) {
        return Some(format!("write the number alone: {}", lower.trim_end_matches(['f', 'l', 'd', '%'])));
    }
    let exponent = lower.replacen('d', "e", 1);
    if is_number(&exponent) {
        return Some(format!("write the exponent with e: {exponent}"));
    }
    if is_number(&text.replace('\u{2212}', "-")) {
        return Some("write the sign as a hyphen: -".into());
    }
    None
}

fn is_hexadecimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    unsigned.starts_with("0x") || unsigned.starts_with("0X")
}

/// The value of the format nearest to `x`, ties to even; none where IEEE 754 rounds to an infinity.
fn nearest(x: &Rational, format: Format) -> Option<f64> {
    match (format.floor_rational(x), format.ceil_rational(x)) {
        (Some(lo), Some(hi)) if lo == hi => Some(lo),
        (Some(lo), Some(hi)) => {
            let (below, above) = (x - rational(lo), rational(hi) - x);
            // Both are multiples of their distance, and one of them an even one.
            let even = (lo / (hi - lo)) % 2.0 == 0.0;
            Some(if below < above || (below == above && even) { lo } else { hi })
        }
        (Some(end), None) | (None, Some(end)) => {
            let beyond = (x - rational(end)).abs();
            (beyond * 2 < format.ulp(&rational(end))).then_some(end)
        }
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let read = |text: &str, format| number(text, format).map(|n| (n.value.to_bits(), n.rounded));
        for (text, x, rounded) in [
            ("1.5", 1.5, false),
            ("+.5e1", 5.0, false),
            ("0.1", 0.1, true),
            ("-0", -0.0, false),
            ("-0x0p+0", -0.0, false),
            ("0x1.8p+1", 3.0, false),
            ("4.9e-324", 5e-324, true),
            ("9007199254740993", 9007199254740992.0, true),
            ("9007199254740995", 9007199254740996.0, true),
            ("1.7976931348623158e308", f64::MAX, true),
        ] {
            assert_eq!(read(text, Format::BINARY64), Ok((f64::to_bits(x), rounded)), "{text}");
        }
        assert_eq!(read("0.1", Format::BINARY32), Ok((f64::from(0.1f32).to_bits(), true)));
        // Half of the way between 1 and its neighbours, and the largest binary16 number that is not an infinity.
        assert_eq!(read("1.00048828125", Format::BINARY16), Ok((1f64.to_bits(), true)));
        assert_eq!(read("65519.99", Format::BINARY16), Ok((65504f64.to_bits(), true)));
        assert!(read("65520", Format::BINARY16).is_err());
    }

    #[test]
    fn rounds_decimals_as_rust_does() {
        for k in 0..2000u64 {
            let mixed = k.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let text = format!("{}.{}e{}", mixed >> 50, mixed & 0xffff_ffff, (mixed >> 32) as u8 as i32 - 128);
            let (ours, theirs) = (number(&text, Format::BINARY64).unwrap(), text.parse::<f64>().unwrap());
            assert_eq!(ours.value.to_bits(), theirs.to_bits(), "{text}");
        }
    }

    #[test]
    fn short_decimals_have_a_way_of_their_own() {
        for k in 0..2000u64 {
            let mixed = k.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let places = (mixed >> 59) as usize % 19;
            let digits = format!("{:019}", (mixed >> (mixed & 31)) & 0x3fff_ffff_ffff_ffff);
            let text = format!("{}.{}", &digits[..19 - places], &digits[19 - places..]);
            let (quick, exact) = (plain(&text).unwrap(), literal(&text).unwrap());
            assert_eq!(Some(quick.value), nearest(&exact, Format::BINARY64), "{text}");
            assert_eq!(quick.rounded, rational(quick.value) != exact, "{text}");
        }
        for (text, rounded) in [("0.5", false), ("0.1", true), ("-12.375", false), ("9007199254740993", true)] {
            assert_eq!(plain(text).map(|n| n.rounded), Some(rounded), "{text}");
        }
        for text in ["", ".", "1e5", "0x1", "12345678901234567890", "1 2", "-"] {
            assert!(plain(text).is_none(), "{text}");
        }
        assert!(plain("-0.0").is_some_and(|n| n.value.to_bits() == (-0.0f64).to_bits()));
    }

    #[test]
    fn what_is_no_number() {
        for (text, hint) in [
            ("1,5", "1.5"),
            ("1,234,567.0", "1234567.0"),
            ("1_000", "1000"),
            ("1.5f", "1.5"),
            ("1.5d3", "1.5e3"),
            ("NaN", "finite"),
            ("-inf", "finite"),
            ("1e400", "largest"),
            ("1e-400", "smallest"),
            ("0x1.00000000000001p0", "nearest"),
            ("\u{2212}1", "hyphen"),
            ("1/3", "quotient"),
        ] {
            let wrong = number(text, Format::BINARY64).unwrap_err();
            assert!(wrong.hint.as_ref().is_some_and(|h| h.contains(hint)), "{text}: {wrong:?}");
        }
        for text in ["", "x", "1e", "--1", "1e999999999", "0x", "1 2 x"] {
            assert!(number(text, Format::BINARY64).is_err(), "{text}");
        }
    }
}
