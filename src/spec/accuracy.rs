//! Accuracy of a result: the properties that state it and the flags that replace it.

use super::core::{Core, Datum, DatumKind, Number, Property, Value};
use super::number::{digits_form, number_hint, parse_rational, rational_text};
use super::range::Range;
use crate::floats::Format;
use crate::num::Rational;
use crate::num::float::power_of_two;
use crate::ops::float::LibmUlps;
use crate::text::{Diagnostic, Span, nearest, quote};
use crate::unfit::Unfit;
use std::fmt;

/// How far a result may be from the exact value; several bounds together mean the largest tolerance of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Relative: `|y - f| <= rel |f|`.
    pub rel: Option<Rational>,
    /// Absolute: `|y - f| <= abs`.
    pub abs: Option<Rational>,
    /// In units in the last place of the exact value in a floating-point format: `|y - f| <= n ulp(f)`.
    pub ulps: Option<(Rational, Format)>,
}

/// What the command line says instead of the specification.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// `--rel-error`.
    pub rel: Option<Rational>,
    /// `--abs-error`.
    pub abs: Option<Rational>,
    /// `--ulps`, in the result format where none is named.
    pub ulps: Option<(Rational, Option<Format>)>,
    /// `--libm-ulps`.
    pub libm_ulps: Option<LibmUlps>,
    /// `--convert`: the format in place of `:precision`.
    pub precision: Option<Format>,
    /// `--max-iterations`: how often the loops of a formula may go round, all together.
    pub max_iterations: Option<u64>,
    /// `--domain`, in order.
    pub domain: Vec<(String, Range)>,
}

/// The properties that state an accuracy.
pub(super) const ACCURACY_PROPERTIES: [&str; 3] = ["magneto-rel-error", "magneto-abs-error", "magneto-ulps"];

impl Accuracy {
    /// The accuracy of a specification that states none: a relative error of 1e-10, as in the paper, for binary64 results;
    /// 4 ulps for those of a narrower format, of which hardly any is as near as that, and 1 for those of a fixed-point format, which
    /// a result that is rounded in any direction meets.
    #[must_use]
    pub fn default_for(result: Format) -> Self {
        if result.is_fixed() {
            return Accuracy::of_ulps(1.into(), result);
        }
        let narrow = result.precision() < Format::BINARY64.precision();
        Accuracy {
            rel: (!narrow).then(|| Rational::from((1, 10_000_000_000_u64))),
            abs: None,
            ulps: narrow.then(|| (Rational::from(4), result)),
        }
    }

    /// That of which a floating-point number is the one valid result where it is the exact value: a quarter of an ulp. The next
    /// numbers are half an ulp away at least, so that two of them have no valid result in common.
    #[must_use]
    pub fn exact(result: Format) -> Self {
        Accuracy::of_ulps(Rational::from((1, 4)), result)
    }

    /// So many units in the last place of a format; in a fixed-point format, where all of them are as long, an absolute error.
    #[must_use]
    pub fn of_ulps(n: Rational, format: Format) -> Self {
        match format.is_fixed() {
            true => Accuracy { abs: Some(n * power_of_two(format.least_exponent())), ..Accuracy::default() },
            false => Accuracy { ulps: Some((n, format)), ..Accuracy::default() },
        }
    }

    /// The same with its ulps as [`Accuracy::of_ulps`] has them: of two absolute bounds the larger one.
    fn with_lengths(self) -> Self {
        let Some((n, format)) = self.ulps else { return self };
        let Accuracy { abs, ulps, .. } = Accuracy::of_ulps(n, format);
        Accuracy { rel: self.rel, abs: abs.max(self.abs), ulps }
    }

    /// Whether some bound is larger than the one of its kind in another accuracy, or is of a kind that the other lacks: a result may
    /// be farther off by this one.
    #[must_use]
    pub fn may_exceed(&self, other: &Self) -> bool {
        let larger = |a: &Option<Rational>, b: &Option<Rational>| match (a, b) {
            (Some(a), Some(b)) => a > b,
            (a, _) => a.is_some(),
        };
        // An ulp of a format with fewer digits is larger.
        let ulps = |ulps: &(Rational, Format)| Rational::from(&ulps.0 >> ulps.1.precision());
        larger(&self.rel, &other.rel)
            || larger(&self.abs, &other.abs)
            || larger(&self.ulps.as_ref().map(ulps), &other.ulps.as_ref().map(ulps))
    }

    /// Whether no bound is stated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rel.is_none() && self.abs.is_none() && self.ulps.is_none()
    }

    /// The accuracy as properties of a core.
    #[must_use]
    pub fn to_properties(&self) -> Vec<Property> {
        let datum = |kind| Datum { kind, span: Span::default() };
        let number = |r: &Rational| datum(DatumKind::Number(Number::new(r.clone())));
        let rel = self.rel.iter().map(|r| (ACCURACY_PROPERTIES[0], number(r)));
        let abs = self.abs.iter().map(|a| (ACCURACY_PROPERTIES[1], number(a)));
        let ulps = self.ulps.iter().map(|(n, format)| {
            let format = datum(DatumKind::Symbol(format.name()));
            (ACCURACY_PROPERTIES[2], datum(DatumKind::List(vec![number(n), format])))
        });
        let property = |(key, value): (&str, Datum)| Property {
            key: key.to_owned(),
            key_span: Span::default(),
            value: Value::Data(value),
        };
        rel.chain(abs).chain(ulps).map(property).collect()
    }
}

impl fmt::Display for Accuracy {
    /// `relative 1e-10, absolute 1e-300, 4 ulps of binary64`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rel = self.rel.iter().map(|r| format!("relative {}", rational_text(r)));
        let abs = self.abs.iter().map(|a| format!("absolute {}", rational_text(a)));
        let ulps = self.ulps.iter().map(|(n, format)| format!("{} ulps of {}", rational_text(n), format.name()));
        f.write_str(&rel.chain(abs).chain(ulps).collect::<Vec<_>>().join(", "))
    }
}

/// Reads the value of `--rel-error` or `--abs-error`.
///
/// # Errors
/// A sentence that says why it is not a positive number.
pub fn parse_error_bound(text: &str) -> Result<Rational, Unfit> {
    positive(parse_rational(text.trim())?)
}

/// The largest error of library functions, such as `1` or `0.52`.
///
/// # Errors
/// A sentence that says what is expected.
pub fn parse_libm_ulps(text: &str) -> Result<LibmUlps, Unfit> {
    let known = text.trim().parse().ok().and_then(LibmUlps::new);
    known.ok_or_else(|| format!("expected a number of ulps from 0.5 on, not `{text}`").into())
}

/// Reads the value of `--ulps`: a number, then a format if it is not to be the result format.
///
/// # Errors
/// A sentence that says what is wrong with the text.
pub fn parse_ulps(text: &str) -> Result<(Rational, Option<Format>), Unfit> {
    let (n, format) = text.trim().split_once(char::is_whitespace).unwrap_or((text, ""));
    let (n, format) = (parse_error_bound(n)?, format.trim());
    if format.is_empty() {
        return Ok((n, None));
    }
    Ok((n, Some(parse_format(format)?)))
}

/// Reads the value of `--convert`.
///
/// # Errors
/// A sentence that says which formats there are.
pub fn parse_format(text: &str) -> Result<Format, Unfit> {
    format_named(text.trim()).map_err(|(message, hint)| format!("{message}; {hint}").into())
}

fn positive(value: Rational) -> Result<Rational, Unfit> {
    if value > 0 {
        Ok(value)
    } else {
        Err(format!("an error bound must be positive, not {}", rational_text(&value)).into())
    }
}

/// The format that is written so, or what is wrong with a hint.
pub(super) fn format_named(name: &str) -> Result<Format, (String, String)> {
    Format::from_name(name).ok_or_else(|| {
        let hint = match nearest(name, Format::names().into_iter().chain(["integer"])) {
            _ if name.starts_with("(fixed") => {
                "write `(fixed scale bits)`: the numbers k 2^scale with integers k of 2 to 54 bits, scale from -400 to 400"
                    .to_owned()
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}, integer and (fixed scale bits)", Format::names().join(", ")),
        };
        (format!("unknown format {}", quote(name)), hint)
    })
}

/// The accuracy that the core states or the flags state in its place, and whether it is the default.
pub(super) fn accuracy(
    core: &Core,
    result: Format,
    overrides: &Overrides,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Accuracy, bool) {
    let mut own = Accuracy::default();
    for property in &core.props {
        let Value::Data(datum) = &property.value else { continue };
        let read = match property.key.as_str() {
            "magneto-rel-error" => error_bound(datum).map(|r| own.rel = Some(r)),
            "magneto-abs-error" => error_bound(datum).map(|a| own.abs = Some(a)),
            "magneto-ulps" => ulps(datum, result).map(|u| own.ulps = Some(u)),
            _ => continue,
        };
        if let Err(mut diagnostic) = read {
            diagnostic.message = format!("`:{}`: {}", property.key, diagnostic.message);
            diagnostics.push(diagnostic);
        }
    }
    let ulps = overrides.ulps.clone().map(|(n, format)| (n, format.unwrap_or(result)));
    let flags = Accuracy { rel: overrides.rel.clone(), abs: overrides.abs.clone(), ulps };
    if !flags.is_empty() {
        (flags.with_lengths(), false)
    } else if own.is_empty() {
        (Accuracy::default_for(result), true)
    } else {
        (own.with_lengths(), false)
    }
}

fn error_bound(datum: &Datum) -> Result<Rational, Diagnostic> {
    let value = match &datum.kind {
        DatumKind::Number(n) => Ok(n.value.clone()),
        // A number that is refused, such as 1e999999999, stands as a symbol in data.
        DatumKind::Symbol(text) => parse_rational(text).map_err(String::from),
        DatumKind::List(items) => {
            let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
            match texts.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["digits", m, e, b] => digits_form(m, e, b),
                _ => Err(format!("{} is not a number", quote(&datum.to_string()))),
            }
        }
        DatumKind::String(_) => Err(format!("{} is a string, not a number", quote(&datum.to_string()))),
    };
    let hint = if let DatumKind::Symbol(text) = &datum.kind { number_hint(text) } else { None };
    let value = value.map_err(Unfit::from).and_then(positive);
    value.map_err(|why| Diagnostic::semantic(datum.span, why.message).maybe_hint(hint))
}

fn ulps(datum: &Datum, result: Format) -> Result<(Rational, Format), Diagnostic> {
    let DatumKind::List(items) = &datum.kind else { return Ok((error_bound(datum)?, result)) };
    match items.as_slice() {
        [n, format] => {
            let named = format_named(&format.to_string());
            let format = named.map_err(|(message, hint)| Diagnostic::semantic(format.span, message).hint(hint))?;
            Ok((error_bound(n)?, format))
        }
        _ => Err(Diagnostic::semantic(datum.span, "write a number or `(number format)`")),
    }
}
