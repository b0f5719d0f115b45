//! Which of the killed mutants stand for the others: dynamic subsumption, after Ammann, Delamaro and Offutt,
//! "Establishing Theoretical Minimal Sets of Mutants", ICST 2014.
//!
//! A killed mutant is subsumed by another one if every test that kills the other kills it too, and not the other way
//! round. Mutants killed by just the same tests are one class, whose first in the order of enumeration stands for it. The
//! minimal mutants are those of the classes that no other subsumes: tests of this matrix that kill them kill all.
//!
//! It is a statement about these tests. Two mutants that no test here tells apart may differ at another input, and more
//! tests mean more minimal mutants rather than fewer claims. Only sure kills count, so that mutants that are only probably
//! killed, or not at all, take no part.

use crate::suite::state::bits::Bits;
use crate::suite::{Judged, MatrixCell, Row, Status};
use std::collections::HashMap;

/// For each mutant the minimal one that stands for it: itself if it is minimal, the first in the order of enumeration
/// that subsumes it otherwise, and none if it takes no part. `matrix` has a row a test, and `killed` says of each mutant
/// whether its status is killed.
#[must_use]
pub fn stands_for(matrix: &[Row], killed: &[bool]) -> Vec<Option<usize>> {
    // Classes of the same killing tests, each with its first mutant; in the order of enumeration.
    let mut classes: Vec<Class> = Vec::new();
    let mut known: HashMap<Bits, usize> = HashMap::new();
    let class_of: Vec<Option<usize>> = killers(matrix, killed.len())
        .into_iter()
        .enumerate()
        .map(|(mutant, tests)| {
            // A mutant that nothing here kills would subsume all.
            let count = tests.count();
            if !killed[mutant] || count == 0 {
                return None;
            }
            Some(*known.entry(tests).or_insert_with_key(|tests| {
                classes.push(Class { first: mutant, count, tests: tests.clone() });
                classes.len() - 1
            }))
        })
        .collect();
    // Classes are distinct, so that what a class contains is smaller: with the smallest first, what subsumes a class is
    // there before it, and a class that no minimal one is part of is minimal.
    let mut order: Vec<usize> = (0..classes.len()).collect();
    order.sort_by_key(|c| classes[*c].count);
    let mut minimal: Vec<usize> = Vec::new();
    for class in order {
        if !minimal.iter().any(|m| classes[*m].is_part_of(&classes[class])) {
            minimal.push(class);
        }
    }
    minimal.sort_unstable();
    let stands = |class: &Class| minimal.iter().map(|m| &classes[*m]).find(|m| m.is_part_of(class)).map(|m| m.first);
    let stands: Vec<Option<usize>> = classes.iter().map(stands).collect();
    class_of.into_iter().map(|class| class.and_then(|c| stands[c])).collect()
}

/// Mutants killed by just the same tests.
struct Class {
    /// The first of them in the order of enumeration.
    first: usize,
    /// How many tests those are.
    count: usize,
    /// The tests, a bit each.
    tests: Bits,
}

impl Class {
    /// Whether every test that kills these mutants kills those of another class.
    fn is_part_of(&self, other: &Class) -> bool {
        self.tests.is_part_of(&other.tests)
    }
}

/// For each mutant the tests that surely kill it, a bit each.
fn killers(matrix: &[Row], mutants: usize) -> Vec<Bits> {
    let mut sets = vec![Bits::new(matrix.len()); mutants];
    for (test, row) in matrix.iter().enumerate() {
        for (mutant, _) in row.known().filter(|(_, cell)| matches!(cell, MatrixCell::Ko { .. })) {
            sets[mutant].set(test);
        }
    }
    sets
}

/// Write down at each killed mutant which minimal one stands for it, if it is not minimal itself.
pub(in crate::suite) fn note(judged: &mut [Judged], matrix: &[Row]) {
    let killed: Vec<bool> = judged.iter().map(|j| j.status == Status::Killed).collect();
    for (mutant, stands) in stands_for(matrix, &killed).into_iter().enumerate() {
        let other = stands.filter(|other| *other != mutant);
        judged[mutant].subsumed_by = other.map(|other| judged[other].mutant.id.clone());
    }
}

/// The minimal mutants of a run, by index, in order: none subsumes another, and tests of the run that kill them kill all
/// that the run kills.
#[must_use]
pub fn minimal(mutants: &[Judged]) -> Vec<usize> {
    (0..mutants.len()).filter(|m| mutants[*m].is_minimal()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reproducible stream of numbers (Knuth's MMIX generator, upper half).
    fn stream(seed: u64) -> impl FnMut(u64) -> u64 {
        let mut state = seed;
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        }
    }

    fn kills(matrix: &[Row], test: usize, mutant: usize) -> bool {
        matches!(matrix[test][mutant], MatrixCell::Ko { .. })
    }

    /// The definition, word by word.
    fn subsumes(matrix: &[Row], a: usize, b: usize) -> bool {
        let all = |a: usize, b: usize| (0..matrix.len()).all(|t| !kills(matrix, t, a) || kills(matrix, t, b));
        all(a, b) && !all(b, a)
    }

    fn same(matrix: &[Row], a: usize, b: usize) -> bool {
        (0..matrix.len()).all(|t| kills(matrix, t, a) == kills(matrix, t, b))
    }

    #[test]
    fn as_defined_on_random_matrices() {
        let mut next = stream(2014);
        let (mut subsumed, mut classes, mut wide) = (0, 0, 0);
        for case in 0..300 {
            let tests = if case % 10 == 0 { 60 + next(80) as usize } else { next(7) as usize };
            let mutants = next(14) as usize;
            let sparse = 1 + next(5);
            let cell = |n: u64| match n {
                0 => MatrixCell::Ko { margin: 1.0 },
                1 => MatrixCell::Probable,
                2 => MatrixCell::Uncertain,
                _ => MatrixCell::Ok,
            };
            let matrix: Vec<Row> = (0..tests)
                .map(|_| {
                    let cells = (0..mutants).map(|_| if next(sparse) == 0 { cell(0) } else { cell(next(4)) });
                    Row::Whole(cells.collect())
                })
                .collect();
            let killed: Vec<bool> = (0..mutants).map(|_| next(6) > 0).collect();
            let part = |m: &usize| killed[*m] && (0..tests).any(|t| kills(&matrix, t, *m));
            let all: Vec<usize> = (0..mutants).filter(part).collect();
            let is_minimal = |m: &usize| {
                !all.iter().any(|o| subsumes(&matrix, *o, *m)) && !all.iter().any(|o| o < m && same(&matrix, *o, *m))
            };
            let minimal: Vec<usize> = all.iter().copied().filter(is_minimal).collect();
            let expected = |m: usize| {
                let first = || minimal.iter().find(|o| subsumes(&matrix, **o, m) || same(&matrix, **o, m)).copied();
                if minimal.contains(&m) { Some(m) } else { first() }
            };
            let found = stands_for(&matrix, &killed);
            assert_eq!(found.len(), mutants);
            for (m, found) in found.iter().enumerate() {
                let expected = Some(m).filter(part).and_then(expected);
                assert_eq!(*found, expected, "case {case}, mutant {m}: {matrix:?}");
                // Nobody who takes part is without one that stands for it.
                assert_eq!(found.is_some(), part(&m));
                subsumed += usize::from(expected.is_some_and(|o| subsumes(&matrix, o, m)));
                classes += usize::from(expected.is_some_and(|o| o != m && same(&matrix, o, m)));
                wide += usize::from(tests > 64 && expected.is_some());
            }
            // Whoever kills the minimal ones kills all: of every choice of tests that is tried.
            for _ in 0..10 {
                let chosen: Vec<usize> = (0..tests).filter(|_| next(2) == 0).collect();
                let killed = |m: &usize| chosen.iter().any(|t| kills(&matrix, *t, *m));
                assert_eq!(minimal.iter().all(killed), all.iter().all(killed));
            }
        }
        assert!(subsumed > 100 && classes > 100 && wide > 100, "{subsumed} {classes} {wide}");
    }

    #[test]
    fn nothing_stands_for_nothing() {
        assert_eq!(stands_for(&[], &[]), []);
        assert_eq!(stands_for(&[], &[true, false]), [None, None]);
        // Called killed without a test that does: it takes no part, and above all subsumes nobody.
        let ko = MatrixCell::Ko { margin: 1.0 };
        assert_eq!(stands_for(&[Row::Whole(vec![MatrixCell::Ok, ko])], &[true, true]), [None, Some(1)]);
    }
}
