//! Kills of mutants that are programs over floats: a search for inputs at which they lose the accuracy.
//!
//! The error of a program is compared with the tolerance at many inputs, in multiple precision for f and in binary64
//! arithmetic for the program, and where it is large the search climbs by float ordinals. Where it exceeds the tolerance
//! the verdict on all that the program may return decides.

use crate::csp::tolerance::Guess;
use crate::equiv::Prover;
use crate::floats::{from_rank, rank};
use crate::mutate::Change;
use crate::num::mpfr::Float;
use crate::num::{AtMost, Interval, MpInterval, Rational};
use crate::points::spread::spread;
use crate::program::Program;
use crate::rounding::{self, Bound, RealFunction};
use crate::solve::StopReason;
use crate::suite::inputs::places::places;
use crate::suite::inputs::regions;
use crate::suite::run::{Interrupt, Options};
use crate::suite::state::engine::{Engine, Kind};
use crate::suite::state::programs;
use crate::suite::{EquivalenceProof, MatrixCell, NearestMiss, Origin, Reason, Status};
use crate::tape::eval::{Multi, mp_truth};
use crate::tape::lower::lower;
use crate::tape::{Builder, evaluate};
use std::sync::Arc;

/// The precision of f beside a program: enough for what a difference of binary64 numbers loses, most of the time.
const PRECISION: u32 = 160;
/// The most operations for scores, as long as there are so many inputs at least.
const WORK: usize = 60_000_000;
const LEAST: usize = 64;
/// How many points that fill the domain are looked at beside the tests, by number and by magnitude.
const SPREAD: usize = 64;
/// How many inputs are examined in vain.
const TRIES: usize = 120;
/// From how many inputs a climb starts, for each program.
const STARTS: usize = 3;
/// How many inputs a climb looks at, and the most operations in multiple precision of all climbs: from long formulas with
/// many programs each climb looks at fewer, [`LEAST_CLIMB`] at least.
const CLIMB: usize = 160;
const CLIMBS: usize = 24_000_000;
const LEAST_CLIMB: usize = 4;

/// The boxes of a first proof.
const FEW_BOXES: u64 = 64;
/// The last proof has the boxes of a search divided by this: a box of a proof is as dear as several of a search.
const SHARE: u64 = 8;

/// A proof that begins with the boxes of another one may look at this many times as many.
const REFINED: u64 = 2;

/// The most operations on boxes of all proofs of one round.
const PROOFS: u64 = 4_000_000;

/// Judge every open mutant of this kind. Returns how many evaluations of a program it took.
pub(in crate::suite) fn judge(engine: &mut Engine<'_>, options: &Options, interrupt: &Interrupt<'_>) -> u64 {
    let open = engine.open_programs();
    if open.is_empty() || interrupt.stopped() {
        return 0;
    }
    let plain = plain(engine).or_else(|| program_of(engine, open[0]).cloned());
    let known = engine.tests().iter().map(|t| t.input.clone());
    let found = plain.iter().flat_map(|p| places(engine.domain(), p, &engine.spec().accuracy));
    let mut seen = std::collections::HashSet::new();
    // A test may be outside the domain.
    let inside = |p: &Vec<f64>| engine.domain().contains(p);
    let points: Vec<Vec<f64>> = known
        .chain(found)
        .chain(spread(engine.domain(), SPREAD, SPREAD))
        .chain(regions::special_inputs(engine))
        .filter(inside)
        .filter(|p| seen.insert(p.iter().map(|x| x.to_bits()).collect::<Vec<_>>()))
        .collect();
    // Evenly chosen where the programs are long and many.
    let operations: usize = open.iter().filter_map(|m| program_of(engine, *m)).map(|p| p.nodes().len()).sum();
    let most = (WORK / operations.max(1)).max(LEAST);
    let step = points.len().div_ceil(most).max(1);
    let points: Vec<Vec<f64>> = points.into_iter().step_by(step).collect();
    let exact = engine.threads().side_by_side(16, &points, |x| Reference::at(engine, x));
    let (points, exact): (Vec<Vec<f64>>, Vec<Reference>) =
        points.into_iter().zip(exact).filter_map(|(x, r)| Some((x, r?))).unzip();
    let mut scores = engine.threads().side_by_side(1, &open, |mutant| scores(engine, *mutant, &points, &exact));
    let evaluations = open.len() * points.len();
    let all = scores.clone();
    kill(engine, &open, &points, &mut scores);
    kill_barely(engine, &open, &points, &all);
    let mut cover = Vec::new();
    if options.proofs {
        prove(engine, FEW_BOXES, FEW_BOXES, &mut cover, interrupt);
    }
    let open: Vec<(usize, Vec<usize>)> = open
        .iter()
        .zip(&scores)
        .filter(|(mutant, _)| engine.is_open(**mutant))
        .map(|(mutant, scores)| (*mutant, best(scores, STARTS)))
        .collect();
    let looks = CLIMBS / (open.len() * STARTS * engine.own().tape.len()).max(1);
    let looks = looks.clamp(LEAST_CLIMB, CLIMB);
    let climbed = engine.threads().side_by_side(1, &open, |(mutant, starts)| {
        if interrupt.stopped() { Vec::new() } else { climb(engine, *mutant, starts.iter().map(|k| &points[*k]), looks) }
    });
    for ((mutant, _), highest) in open.iter().zip(&climbed) {
        for (_, x) in highest.iter().filter(|(score, _)| *score > 1.0) {
            if !engine.is_open(*mutant) || engine.try_input(x, Origin::Solver, *mutant) {
                break;
            }
        }
    }
    if options.proofs {
        prove(engine, options.limits.boxes / SHARE, options.limits.boxes, &mut cover, interrupt);
    }
    for ((mutant, _), highest) in open.iter().zip(&climbed) {
        if !engine.is_open(*mutant) {
            continue;
        }
        engine.set_near_miss(*mutant, near_miss(engine, *mutant, highest));
        engine.set(*mutant, Status::Undecided(Reason::Stopped(StopReason::Budget)));
    }
    (evaluations + open.len() * STARTS * looks) as u64
}

/// The program of a mutant.
fn program_of<'e>(engine: &'e Engine<'_>, mutant: usize) -> Option<&'e Arc<Program>> {
    if let Kind::Program(program) = &engine.kinds()[mutant] { Some(program) } else { None }
}

/// The body as it is written in the format of the result.
fn plain(engine: &Engine<'_>) -> Option<Arc<Program>> {
    let is_plain = |c: &Change| matches!(c, Change::Evaluation(e) if e.is_plain);
    let mutant = engine.judged().iter().position(|j| is_plain(&j.mutant.change))?;
    program_of(engine, mutant).cloned()
}

/// Values below this are scaled up, for an error among subnormal numbers is a fraction of the least of them.
const SMALL: f64 = 1e-270;
/// By how much: 2^200.
const SCALE: f64 = 1_606_938_044_258_990_275_541_962_092_341_162_602_522_202_993_782_792_835_301_376.0;

/// The value of f at an input, as a sum of two numbers, and the tolerance there.
#[derive(Clone, Copy)]
struct Reference {
    high: f64,
    low: f64,
    tolerance: f64,
    /// What all three are multiplied with, a power of two.
    scale: f64,
}

impl Reference {
    /// None where f is not known to have a value, the input not to be in the domain, or no number near enough to f.
    fn at(engine: &Engine<'_>, x: &[f64]) -> Option<Reference> {
        let own = engine.own();
        let inputs: Vec<MpInterval> = x
            .iter()
            .map(|x| MpInterval::from_rational(&Rational::from_f64(*x).unwrap_or_default(), PRECISION))
            .collect();
        let mut values = Vec::new();
        evaluate(&own.tape, &mut Multi { inputs: &inputs, precision: PRECISION }, &mut values);
        let f = &values[own.f.index()];
        let inside = own.conditions.iter().all(|c| mp_truth(&values[c.index()]).is_true());
        if !inside || !f.def.is_true() || !f.lo.is_finite() {
            return None;
        }
        let value = f.lo.to_f64();
        let scale = if value.abs() < SMALL { SCALE } else { 1.0 };
        let scaled = Float::with_val(PRECISION, &f.lo * scale);
        let high = scaled.to_f64();
        let low = Float::with_val(PRECISION, &scaled - high).to_f64();
        let tolerance = Guess::new(&engine.spec().accuracy).scaled(scale).at(high);
        let reference = Reference { high, low, tolerance, scale };
        let nearest = engine.spec().result_format.round(value);
        (high.is_finite() && (nearest.is_infinite() || reference.score(nearest) <= 1.0)).then_some(reference)
    }

    /// The error of a result in units of the tolerance; infinite for none.
    fn score(&self, y: f64) -> f64 {
        let error = ((y * self.scale - self.high) - self.low).abs();
        if error == 0.0 {
            0.0
        } else if error.is_nan() || self.tolerance == 0.0 {
            f64::INFINITY
        } else {
            error / self.tolerance
        }
    }
}

fn scores(engine: &Engine<'_>, mutant: usize, points: &[Vec<f64>], exact: &[Reference]) -> Vec<f64> {
    let Some(program) = program_of(engine, mutant) else { return vec![0.0; points.len()] };
    let mut values = Vec::new();
    points.iter().zip(exact).map(|(x, r)| r.score(program.point(x, &mut values))).collect()
}

/// The inputs with the largest scores, the earliest of equals.
fn best(scores: &[f64], count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).filter(|k| scores[*k] > 0.0).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    order.truncate(count);
    order
}

/// Add the inputs that kill most of what is open, the surest errors first.
fn kill(engine: &mut Engine<'_>, open: &[usize], points: &[Vec<f64>], scores: &mut [Vec<f64>]) {
    // A library's errors may make good for one that is just beyond the tolerance.
    for least in [8.0, 1.0] {
        let mut tries = TRIES;
        while tries > 0 {
            let alive: Vec<usize> = (0..open.len()).filter(|k| engine.is_open(open[*k])).collect();
            let count = |p: usize| alive.iter().filter(|k| scores[**k][p] > least).count();
            let Some(p) = (0..points.len()).max_by_key(|p| (count(*p), points.len() - p)) else { return };
            let targets: Vec<usize> = alive.into_iter().filter(|k| scores[*k][p] > least).collect();
            if targets.is_empty() {
                break;
            }
            tries -= usize::from(!add(engine, &points[p], targets.iter().map(|k| open[*k])));
            scores.iter_mut().for_each(|s| s[p] = 0.0);
        }
    }
}

/// Scores that are errors of the program, not of its library, and yet no catastrophe.
const BARELY: std::ops::Range<f64> = 4.0..1e4;

/// A fault that a program has in one corner may be half mended there. For each form of the formula that is killed, add the
/// input at which it just fails, unless a test is as near to that already.
fn kill_barely(engine: &mut Engine<'_>, open: &[usize], points: &[Vec<f64>], scores: &[Vec<f64>]) {
    for (mutant, scores) in open.iter().zip(scores) {
        let result = engine.spec().result_format;
        let is_form = program_of(engine, *mutant).is_some_and(|p| p.nodes().iter().all(|n| n.format == result));
        let near =
            |row: &Vec<MatrixCell>| matches!(row[*mutant], MatrixCell::Ko { margin } if BARELY.contains(&margin));
        if !is_form || engine.judged()[*mutant].status != Status::Killed || engine.rows().iter().any(near) {
            continue;
        }
        let mut order: Vec<usize> = (0..points.len()).filter(|p| BARELY.contains(&scores[*p])).collect();
        order.sort_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(a.cmp(b)));
        order.truncate(STARTS);
        let _ = order.iter().any(|p| add(engine, &points[*p], std::iter::once(*mutant)));
    }
}

/// Prove of open mutants that all they may return is valid, with so many boxes for each, and others for the plain one. The
/// plain one comes first: its `cover` is where the others begin, which err much as it does, and to find where to cut takes
/// most of the boxes.
fn prove(engine: &mut Engine<'_>, boxes: u64, of_plain: u64, cover: &mut Cover, interrupt: &Interrupt<'_>) {
    let open = engine.open_programs();
    let operations: usize = open.iter().filter_map(|m| program_of(engine, *m)).map(|p| p.nodes().len()).sum();
    let boxes = boxes.min(PROOFS / operations.max(1) as u64).max(1);
    let is_plain = |m: &usize| matches!(&engine.judged()[*m].mutant.change, Change::Evaluation(e) if e.is_plain);
    let (plain, others): (Vec<usize>, Vec<usize>) = open.into_iter().partition(is_plain);
    // What a reader wants to know first is worth as much as all others together.
    for mutant in plain.into_iter().take_while(|_| !interrupt.stopped()) {
        if let Some(bound) = meets(engine, mutant, of_plain, &[]) {
            cover.clone_from(&bound.cover);
            note(engine, mutant, &bound);
        }
    }
    let boxes = boxes.max(cover.len() as u64 * REFINED);
    let one = |mutant: &usize| if interrupt.stopped() { None } else { meets(engine, *mutant, boxes, cover) };
    let found = engine.threads().side_by_side(1, &others, one);
    for (mutant, bound) in others.into_iter().zip(found) {
        if let Some(bound) = bound {
            note(engine, mutant, &bound);
        }
    }
}

/// Boxes that together hold the domain.
type Cover = Vec<Vec<Interval>>;

/// Note that a mutant meets the accuracy.
fn note(engine: &mut Engine<'_>, mutant: usize, bound: &Bound) {
    let library = program_of(engine, mutant).and_then(|p| p.assumes(engine.ulps()));
    let proof = EquivalenceProof::MeetsAccuracy { boxes: bound.boxes, worst: AtMost(bound.value), library };
    engine.set(mutant, Status::Indistinguishable(proof));
}

/// The proof for one mutant: a bound of its rounding errors, which says something of f only where the program is f over
/// the reals.
fn meets(engine: &Engine<'_>, mutant: usize, boxes: u64, start: &[Vec<Interval>]) -> Option<Bound> {
    let Change::Evaluation(evaluation) = &engine.judged()[mutant].mutant.change else { return None };
    let names: Vec<String> = engine.spec().inputs.iter().map(|i| i.name.clone()).collect();
    let (own, domain) = (engine.own(), engine.domain());
    let mut builder = Builder::on(own.tape.clone());
    let g = lower(&mut builder, &names, &evaluation.body);
    let tape = builder.finish();
    if g != own.f {
        Prover::new(&tape, domain, &own.conditions).with_names(&names).prove_equal(own.f, g)?;
    }
    let exact = RealFunction { tape: &tape, root: own.f, conditions: &own.conditions };
    rounding::meets(&evaluation.program, exact, domain, &engine.spec().accuracy, engine.ulps(), boxes, start)
}

/// Add an input as a test if it kills one of the mutants.
fn add(engine: &mut Engine<'_>, x: &[f64], targets: impl Iterator<Item = usize>) -> bool {
    debug_assert!(engine.domain().contains(x), "{x:?}");
    let Some(examined) = engine.glance(x) else { return false };
    let targets: Vec<usize> = targets.collect();
    let cells = engine.cells(&examined, &targets);
    let killed = targets.iter().zip(cells).find(|(_, cell)| matches!(cell, MatrixCell::Ko { .. }));
    let Some((&target, _)) = killed else { return false };
    let row = engine.row(&examined);
    engine.add(examined, row, Origin::Solver, target);
    true
}

/// Steps by ordinals from some inputs to ones with a larger error; the best of each start, the largest errors first. Of more
/// inputs than it looks at it moves the first.
fn climb<'p>(
    engine: &Engine<'_>,
    mutant: usize,
    starts: impl Iterator<Item = &'p Vec<f64>>,
    looks: usize,
) -> Vec<(f64, Vec<f64>)> {
    let Some(program) = program_of(engine, mutant) else { return Vec::new() };
    let mut values = Vec::new();
    let mut score = |x: &[f64]| {
        let score = Reference::at(engine, x).map_or(0.0, |r| r.score(program.point(x, &mut values)));
        if counts(engine, x, score) { score } else { 0.0 }
    };
    let mut found: Vec<(f64, Vec<f64>)> = Vec::new();
    for start in starts {
        let (mut x, mut height) = (start.clone(), score(start));
        let (mut left, mut exponent) = (looks, 48);
        while left > 0 && height.is_finite() {
            let mut better = None;
            for k in 0..looks.min(2 * x.len()) {
                let step = if k % 2 == 0 { 1i64 << exponent } else { -(1i64 << exponent) };
                let mut y = x.clone();
                y[k / 2] = from_rank(rank(x[k / 2]).saturating_add(step).clamp(-MOST, MOST));
                let y = engine.domain().clamp(&y);
                left = left.saturating_sub(1);
                let now = score(&y);
                if now > better.as_ref().map_or(height, |(best, _)| *best) {
                    better = Some((now, y));
                }
            }
            match better {
                Some((now, y)) => (height, x) = (now, y),
                None if exponent == 0 => break,
                // By threes: neither every binade nor every place of a fraction is worth a look.
                None => exponent = (exponent - 3i32).max(0),
            }
        }
        found.push((height, x));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found
}

/// Whether an error can be blamed on a program: where no result at all is valid, one above the tolerance can not.
fn counts(engine: &Engine<'_>, x: &[f64], score: f64) -> bool {
    score <= 1.0 || engine.examine(x).is_some()
}

/// The ordinal of the largest finite number.
const MOST: i64 = 0x7fef_ffff_ffff_ffff;

/// The input at which everything that a program may return is farthest from f, in units of the tolerance.
fn near_miss(engine: &Engine<'_>, mutant: usize, highest: &[(f64, Vec<f64>)]) -> Option<NearestMiss> {
    let program = program_of(engine, mutant)?;
    let least = |x: &Vec<f64>| {
        let reference = Reference::at(engine, x)?;
        let results = program.results(x, engine.ulps());
        let nearest = programs::nearest(&results, reference.high / reference.scale)?;
        Some(NearestMiss { input: x.clone(), ratio: reference.score(nearest) })
    };
    let known = |m: &NearestMiss| m.ratio.is_finite() && counts(engine, &m.input, m.ratio);
    let found = highest.iter().filter_map(|(_, x)| least(x)).filter(known);
    found.reduce(|a, b| if b.ratio > a.ratio { b } else { a })
}
