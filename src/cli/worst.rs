//! `magneto worst`

mod enumerate;
mod project;
mod shown;

pub(super) use project::end;

use super::exit::{Exit, Failure};
use super::interrupt::{self, STOP};
use super::output::Output;
use super::specs::Loaded;
use super::{check, destination, flags, specs};
use clap::{ArgMatches, Args, Command, value_parser};
use magneto::harness::batch::{Caller, Stop};
use magneto::harness::{HarnessFault, PreparedTarget, UnderTest};
use magneto::options::Settings;
use magneto::oracle::Verdict;
use magneto::record::store::FolderClaim;
use magneto::record::{json, store};
use magneto::report::junit;
use magneto::report::worst::{WorstReport, document};
use magneto::spec::EmptyRange;
use magneto::threads::Portion;
use magneto::worst::against::{ComparedResults, compare};
use magneto::worst::exhaustive::EnumerationTally;
use magneto::worst::{self, PointChoice, SearchEffort, Searched};
use serde::Serialize;
use shown::ShownSearch;
use std::path::{Path, PathBuf};
use std::time::Instant;

const AFTER: &str = "\
The search looks at every binade and sign of each input, at special values, then closer and closer where errors are \
large. The same build, options and implementation give the same files. Errors are in units of the specification's \
bound, and in units in the last place of the exact value.

Without an option that says what the implementation is, all that magneto.toml names as [[implementation]] are searched, \
side by side. Each search begins with the tests of --tests, those that are named there, or those of the run in the output \
folder; --against NAME compares the others with the implementation of that name there. -o DIR has \
worsts.json and, in the folder of each specification, the files of its implementations.

--exhaustive looks at every input instead, where there are at most 2^32: one binary32 input, or two of binary16. That \
is a proof for the build that was run. With -o it can be interrupted, and --resume goes on from there. With --shard K/N each of \
several machines looks at a part; `magneto merge DIR… -o OUT` puts the parts together, and --resume -o OUT with the same \
implementation puts the inputs that matter again and ends with what one run gives.

DIR of -o is taken by `magneto check SPEC DIR …`, `export DIR` and `report DIR`: its tests are the worst inputs of the \
parts and what got no finite result.

Exit codes: 0 nothing outside the bound was found; 1 a result outside it, a crash, a hang or a refusal was found; 2 \
usage, specification or input error; 3 not settled at the precision cap; 4 the implementation cannot be run; 130 \
interrupted";

/// Search for the input at which an implementation errs most
#[derive(Args)]
#[group(skip)]
struct Options {
    /// An FPCore file; `file.fpcore:name` picks one of its FPCores by :name or identifier, `-` is standard input. Where no
    /// option says what the implementation is, any number of files, folders and patterns, each with the implementations
    /// that magneto.toml names. Default: all for which it names one
    #[arg(value_name = "SPEC")]
    spec: Vec<String>,
    #[command(flatten)]
    _formula: specs::FormulaArgs,
    #[command(flatten)]
    implementation: check::Implementation,
    /// How often to call the implementation
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), default_value_t = 100_000)]
    evaluations: u64,
    /// Also write worst.csv and worst.json into DIR, which may be that of a run; of several specifications into the folder
    /// of each
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Begin with these inputs as well: the output folder of a run, or a test file
    #[arg(long, value_name = "TESTS", conflicts_with = "exhaustive")]
    tests: Option<PathBuf>,
    /// Look at every input of the domain
    #[arg(long, conflicts_with_all = ["evaluations", "against"])]
    exhaustive: bool,
    /// Go on where an interrupted --exhaustive stopped
    #[arg(long, requires_all = ["exhaustive", "output"])]
    resume: bool,
    /// Look at part K of N, on another machine say: with --exhaustive of the inputs, else of the implementations that
    /// magneto.toml names. `magneto merge` puts the folders of all parts together
    #[arg(long, value_name = "K/N", requires = "output", conflicts_with = "junit")]
    shard: Option<Portion>,
    /// Also search another implementation of the same kind, named as that option names one, and compare both where either
    /// errs most. Of several implementations: the name of one in magneto.toml, with which the others of its specification
    /// are compared
    #[arg(long, value_name = "IMPL")]
    against: Option<String>,
    /// The function of --against. Default: the same name
    #[arg(long, value_name = "NAME", requires = "against")]
    against_symbol: Option<String>,
    /// Also write a JUnit file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

pub(crate) fn command() -> Command {
    check::with_one(flags::command::<Options>("worst", AFTER))
}

/// Searches all results of one implementation as those that a magneto.toml names.
fn of_results(
    matches: &ArgMatches,
    options: Options,
    mut settings: Settings,
    output: &Output,
) -> Result<Exit, Failure> {
    let of_one =
        [("--against", options.against.is_some()), ("--resume", options.resume), ("--shard", options.shard.is_some())];
    specs::refuse_several(&of_one)?;
    settings.implementations = vec![options.implementation.entry(None)];
    let options = Options { implementation: check::Implementation::default(), ..options };
    project::run(matches, &options, &settings, output)
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("worst", matches)?;
    let options: Options = flags::options(matches)?;
    if options.resume && !options.exhaustive {
        return Err(Failure::usage_hint(
            "--resume goes on with --exhaustive alone",
            "leave --resume out, or give --exhaustive",
        ));
    }
    let Some(target) = options.implementation.target()? else {
        return project::run(matches, &options, &settings, output);
    };
    let mut results = specs::load_results(one_spec(&options)?, &settings, output)?;
    let (Some(loaded), true) = (results.pop(), results.is_empty()) else {
        return of_results(matches, options, settings, output);
    };
    let settings = Settings::clone(&loaded.settings);
    let other = options.against.as_ref().map(|text| other(&target, text, &options)).transpose()?;
    destination::file(matches, options.junit.as_deref(), junit::KIND)?;
    let (folder, files) = (options.output.as_deref(), ["worst.csv", "worst.json", enumerate::FILE]);
    destination::folder(matches, folder, &FolderClaim::Beside(&files))?;
    let starts = match &options.tests {
        Some(path) => starts(path, &loaded, &settings, output)?,
        None => Vec::new(),
    };
    let mut first = Implementation::new(target, &loaded)?;
    let (evaluations, start) = (options.evaluations, Instant::now());
    let shown = ShownSearch::new(&loaded.spec, evaluations, output);
    let tell = |spent: u64, largest: f64| shown.tell(spent, largest);
    let (cap, jobs) = (settings.suite.precision_cap, settings.suite.jobs);
    let effort = SearchEffort { evaluations, cap, jobs, starts: &starts, progress: Some(&tell) };
    let (searched, tally) = if options.exhaustive {
        let portion = options.shard;
        let slice = portion.unwrap_or(Portion::WHOLE);
        let ask = enumerate::Ask { folder, resume: options.resume, slice, keep: portion.is_some() };
        let (searched, tally) = enumerate::run(&mut first, &loaded, &settings, &ask, output)?;
        if let Some(portion) = portion {
            return part(portion, &searched, &tally, output);
        }
        (searched, Some(tally))
    } else {
        (first.search(&loaded, &settings, &effort)?, None)
    };
    output.progress("");
    let seconds = start.elapsed().as_secs_f64();
    output.note(format!("{:.0} evaluations a second", searched.evaluations as f64 / seconds.max(1e-9)));
    let compared = match other {
        Some(other) if !searched.interrupted => {
            Some(against((&mut first, other), &searched, &loaded, &settings, &effort)?)
        }
        _ => None,
    };
    let report = WorstReport {
        spec: &loaded.spec,
        source: &loaded.source,
        record: &first.prepared.record,
        searched: &searched,
        tally: tally.as_ref(),
        against: compared.as_ref().map(|(second, rows)| (&second.prepared.record, rows.as_slice())),
    };
    let exit = exit_of(&report);
    write((matches, &options), &report, exit, output)?;
    if output.json {
        output.print_json(&json::Versioned(&document(&report, exit as u8)))?;
    } else if !output.quiet {
        output.say_verdicts(report.text())?;
    }
    if searched.interrupted {
        output.note("interrupted: the search had not ended");
    }
    if let Some(b) = &searched.broken {
        output.note(format!("the search ended early: {}", b.why));
    }
    Ok(exit)
}

/// The inputs with which a search begins: those of tests.
fn starts(path: &Path, loaded: &Loaded, settings: &Settings, output: &Output) -> Result<Vec<Vec<f64>>, Failure> {
    let mut notes = Vec::new();
    let cases = interrupt::may_leave(|| check::read_tests(loaded, path, settings, &mut notes));
    notes.iter().for_each(|note| output.note(note));
    Ok(cases?.into_iter().map(|case| case.input).collect())
}

/// The specification of the one implementation that is given.
fn one_spec(options: &Options) -> Result<&str, Failure> {
    if options.shard.is_some() && !options.exhaustive {
        let hint = "shards of one implementation are for --exhaustive";
        return Err(Failure::usage_hint("one search is not divided", hint));
    }
    match &options.spec[..] {
        [one] => Ok(one),
        [] => Err(Failure::usage_hint("no specification is given", "write magneto worst SPEC …")),
        [_, more, ..] => {
            let hint = "several specifications have their implementations in magneto.toml";
            Err(Failure::usage_hint(format!("{more} is one argument too many"), hint))
        }
    }
}

/// What is said of a shard of an enumeration, which shows nothing by itself.
fn part(portion: Portion, searched: &Searched, tally: &EnumerationTally, output: &Output) -> Result<Exit, Failure> {
    #[derive(Serialize)]
    struct Document {
        schema: &'static str,
        shard: String,
        inputs: u64,
        seen: u64,
        owed: u64,
        ok: u64,
        ko: u64,
        uncertain: u64,
    }
    let EnumerationTally { inputs, seen, owed, ok, ko, uncertain, .. } = *tally;
    if output.json {
        let (schema, shard) = ("magneto/worst-shard/1", portion.to_string());
        output.print_json(&Document { schema, shard, inputs, seen, owed, ok, ko, uncertain })?;
    } else if !output.quiet {
        output.say(format!(
            "shard {portion}: {seen} of {inputs} inputs looked at, {owed} in the domain: {ok} OK, {ko} KO, {uncertain} uncertain\n"
        ))?;
    }
    if let Some(b) = &searched.broken {
        output.note(format!("the search ended early: {}", b.why));
    }
    Ok(match () {
        () if searched.interrupted => Exit::Interrupted,
        () if searched.broken.is_some() => Exit::Harness,
        () if ko > 0 => Exit::Gate,
        () if uncertain > 0 => Exit::Inconclusive,
        () => Exit::Passed,
    })
}

fn exit_of(report: &WorstReport<'_>) -> Exit {
    match report.verdict() {
        _ if report.searched.interrupted => Exit::Interrupted,
        Verdict::Ko => Exit::Gate,
        Verdict::Uncertain => Exit::Inconclusive,
        Verdict::Ok if report.searched.parts.is_empty() => Exit::Inconclusive,
        Verdict::Ok => Exit::Passed,
    }
}

fn write(
    (matches, options): (&ArgMatches, &Options),
    report: &WorstReport<'_>,
    exit: Exit,
    output: &Output,
) -> Result<(), Failure> {
    let units = || junit::document("magneto worst", &report.groups()).map_err(Failure::usage);
    destination::write(matches, options.junit.as_deref(), junit::KIND, units)?;
    let Some(dir) = &options.output else { return Ok(()) };
    let files = store::Files::from([
        ("worst.csv".to_owned(), report.csv()),
        ("worst.json".to_owned(), json::document(&document(report, exit as u8))),
    ]);
    let ended = !report.searched.interrupted && dir.join(enumerate::FILE).exists();
    let pages = destination::outdated(dir, &["worst.html"], false);
    let stale: Vec<String> = ended.then(|| enumerate::FILE.to_owned()).into_iter().chain(pages.clone()).collect();
    store::write(dir, &files, &stale)?;
    destination::tell_outdated(dir, &pages, output);
    destination::tell_record(dir, output);
    Ok(())
}

fn broke(b: &HarnessFault) -> Failure {
    Failure { exit: Exit::Harness, messages: vec![format!("error: {}\n", b.why)] }
}

fn stopped(stop: Stop) -> Failure {
    match stop {
        Stop::Broken(b) => broke(&b),
        Stop::Interrupted => Failure { exit: Exit::Interrupted, messages: vec!["error: interrupted\n".to_owned()] },
    }
}

/// An implementation that is ready to be called.
struct Implementation {
    target: UnderTest,
    prepared: PreparedTarget,
}

impl Implementation {
    fn new(target: UnderTest, loaded: &Loaded) -> Result<Self, Failure> {
        let this = std::env::current_exe().map_err(|e| Failure::usage(format!("cannot find this program: {e}")))?;
        let prepared = interrupt::stoppable(|| target.prepare(&loaded.spec, &this)).map_err(check::not_ready)?;
        Ok(Implementation { target, prepared })
    }

    /// Calls it, and records what only a running one can say. `what` gets a caller.
    fn with<T>(&mut self, loaded: &Loaded, settings: &Settings, what: impl FnOnce(&mut Caller<'_>) -> T) -> T {
        let (spec, program) = (&loaded.spec, self.prepared.program.clone());
        let mut caller = Caller::new(&program, spec.inputs.len(), spec.result_format, &settings.limits, Some(&STOP));
        let result = what(&mut caller);
        let record = &mut self.prepared.record;
        if let Some(ready) = caller.ready.as_deref().filter(|_| !record.0.iter().any(|r| r.0.ends_with("_sha256"))) {
            self.target.complete_record(record, ready);
        }
        result
    }

    fn search(&mut self, loaded: &Loaded, settings: &Settings, effort: &SearchEffort<'_>) -> Result<Searched, Failure> {
        judged(self.with(loaded, settings, |caller| worst::look(PointChoice::Search, &loaded.spec, caller, effort)))
    }
}

/// What was found, unless there is nothing to search or the harness broke.
fn judged(searched: Result<Searched, EmptyRange>) -> Result<Searched, Failure> {
    let searched = searched.map_err(Failure::usage)?;
    match &searched.broken {
        // A function that crashes often has been found out.
        Some(b) if searched.findings.is_empty() => Err(broke(b)),
        _ => Ok(searched),
    }
}

/// The implementation of `--against`: of the kind of the first one.
fn other(first: &UnderTest, text: &str, options: &Options) -> Result<UnderTest, Failure> {
    let function = match (&options.against_symbol, first.kind.function_option()) {
        (Some(_), None) => {
            let key = first.kind.key();
            return Err(Failure::usage(format!("--against-symbol: what --{key} names has no function beside it")));
        }
        (named, _) => named.clone().unwrap_or_else(|| first.function.clone()),
    };
    let other = UnderTest { source: text.into(), function, ..first.clone() };
    other.settle_name("against").map_err(check::unfit)
}

/// Searches the other implementation as well, and puts the worst inputs of either to both.
fn against(
    (first, other): (&mut Implementation, UnderTest),
    searched: &Searched,
    loaded: &Loaded,
    settings: &Settings,
    effort: &SearchEffort<'_>,
) -> Result<(Implementation, Vec<ComparedResults>), Failure> {
    let mut second = Implementation::new(other, loaded)?;
    let found = second.search(loaded, settings, effort)?;
    let cap = effort.cap;
    let rows = first.with(loaded, settings, |a| {
        second.with(loaded, settings, |b| compare(&loaded.spec, a, b, [searched, &found], cap))
    });
    Ok((second, rows.map_err(stopped)?))
}
