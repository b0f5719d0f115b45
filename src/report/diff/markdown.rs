//! What changed, as Markdown for a pull request.

use super::text::{counts, mutant, test};
use super::{Changed, Diff, Sets};
use crate::options::Score;
use crate::report::text::clip;
use crate::text::is_hidden;
use std::fmt::Write as _;

/// The most of a list that is shown: comments of a pull request have a largest size.
const SHOWN: usize = 50;

impl Diff {
    /// As Markdown: a section for each specification that changed, long lists folded.
    #[must_use]
    pub fn markdown(&self) -> String {
        if self.is_empty() {
            return "No specification changed.\n".to_owned();
        }
        let mut out = String::new();
        self.specifications.iter().filter(|c| !c.is_empty()).for_each(|c| one(&mut out, c));
        for (what, names) in [("Added", &self.added), ("Gone", &self.gone)] {
            if !names.is_empty() {
                let names: Vec<String> = names.iter().map(|n| plain(n)).collect();
                let _ = writeln!(out, "**{what}:** {}\n", names.join(", "));
            }
        }
        let same = self.specifications.iter().filter(|c| c.is_empty()).count();
        if same > 0 {
            let _ = writeln!(out, "{same} more as before.");
        }
        out
    }
}

fn one(out: &mut String, c: &Changed) {
    let _ = writeln!(out, "### {}\n\n| | before | now |\n|---|---|---|", plain(&c.specification));
    let cell = |text: &Option<String>| text.as_ref().map_or(String::new(), |t| plain(&clip(t)));
    for edit in &c.edits {
        let _ = writeln!(out, "| {} | {} | {} |", plain(&edit.what), cell(&edit.before), cell(&edit.after));
    }
    for score in [Score::Rigorous, Score::Paper] {
        if let Some([before, after]) = c.shares(score) {
            let shown = |s: crate::suite::ScoreShare| format!("{} ({} of {})", s.text(), s.part, s.whole);
            let _ = writeln!(out, "| {} score | {} | {} |", score.name(), shown(before), shown(after));
        }
    }
    out.push('\n');
    folded(out, "mutants", &c.mutants, mutant);
    list(out, "with another status", &c.statuses, |b| format!("{} (was {})", mutant(&b.mutant), b.was.name()));
    list(out, "decisions that no longer hold", &c.decisions, |d| {
        let now = d.now.map_or("gone", |s| s.name());
        format!("{} by {}: {}; now {now}", mutant(&d.mutant), d.by, d.reason)
    });
    if let Some(tests) = &c.tests {
        folded(out, "tests", tests, test);
    }
    list(out, "old tests that ask for something else", &c.oracles, |o| {
        format!("{}: {}; now {}", test(&o.test), o.before.words(), o.after.words())
    });
}

fn folded<T>(out: &mut String, name: &str, sets: &Sets<T>, shown: impl Fn(&T) -> String) {
    let _ = writeln!(out, "**{name}:** {}\n", counts(sets));
    list(out, &format!("{name} added"), &sets.added, &shown);
    list(out, &format!("{name} gone"), &sets.gone, &shown);
}

fn list<T>(out: &mut String, title: &str, all: &[T], shown: impl Fn(&T) -> String) {
    if all.is_empty() {
        return;
    }
    let _ = writeln!(out, "<details><summary>{}: {}</summary>\n", plain(title), all.len());
    all.iter().take(SHOWN).for_each(|one| out.push_str(&format!("- {}\n", plain(&shown(one)))));
    if all.len() > SHOWN {
        let _ = writeln!(out, "- … and {} more", all.len() - SHOWN);
    }
    out.push_str("\n</details>\n\n");
}

/// Text in which nothing is markup, and which stays on one line.
fn plain(text: &str) -> String {
    let one = |c: char| match c {
        '&' | '<' | '>' | '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '~' | '@' | '#' | '$' | ':' => {
            format!("&#{};", c as u32)
        }
        c if is_hidden(c) || c.is_control() => " ".to_owned(),
        c => c.to_string(),
    };
    text.chars().map(one).collect()
}
