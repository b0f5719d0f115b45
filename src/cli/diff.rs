//! `magneto diff`

use super::exit::{Exit, Failure};
use super::flags;
use super::output::Output;
use super::specs::{self, Loaded};
use clap::{ArgMatches, Args, Command};
use magneto::mutate::OperatorSet;
use magneto::options::{OPERATORS, ORDER, OptionOrigin, Score, Settings};
use magneto::record::{Manifest, Part, read, store};
use magneto::report::diff::{Diff, Version, compare};
use serde::Serialize;
use std::path::Path;

/// What changed between two versions of specifications, or between two runs
#[derive(Args)]
#[group(skip)]
struct Options {
    /// The version before
    #[arg(value_name = "OLD")]
    old: String,
    /// The version now
    #[arg(value_name = "NEW")]
    new: String,
    /// `text`, or `markdown` for a pull request; --json is for programs
    #[arg(long, value_name = "FORMAT", value_parser = ["text", "markdown"], default_value = "text")]
    format: String,
    /// Exit with 1 if an old test is no test any more (`lost-tests`), or if the score of a specification fell
    /// (`lower-score`). Both sides have to be runs. Repeatable
    #[arg(long = "fail-on", value_name = "WHAT", value_parser = ["lost-tests", "lower-score"], value_delimiter = ',')]
    gates: Vec<String>,
    /// The score that `lower-score` is about
    #[arg(long, value_name = "WHICH", value_parser = ["rigorous", "paper"], default_value = "rigorous")]
    score: String,
}

pub(crate) fn command() -> Command {
    flags::command::<Options>(
        "diff",
        "OLD and NEW are output folders of `magneto gen`, or FPCore files, folders of them and patterns, as for `gen`. \
                 Of specifications formula, ranges, accuracy and mutants are compared, of runs also what became of the \
                 mutants, the tests and the scores. What is owed at each old test is compared with what the new \
                 specification owes there, whether it still is a test or not. Specifications are matched by name. The flags \
                 are about files; a run has what it was made with.\n\nExit codes: 0, whatever changed; 1 where --fail-on says so; 2 usage or input error",
    )
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    old: &'a str,
    new: &'a str,
    exit: u8,
    lost_tests: usize,
    lower_scores: Vec<&'a str>,
    #[serde(flatten)]
    diff: &'a Diff,
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("diff", matches)?;
    let options: Options = flags::options(matches)?;
    let (old, new) = (options.old.as_str(), options.new.as_str());
    let gates: Vec<&str> = options.gates.iter().map(String::as_str).collect();
    let files: Vec<&str> = [old, new].into_iter().filter(|side| !is_run(side)).collect();
    if let (Some(gate), Some(file)) = (gates.first(), files.first()) {
        return Err(Failure::usage_hint(
            format!("--fail-on {gate}: {file} is no run, and has no tests or scores"),
            "name two output folders of `magneto gen`",
        ));
    }
    let (before, after) = (runs(old)?, runs(new)?);
    // Of a run and a file the mutants are compared that the run made.
    let operators = match (settings.origin(OPERATORS), before.as_ref().or(after.as_ref())) {
        (OptionOrigin::Flag, _) => Some(settings.suite.operators.clone()),
        (_, Some(parts)) => Some(operators(parts.first().map(|p| &p.manifest))?),
        (_, None) => None,
    };
    let side =
        |argument: &str, parts: Option<Vec<Part>>| versions(argument, parts, &settings, operators.as_ref(), output);
    let diff = compare(&side(old, before)?, &side(new, after)?);
    let score = if options.score == Score::Paper.name() { Score::Paper } else { Score::Rigorous };
    let (lost_tests, lower_scores) = (diff.lost_tests(), diff.lower_scores(score));
    let mut failed = Vec::new();
    if gates.contains(&"lost-tests") && lost_tests > 0 {
        failed.push(format!("error: {lost_tests} old tests are no tests any more (--fail-on lost-tests)\n"));
    }
    if gates.contains(&"lower-score") && !lower_scores.is_empty() {
        let names = lower_scores.join(", ");
        failed.push(format!("error: the {} score fell for {names} (--fail-on lower-score)\n", score.name()));
    }
    let exit = if failed.is_empty() { Exit::Passed } else { Exit::Gate };
    if output.json {
        let schema = "magneto/diff/1";
        let document = Document { schema, old, new, exit: exit as u8, lost_tests, lower_scores, diff: &diff };
        output.print_json(&document)?;
    } else if options.format == "markdown" {
        output.say(diff.markdown())?;
    } else {
        output.say(diff.text())?;
    }
    failed.iter().for_each(|message| output.message(message));
    Ok(exit)
}

fn is_run(argument: &str) -> bool {
    Path::new(argument).is_dir() && store::is_of_a_command(Path::new(argument))
}

/// What a run wrote down; none where the argument is no run.
fn runs(argument: &str) -> Result<Option<Vec<Part>>, Failure> {
    if !is_run(argument) {
        return Ok(None);
    }
    let dir = Path::new(argument);
    let folders = read::folders(dir)?;
    let parts = folders.iter().map(|folder| Part::read(&dir.join(folder))).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(parts))
}

/// The operators that a run had.
fn operators(manifest: Option<&Manifest>) -> Result<OperatorSet, Failure> {
    let mut settings = Settings::default();
    for knob in [OPERATORS, ORDER] {
        if let Some(value) = manifest.and_then(|m| m.option(knob.name)) {
            let set = settings.set(knob, &[value.to_owned()], OptionOrigin::File);
            set.map_err(|e| Failure::usage(format!("the run has --{}: {e}", knob.name)))?;
        }
    }
    Ok(settings.suite.operators)
}

/// One side.
fn versions(
    argument: &str,
    parts: Option<Vec<Part>>,
    settings: &Settings,
    operators: Option<&OperatorSet>,
    output: &Output,
) -> Result<Vec<Version>, Failure> {
    if let Some(parts) = parts {
        return Ok(parts.into_iter().map(Version::of_run).collect::<Result<_, _>>()?);
    }
    let loaded = specs::load_named(&[argument.to_owned()], settings, output)?;
    let own = |l: &Loaded| operators.unwrap_or(&l.settings.suite.operators).clone();
    let version = |l: Loaded| {
        let operators = own(&l);
        Version::of_specification(l.spec, &l.source, &operators)
    };
    Ok(loaded.into_iter().map(version).collect())
}
