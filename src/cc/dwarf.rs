//! DWARF: units, names and types.

use super::types::{SourceType, StructMember};
use gimli::{
    AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, RunTimeEndian, Unit, UnitOffset, constants as dw,
};

type Bytes<'a> = EndianSlice<'a, RunTimeEndian>;
/// An entry of a unit.
pub(super) type Entry<'a> = DebuggingInformationEntry<Bytes<'a>>;

/// How deeply types may be nested. A damaged file may refer in a circle.
const DEEPEST: usize = 16;

/// One unit of the debugging information.
pub(super) struct Part<'d, 'a> {
    dwarf: &'d Dwarf<Bytes<'a>>,
    /// The unit.
    pub(super) unit: Unit<Bytes<'a>>,
}

/// The type of a parameter or a result.
#[derive(Clone, Debug)]
pub(super) struct TypeOf {
    /// What it is.
    pub(super) ty: SourceType,
    /// As C writes it, without names of types and qualifiers.
    pub(super) text: String,
}

/// Looks at each unit of what `section` has by name. A unit that cannot be read is left out, and then the answer is `None`.
pub(super) fn units<'a>(
    endian: RunTimeEndian,
    section: impl Fn(&str) -> &'a [u8],
    mut look: impl FnMut(&Part<'_, 'a>),
) -> Option<()> {
    let load = |id: gimli::SectionId| Ok::<_, gimli::Error>(EndianSlice::new(section(id.name()), endian));
    let dwarf = Dwarf::load(load).ok()?;
    let mut whole = Some(());
    let mut headers = dwarf.units();
    while let Some(header) = headers.next().ok()? {
        match dwarf.unit(header) {
            Ok(unit) => look(&Part { dwarf: &dwarf, unit }),
            Err(_) => whole = None,
        }
    }
    whole
}

/// Looks at the unit that begins at an offset; none where it cannot be read.
pub(super) fn unit_at<'a, T>(
    section: impl Fn(&str) -> &'a [u8],
    offset: usize,
    look: impl FnOnce(&Part<'_, 'a>) -> T,
) -> Option<T> {
    let load =
        |id: gimli::SectionId| Ok::<_, gimli::Error>(EndianSlice::new(section(id.name()), RunTimeEndian::Little));
    let dwarf = Dwarf::load(load).ok()?;
    let header = dwarf.debug_info.header_from_offset(gimli::DebugInfoOffset(offset)).ok()?;
    let unit = dwarf.unit(header).ok()?;
    Some(look(&Part { dwarf: &dwarf, unit }))
}

impl<'a> Part<'_, 'a> {
    /// Where it begins. Unit: bytes of its section.
    pub(super) fn offset(&self) -> Option<usize> {
        self.unit.header.debug_info_offset().map(|offset| offset.0)
    }

    /// The text that an attribute is.
    pub(super) fn text(&self, value: AttributeValue<Bytes<'a>>) -> Result<String, gimli::Error> {
        Ok(self.dwarf.attr_string(&self.unit, value)?.to_string_lossy().into_owned())
    }

    /// Whether an entry has a flag.
    pub(super) fn flag(&self, entry: &Entry<'a>, name: gimli::DwAt) -> bool {
        matches!(entry.attr_value(name), Some(AttributeValue::Flag(true)))
    }

    /// The name of an entry in the source, or of what it completes; empty where there is none.
    pub(super) fn name(&self, entry: &Entry<'a>) -> String {
        self.with_origins(entry, |e| self.named(e, dw::DW_AT_name)).unwrap_or_default()
    }

    fn named(&self, entry: &Entry<'a>, name: gimli::DwAt) -> Option<String> {
        self.text(entry.attr_value(name)?).ok()
    }

    /// What an entry completes: its declaration, or its abstract form.
    fn origin(&self, entry: &Entry<'a>) -> Option<Entry<'a>> {
        let of = |name| self.referred(entry, name);
        of(dw::DW_AT_specification).or_else(|| of(dw::DW_AT_abstract_origin))
    }

    /// What an attribute of an entry refers to.
    pub(super) fn referred(&self, entry: &Entry<'a>, name: gimli::DwAt) -> Option<Entry<'a>> {
        let offset: UnitOffset<usize> = match entry.attr_value(name)? {
            AttributeValue::UnitRef(offset) => offset,
            AttributeValue::DebugInfoRef(offset) => offset.to_unit_offset(&self.unit.header)?,
            _ => return None,
        };
        self.unit.entry(offset).ok()
    }

    /// An entry and what it completes, one after the other.
    fn with_origins<T>(&self, entry: &Entry<'a>, of: impl Fn(&Entry<'a>) -> Option<T>) -> Option<T> {
        let mut entry = entry.clone();
        for _ in 0..DEEPEST {
            if let Some(found) = of(&entry) {
                return Some(found);
            }
            entry = self.origin(&entry)?;
        }
        of(&entry)
    }

    /// Whether a function is one for other files.
    pub(super) fn is_exported(&self, entry: &Entry<'a>) -> bool {
        self.with_origins(entry, |e| self.flag(e, dw::DW_AT_external).then_some(())).is_some()
    }

    /// The name of a function in the library's table of symbols.
    pub(super) fn symbol(&self, entry: &Entry<'a>) -> Option<String> {
        let names = [dw::DW_AT_linkage_name, dw::DW_AT_MIPS_linkage_name, dw::DW_AT_name];
        self.with_origins(entry, |e| names.iter().find_map(|name| self.named(e, *name)))
    }

    /// The type of a parameter or of a function's result.
    pub(super) fn type_of(&self, entry: &Entry<'a>) -> TypeOf {
        self.type_within(entry, DEEPEST)
    }

    fn type_within(&self, entry: &Entry<'a>, depth: usize) -> TypeOf {
        let unknown =
            |text: &str| TypeOf { ty: SourceType::Other("a type that is not known".to_owned()), text: text.to_owned() };
        let Some(of) = self.referred(entry, dw::DW_AT_type) else {
            return match self.origin(entry) {
                Some(origin) if depth > 0 => self.type_within(&origin, depth - 1),
                _ if entry.attr(dw::DW_AT_type).is_none() => TypeOf { ty: SourceType::Void, text: "void".to_owned() },
                _ => unknown("a type of another unit"),
            };
        };
        if depth == 0 {
            return unknown("a type that is nested too deeply");
        }
        let name = self.name(&of);
        let named =
            |kind: &str| if name.is_empty() { format!("{kind}without a name") } else { format!("{kind}{name}") };
        let other = |text: String| TypeOf { ty: SourceType::Other(name.clone()), text };
        let size = of.attr_value(dw::DW_AT_byte_size).and_then(|v| v.udata_value());
        let bytes = size.unwrap_or(0) as u8;
        match of.tag() {
            dw::DW_TAG_typedef => match self.type_within(&of, depth - 1) {
                // What has no name of its own has that one.
                TypeOf { ty: SourceType::Other(own), text } if own.is_empty() => other(text),
                known => known,
            },
            dw::DW_TAG_const_type | dw::DW_TAG_volatile_type | dw::DW_TAG_restrict_type => {
                self.type_within(&of, depth - 1)
            }
            tag @ (dw::DW_TAG_pointer_type | dw::DW_TAG_reference_type) => {
                let TypeOf { ty: target, text } = self.type_within(&of, depth - 1);
                let mark = if tag == dw::DW_TAG_reference_type { '&' } else { '*' };
                let text = if text.ends_with('*') { format!("{text}{mark}") } else { format!("{text} {mark}") };
                let mut to = self.referred(&of, dw::DW_AT_type);
                // The elements of an array are `const`, not the array.
                while let Some(array) = to.as_ref().filter(|to| to.tag() == dw::DW_TAG_array_type) {
                    to = self.referred(array, dw::DW_AT_type);
                }
                let to_const = to.is_some_and(|to| to.tag() == dw::DW_TAG_const_type);
                match tag {
                    dw::DW_TAG_pointer_type => TypeOf { ty: SourceType::Pointer(Box::new(target), to_const), text },
                    _ => other(text),
                }
            }
            dw::DW_TAG_base_type => base(&of, bytes).map_or_else(
                || other(named("")),
                |ty| {
                    let text = match ty {
                        SourceType::Float(8) => "double".to_owned(),
                        SourceType::Float(_) => "float".to_owned(),
                        SourceType::Int { bytes: 4, signed: true } => "int".to_owned(),
                        _ => named(""),
                    };
                    TypeOf { ty, text }
                },
            ),
            dw::DW_TAG_enumeration_type => {
                // C passes and returns it as an int.
                let text = if size == Some(4) { "int".to_owned() } else { named("enum ") };
                TypeOf { ty: SourceType::Int { bytes, signed: true }, text }
            }
            dw::DW_TAG_array_type => {
                let TypeOf { ty, text } = self.type_within(&of, depth - 1);
                TypeOf { ty: SourceType::Array(Box::new(ty), self.sizes_of(&of)), text: format!("{text} []") }
            }
            dw::DW_TAG_structure_type => other(named("struct ")),
            dw::DW_TAG_union_type => other(named("union ")),
            _ => other("another type".to_owned()),
        }
    }
}

impl<'a> Part<'_, 'a> {
    /// The members of the structure that a parameter or a result is or points to, if all of them are numbers or arrays of numbers,
    /// each in the place that C gives it.
    pub(super) fn members_of(&self, entry: &Entry<'a>) -> Option<Vec<StructMember>> {
        let mut of = self.referred(entry, dw::DW_AT_type)?;
        for _ in 0..DEEPEST {
            match of.tag() {
                dw::DW_TAG_structure_type => break,
                dw::DW_TAG_typedef | dw::DW_TAG_const_type | dw::DW_TAG_volatile_type | dw::DW_TAG_pointer_type => {
                    of = self.referred(&of, dw::DW_AT_type)?;
                }
                _ => return None,
            }
        }
        let number = |entry: &Entry<'a>, name| entry.attr_value(name).and_then(|v| v.udata_value());
        let (own, mut members, mut end, mut widest) = (self.name(&of), Vec::new(), 0u64, 1u64);
        let mut tree = self.unit.entries_tree(Some(of.offset())).ok()?;
        let mut children = tree.root().ok()?.children();
        while let Some(child) = children.next().ok()? {
            let child = child.entry();
            let name = self.name(child);
            match child.tag() {
                dw::DW_TAG_member if !self.flag(child, dw::DW_AT_external) => {
                    let (ty, count) = self.numbers_of(child)?;
                    let size = match ty {
                        SourceType::Float(bytes) | SourceType::Int { bytes, .. } => u64::from(bytes),
                        _ => 1,
                    };
                    // Bit fields and packed structures have other places.
                    let at = end.next_multiple_of(size);
                    if number(child, dw::DW_AT_data_member_location) != Some(at)
                        || child.attr(dw::DW_AT_bit_size).is_some()
                    {
                        return None;
                    }
                    (end, widest) = (at + size * count as u64, widest.max(size));
                    members.push(StructMember { name, ty, count });
                }
                // What C++ copies by a function is not passed as C does.
                dw::DW_TAG_inheritance => return None,
                dw::DW_TAG_subprogram if name == own || name.starts_with('~') => return None,
                _ => {}
            }
        }
        let is_whole = number(&of, dw::DW_AT_byte_size) == Some(end.next_multiple_of(widest));
        (is_whole && !members.is_empty()).then_some(members)
    }

    /// The type of a member that is a number or an array of numbers, and how many there are.
    fn numbers_of(&self, member: &Entry<'a>) -> Option<(SourceType, usize)> {
        let is_number =
            |ty: &SourceType| matches!(ty, SourceType::Float(_) | SourceType::Int { .. } | SourceType::Bool);
        let own = self.type_of(member).ty;
        if is_number(&own) {
            return Some((own, 1));
        }
        let mut array = self.referred(member, dw::DW_AT_type)?;
        while array.tag() == dw::DW_TAG_typedef || array.tag() == dw::DW_TAG_const_type {
            array = self.referred(&array, dw::DW_AT_type)?;
        }
        let element = self.type_of(&array).ty;
        if array.tag() != dw::DW_TAG_array_type || !is_number(&element) {
            return None;
        }
        let count = self.sizes_of(&array).into_iter().try_fold(1usize, usize::checked_mul)?;
        (count > 0).then_some((element, count))
    }

    /// How many elements an array has along each dimension; 0 where that does not stand in the text.
    fn sizes_of(&self, array: &Entry<'a>) -> Vec<usize> {
        let mut sizes = Vec::new();
        let Ok(mut tree) = self.unit.entries_tree(Some(array.offset())) else { return sizes };
        let Ok(root) = tree.root() else { return sizes };
        let mut dimensions = root.children();
        while let Ok(Some(dimension)) = dimensions.next() {
            let value = |name| dimension.entry().attr_value(name).and_then(|v| v.udata_value());
            let size = value(dw::DW_AT_count).or_else(|| value(dw::DW_AT_upper_bound)?.checked_add(1));
            sizes.push(size.and_then(|size| usize::try_from(size).ok()).unwrap_or(0));
        }
        sizes
    }
}

/// The number that a base type is, if it is one that programs are called with.
pub(super) fn base(of: &Entry<'_>, bytes: u8) -> Option<SourceType> {
    let Some(AttributeValue::Encoding(encoding)) = of.attr_value(dw::DW_AT_encoding) else { return None };
    match encoding {
        dw::DW_ATE_float if bytes == 4 || bytes == 8 => Some(SourceType::Float(bytes)),
        dw::DW_ATE_signed | dw::DW_ATE_signed_char => Some(SourceType::Int { bytes, signed: true }),
        dw::DW_ATE_unsigned | dw::DW_ATE_unsigned_char => Some(SourceType::Int { bytes, signed: false }),
        dw::DW_ATE_boolean if bytes == 1 => Some(SourceType::Bool),
        _ => None,
    }
}
