//! What the independent checker said of the claims: who checked what, and what was not checked.

use super::data::Run;
use crate::record::verification::{
    REFUTED, UnverifiedClaim, VERIFIED, Verification, VerifiedFile, VerifiedKind, VerifiedSpecification,
};
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Claims about a run as a whole, on which all others rest.
const OF_THE_RUN: [&str; 3] = ["files", "tables", "specification"];
/// The most rows of claims that are not verified; all are in `verify.json`.
const LISTED: usize = 12;

/// Claims of one kind.
#[derive(Default)]
struct Tally {
    verified: u64,
    open: u64,
    refuted: u64,
}

fn tallies<'c>(checked: &[&'c VerifiedSpecification]) -> BTreeMap<&'c str, Tally> {
    let mut all: BTreeMap<&str, Tally> = BTreeMap::new();
    for count in checked.iter().flat_map(|s| &s.counts) {
        let tally = all.entry(&count.kind).or_default();
        match count.verdict.as_str() {
            VERIFIED => tally.verified += count.claims,
            REFUTED => tally.refuted += count.claims,
            _ => tally.open += count.claims,
        }
    }
    all
}

/// Claims that are not verified by kind and reason, with the specification and subject of the first; the refuted ones first.
fn reasons<'c>(checked: &[&'c VerifiedSpecification]) -> Vec<(&'c UnverifiedClaim, &'c str, usize)> {
    let mut all: BTreeMap<(bool, &str, &str), (&UnverifiedClaim, &str, usize)> = BTreeMap::new();
    for one in checked {
        for claim in &one.not_verified {
            let key = (claim.verdict != REFUTED, claim.kind.as_str(), claim.why.as_str());
            all.entry(key).or_insert((claim, &one.specification, 0)).2 += 1;
        }
    }
    all.into_values().collect()
}

/// What the checker said of the claims of some specifications, in numbers, and why some are not verified.
pub(super) fn told(checked: &[&VerifiedSpecification]) -> Markup {
    let (all, reasons) = (tallies(checked), reasons(checked));
    let sum = |get: fn(&Tally) -> u64| all.values().map(get).sum::<u64>();
    let (verified, open, refuted) = (sum(|t| t.verified), sum(|t| t.open), sum(|t| t.refuted));
    html! {
        p { code { "magneto_verify" } " (Python, FLINT's ball arithmetic; it shares no code, table or file with Magneto) proved "
            strong { (verified) } " claims again. It did not settle " strong { (open) } ", and refuted " strong { (refuted) }
            ". Magneto alone stands for what is not listed as verified." }
        @let (whole, part): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, t)| t.open + t.refuted == 0);
        p.small { "All of a kind, with how many: "
            (whole.iter().map(|(kind, t)| format!("{kind} ({})", t.verified)).collect::<Vec<_>>().join(", ")) "." }
        @if !part.is_empty() { table {
            thead { tr { @for name in ["claim", "verified", "not verified", "refuted"] { th scope="col" { (name) } } } }
            tbody { @for (kind, t) in part { tr {
                td { (kind) } td { (t.verified) } td { (t.open) } td { (t.refuted) }
            } } }
        } }
        @if !reasons.is_empty() {
            h3 { "Not verified" }
            table {
                thead { tr { @for name in ["claims", "kind", "why", "the first"] { th scope="col" { (name) } } } }
                tbody { @for (claim, specification, count) in reasons.iter().take(LISTED) { tr {
                    td { (count) } td { (claim.kind) @if claim.verdict == REFUTED { " " strong { (REFUTED) } } }
                    td { (claim.why) } td { (specification) " " (claim.subject) }
                } } }
            }
            @if reasons.len() > LISTED { p.small { (reasons.len() - LISTED) " more reasons stand in verify.json." } }
        }
    }
}

/// Who stands for what is claimed of a test or a mutant: Magneto alone, and why, or the checker as well.
pub(super) fn of_claims(checked: &VerifiedSpecification, id: &str) -> Markup {
    let is_about = |c: &&UnverifiedClaim| {
        OF_THE_RUN.contains(&c.kind.as_str()) || c.subject.split_whitespace().any(|word| word == id)
    };
    let (refuted, open): (Vec<_>, Vec<_>) =
        checked.not_verified.iter().filter(is_about).partition(|c| c.verdict == REFUTED);
    match (refuted.first(), open.first()) {
        (Some(claim), _) => html! { strong title=(claim.why) { (REFUTED) ": " (claim.kind) } },
        (None, Some(claim)) => html! { span title=(claim.why) { "Magneto; not the " (claim.kind) } },
        (None, None) => html! { "both" },
    }
}

/// The section of a run's page, where the checker was asked.
pub(super) fn of_run(run: &Run) -> Option<Markup> {
    run.verified.as_ref().map(|checked| told(&[checked]))
}

/// The section of the page of a document, by its path in the folder; empty where the checker was not asked.
pub(super) fn section(verified: Option<&Verification>, path: &str) -> Markup {
    let found = verified.and_then(|v| v.of_document(|file| file.file == path));
    html! { @if let Some((_, part)) = found {
        section #checker aria-labelledby="h-checker" { h2 #h-checker { "Independent check" } (told(&[part])) }
    } }
}

/// What the checker said, each document once, without what it said of documents that are not here any more.
pub(super) fn parts_about(all: &[Verification], is_here: impl Fn(&str) -> bool) -> Vec<&VerifiedSpecification> {
    let mut seen = BTreeSet::new();
    let mut parts = Vec::new();
    for verification in all {
        let files = || verification.about.iter().chain(&verification.evidence);
        for part in &verification.specifications {
            let alone = files().find(|f| f.specification.as_ref() == Some(&part.specification) && !is_of_run(f, part));
            if alone.is_none_or(|file| is_here(&file.sha256) && seen.insert(&file.sha256)) {
                parts.push(part);
            }
        }
    }
    parts
}

/// Who stands for the claims of a document with this hash: Magneto alone, or the checker as well, and for how many of them.
pub(super) fn of_document(all: &[Verification], sha256: &str) -> String {
    let Some((file, part)) = all.iter().find_map(|v| v.of_document(|file| file.sha256 == sha256)) else {
        return "Magneto".into();
    };
    let of = |is_it: &dyn Fn(&str) -> bool| -> u64 {
        counts_of(file, part).filter(|c| is_it(&c.verdict)).map(|c| c.claims).sum()
    };
    let (all, verified, refuted) = (of(&|_| true), of(&|v| v == VERIFIED), of(&|v| v == REFUTED));
    match () {
        () if refuted > 0 => format!("{REFUTED}: {refuted} of {all} claims"),
        () if verified == all => "both".into(),
        () => format!("both for {verified} of {all} claims, Magneto for the others"),
    }
}

/// What the kinds of claims of a document begin with where they stand with the claims of a run.
fn kind_of_run(file: &VerifiedFile) -> String {
    let stem = Path::new(&file.file).file_stem().and_then(|s| s.to_str()).unwrap_or_default();
    format!("{}: ", stem.split('-').next().unwrap_or_default())
}

/// Whether the claims of a document stand with those of a run.
fn is_of_run(file: &VerifiedFile, part: &VerifiedSpecification) -> bool {
    let kind = kind_of_run(file);
    part.counts.iter().any(|c| c.kind.starts_with(&kind))
}

/// What the checker said of the claims of a document, by kind and verdict.
fn counts_of<'v>(file: &VerifiedFile, part: &'v VerifiedSpecification) -> impl Iterator<Item = &'v VerifiedKind> {
    let (of_run, kind) = (is_of_run(file, part), kind_of_run(file));
    part.counts.iter().filter(move |c| !of_run || c.kind.starts_with(&kind))
}
