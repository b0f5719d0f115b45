//! What the debugging information of a WebAssembly module says: the source line of each instruction, and the parameters of
//! each function as the source has them.

use super::dwarf::{Part, units};
use super::shape::LayoutMemo;
use super::types::SourceFunction;
use gimli::{AttributeValue, RunTimeEndian};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The sections with debugging information of a module, by name.
pub type Sections = HashMap<String, Vec<u8>>;

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
#[derive(Debug, Default)]
pub struct Debug {
    /// Rows of the line table by address, ascending.
    rows: Vec<(u32, Row)>,
    /// Functions by the address at which their code begins.
    functions: BTreeMap<u32, (CodeStart, SourceFunction)>,
    /// The sources of units by where these begin. Unit: bytes.
    sources: BTreeMap<usize, String>,
    /// The layouts that were read by now.
    pub(super) layouts: LayoutMemo,
}

/// Where the code of a function begins, and where its entry is.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeStart {
    /// In the code section. Unit: bytes.
    pub(super) address: u32,
    /// Its unit in the section of these. Unit: bytes.
    pub(super) unit: usize,
    /// Its entry in the unit. Unit: bytes.
    pub(super) entry: usize,
}

impl Debug {
    /// Read what a module holds; what cannot be read is not known.
    #[must_use]
    pub fn of(sections: &Sections) -> Debug {
        let mut debug = Debug::default();
        units(RunTimeEndian::Little, section(sections), |part| {
            // A unit that cannot be read leaves the others as they are.
            let _ = debug.lines(part);
            let _ = debug.functions(part);
        });
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
    pub(crate) fn own_place(&self, offset: u32) -> Option<&Place> {
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
        self.functions.range(..=offset).next_back().map(|(_, (_, function))| function)
    }

    /// The source that function was compiled in, as the compiler was given it: its code may stand in a header.
    #[must_use]
    pub fn source(&self, offset: u32) -> Option<&str> {
        self.sources.get(&self.start(offset)?.unit).map(String::as_str)
    }

    /// Where that function begins.
    pub(super) fn start(&self, offset: u32) -> Option<&CodeStart> {
        self.functions.range(..=offset).next_back().map(|(_, (start, _))| start)
    }

    fn lines(&mut self, part: &Part<'_, '_>) -> Result<(), gimli::Error> {
        let Some(program) = part.unit.line_program.clone() else { return Ok(()) };
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
                    name = part.text(directory)? + "/";
                }
                name += &part.text(file.path_name())?;
                place.insert(name);
            }
            let file = names.get(&index).cloned().unwrap_or_default();
            self.rows.push((at, Row::At(Place { file, line: line.get() as u32, column })));
        }
        Ok(())
    }

    fn functions(&mut self, part: &Part<'_, '_>) -> Result<(), gimli::Error> {
        let mut entries = part.unit.entries();
        // The function whose children are read, with its address and depth.
        let mut open: Option<(CodeStart, isize, SourceFunction)> = None;
        let Some(unit) = part.offset() else { return Ok(()) };
        if let Some(name) = part.unit.name {
            self.sources.insert(unit, name.to_string_lossy().into_owned());
        }
        while let Some(entry) = entries.next_dfs()? {
            let depth = entry.depth();
            if let Some((start, _, function)) = open.take_if(|(_, level, _)| depth <= *level) {
                self.functions.insert(start.address, (start, function));
            }
            match entry.tag() {
                gimli::DW_TAG_subprogram => {
                    if let Some(AttributeValue::Addr(at)) = entry.attr_value(gimli::DW_AT_low_pc) {
                        let line = entry.attr_value(gimli::DW_AT_decl_line).and_then(|v| v.udata_value());
                        let function = SourceFunction {
                            name: part.name(entry),
                            parameters: Vec::new(),
                            result: part.type_of(entry).ty,
                            line: line.unwrap_or(0) as u32,
                        };
                        let start = CodeStart { address: at as u32, unit, entry: entry.offset().0 };
                        open = Some((start, depth, function));
                    }
                }
                gimli::DW_TAG_formal_parameter => {
                    if let Some((_, level, function)) = &mut open
                        && depth == *level + 1
                    {
                        function.parameters.push((part.name(entry), part.type_of(entry).ty));
                    }
                }
                _ => {}
            }
        }
        if let Some((start, _, function)) = open {
            self.functions.insert(start.address, (start, function));
        }
        Ok(())
    }
}

/// A type of a source by its name in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) name: String,
    /// Unit: bytes.
    pub(crate) size: u64,
    /// Members with names and their places. Unit: bytes.
    pub(crate) members: Vec<(String, u64)>,
}

/// The types with names that a source uses, those inside of functions left out.
pub(crate) fn layouts(sections: &Sections, source: &Path) -> Vec<Layout> {
    let mut all = Vec::new();
    units(RunTimeEndian::Little, section(sections), |part| {
        if part.unit.name.is_some_and(|name| Path::new(&*name.to_string_lossy()) == source) {
            let _ = layouts_of(part, &mut all);
        }
    });
    all
}

pub(super) fn section<'a>(sections: &'a Sections) -> impl Fn(&str) -> &'a [u8] {
    |name| sections.get(name).map_or(&[][..], Vec::as_slice)
}

fn layouts_of(part: &Part<'_, '_>, all: &mut Vec<Layout>) -> Result<(), gimli::Error> {
    let mut entries = part.unit.entries();
    let mut open: Option<(isize, Layout)> = None;
    while let Some(entry) = entries.next_dfs()? {
        let depth = entry.depth();
        if let Some((_, layout)) = open.take_if(|(level, _)| depth <= *level) {
            all.push(layout);
        }
        let number = |name| entry.attr_value(name).and_then(|v| v.udata_value());
        let name = part.name(entry);
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
