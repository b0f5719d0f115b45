//! A box of representable inputs: what a search over the reals cuts.

use crate::floats::Format;
use crate::num::Interval;

/// One closed interval with ends in the input format for each input: the representable inputs of a range, no more and
/// no less.
#[derive(Clone, Debug, PartialEq)]
pub struct InputBox {
    /// The intervals, in the order of the inputs.
    pub ranges: Vec<Interval>,
    /// The formats, in the order of the inputs.
    pub formats: Vec<Format>,
}

impl InputBox {
    /// Whether a point, given by values of the formats, is in the box.
    #[must_use]
    pub fn contains(&self, x: &[f64]) -> bool {
        self.ranges.iter().zip(x).all(|(r, x)| r.contains(*x))
    }

    /// The values of the formats in the box that are nearest to `x`.
    #[must_use]
    pub fn clamp(&self, x: &[f64]) -> Vec<f64> {
        let one = |((r, f), x): ((&Interval, &Format), &f64)| f.nearest(*x).clamp(r.inf(), r.sup()) + 0.0;
        self.ranges.iter().zip(&self.formats).zip(x).map(one).collect()
    }
}
