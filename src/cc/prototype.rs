//! What a function takes and returns, as the debug information of its library has it, and what a library exports.
//! A prototype is never guessed from a name.

use super::dwarf::{Entry, Part, units};
use gimli::{AttributeValue, RunTimeEndian, constants as dw};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use std::path::Path;

/// The types of a function as C writes them, without names of types and qualifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prototype {
    /// The type of the result.
    pub returned: String,
    /// The types of the parameters in order.
    pub parameters: Vec<String>,
}

impl Prototype {
    /// Reads that of an exported function. None where the library is no file, has no debug information of the function,
    /// or where that leaves something open: a variable number of parameters, or a definition in the style of before C89.
    #[must_use]
    pub fn read(library: &Path, symbol: &str) -> Option<Self> {
        let bytes = std::fs::read(library).ok()?;
        let file = object::File::parse(&*bytes).ok()?;
        let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let section = |name: &str| file.section_by_name(name).and_then(|s| s.data().ok()).unwrap_or_default();
        let mut found = Vec::new();
        units(endian, section, |part| found.push(functions(part, symbol)))?;
        // Two that differ: which of them is exported is not known.
        let mut all = found.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten();
        let first = all.next()?;
        all.all(|other| other == first).then_some(first)
    }

    /// As C declares it.
    #[must_use]
    pub fn declaration(&self, name: &str) -> String {
        let none = ["void".to_owned()];
        let parameters = if self.parameters.is_empty() { &none[..] } else { &self.parameters };
        format!("{} {name}({})", self.returned, parameters.join(", "))
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

/// The definitions of an exported function in a unit. None if one of them leaves something open.
fn functions(part: &Part<'_, '_>, symbol: &str) -> Option<Vec<Prototype>> {
    let mut found = Vec::new();
    let mut entries = part.unit.entries();
    while let Some(entry) = entries.next_dfs().ok()? {
        // An instance of an inline function says what its abstract form says, or less.
        let is_whole = !part.flag(entry, dw::DW_AT_declaration) && entry.attr(dw::DW_AT_abstract_origin).is_none();
        if entry.tag() == dw::DW_TAG_subprogram
            && is_whole
            && part.is_exported(entry)
            && part.symbol(entry).as_deref() == Some(symbol)
        {
            found.push(prototype(part, &entry.clone())?);
        }
    }
    Some(found)
}

fn prototype<'a>(part: &Part<'_, 'a>, function: &Entry<'a>) -> Option<Prototype> {
    let returned = part.type_of(function).text;
    let mut parameters = Vec::new();
    let mut tree = part.unit.entries_tree(Some(function.offset())).ok()?;
    let mut children = tree.root().ok()?.children();
    while let Some(child) = children.next().ok()? {
        match child.entry().tag() {
            dw::DW_TAG_formal_parameter => parameters.push(part.type_of(child.entry()).text),
            dw::DW_TAG_unspecified_parameters => return None,
            _ => {}
        }
    }
    // A float of such a definition is passed as a double.
    let is_old = is_c(part) && !parameters.is_empty() && !part.flag(function, dw::DW_AT_prototyped);
    (!is_old).then_some(Prototype { returned, parameters })
}

/// Whether a unit is of C, not of C++.
fn is_c(part: &Part<'_, '_>) -> bool {
    let mut entries = part.unit.entries();
    let language = entries.next_dfs().ok().flatten().and_then(|root| root.attr_value(dw::DW_AT_language));
    let c = [dw::DW_LANG_C, dw::DW_LANG_C89, dw::DW_LANG_C99, dw::DW_LANG_C11, dw::DW_LANG_C17];
    matches!(language, Some(AttributeValue::Language(l)) if c.contains(&l))
}
