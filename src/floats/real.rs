//! The values of a format as real numbers, finite ones alone. Binary64 holds them: the format has a name, or is small.

use super::format::{Format, Rounding};
use super::soft::cast;
use crate::num::float::{decimal, exponent, floor_log2, hex, power, power_of_two, rational_to_f64};
use crate::num::mpfr::{Rational, Round};
use std::cmp::Ordering;

impl Format {
    /// The bits of a number: those of the nearest value, ties to even, where it is no value of the format.
    #[must_use]
    #[inline]
    pub fn encode(self, x: f64) -> u64 {
        match self {
            Format::BINARY64 => x.to_bits(),
            Format::BINARY32 => (x as f32).to_bits().into(),
            // What is below the least value is taken for it: no bits are left for another infinity.
            _ if self.is_fixed() => {
                let end = self.infinity();
                self.bits_of_rank(((x / self.least()).round_ties_even() as i64).clamp(-end, end))
            }
            _ => {
                let x = Format::BINARY64.from_bits(x.to_bits());
                self.to_bits(cast(Format::BINARY64, self, Rounding::NearestEven, x))
            }
        }
    }

    /// The inverse of [`Format::encode`]: the nearest number where binary64 does not have it.
    #[must_use]
    #[inline]
    pub fn decode(self, bits: u64) -> f64 {
        match self {
            Format::BINARY64 => f64::from_bits(bits),
            Format::BINARY32 => f32::from_bits(bits as u32).into(),
            _ if self.is_fixed() => {
                let n = self.rank_of_bits(bits);
                if n < self.infinity() { n as f64 * self.least() } else { f64::INFINITY }
            }
            _ => {
                let x = cast(self, Format::BINARY64, Rounding::NearestEven, self.from_bits(bits));
                f64::from_bits(Format::BINARY64.to_bits(x))
            }
        }
    }

    /// The ordinal of a number, see [`Format::encode`].
    #[must_use]
    pub fn ordinal(self, x: f64) -> i64 {
        self.from_bits(self.encode(x))
    }

    /// The ordinal of a number that is rounded in a direction.
    #[must_use]
    pub fn ordinal_toward(self, mode: Rounding, x: f64) -> i64 {
        let at = Format::BINARY64.ordinal(x);
        if self.is_binary64() { at } else { cast(Format::BINARY64, self, mode, at) }
    }

    /// The number of an ordinal, rounded in a direction where binary64 does not have it.
    #[must_use]
    pub fn number_toward(self, mode: Rounding, ordinal: i64) -> f64 {
        Format::BINARY64.number(cast(self, Format::BINARY64, mode, ordinal))
    }

    /// The number of an ordinal, see [`Format::decode`].
    #[must_use]
    pub fn number(self, ordinal: i64) -> f64 {
        self.decode(self.to_bits(ordinal))
    }

    /// The rank of a number, see [`Format::encode`].
    #[must_use]
    pub fn rank(self, x: f64) -> i64 {
        self.rank_of_bits(self.encode(x))
    }

    /// The inverse of [`Format::rank`], 0 for 0.
    #[must_use]
    pub fn from_rank(self, n: i64) -> f64 {
        self.decode(self.bits_of_rank(n))
    }

    /// The largest finite value.
    #[must_use]
    pub fn max(self) -> f64 {
        (2.0 - power(1 - self.precision() as i32)) * power(self.emax())
    }

    /// The smallest finite value: the negative of the largest, or the one below that in two's complement.
    #[must_use]
    pub fn min(self) -> f64 {
        if self.is_fixed() { -power(self.emax() + 1) } else { -self.max() }
    }

    /// The smallest positive normal value.
    #[must_use]
    pub fn min_positive(self) -> f64 {
        power(self.emin())
    }

    /// The smallest positive value.
    #[must_use]
    pub fn least(self) -> f64 {
        power(self.least_exponent())
    }

    /// A number for people: `0x1.9p+6 (100)`; a value of a fixed-point format by its integer, `-32768 (-1)`.
    #[must_use]
    pub fn shown(self, x: f64) -> String {
        match (self.is_fixed() && self.holds(x), self.least_exponent()) {
            (true, 0) => decimal(x),
            (true, _) => format!("{} ({})", self.rank(x), decimal(x)),
            (false, _) => format!("{} ({})", hex(x), decimal(x)),
        }
    }

    /// Whether `x` is a finite value of the format.
    #[must_use]
    pub fn holds(self, x: f64) -> bool {
        let is_minus_zero = x == 0.0 && x.is_sign_negative();
        x.is_finite() && self.floor(x) == Some(x) && !(is_minus_zero && self.is_fixed())
    }

    /// The largest finite value of the format that is at most `x`; none if `x` is below all of them or NaN.
    #[must_use]
    pub fn floor(self, x: f64) -> Option<f64> {
        if x.is_nan() || x < self.min() {
            return None;
        }
        if self.is_binary64() {
            return Some(x.min(f64::MAX));
        }
        if x >= self.max() {
            return Some(self.max());
        }
        let quantum = power(self.ulp_exponent(exponent(x)));
        // Both the division and the product are exact: a power of two, no overflow, and binary64 holds the result.
        let y = (x / quantum).floor() * quantum;
        // A tiny number in units of a large one is 0, though it lies below.
        let y = if y > x { y - quantum } else { y };
        Some(if self.is_fixed() { y + 0.0 } else { y })
    }

    /// The smallest finite value of the format that is at least `x`; none if `x` is above all of them or NaN.
    #[must_use]
    pub fn ceil(self, x: f64) -> Option<f64> {
        if self.is_fixed() {
            let quantum = self.least();
            let y = (x / quantum).ceil() * quantum;
            let y = if y < x { y + quantum } else { y };
            return (x <= self.max()).then(|| y.max(self.min()) + 0.0);
        }
        self.floor(-x).map(|y| 0.0 - y)
    }

    /// The value of the format nearest to `x`, clamped to the finite ones; `x` must not be NaN.
    #[must_use]
    pub fn nearest(self, x: f64) -> f64 {
        match (self.floor(x), self.ceil(x)) {
            (Some(lo), Some(hi)) => {
                if x - lo <= hi - x {
                    lo
                } else {
                    hi
                }
            }
            (Some(lo), None) => lo,
            (None, Some(hi)) => hi,
            (None, None) => 0.0,
        }
    }

    /// The next larger finite value; none above the largest. `x` must be a value of the format.
    #[must_use]
    pub fn next_up(self, x: f64) -> Option<f64> {
        if self.is_binary64() { Some(x.next_up()).filter(|y| y.is_finite()) } else { self.ceil(x.next_up()) }
    }

    /// The next smaller finite value; none below the smallest. `x` must be a value of the format.
    #[must_use]
    pub fn next_down(self, x: f64) -> Option<f64> {
        if self.is_fixed() { self.floor(x.next_down()) } else { self.next_up(-x).map(|y| 0.0 - y) }
    }

    /// The smallest finite value of the format that is at least the real number `x`.
    #[must_use]
    pub fn ceil_rational(self, x: &Rational) -> Option<f64> {
        self.ceil(rational_to_f64(x, Round::Up))
    }

    /// The largest finite value of the format that is at most the real number `x`.
    #[must_use]
    pub fn floor_rational(self, x: &Rational) -> Option<f64> {
        self.floor(rational_to_f64(x, Round::Down))
    }

    /// `ulp(x)` = 2^(max(e, emin) - p + 1) where 2^e <= |x| < 2^(e+1); for zero e counts as emin. Of a fixed-point format it is the
    /// distance of its values.
    #[must_use]
    pub fn ulp(self, x: &Rational) -> Rational {
        let e = if x.cmp0() == Ordering::Equal { self.emin() } else { floor_log2(x) };
        power_of_two(self.ulp_exponent(e))
    }
}

/// The place of a number in the ordered sequence of binary64 numbers, either zero at 0: consecutive floats have consecutive
/// ranks.
#[must_use]
#[inline]
pub fn rank(x: f64) -> i64 {
    Format::BINARY64.rank_of_bits(x.to_bits())
}

/// The inverse of [`rank`], 0 for 0.
#[must_use]
#[inline]
pub fn from_rank(n: i64) -> f64 {
    f64::from_bits(Format::BINARY64.bits_of_rank(n))
}

/// How many binary64 numbers lie in `[lo, hi]`.
#[must_use]
pub fn count_floats(lo: f64, hi: f64) -> u64 {
    if lo > hi { 0 } else { rank(hi).abs_diff(rank(lo)).saturating_add(1) }
}

/// The float in the middle of `[lo, hi]` by ranks: as many floats below as above. This halves exponents first, which is right
/// for ranges that span many magnitudes.
#[must_use]
pub fn middle_float(lo: f64, hi: f64) -> f64 {
    let (a, b) = (rank(lo), rank(hi));
    from_rank(a / 2 + b / 2 + (a % 2 + b % 2) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::float::rational;

    #[test]
    fn rounding_into_formats() {
        let f = Format::BINARY32;
        assert_eq!(f.floor(0.1), Some(f64::from(0.1f32.next_down())));
        assert_eq!(f.ceil(0.1), Some(f64::from(0.1f32)));
        assert_eq!(f.floor(1e-60), Some(0.0));
        assert_eq!(f.ceil(1e-60), Some(f64::from(f32::from_bits(1))));
        assert_eq!(f.ceil(1e39), None);
        assert_eq!(f.floor(1e39), Some(f64::from(f32::MAX)));
        assert_eq!(f.next_up(1.0), Some(f64::from(1f32.next_up())));
        assert_eq!(f.next_down(f64::from(f32::MIN_POSITIVE)), Some(f64::from(f32::MIN_POSITIVE.next_down())));
        assert_eq!(Format::BINARY16.next_up(65504.0), None);
        assert_eq!(Format::BINARY64.floor(f64::INFINITY), Some(f64::MAX));
        for k in -2000..2000 {
            let x = f64::from(k) * 0.37e-3;
            let (lo, hi) = (Format::BINARY32.floor(x).unwrap(), Format::BINARY32.ceil(x).unwrap());
            let near = f64::from(x as f32);
            assert!(lo <= x && x <= hi && (near == lo || near == hi));
        }
    }

    #[test]
    fn infinities_and_the_signs_of_zeros_stay() {
        for format in [Format::BINARY64, Format::BINARY32, Format::BINARY16, Format::fixed(-3, 8).unwrap()] {
            for x in [f64::INFINITY, f64::NEG_INFINITY] {
                assert_eq!((format.round_up(x), format.round_down(x), format.round(x)), (x, x, x), "{format:?}");
            }
        }
        assert_eq!(Format::BINARY32.round_up(-1e-60).to_bits(), (-0.0f64).to_bits());
        assert_eq!(Format::BINARY32.round_down(1e-60).to_bits(), 0);
    }

    #[test]
    fn what_is_beyond_the_largest_value_is_rounded_inward_to_it() {
        for format in [Format::BINARY32, Format::BINARY16] {
            for x in [format.max(), format.max().next_up(), 1e300] {
                assert_eq!(
                    (format.round_down(x), format.round_up(-x)),
                    (format.max(), -format.max()),
                    "{format:?} {x}"
                );
            }
        }
    }

    #[test]
    fn a_format_has_its_values_alone() {
        let third = Rational::from((1, 3));
        assert!(Format::BINARY16.has(&rational(65504.0)) && !Format::BINARY16.has(&rational(65505.0)));
        assert!(Format::BINARY32.has(&rational(0.25)) && !Format::BINARY32.has(&rational(0.1)));
        assert!(Format::BINARY64.has(&rational(0.1)) && !Format::BINARY64.has(&third));
        assert!(!Format::BINARY32.has(&rational(1e39)));
    }

    #[test]
    fn ulps() {
        let f = Format::BINARY64;
        assert_eq!(f.ulp(&rational(1.0)), rational(f64::EPSILON));
        assert_eq!(f.ulp(&rational(1.0f64.next_down())), rational(f64::EPSILON / 2.0));
        assert_eq!(f.ulp(&Rational::new()), rational(5e-324));
    }

    #[test]
    fn ordinals() {
        assert_eq!(middle_float(1.0, 4.0), 2.0);
        assert_eq!(middle_float(-1.0, 1.0), 0.0);
        assert_eq!(count_floats(0.0, 5e-324), 2);
        assert_eq!(count_floats(-5e-324, 5e-324), 3);
        assert_eq!(from_rank(rank(-3.5)), -3.5);
    }

    #[test]
    fn a_fixed_point_format_has_the_values_of_its_integers_in_twos_complement() {
        for (scale, bits) in [(-3, 4), (0, 5), (2, 3), (-1, 2), (-15, 8)] {
            let format = Format::fixed(scale, bits).unwrap();
            assert_eq!(Format::from_name(&format.name()), Some(format));
            let (unit, end) = (power(scale), 1i64 << (bits - 1));
            let values: Vec<f64> = (-end..end).map(|k| k as f64 * unit).collect();
            assert_eq!((format.min(), format.max()), (values[0], values[values.len() - 1]));
            assert_eq!((format.least(), format.ulp(&rational(format.min()))), (unit, rational(unit)));
            // Every eighth of a unit, far beyond both ends.
            for n in -24 * end..24 * end {
                let x = n as f64 * unit / 8.0;
                let below = values.iter().copied().rev().find(|y| *y <= x);
                let above = values.iter().copied().find(|y| *y >= x);
                assert_eq!((format.floor(x), format.ceil(x)), (below, above), "{format:?} {x}");
                assert_eq!(format.holds(x), values.contains(&x), "{format:?} {x}");
                let near = (n as f64 / 8.0).round_ties_even();
                let near = if near >= end as f64 {
                    f64::INFINITY
                } else if near < -end as f64 {
                    f64::NEG_INFINITY
                } else {
                    near * unit
                };
                assert_eq!(format.round(x), near, "{format:?} {x}");
                assert_eq!(format.round_rational(&rational(x)), near, "{format:?} {x}");
                assert_eq!(format.round_down(x), below.unwrap_or(f64::NEG_INFINITY), "{format:?} {x}");
                assert_eq!(format.round_up(x), above.unwrap_or(f64::INFINITY), "{format:?} {x}");
                let clamped = near.clamp(format.min(), format.max());
                assert!((format.nearest(x) - x).abs() == (clamped - x).abs(), "{format:?} {x}");
            }
            for (k, x) in values.iter().enumerate() {
                assert_eq!(format.rank(*x), k as i64 - end, "{format:?} {x}");
                assert_eq!(format.from_rank(k as i64 - end).to_bits(), x.to_bits(), "{format:?} {x}");
                assert_eq!(format.next_up(*x), values.get(k + 1).copied(), "{format:?} {x}");
                assert_eq!(format.next_down(*x), k.checked_sub(1).map(|k| values[k]), "{format:?} {x}");
                assert_eq!(format.successor(*x), *values.get(k + 1).unwrap_or(&f64::INFINITY));
                assert_eq!(format.predecessor(*x), k.checked_sub(1).map_or(f64::NEG_INFINITY, |k| values[k]));
            }
        }
        assert_eq!(Format::fixed(0, 54), Some(Format::INTEGER));
        assert_eq!(Format::INTEGER.name(), "integer");
        for (scale, bits) in [(0, 1), (0, 55), (401, 8), (i32::MIN, 8), (i32::MAX, 8), (32767, 32767), (0, u32::MAX)] {
            assert_eq!(Format::fixed(scale, bits), None);
        }
        for name in ["(fixed 0)", "(fixed 0 99)", "(fixed a 8)", "fixed 0 8", ""] {
            assert_eq!(Format::from_name(name), None, "{name}");
        }
        // Nothing of IEEE 754's kind is taken for one.
        assert!(Format::ALL.iter().all(|f| !f.is_fixed()) && !Format::new(2, 2).unwrap().is_fixed());
    }

    #[test]
    fn a_format_is_written_by_its_widths() {
        for (name, format) in [
            ("(float 5 16)", Format::BINARY16),
            ("(float 8 32)", Format::BINARY32),
            ("(float 11 64)", Format::BINARY64),
        ] {
            assert_eq!(Format::from_name(name), Some(format));
        }
        for name in ["(float 4 8)", "(float 5 8)", "(float 8 19)", "(float 2 4)", "(float 8 34)"] {
            let format = Format::from_name(name).unwrap();
            assert_eq!(format.name(), name);
            assert!(Format::BINARY64.includes(format));
        }
        assert_eq!(Format::from_name("(float 4 8)").map(|f| (f.max(), f.least())), Some((240.0, power(-9))));
        for name in [
            "(float 11 63)",
            "(float 8 35)",
            "(float 9 20)",
            "(float 15 79)",
            "(float 8 8)",
            "(float 8)",
            "(float 1 4)",
        ] {
            assert_eq!(Format::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn ranks_are_consecutive_and_read_back() {
        for format in Format::ALL {
            let largest = format.rank(format.max());
            for n in [0, 1, 2, 100, 1 << (format.precision() - 1), largest - 1, largest] {
                for n in [n, -n, n - 1].into_iter().filter(|n| n.abs() <= largest) {
                    assert!(format.holds(format.from_rank(n)), "{format:?} {n}");
                    assert_eq!(format.rank(format.from_rank(n)), n, "{format:?}");
                    if n < largest {
                        assert_eq!(
                            format.next_up(format.from_rank(n)),
                            Some(format.from_rank(n + 1)),
                            "{format:?} {n}"
                        );
                    }
                }
            }
        }
    }

    /// Also those of a NaN, of which an ordinal keeps nothing.
    #[test]
    fn binary64_keeps_all_bits() {
        for bits in [0, 1 << 63, 0x7ff8_0000_dead_beef, 0xfff0_0000_0000_0001, 0x3ff0_0000_0000_0000] {
            assert_eq!(Format::BINARY64.encode(f64::from_bits(bits)), bits);
        }
    }
}
