//! Arrays whose sizes are names, such as `(A n)`: an FPCore with such arguments stands for one with numbers for each value that
//! the names take.

use super::core::Core;
use super::results::{base_name, set_name};
use crate::text::sexp::{Sexp, SexpKind};
use crate::text::{Diagnostic, quote};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The property that says which values the names take, without its colon.
pub(super) const PROPERTY: &str = "magneto-sizes";

/// A name of which the property says nothing takes the values from 1 to this one.
const DEFAULT_MOST: usize = 4;

/// The most FPCores that one stands for.
const MAX_CASES: usize = 64;

/// The numbers that stand for the names of sizes, in the order of the text.
pub(super) type Sizes = Vec<(String, usize)>;

/// The cases for which a core stands, those of the first name changing slowest; a single one without names if no size is a name.
///
/// # Errors
/// What the property says does not fit the arguments, or there are too many cases.
pub(super) fn cases(form: &Sexp) -> Result<Vec<Sizes>, Vec<Diagnostic>> {
    let names = names(form);
    let items = form.list().unwrap_or_default();
    let stated = items.windows(2).find(|pair| pair[0].atom().and_then(|a| a.strip_prefix(':')) == Some(PROPERTY));
    let mut ranges: BTreeMap<&str, RangeInclusive<usize>> = names.iter().map(|n| (*n, 1..=DEFAULT_MOST)).collect();
    if let Some([key, value]) = stated {
        if names.is_empty() {
            let message = format!("`:{PROPERTY}`: no argument is an array whose size is a name");
            return Err(vec![Diagnostic::semantic(key.span, message).hint("declare one as `(A n)`")]);
        }
        for item in value.list().unwrap_or(std::slice::from_ref(value)) {
            let (name, range) = range(item, &names).map_err(|wrong| vec![wrong])?;
            ranges.insert(name, range);
        }
    }
    let span = stated.map_or(form.span, |pair| pair[0].span);
    let mut cases = vec![Sizes::new()];
    for name in names {
        let range = ranges[name].clone();
        let count = range.size_hint().0.saturating_mul(cases.len());
        if count > MAX_CASES {
            let message = format!("these sizes are {count} cases; at most {MAX_CASES} are supported");
            let hint = format!("narrow the sizes, as in `:{PROPERTY} ((n 2 3))`");
            return Err(vec![Diagnostic::unsupported(span, message).hint(hint)]);
        }
        let with = |case: &Sizes| {
            let case = case.clone();
            range.clone().map(move |n| case.clone().into_iter().chain([(name.to_owned(), n)]).collect())
        };
        cases = cases.iter().flat_map(with).collect();
    }
    Ok(cases)
}

/// Gives a core the name of its case, as `dot.n=3`.
pub(super) fn name_case(core: &mut Core, sizes: &Sizes) {
    if sizes.is_empty() {
        return;
    }
    let each = sizes.iter().map(|(name, n)| format!("{name}={n}"));
    let name = base_name(core).into_iter().chain(each).collect::<Vec<_>>().join(".");
    core.props.retain(|p| p.key != PROPERTY);
    set_name(core, name);
}

/// The names that are sizes of arguments, each once, in the order of the text.
fn names<'a>(form: &Sexp<'a>) -> Vec<&'a str> {
    let args = form.list().unwrap_or_default().iter().skip(1).find_map(Sexp::list).unwrap_or_default();
    let mut names = Vec::new();
    for arg in args.iter().filter_map(Sexp::list) {
        let is_annotated = arg.first().and_then(Sexp::atom) == Some("!");
        let is_key = |s: &Sexp| s.atom().is_some_and(|a| a.starts_with(':'));
        // Behind `!` keys and values come in pairs, then the name of the argument.
        let before = if is_annotated { 1 + 2 * arg[1..].iter().filter(|s| is_key(s)).count() } else { 0 };
        let sizes = arg.iter().skip(before + 1).filter_map(Sexp::atom);
        for name in sizes.filter(|size| size.parse::<f64>().is_err()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// What `(n 4)` or `(n 2 4)` says: the values of n from 1, or from 2, to 4.
fn range<'a>(item: &Sexp<'a>, names: &[&'a str]) -> Result<(&'a str, RangeInclusive<usize>), Diagnostic> {
    let natural = |s: &Sexp| s.atom()?.parse::<usize>().ok().filter(|n| *n > 0);
    let read = match item.list() {
        Some([name, most]) => name.atom().zip(natural(most).map(|most| 1..=most)),
        Some([name, least, most]) => {
            name.atom().zip(natural(least).zip(natural(most)).map(|(least, most)| least..=most))
        }
        _ => None,
    };
    let wrong = |message: String| Diagnostic::semantic(item.span, format!("`:{PROPERTY}`: {message}"));
    let Some((name, range)) = read.filter(|(_, range)| !range.is_empty()) else {
        let text = match &item.kind {
            SexpKind::Atom(text) => quote(text),
            _ => "this".to_owned(),
        };
        let hint = format!("write `:{PROPERTY} ((n 4))` for n from 1 to 4, or `((n 2 8))`");
        return Err(wrong(format!("{text} says of no name which sizes it takes")).hint(hint));
    };
    match names.contains(&name) {
        true => Ok((name, range)),
        false => Err(wrong(format!("no array has the size {}", quote(name)))),
    }
}
