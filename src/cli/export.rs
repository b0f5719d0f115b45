//! `magneto export`

use super::exit::{Exit, Failure};
use super::output::Output;
use super::{flags, no_run::no_run};
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args, Command};
use magneto::record::store::{self, Files, FolderClaim};
use magneto::report::code::{self, CodeTarget};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The tests of a run as source code or vectors
#[derive(Args)]
#[group(skip)]
struct Options {
    /// An output folder of `magneto gen`, `magneto worst` or `magneto cover --spec`
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// What to write
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(CodeTarget::ALL.map(CodeTarget::name)))]
    to: String,
    /// The function under test, as the language names it; for pytest module:function. Default: the specification's name
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Where to write
    #[arg(short, long, value_name = "DIR", default_value = "magneto.export")]
    output: PathBuf,
    /// Replace files that magneto did not write
    #[arg(long)]
    force: bool,
}

pub(crate) fn command() -> Command {
    Options::augment_args(Command::new("export"))
        .after_help(
            "Every test asserts lo <= y && y <= hi with exact constants, and says which mutants it kills. Inputs outside \
             the domain are kept apart and skipped by default: with C and C++ define MAGNETO_OUT_OF_RANGE, with pytest, \
             MATLAB and Ada set it in the environment, with Rust use --include-ignored.\n\n\
             coq writes theorems instead, on the tests and on the kills, and gappa the claims that programs over floats meet \
             the accuracy; both say which they cannot express.\n\n\
             The C header has the tests as a table; it goes with each of c, unity, check, cmocka, gtest and catch2.",
        )
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    output: String,
    files: Vec<&'a String>,
    interrupted: bool,
    tests: usize,
    outside: usize,
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let Options { dir, to: name, function, output: to, force } = flags::options(matches)?;
    let target = CodeTarget::ALL.into_iter().find(|t| t.name() == name).unwrap_or(CodeTarget::C);
    let function = function.as_deref();
    let cases = code::read(&dir).map_err(|e| no_run(&dir, &e))?;
    // The sizes and the results of one function are specifications of their own.
    let functions: BTreeSet<&str> = cases.iter().map(|c| c.function.as_str()).collect();
    if function.is_some() && functions.len() > 1 {
        return Err(Failure::usage_hint(
            format!("--function names one function, and {} holds the tests of {}", dir.display(), functions.len()),
            "export their folders one by one",
        ));
    }
    let mut files = Files::new();
    for one in &cases {
        files.extend(
            code::files(one, target, function).map_err(Failure::usage)?.into_iter().map(|(n, t)| (n, t.into())),
        );
    }
    if files.is_empty() {
        return Err(Failure::usage_hint(
            format!(
                "--to {name}: {} has no program over floats that is proved to meet the accuracy and can be expressed",
                dir.display()
            ),
            "`magneto gen --operators evaluation` makes such programs",
        ));
    }
    store::claim(&to, &FolderClaim::Exports(&files, force))?;
    store::write(&to, &files, &[])?;
    if cases.iter().any(|c| c.interrupted) {
        output.note("what found the tests was interrupted before its end: tests may be missing");
    }
    for one in &cases {
        for (why, names) in code::left_out(one, target) {
            output.note(format!("{}: not expressed, for {why}: {}", one.ident, names.join(", ")));
        }
    }
    let count = |of: fn(&code::CodeCases) -> usize| cases.iter().map(of).sum();
    let (tests, outside) = (count(|c| c.inside.len()), count(|c| c.outside.len()));
    if output.json {
        output.print_json(&Document {
            schema: "magneto/export/1",
            output: to.display().to_string(),
            files: files.keys().collect(),
            interrupted: cases.iter().any(|c| c.interrupted),
            tests,
            outside,
        })?;
    } else if !output.quiet {
        let list: String = files.keys().map(|name| format!("{}\n", to.join(name).display())).collect();
        output.say(list)?;
        output.note(format!("{tests} tests, and {outside} outside the domain, which are skipped by default"));
    }
    Ok(Exit::Passed)
}
