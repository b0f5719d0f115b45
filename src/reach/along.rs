//! Inputs that follow a path, searched for by running the code: the same climb over bit patterns as for branches, with how
//! many decisions are not made yet and how far the next one is from being made as the distance.

use super::distance::{distance, to_arm};
use super::paths::Explorer;
use super::pool::pool;
use crate::code::ins::BranchTest;
use crate::code::program::BranchGoal;
use crate::code::run::Watch;
use crate::floats::BitsKind;
use crate::halt;
use crate::num::random::Random;
use crate::search::goal::{Best, wander};
use crate::search::goal::{Distance, FAR};
use crate::search::values::{any, special};

/// Inputs that are tried before the climb: special values of all inputs together, and random ones.
const FIRST: usize = 500;
/// Instructions of all runs together, for each run that is allowed.
const INSTRUCTIONS: u64 = 20_000;

/// How far a run goes along decisions, those that depend on no input among them.
struct Along<'t> {
    trail: &'t [BranchGoal],
    made: usize,
    /// How far the first decision that was made otherwise is from the one of the trail.
    missed: Option<u64>,
}

impl Along<'_> {
    fn decided(&mut self, made: BranchGoal, to: impl Fn(u32) -> u64) {
        let Some(next) = self.trail.get(self.made).filter(|_| self.missed.is_none()) else { return };
        if *next == made {
            self.made += 1;
        } else {
            self.missed = Some(if next.site == made.site { to(next.way) } else { FAR });
        }
    }

    fn distance(&self) -> Distance {
        let level = (self.trail.len() - self.made) as u32;
        if level == 0 { Distance::NONE } else { Distance { level, ulps: self.missed.unwrap_or(FAR) } }
    }
}

impl Watch for Along<'_> {
    fn branch(&mut self, site: u32, way: u32, test: BranchTest, a: u64, b: u64) {
        self.decided(BranchGoal { site, way }, |other| distance(test, a, b, other == 1));
    }

    fn arm(&mut self, site: u32, arm: u32, arms: u32, index: u32) {
        self.decided(BranchGoal { site, way: arm }, |other| to_arm(index, other, arms));
    }
}

impl Explorer<'_> {
    /// An input whose run makes these decisions first, found in at most so many runs; and how many there were.
    pub(super) fn along(&mut self, trail: &[BranchGoal], runs: u64) -> (Option<Vec<u64>>, u64) {
        let kinds: Vec<BitsKind> = self.program.inputs.iter().map(|i| i.kind).collect();
        if kinds.is_empty() || runs == 0 {
            return (None, 0);
        }
        let pool = pool(self.program, &kinds);
        let mut rng = Random::seeded(self.limits.seed);
        let (mut left, mut instructions) = (runs, runs.saturating_mul(INSTRUCTIONS));
        let (program, runner) = (self.program, &mut self.runner);
        let mut evaluate = |input: &[u64]| {
            if left == 0 || instructions == 0 || halt::requested() {
                return None;
            }
            left -= 1;
            let mut along = Along { trail, made: 0, missed: None };
            // However the run ends: what counts is how far it went before.
            let _ = program.run(runner, input, &mut along);
            instructions = instructions.saturating_sub(runner.steps());
            Some(along.distance())
        };
        let best = begin(&kinds, &mut rng, &mut evaluate).and_then(|mut best| {
            wander(&mut best, &kinds, &pool, &mut rng, &mut evaluate)?;
            Some(best.input)
        });
        (best, runs - left)
    }
}

/// The nearest of the first inputs; none where the runs do not suffice to look at them.
fn begin(kinds: &[BitsKind], rng: &mut Random, evaluate: &mut dyn FnMut(&[u64]) -> Option<Distance>) -> Option<Best> {
    let special: Vec<Vec<u64>> = kinds.iter().map(|k| special(*k)).collect();
    let combined = special.iter().map(Vec::len).fold(1, usize::saturating_mul).min(FIRST);
    let mut best: Option<Best> = None;
    for n in 0..combined + FIRST {
        let mut rest = n;
        let input: Vec<u64> = if n < combined {
            let pick = |values: &Vec<u64>| {
                let x = values[rest % values.len()];
                rest /= values.len();
                x
            };
            special.iter().map(pick).collect()
        } else {
            kinds.iter().map(|k| any(*k, rng)).collect()
        };
        let distance = evaluate(&input)?;
        if best.as_ref().is_none_or(|b| distance < b.distance) {
            best = Some(Best { input, distance });
        }
        if distance == Distance::NONE {
            break;
        }
    }
    best
}
