//! `magneto explain`

use super::exit::{Exit, Failure};
use super::output::Output;
use super::specs::{Loaded, OneSpec};
use super::{accepted, flags, specs, verify};
use clap::{ArgMatches, Args, Command};
use magneto::mutate::{self, Mutant};
use magneto::options::Settings;
use magneto::record::Suite;
use magneto::report::explain::{self, Explained, ExplainedTest, MutantOutcome};
use magneto::suite::recheck::{Cover, Proved, RecheckEffort, Rechecked, recheck};
use magneto::suite::{self, Interrupt};
use magneto::text::Lines;
use std::path::{Path, PathBuf};

/// Mutants: the change, the killing test, the proof, or what was tried. Or a test: what it is there for
#[derive(Args)]
#[group(skip)]
struct Options {
    #[command(flatten)]
    one: OneSpec,
    /// The mutant's id, or the beginning of it; LINE:COLUMN for all mutants of what stands there; or, with --from, the id of
    /// a test, such as t001
    #[arg(value_name = "ID")]
    id: String,
    /// Check a proof and every number and condition that is printed of it again by other means: at more than 10000 exact
    /// points in multiple precision, pairs of special values, equal and opposite inputs and the edges of all conditions
    /// among them, and, for a cover, by a second one without contraction. Exit code 3 where the second cover stays
    /// incomplete. With --from the independent checker of `magneto verify` also checks what the run says of the mutant, where
    /// that is installed, unless JSON is asked for
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
    let wanted = match Wanted::new(&options.id) {
        Wanted::Test(id) => return test(&loaded, &options, id, output),
        Wanted::Place(place) => at(&all, &loaded.source, place, &options.id)?,
        Wanted::Mutant(id) => vec![find(&all, id)?],
    };
    let outcomes = match &options.from {
        Some(dir) => {
            let of_run = |m: &&Mutant| MutantOutcome::of_run(dir, spec, &loaded.source, &m.id);
            wanted.iter().map(of_run).collect::<Result<Vec<_>, _>>()?
        }
        None => search(&loaded, &wanted, &settings, output)?,
    };
    let mut exit = Exit::Passed;
    let mut explained = Vec::new();
    for (mutant, outcome) in wanted.into_iter().zip(outcomes) {
        let check = if options.check { checked(&loaded, mutant, &outcome)? } else { None };
        exit = match &check {
            Some(Rechecked { refuted: Some(_), .. }) => Exit::Bug,
            Some(Rechecked { cover: Some(Cover { complete: false, .. }), .. }) if exit != Exit::Bug => {
                Exit::Inconclusive
            }
            _ => exit,
        };
        let cap = settings.suite.precision_cap;
        explained.push(Explained { spec, source: &loaded.source, mutant, outcome, cap, check });
    }
    match &explained[..] {
        [one] if output.json => output.print_json(&one.document())?,
        several if output.json => output.print_json(&explain::documents(several))?,
        several => output.say(several.iter().map(Explained::text).collect::<Vec<_>>().join("\n"))?,
    }
    match options.from.as_ref().filter(|_| options.check && !output.json) {
        Some(dir) => Ok(verified(dir, &explained, output)?.unwrap_or(exit)),
        None => Ok(exit),
    }
}

/// Has the independent checker look at what a run says of mutants; the exit code if something is refuted.
fn verified(dir: &Path, explained: &[Explained<'_>], output: &Output) -> Result<Option<Exit>, Failure> {
    let mut refuted = None;
    for one in explained {
        match verify::of_mutant(dir, &one.mutant.id)? {
            Some((exit, said)) => {
                refuted = refuted.or((exit == Exit::Gate).then_some(Exit::Bug));
                output.say(format!("the independent checker\n{said}"))?;
            }
            None => {
                output.note("the independent checker is not installed: `python3 -m pip install ./verify` in a clone");
                break;
            }
        }
    }
    Ok(refuted)
}

/// What is to be explained.
enum Wanted<'a> {
    /// The mutant whose id begins so.
    Mutant(&'a str),
    /// The mutants that change what stands at a line and column, both from 1.
    Place((usize, usize)),
    /// The test of a run.
    Test(&'a str),
}

impl<'a> Wanted<'a> {
    fn new(text: &'a str) -> Self {
        // As messages have it, a file's name may stand before.
        let mut parts = text.rsplitn(3, ':');
        let (column, line) = (parts.next().map(str::parse), parts.next().map(str::parse));
        match (line, column) {
            (Some(Ok(line)), Some(Ok(column))) => Wanted::Place((line, column)),
            _ if text.strip_prefix('t').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) => {
                Wanted::Test(text)
            }
            _ => Wanted::Mutant(text),
        }
    }
}

/// The mutants that change what begins at a place; where none does, those of the smallest part around it that one changes.
fn at<'a>(all: &'a [Mutant], source: &[u8], place: (usize, usize), said: &str) -> Result<Vec<&'a Mutant>, Failure> {
    let lines = Lines::new(source);
    let begin: Vec<&Mutant> = all.iter().filter(|m| lines.place(m.span.start) == place).collect();
    if !begin.is_empty() {
        return Ok(begin);
    }
    let around = |m: &&Mutant| lines.place(m.span.start) <= place && place < lines.place(m.span.end);
    let width = |m: &Mutant| m.span.end - m.span.start;
    match all.iter().filter(around).map(width).min() {
        Some(least) => Ok(all.iter().filter(around).filter(|m| width(m) == least).collect()),
        None => Err(Failure::usage_hint(
            format!("no mutant changes what stands at {said}"),
            "`magneto mutants SPEC` lists them with their places",
        )),
    }
}

/// Explains a test of a run.
fn test(loaded: &Loaded, options: &Options, id: &str, output: &Output) -> Result<Exit, Failure> {
    let Some(dir) = &options.from else {
        return Err(Failure::usage_hint(
            format!("{id} is a test, and no run is named"),
            format!("write --from DIR, the folder of `magneto gen` that has {id}"),
        ));
    };
    let explained = ExplainedTest::of_run(dir, &loaded.spec, &loaded.source, id)?;
    if output.json {
        output.print_json(&explained.document())?;
    } else {
        output.say(explained.text())?;
    }
    Ok(Exit::Passed)
}

/// What a second check of a mutant's proof finds; none where it has no proof.
fn checked(loaded: &Loaded, mutant: &Mutant, outcome: &MutantOutcome) -> Result<Option<Rechecked>, Failure> {
    let Some(claim) = Proved::of(&outcome.status) else { return Ok(None) };
    let found = recheck(&loaded.spec, mutant, claim, outcome.proof.as_deref(), RecheckEffort::default());
    found.map(Some).map_err(|e| Failure::rendered(vec![loaded.message("error", &e.to_string())]))
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
    mutants: &[&Mutant],
    settings: &Settings,
    output: &Output,
) -> Result<Vec<MutantOutcome>, Failure> {
    let accepted = accepted::read(std::slice::from_ref(loaded))?;
    let made: Vec<Mutant> = mutants.iter().copied().cloned().collect();
    let progress = |judged: usize, all: usize| output.progress(&format!("{judged}/{all} mutants"));
    let interrupt = Interrupt { progress: Some(&progress), ..Interrupt::default() };
    let generated = suite::generate_for(&loaded.spec, made, &settings.suite, &interrupt);
    output.progress("");
    let mut generated = generated.map_err(|e| Failure::rendered(vec![loaded.message("error", &e.to_string())]))?;
    accepted[0].apply(&mut generated, output);
    let suite = Suite { spec: &loaded.spec, source: &loaded.source, settings, generated: &generated };
    Ok((0..mutants.len()).map(|k| MutantOutcome::of(&suite, k)).collect())
}
