//! The operations that terms are made of, and the sorts of their values.

use super::project::RoundedFunction;
use super::relate::TermRelation;
use crate::floats::Format;
use crate::floats::set::Class;

/// What a term's values are. Every value of a sort that is not wide is one 64-bit integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// 0 false, 1 true.
    Bool,
    /// The place in [`crate::floats::Rounding::ALL`].
    Mode,
    /// An ordinal, or [`crate::floats::ordinal::NAN`].
    Float(Format),
    /// So many bits.
    Bits(u32),
    /// Of a sort, by its number, of whose values only that they are the same or not is known: their numbers.
    Element(u32),
}

/// Bits of the number of a value of [`Sort::Element`]: more values than a script has terms.
pub const ELEMENT_BITS: u32 = 24;

impl Sort {
    /// Whether its values are too large for the engine of ordinals: more than 64 bits, or a significand of more than 60.
    #[must_use]
    pub fn is_wide(self) -> bool {
        match self {
            Sort::Bool | Sort::Mode => false,
            Sort::Float(format) => format.is_wide(),
            Sort::Bits(width) => width > 64,
            Sort::Element(_) => true,
        }
    }
}

/// A function of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitsOp {
    /// The first operand above the second.
    Concat,
    /// From this bit downward, to the width of the result.
    Extract(u32),
    /// With copies of the top bit above.
    SignExtend,
    /// Each bit turned.
    Not,
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Bit by bit.
    Xor,
    /// The sum, modulo 2^width.
    Add,
    /// The product, modulo 2^width.
    Mul,
    /// Two's complement.
    Neg,
    /// The quotient of unsigned numbers; all ones by 0.
    Div,
    /// Its remainder; the dividend by 0.
    Rem,
    /// Shifted up.
    Shl,
    /// Shifted down, zeros above.
    Shr,
    /// Shifted down, the sign above.
    Sar,
    /// Unsigned `<`
    Less,
    /// Unsigned `<=`
    LessEqual,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TermOp {
    /// An unknown: its number.
    Var(u32),
    /// A value.
    Const(i64),
    /// A value of a wide sort, by its place among those of the graph.
    Wide(u32),
    /// Not.
    Not,
    /// All of them.
    And,
    /// Two values of any sort are the same one (`=`): NaN is itself, and -0 is not +0.
    Same,
    /// The second where the first holds, else the third.
    Ite,
    /// A rounded function: the direction, then its operands.
    Rounded(RoundedFunction),
    /// A function of a library, by its place among those of the graph.
    Library(u32),
    /// The remainder of IEEE 754.
    Rem,
    /// The lesser.
    Min,
    /// The greater.
    Max,
    /// `-x`
    Neg,
    /// `|x|`
    Abs,
    /// A comparison of floats.
    Relation(TermRelation),
    /// Whether a value is of a class.
    Is(Class),
    /// Whether a value is NaN.
    IsNan,
    /// Whether a number has the sign bit.
    IsNegative,
    /// The float with these bits.
    FromBits,
    /// The float nearest, in a direction, to an integer: two's complement where `signed`.
    FromInteger {
        /// Whether the top bit counts as negative.
        signed: bool,
    },
    /// The integer nearest, in a direction, to a float; 0 where it is out of range.
    ToInteger {
        /// Whether the top bit counts as negative.
        signed: bool,
    },
    /// A function of bits.
    Bits(BitsOp),
}
