//! `--shard` of the commands over things that are worked on one by one: `cover`, `solve` and `bench`. A part writes what it
//! found of its things, and `merge` ends the command as if all had been found at once.

use super::exit::{Exit, Failure};
use super::output::Output;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use magneto::record::json;
use magneto::record::share::{About, Share};
use magneto::record::store::{self, Files, FolderClaim};
use magneto::threads::Portion;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Options on which no result depends.
const ELSEWHERE: [&str; 4] = ["shard", "output", "jobs", "resume"];

/// A command with the flags of a part of its run.
pub(super) fn arguments(command: Command) -> Command {
    let has_output = command.get_arguments().any(|a| a.get_id() == "output");
    let command = match has_output {
        true => command,
        false => command.arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("Write the document of --json there too"),
        ),
    };
    command.arg(
        Arg::new("shard")
            .long("shard")
            .value_name("K/N")
            .value_parser(|text: &str| text.parse::<Portion>())
            .requires("output")
            .help(
                "Run part K of N, on another machine say, and write what it found into -o DIR. `magneto merge` puts the folders \
                 of all parts together, to what one run gives, with its exit code",
            ),
    )
}

/// A part of a run.
pub(super) struct Part {
    portion: Portion,
    share: Share,
    dir: PathBuf,
}

/// Whether a part was asked for.
pub(super) fn is_part(matches: &ArgMatches) -> bool {
    matches.contains_id("shard")
}

/// The part that was asked for, of a run of `command` (called by its `words`) over `items`, each a name and a text; none for
/// a whole run. `settings` is what results depend on beside them and the command line.
pub(super) fn part(
    matches: &ArgMatches,
    (words, command): (&[&str], &Command),
    settings: String,
    items: &[(String, Vec<u8>)],
    output: &Output,
) -> Result<Option<Part>, Failure> {
    let Some(portion) = matches.get_one::<Portion>("shard").copied() else { return Ok(None) };
    let dir = matches.get_one::<PathBuf>("output").cloned().unwrap_or_default();
    let stale = store::claim(&dir, &FolderClaim::Run { folders: &[String::new()], force: false })?;
    if stale.iter().any(|file| file != store::SHARE) {
        return Err(Failure::usage_hint(
            format!("{} holds earlier results", dir.display()),
            "choose another folder with --output",
        ));
    }
    let (options, arguments) = given(command, matches);
    let command = words.iter().map(|w| (*w).to_owned()).collect();
    let share = Share::new(portion, About { command, options, arguments, settings }, items);
    output.note(format!("shard {portion}: {} of {}", share.own().count(), items.len()));
    Ok(Some(Part { portion, share, dir }))
}

/// The places of what is to be worked on: all, or those of a part.
pub(super) fn own(part: Option<&Part>, all: usize) -> Vec<usize> {
    part.map_or_else(|| (0..all).collect(), |p| p.share.own().collect())
}

impl Part {
    /// Writes what was found of this part's items. Where it was interrupted the last of them is not taken for complete.
    pub(super) fn save(self, found: &[impl Serialize], interrupted: bool, output: &Output) -> Result<Exit, Failure> {
        let complete = found.len().saturating_sub(usize::from(interrupted));
        let values: Result<Vec<Value>, _> = found.iter().take(complete).map(serde_json::to_value).collect();
        let values = values.map_err(|e| Failure::usage(format!("cannot write what was found: {e}")))?;
        let all = self.share.own().count();
        let share = self.share.with(values);
        let files = Files::from([(store::SHARE.to_owned(), json::document(&share))]);
        store::write(&self.dir, &files, &[])?;
        if share.found.len() < all {
            output.note(format!("interrupted: shard {} is not complete, and `merge` refuses it", self.portion));
            return Ok(Exit::Interrupted);
        }
        Ok(Exit::Passed)
    }
}

/// What parts found, as they wrote it.
pub(super) fn read<T: DeserializeOwned>(found: Vec<Value>) -> Result<Vec<T>, Failure> {
    let read: Result<Vec<T>, _> = found.into_iter().map(serde_json::from_value).collect();
    read.map_err(|e| Failure::usage_hint(format!("a shard is damaged: {e}"), "make the shards again"))
}

/// The command line that ends the run of which `share` is a part, with its files in `out`.
pub(super) fn command_line(share: &Share, out: &Path) -> Vec<String> {
    let out = format!("--output={}", out.display());
    let words = ["magneto".to_owned()].into_iter().chain(share.command.iter().cloned());
    let options = share.options.iter().cloned().chain([out, "--".to_owned()]);
    words.chain(options).chain(share.arguments.iter().cloned()).collect()
}

/// The options of a command line in one spelling and order, and its files and folders.
fn given(command: &Command, matches: &ArgMatches) -> (Vec<String>, Vec<String>) {
    let (mut options, mut arguments) = (Vec::new(), Vec::new());
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        if ELSEWHERE.contains(&id) || matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let name = match (arg.get_long(), arg.get_short()) {
            (Some(long), _) => format!("--{long}"),
            (None, Some(short)) => format!("-{short}"),
            (None, None) => String::new(),
        };
        if matches!(arg.get_action(), ArgAction::SetTrue) {
            options.push(name);
            continue;
        }
        let values = matches.get_raw(id).into_iter().flatten().map(|v| v.to_string_lossy().into_owned());
        match (arg.is_positional(), arg.get_long().is_some()) {
            (true, _) => arguments.extend(values),
            (false, true) => options.extend(values.map(|v| format!("{name}={v}"))),
            (false, false) => options.extend(values.map(|v| format!("{name}{v}"))),
        }
    }
    (options, arguments)
}
