//! `magneto bench scaling`

use super::super::interrupt::STOP;
use crate::cli::exit::{Exit, Failure};
use crate::cli::flags;
use crate::cli::output::Output;
use clap::{ArgMatches, Args, Command};
use magneto::bench::scaling::{Scaling, files, measure};
use magneto::options::{JOBS, Settings};
use magneto::record::Document as _;
use magneto::record::json::Versioned;
use magneto::record::store::{self, FolderClaim, Mark};
use std::path::PathBuf;

/// How the time grows with operations, with inputs and with threads, on generated formulas
#[derive(Args)]
#[group(skip)]
struct Options {
    /// Where to write the files
    #[arg(short, long, value_name = "DIR", default_value = "results/scaling")]
    output: PathBuf,
}

pub(super) fn command() -> Command {
    flags::alone::<Options>(
        "scaling",
        &[JOBS],
        "A family ends with the first formula that takes more than 20 s. Exit codes: 0; 130 interrupted.",
    )
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let Options { output: dir } = flags::options(matches)?;
    store::claim(&dir, &FolderClaim::Alone(&[Mark { file: "manifest.json", schema: Scaling::SCHEMA }]))?;
    let mut settings = Settings::default();
    flags::set(&mut settings, &[JOBS], matches)?;
    let stop = &STOP;
    let scaling = measure(settings.suite.jobs, Some(stop), &|what| output.progress(what)).map_err(Failure::usage)?;
    output.progress("");
    store::write(&dir, &files(&scaling).map_err(Failure::usage)?, &[])?;
    if output.json {
        output.print_json(&Versioned(&scaling))?;
    } else if !output.quiet {
        output.say(format!("{} formulas\n  files {}/\n", scaling.sizes.len(), dir.display()))?;
    }
    Ok(if scaling.interrupted { Exit::Interrupted } else { Exit::Passed })
}
