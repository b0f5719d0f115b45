//! What pointers lead to, and the numbers of types: objects in memory with their inputs.

use super::{
    Arranger, LIST, MOST_INPUTS, MOST_NUMBERS, MOST_OBJECTS, MOST_ROOM, OPEN, OPEN_RECORDS, Owner, PendingPointer,
    ROOM, RecordPlace, UNKNOWN, may_lead_nowhere,
};
use crate::cc::SourceType;
use crate::cc::shape::function_types::{FunctionTypeShape, VIRTUAL};
use crate::cc::shape::{BitFieldShape, PointerShape, RecordShape, TypeShape};
use crate::code::input::{CodeInput, kind_of};
use crate::code::objects::{BitField, ObjectField, ObjectLink, after};
use crate::code::stubs::{HEAD, Stub};
use crate::floats::BitsKind;

impl Arranger<'_> {
    pub(super) fn input(&mut self, name: String, kind: BitsKind) -> Option<usize> {
        let is_wanted = self.wishes.only.as_ref().is_none_or(|only| only.contains(&name));
        let most = if self.wishes.only.is_some() { MOST_INPUTS } else { MOST_NUMBERS };
        (self.out.inputs.len() < most && is_wanted).then(|| {
            self.out.inputs.push(CodeInput { name, kind });
            self.out.inputs.len() - 1
        })
    }

    /// What a pointer leads to; none for functions.
    pub(super) fn target(&mut self, name: &str, pointer: &PointerShape) -> Option<usize> {
        let bytes = pointer.to.bytes();
        let elements = self.wishes.elements.get(name).copied();
        match &*pointer.to {
            TypeShape::Void if pointer.is_reference => None,
            TypeShape::Number(..) | TypeShape::Array(..) | TypeShape::Record(_) if pointer.is_reference => {
                let object = self.object(name, bytes, false);
                self.leaves(name, &pointer.to, (object, 0), true);
                Some(object)
            }
            TypeShape::Number(ty, _) => {
                let kind = kind_of(ty)?;
                let count = elements.unwrap_or(OPEN);
                // Of bytes there are as many as of longer numbers.
                let room = if bytes == 1 { UNKNOWN } else { self.room(name) };
                let object = self.object(name, bytes * u64::from(count.max(room)), false);
                if elements.is_none() {
                    self.out.open.push((name.to_owned(), object, bytes as u32));
                }
                for k in 0..count.max(room) {
                    let input = if k < count { self.input(format!("{name}[{k}]"), kind) } else { None };
                    self.out.call.objects[object].fields.push(ObjectField {
                        at: k * bytes as u32,
                        kind,
                        input,
                        is_significand: false,
                    });
                }
                Some(object)
            }
            TypeShape::Function(ty) => self.stub(name, ty),
            TypeShape::Void | TypeShape::Unknown(..) => {
                let byte = TypeShape::Number(SourceType::Int { bytes: 1, signed: false }, String::new());
                let to = self.wishes.types.get(name).cloned();
                let object = match (to, &*pointer.to) {
                    (None, TypeShape::Unknown(..)) => self.object(name, UNKNOWN.into(), false),
                    (to, _) => {
                        let to = Box::new(to.unwrap_or(byte));
                        self.target(name, &PointerShape { to, is_reference: false, ..pointer.clone() })?
                    }
                };
                self.out.untyped.push((name.to_owned(), object));
                Some(object)
            }
            TypeShape::Record(record) if flexible(record).is_some() => {
                let (member, from, of) = flexible(record)?;
                let size = of.bytes() as u32;
                let object = self.object(name, (u64::from(from) + u64::from(TAIL * size)).max(bytes), false);
                self.leaves(name, &pointer.to, (object, 0), true);
                let behind = self.out.call.objects[object].fields.iter().map(|f| f.at).max();
                for k in 0..TAIL {
                    // What is in the structure itself is there already.
                    let at = from + k * size;
                    if behind.is_none_or(|last| last < at) {
                        self.leaves(&format!("{name}.{member}[{k}]"), of, (object, at), true);
                    }
                }
                Some(object)
            }
            to => {
                let is_record = matches!(to, TypeShape::Record(_));
                let count = elements.unwrap_or(if is_record { OPEN_RECORDS } else { OPEN });
                let room = u64::from(count.max(if bytes < 256 { self.room(name) } else { OPEN }));
                let object = self.object(name, bytes * room, false);
                if elements.is_none() {
                    self.out.open.push((name.to_owned(), object, bytes as u32));
                }
                for k in 0..room as u32 {
                    let element = if is_record && k == 0 { name.to_owned() } else { format!("{name}[{k}]") };
                    // Pointers of elements beyond the first lead nowhere.
                    let to_pointers = k == 0 || !is_record;
                    self.leaves_of(&element, to, (object, k * bytes as u32), (k < count, to_pointers && k < count));
                }
                Some(object)
            }
        }
    }

    /// How many elements memory behind a pointer has room for.
    fn room(&self, name: &str) -> u32 {
        self.wishes.rooms.get(name).copied().unwrap_or(ROOM)
    }

    /// A stub in the place of a function of the caller's; none for types that are not followed.
    fn stub(&mut self, pointer: &str, ty: &FunctionTypeShape) -> Option<usize> {
        let name = format!("{pointer}()");
        let slots = self.wishes.elements.get(&name).copied().unwrap_or(OPEN).max(1);
        let stub = Stub::of(ty, slots)?;
        let object = self.object(&name, stub.bytes().into(), true);
        let results = stub.result().map(|kind| (name.clone(), HEAD, kind));
        let doubles = stub.writes().then(|| (format!("{name}.written"), stub.doubles(), BitsKind::F64));
        for (name, from, kind) in results.into_iter().chain(doubles) {
            for k in 0..slots {
                let input = self.input(format!("{name}[{k}]"), kind);
                let field = ObjectField { at: from + 8 * k, kind, input, is_significand: false };
                self.out.call.objects[object].fields.push(field);
            }
        }
        self.out.call.objects[object].stub = Some(stub);
        Some(object)
    }

    pub(super) fn leaves(&mut self, name: &str, shape: &TypeShape, place: (usize, u32), are_inputs: bool) {
        self.leaves_of(name, shape, place, (are_inputs, are_inputs));
    }

    /// The numbers of a type, each with its name.
    fn leaves_of(&mut self, name: &str, shape: &TypeShape, (object, at): (usize, u32), how: (bool, bool)) {
        let (are_inputs, has_targets) = how;
        if u64::from(at) + shape.bytes() > u64::from(self.out.call.objects[object].bytes) {
            return;
        }
        match shape {
            TypeShape::Number(ty, _) => {
                let Some(kind) = kind_of(ty) else { return };
                let input = if are_inputs { self.input(name.to_owned(), kind) } else { None };
                self.out.call.objects[object].fields.push(ObjectField { at, kind, input, is_significand: false });
            }
            TypeShape::Bits(bits) => {
                let Some(kind) = bits_kind(bits) else { return };
                let Some(input) = Some(()).filter(|()| are_inputs).and_then(|()| self.input(name.to_owned(), kind))
                else {
                    return;
                };
                let (from, width) = (bits.from.into(), bits.width.into());
                self.out.call.objects[object].bit_fields.push(BitField { at, from, width, input });
            }
            TypeShape::Array(of, count) => {
                // Numbers behind a long array count, too.
                let most = if *count > MOST_INPUTS as u64 { ROOM } else { *count as u32 };
                for k in 0..(*count).min(4096) as u32 {
                    let place = (object, at + k * of.bytes() as u32);
                    let how = (are_inputs && k < most, has_targets && k < 4);
                    self.leaves_of(&format!("{name}[{k}]"), of, place, how);
                }
            }
            TypeShape::Record(record) => {
                self.has_list |= record.name.ends_with(LIST);
                if has_targets && !record.name.is_empty() {
                    let (name, record) = (name.to_owned(), record.name.clone());
                    self.out.records.push(RecordPlace { name, record, object, at });
                }
                let first = self.out.call.objects[object].fields.len();
                let full = |member: &str| if member.is_empty() { name.to_owned() } else { format!("{name}.{member}") };
                let members = match record.is_union {
                    true => self.chosen(&record.members, full),
                    false => &record.members[..],
                };
                for (member, offset, shape) in members {
                    self.leaves_of(&full(member), shape, (object, at + *offset as u32), how);
                }
                if let Some(field) = self.out.call.objects[object].fields.get_mut(first)
                    && record.name == "long double"
                {
                    field.is_significand = true;
                }
            }
            TypeShape::Pointer(pointer) if has_targets => {
                let found = PendingPointer { name: name.to_owned(), pointer: pointer.clone(), object, at };
                // Functions belong to what points to them, a table of virtual ones, too.
                match *pointer.to {
                    TypeShape::Function(_) => self.pending.push_front(found),
                    TypeShape::Record(ref table) if table.name == VIRTUAL => self.pending.push_front(found),
                    _ => self.pending.push_back(found),
                }
            }
            _ => {}
        }
    }

    /// The member of a union that is asked for, else its first one.
    fn chosen<'m>(
        &mut self,
        members: &'m [(String, u64, TypeShape)],
        full: impl Fn(&str) -> String,
    ) -> &'m [(String, u64, TypeShape)] {
        let names: Vec<String> = members.iter().map(|(member, ..)| without_places(&full(member))).collect();
        let asked = names.iter().position(|name| self.wishes.members.contains(name)).unwrap_or(0);
        self.out.of_unions.extend(names);
        members.get(asked..=asked).unwrap_or_default()
    }

    /// Makes the objects that pointers in objects lead to.
    pub(super) fn follow_pointers(&mut self) {
        while let Some(PendingPointer { name, pointer, object, at }) = self.pending.pop_front() {
            let objects = &self.out.call.objects;
            let room: u64 = objects.iter().map(|o| u64::from(after(0, o.bytes))).sum();
            let others = objects.iter().filter(|o| o.stub.is_none()).count();
            if others >= MOST_OBJECTS || room >= MOST_ROOM {
                break;
            }
            let Some(to) = self.target(&name, &pointer) else { continue };
            let links = &mut self.out.call.objects[object].links;
            links.push(ObjectLink { at, object: to, choice: None });
            if may_lead_nowhere(&pointer) {
                let place = links.len() - 1;
                self.choices.push((name, Owner::Link(object, place)));
            }
        }
    }
}

/// The elements of an array at the end of a structure that has no length.
const TAIL: u32 = 16;

/// The last member of a structure if it is an array that goes on behind the structure: one without a length, or of one character. Its
/// name, its place, and what it is of.
fn flexible(record: &RecordShape) -> Option<(&str, u32, &TypeShape)> {
    let (member, offset, shape) = record.members.last().filter(|_| !record.is_union)?;
    let TypeShape::Array(of, count) = shape else { return None };
    let is_open = *count == 0 || (*count == 1 && of.bytes() == 1);
    (is_open && matches!(**of, TypeShape::Number(..))).then_some((member, *offset as u32, of))
}

/// What the values of a bit-field are: a truth value where it has one bit and no sign, else an integer that has room for its bits.
fn bits_kind(bits: &BitFieldShape) -> Option<BitsKind> {
    let signed = match bits.of {
        SourceType::Bool => false,
        SourceType::Int { signed, .. } => signed,
        _ => return None,
    };
    let bytes = u32::from(bits.width).div_ceil(8).next_power_of_two() as u8;
    Some(if bits.width == 1 && !signed { BitsKind::Bool } else { BitsKind::Int { bytes, signed } })
}

/// A name without places in arrays: `p.v[2].x` is `p.v.x`.
fn without_places(name: &str) -> String {
    name.split('[')
        .enumerate()
        .map(|(k, part)| if k == 0 { part } else { part.split_once(']').map_or("", |(_, rest)| rest) })
        .collect()
}
