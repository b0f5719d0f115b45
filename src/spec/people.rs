//! What a specification says for people, and on which no test depends: the requirements that it stands for, and units.

use super::core::{Datum, DatumKind};
use crate::text::{Diagnostic, quote};
use std::collections::BTreeSet;

/// Where units go: the names of the inputs, each with its place for one.
pub(super) type Slots<'a> = Vec<(&'a str, &'a mut Option<String>)>;

/// The ids of `:magneto-req`, each once.
pub(super) fn requirements(datum: Option<&Datum>, diagnostics: &mut Vec<Diagnostic>) -> Vec<String> {
    let Some(datum) = datum else { return Vec::new() };
    let one = |d: &Datum| match &d.kind {
        DatumKind::String(text) | DatumKind::Symbol(text) => Some(text.clone()),
        _ => None,
    };
    let all = match &datum.kind {
        DatumKind::List(items) if !items.is_empty() => items.iter().map(one).collect::<Option<Vec<_>>>(),
        _ => one(datum).map(|id| vec![id]),
    };
    let mut all = all.unwrap_or_else(|| {
        let message = format!("`:magneto-req`: {} is no string or list of strings", quote(&datum.to_string()));
        let hint = "write `:magneto-req \"REQ-012\"` or `:magneto-req (\"REQ-012\" \"REQ-013\")`";
        diagnostics.push(Diagnostic::semantic(datum.span, message).hint(hint));
        Vec::new()
    });
    let mut seen = BTreeSet::new();
    all.retain(|id| seen.insert(id.clone()));
    all
}

/// The name by which `:magneto-units` means the result.
const RESULT: &str = "result";

/// Gives inputs the units of `:magneto-units ((p "Pa") (h "m"))`, and returns that of the result.
pub(super) fn units(
    datum: Option<&Datum>,
    inputs: &mut Slots<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<String> {
    let datum = datum?;
    let mut wrong = |d: &Datum, message: String| {
        let hint = "write `:magneto-units ((x \"Pa\") (result \"m\"))` with the names of inputs";
        diagnostics.push(Diagnostic::semantic(d.span, format!("`:magneto-units`: {message}")).hint(hint));
    };
    let DatumKind::List(items) = &datum.kind else {
        wrong(datum, format!("{} is no list", quote(&datum.to_string())));
        return None;
    };
    let mut result = None;
    for item in items {
        let pair = if let DatumKind::List(pair) = &item.kind { &pair[..] } else { &[] };
        let [Datum { kind: DatumKind::Symbol(name), .. }, unit] = pair else {
            wrong(item, format!("{} is not a name with a unit", quote(&item.to_string())));
            continue;
        };
        let (DatumKind::String(unit) | DatumKind::Symbol(unit)) = &unit.kind else {
            wrong(unit, format!("{} is no text", quote(&unit.to_string())));
            continue;
        };
        let slot = match inputs.iter_mut().find(|i| i.0 == name) {
            Some(input) => &mut *input.1,
            None if name == RESULT => &mut result,
            None => {
                wrong(item, format!("{} is no input", quote(name)));
                continue;
            }
        };
        if slot.replace(unit.clone()).is_some() {
            wrong(item, format!("{} has a unit already", quote(name)));
        }
    }
    result
}
