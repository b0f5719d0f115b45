//! `--shard` of the commands over things that are worked on one by one: `check`, `worst`, `cover`, `solve` and `bench`. A part writes what it
//! found of its things, and `merge` ends the command as if all had been found at once.

use super::exit::{Exit, Failure};
use super::output::Output;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Args, Command};
use magneto::record::json;
use magneto::record::share::{About, Share};
use magneto::record::store::{self, Files, FolderClaim};
use magneto::threads::Portion;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Options on which no result depends.
const ELSEWHERE: [&str; 4] = ["shard", OUTPUT, "jobs", "resume"];
/// The name of the option for where results go.
const OUTPUT: &str = "output";

/// Where results go, and whether they are those of a part of a run.
#[derive(Args, Clone)]
#[group(skip)]
pub(super) struct Sharded {
    /// Write the document of --json there too
    #[arg(short, long, value_name = "DIR")]
    pub(super) output: Option<PathBuf>,
    /// Run part K of N, on another machine say, and write what it found into -o DIR. `magneto merge` puts the folders of
    /// all parts together, to what one run gives, with its exit code
    #[arg(long, value_name = "K/N", requires = "output")]
    pub(super) shard: Option<Portion>,
}

/// A command whose results in the folder of -o are more than a document: `help` says what.
pub(super) fn with_output_help(command: Command, help: &'static str) -> Command {
    command.mut_arg(OUTPUT, |arg| arg.help(help))
}

/// A part of a run.
pub(super) struct Part {
    portion: Portion,
    share: Share,
    dir: PathBuf,
}

/// The part that was asked for, of a run of `command` (called by its `words`) over `items`, each a name and a text; none for
/// a whole run. `settings` is what results depend on beside them and the command line.
pub(super) fn part(
    matches: &ArgMatches,
    (words, command): (&[&str], &Command),
    Sharded { output: dir, shard }: &Sharded,
    settings: String,
    items: &[(String, Vec<u8>)],
    output: &Output,
) -> Result<Option<Part>, Failure> {
    let (Some(portion), Some(dir)) = (*shard, dir.clone()) else { return Ok(None) };
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
        // What magneto.toml says is a default here, and is to be the same where the parts are put together.
        let defaults = arg.get_default_values().iter().map(|v| v.as_os_str());
        let is_given = match matches.value_source(id) {
            Some(ValueSource::DefaultValue) => !matches.get_raw(id).into_iter().flatten().eq(defaults),
            source => source == Some(ValueSource::CommandLine),
        };
        if ELSEWHERE.contains(&id) || !is_given {
            continue;
        }
        let name = format!("--{}", arg.get_long().unwrap_or_default());
        let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
        let values = matches.get_raw(id).into_iter().flatten().map(|v| v.to_string_lossy().into_owned());
        match arg.is_positional() {
            true => arguments.extend(values),
            false if is_switch => options.extend(matches.get_flag(id).then_some(name)),
            false => options.extend(values.map(|v| format!("{name}={v}"))),
        }
    }
    (options, arguments)
}
