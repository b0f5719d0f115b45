//! The page of a check: what an implementation returned at tests.

use super::checked::causes;
use super::errors::Errors;
use super::overview::ClaimStanding;
use super::page::bare;
use super::tables::plural;
use super::values::{self, both, number, with_hex};
use crate::record::VerdictWord;
use crate::record::check::{Check, TestResult, VerdictCounts};
use maud::{Markup, html};

/// The whole file.
pub(super) fn page(c: &Check) -> Markup {
    let title = format!("{}: check of {}", c.specification, c.label());
    let of = |verdict: VerdictWord| -> Vec<&TestResult> {
        let mut some: Vec<&TestResult> = c.tests.iter().filter(|t| t.verdict == verdict && counts(c, t)).collect();
        some.sort_by(|a, b| off(b).total_cmp(&off(a)));
        some
    };
    let waived: Vec<&TestResult> = c.tests.iter().filter(|t| !counts(c, t) && t.verdict != VerdictWord::Ok).collect();
    bare(
        &title,
        html! {
            header {
                h1 { (c.specification) @if let Some(r) = &c.requirement { " " span.req { (r) } } }
                p { "Check of " strong { (c.label()) } " by Magneto: are its results right at the tests?" }
            }
            main {
                section aria-labelledby="h-summary" { h2 #h-summary { "Summary" } (summary(c)) (causes(c, |_| false)) }
                section aria-labelledby="h-errors" { h2 #h-errors { "Errors" }
                    (Errors::of_check(c).charts("What was returned at the tests of the domain, by its error in tolerances.")) }
                @for (verdict, title, about) in LEFT {
                    @let some = of(verdict);
                    @if !some.is_empty() { section aria-label=(title) { h2 { (title) } p { (about) } (table(title, &some)) } }
                }
                @if !waived.is_empty() { section aria-labelledby="h-waived" { h2 #h-waived { "Not counted" }
                    p { "Inputs outside the domain at which the response is not what is owed by default. They fail nothing, since the \
                        specification does not write what is owed there." }
                    (table("Not counted", &waived)) } }
                @let right = of(VerdictWord::Ok);
                @if !right.is_empty() { section aria-labelledby="h-right" { h2 #h-right { "Right" }
                    details { summary { (plural(right.len(), "test", "tests")) } (table("Right", &right)) } } }
                @if !c.notes.is_empty() || !c.stderr.is_empty() { section aria-labelledby="h-notes" { h2 #h-notes { "Notes" }
                    ul { @for note in &c.notes { li { (note) } } }
                    @if !c.stderr.is_empty() { pre tabindex="0" { code { (c.stderr.join("\n")) } } } } }
            }
        },
    )
}

/// What needs attention, most urgent first.
const LEFT: [(VerdictWord, &str, &str); 3] = [
    (VerdictWord::Ko, "Wrong", "The result is outside of what is owed. The worst stand first."),
    (VerdictWord::Uncertain, "Not settled", "At the precision cap it is not known whether the result is right."),
    (VerdictWord::None, "Without a verdict", "Nothing is known of these: no result came that could be judged."),
];

/// Whether a test fails the check if it is wrong.
fn counts(c: &Check, t: &TestResult) -> bool {
    !t.robustness || c.robustness_counts
}

/// How far a result is off; what is no number is worse than any.
fn off(t: &TestResult) -> f64 {
    t.error_in_bounds.as_ref().and_then(|e| e.parse().ok()).unwrap_or(f64::INFINITY)
}

/// How the check stands.
pub(super) fn standing(c: &Check) -> ClaimStanding {
    let ko = c.counts.ko + if c.robustness_counts { c.robustness.ko } else { 0 };
    let open = |n: VerdictCounts| n.uncertain + n.none > 0;
    match () {
        () if ko > 0 => ClaimStanding::Wrong,
        () if c.broken.is_some() => ClaimStanding::NotRun,
        () if c.interrupted || open(c.counts) || c.robustness_counts && open(c.robustness) => ClaimStanding::Open,
        () if c.counts.tests + c.robustness.tests == 0 => ClaimStanding::NotRun,
        () => ClaimStanding::Settled,
    }
}

/// The counts in a few words.
pub(super) fn tally(c: &Check) -> String {
    let (inside, outside) = (c.counts, c.robustness);
    match &c.broken {
        Some(_) if inside.tests + outside.tests == 0 => "not run".to_owned(),
        _ if outside.tests == 0 => format!("{} of {} OK", inside.ok, inside.tests),
        _ => format!("{} of {} OK, outside {} of {}", inside.ok, inside.tests, outside.ok, outside.tests),
    }
}

fn summary(c: &Check) -> Markup {
    let standing = standing(c);
    let said = match standing {
        ClaimStanding::Wrong => "Something is wrong.",
        ClaimStanding::NotRun => "The check could not be completed.",
        ClaimStanding::Open => "Something is not settled.",
        ClaimStanding::Settled => "Right at every test that counts. Nothing is said of other inputs.",
    };
    html! {
        div.verdict.(standing.class()) {
            p { (said) @if c.interrupted { " It was interrupted before its end." } }
            @if let Some(b) = &c.broken { p { (b.reason) @if let Some(test) = &b.test { " (at " (test) ")" } "." } }
        }
        p { "Accuracy: " strong { (c.accuracy) @if c.accuracy_is_default { " (the default: none is stated)" } } "." }
        div.scroll tabindex="0" role="region" aria-label="Verdicts" { table {
            thead { tr { @for name in ["tests", "all", "OK", "KO", "not settled", "without a verdict"] { th scope="col" { (name) } } } }
            tbody { @for (name, n) in [("in the domain", c.counts), ("outside of it", c.robustness)] { @if n.tests > 0 { tr {
                th scope="row" { (name) } td.n { (n.tests) } td.n { (n.ok) } td.n { (n.ko) } td.n { (n.uncertain) } td.n { (n.none) }
            } } } }
        } }
        @if let Some(more) = c.unlisted {
            p.note { (plural(more.counts.tests + more.robustness.tests, "test is", "tests are")) " counted and not listed: the check was interrupted." }
        }
        @if c.robustness.tests > 0 && !c.robustness_counts {
            p.note { "Tests outside the domain fail nothing, since the specification does not write what is owed there." }
        }
        h3 { "What was run" }
        (values::implementation(&c.implementation))
        dl { dt { "specification" } dd { code { (c.file) } " " span.hex.faint { "SHA-256 " (c.sha256) } } }
    }
}

fn table(title: &str, some: &[&TestResult]) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(title) { table {
        thead { tr { @for name in ["test", "input", "returned", "owed", "times the bound", "ulps", "verdict", "why"] { th scope="col" { (name) } } } }
        tbody { @for t in some { tr {
            td { (t.id) } td { (both(&t.inputs, &t.inputs_dec)) }
            td { @match (&t.result_dec, &t.result) {
                (Some(decimal), Some(exact)) => (with_hex(decimal, exact)),
                _ => (t.answer),
            } }
            td { (owed(t)) }
            td.n { (t.error_in_bounds.as_deref().map_or(String::new(), number)) }
            td.n { (t.error_in_ulps.as_deref().map_or(String::new(), number)) }
            td { (verdict(t.verdict)) } td { (t.reason) }
        } } }
    } } }
}

fn owed(t: &TestResult) -> Markup {
    html! { @match (&t.lo, &t.hi, &t.expected) {
        (Some(lo), Some(hi), _) => { (values::exact(lo)) " to " (values::exact(hi)) },
        (_, _, Some(response)) => code { (response) },
        _ => "not settled",
    } }
}

fn verdict(word: VerdictWord) -> Markup {
    match word {
        VerdictWord::Ok => html! { span.v-ok { "OK" } },
        VerdictWord::Ko => html! { strong.v-ko { "KO" } },
        other => html! { (other.name()) },
    }
}
