//! `magneto worst` of all implementations that a `magneto.toml` names.

use super::{Implementation, Options, exit_of};
use crate::cli::check::files::{FilePlace, Neighbours, ProjectFiles};
use crate::cli::check::pairs::{Pair, Taker, each, items, pairs, specifications, worst};
use crate::cli::check::{Environment, fits, read_tests};
use crate::cli::exit::{Exit, Failure};
use crate::cli::flags;
use crate::cli::interrupt::STOP;
use crate::cli::output::Output;
use crate::cli::shards::{self, Sharded};
use clap::ArgMatches;
use magneto::harness::RunRecord;
use magneto::options::Settings;
use magneto::record::json;
use magneto::record::store::{self, Files, WORSTS};
use magneto::record::worst::Worst;
use magneto::record::worsts::Worsts;
use magneto::report::junit;
use magneto::report::worst::{WorstReport, document, several};
use magneto::threads::Threads;
use magneto::worst::{SearchEffort, Searched};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;

/// All that can be called: results from elsewhere cannot.
const TAKER: Taker =
    Taker { stem: "worst", takes: |kind| kind != "results", alone: "--c-source, --lib, --python or --exec" };

/// What came of one implementation.
#[derive(Serialize, Deserialize)]
pub(in crate::cli) struct Search {
    /// Its document, as text: the order of an implementation's fields is kept.
    document: String,
    /// Its other files, by their extensions.
    files: BTreeMap<String, String>,
}

/// Searches all implementations of the specifications that are given, or of all that have one.
pub(super) fn run(
    matches: &ArgMatches,
    options: &Options,
    settings: &Settings,
    output: &Output,
) -> Result<Exit, Failure> {
    let of_one = [
        ("--tests", options.tests.is_some()),
        ("--against", options.against.is_some()),
        ("--exhaustive", options.exhaustive),
    ];
    if let Some((name, _)) = of_one.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::usage_hint(
            format!("{name} is for one implementation"),
            format!("say which by {}", TAKER.alone),
        ));
    }
    let loaded = specifications(&options.spec, settings, &TAKER, output)?;
    let pairs = pairs(&loaded, settings, options.output.as_deref(), &TAKER, output)?;
    let sharded = Sharded { output: options.output.clone(), shard: options.shard };
    let words = (&["worst"][..], &super::command());
    let part = shards::part(matches, words, &sharded, settings.fingerprint(), &items(&pairs), output)?;
    if part.is_none() {
        files(matches, options, &pairs).claim()?;
    }
    let threads = Threads::new(settings.suite.jobs);
    // What one search leaves idle is for the others.
    let jobs = (threads.most() / pairs.len()).max(1);
    let one = |pair: &Pair<'_>| {
        output.progress(&format!("{}, {}", pair.loaded.spec.name, pair.label));
        found(pair, options, settings, jobs, output)
    };
    let found: Vec<Search> = each(&pairs, part.as_ref(), &threads, one);
    output.progress("");
    let interrupted = STOP.load(Ordering::Relaxed);
    match part {
        Some(part) => part.save(&found, interrupted, output),
        None => told(matches, options, (&pairs, found), interrupted, output),
    }
}

/// Ends a run of which all parts are there.
pub(in crate::cli) fn end(matches: &ArgMatches, found: Vec<Search>, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("worst", matches)?;
    let options: Options = flags::options(matches)?;
    let loaded = specifications(&options.spec, &settings, &TAKER, output)?;
    let pairs = pairs(&loaded, &settings, options.output.as_deref(), &TAKER, output)?;
    told(matches, &options, (&pairs, found), false, output)
}

/// The extensions of an implementation's files.
const FILES: [&str; 3] = ["json", "csv", "svg"];

/// The files of a run.
fn files<'a>(matches: &'a ArgMatches, options: &'a Options, pairs: &[Pair<'_>]) -> ProjectFiles<'a> {
    let dir = options.output.as_deref();
    ProjectFiles {
        matches,
        dir,
        overview: WORSTS,
        beside: Neighbours::Results(store::is_worst),
        places: pairs.iter().map(|pair| FilePlace::of(pair, dir, &FILES)).collect(),
        aside: options.junit.as_deref(),
        aside_kind: junit::KIND,
    }
}

/// What came of one implementation; one that cannot be run is no reason not to search the others.
fn found(pair: &Pair<'_>, options: &Options, settings: &Settings, jobs: usize, output: &Output) -> Search {
    let (spec, source) = (&pair.loaded.spec, &pair.loaded.source);
    let mut record = RunRecord(vec![("name".to_owned(), pair.label.clone())]);
    let (searched, failure) = match searched(pair, options, settings, jobs, output) {
        Ok((implementation, searched)) => {
            record.0.extend(implementation.prepared.record.0);
            (searched, None)
        }
        Err(failure) => (Searched::default(), Some(failure)),
    };
    pair.environment(&Environment::default()).add_to(&mut record, failure.is_none());
    let report = WorstReport { spec, source, record: &record, searched: &searched, tally: None, against: None };
    let exit = failure.as_ref().map_or_else(|| exit_of(&report), |f| f.exit);
    let broken = failure.as_ref().map(Failure::why);
    let document = Worst { broken, ..document(&report, exit as u8) };
    // A picture that cannot be drawn is no reason to have nothing.
    let files = if failure.is_some() { Files::new() } else { super::files(&report).unwrap_or_default() };
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let extension =
        |name: &str| Path::new(name).extension().map_or(String::new(), |e| e.to_string_lossy().into_owned());
    Search {
        document: text(json::document(&document)),
        files: files.into_iter().map(|(name, bytes)| (extension(&name), text(bytes))).collect(),
    }
}

/// Runs the search, which begins with the tests that magneto.toml names or with those of the run in the output folder.
fn searched(
    pair: &Pair<'_>,
    options: &Options,
    settings: &Settings,
    jobs: usize,
    output: &Output,
) -> Result<(Implementation, Searched), Failure> {
    let (loaded, own) = (pair.loaded, &pair.loaded.settings);
    let target = pair.implementation().target()?;
    let target = target.ok_or_else(|| Failure::usage("no implementation is given"))?;
    fits(Some(&target), loaded)?;
    let tests = pair.file("tests").map(Into::into).or_else(|| pair.tests_of_a_run(settings));
    let cases = tests.map(|path| read_tests(loaded, &path, own, output)).transpose()?;
    let starts: Vec<Vec<f64>> = cases.into_iter().flatten().map(|case| case.input).collect();
    let mut implementation = Implementation::new(target, loaded)?;
    let (evaluations, cap) = (options.evaluations, own.suite.precision_cap);
    let effort = SearchEffort { evaluations, cap, jobs, starts: &starts, progress: None };
    let searched = implementation.search(loaded, own, &effort)?;
    Ok((implementation, searched))
}

/// Writes and shows what was found.
fn told(
    matches: &ArgMatches,
    options: &Options,
    (pairs, found): (&[Pair<'_>], Vec<Search>),
    interrupted: bool,
    output: &Output,
) -> Result<Exit, Failure> {
    let damaged = |_| Failure::usage_hint("a shard is damaged: it holds no search", "make the shards again");
    let read = |search: &Search| json::read(search.document.as_bytes()).map_err(damaged);
    let all: Vec<Worst> = found.iter().map(read).collect::<Result<_, _>>()?;
    let files = files(matches, options, pairs);
    files.write_aside(|| junit::document("magneto worst", &several::groups(&all)).map_err(Failure::usage))?;
    let exits: Vec<u8> = all.iter().map(|w| w.exit).collect();
    let exit = worst(&exits, interrupted || all.len() < pairs.len());
    let worsts = Worsts::new(&all, &files.documents(), exit as u8);
    let own = |(pair, search): (&Pair<'_>, &Search)| {
        let others = search.files.iter().map(|(e, text)| (pair.named(e), text.clone().into_bytes()));
        others.chain([(pair.named("json"), search.document.clone().into_bytes())]).collect()
    };
    files.write(pairs.iter().zip(&found).map(own).collect(), json::document(&worsts))?;
    if output.json {
        output.print_json(&json::Versioned(&worsts))?;
    } else if !output.quiet {
        output.say_verdicts(several::text(&all))?;
    }
    if exit == Exit::Interrupted {
        let whole = all.iter().filter(|w| !w.interrupted).count();
        output.note(format!("interrupted: {whole} of {} implementations were searched to the end", pairs.len()));
    }
    Ok(exit)
}
