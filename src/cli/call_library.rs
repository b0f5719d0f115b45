//! The hidden command behind `magneto check --lib`: calls a function of a shared library in a process of its own.

use super::exit::{Exit, Failure};
use super::flags;
use super::output::Output;
use clap::{ArgMatches, Args, Command};
use magneto::harness::batch::BATCHES;
use magneto::harness::{CALL, Signature, cdylib};
use std::ffi::OsString;

/// Answers lines of inputs with the results of a library's function
#[derive(Args)]
#[group(skip)]
struct Options {
    library: OsString,
    symbol: String,
    signature: Signature,
    #[arg(long = BATCHES.trim_start_matches('-'))]
    batches: Option<usize>,
}

pub(crate) fn command() -> Command {
    Options::augment_args(Command::new(CALL)).hide(true)
}

pub(crate) fn run(matches: &ArgMatches, _: &Output) -> Result<Exit, Failure> {
    let Options { library, symbol, signature, batches } = flags::options(matches)?;
    match cdylib::serve(&library, &symbol, signature, batches) {
        Ok(()) => Ok(Exit::Passed),
        Err(e) => Err(Failure { exit: Exit::Harness, messages: vec![format!("error: {e}\n")] }),
    }
}
