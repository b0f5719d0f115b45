//! `magneto explain`

use super::exit::{Exit, Failure};
use super::output::Output;
use super::specs::{Loaded, OneSpec};
use super::{accepted, flags, specs};
use clap::{ArgMatches, Args, Command};
use magneto::mutate::{self, Mutant};
use magneto::options::Settings;
use magneto::record::Suite;
use magneto::report::explain::{Explained, MutantOutcome};
use magneto::suite::recheck::{Cover, Proved, RecheckEffort, Rechecked, recheck};
use magneto::suite::{self, Interrupt};
use std::path::PathBuf;

/// One mutant: the change, the killing test, the proof, or what was tried
#[derive(Args)]
#[group(skip)]
struct Options {
    #[command(flatten)]
    one: OneSpec,
    /// The mutant's id, or the beginning of it
    #[arg(value_name = "ID")]
    id: String,
    /// Check a proof and every number and condition that is printed of it again by other means: at more than 10000 exact
    /// points in multiple precision, pairs of special values, equal and opposite inputs and the edges of all conditions
    /// among them, and, for a cover, by a second one without contraction. Exit code 3 where the second cover stays
    /// incomplete
    #[arg(long)]
    check: bool,
    /// Read the results of `magneto gen` from DIR
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
}

pub(crate) fn command() -> Command {
    flags::command::<Options>(
        "explain",
        "Without --from the mutant is searched anew and alone, so that the tests made for other mutants are not tried on it: \
         its test may be another one than in the files, and has no number. --from DIR names the tests of the run in DIR, and \
         the minimal mutant that stands for this one there.",
    )
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("explain", matches)?;
    let options: Options = flags::options(matches)?;
    let loaded = specs::load_single(&options.one.spec, &settings, output)?;
    let settings = Settings::clone(&loaded.settings);
    let spec = &loaded.spec;
    let all = mutate::mutants(spec, &settings.suite.operators);
    let mutant = find(&all, &options.id)?;
    let outcome = match &options.from {
        Some(dir) => MutantOutcome::of_run(dir, spec, &loaded.source, &mutant.id)?,
        None => search(&loaded, mutant, &settings, output)?,
    };
    let cap = settings.suite.precision_cap;
    let claim = Proved::of(&outcome.status).filter(|_| options.check);
    let check =
        claim.map(|claim| recheck(spec, mutant, claim, outcome.proof.as_deref(), RecheckEffort::default())).transpose();
    let check = check.map_err(|e| Failure::rendered(vec![loaded.message("error", &e.to_string())]))?;
    let exit = match &check {
        Some(Rechecked { refuted: Some(_), .. }) => Exit::Bug,
        Some(Rechecked { cover: Some(Cover { complete: false, .. }), .. }) => Exit::Inconclusive,
        _ => Exit::Passed,
    };
    let explained = Explained { spec, source: &loaded.source, mutant, outcome, cap, check };
    if output.json {
        output.print_json(&explained.document())?;
    } else {
        output.say(explained.text())?;
    }
    Ok(exit)
}

/// The one mutant whose id begins so.
pub(super) fn find<'a>(all: &'a [Mutant], id: &str) -> Result<&'a Mutant, Failure> {
    if let Some(exact) = all.iter().find(|m| m.id == id) {
        return Ok(exact);
    }
    let found: Vec<&Mutant> = all.iter().filter(|m| m.id.starts_with(id)).collect();
    match found[..] {
        [one] => Ok(one),
        [] => Err(Failure::usage_hint(
            format!("no mutant has an id that begins with `{id}`"),
            "`magneto mutants SPEC` lists them; --operators and the accuracy flags must be those of the run",
        )),
        [..] => {
            let ids: Vec<&str> = found.iter().take(8).map(|m| m.id.as_str()).collect();
            let message = format!("{} mutants have an id that begins with `{id}`", found.len());
            Err(Failure::usage_hint(message, format!("there are {}", ids.join(", "))))
        }
    }
}

fn search(
    loaded: &Loaded,
    mutant: &Mutant,
    settings: &magneto::options::Settings,
    output: &Output,
) -> Result<MutantOutcome, Failure> {
    let accepted = accepted::read(std::slice::from_ref(loaded))?;
    let made = vec![mutant.clone()];
    let mut generated = suite::generate_for(&loaded.spec, made, &settings.suite, &Interrupt::default())
        .map_err(|e| Failure::rendered(vec![loaded.message("error", &e.to_string())]))?;
    accepted[0].apply(&mut generated, output);
    let suite = Suite { spec: &loaded.spec, source: &loaded.source, settings, generated: &generated };
    Ok(MutantOutcome::of(&suite))
}
