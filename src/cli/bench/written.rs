//! `magneto bench written`

use super::stop_on_interrupt;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use crate::cli::specs::load;
use clap::{Arg, ArgMatches, Command, value_parser};
use magneto::bench::rounding::Status;
use magneto::bench::written::{Plan, Row, SCHEMA, Summary, formulas, measure, summary};
use magneto::options::{KNOBS, Origin, Settings};
use serde::Serialize;
use std::fmt::Write as _;
use std::sync::atomic::Ordering;

/// The flags that are knobs.
const SET: [&str; 3] = ["operators", "budget", "jobs"];

pub(super) fn command() -> Command {
    let value = |name: &'static str, value: &'static str| Arg::new(name).long(name).value_name(value);
    Command::new("written")
        .about("Whether formulas as they are written meet their accuracy, and whether the tests find it where they do not")
        .after_help(
            "Each formula is evaluated operation by operation in binary64, 1e-10 relative being asked for, and in \
             binary32 with 1e-4. A run of `gen` says whether that is met; random inputs attack what it says. Exit codes: 0; \
             1 if a proof is contradicted; 2 input error; 130 interrupted.",
        )
        .arg(
            Arg::new("spec")
                .value_name("SPEC")
                .num_args(0..)
                .help("FPCore files whose formulas are taken. Default: FPBench's formulas without loops"),
        )
        .arg(
            value("samples", "N")
                .value_parser(value_parser!(u32))
                .default_value("2000")
                .help("Random inputs for each formula, half uniform over numbers and half over floats"),
        )
        .arg(value("operators", "SET").help("Mutation operators: `paper`, `full` or a list. Default: full"))
        .arg(value("budget", "BOXES").help(
            "The most boxes to look at in the search for one mutant. Unit: boxes. Default: that of `magneto gen`",
        ))
        .arg(value("jobs", "N").short('j').help("Threads. Default: as many as the machine runs at once"))
        .arg(value("filter", "TEXT").help("Of FPBench's formulas only those whose name or suite contains it"))
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    samples: usize,
    summary: &'a Summary,
    rows: &'a [Row],
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let mut settings = Settings::default();
    for knob in KNOBS.iter().filter(|k| SET.contains(&k.name)) {
        let Some(text) = matches.get_one::<String>(knob.name) else { continue };
        let set = settings.set(knob, std::slice::from_ref(text), Origin::Flag);
        set.map_err(|e| Failure::usage(format!("--{}: {e}", knob.name)))?;
    }
    let list = if matches.contains_id("spec") {
        let loaded = load(matches, &settings, output)?;
        loaded.into_iter().map(|l| (l.spec.source_file.clone(), l.spec)).collect()
    } else {
        formulas(matches.get_one::<String>("filter").map(String::as_str))
    };
    let samples = matches.get_one::<u32>("samples").map_or(0, |n| *n as usize);
    let plan = Plan { options: settings.suite, samples };
    let stop = stop_on_interrupt();
    let rows = measure(&plan, &list, Some(stop), &|what| output.progress(what));
    output.progress("");
    let found = summary(&rows);
    if output.json {
        output.print_json(&Document { schema: SCHEMA, samples, summary: &found, rows: &rows })?;
    } else {
        output.print(text(&rows, &found))?;
    }
    Ok(match (stop.load(Ordering::Relaxed), found.contradicted) {
        (true, _) => Exit::Interrupted,
        (false, 0) => Exit::Passed,
        _ => Exit::Gate,
    })
}

fn text(rows: &[Row], s: &Summary) -> String {
    let number = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| format!("{x:.2e}"));
    let mut text = format!(
        "{:<40} {:<8} {:>6} {:>6} {:>10} {:>10} {:>9} {:<6}\n",
        "formula", "format", "tests", "failed", "error", "at random", "s", "status"
    );
    for row in rows {
        let name: String = row.name.chars().take(40).collect();
        let status = match (row.status, &row.failure) {
            (_, Some(why)) => why.as_str(),
            (Status::Met, _) => "met",
            (Status::Missed, _) => "missed",
            (Status::Open, _) => "open",
        };
        let note = match (row.is_contradicted(), row.is_violated() && row.failed == 0) {
            (true, _) => " WRONG",
            (false, true) => " not found",
            _ => "",
        };
        let [found, random] = row.worst.map(number);
        let _ = writeln!(
            text,
            "{name:<40} {:<8} {:>6} {:>6} {found:>10} {random:>10} {:>9.2} {status}{note}",
            row.format, row.tests, row.failed, row.seconds,
        );
    }
    let decided = s.met + s.missed;
    let _ = writeln!(
        text,
        "accuracy met: {}, missed: {}, open: {}, of {}",
        s.met,
        s.missed,
        s.formulas - decided,
        s.formulas
    );
    let _ = writeln!(text, "an input violates it: {}; a test finds that: {}", s.violated, s.found);
    let _ = writeln!(text, "proofs contradicted: {}", s.contradicted);
    let per = s.tests as f64 / s.formulas.max(1) as f64;
    let _ = writeln!(text, "tests: {} ({per:.1} each); {:.1} s", s.tests, s.seconds);
    text
}
