//! `magneto bench cover`

use super::super::interrupt::STOP;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use crate::cli::{destination, shards};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use magneto::bench::cover::files::CoverDocument;
use magneto::bench::cover::{Entry, Failure as Why, Plan, Row, entries, measure, sources};
use magneto::code::compile::Flags;
use magneto::halt;
use magneto::record::Document as _;
use magneto::record::json::Versioned;
use magneto::record::store::{self, FolderClaim, Mark};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

pub(super) fn command() -> Command {
    let command = Command::new("cover")
        .about("How many branches of the functions in a folder `magneto cover` takes, beside other ways to look for inputs")
        .after_help(
            "DIR has C or C++ files and functions.csv with the columns `function` and `file`, and perhaps `input` (as \
             after `cover --input`). Exit codes: 0; 1 if a branch is neither taken nor proved infeasible; 2 input error; \
             130 interrupted.",
        )
        .arg(
            Arg::new("folder")
                .value_name("DIR")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The folder with the code"),
        )
        .arg(number("evaluations", "20000").help("Runs of the code for each function and way"))
        .arg(number("seeds", "5").help("Start offsets: 0 up to this number"))
        .arg(
            Arg::new("alone")
                .long("alone")
                .action(ArgAction::SetTrue)
                .help("Only `cover`, without what it is compared with"),
        )
        .arg(Arg::new("define").short('D').value_name("MACRO").action(ArgAction::Append).help("A macro, NAME or NAME=VALUE"))
        .arg(Arg::new("name").long("name").value_name("TEXT").help("What the code is called in the results. Default: DIR's name"))
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("Write table, plot and page there, such as results/cover"),
        );
    shards::arguments(command)
}

fn number(id: &'static str, default: &'static str) -> Arg {
    Arg::new(id).long(id).value_name("N").default_value(default).value_parser(value_parser!(u64).range(1..))
}

/// What was found of a function, with the runs at which each way took branches first.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Measured {
    row: Row,
    growth: Vec<Vec<u64>>,
}

impl From<Row> for Measured {
    fn from(row: Row) -> Self {
        Measured { growth: row.ways.iter().map(|w| w.growth.clone()).collect(), row }
    }
}

impl Measured {
    fn row(mut self) -> Row {
        self.row.ways.iter_mut().zip(self.growth).for_each(|(way, growth)| way.growth = growth);
        self.row
    }
}

fn plan(matches: &ArgMatches) -> Plan {
    let limit = |id: &str| matches.get_one::<u64>(id).copied().unwrap_or(1);
    Plan { evaluations: limit("evaluations"), seeds: limit("seeds"), alone: matches.get_flag("alone") }
}

/// The functions, and what results for them depend on.
fn items(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let failed = |e: Why| Failure::usage(e.to_string());
    let mut files = sources(folder).map_err(failed)?;
    files.sort();
    let texts: Result<Vec<Vec<u8>>, _> = files.iter().map(std::fs::read).collect();
    let text = texts.map_err(|e| Failure::usage(format!("{}: {e}", folder.display())))?.concat();
    let one = |e: Entry| (e.function.clone(), [format!("{e:?}").as_bytes(), &text].concat());
    Ok(entries(folder).map_err(failed)?.into_iter().map(one).collect())
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let folder = matches.get_one::<PathBuf>("folder").cloned().unwrap_or_default();
    // A part is no run, and looks at its folder itself.
    if !matches.contains_id("shard") {
        free_for_run(matches)?;
    }
    let items = items(&folder)?;
    let part = shards::part(matches, (&["bench", "cover"], &command()), String::new(), &items, output)?;
    let (plan, own) = (plan(matches), shards::own(part.as_ref(), items.len()));
    let define = matches.get_many::<String>("define").into_iter().flatten().cloned().collect();
    let flags = Flags { include: vec![folder.clone()], define, options: Vec::new() };
    let stop = &STOP;
    let work = || measure(&folder, &flags, &plan, &own, &|name| output.progress(name));
    let (rows, interrupted) = halt::watched(Some(stop), None, work);
    output.progress("");
    let rows = rows.map_err(|e: Why| Failure::usage(e.to_string()))?;
    let rows: Vec<Measured> = rows.into_iter().map(Measured::from).collect();
    match part {
        Some(part) => part.save(&rows, interrupted.is_some(), output),
        None if interrupted.is_some() => Ok(Exit::Interrupted),
        None => end(matches, rows, output),
    }
}

/// The folder for the files must be free, or hold an earlier run.
fn free_for_run(matches: &ArgMatches) -> Result<(), Failure> {
    let claim = FolderClaim::Alone(&[Mark { file: "manifest.json", schema: CoverDocument::SCHEMA }]);
    destination::folder(matches, &claim).map(drop)
}

/// Tells what was found of all functions, and how that ends.
pub(super) fn end(matches: &ArgMatches, rows: Vec<Measured>, output: &Output) -> Result<Exit, Failure> {
    let folder = matches.get_one::<PathBuf>("folder").cloned().unwrap_or_default();
    free_for_run(matches)?;
    let (plan, dir) = (plan(matches), matches.get_one::<PathBuf>("output"));
    let rows: Vec<Row> = rows.into_iter().map(Measured::row).collect();
    let own = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let name = matches.get_one::<String>("name").unwrap_or(&own);
    let document = CoverDocument::new(name, plan, &rows);
    if let Some(dir) = dir {
        store::write(dir, &document.files().map_err(|e| Failure::usage(e.to_string()))?, &[])?;
    }
    if output.json {
        output.print_json(&Versioned(&document))?;
    } else if !output.quiet {
        output.say(document.text())?;
    }
    Ok(if rows.iter().all(|r| r.open.is_empty()) { Exit::Passed } else { Exit::Gate })
}
