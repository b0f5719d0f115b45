//! Bounds on rounding errors of the formulas of `fpbench/`, evaluated as they are written: beside those of other tools where
//! a table of them is given, and whether they settle that the accuracy is met.

use super::corpus::{ALL, Benchmark, PAPER, Source, benchmarks};
use crate::floats::Format;
use crate::num::{AtMost, Rational};
use crate::ops::float::LibmUlps;
use crate::oracle::formula::Formula;
use crate::program::Program;
use crate::rounding::{Effort, Goal, RealFunction, find, prove};
use crate::spec::{Accuracy, InputBox, Spec};
use crate::unfit::Unfit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Instant;

/// A bound counts as at most another up to this share.
pub const SLACK: f64 = 1.02;

/// What a table says of one formula in one format: the best of its lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Theirs {
    /// A bound of the absolute error.
    pub absolute: Option<f64>,
    /// A bound of the relative error.
    pub relative: Option<f64>,
    /// The processor time of the quickest line with a bound. Unit: seconds.
    pub seconds: Option<f64>,
    /// The largest absolute error found by sampling.
    pub absolute_found: Option<f64>,
    /// The largest relative error found by sampling.
    pub relative_found: Option<f64>,
}

/// Formulas by suite, name and format.
pub type FormulaTable = BTreeMap<(String, String, String), Theirs>;

/// Read a table with the columns `name`, `suite`, `format`, `abs_bound`, `rel_bound`, `cpu_seconds`, `abs_lower` and
/// `rel_lower`; several lines may be about one formula.
///
/// # Errors
/// What is wrong with it, with the line.
pub fn read(text: &str) -> Result<FormulaTable, Unfit> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|e| e.to_string())?.clone();
    let column = |name: &str| {
        header.iter().position(|h| h == name).ok_or_else(|| format!("line 1: there is no column `{name}`"))
    };
    let [name, suite, format] = [column("name")?, column("suite")?, column("format")?];
    let numbers = [column("abs_bound")?, column("rel_bound")?, column("cpu_seconds")?];
    let found = [column("abs_lower")?, column("rel_lower")?];
    let mut table = FormulaTable::new();
    for row in reader.records() {
        let row = row.map_err(|e| e.to_string())?;
        let line = row.position().map_or(0, csv::Position::line);
        let number = |k: usize| match row[k].trim() {
            "" => Ok(None),
            text => text.parse::<f64>().map(Some).map_err(|_| format!("line {line}: `{text}` is not a number")),
        };
        let [absolute, relative, seconds] = [number(numbers[0])?, number(numbers[1])?, number(numbers[2])?];
        let key = (row[suite].to_owned(), row[name].to_owned(), row[format].to_owned());
        let one: &mut Theirs = table.entry(key).or_default();
        let least = |a: Option<f64>, b: Option<f64>| [a, b].into_iter().flatten().reduce(f64::min);
        let most = |a: Option<f64>, b: Option<f64>| [a, b].into_iter().flatten().reduce(f64::max);
        one.absolute = least(one.absolute, absolute);
        one.relative = least(one.relative, relative);
        if absolute.is_some() || relative.is_some() {
            one.seconds = least(one.seconds, seconds);
        }
        one.absolute_found = most(one.absolute_found, number(found[0])?);
        one.relative_found = most(one.relative_found, number(found[1])?);
    }
    Ok(table)
}

/// Published bounds of absolute errors in binary64: of each formula, by tool.
pub type Published = BTreeMap<String, BTreeMap<String, f64>>;

/// Read a table with the column `name` and a column for each tool; of the others, `best` and `best_by` are left out, since
/// they follow from the rest. An empty cell: the tool has no bound.
///
/// # Errors
/// What is wrong with it, with the line.
pub fn read_published(text: &str) -> Result<Published, Unfit> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|e| e.to_string())?.clone();
    let name = header.iter().position(|h| h == "name").ok_or("line 1: there is no column `name`")?;
    let mut table = Published::new();
    for row in reader.records() {
        let row = row.map_err(|e| e.to_string())?;
        let line = row.position().map_or(0, csv::Position::line);
        let bounds: &mut BTreeMap<String, f64> = table.entry(row[name].to_owned()).or_default();
        for (tool, cell) in header.iter().zip(&row).filter(|(tool, _)| !["name", "best", "best_by"].contains(tool)) {
            if !cell.trim().is_empty() {
                let bound = cell.trim().parse().map_err(|_| format!("line {line}: `{cell}` is not a number"))?;
                bounds.insert(tool.to_owned(), bound);
            }
        }
    }
    Ok(table)
}

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub struct RoundingPlan {
    /// Boxes looked at for one bound.
    pub boxes: u64,
    /// Inputs at which errors are measured.
    pub evaluations: usize,
    /// The errors of library functions.
    pub ulps: LibmUlps,
}

/// What settles the accuracy of the plain evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RoundingStatus {
    /// Proved to be met everywhere.
    Met,
    /// Missed at an input that was found.
    Missed,
    /// Neither.
    Open,
}

/// One formula in one format.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RoundingRow {
    /// The suite; `paper69` for the formulas of `fpbench/paper/`.
    pub suite: String,
    /// Its name.
    pub name: String,
    /// The format of inputs and operations.
    pub format: Cow<'static, str>,
    /// The proved bound of the absolute error, if there is one.
    pub absolute: Option<AtMost>,
    /// The proved bound of the relative error, if there is one.
    pub relative: Option<AtMost>,
    /// Boxes looked at for both.
    pub boxes: u64,
    /// The time for both. Unit: seconds.
    pub seconds: f64,
    /// The largest absolute error found.
    pub absolute_found: Option<f64>,
    /// The largest relative error found.
    pub relative_found: Option<f64>,
    /// Whether the relative accuracy 1e-10 in binary64, 1e-4 in binary32, is met.
    pub status: RoundingStatus,
    /// What the table says.
    pub theirs: Option<Theirs>,
    /// Published bounds of the absolute error, by tool.
    pub published: BTreeMap<String, f64>,
}

impl RoundingRow {
    /// Whether one of the bounds is at most the table's, where that has one.
    #[must_use]
    pub fn as_good(&self) -> Option<bool> {
        let theirs = self.theirs?;
        let good = |ours: Option<AtMost>, theirs: Option<f64>| theirs.map(|t| ours.is_some_and(|o| o.0 <= t * SLACK));
        match (good(self.absolute, theirs.absolute), good(self.relative, theirs.relative)) {
            (None, one) | (one, None) => one,
            (Some(a), Some(b)) => Some(a || b),
        }
    }

    /// The least published bound and its tool.
    #[must_use]
    pub fn best_published(&self) -> Option<(&str, f64)> {
        let bounds = self.published.iter().map(|(tool, bound)| (tool.as_str(), *bound));
        bounds.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Whether an error was found that is larger than the bound proved: a wrong proof. Tables have few digits.
    #[must_use]
    pub fn contradicted(&self) -> bool {
        let beyond = |found: Option<f64>, bound: Option<AtMost>| matches!((found, bound), (Some(f), Some(b)) if f > b.0 * (1.0 + 1e-6));
        let theirs = self.theirs.unwrap_or_default();
        [(self.absolute_found, self.absolute), (self.relative_found, self.relative)]
            .into_iter()
            .chain([(theirs.absolute_found, self.absolute), (theirs.relative_found, self.relative)])
            .any(|(found, bound)| beyond(found, bound))
    }
}

/// A formula that is measured.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The formula.
    pub benchmark: Benchmark,
    /// Whether it is the paper's form of it, which is measured where a table speaks of it.
    pub paper: bool,
}

/// The formulas in order; with a filter those whose name or suite contains it.
#[must_use]
pub fn subjects(filter: Option<&str>) -> Vec<Subject> {
    let of = |(sources, paper): (&'static [Source], bool)| {
        benchmarks(sources, filter).into_iter().map(move |benchmark| Subject { benchmark, paper })
    };
    [(ALL, false), (PAPER, true)].into_iter().flat_map(of).collect()
}

/// Measure a formula in binary64 and binary32; one of the paper where the table speaks of it. Published bounds are about
/// binary64 and about a formula of any suite.
#[must_use]
pub fn measure(
    plan: &RoundingPlan,
    table: &FormulaTable,
    published: &Published,
    subject: &Subject,
) -> Vec<RoundingRow> {
    let (b, paper) = (&subject.benchmark, subject.paper);
    let mut rows = Vec::new();
    for format in [Format::BINARY64, Format::BINARY32] {
        let suite = if paper { "paper69" } else { &*b.suite };
        let key = (suite.to_owned(), b.name.clone(), format.name().to_owned());
        let theirs = table.get(&key).copied();
        if !paper || theirs.is_some() {
            let mut one = row(plan, suite, b, format, theirs);
            if let Some(one) = one.as_mut().filter(|_| !paper && format == Format::BINARY64) {
                one.published = published.get(&b.name).cloned().unwrap_or_default();
            }
            rows.extend(one);
        }
    }
    rows
}

fn row(plan: &RoundingPlan, suite: &str, b: &Benchmark, format: Format, theirs: Option<Theirs>) -> Option<RoundingRow> {
    let mut spec: Spec = b.spec.clone().ok()?;
    spec.inputs.iter_mut().for_each(|i| i.format = format);
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let domain = InputBox::new(&spec).ok()?;
    let program = Program::written(&names, &spec.core.body, format, format)?;
    let formula = Formula::new(&spec);
    let exact = RealFunction { tape: &formula.tape, root: formula.root, conditions: &formula.conditions };
    let bound = |goal, enough| {
        let effort = Effort { boxes: plan.boxes, start: &[], enough, slack: 0.01 };
        prove(&program, exact, &domain, goal, plan.ulps, effort)
    };
    let start = Instant::now();
    let (absolute, relative) = (bound(Goal::Absolute, 0.0)?, bound(Goal::Relative, 0.0)?);
    let seconds = start.elapsed().as_secs_f64();
    let found = |goal| find(&program, exact, &domain, goal, plan.evaluations).map(|f| f.error);
    let denominator = if format == Format::BINARY64 { 10_000_000_000u64 } else { 10_000 };
    let accuracy = Accuracy { rel: Some(Rational::from((1, denominator))), ..Accuracy::default() };
    let tolerance = Goal::Tolerance(&accuracy);
    let status = match found(tolerance) {
        Some(error) if error > 1.0 => RoundingStatus::Missed,
        _ if bound(tolerance, 1.0)?.value <= 1.0 => RoundingStatus::Met,
        _ => RoundingStatus::Open,
    };
    let proved = |value: f64| value.is_finite().then_some(AtMost(value));
    Some(RoundingRow {
        suite: suite.to_owned(),
        name: b.name.clone(),
        format: format.name().into(),
        absolute: proved(absolute.value),
        relative: proved(relative.value),
        boxes: absolute.boxes + relative.boxes,
        seconds,
        absolute_found: found(Goal::Absolute),
        relative_found: found(Goal::Relative),
        status,
        theirs,
        published: BTreeMap::new(),
    })
}

/// The figures over all rows.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct RoundingSummary {
    /// Rows with a bound in the table.
    pub compared: usize,
    /// Of these, with a bound at most the table's.
    pub as_good: usize,
    /// The time for the bounds of these. Unit: seconds.
    pub seconds: f64,
    /// The table's time for them. Unit: seconds.
    pub their_seconds: f64,
    /// Rows with published bounds.
    pub published: usize,
    /// Of these, with a bound at most the best of them.
    pub at_most_published: usize,
    /// Rows with an error found above the bound: wrong proofs.
    pub contradicted: usize,
    /// Formulas of `fpbench/` in both formats.
    pub formulas: usize,
    /// Of these, with the accuracy proved to be met.
    pub met: usize,
    /// Of these, with an input found that misses it.
    pub missed: usize,
}

/// The figures over the rows.
#[must_use]
pub fn summary(rows: &[RoundingRow]) -> RoundingSummary {
    let mut s = RoundingSummary::default();
    for row in rows {
        if let Some(good) = row.as_good() {
            s.compared += 1;
            s.as_good += usize::from(good);
            s.seconds += row.seconds;
            s.their_seconds += row.theirs.and_then(|t| t.seconds).unwrap_or(0.0);
        }
        if let Some((_, best)) = row.best_published() {
            s.published += 1;
            s.at_most_published += usize::from(row.absolute.is_some_and(|ours| ours.0 <= best * SLACK));
        }
        s.contradicted += usize::from(row.contradicted());
        if row.suite != "paper69" {
            s.formulas += 1;
            s.met += usize::from(row.status == RoundingStatus::Met);
            s.missed += usize::from(row.status == RoundingStatus::Missed);
        }
    }
    s
}
