//! A WebAssembly module, decoded, validated and lowered to [`Ins`].

use super::ins::{Const, FuncType, Ins, Type};
use super::lower::lower;
use super::probe::{Probe, Question};
use std::collections::HashMap;
use std::fmt;
use wasmparser::{
    CompositeInnerType, ConstExpr, DataKind, ElementItems, ElementKind, ExternalKind, Operator, Parser, Payload,
    TypeRef, ValType, ValidPayload, Validator, WasmFeatures,
};

/// Why a module cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::error::Error for Malformed {}

impl From<wasmparser::BinaryReaderError> for Malformed {
    fn from(e: wasmparser::BinaryReaderError) -> Self {
        Malformed(format!("not a module that can be run: {} (at byte {:#x})", e.message(), e.offset()))
    }
}

/// A function of the module itself.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// From the name section, else from the exports.
    pub name: String,
    /// Its type.
    pub ty: FuncType,
    /// The types of its locals, parameters first.
    pub locals: Vec<Type>,
    /// Its instructions.
    pub code: Vec<Ins>,
    /// For each instruction the offset in the code section, as DWARF counts.
    pub offsets: Vec<u32>,
    /// Instructions before which no operand is on the stack, ascending: beginnings of statements.
    pub statements: Vec<u32>,
}

/// A function that the module expects of the host.
#[derive(Clone, Debug)]
pub struct Import {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: FuncType,
}

/// A place where the code decides where to go, or where something is asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Index of the function.
    pub function: u32,
    /// Index of its instruction.
    pub pc: u32,
    /// How many ways lead on: 2, or the arms of a table.
    pub ways: u32,
    /// What is asked there, where nothing is decided: way 1 is "yes".
    pub probe: Option<Probe>,
}

/// Bytes that stand in memory at the start.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Address.
    pub at: u32,
    /// Contents.
    pub bytes: Vec<u8>,
}

/// A module that can be run.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Functions of the module, numbered without imports.
    pub functions: Vec<Function>,
    /// What it expects of the host.
    pub imports: Vec<Import>,
    /// All places that decide, in the order of the code.
    pub sites: Vec<Site>,
    /// The globals' initial values.
    pub globals: Vec<Const>,
    /// 64 KiB pages at the start.
    pub pages: u32,
    /// The most pages.
    pub pages_limit: u32,
    /// What stands in memory.
    pub segments: Vec<Segment>,
    /// Function indices (imports first) by index; `None` where the table is empty.
    pub table: Vec<Option<u32>>,
    /// The types that indirect calls name.
    pub types: Vec<FuncType>,
    /// Whether saturating conversions stand for casts in C, see [`Ins::Cast`].
    pub casts: bool,
    /// What is asked of its operations.
    pub asked: Option<Question>,
    /// DWARF sections by name.
    pub debug: HashMap<String, Vec<u8>>,
}

/// The most memory that code under test may have: 1024 pages of 64 KiB.
const MOST_PAGES: u32 = 1024;

impl Module {
    /// Decode and validate.
    ///
    /// # Errors
    /// What is wrong with the module, or what it uses that is not supported (threads, vectors, several memories).
    pub fn decode(bytes: &[u8]) -> Result<Module, Malformed> {
        Self::decode_asking(bytes, false, None)
    }

    /// Decode and validate what [`super::compile`] has made of C: casts are those of x86-64.
    ///
    /// # Errors
    /// As for [`Module::decode`].
    pub fn decode_c(bytes: &[u8]) -> Result<Module, Malformed> {
        Self::decode_asking(bytes, true, None)
    }

    /// The same with probes before all operations of which something is asked; `casts` as for C.
    ///
    /// # Errors
    /// As for [`Module::decode`].
    pub fn decode_asking(bytes: &[u8], casts: bool, asked: Option<Question>) -> Result<Module, Malformed> {
        let features = WasmFeatures::WASM1
            | WasmFeatures::SIGN_EXTENSION
            | WasmFeatures::SATURATING_FLOAT_TO_INT
            | WasmFeatures::BULK_MEMORY
            | WasmFeatures::MUTABLE_GLOBAL
            | WasmFeatures::MULTI_VALUE;
        let mut reader = Reader {
            module: Module { casts, asked, ..Module::default() },
            validator: Validator::new_with_features(features),
            ..Reader::default()
        };
        for payload in Parser::new(0).parse_all(bytes) {
            reader.payload(payload?)?;
        }
        let Reader { mut module, names, exports, .. } = reader;
        for (i, f) in module.functions.iter_mut().enumerate() {
            let index = (i + module.imports.len()) as u32;
            let known = names.get(&index).or_else(|| exports.get(&index));
            f.name = known.cloned().unwrap_or_else(|| format!("function {index}"));
        }
        Ok(module)
    }

    /// The function of this name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<u32> {
        self.functions.iter().position(|f| f.name == name).map(|i| i as u32)
    }

    /// The initial value of the exported or only address-like global of this index.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.pages as usize * 65_536
    }
}

/// The state of decoding.
#[derive(Default)]
struct Reader {
    module: Module,
    validator: Validator,
    /// The type of each function, imports first.
    declared: Vec<u32>,
    names: HashMap<u32, String>,
    exports: HashMap<u32, String>,
    code_start: usize,
}

impl Reader {
    fn payload(&mut self, payload: Payload<'_>) -> Result<(), Malformed> {
        let valid = self.validator.payload(&payload)?;
        match payload {
            Payload::TypeSection(types) => {
                for group in types {
                    for ty in group?.types() {
                        self.module.types.push(match &ty.composite_type.inner {
                            CompositeInnerType::Func(f) => FuncType {
                                params: f.params().iter().map(|t| type_of(*t)).collect::<Result<_, _>>()?,
                                results: f.results().iter().map(|t| type_of(*t)).collect::<Result<_, _>>()?,
                            },
                            _ => FuncType::default(),
                        });
                    }
                }
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let import = import?;
                    match import.ty {
                        TypeRef::Func(ty) => {
                            self.declared.push(ty);
                            let ty = self.module.types[ty as usize].clone();
                            self.module.imports.push(Import { name: import.name.to_owned(), ty });
                        }
                        _ => {
                            return Err(Malformed(format!(
                                "the module imports `{}`, which is no function",
                                import.name
                            )));
                        }
                    }
                }
            }
            Payload::FunctionSection(functions) => {
                for ty in functions {
                    self.declared.push(ty?);
                }
            }
            Payload::MemorySection(memories) => {
                for memory in memories {
                    let memory = memory?;
                    self.module.pages = u32::try_from(memory.initial).unwrap_or(u32::MAX);
                    let most = memory.maximum.and_then(|m| u32::try_from(m).ok());
                    self.module.pages_limit = most.map_or(MOST_PAGES, |m| m.min(MOST_PAGES));
                    if self.module.pages > MOST_PAGES {
                        return Err(Malformed(format!(
                            "the module asks for {} pages of memory; {MOST_PAGES} are allowed",
                            self.module.pages
                        )));
                    }
                }
            }
            Payload::GlobalSection(globals) => {
                for global in globals {
                    let value = self.constant(&global?.init_expr)?;
                    self.module.globals.push(value);
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    if export.kind == ExternalKind::Func {
                        self.exports.insert(export.index, export.name.to_owned());
                    }
                }
            }
            Payload::ElementSection(elements) => {
                for element in elements {
                    let element = element?;
                    if let ElementKind::Active { offset_expr, .. } = element.kind {
                        self.elements(&offset_expr, element.items)?;
                    }
                }
            }
            Payload::DataSection(segments) => {
                for segment in segments {
                    let segment = segment?;
                    if let DataKind::Active { offset_expr, .. } = segment.kind {
                        let at = self.constant(&offset_expr)?.bits() as u32;
                        self.module.segments.push(Segment { at, bytes: segment.data.to_vec() });
                    }
                }
            }
            Payload::CodeSectionStart { unchecked_range, .. } => self.code_start = unchecked_range.start as usize,
            Payload::CodeSectionEntry(_) => {
                let ValidPayload::Func(to_validate, body) = valid else {
                    return Err(Malformed("a function's body is missing".to_owned()));
                };
                let index = self.module.functions.len() as u32;
                let ty = self.declared[self.module.imports.len() + index as usize];
                let ty = self.module.types[ty as usize].clone();
                let validator = to_validate.into_validator(wasmparser::FuncValidatorAllocations::default());
                let function = lower(&mut self.module, index, ty, &body, validator, self.code_start)?;
                self.module.functions.push(function);
            }
            Payload::CustomSection(section) => {
                if section.name().starts_with(".debug_") {
                    self.module.debug.insert(section.name().to_owned(), section.data().to_vec());
                } else if let wasmparser::KnownCustom::Name(names) = section.as_known() {
                    for name in names {
                        if let Ok(wasmparser::Name::Function(map)) = name {
                            for naming in map.into_iter().flatten() {
                                self.names.insert(naming.index, naming.name.to_owned());
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn elements(&mut self, offset: &ConstExpr<'_>, items: ElementItems<'_>) -> Result<(), Malformed> {
        let at = self.constant(offset)?.bits() as usize;
        let mut indices = Vec::new();
        match items {
            ElementItems::Functions(functions) => {
                for f in functions {
                    indices.push(Some(f?));
                }
            }
            ElementItems::Expressions(_, expressions) => {
                for e in expressions {
                    let mut ops = e?.get_operators_reader();
                    indices.push(match ops.read()? {
                        Operator::RefFunc { function_index } => Some(function_index),
                        _ => None,
                    });
                }
            }
        }
        let table = &mut self.module.table;
        table.resize(table.len().max(at + indices.len()), None);
        table[at..at + indices.len()].copy_from_slice(&indices);
        Ok(())
    }

    /// The value of a constant expression.
    fn constant(&self, e: &ConstExpr<'_>) -> Result<Const, Malformed> {
        let mut ops = e.get_operators_reader();
        Ok(match ops.read()? {
            Operator::I32Const { value } => Const::I32(value),
            Operator::I64Const { value } => Const::I64(value),
            Operator::F32Const { value } => Const::F32(value.bits()),
            Operator::F64Const { value } => Const::F64(value.bits()),
            Operator::GlobalGet { global_index } => self.module.globals[global_index as usize],
            other => return Err(Malformed(format!("an initial value is computed by {other:?}"))),
        })
    }
}

/// The type of a value; vectors and references are not supported.
pub(super) fn type_of(ty: ValType) -> Result<Type, Malformed> {
    Ok(match ty {
        ValType::I32 => Type::I32,
        ValType::I64 => Type::I64,
        ValType::F32 => Type::F32,
        ValType::F64 => Type::F64,
        other => return Err(Malformed(format!("values of type {other} are not supported"))),
    })
}
