//! `magneto bench scaling`

use super::super::interrupt::STOP;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use clap::{Arg, ArgMatches, Command, value_parser};
use magneto::bench::scaling::{Scaling, files, measure};
use magneto::record::Document as _;
use magneto::record::json::Versioned;
use magneto::record::store::{self, FolderClaim, Mark};
use magneto::threads::Threads;
use std::path::PathBuf;

pub(super) fn command() -> Command {
    Command::new("scaling")
        .about("How the time grows with operations, with inputs and with threads, on generated formulas")
        .after_help("A family ends with the first formula that takes more than 20 s. Exit codes: 0; 130 interrupted.")
        .arg(
            Arg::new("jobs")
                .short('j')
                .long("jobs")
                .value_name("N")
                .value_parser(value_parser!(u16).range(1..))
                .help("Threads. Default: as many as the machine runs at once"),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .default_value("results/scaling")
                .help("Where to write the files"),
        )
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let dir = matches.get_one::<PathBuf>("output").cloned().unwrap_or_default();
    store::claim(&dir, &FolderClaim::Alone(&[Mark { file: "manifest.json", schema: Scaling::SCHEMA }]))?;
    let threads = matches.get_one::<u16>("jobs").map_or_else(|| Threads::default().most(), |n| usize::from(*n));
    let stop = &STOP;
    let scaling = measure(threads, Some(stop), &|what| output.progress(what)).map_err(Failure::usage)?;
    output.progress("");
    store::write(&dir, &files(&scaling).map_err(Failure::usage)?, &[])?;
    if output.json {
        output.print_json(&Versioned(&scaling))?;
    } else if !output.quiet {
        output.say(format!("{} formulas\n  files {}/\n", scaling.sizes.len(), dir.display()))?;
    }
    Ok(if scaling.interrupted { Exit::Interrupted } else { Exit::Passed })
}
