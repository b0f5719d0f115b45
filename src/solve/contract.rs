//! What a contractor is, and how contractors are composed.

use super::constraints::Constraints;
use crate::num::Interval;

/// What became of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds no solution.
    Empty,
    /// It is smaller now, by more than rounding.
    Contracted,
    /// It is as before.
    Same,
}

/// Removes parts of a box that hold no solution: no point at which all constraints hold is ever lost.
pub trait Contractor {
    /// Contract `domain` to what of it may satisfy all constraints.
    fn contract(&mut self, all: &Constraints, domain: &mut [Interval]) -> Outcome;
}

/// One contractor after the other.
pub struct Seq(pub Vec<Box<dyn Contractor + Send>>);

impl Contractor for Seq {
    fn contract(&mut self, all: &Constraints, domain: &mut [Interval]) -> Outcome {
        let mut outcome = Outcome::Same;
        for c in &mut self.0 {
            match c.contract(all, domain) {
                Outcome::Empty => return Outcome::Empty,
                Outcome::Contracted => outcome = Outcome::Contracted,
                Outcome::Same => {}
            }
        }
        outcome
    }
}

/// A contractor again and again, until it removes less than a tenth of every interval.
pub struct Fixpoint<C>(pub C);

/// The most rounds of a [`Fixpoint`]: contraction that goes on for longer is slow convergence, where bisection is
/// cheaper.
const MAX_ROUNDS: usize = 8;

impl<C: Contractor> Contractor for Fixpoint<C> {
    fn contract(&mut self, all: &Constraints, domain: &mut [Interval]) -> Outcome {
        let mut outcome = Outcome::Same;
        for _ in 0..MAX_ROUNDS {
            let before: Vec<f64> = domain.iter().map(|i| i.wid()).collect();
            match self.0.contract(all, domain) {
                Outcome::Empty => return Outcome::Empty,
                Outcome::Same => break,
                Outcome::Contracted => outcome = Outcome::Contracted,
            }
            if !domain.iter().zip(&before).any(|(i, w)| i.wid() < 0.9 * w) {
                break;
            }
        }
        outcome
    }
}
