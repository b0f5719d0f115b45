//! An upper bound of a node from its derivatives: monotone directions at their corner, the others by the mean value
//! form. Tighter than natural evaluation on narrow boxes, where its terms cancel.
//!
//! Source: Neumaier, "Interval Methods for Systems of Equations", 1990, sections 2.3 and 2.4.

use super::eval::{Boxes, Enclosure};
use super::evaluate;
use super::grad::gradient;
use super::node::{NodeId, Tape};
use crate::num::Interval;

/// Scratch memory for gradients.
#[derive(Default)]
pub struct MeanValue {
    adjoint: Vec<Interval>,
    slopes: Vec<Interval>,
    values: Vec<Enclosure>,
    inner: Vec<Interval>,
}

impl MeanValue {
    /// An upper bound of the node `gap` over `domain`, on which `values` were computed; `None` where there are no
    /// derivatives. Afterwards [`MeanValue::slopes`] are the derivatives by each input.
    pub fn upper(&mut self, tape: &Tape, gap: NodeId, domain: &[Interval], values: &[Enclosure]) -> Option<f64> {
        self.slopes.resize(domain.len(), Interval::EMPTY);
        if !gradient(tape, values, gap, &mut self.adjoint, &mut self.slopes) {
            self.slopes.clear();
            return None;
        }
        // Where the gap only grows in an input, its maximum is at the upper end, and the other way round.
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
        let natural = self.values[gap.index()].x.sup();
        if self.inner.iter().all(|x| x.is_point()) {
            return Some(natural);
        }
        let mut spread = Interval::point(0.0);
        for (x, s) in self.inner.iter_mut().zip(&self.slopes) {
            let centre = Interval::point(x.mid());
            spread = spread + *s * (*x - centre);
            *x = centre;
        }
        evaluate(tape, &mut Boxes { inputs: &self.inner }, &mut self.values);
        let centred = (self.values[gap.index()].x + spread).sup();
        Some(natural.min(centred))
    }

    /// The derivatives found last; empty if there were none.
    #[must_use]
    pub fn slopes(&self) -> &[Interval] {
        &self.slopes
    }
}
