//! `magneto operators`

use super::exit::{Exit, Failure};
use super::flags;
use super::output::Output;
use clap::{ArgMatches, Args, Command};
use magneto::text::{nearest, quote};
use serde::Serialize;

/// The page of the book whose first table has every operator, with where it has a value.
const PAGE: &str = include_str!("../../docs/src/operators.md");

/// The operators of specifications, with where each has a value
#[derive(Args)]
#[group(skip)]
struct Options {
    /// Only operators of this name; without it all are listed
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

pub(crate) fn command() -> Command {
    Options::augment_args(Command::new("operators"))
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    operators: Vec<Row>,
}

/// An operator.
#[derive(Serialize)]
pub(super) struct Row {
    /// How it is written.
    pub(super) call: String,
    /// The function over the real numbers.
    pub(super) function: String,
    /// A condition of FPCore, or `all`: where it has a value.
    pub(super) has_a_value: String,
}

/// The rows of the table, of all operators or of those of one name.
pub(super) fn rows(name: Option<&str>) -> Vec<Row> {
    let lines = PAGE.lines().skip_while(|l| !l.starts_with("| `(")).take_while(|l| l.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<String> = line.trim_matches('|').split('|').map(|c| c.trim().replace('`', "")).collect();
        let [call, function, has_a_value] = cells.try_into().ok()?;
        Some(Row { call, function, has_a_value })
    };
    let is_wanted = |row: &Row| {
        let own = row.call.trim_matches(['(', ')']).split(' ').next();
        name.is_none_or(|name| own == Some(name))
    };
    lines.filter_map(row).filter(is_wanted).collect()
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let Options { name } = flags::options(matches)?;
    let operators = rows(name.as_deref());
    if operators.is_empty() {
        let name = name.unwrap_or_default();
        let known = rows(None);
        let names = known.iter().map(|row| row.call.trim_matches(['(', ')']).split(' ').next().unwrap_or_default());
        let hint = nearest(&name, names)
            .map_or_else(|| "`magneto operators` lists all".to_owned(), |near| format!("did you mean `{near}`?"));
        return Err(Failure::usage_hint(format!("there is no operator {}", quote(&name)), &hint));
    }
    if output.json {
        output.print_json(&Document { schema: "magneto/operators/1", operators })?;
        return Ok(Exit::Passed);
    }
    let width = |of: fn(&Row) -> &str| operators.iter().map(|row| of(row).chars().count()).max().unwrap_or_default();
    let (call, function) = (width(|r| &r.call), width(|r| &r.function));
    let line = |r: &Row| format!("{:<call$}  {:<function$}  {}\n", r.call, r.function, r.has_a_value);
    output.print(operators.iter().map(line).collect::<String>())?;
    Ok(Exit::Passed)
}
