//! Sets of small numbers, a bit each.

/// Some of the numbers below a limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::suite) struct Bits(Box<[u64]>);

impl Bits {
    /// None of the numbers below `limit`.
    pub(in crate::suite) fn new(limit: usize) -> Self {
        Bits(vec![0; limit.div_ceil(64)].into_boxed_slice())
    }

    pub(in crate::suite) fn set(&mut self, k: usize) {
        self.0[k / 64] |= 1 << (k % 64);
    }

    pub(in crate::suite) fn has(&self, k: usize) -> bool {
        self.0[k / 64] >> (k % 64) & 1 == 1
    }

    /// Take a number out. Returns whether it was in.
    pub(in crate::suite) fn clear(&mut self, k: usize) -> bool {
        let was = self.has(k);
        self.0[k / 64] &= !(1 << (k % 64));
        was
    }

    /// How many there are.
    pub(in crate::suite) fn count(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The numbers, ascending.
    pub(in crate::suite) fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        let some = self.0.iter().enumerate().filter(|(_, w)| **w != 0);
        some.flat_map(|(i, w)| (0..64).filter(move |b| w >> b & 1 == 1).map(move |b| i * 64 + b))
    }

    /// Whether each of them is in `other` too, which has the same limit.
    pub(in crate::suite) fn is_part_of(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }
}
