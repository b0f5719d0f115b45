//! The files of a run of the paper's evaluation. All but `timing.csv` and `README.md` are the same for every run with
//! the same version, options and platform.

use super::fpbench::{Found, Plan, Run, published};
use super::published::TYPES;
use super::readme::readme;
use crate::mutate::Operator;
use crate::num::mpfr;
use crate::options::{Effect, KNOBS, Resolved};
use crate::report::csv::Table;
use crate::report::json::{self, Scores};
use crate::report::manifest::{COMMIT, VERSION, hash};
use crate::report::number::decimal;
use crate::report::store::Files;
use crate::suite::Counts;
use serde::Serialize;

/// The schema of the manifest, by which a folder of results is known again.
pub const SCHEMA: &str = "magneto/bench-fpbench-manifest/1";

/// All files of a run: name and contents.
#[must_use]
pub fn files(plan: &Plan, run: &Run) -> Files {
    let mut files = Files::new();
    let mut add = |name: &str, bytes: Vec<u8>| files.insert(name.to_owned(), bytes);
    add("manifest.json", json::text(&manifest(plan, run)));
    add("per_benchmark.csv", per_benchmark(run));
    add("timing.csv", timing(run));
    add("table2.csv", table2(plan, run));
    add("table3.csv", table3(plan, run));
    add("README.md", readme(plan, run).into_bytes());
    files
}

#[derive(Serialize)]
struct Manifest {
    schema: &'static str,
    magneto: &'static str,
    commit: Option<&'static str>,
    mpfr: String,
    platform: String,
    command: String,
    formulas: &'static str,
    formulas_sha256: String,
    benchmarks: usize,
    filter: Option<String>,
    seed: u64,
    options: Vec<Knob>,
    wall_clock_limit_hit: bool,
    interrupted: bool,
}

#[derive(Serialize)]
struct Knob {
    name: &'static str,
    value: Option<String>,
    origin: &'static str,
}

fn manifest(plan: &Plan, run: &Run) -> Manifest {
    let text: String = plan.sources().iter().map(|s| s.text).collect();
    let counts = |r: &Resolved| KNOBS.iter().any(|k| k.name == r.name && k.effect == Effect::Result);
    let knob =
        |r: Resolved| Knob { name: r.name, value: Some(r.value).filter(|v| !v.is_empty()), origin: r.origin.name() };
    Manifest {
        schema: SCHEMA,
        magneto: VERSION,
        commit: COMMIT,
        mpfr: mpfr::version(),
        platform: platform(),
        command: plan.command(),
        formulas: if plan.all { "fpbench" } else { "fpbench/paper" },
        formulas_sha256: hash(text.as_bytes()),
        benchmarks: run.rows.len(),
        filter: plan.filter.clone(),
        seed: plan.seed,
        options: plan.settings.recorded().into_iter().filter(counts).map(knob).collect(),
        wall_clock_limit_hit: false,
        interrupted: run.interrupted,
    }
}

/// Architecture and operating system.
#[must_use]
pub fn platform() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

fn per_benchmark(run: &Run) -> Vec<u8> {
    let mut table = Table::new([
        "name",
        "suite",
        "inputs",
        "mutants",
        "killed",
        "probable",
        "equivalent",
        "indistinguishable",
        "undecided",
        "tests",
        "tests_minimized",
        "rigorous_score",
        "paper_score",
        "resolved",
        "boxes",
        "body_killed",
        "random_points",
        "body_killed_random_numbers",
        "body_killed_random_floats",
        "error",
    ]);
    for row in &run.rows {
        let mut cells = vec![row.name.clone(), row.suite.to_owned()];
        match &row.found {
            Ok(f) => {
                let c = &f.counts;
                cells.push(f.inputs.to_string());
                cells.extend(counts(c));
                cells.extend([f.tests, f.minimized].map(|n| n.to_string()));
                cells.extend([c.rigorous_score(), c.paper_score(), c.resolved()].map(decimal));
                cells.push(f.boxes.to_string());
                let r = &f.random;
                cells.extend([f.body_killed, r.points, r.numbers, r.floats].map(|n| n.to_string()));
                cells.push(String::new());
            }
            Err(e) => {
                cells.resize(19, String::new());
                cells.push(e.clone());
            }
        }
        table.row(cells);
    }
    table.finish()
}

/// Mutants in all and by status.
fn counts(c: &Counts) -> [String; 6] {
    [c.all, c.killed, c.probable, c.equivalent, c.indistinguishable, c.undecided].map(|n| n.to_string())
}

fn timing(run: &Run) -> Vec<u8> {
    let mut table = Table::new(["name", "suite", "seconds"]);
    for row in &run.rows {
        table.row([row.name.as_str(), row.suite, &format!("{:.4}", row.time.as_secs_f64())]);
    }
    table.finish()
}

/// The paper's Table 2: mutants, adequacy and tests of each formula.
fn table2(plan: &Plan, run: &Run) -> Vec<u8> {
    let compared = plan.is_counted();
    let mut table = Table::new(with(compared, "mutants", &["suite", "name"], &["adequacy", "rigorous_score", "tests"]));
    for (row, f) in run.found() {
        let mut cells = vec![row.suite.to_owned(), row.name.clone(), f.counts.all.to_string()];
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

/// The mutants of a row of [`by_operator`].
pub(super) struct Group {
    pub(super) objective: &'static str,
    pub(super) operator: &'static str,
    pub(super) counts: Counts,
    /// How many the paper counted for the same formulas.
    pub(super) published: Option<usize>,
}

/// By operator, then by objective, then all.
pub(super) fn by_operator(plan: &Plan, run: &Run) -> Vec<Group> {
    let of_type = |o: Operator| {
        let at = TYPES.iter().position(|t| *t == o)?;
        plan.is_counted().then(|| run.found().filter_map(|(r, _)| published(r)).map(|p| p[at]).sum::<usize>())
    };
    let group = |objective, operator, some: &[Operator]| {
        let counts: Vec<Counts> = some.iter().map(|o| run.of_operator(*o)).collect();
        let published = some.iter().map(|o| of_type(*o)).sum();
        Group { objective, operator, counts: super::fpbench::sum(counts.iter()), published }
    };
    let mut groups: Vec<Group> = Operator::ALL.iter().map(|o| group(o.objective(), o.name(), &[*o])).collect();
    for objective in ["precision", "robustness", "functional"] {
        let some: Vec<Operator> = Operator::ALL.into_iter().filter(|o| o.objective() == objective).collect();
        groups.push(group(objective, "all", &some));
    }
    groups.push(group("all", "all", &Operator::ALL));
    groups
}

/// The paper's Table 3: mutants by operator and objective. `score` is the paper's: killed and probable of all.
fn table3(plan: &Plan, run: &Run) -> Vec<u8> {
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
        let whole = [c.all, c.functional - c.functional_not_killable, c.all];
        cells.extend(scores.into_iter().zip(whole).map(|(s, n)| if n == 0 { String::new() } else { decimal(s) }));
        table.row(cells);
    }
    table.finish()
}

/// What `--json` prints.
#[derive(Serialize)]
pub struct Document<'a> {
    schema: &'static str,
    output: String,
    exit: u8,
    interrupted: bool,
    seconds: String,
    command: String,
    mean_rigorous: String,
    mean_paper: String,
    tests: usize,
    scores: Scores,
    benchmarks: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Part<'a> {
    name: &'a str,
    suite: &'static str,
    seconds: String,
    error: Option<&'a str>,
    inputs: Option<usize>,
    tests: Option<usize>,
    tests_minimized: Option<usize>,
    boxes: Option<u64>,
    scores: Option<Scores>,
    body_killed: Option<usize>,
    random: Option<Points>,
    undecided: Vec<&'a str>,
}

#[derive(Serialize)]
struct Points {
    points: usize,
    body_killed_numbers: usize,
    body_killed_floats: usize,
}

impl<'a> Document<'a> {
    /// Of a run, with where its files are and how it ends.
    #[must_use]
    pub fn new(plan: &Plan, run: &'a Run, output: String, exit: u8) -> Self {
        let part = |row: &'a super::fpbench::Row| {
            let f: Option<&'a Found> = row.found.as_ref().ok();
            Part {
                name: &row.name,
                suite: row.suite,
                seconds: format!("{:.4}", row.time.as_secs_f64()),
                error: row.found.as_ref().err().map(String::as_str),
                inputs: f.map(|f| f.inputs),
                tests: f.map(|f| f.tests),
                tests_minimized: f.map(|f| f.minimized),
                boxes: f.map(|f| f.boxes),
                scores: f.map(|f| Scores::new(&f.counts)),
                body_killed: f.map(|f| f.body_killed),
                random: f.map(|f| Points {
                    points: f.random.points,
                    body_killed_numbers: f.random.numbers,
                    body_killed_floats: f.random.floats,
                }),
                undecided: f.map_or(Vec::new(), |f| f.undecided.iter().map(|u| u.id.as_str()).collect()),
            }
        };
        Document {
            schema: "magneto/bench-fpbench/1",
            output,
            exit,
            interrupted: run.interrupted,
            seconds: format!("{:.2}", run.time().as_secs_f64()),
            command: plan.command(),
            mean_rigorous: decimal(run.mean(|f| f.counts.rigorous_score())),
            mean_paper: decimal(run.mean(|f| f.counts.paper_score())),
            tests: run.found().map(|(_, f)| f.tests).sum(),
            scores: Scores::new(&run.total()),
            benchmarks: run.rows.iter().map(part).collect(),
        }
    }
}
