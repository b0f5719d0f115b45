//! From the fields of a test to its numbers.

use super::fields::Cell;
use super::header::Fields;
use super::number::{ANY_NUMBER, At, Scale, Wrong, literal, scaled};
use super::{Expected, TestRecord};
use crate::floats::Format;
use crate::num::Rational;
use crate::num::float::{hex, rational};
use crate::spec::{OutOfRange, Spec};
use crate::text::{Span, quote};
use std::borrow::Cow;

/// Decimals of one record that were rounded.
#[derive(Default)]
pub(super) struct Rounding {
    pub(super) count: u64,
    pub(super) first: Option<(Span, String)>,
}

/// A test with what was rounded, or none where it is left out.
pub(super) type Assembled = Result<Option<(TestRecord, Rounding)>, At>;

/// Whether a text says NaN or an infinity.
fn is_special(text: &str) -> bool {
    let bare = text.trim_start_matches(['+', '-']);
    ["nan", "inf", "infinity"].iter().any(|s| bare.eq_ignore_ascii_case(s))
}

/// The record that the fields of a test make; none where an input is NaN or infinite.
pub(super) fn assemble(spec: &Spec, fields: &Fields, cells: &[Cell<'_>], line: usize, count: u64) -> Assembled {
    let scale = |name: &str| fields.layout.scale.iter().find(|(n, _)| n == name).map(|(_, s)| s);
    if cells[..spec.inputs.len()].iter().flatten().any(|(text, _)| is_special(text)) {
        return Ok(None);
    }
    let mut rounding = Rounding::default();
    let mut input = Vec::with_capacity(spec.inputs.len());
    for (declared, cell) in spec.inputs.iter().zip(cells) {
        let (text, span) = cell.as_ref().map_or(("", Span::default()), |(t, s)| (t, *s));
        let of = |wrong: Wrong| Wrong { message: format!("{}: {}", quote(&declared.name), wrong.message), ..wrong };
        let read = scaled(text, declared.format, scale(&declared.name)).map_err(|wrong| (span, of(wrong)))?;
        if read.rounded {
            rounding.count += 1;
            rounding.first.get_or_insert_with(|| (span, hex(read.value)));
        }
        input.push(read.value);
    }
    let [id, lo, hi, expected, abs_tol, rel_tol] =
        [0, 1, 2, 3, 4, 5].map(|k| cells.get(spec.inputs.len() + k).and_then(Option::as_ref));
    let format = spec.result_format;
    let bound = |cell: Option<&(Cow<'_, str>, Span)>, down: bool| {
        let Some((text, span)) = cell else { return Ok(None) };
        let scale = scale(if down { "hi" } else { "lo" });
        bound(text, format, down, scale).map(Some).map_err(|wrong| (*span, wrong))
    };
    let (low, high) = (bound(lo, false)?, bound(hi, true)?);
    if let (Some(a), Some(b), Some((_, span))) = (low, high, lo)
        && a > b
    {
        let wrong = Wrong::new(format!("no {} number lies between `lo` and `hi`", format.name()));
        return Err((*span, wrong.hint("lo is the smallest result that is right, hi the largest")));
    }
    let expected = match expected {
        None => None,
        Some((text, span)) => Some(expectation(text, format, scale("expected")).map_err(|wrong| (*span, wrong))?),
    };
    let within = tolerance(expected, [(abs_tol, scale("abs_tol")), (rel_tol, None)], format)?;
    let passes = match (low, high) {
        (None, None) => within,
        (lo, hi) => Some((lo.unwrap_or(f64::NEG_INFINITY), hi.unwrap_or(f64::INFINITY))),
    };
    let id = id.map_or_else(|| format!("#{count}"), |(text, _)| text.to_string());
    Ok(Some((TestRecord { id, line, input, lo: low, hi: high, expected, passes }, rounding)))
}

/// A cell, and what makes the field's number from it.
type Scaled<'a> = (Option<&'a (Cow<'a, str>, Span)>, Option<&'a Scale>);

/// What a test's own tolerances leave around what it expects: the larger of the absolute one and of the relative one.
fn tolerance(
    expected: Option<Expected>,
    [absolute, relative]: [Scaled<'_>; 2],
    format: Format,
) -> Result<Option<(f64, f64)>, At> {
    let read = |(cell, scale): Scaled<'_>| {
        let Some((text, span)) = cell else { return Ok(None) };
        let exact = literal(text).map_err(|wrong| (*span, wrong))?;
        if exact < 0 {
            return Err((*span, Wrong::new("a tolerance below 0")));
        }
        Ok(Some(match scale {
            Some(scale) => exact * &scale.factor,
            None => exact,
        }))
    };
    let (absolute, relative) = (read(absolute)?, read(relative)?);
    let Some(Expected::Value(y)) = expected.filter(|e| matches!(e, Expected::Value(y) if y.is_finite())) else {
        return Ok(None);
    };
    let y = rational(y);
    let relative = relative.map(|r| r * y.clone().abs());
    let Some(most) = absolute.into_iter().chain(relative).max() else { return Ok(None) };
    let ends: (Rational, Rational) = (Rational::from(&y - &most), y + most);
    Ok(format.ceil_rational(&ends.0).zip(format.floor_rational(&ends.1)))
}

/// An end of an interval, rounded inward.
fn bound(text: &str, format: Format, down: bool, scale: Option<&Scale>) -> Result<f64, Wrong> {
    let name = if down { "hi" } else { "lo" };
    let exact = literal(text).map_err(|w| Wrong { message: format!("`{name}`: {}", w.message), ..w })?;
    let exact = scale.map_or(exact.clone(), |s| s.apply(exact));
    let rounded = if down { format.floor_rational(&exact) } else { format.ceil_rational(&exact) };
    rounded.map(|x| x + 0.0).ok_or_else(|| {
        Wrong::new(format!("`{name}`: {} is beyond the {} numbers", quote(text), format.name()))
            .hint("leave the cell empty where there is no bound")
    })
}

/// What a cell `expected` says.
fn expectation(text: &str, format: Format, scale: Option<&Scale>) -> Result<Expected, Wrong> {
    if let Some(response) = OutOfRange::ALL.into_iter().find(|r| text.eq_ignore_ascii_case(r.name())) {
        return Ok(Expected::Response(response));
    }
    match text.to_ascii_lowercase().as_str() {
        "inf" | "+inf" | "infinity" => return Ok(Expected::Value(f64::INFINITY)),
        "-inf" | "-infinity" => return Ok(Expected::Value(f64::NEG_INFINITY)),
        _ => {}
    }
    scaled(text, format, scale).map(|n| Expected::Value(n.value)).map_err(|w| {
        let hint = w
            .hint
            .filter(|h| h != ANY_NUMBER)
            .unwrap_or_else(|| "write a number, or reject, nan, saturate or any".into());
        Wrong { message: format!("`expected`: {}", w.message), hint: Some(hint) }
    })
}
