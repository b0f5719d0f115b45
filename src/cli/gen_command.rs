//! `magneto gen`

mod against;
mod cached;
pub(super) mod outcome;
mod reuse;
mod shards;
pub(super) mod worse;

use super::exit::{Exit, Failure};
use super::gate::Gate;
use super::interrupt::{self, STOP};
use super::output::Output;
use super::specs::{Loaded, ManySpecs};
use super::workers::{self, Finished, Known};
use super::{destination, flags};
pub(super) use cached::kept;
use cached::{Cached, Made, Ran};
use clap::{ArgMatches, Args, Command};
use magneto::options::Settings;
use magneto::record::cache::CacheEntry;
use magneto::record::continued::continue_from;
use magneto::record::read;
use magneto::record::resume::Resume;
use magneto::record::store::{self, FolderClaim};
use magneto::record::{self, Written, WrittenRun, json};
use magneto::suite::{self, Generated, Interrupt};
use magneto::testfile::{FileProblem, Reader, TestRecord};
use magneto::threads;
use magneto::threads::Portion;
use outcome::{Clock, Cost, Ended};
use shards::Plan;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use worse::Worse;

/// What `--json` prints.
const SCHEMA: &str = "magneto/gen/1";

/// Make mutants, tests that kill them, their oracles, proofs for the others, and scores
#[derive(Args)]
#[group(skip)]
struct Options {
    #[command(flatten)]
    many: ManySpecs,
    /// Inputs that become tests as well, whatever they kill: the output folder of `cover` or `worst`, or a file as for
    /// `check`. What lies outside of the domain is left out
    #[arg(long, value_name = "TESTS")]
    with: Option<PathBuf>,
    /// Go on from an interrupted run in DIR, with the same options
    #[arg(long)]
    resume: bool,
    /// Write into DIR even if it holds the results of other specifications, which are replaced, or files that magneto did
    /// not write, which stay
    #[arg(long)]
    force: bool,
    /// Run part K of N, on another machine say: every specification is in one part. `magneto merge` puts the folders of
    /// all parts together, to the files of one run
    #[arg(long, value_name = "K/N", conflicts_with = "with")]
    shard: Option<Portion>,
    /// Deal the specifications out by the time that they took before, so that parts take about the same: what `gen --json`
    /// printed. Repeatable. The same for all parts. Default: as many specifications to each
    #[arg(long, value_name = "FILE", requires = "shard")]
    times: Vec<PathBuf>,
    /// Compare with an earlier run, which may be the one in the output folder: scores, accuracies, domains and kills; with
    /// --fail-on lower-score,weaker-spec,fewer-kills exit with 1 where one fell back. `magneto diff` says what changed
    #[arg(long, value_name = "DIR", conflicts_with = "shard")]
    against: Option<PathBuf>,
    /// Try the inputs of an earlier run first, which may be the one in the output folder: each that still kills a mutant
    /// stays a test, with an oracle made anew, and only what is left is searched for
    #[arg(long, value_name = "DIR", conflicts_with = "shard")]
    reuse: Option<PathBuf>,
}

pub(crate) fn command() -> Command {
    flags::command::<Options>(
        "gen",
        "A magneto.toml, the nearest upward from the current folder, sets defaults by the names of the flags, in sections \
         such as [spec.\"filters/*.fpcore\"] for some specifications; flags win. SIGINT saves what is done. With several \
         specifications each has a folder in DIR.",
    )
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let mut clock = Clock::start();
    let mut settings = flags::settings("gen", matches)?;
    let options: Options = flags::options(matches)?;
    let mut plan = shards::plan(&options, &settings, output)?;
    if let (Some(loaded), Some(dir)) = (Arc::get_mut(&mut plan.loaded), &options.reuse) {
        reuse::read(dir, loaded, output)?;
    }
    let plan = Arc::new(plan);
    if let Some(path) = &options.with {
        destination::apart(path, &settings.output)?;
        settings.suite.given = given(path, &plan.loaded, output)?;
    }
    let mut cached = Cached::open(&plan, &settings, output)?;
    let found = interrupt::may_leave(|| cached.look_up(&plan, &settings, output));
    let cached = Arc::new(cached);
    let before = against::read(&options, &settings)?;
    let stale = store::claim(&settings.output, &FolderClaim::Run { folders: &plan.folders, force: options.force })?;
    let names: Vec<&str> = plan.loaded.iter().map(|l| l.spec.name.as_str()).collect();
    destination::replaced(&settings.output, &names, &stale, options.force, output)?;
    destination::exported(&settings.output, output);
    let known = goes_on(&options, &settings, &plan.loaded, output)?;
    let there = cached.tell(found, output);
    clock.ends("specifications");
    let Finished { results, solved, out_of_memory: left_out } =
        find_results(&plan, &cached, &there, &settings, known, output)?;
    clock.ends("mutants and tests");

    let out_of_memory = left_out || results.iter().flatten().any(|m| m.out_of_memory);
    let by_person = |m: &Made| m.interrupted && !m.out_of_memory;
    let interrupted = results.iter().any(Option::is_none) || results.iter().flatten().any(by_person);
    let own = plan.loaded.iter().zip(&results).filter(|(_, result)| result.is_some());
    let gates: Vec<Gate> = own.map(|(l, _)| Gate::new(&l.settings)).collect();
    let (parts, costs) = tell_unwritten(&plan, results, &settings, output);
    if interrupted && parts.is_empty() && solved.iter().all(Vec::is_empty) {
        return Err(nothing_done(&settings, out_of_memory));
    }
    let WrittenRun { overview, files: mut all, told } = record::run(parts, interrupted);
    if interrupted {
        let answers = plan.loaded.iter().zip(&solved).map(|(l, s)| ((&l.spec, l.source.as_slice()), s.as_slice()));
        let resume = record::Held::Bytes(json::document(&Resume::new(&settings, answers)));
        all.insert(store::RESUME.to_owned(), resume);
    }
    if let Some(whole) = &plan.whole {
        whole.note(&settings, &mut all);
    }
    let stale = destination::gone(&settings.output, stale, &all, output);
    let published = store::publish(&store::Real, &settings.output, &all, &stale);
    cached.close(output);
    published.map_err(|e| {
        let left = match stale.is_empty() {
            _ if !e.changed_nothing() => return e.into(),
            true => "no results are written",
            false => "the earlier results there are as they were",
        };
        Failure::usage(format!("{e}; {left}"))
    })?;

    let now: Vec<(&String, &Loaded)> = plan.folders.iter().zip(plan.loaded.iter()).collect();
    let worse = before.map_or_else(Worse::default, |b| b.worse(&told, &now, &settings, output));
    let ended =
        Ended { schema: SCHEMA, worse: &worse, overview: &overview, costs: &costs, gates: &gates, out_of_memory };
    clock.ends("files");
    let exit = outcome::report(&settings, &told, &ended, output, &clock)?;
    if interrupted {
        let dir = settings.output.display();
        output.note(format!("interrupted; what is done is in {dir}, and the same command with --resume goes on"));
    }
    Ok(exit)
}

/// What there is for each specification: found by an earlier run, or computed now.
fn find_results(
    plan: &Arc<Plan>,
    cached: &Arc<Cached>,
    there: &[bool],
    settings: &Settings,
    known: Known,
    output: &Output,
) -> Result<Finished<Made>, Failure> {
    let (earlier, todo): (Vec<usize>, Vec<usize>) = (0..there.len()).partition(|k| there[*k]);
    let Finished { results, mut solved, mut out_of_memory } =
        compute_results(plan, cached, todo, settings, known, output)?;
    let now = results.iter().enumerate().filter(|(_, ran)| matches!(ran, Some(Ran::Kept))).map(|(k, _)| k);
    let kept: Vec<usize> = earlier.into_iter().chain(now).collect();
    // Now, when nothing is computed any more: all that is written is in memory, or held in the cache.
    let mut results = written(plan, results, settings);
    for (k, taken) in kept.iter().zip(cached.take(plan, &kept, settings)) {
        let one = |kept| Made { kept, earlier: there[*k], interrupted: false, out_of_memory: false };
        results[*k] = taken.map(one);
    }
    // Somebody may have removed it meanwhile. It is not looked for there again.
    let gone: Vec<usize> = kept.into_iter().filter(|k| results[*k].is_none()).collect();
    if !gone.is_empty() && !STOP.load(Ordering::Relaxed) {
        let none = Arc::new(Cached::none());
        let more = compute_results(plan, &none, gone, settings, HashMap::new(), output)?;
        let again = written(plan, more.results, settings).into_iter().zip(more.solved).enumerate();
        for (k, (result, answers)) in again.filter(|(_, (result, _))| result.is_some()) {
            (results[k], solved[k]) = (result, answers);
        }
        out_of_memory |= more.out_of_memory;
    }
    Ok(Finished { results, solved, out_of_memory })
}

/// The specifications at some places, computed now.
fn compute_results(
    plan: &Arc<Plan>,
    cached: &Arc<Cached>,
    todo: Vec<usize>,
    settings: &Settings,
    known: Known,
    output: &Output,
) -> Result<Finished<Ran>, Failure> {
    interrupt::may_leave(|| check(plan, &todo))?;
    let resumed: HashSet<usize> = known.iter().filter(|(_, k)| !k.is_empty()).map(|(index, _)| *index).collect();
    let keep = {
        let (cached, plan, settings) = (cached.clone(), plan.clone(), settings.clone());
        move |k: usize, run: Generated| cached.keep(&plan, k, &settings, resumed.contains(&k), run)
    };
    workers::generate(&plan.loaded, todo, (settings, &plan.threads), known, Box::new(keep), output)
}

/// What is written of the runs that are in no file.
fn written(plan: &Plan, results: Vec<Option<Ran>>, settings: &Settings) -> Vec<Option<Made>> {
    let one = |(k, ran): (usize, Option<Ran>)| match ran {
        Some(Ran::Held(held)) => Some(held.to_result(plan, k, settings)),
        _ => None,
    };
    results.into_iter().enumerate().map(one).collect()
}

/// Tells of each specification what is in no file. What is in files, each with its folder, and what they cost.
fn tell_unwritten(
    plan: &Plan,
    results: Vec<Option<Made>>,
    settings: &Settings,
    output: &Output,
) -> (Vec<(String, Written)>, Vec<Cost>) {
    let all = || plan.accepted.iter().zip(plan.loaded.iter()).zip(&results).filter_map(|(p, m)| Some((p, m.as_ref()?)));
    all().for_each(|((accepted, _), made)| accepted.note(&made.kept.needless, output));
    all().filter(|(_, made)| !made.interrupted).for_each(|(_, made)| no_tests(settings, &made.kept, output));
    all().for_each(|((_, l), made)| outcome::memory(&l.spec.name, made, settings, output));
    let made = plan.folders.iter().zip(results).filter_map(|(folder, made)| Some((folder, made?)));
    let one = |(folder, m): (&String, Made)| {
        ((folder.clone(), m.kept.written), Cost { phases: m.kept.phases, earlier: m.earlier })
    };
    made.map(one).unzip()
}

/// That a run ended before it had anything to write.
fn nothing_done(settings: &Settings, out_of_memory: bool) -> Failure {
    let dir = settings.output.display();
    let (exit, why) = match out_of_memory {
        true => {
            let most = settings.suite.max_memory >> 20;
            (Exit::Inconclusive, format!("more than {most} MiB (--max-memory) were in use"))
        }
        false => (Exit::Interrupted, "interrupted".to_owned()),
    };
    let message = format!("error: {why} before anything was done; nothing is written into {dir}\n");
    Failure { exit, messages: vec![message] }
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
    let records: Result<Vec<TestRecord>, FileProblem> = reader.by_ref().collect();
    let records = records.map_err(|p| Failure::rendered(vec![p.0]))?;
    reader.notes().iter().for_each(|n| output.note(n));
    Ok(records.into_iter().map(|r| (r.input, format!("given as {}", r.id))).collect())
}

/// Tell of inputs that were given and are no tests.
fn no_tests(settings: &Settings, kept: &CacheEntry, output: &Output) {
    let (out, all) = (kept.astray, settings.suite.given.len());
    if out > 0 {
        output.note(format!(
            "{out} of {all} inputs of --with are no tests: outside of the domain, or f has no value there"
        ));
    }
}

/// The answers from which the run goes on: with --resume those of an interrupted one. Without it a note says that there are some.
fn goes_on(options: &Options, settings: &Settings, loaded: &[Loaded], output: &Output) -> Result<Known, Failure> {
    let path = settings.output.join(store::RESUME);
    let shown = path.display();
    match known(settings, loaded) {
        left if options.resume => Ok(left?.unwrap_or_else(|| {
            output.note(format!("there is no {shown}: nothing was interrupted, and the run starts anew"));
            HashMap::new()
        })),
        Ok(Some(left)) if left.values().any(|answers| !answers.is_empty()) => {
            output.note(format!("--resume would go on from {shown}, which an interrupted run left"));
            Ok(HashMap::new())
        }
        _ => Ok(HashMap::new()),
    }
}

/// The answers of an interrupted run, by specification, if there was one.
fn known(settings: &Settings, loaded: &[Loaded]) -> Result<Option<Known>, Failure> {
    let path = settings.output.join(store::RESUME);
    let shown = path.display();
    let bytes = match std::fs::read(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|e| Failure::usage(format!("cannot read {shown}: {e}")))?,
    };
    let sources: Vec<_> = loaded.iter().map(|l| (&l.spec, l.source.as_slice())).collect();
    let ours = Resume::new(settings, sources.iter().map(|source| (*source, &[][..])));
    let answers = continue_from(&bytes, &ours).and_then(|r| r.answers(&sources)).map_err(|e| {
        Failure::usage_hint(
            format!("cannot resume from {shown}: {e}"),
            "repeat the interrupted command, or leave out --resume to start anew",
        )
    })?;
    Ok(Some(answers.into_iter().enumerate().collect()))
}

/// That the specifications at some places have an input to test at all, before anything is computed at length.
fn check(plan: &Plan, todo: &[usize]) -> Result<(), Failure> {
    let problem = |k: &usize| {
        let l = &plan.loaded[*k];
        let interrupt = Interrupt { threads: Some(plan.threads.clone()), ..Interrupt::default() };
        let found = suite::generate_for(&l.spec, Vec::new(), &l.settings.suite, &interrupt);
        found.err().map(|e| l.message("error", &e.to_string()))
    };
    let found = threads::deep(|| plan.threads.side_by_side(1, todo, problem));
    let messages: Vec<String> = found.into_iter().flatten().collect();
    if messages.is_empty() { Ok(()) } else { Err(Failure::rendered(messages)) }
}
