//! `magneto accept`

use super::accepted::{Place, Source};
use super::exit::{Exit, Failure};
use super::explain::find;
use super::output::Output;
use super::specs::OneSpec;
use super::{flags, specs};
use clap::{ArgGroup, ArgMatches, Args, Command};
use magneto::accept::{self, Entry, NAME};
use magneto::mutate::{self, Mutant, OperatorSet};
use magneto::options::Settings;
use magneto::record::{store, words};
use magneto::suite::{self, Interrupt, Status};
use magneto::text::{Span, line_column};
use serde::Serialize;

const AFTER: &str = "\
The decision is appended to magneto.accept.toml: the nearest one upward from the specification's file, else a new one \
beside it. `gen`, `eval` and `explain` read it from there. An accepted mutant stays listed, with name and reason; it \
leaves the denominator of the rigorous score, and it never counts as killed.

Only an undecided mutant can be accepted: it is searched first, and one that is killed or proved is an error. In a later \
run that kills or proves it, it has that status, and a note says so. An entry whose mutant is gone, or is another change \
now, is an error (exit code 2) in every command that reads the file. So is one that was decided when the specification had \
another formula, domain or accuracy.

An entry of the file:
  [[accept]]
  file = \"specs/airflow.fpcore\"     from the folder of magneto.accept.toml
  specification = \"airflow\"
  mutant = \"0123456789ab\"
  change = \"`4` -> `5` (constant)\"  optional; if it is there, it must be the mutant's
  asked = \"ba9876543210\"           optional; what the specification asked for then, as an id
  by = \"A. Person\"
  reason = \"below the sensor's resolution\"";

/// Record a person's decision on a mutant that is neither killed nor proved
#[derive(Args)]
#[group(skip)]
struct Options {
    #[command(flatten)]
    one: OneSpec,
    /// The mutant's id, or the beginning of it
    #[arg(value_name = "ID", requires_all = ["by", "reason"])]
    id: Option<String>,
    /// Why it need not be killed. Default: none; needed for a decision
    #[arg(long, value_name = "TEXT", requires = "id", default_value_t, hide_default_value = true)]
    reason: String,
    /// Who decided. Default: none; needed for a decision
    #[arg(long, value_name = "NAME", requires = "id", default_value_t, hide_default_value = true)]
    by: String,
    /// List what is accepted in the file of SPEC
    #[arg(long)]
    list: bool,
    /// Take a decision back
    #[arg(long, value_name = "ID")]
    remove: Option<String>,
}

pub(crate) fn command() -> Command {
    flags::command::<Options>("accept", AFTER)
        .group(ArgGroup::new("what").args(["id", "list", "remove"]).required(true))
}

/// What a decision does not do.
const AGAIN: &str = "results and reports that are there do not know of it: run `magneto gen` again";

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    file: &'a str,
    accepted: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    specification: &'a str,
    mutant: &'a str,
    change: &'a str,
    by: &'a str,
    reason: &'a str,
    line: Option<usize>,
    stale: Option<String>,
}

impl<'a> Row<'a> {
    fn new(entry: &'a Entry, line: Option<usize>, stale: Option<String>) -> Self {
        let Entry { file, specification, mutant, change, by, reason, .. } = entry;
        Row { file, specification, mutant, change, by, reason, line, stale }
    }
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("accept", matches)?;
    let options: Options = flags::options(matches)?;
    if let Some(id) = &options.id {
        return add(&options, &settings, id, output);
    }
    // What is in the file, whichever of its FPCores is meant.
    let loaded = specs::load(&options.one.spec, &settings, output)?;
    let one = loaded.first().ok_or_else(|| Failure::usage("there is no FPCore"))?;
    let place = place(&one.spec.source_file)?;
    let _lock = if options.remove.is_some() { Some(lock(&place)?) } else { None };
    let (text, entries) = place.read()?;
    let about = |e: &&Entry| e.file == place.file;
    if let Some(id) = &options.remove {
        return remove(&place, &text, &entries, id, output);
    }
    let source = Source::new(one);
    let stale = |e: &Entry| {
        let same = loaded.iter().find(|l| l.spec.name == e.specification);
        source.stale(e, same.unwrap_or(one))
    };
    let row = |e| Row::new(e, Some(line_column(text.as_bytes(), e.at.start).0), stale(e));
    let rows: Vec<Row<'_>> = entries.iter().filter(about).map(row).collect();
    show("magneto/accepted/1", &place.shown(), rows, output)?;
    Ok(Exit::Passed)
}

fn place(source_file: &str) -> Result<Place, Failure> {
    Place::of(source_file).ok_or_else(|| Failure::usage("a mutant of standard input cannot be accepted: name a file"))
}

fn lock(place: &Place) -> Result<std::fs::File, Failure> {
    let shown = place.folder.display();
    accept::lock(&place.folder).map_err(|e| Failure::usage(format!("cannot lock the folder {shown}: {e}")))
}

fn show(schema: &'static str, shown: &str, rows: Vec<Row<'_>>, output: &Output) -> Result<(), Failure> {
    if output.json {
        return output.print_json(&Document { schema, file: shown, accepted: rows });
    }
    let line = |r: &Row<'_>| {
        let place = r.line.map_or(String::new(), |l| format!(":{l}"));
        let stale = r.stale.as_ref().map_or(String::new(), |s| format!("\n  stale: {s}"));
        let Row { specification, mutant, change, by, reason, .. } = r;
        format!("{shown}{place}: {specification} {mutant} {change}\n  by {by}: {reason}{stale}\n")
    };
    output.say(rows.iter().map(line).collect::<String>())
}

fn add(options: &Options, settings: &Settings, id: &str, output: &Output) -> Result<Exit, Failure> {
    let (by, reason) = (accept::one_line(&options.by), accept::one_line(&options.reason));
    for (name, text) in [("by", &by), ("reason", &reason)] {
        if text.is_empty() {
            return Err(Failure::usage(format!("--{name} is empty")));
        }
    }
    let loaded = specs::load_single(&options.one.spec, settings, output)?;
    let spec = &loaded.spec;
    let place = place(&spec.source_file)?;
    let _lock = lock(&place)?;
    let (before, entries) = place.read()?;
    let all = mutants(&loaded.spec, &loaded.settings.suite.operators);
    let mutant = find(&all, id)?;
    let entry = Entry {
        file: place.file.clone(),
        specification: spec.name.clone(),
        mutant: mutant.id.clone(),
        change: accept::change(mutant),
        asked: mutate::asked(spec),
        by,
        reason,
        at: Span::default(),
    };
    let same =
        |e: &&Entry| (&e.file, &e.specification, &e.mutant) == (&entry.file, &entry.specification, &entry.mutant);
    let shown = place.shown();
    if let Some(there) = entries.iter().find(same) {
        let line = line_column(before.as_bytes(), there.at.start).0;
        return Err(Failure::usage_hint(
            format!("{shown}:{line}: mutant {} is accepted already, by {}", mutant.id, there.by),
            format!("`magneto accept {} --remove {}` takes that back", loaded.shown(), mutant.id),
        ));
    }
    must_be_undecided(&loaded, mutant)?;
    write(&place, accept::added(&before, &entry))?;
    show("magneto/accept/1", &shown, vec![Row::new(&entry, None, None)], output)?;
    output.note(AGAIN);
    Ok(Exit::Passed)
}

/// The mutants of the run's operators, and the others of the full set.
fn mutants(spec: &magneto::spec::Spec, operators: &OperatorSet) -> Vec<Mutant> {
    let mut all = mutate::mutants(spec, operators);
    let more = mutate::mutants(spec, &OperatorSet::Full);
    let fresh: Vec<Mutant> = more.into_iter().filter(|m| all.iter().all(|a| a.id != m.id)).collect();
    all.extend(fresh);
    all
}

/// Nobody's word is needed for what is known.
fn must_be_undecided(loaded: &specs::Loaded, mutant: &Mutant) -> Result<(), Failure> {
    let run = suite::generate_for(&loaded.spec, vec![mutant.clone()], &loaded.settings.suite, &Interrupt::default())
        .map_err(|e| Failure::rendered(vec![loaded.message("error", &e.to_string())]))?;
    let why = match run.mutants.first().map(|j| &j.status) {
        Some(Status::Killed | Status::Probable) => {
            let test = run.tests.iter().zip(&run.matrix).find(|(_, row)| row[0].is_kill());
            test.map_or(String::new(), |(t, _)| format!("the test {}", words::input(&loaded.spec, &t.input)))
        }
        Some(Status::Equivalent(p) | Status::Indistinguishable(p)) => words::proof(p),
        Some(Status::Undecided(_) | Status::Accepted(_)) | None => return Ok(()),
    };
    let status = run.mutants.first().map_or("", |j| j.status.name());
    Err(Failure::usage_hint(
        format!("mutant {} is {status}, so that there is nothing to accept: {why}", mutant.id),
        "only an undecided mutant can be accepted; `magneto explain` shows the test or the proof",
    ))
}

fn remove(place: &Place, text: &str, entries: &[Entry], id: &str, output: &Output) -> Result<Exit, Failure> {
    let about = |e: &Entry| e.file == place.file;
    let exact: Vec<usize> = (0..entries.len()).filter(|k| about(&entries[*k]) && entries[*k].mutant == id).collect();
    let begin = (0..entries.len()).filter(|k| about(&entries[*k]) && entries[*k].mutant.starts_with(id));
    let gone = if exact.is_empty() { begin.collect() } else { exact };
    let [one] = gone[..] else {
        let shown = place.shown();
        let ids: Vec<&str> = entries.iter().filter(|e| about(e)).map(|e| e.mutant.as_str()).collect();
        let hint =
            if ids.is_empty() { "nothing is accepted".to_owned() } else { format!("there are {}", ids.join(", ")) };
        let n = if gone.is_empty() { "no entry".to_owned() } else { format!("{} entries", gone.len()) };
        return Err(Failure::usage_hint(format!("{shown} has {n} for {} and mutant `{id}`", place.file), hint));
    };
    let shown = place.shown();
    let left = accept::removed(text, &gone).map_err(|d| Failure::rendered(vec![d.render(&shown, text.as_bytes())]))?;
    write(place, left)?;
    if output.json {
        show("magneto/accept/1", &shown, Vec::new(), output)?;
    } else if !output.quiet {
        output.note(format!("{shown}: mutant {} is accepted no more", entries[one].mutant));
        output.note(AGAIN);
    }
    Ok(Exit::Passed)
}

fn write(place: &Place, text: String) -> Result<(), Failure> {
    let files = store::Files::from([(NAME.to_owned(), text.into_bytes())]);
    Ok(store::write(&place.folder, &files, &[])?)
}
