//! `magneto bench`

mod cover;
mod faults;
mod fpbench;
mod paths;
mod planted;
mod rounding;
mod scaling;
mod solve;
mod solver;
mod worst;
mod written;

use super::exit::{Exit, Failure};
use super::interrupt;
use super::output::Output;
use super::shards::{self, Sharded};
use clap::{ArgMatches, Command};
use magneto::bench::cover::files::CoverDocument;
use magneto::bench::document::FpbenchDocument;
use magneto::bench::files::FpbenchManifest;
use magneto::bench::paths::PathsDocument;
use magneto::bench::resume::FpbenchResume;
use magneto::bench::scaling::Scaling;
use magneto::bench::scripts::files::ScriptsDocument;
use magneto::record::schema::{SchemaEntry, entry};
use magneto::record::store::{FolderClaim, Mark};
use magneto::record::{Document, json, store};
use serde_json::Value;

pub(crate) fn command() -> Command {
    Command::new("bench")
        .about("Measure: the solver on named pairs, solvers on SMT-LIB scripts, the paper's evaluation, how times grow, planted faults and the search for them, branches of code, rounding errors")
        .after_help("No magneto.toml is read, so that a result depends on the command line only. --shard K/N deals out formulas, programs, scripts or \
             functions; `solver`, `paths` and `scaling`, whose results are times of one machine, have no shards. Times are of \
             each run and part; all other figures are those of one run.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(solver::command())
        .subcommand(solve::command())
        .subcommand(fpbench::command())
        .subcommand(scaling::command())
        .subcommand(faults::command())
        .subcommand(rounding::command())
        .subcommand(worst::command())
        .subcommand(cover::command())
        .subcommand(paths::command())
        .subcommand(written::command())
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    match matches.subcommand() {
        Some(("solver", matches)) => interrupt::may_leave(|| solver::run(matches, output)),
        Some(("solve", matches)) => solve::run(matches, output),
        Some(("fpbench", matches)) => fpbench::run(matches, output),
        Some(("faults", matches)) => faults::run(matches, output),
        Some(("rounding", matches)) => interrupt::may_leave(|| rounding::run(matches, output)),
        Some(("worst", matches)) => worst::run(matches, output),
        Some(("cover", matches)) => cover::run(matches, output),
        Some(("paths", matches)) => paths::run(matches, output),
        Some(("written", matches)) => written::run(matches, output),
        Some(("scaling", matches)) => scaling::run(matches, output),
        _ => Ok(Exit::Usage),
    }
}

/// Ends a benchmark with what its shards found.
pub(super) fn end(matches: &ArgMatches, found: Vec<Value>, output: &Output) -> Result<Exit, Failure> {
    match matches.subcommand() {
        Some(("fpbench", matches)) => fpbench::end(matches, shards::read(found)?, output),
        Some(("solve", matches)) => solve::end(matches, shards::read(found)?, output),
        Some(("faults", matches)) => faults::end(matches, shards::read(found)?, false, output),
        Some(("rounding", matches)) => rounding::end(matches, shards::read(found)?, output),
        Some(("worst", matches)) => worst::end(matches, shards::read(found)?, false, output),
        Some(("cover", matches)) => cover::end(matches, shards::read(found)?, output),
        Some(("written", matches)) => written::end(matches, shards::read(found)?, output),
        _ => Err(Failure::usage("this benchmark has no shards")),
    }
}

/// Prints the document of a benchmark, or a text for people, and writes the document into the folder of -o.
fn tell(
    (part, name): (&Sharded, &str),
    document: &impl Document,
    text: impl FnOnce() -> String,
    output: &Output,
) -> Result<(), Failure> {
    if let Some(dir) = &part.output {
        store::claim(dir, &FolderClaim::Alone(&[Mark { file: name, schema: SCHEMAS }]))?;
        store::write(dir, &store::Files::from([(name.to_owned(), json::document(document))]), &[])?;
    }
    if output.json {
        output.print_json(&json::Versioned(document))
    } else if output.quiet {
        Ok(())
    } else {
        output.say(text())
    }
}

/// The documents of all benchmarks.
pub(super) fn documents() -> Vec<SchemaEntry> {
    vec![
        entry::<solver::SolverDocument<'_>>("bench-solver", "`bench solver --json`: answers to named pairs"),
        entry::<solver::WorthDocument>(
            "bench-worth",
            "`bench solver --worth --json`: what parts of the solver are worth",
        ),
        entry::<ScriptsDocument<'_>>("bench-solve", "manifest.json of `bench solve`: scripts by several solvers"),
        entry::<FpbenchDocument<'_>>("bench-fpbench", "`bench fpbench --json`: the paper's evaluation"),
        entry::<FpbenchManifest>("bench-fpbench-manifest", "manifest.json of `bench fpbench`: what it depended on"),
        entry::<FpbenchResume>(
            "bench-fpbench-resume",
            "resume.json of `bench fpbench`: the formulas that are complete",
        ),
        entry::<Scaling>("bench-scaling", "manifest.json of `bench scaling`: how times grow"),
        entry::<faults::FaultsDocument<'_>>("bench-faults", "bench-faults.json: planted faults that tests find"),
        entry::<rounding::RoundingDocument<'_>>("bench-rounding", "bench-rounding.json: bounds on rounding errors"),
        entry::<worst::WorstDocument<'_>>("bench-worst", "bench-worst.json: planted faults that a search finds"),
        entry::<CoverDocument<'_>>("bench-cover", "manifest.json of `bench cover`: branches of code"),
        entry::<PathsDocument>("bench-paths", "`bench paths --json`: paths and conditions of code"),
        entry::<written::WrittenDocument<'_>>("bench-written", "bench-written.json: formulas as they are written"),
    ]
}

/// How the schemas of documents of benchmarks begin.
const SCHEMAS: &str = "magneto/bench-";
