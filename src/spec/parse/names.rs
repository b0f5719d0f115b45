//! The names of FPCore, and what people write instead.

use crate::ops::{Constant, Op};
use crate::spec::core::{Classify, Compare};
use crate::text::nearest;

/// Forms with a syntax of their own.
const FORMS: [&str; 19] = [
    "if", "let", "let*", "cast", "!", "digits", "and", "or", "not", "while", "while*", "for", "for*", "tensor",
    "tensor*", "array", "dim", "size", "ref",
];

/// Properties that a core can have only once.
pub(super) const SINGLE_PROPERTIES: [&str; 13] = [
    "pre",
    "name",
    "precision",
    "magneto-rel-error",
    "magneto-abs-error",
    "magneto-ulps",
    "magneto-inputs",
    "magneto-req",
    "magneto-out-of-range",
    "magneto-units",
    "magneto-results",
    "magneto-result",
    crate::spec::sizes::PROPERTY,
];

/// Names from other languages.
const ALIASES: [(&str, &str); 22] = [
    ("ln", "log"),
    ("abs", "fabs"),
    ("min", "fmin"),
    ("max", "fmax"),
    ("^", "pow"),
    ("**", "pow"),
    ("expt", "pow"),
    ("%", "fmod"),
    ("mod", "fmod"),
    ("ceiling", "ceil"),
    ("truncate", "trunc"),
    ("rint", "nearbyint"),
    ("roundeven", "nearbyint"),
    ("gamma", "tgamma"),
    ("loggamma", "lgamma"),
    ("=", "=="),
    ("<>", "!="),
    ("&&", "and"),
    ("||", "or"),
    ("pi", "PI"),
    ("HUGE_VAL", "INFINITY"),
    ("inf", "INFINITY"),
];

/// The constant of that name, in the spelling of FPCore 2.0 or of 1.0.
pub(super) fn constant(name: &str) -> Option<Constant> {
    let name = match name {
        "1_PI" => "M_1_PI",
        "2_PI" => "M_2_PI",
        "2_SQRTPI" => "M_2_SQRTPI",
        name => name,
    };
    Constant::ALL.iter().copied().find(|c| c.name() == name)
}

/// Whether the name at the head of a list has a meaning of its own.
pub(super) fn is_operation(name: &str) -> bool {
    operations().any(|o| o == name)
}

fn operations() -> impl Iterator<Item = &'static str> {
    let operators = Op::ALL.iter().map(|o| o.name()).chain(Compare::ALL.into_iter().map(Compare::name));
    operators.chain(Classify::ALL.into_iter().map(Classify::name)).chain(FORMS)
}

/// A hint for an unknown operator.
pub(super) fn suggest_operation<'a>(name: &str, idents: impl Iterator<Item = &'a str>) -> Option<String> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|&(_, meant)| meant);
    // arctan for atan, as mathematicians write it.
    let arc = || name.strip_prefix("arc").and_then(|rest| operations().find(|o| o.strip_prefix('a') == Some(rest)));
    let near = alias
        .filter(|&meant| is_operation(meant))
        .or_else(arc)
        .or_else(|| nearest(name, operations().map(|o| -> &'a str { o }).chain(idents)));
    near.map(|n| format!("did you mean `{n}`?"))
}

/// A hint for an unbound variable.
pub(super) fn suggest_variable<'a>(name: &str, scope: impl Iterator<Item = &'a str>) -> Option<String> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|&(_, meant)| meant);
    let names = scope.chain(Constant::ALL.iter().map(|c| c.name()));
    let near = alias.filter(|&meant| constant(meant).is_some()).or_else(|| nearest(name, names));
    near.map(|n| format!("did you mean `{n}`?"))
}
