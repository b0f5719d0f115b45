//! What a function takes and returns, as the debug information of its library has it, and what a library exports: the only
//! file that names object.
//! A prototype is never guessed from a name.

use super::signature::{Returns, Signature, Width};
use gimli::{
    AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, RunTimeEndian, Unit, UnitOffset, constants as dw,
};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use std::path::Path;

type Bytes<'a> = EndianSlice<'a, RunTimeEndian>;
type Entry<'a> = DebuggingInformationEntry<Bytes<'a>>;

/// The types of a function as C writes them, without names of types and qualifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prototype {
    /// The type of the result.
    pub returned: String,
    /// The types of the parameters in order.
    pub parameters: Vec<String>,
}

/// How deeply types may be nested. A damaged file may refer in a circle.
const DEEPEST: usize = 16;

impl Prototype {
    /// Reads that of an exported function. None where the library is no file, has no debug information of the function,
    /// or where that leaves something open: a variable number of parameters, or a definition in the style of before C89.
    #[must_use]
    pub fn read(library: &Path, symbol: &str) -> Option<Self> {
        let bytes = std::fs::read(library).ok()?;
        let file = object::File::parse(&*bytes).ok()?;
        let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let section = |id: gimli::SectionId| -> Result<Bytes<'_>, gimli::Error> {
            let data = file.section_by_name(id.name()).and_then(|s| s.data().ok()).unwrap_or_default();
            Ok(EndianSlice::new(data, endian))
        };
        let dwarf = Dwarf::load(section).ok()?;
        let mut found: Option<Prototype> = None;
        let mut headers = dwarf.units();
        while let Some(header) = headers.next().ok()? {
            let reader = Reader { unit: dwarf.unit(header).ok()?, dwarf: &dwarf };
            for one in reader.functions(symbol)? {
                // Two that differ: which of them is exported is not known.
                if found.get_or_insert_with(|| one.clone()) != &one {
                    return None;
                }
            }
        }
        found
    }

    /// As C declares it.
    #[must_use]
    pub fn declaration(&self, name: &str) -> String {
        let none = ["void".to_owned()];
        let parameters = if self.parameters.is_empty() { &none[..] } else { &self.parameters };
        format!("{} {name}({})", self.returned, parameters.join(", "))
    }

    /// Whether it can be called by a signature with so many inputs.
    #[must_use]
    pub fn is(&self, signature: Signature, inputs: usize) -> bool {
        self.returned == signature.returned() && self.parameters == signature.parameters(inputs)
    }

    /// The signature that it has, if it can be called with so many inputs.
    #[must_use]
    pub fn signature(&self, inputs: usize) -> Option<Signature> {
        let widths = [Width::F64, Width::F32];
        let returns = [Returns::Value, Returns::Out, Returns::Status];
        let all = widths.into_iter().flat_map(|width| [false, true].map(|array| (width, array)));
        let mut all = all.flat_map(|(width, array)| returns.map(|returns| Signature { width, array, returns }));
        all.find(|signature| self.is(*signature, inputs))
    }
}

/// The names of the functions that a library exports, in order; none where it cannot be read. Names that begin with an
/// underscore are the linker's, or not for users.
#[must_use]
pub fn exported_functions(library: &Path) -> Vec<String> {
    let Ok(bytes) = std::fs::read(library) else { return Vec::new() };
    let Ok(file) = object::File::parse(&*bytes) else { return Vec::new() };
    // Mach-O writes an underscore before each name of C.
    let prefix = if matches!(file, object::File::MachO32(_) | object::File::MachO64(_)) { "_" } else { "" };
    let functions = file.dynamic_symbols().filter(|s| s.is_definition() && s.kind() == object::SymbolKind::Text);
    let names = functions.filter_map(|s| s.name().ok()?.strip_prefix(prefix).map(str::to_owned));
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('_')).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// One unit of the debug information.
struct Reader<'d, 'a> {
    dwarf: &'d Dwarf<Bytes<'a>>,
    unit: Unit<Bytes<'a>>,
}

impl<'a> Reader<'_, 'a> {
    /// The definitions of an exported function in the unit. None if one of them leaves something open.
    fn functions(&self, symbol: &str) -> Option<Vec<Prototype>> {
        let mut found = Vec::new();
        let mut entries = self.unit.entries();
        while let Some(entry) = entries.next_dfs().ok()? {
            // An instance of an inline function says what its abstract form says, or less.
            let is_whole = !self.flag(entry, dw::DW_AT_declaration) && entry.attr(dw::DW_AT_abstract_origin).is_none();
            if entry.tag() == dw::DW_TAG_subprogram
                && is_whole
                && self.is_exported(entry, DEEPEST)
                && self.name(entry, DEEPEST).as_deref() == Some(symbol)
            {
                found.push(self.prototype(&entry.clone())?);
            }
        }
        Some(found)
    }

    fn prototype(&self, function: &Entry<'a>) -> Option<Prototype> {
        let returned = self.type_of(function, DEEPEST);
        let mut parameters = Vec::new();
        let mut tree = self.unit.entries_tree(Some(function.offset())).ok()?;
        let mut children = tree.root().ok()?.children();
        while let Some(child) = children.next().ok()? {
            match child.entry().tag() {
                dw::DW_TAG_formal_parameter => parameters.push(self.type_of(child.entry(), DEEPEST)),
                dw::DW_TAG_unspecified_parameters => return None,
                _ => {}
            }
        }
        // A float of such a definition is passed as a double.
        let is_old = self.is_c() && !parameters.is_empty() && !self.flag(function, dw::DW_AT_prototyped);
        (!is_old).then_some(Prototype { returned, parameters })
    }

    fn is_c(&self) -> bool {
        let mut entries = self.unit.entries();
        let language = entries.next_dfs().ok().flatten().and_then(|root| root.attr_value(dw::DW_AT_language));
        let c = [dw::DW_LANG_C, dw::DW_LANG_C89, dw::DW_LANG_C99, dw::DW_LANG_C11, dw::DW_LANG_C17];
        matches!(language, Some(AttributeValue::Language(l)) if c.contains(&l))
    }

    fn flag(&self, entry: &Entry<'a>, name: gimli::DwAt) -> bool {
        matches!(entry.attr_value(name), Some(AttributeValue::Flag(true)))
    }

    /// What an entry completes: its declaration, or its abstract form.
    fn origin(&self, entry: &Entry<'a>) -> Option<Entry<'a>> {
        let of = |name| self.referred(entry, name);
        of(dw::DW_AT_specification).or_else(|| of(dw::DW_AT_abstract_origin))
    }

    fn referred(&self, entry: &Entry<'a>, name: gimli::DwAt) -> Option<Entry<'a>> {
        let offset: UnitOffset<usize> = match entry.attr_value(name)? {
            AttributeValue::UnitRef(offset) => offset,
            AttributeValue::DebugInfoRef(offset) => offset.to_unit_offset(&self.unit.header)?,
            _ => return None,
        };
        self.unit.entry(offset).ok()
    }

    fn is_exported(&self, entry: &Entry<'a>, depth: usize) -> bool {
        self.flag(entry, dw::DW_AT_external)
            || depth > 0 && self.origin(entry).is_some_and(|o| self.is_exported(&o, depth - 1))
    }

    /// The name of a function in the library's table of symbols.
    fn name(&self, entry: &Entry<'a>, depth: usize) -> Option<String> {
        let of = |name| {
            let text = self.dwarf.attr_string(&self.unit, entry.attr_value(name)?).ok()?;
            Some(text.to_string_lossy().into_owned())
        };
        of(dw::DW_AT_linkage_name)
            .or_else(|| of(dw::DW_AT_MIPS_linkage_name))
            .or_else(|| of(dw::DW_AT_name))
            .or_else(|| if depth > 0 { self.name(&self.origin(entry)?, depth - 1) } else { None })
    }

    /// The type of a parameter or of a function's result, as C writes it.
    fn type_of(&self, entry: &Entry<'a>, depth: usize) -> String {
        let Some(of) = self.referred(entry, dw::DW_AT_type) else {
            return match self.origin(entry) {
                Some(origin) if depth > 0 => self.type_of(&origin, depth - 1),
                _ if entry.attr(dw::DW_AT_type).is_none() => "void".to_owned(),
                _ => "a type of another unit".to_owned(),
            };
        };
        if depth == 0 {
            return "a type that is nested too deeply".to_owned();
        }
        let named = |kind: &str| format!("{kind}{}", self.name(&of, 0).unwrap_or_else(|| "without a name".to_owned()));
        let size = of.attr_value(dw::DW_AT_byte_size).and_then(|v| v.udata_value());
        match of.tag() {
            dw::DW_TAG_typedef | dw::DW_TAG_const_type | dw::DW_TAG_volatile_type | dw::DW_TAG_restrict_type => {
                self.type_of(&of, depth - 1)
            }
            dw::DW_TAG_pointer_type | dw::DW_TAG_reference_type => {
                let target = self.type_of(&of, depth - 1);
                if target.ends_with('*') { target + "*" } else { target + " *" }
            }
            dw::DW_TAG_base_type => match (of.attr_value(dw::DW_AT_encoding), size) {
                (Some(AttributeValue::Encoding(dw::DW_ATE_float)), Some(8)) => "double".to_owned(),
                (Some(AttributeValue::Encoding(dw::DW_ATE_float)), Some(4)) => "float".to_owned(),
                (Some(AttributeValue::Encoding(dw::DW_ATE_signed)), Some(4)) => "int".to_owned(),
                _ => named(""),
            },
            // C passes and returns it as an int.
            dw::DW_TAG_enumeration_type if size == Some(4) => "int".to_owned(),
            dw::DW_TAG_enumeration_type => named("enum "),
            dw::DW_TAG_structure_type => named("struct "),
            dw::DW_TAG_union_type => named("union "),
            _ => "another type".to_owned(),
        }
    }
}
