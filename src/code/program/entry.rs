//! Which function of a module is meant, and why one cannot be run.

use crate::cc::debug::{Debug, Place};
use crate::cc::shape::{FunctionShape, PointerShape, Shape, ShapeParameter, declared_length};
use crate::cc::{SourceFunction, SourceType};
use crate::code::arrange::InputWishes;
use crate::code::ins::{FuncType, Type};
use crate::code::module::{Module, ModuleFunction};
use crate::floats::BitsKind;
use std::fmt;

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
pub(in crate::code) fn kind_of(ty: &SourceType) -> Option<BitsKind> {
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
}

pub(super) fn plain(ty: Type) -> SourceType {
    match ty {
        Type::I32 => SourceType::Int { bytes: 4, signed: true },
        Type::I64 => SourceType::Int { bytes: 8, signed: true },
        Type::F32 => SourceType::Float(4),
        Type::F64 => SourceType::Float(8),
    }
}

/// The layout of a type that is no structure.
fn shape_of(ty: &SourceType) -> Shape {
    match ty {
        SourceType::Pointer(to, is_const) => {
            Shape::Pointer(PointerShape { to: Box::new(shape_of(to)), is_const: *is_const, is_reference: false })
        }
        SourceType::Void => Shape::Void,
        SourceType::Other(name) => Shape::Unknown(format!("`{name}`"), 0),
        number => Shape::Number(number.clone(), String::new()),
    }
}

/// A function with layouts: from debugging information, or what a person says of it, or its code alone.
pub(super) fn shape(module: &Module, entry: u32, source: Option<&SourceFunction>) -> FunctionShape {
    let f = &module.functions[entry as usize];
    let known = f.offsets.first().and_then(|at| FunctionShape::read(&module.debug, *at));
    let is_same = |shape: &FunctionShape| {
        let Some(source) = source else { return true };
        // What a person says counts.
        shape.parameters.iter().map(|p| &p.name).eq(source.parameters.iter().map(|(name, _)| name)) && source.line > 0
    };
    if let Some(shape) = known.filter(is_same) {
        return shape;
    }
    let parameter = |name: String, shape: Shape| ShapeParameter { name, shape, is_object: false };
    let (name, parameters, result) = match source {
        Some(source) => {
            let all = source.parameters.iter().map(|(name, ty)| parameter(name.clone(), shape_of(ty)));
            (source.name.clone(), all.collect(), shape_of(&source.result))
        }
        None => {
            let all = f.ty.params.iter().enumerate();
            let all = all.map(|(i, ty)| parameter(format!("x{}", i + 1), shape_of(&plain(*ty))));
            (f.name.clone(), all.collect(), f.ty.results.first().map_or(Shape::Void, |ty| shape_of(&plain(*ty))))
        }
    };
    FunctionShape { symbol: f.name.clone(), name, parameters, result, is_constructor: false, line: 0 }
}

/// How many elements are asked for, or declared in the source.
pub(super) fn wishes(shape: &FunctionShape, elements: &[(String, u32)], begins: Option<&Place>) -> InputWishes {
    let mut all = InputWishes::default();
    let text = begins.and_then(|place| std::fs::read_to_string(&place.file).ok()).unwrap_or_default();
    for parameter in shape.parameters.iter().filter(|p| matches!(p.shape, Shape::Pointer(_))) {
        if let Some(count) = declared_length(&text, shape.line, &parameter.name).filter(|n| *n <= 64) {
            all.elements.insert(parameter.name.clone(), count);
        }
    }
    all.elements.extend(elements.iter().cloned());
    all
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
