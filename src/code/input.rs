//! Inputs of a function, and why one cannot be run.

use crate::cc::SourceType;
use crate::floats::BitsKind;
use std::fmt;

/// One input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeInput {
    /// Its name: a parameter's, a member's, or an element's.
    pub name: String,
    /// What its bits mean.
    pub kind: BitsKind,
}

/// What is asked of the inputs of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedInputs {
    /// How many elements behind a pointer are inputs, by its name.
    pub elements: Vec<(String, u32)>,
    /// The members of unions that count, as `p.value.number`, without places in arrays. Default: the first one of each.
    pub members: Vec<String>,
    /// Whether runs may be given objects that functions of the code make, or to which several pointers lead. Default: no.
    pub has_objects: bool,
}

/// Why a function cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryError {
    /// No union has this member; with those that unions have.
    NoMember(String, Vec<String>),
    /// There is no such function; with those that there are.
    Unknown(Vec<String>),
    /// Several functions have this name; with those.
    Several(Vec<String>),
    /// A parameter of a type that cannot be an input.
    Parameter(String, String),
    /// A result of a type that is not followed.
    Result(String),
    /// Structures or complex numbers, in registers or by address, that its source does not name where they are expected.
    Parameters(usize, usize),
    /// The function needs what cannot be had faithfully; with the place and the reason of each.
    Refused(Vec<String>),
    /// A declaration does not fit the function; with what it takes and returns.
    Signature(String),
    /// `--input` names a parameter that is no pointer, or none at all.
    NoPointer(String),
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryError::Unknown(known) if known.is_empty() => write!(f, "the code has no function at all"),
            EntryError::Unknown(known) => write!(f, "there is no such function; there are: {}", known.join(", ")),
            EntryError::Several(names) => write!(
                f,
                "several functions have this name\n  hint: name one with its parameters: {}",
                names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ")
            ),
            EntryError::Parameter(name, ty) => write!(
                f,
                "parameter `{name}` is of {ty}: inputs are numbers, or pointers to numbers\n  hint: write a function that takes \
                 numbers and calls this one"
            ),
            EntryError::Result(ty) => write!(
                f,
                "it returns {ty}: results are numbers\n  hint: write a function that calls this one and returns a number, and have \
                 its results written through pointers"
            ),
            EntryError::Parameters(source, module) if source == module => write!(
                f,
                "its code takes other types than its source says, as that of an old-style definition with a `float` does\n  hint: \
                 write a function that takes these types and calls this one"
            ),
            EntryError::Parameters(source, module) => write!(
                f,
                "its source has {source} parameters, and its code {module}: it takes what is no number\n  hint: write a function that \
                 takes numbers and calls this one"
            ),
            EntryError::NoMember(name, known) if known.is_empty() => {
                write!(
                    f,
                    "`{name}` is no member of a union, and the inputs have none\n  hint: elements are asked for as 'y[2]'"
                )
            }
            EntryError::NoMember(name, known) => {
                write!(f, "no union has a member `{name}`\n  hint: those of unions: {}", known.join(", "))
            }
            EntryError::Refused(reasons) => {
                write!(f, "{}\n  hint: look into a function that does not reach this", reasons.join("\n"))
            }
            EntryError::Signature(has) => {
                write!(f, "the signature does not fit: the module's function is {has}")
            }
            EntryError::NoPointer(name) => write!(f, "`{name}` is no pointer among the function's parameters"),
        }
    }
}

impl std::error::Error for EntryError {}

/// What values of a type of the source are; none where they are no numbers.
pub(super) fn kind_of(ty: &SourceType) -> Option<BitsKind> {
    match ty {
        SourceType::Float(4) => Some(BitsKind::F32),
        SourceType::Float(_) => Some(BitsKind::F64),
        SourceType::Bool => Some(BitsKind::Bool),
        SourceType::Int { bytes: bytes @ (1 | 2 | 4 | 8), signed } => {
            Some(BitsKind::Int { bytes: *bytes, signed: *signed })
        }
        _ => None,
    }
}
