//! Numbers that are printed as bounds: each knows its direction, and every text of it is rounded that way.
//!
//! `{}` writes four significant digits, `{:.2}` two. The shortest decimal of a binary64 number may lie on the wrong side of
//! it, so that files have [`AtMost::decimal`].

use super::float::{decimal, rational};
use super::mpfr::{Integer, Pow, Rational, Round};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// Significant digits of a bound where a format string asks for no other number.
const DIGITS: usize = 4;

/// A bound from above: no text of it is less than the number.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct AtMost(pub f64);

/// A bound from below: no text of it is more than the number.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct AtLeast(pub f64);

impl AtMost {
    /// The decimal that stands in files: read exactly or as a binary64 number, it is a bound as well, and the same text
    /// comes of what was read.
    #[must_use]
    pub fn decimal(self) -> String {
        decimal(self.written())
    }

    /// The least binary64 number from this one on of which no shortest decimal is less than it. Where two are as near,
    /// JSON documents may have another than other files.
    fn written(self) -> f64 {
        let is_below = |text: &str, x: f64| exactly(text) < rational(x);
        let in_json = |x: f64| serde_json::to_string(&x).unwrap_or_default();
        let mut x = self.0;
        while x.is_finite() && (is_below(&decimal(x), x) || is_below(&in_json(x), x)) {
            x = x.next_up();
        }
        x
    }
}

impl AtLeast {
    /// The decimal that stands in files: read exactly or as a binary64 number, it is a bound as well, and the same text
    /// comes of what was read.
    #[must_use]
    pub fn decimal(self) -> String {
        decimal(self.written())
    }

    fn written(self) -> f64 {
        -AtMost(-self.0).written()
    }
}

/// The number that a decimal spells.
fn exactly(text: &str) -> Rational {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = Rational::from(format!("{whole}{fraction}").parse::<Integer>().unwrap_or_default());
    shifted(&digits, exponent.parse::<i64>().unwrap_or(0) - fraction.len() as i64)
}

impl fmt::Display for AtMost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pad(f, self.0, Round::Up)
    }
}

impl fmt::Display for AtLeast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pad(f, self.0, Round::Down)
    }
}

/// Writes a number in as many digits as are asked for, in a width where there is one.
fn pad(f: &mut fmt::Formatter<'_>, x: f64, round: Round) -> fmt::Result {
    let count = u32::try_from(f.precision().unwrap_or(DIGITS)).unwrap_or(u32::MAX).max(1);
    let text = Rational::from_f64(x).map_or_else(|| decimal(x), |x| significant(&x, count, round));
    let width = f.width().unwrap_or(0);
    match f.align() {
        Some(fmt::Alignment::Right) => write!(f, "{text:>width$}"),
        _ => write!(f, "{text:width$}"),
    }
}

/// How many significant digits, from `least` to 17, an interval's ends are printed in: as many as it takes for the printed
/// interval to be no more than a quarter wider than the interval is. The shortest texts say nothing of a narrow one.
#[must_use]
pub fn digits_apart(lo: f64, hi: f64, least: usize) -> usize {
    let printed = |digits| (format!("{:.digits$}", AtLeast(lo)), format!("{:.digits$}", AtMost(hi)));
    first_digits((lo, hi), least, printed, |width, printed| *printed <= width * Rational::from((5, 4)))
}

/// The same of an interval's ends that are printed rounded inward: as many as it takes for the printed interval to be no less than
/// three quarters as wide as the interval is.
#[must_use]
pub fn digits_within(lo: f64, hi: f64, least: usize) -> usize {
    let printed = |digits| (format!("{:.digits$}", AtMost(lo)), format!("{:.digits$}", AtLeast(hi)));
    first_digits((lo, hi), least, printed, |width, printed| *printed >= width * Rational::from((3, 4)))
}

/// The fewest digits from `least` on with which the width of an interval, and that of what is printed of it, are as wanted; 17 at
/// most, and `least` where an end is infinite.
fn first_digits(
    ends: (f64, f64),
    least: usize,
    printed: impl Fn(usize) -> (String, String),
    is_enough: impl Fn(Rational, &Rational) -> bool,
) -> usize {
    const MOST: usize = 17;
    let (Some(lo), Some(hi)) = (Rational::from_f64(ends.0), Rational::from_f64(ends.1)) else { return least };
    let width = hi - lo;
    let fits = |digits: &usize| {
        let (from, to) = printed(*digits);
        is_enough(width.clone(), &(exactly(&to) - exactly(&from)))
    };
    (least..MOST).find(fits).unwrap_or(MOST)
}

impl Serialize for AtMost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.written().serialize(serializer)
    }
}

impl Serialize for AtLeast {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.written().serialize(serializer)
    }
}

/// Both stand in documents as numbers.
macro_rules! number_in_schemas {
    ($($bound:ty),*) => {$(
        impl JsonSchema for $bound {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                f64::schema_name()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                f64::json_schema(generator)
            }
        }
    )*};
}

number_in_schemas!(AtMost, AtLeast);

impl<'de> Deserialize<'de> for AtMost {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(AtMost)
    }
}

impl<'de> Deserialize<'de> for AtLeast {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(AtLeast)
    }
}

/// A rational number rounded to so many significant decimal digits, as `1.234e-5` or `12.34`: upward, downward, or to the
/// nearest (half away from 0).
#[must_use]
pub fn significant(x: &Rational, count: u32, round: Round) -> String {
    if *x == 0 {
        return "0".into();
    }
    let sign = if *x < 0 { "-" } else { "" };
    let to_integer: fn(Rational) -> Rational = match (round, *x < 0) {
        (Round::Up, false) | (Round::Down, true) => Rational::ceil,
        (Round::Down, false) | (Round::Up, true) => Rational::floor,
        _ => |x| (x + Rational::from((1, 2))).floor(),
    };
    let x = x.clone().abs();
    // A first guess of the exponent by the bits, then at most a few steps.
    let bits = i64::from(x.numer().significant_bits()) - i64::from(x.denom().significant_bits());
    let mut exponent = (bits as f64 * std::f64::consts::LOG10_2).floor() as i64 - 1;
    let mut whole = to_integer(shifted(&x, i64::from(count) - 1 - exponent));
    while whole.to_string().len() > count as usize {
        exponent += 1;
        whole = to_integer(shifted(&x, i64::from(count) - 1 - exponent));
    }
    let text = whole.to_string();
    let text = text.trim_end_matches('0');
    let place = |text: &str| if text.len() > 1 { format!("{}.{}", &text[..1], &text[1..]) } else { text.to_owned() };
    let len = text.len() as i64;
    let zeros = |n: i64| "0".repeat(usize::try_from(n).unwrap_or(0));
    if !(-5..=20).contains(&exponent) {
        format!("{sign}{}e{exponent}", place(text))
    } else if exponent < 0 {
        format!("{sign}0.{}{text}", zeros(-exponent - 1))
    } else if len <= exponent + 1 {
        format!("{sign}{text}{}", zeros(exponent + 1 - len))
    } else {
        let (whole, fraction) = text.split_at(exponent as usize + 1);
        format!("{sign}{whole}.{fraction}")
    }
}

/// x * 10^places.
fn shifted(x: &Rational, places: i64) -> Rational {
    let power = Integer::from(10).pow(u32::try_from(places.unsigned_abs()).unwrap_or(u32::MAX));
    if places >= 0 { Rational::from(x * &power) } else { Rational::from(x / &power) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_narrow_interval_are_printed_apart() {
        let shown = |lo: f64, hi: f64| {
            let digits = digits_apart(lo, hi, 3);
            format!("{:.digits$} {:.digits$}", AtLeast(lo), AtMost(hi))
        };
        assert_eq!(shown(0.1, 0.9), "0.1 0.901");
        assert_eq!(shown(0.133, 0.134), "0.133 0.1341");
        assert_eq!(shown(0.133_121, 0.133_128), "0.13312 0.133128");
        assert_eq!(shown(-2.000_004, -2.000_002), "-2.0000041 -2.0000019");
        assert_eq!(digits_apart(0.5, 0.5_f64.next_up(), 3), 17);
        assert_eq!(digits_apart(f64::NEG_INFINITY, 1.0, 3), 3);
    }

    /// The decimals of files are bounds, and not far ones.
    #[test]
    fn decimals_of_files_are_on_their_side() {
        for x in [0.1, 1.0 / 3.0, 5e-324, 1.7e308, 2.0f64.powi(-1074 + 60), 123_456.789, 1e22, 9_007_199_254_740_993.0]
        {
            for x in [x, -x, x.next_up(), -x.next_down()] {
                let (least, most) = (AtLeast(x).decimal(), AtMost(x).decimal());
                assert!(
                    exactly_signed(&least) <= rational(x) && rational(x) <= exactly_signed(&most),
                    "{least} {x:e} {most}"
                );
                let [low, high] = [least, most].map(|text| text.parse::<f64>().expect("a number"));
                let room = (x.abs() * 2e-15).max(1e-322);
                assert!(x - room <= low && (high <= x + room || high.is_infinite()), "{low:e} {x:e} {high:e}");
            }
        }
    }

    fn exactly_signed(text: &str) -> Rational {
        text.strip_prefix('-').map_or_else(|| exactly(text), |text| -exactly(text))
    }
}
