//! What a function takes and returns, as the debug information of its library has it.
//! A prototype is never guessed from a name.

use super::dwarf::{Entry, Part, units};
use super::types::{SourceFunction, StructMember};
use gimli::{AttributeValue, RunTimeEndian, constants as dw};
use object::{Object as _, ObjectSection as _};
use std::path::Path;

/// The types of a function as C writes them, without names of types and qualifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prototype {
    /// The type of the result.
    pub returned: String,
    /// The types of the parameters in order.
    pub parameters: Vec<String>,
    /// The same with the names of the parameters; none of Fortran's.
    pub source: Option<SourceFunction>,
    /// The members of the structures that are returned, and that each parameter is or points to; none for other types, and for
    /// structures of anything but numbers and arrays of them.
    pub structures: Vec<Option<Vec<StructMember>>>,
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

    /// Whether it says of some parameter only what it is, not how it is passed.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.ends_with(OPEN))
    }

    /// As C declares it.
    #[must_use]
    pub fn declaration(&self, name: &str) -> String {
        let none = ["void".to_owned()];
        let parameters = if self.parameters.is_empty() { &none[..] } else { &self.parameters };
        format!("{} {name}({})", self.returned, parameters.join(", "))
    }
}

/// The functions of Fortran that a library has: their names in the table of symbols and in the source.
pub(super) fn fortran_names(library: &Path) -> Vec<(String, String)> {
    let Ok(bytes) = std::fs::read(library) else { return Vec::new() };
    let Ok(file) = object::File::parse(&*bytes) else { return Vec::new() };
    let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let section = |name: &str| file.section_by_name(name).and_then(|s| s.data().ok()).unwrap_or_default();
    let mut found = Vec::new();
    units(endian, section, |part| {
        let mut entries = part.unit.entries();
        while let Ok(Some(entry)) = entries.next_dfs() {
            if entry.tag() == dw::DW_TAG_subprogram && part.is_exported(entry) && is_fortran(part) {
                found.extend(part.symbol(entry).map(|symbol| (symbol, part.name(entry))));
            }
        }
    });
    found
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
    let returned = part.type_of(function);
    let (mut parameters, mut source) = (Vec::new(), Vec::new());
    let mut structures = vec![part.members_of(function)];
    let mut tree = part.unit.entries_tree(Some(function.offset())).ok()?;
    let mut children = tree.root().ok()?.children();
    while let Some(child) = children.next().ok()? {
        match child.entry().tag() {
            dw::DW_TAG_formal_parameter if is_fortran(part) => parameters.push(fortran_parameter(part, child.entry())),
            dw::DW_TAG_formal_parameter => {
                let of = part.type_of(child.entry());
                parameters.push(of.text);
                source.push((part.name(child.entry()), of.ty));
                structures.push(part.members_of(child.entry()));
            }
            dw::DW_TAG_unspecified_parameters => return None,
            _ => {}
        }
    }
    // A float of such a definition is passed as a double.
    let is_old = is_c(part) && !parameters.is_empty() && !part.flag(function, dw::DW_AT_prototyped);
    let source = SourceFunction { name: part.name(function), parameters: source, result: returned.ty, line: 0 };
    let source = (!is_fortran(part)).then_some(source);
    (!is_old).then_some(Prototype { returned: returned.text, parameters, source, structures })
}

/// Ends the text of a parameter of which it is not known how it is passed.
const OPEN: &str = " ?";

/// A parameter of Fortran, of which the type is that of the value: a reference unless it has the attribute `value`, which the
/// place of the value tells.
fn fortran_parameter<'a>(part: &Part<'_, 'a>, parameter: &Entry<'a>) -> String {
    let mut of = part.referred(parameter, dw::DW_AT_type);
    while let Some(qualified) = of.take_if(|of| [dw::DW_TAG_const_type, dw::DW_TAG_restrict_type].contains(&of.tag())) {
        of = part.referred(&qualified, dw::DW_AT_type);
    }
    if part.flag(parameter, dw::DW_AT_artificial) {
        return "array with a descriptor".to_owned();
    }
    match of.filter(|of| of.tag() == dw::DW_TAG_array_type) {
        Some(array) => array_text(part, &array).unwrap_or_else(|| "another array".to_owned()),
        None => part.type_of(parameter).text + passing(parameter),
    }
}

/// How a parameter of Fortran is passed, as the end of its text.
fn passing(parameter: &Entry<'_>) -> &'static str {
    let Some(AttributeValue::Exprloc(place)) = parameter.attr_value(dw::DW_AT_location) else { return OPEN };
    let bytes = place.0.slice();
    let Some((&first, rest)) = bytes.split_first() else { return OPEN };
    // The operand is a number in LEB128.
    let Some(end) = rest.iter().position(|byte| byte & 0x80 == 0) else { return OPEN };
    match (gimli::DwOp(first), &rest[end + 1..]) {
        (dw::DW_OP_fbreg, [last]) if gimli::DwOp(*last) == dw::DW_OP_deref => " &",
        (dw::DW_OP_fbreg, []) => "",
        // Where the register of an argument points to.
        (first, []) if (dw::DW_OP_breg0.0..=dw::DW_OP_breg31.0).contains(&first.0) && rest == [0] => " &",
        _ => OPEN,
    }
}

/// An array of one dimension that is passed as a pointer to its first element, with its length where that is written.
fn array_text<'a>(part: &Part<'_, 'a>, array: &Entry<'a>) -> Option<String> {
    if array.attr(dw::DW_AT_data_location).is_some() {
        return None;
    }
    let element = part.type_of(array).text;
    let mut tree = part.unit.entries_tree(Some(array.offset())).ok()?;
    let mut children = tree.root().ok()?.children();
    let dimension = children.next().ok()??.entry().clone();
    if children.next().ok()?.is_some() || dimension.attr(dw::DW_AT_lower_bound).is_some() {
        return None;
    }
    let length = dimension.attr_value(dw::DW_AT_upper_bound).and_then(|v| v.udata_value());
    Some(length.map_or_else(|| format!("{element} *"), |length| format!("{element} [{length}]")))
}

/// Whether a unit is of Fortran.
fn is_fortran(part: &Part<'_, '_>) -> bool {
    let fortran = [
        dw::DW_LANG_Fortran77,
        dw::DW_LANG_Fortran90,
        dw::DW_LANG_Fortran95,
        dw::DW_LANG_Fortran03,
        dw::DW_LANG_Fortran08,
        dw::DW_LANG_Fortran18,
    ];
    language(part).is_some_and(|l| fortran.contains(&l))
}

/// Whether a unit is of C, not of C++.
pub(super) fn is_c(part: &Part<'_, '_>) -> bool {
    let c = [dw::DW_LANG_C, dw::DW_LANG_C89, dw::DW_LANG_C99, dw::DW_LANG_C11, dw::DW_LANG_C17];
    language(part).is_some_and(|l| c.contains(&l))
}

/// The language of a unit.
fn language(part: &Part<'_, '_>) -> Option<gimli::DwLang> {
    let mut entries = part.unit.entries();
    let root = entries.next_dfs().ok().flatten()?;
    match root.attr_value(dw::DW_AT_language) {
        Some(AttributeValue::Language(language)) => Some(language),
        _ => None,
    }
}
