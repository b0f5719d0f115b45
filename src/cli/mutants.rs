//! `magneto mutants`

use super::exit::{Exit, Failure};
use super::output::Output;
use super::{flags, specs};
use clap::{Arg, ArgAction, ArgMatches, Command};
use magneto::mutate;
use magneto::record::json::Versioned;
use magneto::record::mutants::{Mutant, Mutants};
use magneto::report::{code, text};

pub(crate) fn command() -> Command {
    flags::with_knobs(
        Command::new("mutants")
            .about("List the mutants of a specification")
            .arg(specs::one_argument())
            .arg(
                Arg::new("as")
                    .long("as")
                    .value_name("WHAT")
                    .value_parser(["c"])
                    .conflicts_with("diff")
                    .help("Write the mutants that are programs as functions of a language: `c`"),
            )
            .arg(Arg::new("diff").long("diff").action(ArgAction::SetTrue).help("Show each change as a diff")),
    )
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("mutants", matches)?;
    let loaded = specs::load_single(matches, &settings, output)?;
    let made = mutate::mutants(&loaded.spec, &settings.suite.operators);
    if output.json {
        let rows = made.iter().map(|m| Mutant::unjudged(&loaded.spec, &loaded.source, m)).collect();
        output.print_json(&Versioned(&Mutants::listed(&loaded.spec, rows)))?;
    } else if matches.contains_id("as") {
        output.print(code::programs(&loaded.spec, &made))?;
    } else if matches.get_flag("diff") {
        output.say(text::diffs(&loaded.spec, &loaded.source, &made, output.colored()))?;
    } else {
        output.say(text::table(&loaded.source, &made))?;
    }
    Ok(Exit::Passed)
}
