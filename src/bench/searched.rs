//! How many planted faults does the search for the worst input find, beside plain ways to choose as many inputs?
//!
//! The folder is that of [`super::faults`].

use super::faults::{FUNCTION, Failure, FaultGroup, programs};
use crate::harness::batch::Caller;
use crate::harness::{HarnessFault, RunLimits, UnderTest};
use crate::num::float::hex;
use crate::oracle::Verdict;
use crate::report::worst::what;
use crate::worst::{DomainPart, PointChoice, SearchEffort, Searched, look};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The ways that are compared, the search first, with their names.
pub const WAYS: [(PointChoice, &str); 4] = [
    (PointChoice::Search, "search"),
    (PointChoice::Numbers, "uniform"),
    (PointChoice::Floats, "log-uniform"),
    (PointChoice::Climb, "hill climber"),
];

/// What to measure with.
#[derive(Clone, Debug)]
pub struct SearchedPlan {
    /// How often each way calls an implementation, for each of its results.
    pub evaluations: u64,
    /// The last precision of the ladder. Unit: bits.
    pub cap: u32,
    /// Threads.
    pub jobs: usize,
    /// How many of [`WAYS`] are tried, at least the search.
    pub ways: usize,
    /// Bounds of a program's run.
    pub limits: RunLimits,
}

/// What one way found in one program.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FoundByWay {
    /// Whether a result surely is wrong.
    pub wrong: bool,
    /// After how many evaluations the first one came that surely is wrong.
    pub first: Option<u64>,
    /// The largest error of a finite result that is settled, in units of the bound and in ulps, with its input.
    pub largest: Option<LargestFound>,
    /// Inputs of the domain that got no finite number, one of each kind, with what came instead.
    pub instead: Vec<(String, Vec<String>)>,
    /// Calls of the program.
    pub evaluations: u64,
    /// How many of them a second.
    pub per_second: f64,
}

/// An error.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LargestFound {
    /// In units of the bound.
    #[serde(deserialize_with = "perhaps_infinite")]
    pub tolerances: f64,
    /// In units in the last place of the exact value.
    #[serde(deserialize_with = "perhaps_infinite")]
    pub ulps: f64,
    /// The input.
    pub at: Vec<String>,
}

impl FoundByWay {
    fn new(searched: &Searched, seconds: f64) -> Self {
        let shown = |input: &[f64]| input.iter().map(|x| hex(*x)).collect::<Vec<_>>();
        let settled = |p: &&DomainPart| p.exact.oracle.verdict(p.result) != Verdict::Uncertain;
        let largest = searched.parts.iter().find(settled).map(|p| LargestFound {
            tolerances: p.exact.tolerances,
            ulps: p.exact.ulps,
            at: shown(&p.input),
        });
        FoundByWay {
            wrong: searched.is_wrong(),
            first: searched.first,
            largest,
            instead: searched.findings.iter().map(|f| (what(&f.answer).to_owned(), shown(&f.input))).collect(),
            evaluations: searched.evaluations,
            per_second: searched.evaluations as f64 / seconds.max(1e-9),
        }
    }

    /// What was found in one result and then in another.
    fn and(self, next: Self) -> Self {
        let seconds = |f: &Self| f.evaluations as f64 / f.per_second;
        let evaluations = self.evaluations + next.evaluations;
        let per_second = evaluations as f64 / (seconds(&self) + seconds(&next));
        let size = |found: &Option<LargestFound>| found.as_ref().map_or(-1.0, |l| l.tolerances);
        FoundByWay {
            wrong: self.wrong || next.wrong,
            first: self.first.or_else(|| next.first.map(|n| n + self.evaluations)),
            largest: if size(&next.largest) > size(&self.largest) { next.largest } else { self.largest },
            instead: [self.instead, next.instead].concat(),
            evaluations,
            per_second,
        }
    }
}

/// What became of one program.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SearchedRow {
    /// The file.
    pub file: String,
    /// The class of its fault; none for a right implementation.
    pub class: Option<String>,
    /// The largest error that is known of one that is neither. Unit: ulps.
    pub known: Option<f64>,
    /// For each way, in the order of [`WAYS`].
    pub found: Vec<FoundByWay>,
}

/// Tries each way on each program. `this` is the program that knows [`crate::harness::CALL`]. Ends early, with what is
/// done, where `stop` is set.
///
/// # Errors
/// Whose fault it is that there is no result, and why.
pub fn measure(
    groups: &[FaultGroup],
    plan: &SearchedPlan,
    this: &Path,
    stop: Option<&AtomicBool>,
    progress: &dyn Fn(&str),
) -> Result<Vec<SearchedRow>, Failure> {
    let mut rows = Vec::new();
    for (group, program) in programs(groups) {
        let file = program.file_name();
        progress(&file);
        let broken = |b: &HarnessFault| Failure::Program(format!("{file}: {}\n{}", b.why, b.errors.join("\n")));
        let target = UnderTest::of_c_source(&program.path, FUNCTION);
        let mut found: Vec<FoundByWay> = Vec::new();
        for spec in &group.specs {
            let prepared = target.prepare(spec, this).map_err(|not| broken(&not.into()))?;
            let (inputs, format) = (spec.inputs.len(), spec.result_format);
            let mut of_result = Vec::new();
            for (way, _) in &WAYS[..plan.ways] {
                let mut caller = Caller::new(&prepared.program, inputs, format, &plan.limits, stop);
                let effort = SearchEffort {
                    evaluations: plan.evaluations,
                    cap: plan.cap,
                    jobs: plan.jobs,
                    starts: &[],
                    progress: None,
                };
                let began = Instant::now();
                let searched = look(*way, spec, &mut caller, &effort);
                let searched = searched.map_err(|input| Failure::Specification(format!("`{input}` has no value")))?;
                if searched.interrupted || stop.is_some_and(|s| s.load(Ordering::Relaxed)) {
                    return Ok(rows);
                }
                if let Some(b) = searched.broken.as_ref().filter(|_| searched.findings.is_empty()) {
                    return Err(broken(b));
                }
                of_result.push(FoundByWay::new(&searched, began.elapsed().as_secs_f64()));
            }
            found = match found.is_empty() {
                true => of_result,
                false => found.into_iter().zip(of_result).map(|(all, next)| all.and(next)).collect(),
            };
        }
        let class = program.fault.as_ref().map(|f| f.class.clone());
        rows.push(SearchedRow { file, class, known: program.known, found });
    }
    Ok(rows)
}

/// A number as JSON has it, which knows no infinite one.
fn perhaps_infinite<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(from)?.unwrap_or(f64::INFINITY))
}

/// What one way came to.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Total {
    /// Its name.
    pub way: &'static str,
    /// Faults that it found.
    pub found: usize,
    /// Right implementations in which it says that something is wrong.
    pub false_alarms: usize,
    /// The median over all faults of the evaluations to the first wrong result; none if half of them show none.
    pub median: Option<u64>,
}

/// The sums for each way.
#[must_use]
pub fn totals(rows: &[SearchedRow]) -> Vec<Total> {
    let of = |k: usize, name: &'static str| {
        let some = |faulty: bool| {
            rows.iter()
                .filter(move |r| r.class.is_some() == faulty && r.known.is_none())
                .filter_map(move |r| r.found.get(k))
        };
        let mut firsts: Vec<u64> = some(true).map(|f| f.first.unwrap_or(u64::MAX)).collect();
        firsts.sort_unstable();
        let median = firsts.get(firsts.len() / 2).copied().filter(|n| *n < u64::MAX);
        let wrong = |faulty| some(faulty).filter(|f| f.wrong).count();
        Total { way: name, found: wrong(true), false_alarms: wrong(false), median }
    };
    let ways = rows.iter().map(|r| r.found.len()).max().unwrap_or_default();
    WAYS.iter().take(ways).enumerate().map(|(k, (_, name))| of(k, name)).collect()
}
