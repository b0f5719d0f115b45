//! What `magneto cover` found of the implementations of a `magneto.toml`.

use crate::record::cover::CoveredFunction;
use crate::record::covers::{BranchCounts, CoveredImplementation, Covers};
use std::fmt::Write as _;

/// A line for each implementation, then the wrong results of each, and why some could not be looked into. Of those that could
/// there is a function for each.
#[must_use]
pub fn text(covers: &Covers, functions: &[Option<&CoveredFunction>]) -> String {
    let all = &covers.implementations;
    let width = |of: fn(&CoveredImplementation) -> &String, head: &str| {
        all.iter().map(|c| of(c).chars().count()).chain([head.len()]).max().unwrap_or_default()
    };
    let (first, second) =
        (width(|c| &c.specification, "specification"), width(|c| &c.implementation, "implementation"));
    let mut out = String::new();
    let mut line = |a: &str, b: &str, rest: String| {
        let _ = writeln!(out, "{a:<first$}  {b:<second$}  {rest}");
    };
    let head = "branches   taken  infeasible    open  coverage      KO  verdict";
    line("specification", "implementation", head.to_owned());
    for c in all {
        let numbers = match &c.counts {
            Some(BranchCounts { branches, taken, infeasible, open, coverage, wrong, .. }) => {
                format!("{branches:>8}{taken:>8}{infeasible:>12}{open:>8}{coverage:>10.4}{wrong:>8}")
            }
            None => " ".repeat(54),
        };
        line(&c.specification, &c.implementation, format!("{numbers}  {}", verdict(c)));
    }
    for (c, function) in all.iter().zip(functions).filter(|(c, _)| c.exit != 0) {
        let _ = writeln!(out, "\n{}, {}", c.specification, c.implementation);
        let mut about = c.broken.clone().unwrap_or_default();
        function.iter().for_each(|f| f.faults(&mut about));
        about.lines().for_each(|l| out.push_str(&format!("  {l}\n")));
    }
    let ok = all.iter().filter(|c| c.exit == 0).count();
    let _ = writeln!(out, "\n{ok} of {} implementations passed", all.len());
    out
}

/// How the search ended, in a word.
fn verdict(c: &CoveredImplementation) -> &'static str {
    match &c.counts {
        None => "not run",
        Some(_) if c.exit == 0 => "OK",
        Some(counts) if counts.wrong > 0 => "KO",
        Some(_) => "missed",
    }
}
