//! To a goal: the alternating-variable method (Korel, 1990) over ranks: one input after the other, steps that double while they
//! help, from steps of one value to steps of many binades.

use super::values::{Pool, changed};
use crate::floats::BitsKind;
use crate::num::random::Random;

/// How far a run was from a goal: first by how many decisions it left the way there too early, then by how far the
/// operands of the decision were from making it otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Distance {
    /// Decisions of the way that were not made; 0 where the goal's test was reached.
    pub level: u32,
    /// The number of floats (or of integers) between the operands.
    pub ulps: u64,
}

impl Distance {
    /// At the goal.
    pub const NONE: Distance = Distance { level: 0, ulps: 0 };
    /// As far as can be.
    pub const FAR: Distance = Distance { level: u32::MAX, ulps: FAR };

    /// Of a run that reached the goal's test.
    #[must_use]
    pub fn at_test(ulps: u64) -> Distance {
        Distance { level: 0, ulps }
    }
}

/// As far as can be: a branch that was not reached.
pub const FAR: u64 = u64::MAX;

/// The first steps that are tried, as powers of two: values nearby, then those whose upper halves differ, then binades.
const FIRST: [u32; 10] = [0, 4, 12, 20, 28, 32, 40, 48, 52, 56];

/// A point and its distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// The input.
    pub input: Vec<u64>,
    /// [`Distance::NONE`] at the goal.
    pub distance: Distance,
}

/// Go down from a point until no step helps, the goal is reached, or `evaluate` says that the budget is used up (`None`).
pub fn climb(best: &mut Best, kinds: &[BitsKind], evaluate: &mut dyn FnMut(&[u64]) -> Option<Distance>) -> Option<()> {
    let mut idle = 0;
    let mut at = 0;
    while idle < kinds.len() && best.distance > Distance::NONE {
        if along(best, at, kinds[at], evaluate)? {
            idle = 0;
        } else {
            idle += 1;
        }
        at = (at + 1) % kinds.len();
    }
    Some(())
}

/// Climb, and climb again from changes of where that ended, until the goal is reached or `evaluate` says that the budget is
/// used up. What is no worse replaces the best, so that a plateau is left in the end.
pub fn wander(
    best: &mut Best,
    kinds: &[BitsKind],
    pool: &Pool,
    rng: &mut Random,
    evaluate: &mut dyn FnMut(&[u64]) -> Option<Distance>,
) -> Option<()> {
    climb(best, kinds, evaluate)?;
    while best.distance > Distance::NONE {
        let input = changed(&best.input, kinds, pool, rng);
        let distance = evaluate(&input)?;
        let mut next = Best { input, distance };
        // From a worse point too: where inputs have to change together, one change alone makes it worse.
        let promising = next.distance < best.distance || rng.index(3) == 0;
        if promising {
            climb(&mut next, kinds, evaluate)?;
        }
        if next.distance <= best.distance {
            *best = next;
        }
    }
    Some(())
}

/// Steps along one input; whether any helped.
fn along(
    best: &mut Best,
    i: usize,
    kind: BitsKind,
    evaluate: &mut dyn FnMut(&[u64]) -> Option<Distance>,
) -> Option<bool> {
    let mut helped = false;
    'search: loop {
        for power in FIRST.iter().filter(|p| **p < 8 * u32::from(kind.bytes())) {
            for sign in [1i128, -1] {
                let mut step = sign << power;
                let mut moved = false;
                while try_step(best, i, kind, step, evaluate)? {
                    moved = true;
                    step *= 2;
                }
                if moved {
                    helped = true;
                    if best.distance == Distance::NONE {
                        return Some(true);
                    }
                    continue 'search;
                }
            }
        }
        return Some(helped);
    }
}

fn try_step(
    best: &mut Best,
    i: usize,
    kind: BitsKind,
    step: i128,
    evaluate: &mut dyn FnMut(&[u64]) -> Option<Distance>,
) -> Option<bool> {
    let next = kind.stepped(best.input[i], step);
    if kind.rank(next) == kind.rank(best.input[i]) || best.distance == Distance::NONE {
        return Some(false);
    }
    let mut input = best.input.clone();
    input[i] = next;
    let distance = evaluate(&input)?;
    if distance < best.distance {
        *best = Best { input, distance };
        return Some(true);
    }
    Some(false)
}
