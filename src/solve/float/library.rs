//! Functions that are not rounded correctly: what a library computes.

use crate::floats::set::FloatSpan;
use std::fmt::Debug;

/// A function of a library. Values are as everywhere here: ordinals of floats, integers of other sorts.
pub trait Library: Debug + Send + Sync {
    /// Its name: two functions of one name are the same.
    fn name(&self) -> &str;

    /// What the library computes.
    fn value(&self, operands: &[i64]) -> i64;

    /// All results for operands of these sets, and perhaps more.
    fn image(&self, operands: &[FloatSpan]) -> FloatSpan;

    /// What the operands may be where the result is in `z`: all that reach it, and perhaps more.
    fn preimage(&self, operands: &mut [FloatSpan], z: FloatSpan);

    /// Of one that is true or false: how far it is from the other, 1 to 64, such as a logarithm of a number of floats; `None`
    /// where that has no measure.
    fn miss(&self, _operands: &[i64]) -> Option<f64> {
        None
    }
}
