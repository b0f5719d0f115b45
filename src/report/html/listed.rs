//! The page of what `reach` found: paths of code, or what became of a goal.

use super::page::bare;
use super::tables::plural;
use super::values::with_hex;
use crate::decide::Confirmation;
use crate::record::reach::{ListedPath, Listing, PathStatus};
use maud::{Markup, html};

/// The whole file.
pub(super) fn page(l: &Listing, checker: &Markup) -> Markup {
    let title = format!("{}: goals and paths", l.function);
    bare(
        &title,
        html! {
            header {
                h1 { (l.function) }
                p { "Goals and paths of code: inputs that Magneto found, and proofs that there are none" }
            }
            main {
                section aria-labelledby="h-summary" { h2 #h-summary { "Summary" } (summary(l)) }
                section aria-labelledby="h-paths" { h2 #h-paths { "Paths" }
                    p.legend { @for (status, what) in [
                        (PathStatus::Feasible, "the input was run, and takes it"),
                        (PathStatus::Infeasible, "proved that no input takes it"),
                        (PathStatus::Open, "neither an input nor a proof"),
                    ] { span { (tag(status)) " " (what) } } }
                    (paths(l)) }
                section aria-labelledby="h-given" { h2 #h-given { "Assumptions" } (given(l)) }
                (checker)
            }
        },
    )
}

fn word(status: PathStatus) -> &'static str {
    match status {
        PathStatus::Feasible => "feasible",
        PathStatus::Infeasible => "infeasible",
        PathStatus::Open => "open",
    }
}

/// A status in the colour that those of a run's mutants have.
fn tag(status: PathStatus) -> Markup {
    let class = match status {
        PathStatus::Feasible => "s-killed",
        PathStatus::Infeasible => "s-equivalent",
        PathStatus::Open => "s-undecided",
    };
    html! { span.tag.(class) { (word(status)) } }
}

fn summary(l: &Listing) -> Markup {
    let differs = l.native.as_ref().is_some_and(crate::reach::replay::Replayed::differs);
    let refuted = l.paths.iter().any(ListedPath::is_refuted);
    let class = match () {
        () if differs || refuted => "bad",
        () if l.is_settled() => "good",
        () => "open",
    };
    html! {
        div.verdict.(class) {
            p {
                (plural(l.feasible, "path has an input", "paths have an input")) ", "
                (plural(l.infeasible, "is proved infeasible", "are proved infeasible")) ", "
                (plural(l.open, "is open", "are open")) "."
                @if !l.complete { " The list is incomplete: inputs may follow other paths." }
            }
            @if refuted { p { "A proof was looked at again, and does not hold: this is a defect of Magneto." } }
            @if differs { p { "The native program does something else." } }
        }
        dl {
            @if !l.question.is_empty() { dt { "asked" } dd { code { "magneto reach " (l.question) } } }
            @if !l.code.is_empty() { dt { "code" } dd { @for file in &l.code { code { (file) } " " } } }
            dt { "inputs" } dd { @if l.inputs.is_empty() { "none" } @for name in &l.inputs { code { (name) } " " } }
            @if let Some(native) = &l.native { dt { "native program" } dd.native { (native.text()) } }
        }
    }
}

fn paths(l: &Listing) -> Markup {
    let asked = l.paths.iter().any(|p| p.asked.is_some());
    html! { div.scroll tabindex="0" role="region" aria-label="Paths" { table {
        thead { tr {
            th scope="col" { "path" } th scope="col" { "lines" }
            @if asked { th scope="col" { "asked" } }
            th scope="col" { "status" }
            @for name in &l.inputs { th scope="col" { code { (name) } } }
            th scope="col" { "result" } th scope="col" { "how it is known" }
        } }
        tbody { @for p in &l.paths { tr {
            td { code { (if p.path.is_empty() { "–" } else { &p.path }) } }
            td { (p.lines.iter().filter(|n| **n > 0).map(u32::to_string).collect::<Vec<_>>().join(" ")) }
            @if asked { td { (p.asked.as_deref().unwrap_or("")) } }
            td { (tag(p.status)) }
            @for k in 0..l.inputs.len() { td {
                @if let (Some(decimal), Some(exact)) = (p.input_dec.get(k), p.input.get(k)) { (with_hex(decimal, exact)) }
            } }
            td { @if let Some(result) = &p.result { code { (result) } } }
            td { (how(p)) }
        } } }
    } } }
}

/// What a status rests on.
fn how(p: &ListedPath) -> Markup {
    html! {
        @match p.status {
            PathStatus::Feasible => { "run with this input" },
            PathStatus::Infeasible => {
                (p.boxes) " boxes together hold all inputs, and none has one that takes it"
                @if let Some(again) = &p.confirmation { "; " (again) @if matches!(again, Confirmation::Open(_)) { ", which were not enough" } }
            },
            PathStatus::Open => {
                (p.reason.as_deref().unwrap_or("")) @if p.boxes > 0 { "; " (p.boxes) " boxes were looked at" }
            },
        }
    }
}

/// What is taken for granted.
fn given(l: &Listing) -> Markup {
    html! {
        @if l.infeasible == 0 {
            p { "None: every path that is called feasible was run with its input." }
        } @else if l.given.is_empty() {
            p { "The proofs hold of every call." }
        } @else {
            p { "The proofs that no input takes a path hold where" }
            ul { @for one in &l.given { li { (one) } } }
        }
    }
}
