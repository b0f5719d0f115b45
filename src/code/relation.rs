//! Comparisons as a relation between values of a kind.

use super::ins::Compare;
use crate::floats::BitsKind;

/// A comparison without its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeRelation {
    /// =
    Eq,
    /// !=
    Ne,
    /// <
    Lt,
    /// <=
    Le,
    /// >
    Gt,
    /// >=
    Ge,
}

impl CodeRelation {
    /// What holds where this does not, NaN aside.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            CodeRelation::Eq => CodeRelation::Ne,
            CodeRelation::Ne => CodeRelation::Eq,
            CodeRelation::Lt => CodeRelation::Ge,
            CodeRelation::Le => CodeRelation::Gt,
            CodeRelation::Gt => CodeRelation::Le,
            CodeRelation::Ge => CodeRelation::Lt,
        }
    }
}

/// The relation of a comparison, and of which values.
#[must_use]
pub fn relation(op: Compare) -> (CodeRelation, BitsKind) {
    use Compare::*;
    let int = |bytes, signed| BitsKind::Int { bytes, signed };
    let kind = match op {
        F32Eq | F32Ne | F32Lt | F32Gt | F32Le | F32Ge => BitsKind::F32,
        F64Eq | F64Ne | F64Lt | F64Gt | F64Le | F64Ge => BitsKind::F64,
        I32Eq | I32Ne | I32LtS | I32GtS | I32LeS | I32GeS => int(4, true),
        I32LtU | I32GtU | I32LeU | I32GeU => int(4, false),
        I64Eq | I64Ne | I64LtS | I64GtS | I64LeS | I64GeS => int(8, true),
        I64LtU | I64GtU | I64LeU | I64GeU => int(8, false),
    };
    let relation = match op {
        I32Eq | I64Eq | F32Eq | F64Eq => CodeRelation::Eq,
        I32Ne | I64Ne | F32Ne | F64Ne => CodeRelation::Ne,
        I32LtS | I32LtU | I64LtS | I64LtU | F32Lt | F64Lt => CodeRelation::Lt,
        I32LeS | I32LeU | I64LeS | I64LeU | F32Le | F64Le => CodeRelation::Le,
        I32GtS | I32GtU | I64GtS | I64GtU | F32Gt | F64Gt => CodeRelation::Gt,
        I32GeS | I32GeU | I64GeS | I64GeU | F32Ge | F64Ge => CodeRelation::Ge,
    };
    (relation, kind)
}
