//! Sets of values: integers between two bounds with some bits known, floats between two ordinals with a flag for NaN.
//! Every operation returns a set that holds all results of its operands' members.

mod floats;
mod ints;
mod nan;
#[cfg(test)]
pub(super) mod sample;
#[cfg(test)]
mod tiny;
#[cfg(test)]
mod tiny_floats;
#[cfg(test)]
mod wide;

use super::bits;
use super::ins::{Binary, Compare, Unary};
use super::relation::{CodeRelation, relation};
use crate::floats::BitsKind;
use floats::from_word;
pub use floats::{Floats, from_words, of_total, total, words};
pub use ints::Ints;
use ints::Op;
pub use nan::Nan;

/// A set of values of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueSet {
    /// Integers.
    Int(Ints),
    /// Floats.
    Float(Floats),
    /// Addresses that the caller of the function gave, and what is made of them by adding numbers: any integers of 64 bits.
    /// None leads to memory that the function has for itself, since C has no way from one object to another.
    Outside,
}

impl ValueSet {
    /// The only member's bits.
    #[must_use]
    pub fn single(self) -> Option<u64> {
        match self {
            ValueSet::Int(s) => s.single(),
            ValueSet::Float(s) => s.single(),
            ValueSet::Outside => None,
        }
    }

    /// The same members, of which nothing is said as addresses.
    fn plain(self) -> ValueSet {
        if self == ValueSet::Outside { ValueSet::Int(Ints::all(64)) } else { self }
    }

    /// The smallest set here that holds both.
    #[must_use]
    pub fn hull(self, other: ValueSet) -> ValueSet {
        match (self, other) {
            (ValueSet::Int(a), ValueSet::Int(b)) => ValueSet::Int(a.hull(b)),
            (ValueSet::Float(a), ValueSet::Float(b)) => ValueSet::Float(a.hull(b)),
            (a, b) if a == b => a,
            (ValueSet::Outside, ValueSet::Int(_)) | (ValueSet::Int(_), ValueSet::Outside) => {
                ValueSet::Int(Ints::all(64))
            }
            (a, _) => a,
        }
    }

    fn int(self, width: u32) -> Ints {
        if let ValueSet::Int(s) = self { s } else { Ints::all(width) }
    }

    fn float(self, double: bool) -> Floats {
        if let ValueSet::Float(s) = self { s } else { Floats::all(double) }
    }
}

/// An operator of one operand. `None`: it may trap.
#[must_use]
pub fn unary(op: Unary, a: ValueSet) -> Option<ValueSet> {
    use Unary::*;
    if let Some(bits) = a.single() {
        return bits::unary(op, bits).ok().map(|y| typed(op, y));
    }
    Some(match op {
        I32Eqz | I64Eqz => {
            let may_be_zero = a.int(32).holds(0);
            ValueSet::Int(if may_be_zero { Ints::between(32, 0, 1) } else { Ints::one(32, 0) })
        }
        F64Abs | F32Abs => ValueSet::Float(a.float(op == F64Abs).absolute()),
        F64Neg | F32Neg => ValueSet::Float(a.float(op == F64Neg).negated()),
        F64Ceil | F64Floor | F64Trunc | F64Nearest => ValueSet::Float(a.float(true).monotone(op, true)),
        F32Ceil | F32Floor | F32Trunc | F32Nearest => ValueSet::Float(a.float(false).monotone(op, false)),
        F64PromoteF32 => ValueSet::Float(a.float(false).monotone(op, true)),
        F32DemoteF64 => ValueSet::Float(a.float(true).monotone(op, false)),
        F64Sqrt | F32Sqrt => {
            let s = a.float(op == F64Sqrt);
            if s.no_number() || s.hi < -1 {
                return Some(ValueSet::Float(Floats::only_nan(s.double, Nan::of_arithmetic(s.double))));
            }
            let nan = Nan::computed_if(s.double, s.nan.is() || s.lo < -1);
            let inside = Floats { lo: s.lo.max(-1), nan, ..s };
            ValueSet::Float(inside.monotone(op, s.double))
        }
        F64ConvertI32S | F64ConvertI32U | F32ConvertI32S | F32ConvertI32U => converted(a.int(32), op),
        F64ConvertI64S | F64ConvertI64U | F32ConvertI64S | F32ConvertI64U => converted(a.int(64), op),
        I64ExtendI32S => ValueSet::Int(a.int(32).extended(64, true)),
        I64ExtendI32U => ValueSet::Int(a.int(32).extended(64, false)),
        I32Extend8S => ValueSet::Int(a.int(32).cut(8).extended(32, true)),
        I32Extend16S => ValueSet::Int(a.int(32).cut(16).extended(32, true)),
        I64Extend8S => ValueSet::Int(a.int(64).cut(8).extended(64, true)),
        I64Extend16S => ValueSet::Int(a.int(64).cut(16).extended(64, true)),
        I64Extend32S => ValueSet::Int(a.int(64).cut(32).extended(64, true)),
        I32WrapI64 => ValueSet::Int(a.int(64).cut(32)),
        I32TruncSatF64S | I32TruncSatF32S => saturated(a.float(op == I32TruncSatF64S), 32),
        I64TruncSatF64S | I64TruncSatF32S => saturated(a.float(op == I64TruncSatF64S), 64),
        I64ReinterpretF64 => {
            let (upper, lower) = words(a.float(true));
            let (low_least, low_most) = lower.unsigned();
            ValueSet::Int(Ints::between(64, (upper.lo << 32) + low_least as i64, (upper.hi << 32) + low_most as i64))
        }
        F64ReinterpretI64 => {
            let s = a.int(64);
            let upper = Ints::between(32, s.lo >> 32, s.hi >> 32);
            let lower = if s.lo >> 32 == s.hi >> 32 && (s.lo ^ s.hi) >> 31 & 1 == 0 {
                Ints::between(32, i64::from(s.lo as i32), i64::from(s.hi as i32))
            } else {
                Ints::of_bits(32, s.known, s.unknown)
            };
            ValueSet::Float(from_words(upper, lower))
        }
        I32TruncF64S | I32TruncF32S => return inside(a.float(op == I32TruncF64S), 32, true),
        I32TruncF64U | I32TruncF32U => return inside(a.float(op == I32TruncF64U), 32, false),
        I64TruncF64S | I64TruncF32S => return inside(a.float(op == I64TruncF64S), 64, true),
        I64TruncF64U | I64TruncF32U => return inside(a.float(op == I64TruncF64U), 64, false),
        I32ReinterpretF32 => ValueSet::Int(words(a.float(false)).0),
        F32ReinterpretI32 => ValueSet::Float(from_word(a.int(32))),
        _ => return any_result(op),
    })
}

/// All values of the type of an operator that is not followed; `None` where it may trap.
fn any_result(op: Unary) -> Option<ValueSet> {
    use Unary::*;
    Some(match op {
        I32Clz | I32Ctz | I32Popcnt => ValueSet::Int(Ints::between(32, 0, 32)),
        I64Clz | I64Ctz | I64Popcnt => ValueSet::Int(Ints::between(64, 0, 64)),
        I32TruncSatF32U | I32TruncSatF64U => ValueSet::Int(Ints::all(32)),
        I64TruncSatF32U | I64TruncSatF64U => ValueSet::Int(Ints::all(64)),
        _ => return None,
    })
}

/// An integer as a float: the larger one is never the smaller float.
fn converted(s: Ints, op: Unary) -> ValueSet {
    use Unary::*;
    let is_signed = matches!(op, F64ConvertI32S | F64ConvertI64S | F32ConvertI32S | F32ConvertI64S);
    let (lo, hi) = if is_signed { (s.lo as u64, s.hi as u64) } else { s.unsigned() };
    let at = |n: u64| typed(op, bits::unary(op, n).unwrap_or(0));
    at(lo).hull(at(hi))
}

/// A saturating conversion in place of a cast in C, as x86-64 does it.
#[must_use]
pub fn cast(op: Unary, a: ValueSet) -> ValueSet {
    use Unary::*;
    if let Some(bits) = a.single() {
        return typed(op, bits::cast(op, bits));
    }
    match op {
        I32TruncSatF64S | I32TruncSatF32S => ValueSet::Int(truncated(a.float(op == I32TruncSatF64S), 32)),
        I64TruncSatF64S | I64TruncSatF32S => ValueSet::Int(truncated(a.float(op == I64TruncSatF64S), 64)),
        // Through a 64-bit integer.
        I32TruncSatF32U | I32TruncSatF64U => ValueSet::Int(truncated(a.float(op == I32TruncSatF64U), 64).cut(32)),
        // As with a sign below 2^63.
        _ => ValueSet::Int(truncated(a.float(op == I64TruncSatF64U), 64)),
    }
}

/// A conversion to the nearest integer towards zero; `None` where it may trap.
fn inside(s: Floats, width: u32, signed: bool) -> Option<ValueSet> {
    if s.nan.is() || s.no_number() {
        return None;
    }
    let (lo, hi) = s.ends();
    let end = f64::from(width - u32::from(signed)).exp2();
    let least = if signed { -end } else { 0.0 };
    if lo.trunc() < least || hi >= end {
        return None;
    }
    // Without a sign: the order of the bits is that of the numbers only where the uppermost bit is 0 everywhere.
    let most = f64::from(width - 1).exp2();
    Some(ValueSet::Int(if hi < most { Ints::between(width, lo as i64, hi as i64) } else { Ints::all(width) }))
}

/// A conversion to the nearest integer towards zero, 0 for NaN.
fn saturated(s: Floats, width: u32) -> ValueSet {
    let zero = Ints::one(width, 0);
    if s.no_number() {
        return ValueSet::Int(zero);
    }
    let (lo, hi) = s.ends();
    let all = Ints::all(width);
    let at = |x: f64| (x as i64).clamp(all.lo, all.hi);
    let inside = Ints::between(width, at(lo), at(hi));
    ValueSet::Int(if s.nan.is() { inside.hull(zero) } else { inside })
}

/// A conversion to an integer as x86-64 does it: the least integer for what has no value.
fn truncated(s: Floats, width: u32) -> Ints {
    let all = Ints::all(width);
    let least = Ints::one(width, all.lo as u64);
    if s.no_number() {
        return least;
    }
    let (lo, hi) = s.ends();
    let bound = -(all.lo as f64);
    if lo <= -bound - 1.0 || hi >= bound {
        return all;
    }
    let inside = Ints::between(width, lo as i64, hi as i64);
    if s.nan.is() { inside.hull(least) } else { inside }
}

/// Bits as a value of the type that an operator returns.
fn typed(op: Unary, bits: u64) -> ValueSet {
    use Unary::*;
    match op {
        F32Abs | F32Neg | F32Ceil | F32Floor | F32Trunc | F32Nearest | F32Sqrt | F32ConvertI32S | F32ConvertI32U
        | F32ConvertI64S | F32ConvertI64U | F32DemoteF64 | F32ReinterpretI32 => {
            ValueSet::Float(Floats::one(false, bits))
        }
        F64Abs | F64Neg | F64Ceil | F64Floor | F64Trunc | F64Nearest | F64Sqrt | F64ConvertI32S | F64ConvertI32U
        | F64ConvertI64S | F64ConvertI64U | F64PromoteF32 | F64ReinterpretI64 => {
            ValueSet::Float(Floats::one(true, bits))
        }
        I64Clz | I64Ctz | I64Popcnt | I64Extend8S | I64Extend16S | I64Extend32S | I64ExtendI32S | I64ExtendI32U
        | I64TruncF32S | I64TruncF32U | I64TruncF64S | I64TruncF64U | I64TruncSatF32S | I64TruncSatF32U
        | I64TruncSatF64S | I64TruncSatF64U | I64ReinterpretF64 => ValueSet::Int(Ints::one(64, bits)),
        _ => ValueSet::Int(Ints::one(32, bits)),
    }
}

/// An operator of two operands. `None`: it may trap.
#[must_use]
pub fn binary(op: Binary, a: ValueSet, b: ValueSet) -> Option<ValueSet> {
    use Binary::*;
    let single = matches!(op, F32Add | F32Sub | F32Mul | F32Div | F32Min | F32Max | F32Copysign);
    let double = matches!(op, F64Add | F64Sub | F64Mul | F64Div | F64Min | F64Max | F64Copysign);
    if single || double {
        let (x, y) = (a.float(double), b.float(double));
        return Some(ValueSet::Float(match op {
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
    if a == ValueSet::Outside || b == ValueSet::Outside {
        let leads_on = match op {
            I64Add => a != b,
            I64Sub => b != ValueSet::Outside,
            _ => false,
        };
        return if leads_on { Some(ValueSet::Outside) } else { binary(op, a.plain(), b.plain()) };
    }
    let (ValueSet::Int(x), ValueSet::Int(y)) = (a, b) else { return None };
    if let (Some(p), Some(q)) = (x.single(), y.single()) {
        return bits::binary(op, p, q).ok().map(|z| ValueSet::Int(Ints::one(x.width, z)));
    }
    x.image_of(Op::of(op)?, y).map(ValueSet::Int)
}

/// What a comparison comes out as, if for all members alike.
#[must_use]
pub fn compare(op: Compare, a: ValueSet, b: ValueSet) -> Option<bool> {
    let (relation, kind) = relation(op);
    // Bounds that can be compared, whether both are single, and whether NaN may be there.
    let (x, y, nan, never) = match (a, b) {
        (ValueSet::Float(p), ValueSet::Float(q)) => {
            if p.no_number() || q.no_number() {
                return Some(relation == CodeRelation::Ne);
            }
            let zero = |n: i64| i128::from(if n < 0 { n + 1 } else { n });
            ((zero(p.lo), zero(p.hi)), (zero(q.lo), zero(q.hi)), p.nan.is() || q.nan.is(), false)
        }
        (ValueSet::Int(p), ValueSet::Int(q)) => {
            let disjoint = (p.known ^ q.known) & !(p.unknown | q.unknown) != 0;
            let unsigned = matches!(kind, BitsKind::Int { signed: false, .. });
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
        CodeRelation::Eq => (equal, apart),
        CodeRelation::Ne => (apart, equal),
        CodeRelation::Lt => (x.1 < y.0, x.0 >= y.1),
        CodeRelation::Le => (x.1 <= y.0, x.0 > y.1),
        CodeRelation::Gt => (x.0 > y.1, x.1 <= y.0),
        CodeRelation::Ge => (x.0 >= y.1, x.1 < y.0),
    };
    // NaN makes all but != false.
    let by_nan = relation == CodeRelation::Ne;
    match (holds, fails, nan) {
        (true, _, false) => Some(true),
        (_, true, false) => Some(false),
        (true, _, true) if by_nan => Some(true),
        (_, true, true) if !by_nan => Some(false),
        _ => None,
    }
}
