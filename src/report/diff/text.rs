//! What changed, for a person at a terminal.

use super::{Changed, Diff, Edit, OfMutant, OfTest, Sets};
use crate::options::Score;
use crate::report::text::clip;
use std::fmt::Write as _;

/// The most of a list that is shown.
const SHOWN: usize = 8;

impl Diff {
    /// As text.
    #[must_use]
    pub fn text(&self) -> String {
        if self.is_empty() {
            return "nothing changed\n".to_owned();
        }
        let mut out = String::new();
        self.specifications.iter().for_each(|c| one(&mut out, c));
        self.added.iter().for_each(|name| out.push_str(&format!("{name}: added\n")));
        self.gone.iter().for_each(|name| out.push_str(&format!("{name}: gone\n")));
        out
    }
}

fn one(out: &mut String, c: &Changed) {
    if c.is_empty() {
        let _ = writeln!(out, "{}: nothing changed", c.specification);
        return;
    }
    let _ = writeln!(out, "{}", c.specification);
    for edit in &c.edits {
        line(out, &edit.what, &change(edit));
    }
    line(out, "mutants", &counts(&c.mutants));
    list(out, "added", &c.mutants.added, mutant);
    list(out, "gone", &c.mutants.gone, mutant);
    list(out, "now", &c.statuses, |b| format!("{} (was {})", mutant(&b.mutant), b.was.name()));
    list(out, "decision", &c.decisions, |d| {
        let now = d.now.map_or("is gone", |s| s.name());
        format!("by {} no longer holds: {} {now}; {}", d.by, d.mutant.id, d.reason)
    });
    if let Some(tests) = &c.tests {
        line(out, "tests", &counts(tests));
        list(out, "added", &tests.added, test);
        list(out, "gone", &tests.gone, test);
    }
    if !c.oracles.is_empty() {
        line(out, "oracles", &format!("{} old tests ask for something else now", c.oracles.len()));
        list(out, "was", &c.oracles, |o| {
            format!("{}: {}\n    now         {}", test(&o.test), o.before.words(), o.after.words())
        });
    }
    for score in [Score::Rigorous, Score::Paper] {
        if let Some([before, after]) = c.shares(score) {
            let shown = |s: crate::suite::ScoreShare| format!("{} ({} of {})", s.text(), s.part, s.whole);
            line(out, &format!("{} score", score.name()), &format!("{} -> {}", shown(before), shown(after)));
        }
    }
}

fn line(out: &mut String, name: &str, value: &str) {
    let _ = writeln!(out, "  {name:<18}{value}");
}

fn list<T>(out: &mut String, name: &str, all: &[T], shown: impl Fn(&T) -> String) {
    for one in all.iter().take(SHOWN) {
        let _ = writeln!(out, "    {name:<12}{}", shown(one));
    }
    if all.len() > SHOWN {
        let _ = writeln!(out, "    {name:<12}… and {} more", all.len() - SHOWN);
    }
}

/// An edit in words.
pub(super) fn change(edit: &Edit) -> String {
    match (&edit.before, &edit.after) {
        (Some(before), Some(after)) => format!("{} -> {}", clip(before), clip(after)),
        (None, Some(after)) => format!("added: {}", clip(after)),
        (Some(before), None) => format!("gone: {}", clip(before)),
        (None, None) => String::new(),
    }
}

pub(super) fn counts<T>(sets: &Sets<T>) -> String {
    format!("{} as before, {} added, {} gone", sets.kept, sets.added.len(), sets.gone.len())
}

pub(super) fn mutant(m: &OfMutant) -> String {
    let status = m.status.map_or(String::new(), |s| format!(", {}", s.name()));
    format!("{} {}: {} -> {}{status}", m.id, m.operator, clip(&m.before), clip(&m.after))
}

pub(super) fn test(t: &OfTest) -> String {
    let inputs: Vec<String> = t.inputs.0.iter().map(|(name, x)| format!("{name} = {x}")).collect();
    format!("{} at {}", t.id, inputs.join(", "))
}
