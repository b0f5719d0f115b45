//! The shares that the terms of a sum have in it, where both are polynomials of the inputs and one has a single term: x^3 is
//! x^2 times x, and so a small share of x - x^3 / 6 also on boxes that reach to 0, where the ranges of both say nothing.

use super::flow::{Action, Flow};
use super::polynomial::{Enclosed, Sum, polynomials};
use crate::num::Interval;
use crate::num::Rational;
use crate::ops::Op;

/// The quotient of the terms of a sum.
#[derive(Clone, Debug)]
struct Quotient {
    /// The operand with a single term, by which the other one is divided.
    by: usize,
    quotient: Enclosed,
}

/// The sums of a program of which something is known, by step.
#[derive(Debug)]
pub(super) struct Shares {
    quotients: Vec<Vec<Quotient>>,
}

impl Shares {
    pub(super) fn new(flow: &Flow) -> Self {
        let sums = polynomials(flow);
        let quotients = flow.steps.iter().map(|step| {
            let [a, b] = [step.operands[0], step.operands[1]].map(|o| sums.get(o).and_then(Option::as_ref));
            let (Some(a), Some(b)) = (a, b) else { return Vec::new() };
            let b = match step.action {
                Action::Apply(Op::Add) => b.clone(),
                Action::Apply(Op::Sub) => b.times(&Rational::from(-1)),
                _ => return Vec::new(),
            };
            let one = |(by, quotient): (usize, Option<Sum>)| Some(Quotient { by, quotient: quotient?.enclosed()? });
            [(1, a.over(&b)), (0, b.over(a))].into_iter().filter_map(one).collect()
        });
        Shares { quotients: quotients.collect() }
    }

    /// Bounds of |a / (a + b)| and |b / (a + b)| for the operands a and b of a sum or difference at the inputs of a box at
    /// which they are not 0; infinite where there are none.
    pub(super) fn of(&self, step: usize, ranges: &[Interval]) -> [f64; 2] {
        let one = Interval::point(1.0);
        let mut shares = [f64::INFINITY; 2];
        for Quotient { by, quotient } in self.quotients.get(step).into_iter().flatten() {
            // With the quotient q of the other operand and this one: 1 / (1 + q) and q / (1 + q) = 1 - 1 / (1 + q).
            let sum = one + quotient.range(ranges);
            if sum.contains(0.0) {
                continue;
            }
            let own = if sum.is_empty() { Interval::point(0.0) } else { sum.recip() };
            // Where this operand is 0 the other one is the sum.
            for (k, share) in [(*by, own.mag()), (1 - by, (one - own).mag().max(1.0))] {
                shares[k] = shares[k].min(share);
            }
        }
        shares
    }
}
