//! `magneto bench`

mod fpbench;
mod solver;

use super::exit::{Exit, Failure};
use super::output::Output;
use clap::{ArgMatches, Command};

pub(crate) fn command() -> Command {
    Command::new("bench")
        .about("Measure: the solver on named pairs, and the paper's evaluation")
        .after_help("No magneto.toml is read, so that a result depends on the command line only.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(solver::command())
        .subcommand(fpbench::command())
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    match matches.subcommand() {
        Some(("solver", matches)) => solver::run(matches, output),
        Some(("fpbench", matches)) => fpbench::run(matches, output),
        _ => Ok(Exit::Usage),
    }
}
