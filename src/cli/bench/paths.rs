//! `magneto bench paths`

use super::super::interrupt::STOP;
use crate::cli::exit::{Exit, Failure};
use crate::cli::flags;
use crate::cli::output::Output;
use clap::{ArgMatches, Args, Command, value_parser};
use magneto::bench::paths::{PathsPlan, measure};
use magneto::cc::Flags;
use magneto::halt;
use magneto::record::json::Versioned;
use std::path::PathBuf;

/// How fast paths of code are decided, and from how many starts conditions are met
#[derive(Args)]
#[group(skip)]
struct Options {
    /// The folder with the code, such as tests/paths
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Paths of random inputs of each function
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), default_value_t = 20)]
    paths: u64,
    /// Decisions of such a path, at most
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), default_value_t = 14)]
    decisions: u64,
    /// Boxes that are looked at for each question, at most
    #[arg(long, value_name = "BOXES", value_parser = value_parser!(u64).range(1..), default_value_t = 20_000)]
    budget: u64,
    /// Starts for each condition
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), default_value_t = 10)]
    starts: u64,
    /// Points at which a condition may be evaluated from a start
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), default_value_t = 2000)]
    evaluations: u64,
}

pub(super) fn command() -> Command {
    flags::alone::<Options>(
        "paths",
        &[],
        "DIR has C or C++ files and some of paths.csv (columns `function`, `group`, `path`, `known`: letters as after \
         `reach --path`, and feasible, infeasible or nothing), functions.csv (columns `function`, `file`: paths of random \
         inputs, and each with its last decision turned) and goals.csv (columns `function`, `condition`). Exit codes: 0; \
         1 if an answer is not what is known; 2 input error; 130 interrupted.",
    )
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let Options { folder, paths, decisions, budget: boxes, starts, evaluations } = flags::options(matches)?;
    let plan = PathsPlan { paths: paths as usize, decisions: decisions as usize, boxes, starts, evaluations };
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
