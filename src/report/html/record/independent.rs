//! What the independent checker said of the claims: who checked what, and what was not checked.

use super::SignedRecord;
use crate::record::verification::{REFUTED, UnverifiedClaim, VERIFIED, Verification};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The most rows of claims that are not verified; all are in `verify.json`.
const LISTED: usize = 12;

/// Claims of one kind.
#[derive(Default)]
struct Tally {
    verified: u64,
    open: u64,
    refuted: u64,
}

fn tallies(checked: &[Verification]) -> BTreeMap<&str, Tally> {
    let mut all: BTreeMap<&str, Tally> = BTreeMap::new();
    for count in checked.iter().flat_map(|c| &c.specifications).flat_map(|s| &s.counts) {
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
fn reasons(checked: &[Verification]) -> Vec<(&UnverifiedClaim, &str, usize)> {
    let mut all: BTreeMap<(bool, &str, &str), (&UnverifiedClaim, &str, usize)> = BTreeMap::new();
    for one in checked.iter().flat_map(|c| &c.specifications) {
        for claim in &one.not_verified {
            let key = (claim.verdict != REFUTED, claim.kind.as_str(), claim.why.as_str());
            all.entry(key).or_insert((claim, &one.specification, 0)).2 += 1;
        }
    }
    all.into_values().collect()
}

impl SignedRecord<'_> {
    pub(super) fn independent_check(&self) -> Markup {
        let sum = |get: fn(&Verification) -> u64| self.checked.iter().map(get).sum::<u64>();
        let (verified, open, refuted) = (sum(|c| c.verified), sum(|c| c.not_verified), sum(|c| c.refuted));
        let reasons = reasons(self.checked);
        html! {
            section {
                h2 { "Independent check" }
                @if self.checked.is_empty() {
                    p { "Nothing here was checked by other means than Magneto: " code { "magneto verify DIR --keep" } " does so, and a record that is \
                         made after it says what it found." }
                } @else {
                    p { code { "magneto_verify" } " (Python, FLINT's ball arithmetic; it shares no code, table or file with Magneto) proved "
                        strong { (verified) } " claims again. It did not settle " strong { (open) } ", and refuted " strong { (refuted) }
                        ". Magneto alone stands for what is not listed as verified." }
                    @let (whole, part): (Vec<_>, Vec<_>) = tallies(self.checked).into_iter().partition(|(_, t)| t.open + t.refuted == 0);
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
        }
    }
}
