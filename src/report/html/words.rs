//! What the words of the page mean.

use crate::mutate::MutationOperator;
use maud::{Markup, html};

/// The objectives.
const OBJECTIVES: [(&str, &str); 3] = [
    ("functional", "the program computes this formula and not another"),
    ("robustness", "it stays right at the ends of the domain, and with operations too many or too few"),
    ("precision", "its results are as accurate as required"),
];

/// The statuses of a mutant.
const STATUSES: [(&str, &str); 6] = [
    ("killed", "some test is valid for the specification or for the mutant, never for both: proved"),
    ("probable", "a mutant of the accuracy: a program as bad as it allows would probably be seen, without proof"),
    ("equivalent", "the same function on the whole domain, with a proof"),
    ("indistinguishable", "another function, with a proof that no input tells the two apart at this accuracy"),
    ("undecided", "neither a test nor a proof within the budget; counts as not killed"),
    ("accepted", "undecided, and a person decided that this may stay so"),
];

/// Where a test comes from.
const ORIGINS: [(&str, &str); 9] = [
    ("probe", "one of the points that are tried on all mutants at once"),
    ("solver", "found by the search for one mutant"),
    ("bounds", "at the end of an input's range, or beyond it"),
    ("accuracy", "chosen for mutants of the accuracy"),
    ("boundary", "one that a reviewer expects, whatever it kills"),
    ("spread", "one of the points that fill the domain evenly"),
    ("special", "beside a zero of what is computed, or where inputs are equal, nearly so, or special together"),
    ("given", "one that a person brought, such as an input that takes a branch"),
    ("earlier", "a test of an earlier run that was to be used again"),
];

/// Words of tables.
const COLUMNS: [(&str, &str); 3] = [
    (
        "margin",
        "how far the ranges of right results of specification and mutant are apart at best, in tolerances; ∞ where one has a result and the other has none",
    ),
    ("only it", "the mutants that no other test kills"),
    ("place", "line and column in the specification's file"),
];

/// What an operator's mutants are.
pub(super) fn operator(name: &str) -> &'static str {
    MutationOperator::ALL.iter().find(|o| o.name() == name).map_or("", |o| o.mistake().0)
}

/// All of them, folded.
pub(super) fn explained(operators: &[(&str, Vec<usize>)]) -> Markup {
    let mistakes: Vec<(&str, &str)> = operators.iter().map(|(name, _)| (*name, operator(name))).collect();
    let lists: [(&str, &[(&str, &str)]); 5] = [
        ("Objectives", &OBJECTIVES),
        ("Operators", &mistakes),
        ("Statuses", &STATUSES),
        ("Where tests come from", &ORIGINS),
        ("Columns", &COLUMNS),
    ];
    html! {
        details #words {
            summary { "What the words mean" }
            @for (title, list) in lists {
                h4 { (title) }
                dl { @for (word, meaning) in list { dt { (word) } dd { (meaning) } } }
            }
        }
    }
}
