//! The hidden command behind `magneto check --lib`: calls a function of a shared library in a process of its own.

use super::exit::{Exit, Failure};
use super::flags;
use super::output::Output;
use clap::{ArgMatches, Args, Command};
use magneto::harness::batch::BATCHES;
use magneto::harness::cdylib::{self, Service};
use magneto::harness::foundation::FILES;
use magneto::harness::{CALL, CallingWay};
use std::ffi::OsString;

/// Answers lines of inputs with the results of a library's function
#[derive(Args)]
#[group(skip)]
struct Options {
    library: OsString,
    symbol: String,
    way: CallingWay,
    #[arg(long = BATCHES.trim_start_matches('-'))]
    batches: Option<usize>,
    #[arg(long = FILES.trim_start_matches('-'))]
    files: bool,
}

pub(crate) fn command() -> Command {
    Options::augment_args(Command::new(CALL)).hide(true)
}

pub(crate) fn run(matches: &ArgMatches, _: &Output) -> Result<Exit, Failure> {
    let Options { library, symbol, way, batches, files } = flags::options(matches)?;
    let service = match batches {
        _ if files => Service::Files,
        Some(inputs) => Service::Batches(inputs),
        None => Service::Lines,
    };
    match cdylib::serve(&library, &symbol, &way, service) {
        Ok(()) => Ok(Exit::Passed),
        Err(e) => Err(Failure { exit: Exit::Harness, messages: vec![format!("error: {e}\n")] }),
    }
}
