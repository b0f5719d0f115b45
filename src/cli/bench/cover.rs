//! `magneto bench cover`

use super::super::interrupt::STOP;
use crate::cli::destination;
use crate::cli::exit::{Exit, Failure};
use crate::cli::flags;
use crate::cli::output::Output;
use crate::cli::shards::{self, Sharded};
use clap::{ArgMatches, Args, Command, value_parser};
use magneto::bench::cover::files::CoverDocument;
use magneto::bench::cover::{CoverFailure, CoverRow, MeasuredFunction, Plan, entries, measure, sources};
use magneto::cc::Flags;
use magneto::halt;
use magneto::record::Document as _;
use magneto::record::json::Versioned;
use magneto::record::store::{self, FolderClaim, Mark};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How many branches of the functions in a folder `magneto cover` takes, beside other ways to look for inputs
#[derive(Args)]
#[group(skip)]
struct Options {
    /// The folder with the code
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Runs of the code for each function and way
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), default_value_t = 20_000)]
    evaluations: u64,
    /// Start offsets: 0 up to this number
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), default_value_t = 5)]
    seeds: u64,
    /// Only `cover`, without what it is compared with
    #[arg(long)]
    alone: bool,
    /// A macro, NAME or NAME=VALUE
    #[arg(short = 'D', long, value_name = "MACRO")]
    define: Vec<String>,
    /// What the code is called in the results. Default: DIR's name
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    #[command(flatten)]
    part: Sharded,
}

pub(super) fn command() -> Command {
    let command = flags::alone::<Options>(
        "cover",
        &[],
        "DIR has C or C++ files and functions.csv with the columns `function` and `file`, and perhaps `input` (as \
         after `cover --input`). Exit codes: 0; 1 if a branch is neither taken nor proved infeasible; 2 input error; \
         130 interrupted.",
    );
    shards::with_output_help(command, "Write table, plot and page there, such as results/cover")
}

/// What was found of a function, with the runs at which each way took branches first.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Measured {
    row: CoverRow,
    growth: Vec<Vec<u64>>,
}

impl From<CoverRow> for Measured {
    fn from(row: CoverRow) -> Self {
        Measured { growth: row.ways.iter().map(|w| w.growth.clone()).collect(), row }
    }
}

impl Measured {
    fn row(mut self) -> CoverRow {
        self.row.ways.iter_mut().zip(self.growth).for_each(|(way, growth)| way.growth = growth);
        self.row
    }
}

fn plan(options: &Options) -> Plan {
    Plan { evaluations: options.evaluations, seeds: options.seeds, alone: options.alone }
}

/// The functions, and what results for them depend on.
fn items(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let failed = |e: CoverFailure| Failure::usage(e.to_string());
    let mut files = sources(folder).map_err(failed)?;
    files.sort();
    let texts: Result<Vec<Vec<u8>>, _> = files.iter().map(std::fs::read).collect();
    let text = texts.map_err(|e| Failure::usage(format!("{}: {e}", folder.display())))?.concat();
    let one = |e: MeasuredFunction| (e.function.clone(), [format!("{e:?}").as_bytes(), &text].concat());
    Ok(entries(folder).map_err(failed)?.into_iter().map(one).collect())
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let folder = &options.folder;
    // A part is no run, and looks at its folder itself.
    if options.part.shard.is_none() {
        free_for_run(matches, &options)?;
    }
    let items = items(folder)?;
    let words: (&[&str], _) = (&["bench", "cover"], &command());
    let part = shards::part(matches, words, &options.part, String::new(), &items, output)?;
    let (plan, own) = (plan(&options), shards::own(part.as_ref(), items.len()));
    let flags = Flags {
        include: vec![folder.clone()],
        define: options.define.clone(),
        options: Vec::new(),
        has_dynamic_mode: false,
    };
    let stop = &STOP;
    let work = || measure(folder, &flags, &plan, &own, &|name| output.progress(name));
    let (rows, interrupted) = halt::watched(Some(stop), None, work);
    output.progress("");
    let rows = rows.map_err(|e: CoverFailure| Failure::usage(e.to_string()))?;
    let rows: Vec<Measured> = rows.into_iter().map(Measured::from).collect();
    match part {
        Some(part) => part.save(&rows, interrupted.is_some(), output),
        None if interrupted.is_some() => Ok(Exit::Interrupted),
        None => end(matches, rows, output),
    }
}

/// The folder for the files must be free, or hold an earlier run.
fn free_for_run(matches: &ArgMatches, options: &Options) -> Result<(), Failure> {
    let claim = FolderClaim::Alone(&[Mark { file: "manifest.json", schema: CoverDocument::SCHEMA }]);
    destination::folder(matches, options.part.output.as_deref(), &claim)
}

/// Tells what was found of all functions, and how that ends.
pub(super) fn end(matches: &ArgMatches, rows: Vec<Measured>, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    free_for_run(matches, &options)?;
    let rows: Vec<CoverRow> = rows.into_iter().map(Measured::row).collect();
    let own = options.folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let name = options.name.as_ref().unwrap_or(&own);
    let document = CoverDocument::new(name, plan(&options), &rows);
    if let Some(dir) = &options.part.output {
        store::write(dir, &document.files().map_err(|e| Failure::usage(e.to_string()))?, &[])?;
    }
    if output.json {
        output.print_json(&Versioned(&document))?;
    } else if !output.quiet {
        output.say(document.text())?;
    }
    Ok(if rows.iter().all(|r| r.open.is_empty()) { Exit::Passed } else { Exit::Gate })
}
