//! `magneto check`

mod cached;
pub(super) mod files;
mod implementation;
pub(super) mod pairs;
mod project;
mod ready;

use implementation::broke;
pub(super) use implementation::{GROUP, Implementation, fits, not_ready, unfit};
pub(super) use project::end;

use super::exit::{Exit, Failure};
use super::interrupt::{self, STOP};
use super::output::Output;
use super::specs::Loaded;
use super::{destination, flags, specs, version};
use clap::{ArgGroup, ArgMatches, Args, Command};
use magneto::harness::{self, Case, Checked, KINDS, PipeRun, PreparedTarget, RunRecord, UnderTest, Verdict};
use magneto::mutate::mutants;
use magneto::options::Settings;
use magneto::record::check::Check;
use magneto::record::manifest::hash;
use magneto::record::read;
use magneto::record::store::{self, FolderClaim};
use magneto::report::check::document::{LISTED, document, table};
use magneto::report::check::{CheckReport, text, units};
use magneto::report::{junit, tap};
use magneto::suite::{self, Interrupt};
use magneto::testfile::Reader;
use magneto::threads::{Portion, Threads};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

const AFTER: &str = "\
A crash or a hang is KO, and the implementation is started again. What cannot be read as an answer gets no verdict.

At inputs outside the domain an implementation owes what the specification writes as :magneto-out-of-range. Where it \
writes nothing, these tests are reported, and fail nothing.

Exit codes: 0 all OK; 1 a test is KO; 2 usage, specification or input error; 3 nothing worse than UNCERTAIN; 4 the \
implementation cannot be run, or its answers cannot be read; 130 interrupted";

/// Run an implementation against the oracles, and say what its failures look like
#[derive(Args)]
#[group(skip)]
struct Options {
    /// An FPCore file; `file.fpcore:name` picks one of its FPCores by :name or identifier, `-` is standard input. Where no
    /// option says what the implementation is, any number of files, folders and patterns, each with the implementations
    /// that magneto.toml names. Default: all for which it names one
    #[arg(value_name = "SPEC")]
    spec: Option<String>,
    /// The output folder of `magneto gen`, its tests.csv or tests.json, or a file with a column for each input. Default:
    /// tests are made
    #[arg(value_name = "TESTS")]
    tests: Vec<PathBuf>,
    #[command(flatten)]
    _formula: specs::FormulaArgs,
    #[command(flatten)]
    implementation: Implementation,
    /// Results from elsewhere: CSV with test_id,result, or a line for each test
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, group = GROUP, conflicts_with = "signature")]
    results: Option<String>,
    #[command(flatten)]
    environment: Environment,
    /// Also write check.csv and check.json into DIR, which may be that of a run; of several specifications into the folder
    /// of each
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Run part K of N of the implementations that magneto.toml names, on another machine say. `magneto merge` puts the
    /// folders of all parts together
    #[arg(long, value_name = "K/N", requires = "output", conflicts_with_all = [GROUP, "junit", "tap"])]
    shard: Option<Portion>,
    /// Also write a JUnit file
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    junit: Option<PathBuf>,
    /// Show all failures, and the causes that explain only a part of the results
    #[arg(long)]
    verbose: bool,
    /// Print the results in the Test Anything Protocol
    #[arg(long, conflicts_with = "json")]
    tap: bool,
}

/// Where results came from, for the record.
#[derive(Args, Default)]
#[group(skip)]
pub(super) struct Environment {
    /// On what the implementation ran, if not on this machine. Default: this machine, or unknown with --results
    #[arg(long, value_name = "TEXT")]
    target: Option<String>,
    /// Who ran it. Default: nobody is named
    #[arg(long, value_name = "NAME")]
    tester: Option<String>,
    /// The version of the software under test. Default: none is named
    #[arg(long, value_name = "TEXT")]
    software: Option<String>,
}

/// That at most one of the options which say what the implementation is is there.
pub(super) fn with_one(command: Command) -> Command {
    command.group(ArgGroup::new(GROUP))
}

pub(crate) fn command() -> Command {
    let notes = KINDS.iter().map(|kind| kind.notes());
    with_one(flags::command::<Options>("check", notes.chain([AFTER]).collect::<Vec<_>>().join("\n\n")))
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("check", matches)?;
    let options: Options = flags::options(matches)?;
    let target = options.implementation.target()?;
    if target.is_none() && options.results.is_none() {
        return project::run(matches, &options, &settings, output);
    }
    let (given, tests) = one_and_tests(&options)?;
    specs::in_order(given, "check", tests)?;
    let mut results = specs::load_results(given, &settings, output)?;
    let (Some(loaded), true) = (results.pop(), results.is_empty()) else {
        return of_results(matches, options, settings, output);
    };
    let settings = Settings::clone(&loaded.settings);
    let spec = &loaded.spec;
    fits(target.as_ref(), &loaded)?;
    destination::file(matches, options.junit.as_deref(), junit::KIND)?;
    let folder = options.output.as_ref();
    destination::folder(matches, options.output.as_deref(), &FolderClaim::Beside(&["check.csv", "check.json"]))?;
    let threads = Threads::new(settings.suite.jobs);
    let results = options.results.as_deref().unwrap_or_default();
    let told = |run: &mut dyn FnMut(&mut Vec<String>) -> Result<Checked, Failure>| {
        let mut notes = Vec::new();
        let checked = run(&mut notes);
        notes.iter().for_each(|note| output.note(note));
        checked
    };
    let checked = told(&mut |notes| {
        let cases = match tests {
            Some(path) => interrupt::may_leave(|| read_tests(&loaded, path, &settings, notes))?,
            None => make_tests(&loaded, &settings, output)?,
        };
        let prepared = target.as_ref().map(|target| prepared(target, &loaded)).transpose()?;
        let source = target.clone().zip(prepared);
        checked(&loaded, cases, source.as_ref().ok_or(results), &options.environment, &threads, notes, output)
    })?;
    let report = CheckReport { spec, source: &loaded.source, checked: &checked };
    let exit = exit_of(&checked);
    let is_written = folder.is_some() || output.json;
    let document = is_written.then(|| document(&report, exit as u8, LISTED, &threads));
    let unlisted = document.as_ref().is_some_and(|d| d.unlisted.is_some());
    let table = folder.and(document.as_ref()).map(|d| table(spec, d));
    let document = document.map(Check::text);
    show((matches, &options), &report, document.as_deref(), output)?;
    if let (Some(dir), Some(table), Some(document)) = (folder, table, document) {
        let files = [("check.csv", table), ("check.json", document)];
        let pages = destination::outdated(dir, &["check.html"], true);
        store::write(dir, &files.map(|(name, bytes)| (name.to_owned(), bytes)).into(), &pages)?;
        destination::tell_outdated(dir, &pages, output);
        destination::tell_record(dir, output);
    }
    if exit == Exit::Interrupted {
        let more = if unlisted { "; of the others those that are not OK are listed" } else { "" };
        output.note(format!(
            "interrupted: tests that were not run by then have no verdict, and errors are not measured{more}"
        ));
    }
    Ok(exit)
}

/// Checks all results of one implementation as those that a magneto.toml names.
fn of_results(
    matches: &ArgMatches,
    options: Options,
    mut settings: Settings,
    output: &Output,
) -> Result<Exit, Failure> {
    let of_one = [("--results", options.results.is_some()), ("--shard", options.shard.is_some())];
    specs::refuse_several(&of_one)?;
    let tests = options.tests.first();
    if let Some(tests) = tests {
        // What is wrong with them is said before anything runs.
        let spec = options.spec.as_deref().unwrap_or_default();
        for one in specs::load_results(spec, &settings, output)? {
            interrupt::may_leave(|| read_tests(&one, tests, &settings, &mut Vec::new()))?;
        }
    }
    settings.implementations = vec![options.implementation.entry(tests.map(PathBuf::as_path))];
    let options = Options { tests: Vec::new(), implementation: Implementation::default(), ..options };
    project::run(matches, &options, &settings, output)
}

/// The one specification of a check of one implementation, and its tests.
fn one_and_tests(options: &Options) -> Result<(&str, Option<&Path>), Failure> {
    let Some(spec) = &options.spec else {
        return Err(Failure::usage_hint("no specification is given", "write magneto check SPEC [TESTS] …"));
    };
    match &options.tests[..] {
        [] => Ok((spec, None)),
        [tests] => Ok((spec, Some(tests))),
        [_, more, ..] => {
            let hint = "several specifications have their implementations in magneto.toml";
            Err(Failure::usage_hint(format!("{} is one argument too many", more.display()), hint))
        }
    }
}

/// Runs an implementation, or reads the file of its results, and judges what came back. `notes` gets what is worth knowing.
fn checked(
    loaded: &Loaded,
    cases: Vec<Case>,
    source: Result<&(UnderTest, PreparedTarget), &str>,
    environment: &Environment,
    threads: &Threads,
    notes: &mut Vec<String>,
    output: &Output,
) -> Result<Checked, Failure> {
    let settings = &loaded.settings;
    let (run, mut record) = match source {
        Ok(ready) => {
            output.doing(&format!("{}: running {} tests", loaded.spec.name, cases.len()));
            put(ready, loaded, &cases, settings)?
        }
        Err(results) => read_results(results, loaded, &cases, notes)?,
    };
    environment.add_to(&mut record, source.is_ok());
    if source.is_err() && environment.target.is_none() {
        notes.push("nobody says on what these results were made: --target TEXT keeps it with them".to_owned());
    }
    notes.extend(run.notes.iter().cloned());
    output.doing(&format!("{}: judging results, and looking for likely causes", loaded.spec.name));
    let mutants = mutants(&loaded.spec, &settings.suite.operators);
    let cap = settings.suite.precision_cap;
    Ok(interrupt::stoppable(|| Checked::new(&loaded.spec, cases, run, record, mutants, cap, threads)))
}

impl Environment {
    /// Adds what is said, and of a run here the machine.
    pub(super) fn add_to(&self, record: &mut RunRecord, here: bool) {
        let said = [("target", &self.target), ("tester", &self.tester), ("software", &self.software)];
        let said = said.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)));
        record.0.extend(said);
        if here {
            record.0.push(("machine".to_owned(), version::machine()));
        }
    }
}

/// The tests of a file or of the folder of a run. `notes` gets what is worth knowing of them.
pub(super) fn read_tests(
    loaded: &Loaded,
    path: &Path,
    settings: &Settings,
    notes: &mut Vec<String>,
) -> Result<Vec<Case>, Failure> {
    const MOST: usize = 20;
    let spec = &loaded.spec;
    let (path, changed) = read::test_file(path, spec, &loaded.source)?;
    let mut reader = Reader::open(&path, spec).map_err(|p| Failure::rendered(vec![p.0]))?;
    let (mut records, mut problems) = (Vec::new(), Vec::new());
    for record in reader.by_ref() {
        match record {
            Ok(record) => records.push(record),
            Err(problem) => problems.push(problem.0),
        }
        if problems.len() == MOST {
            break;
        }
    }
    if !problems.is_empty() {
        return Err(Failure::rendered(problems));
    }
    notes.extend(reader.notes());
    let shown = path.display();
    if changed {
        notes.push(format!("{shown} was made for another version of {}", loaded.shown()));
    }
    let found = harness::cases(spec, &records, settings.suite.precision_cap).map_err(|list| {
        let hint = if changed {
            "the tests were made from another version of the specification: run `magneto gen` again"
        } else {
            "an oracle depends on the formula and the accuracy, flags included; for inputs only, leave the columns lo, \
             hi and expected out"
        };
        let problems = list.iter().take(MOST).map(|(line, why)| format!("error: {shown}:{line}: {why}\n"));
        Failure::rendered(problems.chain([format!("hint: {hint}\n")]).collect())
    })?;
    notes.extend(found.notes);
    if found.cases.is_empty() {
        return Err(Failure::usage(format!("{shown}: there is no test left")));
    }
    Ok(found.cases)
}

/// The tests that `magneto gen` would make.
fn make_tests(loaded: &Loaded, settings: &Settings, output: &Output) -> Result<Vec<Case>, Failure> {
    let name = &loaded.spec.name;
    let progress = |judged: usize, all: usize| output.progress(&format!("{name}: {judged}/{all} mutants"));
    let interrupt = Interrupt { stop: Some(&STOP), progress: Some(&progress), ..Interrupt::default() };
    let made = interrupt::may_leave(|| suite::generate(&loaded.spec, &settings.suite, &interrupt));
    output.progress("");
    let made = made.map_err(|e| Failure::rendered(vec![loaded.message("error", &e.to_string())]))?;
    if STOP.load(Ordering::Relaxed) {
        let messages = vec!["error: interrupted before the tests were made\n".to_owned()];
        return Err(Failure { exit: Exit::Interrupted, messages });
    }
    if made.tests.is_empty() {
        return Err(Failure::usage_hint(format!("no test was found for {name}"), "give a file with inputs as TESTS"));
    }
    Ok(made.tests.iter().map(Case::from).collect())
}

/// Makes an implementation ready to be run.
fn prepared(target: &UnderTest, loaded: &Loaded) -> Result<PreparedTarget, Failure> {
    let this = std::env::current_exe().map_err(|e| Failure::usage(format!("cannot find this program: {e}")))?;
    interrupt::stoppable(|| target.prepare(&loaded.spec, &this)).map_err(not_ready)
}

/// Run the implementation.
fn put(
    (target, prepared): &(UnderTest, PreparedTarget),
    loaded: &Loaded,
    cases: &[Case],
    settings: &Settings,
) -> Result<(PipeRun, RunRecord), Failure> {
    let tests: Vec<(String, Vec<f64>)> = cases.iter().map(|c| (c.id.clone(), c.input.clone())).collect();
    let mut run = harness::run(&prepared.program, &tests, loaded.spec.result_format, &settings.limits, Some(&STOP));
    if run.ready.is_none()
        && prepared.program.says_ready
        && let Some(broken) = &run.broken
    {
        return Err(broke(broken));
    }
    let mut record = prepared.record.clone();
    target.complete_record(&mut record, run.ready.as_deref().unwrap_or_default());
    run.notes.splice(..0, prepared.notes.iter().cloned());
    Ok((run, record))
}

/// The largest file of results that is read. Unit: bytes.
const MAX_RESULTS: u64 = 64 << 20;

/// Results from elsewhere.
fn read_results(
    path: &str,
    loaded: &Loaded,
    cases: &[Case],
    notes: &mut Vec<String>,
) -> Result<(PipeRun, RunRecord), Failure> {
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path).and_then(|f| f.take(MAX_RESULTS + 1).read_to_end(&mut bytes));
    read.map_err(|e| Failure::unread(Path::new(path), &e, &["csv", "txt"]))?;
    if bytes.len() as u64 > MAX_RESULTS {
        return Err(Failure::usage(format!("{path} has more than {} MiB", MAX_RESULTS >> 20)));
    }
    let ids: Vec<String> = cases.iter().map(|c| c.id.clone()).collect();
    let read = harness::results::read(&bytes, &ids, loaded.spec.result_format)
        .map_err(|problems| Failure::rendered(problems.iter().map(|p| format!("error: {path}:{p}\n")).collect()))?;
    notes.extend(read.notes.iter().map(|note| format!("{path}: {note}")));
    let pairs = [("kind", "results"), ("results", path), ("results_sha256", &hash(&bytes))];
    let record = RunRecord(pairs.map(|(n, v)| (n.to_owned(), v.to_owned())).to_vec());
    Ok((PipeRun { answers: read.answers, ..PipeRun::default() }, record))
}

fn exit_of(checked: &Checked) -> Exit {
    match checked.verdict() {
        _ if checked.run.interrupted => Exit::Interrupted,
        None => Exit::Harness,
        Some(Verdict::Ko) => Exit::Gate,
        Some(Verdict::Uncertain) => Exit::Inconclusive,
        Some(Verdict::Ok) => Exit::Passed,
    }
}

/// Prints what was found: with `--json` the document's text.
fn show(
    (matches, options): (&ArgMatches, &Options),
    report: &CheckReport<'_>,
    document: Option<&[u8]>,
    output: &Output,
) -> Result<(), Failure> {
    let units = || junit::document("magneto check", &units::groups(report)).map_err(Failure::usage);
    destination::write(matches, options.junit.as_deref(), junit::KIND, units)?;
    if let Some(document) = document.filter(|_| output.json) {
        output.print(document)
    } else if options.tap {
        let bail = report.checked.run.broken.as_ref().map(|b| b.why.as_str());
        output.say(tap::document(&units::groups(report), bail))
    } else if output.quiet {
        Ok(())
    } else {
        output.say_verdicts(text::text(report, options.verbose))
    }
}
