//! An upper bound of a node from its derivatives: monotone directions at their corner, the others by the mean value
//! form. Tighter than natural evaluation on narrow boxes, where its terms cancel.
//!
//! Source: Neumaier, "Interval Methods for Systems of Equations", 1990, sections 2.3 and 2.4.

use super::eval::{Boxes, Enclosure};
use super::evaluate;
use super::grad::gradient;
use super::node::{NodeId, Tape, TapeNode};
use crate::num::Interval;
use crate::ops::Op;

/// Scratch memory for gradients.
#[derive(Default)]
pub struct MeanValue {
    adjoint: Vec<Interval>,
    slopes: Vec<Interval>,
    /// Derivatives of the two terms of a gap.
    parts: [Vec<Interval>; 2],
    values: Vec<Enclosure>,
    inner: Vec<Interval>,
}

impl MeanValue {
    /// An upper bound of the node `gap` over `domain`, on which `values` were computed; `None` where there are no
    /// derivatives. Afterwards [`MeanValue::slopes`] are the derivatives by each input.
    ///
    /// Of a gap |d| - s where d may have either sign, both d - s and -d - s are bounded: the derivative of |d| is not
    /// known better than its sign, and what cancels within that of d would be lost. Where the first bound is no better
    /// than the one that is `known`, the second is of no use.
    pub fn upper(
        &mut self,
        tape: &Tape,
        gap: NodeId,
        domain: &[Interval],
        values: &[Enclosure],
        known: f64,
    ) -> Option<f64> {
        self.slopes.resize(domain.len(), Interval::EMPTY);
        let Some((d, scale)) = two_sided(tape, gap, values) else {
            if !gradient(tape, values, gap, &mut self.adjoint, &mut self.slopes) {
                self.slopes.clear();
                return None;
            }
            return Some(self.bound(tape, domain, |v| v[gap.index()].x));
        };
        for (node, out) in [d, scale].into_iter().zip(&mut self.parts) {
            out.resize(domain.len(), Interval::EMPTY);
            if !gradient(tape, values, node, &mut self.adjoint, out) {
                self.slopes.clear();
                return None;
            }
        }
        let mut upper = f64::NEG_INFINITY;
        for negative in [false, true] {
            let signed = |x: Interval| if negative { -x } else { x };
            for (i, slope) in self.slopes.iter_mut().enumerate() {
                *slope = signed(self.parts[0][i]) - self.parts[1][i];
            }
            let bound = self.bound(tape, domain, |v| signed(v[d.index()].x) - v[scale.index()].x);
            upper = if bound.is_nan() { return None } else { upper.max(bound) };
            if upper >= known {
                break;
            }
        }
        for (i, slope) in self.slopes.iter_mut().enumerate() {
            let of_d = self.parts[0][i];
            *slope = (of_d | -of_d) - self.parts[1][i];
        }
        Some(upper)
    }

    /// The same bound where it shows that the node is positive nowhere on `domain`.
    pub fn never_positive(
        &mut self,
        tape: &Tape,
        node: NodeId,
        domain: &[Interval],
        values: &[Enclosure],
    ) -> Option<f64> {
        // No bound that is positive is of use.
        let least = f64::from_bits(1);
        self.upper(tape, node, domain, values, least).filter(|upper| *upper <= 0.0)
    }

    /// An upper bound over `domain` of a function with the derivatives in `slopes`, read off the values at a box.
    fn bound(&mut self, tape: &Tape, domain: &[Interval], read: impl Fn(&[Enclosure]) -> Interval) -> f64 {
        // Where the function only grows in an input, its maximum is at the upper end, and the other way round.
        self.inner.clear();
        self.inner.extend(domain.iter().zip(&self.slopes).map(|(x, s)| {
            if s.inf() >= 0.0 {
                Interval::point(x.sup())
            } else if s.sup() <= 0.0 {
                Interval::point(x.inf())
            } else {
                *x
            }
        }));
        evaluate(tape, &mut Boxes { inputs: &self.inner }, &mut self.values);
        let natural = read(&self.values).sup();
        if self.inner.iter().all(|x| x.is_point()) {
            return natural;
        }
        let mut spread = Interval::point(0.0);
        for (x, s) in self.inner.iter_mut().zip(&self.slopes) {
            let centre = Interval::point(x.mid());
            spread = spread + *s * (*x - centre);
            *x = centre;
        }
        evaluate(tape, &mut Boxes { inputs: &self.inner }, &mut self.values);
        natural.min((read(&self.values) + spread).sup())
    }

    /// The derivatives found last; empty if there were none.
    #[must_use]
    pub fn slopes(&self) -> &[Interval] {
        &self.slopes
    }
}

/// The d and s of a gap |d| - s on a box where d may have either sign.
fn two_sided(tape: &Tape, gap: NodeId, values: &[Enclosure]) -> Option<(NodeId, NodeId)> {
    let TapeNode::Op(Op::Sub, [distance, scale, _]) = tape.node(gap) else { return None };
    let TapeNode::Op(Op::Fabs, [d, ..]) = tape.node(distance) else { return None };
    let x = values[d.index()].x;
    (x.inf() < 0.0 && x.sup() > 0.0).then_some((d, scale))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::Builder;

    type Build = fn(&mut Builder, [NodeId; 2]) -> NodeId;

    /// Terms that cancel, of which natural evaluation knows much less.
    #[test]
    fn upper_bounds_hold_and_are_near() {
        let built: [Build; 4] = [
            |b, [x, _]| {
                let square = b.op(Op::Mul, &[x, x]);
                b.op(Op::Sub, &[x, square])
            },
            |b, [x, y]| {
                let (product, sine) = (b.op(Op::Mul, &[x, y]), b.op(Op::Sin, &[x]));
                b.op(Op::Sub, &[product, sine])
            },
            |b, [x, y]| {
                let (grown, sum) = (b.op(Op::Exp, &[x]), b.op(Op::Add, &[x, y]));
                let product = b.op(Op::Mul, &[grown, sum]);
                b.op(Op::Sub, &[product, grown])
            },
            |b, [x, y]| {
                let (difference, square) = (b.op(Op::Sub, &[x, y]), b.op(Op::Mul, &[x, y]));
                let distance = b.op(Op::Fabs, &[difference]);
                b.op(Op::Sub, &[distance, square])
            },
        ];
        for build in built {
            for (x, y) in [(0.5, 1.0), (0.5, 0.5), (-0.75, 0.25), (2.0, -1.0), (0.0, 0.0)] {
                let mut b = Builder::new(2);
                let inputs = [b.var(0), b.var(1)];
                let node = build(&mut b, inputs);
                let tape = b.finish();
                let domain = [x, y].map(|m| Interval::new(m - 0.0625, m + 0.0625));
                let mut values = Vec::new();
                evaluate(&tape, &mut Boxes { inputs: &domain }, &mut values);
                let Some(upper) = MeanValue::default().upper(&tape, node, &domain, &values, f64::INFINITY) else {
                    continue;
                };
                let mut most = f64::NEG_INFINITY;
                for (s, t) in (0..=8).flat_map(|s| (0..=8).map(move |t| (s, t))) {
                    let at = |x: Interval, k: i32| Interval::point(x.inf() + x.wid() * f64::from(k) / 8.0);
                    let at = [at(domain[0], s), at(domain[1], t)];
                    evaluate(&tape, &mut Boxes { inputs: &at }, &mut values);
                    most = most.max(values[node.index()].x.inf());
                }
                assert!(most <= upper && upper <= most + 0.1, "{x} {y}: {most} {upper}");
            }
        }
    }
}
