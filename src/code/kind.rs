//! What C calls the kinds of values.

use crate::floats::BitsKind;

/// The type of truth values under one name, for text that is compiled as C or as C++.
pub(super) const BOOL: &str =
    "#ifdef __cplusplus\n#define MAGNETO_BOOL bool\n#else\n#define MAGNETO_BOOL _Bool\n#endif\n";

impl BitsKind {
    /// As C calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            BitsKind::F32 => "float",
            BitsKind::F64 => "double",
            BitsKind::Bool => "_Bool",
            BitsKind::Int { bytes: 1, signed: true } => "int8_t",
            BitsKind::Int { bytes: 1, signed: false } => "uint8_t",
            BitsKind::Int { bytes: 2, signed: true } => "int16_t",
            BitsKind::Int { bytes: 2, signed: false } => "uint16_t",
            BitsKind::Int { bytes: 4, signed: true } => "int",
            BitsKind::Int { bytes: 4, signed: false } => "unsigned",
            BitsKind::Int { signed: true, .. } => "int64_t",
            BitsKind::Int { signed: false, .. } => "uint64_t",
        }
    }
}
