//! `magneto schema`

use super::exit::{Exit, Failure};
use super::output::Output;
use clap::{Arg, ArgMatches, Command};
use magneto::record::schema::{ALL, Entry};
use serde::Serialize;

pub(crate) fn command() -> Command {
    let list: String = ALL.iter().map(|e| format!("  {} ({}): {}\n", e.name, e.id, e.about)).collect();
    Command::new("schema")
        .about("The JSON schema of a file that magneto writes")
        .after_help(format!("Documents, with their versions:\n{list}"))
        .arg(
            Arg::new("name")
                .value_name("NAME")
                .value_parser(ALL.iter().map(|e| e.name).collect::<Vec<_>>())
                .help("The document; without it all are listed"),
        )
}

/// The list as one document.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    documents: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    schema: &'static str,
    about: &'static str,
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let name = matches.get_one::<String>("name");
    if let Some(one) = ALL.iter().find(|e| Some(e.name) == name.map(String::as_str)) {
        output.print_json(&(one.schema)())?;
    } else if output.json {
        let documents = ALL.iter().map(|e| Row { name: e.name, schema: e.id, about: e.about }).collect();
        output.print_json(&Document { schema: "magneto/schemas/1", documents })?;
    } else {
        let width = |of: fn(&Entry) -> &str| ALL.iter().map(|e| of(e).len()).max().unwrap_or_default();
        let (name, id) = (width(|e| e.name), width(|e| e.id));
        output.print(
            ALL.iter().map(|e| format!("{:<name$}  {:<id$}  {}\n", e.name, e.id, e.about)).collect::<String>(),
        )?;
    }
    Ok(Exit::Passed)
}
