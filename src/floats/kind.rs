//! What bits are: floats, integers or truth values, their values counted in ascending order.

use super::format::Format;

/// What the bits of an input mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitsKind {
    /// binary32.
    F32,
    /// binary64.
    F64,
    /// A truth value, 0 or 1.
    Bool,
    /// An integer of so many bytes (1, 2, 4 or 8) with or without a sign.
    Int {
        /// 1, 2, 4 or 8.
        bytes: u8,
        /// In two's complement.
        signed: bool,
    },
}

impl BitsKind {
    /// How many bytes a value has in memory.
    #[must_use]
    pub fn bytes(self) -> u8 {
        match self {
            BitsKind::F32 => 4,
            BitsKind::F64 => 8,
            BitsKind::Bool => 1,
            BitsKind::Int { bytes, .. } => bytes,
        }
    }

    /// Its format, if its values are floats.
    fn format(self) -> Option<Format> {
        match self {
            BitsKind::F32 => Some(Format::BINARY32),
            BitsKind::F64 => Some(Format::BINARY64),
            BitsKind::Bool | BitsKind::Int { .. } => None,
        }
    }

    /// How many bits a value has.
    fn bits(self) -> u32 {
        if self == BitsKind::Bool { 1 } else { 8 * u32::from(self.bytes()) }
    }

    /// The bits of the fraction of a float; half of an integer's.
    #[must_use]
    pub fn fraction(self) -> u32 {
        self.format().map_or(self.bits() / 2, |f| f.precision() - 1)
    }

    /// The bits that a value of the kind has.
    #[must_use]
    pub fn masked(self, bits: u64) -> u64 {
        let unused = 64 - self.bits();
        bits << unused >> unused
    }

    /// Whether a value is no number.
    #[must_use]
    pub fn is_nan(self, bits: u64) -> bool {
        self.format().is_some_and(|f| f.decode(bits).is_nan())
    }

    /// The rank of a value: what integers and truth values are, and what [`Format::rank_of_bits`] says of floats.
    #[must_use]
    pub fn rank(self, bits: u64) -> i128 {
        if let Some(format) = self.format() {
            return format.rank_of_bits(bits).into();
        }
        let bits = self.masked(bits);
        match self {
            BitsKind::Int { signed: true, .. } => {
                let unused = 64 - self.bits();
                i128::from((bits << unused) as i64 >> unused)
            }
            _ => bits.into(),
        }
    }

    /// The value of a rank: floats end at the infinities, integers at their ends.
    #[must_use]
    pub fn from_rank(self, n: i128) -> u64 {
        if let Some(format) = self.format() {
            let most = i128::from(format.infinity());
            return format.bits_of_rank(n.clamp(-most, most) as i64);
        }
        let all = 1i128 << self.bits();
        let (lo, hi) =
            if matches!(self, BitsKind::Int { signed: true, .. }) { (-all / 2, all / 2 - 1) } else { (0, all - 1) };
        self.masked(n.clamp(lo, hi) as u64)
    }

    /// The value so many values further.
    #[must_use]
    pub fn stepped(self, bits: u64, by: i128) -> u64 {
        self.from_rank(self.rank(bits) + by)
    }

    /// A value as a binary64 number, if it is one exactly.
    #[must_use]
    pub fn number(self, bits: u64) -> Option<f64> {
        if let Some(format) = self.format() {
            return Some(format.decode(bits));
        }
        let n = self.rank(bits);
        let x = n as f64;
        (x as i128 == n).then_some(x)
    }

    /// The value that is nearest to a number.
    #[must_use]
    pub fn nearest(self, x: f64) -> u64 {
        self.format().map_or_else(|| self.from_rank(x.round() as i128), |f| f.encode(x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_alone_may_be_no_numbers() {
        let integers =
            [1, 2, 4, 8].into_iter().flat_map(|bytes| [true, false].map(|signed| BitsKind::Int { bytes, signed }));
        for kind in integers.chain([BitsKind::Bool]) {
            assert!([0, 1, u64::MAX].iter().all(|bits| !kind.is_nan(*bits)), "{kind:?}");
        }
        for x in [0.0, -1.5, f64::MAX, f64::INFINITY, f64::NAN, -f64::NAN] {
            assert_eq!(BitsKind::F64.is_nan(x.to_bits()), x.is_nan());
            assert_eq!(BitsKind::F32.is_nan((x as f32).to_bits().into()), x.is_nan());
        }
    }
}
