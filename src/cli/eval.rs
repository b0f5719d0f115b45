//! `magneto eval`

use super::exit::{Exit, Failure};
use super::gate::{self, Gate};
use super::interrupt::{self, STOP};
use super::layout::LayoutOptions;
use super::output::Output;
use super::specs::{Loaded, OneSpec};
use super::{accepted, destination, flags, specs};
use clap::{ArgMatches, Args, Command};
use magneto::options::Settings;
use magneto::record::store::{self, Files, FolderClaim, Mark, Staging};
use magneto::record::{Suite, json, read, table};
use magneto::report::evaluation::{COMPLETED, Completion, EvaluationReport};
use magneto::report::junit;
use magneto::suite::evaluate::BATCH;
use magneto::suite::{self, Evaluator, Generated, Interrupt, KeptTests, Standing, SuiteEvaluation};
use magneto::testfile::{Layout, Reader, TestRecord};
use magneto::threads;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Adequacy of tests that you already have: which mutants they kill, and what they miss
#[derive(Args)]
#[group(skip)]
struct Options {
    #[command(flatten)]
    one: OneSpec,
    /// A table (CSV, XLSX, ODS), JSON, test code (pytest, GoogleTest, Catch2, Unity), JUnit results, or an output folder of
    /// `magneto gen`
    #[arg(value_name = "TESTS")]
    tests: PathBuf,
    #[command(flatten)]
    layout: LayoutOptions,
    /// Suggest a few tests that kill what the suite misses
    #[arg(long)]
    suggest: bool,
    /// Add the fewest tests that close the gap: FILE gets the tests and these, with reasons, in a form that eval reads. Also says which
    /// tests are redundant, what their own tolerances let pass, and where what they miss lies. Default: nothing
    #[arg(long, value_name = "FILE")]
    complete: Option<PathBuf>,
    /// Find all kills, not only the first of each mutant: eval-matrix.csv, and how many tests kill each mutant
    #[arg(long, requires = "output")]
    matrix: bool,
    /// Also write a JUnit file: a mutant that is missed is a failure, and so is a wrong expectation
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Where to write eval.csv and eval.json, and suggested.csv with --suggest. Default: nowhere
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub(crate) fn command() -> Command {
    flags::command::<Options>(
        "eval",
        "TESTS is a table with a header, or JSON: a column for each input, by name and in any order, in decimal or \
         hexadecimal; `test_id`, `expected`, `lo` and `hi`, `abs_tol` and `rel_tol` where they are there. Test code is \
         read as far as its tests are plain literals. What is understood of a file without being said is told, and \
         refused with --strict. An output folder of `gen` will do as well. Expected values are checked against the oracle, and a wrong one fails the run.\n\n\
         Exit codes: 0; 1 for a wrong expectation, a tolerance that lets wrong results pass, or a score below --min-score; 3 with --fail-on undecided; \
         2 for a mistake in a file",
    )
}

/// What a run of the command is about.
struct Job<'a> {
    settings: &'a Settings,
    tests: PathBuf,
    layout: Layout,
    output: Option<PathBuf>,
    all: bool,
    /// Whether the tests are kept, to complete them.
    keep: bool,
    console: &'a Output,
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let started = Instant::now();
    let settings = flags::settings("eval", matches)?;
    let options: Options = flags::options(matches)?;
    let spec = &options.one.spec;
    specs::in_order(spec, "eval", Some(&options.tests))?;
    let layout = options.layout.layout()?;
    let loaded = specs::load_single(spec, &settings, output)?;
    let settings = Settings::clone(&loaded.settings);
    let shown = options.tests.display().to_string();
    destination::file(matches, options.junit.as_deref(), junit::KIND)?;
    destination::file(matches, options.complete.as_deref(), COMPLETED)?;
    let files = ["eval.csv", "eval.json", "suggested.csv", MATRIX];
    let own = FolderClaim::Own(&files, Mark { file: "eval.json", schema: "magneto/eval/" });
    destination::folder(matches, options.output.as_deref(), &own)?;
    let (tests, stale) = read::test_file(&options.tests, &loaded.spec, &loaded.source)?;
    if stale {
        output.note(format!("{shown} was made for another version of {}", loaded.shown()));
    }
    let job = Job {
        settings: &settings,
        tests,
        layout,
        output: options.output,
        all: options.matrix,
        keep: options.complete.is_some(),
        console: output,
    };
    let evaluated = threads::deep(|| evaluate(&loaded, &job));
    output.progress("");
    let Evaluated { run, evaluation, kept, redundant } = evaluated?;
    let interrupted = STOP.load(Ordering::Relaxed);
    let in_folder = || job.output.as_ref().filter(|_| options.suggest).map(|dir| dir.join("suggested.csv"));
    let written = options.complete.clone().or_else(in_folder).map(|file| file.display().to_string());
    let report = EvaluationReport {
        suite: Suite { spec: &loaded.spec, source: &loaded.source, settings: &settings, generated: &run },
        evaluation: &evaluation,
        file: &shown,
        suggest: options.suggest || options.complete.is_some(),
        completion: options.complete.as_ref().map(|_| Completion { kept: &kept, redundant: &redundant }),
        written: written.as_deref(),
        interrupted,
    };
    if let Some(dir) = &job.output {
        let mut files = Files::new();
        files.insert("eval.csv".to_owned(), report.csv());
        files.insert("eval.json".to_owned(), json::document(&report.json()));
        if report.suggest {
            files.insert("suggested.csv".to_owned(), report.suggested_csv());
        }
        let pages = destination::outdated(dir, &["eval.html"], false);
        store::write(dir, &files, &pages)?;
        destination::tell_outdated(dir, &pages, output);
    }
    let units = || junit::document("magneto eval", &report.groups()).map_err(Failure::usage);
    destination::write(matches, options.junit.as_deref(), junit::KIND, units)?;
    destination::write(matches, options.complete.as_deref(), COMPLETED, || Ok(report.completed_csv()))?;
    if output.json {
        output.print_json(&json::Versioned(&report.json()))?;
    } else if !output.quiet {
        output.say_verdicts(report.text())?;
    }
    let seconds = started.elapsed().as_secs_f64();
    if !output.json {
        output.note(format!("{seconds:.1} s"));
    }
    Ok(exit(&report, &settings, output))
}

/// How the run ends, with the gates that failed.
fn exit(report: &EvaluationReport<'_>, settings: &Settings, output: &Output) -> Exit {
    let mut exit = Exit::Passed;
    if settings.fail_on.undecided && !report.adequacy().with(Standing::Undecided).is_empty() {
        exit = Exit::Inconclusive;
    }
    let own = (report.suite.spec.name.as_str(), &Gate::new(settings), report.counts());
    if let Some(message) = gate::missed(std::iter::once(own)) {
        output.message(&message);
        exit = Exit::Gate;
    }
    let (loose, file) = (report.evaluation.loose, report.file);
    let wrong = report.evaluation.wrong - loose;
    if wrong > 0 {
        let what = if wrong == 1 { "expectation" } else { "expectations" };
        let are = if wrong == 1 { "is" } else { "are" };
        output.message(&format!("error: {wrong} {what} in {file} {are} wrong\n"));
        exit = Exit::Gate;
    }
    if loose > 0 {
        let what = if loose == 1 { "test" } else { "tests" };
        let take = if loose == 1 { "takes" } else { "take" };
        output.message(&format!("error: {loose} {what} in {file} {take} wrong results for right\n"));
        exit = Exit::Gate;
    }
    if report.interrupted {
        output.note("interrupted; not all tests were judged");
        exit = Exit::Interrupted;
    }
    exit
}

/// Makes the mutants, finds out which can be killed, and judges the tests.
fn evaluate(loaded: &Loaded, job: &Job<'_>) -> Result<Evaluated, Failure> {
    let spec = &loaded.spec;
    // A mistake in the first lines is worth knowing before anything is computed at length.
    let accepted = accepted::read(std::slice::from_ref(loaded))?;
    let mut reader = Reader::open_as(&job.tests, spec, job.layout.clone()).map_err(|p| Failure::rendered(vec![p.0]))?;
    let progress = |judged: usize, all: usize| {
        job.console.progress(&format!("{}: {judged}/{all} mutants", spec.name));
    };
    let interrupt = Interrupt { stop: Some(&STOP), progress: Some(&progress), ..Interrupt::default() };
    // All verdicts of the tests are asked for.
    let options = &suite::Options { whole: true, ..job.settings.suite.clone() };
    let broken = |e: String| Failure::rendered(vec![loaded.message("error", &e)]);
    let run = interrupt::may_leave(|| suite::generate(spec, options, &interrupt));
    let mut run = run.map_err(|e| broken(e.to_string()))?;
    accepted[0].apply(&mut run, job.console);
    let evaluator = || Evaluator::new(spec, &run, options.precision_cap, options.jobs, job.all || job.keep);
    let mut evaluator = interrupt::may_leave(evaluator).map_err(|e| broken(e.to_string()))?;
    let mut matrix = match &job.output {
        Some(dir) if job.all => Some(Matrix::create(dir)?),
        _ => None,
    };
    let mut trouble = None;
    let bar = Bar::new(&reader, &job.tests, job.console);
    let mut judged = 0;
    let mut kept = KeptTests::default();
    let result = evaluator.stream(reader.by_ref(), |evaluator, records, rows| {
        judged += records.len();
        if job.keep {
            kept.records.extend_from_slice(records);
            kept.rows.extend_from_slice(rows);
        }
        bar.show(judged, evaluator.left());
        if let Some(matrix) = &mut matrix
            && let Err(e) = matrix.write(&run, records, rows)
        {
            trouble = Some(e);
        }
        trouble.is_none() && !STOP.load(Ordering::Relaxed) && kept.records.len() <= MOST_KEPT
    });
    job.console.progress("");
    result.map_err(|list| Failure::rendered(list.into_iter().map(|p| p.0).collect()))?;
    if let Some(e) = trouble {
        return Err(e);
    }
    if let Some(mut matrix) = matrix {
        matrix.finish()?;
    }
    if kept.records.len() > MOST_KEPT {
        let hint = "without --complete a file may have any number of tests";
        return Err(Failure::usage_hint(format!("--complete takes at most {MOST_KEPT} tests"), hint));
    }
    reader.notes().iter().for_each(|n| job.console.note(n));
    let evaluation = evaluator.finish();
    let redundant = redundant(loaded, &run, &evaluation, &kept, job).map_err(broken)?;
    Ok(Evaluated { run, evaluation, kept, redundant })
}

/// The most tests that are kept to be completed.
const MOST_KEPT: usize = 100_000;

/// What came of the mutants and of the tests.
struct Evaluated {
    run: Generated,
    evaluation: SuiteEvaluation,
    kept: KeptTests,
    redundant: Vec<usize>,
}

/// The tests that can be taken out together; the others are judged anew without them, and have to kill the same mutants.
fn redundant(
    loaded: &Loaded,
    run: &Generated,
    evaluation: &SuiteEvaluation,
    kept: &KeptTests,
    job: &Job<'_>,
) -> Result<Vec<usize>, String> {
    let found = kept.redundant(run.mutants.len());
    if found.is_empty() || STOP.load(Ordering::Relaxed) {
        return Ok(Vec::new());
    }
    let options = &job.settings.suite;
    let made = Evaluator::new(&loaded.spec, run, options.precision_cap, options.jobs, false);
    let mut without = made.map_err(|e| e.to_string())?;
    for batch in kept.without(&found).chunks(BATCH) {
        without.judge(batch);
    }
    let killed = |e: &SuiteEvaluation| e.killers.iter().map(Option::is_some).collect::<Vec<_>>();
    if killed(&without.finish()) != killed(evaluation) {
        return Err("a bug in Magneto: tests that seemed redundant are not".to_owned());
    }
    Ok(found)
}

/// How far the reading of the test file is.
struct Bar<'a> {
    read: std::sync::Arc<std::sync::atomic::AtomicU64>,
    whole: u64,
    started: Instant,
    console: &'a Output,
}

impl<'a> Bar<'a> {
    fn new(reader: &Reader<'_>, path: &Path, console: &'a Output) -> Self {
        let whole = std::fs::metadata(path).map_or(0, |m| m.len());
        Bar { read: reader.bytes_read(), whole, started: Instant::now(), console }
    }

    fn show(&self, judged: usize, left: usize) {
        const WIDTH: u64 = 24;
        let read = self.read.load(Ordering::Relaxed).min(self.whole);
        let done = (read * WIDTH).checked_div(self.whole).unwrap_or(0) as usize;
        let bar = format!("{}{}", "#".repeat(done), ".".repeat(WIDTH as usize - done));
        let rate = judged as f64 / self.started.elapsed().as_secs_f64().max(1e-3);
        self.console.progress(&format!("[{bar}] {judged} tests, {rate:.0}/s, {left} mutants left"));
    }
}

/// The name of the file of `--matrix`.
const MATRIX: &str = "eval-matrix.csv";

/// `eval-matrix.csv`: a row a test with what it kills. Written as the tests go by, and put into place at the end.
struct Matrix {
    file: BufWriter<std::fs::File>,
    temporary: Staging,
    place: PathBuf,
}

impl Matrix {
    fn create(dir: &Path) -> Result<Self, Failure> {
        let place = dir.join(MATRIX);
        let create = || {
            std::fs::create_dir_all(dir)?;
            let (temporary, file) = Staging::file(dir)?;
            let mut file = BufWriter::new(file);
            file.write_all(&table::line(["test_id", "line", "kills", "probable"]))?;
            Ok((temporary, file))
        };
        let (temporary, file) = create().map_err(|e: std::io::Error| unwritable(&place, &e))?;
        Ok(Matrix { file, temporary, place })
    }

    fn write(&mut self, run: &Generated, records: &[TestRecord], rows: &[Vec<(usize, bool)>]) -> Result<(), Failure> {
        for (record, row) in records.iter().zip(rows) {
            let ids = |probable: bool| {
                let some = row.iter().filter(|(_, p)| *p == probable);
                some.map(|(m, _)| run.mutants[*m].mutant.id.as_str()).collect::<Vec<_>>().join(" ")
            };
            let line = table::line([&record.id, &record.line.to_string(), &ids(false), &ids(true)]);
            self.file.write_all(&line).map_err(|e| unwritable(&self.place, &e))?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let renamed = self.file.flush().and_then(|()| std::fs::rename(&self.temporary.path, &self.place));
        renamed.map_err(|e| unwritable(&self.place, &e))
    }
}

impl Drop for Matrix {
    /// What was not finished is of no use.
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.temporary.path);
    }
}

fn unwritable(path: &Path, e: &std::io::Error) -> Failure {
    Failure::usage(format!("cannot write {}: {e}", path.display()))
}
