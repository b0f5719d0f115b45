//! Windows around points with large errors, in which differences of such points lead to more of them.
//!
//! Over a short stretch of floats each rounding error of a computation is nearly a sawtooth of the input: what matters is
//! its phase, which moves by the same amount for the same step. Where two points both have large errors, all phases are
//! favourable at both, so that the step between them changes none of them much; made from a third such point it is far
//! more likely to lead to a larger error than a step at random. This is differential evolution (Storn and Price, 1997)
//! over places in the sequence of floats, with steps that are not scaled.
//!
//! The second derivative turns a phase by about the product of a step and of the distance over which it is carried. So the
//! points of a step are near each other, as seen from the whole window: then it may be carried to any other point.

use super::points::{Errors, Places, Rated, any, one_of};
use super::space::{Cell, Space};
use crate::num::random::Random;
use std::collections::HashSet;

/// The width of a window is so many 53rds of a format's bits: over more floats a phase does not move evenly any more.
const WIDTH: u32 = 25;
/// Windows at the beginning, and of how many one remains after each stage.
const FIRST: usize = 27;
const REMAINS: usize = 3;
/// The points that a window keeps.
const KEPT: usize = 64;
/// Points at random in a window before differences are tried.
const RANDOM: u64 = 400;
/// Of so many new points one is a neighbour of a known one, at most so many floats away.
const NEIGHBOURS: u64 = 8;
const NEAR: i64 = 32;
/// A point makes a step with the nearest of so many others.
const OTHERS: usize = 10;
/// Points put at once for each window.
const AT_ONCE: u64 = 64;
/// So many batches without one new point end the search of windows.
const IDLE: u32 = 64;

pub(super) struct Window {
    cell: Cell,
    /// The points with the largest errors, the largest first.
    pub(super) good: Vec<Rated>,
    /// The same points without their errors.
    known: HashSet<Places>,
    evaluations: u64,
}

impl Window {
    fn new(space: &Space, (error, centre): &Rated) -> Self {
        let half = |k: usize| 1i64 << ((space.formats[k].precision() * WIDTH).div_ceil(53).max(2) - 1);
        let end = |k: usize, n: i64| n.clamp(space.whole.lo[k], space.whole.hi[k]);
        let lo = centre.iter().enumerate().map(|(k, n)| end(k, n.saturating_sub(half(k)))).collect();
        let hi = centre.iter().enumerate().map(|(k, n)| end(k, n.saturating_add(half(k)))).collect();
        let mut window = Window::of(Cell { lo, hi });
        window.keep(*error, centre.clone());
        window
    }

    /// One in which nothing is known.
    pub(super) fn of(cell: Cell) -> Self {
        Window { cell, good: Vec::new(), known: HashSet::new(), evaluations: 0 }
    }

    pub(super) fn best(&self) -> f64 {
        self.good.first().map_or(-1.0, |g| g.0)
    }

    /// The error beyond which a point is kept.
    pub(super) fn threshold(&self) -> f64 {
        if self.good.len() < KEPT { -1.0 } else { self.good.last().map_or(-1.0, |g| g.0) }
    }

    /// Keeps a point that is not known where its error is among the largest.
    pub(super) fn keep(&mut self, error: f64, point: Places) {
        let place = self.good.partition_point(|g| g.0 >= error);
        if place < KEPT && self.known.insert(point.clone()) {
            self.good.insert(place, (error, point));
            if let Some(least) = self.good.get(KEPT) {
                self.known.remove(&least.1);
                self.good.truncate(KEPT);
            }
        }
    }

    /// The nearest of some other points to a kept one.
    fn nearest(&self, of: usize, random: &mut Random) -> usize {
        let distance = |other: &usize| {
            let (a, b) = (&self.good[of].1, &self.good[*other].1);
            let each = a.iter().zip(b).zip(self.cell.lo.iter().zip(&self.cell.hi));
            // As a share of the window: formats differ in how many floats they have.
            each.map(|((a, b), (lo, hi))| a.abs_diff(*b) as f64 / (lo.abs_diff(*hi) as f64).max(1.0)).sum::<f64>()
        };
        let others = (0..OTHERS).map(|_| one_of(self.good.len(), random)).filter(|other| *other != of);
        others.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(of)
    }

    /// A point to try next; none where a step leads out of the window or to a known point.
    fn next(&self, random: &mut Random) -> Option<Places> {
        let count = self.good.len();
        let point = if self.evaluations < RANDOM || count < 3 {
            any(&self.cell, random)
        } else {
            // Of two the better: they are in order.
            let from = one_of(count, random).min(one_of(count, random));
            let a = one_of(count, random);
            let b = self.nearest(a, random);
            let near = random.below(NEIGHBOURS - 1) == 0;
            let mut step = |k: usize| match near {
                true => random.below(2 * NEAR as u64) as i64 - NEAR,
                false => self.good[a].1[k].wrapping_sub(self.good[b].1[k]),
            };
            (0..self.cell.lo.len()).map(|k| self.good[from].1[k].saturating_add(step(k))).collect()
        };
        let inside = (0..point.len()).all(|k| (self.cell.lo[k]..=self.cell.hi[k]).contains(&point[k]));
        (inside && !self.known.contains(&point)).then_some(point)
    }
}

/// Searches windows around the first of some points, which are in order, the worst first; after each stage only the best
/// windows remain, so many at last. Gives the points with the largest errors, and the last windows.
///
/// # Errors
/// What [`Errors::errors`] stops with.
pub(super) fn recombine<E: Errors>(
    space: &Space,
    points: &[Rated],
    (evaluations, last): (u64, usize),
    errors: &mut E,
    random: &mut Random,
) -> Result<(Vec<Rated>, Vec<Window>), E::Stop> {
    let mut windows: Vec<Window> = Vec::new();
    let covered = |w: &Window, p: &Places| (0..p.len()).all(|k| (w.cell.lo[k]..=w.cell.hi[k]).contains(&p[k]));
    for point in points {
        if windows.len() < FIRST && !windows.iter().any(|w| covered(w, &point.1)) {
            windows.push(Window::new(space, point));
        }
    }
    let end = errors.left().saturating_sub(evaluations);
    let stages = (0..).take_while(|s| last * REMAINS.pow(*s) <= FIRST).count() as u64;
    let mut found = Vec::new();
    while errors.left() > end && !windows.is_empty() {
        let stop =
            if windows.len() <= last { end } else { errors.left().saturating_sub(evaluations / stages).max(end) };
        let before = errors.left();
        stage(&mut windows, stop, errors, random)?;
        windows.sort_by(|a, b| b.best().total_cmp(&a.best()));
        let remain = windows.len().div_ceil(REMAINS).max(last);
        found.extend(windows[remain..].iter().filter_map(|w| w.good.first().cloned()));
        windows.truncate(remain);
        if errors.left() == before {
            break;
        }
    }
    found.extend(windows.iter().flat_map(|w| w.good.iter().cloned()));
    Ok((found, windows))
}

/// Searches all windows alike until so many evaluations are left.
pub(super) fn stage<E: Errors>(
    windows: &mut [Window],
    stop: u64,
    errors: &mut E,
    random: &mut Random,
) -> Result<(), E::Stop> {
    let mut idle = 0;
    while errors.left() > stop && idle < IDLE {
        let before = errors.left();
        let each = AT_ONCE.min((before - stop).div_ceil(windows.len() as u64));
        let mut tried: Vec<(usize, Places)> = Vec::new();
        for (k, window) in windows.iter_mut().enumerate() {
            tried.extend((0..each).filter_map(|_| window.next(random)).map(|p| (k, p)));
            window.evaluations += each;
        }
        let (owners, points): (Vec<usize>, Vec<Places>) = tried.into_iter().unzip();
        let best: Vec<f64> = owners.iter().map(|k| windows[*k].threshold()).collect();
        for ((k, point), error) in owners.iter().zip(&points).zip(errors.errors(&points, &best)?) {
            if let Some(e) = error.filter(|e| *e > windows[*k].threshold()) {
                windows[*k].keep(e, point.clone());
            }
        }
        idle = if errors.left() == before { idle + 1 } else { 0 };
    }
    Ok(())
}
