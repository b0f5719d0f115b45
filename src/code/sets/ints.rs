//! Integers between two bounds, with some bits known. The operations know no special width.

use crate::code::ins::Binary;

/// Integers of `width` bits in two's complement, between two bounds, whose bits outside of `unknown` are those of `known`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ints {
    /// 1 to 64.
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
    pub(super) fn mask(width: u32) -> u64 {
        if width == 64 { u64::MAX } else { (1 << width) - 1 }
    }

    pub(super) fn signed(width: u32, bits: u64) -> i64 {
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

    pub(super) fn of_bits(width: u32, known: u64, unknown: u64) -> Self {
        let mask = Self::mask(width);
        Ints { known: known & mask & !unknown, unknown: unknown & mask, ..Self::all(width) }.tightened()
    }

    /// The only member, as bits.
    #[must_use]
    pub fn single(self) -> Option<u64> {
        (self.lo == self.hi).then_some(self.lo as u64 & Self::mask(self.width))
    }

    /// The same members with the closest bounds, which are members themselves, and the leading bits that these share.
    pub(super) fn tightened(mut self) -> Self {
        let (mask, sign) = (Self::mask(self.width), 1 << (self.width - 1));
        // In the order of bits without a sign, which is that of the numbers when the sign is turned round.
        let turned = |n: i64| (n as u64 & mask) ^ sign;
        let known = (self.known ^ sign) & mask & !self.unknown;
        let lo = least_from(turned(self.lo), known, self.unknown);
        let hi = least_from(!turned(self.hi) & mask, !known & mask & !self.unknown, self.unknown);
        if let (Some(lo), Some(hi)) = (lo, hi) {
            self.lo = Self::signed(self.width, lo ^ sign);
            self.hi = Self::signed(self.width, !hi ^ sign);
            let differ = (self.lo ^ self.hi) as u64 & mask;
            let varying = if differ == 0 { 0 } else { u64::MAX >> differ.leading_zeros() };
            self.known |= self.lo as u64 & self.unknown & !varying;
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

    pub(super) fn hull(self, other: Ints) -> Ints {
        let unknown = self.unknown | other.unknown | (self.known ^ other.known);
        let known = self.known & !unknown;
        Ints { width: self.width, lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), known, unknown }.tightened()
    }

    /// From exact bounds that may lie beyond the width: all where they do.
    pub(super) fn wrapped(width: u32, lo: i128, hi: i128) -> Self {
        let all = Self::all(width);
        if lo >= i128::from(all.lo) && hi <= i128::from(all.hi) {
            Self::between(width, lo as i64, hi as i64)
        } else {
            all
        }
    }

    pub(super) fn added(self, other: Ints) -> Ints {
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

    pub(super) fn subtracted(self, other: Ints) -> Ints {
        let difference = Self::wrapped(
            self.width,
            i128::from(self.lo) - i128::from(other.hi),
            i128::from(self.hi) - i128::from(other.lo),
        );
        let low = (self.unknown | other.unknown).trailing_zeros();
        let mask = if low >= 64 { u64::MAX } else { (1u64 << low) - 1 };
        difference.with_low(mask, self.known.wrapping_sub(other.known))
    }

    pub(super) fn with_low(mut self, mask: u64, bits: u64) -> Ints {
        let mask = mask & Self::mask(self.width);
        self.known = (self.known & !mask) | (bits & mask);
        self.unknown &= !mask;
        self.tightened()
    }

    pub(super) fn and(self, other: Ints) -> Ints {
        let ones = self.known & other.known;
        let maybe = (self.known | self.unknown) & (other.known | other.unknown);
        let mut result = Self::of_bits(self.width, ones, maybe & !ones);
        for (a, b) in [(self, other), (other, self)] {
            // Taking off bits that are all known moves all members alike.
            if let Some(mask) = b.single()
                && a.unknown & !mask == 0
            {
                result = result.within(a.lo & Self::signed(self.width, mask), a.hi & Self::signed(self.width, mask));
            }
            if b.lo >= 0 {
                result = result.within(0, b.hi);
            }
        }
        result
    }

    pub(super) fn or(self, other: Ints) -> Ints {
        let ones = self.known | other.known;
        let mut result = Self::of_bits(self.width, ones, (self.unknown | other.unknown) & !ones);
        for (a, b) in [(self, other), (other, self)] {
            // Setting bits that are known not to be set moves all members alike.
            if let Some(mask) = b.single()
                && (a.unknown | a.known) & mask == 0
            {
                result = result.within(a.lo | Self::signed(self.width, mask), a.hi | Self::signed(self.width, mask));
            }
        }
        if self.lo >= 0 && other.lo >= 0 {
            result = result.within(self.lo.max(other.lo), result.hi);
        }
        result
    }

    /// Those that are also between two bounds, which hold for all.
    fn within(self, lo: i64, hi: i64) -> Ints {
        Ints { lo: self.lo.max(lo), hi: self.hi.min(hi), ..self }.tightened()
    }

    pub(super) fn xor(self, other: Ints) -> Ints {
        let unknown = self.unknown | other.unknown;
        Self::of_bits(self.width, (self.known ^ other.known) & !unknown, unknown)
    }

    pub(super) fn shifted(self, op: Shift, by: u32) -> Ints {
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
                // An unknown sign is 1 in `unknown` and 0 in `known`: its copies are unknown as well.
                known: (Self::signed(w, self.known) >> by) as u64 & Self::mask(w),
                unknown: (Self::signed(w, self.unknown) >> by) as u64 & Self::mask(w),
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

    /// The quotient as integers with or without a sign; `None` where it may trap.
    fn divided(self, other: Ints, signed: bool) -> Option<Ints> {
        if other.holds(0) {
            return None;
        }
        if !signed {
            let ((a, b), (c, d)) = (self.unsigned(), other.unsigned());
            return Some(Self::between_bits(self.width, a / d, b / c));
        }
        // That of the least number by -1 is no number.
        if self.lo == Self::all(self.width).lo && other.holds(-1) {
            return None;
        }
        // Where the divisor has one sign the quotient is monotone in either operand.
        let by_sign = [other.within(other.lo, -1), other.within(1, other.hi)];
        let parts = by_sign.into_iter().filter(|s| s.lo <= s.hi).map(|s| {
            let quotients = [self.lo, self.hi].map(|p| [p.wrapping_div(s.lo), p.wrapping_div(s.hi)]).concat();
            let least = quotients.iter().fold(i64::MAX, |a, b| a.min(*b));
            Self::between(self.width, least, quotients.iter().fold(i64::MIN, |a, b| a.max(*b)))
        });
        parts.reduce(Ints::hull)
    }

    /// What remains of a division of integers with or without a sign; `None` where it may trap.
    fn remainder(self, other: Ints, signed: bool) -> Option<Ints> {
        if other.holds(0) {
            return None;
        }
        let (a, b) = if signed { (self.lo, self.hi) } else { (0, 0) };
        if a < 0 || (signed && other.lo < 0) {
            // Smaller than the divisor, and with the sign of what is divided.
            let most = other.lo.unsigned_abs().max(other.hi.unsigned_abs()) - 1;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            return Some(Self::between(self.width, a.max(-most).min(0), b.min(most).max(0)));
        }
        let (most, (c, d)) = (self.unsigned().1, other.unsigned());
        Some(if most < c { self } else { Self::between_bits(self.width, 0, most.min(d - 1)) })
    }

    /// Whether a number is a member.
    pub(super) fn holds(self, n: i64) -> bool {
        self.lo <= n && n <= self.hi && (n as u64 ^ self.known) & !self.unknown & Self::mask(self.width) == 0
    }

    /// All whose bits are between these, without a sign.
    fn between_bits(width: u32, lo: u64, hi: u64) -> Ints {
        let (a, b) = (Self::signed(width, lo), Self::signed(width, hi));
        if (a < 0) == (b < 0) { Self::between(width, a, b) } else { Self::all(width) }
    }

    fn rotated(self, left: u32) -> Ints {
        let w = self.width;
        let turned = |bits: u64| if left == 0 { bits } else { bits << left | bits >> (w - left) };
        if left == 0 { self } else { Self::of_bits(w, turned(self.known), turned(self.unknown)) }
    }

    /// The low bits alone.
    pub(super) fn cut(self, width: u32) -> Ints {
        let bits = Self::of_bits(width, self.known, self.unknown);
        let exact = Self::wrapped(width, self.lo.into(), self.hi.into());
        bits.within(exact.lo, exact.hi)
    }

    /// With more bits, which are 0 or copies of the sign.
    pub(super) fn extended(self, width: u32, signed: bool) -> Ints {
        if signed {
            let longer = |bits| Self::signed(self.width, bits) as u64 & Self::mask(width);
            return Ints { width, known: longer(self.known), unknown: longer(self.unknown), ..self }.tightened();
        }
        let (lo, hi) = self.unsigned();
        Ints { width, lo: lo as i64, hi: hi as i64, ..self }.tightened()
    }

    /// The image of an operation on integers of one width, whichever that is. `None`: it may trap.
    pub(super) fn image_of(self, op: Op, other: Ints) -> Option<Ints> {
        let w = self.width;
        let all = Ints::all(w);
        let by = other.single().map(|n| (n % u64::from(w)) as u32);
        Some(match op {
            Op::Add => self.added(other),
            Op::Sub => self.subtracted(other),
            Op::Mul => {
                let corner = |p: i64, q: i64| i128::from(p) * i128::from(q);
                let corners = [self.lo, self.hi].map(|p| [corner(p, other.lo), corner(p, other.hi)]).concat();
                let least = corners.iter().fold(i128::MAX, |a, b| a.min(*b));
                Ints::wrapped(w, least, corners.iter().fold(i128::MIN, |a, b| a.max(*b)))
            }
            Op::Div { signed } => return self.divided(other, signed),
            Op::Rem { signed } => return self.remainder(other, signed),
            Op::And => self.and(other),
            Op::Or => self.or(other),
            Op::Xor => self.xor(other),
            Op::Shift(shift) => by.map_or(all, |n| self.shifted(shift, n)),
            Op::Rotate { left: true } => by.map_or(all, |n| self.rotated(n)),
            Op::Rotate { left: false } => by.map_or(all, |n| self.rotated((w - n) % w)),
        })
    }
}

/// The least number from one on that has known bits, all in the order without a sign.
fn least_from(at: u64, known: u64, unknown: u64) -> Option<u64> {
    let wrong = (at ^ known) & !unknown;
    if wrong == 0 {
        return Some(at);
    }
    // From the first bit that is wrong on.
    let rest = u64::MAX >> wrong.leading_zeros();
    let first = rest ^ (rest >> 1);
    if known & first != 0 {
        return Some((at & !rest) | (known & rest));
    }
    // A bit is set there that must not be: one before it that may be set, and is not, makes up for it.
    let free = unknown & !at & !rest;
    let set = free & free.wrapping_neg();
    (free != 0).then(|| (at & !(set - 1)) | set | (known & (set - 1)))
}

/// An operation on two integers of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Add,
    Sub,
    Mul,
    Div { signed: bool },
    Rem { signed: bool },
    And,
    Or,
    Xor,
    Shift(Shift),
    Rotate { left: bool },
}

impl Op {
    /// Of an operator on integers; none of one on floats.
    pub(super) fn of(op: Binary) -> Option<Op> {
        use Binary::*;
        Some(match op {
            I32Add | I64Add => Op::Add,
            I32Sub | I64Sub => Op::Sub,
            I32Mul | I64Mul => Op::Mul,
            I32DivS | I64DivS => Op::Div { signed: true },
            I32DivU | I64DivU => Op::Div { signed: false },
            I32RemS | I64RemS => Op::Rem { signed: true },
            I32RemU | I64RemU => Op::Rem { signed: false },
            I32And | I64And => Op::And,
            I32Or | I64Or => Op::Or,
            I32Xor | I64Xor => Op::Xor,
            I32Shl | I64Shl => Op::Shift(Shift::Left),
            I32ShrS | I64ShrS => Op::Shift(Shift::Right),
            I32ShrU | I64ShrU => Op::Shift(Shift::RightLogical),
            I32Rotl | I64Rotl => Op::Rotate { left: true },
            I32Rotr | I64Rotr => Op::Rotate { left: false },
            _ => return None,
        })
    }
}

/// The shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    Left,
    Right,
    RightLogical,
}
