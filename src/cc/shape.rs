//! How a function's parameters and its result lie in memory, as debugging information has it.

pub mod function_types;

use super::dwarf::{Entry, Part};
use super::types::SourceType;
use function_types::{FunctionTypeShape, add_virtual, virtual_functions};
use gimli::{AttributeValue, constants as dw};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// A type with its layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeShape {
    /// A number, a truth value or an enumeration, with its name in the source where it has one.
    Number(SourceType, String),
    /// Elements one after the other.
    Array(Box<TypeShape>, u64),
    /// A structure, a class, a union or a complex number.
    Record(RecordShape),
    /// A pointer or a reference.
    Pointer(PointerShape),
    /// What a pointer to a function leads to.
    Function(FunctionTypeShape),
    /// A member of some bits.
    Bits(BitFieldShape),
    /// Something else of so many bytes; with what it is.
    Unknown(String, u64),
    /// `void`.
    Void,
}

impl TypeShape {
    /// The same where another type may have been written to the same place: truth values are bytes of any value.
    fn of_any_bits(self) -> TypeShape {
        match self {
            TypeShape::Number(SourceType::Bool, name) => {
                TypeShape::Number(SourceType::Int { bytes: 1, signed: false }, name)
            }
            TypeShape::Array(of, count) => TypeShape::Array(Box::new(of.of_any_bits()), count),
            TypeShape::Record(record) => {
                let members = record.members.into_iter().map(|(name, at, shape)| (name, at, shape.of_any_bits()));
                TypeShape::Record(RecordShape { members: members.collect(), ..record })
            }
            other => other,
        }
    }
}

/// A structure, a class, a union or a complex number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordShape {
    /// As its source calls it; empty where it has no name.
    pub name: String,
    /// Members with their names and places. Unit: bytes.
    pub members: Vec<(String, u64, TypeShape)>,
    /// Its size.
    pub bytes: u64,
    /// Whether only one of its members is there at a time.
    pub is_union: bool,
}

/// A bit-field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitFieldShape {
    /// Its type.
    pub of: SourceType,
    /// Where it begins in its first byte, from the lowest bit on: 0 to 7.
    pub from: u8,
    /// How many bits it has.
    pub width: u8,
}

/// A pointer or a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointerShape {
    /// What it leads to.
    pub to: Box<TypeShape>,
    /// Whether that is `const`.
    pub is_const: bool,
    /// Whether it is a reference of C++, which always leads somewhere.
    pub is_reference: bool,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeParameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub shape: TypeShape,
    /// Whether the compiler made it: the object of a method.
    pub is_object: bool,
}

/// A function as the source has it, with layouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionShape {
    /// Its name in the source, with the namespaces and classes around it.
    pub name: String,
    /// Its name among symbols.
    pub symbol: String,
    /// Its parameters.
    pub parameters: Vec<ShapeParameter>,
    /// Its result.
    pub result: TypeShape,
    /// Whether it is a constructor.
    pub is_constructor: bool,
    /// Where its declaration begins.
    pub line: u32,
}

/// What was read of a module's layouts by now: many functions ask for the same.
#[derive(Debug, Default)]
pub(crate) struct LayoutMemo {
    /// The names of namespaces and classes by entry, for each unit by its offset.
    pub(super) scopes: Mutex<HashMap<usize, Arc<HashMap<usize, String>>>>,
    /// The structures that variables of a function point to, by where its code begins.
    pub(super) pointed: Mutex<HashMap<u32, Arc<Vec<TypeShape>>>>,
}

/// How deeply types are looked into.
pub(super) const DEEPEST: usize = 12;
/// How deeply what pointers lead to is looked into: beyond it is memory without members.
pub(super) const POINTERS: usize = 3;

impl TypeShape {
    /// Its size; nothing has none.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match self {
            TypeShape::Number(SourceType::Float(bytes) | SourceType::Int { bytes, .. }, _) => (*bytes).into(),
            TypeShape::Number(..) => 1,
            TypeShape::Array(of, count) => of.bytes().saturating_mul(*count),
            TypeShape::Record(record) => record.bytes,
            TypeShape::Pointer(_) => 8,
            TypeShape::Bits(bits) => u64::from((bits.from + bits.width).div_ceil(8)),
            TypeShape::Unknown(_, bytes) => *bytes,
            TypeShape::Void | TypeShape::Function(_) => 0,
        }
    }
}

impl FunctionShape {
    /// Whether a parameter of this name is a pointer to what is `const`.
    #[must_use]
    pub fn is_const(&self, name: &str) -> bool {
        let is_const = |p: &ShapeParameter| matches!(&p.shape, TypeShape::Pointer(to) if to.is_const);
        self.parameters.iter().any(|p| p.name == name && is_const(p))
    }
}

/// Reads the types of a unit.
pub(super) struct Reader<'p, 'd, 'a> {
    pub(super) part: &'p Part<'d, 'a>,
    /// For each entry inside of namespaces and classes the names of these.
    pub(super) scopes: Arc<HashMap<usize, String>>,
}

impl<'a> Reader<'_, '_, 'a> {
    /// The type of a parameter, a member or a result.
    pub(super) fn of(&self, entry: &Entry<'a>, depth: usize, pointers: usize) -> TypeShape {
        match self.part.referred(entry, dw::DW_AT_type) {
            Some(of) if depth > 0 => self.shape(&of, depth - 1, pointers),
            Some(_) => TypeShape::Unknown("a type that is nested too deeply".to_owned(), 0),
            None => {
                let origin = |name| self.part.referred(entry, name);
                match origin(dw::DW_AT_abstract_origin).or_else(|| origin(dw::DW_AT_specification)) {
                    Some(origin) if depth > 0 => self.of(&origin, depth - 1, pointers),
                    _ => TypeShape::Void,
                }
            }
        }
    }

    fn spelled(&self, of: &Entry<'a>) -> String {
        let name = self.part.name(of);
        match self.scopes.get(&of.offset().0) {
            Some(scope) if !name.is_empty() => format!("{scope}::{name}"),
            _ => name,
        }
    }

    pub(super) fn shape(&self, of: &Entry<'a>, depth: usize, pointers: usize) -> TypeShape {
        let bytes = of.attr_value(dw::DW_AT_byte_size).and_then(|v| v.udata_value()).unwrap_or(0);
        match of.tag() {
            dw::DW_TAG_typedef => match self.of(of, depth, pointers) {
                TypeShape::Record(record) if record.name.is_empty() => {
                    TypeShape::Record(RecordShape { name: self.spelled(of), ..record })
                }
                TypeShape::Number(ty, name) if name.is_empty() => TypeShape::Number(ty, self.spelled(of)),
                other => other,
            },
            dw::DW_TAG_const_type | dw::DW_TAG_volatile_type | dw::DW_TAG_restrict_type | dw::DW_TAG_atomic_type => {
                self.of(of, depth, pointers)
            }
            tag @ (dw::DW_TAG_pointer_type | dw::DW_TAG_reference_type | dw::DW_TAG_rvalue_reference_type) => {
                let to = self.part.referred(of, dw::DW_AT_type);
                let is_const = to.as_ref().is_some_and(|to| to.tag() == dw::DW_TAG_const_type);
                let to = if pointers == 0 { TypeShape::Void } else { self.of(of, depth, pointers - 1) };
                TypeShape::Pointer(PointerShape {
                    to: Box::new(to),
                    is_const,
                    is_reference: tag != dw::DW_TAG_pointer_type,
                })
            }
            dw::DW_TAG_base_type => self.number(of, bytes),
            dw::DW_TAG_enumeration_type => {
                let head = if self.is_c() { "enum " } else { "" };
                let name = self.spelled(of);
                let name = if name.is_empty() { name } else { format!("{head}{name}") };
                // Where nothing narrower is said it is an int; a narrower one is handed over with the sign of its own type.
                let signed = match self.of(of, depth, pointers) {
                    TypeShape::Number(SourceType::Int { signed, .. }, _) if bytes < 4 => signed,
                    _ => bytes >= 4,
                };
                TypeShape::Number(SourceType::Int { bytes: bytes as u8, signed }, name)
            }
            dw::DW_TAG_structure_type | dw::DW_TAG_class_type => self.record(of, "struct ", bytes, (depth, pointers)),
            dw::DW_TAG_union_type => self.record(of, "union ", bytes, (depth, pointers)),
            dw::DW_TAG_array_type => self.array(of, depth, pointers),
            dw::DW_TAG_subroutine_type => TypeShape::Function(self.function_type(of)),
            _ => TypeShape::Unknown("another type".to_owned(), bytes),
        }
    }

    fn is_c(&self) -> bool {
        super::prototype::is_c(self.part)
    }

    fn number(&self, of: &Entry<'a>, bytes: u64) -> TypeShape {
        let float = |bytes| match bytes {
            16 => long_double(),
            _ => TypeShape::Number(SourceType::Float(bytes as u8), String::new()),
        };
        let encoding = of.attr_value(dw::DW_AT_encoding);
        if let (Some(AttributeValue::Encoding(dw::DW_ATE_float)), 16, "long double") =
            (encoding, bytes, &*self.part.name(of))
        {
            return long_double();
        }
        if let Some(AttributeValue::Encoding(dw::DW_ATE_complex_float)) = of.attr_value(dw::DW_AT_encoding) {
            let (half, name) = match bytes {
                8 => (float(4), "float _Complex"),
                16 => (float(8), "double _Complex"),
                32 => (float(16), "long double _Complex"),
                _ => return TypeShape::Unknown("`long double _Complex`".to_owned(), bytes),
            };
            let members = vec![("re".to_owned(), 0, half.clone()), ("im".to_owned(), bytes / 2, half)];
            return TypeShape::Record(RecordShape { name: name.to_owned(), members, bytes, is_union: false });
        }
        match super::dwarf::base(of, bytes as u8) {
            Some(ty) => TypeShape::Number(ty, String::new()),
            None => TypeShape::Unknown(format!("`{}`", self.part.name(of)), bytes),
        }
    }

    fn record(&self, of: &Entry<'a>, head: &str, bytes: u64, (depth, pointers): (usize, usize)) -> TypeShape {
        let name = self.spelled(of);
        if self.part.flag(of, dw::DW_AT_declaration) || depth == 0 {
            return TypeShape::Unknown(format!("`{name}`, of which nothing is known"), bytes);
        }
        let mut members: Vec<(String, u64, TypeShape)> = Vec::new();
        let mut methods: Vec<(String, u64, TypeShape)> = Vec::new();
        let is_union = of.tag() == dw::DW_TAG_union_type;
        if let Ok(mut tree) = self.part.unit.entries_tree(Some(of.offset()))
            && let Ok(root) = tree.root()
        {
            let mut children = root.children();
            while let Ok(Some(child)) = children.next() {
                let child = child.entry();
                let number = |name| child.attr_value(name).and_then(|v| v.udata_value());
                methods.extend(self.virtual_method(child));
                members.extend(self.bit_field(child, depth));
                let is_base = child.tag() == dw::DW_TAG_inheritance;
                let is_member = child.tag() == dw::DW_TAG_member && child.attr(dw::DW_AT_bit_size).is_none();
                // Variables of a class are no members of its objects; virtual bases have no place of their own.
                let at = if is_union {
                    Some(number(dw::DW_AT_data_member_location).unwrap_or(0))
                } else {
                    number(dw::DW_AT_data_member_location)
                };
                if let Some(at) = at.filter(|_| is_base || is_member) {
                    let (name, shape) = match self.part.name(child) {
                        // The pointer to the virtual functions that the compiler adds.
                        name if name.starts_with("_vptr") => (String::new(), virtual_functions(Vec::new())),
                        name => (name, self.of(child, depth, pointers)),
                    };
                    members.push((name, at, if is_union { shape.of_any_bits() } else { shape }));
                }
            }
        }
        add_virtual(&mut members, methods);
        let head = if self.is_c() { head } else { "" };
        let name = if name.is_empty() { name } else { format!("{head}{name}") };
        TypeShape::Record(RecordShape { name, members, bytes, is_union })
    }

    /// A bit-field among the members of a structure, with the byte in which it begins.
    fn bit_field(&self, member: &Entry<'a>, depth: usize) -> Option<(String, u64, TypeShape)> {
        let number = |name| member.attr_value(name).and_then(|v| v.udata_value());
        let width = number(dw::DW_AT_bit_size)?;
        // Before DWARF 4 it is said how many bits of its unit are above it.
        let below = || {
            let unit = 8 * (number(dw::DW_AT_data_member_location)? + number(dw::DW_AT_byte_size)?);
            // Of a packed one that begins in one unit and ends in the next it is negative.
            u64::try_from(unit as i64 - number(dw::DW_AT_bit_offset)? as i64 - width as i64).ok()
        };
        let at = number(dw::DW_AT_data_bit_offset).or_else(below)?;
        let TypeShape::Number(of, _) = self.of(member, depth, 0) else { return None };
        let from = at % 8;
        let bits = BitFieldShape { of, from: from as u8, width: width as u8 };
        (width > 0 && from + width <= 64).then(|| (self.part.name(member), at / 8, TypeShape::Bits(bits)))
    }

    fn array(&self, of: &Entry<'a>, depth: usize, pointers: usize) -> TypeShape {
        let mut counts = Vec::new();
        if let Ok(mut tree) = self.part.unit.entries_tree(Some(of.offset()))
            && let Ok(root) = tree.root()
        {
            let mut children = root.children();
            while let Ok(Some(child)) = children.next() {
                let number = |name| child.entry().attr_value(name).and_then(|v| v.udata_value());
                let upper = || number(dw::DW_AT_upper_bound).map(|n| n.wrapping_add(1));
                counts.push(number(dw::DW_AT_count).or_else(upper).unwrap_or(0));
            }
        }
        counts.iter().rev().fold(self.of(of, depth, pointers), |of, count| TypeShape::Array(Box::new(of), *count))
    }
}

/// A `long double` of 80 bits by its two parts.
fn long_double() -> TypeShape {
    let part = |name: &str, at, bytes| {
        (name.to_owned(), at, TypeShape::Number(SourceType::Int { bytes, signed: false }, String::new()))
    };
    let members = vec![part("significand", 0, 8), part("exponent", 8, 2)];
    TypeShape::Record(RecordShape { name: "long double".to_owned(), members, bytes: 16, is_union: false })
}

/// The length that the source gives a parameter which is an array: the number after its name.
#[must_use]
pub fn declared_length(text: &str, line: u32, name: &str) -> Option<u32> {
    let lines = text.lines().skip(line.saturating_sub(1) as usize).take(30);
    for line in lines {
        for (at, _) in line.match_indices(name).filter(|_| !name.is_empty()) {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let rest = line[at + name.len()..].trim_start();
            if line[..at].ends_with(is_word) {
                continue;
            }
            if let Some(count) = rest.strip_prefix('[').and_then(|r| r.split(']').next()) {
                return count.trim().trim_start_matches("static").trim().parse().ok().filter(|n| *n > 0);
            }
        }
        if line.starts_with('{') || line.trim_end().ends_with('{') {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_arrays_are_read_from_declarations() {
        let text = "int x;\nvoid f(double ap[2], double p[ 3 ],\n       const int n[static 4], double *q, double r[])\n{\n    p[7] = 0;\n";
        let length = |name| declared_length(text, 2, name);
        assert_eq!(
            [length("p"), length("n"), length("q"), length("r"), length("ap")],
            [Some(3), Some(4), None, None, Some(2)]
        );
    }
}
