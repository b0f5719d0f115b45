//! What the book says of operators, forms and properties, for those who write a specification. Its tables are the only place
//! where that stands.

use crate::cli::operators;

/// The page of the book with the table of properties.
const PROPERTIES: &str = include_str!("../../../docs/src/specifications.md");
/// The page of the book with the table of forms.
const FORMS: &str = include_str!("../../../docs/src/operators.md");

/// What is said of an operator, as Markdown: each way to write it, what it is and where it has a value.
pub(super) fn operator(name: &str) -> Option<String> {
    let rows = operators::rows(Some(name));
    let text = |row: &operators::Row| {
        let domain = match row.has_a_value.as_str() {
            "all" => "It has a value everywhere.".to_owned(),
            domain => format!("It has a value where `{domain}`."),
        };
        format!("`{}`: {}. {domain}", row.call, row.function)
    };
    (!rows.is_empty()).then(|| rows.iter().map(text).collect::<Vec<_>>().join("\n\n"))
}

/// The rows of a table of two columns that has a cell in its head.
fn table<'a>(page: &'a str, head: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let lines = page.lines().skip_while(move |l| !l.starts_with(&format!("| {head} |"))).skip(2);
    lines.take_while(|l| l.starts_with('|')).filter_map(|l| l.trim_matches('|').trim().split_once(" | "))
}

/// What is said of a form such as `let`, as Markdown.
pub(super) fn form(name: &str) -> Option<String> {
    let is_of = |cell: &str| cell.split(['`', ' ', '(', ')']).any(|word| word == name);
    let row = table(FORMS, "form").find(|(cell, _)| is_of(cell));
    row.map(|(cell, meaning)| format!("{cell}: {meaning}"))
}

/// The names of the forms, those of conditions among them.
pub(super) fn forms() -> Vec<&'static str> {
    let spelled = table(FORMS, "form").flat_map(|(cell, _)| cell.split('`').skip(1).step_by(2));
    spelled.filter_map(|form| form.trim_start_matches('(').split([' ', ')']).next()).collect()
}

/// What is said of a property, given without its colon, as Markdown.
pub(super) fn property(key: &str) -> Option<String> {
    let is_of = |cell: &str| cell.split(['`', ' ']).any(|word| word.strip_prefix(':') == Some(key));
    let row = table(PROPERTIES, "property").find(|(cell, _)| is_of(cell));
    row.map(|(cell, meaning)| format!("{}: {}", cell.replace("\\|", "|"), meaning.replace("\\|", "|")))
}
