//! `magneto bench solve`

use super::super::interrupt::STOP;
use crate::cli::destination;
use crate::cli::exit::{Exit, Failure};
use crate::cli::flags;
use crate::cli::output::Output;
use crate::cli::shards::{self, Sharded};
use clap::{ArgMatches, Args, Command};
use magneto::bench::scripts::files::ScriptsDocument;
use magneto::bench::scripts::{MeasuredScript, ScriptSolver, ScriptsPlan, measure, scripts};
use magneto::halt;
use magneto::options::duration;
use magneto::record::Document as _;
use magneto::record::json::Versioned;
use magneto::record::store::{self, FolderClaim, Mark};
use std::path::PathBuf;
use std::time::Duration;

/// What `magneto solve` and other solvers answer to the SMT-LIB scripts of a folder, and how long that takes
#[derive(Args)]
#[group(skip)]
struct Options {
    /// The folder with .smt2 files; a family is a folder of it
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// How long a solver may take for a script; then it is killed. Unit: seconds
    #[arg(long, value_name = "SECONDS", value_parser = duration, default_value = "20")]
    timeout: Duration,
    /// Another solver: the script's name is put behind COMMAND. Default: z3, bitwuzla and cvc5, those that are on PATH
    #[arg(long, value_name = "NAME=COMMAND")]
    solver: Vec<String>,
    /// Only Magneto and the solvers of --solver
    #[arg(long)]
    alone: bool,
    /// Scripts at a time; with more than one the times say little
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    #[command(flatten)]
    part: Sharded,
}

pub(super) fn command() -> Command {
    let command = flags::alone::<Options>(
        "solve",
        &[],
        "Each solver has a process of its own for each script. A script that asks more than once is decided where all its questions are. \
         Exit codes: 0; 1 if two solvers contradict each other, or an answer is not what `(set-info :status …)` says; \
         2 input error; 130 interrupted.",
    );
    shards::with_output_help(command, "Write tables and page there, such as results/solve")
}

/// Magneto, those on PATH, and those that are given, which take the place of others of their name.
fn plan(options: &Options) -> Result<ScriptsPlan, Failure> {
    let this = std::env::current_exe().map_err(|e| Failure::usage(format!("cannot find this program: {e}")))?;
    let magneto = ScriptSolver {
        name: "magneto".to_owned(),
        command: ["magneto", "solve"].map(str::to_owned).to_vec(),
        program: Some(this),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let mut solvers = vec![magneto];
    if !options.alone {
        solvers.extend(ScriptSolver::installed());
    }
    for given in &options.solver {
        let parts = given.split_once('=').and_then(|(name, command)| Some((name.trim(), shlex::split(command)?)));
        let Some((name, command)) = parts.filter(|(name, command)| !name.is_empty() && !command.is_empty()) else {
            let hint = "write --solver 'z3=z3 tactic.default_tactic=smt'";
            return Err(Failure::usage_hint(format!("--solver: {given} is not NAME=COMMAND"), hint));
        };
        let solver = ScriptSolver::new(name, command).map_err(|e| Failure::usage(format!("--solver {name}: {e}")))?;
        match solvers.iter_mut().find(|s| s.name == name) {
            Some(other) => *other = solver,
            None => solvers.push(solver),
        }
    }
    Ok(ScriptsPlan { solvers, limit: options.timeout, jobs: options.jobs })
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let folder = &options.folder;
    if options.part.shard.is_none() {
        free_for_run(matches, &options)?;
    }
    let hint = "DIR is a folder with SMT-LIB scripts, *.smt2, in it or in its folders";
    let failed = |e: std::io::Error| Failure::usage_hint(format!("cannot read {}: {e}", folder.display()), hint);
    let files = scripts(folder).map_err(failed)?;
    if files.is_empty() {
        return Err(Failure::usage_hint(format!("{} has no .smt2 files", folder.display()), hint));
    }
    let plan = plan(&options)?;
    let item = |file: &PathBuf| Ok((file.display().to_string(), std::fs::read(folder.join(file))?));
    let items: Vec<(String, Vec<u8>)> = files.iter().map(item).collect::<Result<_, _>>().map_err(failed)?;
    let words: (&[&str], _) = (&["bench", "solve"], &command());
    // Parts of one run ask the same solvers.
    let named = |s: &ScriptSolver| format!("{} {}\n", s.name, s.version);
    let settings = plan.solvers.iter().map(named).collect();
    let part = shards::part(matches, words, &options.part, settings, &items, output)?;
    let own: Vec<PathBuf> = shards::own(part.as_ref(), files.len()).into_iter().map(|k| files[k].clone()).collect();
    let work = || measure(folder, &own, &plan, &|name| output.progress(name));
    let (rows, interrupted) = halt::watched(Some(&STOP), None, work);
    output.progress("");
    let rows = rows.map_err(Failure::usage)?;
    match part {
        Some(part) => part.save(&rows, interrupted.is_some(), output),
        None => told(matches, &options, (&plan, &rows), interrupted.is_some(), output),
    }
}

/// The folder for the files must be free, or hold an earlier run.
fn free_for_run(matches: &ArgMatches, options: &Options) -> Result<(), Failure> {
    let claim = FolderClaim::Alone(&[Mark { file: "manifest.json", schema: ScriptsDocument::SCHEMA }]);
    destination::folder(matches, options.part.output.as_deref(), &claim)
}

/// Tells what shards found of all scripts, and how that ends.
pub(super) fn end(matches: &ArgMatches, rows: Vec<MeasuredScript>, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let plan = plan(&options)?;
    told(matches, &options, (&plan, &rows), false, output)
}

fn told(
    matches: &ArgMatches,
    options: &Options,
    (plan, rows): (&ScriptsPlan, &[MeasuredScript]),
    interrupted: bool,
    output: &Output,
) -> Result<Exit, Failure> {
    free_for_run(matches, options)?;
    let document = ScriptsDocument::new(plan, rows);
    if let Some(dir) = &options.part.output {
        store::write(dir, &document.files(), &[])?;
    }
    if output.json {
        output.print_json(&Versioned(&document))?;
    } else if !output.quiet {
        output.say(document.text())?;
    }
    if interrupted {
        output.note("interrupted: only scripts that every solver was asked by then are there");
        return Ok(Exit::Interrupted);
    }
    Ok(if document.has_failed() { Exit::Gate } else { Exit::Passed })
}
