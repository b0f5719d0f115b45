//! The shares that the terms of a sum have in it, where both are polynomials of the inputs and one has a single term: x^3 is
//! x^2 times x, and so a small share of x - x^3 / 6 also on boxes that reach to 0, where the ranges of both say nothing.

use super::polynomial::{Enclosed, Sum, polynomials};
use crate::num::Interval;
use crate::num::Rational;
use crate::ops::Op;
use crate::program::{Program, Step};

/// The quotient of the terms of a sum.
#[derive(Clone, Debug)]
struct Quotient {
    /// The operand with a single term, by which the other one is divided.
    by: usize,
    quotient: Enclosed,
    /// Whether the other operand is 0 wherever that one is.
    is_multiple: bool,
}

/// The sums of a program of which something is known, by step.
#[derive(Debug)]
pub(super) struct Shares {
    quotients: Vec<Vec<Quotient>>,
}

impl Shares {
    pub(super) fn new(program: &Program) -> Self {
        let sums = polynomials(program);
        let quotients = program.nodes().iter().map(|node| {
            let operands = node.step.operands();
            let at = |k: usize| sums.get(operands[k].index()).and_then(Option::as_ref);
            let terms = match node.step {
                Step::Op(Op::Add, _) => at(0).cloned().zip(at(1).cloned()),
                Step::Op(Op::Sub, _) => at(0).cloned().zip(at(1).map(|b| b.times(&Rational::from(-1)))),
                Step::Op(Op::Fma, _) => {
                    at(0).zip(at(1)).and_then(|(a, b)| Sum::apply(Op::Mul, &[a, b])).zip(at(2).cloned())
                }
                _ => None,
            };
            let one = |by: usize, quotient: Option<Sum>| {
                let quotient = quotient?;
                Some(Quotient { by, quotient: quotient.enclosed()?, is_multiple: quotient.is_entire() })
            };
            let both = |(a, b): (Sum, Sum)| [one(1, a.over(&b)), one(0, b.over(&a))];
            terms.map(both).into_iter().flatten().flatten().collect()
        });
        Shares { quotients: quotients.collect() }
    }

    /// Bounds of |a / (a + b)| and |b / (a + b)| for the terms a and b of a sum, difference or fused multiply-add at the inputs of a box at
    /// which they are not 0; infinite where there are none.
    pub(super) fn of(&self, step: usize, ranges: &[Interval]) -> [f64; 2] {
        let one = Interval::point(1.0);
        let mut shares = [f64::INFINITY; 2];
        for Quotient { by, quotient, is_multiple } in self.quotients.get(step).into_iter().flatten() {
            // With the quotient q of the other operand and this one: 1 / (1 + q) and q / (1 + q) = 1 - 1 / (1 + q).
            let sum = one + quotient.range(ranges);
            if sum.contains(0.0) {
                continue;
            }
            let own = if sum.is_empty() { Interval::point(0.0) } else { sum.recip() };
            // Where this operand is 0 and the other one is not, that is the sum.
            let least = if *is_multiple { 0.0 } else { 1.0 };
            for (k, share) in [(*by, own.mag()), (1 - by, (one - own).mag().max(least))] {
                shares[k] = shares[k].min(share);
            }
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Format;
    use crate::program::{Id, Node};

    /// The shares of a and b in the last step.
    fn shares(steps: &[Step], ranges: &[Interval]) -> [f64; 2] {
        let node = |step: &Step| Node { step: step.clone(), format: Format::BINARY64 };
        let program = Program::of_nodes(steps.iter().map(node).collect());
        Shares::new(&program).of(steps.len() - 1, ranges)
    }

    /// x y + x and its likes, of which the shares follow from y.
    #[test]
    fn sums_however_they_are_written_have_the_shares_of_their_terms() {
        let ranges = [Interval::new(-1.0, 1.0), Interval::new(3.0, 7.0)];
        let inputs = [Step::Input(0), Step::Input(1)];
        let step = |op: Op, operands: [usize; 3]| Step::Op(op, operands.map(Id::at));
        let of = |rest: &[Step]| shares(&[&inputs, rest].concat(), &ranges);
        let sum = of(&[step(Op::Mul, [0, 1, 0]), step(Op::Add, [2, 0, 0])]);
        let fused = of(&[step(Op::Fma, [0, 1, 0])]);
        let difference = of(&[step(Op::Neg, [0, 0, 0]), step(Op::Mul, [0, 1, 0]), step(Op::Sub, [3, 2, 0])]);
        // y / (y + 1) and 1 / (y + 1).
        for [first, second] in [sum, fused, difference] {
            assert!((0.875..0.8751).contains(&first) && (0.25..0.2501).contains(&second), "{first} {second}");
        }
    }
}
