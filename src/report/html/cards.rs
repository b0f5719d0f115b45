//! The tests: input, oracle, ranges, and what each kills.

use super::bands::{Bench, Ranges};
use super::charts;
use super::data::{Mutant, Run, Test};
use super::tables::{killed, plural, requirement, short};
use maud::{Markup, html};

/// The most mutants that a test's card names.
const NAMED: usize = 6;

/// All tests, one card each.
pub(super) fn tests(run: &Run, bench: &Bench<'_>) -> Markup {
    html! {
        @for (t, test) in run.tests.iter().enumerate() {
            details.test id=(test.id) open {
                summary { h3 { (test.id) } " " span.faint { (test.origin) @if !test.reason.is_empty() { ": " (test.reason) } } }
                (card(run, t, test, bench.ranges(t)))
            }
        }
        @if run.tests.is_empty() { p { "There are no tests." } }
    }
}

fn card(run: &Run, t: usize, test: &Test, ranges: Option<Ranges>) -> Markup {
    let kills: Vec<&Mutant> = run.kills(t).collect();
    let alone: Vec<&Mutant> = kills.iter().copied().filter(|m| m.killers.len() == 1).collect();
    html! {
        div.card {
        dl {
            dt { "input" }
            dd { @for (k, input) in run.spec.inputs.iter().enumerate() {
                @if k > 0 { ", " }
                code { (input.name) " = " (value(test.inputs_dec.get(&input.name))) }
                span.faint.hex { " " (value(test.inputs.get(&input.name))) }
            } }
            dt { "a right result" }
            dd { @match (&test.lo_dec, &test.hi_dec) {
                (Some(lo), Some(hi)) => {
                    "from " code { (lo) } " to " code { (hi) }
                    span.faint.hex { " " (value(test.lo.as_ref())) " … " (value(test.hi.as_ref())) }
                },
                _ => { "outside the domain: " code { (value(test.expected.as_ref())) } },
            } }
            @if let Some(o) = run.observed(test) {
                dt { "returned" }
                dd { strong.{ "v-" (o.verdict.name().to_lowercase()) } { (o.verdict) } " "
                    code { (o.result_dec.as_deref().unwrap_or(&o.answer)) }
                    @if !o.reason.is_empty() { ": " (o.reason) } }
            }
            dt { "kills" }
            dd {
                @let few = kills.len() <= NAMED;
                (killed(&test.id, &plural(kills.len(), "mutant", "mutants")))
                @if few { @if !kills.is_empty() { ": " } } @else if !alone.is_empty() {
                    ", " (alone.len()) " of them as the only test: "
                }
                @for m in if few { &kills } else { &alone }.iter().take(NAMED) {
                    a href={ "#m-" (m.id) } title={ (short(&m.before)) " → " (short(&m.after)) } { code { (m.id) } } " "
                }
                @if !few && alone.len() > NAMED { "…" }
            }
            dt { "requirement" } dd { (requirement(run)) }
        }
        @if let Some(ranges) = ranges { (charts::ranges(run, t, &ranges)) }
        }
    }
}

fn value(text: Option<&String>) -> &str {
    text.map_or("–", String::as_str)
}
