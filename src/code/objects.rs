//! What a function is called with: numbers, and objects in memory that pointers lead to or that are handed over by value.

use super::ins::Type;
use super::made::{MadeObject, PointerAlias};
use super::stubs::Stub;
use crate::floats::BitsKind;

/// A number in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ObjectField {
    /// Its place. Unit: bytes.
    pub(super) at: u32,
    /// What its bits mean.
    pub(super) kind: BitsKind,
    /// The input that it is, by index; none where zeros stand at the start.
    pub(super) input: Option<usize>,
    /// Whether it is the first part of a `long double`; the other one follows.
    pub(super) is_significand: bool,
}

/// A bit-field in an object that is an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BitField {
    /// Its first byte.
    pub(super) at: u32,
    /// Its lowest bit in that byte.
    pub(super) from: u32,
    /// How many bits it has; with those before it in the first byte at most 64.
    pub(super) width: u32,
    /// The input, by index.
    pub(super) input: usize,
}

impl BitField {
    /// How many bytes it is in.
    pub(super) fn bytes(&self) -> u32 {
        (self.from + self.width).div_ceil(8)
    }

    /// Its bits of an input, from the lowest bit on.
    pub(super) fn bits(&self, input: u64) -> u64 {
        input & (u64::MAX >> (64 - self.width))
    }
}

/// A pointer in an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ObjectLink {
    /// Its place. Unit: bytes.
    pub(super) at: u32,
    /// The object that it leads to, by index.
    pub(super) object: usize,
    /// The input, by index, that is 0 where it leads nowhere.
    pub(super) choice: Option<usize>,
}

/// Memory that a call is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MemoryObject {
    /// The name of the pointer that leads there, or of the parameter.
    pub(super) name: String,
    /// Its size.
    pub(super) bytes: u32,
    /// Numbers in it, by place.
    pub(super) fields: Vec<ObjectField>,
    /// Bit-fields in it.
    pub(super) bit_fields: Vec<BitField>,
    /// Pointers in it.
    pub(super) links: Vec<ObjectLink>,
    /// Whether it is the call's own: a value that is handed over, or room for the result. Others are the caller's, and what is
    /// said of them is taken for granted.
    pub(super) is_own: bool,
    /// Whether it lies in memory; others are handed over in parts.
    pub(super) is_stored: bool,
    /// Whether it is room for the result.
    pub(super) is_result: bool,
    /// The stub that it is, if it is one.
    pub(super) stub: Option<Stub>,
    /// Whether its number says which call that allocates fails, counted from 1.
    pub(super) is_of_failure: bool,
}

impl MemoryObject {
    /// Whether the caller sees what a call leaves there.
    pub(super) fn is_left(&self) -> bool {
        self.is_stored && (!self.is_own || self.is_result)
    }

    /// The inputs, by index, that are bytes of it.
    pub(super) fn byte_inputs(&self) -> Vec<usize> {
        self.fields.iter().filter(|f| f.kind.bytes() == 1).filter_map(|f| f.input).collect()
    }
}

/// How a parameter of the code gets its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    /// An input, by index.
    Number(BitsKind, usize),
    /// The address of an object; with the input that is 0 where it is a pointer to nothing.
    Address { object: usize, choice: Option<usize> },
    /// Bytes of an object that is handed over in parts.
    Part { ty: Type, object: usize, at: u32 },
    /// What is no number, and leads nowhere in a run: a pointer to a function for which there is no stub.
    Unknown(Type),
}

/// All that a call is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CallObjects {
    /// The parameters in order.
    pub(super) passed: Vec<Passed>,
    /// The objects.
    pub(super) objects: Vec<MemoryObject>,
    /// Pointers that may lead to the objects of others.
    pub(super) aliases: Vec<PointerAlias>,
    /// Objects that functions of the code make in the place of these.
    pub(super) made: Vec<MadeObject>,
}

/// A number that is read from memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MemoryAccess {
    /// Its place. Unit: bytes.
    pub(super) at: u32,
    /// Its size.
    pub(super) bytes: u8,
    /// Whether it is a float.
    pub(super) is_float: bool,
}

/// Between objects, so that what reaches beyond one of them does not find another. Unit: bytes.
const GAP: u32 = 16_384;

/// Whether an address lies in the gap behind an object.
pub(super) fn is_behind(address: u64, at: u32, bytes: u32) -> bool {
    let end = u64::from(at) + u64::from(bytes);
    (end..end + u64::from(GAP)).contains(&address)
}

/// Where the next object begins after one of so many bytes.
pub(super) fn after(at: u32, bytes: u32) -> u32 {
    (at + bytes + GAP).next_multiple_of(16)
}

/// What values are made of in one engine.
pub(super) trait ObjectBuilder {
    /// A value.
    type Value: Clone;
    /// Why there is none.
    type Error;
    /// The address of room for so many bytes, cleared or with nothing known of it.
    fn room(&mut self, bytes: u32) -> Self::Value;
    /// The address of what the caller has; none where it is the room that stands for it.
    fn outside(&mut self) -> Option<Self::Value>;
    /// What is no number and is not followed: zero in a run, and not known in a proof.
    fn unknown(&mut self, ty: Type) -> Self::Value;
    /// An input as an argument.
    fn number(&mut self, kind: BitsKind, input: usize) -> Self::Value;
    /// An address, or that of nothing where an input is 0.
    fn chosen(&mut self, address: Self::Value, choice: usize) -> Self::Value;
    /// The address of a stub as a function, or that of nothing where an input is 0: not known in a proof.
    fn stub(&mut self, address: Self::Value, choice: Option<usize>) -> Self::Value;
    /// Writes the head of a stub.
    fn put_head(&mut self, _address: &Self::Value, _stub: &Stub) -> Result<(), Self::Error> {
        Ok(())
    }
    /// From now on a number says which call that allocates fails; proofs know nothing of such calls.
    fn fail_as(&mut self, _address: &Self::Value) {}
    /// Several numbers of an object, each with its place in the value, as one value.
    fn part(&mut self, ty: Type, fields: &[(u32, BitsKind, usize)]) -> Result<Self::Value, Self::Error>;
    /// Puts an input into an object.
    fn put(&mut self, address: &Self::Value, at: u32, kind: BitsKind, input: usize) -> Result<(), Self::Error>;
    /// Puts an input into a stub as what a function returns: short integers are extended. Not known in a proof.
    fn put_answer(
        &mut self,
        _address: &Self::Value,
        _at: u32,
        _kind: BitsKind,
        _input: usize,
    ) -> Result<(), Self::Error> {
        Ok(())
    }
    /// Puts a bit-field into an object: nothing is known of it in a proof, as of all that is not put there.
    fn put_bits(&mut self, _address: &Self::Value, _field: &BitField) -> Result<(), Self::Error> {
        Ok(())
    }
    /// A part of an object with a bit-field in it that begins at a bit of the part.
    fn with_bits(&mut self, part: Self::Value, _from: u32, _field: &BitField) -> Self::Value {
        part
    }
    /// Puts an address into an object.
    fn link(&mut self, address: &Self::Value, at: u32, to: Self::Value) -> Result<(), Self::Error>;
}

impl CallObjects {
    /// Makes the arguments of a call and the objects that they lead to.
    pub(super) fn build<B: ObjectBuilder>(&self, by: &mut B) -> Result<Vec<B::Value>, B::Error> {
        let outside = by.outside();
        // Where it is not known what a pointer of the caller's leads to, its object is not there.
        let is_there = |o: &MemoryObject| o.is_stored && (o.is_own || outside.is_none());
        let rooms: Vec<Option<B::Value>> = self.objects.iter().map(|o| is_there(o).then(|| by.room(o.bytes))).collect();
        let target = |by: &mut B, object: usize, choice: Option<usize>| match (&rooms[object], choice) {
            (Some(room), _) if self.objects[object].stub.is_some() => by.stub(room.clone(), choice),
            (Some(room), Some(choice)) => by.chosen(room.clone(), choice),
            (Some(room), None) => room.clone(),
            (None, _) => outside.clone().unwrap_or_else(|| by.unknown(Type::I64)),
        };
        for (object, room) in self.objects.iter().zip(&rooms) {
            let Some(room) = room else { continue };
            if let Some(stub) = &object.stub {
                by.put_head(room, stub)?;
            }
            if object.is_of_failure {
                by.fail_as(room);
            }
            for field in &object.fields {
                if let Some(input) = field.input {
                    match object.stub {
                        Some(_) => by.put_answer(room, field.at, field.kind, input)?,
                        None => by.put(room, field.at, field.kind, input)?,
                    }
                }
            }
            for field in &object.bit_fields {
                by.put_bits(room, field)?;
            }
            for link in &object.links {
                let to = target(by, link.object, link.choice);
                by.link(room, link.at, to)?;
            }
        }
        let mut all = Vec::with_capacity(self.passed.len());
        for passed in &self.passed {
            all.push(match passed {
                Passed::Number(kind, input) => by.number(*kind, *input),
                Passed::Address { object, choice } => target(by, *object, *choice),
                Passed::Unknown(ty) => by.unknown(*ty),
                Passed::Part { ty, object, at } => {
                    let upto = at + u32::from(ty.bytes());
                    let object = &self.objects[*object];
                    match object.links.iter().find(|link| link.at == *at) {
                        Some(link) => target(by, link.object, link.choice),
                        None => {
                            let inside = object.fields.iter().filter(|f| (*at..upto).contains(&f.at));
                            let fields: Vec<_> = inside.filter_map(|f| Some((f.at - at, f.kind, f.input?))).collect();
                            let value = by.part(*ty, &fields)?;
                            let inside = object.bit_fields.iter().filter(|f| (*at..upto).contains(&f.at));
                            inside.fold(value, |value, field| {
                                by.with_bits(value, 8 * (field.at - at) + field.from, field)
                            })
                        }
                    }
                }
            });
        }
        Ok(all)
    }

    /// The objects that lie in memory.
    pub(super) fn stored(&self) -> impl Iterator<Item = &MemoryObject> {
        self.objects.iter().filter(|o| o.is_stored)
    }

    /// The kinds of all numbers in objects that the caller sees afterwards, in order.
    pub(super) fn kinds(&self) -> impl Iterator<Item = BitsKind> + '_ {
        self.objects.iter().filter(|o| o.is_left()).flat_map(|o| o.fields.iter().map(|f| f.kind))
    }
}

/// The type in which a value of a kind is handed over.
pub(super) fn held_as(kind: BitsKind) -> Type {
    match kind {
        BitsKind::F32 => Type::F32,
        BitsKind::F64 => Type::F64,
        BitsKind::Int { bytes: 8, .. } => Type::I64,
        BitsKind::Bool | BitsKind::Int { .. } => Type::I32,
    }
}

/// The one input that is all of a value of this type.
pub(super) fn whole(ty: Type, fields: &[(u32, BitsKind, usize)]) -> Option<(BitsKind, usize)> {
    match fields {
        [(0, kind, input)] if held_as(*kind) == ty && kind.bytes() == ty.bytes() => Some((*kind, *input)),
        _ => None,
    }
}

/// The bits of a value as an argument: short integers are extended.
pub(super) fn widened(bits: u64, kind: BitsKind) -> u64 {
    match kind {
        BitsKind::Int { bytes: 1, signed: true } => u64::from(i32::from(bits as i8) as u32),
        BitsKind::Int { bytes: 2, signed: true } => u64::from(i32::from(bits as i16) as u32),
        BitsKind::Bool => bits & 1,
        _ => bits,
    }
}

/// Where each object lies in a run, by the address at which the first one does.
pub(super) fn places(call: &CallObjects, start: u32) -> Vec<u32> {
    let mut end = start;
    let place = |object: &MemoryObject| {
        let at = end;
        if object.is_stored {
            end = after(end, object.bytes);
        }
        at
    };
    call.objects.iter().map(place).collect()
}
