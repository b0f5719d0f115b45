//! From the fields of a test to its numbers.

use super::fields::Cell;
use super::number::{Wrong, literal, number};
use super::{Assembled, Expected, Record};
use crate::floats::Format;
use crate::num::float::hex;
use crate::spec::core::Span;
use crate::spec::diagnostic::quote;
use crate::spec::{OutOfRange, Spec};
use std::borrow::Cow;

/// Decimals of one record that were rounded.
#[derive(Default)]
pub(super) struct Rounding {
    pub(super) count: u64,
    pub(super) first: Option<(Span, String)>,
}

/// Whether a text says NaN or an infinity.
fn is_special(text: &str) -> bool {
    let bare = text.trim_start_matches(['+', '-']);
    ["nan", "inf", "infinity"].iter().any(|s| bare.eq_ignore_ascii_case(s))
}

/// The record that the fields of a test make; none where an input is NaN or infinite.
pub(super) fn assemble(spec: &Spec, cells: &[Cell<'_>], line: usize, count: u64) -> Assembled {
    if cells[..spec.inputs.len()].iter().flatten().any(|(text, _)| is_special(text)) {
        return Ok(None);
    }
    let mut rounding = Rounding::default();
    let mut input = Vec::with_capacity(spec.inputs.len());
    for (declared, cell) in spec.inputs.iter().zip(cells) {
        let (text, span) = cell.as_ref().map_or(("", Span::default()), |(t, s)| (t, *s));
        let of = |wrong: Wrong| Wrong { message: format!("{}: {}", quote(&declared.name), wrong.message), ..wrong };
        let read = number(text, declared.format).map_err(|wrong| (span, of(wrong)))?;
        if read.rounded {
            rounding.count += 1;
            rounding.first.get_or_insert_with(|| (span, hex(read.value)));
        }
        input.push(read.value);
    }
    let [id, lo, hi, expected] = [0, 1, 2, 3].map(|k| cells.get(spec.inputs.len() + k).and_then(Option::as_ref));
    let format = spec.result_format;
    let bound = |cell: Option<&(Cow<'_, str>, Span)>, down: bool| {
        let Some((text, span)) = cell else { return Ok(None) };
        bound(text, format, down).map(Some).map_err(|wrong| (*span, wrong))
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
        Some((text, span)) => Some(expectation(text, format).map_err(|wrong| (*span, wrong))?),
    };
    let id = id.map_or_else(|| format!("#{count}"), |(text, _)| text.to_string());
    Ok(Some((Record { id, line, input, lo: low, hi: high, expected }, rounding)))
}

/// An end of an interval, rounded inward.
fn bound(text: &str, format: Format, down: bool) -> Result<f64, Wrong> {
    let name = if down { "hi" } else { "lo" };
    let exact = literal(text).map_err(|w| Wrong { message: format!("`{name}`: {}", w.message), ..w })?;
    let rounded = if down { format.floor_rational(&exact) } else { format.ceil_rational(&exact) };
    rounded.map(|x| x + 0.0).ok_or_else(|| {
        Wrong::new(format!("`{name}`: {} is beyond the {} numbers", quote(text), format.name()))
            .hint("leave the cell empty where there is no bound")
    })
}

/// What a cell `expected` says.
fn expectation(text: &str, format: Format) -> Result<Expected, Wrong> {
    if let Some(response) = OutOfRange::ALL.into_iter().find(|r| text.eq_ignore_ascii_case(r.name())) {
        return Ok(Expected::Response(response));
    }
    match text.to_ascii_lowercase().as_str() {
        "inf" | "+inf" | "infinity" => return Ok(Expected::Value(f64::INFINITY)),
        "-inf" | "-infinity" => return Ok(Expected::Value(f64::NEG_INFINITY)),
        _ => {}
    }
    number(text, format).map(|n| Expected::Value(n.value)).map_err(|w| {
        let hint = w.hint.unwrap_or_else(|| "write a number, or reject, nan, saturate or any".into());
        Wrong { message: format!("`expected`: {}", w.message), hint: Some(hint) }
    })
}
