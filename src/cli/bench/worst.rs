//! `magneto bench worst`

use super::planted::{Measured, folder, jobs, measured};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use magneto::bench::searched::{Plan, Row, Total, WAYS, measure, totals};
use magneto::harness::Limits;
use magneto::options::{KNOBS, Origin, Settings};
use serde::Serialize;
use std::fmt::Write as _;

pub(super) fn command() -> Command {
    Command::new("worst")
        .about("How many planted faults `magneto worst` finds, beside plain ways to choose as many inputs")
        .after_help(
            "DIR is as for `bench faults`. Exit codes: 0; 1 if the search finds too few faults or any way something wrong \
             in a right implementation; 2 input error; 4 a program cannot be compiled or run; 130 interrupted.",
        )
        .arg(folder())
        .arg(
            Arg::new("evaluations")
                .long("evaluations")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("100000")
                .help("How often each way calls an implementation"),
        )
        .arg(
            Arg::new("least")
                .long("least")
                .value_name("PERCENT")
                .value_parser(value_parser!(u64).range(0..=100))
                .default_value("98")
                .help("The share of faults that the search has to find. Unit: percent"),
        )
        .arg(
            Arg::new("alone")
                .long("alone")
                .action(ArgAction::SetTrue)
                .help("Only the search, without what it is compared with"),
        )
        .arg(jobs())
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let number = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or_default();
    let mut settings = Settings::default();
    if let (Some(text), Some(knob)) = (matches.get_one::<String>("jobs"), KNOBS.iter().find(|k| k.name == "jobs")) {
        settings
            .set(knob, std::slice::from_ref(text), Origin::Flag)
            .map_err(|e| Failure::usage(format!("--jobs: {e}")))?;
    }
    let plan = Plan {
        evaluations: number("evaluations"),
        cap: settings.suite.precision_cap,
        jobs: settings.suite.jobs,
        ways: if matches.get_flag("alone") { 1 } else { WAYS.len() },
        limits: Limits::default(),
    };
    let Measured { rows, interrupted, .. } =
        measured(matches, output, |groups, this, stop, progress| measure(groups, &plan, this, stop, progress))?;
    let (totals, faults) = (totals(&rows), rows.iter().filter(|r| r.class.is_some()).count() as u64);
    let found = totals.first().map_or(0, |t| t.found) as u64;
    let exit = match interrupted {
        true => Exit::Interrupted,
        false if 100 * found < number("least") * faults || totals.iter().any(|t| t.false_alarms > 0) => Exit::Gate,
        false => Exit::Passed,
    };
    if output.json {
        output.print_json(&Document {
            schema: "magneto/bench-worst/1",
            evaluations: plan.evaluations,
            faults,
            ways: &totals,
            programs: &rows,
            exit: exit as u8,
        })?;
    } else if !output.quiet {
        output.say(text(faults, &plan, &rows, &totals))?;
    }
    Ok(exit)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    evaluations: u64,
    faults: u64,
    ways: &'a [Total],
    programs: &'a [Row],
    exit: u8,
}

fn text(faults: u64, plan: &Plan, rows: &[Row], totals: &[Total]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{faults} faults, {} evaluations each", plan.evaluations);
    let _ = writeln!(out, "{:<14}{:>7}{:>14}", "", "found", "first wrong");
    for t in totals {
        let median = t.median.map_or("-".to_owned(), |n| n.to_string());
        let _ = writeln!(out, "{:<14}{:>7}{median:>14}", t.way, t.found);
    }
    let _ = writeln!(out, "first wrong: evaluations to the first wrong result, median over all faults");
    let missed = |r: &&Row| r.class.is_some() && r.found.first().is_some_and(|f| !f.wrong);
    for row in rows.iter().filter(missed) {
        let _ = writeln!(out, "not found by the search: {}", row.file);
    }
    for row in rows.iter().filter(|r| r.class.is_none() && r.found.iter().any(|f| f.wrong)) {
        let _ = writeln!(out, "said to be right and found to be wrong: {}", row.file);
    }
    out
}
