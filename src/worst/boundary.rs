//! Where results begin to be wrong: stretches along one input, with their ends found by bisection.

use super::running::Running;
use crate::harness::batch::Stop;
use crate::num::random::Random;
use crate::search::most::points::{Errors as _, Places};

/// A stretch along one input, the others held, in which most results that were looked at are wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongStretch {
    /// The input that moves.
    pub input: usize,
    /// Its smallest and its largest wrong value that are known.
    pub ends: (f64, f64),
    /// Whether these are the ends of its range.
    pub whole: (bool, bool),
    /// An input in it.
    pub at: Vec<f64>,
    /// How many inputs in it were tried.
    pub tried: u64,
    /// For how many of them the result is wrong.
    pub wrong: u64,
}

/// The most regions that are looked for.
const MOST: usize = 24;
/// How many points tell whether most of a stretch is wrong, and how many are tried in a whole region.
const PROBES: u64 = 3;
const TRIED: u64 = 64;
/// How many floats about the middle are looked at when a stretch is halved.
const ABOUT: i64 = 1;

/// The regions around the worst results and findings, the worst first. A wrong result whose neighbours are right is in none.
pub(super) fn regions(run: &mut Running<'_, '_, '_>) -> Result<Vec<WrongStretch>, Stop> {
    let mut random = Random(3);
    let mut found: Vec<(WrongStretch, (i64, i64))> = Vec::new();
    for (_, seed) in run.wrong().into_iter().take(MOST) {
        for k in 0..seed.len() {
            let known = |r: &(WrongStretch, (i64, i64))| {
                let others =
                    run.space.places(&r.0.at).iter().zip(&seed).enumerate().all(|(j, (a, b))| j == k || a == b);
                r.0.input == k && others && (r.1.0..=r.1.1).contains(&seed[k])
            };
            if found.iter().any(known) || run.left() == 0 {
                continue;
            }
            let lo = reach(run, &seed, k, -1, &mut random)?;
            let hi = reach(run, &seed, k, 1, &mut random)?;
            let inside = (0..TRIED).map(|_| lo.wrapping_add(random.below(hi.abs_diff(lo)) as i64)).collect::<Vec<_>>();
            let (tried, wrong) = count(run, &seed, k, &inside)?;
            // Without evaluations the ends are not those of the stretch.
            if run.left() > 0 && hi > lo && 2 * wrong > tried {
                let value = |n: i64| run.space.values(&moved(&seed, k, n))[k];
                let whole = (lo == run.space.whole.lo[k], hi == run.space.whole.hi[k]);
                let ends = (value(lo), value(hi));
                let at = run.space.values(&seed);
                found.push((WrongStretch { input: k, ends, whole, at, tried, wrong }, (lo, hi)));
            }
        }
    }
    Ok(found.into_iter().map(|f| f.0).collect())
}

fn moved(point: &Places, k: usize, n: i64) -> Places {
    let mut point = point.clone();
    point[k] = n;
    point
}

/// How many of the places along an input have a verdict, and how many are wrong.
fn count(run: &mut Running<'_, '_, '_>, seed: &Places, k: usize, places: &[i64]) -> Result<(u64, u64), Stop> {
    let points: Vec<Places> = places.iter().map(|n| moved(seed, k, *n)).collect();
    let got = run.judge(&points, &vec![1.0; points.len()])?;
    let verdicts: Vec<bool> = got.into_iter().filter_map(super::running::Got::is_wrong).collect();
    Ok((verdicts.len() as u64, verdicts.iter().filter(|w| **w).count() as u64))
}

/// How far most results are wrong from a wrong one in a direction: further and further, then by halving.
fn reach(
    run: &mut Running<'_, '_, '_>,
    seed: &Places,
    k: usize,
    direction: i64,
    random: &mut Random,
) -> Result<i64, Stop> {
    let (lo, hi) = (run.space.whole.lo[k], run.space.whole.hi[k]);
    let mut wrong = seed[k];
    let mut far = 1i64;
    let mut right = loop {
        let next = seed[k].saturating_add(direction.saturating_mul(far)).clamp(lo, hi);
        if next == wrong {
            return Ok(wrong);
        }
        let width = next.abs_diff(wrong) - 1;
        let between = (0..PROBES).map(|_| wrong.wrapping_add(direction.wrapping_mul(1 + random.below(width) as i64)));
        let between: Vec<i64> = between.collect();
        // Most of a stretch can be wrong although it has ended before.
        if !mostly_wrong(run, seed, k, &about(next, (lo, hi)))? || !mostly_wrong(run, seed, k, &between)? {
            break next;
        }
        wrong = next;
        far = far.saturating_mul(2);
    };
    while wrong.abs_diff(right) > 1 {
        let middle = (i128::midpoint(i128::from(wrong), i128::from(right))) as i64;
        match mostly_wrong(run, seed, k, &about(middle, (lo, hi)))? {
            true => wrong = middle,
            false => right = middle,
        }
    }
    Ok(wrong)
}

/// A place with its neighbours inside a range.
fn about(place: i64, (lo, hi): (i64, i64)) -> Vec<i64> {
    (-ABOUT..=ABOUT).map(|d| place.saturating_add(d)).filter(|n| (lo..=hi).contains(n)).collect()
}

fn mostly_wrong(run: &mut Running<'_, '_, '_>, seed: &Places, k: usize, places: &[i64]) -> Result<bool, Stop> {
    let (tried, wrong) = count(run, seed, k, places)?;
    Ok(2 * wrong > tried)
}
