//! Sets of floats as numbers: an interval of finite ones, and apart from it the infinities and NaN.

use super::format::Format;
use std::cmp::Ordering;

/// A set of floats of one format: an interval of finite ones, infinities, NaN.
///
/// Finite floats are ordered as numbers are, with -0 before 0.
#[derive(Clone, Copy, Debug)]
pub struct FloatSet {
    /// The smallest finite one; there is none if `lo` is above `hi`.
    pub lo: f64,
    /// The largest finite one.
    pub hi: f64,
    /// Whether negative infinity is in the set.
    pub minus_infinity: bool,
    /// Whether positive infinity is in the set.
    pub plus_infinity: bool,
    /// Whether NaN is in the set.
    pub nan: bool,
}

/// Bit for bit, but that the ends of an empty interval do not matter.
impl PartialEq for FloatSet {
    fn eq(&self, other: &Self) -> bool {
        let ends = |s: &FloatSet| (!s.has_no_finite()).then_some((s.lo.to_bits(), s.hi.to_bits()));
        let flags = |s: &FloatSet| (s.minus_infinity, s.plus_infinity, s.nan);
        ends(self) == ends(other) && flags(self) == flags(other)
    }
}

impl FloatSet {
    /// No float.
    pub const EMPTY: FloatSet =
        FloatSet { lo: f64::INFINITY, hi: f64::NEG_INFINITY, minus_infinity: false, plus_infinity: false, nan: false };
    /// NaN alone.
    pub const NAN: FloatSet = FloatSet { nan: true, ..FloatSet::EMPTY };

    /// One float.
    #[must_use]
    pub fn point(x: f64) -> Self {
        Self::between(x, x)
    }

    /// All floats from `lo` to `hi` in the order of numbers, infinities included; NaN alone if one of them is NaN.
    #[must_use]
    pub fn between(lo: f64, hi: f64) -> Self {
        if lo.is_nan() || hi.is_nan() {
            return Self::NAN;
        }
        FloatSet {
            lo: if lo == f64::NEG_INFINITY { -f64::MAX } else { lo },
            hi: if hi == f64::INFINITY { f64::MAX } else { hi },
            minus_infinity: lo == f64::NEG_INFINITY,
            plus_infinity: hi == f64::INFINITY,
            nan: false,
        }
    }

    /// The same with the interval cut to the finite values of a format.
    #[must_use]
    pub fn within(self, format: Format) -> Self {
        FloatSet { lo: self.lo.max(-format.max()), hi: self.hi.min(format.max()), ..self }
    }

    /// Every float of a format, and NaN.
    #[must_use]
    pub fn all(format: Format) -> Self {
        FloatSet { nan: true, ..Self::between(f64::NEG_INFINITY, f64::INFINITY).within(format) }
    }

    /// Whether no finite float is in it.
    #[must_use]
    pub fn has_no_finite(&self) -> bool {
        !matches!(self.lo.partial_cmp(&self.hi), Some(Ordering::Less | Ordering::Equal))
    }

    /// The only float of the set, if there is just one.
    #[must_use]
    pub fn single(&self) -> Option<f64> {
        let finite = !self.has_no_finite();
        match (finite, self.minus_infinity, self.plus_infinity, self.nan) {
            (true, false, false, false) => (self.lo.to_bits() == self.hi.to_bits()).then_some(self.lo),
            (false, true, false, false) => Some(f64::NEG_INFINITY),
            (false, false, true, false) => Some(f64::INFINITY),
            (false, false, false, true) => Some(f64::NAN),
            _ => None,
        }
    }

    /// Whether a float is in the set.
    #[must_use]
    pub fn contains(&self, x: f64) -> bool {
        if x.is_nan() {
            self.nan
        } else if x.is_infinite() {
            if x > 0.0 { self.plus_infinity } else { self.minus_infinity }
        } else {
            self.lo.total_cmp(&x).is_le() && x.total_cmp(&self.hi).is_le()
        }
    }

    /// The smallest set of this kind that holds both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        let (lo, hi) = match (self.has_no_finite(), other.has_no_finite()) {
            (true, _) => (other.lo, other.hi),
            (_, true) => (self.lo, self.hi),
            _ => {
                let lo = if self.lo.total_cmp(&other.lo).is_le() { self.lo } else { other.lo };
                (lo, if self.hi.total_cmp(&other.hi).is_ge() { self.hi } else { other.hi })
            }
        };
        FloatSet {
            lo,
            hi,
            minus_infinity: self.minus_infinity || other.minus_infinity,
            plus_infinity: self.plus_infinity || other.plus_infinity,
            nan: self.nan || other.nan,
        }
    }

    /// The floats of the set, of a format, one by one; none if there are more than `limit`. A zero of each sign counts.
    #[must_use]
    pub fn members(&self, format: Format, limit: usize) -> Option<Vec<f64>> {
        let mut all = Vec::new();
        if !self.has_no_finite() {
            let mut x = self.lo;
            loop {
                if all.len() == limit {
                    return None;
                }
                all.push(x);
                if x.total_cmp(&self.hi).is_ge() {
                    break;
                }
                let next = if x == 0.0 && x.is_sign_negative() { 0.0 } else { format.successor(x) };
                // Below zero comes its negative.
                x = if next == 0.0 && x < 0.0 { -0.0 } else { next };
            }
        }
        let rest =
            [(self.minus_infinity, f64::NEG_INFINITY), (self.plus_infinity, f64::INFINITY), (self.nan, f64::NAN)];
        all.extend(rest.iter().filter(|(there, _)| *there).map(|(_, x)| x));
        (all.len() <= limit).then_some(all)
    }
}
