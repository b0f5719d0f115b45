//! `magneto completions`

use super::exit::{Exit, Failure};
use super::output::Output;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;
use serde::Serialize;

pub(crate) fn command() -> Command {
    Command::new("completions")
        .about("Print a completion script for a shell")
        .arg(Arg::new("shell").value_name("SHELL").required(true).value_parser(value_parser!(Shell)).help("The shell"))
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    shell: String,
    script: String,
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let Some(shell) = matches.get_one::<Shell>("shell") else { return Ok(Exit::Usage) };
    let mut script = Vec::new();
    clap_complete::generate(*shell, &mut super::command(), "magneto", &mut script);
    if output.json {
        let script = String::from_utf8_lossy(&script).into_owned();
        output.print_json(&Document { schema: "magneto/completions/1", shell: shell.to_string(), script })?;
    } else {
        output.print(script)?;
    }
    Ok(Exit::Passed)
}
