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
            return Floats::only_nan(to_double, Nan::of_arithmetic(to_double));
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

    /// What arithmetic may make of members, by `f`, which computes with their bits.
    pub(super) fn combined(self, other: Floats, op: Binary, f: impl Fn(u64, u64) -> u64) -> Floats {
        use Binary::{F32Add, F32Div, F32Mul, F32Sub, F64Add, F64Div, F64Mul, F64Sub};
        if self.no_number() || other.no_number() {
            return Floats::only_nan(self.double, Nan::of_arithmetic(self.double));
        }
        let op = match op {
            F64Add | F32Add => Arithmetic::Add,
            F64Sub | F32Sub => Arithmetic::Sub,
            F64Mul | F32Mul => Arithmetic::Mul,
            F64Div | F32Div => Arithmetic::Div,
            _ => return Floats::all(self.double),
        };
        let all = Floats::all(self.double);
        let bits = |n: i64| if self.double { of_total(n).to_bits() } else { of_total32(n).to_bits().into() };
        let ordinal = |y: u64| if self.double { total(f64::from_bits(y)) } else { total32(f32::from_bits(y as u32)) };
        let of = |s: Floats| Numbers { lo: s.lo, hi: s.hi };
        let (a, b) = (of(self), of(other));
        let nan = self.nan.is() || other.nan.is() || op.may_be_nan(a, b, all.hi);
        let image = op.image(a, b, all.hi, |x, y| ordinal(f(bits(x), bits(y))));
        Floats { double: self.double, lo: image.lo, hi: image.hi, nan: Nan::computed_if(self.double, nan) }
    }
}

/// Numbers of a format of any width between two ordinals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) lo: i64,
    pub(super) hi: i64,
}

impl Numbers {
    /// Whether 0 or -0 is a member.
    fn has_zero(self) -> bool {
        self.lo <= 0 && self.hi >= -1
    }
}

/// The four operators of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
}

impl Arithmetic {
    /// Whether there are members whose result is no number, in a format whose infinity has this ordinal.
    pub(super) fn may_be_nan(self, a: Numbers, b: Numbers, infinity: i64) -> bool {
        let above = |s: Numbers| s.hi == infinity;
        let below = |s: Numbers| s.lo == -infinity - 1;
        let infinite = |s: Numbers| above(s) || below(s);
        match self {
            Arithmetic::Add => (above(a) && below(b)) || (below(a) && above(b)),
            Arithmetic::Sub => (above(a) && above(b)) || (below(a) && below(b)),
            Arithmetic::Mul => (infinite(a) && b.has_zero()) || (a.has_zero() && infinite(b)),
            Arithmetic::Div => (infinite(a) && infinite(b)) || (a.has_zero() && b.has_zero()),
        }
    }

    /// Numbers that hold all results which are numbers. Correctly rounded sums, products and quotients are monotone in each
    /// operand, so that the corners bound them; where a corner has no value, or a divisor may be 0, all numbers are taken.
    /// `f` computes with ordinals.
    pub(super) fn image(self, a: Numbers, b: Numbers, infinity: i64, f: impl Fn(i64, i64) -> i64) -> Numbers {
        if self.may_be_nan(a, b, infinity) || (self == Arithmetic::Div && b.has_zero()) {
            return Numbers { lo: -infinity - 1, hi: infinity };
        }
        let corners = [f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)];
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
        Numbers { lo, hi }
    }
}

/// The upper and lower half of the bits of binary64 numbers, or all bits of binary32 numbers (and 0).
#[must_use]
pub fn words(s: Floats) -> (Ints, Ints) {
    // From magnitudes.
    let half = |lo: i64, hi: i64, negative: bool| -> Option<(Ints, Ints)> {
        if lo > hi {
            return None;
        }
        if s.double {
            return Some(halves(32, lo, hi, negative));
        }
        let sign = if negative { i64::from(i32::MIN) } else { 0 };
        Some((Ints::between(32, lo + sign, hi + sign), Ints::one(32, 0)))
    };
    let joined = |a: Option<(Ints, Ints)>, b: Option<(Ints, Ints)>| match (a, b) {
        (Some(p), Some(n)) => Some((p.0.hull(n.0), p.1.hull(n.1))),
        (p, n) => p.or(n),
    };
    let numbers = joined(half(s.lo.max(0), s.hi, false), half((-s.hi - 1).max(0), -s.lo - 1, true));
    let nan = |negative| s.nan.with_sign(negative).and_then(|(lo, hi)| half(lo, hi, negative));
    let nans = joined(nan(false), nan(true));
    joined(numbers, nans).unwrap_or((Ints::all(32), Ints::all(32)))
}

/// The two halves, each of `width` bits, of magnitudes between two bounds, with the sign in the uppermost bit.
pub(super) fn halves(width: u32, lo: i64, hi: i64, negative: bool) -> (Ints, Ints) {
    let sign = if negative { Ints::all(width).lo } else { 0 };
    let upper = Ints::between(width, (lo >> width) + sign, (hi >> width) + sign);
    let low = |n: i64| Ints::signed(width, n as u64 & Ints::mask(width));
    let lower = if lo >> width == hi >> width && (low(lo) < 0) == (low(hi) < 0) {
        Ints::between(width, low(lo), low(hi))
    } else {
        Ints::all(width)
    };
    (upper, lower)
}

/// Bounds of the magnitudes whose halves are in these sets, where the upper half has this sign.
pub(super) fn joined(upper: Ints, lower: Ints, negative: bool) -> Option<(i64, i64)> {
    let (lo, hi) = unsigned_with_sign(upper, negative)?;
    let (least, most) = lower.unsigned();
    Some((lo << lower.width | least as i64, hi << lower.width | most as i64))
}

/// Bounds of the bits below the uppermost one, which is this sign.
fn unsigned_with_sign(s: Ints, negative: bool) -> Option<(i64, i64)> {
    let (lo, hi) = if negative { (s.lo, s.hi.min(-1)) } else { (s.lo.max(0), s.hi) };
    let most = Ints::all(s.width).hi;
    (lo <= hi).then_some((lo & most, hi & most))
}

/// The numbers with these magnitudes and this sign: NaNs above infinity.
fn with_magnitudes(double: bool, (least, most): (i64, i64), negative: bool) -> Floats {
    let (infinity, _) = Nan::limits(double);
    let nans = Nan::Some { negative: Some(negative), lo: least.max(infinity + 1), hi: most };
    let nan = if most > infinity { nans } else { Nan::No };
    if least > infinity {
        return Floats::only_nan(double, nan);
    }
    let (a, b) = (least, most.min(infinity));
    let (lo, hi) = if negative { (-b - 1, -a - 1) } else { (a, b) };
    Floats { double, lo, hi, nan }
}

/// The binary64 numbers with bits from two halves.
#[must_use]
pub fn from_words(upper: Ints, lower: Ints) -> Floats {
    with_signs(true, |negative| joined(upper, lower, negative))
}

/// The binary32 numbers with these bits.
pub(super) fn from_word(word: Ints) -> Floats {
    with_signs(false, |negative| unsigned_with_sign(word, negative))
}

/// The numbers with magnitudes of either sign.
fn with_signs(double: bool, magnitudes: impl Fn(bool) -> Option<(i64, i64)>) -> Floats {
    let part = |negative| magnitudes(negative).map(|m| with_magnitudes(double, m, negative));
    match (part(false), part(true)) {
        (Some(p), Some(n)) => p.hull(n),
        (p, n) => p.or(n).unwrap_or_else(|| Floats::all(double)),
    }
}
