//! `magneto bench faults`

use super::planted::{Measured, folder, jobs, measured};
use super::tell;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use crate::cli::shards;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use magneto::bench::faults::{Class, Plan, Row, by_class, measure};
use magneto::options::{KNOBS, Origin, Settings};
use magneto::record::Document;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// The flags that are knobs.
const SET: [&str; 5] = ["operators", "budget", "boundary", "minimize", "jobs"];

pub(super) fn command() -> Command {
    let value = |name: &'static str, value: &'static str| Arg::new(name).long(name).value_name(value);
    let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let command = Command::new("faults")
        .about("How many planted faults the tests find, beside as many random tests")
        .after_help(
            "Each C file of DIR has a function `f` with one fault and begins with the comments `// class: …`, \
             `// fault: …` and `// spec: FILE.fpcore`. One that begins with `// right:` instead of the first two has none \
             and must pass. The tests are made from the specification alone; tests outside the domain do not count. \
             Exit codes: 0; 1 if a right implementation fails a test; 2 input error; 4 a program cannot be compiled or run; 130 interrupted.",
        )
        .arg(folder())
        .arg(
            value("seeds", "N")
                .value_parser(value_parser!(u64))
                .default_value("20")
                .help("For how many seeds random tests are drawn; 0 leaves them out"),
        )
        .arg(value("operators", "SET").help("Mutation operators: `paper`, `full` or a list. Default: full"))
        .arg(value("budget", "BOXES").help(
            "The most boxes to look at in the search for one mutant. Unit: boxes. Default: that of `magneto gen`",
        ))
        .arg(switch("boundary").help("Tests as with `magneto gen --boundary`"))
        .arg(switch("minimize").help("Tests as with `magneto gen --minimize`"))
        .arg(jobs());
    shards::arguments(command)
}

fn plan(matches: &ArgMatches) -> Result<Plan, Failure> {
    let mut settings = Settings::default();
    for knob in KNOBS.iter().filter(|k| SET.contains(&k.name)) {
        let text = match knob.name {
            "boundary" | "minimize" => matches.get_flag(knob.name).then(|| "true".to_owned()),
            name => matches.get_one::<String>(name).cloned(),
        };
        let Some(text) = text else { continue };
        settings.set(knob, &[text], Origin::Flag).map_err(|e| Failure::usage(format!("--{}: {e}", knob.name)))?;
    }
    let seeds = matches.get_one::<u64>("seeds").copied().unwrap_or_default();
    Ok(Plan { options: settings.suite, seeds, ..Plan::default() })
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let plan = plan(matches)?;
    let words: (&[&str], _) = (&["bench", "faults"], &command());
    // Programs whose largest error is known are for `bench worst`.
    let Measured { rows, interrupted, part } = measured(
        matches,
        words,
        |p| p.known.is_none(),
        output,
        |groups, this, stop, progress| measure(groups, &plan, this, stop, progress),
    )?;
    match part {
        Some(part) => part.save(&rows, interrupted, output),
        None => end(matches, rows, interrupted, output),
    }
}

/// Tells what was found of all programs, and how that ends.
pub(super) fn end(matches: &ArgMatches, rows: Vec<Row>, interrupted: bool, output: &Output) -> Result<Exit, Failure> {
    let plan = plan(matches)?;
    let wrong: Vec<&str> = rows.iter().filter(|r| r.fault.is_none() && r.is_found()).map(|r| r.file.as_str()).collect();
    let exit = match (interrupted, wrong.is_empty()) {
        (true, _) => Exit::Interrupted,
        (false, false) => Exit::Gate,
        (false, true) => Exit::Passed,
    };
    let classes = by_class(&rows);
    let document = FaultsDocument { seeds: plan.seeds, classes: &classes, programs: &rows, exit: exit as u8 };
    tell((matches, "bench-faults.json"), &document, || text(&plan, &rows, &classes), output)?;
    for file in wrong {
        output.message(&format!("error: {file} is said to be right and fails a test\n"));
    }
    Ok(exit)
}

#[derive(Serialize, JsonSchema)]
pub(super) struct FaultsDocument<'a> {
    seeds: u64,
    classes: &'a [Class],
    programs: &'a [Row],
    exit: u8,
}

impl Document for FaultsDocument<'_> {
    const SCHEMA: &'static str = "magneto/bench-faults/1";
    const WRITER: &'static str = "bench faults";
}

fn text(plan: &Plan, rows: &[Row], classes: &[Class]) -> String {
    let mut out = String::new();
    let mut tests: Vec<(&str, usize)> = rows.iter().map(|r| (r.specification.as_str(), r.tests)).collect();
    tests.dedup();
    let specifications = tests.len();
    let tests: usize = tests.iter().map(|t| t.1).sum();
    let per = tests as f64 / specifications.max(1) as f64;
    let _ = writeln!(out, "{specifications} specifications, {tests} tests ({per:.1} each)");
    let random = |c: &Class| match plan.seeds {
        0 => String::new(),
        _ => format!("{:>10.1}{:>10.1}", c.random[0], c.random[1]),
    };
    let head = if plan.seeds > 0 { "   numbers    floats" } else { "" };
    let _ = writeln!(out, "{:<24}{:>7}{:>7}{head}", "class", "found", "of");
    for c in classes {
        let _ = writeln!(out, "{:<24}{:>7}{:>7}{}", c.class, c.found, c.faults, random(c));
    }
    let missed: Vec<&Row> = rows.iter().filter(|r| !r.is_found()).collect();
    if missed.iter().any(|r| r.fault.is_some()) {
        out.push_str("not found\n");
    }
    for (row, fault) in missed.iter().filter_map(|r| r.fault.as_ref().map(|f| (r, f))) {
        let _ = writeln!(out, "  {:<24}{}: {}", row.file, fault.class, fault.fault);
    }
    if plan.seeds > 0 {
        let _ = writeln!(out, "numbers, floats: as many random tests, uniform over each, mean of {} seeds", plan.seeds);
    }
    out
}
