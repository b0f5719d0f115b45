//! `magneto completions`

use super::exit::{Exit, Failure};
use super::flags;
use super::output::Output;
use clap::{ArgMatches, Args, Command};
use clap_complete::Shell;
use serde::Serialize;

/// Print a completion script for a shell
#[derive(Args)]
#[group(skip)]
struct Options {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn command() -> Command {
    Options::augment_args(Command::new("completions"))
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    shell: String,
    script: String,
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let Options { shell } = flags::options(matches)?;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut super::command(), "magneto", &mut script);
    if output.json {
        let script = String::from_utf8_lossy(&script).into_owned();
        output.print_json(&Document { schema: "magneto/completions/1", shell: shell.to_string(), script })?;
    } else {
        output.print(script)?;
    }
    Ok(Exit::Passed)
}
