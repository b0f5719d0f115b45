//! Literals as exact rational numbers, and rational numbers as literals.

use crate::num::mpfr::Pow;
use crate::num::{Integer, Rational};
use crate::text::quote;
use crate::unfit::Unfit;

/// Numbers of more bits than this (about 10^±19728) are refused: `1e999999999` would not fit into memory.
pub(super) const MAX_BITS: i64 = 1 << 16;
/// The longest literal that is read.
const MAX_CHARS: usize = 50_000;

/// Why a text is no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadNumber {
    /// It has so many characters.
    TooLong(usize),
    /// Its exponent is beyond all that is read.
    HugeExponent(String),
    /// It is a quotient by zero.
    ZeroDenominator(String),
    /// It is spelled otherwise.
    NoNumber(String),
}

impl std::fmt::Display for BadNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadNumber::TooLong(n) => write!(f, "a number of {n} characters is too long"),
            BadNumber::HugeExponent(text) => write!(f, "the exponent of {} is too large", quote(text)),
            BadNumber::ZeroDenominator(text) => write!(f, "the denominator of {} is zero", quote(text)),
            BadNumber::NoNumber(text) => write!(f, "{} is not a number", quote(text)),
        }
    }
}

impl std::error::Error for BadNumber {}

impl From<BadNumber> for Unfit {
    fn from(e: BadNumber) -> Self {
        e.to_string().into()
    }
}

impl From<BadNumber> for String {
    fn from(e: BadNumber) -> Self {
        e.to_string()
    }
}

/// Reads a number in any spelling of FPCore: `-7`, `.5`, `1E-24`, `5/4`, `0x1.8p+1`.
///
/// # Errors
/// Why the text is not such a number.
pub fn parse_rational(text: &str) -> Result<Rational, BadNumber> {
    if text.len() > MAX_CHARS {
        return Err(BadNumber::TooLong(text.len()));
    }
    read(text).unwrap_or_else(|| Err(BadNumber::NoNumber(text.to_owned())))
}

/// Whether an atom can only be meant as a number: a digit comes first, after a sign and a point.
pub(super) fn looks_numeric(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    text.strip_prefix('.').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit())
}

/// A hint for a text that is not spelled as a number; `None` for one that is.
pub(super) fn number_hint(text: &str) -> Option<String> {
    if text.len() > MAX_CHARS || read(text).is_some() {
        return None;
    }
    let alike = |c: char| match c {
        'O' | 'o' => '0',
        'l' | 'I' => '1',
        ',' => '.',
        c => c,
    };
    let meant: String = text.chars().map(alike).collect();
    Some(match read(&meant) {
        Some(Ok(_)) => format!("did you mean {}?", quote(&meant)),
        _ => "numbers are written `-1.5`, `1e-10`, `1/3` or `0x1.8p-3`".to_owned(),
    })
}

/// `None` if the spelling is wrong.
fn read(text: &str) -> Option<Result<Rational, BadNumber>> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let magnitude = if let Some(hex) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        positional(text, hex, 16, ['p', 'P'])?
    } else if let Some((p, q)) = unsigned.split_once('/') {
        let (p, q) = (digits(p, 10)?, digits(q, 10)?);
        if q.is_zero() { Err(BadNumber::ZeroDenominator(text.to_owned())) } else { Ok(Rational::from((p, q))) }
    } else {
        positional(text, unsigned, 10, ['e', 'E'])?
    };
    Some(magnitude.map(|m| if text.starts_with('-') { -m } else { m }))
}

/// `12.34e5` in base 10, `12.34p5` in base 16 with an exponent of 2.
fn positional(text: &str, body: &str, base: i32, exponent: [char; 2]) -> Option<Result<Rational, BadNumber>> {
    let (mantissa, exponent) = match body.split_once(exponent) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (body, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let m = digits(&format!("{whole}{fraction}"), base)?;
    let exponent = match exponent {
        None => Some(0),
        Some(e) => {
            digits(e.strip_prefix(['+', '-']).unwrap_or(e), 10)?;
            e.parse::<i64>().ok()
        }
    };
    let scale = if base == 16 { Rational::from(2) } else { Rational::from(10) };
    let places = i64::try_from(fraction.len()).ok()? * if base == 16 { 4 } else { 1 };
    let exponent = exponent.and_then(|e| e.checked_sub(places));
    Some(scaled(text, m, &scale, exponent))
}

/// `m * base^exponent`, where an exponent of `None` is one beyond all bounds.
fn scaled(text: &str, m: Integer, base: &Rational, exponent: Option<i64>) -> Result<Rational, BadNumber> {
    let m = Rational::from(m);
    if m.is_zero() {
        return Ok(m);
    }
    let bits = i64::from(base.numer().significant_bits());
    // log2(base) >= bits - 1, and the bases that matter are 2 and 10 (3.32 bits).
    let per_digit = if *base == 2 { 1 } else { bits };
    match exponent.filter(|e| e.unsigned_abs() <= (MAX_BITS / per_digit).unsigned_abs()) {
        Some(e) => Ok(m * base.clone().pow(i32::try_from(e).unwrap_or(0))),
        None => Err(BadNumber::HugeExponent(text.to_owned())),
    }
}

/// A non-empty sequence of digits.
fn digits(text: &str, base: i32) -> Option<Integer> {
    let radix = base.unsigned_abs();
    let valid = !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
    if valid { Integer::from_str_radix(text, base).ok() } else { None }
}

/// `(digits m e b)`: m * b^e.
pub(super) fn digits_form(m: &str, e: &str, b: &str) -> Result<Rational, String> {
    let integer = |text: &str| match parse_rational(text)? {
        value if value.is_integer() => Ok(value.into_numer_denom().0),
        _ => Err(format!("{} must be an integer in (digits m e b)", quote(text))),
    };
    let (m, e, b) = (integer(m)?, integer(e)?, integer(b)?);
    if b < 2 {
        return Err(format!("the base of (digits m e b) must be at least 2, not {b}"));
    }
    Ok(scaled(&format!("(digits {m} {e} {b})"), m, &Rational::from(b), e.to_i64())?)
}

/// The most digits of a decimal or hexadecimal literal that [`rational_text`] prefers to a fraction.
const SHORT: usize = 21;

/// A literal of exactly this value: an integer or a decimal where that is short, else a hexadecimal number, else `p/q`.
#[must_use]
pub fn rational_text(value: &Rational) -> String {
    let sign = if *value < 0 { "-" } else { "" };
    let (p, q) = value.clone().abs().into_numer_denom();
    if let Some(text) = decimal(&p, &q).or_else(|| hexadecimal(&p, &q)) {
        return format!("{sign}{text}");
    }
    if q == 1 { format!("{sign}{p}") } else { format!("{sign}{p}/{q}") }
}

/// p/q as a terminating decimal of few digits.
fn decimal(p: &Integer, q: &Integer) -> Option<String> {
    let two = q.find_one(0).unwrap_or(0);
    let (odd, five) = Integer::from(q >> two).remove_factor(&Integer::from(5));
    let places = two.max(five);
    // Each place leaves at least one digit after the zeros are gone, so that a long tail is known before it is computed.
    if odd != 1 || places > 20_000 || is_long(p, q, places) {
        return None;
    }
    let scaled = p.clone() * Integer::from(10).pow(places) / q;
    let text = scaled.to_string();
    let digits = text.trim_end_matches('0');
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    if digits.len() > SHORT {
        return None;
    }
    // The value is 0.DIGITS * 10^point.
    let point = i64::try_from(text.len()).ok()? - i64::from(places);
    let len = i64::try_from(digits.len()).ok()?;
    let zeros = |n: i64| "0".repeat(usize::try_from(n).unwrap_or(0));
    Some(if !(-4..=16).contains(&point) {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        format!("{first}{dot}{rest}e{}", point - 1)
    } else if point >= len {
        format!("{digits}{}", zeros(point - len))
    } else if point > 0 {
        let (whole, fraction) = digits.split_at(usize::try_from(point).ok()?);
        format!("{whole}.{fraction}")
    } else {
        format!("0.{}{digits}", zeros(-point))
    })
}

/// Whether a number with so many decimal places, as few as there can be, surely has more than [`SHORT`] digits without the zeros at its end.
fn is_long(p: &Integer, q: &Integer, places: u32) -> bool {
    // 10^21 < 2^70, and 10 > 2^3.
    let most = 70;
    let bits = i64::from(p.significant_bits()) - 1 - i64::from(q.significant_bits());
    match places {
        // k zeros are k bits that are 0, and k factors of less than 2^4.
        0 => i64::from(p.significant_bits()) > most + 4 * i64::from(p.find_one(0).unwrap_or(0)),
        // No zero stands at its end.
        _ => bits + 3 * i64::from(places) > most,
    }
}

/// p/q as a hexadecimal number of few digits, if q is a power of two.
fn hexadecimal(p: &Integer, q: &Integer) -> Option<String> {
    if !q.is_power_of_two() || p.is_zero() {
        return None;
    }
    let zeros = p.find_one(0)?;
    let odd = Integer::from(p >> zeros);
    let bits = odd.significant_bits();
    // One bit before the point, the others padded to whole digits.
    let padding = (4 - (bits - 1) % 4) % 4;
    let text = (odd << padding).to_string_radix(16);
    if text.len() > SHORT {
        return None;
    }
    let exponent = i64::from(zeros) - i64::from(q.significant_bits() - 1) + i64::from(bits - 1);
    let (first, rest) = text.split_at(1);
    let dot = if rest.is_empty() { "" } else { "." };
    Some(format!("0x{first}{dot}{rest}p{exponent:+}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digits by the number itself, for what is known to be long without them.
    #[test]
    fn long_numbers_are_told_by_their_bits() {
        let (mut long, mut short) = (0, 0);
        for mantissa in [1u64, 3, 5, 7, 11, 1 << 40, 999_999_999_999_999_999, 1_000_000_007] {
            for (two, five) in (0..90).step_by(3).flat_map(|k| (0..90).step_by(7).map(move |l| (k, l))) {
                let factor = Rational::from((Integer::from(1) << two, Integer::from(Integer::u_pow_u(5, five))));
                for value in [Rational::from(mantissa) * &factor, Rational::from(mantissa) / &factor] {
                    let (p, q) = value.into_numer_denom();
                    let places = q.find_one(0).unwrap_or(0).max(q.clone().remove_factor(&Integer::from(5)).1);
                    let scaled = (p.clone() * Integer::from(10).pow(places) / &q).to_string();
                    let digits = scaled.trim_end_matches('0').len();
                    let is_long = is_long(&p, &q, places);
                    assert!(!is_long || digits > SHORT, "{p}/{q}");
                    if is_long { long += 1 } else { short += 1 }
                }
            }
        }
        assert!(long > 1_000 && short > 500, "{long} {short}");
    }

    #[test]
    fn spellings() {
        let cases: &[(&str, (i64, i64))] = &[
            ("0", (0, 1)),
            ("-0.0", (0, 1)),
            (".499", (499, 1000)),
            ("-.05", (-1, 20)),
            ("-.985", (-985, 1000)),
            (".000005", (5, 1_000_000)),
            ("6400.0e3", (6_400_000, 1)),
            ("10e-6", (1, 100_000)),
            ("+5", (5, 1)),
            ("1E-3", (1, 1000)),
            ("2.", (2, 1)),
            ("-6/4", (-3, 2)),
            ("0xf.fp-4", (255, 256)),
            ("0X1.8P+1", (3, 1)),
            ("-0x.8", (-1, 2)),
            ("0e99999999999999999999", (0, 1)),
        ];
        for (text, (p, q)) in cases {
            assert_eq!(parse_rational(text), Ok(Rational::from((*p, *q))), "{text}");
        }
        for text in
            ["", "-", ".", "0.6931f0", "1e", "1e+", "1/-2", "0x", "0xg", "1.2.3", "1/2/3", "1_PI", "--1", "0x1p"]
        {
            assert!(parse_rational(text).is_err(), "{text}");
        }
        assert!(matches!(parse_rational("1/0"), Err(BadNumber::ZeroDenominator(_))));
        for text in ["1e999999999", "1e-99999999999999999999", "0x1p999999", "-1E20000"] {
            assert!(matches!(parse_rational(text), Err(BadNumber::HugeExponent(_))), "{text}");
        }
        assert!(matches!(parse_rational(&"1".repeat(1_000_000)), Err(BadNumber::TooLong(_))));
        assert!(digits_form("3", "-1", "2") == Ok(Rational::from((3, 2))));
        assert!(digits_form("3", "1", "1").is_err() && digits_form("1", "99999999999", "7").is_err());
    }

    #[test]
    fn texts_read_back() {
        let texts: &[(&str, &str)] = &[
            ("0", "0"),
            ("-17", "-17"),
            ("1e-10", "1e-10"),
            ("100", "100"),
            ("331.4", "331.4"),
            ("-0.05", "-0.05"),
            ("1e300", "1e300"),
            ("12345e-9", "0.000012345"),
            ("12345e-10", "1.2345e-6"),
            ("1/3", "1/3"),
            ("-22/7", "-22/7"),
            ("0x1.921fb54442d18p+1", "0x1.921fb54442d18p+1"),
            ("0x1p-1074", "0x1p-1074"),
            ("100000000000000000000000000000001", "0x4.ee2d6d415b85acef8100000001p+104"),
        ];
        for (text, expected) in texts {
            let value = parse_rational(text).unwrap();
            let printed = rational_text(&value);
            assert_eq!(parse_rational(&printed), Ok(value), "{text} printed as {printed}");
            if !text.starts_with("1000000") {
                assert_eq!(printed, *expected);
            }
        }
    }
}
