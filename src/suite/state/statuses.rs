//! What is known of each mutant so far, and which are one function.

use crate::solve::Stats;
use crate::suite::state::ground::Kind;
use crate::suite::{EquivalenceProof, Judged, MatrixCell, NearestMiss, Status};
use std::collections::HashMap;

/// The mutants of a run with their statuses.
pub(super) struct Statuses {
    judged: Vec<Judged>,
    /// For every mutant the first one that is known to be the same function: often itself.
    same: Vec<usize>,
}

impl Statuses {
    /// Mutants of which those are one function that are one node of the tape.
    pub(in crate::suite) fn new(judged: Vec<Judged>, kinds: &[Kind]) -> Self {
        let mut first = HashMap::new();
        let one = |(i, kind): (usize, &Kind)| match kind {
            Kind::Body(g) => *first.entry(*g).or_insert(i),
            Kind::Range { .. } | Kind::Accuracy | Kind::Program(_) => i,
        };
        Statuses { judged, same: kinds.iter().enumerate().map(one).collect() }
    }

    pub(in crate::suite) fn all(&self) -> &[Judged] {
        &self.judged
    }

    pub(super) fn into_all(self) -> Vec<Judged> {
        self.judged
    }

    /// Whether nothing is known of a mutant yet.
    pub(in crate::suite) fn is_open(&self, mutant: usize) -> bool {
        matches!(self.judged[mutant].status, Status::Undecided(_))
    }

    /// Give one mutant its status.
    pub(in crate::suite) fn set(&mut self, mutant: usize, status: Status) {
        self.judged[mutant].status = status;
    }

    /// Note what the search for a mutant has cost so far. Returns what it had before.
    pub(in crate::suite) fn set_stats(&mut self, mutant: usize, stats: Stats) -> Stats {
        std::mem::replace(&mut self.judged[mutant].stats, stats)
    }

    /// Note how near a mutant came.
    pub(in crate::suite) fn set_near_miss(&mut self, mutant: usize, miss: Option<NearestMiss>) {
        self.judged[mutant].near_miss = miss;
    }

    /// Take in the verdicts of a test: open mutants that it kills are killed.
    pub(super) fn take_in(&mut self, row: &[MatrixCell]) {
        for (judged, cell) in self.judged.iter_mut().zip(row) {
            match (cell, &judged.status) {
                (MatrixCell::Ko { .. }, Status::Undecided(_)) => judged.status = Status::Killed,
                (MatrixCell::Probable, Status::Undecided(_)) => judged.status = Status::Probable,
                _ => {}
            }
        }
    }

    /// Note that a mutant is the same function as an earlier one.
    pub(in crate::suite) fn is_the_same(&mut self, mutant: usize, known: usize) {
        let (of, as_this) = (self.same[mutant], self.same[known]);
        self.same.iter_mut().filter(|s| **s == of).for_each(|s| *s = as_this);
    }

    /// The mutant whose search is this one's too.
    pub(in crate::suite) fn searched_as(&self, mutant: usize) -> usize {
        // The other may have been settled by itself: a cell of it that was decided, and is not for this one.
        let first = self.same[mutant];
        if self.is_open(first) { first } else { mutant }
    }

    /// Tell of every mutant which earlier one is the same function.
    pub(in crate::suite) fn name_the_same(&mut self) {
        for (mutant, &first) in self.same.iter().enumerate().filter(|(i, first)| **first != *i) {
            self.judged[mutant].same_as = Some(self.judged[first].mutant.id.clone());
        }
    }

    /// Give a mutant its status, and the same to the open ones that are the same function.
    pub(in crate::suite) fn settle(&mut self, mutant: usize, status: Status) {
        let (id, stats) = (self.judged[mutant].mutant.id.clone(), self.judged[mutant].stats);
        let same_as =
            |proof: &EquivalenceProof| EquivalenceProof::SameAs { id: id.clone(), proof: Box::new(proof.clone()) };
        let other = match &status {
            Status::Equivalent(proof) => Status::Equivalent(same_as(proof)),
            Status::Indistinguishable(proof) => Status::Indistinguishable(same_as(proof)),
            status => status.clone(),
        };
        for i in 0..self.judged.len() {
            if i != mutant && self.is_open(i) && self.same[i] == self.same[mutant] {
                self.judged[i].status = other.clone();
                self.judged[i].stats = stats;
            }
        }
        self.judged[mutant].status = status;
    }
}
