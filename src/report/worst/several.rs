//! What `magneto worst` found of several implementations.

use crate::record::number::rough;
use crate::record::worst::{Compared, Worst, WorstPart};
use crate::record::{Fields, VerdictWord};
use crate::report::cases::{CaseGroup, ReportedCase, State};
use crate::report::off::ErrorUnit;
use std::fmt::Write as _;

/// The most inputs at which two implementations are shown.
const SHOWN: usize = 3;

/// A line for each implementation, then what is wrong with those that are not OK.
#[must_use]
pub fn text(searches: &[Worst]) -> String {
    let width = |of: fn(&Worst) -> &str, head: &str| {
        searches.iter().map(|w| of(w).chars().count()).chain([head.len()]).max().unwrap_or_default()
    };
    let (first, second) = (width(|w| &w.specification, "specification"), width(Worst::label, "implementation"));
    let mut out = String::new();
    let mut line = |a: &str, b: &str, rest: String| {
        let _ = writeln!(out, "{a:<first$}  {b:<second$}  {rest}");
    };
    line("specification", "implementation", "evaluations     x the bound  no result  verdict".to_owned());
    for w in searches {
        let bounds = w.parts.first().map_or_else(|| "-".to_owned(), |p| size(&p.tolerances));
        let numbers = format!("{:>11}  {bounds:>14}  {:>9}  {}", w.evaluations, w.findings.len(), verdict(w));
        line(&w.specification, w.label(), numbers);
    }
    searches.iter().filter(|w| w.exit != 0).for_each(|w| out.push_str(&wrong(w)));
    searches.iter().for_each(|w| out.push_str(&compared(w)));
    let ok = searches.iter().filter(|w| w.exit == 0).count();
    let _ = writeln!(out, "\nof {} implementations {ok} gave nothing outside the bound", searches.len());
    let wrong = searches.iter().filter(|w| w.interrupted && is_wrong(w)).count();
    if wrong > 0 {
        let _ = writeln!(out, "{wrong} were found to be wrong before they were interrupted");
    }
    out
}

/// A number of which the first digits matter.
fn size(text: &str) -> String {
    text.parse().map_or_else(|_| text.to_owned(), rough)
}

/// Whether something outside the bound was found, however the search ended.
fn is_wrong(w: &Worst) -> bool {
    !w.findings.is_empty() || w.parts.iter().any(|p| p.verdict == VerdictWord::Ko)
}

/// How a search ended, in a word.
fn verdict(w: &Worst) -> &'static str {
    match () {
        () if w.broken.is_some() => "not run",
        () if w.interrupted && is_wrong(w) => "KO, interrupted",
        () if w.interrupted => "interrupted",
        () if w.exit == 0 => "OK",
        () if w.exit == 1 => "KO",
        () => "open",
    }
}

/// The worst results of an implementation.
fn wrong(w: &Worst) -> String {
    let mut out = format!("\n{}, {}\n", w.specification, w.label());
    if let Some(why) = &w.broken {
        why.lines().for_each(|l| out.push_str(&format!("  {l}\n")));
        return out;
    }
    for f in &w.findings {
        let _ = writeln!(out, "  {}: {}, {} times; a finite result is owed there", inputs(&f.input), f.what, f.times);
    }
    for p in w.parts.iter().take(1) {
        let _ = writeln!(out, "  {} at {}", p.verdict.name(), both(p));
        let _ = writeln!(out, "      {}", returned(p));
    }
    out
}

/// An implementation and the one that it was compared with, at the inputs at which either errs most.
fn compared(w: &Worst) -> String {
    let Some(against) = &w.against else { return String::new() };
    let other = against.implementation.label();
    let mut out = format!("\n{}, {} and {other} at the worst inputs of either, in ulps\n", w.specification, w.label());
    for row in against.inputs.iter().take(SHOWN) {
        let ulps = |k: usize| row.ulps[k].as_ref().map_or_else(|| row.results[k].clone(), |text| size(text));
        let _ = writeln!(out, "  {:>10} {:>10}  at {}", ulps(0), ulps(1), inputs(&row.input));
    }
    let number = |row: &Compared, k: usize| row.ulps[k].as_ref().and_then(|u| u.parse().ok()).unwrap_or(f64::INFINITY);
    let worse = |k: usize| against.inputs.iter().filter(|row| number(row, k) > number(row, 1 - k)).count();
    let _ =
        writeln!(out, "  {} errs more at {} of {}, {other} at {}", w.label(), worse(0), against.inputs.len(), worse(1));
    out
}

fn inputs(of: &Fields<String>) -> String {
    of.0.iter().map(|(name, x)| format!("{name} = {x}")).collect::<Vec<_>>().join(", ")
}

fn both(p: &WorstPart) -> String {
    let pairs = p.input.0.iter().zip(&p.input_dec.0);
    pairs.map(|((name, exact), (_, dec))| format!("{name} = {exact} ({dec})")).collect::<Vec<_>>().join(", ")
}

fn returned(p: &WorstPart) -> String {
    let owed = p.owed.as_ref().map_or(String::new(), |[lo, hi]| format!(", owed {lo} to {hi}"));
    let off = p.tolerances.parse().map_or_else(|_| size(&p.tolerances), |bounds| ErrorUnit::Bound.tell(bounds));
    format!("returned {}{owed}: off by {off}", p.result)
}

/// The parts and findings of all as test cases, a group for each implementation.
#[must_use]
pub fn groups(searches: &[Worst]) -> Vec<CaseGroup> {
    let part = |p: &WorstPart| {
        let state = match p.verdict {
            VerdictWord::Ok => State::Passed,
            VerdictWord::Ko => State::Failed(returned(p)),
            VerdictWord::Uncertain | VerdictWord::Probable | VerdictWord::None => State::Open(returned(p)),
        };
        ReportedCase { name: p.id.clone(), about: both(p), state }
    };
    let group = |w: &Worst| {
        let requirement = w.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
        let finding = |f: &crate::record::worst::Finding| {
            let (name, about) = (f.id.clone(), inputs(&f.input));
            ReportedCase { name, about, state: State::Failed(f.what.clone()) }
        };
        let mut cases: Vec<ReportedCase> = w.parts.iter().map(part).chain(w.findings.iter().map(finding)).collect();
        if let Some(why) = &w.broken {
            let state = State::Broken(why.clone());
            cases.push(ReportedCase { name: "all".to_owned(), about: w.label().to_owned(), state });
        }
        CaseGroup { name: format!("{}{requirement} {}", w.specification, w.label()), cases }
    };
    searches.iter().map(group).filter(|g| !g.cases.is_empty()).collect()
}
