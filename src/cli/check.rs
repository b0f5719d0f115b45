//! `magneto check`

use super::exit::{Exit, Failure};
use super::interrupt::{self, STOP};
use super::output::Output;
use super::specs::{Loaded, OneSpec};
use super::{destination, flags, specs};
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, value_parser};
use magneto::harness::{self, Broken, Case, Checked, Record, Run, Signature, Target, Verdict};
use magneto::mutate::mutants;
use magneto::options::Settings;
use magneto::record::check::Check;
use magneto::record::manifest::hash;
use magneto::record::read;
use magneto::record::store::{self, FolderClaim};
use magneto::report::check::document::{LISTED, document, table};
use magneto::report::check::{Report, text, units};
use magneto::report::{junit, tap};
use magneto::spec::beside;
use magneto::suite::{self, Interrupt};
use magneto::testfile::Reader;
use magneto::threads::Threads;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

const AFTER: &str = "\
An --exec program reads one line a test, the inputs as hexadecimal numbers such as 0x1.8p+1 separated by spaces, and \
answers with one line: a number, `nan`, `inf`, `-inf`, or `error: text` to refuse the input. It flushes each line, and \
ends at the end of its input.

--lib and --c-source call a C function in a process of its own; --c-source compiles with $CC (cc) and $CFLAGS, and links with $LDLIBS. What \
the function takes and returns is read from the library's debug information (-g); without it --signature says so. \
--signature says how it takes the inputs and gives the result: f64 or f32 (an argument each, the result returned), with \
-array (one pointer to all inputs), and with -out (the last argument points to the result) or -status (that, and a \
status other than 0 refuses the input). --python calls a Python function with $PYTHON (python3); ValueError, \
ArithmeticError and AssertionError refuse the input, other exceptions are crashes.

A crash or a hang is KO, and the implementation is started again. What cannot be read as an answer gets no verdict.

At inputs outside the domain an implementation owes what the specification writes as :magneto-out-of-range. Where it \
writes nothing, these tests are reported, and fail nothing.

Exit codes: 0 all OK; 1 a test is KO; 2 usage, specification or input error; 3 nothing worse than UNCERTAIN; 4 the \
implementation cannot be run, or its answers cannot be read; 130 interrupted";

pub(crate) fn command() -> Command {
    let value = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help).allow_hyphen_values(true)
    };
    flags::with_knobs(
        implementation(OneSpec::augment_args(Command::new("check")))
            .about("Run an implementation against the oracles, and say what its failures look like")
            .after_help(AFTER)
            .arg(Arg::new("tests").value_name("TESTS").help(
                "The output folder of `magneto gen`, its tests.csv or tests.json, or a file with a column for each \
                 input. Default: tests are made",
            ))
            .arg(
                value("results", "FILE", "Results from elsewhere: CSV with test_id,result, or a line for each test")
                    .conflicts_with("signature"),
            )
            .group(
                ArgGroup::new("implementation").args(["exec", "lib", "c-source", "python", "results"]).required(true),
            )
            .arg(
                Arg::new("output")
                    .short('o')
                    .long("output")
                    .value_name("DIR")
                    .value_parser(value_parser!(PathBuf))
                    .help("Also write check.csv and check.json into DIR, which may be that of a run"),
            )
            .arg(value("junit", "FILE", "Also write a JUnit file").value_parser(value_parser!(PathBuf)))
            .arg(
                Arg::new("verbose")
                    .long("verbose")
                    .action(ArgAction::SetTrue)
                    .help("Show all failures, and the causes that explain only a part of the results"),
            )
            .arg(
                Arg::new("tap")
                    .long("tap")
                    .action(ArgAction::SetTrue)
                    .conflicts_with("json")
                    .help("Print the results in the Test Anything Protocol"),
            ),
    )
}

/// Adds the flags that say what the implementation is.
pub(super) fn implementation(command: Command) -> Command {
    let value = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help).allow_hyphen_values(true)
    };
    command
        .arg(value("exec", "CMD", "A command for the shell, which reads inputs and writes results"))
        .arg(value("lib", "FILE", "A shared library").requires("symbol"))
        .arg(value("symbol", "NAME", "The function of --lib").requires("lib"))
        .arg(value("c-source", "FILE", "A C source file, to be compiled").requires("fn"))
        .arg(value("fn", "NAME", "The function of --c-source").requires("c-source"))
        .arg(
            value(
                "signature",
                "HOW",
                "The signature of the function. Default: what the library's debug information says, else f32 if all \
             formats are, else f64",
            )
            .conflicts_with_all(["exec", "python"]),
        )
        .arg(value("python", "MODULE:FUNCTION", "A Python function; the module's name, or a file that ends in .py"))
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("check", matches)?;
    let OneSpec { spec } = flags::options(matches)?;
    specs::in_order(&spec, "check", matches.get_one::<String>("tests").map(Path::new))?;
    let loaded = specs::load_single(&spec, &settings, output)?;
    let settings = Settings::clone(&loaded.settings);
    let spec = &loaded.spec;
    let target = target(matches)?;
    if let Some(Target::Lib { signature: Some(s), .. } | Target::CSource { signature: Some(s), .. }) = &target {
        let hint = "choose another --signature, or state the format by :magneto-inputs";
        s.fits(spec).map_err(|e| Failure::usage_hint(e, hint))?;
    }
    destination::file(matches, "junit", junit::KIND)?;
    let folder = destination::folder(matches, &FolderClaim::Beside(&["check.csv", "check.json"]))?;
    let cases = match matches.get_one::<String>("tests") {
        Some(path) => interrupt::may_leave(|| read_tests(&loaded, Path::new(path), &settings, output))?,
        None => make_tests(&loaded, &settings, output)?,
    };
    let (run, record) = match &target {
        Some(target) => put(target, &loaded, &cases, &settings)?,
        None => read_results(matches, &loaded, &cases, output)?,
    };
    for note in &run.notes {
        output.note(note);
    }
    let mutants = mutants(spec, &settings.suite.operators);
    let cap = settings.suite.precision_cap;
    let threads = Threads::new(settings.suite.jobs);
    let checked = interrupt::stoppable(|| Checked::new(spec, cases, (run, record), mutants, (cap, &threads)));
    let report = Report { spec, source: &loaded.source, checked: &checked };
    let exit = exit_of(&checked);
    let is_written = folder.is_some() || output.json;
    let document = is_written.then(|| document(&report, exit as u8, LISTED, &threads));
    let unlisted = document.as_ref().is_some_and(|d| d.unlisted.is_some());
    let table = folder.and(document.as_ref()).map(|d| table(spec, d));
    let document = document.map(Check::text);
    show(matches, &report, document.as_deref(), output)?;
    if let (Some(dir), Some(table), Some(document)) = (folder, table, document) {
        let files = [("check.csv", table), ("check.json", document)];
        store::write(dir, &files.map(|(name, bytes)| (name.to_owned(), bytes)).into(), &[])?;
    }
    if exit == Exit::Interrupted {
        let more = if unlisted { "; of the others those that are not OK are listed" } else { "" };
        output.note(format!(
            "interrupted: tests that were not run by then have no verdict, and errors are not measured{more}"
        ));
    }
    Ok(exit)
}

/// The implementation; none for results from elsewhere.
pub(super) fn target(matches: &ArgMatches) -> Result<Option<Target>, Failure> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let named = |name: &str| text(name).unwrap_or_default();
    let signature = text("signature").map(|s| s.parse::<Signature>()).transpose();
    let signature = signature.map_err(|e| Failure::usage(format!("--signature: {e}")))?;
    let there = |flag: &str, path: &str| {
        let path = Path::new(path);
        if !path.is_file() {
            let kinds: &[&str] = match flag {
                "lib" => &["so", "dylib"],
                "python" => &["py"],
                _ => &["c"],
            };
            Err(Failure::usage_hint(format!("--{flag}: there is no file {}", path.display()), beside(path, kinds)))
        } else {
            Ok(PathBuf::from(path))
        }
    };
    if let Some(command) = text("exec") {
        return Ok(Some(Target::Exec(command)));
    }
    if let Some(library) = text("lib") {
        // A bare name may be one that the loader finds elsewhere.
        let library = if library.contains('/') { there("lib", &library)? } else { PathBuf::from(library) };
        return Ok(Some(Target::Lib { library, symbol: named("symbol"), signature }));
    }
    if let Some(source) = text("c-source") {
        return Ok(Some(Target::CSource { source: there("c-source", &source)?, function: named("fn"), signature }));
    }
    if let Some(python) = text("python") {
        let Some((module, function)) = python.rsplit_once(':').filter(|(m, f)| !m.is_empty() && !f.is_empty()) else {
            return Err(Failure::usage_hint(
                format!("--python {python}: expected MODULE:FUNCTION"),
                "for instance --python airflow:mass_flow, or --python src/airflow.py:mass_flow",
            ));
        };
        if module.ends_with(".py") {
            there("python", module)?;
        }
        return Ok(Some(Target::Python { module: module.to_owned(), function: function.to_owned() }));
    }
    Ok(None)
}

/// The tests of a file or of the folder of a run.
pub(super) fn read_tests(
    loaded: &Loaded,
    path: &Path,
    settings: &Settings,
    output: &Output,
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
    reader.notes().iter().for_each(|note| output.note(note));
    let shown = path.display();
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
    found.notes.iter().for_each(|note| output.note(note));
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

/// Run the implementation.
fn put(target: &Target, loaded: &Loaded, cases: &[Case], settings: &Settings) -> Result<(Run, Record), Failure> {
    let broke = |b: &Broken| {
        let text = text::broken(b);
        Failure {
            exit: Exit::Harness,
            messages: vec![format!("error: {}", text.trim_start_matches("the harness broke: "))],
        }
    };
    let this = std::env::current_exe().map_err(|e| Failure::usage(format!("cannot find this program: {e}")))?;
    let prepared = interrupt::stoppable(|| target.prepare(&loaded.spec, &this)).map_err(|b| broke(&b))?;
    let tests: Vec<(String, Vec<f64>)> = cases.iter().map(|c| (c.id.clone(), c.input.clone())).collect();
    let mut run = harness::run(&prepared.program, &tests, loaded.spec.result_format, &settings.limits, Some(&STOP));
    if run.ready.is_none()
        && prepared.program.says_ready
        && let Some(broken) = &run.broken
    {
        return Err(broke(broken));
    }
    let mut record = prepared.record.clone();
    target.complete(&mut record, run.ready.as_deref().unwrap_or_default());
    run.notes.splice(..0, prepared.notes.iter().cloned());
    Ok((run, record))
}

/// The largest file of results that is read. Unit: bytes.
const MAX_RESULTS: u64 = 64 << 20;

/// Results from elsewhere.
fn read_results(
    matches: &ArgMatches,
    loaded: &Loaded,
    cases: &[Case],
    output: &Output,
) -> Result<(Run, Record), Failure> {
    let path = matches.get_one::<String>("results").map(String::as_str).unwrap_or_default();
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path).and_then(|f| f.take(MAX_RESULTS + 1).read_to_end(&mut bytes));
    read.map_err(|e| match e.kind() {
        ErrorKind::NotFound => Failure::usage_hint(
            format!("cannot read {path}: there is no such file"),
            beside(Path::new(path), &["csv", "txt"]),
        ),
        _ => Failure::usage(format!("cannot read {path}: {e}")),
    })?;
    if bytes.len() as u64 > MAX_RESULTS {
        return Err(Failure::usage(format!("{path} has more than {} MiB", MAX_RESULTS >> 20)));
    }
    let ids: Vec<String> = cases.iter().map(|c| c.id.clone()).collect();
    let read = harness::results::read(&bytes, &ids, loaded.spec.result_format)
        .map_err(|problems| Failure::rendered(problems.iter().map(|p| format!("error: {path}:{p}\n")).collect()))?;
    read.notes.iter().for_each(|note| output.note(format!("{path}: {note}")));
    let pairs = [("kind", "results"), ("results", path), ("results_sha256", &hash(&bytes))];
    let record = Record(pairs.map(|(n, v)| (n.to_owned(), v.to_owned())).to_vec());
    Ok((Run { answers: read.answers, ..Run::default() }, record))
}

fn exit_of(checked: &Checked) -> Exit {
    let counted = |wanted: Verdict| checked.outcomes.iter().any(|o| o.counts && o.verdict == Some(wanted));
    if checked.run.interrupted {
        Exit::Interrupted
    } else if checked.is_broken() {
        Exit::Harness
    } else if counted(Verdict::Ko) {
        Exit::Gate
    } else if counted(Verdict::Uncertain) {
        Exit::Inconclusive
    } else {
        Exit::Passed
    }
}

/// Prints what was found: with `--json` the document's text.
fn show(matches: &ArgMatches, report: &Report<'_>, document: Option<&[u8]>, output: &Output) -> Result<(), Failure> {
    let units = || junit::document("magneto check", &units::groups(report)).map_err(Failure::usage);
    destination::write(matches, "junit", junit::KIND, units)?;
    if let Some(document) = document.filter(|_| output.json) {
        output.print(document)
    } else if matches.get_flag("tap") {
        let bail = report.checked.run.broken.as_ref().map(|b| b.why.as_str());
        output.say(tap::document(&units::groups(report), bail))
    } else if output.quiet {
        Ok(())
    } else {
        output.say(text::text(report, matches.get_flag("verbose")))
    }
}
