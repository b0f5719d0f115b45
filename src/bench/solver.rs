//! The solver alone: one pair after the other, one thread, solve time without reading and lowering.
//!
//! A pair goes through the steps of a run that know pairs (`suite::steps`), in that order: probe points, the proof by normal
//! form, the search. So what is measured is what a mutant costs, and an equivalent is decided by
//! whatever decides it there. The paper's encoding is measured for its own sake: by the search alone.

use super::NotMade;
use super::hard;
pub use super::hard::ExpectedStatus;
use crate::csp::Verifier;
use crate::csp::verify::Rules;
use crate::csp::{Encoding, Pair};
use crate::oracle::DEFAULT_CAP;
use crate::solve::{Limits, SearchEnd, Stats, StopReason};
use crate::spec::{InputBox, Overrides, Spec, parse_file, resolve};
use crate::suite::steps::{Phase, Single};
use crate::tape::lower::lower;
use crate::tape::{Builder, NodeId};
use std::time::{Duration, Instant};

/// The named pairs: easy and hard differences in real formulas, and equivalents of five kinds.
pub const PAIRS: &str = include_str!("pairs.fpcore");

/// One measured pair.
#[derive(Clone, Debug)]
pub struct SolverRow {
    /// The pair.
    pub name: String,
    /// What is known of it.
    pub expected: ExpectedStatus,
    /// The answer.
    pub answer: SearchEnd,
    /// The step that gave it, as it stands in tables.
    pub step: &'static str,
    /// What the search cost.
    pub stats: Stats,
    /// The shortest of the measured solve times: from the pair on its tape to the verified answer.
    pub time: Duration,
}

impl SolverRow {
    /// The answer in a word, and whether it is what was expected: `None` where nothing was decided.
    #[must_use]
    pub fn verdict(&self) -> (&'static str, Option<bool>) {
        match (&self.answer, self.expected) {
            (SearchEnd::Inner { .. }, e) => ("killed", Some(e == ExpectedStatus::Killable)),
            (SearchEnd::Infeasible { .. } | SearchEnd::Equal, e) => {
                ("not killable", Some(e == ExpectedStatus::NotKillable))
            }
            (SearchEnd::Unknown(StopReason::Budget), _) => ("budget", None),
            (SearchEnd::Unknown(_), _) => ("not settled", None),
        }
    }
}

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// How "must differ" is written.
    pub encoding: Encoding,
    /// How often to solve each pair; one that takes long is solved once.
    pub repeat: u32,
    /// Bounds and choices of a search.
    pub limits: Limits,
    /// Leave out probes and normal forms, which would settle most pairs before the search.
    pub search_only: bool,
}

/// A budget far beyond what the named pairs need. Unit: boxes.
pub const BUDGET: u64 = 20_000;

/// What takes longer is not repeated.
const LONG: Duration = Duration::from_millis(100);

/// Measure the named pairs.
///
/// # Errors
/// A sentence, if the pairs cannot be read: a defect of the program.
pub fn pairs(setup: Setup) -> Result<Vec<SolverRow>, NotMade> {
    let file = parse_file(PAIRS.as_bytes());
    (0..file.cores.len() / 2).map(|k| measure(&file, 2 * k, None, setup)).collect()
}

/// Measure the generated families.
///
/// # Errors
/// A sentence, if a family cannot be read: a defect of the program.
pub fn families(setup: Setup) -> Result<Vec<(hard::HardPair, SolverRow)>, NotMade> {
    hard::families()
        .into_iter()
        .map(|pair| {
            let file = parse_file(pair.source.as_bytes());
            let row = measure(&file, 0, Some(pair.expected), setup)?;
            Ok((pair, row))
        })
        .collect()
}

fn measure(
    file: &crate::spec::File,
    index: usize,
    expected: Option<ExpectedStatus>,
    setup: Setup,
) -> Result<SolverRow, NotMade> {
    let read = |i: usize| {
        resolve(file, i, "pairs.fpcore", &Overrides::default())
            .map_err(|d| d.first().map_or("unreadable".into(), |d| d.message.clone()))
    };
    let (spec, mutant) = (read(index)?, read(index + 1)?);
    let expected = expected.unwrap_or_else(|| stated(&mutant));
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let mut b = Builder::new(names.len());
    let (f, g) = (lower(&mut b, &names, &spec.core.body), lower(&mut b, &names, &mutant.core.body));
    let conditions: Vec<NodeId> = spec.constraints.iter().map(|c| lower(&mut b, &names, c)).collect();
    let pair = Pair::extract(b.tape(), f, g, &conditions, &spec.accuracy, &mutant.accuracy);
    let domain = InputBox::new(&spec).map_err(|e| e.to_string())?;
    let rules = Rules { cap: DEFAULT_CAP, format: spec.result_format, response: spec.out_of_range };
    let mut best: Option<(Duration, (SearchEnd, Stats, &'static str))> = None;
    for _ in 0..setup.repeat.max(1) {
        let start = Instant::now();
        let found = solve(&pair, &domain, rules, setup);
        let time = start.elapsed();
        if best.as_ref().is_none_or(|(t, ..)| time < *t) {
            best = Some((time, found));
        }
        if time > LONG {
            break;
        }
    }
    let (time, (answer, stats, step)) = best.ok_or("nothing was measured")?;
    Ok(SolverRow { name: spec.name, expected, answer, step, stats, time })
}

/// What is measured: from the pair on its tape to the verified answer, step by step as the table has them.
fn solve(pair: &Pair, domain: &InputBox, rules: Rules, setup: Setup) -> (SearchEnd, Stats, &'static str) {
    let search_only = setup.encoding != Encoding::Separation || setup.search_only;
    let (encoding, limits, verifier) = (setup.encoding, setup.limits, &mut Verifier::new(pair, rules));
    match (Single { pair, domain, encoding, limits, verifier }).decide(search_only) {
        // Both are the same once the choices are made that the domain decides.
        Some((SearchEnd::Equal, stats, step)) if step.phase == Phase::Search => (SearchEnd::Equal, stats, "choices"),
        Some((answer, stats, step)) => (answer, stats, step.name),
        None => (SearchEnd::Unknown(StopReason::Budget), Stats::default(), "none"),
    }
}

/// What a mutant's `:test-expect` says.
fn stated(mutant: &Spec) -> ExpectedStatus {
    let says = mutant.core.property("test-expect").map(|p| match &p.value {
        crate::spec::core::Value::Data(d) => d.to_string(),
        crate::spec::core::Value::Expr(e) => e.to_string(),
    });
    if says.as_deref() == Some("not-killable") { ExpectedStatus::NotKillable } else { ExpectedStatus::Killable }
}
