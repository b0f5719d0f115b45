//! Inequalities by normal forms: bounds of a function, and that two functions are within their tolerances.
//!
//! A quotient is multiplied out, and terms cancel between both sides, before anything is enclosed in intervals.

use super::definedness::Signs;
use super::normal::Normalizer;
use super::proof::{FUEL, Prover};
use super::table::{FormId, Try};
use crate::csp::tolerance::LowerTolerance;
use crate::num::Rational;
use crate::ops::Op;
use crate::tape::{NodeId, Tape, TapeNode};

impl Prover<'_> {
    /// Prove that |f| is at most `bound` at every point of the domain at which f has a value. The number of boxes that it
    /// took; `None`: not proved.
    #[must_use]
    pub fn prove_at_most(&mut self, f: NodeId, bound: &Rational) -> Option<u32> {
        let f = self.form(f)?;
        let minus = Rational::from(-1);
        let below = self.never_negative(&[(&minus, f)], bound)?;
        Some(below + self.never_negative(&[(&Rational::from(1), f)], bound)?)
    }

    /// Prove that |f| is less than `bound` at every point of the domain at which f has a value. The number of boxes that it
    /// took; `None`: not proved.
    #[must_use]
    pub fn prove_below(&mut self, f: NodeId, bound: &Rational) -> Option<u32> {
        let f = self.form(f)?;
        let below = self.sign_of_sum(&[(&Rational::from(-1), f)], bound, Signs::POSITIVE)?;
        Some(below + self.sign_of_sum(&[(&Rational::from(1), f)], bound, Signs::POSITIVE)?)
    }

    /// Prove that f is at least `bound` wherever it has a value in the domain, or at most `-bound` wherever it has. The
    /// number of boxes that it took; `None`: not proved.
    #[must_use]
    pub fn prove_beyond(&mut self, f: NodeId, bound: &Rational) -> Option<u32> {
        let f = self.form(f)?;
        let minus = Rational::from(-bound);
        [1, -1].into_iter().find_map(|sign| self.never_negative(&[(&Rational::from(sign), f)], &minus))
    }

    /// Prove that f and g have values at the same points of the domain, and that |f - g| is nowhere larger than the sum
    /// of their tolerances, of which `tolerance` is a lower bound. The number of boxes that it took; `None`: not proved.
    #[must_use]
    pub fn prove_near(&mut self, f: NodeId, g: NodeId, tolerance: &LowerTolerance) -> Option<u32> {
        let is_one_form = self.form(f)? == self.form(g)?;
        let relative = Some(&tolerance.relative).filter(|r| !is_one_form && **r != 0).and_then(|r| {
            let (f, g) = (self.form(f)?, self.form(g)?);
            let sums = [r.clone(), Rational::from(-r)];
            // |f| + |g| is at least f + g, and at least -f - g.
            sums.iter().find_map(|r| self.never_apart(f, g, r, &Rational::new()))
        });
        let boxes = is_one_form.then_some(1).or(relative).or_else(|| {
            let both = Rational::from(2) * &tolerance.absolute;
            let (f, g) = moved(self.normalizer.tape, f, g);
            let (f, g) = (self.form(f)?, self.form(g)?);
            Some(both).filter(|a| *a != 0).and_then(|a| self.never_apart(f, g, &Rational::new(), &a))
        })?;
        let (a, b) = (self.normalizer.normal(f)?, self.normalizer.normal(g)?);
        self.same_needs(&a, &b)?;
        Some(boxes)
    }

    /// Prove that |f - g| is nowhere larger than r (f + g) + a.
    fn never_apart(&mut self, f: FormId, g: FormId, r: &Rational, a: &Rational) -> Option<u32> {
        let one = Rational::from(1);
        let (plus, minus) = (Rational::from(r + &one), Rational::from(r - &one));
        let below = self.never_negative(&[(&minus, f), (&plus, g)], a)?;
        Some(below + self.never_negative(&[(&plus, f), (&minus, g)], a)?)
    }

    /// Prove that a sum of multiples and a constant is nowhere negative.
    fn never_negative(&mut self, terms: &[(&Rational, FormId)], constant: &Rational) -> Option<u32> {
        self.sign_of_sum(terms, constant, Signs::NOT_NEGATIVE)
    }

    fn sign_of_sum(&mut self, terms: &[(&Rational, FormId)], constant: &Rational, sign: Signs) -> Option<u32> {
        let Normalizer { table, logic, facts, .. } = &mut self.normalizer;
        table.fuel = FUEL;
        let constant = table.constant(constant.clone());
        let add = |sum: Try<FormId>, (factor, form): &(&Rational, FormId)| {
            let multiple = table.scale(*form, factor)?;
            table.add(sum?, multiple)
        };
        let sum = terms.iter().fold(Ok(constant), add).ok()?;
        let fact = facts.sign(table, logic, sum, sign)?;
        Some(facts.fact(fact).2)
    }
}

/// Two nodes that differ at least as much: a maximum or minimum with the same number moves by no more than its operand.
fn moved(tape: &Tape, mut f: NodeId, mut g: NodeId) -> (NodeId, NodeId) {
    while let (TapeNode::Op(p @ (Op::Fmin | Op::Fmax), [a, b, _]), TapeNode::Op(q, [c, d, _])) =
        (tape.node(f), tape.node(g))
        && p == q
    {
        (f, g) = match () {
            () if a == c => (b, d),
            () if b == d => (a, c),
            () if a == d => (b, c),
            () if b == c => (a, d),
            () => break,
        };
    }
    (f, g)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::Builder;

    #[test]
    fn a_number_in_common_is_left_out_wherever_it_stands_and_no_other() {
        let mut b = Builder::literal(4);
        let inputs = [0, 1, 2, 3].map(|i| b.var(i));
        for op in [Op::Fmin, Op::Fmax] {
            let all = |b: &mut Builder, x: NodeId| inputs.map(|y| b.op(op, &[x, y]));
            let nodes = inputs.map(|x| all(&mut b, x));
            let tape = b.tape();
            for [i, j, k, l] in (0..256).map(|n| [n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6]) {
                let (f, g) = (nodes[i][j], nodes[k][l]);
                let common = if i == k {
                    Some((j, l))
                } else if j == l {
                    Some((i, k))
                } else if i == l {
                    Some((j, k))
                } else {
                    (j == k).then_some((i, l))
                };
                let expected = common.map_or((f, g), |(p, q)| (inputs[p], inputs[q]));
                assert_eq!(moved(tape, f, g), expected, "{i} {j} {k} {l}");
            }
        }
        let (least, greatest) = (b.op(Op::Fmin, &[inputs[0], inputs[1]]), b.op(Op::Fmax, &[inputs[0], inputs[2]]));
        assert_eq!(moved(b.tape(), least, greatest), (least, greatest));
    }
}
