//! Products in which a factor stands more than once: h p h is not negative where p is not, whatever the sign of h, which the
//! ranges of h p and h do not show.

use super::fact::Fact;
use super::flow::{Action, Flow};
use super::polynomial::power;
use crate::num::Interval;
use crate::ops::Op;
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
    pub(super) fn new(flow: &Flow) -> Self {
        let mut factors: Vec<Factors> = Vec::with_capacity(flow.steps.len());
        let mut known = Vec::with_capacity(flow.steps.len());
        for (i, step) in flow.steps.iter().enumerate() {
            let at = |k: usize| factors[step.operands[k]].clone();
            let itself = Factors { is_negated: false, powers: BTreeMap::from([(i, 1)]) };
            let product = match step.action {
                Action::Apply(Op::Mul | Op::Fma) => Some(at(0).by(&at(1))),
                _ => None,
            };
            factors.push(match (&step.action, &product) {
                (Action::Apply(Op::Mul), Some(product)) => product.clone(),
                (Action::Apply(Op::Neg), _) => Factors { is_negated: !at(0).is_negated, ..at(0) },
                (Action::Convert, _) => at(0),
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
