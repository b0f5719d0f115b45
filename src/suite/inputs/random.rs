//! Random testing to compare with: random points of D are tests where they kill a mutant that lives.
//!
//! Oracle and verdicts are those of a run: binary64 arithmetic picks the points that look like kills, and only what is
//! verified counts. Mutants that are proved not to be killable are left out, which only saves the baseline time.

use crate::floats::{from_rank, rank};
use crate::num::Interval;
use crate::num::random::Random;
use crate::spec::{EmptyRange, InputBox, Spec};
use crate::suite::inputs::probing::predicted;
use crate::suite::state::engine::{Engine, Kind};
use crate::suite::{Generated, MatrixCell, Status};
use crate::tape::NodeId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How random points are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomSpread {
    /// Every number of a range is as likely, up to rounding: the paper's baseline BB.
    Numbers,
    /// Every float of a range is as likely: as good as uniform in the logarithm.
    Floats,
}

/// When random testing ends, if it does not kill everything before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// After this time, as in the paper. How many points that is differs from run to run.
    Time(Duration),
    /// After so many evaluations of a mutant at a point.
    Evaluations(u64),
}

/// What random testing came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RandomTested {
    /// Points drawn.
    pub points: u64,
    /// Points kept as tests.
    pub tests: usize,
    /// Mutants killed.
    pub killed: usize,
    /// Accuracy mutants probably killed.
    pub probable: usize,
}

/// How many points are drawn and looked at together.
const CHUNK: usize = 32;
/// How many draws a point may take where :pre says more than ranges.
const DRAWS: usize = 1000;

/// Test at random what `generated` was made for, with points that `seed` decides. At least one point is drawn, unless
/// `stop` is set.
///
/// # Errors
/// An input whose range holds no value of its format.
pub fn random_tests(
    spec: &Spec,
    generated: &Generated,
    cap: u32,
    spread: RandomSpread,
    seed: u64,
    until: Until,
    stop: Option<&AtomicBool>,
) -> Result<RandomTested, EmptyRange> {
    let start = Instant::now();
    let mutants = generated.mutants.iter().map(|j| j.mutant.clone()).collect();
    let engine = Engine::new(spec, mutants, cap)?;
    let can_die = |i: &usize| {
        engine.is_open(*i)
            && !matches!(generated.mutants[*i].status, Status::Equivalent(_) | Status::Indistinguishable(_))
    };
    let mut live: Vec<usize> = (0..engine.kinds().len()).filter(can_die).collect();
    let mut random = Random(seed);
    let mut found = RandomTested::default();
    let mut evaluations = 0;
    while !live.is_empty() && !stop.is_some_and(|s| s.load(Ordering::Relaxed)) {
        let mut draw = || (0..DRAWS).map(|_| point(engine.domain(), spread, &mut random)).find(|x| engine.inside(x));
        let points: Vec<Vec<f64>> = (0..CHUNK).map_while(|_| draw()).collect();
        if points.is_empty() {
            break;
        }
        let root = |i: &usize| engine.root_of(*i).map(|g| (*i, g));
        let (bodies, roots): (Vec<usize>, Vec<NodeId>) = live.iter().filter_map(root).unzip();
        for (point, seems) in points.iter().zip(predicted(&engine, &roots, &points)) {
            let mut tried: Vec<usize> = seems.ones().map(|k| bodies[k]).collect();
            tried.extend(live.iter().filter(|i| !matches!(engine.kinds()[**i], Kind::Body(_))));
            tried.retain(|i| live.contains(i));
            found.points += 1;
            evaluations += live.len() as u64;
            let cells = match engine.glance(point) {
                Some(examined) if !tried.is_empty() => engine.cells(&examined, &tried),
                _ => Vec::new(),
            };
            let dead: Vec<(usize, MatrixCell)> = tried.into_iter().zip(cells).filter(|(_, c)| c.is_kill()).collect();
            found.tests += usize::from(!dead.is_empty());
            found.probable += dead.iter().filter(|(_, c)| *c == MatrixCell::Probable).count();
            found.killed += dead.iter().filter(|(_, c)| *c != MatrixCell::Probable).count();
            live.retain(|i| !dead.iter().any(|(k, _)| k == i));
            let is_over = match until {
                Until::Time(time) => start.elapsed() >= time,
                Until::Evaluations(most) => evaluations >= most,
            };
            if is_over {
                return Ok(found);
            }
        }
    }
    Ok(found)
}

/// `count` random inputs of D, decided by the seed; fewer where :pre refuses nearly all that are drawn.
///
/// # Errors
/// An input whose range holds no value of its format.
pub fn random_inputs(
    spec: &Spec,
    count: usize,
    spread: RandomSpread,
    seed: u64,
    cap: u32,
) -> Result<Vec<Vec<f64>>, EmptyRange> {
    let engine = Engine::new(spec, Vec::new(), cap)?;
    let mut random = Random(seed);
    let mut draw = || (0..DRAWS).map(|_| point(engine.domain(), spread, &mut random)).find(|x| engine.inside(x));
    Ok((0..count).map_while(|_| draw()).collect())
}

/// Inputs of the domain that a seed decides, at most `count`: half of them spread as numbers, half as floats.
///
/// # Errors
/// An input whose range holds no value of its format.
pub fn inputs_of_both_spreads(spec: &Spec, count: usize, seed: u64, cap: u32) -> Result<Vec<Vec<f64>>, EmptyRange> {
    let mut inputs = random_inputs(spec, count.div_ceil(2), RandomSpread::Numbers, seed, cap)?;
    inputs.extend(random_inputs(spec, count / 2, RandomSpread::Floats, seed, cap)?);
    Ok(inputs)
}

fn point(domain: &InputBox, spread: RandomSpread, random: &mut Random) -> Vec<f64> {
    let one = |r: &Interval, random: &mut Random| match spread {
        RandomSpread::Numbers => {
            let t = random.unit();
            r.inf() * (1.0 - t) + r.sup() * t
        }
        RandomSpread::Floats => {
            let (lo, hi) = (rank(r.inf()), rank(r.sup()));
            from_rank(lo.wrapping_add_unsigned(random.below(hi.abs_diff(lo))))
        }
    };
    let x: Vec<f64> = domain.ranges.iter().map(|r| one(r, random)).collect();
    domain.clamp(&x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Format;

    #[test]
    fn points_are_in_the_box_and_repeatable() {
        let domain = InputBox {
            ranges: vec![Interval::new(-3.0, 1e300), Interval::point(0.5)],
            formats: vec![Format::BINARY64; 2],
        };
        for spread in [RandomSpread::Numbers, RandomSpread::Floats] {
            let draw = |seed| {
                let mut random = Random(seed);
                (0..200).map(|_| point(&domain, spread, &mut random)).collect::<Vec<_>>()
            };
            let points = draw(7);
            assert!(points.iter().all(|p| domain.contains(p)));
            assert_eq!(points, draw(7));
            assert_ne!(points, draw(8));
        }
        // Half of the floats below 1e300 are below 1; hardly any of the numbers.
        let small = |spread| {
            let mut random = Random(1);
            (0..400).filter(|_| point(&domain, spread, &mut random)[0] < 1.0).count()
        };
        assert!(small(RandomSpread::Numbers) == 0 && small(RandomSpread::Floats) > 100);
    }
}
