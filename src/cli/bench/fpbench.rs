//! `magneto bench fpbench`

use super::super::interrupt::STOP;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use crate::cli::progress::{bar, left};
use crate::cli::shards::{self, Sharded};
use crate::cli::{flags, specs};
use clap::{ArgMatches, Args, Command, ValueEnum};
use magneto::bench::corpus::Benchmark;
use magneto::bench::document::FpbenchDocument;
use magneto::bench::files::{FpbenchManifest, files};
use magneto::bench::fpbench::{Corpus, FormulaWork, FpbenchPlan, Progress, run as run_plan};
use magneto::bench::resume::FpbenchResume;
use magneto::bench::rows::{FormulaRow, Run};
use magneto::options::{BUDGET, JOBS, Knob, OPERATORS};
use magneto::record::Document as _;
use magneto::record::continued::continue_from;
use magneto::record::json;
use magneto::record::manifest::hash;
use magneto::record::store::{self, FolderClaim, Mark};
use magneto::report::text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The knobs that it has.
const KNOBS: [&Knob; 3] = [OPERATORS, BUDGET, JOBS];

/// Run the paper's 69 formulas one after the other; tables, figures and a README into a folder
#[derive(Args)]
#[group(skip)]
struct Options {
    /// All of FPBench's formulas without loops instead of the paper's 69
    #[arg(long)]
    all: bool,
    /// Your own formulas instead: FPCore files, folders and patterns as for `gen`, each formula with the accuracy that it
    /// states. What cannot be read is skipped with a note
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "all")]
    specs: Vec<String>,
    /// Only formulas with TEXT in their name or suite, whatever the case
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// The seed of the random baselines
    #[arg(long, value_name = "N", default_value_t = 2021)]
    seed: u64,
    /// Random testing: `time` (the paper's, for as long as Magneto took, beside the others) or `evaluations` (only with as
    /// much work as Magneto, so that it can be repeated)
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Baseline::Time)]
    baseline: Baseline,
    /// Go on with a run of the same command that was stopped
    #[arg(long, conflicts_with = "shard")]
    resume: bool,
    #[command(flatten)]
    part: Sharded,
}

/// What `--baseline` is about.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Baseline {
    Time,
    Evaluations,
}

pub(super) fn command() -> Command {
    let command = flags::alone::<Options>(
        "fpbench",
        &KNOBS,
        "The formulas are in the program, unless --specs names yours. --operators is `paper` by default. Formulas that are \
         complete are kept as the run goes on; after SIGINT or a crash --resume goes on from there. Exit codes: 0; 1 if a \
         formula has no result, or not the paper's number of mutants; 130 interrupted.",
    );
    shards::with_output_help(
        command
            .mut_arg(OPERATORS.name, |arg| arg.help("Mutation operators: `paper`, `full` or a list. Default: paper")),
        "Where to write the files. Default: results/fpbench-SET; with --all results/fpbench-all-SET; with --specs \
         results/fpbench-specs-SET; with --filter the same and -part",
    )
}

fn plan(options: &Options, matches: &ArgMatches) -> Result<FpbenchPlan, Failure> {
    let mut plan = FpbenchPlan::default();
    if options.all {
        plan.corpus = Corpus::Fpbench;
    }
    if !options.specs.is_empty() {
        plan.corpus = Corpus::Files { names: options.specs.clone(), sha256: String::new() };
    }
    plan.filter.clone_from(&options.filter);
    plan.timed = options.baseline == Baseline::Time;
    plan.seed = options.seed;
    flags::set(&mut plan.settings, &KNOBS, matches)?;
    Ok(plan)
}

fn folder(plan: &FpbenchPlan) -> PathBuf {
    let all = match plan.corpus {
        Corpus::Paper => "",
        Corpus::Fpbench => "all-",
        Corpus::Files { .. } => "specs-",
    };
    let part = if plan.filter.is_some() { "-part" } else { "" };
    let set = plan.settings.suite.operators.to_string().replace(',', "-");
    Path::new("results").join(format!("fpbench-{all}{set}{part}"))
}

/// The formulas of a plan. Those of a person are read, and the plan has their hash from then on.
fn benchmarks(plan: &mut FpbenchPlan, output: &Output) -> Result<Vec<Benchmark>, Failure> {
    let Corpus::Files { names, sha256 } = &mut plan.corpus else { return Ok(plan.benchmarks()) };
    let start = Instant::now();
    let loaded = specs::load_readable(names, &plan.settings, output)?;
    let each = start.elapsed().div_f64(loaded.len().max(1) as f64);
    // The text of a file once for each of its formulas, so that none can be left out unseen.
    *sha256 = hash(&loaded.iter().flat_map(|l| l.source.iter().copied()).collect::<Vec<u8>>());
    let all = loaded.into_iter().map(|l| Benchmark::of(l.spec, &l.source, each));
    Ok(all.filter(|b| b.fits(plan.filter.as_deref())).collect())
}

/// The time between two savings of what is complete.
const BETWEEN_SAVES: Duration = Duration::from_secs(5);

fn resumable(plan: &FpbenchPlan, rows: &[FormulaRow]) -> store::Files {
    store::Files::from([(store::RESUME.to_owned(), json::document(&FpbenchResume::new(plan, rows)))])
}

/// The formulas that a run that was stopped left.
fn earlier(plan: &FpbenchPlan, dir: &Path) -> Result<Vec<FormulaRow>, Failure> {
    let path = dir.join(store::RESUME);
    let hint = "without --resume the run starts anew";
    let text = std::fs::read(&path)
        .map_err(|e| Failure::usage_hint(format!("cannot resume: {}: {e}", path.display()), hint))?;
    continue_from(&text, &FpbenchResume::new(plan, &[]))
        .map(FpbenchResume::into_rows)
        .map_err(|e| Failure::usage_hint(format!("cannot resume from {}: {e}", path.display()), hint))
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let mut plan = plan(&options, matches)?;
    let benchmarks = benchmarks(&mut plan, output)?;
    if benchmarks.is_empty() && plan.filter.is_none() {
        return Err(Failure::usage_hint("no formula is left", "`magneto lint` says what is wrong with each"));
    }
    if benchmarks.is_empty() {
        let filter = plan.filter.as_deref().unwrap_or_default();
        return Err(Failure::usage_hint(
            format!("no formula has `{filter}` in its name or suite"),
            "without --filter all are run; --all has more of them",
        ));
    }
    let text = |b: &Benchmark| (b.name.clone(), b.text.as_bytes().to_vec());
    let items: Vec<(String, Vec<u8>)> = benchmarks.iter().map(text).collect();
    let words: (&[&str], _) = (&["bench", "fpbench"], &command());
    let part = shards::part(matches, words, &options.part, String::new(), &items, output)?;
    let own = shards::own(part.as_ref(), items.len());
    let benchmarks: Vec<Benchmark> = own.into_iter().map(|place| benchmarks[place].clone()).collect();
    let dir = destination(&options, &plan, part.is_none())?;
    let stop = &STOP;
    let done = match earlier(&plan, &dir) {
        left if options.resume => left?,
        Ok(rows) if !rows.is_empty() => {
            return Err(Failure::usage_hint(
                format!(
                    "{} holds an interrupted run of these formulas, of which {} are done",
                    dir.display(),
                    rows.len()
                ),
                "add --resume to go on with it, or remove its resume.json to begin anew",
            ));
        }
        _ => Vec::new(),
    };
    let (started, before) = (Instant::now(), done.len());
    let progress = |p: Progress<'_>| {
        let share = |done: usize, all: usize| done as f64 / all.max(1) as f64;
        let left = left(share(p.done - before, p.all - before), started.elapsed());
        let work = match p.work {
            FormulaWork::Mutants(judged, all) => format!("{judged}/{all} mutants"),
            FormulaWork::Random => "random testing".to_owned(),
        };
        output.progress(&format!("{} {}/{} {}: {work}{left}", bar(share(p.done, p.all)), p.done, p.all, p.name));
    };
    let save = |rows: &[FormulaRow]| store::write(&dir, &resumable(&plan, rows), &[]);
    let (mut saved, mut unsaved) = (Instant::now(), Ok(()));
    let mut keep = |rows: &[FormulaRow]| {
        if part.is_none() && saved.elapsed() > BETWEEN_SAVES && unsaved.is_ok() {
            unsaved = save(rows);
            saved = Instant::now();
        }
    };
    let run = run_plan(&plan, &benchmarks, done, Some(stop), &progress, &mut keep);
    output.progress("");
    unsaved?;
    match part {
        // What is in a run is complete.
        Some(part) => {
            let sha256 = plan.formulas_sha256();
            let found = |row: &FormulaRow| Found { row: row.clone(), formulas_sha256: sha256.clone() };
            part.save(&run.rows.iter().map(found).collect::<Vec<_>>(), false, output)
        }
        None => ended(&plan, &run, &dir, output),
    }
}

/// What a shard has of a formula.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Found {
    row: FormulaRow,
    /// SHA-256 of all formulas of the run: when shards are put together their files need not be there.
    formulas_sha256: String,
}

/// Where the files go, which must be free if they are those of a run.
fn destination(options: &Options, plan: &FpbenchPlan, whole: bool) -> Result<PathBuf, Failure> {
    let dir = options.part.output.clone().unwrap_or_else(|| folder(plan));
    if whole {
        let marks = [("manifest.json", FpbenchManifest::SCHEMA), (store::RESUME, FpbenchResume::SCHEMA)]
            .map(|(file, schema)| Mark { file, schema });
        store::claim(&dir, &FolderClaim::Alone(&marks))?;
    }
    Ok(dir)
}

/// Writes and tells what shards found of all formulas, and how that ends.
pub(super) fn end(matches: &ArgMatches, found: Vec<Found>, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let mut plan = plan(&options, matches)?;
    if let (Corpus::Files { sha256, .. }, Some(first)) = (&mut plan.corpus, found.first()) {
        sha256.clone_from(&first.formulas_sha256);
    }
    let rows = found.into_iter().map(|f| f.row).collect();
    let dir = destination(&options, &plan, true)?;
    ended(&plan, &Run { rows, interrupted: false }, &dir, output)
}

/// Writes and tells what was found.
fn ended(plan: &FpbenchPlan, run: &Run, dir: &Path, output: &Output) -> Result<Exit, Failure> {
    let mut written = files(plan, run).map_err(Failure::usage)?;
    if run.interrupted {
        written.extend(resumable(plan, &run.rows));
    }
    let stale: Vec<String> = store::answers(dir);
    store::write(dir, &written, &stale)?;

    let miscounted = plan.miscounted(run).unwrap_or_default();
    let failed = run.failed().count() > 0;
    let exit = match (run.interrupted, failed || !miscounted.is_empty()) {
        (true, _) => Exit::Interrupted,
        (false, true) => Exit::Gate,
        (false, false) => Exit::Passed,
    };
    report(plan, run, dir, exit, output)?;
    for (row, why) in run.failed() {
        output.message(&format!("error: {} ({}): {why}\n", row.name, row.suite));
    }
    if !miscounted.is_empty() {
        output.message(&format!("error: not the paper's number of mutants: {}\n", miscounted.join(", ")));
    }
    if run.interrupted {
        output.note(format!("interrupted; the formulas that are complete are in {}", dir.display()));
    }
    Ok(exit)
}

fn report(plan: &FpbenchPlan, run: &Run, dir: &Path, exit: Exit, output: &Output) -> Result<(), Failure> {
    let shown = dir.display().to_string();
    if output.json {
        return output.print_json(&json::Versioned(FpbenchDocument::new(plan, run, shown, exit as u8)));
    }
    if output.quiet {
        return Ok(());
    }
    let tests = run.found().map(|(_, f)| f.tests).sum();
    let rigorous = run.mean(|f| f.counts.rigorous_score());
    let paper = run.mean(|f| f.counts.paper_score());
    let all: f64 = run.phases().iter().map(|p| p.1.as_secs_f64()).sum::<f64>().max(f64::MIN_POSITIVE);
    let share = |(name, time): &(&str, Duration)| format!("{name} {:.0} %", time.as_secs_f64() / all * 100.0);
    let shares: Vec<String> = run.phases().iter().map(share).collect();
    let lines = [
        ("mean rigorous score", format!("{rigorous:.4}")),
        ("mean paper score", format!("{paper:.4}")),
        ("time", format!("{:.1} s", run.time().as_secs_f64())),
        ("of it", shares.join(", ")),
        ("files", format!("{}/", shown.trim_end_matches('/'))),
    ];
    let lines: String = lines.iter().map(|(name, value)| format!("  {name:<20}{value}\n")).collect();
    output.say(format!("{} formulas\n{}{lines}", run.rows.len(), text::counts(&run.total(), tests)))
}
