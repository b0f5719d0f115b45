//! What the evaluations of planted faults share: the folder, its programs, and what goes wrong with them.

use super::super::interrupt::STOP;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use crate::cli::shards::{self, Part, Sharded};
use clap::{ArgMatches, Args, Command};
use magneto::bench::faults::{self, FaultGroup, FaultProgram, only, programs, read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The arguments of an evaluation of planted faults.
#[derive(Args)]
#[group(skip)]
pub(super) struct Planted {
    /// The folder with specifications and C files
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    pub(super) part: Sharded,
}

/// What was measured of the programs of a folder.
pub(super) struct Measured<R> {
    pub(super) rows: Vec<R>,
    pub(super) interrupted: bool,
    /// The part of a run that this is.
    pub(super) part: Option<Part>,
}

/// Reads the folder and measures its programs, or a part of those that are `wanted`. `of` gets the groups, this program,
/// what ends it early, and what is told of progress; `command` is called by its `words`.
pub(super) fn measured<R>(
    (matches, planted): (&ArgMatches, &Planted),
    (words, command): (&[&str], &Command),
    wanted: impl Fn(&FaultProgram) -> bool,
    output: &Output,
    of: impl FnOnce(&[FaultGroup], &Path, Option<&AtomicBool>, &dyn Fn(&str)) -> Result<Vec<R>, faults::Failure>,
) -> Result<Measured<R>, Failure> {
    let mut groups = read(&planted.folder).map_err(|list| {
        Failure::rendered(list.into_iter().map(|p| format!("error: {}\n", p.trim_start_matches("error: "))).collect())
    })?;
    groups.iter_mut().for_each(|g| g.programs.retain(|p| wanted(p)));
    let items: Vec<(String, Vec<u8>)> =
        programs(&groups).map(|(g, p)| item(g, p)).collect::<Result<_, std::io::Error>>().map_err(Failure::usage)?;
    let part = shards::part(matches, (words, command), &planted.part, String::new(), &items, output)?;
    let groups = only(&groups, &shards::own(part.as_ref(), items.len()));
    let this = std::env::current_exe().map_err(|e| Failure::usage(format!("cannot find this program: {e}")))?;
    let stop = &STOP;
    let rows = of(&groups, &this, Some(stop), &|name| output.progress(name));
    output.progress("");
    let rows = rows.map_err(|why| match why {
        faults::Failure::Specification(why) => Failure::usage(why),
        faults::Failure::Program(why) => Failure { exit: Exit::Harness, messages: vec![format!("error: {why}\n")] },
    })?;
    Ok(Measured { rows, interrupted: stop.load(Ordering::Relaxed), part })
}

/// The name of a program, and what a result for it depends on.
fn item(group: &FaultGroup, program: &FaultProgram) -> Result<(String, Vec<u8>), std::io::Error> {
    let mut text = std::fs::read(&group.specs[0].source_file)?;
    text.extend(std::fs::read(&program.path)?);
    Ok((program.file_name(), text))
}
