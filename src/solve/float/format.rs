//! Binary floating-point formats and their values as ordinals.
//!
//! A value is one integer, its ordinal: 0 is +0, 1 the least subnormal and so on to infinity; -1 is -0 and below it come the
//! negative numbers. The order of the integers is that of the numbers, with -0 before +0. NaN, of which SMT-LIB has one for
//! each format, stands apart.

/// An ordinal that is no number's.
pub const NAN: i64 = i64::MIN;
/// The ordinal of +0.
pub const ZERO: i64 = 0;
/// The ordinal of -0.
pub const MINUS_ZERO: i64 = -1;

/// A binary format by the widths of SMT-LIB: bits of the exponent, and of the significand with its hidden bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Format {
    exponent: u32,
    precision: u32,
}

/// How a result that is no value of the format is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rounding {
    /// To the nearest value, ties to the even one (`RNE`).
    NearestEven,
    /// To the nearest value, ties away from zero (`RNA`).
    NearestAway,
    /// Up (`RTP`).
    Up,
    /// Down (`RTN`).
    Down,
    /// Toward zero (`RTZ`).
    Zero,
}

impl Rounding {
    /// Every direction.
    pub const ALL: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

    /// Its name in SMT-LIB, short and long.
    #[must_use]
    pub fn names(self) -> [&'static str; 2] {
        match self {
            Rounding::NearestEven => ["RNE", "roundNearestTiesToEven"],
            Rounding::NearestAway => ["RNA", "roundNearestTiesToAway"],
            Rounding::Up => ["RTP", "roundTowardPositive"],
            Rounding::Down => ["RTN", "roundTowardNegative"],
            Rounding::Zero => ["RTZ", "roundTowardZero"],
        }
    }
}

/// A finite number other than zero: `mantissa * 2^exponent`, below zero where `negative`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) negative: bool,
    pub(super) mantissa: u128,
    pub(super) exponent: i32,
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

impl Format {
    /// binary16
    pub const BINARY16: Format = Format { exponent: 5, precision: 11 };
    /// binary32
    pub const BINARY32: Format = Format { exponent: 8, precision: 24 };
    /// binary64
    pub const BINARY64: Format = Format { exponent: 11, precision: 53 };

    /// The format with so many bits: at least 2 of each, at most 15 of the exponent, 60 of the significand, 64 in all.
    /// `None` for others.
    #[must_use]
    pub fn new(exponent: u32, precision: u32) -> Option<Self> {
        let fits = (2..=15).contains(&exponent) && (2..=60).contains(&precision) && exponent + precision <= 64;
        fits.then_some(Format { exponent, precision })
    }

    /// Bits of the exponent.
    #[must_use]
    pub fn exponent_bits(self) -> u32 {
        self.exponent
    }

    /// Bits of the significand, the hidden one included.
    #[must_use]
    pub fn precision(self) -> u32 {
        self.precision
    }

    /// All bits.
    #[must_use]
    pub fn width(self) -> u32 {
        self.exponent + self.precision
    }

    /// The exponent of the largest finite values.
    #[must_use]
    pub fn emax(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the smallest normal value.
    #[must_use]
    pub fn emin(self) -> i32 {
        1 - self.emax()
    }

    /// The ordinal of infinity.
    #[must_use]
    pub fn infinity(self) -> i64 {
        ((1 << self.exponent) - 1) << (self.precision - 1)
    }

    /// The ordinal of -infinity.
    #[must_use]
    pub fn minus_infinity(self) -> i64 {
        negated(self.infinity())
    }

    /// The ordinal of the smallest positive normal value.
    #[must_use]
    pub fn least_normal(self) -> i64 {
        1 << (self.precision - 1)
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

    /// A finite number other than zero, taken apart.
    pub(super) fn parts(self, x: i64) -> Parts {
        let magnitude = magnitude(x);
        let field = (magnitude >> (self.precision - 1)) as i32;
        let fraction = (magnitude & (self.least_normal() - 1)) as u128;
        let hidden = u128::from(field > 0) << (self.precision - 1);
        let exponent = self.emin() + (field - 1).max(0) - (self.precision as i32 - 1);
        Parts { negative: x < 0, mantissa: hidden | fraction, exponent }
    }
}
