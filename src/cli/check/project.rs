//! `magneto check` of all implementations that a `magneto.toml` names.

use super::cached::KeptChecks;
use super::files::{FilePlace, Neighbours, ProjectFiles};
use super::pairs::{Pair, Taker, each, items, pairs, specifications, worst};
use super::ready::Ready;
use super::{Environment, Options, exit_of};
use crate::cli::exit::{Exit, Failure};
use crate::cli::flags;
use crate::cli::interrupt::STOP;
use crate::cli::output::Output;
use crate::cli::shards::{self, Sharded};
use crate::cli::specs::Loaded;
use clap::ArgMatches;
use magneto::harness::{Checked, PipeRun, RunRecord};
use magneto::options::{Settings, flags_of_kinds};
use magneto::record::cache::KeptCheck;
use magneto::record::check::Check;
use magneto::record::checks::Checks;
use magneto::record::json;
use magneto::record::store::{self, CHECKS, Files};
use magneto::report::check::document::{LISTED, document, table};
use magneto::report::check::{CheckReport, several};
use magneto::report::junit;
use magneto::threads::Threads;
use std::sync::atomic::Ordering;

/// All that says what an implementation is.
const TAKER: Taker = Taker { stem: "check", takes: |_| true, alone: flags_of_kinds };

/// Runs all implementations of the specifications that are given, or of all that have one.
pub(super) fn run(
    matches: &ArgMatches,
    options: &Options,
    settings: &Settings,
    output: &Output,
) -> Result<Exit, Failure> {
    if options.tap {
        return Err(Failure::usage_hint("--tap is for one implementation", "--junit FILE has the tests of all"));
    }
    let loaded = loaded(options, settings, output)?;
    let pairs = pairs(&loaded, settings, options.output.as_deref(), &TAKER, output)?;
    let sharded = Sharded { output: options.output.clone(), shard: options.shard };
    let words = (&["check"][..], &super::command());
    let part = shards::part(matches, words, &sharded, settings.fingerprint(), &items(&pairs), output)?;
    if part.is_none() {
        files(matches, options, &pairs).claim()?;
    }
    let threads = Threads::new(settings.suite.jobs);
    let kept = KeptChecks::open(settings, output)?;
    let one = |pair: &Pair<'_>| check_one(pair, (&options.environment, &kept), settings, &threads, output);
    let checks: Vec<Check> = each(&pairs, part.as_ref(), &threads, one);
    let interrupted = STOP.load(Ordering::Relaxed);
    kept.close(checks.len(), output);
    match part {
        // As text: the order of an implementation's fields is kept.
        Some(part) => {
            let texts: Vec<String> =
                checks.into_iter().map(|c| String::from_utf8_lossy(&c.text()).into_owned()).collect();
            part.save(&texts, interrupted, output)
        }
        None => write_checks(matches, options, (&pairs, checks), interrupted, output),
    }
}

/// Ends a run of which all parts are there.
pub(in crate::cli) fn end(matches: &ArgMatches, found: Vec<String>, output: &Output) -> Result<Exit, Failure> {
    let damaged = |_| Failure::usage_hint("a shard is damaged: it holds no check", "make the shards again");
    let found: Vec<Check> =
        found.iter().map(|text| json::read(text.as_bytes())).collect::<Result<_, _>>().map_err(damaged)?;
    let settings = flags::settings("check", matches)?;
    let options: Options = flags::options(matches)?;
    let loaded = loaded(&options, &settings, output)?;
    let pairs = pairs(&loaded, &settings, options.output.as_deref(), &TAKER, output)?;
    write_checks(matches, &options, (&pairs, found), false, output)
}

/// The specifications: what stands in the place of tests is one too.
fn loaded(options: &Options, settings: &Settings, output: &Output) -> Result<Vec<Loaded>, Failure> {
    let more = options.tests.iter().map(|p| p.to_string_lossy().into_owned());
    let given: Vec<String> = options.spec.iter().cloned().chain(more).collect();
    specifications(&given, settings, &TAKER, output)
}

/// The files of a run.
fn files<'a>(matches: &'a ArgMatches, options: &'a Options, pairs: &[Pair<'_>]) -> ProjectFiles<'a> {
    let dir = options.output.as_deref();
    ProjectFiles {
        matches,
        dir,
        overview: CHECKS,
        beside: Neighbours::Results(store::is_check, true),
        places: pairs.iter().map(|pair| FilePlace::of(pair, dir, &["json", "csv"])).collect(),
        aside: options.junit.as_deref(),
        aside_kind: junit::KIND,
    }
}

/// What came of one implementation; one that cannot be run is no reason not to run the others.
fn check_one(
    pair: &Pair<'_>,
    (said, kept): (&Environment, &KeptChecks),
    settings: &Settings,
    threads: &Threads,
    output: &Output,
) -> Check {
    let mut notes = Vec::new();
    let tell = |notes: &[String]| notes.iter().for_each(|note| output.note(note));
    let ready = Ready::new(pair, said, settings);
    let key = ready.as_ref().ok().and_then(|ready| kept.key(pair, ready));
    if let Some(earlier) = kept.get(key.as_ref()) {
        tell(&earlier.notes);
        return earlier.check;
    }
    let run = ready.and_then(|ready| Ok((ready.checked(pair, threads, &mut notes, output)?, ready)));
    tell(&notes);
    let (mut checked, exit, ready) = match run {
        Ok((checked, ready)) => {
            let exit = exit_of(&checked);
            (checked, exit, Some(ready))
        }
        Err(failure) => (broken(pair, &failure, threads), failure.exit, None),
    };
    checked.record.0.insert(0, ("name".to_owned(), pair.label.clone()));
    let report = CheckReport { spec: &pair.loaded.spec, source: &pair.loaded.source, checked: &checked };
    let check = document(&report, exit as u8, LISTED, threads);
    if let (Some(key), Some(ready)) = (&key, &ready) {
        kept.keep((key, &checked), pair, ready, &KeptCheck { check: check.clone(), notes });
    }
    check
}

/// A check in which nothing could be run.
fn broken(pair: &Pair<'_>, failure: &Failure, threads: &Threads) -> Checked {
    let broken = magneto::harness::HarnessFault { test: None, why: failure.why(), errors: Vec::new() };
    let run = PipeRun { broken: Some(broken), ..PipeRun::default() };
    let cap = pair.loaded.settings.suite.precision_cap;
    Checked::new(&pair.loaded.spec, Vec::new(), run, RunRecord::default(), Vec::new(), cap, threads)
}

/// Writes and shows what was found.
fn write_checks(
    matches: &ArgMatches,
    options: &Options,
    (pairs, found): (&[Pair<'_>], Vec<Check>),
    interrupted: bool,
    output: &Output,
) -> Result<Exit, Failure> {
    let files = files(matches, options, pairs);
    files.write_aside(|| junit::document("magneto check", &several::groups(&found)).map_err(Failure::usage))?;
    let exits: Vec<u8> = found.iter().map(|c| c.exit).collect();
    let exit = worst(&exits, interrupted || found.len() < pairs.len());
    let checks = Checks::new(&found, &files.documents(), exit as u8);
    if options.output.is_some() {
        let own = |(pair, check): (&Pair<'_>, &Check)| {
            Files::from([
                (pair.named("csv"), table(&pair.loaded.spec, check)),
                (pair.named("json"), check.clone().text()),
            ])
        };
        files.write(pairs.iter().zip(&found).map(own).collect(), json::document(&checks), output)?;
    }
    if output.json {
        output.print_json(&json::Versioned(&checks))?;
    } else if !output.quiet {
        output.say_verdicts(several::text(&found, options.verbose))?;
    }
    if exit == Exit::Interrupted {
        let whole = found.iter().filter(|c| !c.interrupted).count();
        output.note(format!("interrupted: {whole} of {} implementations were run to their end", pairs.len()));
    }
    Ok(exit)
}
