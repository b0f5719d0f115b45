//! The mutants without a test: why, what came nearest, what was tried, and the proofs.

use super::data::{Mutant, Run};
use super::source::{anchor, changed};
use super::tables::short;
use crate::options::{KNOBS, Shape};
use crate::report::number::rough;
use maud::{Markup, html};

/// The mutants that are not killed and not proved to be the specification itself.
pub(super) fn survivors(run: &Run) -> Markup {
    let list: Vec<usize> =
        ["undecided", "indistinguishable", "accepted"].iter().flat_map(|s| run.with_status(s)).collect();
    html! {
        @if list.is_empty() {
            p { "None. Every mutant has a test that kills it, or a proof that it is the specification itself." }
        }
        @for m in &list { (survivor(run, &run.mutants[*m])) }
    }
}

fn survivor(run: &Run, m: &Mutant) -> Markup {
    let why = match m.status.as_str() {
        "undecided" => "Neither a test nor a proof was found, so it counts against the score.",
        "indistinguishable" => {
            "It is another function, but at no input of the domain does it leave what this accuracy allows. No test can \
             kill it; a tighter accuracy could. It does not count against the score."
        }
        _ => "A person decided to leave it. It stays listed and does not count against the score.",
    };
    html! {
        article.survivor id={ "v-" (m.id) } {
            h3 { code { (m.id) } " " span.{ "tag s-" (m.status) } { (m.status) } " "
                span.faint { (m.operator) " at line " (m.line) ", column " (m.column) } }
            p { strong { "Why it survived: " } (why) }
            (changed(&run.manifest.specification.core, &m.fpcore))
            dl {
                @if let Some(proof) = &m.proof { dt { "proof" } dd { (proof) } }
                @if let Some(reason) = &m.reason { dt { "reason" } dd { (reason) } }
                @if let Some(accepted) = &m.accepted { dt { "accepted" } dd { (spoken(accepted)) } }
                @if let Some(miss) = &m.near_miss {
                    dt { "nearest miss" }
                    dd {
                        "at "
                        @for (k, input) in run.spec.inputs.iter().enumerate() {
                            @if k > 0 { ", " }
                            code { (input.name) " = " (miss.inputs.get(&input.name).map_or("", String::as_str)) }
                        }
                        ": the results differ by "
                        (miss.ratio.parse().map_or_else(|_| miss.ratio.clone(), rough))
                        " times the sum of the tolerances; a kill needs more than 1"
                    }
                }
                @if let Some(s) = &m.search {
                    dt { "tried" }
                    dd { @if s.boxes + s.points == 0 { "no search of its own: what is said above settled it" } @else {
                        (s.boxes) " boxes (" (s.pruned) " ruled out), " (s.points) " points examined exactly, "
                        (s.rounds) " rounds" } }
                }
                dt { "explained by" } dd { code.command { (explain(run, &m.id)) } }
                dt { "place" } dd { a href={ "#" (anchor(m.line, m.column)) } { "all mutants at this place" } }
            }
        }
    }
}

/// Names with values, or a text.
fn spoken(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Object(fields) => {
            fields.iter().map(|(k, v)| format!("{k}: {}", spoken(v))).collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

/// The proofs of the equivalent mutants, folded.
pub(super) fn proofs(run: &Run) -> Markup {
    let list: Vec<usize> = run.with_status("equivalent").collect();
    html! {
        @if list.is_empty() { p { "No mutant is equivalent." } }
        @for m in list {
            @let m = &run.mutants[m];
            details.proof id={ "v-" (m.id) } {
                summary { code { (m.id) } " " code { (short(&m.before)) } " → " code { (short(&m.after)) }
                    " " span.faint { (m.line) ":" (m.column) } }
                p { (m.proof.as_deref().unwrap_or("no proof is recorded")) }
            }
        }
    }
}

/// The command that explains a mutant.
pub(super) fn explain(run: &Run, id: &str) -> String {
    format!("magneto explain {} {id}{}", file(run), options(run, "explain"))
}

/// The command that repeats the run.
pub(super) fn rerun(run: &Run) -> String {
    format!("magneto gen {}{}", file(run), options(run, "gen"))
}

/// The file, with the name of the core in it, as one argument of a shell.
fn file(run: &Run) -> String {
    let about = &run.manifest.specification;
    let named = run.spec.core.ident.is_some() || run.spec.core.property("name").is_some();
    quoted(&if named { format!("{}:{}", about.file, about.name) } else { about.file.clone() })
}

/// The options that were not the defaults.
fn options(run: &Run, command: &str) -> String {
    let mut out = String::new();
    for option in run.manifest.options.iter().filter(|o| o.origin != "default") {
        let (Some(value), Some(knob)) = (&option.value, KNOBS.iter().find(|k| k.name == option.name)) else { continue };
        if !knob.scope.covers(command) {
            continue;
        }
        let values: Vec<&str> = match knob.shape {
            // Joined by spaces, which stand after commas in a range as well.
            Shape::List if knob.name == "domain" => domains(value),
            Shape::List | Shape::Value | Shape::Switch => vec![value.as_str()],
        };
        for value in values {
            out += &format!(" --{}={}", option.name, quoted(value));
        }
    }
    out
}

/// `x=[0, 1] y=(2, 3)` as its parts.
fn domains(text: &str) -> Vec<&str> {
    let ends = text.match_indices([']', ')']).map(|(at, _)| at + 1);
    let mut from = 0;
    let mut parts = Vec::new();
    for end in ends {
        parts.push(text[from..end].trim());
        from = end;
    }
    parts
}

/// As one word of a shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-:/=+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell() {
        assert_eq!(quoted("rosa.fpcore:jetEngine"), "rosa.fpcore:jetEngine");
        assert_eq!(quoted("a b's.fpcore"), "'a b'\\''s.fpcore'");
        assert_eq!(quoted(""), "''");
        assert_eq!(domains("x=[0, 1] y=(-1, 2]"), ["x=[0, 1]", "y=(-1, 2]"]);
    }
}
