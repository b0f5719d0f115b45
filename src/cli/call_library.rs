//! The hidden command behind `magneto check --lib`: calls a function of a shared library in a process of its own.

use super::exit::{Exit, Failure};
use super::output::Output;
use clap::{Arg, ArgMatches, Command, value_parser};
use magneto::harness::batch::BATCHES;
use magneto::harness::{CALL, Signature, cdylib};
use std::ffi::OsString;

pub(crate) fn command() -> Command {
    Command::new(CALL)
        .hide(true)
        .about("Answers lines of inputs with the results of a library's function")
        .arg(Arg::new("library").required(true).value_parser(value_parser!(OsString)))
        .arg(Arg::new("symbol").required(true))
        .arg(Arg::new("signature").required(true))
        .arg(Arg::new("batches").long(BATCHES.trim_start_matches('-')).value_parser(value_parser!(usize)))
}

pub(crate) fn run(matches: &ArgMatches, _: &Output) -> Result<Exit, Failure> {
    let text = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let library = matches.get_one::<OsString>("library").cloned().unwrap_or_default();
    let signature: Signature = text("signature").parse().map_err(Failure::usage)?;
    match cdylib::serve(&library, text("symbol"), signature, matches.get_one("batches").copied()) {
        Ok(()) => Ok(Exit::Passed),
        Err(e) => Err(Failure { exit: Exit::Harness, messages: vec![format!("error: {e}\n")] }),
    }
}
