//! What a run is asked for, what it is told from outside, and what it gives.

use super::phases::Phases;
use super::{Counts, Judged, Row, Test};
use crate::csp::Encoding;
use crate::halt;
use crate::mutate::{OperatorSet, Sample};
use crate::oracle::DEFAULT_CAP;
use crate::solve::{Limits, SearchEnd, Stats};
use crate::spec::EmptyRange;
use crate::threads::Threads;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Every knob of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which mutants to make. Default: full.
    pub operators: OperatorSet,
    /// Bounds of the search for one mutant.
    pub limits: Limits,
    /// The most boxes of all searches together; a search that is cut short by it has had its first turns. Unit: boxes.
    /// Default: no such bound.
    pub all_boxes: u64,
    /// How "must differ" is written. Default: separation.
    pub encoding: Encoding,
    /// The last precision of the oracle's ladder. Unit: bits. Default: 3840.
    pub precision_cap: u32,
    /// Whether to look for proofs by normal forms and laws before, between and after the searches for mutants of the
    /// formula. Ranges and accuracies, which have no such search, are proved either way. Default: yes.
    pub proofs: bool,
    /// Keep as few tests as kill the same mutants. Default: no.
    pub minimize: bool,
    /// Add the tests that a reviewer expects: ends of ranges, special values, zeros, extremes and kinks. Default: no.
    pub boundary: bool,
    /// Inputs that are tests whatever they kill, with the reason for each. What lies outside of the domain is left out.
    /// Default: none.
    pub given: Vec<(Vec<f64>, String)>,
    /// Inputs of earlier tests, tried before all others, in this order. Default: none.
    pub earlier: Vec<Vec<f64>>,
    /// The memory that a run may use. Unit: bytes. Default: 1 GiB. Of a specification with more mutants than that has
    /// room for some are made, evenly spread, and judged part after part.
    pub max_memory: u64,
    /// Make and judge no more mutants than there is room for with each whole, however large the formula: for what reads all
    /// verdicts. Default: no.
    pub whole: bool,
    /// Threads, where [`Interrupt::threads`] says nothing else. The result does not depend on it. Default: the machine's.
    pub jobs: usize,
}

/// See [`Options::max_memory`].
pub const DEFAULT_MEMORY: u64 = 1 << 30;

impl Default for Options {
    fn default() -> Self {
        Options {
            operators: OperatorSet::Full,
            limits: Limits::default(),
            all_boxes: u64::MAX,
            encoding: Encoding::default(),
            precision_cap: DEFAULT_CAP,
            proofs: true,
            minimize: false,
            boundary: false,
            given: Vec::new(),
            earlier: Vec::new(),
            max_memory: DEFAULT_MEMORY,
            whole: false,
            jobs: Threads::default().most(),
        }
    }
}

/// Takes a mutant's id and the answer of its search.
pub type TellSolved<'a> = dyn Fn(&str, &Solved) + Sync + 'a;

/// Told from outside: a flag that stops a run early, and answers known from an earlier run that was stopped.
#[derive(Default)]
pub struct Interrupt<'a> {
    /// Set to stop; what is done is kept.
    pub stop: Option<&'a AtomicBool>,
    /// Solver answers of an earlier run, by mutant id.
    pub known: HashMap<String, Solved>,
    /// Called with (mutants judged, mutants in all).
    pub progress: Option<&'a (dyn Fn(usize, usize) + Sync)>,
    /// Threads that are shared with other work.
    pub threads: Option<Threads>,
    /// Called with a mutant's id and the answer of its search, as soon as that is known.
    pub solved: Option<&'a TellSolved<'a>>,
}

impl Interrupt<'_> {
    /// The threads of a run.
    pub(super) fn threads_of(&self, options: &Options) -> Threads {
        self.threads.clone().unwrap_or_else(|| Threads::new(options.jobs))
    }

    pub(super) fn stopped(&self) -> bool {
        self.stop.is_some_and(|s| s.load(Ordering::Relaxed)) || halt::requested()
    }
}

/// The solver's answer for one mutant, as kept for resuming.
#[derive(Clone, Debug)]
pub struct Solved {
    /// What the search ended with.
    pub answer: SearchEnd,
    /// What it cost, all turns together.
    pub stats: Stats,
    /// The turn in which the mutant got it, from 0: a resumed run must find it no earlier.
    pub turn: u32,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Generated {
    /// All mutants in the order of their enumeration, judged.
    pub mutants: Vec<Judged>,
    /// The tests in the order in which they were found.
    pub tests: Vec<Test>,
    /// A row a test, a cell a mutant.
    pub matrix: Vec<Row>,
    /// The counts of it.
    pub counts: Counts,
    /// The solver's answers by mutant id: what a resumed run need not search again.
    pub solved: Vec<(String, Solved)>,
    /// Boxes of all searches.
    pub boxes: u64,
    /// Evaluations of a mutant at a point or on a box: probes, searches and the kill matrix.
    pub evaluations: u64,
    /// Where the time went.
    pub phases: Phases,
    /// Whether the run was stopped early, by a person or for its memory.
    pub interrupted: bool,
    /// Whether it was for its memory. Then it cannot be repeated exactly.
    pub out_of_memory: bool,
    /// Which mutants were made, where there was no room for all.
    pub sample: Option<Sample>,
    /// How many changes of loops are no mutants: see [`Made::left_out`](crate::mutate::Made::left_out).
    pub left_out: usize,
    /// Whether it is large: each mutant is written by what it changes, and the matrix has the first kill of most.
    pub is_large: bool,
}

/// Why there is no run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRun {
    /// The domain holds no input.
    EmptyRange(EmptyRange),
    /// f has no value anywhere in its domain.
    NowhereDefined,
    /// No input was found at which f surely has a value and the accuracy can be met.
    NoInputFound,
}

impl std::fmt::Display for NoRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoRun::EmptyRange(e) => e.fmt(f),
            NoRun::NowhereDefined => f.write_str("the function has no value anywhere in its domain"),
            NoRun::NoInputFound => f.write_str(
                "no input was found in the domain at which the function surely has a value and the accuracy can be met",
            ),
        }
    }
}

impl std::error::Error for NoRun {}

impl From<EmptyRange> for NoRun {
    fn from(e: EmptyRange) -> Self {
        NoRun::EmptyRange(e)
    }
}

impl From<NoRun> for String {
    fn from(e: NoRun) -> Self {
        e.to_string()
    }
}
