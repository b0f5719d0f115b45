//! The page of an evaluation: what tests that somebody brought do to the mutants.

use super::page::bare;
use super::tables::{percent, plural};
use super::values::{exact, inputs};
use crate::record::evaluation::{CompletionRecord, EvaluatedMutant, Evaluation, OwnTolerances};
use crate::suite::Standing;
use maud::{Markup, html};

/// The whole file.
pub(super) fn page(e: &Evaluation) -> Markup {
    let title = format!("{}: tests evaluated by Magneto", e.specification);
    bare(
        &title,
        html! {
            header {
                h1 { (e.specification) @if let Some(r) = &e.requirement { " " span.req { (r) } } }
                p { "Evaluation of tests by Magneto: which wrong versions of this formula do they see?" }
            }
            main {
                section aria-labelledby="h-summary" { h2 #h-summary { "Summary" } (summary(e)) }
                section aria-labelledby="h-operators" { h2 #h-operators { "By operator" } (operators(e)) }
                @if !e.wrong.is_empty() {
                    section aria-labelledby="h-wrong" { h2 #h-wrong { "Wrong expectations" } (wrong(e)) }
                }
                @if let Some(t) = &e.tolerances {
                    section aria-labelledby="h-tolerances" { h2 #h-tolerances { "Let pass by the tests' own tolerances" } (tolerances(e, t)) }
                }
                @for (standing, title, about) in LEFT {
                    @let some: Vec<&EvaluatedMutant> = e.mutants.iter().filter(|m| m.standing == standing).collect();
                    @if !some.is_empty() {
                        section aria-label=(title) { h2 { (title) } p { (about) } (mutants(&some)) }
                    }
                }
                @if let Some(c) = &e.completion {
                    section aria-labelledby="h-completion" { h2 #h-completion { "Completed" } (completion(e, c)) }
                }
                @if !e.suggested.is_empty() {
                    section aria-labelledby="h-suggested" { h2 #h-suggested { "Suggested tests" } (suggested(e)) }
                }
                @let killed: Vec<&EvaluatedMutant> = e.mutants.iter().filter(|m| m.killed_by.is_some()).collect();
                @if !killed.is_empty() {
                    section aria-labelledby="h-killed" { h2 #h-killed { "Killed" }
                        details { summary { (plural(killed.len(), "mutant", "mutants")) } (mutants(&killed)) } }
                }
            }
        },
    )
}

/// What needs a person's attention, most urgent first.
const LEFT: [(Standing, &str, &str); 3] = [
    (Standing::Missed, "Missed", "A test exists that kills each of these, and none of the file's does."),
    (Standing::Undecided, "Undecided", "There is neither a test nor a proof that there can be none."),
    (Standing::Accepted, "Accepted", "A person decided that these need no test."),
];

fn summary(e: &Evaluation) -> Markup {
    let (s, t) = (&e.scores, &e.tests);
    let good = e.missed == 0 && s.undecided == 0 && t.wrong_expectations == 0 && !e.interrupted;
    let verdict = match (e.missed, t.wrong_expectations) {
        (_, n) if n > 0 && n == t.loose_tolerances => format!(
            "{} by a tolerance that is too wide.",
            plural(
                usize::try_from(n).unwrap_or(usize::MAX),
                "test takes wrong results for right",
                "tests take wrong results for right"
            )
        ),
        (0, 0) => "No mutant that a test can kill is missed.".to_owned(),
        (n, 0) => format!("{} that a test can kill.", plural(n, "mutant is missed", "mutants are missed")),
        (_, n) => format!(
            "{}.",
            plural(usize::try_from(n).unwrap_or(usize::MAX), "expectation is wrong", "expectations are wrong")
        ),
    };
    let numbers = [
        ("tests", t.all),
        ("in the domain", t.inside),
        ("outside", t.outside),
        ("accuracy not attainable", t.unsatisfiable),
        ("f not settled", t.unsettled),
        ("the first to kill some mutant", t.first_to_kill),
        ("with expectations", t.with_expectations),
        ("wrong expectations", t.wrong_expectations - t.loose_tolerances),
        ("loose tolerances", t.loose_tolerances),
        ("expectations not settled", t.unsettled_expectations),
    ];
    html! {
        p.verdict.{ (if good { "good" } else { "open" }) } { (verdict)
            @if e.interrupted { " The evaluation was interrupted before its end." } }
        p { "Accuracy: " strong { (e.accuracy) @if e.accuracy_is_default { " (the default: none is stated)" } } "." }
        div.scores {
            @for (name, share) in [("rigorous score", &s.rigorous), ("paper score", &s.paper), ("resolved", &s.resolved), ("minimal mutants killed", &e.minimal.all)] {
                div { strong.big { (percent(share.part, share.whole)) } b { (name) } p { (share.part) " of " (share.whole) } }
            }
            @if let Some(t) = &e.tolerances {
                div { strong.big { (percent(t.rigorous.part, t.rigorous.whole)) } b { "rigorous score with the tests' own tolerances" }
                    p { (t.rigorous.part) " of " (t.rigorous.whole) } }
            }
            @if let Some(a) = &e.after {
                div { strong.big { (percent(a.all.part, a.all.whole)) } b { "rigorous score with all suggested tests" }
                    p { (percent(a.everyday.part, a.everyday.whole)) " with those at everyday magnitudes alone" } }
            }
        }
        div.scroll tabindex="0" role="region" aria-label="Tests" { table { tbody {
            @for (name, n) in numbers { @if n > 0 || name == "tests" { tr { th scope="row" { (name) } td { (n) } } } }
        } } }
    }
}

fn operators(e: &Evaluation) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label="By operator" { table {
        thead { tr { @for name in ["operator", "mutants", "killed", "missed", "undecided", "rigorous score"] { th scope="col" { (name) } } } }
        tbody { @for (operator, g) in &e.operators.0 { tr {
            th scope="row" { (operator) } td { (g.scores.mutants) } td { (g.scores.killed + g.scores.probable) } td { (g.missed) }
            td { (g.scores.undecided) } td { (percent(g.scores.rigorous.part, g.scores.rigorous.whole)) }
        } } }
    } } }
}

fn wrong(e: &Evaluation) -> Markup {
    html! {
        @if e.wrong.len() as u64 != e.tests.wrong_expectations { p { "The first " (e.wrong.len()) " of " (e.tests.wrong_expectations) "." } }
        div.scroll tabindex="0" role="region" aria-label="Wrong expectations" { table {
            thead { tr { @for name in ["test", "line", "inputs", "the file says", "off", "right is"] { th scope="col" { (name) } } } }
            tbody { @for w in &e.wrong { tr {
                td { (w.test) } td { (w.line) } td { (inputs(&w.inputs)) } td { (w.claim) @if w.loose { " (a tolerance that is too wide)" } }
                td { @if let Some(off) = &w.off { (off) } } td { (w.right) }
            } } }
        } }
    }
}

/// What `--complete` found of the tests.
fn completion(e: &Evaluation, c: &CompletionRecord) -> Markup {
    html! {
        p { @match (e.suggested.len(), e.missed) {
            (0, 0) => "No test has to be added: no mutant that a generated test kills is missed.",
            (0, _) => "No added test was found.",
            (n, _) => {
                (plural(n, "test is added", "tests are added")) " for what is missed: "
                a href="#h-suggested" { "Suggested tests" } " says what each kills."
            },
        } }
        h3 { "Redundant tests" }
        @if c.redundant.is_empty() {
            p { "None can be taken out." }
        } @else {
            p { (plural(c.redundant.len(), "test can", "tests can")) " be taken out together: the others were judged again without them, and kill the same mutants." }
            div.scroll tabindex="0" role="region" aria-label="Redundant tests" { table {
                thead { tr { th scope="col" { "test" } th scope="col" { "line" } } }
                tbody { @for t in &c.redundant { tr { td { (t.test) } td.n { (t.line) } } } }
            } }
        }
        @if e.missed > 0 && !c.missed_at.0.is_empty() {
            h3 { "Where the missed would be killed" }
            div.scroll tabindex="0" role="region" aria-label="Where the missed would be killed" { table {
                thead { tr { @for name in ["input", "in the lowest tenth", "in the highest tenth", "outside its range", "elsewhere"] { th scope="col" { (name) } } } }
                tbody { @for (name, w) in &c.missed_at.0 { tr {
                    th scope="row" { code { (name) } } td.n { (w.low) } td.n { (w.high) } td.n { (w.outside) } td.n { (w.elsewhere) }
                } } }
            } }
        }
    }
}

/// What the tests themselves take for right.
fn tolerances(e: &Evaluation, t: &OwnTolerances) -> Markup {
    let let_pass: Vec<&EvaluatedMutant> =
        t.let_pass.iter().filter_map(|id| e.mutants.iter().find(|m| m.id == *id)).collect();
    html! {
        @if let_pass.is_empty() {
            p { "None: no mutant that the inputs tell apart is let pass by the tests' own tolerances." }
        } @else {
            p { "The inputs tell these apart, and every test that does takes their value for right by its own tolerance: a program with that mistake passes." }
            (mutants(&let_pass))
        }
    }
}

fn suggested(e: &Evaluation) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label="Suggested tests" { table {
        thead { tr { @for name in ["test", "magnitudes", "inputs", "smallest right", "largest right", "kills"] { th scope="col" { (name) } } } }
        tbody { @for s in &e.suggested { tr {
            td { (s.id) } td { (if s.everyday { "everyday" } else { "extreme" }) } td { (inputs(&s.inputs)) }
            td { @if let Some(lo) = &s.lo { (exact(lo)) } } td { @if let Some(hi) = s.hi.as_ref().or(s.expected.as_ref()) { (exact(hi)) } } td { (s.kills.join(" ")) }
        } } }
    } } }
}

fn mutants(some: &[&EvaluatedMutant]) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label="Mutants" { table {
        thead { tr { @for name in ["mutant", "place", "operator", "change", "tests"] { th scope="col" { (name) } } } }
        tbody { @for m in some { tr {
            td { code { (m.id) } } td { (m.line) ":" (m.column) } td { (m.operator.name()) } td { code { (m.before) } " → " code { (m.after) } }
            td {
                @if let Some(test) = &m.killed_by { "killed by " (test) }
                @else if let Some(test) = m.would_kill.first() { "generated test " (test) " would kill it" }
                @else if let Some(reason) = &m.reason { (reason) }
            }
        } } }
    } } }
}
