//! The paper's evaluation: its 69 formulas, or all of FPBench's, one after the other.

use super::baseline::{Spread, killed};
use super::corpus::{ALL, Benchmark, PAPER, Source, benchmarks};
use super::published::{COUNTS, TYPES};
use crate::csp::InputBox;
use crate::mutate::{Change, Mutant, Operator, OperatorSet};
use crate::options::Settings;
use crate::report::words;
use crate::solver::probes::probes;
use crate::spec::Spec;
use crate::suite::{Counts, Generated, Interrupt, Status, generate, minimized};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// All of FPBench's formulas without loops instead of the paper's 69.
    pub all: bool,
    /// Only formulas whose name or suite contains this.
    pub filter: Option<String>,
    /// The knobs.
    pub settings: Settings,
    /// The seed of the random baselines.
    pub seed: u64,
}

impl Plan {
    /// The files of formulas.
    #[must_use]
    pub fn sources(&self) -> &'static [Source] {
        if self.all { ALL } else { PAPER }
    }

    /// Whether the mutants are those that the paper counted.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        !self.all && self.settings.suite.operators == OperatorSet::Paper
    }

    /// Whether the run is the paper's as a whole.
    #[must_use]
    pub fn is_the_papers(&self) -> bool {
        self.is_counted() && self.filter.is_none()
    }

    /// The command that repeats the run.
    #[must_use]
    pub fn command(&self) -> String {
        let mut text = format!("magneto bench fpbench --operators {}", self.settings.suite.operators);
        if self.all {
            text.push_str(" --all");
        }
        if let Some(filter) = &self.filter {
            text.push_str(&format!(" --filter '{}'", filter.replace('\'', r"'\''")));
        }
        let defaults = Plan::default();
        if self.seed != defaults.seed {
            text.push_str(&format!(" --seed {}", self.seed));
        }
        if self.settings.suite.limits.boxes != defaults.settings.suite.limits.boxes {
            text.push_str(&format!(" --budget {}", self.settings.suite.limits.boxes));
        }
        text
    }
}

impl Default for Plan {
    fn default() -> Self {
        let mut settings = Settings::default();
        settings.suite.operators = OperatorSet::Paper;
        Plan { all: false, filter: None, settings, seed: 2021 }
    }
}

/// What became of one formula.
#[derive(Clone, Debug)]
pub struct Row {
    /// The suite.
    pub suite: &'static str,
    /// The name.
    pub name: String,
    /// What was found, or why nothing was.
    pub found: Result<Found, String>,
    /// From the specification to tests, kill matrix, statuses and proofs.
    pub time: Duration,
}

/// What was found for a formula.
#[derive(Clone, Debug)]
pub struct Found {
    /// The number of inputs.
    pub inputs: usize,
    /// Mutants by status.
    pub counts: Counts,
    /// The same by mutation operator.
    pub operators: Vec<(Operator, Counts)>,
    /// Tests.
    pub tests: usize,
    /// Tests that `--minimize` keeps.
    pub minimized: usize,
    /// Boxes of all searches.
    pub boxes: u64,
    /// Mutants with another function that are killed.
    pub body_killed: usize,
    /// What random points kill of those.
    pub random: Random,
    /// The mutants without an answer.
    pub undecided: Vec<Undecided>,
}

/// What random points kill of the mutants with another function.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    /// Points: as many as Magneto has probe points and tests.
    pub points: usize,
    /// Killed by points that are uniform over numbers.
    pub numbers: usize,
    /// Killed by points that are uniform over floats.
    pub floats: usize,
}

/// A mutant without an answer.
#[derive(Clone, Debug)]
pub struct Undecided {
    /// Its id.
    pub id: String,
    /// What kind of change.
    pub operator: Operator,
    /// What was changed.
    pub before: String,
    /// Into what.
    pub after: String,
    /// Why there is no answer.
    pub reason: String,
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
    /// Its mutants that are judged, and all of them.
    pub mutants: (usize, usize),
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The formulas in order.
    pub rows: Vec<Row>,
    /// Whether it was stopped before the end.
    pub interrupted: bool,
}

impl Run {
    /// The formulas with what was found for them.
    pub fn found(&self) -> impl Iterator<Item = (&Row, &Found)> + Clone {
        self.rows.iter().filter_map(|r| r.found.as_ref().ok().map(|f| (r, f)))
    }

    /// The formulas for which nothing was found, and why.
    pub fn failed(&self) -> impl Iterator<Item = (&Row, &str)> {
        self.rows.iter().filter_map(|r| r.found.as_ref().err().map(|e| (r, e.as_str())))
    }

    /// The mean over the formulas; 1 where there are none.
    #[must_use]
    pub fn mean(&self, value: impl Fn(&Found) -> f64) -> f64 {
        let n = self.found().count();
        if n == 0 { 1.0 } else { self.found().map(|(_, f)| value(f)).sum::<f64>() / n as f64 }
    }

    /// The counts of all formulas together.
    #[must_use]
    pub fn total(&self) -> Counts {
        sum(self.found().map(|(_, f)| &f.counts))
    }

    /// The counts of a mutation operator over all formulas.
    #[must_use]
    pub fn of_operator(&self, operator: Operator) -> Counts {
        sum(self.found().flat_map(|(_, f)| &f.operators).filter(|(o, _)| *o == operator).map(|(_, c)| c))
    }

    /// Time of all formulas.
    #[must_use]
    pub fn time(&self) -> Duration {
        self.rows.iter().map(|r| r.time).sum()
    }

    /// The formulas whose mutants are not as many, in all or of a type, as the paper counted; `None` where the paper
    /// counted others.
    #[must_use]
    pub fn miscounted(&self, plan: &Plan) -> Option<Vec<String>> {
        let other = |(row, found): (&Row, &Found)| {
            let published = published(row)?;
            let here = TYPES.map(|t| found.operators.iter().find(|(o, _)| *o == t).map_or(0, |(_, c)| c.all));
            (here != published).then(|| row.name.clone())
        };
        plan.is_counted().then(|| self.found().filter_map(other).collect())
    }
}

/// The paper's counts for a formula, by type.
#[must_use]
pub fn published(row: &Row) -> Option<[usize; 8]> {
    COUNTS.iter().find(|c| c.0 == row.name).map(|c| c.1)
}

/// Counts of several together.
#[must_use]
pub fn sum<'a>(counts: impl Iterator<Item = &'a Counts>) -> Counts {
    counts.fold(Counts::default(), |a, b| Counts {
        all: a.all + b.all,
        killed: a.killed + b.killed,
        probable: a.probable + b.probable,
        equivalent: a.equivalent + b.equivalent,
        indistinguishable: a.indistinguishable + b.indistinguishable,
        undecided: a.undecided + b.undecided,
        functional: a.functional + b.functional,
        functional_not_killable: a.functional_not_killable + b.functional_not_killable,
    })
}

/// Runs the formulas of a plan, one after the other. Stopped early, it keeps those that are complete.
pub fn run(plan: &Plan, stop: Option<&AtomicBool>, progress: &(dyn Fn(Progress<'_>) + Sync)) -> Run {
    let benchmarks = benchmarks(plan.sources(), plan.filter.as_deref());
    let all = benchmarks.len();
    let mut rows = Vec::with_capacity(all);
    for (done, benchmark) in benchmarks.into_iter().enumerate() {
        let name = benchmark.name.as_str();
        let tell = |judged, mutants| progress(Progress { done, all, name, mutants: (judged, mutants) });
        tell(0, 0);
        let interrupt = Interrupt { stop, progress: Some(&tell), ..Interrupt::default() };
        let row = one(plan, &benchmark, &interrupt);
        if stop.is_some_and(|s| s.load(Ordering::Relaxed)) {
            return Run { rows, interrupted: true };
        }
        rows.push(row);
    }
    Run { rows, interrupted: false }
}

fn one(plan: &Plan, benchmark: &Benchmark, interrupt: &Interrupt<'_>) -> Row {
    let start = Instant::now();
    let generated = benchmark.spec.as_ref().map_err(Clone::clone).and_then(|spec| {
        let generated = generate(spec, &plan.settings.suite, interrupt)?;
        Ok((spec, generated))
    });
    let time = start.elapsed();
    let found = generated.and_then(|(spec, generated)| look(plan, spec, &generated));
    Row { suite: benchmark.suite, name: benchmark.name.clone(), found, time }
}

fn look(plan: &Plan, spec: &Spec, generated: &Generated) -> Result<Found, String> {
    let mutants = &generated.mutants;
    let of = |o: Operator| (o, Counts::of(mutants.iter().filter(|j| j.mutant.operator == o)));
    let is_body = |m: &Mutant| matches!(m.change, Change::Body(_));
    // What is proved to be the same function needs no points.
    let bodies: Vec<&Mutant> = mutants
        .iter()
        .filter(|j| is_body(&j.mutant) && !matches!(j.status, Status::Equivalent(_)))
        .map(|j| &j.mutant)
        .collect();
    let points = generated.tests.len() + probes(&InputBox::new(spec)?).len();
    let cap = plan.settings.suite.precision_cap;
    let random = |spread| killed(spec, &bodies, points, spread, plan.seed, cap);
    let undecided = mutants.iter().filter(|j| matches!(j.status, Status::Undecided(_)));
    Ok(Found {
        inputs: spec.inputs.len(),
        counts: generated.counts,
        operators: Operator::ALL.into_iter().map(of).filter(|(_, c)| c.all > 0).collect(),
        tests: generated.tests.len(),
        minimized: minimized(generated),
        boxes: mutants.iter().map(|j| j.stats.boxes).sum(),
        body_killed: mutants.iter().filter(|j| is_body(&j.mutant) && j.status == Status::Killed).count(),
        random: Random { points, numbers: random(Spread::Numbers)?, floats: random(Spread::Floats)? },
        undecided: undecided
            .map(|j| Undecided {
                id: j.mutant.id.clone(),
                operator: j.mutant.operator,
                before: j.mutant.before.clone(),
                after: j.mutant.after.clone(),
                reason: words::reason_of(spec, j),
            })
            .collect(),
    })
}
