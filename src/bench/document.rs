//! A run of the paper's evaluation as one JSON document.

use super::fpbench::FpbenchPlan;
use super::rows::{FormulaRow, FoundForFormula, Run};
use crate::record::Document;
use crate::record::summary::Scores;
use crate::report::number::decimal;
use crate::suite::random::RandomTested;
use schemars::JsonSchema;
use serde::Serialize;

/// What `--json` prints.
#[derive(Serialize, JsonSchema)]
pub struct FpbenchDocument<'a> {
    output: String,
    exit: u8,
    interrupted: bool,
    seconds: String,
    command: String,
    mean_rigorous: String,
    mean_paper: String,
    tests: usize,
    scores: Scores,
    phases: Vec<Phase>,
    benchmarks: Vec<Part<'a>>,
}

impl Document for FpbenchDocument<'_> {
    const SCHEMA: &'static str = "magneto/bench-fpbench/1";
    const WRITER: &'static str = "bench fpbench";
}

#[derive(Serialize, JsonSchema)]
struct Phase {
    name: &'static str,
    seconds: String,
}

#[derive(Serialize, JsonSchema)]
struct Part<'a> {
    name: &'a str,
    suite: &'a str,
    seconds: String,
    error: Option<&'a str>,
    inputs: Option<usize>,
    tests: Option<usize>,
    tests_minimized: Option<usize>,
    boxes: Option<u64>,
    scores: Option<Scores>,
    tests_lower_bound: Option<usize>,
    random: Vec<Tested>,
    undecided: Vec<&'a str>,
}

#[derive(Serialize, JsonSchema)]
struct Tested {
    baseline: &'static str,
    points: u64,
    tests: usize,
    killed: usize,
    probable: usize,
}

impl Tested {
    fn all(found: &FoundForFormula) -> Vec<Self> {
        let one = |(baseline, _, t): (&'static str, &str, RandomTested)| Tested {
            baseline,
            points: t.points,
            tests: t.tests,
            killed: t.killed,
            probable: t.probable,
        };
        found.random.all().into_iter().map(one).collect()
    }
}

impl<'a> FpbenchDocument<'a> {
    /// Of a run, with where its files are and how it ends.
    #[must_use]
    pub fn new(plan: &FpbenchPlan, run: &'a Run, output: String, exit: u8) -> Self {
        let part = |row: &'a FormulaRow| {
            let f: Option<&'a FoundForFormula> = row.found.as_ref().ok();
            Part {
                name: &row.name,
                suite: &row.suite,
                seconds: format!("{:.4}", row.time.as_secs_f64()),
                error: row.found.as_ref().err().map(String::as_str),
                inputs: f.map(|f| f.inputs),
                tests: f.map(|f| f.tests),
                tests_minimized: f.map(|f| f.minimized),
                boxes: f.map(|f| f.boxes),
                scores: f.map(|f| Scores::new(&f.counts)),
                tests_lower_bound: f.map(|f| f.fewest),
                random: f.map_or(Vec::new(), Tested::all),
                undecided: f.map_or(Vec::new(), |f| f.undecided.iter().map(|u| u.id.as_str()).collect()),
            }
        };
        FpbenchDocument {
            output,
            exit,
            interrupted: run.interrupted,
            seconds: format!("{:.2}", run.time().as_secs_f64()),
            command: plan.command(),
            mean_rigorous: decimal(run.mean(|f| f.counts.rigorous_score())),
            mean_paper: decimal(run.mean(|f| f.counts.paper_score())),
            tests: run.found().map(|(_, f)| f.tests).sum(),
            scores: Scores::new(&run.total()),
            phases: run
                .phases()
                .into_iter()
                .map(|(name, t)| Phase { name, seconds: format!("{:.4}", t.as_secs_f64()) })
                .collect(),
            benchmarks: run.rows.iter().map(part).collect(),
        }
    }
}
