//! `magneto worst` of all implementations that a `magneto.toml` names.

use super::{Implementation, Options, against, enumerate, exit_of, starts};
use crate::cli::check::files::{FilePlace, Neighbours, ProjectFiles};
use crate::cli::check::pairs::{Pair, Taker, each, items, pairs, specifications, worst};
use crate::cli::check::{Environment, fits};
use crate::cli::exit::{Exit, Failure};
use crate::cli::flags;
use crate::cli::interrupt::STOP;
use crate::cli::output::Output;
use crate::cli::shards::{self, Sharded};
use clap::ArgMatches;
use magneto::harness::{RunRecord, UnderTest};
use magneto::options::{Settings, flags_of_kinds};
use magneto::record::json;
use magneto::record::store::{self, WORSTS};
use magneto::record::worst::Worst;
use magneto::record::worsts::Worsts;
use magneto::report::junit;
use magneto::report::worst::{WorstReport, document, several};
use magneto::threads::{Portion, Threads};
use magneto::worst::against::ComparedResults;
use magneto::worst::exhaustive::EnumerationTally;
use magneto::worst::{SearchEffort, Searched};
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;

/// All that can be called: results from elsewhere cannot.
const TAKER: Taker = Taker { stem: "worst", takes: |kind| kind != "results", alone: flags_of_kinds };

/// What came of one implementation.
#[derive(Serialize, Deserialize)]
pub(in crate::cli) struct Search {
    /// Its document, as text: the order of an implementation's fields is kept.
    document: String,
    /// Its table; none where nothing was searched.
    table: Option<String>,
}

/// Searches all implementations of the specifications that are given, or of all that have one.
pub(super) fn run(
    matches: &ArgMatches,
    options: &Options,
    settings: &Settings,
    output: &Output,
) -> Result<Exit, Failure> {
    let of_one = [("--against-symbol", options.against_symbol.is_some()), ("--resume", options.resume)];
    if let Some((name, _)) = of_one.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::usage_hint(
            format!("{name} is for one implementation"),
            format!("say which by {}", (TAKER.alone)(TAKER.takes)),
        ));
    }
    let loaded = specifications(&options.spec, settings, &TAKER, output)?;
    let pairs = pairs(&loaded, settings, options.output.as_deref(), &TAKER, output)?;
    reference(&pairs, options.against.as_deref())?;
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
        search_one((&pairs, pair), options, settings, jobs, output)
    };
    let found: Vec<Search> = each(&pairs, part.as_ref(), &threads, one);
    output.progress("");
    let interrupted = STOP.load(Ordering::Relaxed);
    match part {
        Some(part) => part.save(&found, interrupted, output),
        None => write_searches(matches, options, (&pairs, found), interrupted, output),
    }
}

/// Ends a run of which all parts are there.
pub(in crate::cli) fn end(matches: &ArgMatches, found: Vec<Search>, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("worst", matches)?;
    let options: Options = flags::options(matches)?;
    let loaded = specifications(&options.spec, &settings, &TAKER, output)?;
    let pairs = pairs(&loaded, &settings, options.output.as_deref(), &TAKER, output)?;
    write_searches(matches, &options, (&pairs, found), false, output)
}

/// The extensions of an implementation's files.
const FILES: [&str; 2] = ["json", "csv"];

/// The files of a run.
fn files<'a>(matches: &'a ArgMatches, options: &'a Options, pairs: &[Pair<'_>]) -> ProjectFiles<'a> {
    let dir = options.output.as_deref();
    ProjectFiles {
        matches,
        dir,
        overview: WORSTS,
        beside: Neighbours::Results(store::is_worst, false),
        places: pairs.iter().map(|pair| FilePlace::of(pair, dir, &FILES)).collect(),
        aside: options.junit.as_deref(),
        aside_kind: junit::KIND,
    }
}

/// That some specification has an implementation of the name with which the others are to be compared.
fn reference(pairs: &[Pair<'_>], name: Option<&str>) -> Result<(), Failure> {
    let Some(name) = name.filter(|name| !pairs.iter().any(|pair| pair.label == *name)) else { return Ok(()) };
    let mut there: Vec<&str> = pairs.iter().map(|pair| pair.label.as_str()).collect();
    there.sort_unstable();
    there.dedup();
    let hint = format!("of several, --against is the name of one in magneto.toml: {}", there.join(", "));
    Err(Failure::usage_hint(format!("no implementation is called `{name}`"), hint))
}

/// The implementation with which one is compared, if it is not that one.
fn other(pairs: &[Pair<'_>], pair: &Pair<'_>, options: &Options) -> Result<Option<UnderTest>, Failure> {
    let Some(name) = options.against.as_deref().filter(|name| *name != pair.label) else { return Ok(None) };
    let is_other = |other: &&Pair<'_>| other.label == name && std::ptr::eq(other.loaded, pair.loaded);
    pairs.iter().find(is_other).map_or(Ok(None), |other| other.implementation().target())
}

/// What a search came to.
struct Found {
    implementation: Implementation,
    searched: Searched,
    tally: Option<EnumerationTally>,
    compared: Option<(Implementation, Vec<ComparedResults>)>,
}

/// What came of one implementation; one that cannot be run is no reason not to search the others.
fn search_one(
    (pairs, pair): (&[Pair<'_>], &Pair<'_>),
    options: &Options,
    settings: &Settings,
    jobs: usize,
    output: &Output,
) -> Search {
    let (spec, source) = (&pair.loaded.spec, &pair.loaded.source);
    let mut record = RunRecord(vec![("name".to_owned(), pair.label.clone())]);
    let (found, failure) = match searched((pairs, pair), options, settings, jobs, output) {
        Ok(found) => (Some(found), None),
        Err(failure) => (None, Some(failure)),
    };
    if let Some(found) = &found {
        record.0.extend(found.implementation.prepared.record.0.iter().cloned());
    }
    pair.environment(&Environment::default()).add_to(&mut record, failure.is_none());
    let nothing = Searched::default();
    let compared = found.as_ref().and_then(|found| found.compared.as_ref());
    let report = WorstReport {
        spec,
        source,
        record: &record,
        searched: found.as_ref().map_or(&nothing, |found| &found.searched),
        tally: found.as_ref().and_then(|found| found.tally.as_ref()),
        against: compared.map(|(second, rows)| (&second.prepared.record, rows.as_slice())),
    };
    let exit = failure.as_ref().map_or_else(|| exit_of(&report), |f| f.exit);
    let broken = failure.as_ref().map(Failure::why);
    let document = Worst { broken, ..document(&report, exit as u8) };
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let table = failure.is_none().then(|| text(report.csv()));
    Search { document: text(json::document(&document)), table }
}

/// Runs the search, which begins with the tests that are given, those that magneto.toml names or those of the run in the output
/// folder.
fn searched(
    (pairs, pair): (&[Pair<'_>], &Pair<'_>),
    options: &Options,
    settings: &Settings,
    jobs: usize,
    output: &Output,
) -> Result<Found, Failure> {
    let (loaded, own) = (pair.loaded, &pair.loaded.settings);
    let target = pair.implementation().target()?;
    let target = target.ok_or_else(|| Failure::usage("no implementation is given"))?;
    fits(Some(&target), loaded)?;
    let mut implementation = Implementation::new(target, loaded)?;
    if options.exhaustive {
        let ask = enumerate::Ask { folder: None, resume: false, slice: Portion::WHOLE, keep: false };
        let (searched, tally) = enumerate::run(&mut implementation, loaded, own, &ask, output)?;
        return Ok(Found { implementation, searched, tally: Some(tally), compared: None });
    }
    let named = options.tests.clone().or_else(|| pair.file("tests").map(Into::into));
    let tests = named.or_else(|| pair.tests_of_a_run(settings));
    let starts = tests.map(|path| starts(&path, loaded, own, output)).transpose()?.unwrap_or_default();
    let (evaluations, cap) = (options.evaluations, own.suite.precision_cap);
    let effort = SearchEffort { evaluations, cap, jobs, starts: &starts, progress: None };
    let searched = implementation.search(loaded, own, &effort)?;
    let compared = match other(pairs, pair, options)? {
        Some(other) if !searched.interrupted => {
            let (mut second, rows) = against((&mut implementation, other), &searched, loaded, own, &effort)?;
            let name = options.against.clone().unwrap_or_default();
            second.prepared.record.0.insert(0, ("name".to_owned(), name));
            Some((second, rows))
        }
        _ => None,
    };
    Ok(Found { implementation, searched, tally: None, compared })
}

/// Writes and shows what was found.
fn write_searches(
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
        let table = search.table.iter().map(|text| (pair.named("csv"), text.clone().into_bytes()));
        table.chain([(pair.named("json"), search.document.clone().into_bytes())]).collect()
    };
    files.write(pairs.iter().zip(&found).map(own).collect(), json::document(&worsts), output)?;
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
