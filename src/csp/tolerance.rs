//! Lower bounds of a tolerance as expressions, for pruning.

use crate::num::Rational;
use crate::num::float::power_of_two;
use crate::ops::Op;
use crate::oracle::unit_roundoff;
use crate::spec::Accuracy;
use crate::tape::{Builder, NodeId};

/// A lower bound of the tolerance, r |f| and a together: `t(f) >= max(r |f|, a)`. It equals the tolerance where that
/// is relative or absolute; `n` ulps are at least `n 2^-p |f|` and `n 2^(emin-p+1)`.
#[derive(Clone, Debug, PartialEq)]
pub struct LowerTolerance {
    /// The relative part r.
    pub relative: Rational,
    /// The absolute part a.
    pub absolute: Rational,
}

impl LowerTolerance {
    /// The lower bound of an accuracy.
    #[must_use]
    pub fn new(accuracy: &Accuracy) -> Self {
        let mut relative = accuracy.rel.clone().unwrap_or_default();
        let mut absolute = accuracy.abs.clone().unwrap_or_default();
        if let Some((n, format)) = &accuracy.ulps {
            let r = n * unit_roundoff(*format);
            let a = n * power_of_two(format.least_exponent());
            relative = relative.max(r);
            absolute = absolute.max(a);
        }
        LowerTolerance { relative, absolute }
    }

    /// A node for the bound at the value `f`.
    pub fn node(&self, b: &mut Builder, f: NodeId) -> NodeId {
        let magnitude = b.op(Op::Fabs, &[f]);
        let r = b.rational(self.relative.clone());
        let relative = b.op(Op::Mul, &[r, magnitude]);
        if self.absolute == 0 {
            return relative;
        }
        let a = b.rational(self.absolute.clone());
        if self.relative == 0 { a } else { b.op(Op::Fmax, &[relative, a]) }
    }
}

/// How far beyond the specification's set a probable kill reaches: 1000 r, r being the relative bound, else the
/// absolute one, else the relative size of the ulps.
#[must_use]
pub fn reach(accuracy: &Accuracy) -> Rational {
    let ulps = accuracy.ulps.as_ref().map(|(n, f)| n * unit_roundoff(*f));
    let r = accuracy.rel.clone().or_else(|| accuracy.abs.clone()).or(ulps).unwrap_or_default();
    r * 1000
}

/// A tolerance in binary64 arithmetic, for guessing.
#[derive(Clone, Copy, Debug)]
pub struct Guess {
    relative: f64,
    absolute: f64,
}

impl Guess {
    /// The tolerance of an accuracy, or at most twice that.
    #[must_use]
    pub fn new(accuracy: &Accuracy) -> Self {
        let lower = LowerTolerance::new(accuracy);
        // What is n ulps is at most twice its lower bound.
        let factor = if accuracy.ulps.is_some() { 2.0 } else { 1.0 };
        Guess { relative: lower.relative.to_f64() * factor, absolute: lower.absolute.to_f64() }
    }

    /// The tolerance of what is multiplied with a positive number.
    #[must_use]
    pub fn scaled(self, scale: f64) -> Self {
        Guess { absolute: self.absolute * scale, ..self }
    }

    /// The tolerance at a value.
    #[must_use]
    pub fn at(&self, f: f64) -> f64 {
        (self.relative * f.abs()).max(self.absolute)
    }
}
