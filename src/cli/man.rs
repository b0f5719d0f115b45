//! `magneto man`

use super::exit::{Exit, Failure};
use super::output::Output;
use clap::{ArgMatches, Command};
use serde::Serialize;

pub(crate) fn command() -> Command {
    Command::new("man").about("Print the manual page, all commands in it: `magneto man | man -l -`")
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    page: String,
}

pub(crate) fn run(_: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let page = page().map_err(|e| Failure::usage(format!("cannot make the manual page: {e}")))?;
    if output.json {
        let page = String::from_utf8_lossy(&page).into_owned();
        output.print_json(&Document { schema: "magneto/man/1", page })?;
    } else {
        output.print(page)?;
    }
    Ok(Exit::Passed)
}

/// The page of the program, then a section for each command.
fn page() -> std::io::Result<Vec<u8>> {
    let mut root = super::command().disable_help_subcommand(true);
    root.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(root.clone()).render(&mut page)?;
    let parts = |c: &Command| -> Vec<(String, Command)> {
        let part = |s: &Command| (format!("{} {}", c.get_name(), s.get_name()), s.clone());
        std::iter::once((c.get_name().to_owned(), c.clone())).chain(c.get_subcommands().map(part)).collect()
    };
    for (name, command) in root.get_subcommands().filter(|c| !c.is_hide_set()).flat_map(parts) {
        let name = name.to_uppercase();
        let man = clap_mangen::Man::new(command);
        page.extend(format!(".SH \"COMMAND {name}\"\n").bytes());
        let mut part = Vec::new();
        man.render_synopsis_section(&mut part)?;
        man.render_description_section(&mut part)?;
        man.render_options_section(&mut part)?;
        // Their headings become subheadings.
        page.extend(String::from_utf8_lossy(&part).replace(".SH ", ".SS ").bytes());
    }
    Ok(page)
}
