//! The source of code under test with its branches: which input takes each, which are proved infeasible, and what an
//! oracle says of the inputs.

use super::page::bare;
use crate::record::cover::{Branch, BranchStatus, CoveredFunction, CoveredInput};
use crate::report::number::rough;
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::path::Path;

/// Lines that are shown before the first and after the last branch of a file.
const AROUND: u32 = 4;

/// The class that colours a branch: those of a run's mutants.
fn class(status: BranchStatus) -> &'static str {
    match status {
        BranchStatus::Taken => "s-killed",
        BranchStatus::Infeasible => "s-equivalent",
        BranchStatus::Given => "s-probable",
        BranchStatus::Open => "s-undecided",
    }
}

fn is_wrong(run: &CoveredInput) -> bool {
    run.verdict.as_deref() == Some("KO")
}

/// The branches of each file.
fn files(of: &CoveredFunction) -> BTreeMap<&str, Vec<&Branch>> {
    let mut files: BTreeMap<&str, Vec<&Branch>> = BTreeMap::new();
    of.branches.iter().for_each(|b| files.entry(&b.file).or_default().push(b));
    files
}

/// The lines around branches, each with its number; none where the file cannot be read.
fn lines(name: &str, branches: &[&Branch]) -> Vec<(u32, String)> {
    let text = std::fs::read(Path::new(name)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let from = branches.iter().map(|b| b.line).min().unwrap_or(1).saturating_sub(AROUND).max(1);
    let upto = branches.iter().map(|b| b.line).max().unwrap_or(1) + AROUND;
    (1..)
        .zip(text.lines())
        .skip(from as usize - 1)
        .take((upto - from + 1) as usize)
        .map(|(n, l)| (n, l.to_owned()))
        .collect()
}

/// Branches as a list of inputs names them.
fn places(of: &CoveredFunction, branches: &[usize]) -> String {
    let at = |i: &usize| {
        of.branches.get(*i).map(|b| match (&b.asked, b.offset) {
            (None, None) => format!("{}:{} → {}", b.line, b.column, b.to),
            _ => format!("{}:{} {}", b.line, b.column(), b.leads()),
        })
    };
    branches.iter().filter_map(at).collect::<Vec<_>>().join(", ")
}

/// The page of a function. Sources are read where they were compiled.
#[must_use]
pub fn page(of: &CoveredFunction) -> String {
    checked_page(of, &html! {})
}

/// The same with what the independent checker said.
pub(super) fn checked_page(of: &CoveredFunction, checker: &Markup) -> String {
    let title = format!("{}: branches", of.function);
    let inside = html! {
        a.skip href="#summary" { "To the summary" }
        header {
            h1 { (of.function) }
            p { "Branches of code: inputs that take them, proofs that others cannot be taken"
                @if let Some(j) = &of.judging { ", and the results judged by the specification " code { (j.specification) } }
                "." }
            nav aria-label="Sections" { a href="#summary" { "Summary" } " " a href="#source" { "Source" } " " a href="#inputs" { "Inputs" } }
        }
        main {
            section #summary aria-labelledby="h-summary" { h2 #h-summary { "Summary" } (summary(of)) }
            section #source aria-labelledby="h-source" { h2 #h-source { "Source" }
                p.legend { @for (status, what) in [
                    (BranchStatus::Taken, "taken, by the input named"),
                    (BranchStatus::Infeasible, "proved that no input takes it"),
                    (BranchStatus::Given, "proved that no input takes it, under the assumptions that are named there"),
                    (BranchStatus::Open, "neither taken nor proved"),
                ] { span { span.tag.(class(status)) { (status.word()) } " " (what) } } }
                @for (name, branches) in files(of) { (source(name, &branches, of)) }
            }
            section #inputs aria-labelledby="h-inputs" { h2 #h-inputs { "Inputs" } (inputs(of)) }
            (checker)
        }
    };
    super::shown(bare(&title, inside))
}

fn summary(of: &CoveredFunction) -> Markup {
    let (taken, infeasible, given) = (of.taken, of.infeasible, of.infeasible_given);
    let open = of.open + given;
    let wrong: Vec<usize> = (0..of.runs.len()).filter(|r| is_wrong(&of.runs[*r])).collect();
    let said = |v: &str| of.runs.iter().filter(|r| r.verdict.as_deref() == Some(v)).count();
    let class = if !wrong.is_empty() {
        "bad"
    } else if open == 0 {
        "good"
    } else {
        "open"
    };
    html! {
        div.verdict.(class) {
            p { @if open == 0 { "Complete: every branch is taken or proved infeasible." }
                @else { (open) " of " (taken + infeasible + open) " branches are neither taken nor proved infeasible of every call." }
                @if !wrong.is_empty() { " The results of " (wrong.len()) " inputs are wrong." } }
        }
        div.scores {
            div { strong.big { (taken) } b { "branches taken" } p { "by " (of.runs.len()) " inputs, in " (of.evaluations) " runs of the code." } }
            div { strong.big { (infeasible) } b { "proved infeasible" } p { "Boxes that together hold all inputs, or the statements before the branch, show that none takes it."
                @if let Some(n) = of.confirmed() { " A second evaluation confirms " (n) " of them." } } }
            @if given > 0 {
                div { strong.big { (given) } b { "infeasible under assumptions" } p { "Proved of calls for which the assumptions beside the branch hold." } }
            }
            div { strong.big { (open - given) } b { "open" } p { "Nothing is said of these." } }
            @if of.judging.is_some() {
                div { strong.big { (said("KO")) } b { "wrong results" }
                    p { (said("OK")) " right, " (said("UNCERTAIN")) " uncertain, " (said("outside")) " outside the domain, of which nothing is owed." } }
            }
        }
        @if let Some(native) = &of.native { p.native { "Native program: " (native.text()) } }
        @if !wrong.is_empty() {
            h3 { "Wrong results" }
            div.scroll tabindex="0" role="region" aria-label="Wrong results" { (table(of, &wrong, false)) }
        }
    }
}

fn source(name: &str, branches: &[&Branch], of: &CoveredFunction) -> Markup {
    let mut rows = lines(name, branches);
    // Branches of lines that are not at hand.
    for b in branches {
        if !rows.iter().any(|(n, _)| *n == b.line) {
            rows.push((b.line, String::new()));
        }
    }
    rows.sort_by_key(|r| r.0);
    html! {
        h3 { code { (name) } }
        div.scroll tabindex="0" role="region" aria-label={ "Source of " (name) } { table { tbody {
            @for (n, text) in rows { tr id={ "l-" (n) } {
                td.n.faint { (n) }
                td { code { (text) } }
                td { @for b in branches.iter().filter(|b| b.line == n) { (branch(b, of)) " " } }
            } }
        } } }
    }
}

fn branch(b: &Branch, of: &CoveredFunction) -> Markup {
    let given = if b.given.is_empty() { String::new() } else { format!(" that {}", b.given.join(", and ")) };
    let again = b.recheck.as_ref().map_or(String::new(), |r| format!(", {r} boxes"));
    let (column, to) = (b.column(), b.leads());
    let said = format!("column {column}: {to} ({}{given}{again})", b.status.word());
    let inside = html! { span.tag.(class(b.status)) title=(said) { "→ " (to) @if b.status != BranchStatus::Taken { ", " (b.status.word()) } } };
    html! {
        @if let Some(r) = b.by {
            a href={ "#r-" (r + 1) } { (inside) }
            @let wrong = [b.worst, Some(r)].into_iter().flatten().find(|r| of.runs.get(*r).is_some_and(is_wrong));
            @if let Some(r) = wrong { " " a href={ "#r-" (r + 1) } { strong.v-ko { "KO" } } }
        } @else { (inside) }
    }
}

fn inputs(of: &CoveredFunction) -> Markup {
    let all: Vec<usize> = (0..of.runs.len()).collect();
    html! {
        @if of.judging.is_some() {
            p.note { "Errors are in units of the specification's bound. Inputs outside of the specification's domain count for branches; their results are not judged." }
        }
        div.scroll.tall tabindex="0" role="region" aria-label="Inputs" { (table(of, &all, true)) }
    }
}

/// Some of the runs; `named` where links lead to them.
fn table(of: &CoveredFunction, runs: &[usize], named: bool) -> Markup {
    let judged = of.judging.is_some();
    html! { table {
        thead { tr {
            th scope="col" { "" }
            @for name in &of.inputs { th scope="col" { code { (name) } } }
            th scope="col" { "result" }
            @if judged { th scope="col" { "verdict" } th scope="col" { "error" } }
            th scope="col" { "first to take" }
            @if judged { th scope="col" { "largest error on" } }
        } }
        tbody { @for r in runs { @let run = &of.runs[*r]; tr id=[named.then(|| format!("r-{}", r + 1))] {
            td.n.faint { (r + 1) }
            @for (hex, decimal) in run.input.iter().zip(&run.input_dec) { td { code { (decimal) } @if hex != decimal { br; span.hex.faint { (hex) } } } }
            td { code { (run.result_dec) } }
            @if judged { td { (verdict(run.verdict.as_deref())) } td.n { (run.error_in_bounds.as_ref().and_then(|e| e.parse().ok()).map_or(String::new(), rough)) } }
            td { (places(of, &run.branches)) }
            @if judged { td { (places(of, &run.worst_of)) } }
        } } }
    } }
}

fn verdict(word: Option<&str>) -> Markup {
    match word {
        Some("OK") => html! { span.v-ok { "OK" } },
        Some("KO") => html! { strong.v-ko { "KO" } },
        Some("outside") => html! { span.faint { "outside the domain" } },
        other => html! { (other.unwrap_or("")) },
    }
}
