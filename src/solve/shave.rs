//! Shaving: slices at the ends of an interval that HC4 refutes are cut off.
//!
//! Source: 3B consistency, Lhomme, "Consistency techniques for numeric CSPs", IJCAI 1993. It costs two contractions an
//! input and pays only where plain HC4 has stalled.

use super::constraints::Constraints;
use super::contract::{Contractor, Outcome};
use super::hc4::Hc4;
use crate::num::Interval;

/// The share of an interval that one slice takes.
const SLICE: f64 = 0.125;
/// The most slices cut off one end in a row.
const IN_A_ROW: usize = 3;

/// The contractor, with the one that refutes slices.
#[derive(Default)]
pub struct Shave {
    hc4: Hc4,
    slice: Vec<Interval>,
}

impl Contractor for Shave {
    fn contract(&mut self, all: &Constraints, domain: &mut [Interval]) -> Outcome {
        let mut outcome = Outcome::Same;
        for i in 0..domain.len() {
            for upper in [false, true] {
                for _ in 0..IN_A_ROW {
                    match self.cut(all, domain, i, upper) {
                        Outcome::Same => break,
                        Outcome::Contracted => outcome = Outcome::Contracted,
                        Outcome::Empty => return Outcome::Empty,
                    }
                }
            }
        }
        outcome
    }
}

impl Shave {
    /// Cut one slice off one end of input `i`, if it holds no solution.
    fn cut(&mut self, all: &Constraints, domain: &mut [Interval], i: usize, upper: bool) -> Outcome {
        let x = domain[i];
        if x.is_point() || !x.is_bounded() {
            return Outcome::Same;
        }
        let width = (x.sup() - x.inf()) * SLICE;
        let edge = if upper { x.sup() - width } else { x.inf() + width };
        // The slice and the rest share the edge, so that no number is lost between them.
        if !(x.inf() < edge && edge < x.sup()) {
            return Outcome::Same;
        }
        let (slice, rest) = (Interval::new(x.inf(), edge), Interval::new(edge, x.sup()));
        let (slice, rest) = if upper { (rest, slice) } else { (slice, rest) };
        self.slice.clear();
        self.slice.extend_from_slice(domain);
        self.slice[i] = slice;
        match self.hc4.contract(all, &mut self.slice) {
            Outcome::Empty => {
                domain[i] = rest;
                Outcome::Contracted
            }
            _ => Outcome::Same,
        }
    }
}
