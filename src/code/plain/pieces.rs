//! Sets of values as a few intervals of bits. Everything here is made to be simple, and shares nothing with the sets that
//! proofs are found with, so that a mistake in one of them is no mistake in the other.

use crate::code::ins::Type;

/// Values of a type whose bits, as integers without a sign, lie in one of some intervals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The type.
    pub ty: Type,
    /// Ends of the intervals, in order.
    pub parts: Vec<(u64, u64)>,
    /// Whether they are addresses that the caller of the function gave, or made of such by adding numbers: none leads to memory
    /// that the function has for itself.
    pub(super) outside: bool,
}

/// The most intervals: those nearest to each other are joined.
const MOST: usize = 10;

impl Pieces {
    /// Of any intervals.
    pub(super) fn new(ty: Type, mut parts: Vec<(u64, u64)>) -> Pieces {
        parts.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::with_capacity(parts.len());
        for (lo, hi) in parts {
            match joined.last_mut() {
                Some(last) if lo <= last.1.saturating_add(1) => last.1 = last.1.max(hi),
                _ => joined.push((lo, hi)),
            }
        }
        while joined.len() > MOST {
            let gap = |i: &usize| joined[i + 1].0 - joined[*i].1;
            let at = (0..joined.len() - 1).min_by_key(gap).unwrap_or(0);
            joined[at].1 = joined[at + 1].1;
            joined.remove(at + 1);
        }
        Pieces { ty, parts: joined, outside: false }
    }

    /// All values.
    #[must_use]
    pub fn all(ty: Type) -> Pieces {
        Pieces { ty, parts: vec![(0, mask(width(ty)))], outside: false }
    }

    /// Addresses that the caller gave.
    pub(super) fn outside(ty: Type) -> Pieces {
        Pieces { outside: true, ..Pieces::all(ty) }
    }

    /// One value.
    #[must_use]
    pub fn one(ty: Type, bits: u64) -> Pieces {
        Pieces { ty, parts: vec![(bits, bits)], outside: false }
    }

    /// The integers between two, modulo 2^width.
    #[must_use]
    pub fn wrapped(ty: Type, lo: i128, hi: i128) -> Pieces {
        Pieces::new(ty, modulo(width(ty), lo, hi))
    }

    /// The only member.
    #[must_use]
    pub fn single(&self) -> Option<u64> {
        match self.parts[..] {
            [(lo, hi)] if lo == hi => Some(lo),
            _ => None,
        }
    }

    /// The same intervals, cut so that none begins before one of these places and ends at it or after.
    pub(super) fn cut(&self, at: &[u64]) -> Vec<(u64, u64)> {
        let mut parts = self.parts.clone();
        for place in at {
            for i in 0..parts.len() {
                let (lo, hi) = parts[i];
                if lo < *place && *place <= hi {
                    parts[i].1 = place - 1;
                    parts.push((*place, hi));
                }
            }
        }
        parts
    }

    /// The intervals as numbers with a sign.
    pub(super) fn signed(&self) -> Vec<(i128, i128)> {
        let w = width(self.ty);
        let number = |x: u64| i128::from(x) - if x >> (w - 1) == 1 { 1 << w } else { 0 };
        self.cut(&[1 << (w - 1)]).into_iter().map(|(lo, hi)| (number(lo), number(hi))).collect()
    }

    /// The intervals as numbers without a sign.
    pub(super) fn unsigned(&self) -> Vec<(i128, i128)> {
        self.parts.iter().map(|(lo, hi)| (i128::from(*lo), i128::from(*hi))).collect()
    }
}

/// The intervals modulo 2^width that numbers between two lie in.
pub(super) fn modulo(width: u32, lo: i128, hi: i128) -> Vec<(u64, u64)> {
    let end = 1i128 << width;
    let all = (0, mask(width));
    if hi.checked_sub(lo).is_none_or(|n| n >= end) {
        return vec![all];
    }
    let (lo, hi) = (lo.rem_euclid(end) as u64, hi.rem_euclid(end) as u64);
    if lo <= hi { vec![(lo, hi)] } else { vec![(0, hi), (lo, all.1)] }
}

pub(super) fn width(ty: Type) -> u32 {
    8 * u32::from(ty.bytes())
}

pub(super) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}
