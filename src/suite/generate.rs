//! The main job: from a specification to tests, a kill matrix, and a status for every mutant.

use super::bits::Bits;
use super::engine::{Engine, Examined, root_of};
use super::phases::{Phases, Watch};
use super::searches::solve;
use super::somewhere::{Somewhere, somewhere};
use super::{
    Cell, Counts, Expectation, Judged, NearMiss, Origin, Test, accuracy, batches, bounds, edges, evaluations, proofs,
    regions,
};
use crate::csp::decide::seems_killed;
use crate::csp::tolerance::Guess;
use crate::csp::verify::GLANCE;
use crate::csp::{Encoding, Pair};
use crate::halt;
use crate::mutate::{Mutant, OperatorSet, Sample, mutants_within};
use crate::num::Rational;
use crate::oracle::{DEFAULT_CAP, Ladder, Seen, ValidSet};
use crate::solve::probes::{LANES, lanes, probes};
use crate::solve::{Answer, Limits, Stats};
use crate::spec::Spec;
use crate::tape::eval::Points;
use crate::tape::{NodeId, Tape, evaluate};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Every knob of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which mutants to make. Default: full.
    pub operators: OperatorSet,
    /// Bounds of the search for one mutant.
    pub limits: Limits,
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
    /// The memory that a run may use. Unit: bytes. Default: 1 GiB. Of a specification with more mutants than that has
    /// room for some are made, evenly spread, and judged part after part.
    pub max_memory: u64,
    /// Threads of the solver. The result does not depend on it. Default: the machine's.
    pub jobs: usize,
}

/// See [`Options::max_memory`].
pub const DEFAULT_MEMORY: u64 = 1 << 30;

impl Default for Options {
    fn default() -> Self {
        Options {
            operators: OperatorSet::Full,
            limits: Limits::default(),
            encoding: Encoding::default(),
            precision_cap: DEFAULT_CAP,
            proofs: true,
            minimize: false,
            boundary: false,
            max_memory: DEFAULT_MEMORY,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
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
    /// Called with a mutant's id and the answer of its search, as soon as that is known.
    pub solved: Option<&'a TellSolved<'a>>,
}

impl Interrupt<'_> {
    pub(super) fn stopped(&self) -> bool {
        self.stop.is_some_and(|s| s.load(Ordering::Relaxed)) || halt::requested()
    }
}

/// The solver's answer for one mutant, as kept for resuming.
#[derive(Clone, Debug)]
pub struct Solved {
    /// What the search ended with.
    pub answer: Answer,
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
    pub matrix: Vec<Vec<Cell>>,
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
}

/// Make the mutants of `spec`, find tests that kill them, prove those that cannot be killed.
///
/// # Errors
/// A sentence that says why there can be no test: an input range without a representable value, or f defined nowhere.
pub fn generate(spec: &Spec, options: &Options, interrupt: &Interrupt<'_>) -> Result<Generated, String> {
    let mut watch = Watch::start();
    let made = mutants_within(spec, &options.operators, options.max_memory / SHARE_OF_MUTANTS);
    let time = watch.lap(Duration::ZERO);
    let mut generated = generate_for(spec, made.mutants, options, interrupt)?;
    generated.phases.mutants += time;
    generated.sample = made.sample;
    Ok(generated)
}

/// One part of so many of the memory is for the mutants with their texts.
const SHARE_OF_MUTANTS: u64 = 2;
/// The memory that one node of the tape of a batch takes, with its values in several kinds of arithmetic. Unit: bytes.
const BYTES_A_NODE: u64 = 1 << 10;

/// The same for some mutants of `spec` only; none at all still checks that there is an input to test.
///
/// # Errors
/// See [`generate`].
pub fn generate_for(
    spec: &Spec,
    made: Vec<Mutant>,
    options: &Options,
    interrupt: &Interrupt<'_>,
) -> Result<Generated, String> {
    let work = || batches::judge(spec, made, options, interrupt);
    let (result, reason) = halt::watched(interrupt.stop, Some(options.max_memory), work);
    let mut generated = result?;
    generated.out_of_memory = reason == Some(halt::Reason::Memory);
    Ok(generated)
}

/// The nodes after which a batch of mutants is full.
pub(super) fn nodes_of_a_batch(options: &Options) -> usize {
    usize::try_from(options.max_memory / BYTES_A_NODE).unwrap_or(usize::MAX)
}

/// What the turn of a batch gave, beside what the engine holds.
#[derive(Default)]
pub(super) struct Turn {
    pub(super) solved: Vec<(String, Solved)>,
    pub(super) boxes: u64,
    pub(super) evaluations: u64,
    pub(super) phases: Phases,
}

/// Judge the mutants of an engine. `is_first` says that the specification itself has not been looked at before.
pub(super) fn judge(
    engine: &mut Engine<'_>,
    options: &Options,
    interrupt: &Interrupt<'_>,
    is_first: bool,
) -> Result<Turn, String> {
    let mut watch = Watch::start();
    let mut phases = Phases::default();
    let mut points = probes(&engine.domain);
    if is_first {
        is_defined_somewhere(engine, &points)?;
    }
    let candidates = if regions::are_asked_for(engine) { regions::candidates(engine) } else { Vec::new() };
    points.extend(candidates.iter().map(|c| c.input.clone()));
    let mut probed = points.len() * engine.open_bodies().len();
    probe(engine, &points, interrupt);
    regions::fill(engine, &candidates);
    regions::settle(engine, interrupt);
    phases.probes = watch.lap(engine.oracle_time());
    if options.proofs {
        proofs::prove(engine, interrupt);
    }
    phases.proofs = watch.lap(engine.oracle_time());
    probed += edges::probe(engine, &points, interrupt);
    phases.probes += watch.lap(engine.oracle_time());
    let (solved, work) = solve(engine, options, interrupt);
    phases.solver = watch.lap(engine.oracle_time());
    if !interrupt.stopped() {
        bounds::judge(engine, options.limits.boxes, interrupt);
        accuracy::judge(engine, options.limits.boxes, interrupt);
    }
    probed += evaluations::judge(engine, options, interrupt) as usize;
    near_misses(engine, &points, interrupt);
    engine.name_the_same();
    phases.others = watch.lap(engine.oracle_time());
    phases.oracle = engine.oracle_time();
    let evaluations = (probed + engine.tests.len() * engine.kinds.len()) as u64 + work.boxes + work.points;
    Ok(Turn { solved, boxes: work.boxes, evaluations, phases })
}

/// That there is an input to test.
fn is_defined_somewhere(engine: &Engine<'_>, points: &[Vec<f64>]) -> Result<(), String> {
    let asks_result = |e: Examined| matches!(e.expectation, Expectation::Result(_));
    if points.iter().any(|p| engine.glance(p).is_some_and(asks_result))
        || points.iter().take(SECOND_LOOKS).any(|p| has_value(engine, p))
    {
        return Ok(());
    }
    defined_somewhere(engine)
}

/// Whether the conditions hold at an input and f has a value there with a result to ask for.
fn has_value(engine: &Engine<'_>, input: &[f64]) -> bool {
    engine.examine(input).is_some_and(|e| matches!(e.expectation, Expectation::Result(_)))
}

/// Look for one input at which f has a value and the conditions hold: no probe had one.
fn defined_somewhere(engine: &Engine<'_>) -> Result<(), String> {
    let found = somewhere(engine, engine.domain.ranges.clone(), |x| has_value(engine, x));
    match found {
        Somewhere::At(_) => Ok(()),
        // Not looked at to the end.
        Somewhere::NotFound if halt::requested() => Ok(()),
        Somewhere::Nowhere => Err("the function has no value anywhere in its domain".into()),
        Somewhere::NotFound => {
            Err("no input was found in the domain at which the function surely has a value and the \
                                    accuracy can be met"
                .into())
        }
    }
}

/// How many probe points that a glance does not settle are examined up to the cap of the precision. Where the whole
/// range of a format is the domain, powers of huge numbers are never settled, and each examination costs much.
const SECOND_LOOKS: usize = 64;

/// The probe points, best first: each time the one that kills most of what is left.
fn probe(engine: &mut Engine<'_>, points: &[Vec<f64>], interrupt: &Interrupt<'_>) {
    let mut second_looks = SECOND_LOOKS;
    let open = engine.open_bodies();
    let roots: Vec<NodeId> = open.iter().filter_map(|i| root_of(engine, *i)).collect();
    // kills[p]: the mutants open[k] that point p seems to kill, of which there are left[p].
    let mut kills = predicted(engine, &roots, points);
    let mut left: Vec<usize> = kills.iter().map(Bits::count).collect();
    let mut counted: Vec<bool> = vec![true; open.len()];
    while !interrupt.stopped() {
        let best = left.iter().enumerate().max_by_key(|(p, left)| (**left, points.len() - p));
        let Some((p, _)) = best.filter(|(_, left)| **left > 0) else { break };
        let targets: Vec<usize> = kills[p].ones().map(|k| open[k]).collect();
        let mut examined = engine.glance(&points[p]);
        if examined.is_none() && second_looks > 0 {
            second_looks -= 1;
            examined = engine.examine(&points[p]);
        }
        if let Some(examined) = examined {
            let row = engine.row(&examined);
            let target = targets.iter().find(|i| engine.is_open(**i) && matches!(row[**i], Cell::Ko { .. }));
            // A row that was not finished is none.
            if let Some(&target) = target.filter(|_| !interrupt.stopped()) {
                engine.add(examined, row, Origin::Probe, target);
            }
        }
        (kills[p], left[p]) = (Bits::new(open.len()), 0);
        for (k, _) in open.iter().enumerate().filter(|(_, i)| !engine.is_open(**i)) {
            if std::mem::take(&mut counted[k]) {
                kills.iter_mut().zip(&mut left).for_each(|(kills, left)| *left -= usize::from(kills.clear(k)));
            }
        }
    }
}

/// Binary64 arithmetic says at which points which mutants differ by more than the tolerances. A guess: every kill is
/// verified later. What is not looked at any more when the work is to end early seems to kill nothing.
pub(super) fn predicted(engine: &Engine<'_>, roots: &[NodeId], points: &[Vec<f64>]) -> Vec<Bits> {
    let mut all = vec![engine.root];
    all.extend(roots);
    let (tape, at): (Tape, Vec<NodeId>) = engine.tape.extract(&all);
    let tolerance = Guess::new(&engine.spec.accuracy);
    let mut values: Vec<[f64; LANES]> = Vec::new();
    let mut kills = vec![Bits::new(roots.len()); points.len()];
    for (chunk, kills) in points.chunks(LANES).zip(kills.chunks_mut(LANES)) {
        if halt::requested() {
            break;
        }
        evaluate(&tape, &mut Points { inputs: &lanes(chunk, tape.inputs()) }, &mut values);
        for (l, kills) in kills.iter_mut().enumerate() {
            let f = values[at[0].index()][l];
            for (k, g) in at[1..].iter().enumerate() {
                if seems_killed(f, values[g.index()][l], &tolerance, &tolerance) {
                    kills.set(k);
                }
            }
        }
    }
    kills
}

/// For what is left undecided, the probe at which it comes nearest to a kill, in binary64 arithmetic.
fn near_misses(engine: &mut Engine<'_>, points: &[Vec<f64>], interrupt: &Interrupt<'_>) {
    let tolerance = Guess::new(&engine.spec.accuracy);
    for mutant in engine.open_bodies() {
        if interrupt.stopped() {
            return;
        }
        let Some(pair) = engine.pair(mutant) else { continue };
        let mut values: Vec<[f64; LANES]> = Vec::new();
        let mut best: Option<NearMiss> = None;
        for chunk in points.chunks(LANES) {
            evaluate(&pair.tape, &mut Points { inputs: &lanes(chunk, pair.tape.inputs()) }, &mut values);
            for (l, point) in chunk.iter().enumerate() {
                let (f, g) = (values[pair.f.index()][l], values[pair.g.index()][l]);
                let ratio = (f - g).abs() / (tolerance.at(f) + tolerance.at(g));
                let is_best = ratio.is_finite() && best.as_ref().is_none_or(|b| ratio > b.ratio);
                if is_best && engine.inside(point) {
                    best = Some(NearMiss { input: point.clone(), ratio });
                }
            }
        }
        engine.judged[mutant].near_miss = best.and_then(|b| exactly(engine, &pair, b));
    }
}

/// A near miss with its ratio from multiple precision: binary64 arithmetic may take one ulp for two where f is just below a
/// power of two, and rounding errors for a difference. None where so many bits do not show the ratio.
fn exactly(engine: &Engine<'_>, pair: &Pair, miss: NearMiss) -> Option<NearMiss> {
    let mut ladder = Ladder::new(&pair.tape, &miss.input, engine.cap.min(GLANCE));
    let ratio = ladder.first(|ladder, level| {
        let (Seen::Value(f), Seen::Value(g)) = (ladder.see(pair.spec(), level), ladder.see(pair.mutant(), level))
        else {
            return None;
        };
        let room = Rational::from(&f.tolerance.hi + &g.tolerance.hi);
        let distance = (f.middle() - g.middle()).abs();
        let width = |set: &ValidSet| Rational::from(&set.value.hi - &set.value.lo);
        let known = (width(&f) + width(&g)) * 1000 <= distance;
        (known && room > 0).then(|| (distance / room).to_f64())
    })?;
    Some(NearMiss { ratio, ..miss })
}
