//! `magneto verify`

use super::exit::{Exit, Failure};
use super::flags;
use super::output::Output;
use clap::{ArgMatches, Args, Command};
use magneto::tool::{ToolError, ToolOutput, answer_within};
use std::path::PathBuf;
use std::time::Duration;

/// Check what a run of `gen` claims by a program that shares nothing with magneto
#[derive(Args)]
#[group(skip)]
struct Options {
    /// A folder that `magneto gen` wrote, and folders of `check`, `worst`, `eval` and `cover` about the same specifications, or of `solve`
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// What to print
    #[arg(long, default_value = "text", value_parser = ["text", "json", "junit"])]
    format: String,
    /// Also write what was found into verify.json of the first folder: `report` shows it, and the record for signing states it.
    /// Default: nothing is written
    #[arg(long)]
    keep: bool,
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
    let Options { dirs, format, keep, boxes } = flags::options(matches)?;
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let call = |args: &[&str]| {
        let mut command = std::process::Command::new(&python);
        command.args(args);
        command
    };
    let failed = |e: ToolError| Failure::usage(format!("{}: {e}", python.display()));
    match answer_within(&call(&["-c", &format!("import {PACKAGE}.claims")]), "", TIME) {
        Ok(found) if found.status.success() => {}
        Ok(found) => return Err(not_there(&found)),
        Err(e) => return Err(failed(e)),
    }
    let mut command = call(&["-m", PACKAGE, "--format", if output.json { "json" } else { &format }]);
    if keep {
        command.arg("--keep");
    }
    if let Some(boxes) = boxes {
        command.args(["--boxes", &boxes.to_string()]);
    }
    let found = answer_within(command.arg("--").args(&dirs), "", TIME).map_err(failed)?;
    output.print(&found.output)?;
    match found.status.code() {
        Some(0) => Ok(Exit::Passed),
        Some(1) if !found.output.is_empty() => Ok(Exit::Gate),
        Some(3) => Ok(Exit::Inconclusive),
        Some(2) => Err(Failure::rendered(vec![found.said])),
        _ => {
            Err(Failure { exit: Exit::Harness, messages: vec![format!("error: the checker broke: {}\n", found.said)] })
        }
    }
}

/// How to install the checker where Python has none.
fn not_there(found: &ToolOutput) -> Failure {
    let why = found.said.lines().last().unwrap_or("it cannot be imported");
    Failure::usage_hint(
        format!("the checker {PACKAGE} is not installed: {why}"),
        "`python3 -m pip install ./verify` in a clone of magneto installs it with python-flint",
    )
}
