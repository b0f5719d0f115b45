//! The types of functions that are called through pointers, those of C++'s virtual functions among them.

use super::{DEEPEST, PointerShape, Reader, RecordShape, TypeShape};
use crate::cc::dwarf::Entry;
use gimli::{AttributeValue, constants as dw};

/// The type of a function that is called through a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionTypeShape {
    /// The types of its parameters.
    pub parameters: Vec<TypeShape>,
    /// That of its result.
    pub result: Box<TypeShape>,
    /// Whether further arguments may follow.
    pub is_variadic: bool,
}

impl<'a> Reader<'_, '_, 'a> {
    /// A virtual function that a class declares, by its place in the table.
    pub(super) fn virtual_method(&self, entry: &Entry<'a>) -> Option<(String, u64, TypeShape)> {
        let Some(AttributeValue::Exprloc(place)) = entry.attr_value(dw::DW_AT_vtable_elem_location) else {
            return None;
        };
        let mut operations = place.operations(self.part.unit.encoding());
        let Ok(Some(gimli::Operation::UnsignedConstant { value })) = operations.next() else { return None };
        let (name, shape) = (self.part.name(entry), self.function_type(entry));
        // Where a destructor stands is not said.
        let at = if name.starts_with('~') { UNKNOWN_PLACE } else { 8 * value };
        let to = PointerShape { to: Box::new(TypeShape::Function(shape)), is_const: false, is_reference: true };
        Some((name, at, TypeShape::Pointer(to)))
    }

    /// A function by its type; of a method the object is the first parameter.
    pub(super) fn function_type(&self, of: &Entry<'a>) -> FunctionTypeShape {
        let (mut parameters, mut is_variadic) = (Vec::new(), false);
        if let Ok(mut tree) = self.part.unit.entries_tree(Some(of.offset()))
            && let Ok(root) = tree.root()
        {
            let mut children = root.children();
            while let Ok(Some(child)) = children.next() {
                match child.entry().tag() {
                    dw::DW_TAG_formal_parameter => parameters.push(self.simple(child.entry(), DEEPEST)),
                    dw::DW_TAG_unspecified_parameters => is_variadic = true,
                    _ => {}
                }
            }
        }
        FunctionTypeShape { parameters, result: Box::new(self.simple(of, DEEPEST)), is_variadic }
    }

    /// A number, or a pointer to one or to what is not looked into: what a function that is called through a pointer takes.
    fn simple(&self, entry: &Entry<'a>, depth: usize) -> TypeShape {
        let Some(of) = self.part.referred(entry, dw::DW_AT_type) else { return TypeShape::Void };
        match of.tag() {
            _ if depth == 0 => TypeShape::Unknown("a type that is nested too deeply".to_owned(), 0),
            dw::DW_TAG_typedef
            | dw::DW_TAG_const_type
            | dw::DW_TAG_volatile_type
            | dw::DW_TAG_restrict_type
            | dw::DW_TAG_atomic_type => self.simple(&of, depth - 1),
            dw::DW_TAG_base_type | dw::DW_TAG_enumeration_type => self.shape(&of, 1, 0),
            tag @ (dw::DW_TAG_pointer_type | dw::DW_TAG_reference_type | dw::DW_TAG_rvalue_reference_type) => {
                let to = self.part.referred(&of, dw::DW_AT_type);
                TypeShape::Pointer(PointerShape {
                    to: Box::new(self.simple(&of, depth - 1)),
                    is_const: to.is_some_and(|to| to.tag() == dw::DW_TAG_const_type),
                    is_reference: tag != dw::DW_TAG_pointer_type,
                })
            }
            _ => TypeShape::Unknown("another type".to_owned(), 0),
        }
    }
}

/// The name of a table of virtual functions.
pub const VIRTUAL: &str = "virtual functions";

/// The place of a destructor, until all others are known.
const UNKNOWN_PLACE: u64 = u64::MAX;

/// A pointer to a table of virtual functions.
pub(super) fn virtual_functions(members: Vec<(String, u64, TypeShape)>) -> TypeShape {
    let bytes = members.iter().map(|(_, at, _)| at + 8).max().unwrap_or(0);
    let table = TypeShape::Record(RecordShape { name: VIRTUAL.to_owned(), members, bytes, is_union: false });
    TypeShape::Pointer(PointerShape { to: Box::new(table), is_const: true, is_reference: true })
}

/// Gives a destructor that a class is the first to declare the first two places in a row that no other function has: the one for
/// objects as such, and the one that gives their memory back.
fn place_destructor(all: &mut Vec<(String, u64, TypeShape)>, is_known: bool) {
    let Some(found) = all.iter().position(|(_, at, _)| *at == UNKNOWN_PLACE) else { return };
    let (name, _, shape) = all.remove(found);
    let is_free = |at: u64| !all.iter().any(|(_, own, _)| *own == at);
    if let Some(at) = (0..).map(|k| 8 * k).find(|at| is_free(*at) && is_free(at + 8)).filter(|_| !is_known) {
        all.extend([at, at + 8].map(|at| (name.clone(), at, shape.clone())));
    }
}

/// Adds functions to the table at the head of an object; those of a class come after those of its base, or replace them.
pub(super) fn add_virtual(members: &mut [(String, u64, TypeShape)], methods: Vec<(String, u64, TypeShape)>) {
    if methods.is_empty() {
        return;
    }
    match members.iter_mut().find(|(_, at, _)| *at == 0) {
        Some((_, _, TypeShape::Record(base))) => add_virtual(&mut base.members, methods),
        Some((_, _, shape)) => {
            if let TypeShape::Pointer(pointer) = shape
                && let TypeShape::Record(table) = &mut *pointer.to
                && table.name == VIRTUAL
            {
                table.members.retain(|(_, at, _)| !methods.iter().any(|(_, own, _)| own == at));
                let mut all = std::mem::take(&mut table.members);
                let has_destructor = all.iter().any(|(name, ..)| name.starts_with('~'));
                all.extend(methods);
                place_destructor(&mut all, has_destructor);
                *shape = virtual_functions(all);
            }
        }
        None => {}
    }
}
