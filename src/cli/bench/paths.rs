//! `magneto bench paths`

use super::super::interrupt::STOP;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use clap::{Arg, ArgMatches, Command, value_parser};
use magneto::bench::paths::{Plan, measure};
use magneto::code::compile::Flags;
use magneto::halt;
use magneto::record::json::Versioned;
use std::path::PathBuf;

pub(super) fn command() -> Command {
    Command::new("paths")
        .about("How fast paths of code are decided, and from how many starts conditions are met")
        .after_help(
            "DIR has C or C++ files and some of paths.csv (columns `function`, `group`, `path`, `known`: letters as after \
             `reach --path`, and feasible, infeasible or nothing), functions.csv (columns `function`, `file`: paths of random \
             inputs, and each with its last decision turned) and goals.csv (columns `function`, `condition`). Exit codes: 0; \
             1 if an answer is not what is known; 2 input error; 130 interrupted.",
        )
        .arg(
            Arg::new("folder")
                .value_name("DIR")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The folder with the code, such as tests/paths"),
        )
        .arg(number("paths", "20").help("Paths of random inputs of each function"))
        .arg(number("decisions", "14").help("Decisions of such a path, at most"))
        .arg(number("budget", "20000").value_name("BOXES").help("Boxes that are looked at for each question, at most"))
        .arg(number("starts", "10").help("Starts for each condition"))
        .arg(number("evaluations", "2000").help("Points at which a condition may be evaluated from a start"))
}

fn number(id: &'static str, default: &'static str) -> Arg {
    Arg::new(id).long(id).value_name("N").default_value(default).value_parser(value_parser!(u64).range(1..))
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let folder = matches.get_one::<PathBuf>("folder").cloned().unwrap_or_default();
    let limit = |id: &str| matches.get_one::<u64>(id).copied().unwrap_or(1);
    let plan = Plan {
        paths: limit("paths") as usize,
        decisions: limit("decisions") as usize,
        boxes: limit("budget"),
        starts: limit("starts"),
        evaluations: limit("evaluations"),
    };
    let flags = Flags { include: vec![folder.clone()], ..Flags::default() };
    let stop = &STOP;
    let (document, interrupted) =
        halt::watched(Some(stop), None, || measure(&folder, &flags, plan, &|name| output.progress(name)));
    output.progress("");
    let document = document.map_err(|e| Failure::usage(e.to_string()))?;
    if output.json {
        output.print_json(&Versioned(&document))?;
    } else if !output.quiet {
        output.say(document.text())?;
    }
    if interrupted.is_some() {
        return Ok(Exit::Interrupted);
    }
    Ok(if document.is_right() { Exit::Passed } else { Exit::Gate })
}
