//! What a person reads at the end of a run.

use super::Suite;
use super::number::rough;
use crate::mutate::Mutant;
use crate::spec::Spec;
use crate::spec::diagnostic::line_column;
use crate::suite::subsumption::minimal as minimal_of;
use crate::suite::{Counts, Generated, NearMiss, Status};
use std::fmt::{Display, Write as _};

/// The most undecided mutants that a summary names.
const NAMED: usize = 5;

/// The block of one specification. `place` says where its files are.
#[must_use]
pub fn summary(suite: &Suite<'_>, place: &str) -> String {
    let (spec, g) = (suite.spec, suite.generated);
    let mut out = String::new();
    let requirement = spec.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
    let _ = writeln!(out, "{}{requirement}: accuracy {}", spec.name, spec.accuracy);
    if spec.accuracy_defaulted {
        let _ = writeln!(out, "  note: the specification states no accuracy; this is the default");
    }
    out.push_str(&counts(&g.counts, g.tests.len()));
    minimal(&mut out, minimal_of(&g.mutants).len(), g.counts.killed);
    let repeated = g.mutants.iter().filter(|j| j.same_as.is_some()).count();
    if repeated > 0 {
        let _ = writeln!(out, "  repeated            {repeated} mutants are the same function as an earlier one");
    }
    let undecided: Vec<usize> =
        (0..g.mutants.len()).filter(|m| matches!(g.mutants[*m].status, Status::Undecided(_))).collect();
    for &m in undecided.iter().take(NAMED) {
        let j = &g.mutants[m];
        let (line, column) = suite.place(m);
        let near = |n: &NearMiss| {
            let doubt = if n.ratio > 1.0 { " in binary64, not confirmed" } else { "" };
            format!("; nearest miss {}{doubt}", rough(n.ratio))
        };
        let near = j.near_miss.as_ref().map_or(String::new(), near);
        let (before, after) = (clip(&j.mutant.before), clip(&j.mutant.after));
        let _ = writeln!(out, "  undecided {} {line}:{column} {before} -> {after}{near}", j.mutant.id);
    }
    if undecided.len() > NAMED {
        let _ = writeln!(out, "  … and {} more undecided: see mutants.csv", undecided.len() - NAMED);
    }
    line(&mut out, "files", place);
    out
}

/// The block of all specifications of a run together.
#[must_use]
pub fn total<'a>(suites: impl Iterator<Item = &'a Generated> + Clone) -> String {
    let all = Counts::of(suites.clone().flat_map(|g| &g.mutants));
    let tests = suites.clone().map(|g| g.tests.len()).sum();
    let mut out = format!("all {} specifications\n{}", suites.clone().count(), counts(&all, tests));
    minimal(&mut out, suites.map(|g| minimal_of(&g.mutants).len()).sum(), all.killed);
    out
}

/// The line of the minimal mutants, if any is killed.
fn minimal(out: &mut String, minimal: usize, killed: usize) {
    let stand = if minimal == 1 { "mutant stands" } else { "mutants stand" };
    if killed > 0 {
        line(out, "minimal", format_args!("{minimal} {stand} for all {killed} killed ones on these tests"));
    }
}

/// The lines of the counts and scores.
#[must_use]
pub fn counts(c: &Counts, tests: usize) -> String {
    let mut out = String::new();
    mutants(&mut out, c, None);
    line(&mut out, "tests", tests);
    scores(&mut out, c);
    out
}

/// A line of a block.
pub(super) fn line(out: &mut String, name: &str, value: impl Display) {
    let _ = writeln!(out, "  {name:<20}{value}");
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

/// Both scores with their counts.
pub(super) fn scores(out: &mut String, c: &Counts) {
    let killable = c.functional - c.functional_not_killable;
    let seen = c.killed + c.probable;
    line(out, "rigorous score", format_args!("{} ({} of {killable})", score(c.killed, killable), c.killed));
    line(out, "paper score", format_args!("{} ({seen} of {})", score(seen, c.all), c.all));
}

/// A share to four places, rounded down: 1.0000 means all.
#[must_use]
pub fn score(part: usize, whole: usize) -> String {
    let units = if whole == 0 { 10_000 } else { part as u128 * 10_000 / whole as u128 };
    format!("{}.{:04}", units / 10_000, units % 10_000)
}

/// A piece of a formula, short enough for a line.
#[must_use]
pub fn clip(text: &str) -> String {
    const LONGEST: usize = 48;
    let mut short: String = text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
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
