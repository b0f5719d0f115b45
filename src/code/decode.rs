//! Decodes and validates WebAssembly.

use super::bare::bare;
use super::hosted::is_another;
use super::ins::{CodeConst, FuncType, Ins};
use super::libc::ERRNO;
use super::lower::lower;
use super::module::{Import, Malformed, Module, Segment, type_of};
use super::probe::ProbeQuestion;
use std::collections::{BTreeMap, HashMap, HashSet};
use wasmparser::{
    CompositeInnerType, ConstExpr, CustomSectionReader, DataKind, ElementItems, ElementKind, ExternalKind,
    ImportSectionReader, KnownCustom, MemorySectionReader, Name, Operator, Parser, Payload, TypeRef, TypeSectionReader,
    ValidPayload, Validator, WasmFeatures,
};

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
    pub fn decode_asking(bytes: &[u8], casts: bool, asked: Option<ProbeQuestion>) -> Result<Module, Malformed> {
        let features = WasmFeatures::WASM1
            | WasmFeatures::SIGN_EXTENSION
            | WasmFeatures::SATURATING_FLOAT_TO_INT
            | WasmFeatures::BULK_MEMORY
            | WasmFeatures::MUTABLE_GLOBAL
            | WasmFeatures::MULTI_VALUE
            | WasmFeatures::MEMORY64;
        let mut reader = Reader {
            module: Module { casts, asked, ..Module::default() },
            validator: Validator::new_with_features(features),
            ..Reader::default()
        };
        for payload in Parser::new(0).parse_all(bytes) {
            reader.payload(payload?)?;
        }
        let Reader { mut module, names, exports, constants, numbers, addresses, stack, .. } = reader;
        let sets = |ins: &Ins| matches!(ins, Ins::GlobalSet(global) if Some(*global) != stack);
        module.sets_globals = module.functions.iter().any(|f| f.code.iter().any(sets));
        for (segment, number) in module.segments.iter_mut().zip(numbers) {
            segment.constant = constants.contains(&number);
        }
        let address = |name: &str| Some(module.globals.get(*addresses.get(name)? as usize)?.bits() as u32);
        module.bytes = bare(bytes)?.into();
        module.errno = address(ERRNO);
        let exported = addresses.keys().filter_map(|name| Some((name.clone(), address(name)?)));
        let exported: BTreeMap<String, u32> = exported.collect();
        let (first, end) = module
            .segments
            .iter()
            .fold((u32::MAX, 0), |(first, end), s| (first.min(s.at), end.max(s.at + s.bytes.len() as u32)));
        // The linker puts data above the stack, whose pointer is the first global.
        let start =
            address("__global_base").or(module.globals.first().map(|g| g.bits() as u32)).unwrap_or(0).min(first);
        module.data = start..address("__data_end").unwrap_or(0).max(end).max(start);
        module.exported = exported;
        let exported_names: HashSet<&String> = exports.values().collect();
        for (i, f) in module.functions.iter_mut().enumerate() {
            let index = (i + module.imports.len()) as u32;
            let known = names.get(&index).or_else(|| exports.get(&index));
            f.name = known.cloned().unwrap_or_else(|| format!("function {index}"));
            // A weak one that a strong one replaces is there, too.
            if !exports.contains_key(&index) && exported_names.contains(&f.name) {
                f.name += " (another)";
            }
        }
        Ok(module)
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
    /// Globals that are exported: addresses of variables.
    addresses: HashMap<String, u32>,
    /// The global that points into the stack.
    stack: Option<u32>,
    /// Segments of constants, by index.
    constants: HashSet<u32>,
    /// The number of each segment that stands in memory at the start.
    numbers: Vec<u32>,
    /// How many places the table has.
    places: u64,
    code_start: usize,
}

impl Reader {
    fn payload(&mut self, payload: Payload<'_>) -> Result<(), Malformed> {
        let valid = self.validator.payload(&payload)?;
        match payload {
            Payload::TypeSection(types) => self.types(types)?,
            Payload::ImportSection(imports) => self.imports(imports)?,
            Payload::FunctionSection(functions) => {
                for ty in functions {
                    self.declared.push(ty?);
                }
            }
            Payload::MemorySection(memories) => self.memories(memories)?,
            Payload::TableSection(tables) => {
                for table in tables {
                    self.places = table?.ty.initial;
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
                    match export.kind {
                        ExternalKind::Func => _ = self.exports.insert(export.index, export.name.to_owned()),
                        ExternalKind::Global => _ = self.addresses.insert(export.name.to_owned(), export.index),
                        _ => {}
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
                for (number, segment) in segments.into_iter().enumerate() {
                    let segment = segment?;
                    if let DataKind::Active { offset_expr, .. } = segment.kind {
                        self.bytes(&offset_expr, segment.data)?;
                        self.numbers.push(number as u32);
                    }
                }
            }
            Payload::StartSection { .. } => {
                return Err(Malformed("a function of it runs before all calls, which is not followed".to_owned()));
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
            Payload::CustomSection(section) => self.custom(&section),
            _ => {}
        }
        Ok(())
    }

    fn types(&mut self, types: TypeSectionReader<'_>) -> Result<(), Malformed> {
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
        Ok(())
    }

    fn imports(&mut self, imports: ImportSectionReader<'_>) -> Result<(), Malformed> {
        for import in imports.into_imports() {
            let import = import?;
            let TypeRef::Func(ty) = import.ty else {
                return Err(Malformed(format!("the module imports `{}`, which is no function", import.name)));
            };
            self.declared.push(ty);
            let ty = self.module.types[ty as usize].clone();
            // By its name it would be taken for the host's.
            let is_another = is_another(import.name, &ty);
            let name = if is_another { format!("{} as {ty}", import.name) } else { import.name.to_owned() };
            self.module.imports.push(Import { name, ty });
        }
        Ok(())
    }

    fn memories(&mut self, memories: MemorySectionReader<'_>) -> Result<(), Malformed> {
        for memory in memories {
            let memory = memory?;
            let pages = u32::try_from(memory.initial).unwrap_or(u32::MAX);
            let most = memory.maximum.and_then(|m| u32::try_from(m).ok());
            self.module.wide = memory.memory64;
            self.module.pages = pages;
            self.module.pages_limit = most.map_or(MOST_PAGES, |m| m.min(MOST_PAGES));
            if pages > MOST_PAGES {
                return Err(Malformed(format!(
                    "the module asks for {pages} pages of memory; {MOST_PAGES} are allowed"
                )));
            }
        }
        Ok(())
    }

    /// Debug information and names, as far as they can be read.
    fn custom(&mut self, section: &CustomSectionReader<'_>) {
        if section.name().starts_with(".debug_") {
            self.module.debug.insert(section.name().to_owned(), section.data().to_vec());
        } else if let KnownCustom::Name(names) = section.as_known() {
            for name in names {
                match name {
                    Ok(Name::Function(map)) => {
                        self.names.extend(map.into_iter().flatten().map(|n| (n.index, n.name.to_owned())));
                    }
                    Ok(Name::Global(map)) => {
                        let stack = map.into_iter().flatten().find(|n| n.name == "__stack_pointer");
                        self.stack = stack.map(|n| n.index);
                    }
                    Ok(Name::Data(map)) => {
                        let constant = |n: &wasmparser::Naming<'_>| n.name.starts_with(".rodata");
                        self.constants.extend(map.into_iter().flatten().filter(constant).map(|n| n.index));
                    }
                    _ => {}
                }
            }
        }
    }

    /// What stands in memory from an address on.
    fn bytes(&mut self, offset: &ConstExpr<'_>, bytes: &[u8]) -> Result<(), Malformed> {
        let at = self.constant(offset)?.bits();
        let end = at.checked_add(bytes.len() as u64).filter(|end| *end <= self.module.memory_bytes() as u64);
        match (u32::try_from(at), end) {
            (Ok(at), Some(_)) => self.module.segments.push(Segment { at, bytes: bytes.to_vec(), constant: false }),
            _ => return Err(Malformed(format!("{} bytes at address {at:#x} are outside of its memory", bytes.len()))),
        }
        Ok(())
    }

    fn elements(&mut self, offset: &ConstExpr<'_>, items: ElementItems<'_>) -> Result<(), Malformed> {
        let at = self.constant(offset)?.bits();
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
        if at.checked_add(indices.len() as u64).is_none_or(|end| end > self.places) {
            return Err(Malformed(format!("{} functions at place {at} are outside of its table", indices.len())));
        }
        let (table, at) = (&mut self.module.table, at as usize);
        table.resize(table.len().max(at + indices.len()), None);
        table[at..at + indices.len()].copy_from_slice(&indices);
        Ok(())
    }

    /// The value of a constant expression.
    fn constant(&self, e: &ConstExpr<'_>) -> Result<CodeConst, Malformed> {
        let mut ops = e.get_operators_reader();
        Ok(match ops.read()? {
            Operator::I32Const { value } => CodeConst::I32(value),
            Operator::I64Const { value } => CodeConst::I64(value),
            Operator::F32Const { value } => CodeConst::F32(value.bits()),
            Operator::F64Const { value } => CodeConst::F64(value.bits()),
            Operator::GlobalGet { global_index } => self.module.globals[global_index as usize],
            other => return Err(Malformed(format!("an initial value is computed by {other:?}"))),
        })
    }
}
