//! `magneto mutants`

use super::exit::{Exit, Failure};
use super::output::Output;
use super::specs::OneSpec;
use super::{explain, flags, specs};
use clap::{ArgMatches, Args, Command, ValueEnum};
use magneto::mutate;
use magneto::options::Settings;
use magneto::record::json::Versioned;
use magneto::record::mutants::{MutantRow, Mutants};
use magneto::report::{code, text};

/// List the mutants of a specification
#[derive(Args)]
#[group(skip)]
struct Options {
    #[command(flatten)]
    one: OneSpec,
    /// Write the mutants that are programs as functions of a language: `c`. Or each mutant whole, one a line: `fpcore`
    #[arg(long = "as", value_name = "WHAT", conflicts_with = "diff")]
    form: Option<Form>,
    /// Only the mutant with this id, or the one whose id begins so
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Show each change as a diff
    #[arg(long)]
    diff: bool,
}

/// What `--as` writes.
#[derive(Clone, Copy, ValueEnum)]
enum Form {
    C,
    Fpcore,
}

pub(crate) fn command() -> Command {
    flags::command::<Options>("mutants", None)
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("mutants", matches)?;
    let options: Options = flags::options(matches)?;
    let loaded = specs::load_single(&options.one.spec, &settings, output)?;
    let settings = Settings::clone(&loaded.settings);
    let mut made = mutate::mutants(&loaded.spec, &settings.suite.operators);
    if let Some(id) = &options.id {
        made = vec![explain::find(&made, id)?.clone()];
    }
    if output.json {
        let rows = made.iter().map(|m| MutantRow::unjudged(&loaded.spec, &loaded.source, m)).collect();
        output.print_json(&Versioned(&Mutants::listed(&loaded.spec, rows)))?;
    } else if matches!(options.form, Some(Form::Fpcore)) {
        for m in &made {
            output.print(format!("{}\n", m.one_line(&loaded.spec)))?;
        }
    } else if options.form.is_some() {
        output.print(code::programs(&loaded.spec, &made))?;
    } else if options.diff {
        output.say(text::diffs(&loaded.spec, &loaded.source, &made, output.colored()))?;
    } else {
        output.say(text::table(&loaded.source, &made))?;
    }
    Ok(Exit::Passed)
}
