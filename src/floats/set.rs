//! Sets of values of one format: those between two ordinals, and perhaps NaN.

use super::format::Format;
use super::ordinal::{MINUS_ZERO, NAN, ZERO, negated};

/// The numbers from `lo` to `hi` in the order of ordinals, none where `lo > hi`, and NaN where `nan`.
#[derive(Clone, Copy, Debug)]
pub struct FloatSpan {
    /// The least ordinal.
    pub lo: i64,
    /// The largest.
    pub hi: i64,
    /// Whether NaN is a member.
    pub nan: bool,
}

/// As sets: how an absence of numbers is written does not matter.
impl PartialEq for FloatSpan {
    fn eq(&self, other: &Self) -> bool {
        let numbers = |s: &FloatSpan| s.has_numbers().then_some((s.lo, s.hi));
        self.nan == other.nan && numbers(self) == numbers(other)
    }
}

impl Eq for FloatSpan {}

impl FloatSpan {
    /// No value.
    pub const EMPTY: FloatSpan = FloatSpan { lo: 1, hi: 0, nan: false };
    /// NaN alone.
    pub const NAN: FloatSpan = FloatSpan { lo: 1, hi: 0, nan: true };

    /// Every value of a format.
    #[must_use]
    pub fn all(format: Format) -> Self {
        FloatSpan { nan: true, ..FloatSpan::numbers(format) }
    }

    /// Every number of a format, infinities included.
    #[must_use]
    pub fn numbers(format: Format) -> Self {
        FloatSpan::between(format.minus_infinity(), format.infinity())
    }

    /// The numbers between two ordinals.
    #[must_use]
    pub fn between(lo: i64, hi: i64) -> Self {
        FloatSpan { lo, hi, nan: false }
    }

    /// One value, NaN as well.
    #[must_use]
    pub fn one(x: i64) -> Self {
        if x == NAN { FloatSpan::NAN } else { FloatSpan::between(x, x) }
    }

    /// Whether a number is a member.
    #[must_use]
    pub fn has_numbers(self) -> bool {
        self.lo <= self.hi
    }

    /// Whether nothing is a member.
    #[must_use]
    pub fn is_empty(self) -> bool {
        !self.has_numbers() && !self.nan
    }

    /// Whether a value, NaN as well, is a member.
    #[must_use]
    pub fn contains(self, x: i64) -> bool {
        if x == NAN { self.nan } else { self.lo <= x && x <= self.hi }
    }

    /// The only member, if there is one.
    #[must_use]
    pub fn single(self) -> Option<i64> {
        match (self.has_numbers(), self.nan) {
            (true, false) => (self.lo == self.hi).then_some(self.lo),
            (false, true) => Some(NAN),
            _ => None,
        }
    }

    /// The least set of this kind that holds both.
    #[must_use]
    pub fn hull(self, other: FloatSpan) -> FloatSpan {
        let nan = self.nan || other.nan;
        match (self.has_numbers(), other.has_numbers()) {
            (_, false) => FloatSpan { nan, ..self },
            (false, true) => FloatSpan { nan, ..other },
            _ => FloatSpan { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), nan },
        }
    }

    /// What is in both.
    #[must_use]
    pub fn meet(self, other: FloatSpan) -> FloatSpan {
        FloatSpan { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi), nan: self.nan && other.nan }
    }

    /// The numbers alone.
    #[must_use]
    pub fn without_nan(self) -> FloatSpan {
        FloatSpan { nan: false, ..self }
    }

    /// `-x`
    #[must_use]
    pub fn negated(self) -> FloatSpan {
        if self.has_numbers() { FloatSpan { lo: negated(self.hi), hi: negated(self.lo), ..self } } else { self }
    }

    /// `|x|`
    #[must_use]
    pub fn absolute(self) -> FloatSpan {
        let numbers = self.without_nan();
        let upper = numbers.meet(FloatSpan::between(ZERO, i64::MAX));
        let lower = numbers.meet(FloatSpan::between(NAN + 1, MINUS_ZERO)).negated();
        FloatSpan { nan: self.nan, ..upper.hull(lower) }
    }

    /// The members without a sign bit, and those with it, NaN in neither.
    #[must_use]
    pub fn halves(self) -> [FloatSpan; 2] {
        let numbers = self.without_nan();
        [numbers.meet(FloatSpan::between(NAN + 1, MINUS_ZERO)), numbers.meet(FloatSpan::between(ZERO, i64::MAX))]
    }

    /// How many values it has, less one at least: 0 for one value.
    #[must_use]
    pub fn span(self) -> u64 {
        if self.has_numbers() { self.hi.abs_diff(self.lo).saturating_add(self.nan.into()) } else { 0 }
    }
}

/// What sort of number a value is: the classes of SMT-LIB, with sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// An infinity.
    Infinite,
    /// At least the smallest normal value, in magnitude.
    Normal,
    /// Below it, and not zero.
    Subnormal,
    /// A zero.
    Zero,
}

impl Class {
    /// Every class.
    pub const ALL: [Class; 4] = [Class::Infinite, Class::Normal, Class::Subnormal, Class::Zero];

    /// The values of the class that are not negative.
    #[must_use]
    pub fn range(self, format: Format) -> FloatSpan {
        let (normal, infinity) = (format.least_normal(), format.infinity());
        match self {
            Class::Infinite => FloatSpan::between(infinity, infinity),
            Class::Normal => FloatSpan::between(normal, infinity - 1),
            Class::Subnormal => FloatSpan::between(1, normal - 1),
            Class::Zero => FloatSpan::between(0, 0),
        }
    }
}
