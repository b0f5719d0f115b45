//! What the value of a term may be.

use super::apply::mask;
use super::op::Sort;
use crate::floats::ordinal::NAN;
use crate::floats::set::Set;
use crate::floats::{Format, Rounding};

/// The values that a term may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Of truth values, directions and floats: by their numbers.
    Set(Set),
    /// Of bits: a range of unsigned integers.
    Bits(u64, u64),
}

impl Domain {
    /// All values of a sort.
    #[must_use]
    pub fn all(sort: Sort) -> Self {
        match sort {
            Sort::Bool => Domain::Set(Set::between(0, 1)),
            Sort::Mode => Domain::Set(Set::between(0, Rounding::ALL.len() as i64 - 1)),
            Sort::Float(format) => Domain::Set(Set::all(format)),
            Sort::Bits(width) => Domain::Bits(0, mask(width)),
        }
    }

    /// One value of a sort.
    #[must_use]
    pub fn one(sort: Sort, value: i64) -> Self {
        match sort {
            Sort::Bits(_) => Domain::Bits(value as u64, value as u64),
            _ => Domain::Set(Set::one(value)),
        }
    }

    /// What is in both.
    #[must_use]
    pub fn meet(self, other: Domain) -> Self {
        match (self, other) {
            (Domain::Bits(a, b), Domain::Bits(c, d)) => Domain::Bits(a.max(c), b.min(d)),
            (a, b) => Domain::Set(a.set().meet(b.set())),
        }
    }

    /// The least domain that holds both.
    #[must_use]
    pub fn hull(self, other: Domain) -> Self {
        match (self, other) {
            (Domain::Bits(a, b), _) if a > b => other,
            (_, Domain::Bits(c, d)) if c > d => self,
            (Domain::Bits(a, b), Domain::Bits(c, d)) => Domain::Bits(a.min(c), b.max(d)),
            (a, b) => Domain::Set(a.set().hull(b.set())),
        }
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(self) -> bool {
        match self {
            Domain::Set(s) => s.is_empty(),
            Domain::Bits(lo, hi) => lo > hi,
        }
    }

    /// The only value.
    #[must_use]
    pub fn single(self) -> Option<i64> {
        match self {
            Domain::Set(s) => s.single(),
            Domain::Bits(lo, hi) => (lo == hi).then_some(lo as i64),
        }
    }

    /// The set of numbers; none where it is one of bits.
    #[must_use]
    pub fn set(self) -> Set {
        match self {
            Domain::Set(s) => s,
            Domain::Bits(..) => Set::EMPTY,
        }
    }

    /// The range of bits; nothing where it is none.
    #[must_use]
    pub fn bits(self) -> (u64, u64) {
        match self {
            Domain::Set(_) => (1, 0),
            Domain::Bits(lo, hi) => (lo, hi),
        }
    }

    /// How many values there are, less one.
    #[must_use]
    pub fn span(self) -> u64 {
        match self {
            Domain::Set(s) => s.span(),
            Domain::Bits(lo, hi) => hi.saturating_sub(lo),
        }
    }

    /// Without one value, where that is at an end.
    #[must_use]
    pub fn without(self, value: i64) -> Self {
        match self {
            Domain::Set(s) if value == NAN => Domain::Set(s.without_nan()),
            Domain::Set(s) if !s.has_numbers() => self,
            Domain::Set(s) => {
                Domain::Set(Set { lo: s.lo + i64::from(s.lo == value), hi: s.hi - i64::from(s.hi == value), ..s })
            }
            Domain::Bits(lo, hi) => {
                let value = value as u64;
                match (lo == value, hi == value) {
                    (true, true) => Domain::Bits(1, 0),
                    (true, false) => Domain::Bits(lo + 1, hi),
                    (false, true) => Domain::Bits(lo, hi - 1),
                    (false, false) => self,
                }
            }
        }
    }
}

/// The segments of the bits of a format: numbers without a sign, NaN, numbers with it, NaN.
fn segments(format: Format) -> [(u64, u64); 4] {
    let (sign, infinity) = (1 << (format.width() - 1), format.infinity() as u64);
    [(0, infinity), (infinity + 1, sign - 1), (sign, sign + infinity), (sign + infinity + 1, mask(format.width()))]
}

/// The floats with bits of a range.
#[must_use]
pub fn floats_of_bits(format: Format, (lo, hi): (u64, u64)) -> Set {
    let mut all = Set::EMPTY;
    for (first, last) in segments(format) {
        let (a, b) = (lo.max(first), hi.min(last));
        if a <= b {
            let (x, y) = (format.from_bits(a), format.from_bits(b));
            all = all.hull(if x == NAN { Set::NAN } else { Set::between(x.min(y), x.max(y)) });
        }
    }
    all
}

/// What is left of a range of bits, where the floats with them are of a set.
#[must_use]
pub fn bits_of_floats(format: Format, (lo, hi): (u64, u64), x: Set) -> Domain {
    let [upper, nan, lower, minus_nan] = segments(format);
    let [negative, positive] = x.halves();
    let mut all = Domain::Bits(1, 0);
    let mut with =
        |(a, b): (u64, u64), (c, d): (u64, u64)| all = all.hull(Domain::Bits(lo.max(a).max(c), hi.min(b).min(d)));
    if positive.has_numbers() {
        with(upper, (format.to_bits(positive.lo), format.to_bits(positive.hi)));
    }
    if negative.has_numbers() {
        with(lower, (format.to_bits(negative.hi), format.to_bits(negative.lo)));
    }
    if x.nan {
        with(nan, nan);
        with(minus_nan, minus_nan);
    }
    all
}
