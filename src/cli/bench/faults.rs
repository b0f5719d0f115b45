//! `magneto bench faults`

use super::planted::{Measured, Planted, measured};
use super::tell;
use crate::cli::exit::{Exit, Failure};
use crate::cli::flags;
use crate::cli::output::Output;
use clap::{ArgMatches, Args, Command};
use magneto::bench::faults::{FaultClass, FaultRow, FaultsPlan, by_class, measure};
use magneto::options::{BOUNDARY, BUDGET, JOBS, Knob, MINIMIZE, OPERATORS, Settings};
use magneto::record::Document;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// The knobs that it has.
const KNOBS: [&Knob; 5] = [OPERATORS, BUDGET, BOUNDARY, MINIMIZE, JOBS];

/// How many planted faults the tests find, beside as many random tests
#[derive(Args)]
#[group(skip)]
struct Options {
    #[command(flatten)]
    planted: Planted,
    /// For how many seeds random tests are drawn; 0 leaves them out
    #[arg(long, value_name = "N", default_value_t = 20)]
    seeds: u64,
}

pub(super) fn command() -> Command {
    flags::alone::<Options>(
        "faults",
        &KNOBS,
        "Each C file of DIR has a function `f` with one fault and begins with the comments `// class: …`, \
         `// fault: …` and `// spec: FILE.fpcore`. One that begins with `// right:` instead of the first two has none \
         and must pass. The tests are made from the specification alone, for each of its results; tests outside the domain \
         do not count. \
         Exit codes: 0; 1 if a right implementation fails a test; 2 input error; 4 a program cannot be compiled or run; \
         130 interrupted.",
    )
}

fn plan(options: &Options, matches: &ArgMatches) -> Result<FaultsPlan, Failure> {
    let mut settings = Settings::default();
    flags::set(&mut settings, &KNOBS, matches)?;
    Ok(FaultsPlan { options: settings.suite, seeds: options.seeds, ..FaultsPlan::default() })
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let plan = plan(&options, matches)?;
    let words: (&[&str], _) = (&["bench", "faults"], &command());
    // Programs whose largest error is known are for `bench worst`.
    let Measured { rows, interrupted, part } = measured(
        (matches, &options.planted),
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
pub(super) fn end(
    matches: &ArgMatches,
    rows: Vec<FaultRow>,
    interrupted: bool,
    output: &Output,
) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let plan = plan(&options, matches)?;
    let wrong: Vec<&str> = rows.iter().filter(|r| r.fault.is_none() && r.is_found()).map(|r| r.file.as_str()).collect();
    let exit = match (interrupted, wrong.is_empty()) {
        (true, _) => Exit::Interrupted,
        (false, false) => Exit::Gate,
        (false, true) => Exit::Passed,
    };
    let classes = by_class(&rows);
    let document = FaultsDocument { seeds: plan.seeds, classes: &classes, programs: &rows, exit: exit as u8 };
    tell((&options.planted.part, "bench-faults.json"), &document, || text(&plan, &rows, &classes), output)?;
    for file in wrong {
        output.message(&format!("error: {file} is said to be right and fails a test\n"));
    }
    Ok(exit)
}

#[derive(Serialize, JsonSchema)]
pub(super) struct FaultsDocument<'a> {
    seeds: u64,
    classes: &'a [FaultClass],
    programs: &'a [FaultRow],
    exit: u8,
}

impl Document for FaultsDocument<'_> {
    const SCHEMA: &'static str = "magneto/bench-faults/1";
    const WRITER: &'static str = "bench faults";
}

fn text(plan: &FaultsPlan, rows: &[FaultRow], classes: &[FaultClass]) -> String {
    let mut out = String::new();
    let mut tests: Vec<(&str, usize)> = rows.iter().map(|r| (r.specification.as_str(), r.tests)).collect();
    tests.dedup();
    let specifications = tests.len();
    let tests: usize = tests.iter().map(|t| t.1).sum();
    let per = tests as f64 / specifications.max(1) as f64;
    let _ = writeln!(out, "{specifications} specifications, {tests} tests ({per:.1} each)");
    let random = |c: &FaultClass| match plan.seeds {
        0 => String::new(),
        _ => format!("{:>10.1}{:>10.1}", c.random[0], c.random[1]),
    };
    let head = if plan.seeds > 0 { "   numbers    floats" } else { "" };
    let _ = writeln!(out, "{:<24}{:>7}{:>7}{head}", "class", "found", "of");
    for c in classes {
        let _ = writeln!(out, "{:<24}{:>7}{:>7}{}", c.class, c.found, c.faults, random(c));
    }
    let missed: Vec<&FaultRow> = rows.iter().filter(|r| !r.is_found()).collect();
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
