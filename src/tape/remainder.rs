//! Taylor remainders of functions that are nearly the identity near 0: u - h(u) = u^n theta with theta in an interval.

use super::builder::Builder;
use super::eval::Boxes;
use super::evaluate;
use super::node::{ConstValue, Node, NodeId, Tape};
use crate::num::Rational;
use crate::ops::Op;

/// The functions are bounded for |u| up to this.
const RADIUS: f64 = 0.5;

/// n, and bounds of theta in thousandths, rounded outward, for |u| <= 1/2. Each theta is monotone in |u| there (in u
/// for n = 2), so that its bounds are the leading coefficient at 0 and the value at the ends.
fn table(op: Op) -> Option<(u32, [i32; 2])> {
    Some(match op {
        Op::Sin => (3, [164, 167]),
        Op::Tan => (3, [-371, -333]),
        Op::Asin => (3, [-189, -166]),
        Op::Atan => (3, [290, 334]),
        Op::Sinh => (3, [-169, -166]),
        Op::Tanh => (3, [303, 334]),
        Op::Asinh => (3, [150, 167]),
        Op::Atanh => (3, [-395, -333]),
        Op::Log1p => (2, [378, 773]),
        Op::Expm1 => (2, [-595, -426]),
        _ => return None,
    })
}

/// Whether the tape has a function whose remainder is known where its operand is small.
#[must_use]
pub fn knows_remainders(tape: &Tape) -> bool {
    tape.nodes().iter().any(|n| matches!(n, Node::Op(op, _) if table(*op).is_some()))
}

impl Builder {
    /// n and theta in `u - op(u) = u^n theta`, where `u` is small on all of the domain that was announced.
    pub(super) fn remainder(&mut self, op: Op, u: NodeId) -> Option<(u32, NodeId)> {
        let (power, [lo, hi]) = table(op)?;
        let (tape, root) = self.tape().extract(&[u]);
        let mut values = Vec::new();
        evaluate(&tape, &mut Boxes { inputs: self.domain.as_ref()? }, &mut values);
        if values[root[0].index()].x.mag() <= RADIUS {
            let theta = ConstValue::Within(Rational::from((lo, 1000)), Rational::from((hi, 1000)));
            return Some((power, self.constant(theta)));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::MpInterval;
    use crate::num::mpfr::{Float, Pow};

    /// The bounds hold at points over the whole range, judged in multiple precision.
    #[test]
    fn remainders_are_enclosed() {
        for &op in Op::ALL.iter() {
            let Some((power, [lo, hi])) = table(op) else { continue };
            for k in (-500..=500).filter(|k| *k != 0) {
                let u = MpInterval::from_rational(&Rational::from((k, 1000)), 300);
                let value = op.enclose(&[&u], 300);
                let theta = Float::with_val(300, &u.lo - &value.lo) / Float::with_val(300, (&u.lo).pow(power));
                assert!(theta >= f64::from(lo) / 1000.0 && theta <= f64::from(hi) / 1000.0, "{op:?} {k} {theta}");
            }
        }
    }
}
