//! Values as SMT-LIB writes them.

use crate::floats::{Format, Rounding};
use crate::num::float::{decimal, hex, power_of_two};
use crate::num::mpfr::Round;
use crate::num::outward::significant;
use crate::num::{Integer, Rational};
use crate::solve::float::{Sort, exact};
use crate::text::sexp::{Sexp, SexpKind};

/// A value of a sort.
pub(super) fn value(sort: Sort, x: &Integer) -> String {
    let binary = |width: u32| {
        let digits = x.to_string_radix(2);
        format!("{}{digits}", "0".repeat((width as usize).saturating_sub(digits.len())))
    };
    match sort {
        Sort::Bool => (*x == 1).to_string(),
        Sort::Mode => Rounding::ALL[x.to_usize().unwrap_or_default().min(4)].names()[1].to_owned(),
        Sort::Bits(width) => format!("#b{}", binary(width)),
        Sort::Element(_) => x.to_string(),
        Sort::Float(format) => {
            let (eb, sb) = (format.exponent_bits(), format.precision());
            let magnitude = x.clone().keep_bits(format.width() - 1);
            let infinity = exact::infinity(format);
            if magnitude > infinity {
                return format!("(_ NaN {eb} {sb})");
            }
            if magnitude == infinity {
                let sign = if x.get_bit(format.width() - 1) { '-' } else { '+' };
                return format!("(_ {sign}oo {eb} {sb})");
            }
            let bits = binary(format.width());
            let (sign, rest) = bits.split_at(1);
            let (exponent, fraction) = rest.split_at(eb as usize);
            format!("(fp #b{sign} #b{exponent} #b{fraction})")
        }
    }
}

/// A number, as a decimal or a quotient of decimals; an integer as a numeral.
pub(super) fn number(x: &Rational, is_integer: bool) -> String {
    let point = if is_integer { "" } else { ".0" };
    let size = match (x.numer().clone().abs(), x.denom()) {
        (n, d) if *d == 1 => format!("{n}{point}"),
        (n, d) => format!("(/ {n}.0 {d}.0)"),
    };
    if *x < 0 { format!("(- {size})") } else { size }
}

/// A symbol, in bars where it needs them.
pub(super) fn symbol(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    if name.chars().all(simple) && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}

/// A term as it was written.
pub(super) fn written(sexp: &Sexp<'_>) -> String {
    match &sexp.kind {
        SexpKind::Atom(text) if text.starts_with(['#', ':']) || text.starts_with(|c: char| c.is_ascii_digit()) => {
            (*text).to_owned()
        }
        SexpKind::Atom(text) => symbol(text),
        SexpKind::Text(text) => (*text).to_owned(),
        SexpKind::List(items) => format!("({})", items.iter().map(written).collect::<Vec<_>>().join(" ")),
    }
}

/// A value of a model for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownValue {
    /// In decimal: exact or, of a float that is no number of binary64, to 21 digits.
    pub decimal: String,
    /// A number of binary64 in hexadecimal.
    pub hex: Option<String>,
}

/// A float `(fp …)` or bits `#b…` as a model has them, for people; none for what is shown as it stands.
#[must_use]
pub fn shown(value: &str) -> Option<ShownValue> {
    let whole = |text: &str| u64::from_str_radix(text.strip_prefix("#b")?, 2).ok();
    if let Some(bits) = whole(value) {
        return Some(ShownValue { decimal: bits.to_string(), hex: None });
    }
    let parts: Vec<&str> = value.strip_prefix("(fp ")?.strip_suffix(')')?.split(' ').collect();
    let [sign, exponent, fraction] = parts[..] else { return None };
    let digits = |text: &str| u32::try_from(text.len()).unwrap_or(0).saturating_sub(2);
    let (eb, p) = (digits(exponent), digits(fraction) + 1);
    let format = Format::new(eb, p)?;
    let (sign, e, f) = (whole(sign)?, whole(exponent)?, whole(fraction)?);
    let bits = (sign << (eb + p - 1)) | (e << (p - 1)) | f;
    if Format::BINARY64.includes(format) {
        let x = format.number(format.from_bits(bits));
        return Some(ShownValue { decimal: decimal(x), hex: Some(hex(x)) });
    }
    // Infinities and NaN have names of their own in a model.
    let (significand, exponent) = if e == 0 { (f, 1) } else { (f | 1 << (p - 1), e) };
    let exponent = i32::try_from(exponent).ok()? - format.emax() - i32::try_from(p - 1).ok()?;
    let size = Rational::from(significand) * power_of_two(exponent);
    let value = if sign == 1 { -size } else { size };
    Some(ShownValue { decimal: significant(&value, 21, Round::Nearest), hex: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_for_people() {
        let text = |value: &str| shown(value).map(|v| (v.decimal, v.hex.unwrap_or_default()));
        let pair = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
        for x in [0.0, -0.0, 1.5, -0.1, 5e-324, f64::MAX] {
            let format = Format::BINARY64;
            let written = value(Sort::Float(format), &Integer::from(x.to_bits()));
            assert_eq!(text(&written), pair(&decimal(x), &hex(x)));
        }
        assert_eq!(text("(fp #b1 #b01111 #b1000000000)"), pair("-1.5", "-0x1.8p+0"));
        assert_eq!(text("#b101"), pair("5", ""));
        // With 15 bits of exponent the largest power of two is beyond binary64.
        assert_eq!(
            text(&format!("(fp #b0 #b111111111111110 #b{:048b})", 0)).map(|v| v.0.ends_with("e4931")),
            Some(true)
        );
        assert_eq!(text("(fp #b0 #b100000000000000 #b0)"), pair("2", ""));
        assert_eq!(text("(_ NaN 11 53)"), None);
        assert_eq!(text("roundTowardZero"), None);
    }
}
