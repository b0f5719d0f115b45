//! Equations that say what unknown numbers are.

use crate::text::sexp::Sexp;
use std::collections::{HashMap, HashSet};

/// What assertions that always hold say that names are: `(= x t)`, before anything is answered.
pub(super) fn definitions<'a>(forms: &[Sexp<'a>]) -> HashMap<&'a str, Sexp<'a>> {
    let head = |form: &Sexp<'a>| form.list().and_then(|l| l.first()).and_then(Sexp::atom);
    let number = |form: &Sexp<'a>| match form.list() {
        Some([declare, name, .., sort]) if declare.atom().is_some_and(|d| d.starts_with("declare-")) => {
            name.atom().filter(|_| matches!(sort.atom(), Some("Real" | "Int")))
        }
        _ => None,
    };
    let mut found = HashMap::new();
    let names: HashSet<&str> = forms.iter().filter_map(number).collect();
    if names.is_empty() || forms.iter().any(|f| head(f) == Some("push")) {
        return found;
    }
    for form in forms.iter().take_while(|f| !matches!(head(f), Some("check-sat" | "check-sat-assuming" | "exit"))) {
        let Some([assert, formula]) = form.list() else { continue };
        if assert.atom() == Some("assert") {
            equations(formula, &|name| names.contains(name), &mut found);
        }
    }
    found
}

/// What a formula says that names of numbers are.
pub(super) fn equations<'a>(
    formula: &Sexp<'a>,
    is_number: &dyn Fn(&str) -> bool,
    found: &mut HashMap<&'a str, Sexp<'a>>,
) {
    match formula.list() {
        Some([and, parts @ ..]) if and.atom() == Some("and") => {
            parts.iter().for_each(|p| equations(p, is_number, found));
        }
        Some([same, a, b]) if same.atom() == Some("=") => {
            for (name, term) in [(a, b), (b, a)] {
                if let Some(name) = name.atom().filter(|n| is_number(n)) {
                    found.entry(name).or_insert_with(|| term.clone());
                }
            }
        }
        _ => {}
    }
}
