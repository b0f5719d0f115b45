//! Formulas as they are written: whether the plain evaluation of each meets the accuracy, as a run of `gen` says it, and
//! whether the tests of the run fail a program that does not.
//!
//! The program is the formula operation by operation in the format of its inputs, what C code without second thoughts
//! computes. A run knows it only as one of hundreds of mutants. Random inputs attack what it says: an error found above the
//! tolerance contradicts a proof, and shows what a run should have found.

use super::corpus::{ALL, benchmarks};
use super::rounding::RoundingStatus;
use crate::floats::Format;
use crate::num::Rational;
use crate::oracle::formula::Formula;
use crate::oracle::{Ladder, Oracle, Verdict, oracle};
use crate::program::Program;
use crate::rounding::{Goal, RealFunction, largest_of};
use crate::spec::core::{Datum, DatumKind, Property, Value};
use crate::spec::{Accuracy, Spec};
use crate::suite::random::{RandomSpread, random_inputs};
use crate::suite::{Expectation, Generated, Interrupt, Options, PlainAccuracy, generate, plain};
use crate::text::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many random inputs are drawn at once.
const DRAWN: usize = 20_000;
/// So many at first, all of whose errors are measured.
const FIRST: usize = 1_000;
/// Of the others, errors below this part of the tolerance are left out.
const IGNORED: f64 = 0.5;

/// How to measure.
#[derive(Clone, Debug, Default)]
pub struct WrittenPlan {
    /// How tests are made.
    pub options: Options,
    /// Random inputs for each formula, half uniform over numbers and half over floats; at most 2,000 where a test already
    /// shows that the accuracy is missed.
    pub samples: usize,
}

/// One formula in one format.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WrittenRow {
    /// The suite, or the file.
    pub suite: String,
    /// Its name.
    pub name: String,
    /// The format of inputs and operations.
    pub format: Cow<'static, str>,
    /// Why there are no tests, if there are none.
    pub failure: Option<String>,
    /// How many tests inside the domain there are.
    pub tests: usize,
    /// Whether the run shows that the accuracy is met, or missed.
    pub status: RoundingStatus,
    /// How many tests the program fails.
    pub failed: usize,
    /// The largest error found, in units of the tolerance: by the run, and at random inputs.
    pub worst: [Option<f64>; 2],
    /// The processor time of the run. Unit: seconds.
    pub seconds: f64,
}

impl WrittenRow {
    /// Whether an input is known at which the program errs by more than the tolerance.
    #[must_use]
    pub fn is_violated(&self) -> bool {
        self.status == RoundingStatus::Missed || self.failed > 0 || self.worst.iter().flatten().any(|e| *e > 1.0)
    }

    /// Whether a proof is contradicted.
    #[must_use]
    pub fn is_contradicted(&self) -> bool {
        self.status == RoundingStatus::Met && self.is_violated()
    }
}

/// A formula with inputs, operations and result in a format and a relative accuracy: 1e-10 in binary64, 1e-4 below.
#[must_use]
pub fn specification(of: &Spec, format: Format) -> Spec {
    let mut spec = of.clone();
    let denominator = if format == Format::BINARY64 { 10_000_000_000u64 } else { 10_000 };
    spec.accuracy = Accuracy { rel: Some(Rational::from((1, denominator))), ..Accuracy::default() };
    spec.accuracy_defaulted = false;
    spec.inputs.iter_mut().for_each(|i| i.format = format);
    spec.result_format = format;
    let value = Value::Data(Datum { kind: DatumKind::Symbol(format.name().to_owned()), span: Span::default() });
    spec.core.props.retain(|p| p.key != "precision");
    spec.core.props.push(Property { key: "precision".to_owned(), key_span: Span::default(), value });
    spec
}

/// FPBench's formulas with the names of their suites; with a filter those whose name or suite contains it.
#[must_use]
pub fn formulas(filter: Option<&str>) -> Vec<(String, Spec)> {
    let all = benchmarks(ALL, filter).into_iter();
    all.filter_map(|b| Some((b.suite.into_owned(), b.spec.ok()?))).collect()
}

/// Whoever follows a measurement, which may take hours.
pub trait Follow {
    /// A formula is begun.
    fn begins(&mut self, _name: &str, _format: Format) {}
    /// It is measured.
    fn is_done(&mut self, _row: &WrittenRow) {}
}

/// Measure formulas in binary64 and binary32. Ends early, with what is done, where `stop` is set.
pub fn measure(
    plan: &WrittenPlan,
    formulas: &[(String, Spec)],
    stop: Option<&AtomicBool>,
    follower: &mut dyn Follow,
) -> Vec<WrittenRow> {
    let mut rows = Vec::new();
    for (suite, spec) in formulas {
        for format in [Format::BINARY64, Format::BINARY32] {
            follower.begins(&spec.name, format);
            let row = row(plan, suite, &specification(spec, format), stop);
            if stop.is_some_and(|s| s.load(Ordering::Relaxed)) {
                return rows;
            }
            follower.is_done(&row);
            rows.push(row);
        }
    }
    rows
}

fn row(plan: &WrittenPlan, suite: &str, spec: &Spec, stop: Option<&AtomicBool>) -> WrittenRow {
    let mut row = WrittenRow {
        suite: suite.to_owned(),
        name: spec.name.clone(),
        format: spec.result_format.name().into(),
        failure: None,
        tests: 0,
        status: RoundingStatus::Open,
        failed: 0,
        worst: [None; 2],
        seconds: 0.0,
    };
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let format = spec.result_format;
    let Some(program) = Program::written(&names, &spec.core.body, format, format) else {
        return WrittenRow { failure: Some("its loops depend on rounding".into()), ..row };
    };
    let run = match generate(spec, &plan.options, &Interrupt { stop, ..Interrupt::default() }) {
        Ok(run) => run,
        Err(why) => return WrittenRow { failure: Some(why.to_string()), ..row },
    };
    row.seconds = run.phases.total().as_secs_f64();
    (row.tests, row.failed) = failed(&program, &run);
    (row.status, row.worst[0]) = match plain(&run, spec.libm_ulps) {
        Some(PlainAccuracy::Meets { .. }) => (RoundingStatus::Met, None),
        Some(PlainAccuracy::Misses { times, .. }) => (RoundingStatus::Missed, Some(times)),
        Some(PlainAccuracy::Open { worst }) => (RoundingStatus::Open, worst.map(|(_, times)| times)),
        None => (RoundingStatus::Open, None),
    };
    // Of a program whose error a test shows random inputs can say nothing new but how large it usually is.
    let samples = if row.failed > 0 { plan.samples.min(2 * FIRST) } else { plan.samples };
    row.worst[1] = attack(plan, spec, &program, samples, stop);
    row
}

/// The tests inside the domain, and those of them that a program fails.
fn failed(program: &Program, run: &Generated) -> (usize, usize) {
    let mut values = Vec::new();
    let mut counts = (0, 0);
    for test in &run.tests {
        if let Expectation::Result(oracle) = &test.expectation {
            counts.0 += 1;
            counts.1 += usize::from(oracle.verdict(program.point(&test.input, &mut values)) == Verdict::Ko);
        }
    }
    counts
}

/// The largest error of a program at random inputs, in units of the tolerance.
fn attack(
    plan: &WrittenPlan,
    spec: &Spec,
    program: &Program,
    samples: usize,
    stop: Option<&AtomicBool>,
) -> Option<f64> {
    let formula = Formula::new(spec);
    let exact = RealFunction { tape: &formula.tape, root: formula.root, conditions: &formula.conditions };
    let goal = Goal::Tolerance(&spec.accuracy);
    // Where no result at all is accurate enough, a program cannot be blamed.
    let attainable = |x: &[f64]| {
        let mut ladder = Ladder::new(&formula.tape, x, plan.options.precision_cap);
        matches!(oracle(&mut ladder, formula.function(), spec.result_format), Oracle::Decided { .. })
    };
    let mut worst: Option<f64> = None;
    for spread in [RandomSpread::Numbers, RandomSpread::Floats] {
        let mut left = samples / 2;
        for seed in 0.. {
            let wanted = left.min(if seed == 0 { FIRST } else { DRAWN });
            let points = random_inputs(spec, wanted, spread, seed, plan.options.precision_cap).ok()?;
            left -= wanted;
            // The first few show the size of the errors; of the rest only what comes near the tolerance matters.
            let ignored = if seed == 0 { 0.0 } else { IGNORED };
            let found = largest_of(program, exact, goal, &points, ignored, attainable).map(|f| f.error);
            worst = [worst, found].into_iter().flatten().reduce(f64::max);
            // Stopped, or the conditions refuse nearly all that is drawn.
            if stop.is_some_and(|s| s.load(Ordering::Relaxed)) || left == 0 || points.len() < wanted {
                break;
            }
        }
    }
    worst
}

/// The figures over all rows.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct WrittenSummary {
    /// Formulas in both formats.
    pub formulas: usize,
    /// Of these, without any test.
    pub without_tests: usize,
    /// The accuracy is proved to be met.
    pub met: usize,
    /// A test is missed by whatever the program may return.
    pub missed: usize,
    /// An input is known at which the program errs by more than the tolerance.
    pub violated: usize,
    /// Of these, the program fails a test.
    pub found: usize,
    /// Proofs contradicted by an input.
    pub contradicted: usize,
    /// All tests.
    pub tests: usize,
    /// The time of all runs. Unit: seconds.
    pub seconds: f64,
}

/// The figures over the rows.
#[must_use]
pub fn summary(rows: &[WrittenRow]) -> WrittenSummary {
    let mut s = WrittenSummary { formulas: rows.len(), ..WrittenSummary::default() };
    for row in rows {
        s.without_tests += usize::from(row.failure.is_some());
        s.met += usize::from(row.status == RoundingStatus::Met);
        s.missed += usize::from(row.status == RoundingStatus::Missed);
        s.violated += usize::from(row.is_violated());
        s.found += usize::from(row.failed > 0);
        s.contradicted += usize::from(row.is_contradicted());
        s.tests += row.tests;
        s.seconds += row.seconds;
    }
    s
}
