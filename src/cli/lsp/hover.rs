//! What is shown of the word under the pointer: what the book says of it, the values of the expression around it, and what
//! `lint` knows of the whole specification.

use super::cursor::Cursor;
use super::examine::{Examined, KnownSpec};
use super::manual;
use super::places::Text;
use gen_lsp_types::{Hover, MarkupContent, MarkupKind};
use magneto::csp::look::Look;
use magneto::lint::{FormulaPart, PartValues, example};
use magneto::num::outward::digits_apart;
use magneto::num::{AtLeast, AtMost, Ternary};
use magneto::report::number::{decimal, digits};
use magneto::report::point::{self, without_digits};
use magneto::spec::Spec;
use magneto::spec::core::ExprKind;
use magneto::text::{clip, visible};

/// Digits of a value.
const VALUE_DIGITS: u32 = 17;
/// The least digits of the ends of a range.
const END_DIGITS: usize = 4;

/// What is shown at a byte of a text, as far as it is known when the work is to end.
pub(super) fn hover(text: &Text, offset: usize, examined: &Examined) -> Option<Hover> {
    let cursor = Cursor::new(&text.text, offset);
    if cursor.is_text {
        return None;
    }
    let known = examined.specs.iter().find(|k| (k.spec.core.span.start..k.spec.core.span.end).contains(&offset));
    let mut paragraphs: Vec<String> = Vec::new();
    let mut span = cursor.word.map(|(span, _)| span);
    let word = cursor.word.map(|(_, word)| word).unwrap_or_default();
    match word.strip_prefix(':') {
        Some(key) => paragraphs.extend(manual::property(key)),
        None if cursor.is_head() && !word.is_empty() => {
            paragraphs.extend(manual::operator(word).or_else(|| manual::form(word)));
        }
        None => {}
    }
    if let Some(known) = known {
        let spec = &known.spec;
        if is_about_all(spec, &cursor, offset) {
            paragraphs.push(whole(known));
        } else if let Some(part) =
            FormulaPart::around(spec, offset).filter(|p| !matches!(p.expr.kind, ExprKind::Number(_)))
        {
            paragraphs.push(of_part(known, &part));
            span = Some(part.expr.span);
        }
        paragraphs.extend(spec.inputs.iter().find(|i| i.name == word).map(|i| {
            let unit = i.unit.as_ref().map(|u| format!(", unit {}", code(u)));
            format!("input {}: {} in {}{}", code(&i.name), i.format.name(), i.range, unit.unwrap_or_default())
        }));
    }
    let value = paragraphs.join("\n\n");
    let range = span.map(|span| text.range(span));
    let markup = |value| MarkupContent { kind: MarkupKind::Markdown, value };
    (!value.is_empty()).then(|| Hover { contents: markup(value).into(), range })
}

/// Whether the pointer is on what stands for the whole specification: `FPCore`, its identifier, its `:name`.
fn is_about_all(spec: &Spec, cursor: &Cursor<'_>, offset: usize) -> bool {
    let own = spec.core.props.iter().find(|p| p.key == "name");
    let is_name = own.is_some_and(|p| (p.key_span.start..p.key_span.end).contains(&offset));
    let is_outermost = cursor.open.len() == 1;
    let word = cursor.word.map(|(_, word)| word);
    let is_head = word.is_some() && (word == Some("FPCore") || word == spec.core.ident.as_deref());
    is_name || is_outermost && is_head
}

/// What is known of a whole specification.
fn whole(known: &KnownSpec) -> String {
    let spec = &known.spec;
    let mut lines = vec![format!("{}: {}", code(&spec.name), spec.accuracy)];
    if known.points.is_empty() {
        lines.push("what `magneto lint` finds is not known yet".to_owned());
    }
    lines.extend(known.points.iter().map(|point| visible(point).into_owned()));
    if let Some(part) = FormulaPart::around(spec, spec.core.body.span.start) {
        lines.extend(values(&part, part.values()));
        lines.extend(at_example(known, &part));
    }
    let points: String = lines.iter().skip(1).map(|line| format!("- {line}\n")).collect();
    format!("{}\n\n{points}", lines[0])
}

/// What is known of a part of a formula.
fn of_part(known: &KnownSpec, part: &FormulaPart) -> String {
    let mut lines = vec![code(&clip(&part.expr.to_string()))];
    lines.extend(values(part, part.values()));
    lines.extend(at_example(known, part));
    lines.join("  \n")
}

/// The values of a part over the domain.
fn values(part: &FormulaPart, found: Option<PartValues>) -> Option<String> {
    let PartValues { hull, defined } = found?;
    if hull.is_empty() {
        return Some("has no value at any input of the domain".to_owned());
    }
    let partly = if defined.is_true() { "" } else { ", perhaps without a value at some inputs" };
    Some(match part.is_condition {
        true if hull.inf() == 1.0 => format!("holds on the domain{partly}"),
        true if hull.sup() == 0.0 => format!("holds nowhere on the domain{partly}"),
        true => format!("may hold at some inputs of the domain, and not at others{partly}"),
        false => {
            let end = |bound: f64, text: String| if bound.is_finite() { text } else { decimal(bound) };
            let count = digits_apart(hull.inf(), hull.sup(), END_DIGITS);
            let lo = end(hull.inf(), format!("{:.count$}", AtLeast(hull.inf())));
            let hi = end(hull.sup(), format!("{:.count$}", AtMost(hull.sup())));
            format!("lies in [{lo}, {hi}] on the domain{partly}")
        }
    })
}

/// The value of a part at an example.
fn at_example(known: &KnownSpec, part: &FormulaPart) -> Option<String> {
    let (spec, cap) = (&known.spec, known.settings.suite.precision_cap);
    let input = example(spec, cap)?;
    let value = match part.is_condition {
        true => match part.holds_at(&input, cap) {
            Ternary::True => "it holds".to_owned(),
            Ternary::False => "it does not hold".to_owned(),
            Ternary::Unknown => return None,
        },
        false => value(&part.at(&input, cap)),
    };
    let each: Vec<String> =
        spec.inputs.iter().zip(&input).map(|(i, x)| format!("{} = {}", visible(&i.name), decimal(*x))).collect();
    Some(if each.is_empty() { value } else { format!("at {}: {value}", each.join(", ")) })
}

fn value(look: &Look) -> String {
    match &look.set {
        Some(set) => {
            let [lo, hi] = [&set.value.lo, &set.value.hi].map(|x| digits(x, VALUE_DIGITS));
            if lo == hi { lo } else { point::value(set) }
        }
        None if look.oracle == magneto::oracle::Oracle::Undefined => "no value".to_owned(),
        None => without_digits(look).to_owned(),
    }
}

/// A piece of the source as code in Markdown.
fn code(text: &str) -> String {
    format!("`{}`", visible(text).replace('`', "'"))
}
