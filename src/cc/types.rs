//! Types and functions as C has them.

use std::fmt;

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
    /// What a pointer to the rows of a matrix points to: numbers of a type, and how many a row has of them, by dimension; 0 where the
    /// text does not say.
    Array(Box<SourceType>, Vec<usize>),
    /// `void`.
    Void,
    /// Structures and what else is not supported; with what it is.
    Other(String),
}

impl fmt::Display for SourceType {
    /// As C writes it, integers by their widths.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceType::Float(4) => f.write_str("float"),
            SourceType::Float(_) => f.write_str("double"),
            SourceType::Int { bytes, signed } => {
                write!(f, "{}int{}_t", if *signed { "" } else { "u" }, 8 * u32::from(*bytes))
            }
            SourceType::Bool => f.write_str("bool"),
            SourceType::Pointer(to, is_const) => write!(f, "{}{to} *", if *is_const { "const " } else { "" }),
            SourceType::Array(of, sizes) => {
                write!(f, "{of}")?;
                sizes.iter().try_for_each(|n| if *n == 0 { f.write_str("[]") } else { write!(f, "[{n}]") })
            }
            SourceType::Void => f.write_str("void"),
            SourceType::Other(what) => f.write_str(what),
        }
    }
}

impl SourceType {
    /// The type of the numbers that a pointer points to, be they rows of a matrix; a number's own.
    #[must_use]
    pub fn element(&self) -> &SourceType {
        match self {
            SourceType::Pointer(to, _) => match &**to {
                SourceType::Array(of, _) => of,
                to => to,
            },
            own => own,
        }
    }
}

/// A number of a structure, or an array of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructMember {
    /// Its name.
    pub name: String,
    /// The type of the number.
    pub ty: SourceType,
    /// How many there are; 1 for one that is no array.
    pub count: usize,
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
