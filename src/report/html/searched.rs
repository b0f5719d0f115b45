//! The page of a search for the worst input of an implementation.

use super::errors::Errors;
use super::page::bare;
use super::tables::plural;
use super::values;
use super::values::{both, exact, inputs, number};
use crate::record::VerdictWord;
use crate::record::worst::{Against, Worst, WorstPart};
use maud::{Markup, html};

/// The whole file.
pub(super) fn page(w: &Worst) -> Markup {
    let title = format!("{}: worst inputs found by Magneto", w.specification);
    bare(
        &title,
        html! {
            header {
                h1 { (w.specification) @if let Some(r) = &w.requirement { " " span.req { (r) } } }
                p { "Search by Magneto for the input at which an implementation errs most" }
            }
            main {
                section aria-labelledby="h-summary" { h2 #h-summary { "Summary" } (summary(w)) }
                @if w.broken.is_none() {
                    section aria-labelledby="h-picture" { h2 #h-picture { "Errors over the domain" }
                        (Errors::of_worst(w).charts("The largest errors found, by place, in tolerances.")) }
                }
                @if !w.findings.is_empty() {
                    section aria-labelledby="h-findings" { h2 #h-findings { "No finite result" } (findings(w)) }
                }
                @if !w.regions.is_empty() {
                    section aria-labelledby="h-regions" { h2 #h-regions { "Where results are wrong" } (regions(w)) }
                }
                @if let Some(against) = &w.against {
                    section aria-labelledby="h-against" { h2 #h-against { "Beside another implementation" } (compared(against)) }
                }
                @if !w.parts.is_empty() {
                    section aria-labelledby="h-parts" { h2 #h-parts { "The worst of each part of the domain" } (parts(w)) }
                }
            }
        },
    )
}

fn summary(w: &Worst) -> Markup {
    let has = |verdict| w.parts.iter().any(|p| p.verdict == verdict);
    let counted = |of: fn(&crate::record::worst::Exhaustive) -> u64| w.exhaustive.as_ref().map_or(0, of);
    let wrong = has(VerdictWord::Ko) || !w.findings.is_empty() || counted(|e| e.ko) > 0;
    let open = has(VerdictWord::Uncertain) || counted(|e| e.uncertain) > 0 || w.interrupted;
    let complete = w.exhaustive.as_ref().is_some_and(|e| e.complete);
    if let Some(why) = &w.broken {
        return html! {
            p.verdict.bad { "The implementation could not be run: " (why) ". Nothing is said of its errors." }
            p { "Accuracy: " strong { (w.accuracy) } "." }
            (values::implementation(&w.implementation))
        };
    }
    let said = match (wrong, open, complete) {
        _ if w.evaluations == 0 && w.exhaustive.is_none() => "Nothing was run.",
        (true, ..) => "Something is wrong.",
        (false, true, _) if w.interrupted => "Nothing outside the bound was found until the end.",
        (false, true, _) => "Something is not settled at the precision cap.",
        (false, false, true) => "Right at every input of the domain, for this build.",
        (false, false, false) => "Nothing outside the bound was found. This is a search, not a proof.",
    };
    html! {
        p.verdict.{ (if wrong { "bad" } else if open { "open" } else { "good" }) } { (said)
            @if w.interrupted { " It was interrupted before its end." } }
        p { "Accuracy: " strong { (w.accuracy) } "." }
        @if let Some(worst) = w.parts.first() {
            p { "The largest error found is " strong { (number(&worst.tolerances)) " times the bound" } ", "
                (number(&worst.ulps)) " ulps, at " (both(&worst.input, &worst.input_dec)) "." }
        }
        div.scroll tabindex="0" role="region" aria-label="What was run" { table { tbody {
            tr { th scope="row" { "evaluations" } td { (w.evaluations) } }
            @if let Some(e) = &w.exhaustive {
                @for (name, n) in [("inputs", e.inputs), ("looked at", e.seen), ("in the domain", e.owed), ("right", e.ok), ("wrong", e.ko), ("not settled", e.uncertain)] {
                    tr { th scope="row" { (name) } td { (n) } }
                }
                tr { th scope="row" { "no error above, in ulps" } td { (e.at_most_ulps) } }
            }
            @for (name, value) in &w.implementation.0 { tr { th scope="row" { (name) } td { code { (value) } } } }
        } } }
    }
}

fn findings(w: &Worst) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label="No finite result" { table {
        thead { tr { @for name in ["test", "what", "first at", "how often", "owed"] { th scope="col" { (name) } } } }
        tbody { @for f in &w.findings { tr {
            td { (f.id) } td { (f.what) } td { (inputs(&f.input)) } td { (f.times) } td { (owed(f.owed.as_ref())) }
        } } }
    } } }
}

fn regions(w: &Worst) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label="Where results are wrong" { table {
        thead { tr { @for name in ["along", "from", "to", "beside", "wrong there"] { th scope="col" { (name) } } } }
        tbody { @for r in &w.regions { tr {
            td { (r.along) } td { (exact(&r.from)) } td { (exact(&r.to)) } td { (inputs(&r.at)) }
            td { (r.wrong) " of " (plural(usize::try_from(r.tried).unwrap_or(usize::MAX), "input", "inputs")) }
        } } }
    } } }
}

fn parts(w: &Worst) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label="The worst of each part" { table {
        thead { tr { @for name in ["test", "input", "returned", "owed", "times the bound", "ulps", "verdict", "part"] { th scope="col" { (name) } } } }
        tbody { @for p in &w.parts { tr {
            td { (p.id) } td { (both(&p.input, &p.input_dec)) } td { (exact(&p.result)) } td { (owed(p.owed.as_ref())) }
            td { (number(&p.tolerances)) } td { (number(&p.ulps)) } td { (p.verdict.name()) } td { (ends(p)) }
        } } }
    } } }
}

fn compared(against: &Against) -> Markup {
    html! {
        p { "Inputs at which either errs most, with the errors of this one and of the other." }
        (values::implementation(&against.implementation))
        div.scroll tabindex="0" role="region" aria-label="Two implementations" { table {
            thead { tr { @for name in ["input", "returned", "ulps", "verdict", "the other", "ulps", "verdict"] { th scope="col" { (name) } } } }
            tbody { @for row in &against.inputs { tr {
                td { (inputs(&row.input)) }
                @for k in 0..2 {
                    td { (exact(&row.results[k])) } td { (row.ulps[k].as_deref().map_or(String::new(), number)) } td { (row.verdicts[k].name()) }
                }
            } } }
        } }
    }
}

fn owed(ends: Option<&[String; 2]>) -> Markup {
    html! { @if let Some([lo, hi]) = ends { (exact(lo)) " to " (exact(hi)) } @else { "not settled" } }
}

fn ends(part: &WorstPart) -> Markup {
    html! { @for ((name, from), (_, to)) in part.from.0.iter().zip(&part.to.0) {
        (name) " from " (exact(from)) " to " (exact(to)) " "
    } }
}
