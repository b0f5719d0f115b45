//! What can be taken out of tests that somebody brought, and where what they miss lies.

use crate::num::float::rational_to_f64;
use crate::num::mpfr::Round;
use crate::spec::{RangeEnd, Spec};
use crate::suite::Generated;
use crate::suite::adequacy::minimize::{cover, needed};
use crate::testfile::TestRecord;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Tests with all that they kill: what a completion needs, and what an evaluation that goes through tests in batches does not keep.
#[derive(Clone, Debug, Default)]
pub struct KeptTests {
    /// The tests in their order.
    pub records: Vec<TestRecord>,
    /// What each of them kills: mutants by index, and whether only probably.
    pub rows: Vec<Vec<(usize, bool)>>,
}

impl KeptTests {
    /// Tests that can be taken out together: what they kill the others kill as well. Those that kill least go first, and of
    /// equals the later ones.
    #[must_use]
    pub fn redundant(&self, mutants: usize) -> Vec<usize> {
        let mut killers = vec![0usize; mutants];
        self.rows.iter().flatten().for_each(|(m, _)| killers[*m] += 1);
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|t| (self.rows[*t].len(), std::cmp::Reverse(*t)));
        let mut out = Vec::new();
        for test in order {
            if self.rows[test].iter().all(|(m, _)| killers[*m] > 1) {
                self.rows[test].iter().for_each(|(m, _)| killers[*m] -= 1);
                out.push(test);
            }
        }
        out.sort_unstable();
        out
    }

    /// The tests without some, in their order.
    #[must_use]
    pub fn without(&self, out: &[usize]) -> Vec<TestRecord> {
        let kept = self.records.iter().enumerate().filter(|(t, _)| out.binary_search(t).is_err());
        kept.map(|(_, r)| r.clone()).collect()
    }
}

/// Where the mutants that are missed would be killed, along one input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Whereabouts {
    /// In the lowest tenth of the input's range alone.
    pub low: usize,
    /// In the highest tenth alone.
    pub high: usize,
    /// Outside the range alone.
    pub outside: usize,
    /// Elsewhere, or in several places.
    pub elsewhere: usize,
}

/// What of an input's scale is the least that a person would write, other than 0.
const LEAST: f64 = 1e-6;
/// What of it is the most.
const MOST: f64 = 1e9;

/// Whether a person would write an input's values. Each is 0, or from a millionth of its input's scale to a billion times it.
///
/// The scale for what is small is the larger end of the range, and at most 1; for what is large it is at least 1. A range that does not
/// hold 0 says itself how small its values are.
#[must_use]
pub fn is_everyday(spec: &Spec, input: &[f64]) -> bool {
    spec.inputs.iter().zip(input).all(|(declared, x)| {
        let end = |b: &Option<RangeEnd>| b.as_ref().map(|b| rational_to_f64(&b.value, Round::Down));
        let (lo, hi) = (end(&declared.range.lo), end(&declared.range.hi));
        let sizes = || lo.iter().chain(&hi).map(|b| b.abs()).filter(|b| *b > 0.0);
        let largest = sizes().reduce(f64::max).unwrap_or(1.0);
        let mut least = LEAST * largest.min(1.0);
        if lo.is_some_and(|lo| lo > 0.0) || hi.is_some_and(|hi| hi < 0.0) {
            // Half: robustness tests stand just outside.
            least = sizes().map(|b| b / 2.0).fold(least, f64::min);
        }
        *x == 0.0 || (least..=MOST * largest.max(1.0)).contains(&x.abs())
    })
}

/// A few rows that kill all of `wanted`: no more than `--minimize` would keep of all tests. Of those that would do one by one, it takes
/// one that a person would write.
pub(in crate::suite) fn smallest(spec: &Spec, run: &Generated, wanted: &[usize]) -> Vec<usize> {
    let all: Vec<usize> = (0..run.matrix.len()).collect();
    let found: Vec<usize> = all.iter().copied().filter(|t| run.tests[*t].target.is_some()).collect();
    let minimal = cover(&run.matrix, &found, &needed(&run.mutants));
    let (mut best, other) = (cover(&run.matrix, &all, wanted), cover(&run.matrix, &minimal, wanted));
    let killed =
        |tests: &[usize]| wanted.iter().filter(|m| tests.iter().any(|t| run.matrix[*t][**m].is_kill())).count();
    if killed(&other) == killed(&best) && other.len() < best.len() {
        best = other;
    }
    while let Some(better) = exchanged(run, &best, wanted) {
        best = better;
    }
    let is_everyday = |t: &usize| is_everyday(spec, &run.tests[*t].input);
    while let Some(better) = made_everyday(run, &best, wanted, is_everyday) {
        best = better;
    }
    best.sort_unstable();
    best
}

/// The same kills with as many tests, where one that a person would write takes the place of one that nobody would.
fn made_everyday(
    run: &Generated,
    chosen: &[usize],
    wanted: &[usize],
    is_everyday: impl Fn(&usize) -> bool,
) -> Option<Vec<usize>> {
    let others = || (0..run.matrix.len()).filter(|t| is_everyday(t) && !chosen.contains(t));
    chosen.iter().filter(|t| !is_everyday(t)).find_map(|extreme| {
        let open = killed_by_these_alone(run, chosen, &[*extreme], wanted);
        let other = one_that_kills(run, others(), &open)?;
        Some(chosen.iter().map(|t| if t == extreme { other } else { *t }).collect())
    })
}

/// What some of the chosen tests kill of what is wanted, and no other chosen test does.
fn killed_by_these_alone(run: &Generated, chosen: &[usize], these: &[usize], wanted: &[usize]) -> Vec<usize> {
    let kills = |t: &usize, m: usize| run.matrix[*t][m].is_kill();
    let is_theirs =
        |m: &&usize| these.iter().any(|t| kills(t, **m)) && !chosen.iter().any(|t| !these.contains(t) && kills(t, **m));
    wanted.iter().filter(is_theirs).copied().collect()
}

/// The first test that kills all of them.
fn one_that_kills(run: &Generated, mut tests: impl Iterator<Item = usize>, mutants: &[usize]) -> Option<usize> {
    tests.find(|t| mutants.iter().all(|m| run.matrix[*t][*m].is_kill()))
}

/// The most tests among which two are exchanged for one.
const EXCHANGED: usize = 40;

/// The same kills with one test less, where one test takes the place of two.
fn exchanged(run: &Generated, chosen: &[usize], wanted: &[usize]) -> Option<Vec<usize>> {
    if chosen.len() > EXCHANGED {
        return None;
    }
    for (k, one) in chosen.iter().enumerate() {
        for other in &chosen[k + 1..] {
            let open = killed_by_these_alone(run, chosen, &[*one, *other], wanted);
            if let Some(whole) = one_that_kills(run, 0..run.matrix.len(), &open) {
                let rest = chosen.iter().copied().filter(|t| t != one && t != other);
                return Some(rest.chain([whole]).collect());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_kill_only_what_others_kill_are_redundant() {
        let row = |mutants: &[usize]| mutants.iter().map(|m| (*m, false)).collect::<Vec<_>>();
        let of = |rows: &[&[usize]]| {
            KeptTests { rows: rows.iter().map(|r| row(r)).collect(), ..KeptTests::default() }.redundant(5)
        };
        // The second kills nothing of its own; of two equal ones, the later goes.
        assert_eq!(of(&[&[0, 1], &[1], &[2]]), [1]);
        assert_eq!(of(&[&[3], &[3], &[]]), [1, 2]);
        // Each of the three is superfluous by the other two; one alone goes.
        assert_eq!(of(&[&[0, 1], &[1, 2], &[0, 2]]), [2]);
        assert_eq!(of(&[&[0], &[1]]), [0usize; 0]);
    }
}
