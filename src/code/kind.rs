//! What bits of code under test mean.

/// The type of truth values under one name, for text that is compiled as C or as C++.
pub(super) const BOOL: &str =
    "#ifdef __cplusplus\n#define MAGNETO_BOOL bool\n#else\n#define MAGNETO_BOOL _Bool\n#endif\n";

/// What the bits of an input mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
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

impl Kind {
    /// How many bytes a value has in memory.
    #[must_use]
    pub fn bytes(self) -> u8 {
        match self {
            Kind::F32 => 4,
            Kind::F64 => 8,
            Kind::Bool => 1,
            Kind::Int { bytes, .. } => bytes,
        }
    }

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
