//! A checked implementation: what it is, how many tests it passed, and which wrong versions of the specification its
//! results fit.

use super::data::Run;
use crate::record::VerdictWord;
use crate::record::check::Check;
use maud::{Markup, html};

/// The verdicts of `check`, as they stand in files and in words.
const VERDICTS: [(VerdictWord, &str); 4] = [
    (VerdictWord::Ok, "OK"),
    (VerdictWord::Ko, "KO"),
    (VerdictWord::Uncertain, "uncertain"),
    (VerdictWord::None, "without a verdict"),
];

/// What was checked, in a word or two: the function, and the file that it came from.
fn name(check: &Check) -> String {
    let of = |key: &&str| check.implementation.get(key).filter(|v| !v.is_empty());
    let parts = ["name", "function", "symbol", "source", "library", "command", "results"].iter().filter_map(of);
    let parts: Vec<&str> = parts.map(String::as_str).collect();
    if parts.is_empty() { "an implementation".to_owned() } else { parts.join(" of ") }
}

/// How often an implementation got each verdict at the tests of a run, and at how many of them it did not run.
fn counts(run: &Run, tests: &[usize]) -> ([usize; 4], usize) {
    let observed: Vec<VerdictWord> =
        tests.iter().filter_map(|t| run.observed(&run.tests[*t])).map(|o| o.verdict).collect();
    (VERDICTS.map(|(v, _)| observed.iter().filter(|o| **o == v).count()), tests.len() - observed.len())
}

/// `3 OK, 7 KO` at some tests of the run.
pub(super) fn tally(run: &Run, tests: &[usize]) -> String {
    let (counts, missing) = counts(run, tests);
    let said = VERDICTS.iter().zip(counts).filter(|(_, n)| *n > 0).map(|((_, word), n)| format!("{n} {word}"));
    let missing = (missing > 0).then(|| format!("{missing} not run"));
    said.chain(missing).collect::<Vec<_>>().join(", ")
}

/// The verdict on the implementation, with the likely causes of its failures; nothing if none was checked.
pub(super) fn summary(run: &Run) -> Markup {
    let Some(check) = &run.check else {
        return html! { @if run.misfit {
            p.verdict.open { "A checked implementation is left out: it was checked against another version of the \
                specification. Run " code { "magneto check" } " again." }
        } };
    };
    let outside = |t: &usize| run.tests[*t].lo.is_none();
    let (beyond, within): (Vec<usize>, Vec<usize>) = (0..run.tests.len()).partition(outside);
    let all: Vec<usize> = (0..run.tests.len()).collect();
    // Outside the domain nothing fails where the specification does not write what is owed there.
    let counted = if check.robustness_counts { &all } else { &within };
    let ([ok, ko, ..], _) = counts(run, counted);
    let mut sorted: Vec<&(String, String)> = check.implementation.0.iter().collect();
    sorted.sort();
    let broken = check.broken.as_ref().map(|b| b.reason.as_str());
    let class = if ko > 0 || broken.is_some() {
        "bad"
    } else if ok == counted.len() && !check.interrupted {
        "good"
    } else {
        "open"
    };
    html! {
        div.verdict.(class) {
            p { "Checked implementation, " code { (name(check)) } ": "
                @if within.is_empty() { "no test in the domain" } @else { (tally(run, &within)) " in the domain" }
                @if !beyond.is_empty() { "; " (tally(run, &beyond)) " outside of it" }
                @if !beyond.is_empty() && !check.robustness_counts { ", which fails nothing" }
                "." }
            @if let Some(why) = broken { p { "The check could not be completed: " (why) "." } }
            @if check.interrupted { p { "The check was interrupted before its end." } }
            details { summary { "What was checked" }
                dl { @for (key, value) in sorted { dt { (key.replace('_', " ")) } dd { code { (value) } } } }
            }
        }
        (causes(check, |id| run.mutants.iter().any(|m| m.id == id)))
        @for other in &run.other_checks {
            div.verdict.(if other.exit == 0 { "good" } else if other.counts.ko > 0 { "bad" } else { "open" }) {
                p { "Also checked, " code { (name(other)) } ": " (other.counts.ok) " of " (other.counts.tests) " OK in the domain"
                    @if other.counts.ko > 0 { ", " (other.counts.ko) " KO" }
                    @if other.robustness.ko > 0 { "; " (other.robustness.ko) " KO outside of it" } "." }
            }
        }
    }
}

/// What the failures look like: no part of the verdict, which stands without it. `shown` are the mutants that the page has.
pub(super) fn causes(check: &Check, shown: impl Fn(&str) -> bool) -> Markup {
    if check.causes.is_empty() && check.facts.is_empty() {
        return html! {};
    }
    html! {
        p { "Likely causes of the failures:" }
        ul.causes {
            @for cause in &check.causes { li {
                "its results match " (quoted(&cause.matches)) " (" (cause.failures) " of " (cause.of_failures) " failures, "
                (cause.results) " of " (cause.of_results) " results)"
                @for id in cause.mutants.iter().filter(|id| shown(id)).take(1) {
                    ": " a href={ "#m-" (id) } { code { (id) } }
                }
            } }
            @for fact in &check.facts { li { (quoted(fact)) } }
        }
    }
}

/// A text with what stands between backticks as code.
fn quoted(text: &str) -> Markup {
    html! { @for (k, part) in text.split('`').enumerate() { @if k % 2 == 1 { code { (part) } } @else { (part) } } }
}
