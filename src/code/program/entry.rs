//! Which function of a module is meant, and why one cannot be run.

use crate::cc::debug::Debug;
use crate::cc::{SourceFunction, SourceType};
use crate::code::ins::{FuncType, Type};
use crate::code::module::{Module, ModuleFunction};
use crate::floats::BitsKind;
use std::fmt;

/// What leaves functions in a way of its own.
const JUMPS: [&str; 7] = ["setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "longjmp", "_longjmp", "siglongjmp"];

/// What asks for flags and modes of floating-point arithmetic, or sets modes.
const ENVIRONMENT: [&str; 12] = [
    "fetestexcept",
    "fegetexceptflag",
    "fesetexceptflag",
    "fesetround",
    "fegetenv",
    "fesetenv",
    "feholdexcept",
    "feupdateenv",
    "feenableexcept",
    "fedisableexcept",
    "fegetexcept",
    "fetestexceptflag",
];

/// Why a function cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryError {
    /// There is no such function; with those that there are.
    Unknown(Vec<String>),
    /// A parameter of a type that cannot be an input.
    Parameter(String, String),
    /// A result of a type that is not followed.
    Result(String),
    /// Structures or complex numbers, in registers or by address, that its source does not name where they are expected.
    Parameters(usize, usize),
    /// The module calls functions that neither it nor the host has.
    Missing(Vec<String>),
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
            EntryError::Parameters(source, module) => write!(
                f,
                "its source has {source} parameters, and its code {module}: it takes what is no number\n  hint: write a function that \
                 takes numbers and calls this one"
            ),
            EntryError::Missing(names) if names.iter().any(|n| JUMPS.contains(&n.as_str())) => write!(
                f,
                "the code calls {}: jumps out of functions are not followed\n  hint: look into a function that does not reach \
                 them, or let the code return what it found",
                names.join(", ")
            ),
            EntryError::Missing(names) if names.iter().any(|n| ENVIRONMENT.contains(&n.as_str())) => write!(
                f,
                "the code calls {}: flags and rounding modes of floating-point arithmetic are not followed\n  hint: look into a \
                 function that does not reach them",
                names.join(", ")
            ),
            EntryError::Refused(reasons) => {
                write!(f, "{}\n  hint: look into a function that does not reach this", reasons.join("\n"))
            }
            EntryError::Missing(names) => write!(
                f,
                "the code calls what is not there: {}\n  hint: name the files that define it, too",
                names.join(", ")
            ),
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

impl SourceFunction {
    /// Whether a function of a module may be this one.
    pub(super) fn fits(&self, ty: &FuncType, address: Type) -> bool {
        let held = |ty: &SourceType| match ty {
            SourceType::Float(4) => Some(Type::F32),
            SourceType::Float(_) => Some(Type::F64),
            SourceType::Int { bytes: 8, .. } => Some(Type::I64),
            SourceType::Pointer(..) => Some(address),
            SourceType::Bool | SourceType::Int { .. } => Some(Type::I32),
            SourceType::Void | SourceType::Other(_) => None,
        };
        let parameters = self.parameters.iter().map(|(_, ty)| held(ty));
        parameters.eq(ty.params.iter().map(|t| Some(*t))) && held(&self.result) == ty.results.first().copied()
    }

    /// That it takes and returns numbers, and as many parameters as its code: structures and complex numbers come as several
    /// values or as addresses.
    pub(super) fn refused(&self, parameters: usize) -> Result<(), EntryError> {
        for (name, ty) in &self.parameters {
            if let SourceType::Other(_) = ty {
                return Err(EntryError::Parameter(name.clone(), format!("type {}", said(ty))));
            }
        }
        if let SourceType::Other(_) = &self.result {
            return Err(EntryError::Result(said(&self.result)));
        }
        if self.parameters.len() != parameters {
            return Err(EntryError::Parameters(self.parameters.len(), parameters));
        }
        Ok(())
    }
}

pub(super) fn plain(ty: Type) -> SourceType {
    match ty {
        Type::I32 => SourceType::Int { bytes: 4, signed: true },
        Type::I64 => SourceType::Int { bytes: 8, signed: true },
        Type::F32 => SourceType::Float(4),
        Type::F64 => SourceType::Float(8),
    }
}

pub(super) fn said(ty: &SourceType) -> String {
    match ty {
        SourceType::Other(name) if name.is_empty() => "structure".to_owned(),
        SourceType::Other(name) => format!("`{name}`, a structure, a union or another type that is no number"),
        other => format!("{other:?}"),
    }
}

pub(super) fn is_pointer(source: Option<&SourceFunction>, name: &str) -> bool {
    let ty = source.and_then(|s| s.parameters.iter().find(|(n, _)| n == name));
    matches!(ty, Some((_, SourceType::Pointer(..))))
}

/// A function by its name in the source, the name in the module, or that without the parameters that C++ adds.
pub(super) fn find(module: &Module, debug: &Debug, name: &str) -> Result<u32, EntryError> {
    let source_name = |f: &ModuleFunction| f.offsets.first().and_then(|at| debug.function(*at)).map(|s| s.name.clone());
    let all = || module.functions.iter().enumerate();
    let plain = |n: &str| n.split('(').next().unwrap_or(n).rsplit("::").next().unwrap_or(n).to_owned();
    let found = module
        .function(name)
        .or_else(|| all().find(|(_, f)| source_name(f).as_deref() == Some(name)).map(|(i, _)| i as u32))
        .or_else(|| all().find(|(_, f)| plain(&f.name) == name).map(|(i, _)| i as u32));
    found.ok_or_else(|| {
        let own = |f: &&ModuleFunction| !f.name.starts_with("__wasm");
        let mut known: Vec<String> = module.functions.iter().filter(own).map(|f| f.name.clone()).collect();
        known.truncate(40);
        EntryError::Unknown(known)
    })
}
