//! Integers between two bounds, with some bits known.

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

    /// Bounds from bits, and bits from bounds.
    pub(super) fn tightened(mut self) -> Self {
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
    pub(super) fn smeared(self, by: u32) -> u64 {
        let top = if by == 0 { 0 } else { Self::mask(self.width) & !(Self::mask(self.width) >> by) };
        let sign_unknown = self.unknown >> (self.width - 1) & 1 == 1;
        (self.unknown >> by) | if sign_unknown { top } else { 0 }
    }
}

/// The shifts.
#[derive(Clone, Copy)]
pub(super) enum Shift {
    Left,
    Right,
    RightLogical,
}
