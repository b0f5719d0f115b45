//! `magneto mutants`

use super::exit::{Exit, Failure};
use super::output::Output;
use super::{explain, flags, specs};
use clap::{Arg, ArgAction, ArgMatches, Command};
use magneto::mutate;
use magneto::options::Settings;
use magneto::record::json::Versioned;
use magneto::record::mutants::{Mutant, Mutants};
use magneto::report::{code, text};

pub(crate) fn command() -> Command {
    flags::with_knobs(
        Command::new("mutants")
            .about("List the mutants of a specification")
            .arg(specs::one_argument())
            .arg(
                Arg::new("as").long("as").value_name("WHAT").value_parser(["c", "fpcore"]).conflicts_with("diff").help(
                    "Write the mutants that are programs as functions of a language: `c`. Or each mutant whole, one a \
                         line: `fpcore`",
                ),
            )
            .arg(
                Arg::new("id")
                    .long("id")
                    .value_name("ID")
                    .help("Only the mutant with this id, or the one whose id begins so"),
            )
            .arg(Arg::new("diff").long("diff").action(ArgAction::SetTrue).help("Show each change as a diff")),
    )
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("mutants", matches)?;
    let loaded = specs::load_single(matches, &settings, output)?;
    let settings = Settings::clone(&loaded.settings);
    let mut made = mutate::mutants(&loaded.spec, &settings.suite.operators);
    if let Some(id) = matches.get_one::<String>("id") {
        made = vec![explain::find(&made, id)?.clone()];
    }
    if output.json {
        let rows = made.iter().map(|m| Mutant::unjudged(&loaded.spec, &loaded.source, m)).collect();
        output.print_json(&Versioned(&Mutants::listed(&loaded.spec, rows)))?;
    } else if matches.get_one::<String>("as").is_some_and(|what| what == "fpcore") {
        for m in &made {
            output.print(format!("{}\n", m.one_line(&loaded.spec)))?;
        }
    } else if matches.contains_id("as") {
        output.print(code::programs(&loaded.spec, &made))?;
    } else if matches.get_flag("diff") {
        output.say(text::diffs(&loaded.spec, &loaded.source, &made, output.colored()))?;
    } else {
        output.say(text::table(&loaded.source, &made))?;
    }
    Ok(Exit::Passed)
}
