//! Inputs at which rounding errors are likely to be large: every binade of each input, zeros of what a program computes
//! on the way, both with their neighbourhoods, inputs that nearly equal one another, ends of ranges, results so small
//! that rounding to a subnormal number is about all the tolerance there is, and edges of what is computed on the way.

use crate::floats::{from_rank, rank};
use crate::num::Rational;
use crate::points::Bracket;
use crate::points::probes::{many, probes};
use crate::program::Program;
use crate::rounding::{edges, middle_of};
use crate::spec::{Accuracy, InputBox};
use std::cmp::Ordering;

/// Points of low-discrepancy sequences.
const SEQUENCE: usize = 240;
/// The most binades of one input, evenly chosen.
const BINADES: usize = 48;
/// The most pairs of inputs that are brought near each other.
const PAIRS: usize = 10;
/// Of how many points of the sequence, in turn, changes of sign are looked for; for how many nodes.
const CHANGES: usize = 64;
const NODES: usize = 100;
/// Their sizes beside the largest input, as powers of two.
const OPPOSED: [i32; 3] = [-12, -24, -36];
/// Zeros of one node.
const ZEROS: usize = 3;
/// The most points in all, evenly chosen of each kind.
const KIND: usize = 900;
/// Fractions that no operation takes as exact.
const FRACTIONS: [f64; 4] =
    [1.234_567_890_123_456_7, 1.618_033_988_749_895, 1.376_543_210_987_654_3, 1.913_374_213_374_213];

/// From how many points one goes down to where the result is small.
const DESCENTS: usize = 4;
/// The most inputs looked at on each way, and how many of the last of them are worth a look.
const DESCENT: usize = 1500;
const LOWEST: usize = 8;
/// Sizes of results worth a look, in units of the one at which half the least subnormal number is the tolerance: below 1
/// no number may be near enough, and far above 1 that rounding is harmless.
const ABOVE_SUBNORMAL: [f64; 8] = [1.001, 1.01, 1.03, 1.08, 1.2, 1.5, 2.0, 4.0];

/// Points of one kind, most of which differ from another one in one input: of many inputs they are made when they are known
/// to be among those that are taken.
#[derive(Default)]
struct Kind {
    bases: Vec<Vec<f64>>,
    /// The base of each point, and the input that has another value.
    points: Vec<(usize, Option<(usize, f64)>)>,
}

impl Kind {
    /// Another base, which is no point itself.
    fn base(&mut self, point: Vec<f64>) -> usize {
        self.bases.push(point);
        self.bases.len() - 1
    }

    fn whole(&mut self, base: usize) {
        self.points.push((base, None));
    }

    fn changed(&mut self, base: usize, input: usize, value: f64) {
        self.points.push((base, Some((input, value))));
    }

    /// At most [`KIND`] of them, evenly chosen.
    fn thinned(self) -> impl Iterator<Item = Vec<f64>> {
        let step = self.points.len().div_ceil(KIND).max(1);
        self.points.into_iter().step_by(step).map(move |(base, change)| {
            let mut point = self.bases[base].clone();
            if let Some((input, value)) = change {
                point[input] = value;
            }
            point
        })
    }
}

/// The inputs, in the domain's box.
pub(in crate::suite) fn places(domain: &InputBox, program: &Program, accuracy: &Accuracy) -> Vec<Vec<f64>> {
    let all = probes(domain);
    let sequence = many(domain, SEQUENCE);
    let bases: Vec<Vec<f64>> = sequence.iter().take(3).cloned().collect();
    let (zeros, beside) = zeros(domain, program, &sequence);
    let kinds =
        [ladders(domain, &bases), relations(domain, &bases), beside, small(domain, program, accuracy, &sequence)];
    let thinned = kinds.into_iter().flat_map(Kind::thinned);
    let known = all.iter().chain(&sequence).chain(&zeros).cloned();
    known.chain(thinned).map(|p| domain.clamp(&p)).chain(edges(domain, program, accuracy)).collect()
}

/// Numbers of every size between two, and next to each of the two.
fn sizes(lo: f64, hi: f64, fraction: f64) -> Vec<f64> {
    let exponent = |x: f64| if x == 0.0 { -1074.0 } else { x.abs().log2().floor().max(-1074.0) };
    let mut all = Vec::new();
    for sign in [1.0, -1.0] {
        // The part of the range with that sign, by magnitude.
        let (least, most) = if sign > 0.0 { (lo.max(0.0), hi) } else { ((-hi).max(0.0), -lo) };
        if most <= 0.0 {
            continue;
        }
        let (first, last) = (exponent(least), exponent(most));
        let step = ((last - first) / BINADES as f64).max(1.0);
        let mut e = last;
        while e >= first {
            all.push(sign * fraction * 2f64.powf(e.floor()));
            e -= step;
        }
    }
    for k in (0..=48).step_by(4) {
        let away = 1i64 << k;
        all.extend([rank(lo).saturating_add(away), rank(hi).saturating_sub(away)].map(from_rank));
    }
    // Next to a whole number something cancels that is not next to zero.
    for whole in [1.0, -1.0, 2.0] {
        all.extend((4..=52).step_by(6).flat_map(|k| [whole + 2f64.powi(-k), whole - 2f64.powi(-k)]));
    }
    all.retain(|x| lo <= *x && *x <= hi);
    all
}

/// One input through all sizes, the others where they are; and all inputs of one size.
fn ladders(domain: &InputBox, bases: &[Vec<f64>]) -> Kind {
    let mut all = Kind { bases: bases.to_vec(), points: Vec::new() };
    for (i, r) in domain.ranges.iter().enumerate() {
        for (base, fraction) in (0..bases.len()).zip(FRACTIONS) {
            for x in sizes(r.inf(), r.sup(), fraction) {
                all.changed(base, i, x);
            }
        }
    }
    let most = domain.ranges.iter().map(|r| r.mag()).fold(0.0, f64::max);
    for size in sizes(-most, most, 1.0) {
        let one = |i: usize| size * FRACTIONS[i % FRACTIONS.len()];
        let base = all.base((0..domain.ranges.len()).map(one).collect());
        all.whole(base);
    }
    all
}

/// Two inputs nearly equal, or nearly opposite.
fn relations(domain: &InputBox, bases: &[Vec<f64>]) -> Kind {
    let n = domain.ranges.len();
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).take(PAIRS);
    let mut all = Kind { bases: bases.to_vec(), points: Vec::new() };
    for (i, j) in pairs {
        for (base, point) in bases.iter().enumerate() {
            for k in (1..=52).step_by(5) {
                for near in [1.0 + 2f64.powi(-k), -1.0 - 2f64.powi(-k)] {
                    all.changed(base, j, point[i] * near);
                }
            }
        }
    }
    all
}

/// Where a float that the program computes changes its sign between two points of a sequence, the result first, and
/// points beside these.
fn zeros(domain: &InputBox, program: &Program, sequence: &[Vec<f64>]) -> (Vec<Vec<f64>>, Kind) {
    let values = |x: &[f64]| {
        let mut values = Vec::new();
        program.point(x, &mut values);
        values
    };
    let sequence: Vec<Vec<f64>> = sequence.iter().take(CHANGES).cloned().chain(opposed(domain)).collect();
    let known: Vec<Vec<f64>> = sequence.iter().map(|x| values(x)).collect();
    let (mut all, mut beside) = (Vec::new(), Kind::default());
    // A huge program's last operations are the ones that matter most.
    for node in (0..program.nodes().len()).rev().take(NODES) {
        let changes = (1..known.len()).filter(|k| known[k - 1][node] * known[*k][node] < 0.0);
        for k in changes.take(ZEROS) {
            let (mut a, mut b) = (sequence[k - 1].clone(), sequence[k].clone());
            let sign = known[k - 1][node].signum();
            for _ in 0..64 {
                let middle: Vec<f64> = a.iter().zip(&b).map(|(a, b)| middle_of(*a, *b)).collect();
                let middle = domain.clamp(&middle);
                if values(&middle)[node] * sign > 0.0 { a = middle } else { b = middle }
            }
            let base = beside.base(b.clone());
            for (i, x) in b.iter().enumerate() {
                for k in [0, 3, 10, 20, 30, 40] {
                    for step in [1i64 << k, -(1i64 << k)] {
                        beside.changed(base, i, from_rank(rank(*x).saturating_add(step)));
                    }
                }
            }
            all.extend([a, b]);
        }
    }
    (all, beside)
}

/// Points of several sizes, each followed by one where an input of both signs outweighs the others: sums of inputs with
/// ranges of unlike sizes cancel between these alone.
fn opposed(domain: &InputBox) -> Vec<Vec<f64>> {
    let most = domain.ranges.iter().map(|r| r.mag()).fold(0.0, f64::max);
    let mut all = Vec::new();
    for size in OPPOSED.map(|k| most * 2f64.powi(k)) {
        let one = |i: usize| size * FRACTIONS[i % FRACTIONS.len()];
        let base = domain.clamp(&(0..domain.ranges.len()).map(one).collect::<Vec<_>>());
        for (i, _) in domain.ranges.iter().enumerate().filter(|(_, r)| r.inf() < 0.0 && r.sup() > 0.0) {
            let mut other = base.clone();
            other[i] = -2.0 * size * domain.ranges.len() as f64;
            all.extend([base.clone(), domain.clamp(&other)]);
        }
    }
    all
}

/// Where the result is small, by steps of one input that are halved where none leads down: what touches 0 without going
/// through it is no change of sign, and an error is large beside a small result.
fn small(domain: &InputBox, program: &Program, accuracy: &Accuracy, sequence: &[Vec<f64>]) -> Kind {
    let mut scratch = Vec::new();
    let mut size = |x: &[f64]| program.point(x, &mut scratch).abs();
    let levels = subnormal_levels(program, accuracy);
    let mut starts: Vec<(f64, &Vec<f64>)> = sequence.iter().map(|x| (size(x), x)).filter(|s| s.0 > 0.0).collect();
    // The first ones, and those with the smallest results.
    let first = starts.len().min(DESCENTS / 2);
    starts[first..].sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut found = Kind::default();
    for (start, from) in starts.into_iter().take(DESCENTS) {
        let mut way = vec![from.clone()];
        let (mut least, mut share, mut left) = (start, 0.25, DESCENT);
        while left > 0 && least > 0.0 && share > f64::MIN_POSITIVE {
            let x = &way[way.len() - 1];
            let mut next: Option<(f64, Vec<f64>)> = None;
            for (i, range) in domain.ranges.iter().enumerate() {
                for side in [1.0, -1.0] {
                    let step = side * share * (0.5 * range.sup() - 0.5 * range.inf()).min(x[i].abs().max(1.0) * 4.0);
                    let mut y = x.clone();
                    y[i] += step;
                    // Half the way to an end: at the ends there are few digits to lose.
                    if !range.contains(y[i]) {
                        y[i] = 0.5 * x[i] + 0.5 * if step < 0.0 { range.inf() } else { range.sup() };
                    }
                    let y = domain.clamp(&y);
                    left = left.saturating_sub(1);
                    let now = size(&y);
                    if now < next.as_ref().map_or(least, |(best, _)| *best) {
                        next = Some((now, y));
                    }
                }
            }
            match next {
                Some((now, y)) => {
                    least = now;
                    way.push(y);
                }
                None => share *= 0.5,
            }
        }
        let mut worth: Vec<Vec<f64>> = way.iter().rev().take(LOWEST).cloned().collect();
        worth.extend(levels.iter().filter_map(|level| at_size(domain, &way, *level, &mut size)));
        for x in worth {
            let base = found.base(x.clone());
            for (i, x) in x.iter().enumerate() {
                for step in [1, -1, 5, -5] {
                    found.changed(base, i, from_rank(rank(*x).saturating_add(step)));
                }
            }
            found.whole(base);
        }
    }
    found
}

/// The sizes of results at which rounding to a subnormal number costs about the tolerance, if it is relative.
fn subnormal_levels(program: &Program, accuracy: &Accuracy) -> Vec<f64> {
    let Some(rel) = accuracy.rel.as_ref().map(Rational::to_f64).filter(|r| *r > 0.0) else { return Vec::new() };
    let level = 0.5 / rel * program.format().least();
    ABOVE_SUBNORMAL.iter().map(|k| k * level).filter(|l| *l > 0.0 && l.is_finite()).collect()
}

/// Where the result has a size, between two neighbours of a way that leads down past it.
fn at_size(domain: &InputBox, way: &[Vec<f64>], level: f64, size: &mut impl FnMut(&[f64]) -> f64) -> Option<Vec<f64>> {
    let first_below = way.iter().position(|x| size(x) < level).filter(|k| *k > 0)?;
    let ends = Bracket { before: way[first_below - 1].clone(), after: way[first_below].clone() };
    let middle = |above: &Vec<f64>, below: &Vec<f64>| {
        let middle: Vec<f64> = above.iter().zip(below).map(|(a, b)| middle_of(*a, *b)).collect();
        Some(domain.clamp(&middle))
    };
    Some(ends.bisect(64, middle, |x| Some(size(x).partial_cmp(&level) != Some(Ordering::Less))).before)
}
