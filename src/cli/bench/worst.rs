//! `magneto bench worst`

use super::planted::{Measured, Planted, measured};
use super::tell;
use crate::cli::exit::{Exit, Failure};
use crate::cli::flags;
use crate::cli::output::Output;
use clap::{ArgMatches, Args, Command, value_parser};
use magneto::bench::searched::{FoundByWay, LargestFound, SearchedPlan, SearchedRow, Total, WAYS, measure, totals};
use magneto::harness::RunLimits;
use magneto::options::{JOBS, Settings};
use magneto::record::Document;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// How many planted faults `magneto worst` finds, and how large errors, beside plain ways to choose as many inputs
#[derive(Args)]
#[group(skip)]
struct Options {
    #[command(flatten)]
    planted: Planted,
    /// How often each way calls an implementation, for each of its results
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), default_value_t = 100_000)]
    evaluations: u64,
    /// The share of faults that the search has to find. Unit: percent
    #[arg(long, value_name = "PERCENT", value_parser = value_parser!(u64).range(0..=100), default_value_t = 98)]
    least: u64,
    /// Only the search, without what it is compared with
    #[arg(long)]
    alone: bool,
    /// Also what the search found of each program that has a fault
    #[arg(long)]
    each: bool,
}

pub(super) fn command() -> Command {
    flags::alone::<Options>(
        "worst",
        &[JOBS],
        "DIR is as for `bench faults`. Programs that say `// known:` are neither faulty nor right: the largest error \
         that is found stands beside the one that is known. Exit codes: 0; 1 if the search finds too few faults or any way \
         something wrong in a right implementation; 2 input error; 4 a program cannot be compiled or run; 130 interrupted.",
    )
}

fn plan(options: &Options, matches: &ArgMatches) -> Result<SearchedPlan, Failure> {
    let mut settings = Settings::default();
    flags::set(&mut settings, &[JOBS], matches)?;
    Ok(SearchedPlan {
        evaluations: options.evaluations,
        cap: settings.suite.precision_cap,
        jobs: settings.suite.jobs,
        ways: if options.alone { 1 } else { WAYS.len() },
        limits: RunLimits::default(),
    })
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let plan = plan(&options, matches)?;
    let words: (&[&str], _) = (&["bench", "worst"], &command());
    let Measured { rows, interrupted, part } = measured(
        (matches, &options.planted),
        words,
        |_| true,
        output,
        |groups, this, stop, progress| measure(groups, &plan, this, stop, progress),
    )?;
    match part {
        Some(part) => part.save(&rows, interrupted, output),
        None => end(matches, rows, interrupted, output),
    }
}

/// Tells what was found of all programs, and how that ends.
pub(super) fn end(
    matches: &ArgMatches,
    rows: Vec<SearchedRow>,
    interrupted: bool,
    output: &Output,
) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let plan = plan(&options, matches)?;
    let (totals, faults) = (totals(&rows), rows.iter().filter(|r| r.class.is_some()).count() as u64);
    let found = totals.first().map_or(0, |t| t.found) as u64;
    let exit = match interrupted {
        true => Exit::Interrupted,
        false if 100 * found < options.least * faults || totals.iter().any(|t| t.false_alarms > 0) => Exit::Gate,
        false => Exit::Passed,
    };
    let document =
        WorstDocument { evaluations: plan.evaluations, faults, ways: &totals, programs: &rows, exit: exit as u8 };
    let said = || {
        let mut said = if faults > 0 { text(faults, &plan, &rows, &totals) } else { String::new() };
        said.push_str(&beside_known(&rows));
        if options.each {
            said.push_str(&each(&rows));
        }
        said
    };
    tell((&options.planted.part, "bench-worst.json"), &document, said, output)?;
    Ok(exit)
}

#[derive(Serialize, JsonSchema)]
pub(super) struct WorstDocument<'a> {
    evaluations: u64,
    faults: u64,
    ways: &'a [Total],
    programs: &'a [SearchedRow],
    exit: u8,
}

impl Document for WorstDocument<'_> {
    const SCHEMA: &'static str = "magneto/bench-worst/1";
    const WRITER: &'static str = "bench worst";
}

fn text(faults: u64, plan: &SearchedPlan, rows: &[SearchedRow], totals: &[Total]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{faults} faults, {} evaluations each", plan.evaluations);
    let _ = writeln!(out, "{:<14}{:>7}{:>14}", "", "found", "first wrong");
    for t in totals {
        let median = t.median.map_or("-".to_owned(), |n| n.to_string());
        let _ = writeln!(out, "{:<14}{:>7}{median:>14}", t.way, t.found);
    }
    let _ = writeln!(out, "first wrong: evaluations to the first wrong result, median over all faults");
    let missed = |r: &&SearchedRow| r.class.is_some() && r.found.first().is_some_and(|f| !f.wrong);
    for row in rows.iter().filter(missed) {
        let _ = writeln!(out, "not found by the search: {}", row.file);
    }
    for row in rows.iter().filter(|r| r.class.is_none() && r.known.is_none() && r.found.iter().any(|f| f.wrong)) {
        let _ = writeln!(out, "said to be right and found to be wrong: {}", row.file);
    }
    out
}

/// The largest errors that each way found of programs of which the largest known one is told.
fn beside_known(rows: &[SearchedRow]) -> String {
    let mut out = String::new();
    let known: Vec<(&SearchedRow, f64)> = rows.iter().filter_map(|r| Some((r, r.known?))).collect();
    let Some((first, _)) = known.first() else { return out };
    let ways: Vec<&str> = WAYS.iter().take(first.found.len()).map(|w| w.1).collect();
    let heads: String = ways.iter().map(|w| format!("{w:>14}")).collect();
    let _ = writeln!(out, "{:<16}{:>12}{heads}{:>8}{:>12}  at", "largest errors", "known", "share", "a second");
    for (row, ulps) in &known {
        let errors: String = row.found.iter().map(|f| format!("{:>14}", error(f, |l| l.ulps))).collect();
        let (found, largest) = (&row.found[0], row.found[0].largest.as_ref());
        let share = largest.map_or("-".to_owned(), |l| format!("{:.3}", l.ulps / ulps));
        let at = largest.map_or(String::new(), |l| l.at.join(" "));
        let _ = writeln!(out, "{:<16}{ulps:>12.6}{errors}{share:>8}{:>12.0}  {at}", row.file, found.per_second);
    }
    for (k, way) in ways.iter().enumerate() {
        let of = |row: &SearchedRow, ulps: f64| row.found[k].largest.as_ref().is_some_and(|l| l.ulps >= 0.95 * ulps);
        let reached = known.iter().filter(|(row, ulps)| of(row, *ulps)).count();
        let _ = writeln!(out, "{way}: at least 95 % of what is known for {reached} of {}", known.len());
    }
    out.push_str("errors in ulps; share of the known one, inputs and calls a second are of the search\n");
    out
}

/// What the search found of each program with a fault.
fn each(rows: &[SearchedRow]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{:<24}{:>12}{:>14}{:>10}  at", "program", "first wrong", "error", "a second");
    for (row, found) in rows.iter().filter(|r| r.class.is_some()).filter_map(|r| Some((r, r.found.first()?))) {
        let first = found.first.map_or("-".to_owned(), |n| n.to_string());
        let at = found.largest.as_ref().map_or(String::new(), |l| l.at.join(" "));
        let error = error(found, |l| l.tolerances);
        let _ = writeln!(out, "{:<24}{first:>12}{error:>14}{:>10.0}  {at}", row.file, found.per_second);
        for (what, input) in &found.instead {
            let _ = writeln!(out, "{:<24}{:>26}{:>10}  {}", "", what, "", input.join(" "));
        }
    }
    out.push_str("error: the largest of a finite result, in units of the bound\n");
    out
}

/// An error in the unit that is picked.
fn error(found: &FoundByWay, unit: impl Fn(&LargestFound) -> f64) -> String {
    let shown = |e: f64| if e < 1e6 { format!("{e:.6}") } else { format!("{e:.3e}") };
    found.largest.as_ref().map_or("-".to_owned(), |l| shown(unit(l)))
}
