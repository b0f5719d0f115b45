//! `magneto bench cover`

use super::{free, stop_on_interrupt};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use magneto::bench::cover::files::{Document, SCHEMA};
use magneto::bench::cover::{Failure as Why, Plan, measure};
use magneto::code::compile::Flags;
use magneto::halt;
use magneto::record::store;
use std::path::PathBuf;

pub(super) fn command() -> Command {
    Command::new("cover")
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
        )
}

fn number(id: &'static str, default: &'static str) -> Arg {
    Arg::new(id).long(id).value_name("N").default_value(default).value_parser(value_parser!(u64).range(1..))
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let folder = matches.get_one::<PathBuf>("folder").cloned().unwrap_or_default();
    let dir = matches.get_one::<PathBuf>("output");
    dir.map_or(Ok(()), |dir| free(dir, &[("manifest.json", SCHEMA)]))?;
    let limit = |id: &str| matches.get_one::<u64>(id).copied().unwrap_or(1);
    let plan = Plan { evaluations: limit("evaluations"), seeds: limit("seeds"), alone: matches.get_flag("alone") };
    let define = matches.get_many::<String>("define").into_iter().flatten().cloned().collect();
    let flags = Flags { include: vec![folder.clone()], define };
    let stop = stop_on_interrupt();
    let work = || measure(&folder, &flags, &plan, &|name| output.progress(name));
    let (rows, interrupted) = halt::watched(Some(stop), None, work);
    output.progress("");
    if interrupted.is_some() {
        return Ok(Exit::Interrupted);
    }
    let rows = rows.map_err(|e: Why| Failure::usage(e.to_string()))?;
    let own = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let name = matches.get_one::<String>("name").unwrap_or(&own);
    let document = Document::new(name, plan, &rows);
    if let Some(dir) = dir {
        store::write(dir, &document.files().map_err(|e| Failure::usage(e.to_string()))?, &[])?;
    }
    if output.json {
        output.print_json(&document)?;
    } else if !output.quiet {
        output.say(document.text())?;
    }
    Ok(if rows.iter().all(|r| r.open.is_empty()) { Exit::Passed } else { Exit::Gate })
}
