//! The page of what `solve` answered to scripts.

use super::overview::ClaimStanding;
use super::page::bare;
use super::tables::plural;
use super::values::with_hex;
use crate::decide::Confirmation;
use crate::record::solve::ScriptFile;
use crate::smt::{self, CheckSat, SatStatus, UnknownReason};
use maud::{Markup, html};

/// The whole file.
pub(super) fn page(scripts: &[ScriptFile], checker: &Markup) -> Markup {
    bare(
        "Formulas over floats: answers",
        html! {
            header {
                h1 { @if let [one] = scripts { (name(one)) } @else { (scripts.len()) " scripts" } }
                p { "Formulas over floats: values that satisfy them, and proofs that none do, by Magneto" }
            }
            main {
                section aria-labelledby="h-summary" { h2 #h-summary { "Summary" } (summary(scripts)) }
                @for (k, script) in scripts.iter().enumerate() {
                    section aria-label={ "Answers to " (name(script)) } { h2 id={ "f-" (k + 1) } { (name(script)) } (answers(script)) }
                }
                section aria-labelledby="h-given" { h2 #h-given { "What the answers mean" } (meaning()) }
                (checker)
            }
        },
    )
}

fn name(script: &ScriptFile) -> &str {
    if script.file.is_empty() { "the script" } else { &script.file }
}

fn is_refuted(check: &CheckSat) -> bool {
    matches!(check.confirmation, Some(Confirmation::Refuted(_)))
}

/// How the answers stand, by the worst of them.
pub(super) fn standing(scripts: &[ScriptFile]) -> ClaimStanding {
    let checks = || scripts.iter().flat_map(|s| &s.checks);
    match () {
        () if checks().any(|c| is_refuted(c) || c.contradicts()) => ClaimStanding::Wrong,
        () if scripts.iter().any(|s| s.error.is_some()) => ClaimStanding::NotRun,
        () if checks().any(CheckSat::is_open) => ClaimStanding::Open,
        () => ClaimStanding::Settled,
    }
}

/// How many answers there are of each kind.
pub(super) fn tally(scripts: &[ScriptFile]) -> String {
    let count = |status| scripts.iter().flat_map(|s| &s.checks).filter(|c| c.status == status).count();
    let all = [SatStatus::Sat, SatStatus::Unsat, SatStatus::Unknown];
    let said: Vec<String> = all
        .into_iter()
        .map(|s| (count(s), s))
        .filter(|(n, _)| *n > 0)
        .map(|(n, s)| format!("{n} {}", s.word()))
        .collect();
    if said.is_empty() { "no answer".to_owned() } else { said.join(", ") }
}

fn summary(scripts: &[ScriptFile]) -> Markup {
    let checks = || scripts.iter().flat_map(|s| &s.checks);
    let contradicted = checks().filter(|c| c.contradicts()).count();
    let failed = scripts.iter().filter(|s| s.error.is_some()).count();
    html! {
        div.verdict.(standing(scripts).class()) {
            p { (tally(scripts)) "." }
            @if contradicted > 0 { p { (plural(contradicted, "answer is", "answers are")) " not what the script says of itself." } }
            @if failed > 0 { p { (plural(failed, "script is wrong, and has", "scripts are wrong, and have")) " no answer." } }
            @if checks().any(is_refuted) { p { "A proof was looked at again, and does not hold: this is a defect of Magneto." } }
        }
        @if scripts.len() > 1 {
            div.scroll tabindex="0" role="region" aria-label="Scripts" { table {
                thead { tr { th scope="col" { "script" } th scope="col" { "answers" } } }
                tbody { @for (k, s) in scripts.iter().enumerate() { tr {
                    td { a href={ "#f-" (k + 1) } { (name(s)) } }
                    td { @if s.error.is_some() { "none: the script is wrong" } @else { (tally(std::slice::from_ref(s))) } }
                } } }
            } }
        }
    }
}

/// An answer in the colour that those of a run's mutants have.
fn tag(status: SatStatus) -> Markup {
    let class = match status {
        SatStatus::Sat => "s-killed",
        SatStatus::Unsat => "s-equivalent",
        SatStatus::Unknown => "s-undecided",
    };
    html! { span.tag.(class) { (status.word()) } }
}

fn answers(script: &ScriptFile) -> Markup {
    html! {
        @if let Some(error) = &script.error { pre tabindex="0" { code { (error) } } }
        @for (k, check) in script.checks.iter().enumerate() {
            div.survivor {
                h3 { code { "(check-sat)" } " " (k + 1) ": " (tag(check.status)) }
                p { (how(check))
                    @if let Some(expected) = check.expected {
                        " The script says " code { (expected.word()) } "."
                        @if check.contradicts() { " " strong.v-ko { "That is not so." } }
                    } }
                @if !check.model.is_empty() { (model(check)) }
            }
        }
    }
}

/// What an answer rests on.
fn how(check: &CheckSat) -> Markup {
    let boxes = plural(usize::try_from(check.boxes).unwrap_or(usize::MAX), "part", "parts");
    html! {
        @match check.status {
            SatStatus::Sat => { "These values satisfy the assertions, as exact evaluation of them shows." },
            SatStatus::Unsat => {
                "No values do: " (boxes) " of the values of the unknowns were looked at, and nothing is left."
                @match &check.confirmation {
                    Some(again) if again.is_confirmed() => { " The proof is " (again) "." },
                    Some(again @ Confirmation::Open(_)) => { " The proof is " (again) ", which were not enough. " (ended(check)) },
                    Some(_) => { " " strong.v-ko { "The proof does not hold." } },
                    None => { " The proof was not looked at again (" code { "--check" } ")." },
                }
            },
            SatStatus::Unknown => { (ended(check)) "Neither values nor a proof were found: " (boxes) " of the values of the unknowns were looked at." },
        }
    }
}

/// What ended the search early, if anything did.
fn ended(check: &CheckSat) -> Markup {
    let said = match check.reason {
        Some(UnknownReason::Timeout) => {
            "The search ended since its time was over; on another machine it may come further. "
        }
        Some(UnknownReason::Memout) => "The search ended since it may have no more memory. ",
        Some(UnknownReason::Interrupted) => "The search was interrupted. ",
        Some(UnknownReason::Incomplete) | None => "",
    };
    html! { (said) }
}

fn model(check: &CheckSat) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label="Values" { table {
        thead { tr { @for name in ["constant", "value", "in SMT-LIB"] { th scope="col" { (name) } } } }
        tbody { @for (name, value) in &check.model { tr {
            td { code { (name) } }
            td { @match smt::shown(value) {
                Some(shown) => (with_hex(&shown.decimal, shown.hex.as_deref().unwrap_or(&shown.decimal))),
                None => code { (value) },
            } }
            td { span.hex.faint { (value) } }
        } } }
    } } }
}

fn meaning() -> Markup {
    html! { dl {
        dt { "sat" } dd { "the assertions hold for these values. What the standard leaves open, such as the minimum of -0 and +0, is taken as \
            some meaning has it with which they do" }
        dt { "unsat" } dd { "the assertions hold for no values of the unknowns, whatever the standard leaves open: proved" }
        dt { "unknown" } dd { "neither was found within the budget; nothing is claimed" }
    } }
}
