//! Three-valued logic: what is known of a statement over a set of points.

use std::ops::{BitAnd, BitOr, Not};

/// What is known of a statement about every point of a set.
///
/// `True`: it holds at every point. `False`: it holds at no point. `Unknown`: neither is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ternary {
    /// Holds nowhere.
    False,
    /// Not settled.
    Unknown,
    /// Holds everywhere.
    True,
}

impl Ternary {
    /// Whether the statement is proved to hold.
    #[must_use]
    #[inline]
    pub fn is_true(self) -> bool {
        self == Ternary::True
    }

    /// Whether the statement is proved not to hold.
    #[must_use]
    #[inline]
    pub fn is_false(self) -> bool {
        self == Ternary::False
    }

    /// `True` if `yes`, else `False` if `no`, else `Unknown`.
    #[must_use]
    #[inline]
    pub fn decide(yes: bool, no: bool) -> Self {
        if yes {
            Ternary::True
        } else if no {
            Ternary::False
        } else {
            Ternary::Unknown
        }
    }

    /// What is known over the union of two sets.
    #[must_use]
    #[inline]
    pub fn join(self, other: Self) -> Self {
        if self == other { self } else { Ternary::Unknown }
    }
}

impl From<bool> for Ternary {
    #[inline]
    fn from(b: bool) -> Self {
        if b { Ternary::True } else { Ternary::False }
    }
}

impl BitAnd for Ternary {
    type Output = Self;
    #[inline]
    fn bitand(self, rhs: Self) -> Self {
        // The lesser in the order of the declaration.
        if (self as u8) < (rhs as u8) { self } else { rhs }
    }
}

impl BitOr for Ternary {
    type Output = Self;
    #[inline]
    fn bitor(self, rhs: Self) -> Self {
        !(!self & !rhs)
    }
}

impl Not for Ternary {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        match self {
            Ternary::False => Ternary::True,
            Ternary::Unknown => Ternary::Unknown,
            Ternary::True => Ternary::False,
        }
    }
}
