//! The largest error of a program that a short search finds: a bound from below, beside the proved one from above.

use super::cover::RealFunction;
use super::edges::{EDGES, edges};
use super::goal::Goal;
use crate::floats::{from_rank, rank};
use crate::num::float::rational_to_f64;
use crate::num::mpfr::{Float, Round};
use crate::num::{Interval, MpInterval};
use crate::oracle::quick::QuickTolerance;
use crate::points::Bracket;
use crate::points::probes::{many, probes};
use crate::program::Program;
use crate::spec::InputBox;
use crate::tape::eval::{Boxes, Enclosure, Multi, mp_truth};
use crate::tape::evaluate;

/// An error found at an input.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundError {
    /// The error, in the goal's unit, rounded down; infinite where the result is no finite number.
    pub error: f64,
    /// The input.
    pub at: Vec<f64>,
}

/// Precisions at which the exact value is enclosed until the error is known well enough.
const PRECISIONS: [u32; 3] = [128, 512, 2048];
/// Climbs start from so many of the worst points.
const STARTS: usize = 3;

/// So many pairs of inputs are looked at for what lies between them.
const PAIRS: usize = 6;
/// The most steps down to where the result is small, and how many there are for each input that is looked at: they cost no
/// multiple precision.
const DESCENT: usize = 3000;
const DOWN: usize = 4;
/// The most halvings of the way between two inputs.
const HALVINGS: u32 = 80;

/// Look for a large error of a program at about so many inputs: probe points, zeros and ends of the domain between them, for
/// a tolerance the edges of what it computes on the way, unless there are to be fewer inputs than that looks at, then climbs from the worst ones by steps in the order of the floats.
/// `None` if no input of the domain was met.
#[must_use]
pub fn find(
    program: &Program,
    exact: RealFunction<'_>,
    domain: &InputBox,
    goal: Goal<'_>,
    evaluations: usize,
) -> Option<FoundError> {
    let mut judge = Judge { program, exact, goal, values: Vec::new(), scratch: Vec::new() };
    let mut points = probes(domain);
    points.extend(many(domain, evaluations / 2));
    points.truncate(evaluations / 2 + 1);
    if let Goal::Tolerance(accuracy) = goal
        && evaluations >= EDGES
    {
        points.extend(edges(domain, program, accuracy));
    }
    let mut best: Vec<FoundError> = Vec::new();
    // Inputs outside, and inside with either sign of the result: between them are ends of the domain and zeros.
    let mut kinds: [Vec<Vec<f64>>; 3] = Default::default();
    for at in points {
        let kind = match judge.error(&at) {
            None => 0,
            Some(error) => {
                let kind = if judge.is_negative(&at) { 1 } else { 2 };
                keep(&mut best, FoundError { error, at: at.clone() });
                kind
            }
        };
        if kinds[kind].len() < PAIRS {
            kinds[kind].push(at);
        }
    }
    let [outside, negative, positive] = kinds;
    let ends = |judge: &mut Judge<'_>, x: &[f64]| judge.error(x).is_none();
    let zeros = |judge: &mut Judge<'_>, x: &[f64]| judge.is_negative(x);
    let way = |(a, b): (&Vec<f64>, &Vec<f64>)| Bracket { before: a.clone(), after: b.clone() };
    for pair in outside.iter().zip(negative.iter().chain(&positive)) {
        between(&mut judge, domain, way(pair), ends, &mut best);
    }
    for pair in negative.iter().zip(&positive) {
        between(&mut judge, domain, way(pair), zeros, &mut best);
    }
    let each = evaluations / 2 / STARTS;
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    // Where the result is small, a small error is a large one of it.
    for start in best.clone() {
        let mut least = (judge.size(&start.at), start.at);
        for _ in 0..DESCENT.min(evaluations * DOWN) {
            let at = step(&least.1, domain, &mut state);
            let size = judge.size(&at);
            if size < least.0 {
                least = (size, at);
            }
        }
        if let Some(error) = judge.error(&least.1) {
            keep(&mut best, FoundError { error, at: least.1 });
        }
    }
    for mut top in best.clone() {
        for _ in 0..each {
            if top.error.is_infinite() || top.at.is_empty() {
                break;
            }
            let at = step(&top.at, domain, &mut state);
            if let Some(error) = judge.error(&at).filter(|e| *e > top.error) {
                top = FoundError { error, at };
            }
        }
        keep(&mut best, top);
    }
    best.into_iter().next()
}

/// The largest error of a program at some inputs; where it is above 1 only if `counts` says so. `None` if none of them is
/// surely in the domain. Of a tolerance, errors that surely are at most `ignored` may be left out, which is far cheaper.
#[must_use]
pub fn largest_of(
    program: &Program,
    exact: RealFunction<'_>,
    goal: Goal<'_>,
    points: &[Vec<f64>],
    ignored: f64,
    mut counts: impl FnMut(&[f64]) -> bool,
) -> Option<FoundError> {
    let mut judge = Judge { program, exact, goal, values: Vec::new(), scratch: Vec::new() };
    let mut quick = Quick::new(exact, goal);
    let mut largest: Option<FoundError> = None;
    for at in points {
        let least = largest.as_ref().map_or(ignored, |l| l.error.max(ignored));
        if quick.as_mut().is_some_and(|q| q.is_at_most(least, at, program.point(at, &mut judge.scratch))) {
            continue;
        }
        let Some(error) = judge.error(at) else { continue };
        let is_larger = largest.as_ref().is_none_or(|l| error > l.error);
        if is_larger && (error <= 1.0 || counts(at)) {
            largest = Some(FoundError { error, at: at.clone() });
        }
    }
    largest
}

/// Sees by binary64 intervals that an error is small.
struct Quick<'a> {
    exact: RealFunction<'a>,
    tolerance: QuickTolerance,
    point: Vec<Interval>,
    values: Vec<Enclosure>,
}

impl<'a> Quick<'a> {
    fn new(exact: RealFunction<'a>, goal: Goal<'_>) -> Option<Self> {
        let Goal::Tolerance(accuracy) = goal else { return None };
        let tolerance = QuickTolerance::new(accuracy);
        Some(Quick { exact, tolerance, point: Vec::new(), values: Vec::new() })
    }

    /// Whether the error of a result surely is no larger, in units of the tolerance.
    fn is_at_most(&mut self, most: f64, at: &[f64], y: f64) -> bool {
        if most <= 0.0 || !y.is_finite() {
            return false;
        }
        self.point.clear();
        self.point.extend(at.iter().map(|x| Interval::point(*x)));
        evaluate(self.exact.tape, &mut Boxes { inputs: &self.point }, &mut self.values);
        let f = &self.values[self.exact.root.index()];
        if !f.def.is_true() || !f.x.is_bounded() {
            return false;
        }
        let distance = (Interval::point(y) - f.x).abs().sup();
        let room = Interval::point(self.tolerance.bounds(f.x).0) * Interval::point(most);
        distance <= room.inf()
    }
}

/// Halve the way from one input to another, of which `holds` tells the first, and look at errors at both sides of where it
/// ceases to hold.
fn between(
    judge: &mut Judge<'_>,
    domain: &InputBox,
    ends: Bracket<Vec<f64>>,
    holds: impl Fn(&mut Judge<'_>, &[f64]) -> bool,
    best: &mut Vec<FoundError>,
) {
    let middle = |a: &Vec<f64>, b: &Vec<f64>| {
        let middle: Vec<f64> = a.iter().zip(b).map(|(x, y)| 0.5 * x + 0.5 * y).collect();
        Some(domain.clamp(&middle)).filter(|middle| middle != a && middle != b)
    };
    let ends = ends.bisect(HALVINGS, middle, |x| Some(holds(judge, x)));
    for at in [ends.before, ends.after] {
        if let Some(error) = judge.error(&at) {
            keep(best, FoundError { error, at });
        }
    }
}

/// Keep the worst few, the worst first.
fn keep(best: &mut Vec<FoundError>, one: FoundError) {
    let place = best.partition_point(|b| b.error >= one.error);
    if place < STARTS {
        best.insert(place, one);
        best.truncate(STARTS);
    }
}

/// Another point of the domain: one or all inputs moved by a step of any size in the order of the floats.
fn step(from: &[f64], domain: &InputBox, state: &mut u64) -> Vec<f64> {
    // A linear congruential generator (Knuth), its upper bits.
    let mut random = || {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as i64
    };
    let only = random() as usize % (from.len() + 1);
    let mut to = from.to_vec();
    for (i, x) in to.iter_mut().enumerate() {
        if only < from.len() && i != only {
            continue;
        }
        let size = 1i64 << (random() % 56);
        let offset = (random() % size + 1) * if random() % 2 == 0 { 1 } else { -1 };
        let range = domain.ranges[i];
        let n = rank(*x).saturating_add(offset).clamp(rank(range.inf()), rank(range.sup()));
        *x = from_rank(n);
    }
    domain.clamp(&to)
}

/// Measures errors at single inputs.
struct Judge<'a> {
    program: &'a Program,
    exact: RealFunction<'a>,
    goal: Goal<'a>,
    values: Vec<MpInterval>,
    scratch: Vec<f64>,
}

impl Judge<'_> {
    /// The magnitude of the result at an input.
    fn size(&mut self, at: &[f64]) -> f64 {
        self.program.point(at, &mut self.scratch).abs()
    }

    /// Whether the result at an input is negative.
    fn is_negative(&mut self, at: &[f64]) -> bool {
        self.program.point(at, &mut self.scratch) < 0.0
    }

    /// A lower bound of the error at an input; `None` if it is not surely in the domain or the exact value is not known.
    fn error(&mut self, at: &[f64]) -> Option<f64> {
        for precision in PRECISIONS {
            let inputs: Vec<MpInterval> = at.iter().map(|x| MpInterval::from_f64(*x, precision)).collect();
            evaluate(self.exact.tape, &mut Multi { inputs: &inputs, precision }, &mut self.values);
            let inside = |v: &MpInterval| v.def.is_true() && mp_truth(v).is_true();
            let f = &self.values[self.exact.root.index()];
            if f.def.is_false() {
                return None;
            }
            if !f.def.is_true() || !f.lo.is_finite() || !f.hi.is_finite() {
                continue;
            }
            if !self.exact.conditions.iter().all(|c| inside(&self.values[c.index()])) {
                return None;
            }
            let y = self.program.point(at, &mut self.scratch);
            if !y.is_finite() {
                return Some(self.where_asked(f64::INFINITY, f));
            }
            // The distance from the nearer end of the enclosure, and the width.
            let below = Float::with_val_round(precision, &f.lo - y, Round::Down).0;
            let above = Float::with_val_round(precision, y - &f.hi, Round::Down).0;
            let distance = if below > above { below } else { above };
            let width = Float::with_val_round(precision, &f.hi - &f.lo, Round::Up).0;
            if distance <= 0 && width == 0 {
                return Some(0.0);
            }
            if distance > 0 && distance.clone() >> 20u32 > width {
                return Some(self.where_asked(self.in_units(&distance, f), f));
            }
        }
        None
    }

    /// The error, but 0 where it is above the tolerance and so is that of every number: no result is asked for there.
    fn where_asked(&self, error: f64, f: &MpInterval) -> f64 {
        if error <= 1.0 || !matches!(self.goal, Goal::Tolerance(_)) {
            return error;
        }
        let format = self.program.nodes()[self.program.result().index()].format;
        let near = format.round(f.lo.to_f64());
        let meets = |y: &f64| y.is_finite() && self.in_units(&Float::with_val(64, &f.lo - y).abs(), f) <= 1.0;
        if [near, format.predecessor(near), format.successor(near)].iter().any(meets) { error } else { 0.0 }
    }

    /// A distance in the goal's unit, rounded down.
    fn in_units(&self, distance: &Float, f: &MpInterval) -> f64 {
        let size = if f.hi > 0 && f.lo.clone().abs() <= f.hi { f.hi.clone() } else { f.lo.clone().abs() };
        let unit = match self.goal {
            Goal::Absolute => Float::with_val(64, 1),
            Goal::Relative => size,
            Goal::Tolerance(a) => {
                let scaled = |r: &crate::num::Rational| {
                    Float::with_val_round(64, rational_to_f64(r, Round::Up) * size.clone(), Round::Up).0
                };
                let rel = a.rel.as_ref().map(scaled);
                let abs = a.abs.as_ref().map(|a| Float::with_val(64, rational_to_f64(a, Round::Up)));
                let ulps = a.ulps.as_ref().map(|(n, format)| {
                    // MPFR's exponent is of a mantissa below 1.
                    let e = size.get_exp().map_or(format.emin(), |e| e - 1);
                    let ulp = Float::with_val(64, 1) << format.ulp_exponent(e);
                    Float::with_val_round(64, rational_to_f64(n, Round::Up) * ulp, Round::Up).0
                });
                let larger = |x: Float, y: Float| if x > y { x } else { y };
                [rel, abs, ulps].into_iter().flatten().fold(Float::with_val(64, 0), larger)
            }
        };
        if unit == 0 {
            return f64::INFINITY;
        }
        Float::with_val_round(64, distance / &unit, Round::Down).0.to_f64_round(Round::Down)
    }
}
