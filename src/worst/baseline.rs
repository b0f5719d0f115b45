//! Plain ways to choose points, which the search is compared with.

use super::PointChoice;
use super::running::{Got, Running};
use crate::harness::batch::Stop;
use crate::num::random::Random;
use crate::search::most::points::{Errors as _, Places, any};
use crate::search::most::space::Space;
use crate::spec::InputBox;

/// So many points are put at once, and so many climb at once.
const AT_ONCE: usize = 1024;
const CLIMBERS: usize = 64;
/// After so many steps in vain a climber begins elsewhere.
const IN_VAIN: u32 = 40;
/// So many rounds without a point of the domain are the end.
const ROUNDS: u32 = 1000;

/// Spends what is left.
pub(super) fn look(way: PointChoice, domain: &InputBox, run: &mut Running<'_, '_, '_>) -> Result<(), Stop> {
    let mut random = Random(1);
    match way {
        PointChoice::Climb => climb(run, &mut random),
        PointChoice::Numbers => draw(run, |space| number(space, domain, &mut random)),
        PointChoice::Floats | PointChoice::Search => draw(run, |space| any(&space.whole, &mut random)),
    }
}

fn draw(run: &mut Running<'_, '_, '_>, mut one: impl FnMut(&Space) -> Places) -> Result<(), Stop> {
    let mut vain = 0;
    while run.left() > 0 && vain < ROUNDS {
        let left = run.left();
        let points: Vec<Places> = (0..AT_ONCE).map(|_| one(run.space)).collect();
        run.judge(&points, &[0.0; AT_ONCE])?;
        vain = if run.left() == left { vain + 1 } else { 0 };
    }
    Ok(())
}

/// A point that is uniform over the numbers of the ranges, up to rounding.
fn number(space: &Space, domain: &InputBox, random: &mut Random) -> Places {
    let each = domain.ranges.iter().zip(&domain.formats).enumerate();
    each.map(|(k, (range, format))| {
        let t = random.unit();
        let x = format.nearest(range.inf() * (1.0 - t) + range.sup() * t);
        format.rank(x).clamp(space.whole.lo[k], space.whole.hi[k])
    })
    .collect()
}

/// A point with its error, and how many steps from it were in vain.
struct Climber {
    at: Option<(Places, f64)>,
    vain: u32,
}

fn climb(run: &mut Running<'_, '_, '_>, random: &mut Random) -> Result<(), Stop> {
    let mut climbers: Vec<Climber> = (0..CLIMBERS).map(|_| Climber { at: None, vain: 0 }).collect();
    let mut vain = 0;
    while run.left() > 0 && vain < ROUNDS {
        let left = run.left();
        let points: Vec<Places> = climbers.iter().map(|c| next(run.space, c, random)).collect();
        let got = run.judge(&points, &[0.0; CLIMBERS])?;
        for ((climber, point), got) in climbers.iter_mut().zip(points).zip(got) {
            let best = climber.at.as_ref().map_or(-1.0, |a| a.1);
            match got {
                Got::Error(e) if e.abs() > best => *climber = Climber { at: Some((point, e.abs())), vain: 0 },
                _ => climber.vain += 1,
            }
            if climber.vain > IN_VAIN {
                *climber = Climber { at: None, vain: 0 };
            }
        }
        vain = if run.left() == left { vain + 1 } else { 0 };
    }
    Ok(())
}

/// A step of a power of two floats along one input, or a new beginning.
fn next(space: &Space, climber: &Climber, random: &mut Random) -> Places {
    let Some((at, _)) = &climber.at else { return any(&space.whole, random) };
    let mut point = at.clone();
    let k = crate::search::most::points::one_of(point.len(), random);
    if let Some(n) = point.get_mut(k) {
        let (lo, hi) = (space.whole.lo[k], space.whole.hi[k]);
        let bits = (i128::from(hi) - i128::from(lo) + 1).ilog2();
        let step = 1i64 << random.below(u64::from(bits.min(62)));
        *n = if random.below(1) == 0 { n.saturating_add(step) } else { n.saturating_sub(step) }.clamp(lo, hi);
    }
    point
}
