//! `magneto gen`

use super::exit::{Exit, Failure};
use super::interrupt::{self, STOP};
use super::output::Output;
use super::specs::Loaded;
use super::workers::{self, Finished, Known};
use super::{accepted, flags, gate, specs};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use magneto::mutate::Sample;
use magneto::options::Settings;
use magneto::record::read;
use magneto::record::resume::Resume;
use magneto::record::store::{self, Existing};
use magneto::record::{self, Overview, Part, Suite, Summary, json};
use magneto::report::text;
use magneto::suite::{self, Counts, Generated, Interrupt, Phases};
use magneto::testfile::{Problem, Reader, Record};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// What is written after an interruption within the second that a person waits; of a specification that takes more only
/// the searches that are done are kept. Each mutant is written as a formula. Unit: bytes.
const WRITTEN_AT_ONCE: usize = 16 << 20;

pub(crate) fn command() -> Command {
    let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    flags::with_knobs(
        Command::new("gen")
            .about("Make mutants, tests that kill them, their oracles, proofs for the others, and scores")
            .after_help(
                "A magneto.toml, the nearest upward from the current folder, sets defaults by the names of the flags; \
                 flags win. SIGINT saves what is done. With several specifications each has a folder in DIR.",
            )
            .arg(specs::many_arguments())
            .arg(Arg::new("with").long("with").value_name("TESTS").value_parser(value_parser!(PathBuf)).help(
                "Inputs that become tests as well, whatever they kill: the output folder of `cover` or `worst`, or a file as \
                 for `check`. What lies outside of the domain is left out",
            ))
            .arg(switch("resume").help("Go on from an interrupted run in DIR, with the same options"))
            .arg(switch("force").help("Write into DIR even if it holds the results of other specifications, which are replaced, or files that magneto \
                 did not write, which stay")),
    )
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let started = Instant::now();
    let mut settings = flags::settings("gen", matches)?;
    let loaded: Arc<[Loaded]> = specs::load(matches, &settings, output)?.into();
    if loaded.is_empty() {
        return Err(Failure::usage("no specification is left"));
    }
    loaded.iter().for_each(|l| l.warn(output, settings.suite.precision_cap));
    let accepted = accepted::read(&loaded)?;
    if let Some(path) = matches.get_one::<PathBuf>("with") {
        settings.suite.given = given(path, &loaded, output)?;
    }
    let names = loaded.iter().map(|l| l.spec.name.as_str());
    let folders = if loaded.len() == 1 { vec![String::new()] } else { store::folders(names) };
    let stale = free(&settings.output, &folders, matches.get_flag("force"))?;
    replaced(&settings.output, &loaded, &stale, matches.get_flag("force"), output)?;
    exported(&settings.output, output);
    let known = if matches.get_flag("resume") { known(&settings, &loaded, output)? } else { HashMap::new() };
    check(&loaded, &settings)?;
    interrupt::listen();
    let Finished { mut results, solved, out_of_memory: left_out } =
        workers::generate(&loaded, &settings, known, output)?;
    if STOP.load(Ordering::Relaxed) {
        let is_long = |l: &Loaded, g: &Generated| l.source.len().saturating_mul(g.mutants.len()) > WRITTEN_AT_ONCE;
        let left_alone = loaded.iter().zip(&mut results).filter(|(l, r)| r.as_ref().is_some_and(|g| is_long(l, g)));
        left_alone.for_each(|(_, r)| *r = None);
    }
    for (accepted, result) in accepted.iter().zip(&mut results) {
        result.iter_mut().for_each(|generated| accepted.apply(generated, output));
    }
    results.iter().flatten().filter(|g| !g.interrupted).for_each(|g| no_tests(&settings, g, output));

    let mut parts: Vec<(String, Part)> = Vec::new();
    for ((l, result), folder) in loaded.iter().zip(&results).zip(folders) {
        if let Some(generated) = result {
            let suite = Suite { spec: &l.spec, source: &l.source, settings: &settings, generated };
            parts.push((folder, Part::new(&suite)));
        }
    }
    let out_of_memory = left_out || results.iter().flatten().any(|g| g.out_of_memory);
    let by_person = |g: &Generated| g.interrupted && !g.out_of_memory;
    let interrupted = parts.len() < loaded.len() || results.iter().flatten().any(by_person);
    let (overview, mut all) = record::run(&parts, interrupted);
    if parts.is_empty() && solved.iter().all(Vec::is_empty) {
        let dir = settings.output.display();
        let (exit, why) = match out_of_memory {
            true => (
                Exit::Inconclusive,
                format!("more than {} MiB (--max-memory) were in use", settings.suite.max_memory >> 20),
            ),
            false => (Exit::Interrupted, "interrupted".to_owned()),
        };
        let message = format!("error: {why} before anything was done; nothing is written into {dir}\n");
        return Err(Failure { exit, messages: vec![message] });
    }
    if interrupted {
        let answers = loaded.iter().zip(&solved).map(|(l, s)| ((&l.spec, l.source.as_slice()), s.as_slice()));
        all.insert(store::RESUME.to_owned(), json::document(&Resume::new(&settings, answers)));
    }
    store::publish(&store::Real, &settings.output, &all, &stale).map_err(|e| {
        let left =
            if stale.is_empty() { "no results are written" } else { "the earlier results there are as they were" };
        Failure::usage(format!("{e}; {left}"))
    })?;

    for (l, generated) in loaded.iter().zip(&results).filter_map(|(l, g)| g.as_ref().map(|g| (l, g))) {
        memory(&l.spec.name, generated, &settings, output);
    }
    let times: Vec<Phases> = results.iter().flatten().map(|g| g.phases).collect();
    let ended = Ended { overview: &overview, out_of_memory };
    let exit = report(&settings, &parts, &times, &ended, output, started)?;
    if interrupted {
        let dir = settings.output.display();
        output.note(format!("interrupted; what is done is in {dir}, and the same command with --resume goes on"));
    }
    Ok(exit)
}

/// How a run over all specifications ended.
struct Ended<'a> {
    overview: &'a Overview,
    /// Whether the budget of memory was used up for one of them.
    out_of_memory: bool,
}

/// Tell what the run left out for its memory.
fn memory(name: &str, g: &Generated, settings: &Settings, output: &Output) {
    let most = settings.suite.max_memory >> 20;
    if let Some(Sample { places, variables }) = g.sample {
        output.note(format!(
            "{name}: {most} MiB (--max-memory) have no room for all mutants; made are those at 1 of {places} places of the \
             formula, and 1 of {variables} changes of a variable"
        ));
    }
    if g.out_of_memory {
        output.note(format!(
            "{name}: stopped since more than {most} MiB (--max-memory) were in use; what is done is kept"
        ));
    }
}

/// The inputs of a file or folder that are to be tests, with the reason for each.
fn given(path: &Path, loaded: &[Loaded], output: &Output) -> Result<Vec<(Vec<f64>, String)>, Failure> {
    let [one] = loaded else {
        return Err(Failure::usage_hint("--with is for one specification", "name one: file.fpcore:name"));
    };
    let (file, stale) = read::test_file(path, &one.spec, &one.source)?;
    if stale {
        output.note(format!("{} was made for another version of {}", path.display(), one.shown()));
    }
    let mut reader = Reader::open(&file, &one.spec).map_err(|p| Failure::rendered(vec![p.0]))?;
    let records: Result<Vec<Record>, Problem> = reader.by_ref().collect();
    let records = records.map_err(|p| Failure::rendered(vec![p.0]))?;
    reader.notes().iter().for_each(|n| output.note(n));
    Ok(records.into_iter().map(|r| (r.input, format!("given as {}", r.id))).collect())
}

/// Tell of inputs that were given and are no tests.
fn no_tests(settings: &Settings, generated: &Generated, output: &Output) {
    // One zero may stand for both.
    let bits = |x: &[f64]| -> Vec<u64> { x.iter().map(|x| (x + 0.0).to_bits()).collect() };
    let tests: HashSet<Vec<u64>> = generated.tests.iter().map(|t| bits(&t.input)).collect();
    let given = &settings.suite.given;
    let out = given.iter().filter(|(input, _)| !tests.contains(&bits(input))).count();
    if out > 0 {
        let all = given.len();
        output.note(format!(
            "{out} of {all} inputs of --with are no tests: outside of the domain, or f has no value there"
        ));
    }
}

/// The output folder must be free, or hold nothing but an earlier run, whose files are returned. With `force` it may
/// hold other things too, but nothing that would be overwritten.
fn free(dir: &Path, folders: &[String], force: bool) -> Result<Vec<String>, Failure> {
    let shown = dir.display();
    let stale = match store::look(dir) {
        Ok(Existing::Free) => Vec::new(),
        Ok(Existing::Own(files)) => files,
        Ok(Existing::Foreign(_)) if force => store::earlier(dir),
        Ok(Existing::Foreign(name)) => {
            let hint = match store::in_the_way(dir, folders, true) {
                Some(_) => "choose another folder with --output",
                None => "choose another folder with --output, or --force to write beside it",
            };
            return Err(Failure::usage_hint(format!("{shown} holds `{name}`, which magneto did not write"), hint));
        }
        Err(e) => {
            let message = format!("cannot write into {shown}: {e}");
            return Err(Failure::usage_hint(message, "choose another folder with --output"));
        }
    };
    if let Some(path) = store::in_the_way(dir, folders, force) {
        return Err(Failure::usage_hint(
            format!("{} is not of a run, and would be overwritten", path.display()),
            "choose another folder with --output",
        ));
    }
    // Now, not after a long run.
    store::writable(dir).map_err(|e| Failure::usage_hint(e, "choose another folder with --output"))?;
    Ok(stale)
}

/// The results of other specifications are replaced only with `force`, which is told: they may have taken hours.
fn replaced(dir: &Path, loaded: &[Loaded], stale: &[String], force: bool, output: &Output) -> Result<(), Failure> {
    let before = if stale.is_empty() { Vec::new() } else { store::specifications(dir) };
    let gone: Vec<&str> =
        before.iter().map(String::as_str).filter(|b| loaded.iter().all(|l| l.spec.name != *b)).collect();
    if gone.is_empty() {
        return Ok(());
    }
    let results = format!("the earlier results in {}, of {}", dir.display(), gone.join(", "));
    if !force {
        return Err(Failure::usage_hint(
            format!("{results}, would be lost"),
            "choose another folder with --output, or --force to replace them",
        ));
    }
    output.note(format!("{results}, are replaced"));
    Ok(())
}

/// Tell of exported tests in the folder, which are of an earlier run from now on.
fn exported(dir: &Path, output: &Output) {
    let names = store::exports(dir);
    let Some(first) = names.first() else { return };
    let more = if names.len() > 1 { format!(" and {} more", names.len() - 1) } else { String::new() };
    let shown = dir.join(first);
    output.note(format!("{}{more}, exported from an earlier run, stay as they are; export again", shown.display()));
}

/// The answers of an interrupted run, by specification.
fn known(settings: &Settings, loaded: &[Loaded], output: &Output) -> Result<Known, Failure> {
    let path = settings.output.join(store::RESUME);
    let shown = path.display();
    let bytes = match std::fs::read(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            output.note(format!("there is no {shown}: nothing was interrupted, and the run starts anew"));
            return Ok(HashMap::new());
        }
        read => read.map_err(|e| Failure::usage(format!("cannot read {shown}: {e}")))?,
    };
    let sources: Vec<_> = loaded.iter().map(|l| (&l.spec, l.source.as_slice())).collect();
    let answers = Resume::read(&bytes).and_then(|r| r.known(settings, &sources)).map_err(|e| {
        Failure::usage_hint(
            format!("cannot resume from {shown}: {e}"),
            "repeat the interrupted command, or leave out --resume to start anew",
        )
    })?;
    Ok(answers.into_iter().enumerate().collect())
}

/// That each specification has an input to test at all, before anything is computed at length.
fn check(loaded: &[Loaded], settings: &Settings) -> Result<(), Failure> {
    let problem = |l: &Loaded| {
        let found = suite::generate_for(&l.spec, Vec::new(), &settings.suite, &Interrupt::default());
        found.err().map(|e| l.message("error", &e.to_string()))
    };
    let messages: Vec<String> =
        workers::parallel(loaded, settings.suite.jobs, |_, l| problem(l)).into_iter().flatten().collect();
    if messages.is_empty() { Ok(()) } else { Err(Failure::rendered(messages)) }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    output: String,
    exit: u8,
    interrupted: bool,
    seconds: String,
    specifications: Vec<Specification<'a>>,
}

#[derive(Serialize)]
struct Specification<'a> {
    folder: &'a str,
    summary: json::Versioned<'a, Summary>,
    /// Where the time went. In no file, since it differs from run to run.
    phases: Vec<Phase>,
}

#[derive(Serialize)]
struct Phase {
    phase: &'static str,
    seconds: String,
}

fn phases(all: &Phases) -> Vec<Phase> {
    let one = |(phase, time): (_, std::time::Duration)| Phase { phase, seconds: format!("{:.3}", time.as_secs_f64()) };
    all.parts().map(one).into()
}

/// Prints the results and says how the run ends.
fn report(
    settings: &Settings,
    parts: &[(String, Part)],
    times: &[Phases],
    ended: &Ended<'_>,
    output: &Output,
    started: Instant,
) -> Result<Exit, Failure> {
    let overview = ended.overview;
    let counts: Vec<Counts> = parts.iter().map(|(_, p)| p.mutants.counts()).collect();
    let below = |(_, c): &(&(String, Part), &Counts)| gate::is_below(settings, c);
    let missed = parts.iter().zip(&counts).filter(below).map(|((_, p), _)| p.summary.specification.as_str());
    let missed: Vec<&str> = missed.collect();
    let exit = if overview.interrupted && !ended.out_of_memory {
        Exit::Interrupted
    } else if !missed.is_empty() {
        Exit::Gate
    } else if ended.out_of_memory || settings.fail_on_undecided && overview.scores.undecided > 0 {
        Exit::Inconclusive
    } else {
        Exit::Passed
    };
    let seconds = started.elapsed().as_secs_f64();
    if output.json {
        fn one<'a>(((folder, p), all): (&'a (String, Part), &Phases)) -> Specification<'a> {
            Specification { folder, summary: json::Versioned(&p.summary), phases: phases(all) }
        }
        output.print_json(&Document {
            schema: "magneto/gen/1",
            output: settings.output.display().to_string(),
            exit: exit as u8,
            interrupted: overview.interrupted,
            seconds: format!("{seconds:.2}"),
            specifications: parts.iter().zip(times).map(one).collect(),
        })?;
    } else if !output.quiet {
        let place =
            |folder: &str| format!("{}/", settings.output.join(folder).display().to_string().trim_end_matches('/'));
        let blocks: Vec<String> = parts.iter().map(|(folder, p)| text::summary(p, &place(folder))).collect();
        let total = if parts.len() > 1 { text::total(overview, &counts.iter().sum()) } else { String::new() };
        output.say(format!("{}{total}", blocks.concat()))?;
    }
    if !output.json {
        output.note(format!("{seconds:.1} s"));
    }
    if !missed.is_empty() {
        let score = settings.score.name();
        output.message(&format!("error: the {score} score is below --min-score for {}\n", missed.join(", ")));
    }
    Ok(exit)
}
