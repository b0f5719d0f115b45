//! Proofs looked at again, by less.

use super::{DecisionWork, End, FIRST, Search};
use crate::solve::float::{Cuts, Graph, Satisfy, Term};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What became of a proof that was looked at again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Confirmation {
    /// It holds: so many boxes were evaluated.
    Confirmed(u64),
    /// It holds: laws of rounding suffice, without the operations themselves.
    Laws,
    /// It holds: the engine of gates proves it as well.
    Gates,
    /// It holds: another solver finds no solution of the gates either.
    Solver,
    /// So many boxes were evaluated, and some are left.
    Open(u64),
    /// It does not hold: with these values of the unknowns, floats as ordinals, the formulas are true.
    Refuted(Vec<i64>),
}

impl Confirmation {
    /// Whether the proof holds.
    #[must_use]
    pub fn is_confirmed(&self) -> bool {
        match self {
            Confirmation::Confirmed(_) | Confirmation::Laws | Confirmation::Gates | Confirmation::Solver => true,
            Confirmation::Open(_) | Confirmation::Refuted(_) => false,
        }
    }
}

impl fmt::Display for Confirmation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Confirmation::Confirmed(boxes) => write!(f, "confirmed by evaluating {boxes} boxes"),
            Confirmation::Laws => write!(f, "confirmed by laws of rounding"),
            Confirmation::Gates => write!(f, "confirmed by the engine of gates"),
            Confirmation::Solver => write!(f, "confirmed by a second solver of its gates"),
            Confirmation::Open(boxes) => write!(f, "not confirmed by evaluating {boxes} boxes"),
            Confirmation::Refuted(_) => write!(f, "refuted"),
        }
    }
}

/// Without contraction so many times more boxes are allowed.
pub const AGAIN: u64 = 20;

/// Whether no values of the unknowns make formulas true, shown by plain evaluation of boxes, at most so many: nothing is
/// eliminated, contracted or linearised, so that what is trusted are the images of the operations and the cuts alone.
pub(super) fn confirm(graph: &Graph, roots: &[Term], boxes: u64) -> Confirmation {
    let mut searches = [Cuts::Latest, Cuts::Unknowns].map(|cuts| Search::new(Satisfy::plain(graph, roots, cuts)));
    let mut work = DecisionWork::default();
    let mut turn = FIRST;
    loop {
        for search in &mut searches {
            match search.turn(turn.min(boxes.saturating_sub(work.boxes)), &mut work) {
                End::Found(point) => return Confirmation::Refuted(point),
                End::Infeasible => return Confirmation::Confirmed(work.boxes),
                End::Open => {}
            }
        }
        if work.boxes >= boxes || searches.iter().all(|s| s.parts.is_none()) || crate::halt::requested() {
            return Confirmation::Open(work.boxes);
        }
        turn *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::{Format, Rounding};
    use crate::solve::float::project::RoundedFunction;
    use crate::solve::float::relate::TermRelation;
    use crate::solve::float::{Sort, TermOp};

    /// No square of a float is 2.
    #[test]
    fn a_proof_that_takes_more_boxes_is_open() {
        let format = Format::BINARY32;
        let mut graph = Graph::default();
        let x = graph.variable(Sort::Float(format));
        let two = graph.constant(Sort::Float(format), format.ordinal_toward(Rounding::Down, 2.0));
        let mode = graph.mode(Rounding::Down);
        let square = graph.apply(TermOp::Rounded(RoundedFunction::Mul), Sort::Float(format), &[mode, x, x]);
        let is_two = graph.apply(TermOp::Relation(TermRelation::Equal), Sort::Bool, &[square, two]);
        assert!(matches!(confirm(&graph, &[is_two], 5), Confirmation::Open(5..)));
        assert!(!matches!(confirm(&graph, &[is_two], 1_000_000), Confirmation::Open(_)));
    }
}
