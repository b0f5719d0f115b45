//! Sets of values: integers between two bounds with some bits known, floats between two ordinals with a flag for NaN.
//! Every operation returns a set that holds all results of its operands' members.

use super::bits;
use super::ins::{Binary, Compare, Unary};
use super::program::Kind;
use super::relation::{Relation, relation};

/// Integers of `width` bits in two's complement, between two bounds, whose bits outside of `unknown` are those of `known`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ints {
    /// 32 or 64.
    pub width: u32,
    /// The least one, with sign.
    pub lo: i64,
    /// The largest one.
    pub hi: i64,
    /// The bits that are known; 0 where they are not.
    pub known: u64,
    /// 1 where a bit is not known.
    pub unknown: u64,
}

impl Ints {
    fn mask(width: u32) -> u64 {
        if width == 64 { u64::MAX } else { (1 << width) - 1 }
    }

    fn signed(width: u32, bits: u64) -> i64 {
        let unused = 64 - width;
        (bits << unused) as i64 >> unused
    }

    /// All of them.
    #[must_use]
    pub fn all(width: u32) -> Self {
        let hi = (Self::mask(width) >> 1) as i64;
        Ints { width, lo: -hi - 1, hi, known: 0, unknown: Self::mask(width) }
    }

    /// One.
    #[must_use]
    pub fn one(width: u32, bits: u64) -> Self {
        let bits = bits & Self::mask(width);
        let n = Self::signed(width, bits);
        Ints { width, lo: n, hi: n, known: bits, unknown: 0 }
    }

    /// All between two bounds.
    #[must_use]
    pub fn between(width: u32, lo: i64, hi: i64) -> Self {
        let all = Self::all(width);
        Ints { lo: lo.max(all.lo), hi: hi.min(all.hi), ..all }.tightened()
    }

    fn of_bits(width: u32, known: u64, unknown: u64) -> Self {
        let mask = Self::mask(width);
        Ints { known: known & mask & !unknown, unknown: unknown & mask, ..Self::all(width) }.tightened()
    }

    /// The only member, as bits.
    #[must_use]
    pub fn single(self) -> Option<u64> {
        (self.lo == self.hi).then_some(self.lo as u64 & Self::mask(self.width))
    }

    /// Bounds from bits, and bits from bounds.
    fn tightened(mut self) -> Self {
        let sign = 1u64 << (self.width - 1);
        // The least value of known bits: an unknown sign set, all other unknown bits 0.
        let least = if self.unknown & sign != 0 { self.known | sign } else { self.known };
        let most =
            if self.unknown & sign != 0 { self.known | (self.unknown & !sign) } else { self.known | self.unknown };
        self.lo = self.lo.max(Self::signed(self.width, least));
        self.hi = self.hi.min(Self::signed(self.width, most));
        if self.lo <= self.hi && (self.lo < 0) == (self.hi < 0) {
            // The leading bits that both bounds share are those of all between.
            let differ = (self.lo ^ self.hi) as u64 & Self::mask(self.width);
            let varying = if differ == 0 { 0 } else { u64::MAX >> differ.leading_zeros() };
            let shared = self.unknown & !varying;
            self.known |= self.lo as u64 & shared & Self::mask(self.width);
            self.unknown &= varying;
        }
        self
    }

    /// The bounds without a sign.
    #[must_use]
    pub fn unsigned(self) -> (u64, u64) {
        if (self.lo < 0) == (self.hi < 0) {
            let mask = Self::mask(self.width);
            (self.lo as u64 & mask, self.hi as u64 & mask)
        } else {
            (self.known, self.known | self.unknown)
        }
    }

    fn hull(self, other: Ints) -> Ints {
        let unknown = self.unknown | other.unknown | (self.known ^ other.known);
        let known = self.known & !unknown;
        Ints { width: self.width, lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), known, unknown }.tightened()
    }

    /// From exact bounds that may lie beyond the width: all where they do.
    fn wrapped(width: u32, lo: i128, hi: i128) -> Self {
        let all = Self::all(width);
        if lo >= i128::from(all.lo) && hi <= i128::from(all.hi) {
            Self::between(width, lo as i64, hi as i64)
        } else {
            all
        }
    }

    fn added(self, other: Ints) -> Ints {
        let sum = Self::wrapped(
            self.width,
            i128::from(self.lo) + i128::from(other.lo),
            i128::from(self.hi) + i128::from(other.hi),
        );
        // Low bits that are known in both are known in the sum.
        let low = (self.unknown | other.unknown).trailing_zeros();
        let mask = if low >= 64 { u64::MAX } else { (1u64 << low) - 1 };
        sum.with_low(mask, self.known.wrapping_add(other.known))
    }

    fn subtracted(self, other: Ints) -> Ints {
        let difference = Self::wrapped(
            self.width,
            i128::from(self.lo) - i128::from(other.hi),
            i128::from(self.hi) - i128::from(other.lo),
        );
        let low = (self.unknown | other.unknown).trailing_zeros();
        let mask = if low >= 64 { u64::MAX } else { (1u64 << low) - 1 };
        difference.with_low(mask, self.known.wrapping_sub(other.known))
    }

    fn with_low(mut self, mask: u64, bits: u64) -> Ints {
        let mask = mask & Self::mask(self.width);
        self.known = (self.known & !mask) | (bits & mask);
        self.unknown &= !mask;
        self.tightened()
    }

    fn and(self, other: Ints) -> Ints {
        let ones = self.known & other.known;
        let maybe = (self.known | self.unknown) & (other.known | other.unknown);
        Self::of_bits(self.width, ones, maybe & !ones)
    }

    fn or(self, other: Ints) -> Ints {
        let ones = self.known | other.known;
        let bits = Self::of_bits(self.width, ones, (self.unknown | other.unknown) & !ones);
        if self.lo >= 0 && other.lo >= 0 {
            return Ints { lo: bits.lo.max(self.lo).max(other.lo), ..bits }.tightened();
        }
        bits
    }

    fn xor(self, other: Ints) -> Ints {
        let unknown = self.unknown | other.unknown;
        Self::of_bits(self.width, (self.known ^ other.known) & !unknown, unknown)
    }

    fn shifted(self, op: Shift, by: u32) -> Ints {
        let (w, by) = (self.width, by % self.width);
        match op {
            Shift::Left => {
                let bits = Self::of_bits(w, self.known << by, self.unknown << by);
                let exact = Self::wrapped(w, i128::from(self.lo) << by, i128::from(self.hi) << by);
                Ints { lo: bits.lo.max(exact.lo), hi: bits.hi.min(exact.hi), ..bits }.tightened()
            }
            Shift::Right => Ints {
                lo: self.lo >> by,
                hi: self.hi >> by,
                known: Self::signed(w, self.known) as u64 >> by & Self::mask(w) & !self.smeared(by),
                unknown: self.smeared(by),
                width: w,
            }
            .tightened(),
            Shift::RightLogical => {
                let (lo, hi) = self.unsigned();
                let bits = Self::of_bits(w, self.known >> by, self.unknown >> by);
                if by == 0 {
                    return self;
                }
                Ints { lo: bits.lo.max((lo >> by) as i64), hi: bits.hi.min((hi >> by) as i64), ..bits }.tightened()
            }
        }
    }

    /// The unknown bits after an arithmetic shift: an unknown sign makes all that come in unknown. Known ones that come in
    /// are copies of the sign.
    fn smeared(self, by: u32) -> u64 {
        let top = if by == 0 { 0 } else { Self::mask(self.width) & !(Self::mask(self.width) >> by) };
        let sign_unknown = self.unknown >> (self.width - 1) & 1 == 1;
        (self.unknown >> by) | if sign_unknown { top } else { 0 }
    }
}

/// The shifts.
#[derive(Clone, Copy)]
enum Shift {
    Left,
    Right,
    RightLogical,
}

/// Which NaNs are members. Code that looks at halves of bits tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nan {
    /// None.
    No,
    /// Those with a bit of the fraction set in the upper half: all that arithmetic gives.
    High,
    /// Those whose fraction is in the lower half alone, the top bit of which is 0.
    Low,
    /// Those whose fraction is in the lower half alone, the top bit of which is 1.
    LowTop,
    /// All.
    Any,
}

impl Nan {
    /// Whether there is one.
    #[must_use]
    pub fn is(self) -> bool {
        self != Nan::No
    }

    fn hull(self, other: Nan) -> Nan {
        match (self, other) {
            (a, b) if a == b => a,
            (Nan::No, a) | (a, Nan::No) => a,
            _ => Nan::Any,
        }
    }

    /// What arithmetic makes of it.
    fn computed(is: bool) -> Nan {
        if is { Nan::High } else { Nan::No }
    }

    /// The upper half, without the sign, and the lower half.
    fn words(self) -> Option<(Ints, Ints)> {
        let upper = |lo, hi| Ints::between(32, lo, hi);
        let top = 0x7ff0_0000;
        Some(match self {
            Nan::No => return None,
            Nan::High => (upper(top + 1, 0x7fff_ffff), Ints::all(32)),
            Nan::Low => (upper(top, top), Ints::between(32, 1, i64::from(i32::MAX))),
            Nan::LowTop => (upper(top, top), Ints::between(32, i64::from(i32::MIN), -1)),
            Nan::Any => (upper(top, 0x7fff_ffff), Ints::all(32)),
        })
    }
}

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

fn total32(x: f32) -> i64 {
    let bits = x.to_bits() as i32;
    i64::from(if bits >= 0 { bits } else { -(bits & i32::MAX) - 1 })
}

fn of_total32(n: i64) -> f32 {
    f32::from_bits(if n >= 0 { n as u32 } else { (-(n + 1)) as u32 | 1 << 31 })
}

impl Floats {
    /// All of them.
    #[must_use]
    pub fn all(double: bool) -> Self {
        Floats { nan: Nan::Any, ..Self::between(double, f64::NEG_INFINITY, f64::INFINITY) }
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
        if x.is_nan() { Self::only_nan(double, Nan::Any) } else { Self::between(double, x, x) }
    }

    fn between(double: bool, lo: f64, hi: f64) -> Self {
        let (lo, hi) = if double { (total(lo), total(hi)) } else { (total32(lo as f32), total32(hi as f32)) };
        Floats { double, lo, hi, nan: Nan::No }
    }

    /// Whether no number is a member.
    #[must_use]
    pub fn no_number(self) -> bool {
        self.lo > self.hi
    }

    /// The ends, as binary64, which holds all of binary32.
    fn ends(self) -> (f64, f64) {
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

    fn hull(self, other: Floats) -> Floats {
        let nan = self.nan.hull(other.nan);
        match (self.no_number(), other.no_number()) {
            (true, _) => Floats { nan, ..other },
            (_, true) => Floats { nan, ..self },
            _ => Floats { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), nan, ..self },
        }
    }

    /// A function that never decreases on numbers, applied by the machine itself.
    fn monotone(self, op: Unary, to_double: bool) -> Floats {
        let at = |n: i64| {
            let bits = if self.double { of_total(n).to_bits() } else { of_total32(n).to_bits().into() };
            let y = bits::unary(op, bits).unwrap_or(0);
            if to_double { total(f64::from_bits(y)) } else { total32(f32::from_bits(y as u32)) }
        };
        if self.no_number() {
            return Floats::only_nan(to_double, Nan::High);
        }
        Floats { double: to_double, lo: at(self.lo), hi: at(self.hi), nan: Nan::computed(self.nan.is()) }
    }

    fn negated(self) -> Floats {
        if self.no_number() { self } else { Floats { lo: -self.hi - 1, hi: -self.lo - 1, ..self } }
    }

    fn absolute(self) -> Floats {
        if self.no_number() || self.lo >= 0 {
            self
        } else if self.hi < 0 {
            self.negated()
        } else {
            Floats { lo: 0, hi: self.hi.max(-self.lo - 1), ..self }
        }
    }

    fn contains(self, x: f64) -> bool {
        let (lo, hi) = self.ends();
        !self.no_number() && lo <= x && x <= hi
    }

    /// Correctly rounded sums, products and quotients are monotone in each operand, so that the corners bound them; where
    /// a corner has no value, or a divisor may be 0, all numbers are taken.
    fn combined(self, other: Floats, op: Binary, f: impl Fn(u64, u64) -> u64) -> Floats {
        use Binary::{F32Add, F32Div, F32Mul, F32Sub, F64Add, F64Div, F64Mul, F64Sub};
        let infinite = |s: Floats| s.contains(f64::INFINITY) || s.contains(f64::NEG_INFINITY);
        let zero = |s: Floats| s.contains(0.0);
        let none = match op {
            F64Add | F32Add | F64Sub | F32Sub => infinite(self) && infinite(other),
            F64Mul | F32Mul => (infinite(self) && zero(other)) || (zero(self) && infinite(other)),
            F64Div | F32Div => (infinite(self) && infinite(other)) || (zero(self) && zero(other)),
            _ => true,
        };
        if self.no_number() || other.no_number() {
            return Floats::only_nan(self.double, Nan::High);
        }
        let nan = Nan::computed(self.nan.is() || other.nan.is() || none);
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

/// A set of values of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Integers.
    Int(Ints),
    /// Floats.
    Float(Floats),
}

impl Set {
    /// The only member's bits.
    #[must_use]
    pub fn single(self) -> Option<u64> {
        match self {
            Set::Int(s) => s.single(),
            Set::Float(s) => s.single(),
        }
    }

    /// The smallest set here that holds both.
    #[must_use]
    pub fn hull(self, other: Set) -> Set {
        match (self, other) {
            (Set::Int(a), Set::Int(b)) => Set::Int(a.hull(b)),
            (Set::Float(a), Set::Float(b)) => Set::Float(a.hull(b)),
            (a, _) => a,
        }
    }

    fn int(self, width: u32) -> Ints {
        if let Set::Int(s) = self { s } else { Ints::all(width) }
    }

    fn float(self, double: bool) -> Floats {
        if let Set::Float(s) = self { s } else { Floats::all(double) }
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
    let nans = match (s.nan.is(), s.double) {
        (false, _) => None,
        (true, true) => s.nan.words(),
        (true, false) => Some((Ints::between(width, 0x7f80_0001, 0x7fff_ffff), Ints::one(width, 0))),
    };
    let negative = |(upper, lower): (Ints, Ints)| (Ints::between(width, upper.lo + sign, upper.hi + sign), lower);
    let nans = joined(nans, nans.map(negative));
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
        let nan = if most > infinity { Nan::Any } else { Nan::No };
        if least > infinity {
            return Some(Floats::only_nan(true, Nan::Any));
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
fn from_word(word: Ints) -> Floats {
    let part = |lo: i64, hi: i64| -> Option<Floats> {
        if lo > hi {
            return None;
        }
        let (least, most) = (lo & 0x7fff_ffff, hi & 0x7fff_ffff);
        let infinity = i64::from(f32::INFINITY.to_bits());
        if least > infinity {
            return Some(Floats::only_nan(false, Nan::Any));
        }
        let nan = if most > infinity { Nan::Any } else { Nan::No };
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

/// An operator of one operand. `None`: it may trap.
#[must_use]
pub fn unary(op: Unary, a: Set) -> Option<Set> {
    use Unary::*;
    if let Some(bits) = a.single() {
        return bits::unary(op, bits).ok().map(|y| typed(op, y));
    }
    Some(match op {
        I32Eqz | I64Eqz => {
            let s = a.int(32);
            Set::Int(match s.lo > 0 || s.hi < 0 || s.known != 0 {
                true => Ints::one(32, 0),
                false => Ints::between(32, 0, 1),
            })
        }
        F64Abs | F32Abs => Set::Float(a.float(op == F64Abs).absolute()),
        F64Neg | F32Neg => Set::Float(a.float(op == F64Neg).negated()),
        F64Ceil | F64Floor | F64Trunc | F64Nearest => Set::Float(a.float(true).monotone(op, true)),
        F32Ceil | F32Floor | F32Trunc | F32Nearest => Set::Float(a.float(false).monotone(op, false)),
        F64PromoteF32 => Set::Float(a.float(false).monotone(op, true)),
        F32DemoteF64 => Set::Float(a.float(true).monotone(op, false)),
        F64Sqrt | F32Sqrt => {
            let s = a.float(op == F64Sqrt);
            if s.no_number() || s.hi < -1 {
                return Some(Set::Float(Floats::only_nan(s.double, Nan::High)));
            }
            let nan = Nan::computed(s.nan.is() || s.lo < -1);
            let inside = Floats { lo: s.lo.max(-1), nan, ..s };
            Set::Float(inside.monotone(op, s.double))
        }
        F64ConvertI32S | F64ConvertI64S => converted(a.int(if op == F64ConvertI32S { 32 } else { 64 }), op),
        F64ConvertI32U => {
            let (lo, hi) = a.int(32).unsigned();
            Set::Float(Floats::between(true, lo as f64, hi as f64))
        }
        I64ExtendI32S => {
            let s = a.int(32);
            Set::Int(Ints::between(64, s.lo, s.hi))
        }
        I64ExtendI32U => {
            let (lo, hi) = a.int(32).unsigned();
            Set::Int(Ints::between(64, lo as i64, hi as i64))
        }
        I32WrapI64 => {
            let s = a.int(64);
            let bits = Ints::of_bits(32, s.known, s.unknown);
            let exact = Ints::wrapped(32, s.lo.into(), s.hi.into());
            Set::Int(Ints { lo: bits.lo.max(exact.lo), hi: bits.hi.min(exact.hi), ..bits }.tightened())
        }
        I32TruncSatF64S | I32TruncSatF32S => truncated(a.float(op == I32TruncSatF64S), 32),
        I64TruncSatF64S | I64TruncSatF32S => truncated(a.float(op == I64TruncSatF64S), 64),
        I64ReinterpretF64 => {
            let (upper, lower) = words(a.float(true));
            let (low_least, low_most) = lower.unsigned();
            Set::Int(Ints::between(64, (upper.lo << 32) + low_least as i64, (upper.hi << 32) + low_most as i64))
        }
        F64ReinterpretI64 => {
            let s = a.int(64);
            let upper = Ints::between(32, s.lo >> 32, s.hi >> 32);
            let lower = if s.lo >> 32 == s.hi >> 32 && (s.lo ^ s.hi) >> 31 & 1 == 0 {
                Ints::between(32, i64::from(s.lo as i32), i64::from(s.hi as i32))
            } else {
                Ints::of_bits(32, s.known, s.unknown)
            };
            Set::Float(from_words(upper, lower))
        }
        I32ReinterpretF32 => Set::Int(words(a.float(false)).0),
        F32ReinterpretI32 => Set::Float(from_word(a.int(32))),
        _ => return any_result(op),
    })
}

/// All values of the type of an operator that is not followed; `None` where it may trap.
fn any_result(op: Unary) -> Option<Set> {
    use Unary::*;
    Some(match op {
        I32Clz | I32Ctz | I32Popcnt => Set::Int(Ints::between(32, 0, 32)),
        I64Clz | I64Ctz | I64Popcnt => Set::Int(Ints::between(64, 0, 64)),
        I32Extend8S | I32Extend16S | I32TruncSatF32U | I32TruncSatF64U => Set::Int(Ints::all(32)),
        I64Extend8S | I64Extend16S | I64Extend32S | I64TruncSatF32U | I64TruncSatF64U => Set::Int(Ints::all(64)),
        F32ConvertI32S | F32ConvertI32U | F32ConvertI64S | F32ConvertI64U => Set::Float(Floats::all(false)),
        F64ConvertI64U => Set::Float(Floats::all(true)),
        _ => return None,
    })
}

fn converted(s: Ints, op: Unary) -> Set {
    let at = |n: i64| f64::from_bits(bits::unary(op, n as u64).unwrap_or(0));
    Set::Float(Floats::between(true, at(s.lo), at(s.hi)))
}

/// A conversion to an integer as x86-64 does it: the least integer for what has no value.
fn truncated(s: Floats, width: u32) -> Set {
    let all = Ints::all(width);
    let least = Ints::one(width, all.lo as u64);
    if s.no_number() {
        return Set::Int(least);
    }
    let (lo, hi) = s.ends();
    let bound = -(all.lo as f64);
    if lo <= -bound - 1.0 || hi >= bound {
        return Set::Int(all);
    }
    let inside = Ints::between(width, lo as i64, hi as i64);
    Set::Int(if s.nan.is() { inside.hull(least) } else { inside })
}

/// Bits as a value of the type that an operator returns.
fn typed(op: Unary, bits: u64) -> Set {
    use Unary::*;
    match op {
        F32Abs | F32Neg | F32Ceil | F32Floor | F32Trunc | F32Nearest | F32Sqrt | F32ConvertI32S | F32ConvertI32U
        | F32ConvertI64S | F32ConvertI64U | F32DemoteF64 | F32ReinterpretI32 => Set::Float(Floats::one(false, bits)),
        F64Abs | F64Neg | F64Ceil | F64Floor | F64Trunc | F64Nearest | F64Sqrt | F64ConvertI32S | F64ConvertI32U
        | F64ConvertI64S | F64ConvertI64U | F64PromoteF32 | F64ReinterpretI64 => Set::Float(Floats::one(true, bits)),
        I64Clz | I64Ctz | I64Popcnt | I64Extend8S | I64Extend16S | I64Extend32S | I64ExtendI32S | I64ExtendI32U
        | I64TruncF32S | I64TruncF32U | I64TruncF64S | I64TruncF64U | I64TruncSatF32S | I64TruncSatF32U
        | I64TruncSatF64S | I64TruncSatF64U | I64ReinterpretF64 => Set::Int(Ints::one(64, bits)),
        _ => Set::Int(Ints::one(32, bits)),
    }
}

/// An operator of two operands. `None`: it may trap.
#[must_use]
pub fn binary(op: Binary, a: Set, b: Set) -> Option<Set> {
    use Binary::*;
    let single = matches!(op, F32Add | F32Sub | F32Mul | F32Div | F32Min | F32Max | F32Copysign);
    let double = matches!(op, F64Add | F64Sub | F64Mul | F64Div | F64Min | F64Max | F64Copysign);
    if single || double {
        let (x, y) = (a.float(double), b.float(double));
        return Some(Set::Float(match op {
            F64Add | F32Add | F64Sub | F32Sub | F64Mul | F32Mul | F64Div | F32Div => {
                x.combined(y, op, |p, q| bits::binary(op, p, q).unwrap_or(0))
            }
            F64Copysign | F32Copysign if y.lo >= 0 && !y.nan.is() && !y.no_number() => x.absolute(),
            F64Copysign | F32Copysign if y.hi < 0 && !y.nan.is() && !y.no_number() => x.absolute().negated(),
            F64Copysign | F32Copysign => x.absolute().hull(x.absolute().negated()),
            _ if x.nan.is() || y.nan.is() || x.no_number() || y.no_number() => Floats::all(double),
            F64Min | F32Min => Floats { lo: x.lo.min(y.lo), hi: x.hi.min(y.hi), ..x },
            _ => Floats { lo: x.lo.max(y.lo), hi: x.hi.max(y.hi), ..x },
        }));
    }
    let long = matches!((a, b), (Set::Int(Ints { width: 64, .. }), _));
    let width = if long { 64 } else { 32 };
    if let (Some(p), Some(q)) = (a.single(), b.single()) {
        return bits::binary(op, p, q).ok().map(|y| Set::Int(Ints::one(width, y)));
    }
    let (x, y) = (a.int(width), b.int(width));
    let by = y.single().map(|n| n as u32);
    Some(Set::Int(match op {
        I32Add | I64Add => x.added(y),
        I32Sub | I64Sub => x.subtracted(y),
        I32Mul | I64Mul => {
            let products = [x.lo, x.hi].map(|p| [y.lo, y.hi].map(|q| i128::from(p) * i128::from(q))).concat();
            let (lo, hi) = (products.iter().min().copied()?, products.iter().max().copied()?);
            Ints::wrapped(width, lo, hi)
        }
        I32And | I64And => x.and(y),
        I32Or | I64Or => x.or(y),
        I32Xor | I64Xor => x.xor(y),
        I32Shl | I64Shl => by.map_or(Ints::all(width), |n| x.shifted(Shift::Left, n)),
        I32ShrS | I64ShrS => by.map_or(Ints::all(width), |n| x.shifted(Shift::Right, n)),
        I32ShrU | I64ShrU => by.map_or(Ints::all(width), |n| x.shifted(Shift::RightLogical, n)),
        I32Rotl | I32Rotr | I64Rotl | I64Rotr => Ints::all(width),
        // A divisor that may be 0 may trap.
        _ if y.lo <= 0 && y.hi >= 0 => return None,
        I32DivU | I64DivU | I32RemU | I64RemU => Ints::all(width),
        I32RemS | I64RemS => Ints::all(width),
        _ if y.lo > 0 => {
            let quotients = [x.lo, x.hi].map(|p| [y.lo, y.hi].map(|q| p / q)).concat();
            Ints::between(width, quotients.iter().min().copied()?, quotients.iter().max().copied()?)
        }
        _ => return None,
    }))
}

/// What a comparison comes out as, if for all members alike.
#[must_use]
pub fn compare(op: Compare, a: Set, b: Set) -> Option<bool> {
    let (relation, kind) = relation(op);
    // Bounds that can be compared, whether both are single, and whether NaN may be there.
    let (x, y, nan, never) = match (a, b) {
        (Set::Float(p), Set::Float(q)) => {
            if p.no_number() || q.no_number() {
                return Some(relation == Relation::Ne);
            }
            let zero = |n: i64| i128::from(if n < 0 { n + 1 } else { n });
            ((zero(p.lo), zero(p.hi)), (zero(q.lo), zero(q.hi)), p.nan.is() || q.nan.is(), false)
        }
        (Set::Int(p), Set::Int(q)) => {
            let disjoint = (p.known ^ q.known) & !(p.unknown | q.unknown) != 0;
            let unsigned = matches!(kind, Kind::Int { signed: false, .. });
            let bounds = |s: Ints| {
                if unsigned {
                    let (lo, hi) = s.unsigned();
                    (i128::from(lo), i128::from(hi))
                } else {
                    (i128::from(s.lo), i128::from(s.hi))
                }
            };
            (bounds(p), bounds(q), false, disjoint)
        }
        _ => return None,
    };
    let apart = never || x.1 < y.0 || y.1 < x.0;
    let equal = x.0 == x.1 && y.0 == y.1 && x.0 == y.0;
    let (holds, fails) = match relation {
        Relation::Eq => (equal, apart),
        Relation::Ne => (apart, equal),
        Relation::Lt => (x.1 < y.0, x.0 >= y.1),
        Relation::Le => (x.1 <= y.0, x.0 > y.1),
        Relation::Gt => (x.0 > y.1, x.1 <= y.0),
        Relation::Ge => (x.0 >= y.1, x.1 < y.0),
    };
    // NaN makes all but != false.
    let by_nan = relation == Relation::Ne;
    match (holds, fails, nan) {
        (true, _, false) => Some(true),
        (_, true, false) => Some(false),
        (true, _, true) if by_nan => Some(true),
        (_, true, true) if !by_nan => Some(false),
        _ => None,
    }
}
