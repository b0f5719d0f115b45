//! The tables: scores by operator, traces both ways, and all mutants.

use super::data::{Mutant, Run};
use super::runs::runs;
use super::source::anchor;
use super::{checked, independent, words};
use crate::mutate::MutationOperator;
use crate::record::summary::Scores;
use crate::report::number::rough;
use crate::suite::Standing;
use maud::{Markup, html};
use std::collections::{BTreeSet, HashSet};

/// The statuses in the order of the columns.
pub(super) const STATUSES: [Standing; 6] = Standing::OF_A_RUN;
/// The most stretches of tests that are links in a mutant's row; what is beyond is text.
const LINKS: usize = 4;

/// The operators that have mutants, in the order of the objectives, each with its mutants by index.
pub(super) fn operators(run: &Run) -> Vec<(&'static str, Vec<usize>)> {
    let of = |o: &MutationOperator| {
        let some = (0..run.mutants.len()).filter(|m| run.mutants[*m].operator == *o).collect::<Vec<_>>();
        (o.name(), some)
    };
    MutationOperator::ALL.iter().map(of).filter(|(_, m)| !m.is_empty()).collect()
}

fn count(scores: &Scores, status: Standing) -> usize {
    match status {
        Standing::Killed => scores.killed,
        Standing::Probable => scores.probable,
        Standing::Equivalent => scores.equivalent,
        Standing::Indistinguishable => scores.indistinguishable,
        Standing::Undecided => scores.undecided,
        Standing::Accepted => scores.accepted,
        // Of tests that somebody brings, not of a run.
        Standing::Missed => 0,
    }
}

/// `1 test`, `2 tests`.
pub(super) fn plural(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

/// Tests by index in rising order, all of them in little room: `t001 t003–t005`. The script reads them as well.
pub(super) fn stretches(run: &Run, tests: &[usize], links: usize) -> Markup {
    let id = |t: usize| run.tests[t].id.as_str();
    let holds = (0..run.tests.len()).map(|t| tests.binary_search(&t).is_ok());
    let one = |t: usize, linked: bool| match linked {
        true => html! { a href={ "#" (id(t)) } { (id(t)) } },
        false => html! { (id(t)) },
    };
    html! {
        @for (k, (start, len)) in runs(holds).into_iter().enumerate() {
            @let linked = k < links;
            @if k > 0 { " " }
            (one(start, linked))
            @if len > 1 { (if len > 2 { "–" } else { " " }) (one(start + len - 1, linked)) }
        }
    }
}

/// How many mutants a test kills, as a link that has the script show them.
pub(super) fn killed(id: &str, text: &str) -> Markup {
    find(id, text)
}

/// A link that has the script show the mutants in whose rows a word stands.
fn find(word: &str, text: &str) -> Markup {
    html! { a.find href="#mutants" data-find=(word) { (text) } }
}

/// What the rows of minimal mutants say.
const MINIMAL: &str = "minimal";

/// The minimal mutants, if the run says which they are.
pub(super) fn minimal(run: &Run) -> Markup {
    let killed = run.summary.scores.killed;
    html! {
        @if let Some(n) = Some(run.summary.minimal).filter(|n| *n > 0) {
            p.minimal { (find(MINIMAL, &n.to_string())) (if n == 1 { " minimal mutant stands" } else { " minimal mutants stand" })
                " for all " (killed) " killed ones: tests of this run that kill "
                (if n == 1 { "it" } else { "these" }) " kill all. Of other tests it says nothing." }
        }
    }
}

/// A score as a percentage, never rounded up to 100.
pub(super) fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "–".into();
    }
    let share = (1000.0 * part as f64 / whole as f64).floor() / 10.0;
    if part == whole { "100 %".into() } else { format!("{share:.1} %") }
}

/// By operator and objective, split by status.
pub(super) fn by_operator(run: &Run, operators: &[(&str, Vec<usize>)]) -> Markup {
    // A status that no mutant has needs no column, apart from the two that a reader looks for.
    let looked_for = |s: Standing| matches!(s, Standing::Killed | Standing::Undecided);
    let wanted = |s: &Standing| looked_for(*s) || count(&run.summary.scores, *s) > 0;
    let shown: Vec<Standing> = STATUSES.into_iter().filter(wanted).collect();
    html! {
        div.scroll tabindex="0" role="region" aria-label="Mutants by operator and objective" {
            table.sortable.dense {
                thead { tr {
                    th scope="col" { "objective" } th scope="col" { "operator" } th.n scope="col" { "mutants" }
                    th.n scope="col" { "rigorous score" }
                    @for s in &shown { th.n scope="col" { (s.name().replace("guish", "\u{ad}guish")) } }
                    th scope="col" { "split" }
                } }
                tbody {
                    @for (name, mutants) in operators {
                        @if let Some(scores) = run.summary.operators.get(name) {
                            tr {
                                td { (objective(run, mutants)) }
                                td { a href={ "#o-" (name) } title=(words::operator(name)) { (name) } }
                                td.n { (scores.mutants) }
                                td.n data-k=(scores.rigorous.score) {
                                    @if *name == "accuracy" { "not counted" } @else {
                                        (percent(scores.rigorous.part, scores.rigorous.whole))
                                        span.faint { " " (scores.rigorous.part) "/" (scores.rigorous.whole) }
                                    }
                                }
                                @for s in &shown { td.n { (count(scores, *s)) } }
                                td { (split(scores, 100)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The statuses of some mutants as one bar.
pub(super) fn split(scores: &Scores, width: usize) -> Markup {
    let all = scores.mutants.max(1) as f64;
    let parts: Vec<(Standing, usize)> = STATUSES.iter().map(|s| (*s, count(scores, *s))).filter(|p| p.1 > 0).collect();
    let said: Vec<String> = parts.iter().map(|(s, n)| format!("{n} {s}")).collect();
    let mut x = 0.0;
    html! {
        svg.bar viewBox=(format!("0 0 {width} 14")) width=(width) height="14" preserveAspectRatio="none" role="img" aria-label=(said.join(", ")) {
            @for (status, n) in &parts {
                @let w = width as f64 * *n as f64 / all;
                rect.{ "f-" (status) } x=(format!("{x:.1}")) y="0" width=(format!("{:.1}", w.max(1.5))) height="14" {
                    title { (n) " " (status) }
                }
                ({ x += w; "" })
            }
        }
    }
}

fn objective<'r>(run: &'r Run, mutants: &[usize]) -> &'r str {
    mutants.first().map_or("", |m| run.mutants[*m].objective.as_str())
}

/// The name of the requirement, or that there is none.
pub(super) fn requirement(run: &Run) -> Markup {
    match &run.manifest.specification.requirement {
        Some(r) => html! { code { (r) } },
        None => html! { em { "none named" } },
    }
}

/// From the requirement down to the tests.
pub(super) fn forward(run: &Run, operators: &[(&str, Vec<usize>)]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="From requirement to tests" {
            table {
                thead { tr {
                    th scope="col" { "requirement" } th scope="col" { "objective" } th scope="col" { "operator" }
                    th.n scope="col" { "mutants" } th.n scope="col" { "with a test" } th scope="col" { "tests" }
                    @if run.check.is_some() { th scope="col" { "results" } }
                } }
                tbody {
                    @for (name, mutants) in operators {
                        @let with = mutants.iter().filter(|m| !run.mutants[**m].killers.is_empty()).count();
                        @let tests: BTreeSet<usize> = mutants.iter().flat_map(|m| run.mutants[*m].killers.iter().copied()).collect();
                        @let tests: Vec<usize> = tests.into_iter().collect();
                        tr {
                            td { (requirement(run)) } td { (objective(run, mutants)) }
                            td { a href={ "#o-" (name) } { (name) } }
                            td.n { (mutants.len()) } td.n { (with) }
                            td.tests { (stretches(run, &tests, usize::MAX)) }
                            @if run.check.is_some() { td { (checked::tally(run, &tests)) } }
                        }
                    }
                }
            }
        }
    }
}

/// From the tests up to the requirement.
pub(super) fn backward(run: &Run) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="From tests to requirement" {
            table.sortable {
                thead { tr {
                    th scope="col" { "test" } th.n scope="col" { "kills" }
                    th.n scope="col" title="mutants that no other test kills" { "only it" }
                    @for o in OBJECTIVES { th.n scope="col" { (o) } }
                    th scope="col" { "origin" }
                    @if run.check.is_some() { th scope="col" { "result" } }
                    @if run.verified.is_some() { th scope="col" title=(CHECKED) { "checked by" } }
                    th scope="col" { "requirement" }
                } }
                tbody {
                    @for (t, test) in run.tests.iter().enumerate() {
                        @let kills: Vec<&Mutant> = run.kills(t).collect();
                        tr {
                            td { a href={ "#" (test.id) } { (test.id) } }
                            td.n data-k=(kills.len()) { (killed(&test.id, &kills.len().to_string())) }
                            td.n { (kills.iter().filter(|m| m.killers.len() == 1).count()) }
                            @for o in OBJECTIVES { td.n { (kills.iter().filter(|m| m.objective == o).count()) } }
                            td { (test.origin) }
                            @if run.check.is_some() { td { (result(run, t)) } }
                            @if let Some(v) = &run.verified { td { (independent::of_claims(v, &test.id)) } }
                            td { (requirement(run)) }
                        }
                    }
                }
            }
        }
    }
}

/// What a column is about.
const CHECKED: &str = "who stands for all that is claimed of it: Magneto and the independent checker, or Magneto alone";

/// The objectives in the order of the columns.
const OBJECTIVES: [&str; 3] = ["functional", "robustness", "precision"];

/// What a checked implementation made of a test.
pub(super) fn result(run: &Run, test: usize) -> Markup {
    match run.observed(&run.tests[test]) {
        Some(o) => html! { strong.{ "v-" (o.verdict.name().to_lowercase()) } { (o.verdict) } },
        None => html! { span.faint { "not run" } },
    }
}

/// The gaps of the traces.
pub(super) fn gaps(run: &Run) -> Markup {
    let idle: Vec<&str> =
        (0..run.tests.len()).filter(|t| run.kills(*t).next().is_none()).map(|t| run.tests[t].id.as_str()).collect();
    let with = |status| run.with_status(status).map(|m| run.mutants[m].id.as_str()).collect::<Vec<&str>>();
    let (open, accepted) = (with(Standing::Undecided), with(Standing::Accepted));
    let named = run.manifest.specification.requirement.is_some();
    html! {
        ul.gaps {
            @if !named { li { "The specification names no requirement. " code { ":magneto-req \"REQ-…\"" } " in it fills the column." } }
            @if named && run.tests.is_empty() { li { "The requirement " (requirement(run)) " has no test." } }
            @if idle.is_empty() { li { "Every test kills a mutant." } } @else {
                li { (plural(idle.len(), "test kills", "tests kill")) " nothing (boundary tests are there for a reviewer, with their reason): "
                    @for t in &idle { a href={ "#" (t) } { (t) } " " } }
            }
            @if open.is_empty() { li { "No mutant is undecided." } } @else {
                li { (plural(open.len(), "mutant has", "mutants have")) " neither test nor proof: "
                    @for m in &open { a href={ "#v-" (m) } { code { (m) } } " " } }
            }
            @if !accepted.is_empty() {
                li { (plural(accepted.len(), "mutant has", "mutants have")) " neither test nor proof, and a person accepted that: "
                    @for m in &accepted { a href={ "#v-" (m) } { code { (m) } } " " } }
            }
        }
    }
}

/// All mutants, a table for each operator.
pub(super) fn mutants(run: &Run, operators: &[(&str, Vec<usize>)]) -> Markup {
    let mut seen = HashSet::new();
    let mut first = |m: &Mutant| {
        let place = anchor(m.line, m.column);
        seen.insert(place.clone()).then_some(place)
    };
    html! {
        @for (name, mutants) in operators {
            details.operator id={ "o-" (name) } open {
                summary { h3 { (name) } " " span.faint { (plural(mutants.len(), "mutant", "mutants")) ", " (objective(run, mutants)) } }
                div.scroll.tall tabindex="0" role="region" aria-label={ "Mutants of " (name) } {
                    table.sortable.filterable.stack {
                        thead { tr {
                            th scope="col" { "id" } th.n scope="col" { "place" } th scope="col" { "before" }
                            th scope="col" { "after" } th scope="col" { "status" } th scope="col" { "killed by" }
                            th.n scope="col" title="the largest distance of valid sets, in tolerances" { "margin" }
                            @if run.verified.is_some() { th scope="col" title=(CHECKED) { "checked by" } }
                        } }
                        tbody { @for m in mutants { (row(run, &run.mutants[*m], &mut first)) } }
                    }
                }
            }
        }
    }
}

/// There may be thousands of rows: how their cells look stands in the style sheet, by column, and the script sorts places
/// and margins by what is shown.
fn row(run: &Run, m: &Mutant, first: &mut impl FnMut(&Mutant) -> Option<String>) -> Markup {
    let margin: Option<f64> = m.margin.as_ref().and_then(|t| t.parse().ok());
    let shown = margin.map_or(String::new(), |x| if x.is_infinite() { "∞".into() } else { rough(x) });
    html! {
        tr id={ "m-" (m.id) } {
            td { (m.id) }
            td id=[first(m)] { (m.line) ":" (m.column) }
            td { (short(&m.before)) }
            td { (short(&m.after)) }
            td { (status(m)) @if m.is_minimal() { " " span.tag { (MINIMAL) } } }
            td { (stretches(run, &m.killers, LINKS)) }
            td { (shown) }
            @if let Some(v) = &run.verified { td { (independent::of_claims(v, &m.id)) } }
        }
    }
}

/// The status, with a link to where it is explained.
fn status(m: &Mutant) -> Markup {
    let mark = html! { span.{ "tag s-" (m.status) } { (m.status) } };
    match m.status {
        // Almost all are.
        Standing::Killed => html! { span.k { "killed" } },
        Standing::Probable => mark,
        _ => html! { a href={ "#v-" (m.id) } { (mark) } },
    }
}

/// The beginning of a long piece of a formula.
pub(super) fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut out: String = text.chars().take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        out.push('…');
    }
    out
}
