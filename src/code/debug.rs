//! What DWARF says of a module: the source line of each instruction, and the parameters of each function as the source
//! has them.

use super::module::Module;
use gimli::{AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, LittleEndian, SectionId, Unit};
use std::collections::HashMap;

type Slice<'a> = EndianSlice<'a, LittleEndian>;
type Entry<'a> = DebuggingInformationEntry<Slice<'a>>;

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The file, as the compiler was given it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 where it is not known.
    pub column: u32,
}

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
    /// `void`.
    Void,
    /// Structures and what else is not supported; with what it is.
    Other(String),
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

/// Where instructions come from.
#[derive(Clone, Debug)]
enum Row {
    At(Place),
    /// From no line: the compiler made them, or moved them.
    Nowhere,
    /// A sequence ends.
    End,
}

/// What is known of the sources of a module.
#[derive(Clone, Debug, Default)]
pub struct Debug {
    /// Rows of the line table by address, ascending.
    rows: Vec<(u32, Row)>,
    /// Functions by the address at which their code begins.
    functions: HashMap<u32, SourceFunction>,
}

impl Debug {
    /// Read what a module holds; what cannot be read is not known.
    #[must_use]
    pub fn of(module: &Module) -> Debug {
        let load = |id: SectionId| -> Result<Slice<'_>, gimli::Error> {
            let bytes = module.debug.get(id.name()).map_or(&[][..], Vec::as_slice);
            Ok(EndianSlice::new(bytes, LittleEndian))
        };
        let mut debug = Debug::default();
        if let Ok(dwarf) = Dwarf::load(load) {
            // A unit that cannot be read leaves the others as they are.
            let mut units = dwarf.units();
            while let Ok(Some(header)) = units.next() {
                if let Ok(unit) = dwarf.unit(header) {
                    let _ = debug.lines(&dwarf, &unit);
                    let _ = debug.functions(&dwarf, &unit);
                }
            }
        }
        debug.rows.sort_by_key(|(at, row)| (*at, !matches!(row, Row::End)));
        debug
    }

    /// The place of the instruction at an offset of the code section; of one that comes from no line, that of those before.
    #[must_use]
    pub fn place(&self, offset: u32) -> Option<&Place> {
        match self.rows_to(offset).iter().map(|(_, row)| row).rfind(|row| !matches!(row, Row::Nowhere)) {
            Some(Row::At(place)) => Some(place),
            _ => None,
        }
    }

    /// The place of that instruction alone.
    pub(super) fn own_place(&self, offset: u32) -> Option<&Place> {
        match self.rows_to(offset).last() {
            Some((_, Row::At(place))) => Some(place),
            _ => None,
        }
    }

    fn rows_to(&self, offset: u32) -> &[(u32, Row)] {
        &self.rows[..self.rows.partition_point(|(at, _)| *at <= offset)]
    }

    /// The function whose code has the instruction at an offset: the last one that begins before.
    #[must_use]
    pub fn function(&self, offset: u32) -> Option<&SourceFunction> {
        let before = self.functions.keys().filter(|at| **at <= offset).max();
        before.and_then(|at| self.functions.get(at))
    }

    fn lines<'a>(&mut self, dwarf: &Dwarf<Slice<'a>>, unit: &Unit<Slice<'a>>) -> Result<(), gimli::Error> {
        let Some(program) = unit.line_program.clone() else { return Ok(()) };
        let mut names: HashMap<u64, String> = HashMap::new();
        let mut rows = program.rows();
        while let Some((header, row)) = rows.next_row()? {
            let at = row.address() as u32;
            if row.end_sequence() {
                self.rows.push((at, Row::End));
                continue;
            }
            let Some(line) = row.line() else {
                self.rows.push((at, Row::Nowhere));
                continue;
            };
            let column = match row.column() {
                gimli::ColumnType::LeftEdge => 0,
                gimli::ColumnType::Column(c) => c.get() as u32,
            };
            let index = row.file_index();
            if let std::collections::hash_map::Entry::Vacant(place) = names.entry(index)
                && let Some(file) = header.file(index)
            {
                let mut name = String::new();
                if let Some(directory) = file.directory(header).filter(|_| file.directory_index() != 0) {
                    name = dwarf.attr_string(unit, directory)?.to_string_lossy().into_owned() + "/";
                }
                name += &dwarf.attr_string(unit, file.path_name())?.to_string_lossy();
                place.insert(name);
            }
            let file = names.get(&index).cloned().unwrap_or_default();
            self.rows.push((at, Row::At(Place { file, line: line.get() as u32, column })));
        }
        Ok(())
    }

    fn functions<'a>(&mut self, dwarf: &Dwarf<Slice<'a>>, unit: &Unit<Slice<'a>>) -> Result<(), gimli::Error> {
        let mut entries = unit.entries();
        // The function whose children are read, with its address and depth.
        let mut open: Option<(u32, isize, SourceFunction)> = None;
        while let Some(entry) = entries.next_dfs()? {
            let depth = entry.depth();
            if let Some((at, _, function)) = open.take_if(|(_, level, _)| depth <= *level) {
                self.functions.insert(at, function);
            }
            match entry.tag() {
                gimli::DW_TAG_subprogram => {
                    if let Some(AttributeValue::Addr(at)) = entry.attr_value(gimli::DW_AT_low_pc) {
                        let line = entry.attr_value(gimli::DW_AT_decl_line).and_then(|v| v.udata_value());
                        let function = SourceFunction {
                            name: name_of(dwarf, unit, entry),
                            parameters: Vec::new(),
                            result: type_of(dwarf, unit, entry, 0),
                            line: line.unwrap_or(0) as u32,
                        };
                        open = Some((at as u32, depth, function));
                    }
                }
                gimli::DW_TAG_formal_parameter => {
                    if let Some((_, level, function)) = &mut open
                        && depth == *level + 1
                    {
                        let ty = type_of(dwarf, unit, entry, 0);
                        function.parameters.push((name_of(dwarf, unit, entry), ty));
                    }
                }
                _ => {}
            }
        }
        if let Some((at, _, function)) = open {
            self.functions.insert(at, function);
        }
        Ok(())
    }
}

fn name_of<'a>(dwarf: &Dwarf<Slice<'a>>, unit: &Unit<Slice<'a>>, entry: &Entry<'a>) -> String {
    let name = entry.attr_value(gimli::DW_AT_name).and_then(|v| dwarf.attr_string(unit, v).ok());
    name.map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Types nested deeper than this are not followed.
const DEEPEST: u32 = 16;

/// The type that an entry names: `void` where it names none.
fn type_of<'a>(dwarf: &Dwarf<Slice<'a>>, unit: &Unit<Slice<'a>>, entry: &Entry<'a>, depth: u32) -> SourceType {
    let Some(AttributeValue::UnitRef(offset)) = entry.attr_value(gimli::DW_AT_type) else { return SourceType::Void };
    let unknown = || SourceType::Other("a type that is not known".to_owned());
    if depth > DEEPEST {
        return unknown();
    }
    let Ok(ty) = unit.entry(offset) else { return unknown() };
    let bytes = ty.attr_value(gimli::DW_AT_byte_size).and_then(|v| v.udata_value()).unwrap_or(0) as u8;
    match ty.tag() {
        // What has no name of its own has that one.
        gimli::DW_TAG_typedef => match type_of(dwarf, unit, &ty, depth + 1) {
            SourceType::Other(name) if name.is_empty() => SourceType::Other(name_of(dwarf, unit, &ty)),
            known => known,
        },
        gimli::DW_TAG_const_type | gimli::DW_TAG_volatile_type | gimli::DW_TAG_restrict_type => {
            type_of(dwarf, unit, &ty, depth + 1)
        }
        gimli::DW_TAG_enumeration_type => SourceType::Int { bytes, signed: true },
        gimli::DW_TAG_pointer_type => {
            let points_to_const = matches!(
                ty.attr_value(gimli::DW_AT_type),
                Some(AttributeValue::UnitRef(to)) if unit.entry(to).is_ok_and(|t| t.tag() == gimli::DW_TAG_const_type)
            );
            SourceType::Pointer(Box::new(type_of(dwarf, unit, &ty, depth + 1)), points_to_const)
        }
        gimli::DW_TAG_base_type => match ty.attr_value(gimli::DW_AT_encoding) {
            Some(AttributeValue::Encoding(gimli::DW_ATE_float)) if bytes == 4 || bytes == 8 => SourceType::Float(bytes),
            Some(AttributeValue::Encoding(gimli::DW_ATE_signed | gimli::DW_ATE_signed_char)) => {
                SourceType::Int { bytes, signed: true }
            }
            Some(AttributeValue::Encoding(gimli::DW_ATE_unsigned | gimli::DW_ATE_unsigned_char)) => {
                SourceType::Int { bytes, signed: false }
            }
            Some(AttributeValue::Encoding(gimli::DW_ATE_boolean)) if bytes == 1 => SourceType::Bool,
            _ => SourceType::Other(name_of(dwarf, unit, &ty)),
        },
        _ => SourceType::Other(name_of(dwarf, unit, &ty)),
    }
}

/// A type of a source by its name in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) name: String,
    /// Unit: bytes.
    pub(super) size: u64,
    /// Members with names and their places. Unit: bytes.
    pub(super) members: Vec<(String, u64)>,
}

/// The types with names that a source uses, those inside of functions left out.
pub(super) fn layouts(module: &Module, source: &std::path::Path) -> Vec<Layout> {
    let load = |id: SectionId| -> Result<Slice<'_>, gimli::Error> {
        let bytes = module.debug.get(id.name()).map_or(&[][..], Vec::as_slice);
        Ok(EndianSlice::new(bytes, LittleEndian))
    };
    let mut all = Vec::new();
    let Ok(dwarf) = Dwarf::load(load) else { return all };
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        if let Ok(unit) = dwarf.unit(header)
            && unit.name.is_some_and(|name| std::path::Path::new(&*name.to_string_lossy()) == source)
        {
            let _ = layouts_of(&dwarf, &unit, &mut all);
        }
    }
    all
}

fn layouts_of<'a>(dwarf: &Dwarf<Slice<'a>>, unit: &Unit<Slice<'a>>, all: &mut Vec<Layout>) -> Result<(), gimli::Error> {
    let mut entries = unit.entries();
    let mut open: Option<(isize, Layout)> = None;
    while let Some(entry) = entries.next_dfs()? {
        let depth = entry.depth();
        if let Some((_, layout)) = open.take_if(|(level, _)| depth <= *level) {
            all.push(layout);
        }
        let number = |name| entry.attr_value(name).and_then(|v| v.udata_value());
        let name = name_of(dwarf, unit, entry);
        if let Some((level, layout)) = &mut open {
            // A bit field has no place of its own.
            let whole = entry.attr_value(gimli::DW_AT_bit_size).is_none();
            if let (gimli::DW_TAG_member, Some(at)) = (entry.tag(), number(gimli::DW_AT_data_member_location))
                && depth == *level + 1
                && whole
                && !name.is_empty()
            {
                layout.members.push((name, at));
            }
            continue;
        }
        let kind = match entry.tag() {
            gimli::DW_TAG_structure_type => "struct ",
            gimli::DW_TAG_union_type => "union ",
            gimli::DW_TAG_enumeration_type => "enum ",
            _ => continue,
        };
        // What the compiler defines itself is nobody's type.
        if let Some(size) = number(gimli::DW_AT_byte_size).filter(|_| depth == 1)
            && !name.is_empty()
            && !name.starts_with("__")
        {
            open = Some((depth, Layout { name: format!("{kind}{name}"), size, members: Vec::new() }));
        }
    }
    all.extend(open.map(|(_, layout)| layout));
    Ok(())
}
