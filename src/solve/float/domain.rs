//! What the value of a term may be.

use super::apply::mask;
use super::op::{ELEMENT_BITS, Sort};
use crate::floats::ordinal::NAN;
use crate::floats::set::FloatSpan;
use crate::floats::{Format, Rounding};

/// The values that a term may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermDomain {
    /// Of truth values, directions and floats: by their numbers.
    Set(FloatSpan),
    /// Of bits: a range of unsigned integers.
    Bits(u64, u64),
}

impl TermDomain {
    /// All values of a sort.
    #[must_use]
    pub fn all(sort: Sort) -> Self {
        match sort {
            Sort::Bool => TermDomain::Set(FloatSpan::between(0, 1)),
            Sort::Mode => TermDomain::Set(FloatSpan::between(0, Rounding::ALL.len() as i64 - 1)),
            Sort::Float(format) => TermDomain::Set(FloatSpan::all(format)),
            Sort::Bits(width) => TermDomain::Bits(0, mask(width)),
            Sort::Element(_) => TermDomain::Bits(0, mask(ELEMENT_BITS)),
        }
    }

    /// One value of a sort.
    #[must_use]
    pub fn one(sort: Sort, value: i64) -> Self {
        match sort {
            Sort::Bits(_) | Sort::Element(_) => TermDomain::Bits(value as u64, value as u64),
            _ => TermDomain::Set(FloatSpan::one(value)),
        }
    }

    /// What is in both.
    #[must_use]
    pub fn meet(self, other: TermDomain) -> Self {
        match (self, other) {
            (TermDomain::Bits(a, b), TermDomain::Bits(c, d)) => TermDomain::Bits(a.max(c), b.min(d)),
            (a, b) => TermDomain::Set(a.set().meet(b.set())),
        }
    }

    /// The least domain that holds both.
    #[must_use]
    pub fn hull(self, other: TermDomain) -> Self {
        match (self, other) {
            (TermDomain::Bits(a, b), _) if a > b => other,
            (_, TermDomain::Bits(c, d)) if c > d => self,
            (TermDomain::Bits(a, b), TermDomain::Bits(c, d)) => TermDomain::Bits(a.min(c), b.max(d)),
            (a, b) => TermDomain::Set(a.set().hull(b.set())),
        }
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(self) -> bool {
        match self {
            TermDomain::Set(s) => s.is_empty(),
            TermDomain::Bits(lo, hi) => lo > hi,
        }
    }

    /// The only value.
    #[must_use]
    pub fn single(self) -> Option<i64> {
        match self {
            TermDomain::Set(s) => s.single(),
            TermDomain::Bits(lo, hi) => (lo == hi).then_some(lo as i64),
        }
    }

    /// The set of numbers; none where it is one of bits.
    #[must_use]
    pub fn set(self) -> FloatSpan {
        match self {
            TermDomain::Set(s) => s,
            TermDomain::Bits(..) => FloatSpan::EMPTY,
        }
    }

    /// The range of bits; nothing where it is none.
    #[must_use]
    pub fn bits(self) -> (u64, u64) {
        match self {
            TermDomain::Set(_) => (1, 0),
            TermDomain::Bits(lo, hi) => (lo, hi),
        }
    }

    /// How many values there are, less one.
    #[must_use]
    pub fn span(self) -> u64 {
        match self {
            TermDomain::Set(s) => s.span(),
            TermDomain::Bits(lo, hi) => hi.saturating_sub(lo),
        }
    }

    /// Without one value, where that is at an end.
    #[must_use]
    pub fn without(self, value: i64) -> Self {
        match self {
            TermDomain::Set(s) if value == NAN => TermDomain::Set(s.without_nan()),
            TermDomain::Set(s) if !s.has_numbers() => self,
            TermDomain::Set(s) => TermDomain::Set(FloatSpan {
                lo: s.lo + i64::from(s.lo == value),
                hi: s.hi - i64::from(s.hi == value),
                ..s
            }),
            TermDomain::Bits(lo, hi) => {
                let value = value as u64;
                match (lo == value, hi == value) {
                    (true, true) => TermDomain::Bits(1, 0),
                    (true, false) => TermDomain::Bits(lo + 1, hi),
                    (false, true) => TermDomain::Bits(lo, hi - 1),
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

/// The floats with the bits of a domain.
#[must_use]
pub fn floats_of_bits(format: Format, bits: TermDomain) -> FloatSpan {
    let (lo, hi) = bits.bits();
    let mut all = FloatSpan::EMPTY;
    for (first, last) in segments(format) {
        let (a, b) = (lo.max(first), hi.min(last));
        if a <= b {
            let (x, y) = (format.from_bits(a), format.from_bits(b));
            all = all.hull(if x == NAN { FloatSpan::NAN } else { FloatSpan::between(x.min(y), x.max(y)) });
        }
    }
    all
}

/// What is left of a domain of bits, where the floats with them are of a set.
#[must_use]
pub fn bits_of_floats(format: Format, bits: TermDomain, x: FloatSpan) -> TermDomain {
    let (lo, hi) = bits.bits();
    let [upper, nan, lower, minus_nan] = segments(format);
    let [negative, positive] = x.halves();
    let mut all = TermDomain::Bits(1, 0);
    let mut with =
        |(a, b): (u64, u64), (c, d): (u64, u64)| all = all.hull(TermDomain::Bits(lo.max(a).max(c), hi.min(b).min(d)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hulls_of_bits_hold_all_numbers_of_both_and_no_other_ends() {
        let all = || (0..5u64).flat_map(|lo| (0..5u64).map(move |hi| (lo, hi)));
        for ((a, b), (c, d)) in all().flat_map(|x| all().map(move |y| (x, y))) {
            let numbers = || (0..5u64).filter(|n| a <= *n && *n <= b || c <= *n && *n <= d);
            let hull = TermDomain::Bits(a, b).hull(TermDomain::Bits(c, d));
            match numbers().min().zip(numbers().max()) {
                Some(ends) => assert_eq!(hull.bits(), ends, "{a} {b} {c} {d}"),
                None => assert!(hull.is_empty(), "{a} {b} {c} {d}"),
            }
        }
    }

    /// Each pattern of bits is in one of them, and those of NaN are apart from those of numbers.
    #[test]
    fn segments_are_all_bits_of_a_format() {
        for format in [(2, 2), (3, 2), (2, 4), (4, 3)].map(|(e, p)| Format::new(e, p).expect("a format")) {
            for bits in 0..=mask(format.width()) {
                let found: Vec<usize> =
                    (0..4).filter(|k| (segments(format)[*k].0..=segments(format)[*k].1).contains(&bits)).collect();
                let value = format.decode(bits);
                let expected =
                    2 * usize::from(value.is_sign_negative() && !value.is_nan()) + usize::from(value.is_nan());
                let is_expected = found.len() == 1 && (found[0] == expected || value.is_nan() && found[0] == 3);
                assert!(is_expected, "{format:?} {bits:b}: {found:?}");
            }
        }
    }
}
