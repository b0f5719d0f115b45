//! The values of a format as ordinals.
//!
//! A value is one integer, its ordinal: 0 is +0, 1 the least subnormal and so on to infinity; -1 is -0 and below it come the
//! negative numbers. The order of the integers is that of the numbers, with -0 before +0. NaN, of which SMT-LIB has one for
//! each format, stands apart.
//!
//! Where zeros of both signs are one number, values are counted by [`rank`](super::rank): that of either zero is 0, and the numbers next to it
//! are 1 and -1.

use super::format::Format;

/// An ordinal that is no number's.
pub const NAN: i64 = i64::MIN;
/// The ordinal of +0.
pub const ZERO: i64 = 0;
/// The ordinal of -0.
pub const MINUS_ZERO: i64 = -1;

/// A finite number other than zero: `mantissa * 2^exponent`, below zero where `negative`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) negative: bool,
    pub(crate) mantissa: u128,
    pub(crate) exponent: i32,
}

/// Whether an ordinal has the sign bit. NaN has none.
#[must_use]
pub fn is_negative(x: i64) -> bool {
    x < 0 && x != NAN
}

/// The same number with the other sign.
#[must_use]
pub fn negated(x: i64) -> i64 {
    if x == NAN { NAN } else { -1 - x }
}

/// The number without its sign.
#[must_use]
pub fn magnitude(x: i64) -> i64 {
    if is_negative(x) { negated(x) } else { x }
}

/// The rank of the value with an ordinal; NaN stays apart.
#[must_use]
pub fn rank_of(x: i64) -> i64 {
    if is_negative(x) { x + 1 } else { x }
}

impl Format {
    /// The ordinal of infinity.
    #[must_use]
    pub fn infinity(self) -> i64 {
        i64::from(self.exponents()) << (self.precision() - 1)
    }

    /// The ordinal of -infinity.
    #[must_use]
    pub fn minus_infinity(self) -> i64 {
        negated(self.infinity())
    }

    /// The ordinal of the smallest positive normal value.
    #[must_use]
    pub fn least_normal(self) -> i64 {
        1 << (self.precision() - 1)
    }

    /// Whether an ordinal is an infinity of this format.
    #[must_use]
    pub fn is_infinite(self, x: i64) -> bool {
        magnitude(x) == self.infinity()
    }

    /// The ordinal of a value from its bits, lowest bits of 64; those above are not looked at.
    #[must_use]
    pub fn from_bits(self, bits: u64) -> i64 {
        let sign = self.width() - 1;
        let magnitude = (bits & ((1 << sign) - 1)) as i64;
        match (magnitude > self.infinity(), bits >> sign & 1 == 1) {
            (true, _) => NAN,
            (false, true) => negated(magnitude),
            (false, false) => magnitude,
        }
    }

    /// The bits of a value; of NaN those with the top bit of the fraction set and no other, without a sign.
    #[must_use]
    pub fn to_bits(self, x: i64) -> u64 {
        if x == NAN {
            (self.infinity() | self.least_normal() >> 1) as u64
        } else if x < 0 {
            negated(x) as u64 | 1 << (self.width() - 1)
        } else {
            x as u64
        }
    }

    /// The rank of a value from its bits: their magnitude, below zero where the sign bit is set. NaNs lie beyond infinities.
    #[must_use]
    #[inline]
    pub fn rank_of_bits(self, bits: u64) -> i64 {
        let sign = self.width() - 1;
        let magnitude = (bits & ((1 << sign) - 1)) as i64;
        if bits >> sign & 1 == 1 { -magnitude } else { magnitude }
    }

    /// The inverse of [`Format::rank_of_bits`], +0 for 0.
    #[must_use]
    #[inline]
    pub fn bits_of_rank(self, n: i64) -> u64 {
        n.unsigned_abs() | u64::from(n < 0) << (self.width() - 1)
    }

    /// A finite number other than zero, taken apart.
    pub(crate) fn parts(self, x: i64) -> Parts {
        let magnitude = magnitude(x);
        let field = (magnitude >> (self.precision() - 1)) as i32;
        let fraction = (magnitude & (self.least_normal() - 1)) as u128;
        let hidden = u128::from(field > 0) << (self.precision() - 1);
        let exponent = self.emin() + (field - 1).max(0) - (self.precision() as i32 - 1);
        Parts { negative: x < 0, mantissa: hidden | fraction, exponent }
    }
}
