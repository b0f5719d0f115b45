//! Which function of a module is meant, and why one cannot be run.

use crate::cc::compiler::real;
use crate::cc::debug::{Debug, Place};
use crate::cc::shape::{FunctionShape, PointerShape, ShapeParameter, TypeShape, declared_length};
use crate::cc::{SourceFunction, SourceType};
use crate::code::arrange::InputWishes;
use crate::code::input::{AskedInputs, EntryError};
use crate::code::ins::{FuncType, Type};
use crate::code::module::{Module, ModuleFunction};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

impl SourceFunction {
    /// Whether a function of a module may be this one.
    pub(super) fn fits(&self, ty: &FuncType, address: Type) -> bool {
        let held = |ty: &SourceType| match ty {
            SourceType::Float(4) => Some(Type::F32),
            SourceType::Float(_) => Some(Type::F64),
            SourceType::Int { bytes: 8, .. } => Some(Type::I64),
            SourceType::Pointer(..) => Some(address),
            SourceType::Bool | SourceType::Int { .. } => Some(Type::I32),
            SourceType::Array(..) | SourceType::Void | SourceType::Other(_) => None,
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
fn shape_of(ty: &SourceType) -> TypeShape {
    match ty {
        SourceType::Pointer(to, is_const) => {
            TypeShape::Pointer(PointerShape { to: Box::new(shape_of(to)), is_const: *is_const, is_reference: false })
        }
        SourceType::Void => TypeShape::Void,
        SourceType::Array(..) => TypeShape::Unknown(ty.to_string(), 0),
        SourceType::Other(name) => TypeShape::Unknown(format!("`{name}`"), 0),
        number => TypeShape::Number(number.clone(), String::new()),
    }
}

/// A function with layouts: from debugging information, or what a person says of it, or its code alone.
pub(super) fn shape(module: &Module, entry: u32, source: Option<&SourceFunction>, is_declared: bool) -> FunctionShape {
    let f = &module.functions[entry as usize];
    let known = f.offsets.first().and_then(|at| module.sources_debug().shape(&module.debug, *at));
    // What a person says counts.
    if let Some(shape) = known.filter(|_| !is_declared) {
        return shape;
    }
    let parameter = |name: String, shape: TypeShape| ShapeParameter { name, shape, is_object: false };
    let (name, parameters, result) = match source {
        Some(source) => {
            let all = source.parameters.iter().map(|(name, ty)| parameter(name.clone(), shape_of(ty)));
            (source.name.clone(), all.collect(), shape_of(&source.result))
        }
        None => {
            let all = f.ty.params.iter().enumerate();
            let all = all.map(|(i, ty)| parameter(format!("x{}", i + 1), shape_of(&plain(*ty))));
            (f.name.clone(), all.collect(), f.ty.results.first().map_or(TypeShape::Void, |ty| shape_of(&plain(*ty))))
        }
    };
    FunctionShape { symbol: f.name.clone(), name, parameters, result, is_constructor: false, line: 0 }
}

/// How many elements are asked for, or declared in the source.
pub(super) fn wishes(shape: &FunctionShape, asked: &AskedInputs, begins: Option<&Place>) -> InputWishes {
    let mut all = InputWishes { members: asked.members.clone(), ..InputWishes::default() };
    let text = begins.and_then(|place| std::fs::read_to_string(&place.file).ok()).unwrap_or_default();
    for parameter in shape.parameters.iter().filter(|p| matches!(p.shape, TypeShape::Pointer(_))) {
        if let Some(count) = declared_length(&text, shape.line, &parameter.name).filter(|n| *n <= 64) {
            all.elements.insert(parameter.name.clone(), count);
        }
    }
    all.elements.extend(asked.elements.iter().cloned());
    all
}

/// A function by its name in the source, the name in the module, or that without the parameters that C++ adds.
pub(in crate::code) fn find(module: &Module, debug: &Debug, name: &str) -> Result<u32, EntryError> {
    let source_name = |f: &ModuleFunction| f.offsets.first().and_then(|at| debug.function(*at)).map(|s| s.name.clone());
    let all = || module.functions.iter().enumerate();
    // Namespaces without a name are left out, and parameters and what is around where that is not asked for.
    let bare = |n: &str| n.replace("(anonymous namespace)::", "");
    let wanted = bare(name);
    let without_parameters = |whole: &str| whole.split('(').next().unwrap_or_default().to_owned();
    let is_exact = |whole: &str| whole == wanted || without_parameters(whole) == wanted;
    let is_inner = |n: &str| n.strip_suffix(&wanted).is_some_and(|rest| rest.ends_with("::"));
    let named = |is_it: &dyn Fn(&str) -> bool| -> Vec<usize> {
        all().filter(|(_, f)| is_it(&bare(&f.name)) || is_it(&bare(&f.full_name()))).map(|(i, _)| i).collect()
    };
    let exact = named(&is_exact);
    let mut candidates =
        if exact.is_empty() { named(&|n| is_inner(n) || is_inner(&without_parameters(n))) } else { exact };
    let is_beside = |i: &usize| {
        let place = module.functions[*i].offsets.first().and_then(|at| debug.place(*at));
        place.is_some_and(|p| module.siblings.contains(&real(Path::new(&p.file))))
    };
    // Of several that files tell apart it is the one in the files that were named.
    if candidates.iter().any(|i| !is_beside(i)) {
        candidates.retain(|i| module.functions[*i].home.is_none() || !is_beside(i));
    }
    let names: BTreeSet<Cow<'_, str>> = candidates.iter().map(|i| module.functions[*i].full_name()).collect();
    let function = module.function(name);
    if function.is_none() && names.len() > 1 {
        return Err(EntryError::Several(names.into_iter().map(Cow::into_owned).collect()));
    }
    let found = function
        .or_else(|| candidates.first().map(|i| *i as u32))
        .or_else(|| all().find(|(_, f)| source_name(f).as_deref() == Some(name)).map(|(i, _)| i as u32));
    found.ok_or_else(|| {
        let own = |f: &&ModuleFunction| !f.name.starts_with("__wasm") && !f.name.starts_with("magneto_");
        let known = module.functions.iter().filter(own).map(|f| f.full_name().into_owned());
        let mut known: Vec<String> = known.collect();
        known.truncate(40);
        EntryError::Unknown(known)
    })
}
