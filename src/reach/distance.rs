//! How far a run was from making a test come out as a goal wants it.

use crate::code::ins::BranchTest;
use crate::code::relation::{CodeRelation, relation};
use crate::floats::BitsKind;
use crate::search::goal::FAR;

/// What is left of a goal where it was reached, 0 where the test comes out as `wanted`: the number of floats (or of
/// integers) between the operands, plus one where equality does not do.
#[must_use]
pub(super) fn distance(test: BranchTest, a: u64, b: u64, wanted: bool) -> u64 {
    match test {
        BranchTest::NonZero => {
            let gap = gap(INT.rank(a), 0);
            if wanted { u64::from(gap == 0) } else { gap }
        }
        BranchTest::Either if wanted => u64::from((a | b) as u32 == 0),
        BranchTest::Either => both_zero(a, b),
        BranchTest::Compare(op) => {
            let (relation, kind) = relation(op);
            if kind.is_nan(a) || kind.is_nan(b) {
                let holds = relation == CodeRelation::Ne;
                return if holds == wanted { 0 } else { FAR - 1 };
            }
            let (x, y) = (kind.rank(a), kind.rank(b));
            let relation = if wanted { relation } else { relation.negated() };
            match relation {
                CodeRelation::Eq => gap(x, y),
                CodeRelation::Ne => u64::from(x == y),
                CodeRelation::Lt => above(x, y, true),
                CodeRelation::Le => above(x, y, false),
                CodeRelation::Gt => above(y, x, true),
                CodeRelation::Ge => above(y, x, false),
            }
        }
    }
}

const INT: BitsKind = BitsKind::Int { bytes: 4, signed: true };

/// Two integers of 32 bits to become 0. Often they are the halves of one number, of which the upper one counts more and the
/// lower one has no sign; which is which is not known.
fn both_zero(a: u64, b: u64) -> u64 {
    let joined = |upper: u64, lower: u64| gap(INT.rank(upper), 0) << 32 | (lower & 0xffff_ffff);
    joined(a, b).min(joined(b, a))
}

/// The distance to an arm of a table, by its index; the last arm stands for all further indices.
#[must_use]
pub(super) fn to_arm(index: u32, arm: u32, arms: u32) -> u64 {
    if arm + 1 == arms { u64::from(arm.saturating_sub(index)) } else { gap(INT.rank(index.into()), arm.into()) }
}

/// |x - y|, at most FAR - 2.
fn gap(x: i128, y: i128) -> u64 {
    u64::try_from(x.abs_diff(y)).map_or(FAR - 2, |d| d.min(FAR - 2))
}

/// How far x is above y; equality is too far where `strict`.
fn above(x: i128, y: i128, strict: bool) -> u64 {
    if x < y || (x == y && !strict) { 0 } else { gap(x, y).saturating_add(u64::from(strict)) }
}
