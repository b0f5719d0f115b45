//! The files of a run of the paper's evaluation. All but those named in [`BY_THE_CLOCK`] are the same for every run
//! with the same version, options and platform.

use super::NotMade;
use super::figures::figures;
use super::fpbench::{Corpus, FpbenchPlan};
use super::groups::by_operator;
use super::readme::readme;
use super::rows::{Run, published};
use crate::options::{Effect, KNOBS, Resolved};
use crate::record::manifest::RecordedOption;
use crate::record::store::Files;
use crate::record::table::Table;
use crate::record::{Document, Provenance, json};
use crate::report::number::decimal;
use crate::suite::Counts;
use crate::suite::random::RandomTested;
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

/// The files that hold times, or what random testing finds in a time.
pub const BY_THE_CLOCK: [&str; 4] = ["README.md", "figure4.csv", "figure4.svg", "timing.csv"];

/// All files of a run: name and contents.
///
/// # Errors
/// What the libraries that draw say.
pub fn files(plan: &FpbenchPlan, run: &Run) -> Result<Files, NotMade> {
    let mut files = figures(plan, run)?;
    let mut add = |name: &str, bytes: Vec<u8>| files.insert(name.to_owned(), bytes);
    add("manifest.json", json::document(&manifest(plan, run)));
    add("per_benchmark.csv", per_benchmark(run));
    add("timing.csv", timing(run));
    add("table2.csv", table2(plan, run));
    add("table3.csv", table3(plan, run));
    add("README.md", readme(plan, run).into_bytes());
    Ok(files)
}

/// `manifest.json` of a run: what it depended on.
#[derive(Serialize, JsonSchema)]
pub struct FpbenchManifest {
    #[serde(flatten)]
    made: Provenance,
    command: String,
    formulas: String,
    formulas_sha256: String,
    benchmarks: usize,
    filter: Option<String>,
    seed: u64,
    options: Vec<RecordedOption>,
    wall_clock_limit_hit: bool,
    baseline_by_time: bool,
    not_repeatable: [&'static str; 4],
    interrupted: bool,
}

impl Document for FpbenchManifest {
    const SCHEMA: &'static str = "magneto/bench-fpbench-manifest/1";
    const WRITER: &'static str = "bench fpbench";
}

fn manifest(plan: &FpbenchPlan, run: &Run) -> FpbenchManifest {
    let counts = |r: &Resolved| KNOBS.iter().any(|k| k.name == r.name && k.effect == Effect::Result);
    FpbenchManifest {
        made: Provenance::here(),
        command: plan.command(),
        formulas: match &plan.corpus {
            Corpus::Paper => "fpbench/paper".to_owned(),
            Corpus::Fpbench => "fpbench".to_owned(),
            Corpus::Files { names, .. } => names.join(" "),
        },
        formulas_sha256: plan.formulas_sha256(),
        benchmarks: run.rows.len(),
        filter: plan.filter.clone(),
        seed: plan.seed,
        options: plan.settings.recorded().into_iter().filter(counts).map(RecordedOption::from).collect(),
        wall_clock_limit_hit: false,
        baseline_by_time: plan.timed,
        not_repeatable: BY_THE_CLOCK,
        interrupted: run.interrupted,
    }
}

fn per_benchmark(run: &Run) -> Vec<u8> {
    const COLUMNS: [&str; 29] = [
        "name",
        "suite",
        "inputs",
        "operations",
        "mutants",
        "killed",
        "probable",
        "equivalent",
        "indistinguishable",
        "undecided",
        "tests",
        "tests_minimized",
        "tests_lower_bound",
        "rigorous_score",
        "paper_score",
        "resolved",
        "boxes",
        "evaluations",
        "numbers_points",
        "numbers_tests",
        "numbers_killed",
        "numbers_probable",
        "numbers_score",
        "floats_points",
        "floats_tests",
        "floats_killed",
        "floats_probable",
        "floats_score",
        "error",
    ];
    let mut table = Table::new(COLUMNS);
    for row in &run.rows {
        let mut cells = vec![row.name.clone(), row.suite.clone()];
        match &row.found {
            Ok(f) => {
                let c = &f.counts;
                cells.extend([f.inputs, f.operations].map(|n| n.to_string()));
                cells.extend(counts(c));
                cells.extend([f.tests, f.minimized, f.fewest].map(|n| n.to_string()));
                cells.extend([c.rigorous_score(), c.paper_score(), c.resolved()].map(decimal));
                cells.extend([f.boxes, f.evaluations].map(|n| n.to_string()));
                for tested in [&f.random.numbers, &f.random.floats] {
                    cells.extend(random(tested));
                    cells.push(decimal((tested.killed + tested.probable) as f64 / c.all.max(1) as f64));
                }
                cells.push(String::new());
            }
            Err(e) => {
                cells.resize(COLUMNS.len() - 1, String::new());
                cells.push(e.clone());
            }
        }
        table.row(cells);
    }
    table.finish()
}

/// Points, tests, killed and probably killed.
fn random(t: &RandomTested) -> [String; 4] {
    [t.points.to_string(), t.tests.to_string(), t.killed.to_string(), t.probable.to_string()]
}

/// Mutants in all and by status.
fn counts(c: &Counts) -> [String; 6] {
    [c.all, c.killed, c.probable, c.equivalent, c.indistinguishable, c.undecided].map(|n| n.to_string())
}

/// Seconds in all and by phase, and the paper's baseline, which runs for so long.
fn timing(run: &Run) -> Vec<u8> {
    let phases = run.phases().into_iter().map(|(name, _)| format!("{}_s", name.replace(' ', "_")));
    let before = ["name", "suite", "seconds"].map(str::to_owned).into_iter();
    let after = ["bb_points", "bb_tests", "bb_killed", "bb_probable"].map(str::to_owned);
    let header: Vec<String> = before.chain(phases).chain(after).collect();
    let columns = header.len();
    let mut table = Table::new(header);
    let seconds = |t: Duration| format!("{:.6}", t.as_secs_f64());
    for row in &run.rows {
        let mut cells = vec![row.name.clone(), row.suite.clone(), format!("{:.4}", row.time.as_secs_f64())];
        if let Ok(f) = &row.found {
            cells.push(seconds(f.parse));
            cells.extend(f.phases.parts().map(|p| seconds(p.1)));
            cells.extend(f.random.timed.as_ref().map(random).into_iter().flatten());
        }
        cells.resize(columns, String::new());
        table.row(cells);
    }
    table.finish()
}

/// The paper's Table 2: mutants, adequacy and tests of each formula.
fn table2(plan: &FpbenchPlan, run: &Run) -> Vec<u8> {
    let compared = plan.is_counted();
    let mut table = Table::new(with(compared, "mutants", &["suite", "name"], &["adequacy", "rigorous_score", "tests"]));
    for (row, f) in run.found() {
        let mut cells = vec![row.suite.clone(), row.name.clone(), f.counts.all.to_string()];
        if compared {
            cells.push(published(row).map_or(String::new(), |p| p.iter().sum::<usize>().to_string()));
        }
        cells.extend([f.counts.paper_score(), f.counts.rigorous_score()].map(decimal));
        cells.push(f.tests.to_string());
        table.row(cells);
    }
    table.finish()
}

/// A header with the paper's figure beside ours where there is one.
fn with(compared: bool, column: &str, before: &[&str], after: &[&str]) -> Vec<String> {
    let mut header: Vec<String> = before.iter().map(|s| (*s).to_owned()).collect();
    header.push(column.to_owned());
    if compared {
        header.push(format!("{column}_paper"));
    }
    header.extend(after.iter().map(|s| (*s).to_owned()));
    header
}

/// The paper's Table 3: mutants by operator and objective. `score` is the paper's: killed and probable of all.
fn table3(plan: &FpbenchPlan, run: &Run) -> Vec<u8> {
    let after =
        ["killed", "probable", "equivalent", "indistinguishable", "undecided", "score", "rigorous_score", "resolved"];
    let compared = plan.is_counted();
    let mut table = Table::new(with(compared, "all", &["objective", "operator"], &after));
    for g in by_operator(plan, run) {
        let c = &g.counts;
        let mut cells = vec![g.objective.to_owned(), g.operator.to_owned(), c.all.to_string()];
        if compared {
            cells.push(g.published.map_or(String::new(), |n| n.to_string()));
        }
        cells.extend(counts(c).into_iter().skip(1));
        let scores = [c.paper_score(), c.rigorous_score(), c.resolved()];
        // Of nothing there is no score, and accuracy mutants have no rigorous one.
        let whole = [c.all, c.rigorous().whole, c.all];
        cells.extend(scores.into_iter().zip(whole).map(|(s, n)| if n == 0 { String::new() } else { decimal(s) }));
        table.row(cells);
    }
    table.finish()
}
