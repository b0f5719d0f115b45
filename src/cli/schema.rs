//! `magneto schema`

use super::exit::{Exit, Failure};
use super::flags;
use super::output::Output;
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args, Command};
use magneto::record::schema::{self, SchemaEntry};
use serde::Serialize;

/// The JSON schema of a file that magneto writes
#[derive(Args)]
#[group(skip)]
struct Options {
    /// The document; without it all are listed
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(all().into_iter().map(|e| e.name)))]
    name: Option<String>,
}

/// All documents.
fn all() -> Vec<SchemaEntry> {
    #[cfg_attr(not(feature = "plots"), allow(unused_mut))]
    let mut all = Vec::from(schema::ALL);
    #[cfg(feature = "plots")]
    all.extend(super::bench::documents());
    all
}

pub(crate) fn command() -> Command {
    let list: String = all().iter().map(|e| format!("  {} ({}): {}\n", e.name, e.id, e.about)).collect();
    Options::augment_args(Command::new("schema")).after_help(format!("Documents, with their versions:\n{list}"))
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
    let Options { name } = flags::options(matches)?;
    if let Some(one) = all().iter().find(|e| Some(e.name) == name.as_deref()) {
        output.print_json(&(one.schema)())?;
    } else if output.json {
        let documents = all().iter().map(|e| Row { name: e.name, schema: e.id, about: e.about }).collect();
        output.print_json(&Document { schema: "magneto/schemas/1", documents })?;
    } else {
        let width = |of: fn(&SchemaEntry) -> &str| all().iter().map(|e| of(e).len()).max().unwrap_or_default();
        let (name, id) = (width(|e| e.name), width(|e| e.id));
        output.print(
            all().iter().map(|e| format!("{:<name$}  {:<id$}  {}\n", e.name, e.id, e.about)).collect::<String>(),
        )?;
    }
    Ok(Exit::Passed)
}
