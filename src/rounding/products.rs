//! Products in which a factor stands more than once: h p h is not negative where p is not, whatever the sign of h, which the
//! ranges of h p and h do not show.

use super::fact::Fact;
use super::polynomial::power;
use crate::num::Interval;
use crate::ops::Op;
use crate::program::{Node, Program, Step};
use std::collections::BTreeMap;

/// A product of powers of steps.
#[derive(Clone, Debug)]
struct Factors {
    is_negated: bool,
    powers: BTreeMap<usize, i32>,
}

impl Factors {
    fn by(mut self, other: &Factors) -> Self {
        self.is_negated ^= other.is_negated;
        for (step, e) in &other.powers {
            *self.powers.entry(*step).or_default() += e;
        }
        self
    }
}

/// The products of a program, by step; of a fused multiply-add that of its first two operands. None where all factors differ.
#[derive(Debug)]
pub(super) struct Products {
    known: Vec<Option<Factors>>,
}

impl Products {
    pub(super) fn new(program: &Program) -> Self {
        let mut factors: Vec<Factors> = Vec::with_capacity(program.nodes().len());
        let mut known = Vec::with_capacity(program.nodes().len());
        for (i, Node { step, .. }) in program.nodes().iter().enumerate() {
            let operands = step.operands();
            let at = |k: usize| factors[operands[k].index()].clone();
            let itself = Factors { is_negated: false, powers: BTreeMap::from([(i, 1)]) };
            let product = match step {
                Step::Op(Op::Mul | Op::Fma, _) => Some(at(0).by(&at(1))),
                _ => None,
            };
            factors.push(match (step, &product) {
                (Step::Op(Op::Mul, _), Some(product)) => product.clone(),
                (Step::Op(Op::Neg, _), _) => Factors { is_negated: !at(0).is_negated, ..at(0) },
                (Step::Convert(_), _) => at(0),
                _ => itself,
            });
            known.push(product.filter(|p| p.powers.values().any(|e| *e > 1)));
        }
        Products { known }
    }

    /// Bounds of the exact value of a product, from those of the steps before it.
    pub(super) fn range(&self, step: usize, facts: &[Fact]) -> Interval {
        let Some(factors) = &self.known[step] else { return Interval::ENTIRE };
        let product = factors.powers.iter().map(|(s, e)| power(facts[*s].between, *e));
        let product = product.fold(Interval::point(1.0), |all, x| all * x);
        if factors.is_negated { -product } else { product }
    }
}
