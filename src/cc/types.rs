//! Types and functions as C has them.

/// The type of a parameter or a result in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceType {
    /// `float` or `double`, by its bytes.
    Float(u8),
    /// An integer of so many bytes.
    Int {
        /// 1, 2, 4 or 8.
        bytes: u8,
        /// Whether it has a sign.
        signed: bool,
    },
    /// A truth value, in one byte.
    Bool,
    /// A pointer to values of a type; whether these are `const`.
    Pointer(Box<SourceType>, bool),
    /// `void`.
    Void,
    /// Structures and what else is not supported; with what it is.
    Other(String),
}

/// A function as the source has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFunction {
    /// Its name.
    pub name: String,
    /// Names and types of the parameters.
    pub parameters: Vec<(String, SourceType)>,
    /// The type of the result.
    pub result: SourceType,
    /// Where it begins.
    pub line: u32,
}
