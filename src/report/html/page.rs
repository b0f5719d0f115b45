//! The page: header, sections, and how they hang together.

use super::bands::{Bench, specs, stride};
use super::data::Run;
use super::errors::Errors;
use super::policy;
use super::tables::{self, STATUSES, percent, plural};
use super::{cards, charts, checked, curve, independent, mathml, objectives, scatter, source, survivors, words};
use crate::record::manifest::VERSION;
use crate::report::text;
use crate::spec::program_in_words;
use crate::suite::Standing;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("style.css");
/// Sorts and filters tables.
pub(super) const SCRIPT: &str = include_str!("script.js");

/// The sections: anchor and title.
const SECTIONS: [(&str, &str); 13] = [
    ("summary", "Summary"),
    ("formula", "Specification"),
    ("operators", "By operator"),
    ("matrix", "Kill matrix"),
    ("survivors", "Survivors"),
    ("trace", "Traces"),
    ("curve", "Values"),
    ("space", "Inputs"),
    ("errors", "Errors"),
    ("tests", "Tests"),
    ("mutants", "Mutants"),
    ("proofs", "Proofs"),
    ("checker", "Independent check"),
];

/// Whether a section is on the page.
fn is_there(run: &Run, id: &str) -> bool {
    match id {
        "errors" => run.check.is_some(),
        "checker" => run.verified.is_some(),
        _ => true,
    }
}

/// The whole file.
pub(super) fn page(run: &Run) -> Markup {
    let about = &run.manifest.specification;
    let operators = tables::operators(run);
    let specs = specs(run);
    let bench = Bench::new(run, &specs);
    let title = format!("{}: Magneto report", about.name);
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(&title, &[SCRIPT]))
            body {
                a.skip href="#summary" { "To the summary" }
                header {
                    h1 { (about.name) @if let Some(r) = &about.requirement { " " span.req { (r) } } }
                    p { "Test report of Magneto: do the tests tell this formula from wrong ones?" }
                    nav aria-label="Sections" { @for (id, name) in SECTIONS.iter().filter(|s| is_there(run, s.0)) { a href={ "#" (id) } { (name) } " " } }
                }
                main {
                    (section("summary", summary(run)))
                    (section("formula", formula(run)))
                    (section("operators", html! {
                        p { "A mutant is one wrong version of the specification. An operator says what kind of mistake it makes, \
                             an objective what tests against it are for." }
                        (tables::by_operator(run, &operators))
                        (words::explained(&operators))
                    }))
                    (section("matrix", html! {
                        p.legend {
                            span { span.chip.f-killed {} "killed" } span { span.chip.f-probable {} "probably killed" }
                            span { span.chip.f-none {} "killed by no test" }
                        }
                        p.note { "A row is a test, a column a mutant, sorted by the first test that kills it." }
                        (charts::matrix(run, &operators))
                    }))
                    (section("survivors", survivors::survivors(run)))
                    (section("trace", html! {
                        h3 { "Gaps" } (tables::gaps(run))
                        h3 { "From requirement to tests" } (tables::forward(run, &operators))
                        h3 { "From tests to requirement" } (tables::backward(run))
                        p.note { "Single mutants with their tests: " a href="#mutants" { "Mutants" } "; every pair: " code { "magneto report --format trace" } "." }
                    }))
                    (section("curve", curve::curves(run, bench.spec())))
                    (section("space", html! { (scatter::inputs(run)) h3 { "By objective" } (objectives::charts(run)) }))
                    @if let Some(check) = &run.check { (section("errors", Errors::of_check(check).charts("What the implementation returned at the tests, by its error in tolerances."))) }
                    (section("tests", tests(run, &bench)))
                    (section("mutants", html! {
                        p.filter hidden { label { "Find " input #filter type="search" placeholder="id, place, change, status, or a test that kills" autocomplete="off"; } " " output #found {} }
                        (tables::mutants(run, &operators))
                    }))
                    (section("proofs", html! {
                        h3 { "The specification itself, written otherwise" }
                        (survivors::proofs(run))
                        h3 { "Too close for the accuracy" }
                        (survivors::indistinguishable(run))
                    }))
                    @if let Some(told) = independent::of_run(run) { (section("checker", told)) }
                }
                footer { p { "Made by magneto " (VERSION) " from the files of the run. No network is used." } }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

/// What the tests ask, each on a card.
fn tests(run: &Run, bench: &Bench<'_>) -> Markup {
    let about = &run.manifest.specification;
    html! {
        p { "A right result y satisfies lo ≤ y ≤ hi. The charts show that range in units of the tolerance, and what \
             the nearest mutants return: a bar outside the range is a wrong result that the test sees. The gap \
             between OK and KO is narrower than a number of " code { (about.result_format) } " unless the test \
             says otherwise." }
        p.legend {
            span { span.chip.f-ok {} "OK" } span { span.chip.f-gap {} "gap" } span { span.chip.f-ko {} "KO" }
            span { span.chip.f-killed {} "mutant, killed here" } span { span.chip.f-probable {} "probably" }
            span { span.chip.f-alive {} "mutant, not killed here" }
            @if run.check.is_some() { span { span.chip.f-seen {} "the implementation's result" } }
        }
        @if stride(run) > 1 {
            p.note { "There are so many mutants that the charts choose among one in " (stride(run)) "." }
        }
        (cards::tests(run, bench))
    }
}

fn head(title: &str, scripts: &[&str]) -> Markup {
    html! { head {
        meta charset="utf-8";
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="color-scheme" content="light dark";
        // Before all that it is about.
        meta http-equiv="Content-Security-Policy" content=(policy::policy(&[STYLE], scripts));
        meta name="generator" content={ "magneto " (VERSION) };
        title { (title) }
        style { (PreEscaped(STYLE)) }
    } }
}

/// A page without a script.
pub(super) fn bare(title: &str, inside: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, &[]))
            body.still { (inside) footer { p { "Made by magneto " (VERSION) ". No network is used." } } }
        }
    }
}

/// A page with a script, on which nothing depends.
pub(super) fn scripted(title: &str, inside: Markup, script: &str) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, &[script]))
            body {
                (inside)
                footer { p { "Made by magneto " (VERSION) ". No network is used." } }
                script { (PreEscaped(script)) }
            }
        }
    }
}

fn section(id: &str, inside: Markup) -> Markup {
    let name = SECTIONS.iter().find(|s| s.0 == id).map_or("", |s| s.1);
    html! { section id=(id) aria-labelledby={ "h-" (id) } { h2 id={ "h-" (id) } { (name) } (inside) } }
}

/// The verdict in a sentence.
fn verdict(run: &Run) -> String {
    let s = &run.summary.scores;
    let (part, whole) = (s.rigorous.part, s.rigorous.whole);
    let tests = plural(run.tests.len(), "test", "tests");
    let kill = if run.tests.len() == 1 { "kills" } else { "kill" };
    let mut out = if whole == 0 && s.accepted == 0 {
        format!("{tests}; no mutant can be killed.")
    } else if part == whole {
        match s.accepted {
            0 => format!("Complete: {tests} {kill} all {part} mutants that a test can kill."),
            n => format!("Complete but for {n} that a person accepted: {tests} {kill} all {part} others that count."),
        }
    } else {
        let left = plural(whole - part, "has", "have");
        format!("Incomplete: {tests} {kill} {part} of {whole} mutants; {left} neither a test nor a proof.")
    };
    if s.accepted > 0 && part < whole {
        out += &format!(" {} by a person.", plural(s.accepted, "more is accepted", "more are accepted"));
    }
    if s.indistinguishable > 0 {
        let n = plural(s.indistinguishable, "mutant is", "mutants are");
        out += &format!(" {n} too close to the formula for the accuracy asked for.");
    }
    if run.summary.interrupted {
        out += " The run was interrupted before its end.";
    }
    if run.summary.is_large {
        out += &format!(" Note: {}.", text::IS_LARGE);
    }
    out
}

/// The accuracy asked for, and whether anybody did.
fn accuracy(run: &Run) -> Markup {
    let about = &run.manifest.specification;
    html! { (about.accuracy) @if about.accuracy_is_default { " (the default: none is stated)" } }
}

fn summary(run: &Run) -> Markup {
    let (s, about) = (&run.summary.scores, &run.manifest.specification);
    let whole = s.rigorous.part == s.rigorous.whole && !run.summary.interrupted && s.accepted == 0;
    html! {
        @for doubt in text::doubts(&run.summary) { p.verdict.open { "Warning: " (doubt) "." } }
        p.verdict.{ (if whole { "good" } else { "open" }) } { (verdict(run)) }
        p { "Accuracy: " strong { (accuracy(run)) } "." }
        (checked::summary(run))
        div.scores {
            div { strong.big { (percent(s.rigorous.part, s.rigorous.whole)) } b { "rigorous score" }
                p { (s.rigorous.part) " of the " (s.rigorous.whole) " mutants that count are killed, each kill proved. \
                    Undecided ones count as not killed. Left out: mutants proved equivalent or indistinguishable, "
                    @if s.accepted > 0 {
                        a href="#survivors" { (s.accepted) " that a person accepted" } ", "
                    }
                    "and those of the accuracy." } }
            div { strong.big { (percent(s.paper.part, s.paper.whole)) } b { "paper score" }
                p { (s.paper.part) " of all " (s.paper.whole) " mutants are killed or probably killed: counted as in the paper, \
                    where equivalent mutants lower the score." } }
            div { strong.big { (percent(s.resolved.part, s.resolved.whole)) } b { "resolved" }
                p { (s.resolved.part) " of " (s.resolved.whole) " mutants have a test"
                    @if s.accepted > 0 { ", a proof or, " (s.accepted) " of them, a person's decision" } @else { " or a proof" }
                    @if s.resolved.part < s.resolved.whole { "; the others are undecided." } @else { "." } } }
        }
        (tables::split(s, 900))
        p.legend { @for status in STATUSES {
            @let n = run.with_status(status).count();
            @if n > 0 { span { span.chip.{ "f-" (status) } {} (n) " " (status) } }
        } }
        (tables::minimal(run))
        (worth(run))
        h3 { "Run it again" }
        pre.command tabindex="0" { code { (survivors::rerun(run)) } }
        p.note { "In the folder of " code { (about.file) } ", with magneto " (run.manifest.made.magneto)
            @if let Some(commit) = &run.manifest.made.commit { " (" code { (commit) } ")" }
            @if s.accepted > 0 { " and the same decisions in " code { "magneto.accept.toml" } }
            ". It gives the same files byte by byte"
            @if run.manifest.wall_clock_limit_hit { ", except that this run hit a time limit" } "." }
        details {
            summary { "Manifest: what the run depended on" }
            div.scroll tabindex="0" role="region" aria-label="Manifest" { table { tbody {
                tr { th scope="row" { "file" } td { code { (about.file) } } }
                tr { th scope="row" { "SHA-256 of the file" } td { code { (about.sha256) } } }
                tr { th scope="row" { "accuracy" } td { (accuracy(run)) } }
                tr { th scope="row" { "format of results" } td { (about.result_format) } }
                tr { th scope="row" { "outside the domain" } td { (about.out_of_range) } }
                @for m in run.with_status(Standing::Accepted) { @if let Some(a) = &run.mutants[m].accepted {
                    tr { th scope="row" { "accepted" } td { a href={ "#v-" (run.mutants[m].id) } { code { (run.mutants[m].id) } }
                        " by " (a.by) ": " (a.reason) } }
                } }
                tr { th scope="row" { "MPFR" } td { (run.manifest.made.mpfr) } }
                tr { th scope="row" { "platform" } td { (run.manifest.made.platform) } }
                @for o in &run.manifest.options {
                    tr { th scope="row" { code { "--" (o.name) } } td { (o.value.as_deref().unwrap_or("not set")) " "
                        span.faint { "(" (o.origin) ")" } } }
                }
            } } }
        }
    }
}

/// What the tests are good for beyond the scores: how much of the domain has a test, and what a plain implementation of the
/// formula loses.
fn worth(run: &Run) -> Markup {
    let (plain, regions) = (&run.summary.plain_evaluation, text::regions(&run.summary));
    html! {
        @if let Some(regions) = regions { p { "Regions of the domain: " (regions) "." } }
        @if let Some(plain) = plain {
            p { "The formula as it is written, operation by operation in " (plain.format) ": " (text::plainly(plain)) "." }
        }
    }
}

fn formula(run: &Run) -> Markup {
    let about = &run.manifest.specification;
    let inputs: Vec<String> = about.inputs.iter().map(|i| i.name.clone()).collect();
    let pre = source::precondition(&run.spec.core);
    let has_units = about.inputs.iter().any(|i| i.unit.is_some());
    html! {
        div.formula tabindex="0" role="region" aria-label="The formula" { (PreEscaped(mathml::definition(&about.name, &inputs, run.spec.stated_body()))) }
        @if run.spec.formula.is_some() {
            p { (program_in_words(&run.spec.core)) }
        }
        p { "A right result differs from f by at most the tolerance: " strong { (accuracy(run)) } "." }
        div.scroll tabindex="0" role="region" aria-label="Inputs" { table {
            thead { tr {
                th scope="col" { "input" } th scope="col" { "range" }
                @if has_units { th scope="col" { "unit" } }
                th scope="col" { "format" }
            } }
            tbody { @for i in &about.inputs { tr {
                td { code { (i.name) } } td { (i.range) }
                @if has_units { td { (i.unit.as_deref().unwrap_or_default()) } }
                td { (i.format) }
            } } }
        } }
        @if let Some(unit) = &about.result_unit { p { "The result is in " (unit) "." } }
        @if !run.spec.constraints.is_empty() { @if let Some(pre) = pre {
            p { "The domain:" }
            div.formula tabindex="0" role="region" aria-label="The domain" { (PreEscaped(mathml::inline(pre))) }
        } }
        h3 { "With its mutants in place" }
        @match &run.text {
            Some(text) => {
                p.note { "Each marked part is a link to the mutants made there. Its colour is that of the status that deserves \
                          attention most." }
                (source::marked(text, &source::places(text, &run.mutants)))
            },
            None => pre.source tabindex="0" { code { (about.core) } },
        }
    }
}
