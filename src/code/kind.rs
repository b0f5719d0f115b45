//! What C calls the kinds of values.

use crate::floats::Kind;

/// The type of truth values under one name, for text that is compiled as C or as C++.
pub(super) const BOOL: &str =
    "#ifdef __cplusplus\n#define MAGNETO_BOOL bool\n#else\n#define MAGNETO_BOOL _Bool\n#endif\n";

impl Kind {
    /// As C calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::F32 => "float",
            Kind::F64 => "double",
            Kind::Bool => "_Bool",
            Kind::Int { bytes: 1, signed: true } => "int8_t",
            Kind::Int { bytes: 1, signed: false } => "uint8_t",
            Kind::Int { bytes: 2, signed: true } => "int16_t",
            Kind::Int { bytes: 2, signed: false } => "uint16_t",
            Kind::Int { bytes: 4, signed: true } => "int",
            Kind::Int { bytes: 4, signed: false } => "unsigned",
            Kind::Int { signed: true, .. } => "int64_t",
            Kind::Int { signed: false, .. } => "uint64_t",
        }
    }
}
