//! The source of code under test with its branches: which input takes each, which are proved infeasible, and what an
//! oracle says of the inputs.

use super::page::bare;
use maud::{Markup, html};

/// What became of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Taken by some input.
    Taken,
    /// Proved that none takes it.
    Infeasible,
    /// Proved that none takes it, under assumptions.
    Given,
    /// Neither.
    Open,
}

impl Status {
    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Status::Taken => "taken",
            Status::Infeasible => "infeasible",
            Status::Given => "infeasible, given",
            Status::Open => "open",
        }
    }

    /// The class that colours it: those of a run's mutants.
    fn class(self) -> &'static str {
        match self {
            Status::Taken => "s-killed",
            Status::Infeasible => "s-equivalent",
            Status::Given => "s-probable",
            Status::Open => "s-undecided",
        }
    }
}

/// A branch.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Its line.
    pub line: u32,
    /// Its column, and which one at the place: `9`, `9 #2`.
    pub place: String,
    /// Where it goes on: `line 18`.
    pub to: String,
    /// What became of it.
    pub status: Status,
    /// What a proof of it takes for granted.
    pub given: Vec<String>,
    /// What else is known of that, after a comma.
    pub note: String,
    /// The input that takes it, by index.
    pub by: Option<usize>,
    /// The input with the largest error among those that take it, by index.
    pub worst: Option<usize>,
}

/// A file.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Lines to show, with the number of the first.
    pub lines: (u32, Vec<String>),
    /// Its branches.
    pub branches: Vec<Branch>,
}

/// A run of the code.
#[derive(Clone, Debug)]
pub struct Run {
    /// For each input the number in hexadecimal and in decimal.
    pub input: Vec<(String, String)>,
    /// The result, or why there is none.
    pub result: String,
    /// What the oracle says: `OK`, `KO`, `UNCERTAIN` or `outside`.
    pub verdict: Option<String>,
    /// The error in units of the bound, to three digits; empty where there is none.
    pub error: String,
    /// The places of the branches that it was the first to take.
    pub takes: Vec<String>,
    /// The places of the branches on which its error is the largest.
    pub worst_of: Vec<String>,
}

impl Run {
    fn is_wrong(&self) -> bool {
        self.verdict.as_deref() == Some("KO")
    }
}

/// All that the page shows.
#[derive(Clone, Debug)]
pub struct Page {
    /// The function.
    pub function: String,
    /// The specification, if there is one.
    pub specification: Option<String>,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Runs of the code.
    pub evaluations: u64,
    /// How many proofs were confirmed, where they were looked at again.
    pub confirmed: Option<usize>,
    /// The files with its branches.
    pub files: Vec<File>,
    /// The inputs that took something new.
    pub runs: Vec<Run>,
    /// What a native program came to, if there is one.
    pub native: Option<String>,
}

/// The page.
#[must_use]
pub fn page(of: &Page) -> String {
    let title = format!("{}: branches", of.function);
    let inside = html! {
        a.skip href="#summary" { "To the summary" }
        header {
            h1 { (of.function) }
            p { "Branches of code: inputs that take them, proofs that others cannot be taken"
                @if let Some(name) = &of.specification { ", and the results judged by the specification " code { (name) } }
                "." }
            nav aria-label="Sections" { a href="#summary" { "Summary" } " " a href="#source" { "Source" } " " a href="#inputs" { "Inputs" } }
        }
        main {
            section #summary aria-labelledby="h-summary" { h2 #h-summary { "Summary" } (summary(of)) }
            section #source aria-labelledby="h-source" { h2 #h-source { "Source" }
                p.legend { @for (status, what) in [
                    (Status::Taken, "taken, by the input named"),
                    (Status::Infeasible, "proved that no input takes it"),
                    (Status::Given, "proved that no input takes it, under the assumptions that are named there"),
                    (Status::Open, "neither taken nor proved"),
                ] { span { span.tag.(status.class()) { (status.word()) } " " (what) } } }
                @for file in &of.files { (source(file, of)) }
            }
            section #inputs aria-labelledby="h-inputs" { h2 #h-inputs { "Inputs" } (inputs(of)) }
        }
    };
    super::shown(bare(&title, inside))
}

fn summary(of: &Page) -> Markup {
    let branches = || of.files.iter().flat_map(|f| &f.branches);
    let count = |status| branches().filter(|b| b.status == status).count();
    let (taken, infeasible, given) = (count(Status::Taken), count(Status::Infeasible), count(Status::Given));
    let open = count(Status::Open) + given;
    let wrong: Vec<usize> = (0..of.runs.len()).filter(|r| of.runs[*r].is_wrong()).collect();
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
                @if let Some(n) = of.confirmed { " A second evaluation confirms " (n) " of them." } } }
            @if given > 0 {
                div { strong.big { (given) } b { "infeasible under assumptions" } p { "Proved of calls for which the assumptions beside the branch hold." } }
            }
            div { strong.big { (open - given) } b { "open" } p { "Nothing is said of these." } }
            @if of.specification.is_some() {
                div { strong.big { (said("KO")) } b { "wrong results" }
                    p { (said("OK")) " right, " (said("UNCERTAIN")) " uncertain, " (said("outside")) " outside the domain, of which nothing is owed." } }
            }
        }
        @if let Some(native) = &of.native { p.native { "Native program: " (native) } }
        @if !wrong.is_empty() {
            h3 { "Wrong results" }
            div.scroll tabindex="0" role="region" aria-label="Wrong results" { (table(of, &wrong, false)) }
        }
    }
}

fn source(file: &File, of: &Page) -> Markup {
    let (first, lines) = &file.lines;
    let mut rows: Vec<(u32, &str)> = (*first..).zip(lines.iter().map(String::as_str)).collect();
    // Branches of lines that are not at hand.
    for b in &file.branches {
        if !rows.iter().any(|(n, _)| *n == b.line) {
            rows.push((b.line, ""));
        }
    }
    rows.sort_by_key(|r| r.0);
    html! {
        h3 { code { (file.name) } }
        div.scroll tabindex="0" role="region" aria-label={ "Source of " (file.name) } { table { tbody {
            @for (n, text) in rows { tr id={ "l-" (n) } {
                td.n.faint { (n) }
                td { code { (text) } }
                td { @for b in file.branches.iter().filter(|b| b.line == n) { (branch(b, of)) " " } }
            } }
        } } }
    }
}

fn branch(b: &Branch, of: &Page) -> Markup {
    let given = if b.given.is_empty() { String::new() } else { format!(" that {}", b.given.join(", and ")) };
    let said = format!("column {}: {} ({}{given}{})", b.place, b.to, b.status.word(), b.note);
    let inside = html! { span.tag.(b.status.class()) title=(said) { "→ " (b.to) @if b.status != Status::Taken { ", " (b.status.word()) } } };
    html! {
        @if let Some(r) = b.by {
            a href={ "#r-" (r + 1) } { (inside) }
            @let wrong = [b.worst, Some(r)].into_iter().flatten().find(|r| of.runs.get(*r).is_some_and(Run::is_wrong));
            @if let Some(r) = wrong { " " a href={ "#r-" (r + 1) } { strong.v-ko { "KO" } } }
        } @else { (inside) }
    }
}

fn inputs(of: &Page) -> Markup {
    let all: Vec<usize> = (0..of.runs.len()).collect();
    html! {
        @if of.specification.is_some() {
            p.note { "Errors are in units of the specification's bound. Inputs outside of the specification's domain count for branches; their results are not judged." }
        }
        div.scroll.tall tabindex="0" role="region" aria-label="Inputs" { (table(of, &all, true)) }
    }
}

/// Some of the runs; `named` where links lead to them.
fn table(of: &Page, runs: &[usize], named: bool) -> Markup {
    let judged = of.specification.is_some();
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
            @for (hex, decimal) in &run.input { td { code { (decimal) } @if hex != decimal { br; span.hex.faint { (hex) } } } }
            td { code { (run.result) } }
            @if judged { td { (verdict(run.verdict.as_deref())) } td.n { (run.error) } }
            td { (run.takes.join(", ")) }
            @if judged { td { (run.worst_of.join(", ")) } }
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
