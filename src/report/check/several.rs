//! What `magneto check` found of several implementations.

use super::units::WAIVED;
use crate::record::VerdictWord;
use crate::record::check::{Check, TestResult};
use crate::report::cases::{CaseGroup, ReportedCase, State};
use crate::report::off::ErrorUnit;
use std::fmt::Write as _;

/// The most wrong results that are shown of an implementation, unless all are asked for.
const SHOWN: usize = 3;

/// A line for each implementation, then what is wrong with those that are not OK.
#[must_use]
pub fn text(checks: &[Check], verbose: bool) -> String {
    let width = |of: fn(&Check) -> &str, head: &str| {
        checks.iter().map(|c| of(c).chars().count()).chain([head.len()]).max().unwrap_or_default()
    };
    let (first, second) = (width(|c| &c.specification, "specification"), width(Check::label, "implementation"));
    let mut out = String::new();
    let mut line = |a: &str, b: &str, rest: String| {
        let _ = writeln!(out, "{a:<first$}  {b:<second$}  {rest}");
    };
    line("specification", "implementation", "   tests      OK      KO  outside  verdict".to_owned());
    for c in checks {
        let outside = format!("{}/{}", c.robustness.ok, c.robustness.tests);
        let numbers =
            format!("{:>8}{:>8}{:>8}  {outside:>7}  {}", c.counts.tests, c.counts.ok, c.counts.ko, verdict(c));
        line(&c.specification, c.label(), numbers);
    }
    for c in checks.iter().filter(|c| c.exit != 0) {
        out.push_str(&wrong(c, verbose));
    }
    let ok = checks.iter().filter(|c| c.exit == 0).count();
    let _ = writeln!(out, "\n{ok} of {} implementations passed", checks.len());
    out
}

/// How a check ended, in a word.
fn verdict(c: &Check) -> &'static str {
    match () {
        () if c.broken.is_some() => "not run",
        () if c.interrupted && c.counts.ko > 0 => "KO, interrupted",
        () if c.interrupted => "interrupted",
        () if c.exit == 0 => "OK",
        () if c.exit == 1 => "KO",
        () => "open",
    }
}

/// The worst results of an implementation, and what they look like.
fn wrong(c: &Check, verbose: bool) -> String {
    let mut out = format!("\n{}, {}\n", c.specification, c.label());
    if let Some(broken) = &c.broken {
        broken.reason.lines().for_each(|l| out.push_str(&format!("  {l}\n")));
        return out;
    }
    let mut not_ok: Vec<&TestResult> =
        c.tests.iter().filter(|t| t.verdict != VerdictWord::Ok && (!t.robustness || c.robustness_counts)).collect();
    let off = |t: &TestResult| t.error_in_bounds.as_ref().and_then(|e| e.parse().ok()).unwrap_or(f64::INFINITY);
    not_ok.sort_by(|a, b| off(b).total_cmp(&off(a)));
    let shown = if verbose { not_ok.len() } else { SHOWN };
    for t in not_ok.iter().take(shown) {
        let _ = writeln!(out, "  {} {}: {}", t.verdict.name(), t.id, about(t));
        let _ = writeln!(out, "      {}", finding(c, t));
    }
    if not_ok.len() > shown {
        let _ = writeln!(out, "  and {} more", not_ok.len() - shown);
    }
    for cause in c.causes.iter().take(1) {
        let _ = writeln!(out, "  likely cause: the results match {}", cause.matches);
    }
    out
}

/// The inputs of a test.
fn about(t: &TestResult) -> String {
    let pairs = t.inputs.0.iter().zip(&t.inputs_dec.0);
    pairs.map(|((name, exact), (_, dec))| format!("{name} = {exact} ({dec})")).collect::<Vec<_>>().join(", ")
}

/// What came back, and why that is not right.
fn finding(c: &Check, t: &TestResult) -> String {
    let Some(y) = &t.result_dec else { return t.reason.clone() };
    let off = t.error_in_bounds.as_ref().and_then(|e| e.parse().ok());
    let off = off.map_or(String::new(), |bounds| format!(": off by {}", ErrorUnit::read(&c.accuracy).tell(bounds)));
    format!("returned {y}, {}{off}", t.reason)
}

/// The tests of all as test cases: two groups for each, of the domain and of robustness tests.
#[must_use]
pub fn groups(checks: &[Check]) -> Vec<CaseGroup> {
    let group = |c: &Check, robustness: bool| {
        let requirement = c.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
        let kind = if robustness { " robustness" } else { "" };
        let mut cases: Vec<ReportedCase> =
            c.tests.iter().filter(|t| t.robustness == robustness).map(|t| case(c, t)).collect();
        if let Some(broken) = c.broken.as_ref().filter(|_| !robustness && cases.is_empty()) {
            let state = State::Broken(broken.reason.clone());
            cases.push(ReportedCase { name: "all".to_owned(), about: c.label().to_owned(), state });
        }
        CaseGroup { name: format!("{}{requirement} {}{kind}", c.specification, c.label()), cases }
    };
    let all = checks.iter().flat_map(|c| [group(c, false), group(c, true)]);
    all.filter(|g| !g.cases.is_empty()).collect()
}

fn case(c: &Check, t: &TestResult) -> ReportedCase {
    let message = finding(c, t);
    let state = match t.verdict {
        VerdictWord::Ok => State::Passed,
        _ if t.robustness && !c.robustness_counts => State::Waived(format!("{message}; {WAIVED}")),
        VerdictWord::Ko => State::Failed(message),
        VerdictWord::Uncertain | VerdictWord::Probable => State::Open(message),
        VerdictWord::None => State::Broken(message),
    };
    ReportedCase { name: t.id.clone(), about: about(t), state }
}
