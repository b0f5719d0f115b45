//! What stands behind a record, for those who ask for it: tests, mutants, proofs.

use super::SignedRecord;
use crate::record::mutants::MutantRow;
use crate::report::forms::Stored;
use crate::report::html::values::{both, exact};
use crate::suite::Standing;
use maud::{Markup, html};

/// An annex of a record, which is there on request only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordAnnex {
    /// Every test with its input, what is right there, and how many mutants it kills.
    Tests,
    /// Every mutant with what became of it.
    Mutants,
    /// The proofs that mutants cannot be killed.
    Proofs,
}

impl RecordAnnex {
    /// All of them, in the order in which they stand.
    pub const ALL: [RecordAnnex; 3] = [RecordAnnex::Tests, RecordAnnex::Mutants, RecordAnnex::Proofs];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RecordAnnex::Tests => "tests",
            RecordAnnex::Mutants => "mutants",
            RecordAnnex::Proofs => "proofs",
        }
    }
}

impl SignedRecord<'_> {
    /// The annexes that were asked for, each over all specifications.
    pub(super) fn annex_sections(&self) -> Markup {
        let wanted = RecordAnnex::ALL.into_iter().filter(|a| self.annexes.contains(a));
        html! {
            @for (k, annex) in wanted.enumerate() {
                section.annex id={ "annex-" (annex.name()) } {
                    h2 { "Annex " (letter(k)) ": " (annex.name()) }
                    @for one in self.run {
                        h3 { (one.name()) }
                        @match annex {
                            RecordAnnex::Tests => (tests(one)),
                            RecordAnnex::Mutants => (mutants(one)),
                            RecordAnnex::Proofs => (proofs(one)),
                        }
                    }
                }
            }
        }
    }
}

fn letter(k: usize) -> char {
    (b'A'..=b'Z').nth(k).map_or('?', char::from)
}

fn tests(one: &Stored) -> Markup {
    let part = &one.part;
    html! { table {
        thead { tr { @for name in ["test", "input", "right from", "to", "kills", "why"] { th scope="col" { (name) } } } }
        tbody { @for (t, test) in part.tests.tests.iter().enumerate() { tr {
            td { (test.id) } td { (both(&test.inputs, &test.inputs_dec)) }
            @match (&test.lo, &test.hi) {
                (Some(lo), Some(hi)) => { td { (exact(lo)) } td { (exact(hi)) } },
                _ => td colspan="2" { (test.expected.as_deref().unwrap_or("")) " (outside the domain)" },
            }
            td { (part.matrix.kills(t).count()) } td { (test.origin) @if !test.reason.is_empty() { ": " (test.reason) } }
        } } }
    } }
}

fn status(m: &MutantRow) -> &'static str {
    m.status.map_or("", Standing::name)
}

fn mutants(one: &Stored) -> Markup {
    html! { table {
        thead { tr { @for name in ["mutant", "place", "operator", "instead of", "stands", "status", "killed by"] { th scope="col" { (name) } } } }
        tbody { @for m in &one.part.mutants.mutants { tr {
            td { code { (m.id) } } td { (m.line) ":" (m.column) } td { (m.operator.name()) }
            td { code { (m.before) } } td { code { (m.after) } } td { (status(m)) } td { (m.killed_by.as_deref().unwrap_or("")) }
        } } }
    } }
}

fn proofs(one: &Stored) -> Markup {
    let proved: Vec<&MutantRow> = one.part.mutants.mutants.iter().filter(|m| m.proof.is_some()).collect();
    html! {
        @if proved.is_empty() { p { "No mutant is proved to be beyond all tests." } } @else { table {
            thead { tr { @for name in ["mutant", "change", "status", "proof"] { th scope="col" { (name) } } } }
            tbody { @for m in proved { tr {
                td { code { (m.id) } } td { code { (m.before) } " → " code { (m.after) } } td { (status(m)) }
                td { (m.proof.as_deref().unwrap_or("")) }
            } } }
        } }
    }
}
