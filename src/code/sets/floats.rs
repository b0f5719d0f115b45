//! Floats between two ordinals, with the NaNs among them, and their bits as integers.

use super::{Ints, Nan};
use crate::code::bits;
use crate::code::ins::{Binary, Unary};

/// Floats between two ordinals of the order -infinity < … < -0 < 0 < … < infinity, and perhaps NaN. No number where
/// `lo` > `hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floats {
    /// Whether binary64; else binary32.
    pub double: bool,
    /// The least ordinal; -0 is -1.
    pub lo: i64,
    /// The largest.
    pub hi: i64,
    /// The NaNs among them.
    pub nan: Nan,
}

/// The ordinal of a number: non-negative ones are their bits, negative ones count down from -1, which is -0.
#[must_use]
pub fn total(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits >= 0 { bits } else { -(bits & i64::MAX) - 1 }
}

/// The number of an ordinal.
#[must_use]
pub fn of_total(n: i64) -> f64 {
    f64::from_bits(if n >= 0 { n as u64 } else { (-(n + 1)) as u64 | 1 << 63 })
}

pub(super) fn total32(x: f32) -> i64 {
    let bits = x.to_bits() as i32;
    i64::from(if bits >= 0 { bits } else { -(bits & i32::MAX) - 1 })
}

pub(super) fn of_total32(n: i64) -> f32 {
    f32::from_bits(if n >= 0 { n as u32 } else { (-(n + 1)) as u32 | 1 << 31 })
}

impl Floats {
    /// All of them.
    #[must_use]
    pub fn all(double: bool) -> Self {
        Floats { nan: Nan::any(double), ..Self::between(double, f64::NEG_INFINITY, f64::INFINITY) }
    }

    /// NaN alone.
    #[must_use]
    pub fn only_nan(double: bool, nan: Nan) -> Self {
        Floats { double, lo: 1, hi: 0, nan }
    }

    /// One, from its bits.
    #[must_use]
    pub fn one(double: bool, bits: u64) -> Self {
        let x = if double { f64::from_bits(bits) } else { f32::from_bits(bits as u32).into() };
        if x.is_nan() {
            let (sign, magnitude) = if double { (63, bits & !(1 << 63)) } else { (31, bits & 0x7fff_ffff) };
            let negative = Some(bits >> sign & 1 == 1);
            Self::only_nan(double, Nan::Some { negative, lo: magnitude as i64, hi: magnitude as i64 })
        } else {
            Self::between(double, x, x)
        }
    }

    pub(super) fn between(double: bool, lo: f64, hi: f64) -> Self {
        let (lo, hi) = if double { (total(lo), total(hi)) } else { (total32(lo as f32), total32(hi as f32)) };
        Floats { double, lo, hi, nan: Nan::No }
    }

    /// Whether no number is a member.
    #[must_use]
    pub fn no_number(self) -> bool {
        self.lo > self.hi
    }

    /// Its finite members.
    pub(in crate::code) fn finite(self) -> Floats {
        let all = Self::between(self.double, f64::NEG_INFINITY, f64::INFINITY);
        Floats { lo: self.lo.max(all.lo + 1), hi: self.hi.min(all.hi - 1), nan: Nan::No, ..self }
    }

    /// The ends, as binary64, which holds all of binary32.
    pub(in crate::code) fn ends(self) -> (f64, f64) {
        if self.double {
            (of_total(self.lo), of_total(self.hi))
        } else {
            (of_total32(self.lo).into(), of_total32(self.hi).into())
        }
    }

    /// The only member, as bits, if it is a number.
    #[must_use]
    pub fn single(self) -> Option<u64> {
        if self.lo != self.hi || self.nan.is() {
            return None;
        }
        Some(if self.double { of_total(self.lo).to_bits() } else { of_total32(self.lo).to_bits().into() })
    }

    pub(super) fn hull(self, other: Floats) -> Floats {
        let nan = self.nan.hull(other.nan);
        match (self.no_number(), other.no_number()) {
            (true, _) => Floats { nan, ..other },
            (_, true) => Floats { nan, ..self },
            _ => Floats { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), nan, ..self },
        }
    }

    /// A function that never decreases on numbers, applied by the machine itself.
    pub(super) fn monotone(self, op: Unary, to_double: bool) -> Floats {
        let at = |n: i64| {
            let bits = if self.double { of_total(n).to_bits() } else { of_total32(n).to_bits().into() };
            let y = bits::unary(op, bits).unwrap_or(0);
            if to_double { total(f64::from_bits(y)) } else { total32(f32::from_bits(y as u32)) }
        };
        if self.no_number() {
            return Floats::only_nan(to_double, Nan::computed(to_double));
        }
        Floats { double: to_double, lo: at(self.lo), hi: at(self.hi), nan: Nan::computed_if(to_double, self.nan.is()) }
    }

    pub(super) fn negated(self) -> Floats {
        let nan = self.nan.signed(|negative| negative.map(|n| !n));
        if self.no_number() {
            Floats { nan, ..self }
        } else {
            Floats { lo: -self.hi - 1, hi: -self.lo - 1, nan, ..self }
        }
    }

    pub(super) fn absolute(self) -> Floats {
        let nan = self.nan.signed(|_| Some(false));
        if self.no_number() || self.lo >= 0 {
            Floats { nan, ..self }
        } else if self.hi < 0 {
            Floats { lo: -self.hi - 1, hi: -self.lo - 1, nan, ..self }
        } else {
            Floats { lo: 0, hi: self.hi.max(-self.lo - 1), nan, ..self }
        }
    }

    pub(in crate::code) fn contains(self, x: f64) -> bool {
        let (lo, hi) = self.ends();
        !self.no_number() && lo <= x && x <= hi
    }

    /// Correctly rounded sums, products and quotients are monotone in each operand, so that the corners bound them; where
    /// a corner has no value, or a divisor may be 0, all numbers are taken.
    pub(super) fn combined(self, other: Floats, op: Binary, f: impl Fn(u64, u64) -> u64) -> Floats {
        use Binary::{F32Add, F32Div, F32Mul, F32Sub, F64Add, F64Div, F64Mul, F64Sub};
        let above = |s: Floats| s.contains(f64::INFINITY);
        let below = |s: Floats| s.contains(f64::NEG_INFINITY);
        let infinite = |s: Floats| above(s) || below(s);
        let zero = |s: Floats| s.contains(0.0);
        let none = match op {
            F64Add | F32Add => (above(self) && below(other)) || (below(self) && above(other)),
            F64Sub | F32Sub => (above(self) && above(other)) || (below(self) && below(other)),
            F64Mul | F32Mul => (infinite(self) && zero(other)) || (zero(self) && infinite(other)),
            F64Div | F32Div => (infinite(self) && infinite(other)) || (zero(self) && zero(other)),
            _ => true,
        };
        if self.no_number() || other.no_number() {
            return Floats::only_nan(self.double, Nan::computed(self.double));
        }
        let nan = Nan::computed_if(self.double, self.nan.is() || other.nan.is() || none);
        let divides = matches!(op, F64Div | F32Div);
        if none || (divides && zero(other)) {
            return Floats { nan, ..Floats::all(self.double) };
        }
        let bits = |n: i64| if self.double { of_total(n).to_bits() } else { of_total32(n).to_bits().into() };
        let ordinal = |y: u64| if self.double { total(f64::from_bits(y)) } else { total32(f32::from_bits(y as u32)) };
        let corners = [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)];
        let corners = corners.map(|(x, y)| ordinal(f(bits(x), bits(y))));
        let (mut lo, mut hi) = (corners[0], corners[0]);
        for c in corners {
            lo = lo.min(c);
            hi = hi.max(c);
        }
        // The sign of a zero within is not followed.
        if lo == 0 {
            lo = -1;
        }
        if hi == -1 {
            hi = 0;
        }
        Floats { double: self.double, lo, hi, nan }
    }
}

/// The upper and lower half of the bits of binary64 numbers, or all bits of binary32 numbers (and 0).
#[must_use]
pub fn words(s: Floats) -> (Ints, Ints) {
    let width = 32;
    let sign = i64::from(i32::MIN);
    // From magnitudes.
    let half = |lo: i64, hi: i64, negative: bool| -> Option<(Ints, Ints)> {
        let sign = if negative { sign } else { 0 };
        if lo > hi {
            return None;
        }
        if !s.double {
            return Some((Ints::between(width, lo + sign, hi + sign), Ints::one(width, 0)));
        }
        let upper = Ints::between(width, (lo >> 32) + sign, (hi >> 32) + sign);
        let low = |n: i64| n & 0xffff_ffff;
        let lower = if lo >> 32 == hi >> 32 && (low(lo) ^ low(hi)) >> 31 == 0 {
            Ints::between(width, Ints::signed(32, low(lo) as u64), Ints::signed(32, low(hi) as u64))
        } else {
            Ints::all(width)
        };
        Some((upper, lower))
    };
    let joined = |a: Option<(Ints, Ints)>, b: Option<(Ints, Ints)>| match (a, b) {
        (Some(p), Some(n)) => Some((p.0.hull(n.0), p.1.hull(n.1))),
        (p, n) => p.or(n),
    };
    let numbers = joined(half(s.lo.max(0), s.hi, false), half((-s.hi - 1).max(0), -s.lo - 1, true));
    let nan = |negative| s.nan.with_sign(negative).and_then(|(lo, hi)| half(lo, hi, negative));
    let nans = joined(nan(false), nan(true));
    joined(numbers, nans).unwrap_or((Ints::all(width), Ints::all(width)))
}

/// The binary64 numbers with bits from two halves.
#[must_use]
pub fn from_words(upper: Ints, lower: Ints) -> Floats {
    let (low_least, low_most) = lower.unsigned();
    let part = |lo: i64, hi: i64| -> Option<Floats> {
        if lo > hi {
            return None;
        }
        // Magnitudes.
        let least = ((lo & 0x7fff_ffff) as u64) << 32 | low_least;
        let most = ((hi & 0x7fff_ffff) as u64) << 32 | low_most;
        let infinity = f64::INFINITY.to_bits();
        let nans = Nan::Some { negative: Some(lo < 0), lo: least.max(infinity + 1) as i64, hi: most as i64 };
        let nan = if most > infinity { nans } else { Nan::No };
        if least > infinity {
            return Some(Floats::only_nan(true, nan));
        }
        let (a, b) = (least as i64, most.min(infinity) as i64);
        let (lo, hi) = if lo < 0 { (-b - 1, -a - 1) } else { (a, b) };
        Some(Floats { double: true, lo, hi, nan })
    };
    let positive = part(upper.lo.max(0), upper.hi);
    let negative = part(upper.lo, upper.hi.min(-1));
    match (positive, negative) {
        (Some(p), Some(n)) => p.hull(n),
        (Some(p), None) | (None, Some(p)) => p,
        (None, None) => Floats::all(true),
    }
}

/// The binary32 numbers with these bits.
pub(super) fn from_word(word: Ints) -> Floats {
    let part = |lo: i64, hi: i64| -> Option<Floats> {
        if lo > hi {
            return None;
        }
        let (least, most) = (lo & 0x7fff_ffff, hi & 0x7fff_ffff);
        let infinity = i64::from(f32::INFINITY.to_bits());
        let nans = Nan::Some { negative: Some(lo < 0), lo: least.max(infinity + 1), hi: most };
        let nan = if most > infinity { nans } else { Nan::No };
        if least > infinity {
            return Some(Floats::only_nan(false, nan));
        }
        let (a, b) = (least, most.min(infinity));
        let (lo, hi) = if lo < 0 { (-b - 1, -a - 1) } else { (a, b) };
        Some(Floats { double: false, lo, hi, nan })
    };
    match (part(word.lo.max(0), word.hi), part(word.lo, word.hi.min(-1))) {
        (Some(p), Some(n)) => p.hull(n),
        (Some(p), None) | (None, Some(p)) => p,
        (None, None) => Floats::all(false),
    }
}
