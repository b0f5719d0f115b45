//! The main job: from a specification to tests, a kill matrix, and a status for every mutant.

use super::engine::{Engine, Examined, root_of};
use super::phases::{Phases, Watch};
use super::searches::solve;
use super::somewhere::{Somewhere, somewhere};
use super::{
    Cell, Counts, Expectation, Judged, NearMiss, Origin, Test, accuracy, boundary, bounds, edges, evaluations,
    minimize, proofs, regions, subsumption,
};
use crate::csp::Encoding;
use crate::csp::domain::no_value;
use crate::csp::tolerance::Guess;
use crate::mutate::{Mutant, OperatorSet, mutants};
use crate::oracle::DEFAULT_CAP;
use crate::solver::decide::seems_killed;
use crate::solver::probes::{LANES, lanes, probes};
use crate::solver::{Answer, Limits, Stats};
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
    /// Threads of the solver. The result does not depend on it. Default: the machine's.
    pub jobs: usize,
}

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
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// Told from outside: a flag that stops a run early, and answers known from an earlier run that was stopped.
#[derive(Default)]
pub struct Interrupt<'a> {
    /// Set to stop; what is done is kept.
    pub stop: Option<&'a AtomicBool>,
    /// Solver answers of an earlier run, by mutant id.
    pub known: HashMap<String, Solved>,
    /// Called with (mutants judged, mutants in all).
    pub progress: Option<&'a (dyn Fn(usize, usize) + Sync)>,
}

impl Interrupt<'_> {
    pub(super) fn stopped(&self) -> bool {
        self.stop.is_some_and(|s| s.load(Ordering::Relaxed))
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
    /// Whether the run was stopped early.
    pub interrupted: bool,
}

/// Make the mutants of `spec`, find tests that kill them, prove those that cannot be killed.
///
/// # Errors
/// A sentence that says why there can be no test: an input range without a representable value, or f defined nowhere.
pub fn generate(spec: &Spec, options: &Options, interrupt: &Interrupt<'_>) -> Result<Generated, String> {
    let mut watch = Watch::start();
    let made = mutants(spec, &options.operators);
    let time = watch.lap(Duration::ZERO);
    let mut generated = generate_for(spec, made, options, interrupt)?;
    generated.phases.mutants += time;
    Ok(generated)
}

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
    let mut watch = Watch::start();
    let mut phases = Phases::default();
    let mut engine = Engine::new(spec, made, options.precision_cap).map_err(|input| no_value(spec, &input))?;
    engine.jobs = options.jobs;
    phases.mutants = watch.lap(engine.oracle_time());
    let mut points = probes(&engine.domain);
    let asks_result = |e: Examined| matches!(e.expectation, Expectation::Result(_));
    if !points.iter().any(|p| engine.glance(p).is_some_and(asks_result))
        && !points.iter().take(SECOND_LOOKS).any(|p| has_value(&engine, p))
    {
        defined_somewhere(&engine)?;
    }
    if options.boundary
        && let Some(nominal) = boundary::nominal(&engine, &points)
    {
        boundary::add(&mut engine, &nominal);
        regions::expected(&mut engine);
    }
    let candidates = if regions::are_asked_for(&engine) { regions::candidates(&engine) } else { Vec::new() };
    points.extend(candidates.iter().map(|c| c.input.clone()));
    let mut probed = points.len() * engine.open_bodies().len();
    probe(&mut engine, &points);
    regions::fill(&mut engine, &candidates);
    regions::settle(&mut engine, interrupt);
    phases.probes = watch.lap(engine.oracle_time());
    if options.proofs {
        proofs::prove(&mut engine, interrupt);
    }
    phases.proofs = watch.lap(engine.oracle_time());
    probed += edges::probe(&mut engine, &points, interrupt);
    phases.probes += watch.lap(engine.oracle_time());
    let (solved, work) = solve(&mut engine, options, interrupt);
    phases.solver = watch.lap(engine.oracle_time());
    if !interrupt.stopped() {
        bounds::judge(&mut engine, options.limits.boxes);
        accuracy::judge(&mut engine, options.limits.boxes);
    }
    probed += evaluations::judge(&mut engine, options, interrupt) as usize;
    near_misses(&mut engine, &points);
    if options.minimize {
        minimize::minimize(&mut engine.tests, &mut engine.matrix, &engine.judged);
    }
    engine.name_the_same();
    subsumption::note(&mut engine.judged, &engine.matrix);
    let counts = Counts::of(&engine.judged);
    phases.others = watch.lap(engine.oracle_time());
    phases.oracle = engine.oracle_time();
    let evaluations = (probed + engine.tests.len() * engine.kinds.len()) as u64 + work.boxes + work.points;
    let Engine { judged, tests, matrix, .. } = engine;
    Ok(Generated {
        mutants: judged,
        tests,
        matrix,
        counts,
        solved,
        boxes: work.boxes,
        evaluations,
        phases,
        interrupted: interrupt.stopped(),
    })
}

/// Whether the conditions hold at an input and f has a value there with a result to ask for.
fn has_value(engine: &Engine<'_>, input: &[f64]) -> bool {
    engine.examine(input).is_some_and(|e| matches!(e.expectation, Expectation::Result(_)))
}

/// Look for one input at which f has a value and the conditions hold: no probe had one.
fn defined_somewhere(engine: &Engine<'_>) -> Result<(), String> {
    match somewhere(engine, engine.domain.ranges.clone(), |x| has_value(engine, x)) {
        Somewhere::At(_) => Ok(()),
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
fn probe(engine: &mut Engine<'_>, points: &[Vec<f64>]) {
    let mut second_looks = SECOND_LOOKS;
    let open = engine.open_bodies();
    let roots: Vec<NodeId> = open.iter().filter_map(|i| root_of(engine, *i)).collect();
    // kills[p][k]: whether point p seems to kill mutant open[k].
    let mut kills = predicted(engine, &roots, points);
    loop {
        let best = kills.iter().enumerate().max_by_key(|(p, k)| (k.iter().filter(|x| **x).count(), points.len() - p));
        let Some((p, predicted)) = best else { break };
        let targets: Vec<usize> = predicted.iter().zip(&open).filter(|(k, _)| **k).map(|(_, i)| *i).collect();
        if targets.is_empty() {
            break;
        }
        let mut examined = engine.glance(&points[p]);
        if examined.is_none() && second_looks > 0 {
            second_looks -= 1;
            examined = engine.examine(&points[p]);
        }
        if let Some(examined) = examined {
            let row = engine.row(&examined);
            let target = targets.iter().find(|i| engine.is_open(**i) && matches!(row[**i], Cell::Ko { .. }));
            if let Some(&target) = target {
                engine.add(examined, row, Origin::Probe, target);
            }
        }
        kills[p].fill(false);
        for (k, &i) in open.iter().enumerate() {
            if !engine.is_open(i) {
                kills.iter_mut().for_each(|row| row[k] = false);
            }
        }
    }
}

/// Binary64 arithmetic says at which points which mutants differ by more than the tolerances. A guess: every kill is
/// verified later.
pub(super) fn predicted(engine: &Engine<'_>, roots: &[NodeId], points: &[Vec<f64>]) -> Vec<Vec<bool>> {
    let mut all = vec![engine.root];
    all.extend(roots);
    let (tape, at): (Tape, Vec<NodeId>) = engine.tape.extract(&all);
    let tolerance = Guess::new(&engine.spec.accuracy);
    let mut values: Vec<[f64; LANES]> = Vec::new();
    let mut kills = Vec::with_capacity(points.len());
    for chunk in points.chunks(LANES) {
        evaluate(&tape, &mut Points { inputs: &lanes(chunk, tape.inputs()) }, &mut values);
        for (l, f) in values[at[0].index()].iter().copied().enumerate().take(chunk.len()) {
            let killed = |g: &NodeId| seems_killed(f, values[g.index()][l], &tolerance, &tolerance);
            kills.push(at[1..].iter().map(killed).collect());
        }
    }
    kills
}

/// For what is left undecided, the probe at which it comes nearest to a kill, in binary64 arithmetic.
fn near_misses(engine: &mut Engine<'_>, points: &[Vec<f64>]) {
    let tolerance = Guess::new(&engine.spec.accuracy);
    for mutant in engine.open_bodies() {
        let Some(pair) = engine.pair(mutant) else { continue };
        let mut values: Vec<[f64; LANES]> = Vec::new();
        let mut best: Option<NearMiss> = None;
        for chunk in points.chunks(LANES) {
            evaluate(&pair.tape, &mut Points { inputs: &lanes(chunk, pair.tape.inputs()) }, &mut values);
            for (l, point) in chunk.iter().enumerate() {
                let (f, g) = (values[pair.f.index()][l], values[pair.g.index()][l]);
                let ratio = (f - g).abs() / (tolerance.at(f) + tolerance.at(g));
                if ratio.is_finite() && best.as_ref().is_none_or(|b| ratio > b.ratio) {
                    best = Some(NearMiss { input: point.clone(), ratio });
                }
            }
        }
        engine.judged[mutant].near_miss = best;
    }
}
