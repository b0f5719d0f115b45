//! For the most: the search for the input with the largest error. Cells of the domain, the best of them cut finer and finer, windows and
//! stretches around the best points, then small and large steps from these.

mod lattice;
pub mod points;
pub mod space;
mod spectrum;
mod stretch;
mod waves;
mod window;

use crate::num::random::Random;
use points::{Errors, Places, Rated, any, one_of};
use space::{Cell, Space};
use stretch::{follow, worthwhile};
use window::recombine;

/// A cell with what was found in it.
#[derive(Clone, Debug)]
struct Region {
    cell: Cell,
    best: f64,
    at: Option<Places>,
    count: f64,
    sum: f64,
    squares: f64,
}

impl Region {
    fn new(cell: Cell) -> Self {
        Region { cell, best: -1.0, at: None, count: 0.0, sum: 0.0, squares: 0.0 }
    }

    fn add(&mut self, point: &Places, error: f64) {
        self.count += 1.0;
        // One overflow or one wild result must not hide the rest.
        let size = error.min(1e9);
        self.sum += size;
        self.squares += size * size;
        if error > self.best {
            (self.best, self.at) = (error, Some(point.clone()));
        }
    }

    /// An estimate of what more points in it would show: three standard deviations above the mean.
    fn promise(&self) -> f64 {
        let mean = self.sum / self.count.max(1.0);
        mean + 3.0 * (self.squares / self.count.max(1.0) - mean * mean).max(0.0).sqrt()
    }
}

/// The share of the evaluations that looks everywhere alike, the share after which windows around the best points are
/// searched, and the share after which steps from the best begin.
const SHARES: [f64; 3] = [0.25, 0.5, 0.97];
/// The same where there are enough of them for stretches, the share of what windows get that goes to these, and how many
/// windows compete with them.
const WITH_STRETCHES: [f64; 3] = [0.15, 0.3, 0.98];
const FOR_STRETCHES: f64 = 0.55;
const COMPETING: usize = 3;
/// Points in a cell at the beginning.
const FIRST: u64 = 40;
/// The rounds of cutting, and how many cells each keeps by what was found and by what they promise.
const ROUNDS: u32 = 16;
const KEPT: usize = 96;
/// The points from which steps are made, and how many steps are put at once.
const CLIMBERS: usize = 96;
const AT_ONCE: usize = 512;
/// The most points that are put at once: what was found by then is kept if the search is interrupted.
const MOST_AT_ONCE: usize = 4096;

/// Searches, and tells every point with its error to `note`; the starting points come first, as many of them as a small share allows.
///
/// # Errors
/// What [`Errors::errors`] stops with.
pub(crate) fn search<E: Errors>(space: &Space, starts: &[Places], errors: &mut E) -> Result<(), E::Stop> {
    let mut random = Random(1);
    let total = errors.left();
    let [_, zoomed, windows] = WITH_STRETCHES;
    let stretches = worthwhile(space, (total as f64 * (windows - zoomed) * FOR_STRETCHES) as u64);
    let [even, zoomed, windows] = if stretches > 0 { WITH_STRETCHES } else { SHARES };
    let mut regions: Vec<Region> =
        space.cells((total / FIRST).clamp(16, 8192) as usize).into_iter().map(Region::new).collect();
    let mut climbers: Vec<Rated> = Vec::new();
    // Half of what looks everywhere alike may go to the points that are given.
    let most = (total as f64 * even / 2.0) as usize;
    let given: Vec<Places> = starts.iter().take(most.max(1)).cloned().collect();
    for some in given.chunks(MOST_AT_ONCE) {
        for (point, error) in some.iter().zip(errors.errors(some, &vec![0.0; some.len()])?) {
            climbers.extend(error.map(|e| (e, point.clone())));
        }
    }
    // Where something was found at once a closer look is worth it, however large the cell around it is.
    worst_first(&mut climbers);
    regions.extend(climbers.iter().take(KEPT).map(|c| Region::new(around(space, &c.1))));
    let until = |share: f64| (total as f64 * (1.0 - share)) as u64;
    let each = errors.left().saturating_sub(until(even)) / regions.len() as u64;
    sample(&mut regions, each.max(1), errors, &mut random)?;
    let per_round = errors.left().saturating_sub(until(zoomed)) / u64::from(ROUNDS);
    for _ in 0..ROUNDS {
        climbers.extend(regions.iter().filter_map(|r| Some((r.best, r.at.clone()?))));
        regions = cut(best_regions(regions));
        if regions.is_empty() || errors.left() <= until(zoomed) {
            break;
        }
        let each = (per_round / regions.len() as u64).max(1);
        sample(&mut regions, each, errors, &mut random)?;
    }
    climbers.extend(regions.iter().filter_map(|r| Some((r.best, r.at.clone()?))));
    worst_first(&mut climbers);
    let share = errors.left().saturating_sub(until(windows));
    let for_stretches = if stretches > 0 { (share as f64 * FOR_STRETCHES) as u64 } else { 0 };
    let remain = if stretches > 0 { COMPETING } else { 1 };
    let (found, last) = recombine(space, &climbers, (share - for_stretches, remain), errors, &mut random)?;
    climbers.extend(found);
    if stretches > 0 {
        worst_first(&mut climbers);
        climbers.extend(follow(space, (&climbers, last), (stretches, for_stretches), errors, &mut random)?);
    }
    climb(space, climbers, errors, &mut random)
}

/// Points without repetitions, those with the largest errors first.
fn worst_first(points: &mut Vec<Rated>) {
    points.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    points.dedup_by(|a, b| a.1 == b.1);
}

/// The points within a binade of another one.
fn around(space: &Space, point: &Places) -> Cell {
    let binade = |k: usize| 1i64 << (space.formats[k].precision() - 1);
    let end = |k: usize, n: i64| n.clamp(space.whole.lo[k], space.whole.hi[k]);
    Cell {
        lo: point.iter().enumerate().map(|(k, n)| end(k, n.saturating_sub(binade(k)))).collect(),
        hi: point.iter().enumerate().map(|(k, n)| end(k, n.saturating_add(binade(k)))).collect(),
    }
}

/// Points at which all inputs have nearly the same magnitude, of either sign: sums of them cancel, and neither hides the
/// other.
#[must_use]
pub(crate) fn alike(space: &Space, count: usize) -> Vec<Places> {
    let mut random = Random(2);
    let one = |random: &mut Random| {
        let mut point = any(&space.whole, random);
        for k in 1..point.len() {
            // Formats differ in how many places a binade has.
            let (from, to) = (space.formats[0].precision() as i32, space.formats[k].precision() as i32);
            let near = if to >= from { point[0] << (to - from) } else { point[0] >> (from - to) };
            let reach = 1u64 << random.below(3);
            let binades = random.below(reach - 1) as i64;
            let moved =
                near.saturating_sub(binades << (to - 1)).saturating_add(random.below((1 << (to - 1)) - 1) as i64);
            let signed = if random.bits() & 1 == 0 { moved } else { moved.saturating_neg() };
            point[k] = signed.clamp(space.whole.lo[k], space.whole.hi[k]);
        }
        point
    };
    (0..count).map(|_| one(&mut random)).collect()
}

/// So many points in each region.
fn sample<E: Errors>(regions: &mut [Region], each: u64, errors: &mut E, random: &mut Random) -> Result<(), E::Stop> {
    // As many points at once, whatever a region takes.
    for group in regions.chunks_mut((MOST_AT_ONCE / each as usize).max(1)) {
        let mut left = each;
        while left > 0 {
            let now = left.min(MOST_AT_ONCE as u64);
            left -= now;
            let points: Vec<(usize, Places)> = (0..group.len())
                .flat_map(|k| (0..now).map(move |_| k))
                .map(|k| (k, any(&group[k].cell, random)))
                .collect();
            let (owners, points): (Vec<usize>, Vec<Places>) = points.into_iter().unzip();
            let best: Vec<f64> = owners.iter().map(|k| group[*k].best).collect();
            let found = errors.errors(&points, &best)?;
            for ((owner, point), error) in owners.iter().zip(&points).zip(found) {
                if let Some(e) = error {
                    group[*owner].add(point, e);
                }
            }
            if errors.left() == 0 {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The regions in which most was found, and those that promise most.
fn best_regions(regions: Vec<Region>) -> Vec<Region> {
    let mut regions: Vec<Region> = regions.into_iter().filter(|r| r.at.is_some()).collect();
    regions.sort_by(|a, b| b.best.total_cmp(&a.best));
    let mut rest = regions.split_off(regions.len().min(KEPT));
    rest.sort_by(|a, b| b.promise().total_cmp(&a.promise()));
    rest.truncate(KEPT);
    regions.append(&mut rest);
    regions
}

/// Each region in two halves, along the input that spans most floats.
fn cut(regions: Vec<Region>) -> Vec<Region> {
    let mut halves = Vec::with_capacity(2 * regions.len());
    for region in regions {
        let width = |k: &usize| region.cell.hi[*k].wrapping_sub(region.cell.lo[*k]) as u64;
        let Some(k) = (0..region.cell.lo.len()).max_by_key(width) else { continue };
        if width(&k) == 0 {
            continue;
        }
        let middle = region.cell.lo[k].wrapping_add((width(&k) / 2) as i64);
        let (mut low, mut high) = (region.cell.clone(), region.cell.clone());
        low.hi[k] = middle;
        high.lo[k] = middle + 1;
        for cell in [low, high] {
            let mut half = Region::new(cell);
            if let Some(at) = region.at.as_ref().filter(|p| half.cell.lo[k] <= p[k] && p[k] <= half.cell.hi[k]) {
                half.add(at, region.best);
            }
            halves.push(half);
        }
    }
    halves
}

/// Steps of all sizes from the best points, until no evaluations are left: each point is replaced by what is worse.
fn climb<E: Errors>(
    space: &Space,
    mut climbers: Vec<Rated>,
    errors: &mut E,
    random: &mut Random,
) -> Result<(), E::Stop> {
    worst_first(&mut climbers);
    climbers.truncate(CLIMBERS);
    // Where no step stays inside, or all lead to what has no error, there is nothing more to do.
    let mut idle = 0;
    while errors.left() > 0 && !climbers.is_empty() && idle < 64 {
        let before = errors.left();
        let mut steps = Vec::with_capacity(AT_ONCE);
        for _ in 0..AT_ONCE.min(before as usize) {
            let (a, b) = (one_of(climbers.len(), random), one_of(climbers.len(), random));
            let from = if climbers[a].0 >= climbers[b].0 { a } else { b };
            let mut point = climbers[from].1.clone();
            let k = one_of(point.len(), random);
            let bits = u64::from(space.formats[k].precision());
            let size = random.below(bits - 1);
            let step = (1i64 << size) + random.below((1 << size) - 1) as i64;
            let moved = if random.bits() & 1 == 0 { point[k].checked_add(step) } else { point[k].checked_sub(step) };
            let Some(moved) = moved.filter(|n| (space.whole.lo[k]..=space.whole.hi[k]).contains(n)) else { continue };
            point[k] = moved;
            steps.push((from, point));
        }
        let (from, points): (Vec<usize>, Vec<Places>) = steps.into_iter().unzip();
        let best: Vec<f64> = from.iter().map(|k| climbers[*k].0).collect();
        for ((k, point), error) in from.iter().zip(&points).zip(errors.errors(&points, &best)?) {
            if let Some(e) = error.filter(|e| *e > climbers[*k].0) {
                climbers[*k] = (e, point.clone());
            }
        }
        idle = if errors.left() == before { idle + 1 } else { 0 };
    }
    Ok(())
}
