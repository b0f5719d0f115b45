//! Open items and decisions: what a person has to look at and sign.

use super::{SignedRecord, identifier};
use crate::record::mutants::MutantRow;
use crate::report::forms::Stored;
use crate::suite::Standing;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The most items of a kind that are listed one by one; more are put into groups.
const LISTED: usize = 24;
/// The most characters of a formula that a cell shows.
const SHOWN: usize = 40;

/// Mutants of one kind, for one reason.
#[derive(Default)]
struct Group<'a> {
    mutants: usize,
    specifications: Vec<&'a str>,
    example: Option<&'a MutantRow>,
}

/// Why no test tells a mutant apart, without the numbers of the single case; of one that is the same function as another one, why
/// no test tells that apart.
fn reason(m: &MutantRow) -> String {
    let mut proof = m.proof.as_deref().unwrap_or("proved");
    while let Some((_, other)) = proof.strip_prefix("the same function as ").and_then(|rest| rest.split_once(": ")) {
        proof = other;
    }
    let head = proof.split([':', ';', ',']).next().unwrap_or(proof);
    let mut out = String::new();
    for c in head.chars() {
        let is_digit = c.is_ascii_digit() || c == '.' && out.ends_with('n');
        match is_digit {
            true if !out.ends_with('n') || out.ends_with(" in") => out.push('n'),
            true => {}
            false => out.push(c),
        }
    }
    out.replace("by n boxes", "by boxes")
}

impl SignedRecord<'_> {
    pub(super) fn open_items(&self) -> Markup {
        let of = |wanted: Standing| -> Vec<(&Stored, &MutantRow)> {
            let all = self.run.iter().flat_map(|one| one.mutants().iter().map(move |m| (one, m)));
            all.filter(|(_, m)| m.status == Some(wanted)).collect()
        };
        let (undecided, accepted) = (of(Standing::Undecided), of(Standing::Accepted));
        let mut groups: BTreeMap<(String, String), Group<'_>> = BTreeMap::new();
        for (one, m) in of(Standing::Indistinguishable) {
            let group = groups.entry((m.operator.name().to_owned(), reason(m))).or_default();
            group.mutants += 1;
            group.example.get_or_insert(m);
            if !group.specifications.contains(&one.name()) {
                group.specifications.push(one.name());
            }
        }
        html! {
            section {
                h2 { "Open items and decisions" }
                p { "Undecided: " strong { (undecided.len()) } ". Accepted by a person: " strong { (accepted.len()) }
                    ". Beyond what the required accuracy can tell: " strong { (groups.values().map(|g| g.mutants).sum::<usize>()) } "." }
                @if !undecided.is_empty() {
                    h3 { "Undecided" }
                    // Without the input of a nearest miss, whose digits fill lines.
                    (list(&undecided, |m| m.reason.as_deref().and_then(|r| r.split(" at ").next()).unwrap_or_default().to_owned()))
                }
                @if !accepted.is_empty() {
                    h3 { "Accepted" }
                    (list(&accepted, |m| m.accepted.as_ref().map_or(String::new(), |a| format!("{}, by {}", a.reason, a.by))))
                }
                @if !groups.is_empty() {
                    h3 { "What the required accuracy cannot see" }
                    p { "Each of these changes is proved to make no difference that the accuracy forbids. That the accuracy is right for the item \
                         is an engineering decision, to be signed for each group." }
                    table.sign {
                        thead { tr { @for name in ["kind of change", "why no test can tell", "changes", "for example", "decision, name, date"] { th scope="col" { (name) } } } }
                        tbody { @for ((operator, why), g) in &groups { tr {
                            td { (operator) } td { (why) }
                            td { (g.mutants) @if self.run.len() > 1 { " in " (g.specifications.len()) @if g.specifications.len() == 1 { " specification" } @else { " specifications" } } }
                            td { @if let Some(m) = g.example { (changed(m)) } }
                            td.line {}
                        } } }
                    }
                }
            }
        }
    }
}

/// Items with room for what is decided of each, or of each group where they are many.
fn list(items: &[(&Stored, &MutantRow)], why: impl Fn(&MutantRow) -> String) -> Markup {
    if items.len() > LISTED {
        return groups(items, why);
    }
    html! {
        table.sign {
            thead { tr { @for name in ["specification", "mutant", "change", "why", "disposition, name, date"] { th scope="col" { (name) } } } }
            tbody { @for (one, m) in items { tr {
                td { (identifier(one.name())) } td { (m.id) } td { (changed(m)) } td { (why(m)) } td.line {}
            } } }
        }
    }
}

/// Items by specification, kind and reason.
fn groups(items: &[(&Stored, &MutantRow)], why: impl Fn(&MutantRow) -> String) -> Markup {
    let mut groups: BTreeMap<(&str, &str, String), Vec<&MutantRow>> = BTreeMap::new();
    for (one, m) in items {
        let head = why(m).split(';').next().unwrap_or_default().to_owned();
        groups.entry((one.name(), m.operator.name(), head)).or_default().push(m);
    }
    html! {
        table.sign {
            thead { tr { @for name in ["specification", "kind of change", "why", "changes", "for example", "disposition, name, date"] { th scope="col" { (name) } } } }
            tbody { @for ((name, operator, why), all) in &groups { tr {
                td { (identifier(name)) } td { (operator) } td { (why) } td { (all.len()) } td { @for m in all.iter().take(1) { (m.id) ": " (changed(m)) } } td.line {}
            } } }
        }
        p.small { "Each change stands in mutants.csv of its specification's folder, and in the annex of mutants." }
    }
}

/// What a mutant changes, from where the two differ.
fn changed(m: &MutantRow) -> Markup {
    let (before, after) = (&m.before, &m.after);
    let is_long = before.chars().count().max(after.chars().count()) > SHOWN;
    let same = before.char_indices().zip(after.chars()).take_while(|((_, a), b)| a == b);
    let common = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
    // From the start of the word in which they differ, or so far before it that the cell is used.
    let last = after.char_indices().rev().nth(SHOWN - 1).map_or(0, |(at, _)| at);
    let word = before[..common.min(last)].rfind([' ', '(']).map_or(0, |at| at + 1);
    let from = if is_long { word } else { 0 };
    let part = |text: &str| {
        let rest = &text[from..];
        let end = rest.char_indices().nth(SHOWN).map_or(rest.len(), |(at, _)| at);
        format!("{}{}{}", if from > 0 { "…" } else { "" }, &rest[..end], if end < rest.len() { "…" } else { "" })
    };
    html! { code { (part(before)) } " → " code { (part(after)) } }
}
