//! `magneto bench`

mod cover;
mod faults;
mod fpbench;
mod paths;
mod planted;
mod rounding;
mod scaling;
mod solver;
mod worst;
mod written;

use super::exit::{Exit, Failure};
use super::interrupt;
use super::output::Output;
use clap::{ArgMatches, Command};
use std::path::Path;
use std::sync::atomic::AtomicBool;

pub(crate) fn command() -> Command {
    Command::new("bench")
        .about("Measure: the solver on named pairs, the paper's evaluation, how times grow, planted faults and the search for them, branches of code, rounding errors")
        .after_help("No magneto.toml is read, so that a result depends on the command line only.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(solver::command())
        .subcommand(fpbench::command())
        .subcommand(scaling::command())
        .subcommand(faults::command())
        .subcommand(rounding::command())
        .subcommand(worst::command())
        .subcommand(cover::command())
        .subcommand(paths::command())
        .subcommand(written::command())
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    match matches.subcommand() {
        Some(("solver", matches)) => solver::run(matches, output),
        Some(("fpbench", matches)) => fpbench::run(matches, output),
        Some(("faults", matches)) => faults::run(matches, output),
        Some(("rounding", matches)) => rounding::run(matches, output),
        Some(("worst", matches)) => worst::run(matches, output),
        Some(("cover", matches)) => cover::run(matches, output),
        Some(("paths", matches)) => paths::run(matches, output),
        Some(("written", matches)) => written::run(matches, output),
        Some(("scaling", matches)) => scaling::run(matches, output),
        _ => Ok(Exit::Usage),
    }
}

/// A flag that SIGINT sets.
fn stop_on_interrupt() -> &'static AtomicBool {
    interrupt::listen();
    &interrupt::STOP
}

/// The folder must be free, or hold an earlier run: one of the files contains its schema.
fn free(dir: &Path, marks: &[(&str, &str)]) -> Result<(), Failure> {
    let shown = dir.display();
    let mut entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(Failure::usage(format!("cannot write into {shown}: {e}"))),
    };
    let has =
        |(name, schema): &(&str, &str)| std::fs::read_to_string(dir.join(name)).is_ok_and(|text| text.contains(schema));
    if entries.next().is_none() || marks.iter().any(has) {
        return Ok(());
    }
    Err(Failure::usage_hint(
        format!("{shown} holds files that `magneto bench` did not write"),
        "choose another folder with --output",
    ))
}
