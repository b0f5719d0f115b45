//! What the evaluations of planted faults share: the folder, its programs, and what goes wrong with them.

use super::stop_on_interrupt;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use clap::{Arg, ArgMatches, value_parser};
use magneto::bench::faults::{self, Group, read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The argument that names the folder.
pub(super) fn folder() -> Arg {
    Arg::new("folder")
        .value_name("DIR")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help("The folder with specifications and C files")
}

/// The flag for the number of threads.
pub(super) fn jobs() -> Arg {
    Arg::new("jobs")
        .short('j')
        .long("jobs")
        .value_name("N")
        .help("Threads. Default: as many as the machine runs at once")
}

/// The groups of a folder with what was measured of their programs, and whether it was interrupted.
pub(super) struct Measured<R> {
    pub(super) groups: Vec<Group>,
    pub(super) rows: Vec<R>,
    pub(super) interrupted: bool,
}

/// Reads the folder and measures: `of` gets the groups, this program, what ends it early, and what is told of progress.
pub(super) fn measured<R>(
    matches: &ArgMatches,
    output: &Output,
    of: impl FnOnce(&[Group], &Path, Option<&AtomicBool>, &dyn Fn(&str)) -> Result<Vec<R>, faults::Failure>,
) -> Result<Measured<R>, Failure> {
    let folder = matches.get_one::<PathBuf>("folder").cloned().unwrap_or_default();
    let groups = read(&folder).map_err(|list| {
        Failure::rendered(list.into_iter().map(|p| format!("error: {}\n", p.trim_start_matches("error: "))).collect())
    })?;
    let this = std::env::current_exe().map_err(|e| Failure::usage(format!("cannot find this program: {e}")))?;
    let stop = stop_on_interrupt();
    let rows = of(&groups, &this, Some(stop), &|name| output.progress(name));
    output.progress("");
    let rows = rows.map_err(|why| match why {
        faults::Failure::Specification(why) => Failure::usage(why),
        faults::Failure::Program(why) => Failure { exit: Exit::Harness, messages: vec![format!("error: {why}\n")] },
    })?;
    Ok(Measured { groups, rows, interrupted: stop.load(Ordering::Relaxed) })
}
