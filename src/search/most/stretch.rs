//! Stretches of floats about large errors, in which a model of the rounding errors proposes where larger ones are.
//!
//! A stretch is doubled as long as its waves can be followed. What waves promise is highest where all phases are at their
//! tops together: a close vector of a lattice, found without a call. The places that promise most are put to the
//! implementation. Where there are no waves nothing is lost but what was looked at: a model only proposes.

use super::lattice::Lattice;
use super::points::{Errors, Places, Rated};
use super::space::{Cell, Space};
use super::waves::{Model, Wave};
use super::window::{Window, stage};
use crate::floats::Format;
use crate::halt;
use crate::num::random::Random;

/// The first stretch, and the longest, as powers of two: over more floats phases are not quadratic.
const FIRST: u32 = 18;
const LAST: u32 = 34;
/// The places that are looked at in the first stretch, and in each that is twice as long; how many of the latter tell how
/// waves go on.
const LEARNT: usize = 1 << 14;
const FOLLOWED: usize = 1 << 11;
const RECENT: usize = 3;
/// An error that is no rounding error. Unit: bounds.
const WILD: f64 = 1e9;
/// A stretch is followed as long as the model explains this share of the variance.
const EXPLAINED: f64 = 0.2;
/// The most stretches, the evaluations that one is worth, and how many proposals of each are tried before they are compared.
const STRETCHES: u64 = 4;
const WORTH: u64 = 90_000;
const TRIED: u64 = 1 << 13;
/// The most proposals of a stretch.
const PROPOSALS: usize = 1 << 18;
/// How many places of a stretch are looked about, and over how many places waves do not bend.
const ABOUTS: i64 = 1024;
const STRAIGHT: i64 = 1 << 24;
/// The highest waves, which are looked for at their tops.
const HEARD: usize = 12;

/// How many stretches so many evaluations are worth: none where inputs have too few floats for waves, or are several.
#[must_use]
pub(super) fn worthwhile(space: &Space, evaluations: u64) -> usize {
    let is_fine = space.formats == [Format::BINARY64];
    if is_fine { (evaluations / WORTH).min(STRETCHES) as usize } else { 0 }
}

/// Errors at so many random places within a distance of the centre.
fn look<E: Errors>(
    centre: i64,
    reach: i64,
    count: usize,
    errors: &mut E,
    random: &mut Random,
) -> Result<Vec<(f64, f64)>, E::Stop> {
    let places: Vec<i64> = (0..count).map(|_| random.below(2 * reach as u64 - 1) as i64 - reach).collect();
    let points: Vec<Places> = places.iter().map(|n| vec![centre + n]).collect();
    let found = errors.signed(&points)?;
    Ok(places.iter().zip(found).filter_map(|(n, e)| Some((*n as f64, e.filter(|e| e.abs() < WILD)?))).collect())
}

/// The places that promise most, of those that a model was asked about.
struct Proposed {
    best: Vec<(f64, i64)>,
    most: usize,
    least: f64,
}

impl Proposed {
    fn ask(&mut self, model: &Model, n: i64, sign: f64) -> f64 {
        let promise = model.promise(n as f64, sign);
        if promise > self.least {
            self.best.push((promise, n));
            if self.best.len() >= 4 * self.most {
                self.shorten();
            }
        }
        promise
    }

    fn shorten(&mut self) {
        self.best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.best.dedup();
        self.best.truncate(self.most);
        if self.best.len() == self.most {
            self.least = self.best[self.most - 1].0;
        }
    }

    /// Looks about one place for where the waves are all high, or all low where `sign` is -1.
    fn search(&mut self, model: &Model, about: i64, sign: f64) {
        let waves: Vec<&Wave> = model.waves.iter().take(HEARD).collect();
        let n = about as f64;
        let turning: Vec<(f64, f64)> = waves.iter().map(|w| (w.pace(n), w.height())).collect();
        let lattice = Lattice::new(&turning, STRAIGHT as f64);
        let wanted: Vec<f64> = waves.iter().map(|w| (w.top(sign) - w.phase(n)) * w.height()).collect();
        let inside = |n: i64| n.abs() as f64 <= model.reach;
        let steps: Vec<i64> = lattice.steps().filter(|d| d.unsigned_abs() < 8 * STRAIGHT as u64 && *d != 0).collect();
        let mut at = about.saturating_add(lattice.nearest(&wanted));
        if !inside(at) || at.abs_diff(about) > 8 * STRAIGHT as u64 {
            return;
        }
        let mut best = self.ask(model, at, sign);
        loop {
            let from = at;
            for (k, a) in steps.iter().enumerate() {
                for b in std::iter::once(0).chain(steps[k + 1..].iter().copied()) {
                    for d in [a + b, a - b, -a - b, b - a] {
                        let next = from + d;
                        if inside(next) {
                            let now = self.ask(model, next, sign);
                            if now > best {
                                (best, at) = (now, next);
                            }
                        }
                    }
                }
            }
            if at == from {
                return;
            }
        }
    }
}

/// A model of the errors about a point over as long a stretch as it holds; none where there are no waves.
fn model<E: Errors>(
    space: &Space,
    centre: i64,
    stop: u64,
    errors: &mut E,
    random: &mut Random,
) -> Result<Option<Model>, E::Stop> {
    let mut reach = 1i64 << (FIRST - 1);
    let fits = |reach: i64| {
        centre.checked_sub(reach).is_some_and(|n| n >= space.whole.lo[0])
            && centre.checked_add(reach).is_some_and(|n| n <= space.whole.hi[0])
    };
    if !fits(reach) || errors.left() < stop + LEARNT as u64 {
        return Ok(None);
    }
    let mut seen = look(centre, reach, LEARNT, errors, random)?;
    if seen.len() < LEARNT / 2 {
        return Ok(None);
    }
    let mut model = Model::learn(&seen, reach as f64);
    if model.waves.is_empty() {
        return Ok(None);
    }
    while 2 * reach < 1 << LAST && fits(2 * reach) && errors.left() >= stop + FOLLOWED as u64 {
        let new = look(centre, 2 * reach, FOLLOWED, errors, random)?;
        let known = seen.len().saturating_sub(RECENT * FOLLOWED);
        let recent: Vec<(f64, f64)> = seen[known..].iter().chain(&new).copied().collect();
        let longer = model.over(2.0 * reach as f64, &recent);
        if new.len() < FOLLOWED / 2 || longer.explained(&new) < EXPLAINED {
            break;
        }
        reach *= 2;
        model = longer;
        seen.extend(new);
    }
    model.fit(&seen);
    model.tilt(&seen);
    Ok(Some(model).filter(|m| !m.waves.is_empty()))
}

/// Learns models about so many of some points, which are in order, the worst first, and looks where they promise large
/// errors; those stretches and windows that were searched before compete for what is left. Gives the points with the largest
/// errors.
///
/// # Errors
/// What [`Errors::errors`] stops with.
pub(super) fn follow<E: Errors>(
    space: &Space,
    (points, windows): (&[Rated], Vec<Window>),
    (count, evaluations): (usize, u64),
    errors: &mut E,
    random: &mut Random,
) -> Result<Vec<Rated>, E::Stop> {
    let end = errors.left().saturating_sub(evaluations);
    let mut centres: Vec<i64> = Vec::new();
    for (_, point) in points {
        if centres.len() < count && centres.iter().all(|c| c.abs_diff(point[0]) > 1 << LAST) {
            centres.push(point[0]);
        }
    }
    let mut stretches: Vec<Stretch> =
        windows.into_iter().map(|window| Stretch { window, proposals: Vec::new() }).collect();
    for (k, centre) in centres.iter().enumerate() {
        // One share is left for where it was worth it.
        let stop = errors.left() - errors.left().saturating_sub(end) / (centres.len() - k + 1) as u64;
        if let Some(model) = model(space, *centre, stop, errors, random)? {
            let mut stretch = Stretch::new(&model, *centre, evaluations);
            stretch.put(errors.left().saturating_sub(stop).min(TRIED), errors)?;
            stretches.push(stretch);
        }
    }
    let mut found = Vec::new();
    while !stretches.is_empty() && errors.left() > end {
        stretches.sort_by(|a, b| b.window.best().total_cmp(&a.window.best()));
        for lost in stretches.drain(stretches.len().div_ceil(2)..) {
            found.extend(lost.window.good);
        }
        let (remain, rounds) = (stretches.len() as u64, if stretches.len() == 1 { 1 } else { 2 });
        let share = errors.left().saturating_sub(end) / rounds / remain;
        for stretch in &mut stretches {
            let stop = errors.left().saturating_sub(share);
            stretch.put(share / 4 * 3, errors)?;
            stage(std::slice::from_mut(&mut stretch.window), stop, errors, random)?;
        }
        if remain == 1 {
            break;
        }
    }
    found.extend(stretches.into_iter().flat_map(|s| s.window.good));
    Ok(found)
}

/// A stretch with what its model proposes.
struct Stretch {
    window: Window,
    /// The most promising last.
    proposals: Vec<Places>,
}

impl Stretch {
    fn new(model: &Model, centre: i64, most: u64) -> Self {
        let reach = model.reach as i64;
        let mut proposed = Proposed { best: Vec::new(), most: most.clamp(1, PROPOSALS as u64) as usize, least: 0.0 };
        for k in (0..ABOUTS).take_while(|_| !halt::requested()) {
            for sign in [1.0, -1.0] {
                proposed.search(model, reach / ABOUTS * (2 * k + 1) - reach, sign);
            }
        }
        proposed.shorten();
        let proposals = proposed.best.iter().rev().map(|b| vec![centre + b.1]).collect();
        let cell = Cell { lo: vec![centre - reach], hi: vec![centre + reach] };
        Stretch { window: Window::of(cell), proposals }
    }

    /// Puts so many of the proposals to the implementation.
    fn put<E: Errors>(&mut self, count: u64, errors: &mut E) -> Result<(), E::Stop> {
        let mut some = self.proposals.split_off(self.proposals.len().saturating_sub(count as usize));
        some.reverse();
        for chunk in some.chunks(4096) {
            let best = vec![self.window.threshold(); chunk.len()];
            for (point, error) in chunk.iter().zip(errors.errors(chunk, &best)?) {
                if let Some(e) = error.filter(|e| *e > self.window.threshold()) {
                    self.window.keep(e, point.clone());
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Interval;
    use crate::spec::InputBox;
    use std::convert::Infallible;

    /// Six saw teeth whose arguments bend, each from -1/2 to 1/2.
    struct Teeth {
        centre: i64,
        left: u64,
    }

    impl Errors for Teeth {
        type Stop = Infallible;

        fn errors(&mut self, points: &[Places], _: &[f64]) -> Result<Vec<Option<f64>>, Infallible> {
            Ok(self.signed(points)?.into_iter().map(|e| e.map(f64::abs)).collect())
        }

        fn signed(&mut self, points: &[Places]) -> Result<Vec<Option<f64>>, Infallible> {
            let frequencies = [0.0131, 0.1417, 0.2718, 0.3371, 0.4591, 0.7271];
            let one = |p: &Places| {
                let n = (p[0] - self.centre) as f64;
                let teeth = frequencies.iter().enumerate().map(|(k, f)| {
                    let turns = f * n + (k as f64 - 2.5) * 2f64.powi(-54) * n * n + k as f64 * 0.17;
                    turns - turns.round()
                });
                Some(teeth.sum())
            };
            let count = points.len().min(self.left as usize);
            self.left -= count as u64;
            Ok((0..points.len()).map(|k| if k < count { one(&points[k]) } else { None }).collect())
        }

        fn left(&self) -> u64 {
            self.left
        }
    }

    #[test]
    fn where_all_waves_are_high_is_found_though_no_other_search_would() {
        let ranges = vec![Interval::new(1.0, 2.0)];
        let space = Space::new(&InputBox { ranges, formats: vec![Format::BINARY64] });
        let centre = space.whole.lo[0] + (1 << 51);
        let mut teeth = Teeth { centre, left: WORTH };
        let start = [(1.0, vec![centre])];
        let mut random = Random(1);
        let Ok(found) = follow(&space, (&start, Vec::new()), (1, WORTH), &mut teeth, &mut random);
        let best = found.iter().map(|f| f.0).fold(0.0, f64::max);
        // The supremum is 3. The best of so many points at random is about 2.6: the chance to come within d of it is d^6/360.
        assert!(best > 2.75, "{best}");
        assert!(found.iter().all(|f| teeth_at(&mut teeth, &f.1) == f.0));
    }

    fn teeth_at(teeth: &mut Teeth, point: &Places) -> f64 {
        teeth.left = 1;
        let Ok(errors) = teeth.errors(std::slice::from_ref(point), &[0.0]);
        errors[0].unwrap()
    }
}
