//! What a person reads at the end of a run.

use super::number::rough;
use super::words::{given, where_possible};
use crate::mutate::{Mutant, MutationOperator};
use crate::num::AtMost;
use crate::program::LibmUlps;
use crate::record::mutants::NearMiss;
use crate::record::summary::{PlainEvaluation, PlainVerdict, Scores, Summary};
use crate::record::{Overview, Told};
use crate::spec::Spec;
use crate::suite::Counts;
pub use crate::text::clip;
use crate::text::line_column;
use std::fmt::{Display, Write as _};

/// The block of one specification. `place` says where its files are.
#[must_use]
pub fn summary(told: &Told, place: &str) -> String {
    let about = &told.summary;
    let mut out = String::new();
    let requirement = about.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
    let _ = writeln!(out, "{}{requirement}: accuracy {}", about.specification, about.accuracy);
    if about.accuracy_is_default {
        let _ = writeln!(out, "  note: the specification states no accuracy; this is the default");
    }
    if about.is_large {
        let _ = writeln!(out, "  note: {IS_LARGE}");
    }
    for doubt in doubts(about) {
        let _ = writeln!(out, "  warning: {doubt}");
    }
    let c = told.counts;
    out.push_str(&block(&c, about.tests, functional(about)));
    worth(&mut out, about);
    minimal(&mut out, about.minimal, c.killed);
    if let Some(plain) = &about.plain_evaluation {
        line(&mut out, &format!("plain {}", plain.format), plainly(plain));
    }
    if about.left_out > 0 {
        line(&mut out, "left out", format_args!("{} {LEFT_OUT}", about.left_out));
    }
    if told.repeated > 0 {
        let _ =
            writeln!(out, "  repeated            {} mutants are the same function as an earlier one", told.repeated);
    }
    for m in &told.undecided {
        let near = |n: &NearMiss| {
            let ratio = n.ratio.parse().unwrap_or(f64::NAN);
            let doubt = if ratio > 1.0 { ", no test there or not settled" } else { "" };
            format!("; nearest miss {}{doubt}", rough(ratio))
        };
        let near = m.near_miss.as_ref().map_or(String::new(), near);
        let (before, after) = (clip(&m.before), clip(&m.after));
        let _ = writeln!(out, "  undecided {} {}:{} {before} -> {after}{near}", m.id, m.line, m.column);
    }
    let unnamed = c.undecided - told.undecided.len();
    if unnamed > 0 {
        let _ = writeln!(out, "  … and {unnamed} more undecided: see mutants.csv");
    }
    line(&mut out, "files", place);
    out
}

/// What a large run does otherwise, as a sentence without a full stop.
pub const IS_LARGE: &str = "the run is large: its searches share one budget, which grows with --budget";

/// What of a formula with loops is no mutant, as the rest of a sentence without a full stop.
pub const LEFT_OUT: &str = "changes of loops that would go round too often, or whose rounds or indices are not certain";

/// Why scores say little where the accuracy asks for little, as sentences without a full stop.
#[must_use]
pub fn doubts(about: &Summary) -> Vec<String> {
    let constant = about.constant.as_ref().map(|c| {
        let tests = if c.tests == 1 { "the only test".to_owned() } else { format!("all {} tests", c.tests) };
        format!("the constant {} passes {tests} inside the domain", c.value)
    });
    let functional = functional(about).filter(|s| killable(s) == 0);
    let functional = functional.map(|s| format!("no functional mutant of {} can be told from f", s.mutants));
    constant.into_iter().chain(functional).collect()
}

/// The mutants with another function, if there are any.
fn functional(about: &Summary) -> Option<&Scores> {
    about.objectives.0.iter().find(|(objective, _)| objective == "functional").map(|(_, s)| s)
}

/// The mutants that are not settled without a test.
fn killable(s: &Scores) -> usize {
    s.mutants - (s.equivalent + s.indistinguishable + s.accepted)
}

/// What is known of the plain evaluation of the formula, as a part of a sentence.
#[must_use]
pub fn plainly(plain: &PlainEvaluation) -> String {
    let values = plain.inputs.iter().flat_map(|i| &i.0).map(|(name, x)| format!("{name} = {x}"));
    let at = values.collect::<Vec<_>>().join(", ");
    let error = plain.error.as_ref().and_then(|e| e.parse::<f64>().ok());
    let times = error.map_or(String::new(), rough);
    let library = plain.library_ulps.as_ref().and_then(|u| LibmUlps::new(u.parse().ok()?));
    let given = given(library);
    match (plain.verdict, error) {
        (PlainVerdict::Meets, most) => {
            let most = AtMost(most.unwrap_or(1.0));
            let possible = where_possible(most.0);
            format!("meets the accuracy, proved: its error is at most {most:.3} of the tolerance{possible}{given}")
        }
        (PlainVerdict::Misses, Some(e)) if e.is_finite() => {
            format!("misses the accuracy by a factor of {times} at {at}, the worst input found{given}")
        }
        (PlainVerdict::Misses, _) => {
            format!("misses the accuracy at {at}: it has no finite result there, or 0 is owed{given}")
        }
        (PlainVerdict::Open, Some(_)) => format!("open: the largest error found is {times} of the tolerance, at {at}"),
        (PlainVerdict::Open, None) => "open: neither an input that misses the accuracy nor a proof".into(),
    }
}

/// What the tests are good for: what they kill by objective, and how much of the domain has a test.
fn worth(out: &mut String, about: &Summary) {
    let share = |(objective, s): &(String, Scores)| format!("{objective} {} of {}", s.killed + s.probable, killable(s));
    let objectives: Vec<String> = about.objectives.0.iter().map(share).collect();
    if !objectives.is_empty() {
        line(out, "killed of", objectives.join(", "));
    }
    if let Some(regions) = regions(about) {
        line(out, "regions", regions);
    }
    if let Some(pairs) = about.second_order {
        let share = 100.0 * pairs.subsuming as f64 / pairs.killed.max(1) as f64;
        let harder = format!("{} ({share:.1} %) are harder to kill than both of their parts", pairs.subsuming);
        line(out, "second order", format_args!("{} of {} killed; {harder}", pairs.killed, pairs.mutants));
    }
}

/// How many regions of the domain have a test, as a part of a sentence; none where no mutant asks for that.
#[must_use]
pub fn regions(summary: &Summary) -> Option<String> {
    let (_, regions) = summary.operators.0.iter().find(|(name, _)| name == MutationOperator::Region.name())?;
    let without = regions.equivalent + regions.indistinguishable;
    let proved = if without > 0 { format!("; {without} more can have none, proved") } else { String::new() };
    Some(format!("{} of {} have a test{proved}", regions.killed, regions.mutants - without))
}

/// The block of all specifications of a run together.
#[must_use]
pub fn total(all: &Overview, c: &Counts) -> String {
    let mut out = format!("all {} specifications\n{}", all.specifications.len(), counts(c, all.tests));
    minimal(&mut out, all.minimal, c.killed);
    out
}

/// The line of the minimal mutants, if they are known.
fn minimal(out: &mut String, minimal: usize, killed: usize) {
    let stand = if minimal == 1 { "mutant stands" } else { "mutants stand" };
    if killed > 0 && minimal > 0 {
        line(out, "minimal", format_args!("{minimal} {stand} for all {killed} killed ones on these tests"));
    }
}

/// The lines of the counts and scores.
#[must_use]
pub fn counts(c: &Counts, tests: usize) -> String {
    block(c, tests, None)
}

/// The same, with the functional mutants where they are of one specification.
fn block(c: &Counts, tests: usize, functional: Option<&Scores>) -> String {
    let mut out = String::new();
    mutants(&mut out, c, None);
    line(&mut out, "tests", tests);
    scores(&mut out, c, functional);
    out
}

/// A line of a block.
pub(super) fn line(out: &mut String, name: &str, value: impl Display) {
    let gap = if name.chars().count() < 20 { "" } else { " " };
    let _ = writeln!(out, "  {name:<20}{gap}{value}");
}

/// How many mutants there are, and how many of each status. `missed` are those that the tests at hand do not kill
/// although a test exists that does.
pub(super) fn mutants(out: &mut String, c: &Counts, missed: Option<usize>) {
    line(out, "mutants", c.all);
    for (name, n) in [
        ("killed", Some(c.killed)),
        ("probable", Some(c.probable)),
        ("missed", missed),
        ("equivalent", Some(c.equivalent)),
        ("indistinguishable", Some(c.indistinguishable)),
        ("undecided", Some(c.undecided)),
        // What only a person makes is not missed where nobody did.
        ("accepted", Some(c.accepted).filter(|n| *n > 0)),
    ] {
        if let Some(n) = n {
            line(out, &format!("  {name}"), n);
        }
    }
}

/// Both scores with their counts, and a word where they are not about the function.
pub(super) fn scores(out: &mut String, c: &Counts, functional: Option<&Scores>) {
    let none = functional.is_some_and(|s| killable(s) == 0);
    let word = if none { ", 0 of 0 functional mutants" } else { "" };
    for (name, share) in [("rigorous score", c.rigorous()), ("paper score", c.paper())] {
        line(out, name, format_args!("{} ({} of {}{word})", share.text(), share.part, share.whole));
    }
}

/// A table of mutants: id, operator, place, change.
#[must_use]
pub fn table(source: &[u8], mutants: &[Mutant]) -> String {
    let mut out = String::new();
    for m in mutants {
        let (line, column) = line_column(source, m.span.start);
        let place = format!("{line}:{column}");
        let (before, after) = (clip(&m.before), clip(&m.after));
        let _ = writeln!(out, "{:<12}  {:<8}  {place:<8}  {before} -> {after}", m.id, m.operator.name());
    }
    out
}

/// The changes as diffs of the whole specification.
#[must_use]
pub fn diffs(spec: &Spec, source: &[u8], mutants: &[Mutant], color: bool) -> String {
    let before = spec.to_core().to_string();
    let (red, green, cyan, plain) =
        if color { ("\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[0m") } else { ("", "", "", "") };
    let mut out = String::new();
    for m in mutants {
        let (line, column) = line_column(source, m.span.start);
        let after = m.apply(spec).to_core().to_string();
        let (a, b): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
        let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        let most = a.len().min(b.len()) - same;
        let tail = a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(x, y)| x == y).count();
        let file = &spec.source_file;
        let _ = writeln!(out, "{cyan}--- {}  {} at {file}:{line}:{column}{plain}", m.id, m.operator.name());
        for text in &a[same.saturating_sub(1)..same] {
            let _ = writeln!(out, " {text}");
        }
        for text in &a[same..a.len() - tail] {
            let _ = writeln!(out, "{red}-{text}{plain}");
        }
        for text in &b[same..b.len() - tail] {
            let _ = writeln!(out, "{green}+{text}{plain}");
        }
        for text in a[a.len() - tail..].iter().take(1) {
            let _ = writeln!(out, " {text}");
        }
    }
    out
}
