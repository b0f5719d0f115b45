//! From the types of a function to what it is called with: which numbers are inputs, and what pointers lead to.

mod targets;

use super::input::{CodeInput, EntryError, kind_of};
use super::ins::{FuncType, Type};
use super::module::FLOOR;
use super::objects::{CallObjects, MemoryObject, ObjectField, Passed, held_as};
use super::passing::PassedAs;
use crate::cc::shape::{FunctionShape, PointerShape, ShapeParameter, TypeShape};
use crate::floats::BitsKind;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What is asked of the inputs, or was found out about them.
#[derive(Clone, Debug, Default)]
pub(super) struct InputWishes {
    /// How many elements behind a pointer are inputs, by its name: asked for, declared, or found out.
    pub(super) elements: BTreeMap<String, u32>,
    /// How many elements memory behind a pointer has room for, by its name, where that is more than usual.
    pub(super) rooms: BTreeMap<String, u32>,
    /// The pointers that may lead nowhere, by name; none where all may.
    pub(super) nullable: Option<BTreeSet<String>>,
    /// What pointers of which the source does not say it lead to, by name.
    pub(super) types: BTreeMap<String, TypeShape>,
    /// The numbers that are inputs; none where all are.
    pub(super) only: Option<BTreeSet<String>>,
    /// Whether the function may allocate memory.
    pub(super) allocates: bool,
    /// The members of unions that count, by name without places in arrays; else the first one does.
    pub(super) members: Vec<String>,
}

/// What a function is called with, and its inputs.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrangement {
    pub(super) call: CallObjects,
    pub(super) inputs: Vec<CodeInput>,
    /// The type of the result, if it is a number.
    pub(super) result: Option<BitsKind>,
    /// Pointers whose number of elements is not known, by name, with the object and the size of an element.
    pub(super) open: Vec<(String, usize, u32)>,
    /// Pointers of which the source does not say what they lead to, by name, with the object.
    pub(super) untyped: Vec<(String, usize)>,
    /// The inputs that are 0 where a pointer leads nowhere: the pointer's name, and the index.
    pub(super) choices: Vec<(String, usize)>,
    /// Where structures lie in objects, whole objects first.
    pub(super) records: Vec<RecordPlace>,
    /// The members of all unions, by name without places in arrays.
    pub(super) of_unions: BTreeSet<String>,
}

/// Where a structure lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecordPlace {
    /// The name of the pointer that leads there, or of the member that it is.
    pub(super) name: String,
    /// The name of its type.
    pub(super) record: String,
    /// The object that it is in, by index.
    pub(super) object: usize,
    /// Its place there. Unit: bytes.
    pub(super) at: u32,
}

/// The elements of memory behind a pointer to numbers, at least.
pub(super) const ROOM: u32 = 64;
/// The elements that are inputs until it is known which of them are read.
pub(super) const OPEN: u32 = 8;
/// The same for structures.
const OPEN_RECORDS: u32 = 3;
/// The most inputs; and as long as it is not known which numbers are read.
const MOST_INPUTS: usize = 400;
const MOST_NUMBERS: usize = 4000;
/// Bytes behind a pointer to what is not known.
pub(super) const UNKNOWN: u32 = 512;
/// The most bytes of an object.
const MOST_BYTES: u64 = 1 << 20;
/// The most objects, and the most bytes of all: pointers of further ones lead nowhere.
const MOST_OBJECTS: usize = 200;
const MOST_ROOM: u64 = 16 << 20;

impl Arrangement {
    /// The inputs, by index, that are arrays of bytes in memory, for each that has more than one of them.
    pub(super) fn byte_arrays(&self) -> Vec<Vec<usize>> {
        let array = |i: &usize| self.inputs[*i].name.rsplit_once('[').map(|(array, _)| array);
        let bytes = self.call.objects.iter().map(MemoryObject::byte_inputs);
        let arrays = bytes
            .flat_map(|bytes| bytes.chunk_by(|a, b| array(a) == array(b)).map(<[usize]>::to_vec).collect::<Vec<_>>());
        arrays.filter(|inputs| inputs.len() > 1).collect()
    }

    /// How many elements of an object have inputs, or pointers that lead somewhere.
    pub(super) fn inputs_behind(&self, object: usize, size: u32) -> u32 {
        let object = &self.call.objects[object];
        let inputs = object.fields.iter().filter(|f| f.input.is_some()).map(|f| f.at);
        let others = object.links.iter().map(|link| link.at).chain(object.bit_fields.iter().map(|field| field.at));
        inputs.chain(others).map(|at| at / size.max(1) + 1).max().unwrap_or(0)
    }
}

struct Arranger<'w> {
    wishes: &'w InputWishes,
    out: Arrangement,
    choices: Vec<(String, Owner)>,
    addresses: Type,
    /// Whether a list of a variable number of arguments is among what it takes.
    has_list: bool,
    /// Pointers in objects that are not followed yet: what is near to the parameters comes first.
    pending: VecDeque<PendingPointer>,
}

/// A pointer in an object.
struct PendingPointer {
    name: String,
    pointer: PointerShape,
    object: usize,
    at: u32,
}

/// Where a pointer is that may lead nowhere.
enum Owner {
    Parameter(usize),
    Link(usize, usize),
}

/// Arranges a call of a function; `passing` is how the compiler hands over each parameter.
pub(super) fn arrange(
    shape: &FunctionShape,
    ty: &FuncType,
    (passing, addresses): (Option<&[PassedAs]>, Type),
    wishes: &InputWishes,
) -> Result<Arrangement, EntryError> {
    let mut all = Arranger {
        wishes,
        out: Arrangement::default(),
        choices: Vec::new(),
        addresses,
        has_list: false,
        pending: VecDeque::new(),
    };
    let simple: Vec<PassedAs>;
    let passing = match passing {
        Some(passing) => passing,
        None => {
            // How others hand over structures is not known.
            let is_record = |p: &&ShapeParameter| matches!(p.shape, TypeShape::Record(_));
            if let Some(parameter) = shape.parameters.iter().find(is_record) {
                return Err(EntryError::Parameter(parameter.name.clone(), said(&parameter.shape)));
            }
            simple = ty.params.iter().map(|ty| PassedAs::plain(*ty)).collect();
            &simple
        }
    };
    let mismatch = || EntryError::Parameters(shape.parameters.len(), ty.params.len());
    let mut rest = passing;
    let handed: usize = passing.iter().map(|p| p.types.len()).sum();
    let is_result_first = passing.first().is_some_and(|p| p.is_result);
    let is_moved = handed + 1 == ty.params.len() && ty.results.is_empty();
    if is_result_first || is_moved {
        rest = if is_result_first { &passing[1..] } else { passing };
        all.room_for(&shape.result);
    }
    for parameter in &shape.parameters {
        all.parameter(parameter.name.clone(), (&parameter.shape, parameter.is_object), &mut rest)
            .ok_or_else(mismatch)??;
    }
    if rest.iter().any(|p| p.is_rest) {
        return Err(EntryError::Refused(vec![format!("`{}` takes a variable number of arguments", shape.name)]));
    }
    if !rest.is_empty() || all.out.call.passed.len() != ty.params.len() {
        return Err(mismatch());
    }
    match &shape.result {
        TypeShape::Number(ty, _) => all.out.result = kind_of(ty),
        TypeShape::Record(_) | TypeShape::Pointer(_) | TypeShape::Void => {}
        other => return Err(EntryError::Result(said(other))),
    }
    all.follow_pointers();
    if all.has_list {
        return Err(EntryError::Refused(vec![format!("`{}` takes a list of arguments (va_list)", shape.name)]));
    }
    all.name_choices();
    all.name_failure();
    Ok(all.out)
}

/// Whether a pointer to nothing is tried: members of what is larger may be where programs have memory.
fn may_lead_nowhere(pointer: &PointerShape) -> bool {
    !pointer.is_reference && pointer.to.bytes() <= FLOOR
}

/// A type as it is said to people.
fn said(shape: &TypeShape) -> String {
    match shape {
        TypeShape::Unknown(what, _) => what.clone(),
        TypeShape::Record(record) if record.name.is_empty() => "a structure".to_owned(),
        TypeShape::Record(record) => format!("`{}`", record.name),
        _ => "another type".to_owned(),
    }
}

impl Arranger<'_> {
    fn object(&mut self, name: &str, bytes: u64, is_own: bool) -> usize {
        let bytes = bytes.min(MOST_BYTES) as u32;
        let object = MemoryObject { name: name.to_owned(), bytes, is_own, is_stored: true, ..MemoryObject::default() };
        self.out.call.objects.push(object);
        self.out.call.objects.len() - 1
    }

    /// Room for the result, which the caller makes.
    fn room_for(&mut self, result: &TypeShape) {
        let object = self.object("result", result.bytes().max(16), true);
        self.out.call.objects[object].is_result = true;
        self.leaves("result", result, (object, 0), false);
        self.out.call.passed.push(Passed::Address { object, choice: None });
    }

    /// None where the code takes something else than the source says.
    fn parameter(
        &mut self,
        name: String,
        (shape, is_object): (&TypeShape, bool),
        rest: &mut &[PassedAs],
    ) -> Option<Result<(), EntryError>> {
        let refused = |name: String| Some(Err(EntryError::Parameter(name, said(shape))));
        match shape {
            TypeShape::Number(ty, _) => {
                let passed = take(rest)?;
                let Some(kind) = kind_of(ty) else { return refused(name) };
                // An old-style definition takes a `float` as a double.
                if passed.types[..] != [held_as(kind)] {
                    return None;
                }
                self.out.inputs.push(CodeInput { name, kind });
                self.out.call.passed.push(Passed::Number(kind, self.out.inputs.len() - 1));
            }
            TypeShape::Pointer(pointer) => {
                take(rest)?;
                let place = self.out.call.passed.len();
                let passed = match self.target(&name, pointer) {
                    None => Passed::Unknown(self.addresses),
                    Some(object) => {
                        if may_lead_nowhere(pointer) && !is_object {
                            self.choices.push((name, Owner::Parameter(place)));
                        }
                        Passed::Address { object, choice: None }
                    }
                };
                self.out.call.passed.push(passed);
            }
            // An empty class is not handed over.
            TypeShape::Record(record) if record.members.is_empty() && record.bytes <= 1 => {}
            TypeShape::Record(record) => {
                let is_stored = rest.first()?.is_address_of(&record.name, record.bytes);
                let object = self.object(&name, record.bytes, true);
                self.out.call.objects[object].is_stored = is_stored;
                self.leaves(&name, shape, (object, 0), true);
                if is_stored {
                    take(rest)?;
                    self.out.call.passed.push(Passed::Address { object, choice: None });
                    return Some(Ok(()));
                }
                let mut at = 0u32;
                while u64::from(at) < record.bytes {
                    for ty in &take(rest)?.types {
                        self.out.call.passed.push(Passed::Part { ty: *ty, object, at });
                        at += u32::from(ty.bytes());
                    }
                    at = at.next_multiple_of(8);
                }
            }
            _ => return refused(name),
        }
        Some(Ok(()))
    }

    /// Inputs that say whether pointers lead somewhere come last.
    fn name_choices(&mut self) {
        for (name, owner) in std::mem::take(&mut self.choices) {
            if !self.wishes.nullable.as_ref().is_none_or(|names| names.contains(&name)) || self.out.choices.len() >= 32
            {
                continue;
            }
            self.out.inputs.push(CodeInput { name: name.clone(), kind: BitsKind::Bool });
            let input = self.out.inputs.len() - 1;
            match owner {
                Owner::Parameter(place) => {
                    if let Passed::Address { choice, .. } = &mut self.out.call.passed[place] {
                        *choice = Some(input);
                    }
                }
                Owner::Link(object, place) => self.out.call.objects[object].links[place].choice = Some(input),
            }
            self.out.choices.push((name, input));
        }
    }

    /// Which call that allocates fails is an input after all others.
    fn name_failure(&mut self) {
        let is_asked = self.wishes.only.as_ref().is_none_or(|names| names.contains(FAILURE));
        if self.wishes.allocates && is_asked {
            let kind = BitsKind::Int { bytes: 1, signed: false };
            let object = self.object(FAILURE, 1, true);
            self.out.inputs.push(CodeInput { name: FAILURE.to_owned(), kind });
            let input = Some(self.out.inputs.len() - 1);
            let object = &mut self.out.call.objects[object];
            object.fields.push(ObjectField { at: 0, kind, input, is_significand: false });
            object.is_of_failure = true;
        }
    }
}

/// How the name of the structure ends that a list of arguments (`va_list`) is.
pub(super) const LIST: &str = "__va_list_tag";
/// The input that says which call that allocates fails, counted from 1; none does where it is 0.
const FAILURE: &str = "malloc.fails";

fn take<'p>(rest: &mut &'p [PassedAs]) -> Option<&'p PassedAs> {
    let (first, others) = rest.split_first()?;
    *rest = others;
    Some(first)
}
