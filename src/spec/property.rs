//! Properties by name: which there are, and what a misspelt one was meant to be.
//!
//! FPCore lets a tool ignore every property that it does not know, so that a misspelt one would pass in silence.
//! Names near a known one are reported instead.

use super::core::{Core, Expr, ExprKind, Property, Value};
use crate::floats::Format;
use crate::text::sexp::{Sexp, SexpKind, unescaped};
use crate::text::{Diagnostic, Span, nearest, nearest_within, quote};
use std::collections::BTreeSet;

/// The properties of FPCore 2.0.
const STANDARD: [&str; 10] =
    ["name", "description", "cite", "precision", "round", "overflow", "pre", "spec", "alt", "math-library"];

/// The properties that belong to this program.
pub(super) const MAGNETO: [&str; 12] = [
    "magneto-rel-error",
    "magneto-abs-error",
    "magneto-ulps",
    "magneto-inputs",
    "magneto-overflow",
    "magneto-meaning",
    "magneto-req",
    "magneto-out-of-range",
    "magneto-units",
    "magneto-results",
    "magneto-result",
    super::sizes::PROPERTY,
];

/// The properties without which the tests are for another domain or another format.
const ESSENTIAL: [&str; 2] = ["pre", "precision"];

/// The precisions that FPCore and its tools name beside those that tests can be in.
const OTHER_PRECISIONS: [&str; 12] = [
    "binary80",
    "binary128",
    "binary256",
    "real",
    "integer",
    "boolean",
    "tensorfloat32",
    "posit8",
    "posit16",
    "posit32",
    "posit64",
    "posit128",
];
/// What other languages call them.
const ALIASES: [(&str, &str); 7] = [
    ("double", "binary64"),
    ("float64", "binary64"),
    ("single", "binary32"),
    ("float", "binary32"),
    ("float32", "binary32"),
    ("half", "binary16"),
    ("float16", "binary16"),
];
/// The families of precisions: `(float e n)`, `(posit es n)`, `(fixed scale n)`.
const FAMILIES: [&str; 3] = ["float", "posit", "fixed"];

/// All properties that are known, without their colons: those of FPCore, then those of this program.
pub fn properties() -> impl Iterator<Item = &'static str> {
    STANDARD.into_iter().chain(MAGNETO)
}

/// The values of `:precision` that are words, those that tests can be in first.
pub fn precisions() -> impl Iterator<Item = &'static str> {
    Format::names().into_iter().chain(OTHER_PRECISIONS)
}

/// The known property that an unknown one is likely to be meant for; `None` for a known one and for one of another tool.
fn meant(key: &str) -> Option<&'static str> {
    if STANDARD.contains(&key) || MAGNETO.contains(&key) {
        return None;
    }
    // A hyphen ends the prefix of a tool, as in `:herbie-target`: only names with a hyphen of their own are near it.
    let candidates = STANDARD.into_iter().chain(MAGNETO).filter(|c| c.contains('-') || !key.contains('-'));
    let shortened = |c: &&str| key.len() >= 4 && c.starts_with(key);
    let limit = if key.chars().count() <= 5 { 1 } else { 2 };
    candidates.clone().find(shortened).or_else(|| nearest_within(key, candidates, limit))
}

fn unknown(key: &str, span: Span) -> Diagnostic {
    Diagnostic::semantic(span, format!("unknown property {}", quote(&format!(":{key}"))))
}

/// What is wrong with the key (without its colon) of a property at that place: an unknown one of this program, or one
/// letter away from `:pre` or `:precision`.
pub(super) fn key_error(key: &str, span: Span) -> Option<Diagnostic> {
    if key.starts_with("magneto-") && !MAGNETO.contains(&key) {
        let hint = match nearest(key, MAGNETO) {
            Some(near) => format!("did you mean `:{near}`?"),
            None => format!("there are :{}", MAGNETO.join(", :")),
        };
        return Some(unknown(key, span).hint(hint));
    }
    let near = meant(key)?;
    nearest_within(key, ESSENTIAL, 1)?;
    Some(unknown(key, span).hint(format!("did you mean `:{near}`?")))
}

/// What is wrong with the value of `:precision`. A precision that FPCore has and tests cannot be in is right.
pub(super) fn precision_error(value: &Sexp) -> Option<Diagnostic> {
    // Those that tests can be in come first: of two that are equally near the first is suggested.
    let precisions: Vec<&str> = precisions().collect();
    let string;
    let (text, known) = match &value.kind {
        SexpKind::Atom(text) if precisions.contains(text) => return None,
        SexpKind::Atom(text) => (*text, &precisions[..]),
        SexpKind::Text(text) => {
            string = unescaped(text);
            (string.as_str(), &precisions[..])
        }
        SexpKind::List(items) => match items.first().and_then(Sexp::atom) {
            Some(head) if FAMILIES.contains(&head) => return None,
            Some(head) => (head, &FAMILIES[..]),
            None => ("()", &[][..]),
        },
    };
    let is_list = matches!(value.kind, SexpKind::List(_));
    let alias = ALIASES.iter().find(|(alias, _)| !is_list && *alias == text).map(|&(_, meant)| meant);
    let hint = match alias.or_else(|| nearest(text, known.iter().copied())) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let [first @ .., last] = Format::names().map(|name| format!("`{name}`"));
            let first = first.join(", ");
            format!("write {first} or {last}; FPCore also has `real`, `integer`, `(float e n)` and others")
        }
    };
    let what = if matches!(value.kind, SexpKind::Text(_)) {
        format!("{} is a string, not a precision", quote(&format!("\"{text}\"")))
    } else {
        format!("unknown precision {}", quote(text))
    };
    Some(Diagnostic::semantic(value.span, format!("`:precision`: {what}")).hint(hint))
}

/// The properties of a core, of its arguments and of its parts that are ignored but look like misspelt ones, in the
/// order of the source.
#[must_use]
pub fn misspelt(core: &Core) -> Vec<Diagnostic> {
    let mut lists: Vec<&[Property]> = vec![&core.props];
    lists.extend(core.args.iter().map(|a| a.props.as_slice()));
    let mut open: Vec<&Expr> = vec![&core.body];
    open.extend(core.props.iter().filter_map(|p| if let Value::Expr(e) = &p.value { Some(e) } else { None }));
    while let Some(e) = open.pop() {
        if let ExprKind::Annotated(props, _) = &e.kind {
            lists.push(props);
        }
        open.extend(e.children());
    }
    // A core that is called twice stands twice in the body.
    let keys: BTreeSet<(usize, usize, &str)> =
        lists.into_iter().flatten().map(|p| (p.key_span.start, p.key_span.end, p.key.as_str())).collect();
    let warn = |(start, end, key): (usize, usize, &str)| {
        let near = meant(key)?;
        let message = format!("the unknown property {} is ignored", quote(&format!(":{key}")));
        Some(Diagnostic::semantic(Span { start, end }, message).hint(format!("did you mean `:{near}`?")))
    };
    keys.into_iter().filter_map(warn).collect()
}
