//! The paper's evaluation: its 69 formulas, all of FPBench's, or a person's own, one after the other.

use super::corpus::{ALL, Benchmark, PAPER, Source, benchmarks};
use super::rows::{ByOperator, FormulaRow, FoundForFormula, RandomKills, Run, Undecided, is_counted_alike};
use crate::mutate::{MutationOperator, OperatorSet};
use crate::options::Settings;
use crate::record::manifest::hash;
use crate::report::words;
use crate::spec::Spec;
use crate::suite::random::{RandomSpread, Until, random_tests};
use crate::suite::{Counts, Generated, Interrupt, Status, fewest, generate, minimized};
use crate::tape::lower::lower;
use crate::tape::{Builder, TapeNode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whose formulas are run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Corpus {
    /// The paper's 69.
    #[default]
    Paper,
    /// All of FPBench's without loops.
    Fpbench,
    /// A person's own.
    Files {
        /// The files, folders and patterns, as they were given.
        names: Vec<String>,
        /// SHA-256 of the texts of the formulas' files.
        sha256: String,
    },
}

/// What to run.
#[derive(Clone, Debug)]
pub struct FpbenchPlan {
    /// Whose formulas.
    pub corpus: Corpus,
    /// Only formulas whose name or suite contains this.
    pub filter: Option<String>,
    /// The knobs.
    pub settings: Settings,
    /// The seed of the random baselines.
    pub seed: u64,
    /// Also random testing for the time that Magneto took, which cannot be repeated exactly.
    pub timed: bool,
}

impl FpbenchPlan {
    /// The files of formulas that are in the program: none where they are a person's own.
    #[must_use]
    pub fn sources(&self) -> &'static [Source] {
        match self.corpus {
            Corpus::Paper => PAPER,
            Corpus::Fpbench => ALL,
            Corpus::Files { .. } => &[],
        }
    }

    /// The formulas of these files in order.
    #[must_use]
    pub fn benchmarks(&self) -> Vec<Benchmark> {
        benchmarks(self.sources(), self.filter.as_deref())
    }

    /// SHA-256 of the texts of all files of formulas.
    #[must_use]
    pub fn formulas_sha256(&self) -> String {
        match &self.corpus {
            Corpus::Files { sha256, .. } => sha256.clone(),
            Corpus::Paper | Corpus::Fpbench => {
                let text: String = self.sources().iter().map(|s| s.text).collect();
                hash(text.as_bytes())
            }
        }
    }

    /// Whether the mutants are those that the paper counted.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.corpus == Corpus::Paper && self.settings.suite.operators == OperatorSet::Paper
    }

    /// Whether the run is the paper's as a whole.
    #[must_use]
    pub fn is_the_papers(&self) -> bool {
        self.is_counted() && self.filter.is_none()
    }

    /// The formulas whose mutants are not as many, in all or of a type, as the paper counted; `None` where the paper
    /// counted others.
    #[must_use]
    pub fn miscounted(&self, run: &Run) -> Option<Vec<String>> {
        let other = run.found().filter(|(row, found)| is_counted_alike(row, found) == Some(false));
        self.is_counted().then(|| other.map(|(row, _)| row.name.clone()).collect())
    }

    /// The command that repeats the run.
    #[must_use]
    pub fn command(&self) -> String {
        let mut text = format!("magneto bench fpbench --operators {}", self.settings.suite.operators);
        let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
        match &self.corpus {
            Corpus::Paper => {}
            Corpus::Fpbench => text.push_str(" --all"),
            Corpus::Files { names, .. } => names.iter().for_each(|n| text.push_str(&format!(" --specs={}", quoted(n)))),
        }
        if let Some(filter) = &self.filter {
            text.push_str(&format!(" --filter {}", quoted(filter)));
        }
        let defaults = FpbenchPlan::default();
        if self.seed != defaults.seed {
            text.push_str(&format!(" --seed {}", self.seed));
        }
        if self.timed != defaults.timed {
            text.push_str(" --baseline evaluations");
        }
        if self.settings.suite.limits.boxes != defaults.settings.suite.limits.boxes {
            text.push_str(&format!(" --budget {}", self.settings.suite.limits.boxes));
        }
        text
    }
}

impl Default for FpbenchPlan {
    fn default() -> Self {
        let mut settings = Settings::default();
        settings.suite.operators = OperatorSet::Paper;
        FpbenchPlan { corpus: Corpus::Paper, filter: None, settings, seed: 2021, timed: true }
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Formulas done.
    pub done: usize,
    /// Formulas in all.
    pub all: usize,
    /// The one at work.
    pub name: &'a str,
    /// What is being done for it.
    pub work: FormulaWork,
}

/// What is being done for a formula.
#[derive(Clone, Copy, Debug)]
pub enum FormulaWork {
    /// Mutants are judged: how many are, and all of them.
    Mutants(usize, usize),
    /// Random points are tried.
    Random,
}

/// Runs formulas as a plan says, one after the other; `done` has the first of them from an earlier run. Each that is
/// complete is told to `keep`, with those before it. Stopped early, the run has the complete ones.
pub fn run(
    plan: &FpbenchPlan,
    benchmarks: &[Benchmark],
    done: Vec<FormulaRow>,
    stop: Option<&AtomicBool>,
    progress: &(dyn Fn(Progress<'_>) + Sync),
    keep: &mut dyn FnMut(&[FormulaRow]),
) -> Run {
    let all = benchmarks.len();
    let mut rows = done;
    for benchmark in benchmarks.iter().skip(rows.len()) {
        let (done, name) = (rows.len(), benchmark.name.as_str());
        let tell = |work| progress(Progress { done, all, name, work });
        tell(FormulaWork::Mutants(0, 0));
        let row = one(plan, benchmark, stop, &tell);
        if stop.is_some_and(|s| s.load(Ordering::Relaxed)) {
            return Run { rows, interrupted: true };
        }
        rows.push(row);
        keep(&rows);
    }
    Run { rows, interrupted: false }
}

fn one(
    plan: &FpbenchPlan,
    benchmark: &Benchmark,
    stop: Option<&AtomicBool>,
    tell: &(dyn Fn(FormulaWork) + Sync),
) -> FormulaRow {
    let judged = |judged, mutants| tell(FormulaWork::Mutants(judged, mutants));
    let interrupt = Interrupt { stop, progress: Some(&judged), ..Interrupt::default() };
    let start = Instant::now();
    let generated = benchmark.spec.as_ref().map_err(Clone::clone).and_then(|spec| {
        let generated = generate(spec, &plan.settings.suite, &interrupt)?;
        Ok((spec, generated))
    });
    let time = start.elapsed();
    let found = generated.and_then(|(spec, generated)| {
        tell(FormulaWork::Random);
        let random = random(plan, spec, &generated, time, stop)?;
        Ok(look(benchmark, spec, &generated, random))
    });
    FormulaRow { suite: benchmark.suite.to_string(), name: benchmark.name.clone(), found, time }
}

/// The baselines.
fn random(
    plan: &FpbenchPlan,
    spec: &Spec,
    generated: &Generated,
    time: Duration,
    stop: Option<&AtomicBool>,
) -> Result<RandomKills, String> {
    let cap = plan.settings.suite.precision_cap;
    let tests = |spread, until| random_tests(spec, generated, cap, spread, plan.seed, until, stop);
    let equal = Until::Evaluations(generated.evaluations);
    Ok(RandomKills {
        timed: if plan.timed { Some(tests(RandomSpread::Numbers, Until::Time(time))?) } else { None },
        numbers: tests(RandomSpread::Numbers, equal)?,
        floats: tests(RandomSpread::Floats, equal)?,
    })
}

fn look(benchmark: &Benchmark, spec: &Spec, generated: &Generated, random: RandomKills) -> FoundForFormula {
    let mutants = &generated.mutants;
    let of = |operator| {
        let counts = Counts::of(mutants.iter().filter(|j| j.mutant.operator == operator));
        ByOperator { operator, counts }
    };
    let undecided = mutants.iter().filter(|j| matches!(j.status, Status::Undecided(_)));
    FoundForFormula {
        inputs: spec.inputs.len(),
        operations: operations(spec),
        counts: generated.counts,
        operators: MutationOperator::ALL.into_iter().map(of).filter(|o| o.counts.all > 0).collect(),
        tests: generated.tests.len(),
        minimized: minimized(generated),
        fewest: fewest(generated),
        boxes: generated.boxes,
        evaluations: generated.evaluations,
        random,
        undecided: undecided
            .map(|j| Undecided {
                id: j.mutant.id.clone(),
                operator: j.mutant.operator,
                before: j.mutant.before.clone(),
                after: j.mutant.after.clone(),
                reason: words::reason_of(spec, j),
            })
            .collect(),
        parse: benchmark.parse,
        phases: generated.phases,
    }
}

/// The different operations of a body: nodes of its tape that are neither inputs nor constants.
#[must_use]
pub fn operations(spec: &Spec) -> usize {
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let mut builder = Builder::new(names.len());
    let _ = lower(&mut builder, &names, &spec.core.body);
    let tape = builder.finish();
    tape.nodes().iter().filter(|n| !matches!(n, TapeNode::Var(_) | TapeNode::Const(_))).count()
}
