//! `magneto verify`

use super::exit::{Exit, Failure};
use super::flags;
use super::output::Output;
use clap::{ArgMatches, Args, Command};
use magneto::tool::{ToolError, ToolOutput, answer_within};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Check what a run of `gen` claims by a program that shares nothing with magneto
#[derive(Args)]
#[group(skip)]
struct Options {
    /// A folder that `magneto gen` wrote, and folders of `check`, `worst`, `eval` and `cover` about the same specifications, or of `cover`, `reach` and `solve` alone
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// What to print
    #[arg(long, default_value = "text", value_parser = ["text", "json", "junit"])]
    format: String,
    /// Also write what was found into verify.json of the first folder: `report` shows it, and the record for signing states it.
    /// Default: nothing is written
    #[arg(long)]
    keep: bool,
    /// Check what is said of one test, or of the mutants whose ids begin so, and name each claim. Default: all claims
    #[arg(long, value_name = "ID", conflicts_with = "keep")]
    only: Option<String>,
    /// The most boxes that are looked at for one claim [default: 6000]
    #[arg(long, value_name = "N")]
    boxes: Option<u32>,
}

/// The package of Python that checks.
const PACKAGE: &str = "magneto_verify";
/// How long it may take: a large run takes hours.
const TIME: Duration = Duration::from_secs(7 * 24 * 3600);

pub(crate) fn command() -> Command {
    Options::augment_args(Command::new("verify")).after_help(
        "Runs `python3 -m magneto_verify` ($PYTHON names another Python). Exit codes: 0 all is verified; 1 something is refuted; 3 \
         something is not verified.",
    )
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let Options { dirs, format, keep, only, boxes } = flags::options(matches)?;
    installed()?;
    let mut options = vec!["--format".to_owned(), if output.json { "json".to_owned() } else { format }];
    options.extend(keep.then(|| "--keep".to_owned()));
    options.extend(only.into_iter().flat_map(|id| ["--only".to_owned(), id]));
    options.extend(boxes.into_iter().flat_map(|boxes| ["--boxes".to_owned(), boxes.to_string()]));
    let (exit, said) = checked(&options, &dirs)?;
    output.print(&said)?;
    Ok(exit)
}

/// What the checker says of one mutant of a run, as text; none where it is not installed.
pub(super) fn of_mutant(dir: &Path, id: &str) -> Result<Option<(Exit, String)>, Failure> {
    if installed().is_err() {
        return Ok(None);
    }
    checked(&["--only".to_owned(), id.to_owned()], &[dir.to_owned()]).map(Some)
}

fn call(args: &[&str]) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into()));
    command.args(args);
    command
}

fn failed(command: &std::process::Command, e: &ToolError) -> Failure {
    Failure::usage(format!("{}: {e}", command.get_program().to_string_lossy()))
}

/// That the checker can be called.
fn installed() -> Result<(), Failure> {
    let command = call(&["-c", &format!("import {PACKAGE}.claims")]);
    match answer_within(&command, "", TIME) {
        Ok(found) if found.status.success() => Ok(()),
        Ok(found) => Err(not_there(&found)),
        Err(e) => Err(failed(&command, &e)),
    }
}

/// What the checker finds, and what it prints.
fn checked(options: &[String], dirs: &[PathBuf]) -> Result<(Exit, String), Failure> {
    let mut command = call(&["-m", PACKAGE]);
    command.args(options).arg("--").args(dirs);
    let found = answer_within(&command, "", TIME).map_err(|e| failed(&command, &e))?;
    let exit = match found.status.code() {
        Some(0) => Exit::Passed,
        Some(1) if !found.output.is_empty() => Exit::Gate,
        Some(3) => Exit::Inconclusive,
        Some(2) => return Err(Failure::rendered(vec![found.said])),
        _ => {
            let messages = vec![format!("error: the checker broke: {}\n", found.said)];
            return Err(Failure { exit: Exit::Harness, messages });
        }
    };
    Ok((exit, found.output))
}

/// How to install the checker where Python has none.
fn not_there(found: &ToolOutput) -> Failure {
    let why = found.said.lines().last().unwrap_or("it cannot be imported");
    Failure::usage_hint(
        format!("the checker {PACKAGE} is not installed: {why}"),
        "`python3 -m pip install ./verify` in a clone of magneto installs it with python-flint",
    )
}
