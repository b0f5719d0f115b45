//! `magneto eval`

use super::exit::{Exit, Failure};
use super::gate::{self, Gate};
use super::interrupt::{self, STOP};
use super::output::Output;
use super::specs::{Loaded, OneSpec};
use super::{accepted, destination, flags, specs};
use clap::{ArgMatches, Args, Command};
use magneto::options::Settings;
use magneto::record::store::{self, Files, FolderClaim, Mark, Staging};
use magneto::record::{Suite, json, read, table};
use magneto::report::evaluation::Report;
use magneto::report::junit;
use magneto::suite::{self, Evaluation, Evaluator, Generated, Interrupt, Standing};
use magneto::testfile::{Reader, Record};
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
    /// A CSV or JSON file, or an output folder of `magneto gen`
    #[arg(value_name = "TESTS")]
    tests: PathBuf,
    /// Suggest a few tests that kill what the suite misses
    #[arg(long)]
    suggest: bool,
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
        "TESTS is CSV with a header, or JSON: a column for each input, by name and in any order, in decimal or \
         hexadecimal; `test_id`, `expected`, `lo` and `hi` where they are there. An output folder of `gen` will \
         do as well. Expected values are checked against the oracle, and a wrong one fails the run.\n\n\
         Exit codes: 0; 1 for a wrong expectation or a score below --min-score; 3 with --fail-on undecided; \
         2 for a mistake in a file",
    )
}

/// What a run of the command is about.
struct Job<'a> {
    settings: &'a Settings,
    tests: PathBuf,
    output: Option<PathBuf>,
    all: bool,
    console: &'a Output,
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let started = Instant::now();
    let settings = flags::settings("eval", matches)?;
    let options: Options = flags::options(matches)?;
    let spec = &options.one.spec;
    specs::in_order(spec, "eval", Some(&options.tests))?;
    let loaded = specs::load_single(spec, &settings, output)?;
    let settings = Settings::clone(&loaded.settings);
    let shown = options.tests.display().to_string();
    destination::file(matches, options.junit.as_deref(), junit::KIND)?;
    let files = ["eval.csv", "eval.json", "suggested.csv", MATRIX];
    let own = FolderClaim::Own(&files, Mark { file: "eval.json", schema: "magneto/eval/" });
    destination::folder(matches, options.output.as_deref(), &own)?;
    let (tests, stale) = read::test_file(&options.tests, &loaded.spec, &loaded.source)?;
    if stale {
        output.note(format!("{shown} was made for another version of {}", loaded.shown()));
    }
    let job = Job { settings: &settings, tests, output: options.output, all: options.matrix, console: output };
    let evaluated = threads::deep(|| evaluate(&loaded, &job));
    output.progress("");
    let (run, evaluation) = evaluated?;
    let interrupted = STOP.load(Ordering::Relaxed);
    let report = Report {
        suite: Suite { spec: &loaded.spec, source: &loaded.source, settings: &settings, generated: &run },
        evaluation: &evaluation,
        file: &shown,
        suggest: options.suggest,
        interrupted,
    };
    if let Some(dir) = &job.output {
        let mut files = Files::new();
        files.insert("eval.csv".to_owned(), report.csv());
        files.insert("eval.json".to_owned(), json::document(&report.json()));
        if report.suggest {
            files.insert("suggested.csv".to_owned(), report.suggested_csv());
        }
        store::write(dir, &files, &[])?;
    }
    let units = || junit::document("magneto eval", &report.groups()).map_err(Failure::usage);
    destination::write(matches, options.junit.as_deref(), junit::KIND, units)?;
    if output.json {
        output.print_json(&json::Versioned(&report.json()))?;
    } else if !output.quiet {
        output.say(report.text())?;
    }
    let seconds = started.elapsed().as_secs_f64();
    if !output.json {
        output.note(format!("{seconds:.1} s"));
    }
    Ok(exit(&report, &settings, output))
}

/// How the run ends, with the gates that failed.
fn exit(report: &Report<'_>, settings: &Settings, output: &Output) -> Exit {
    let mut exit = Exit::Passed;
    if settings.fail_on.undecided && !report.adequacy().with(Standing::Undecided).is_empty() {
        exit = Exit::Inconclusive;
    }
    let own = (report.suite.spec.name.as_str(), &Gate::new(settings), report.counts());
    if let Some(message) = gate::missed(std::iter::once(own)) {
        output.message(&message);
        exit = Exit::Gate;
    }
    let wrong = report.evaluation.wrong;
    if wrong > 0 {
        output.message(&format!("error: {wrong} expectations in {} are wrong\n", report.file));
        exit = Exit::Gate;
    }
    if report.interrupted {
        output.note("interrupted; not all tests were judged");
        exit = Exit::Interrupted;
    }
    exit
}

/// Makes the mutants, finds out which can be killed, and judges the tests.
fn evaluate(loaded: &Loaded, job: &Job<'_>) -> Result<(Generated, Evaluation), Failure> {
    let spec = &loaded.spec;
    // A mistake in the first lines is worth knowing before anything is computed at length.
    let accepted = accepted::read(std::slice::from_ref(loaded))?;
    let mut reader = Reader::open(&job.tests, spec).map_err(|p| Failure::rendered(vec![p.0]))?;
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
    let evaluator = || Evaluator::new(spec, &run, options.precision_cap, options.jobs, job.all);
    let mut evaluator = interrupt::may_leave(evaluator).map_err(|e| broken(e.to_string()))?;
    let mut matrix = match &job.output {
        Some(dir) if job.all => Some(Matrix::create(dir)?),
        _ => None,
    };
    let mut trouble = None;
    let bar = Bar::new(&reader, &job.tests, job.console);
    let mut judged = 0;
    let result = evaluator.stream(reader.by_ref(), |evaluator, records, rows| {
        judged += records.len();
        bar.show(judged, evaluator.left());
        if let Some(matrix) = &mut matrix
            && let Err(e) = matrix.write(&run, records, rows)
        {
            trouble = Some(e);
        }
        trouble.is_none() && !STOP.load(Ordering::Relaxed)
    });
    job.console.progress("");
    result.map_err(|list| Failure::rendered(list.into_iter().map(|p| p.0).collect()))?;
    if let Some(e) = trouble {
        return Err(e);
    }
    if let Some(mut matrix) = matrix {
        matrix.finish()?;
    }
    reader.notes().iter().for_each(|n| job.console.note(n));
    Ok((run, evaluator.finish()))
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

    fn write(&mut self, run: &Generated, records: &[Record], rows: &[Vec<(usize, bool)>]) -> Result<(), Failure> {
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
