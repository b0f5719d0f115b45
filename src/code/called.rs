//! A function called on bits: arguments and objects are built in a runner's memory.

use super::ins::Type;
use super::machine::Trap;
use super::made::PointerPlace;
use super::memory::Memory;
use super::objects::{BitField, CallObjects, ObjectBuilder, places, widened};
use super::run::{Runner, Watch};
use super::stubs::{STUB, Stub};
use crate::floats::BitsKind;

/// Calls a function on inputs, each as its bits, on memory as it is at the start.
pub(super) fn call_on<W: Watch>(
    runner: &mut Runner<'_>,
    call: &CallObjects,
    (function, inputs): (u32, &[u64]),
    watch: &mut W,
) -> Result<Option<u64>, Trap> {
    let mut arguments = arguments_in(&mut runner.memory, call, inputs)?;
    runner.make_objects(&call.made, inputs, &mut arguments)?;
    runner.go_on(function, &arguments, watch)
}

/// The arguments of a call, and what they lead to in memory that is as at the start otherwise.
pub(super) fn arguments_in(memory: &mut Memory<'_>, call: &CallObjects, inputs: &[u64]) -> Result<Vec<u64>, Trap> {
    memory.reset();
    let addresses = memory.addresses();
    let mut arguments = call.build(&mut Concrete { memory, inputs, addresses })?;
    alias(memory, call, inputs, &mut arguments)?;
    memory.begin_call();
    Ok(arguments)
}

/// Objects in a runner's memory.
struct Concrete<'r, 'm> {
    memory: &'r mut Memory<'m>,
    inputs: &'r [u64],
    addresses: Type,
}

impl ObjectBuilder for Concrete<'_, '_> {
    type Value = u64;
    type Error = Trap;

    fn room(&mut self, bytes: u32) -> u64 {
        self.memory.allocate_object(bytes).into()
    }

    fn outside(&mut self) -> Option<u64> {
        None
    }

    fn unknown(&mut self, _: Type) -> u64 {
        0
    }

    fn number(&mut self, kind: BitsKind, input: usize) -> u64 {
        widened(self.inputs.get(input).copied().unwrap_or(0), kind)
    }

    fn chosen(&mut self, address: u64, choice: usize) -> u64 {
        if self.inputs.get(choice).is_some_and(|x| x & 1 == 1) { address } else { 0 }
    }

    fn stub(&mut self, address: u64, choice: Option<usize>) -> u64 {
        self.memory.stubs.push(address);
        choice.map_or(address | STUB, |choice| self.chosen(address | STUB, choice))
    }

    fn put_head(&mut self, address: &u64, stub: &Stub) -> Result<(), Trap> {
        stub.head().iter().zip([8, 12]).try_for_each(|(word, at)| self.memory.write(*address, at, 4, u64::from(*word)))
    }

    fn fail_as(&mut self, address: &u64) {
        self.memory.failure = Some(*address);
    }

    fn part(&mut self, _: Type, fields: &[(u32, BitsKind, usize)]) -> Result<u64, Trap> {
        let bits = |(at, kind, input): &(u32, BitsKind, usize)| {
            kind.masked(self.inputs.get(*input).copied().unwrap_or(0)).checked_shl(8 * at).unwrap_or(0)
        };
        Ok(fields.iter().map(bits).fold(0, |all, bits| all | bits))
    }

    fn put(&mut self, address: &u64, at: u32, kind: BitsKind, input: usize) -> Result<(), Trap> {
        let bits = self.number(kind, input);
        self.memory.write(*address, at, kind.bytes(), bits)
    }

    fn put_answer(&mut self, address: &u64, at: u32, kind: BitsKind, input: usize) -> Result<(), Trap> {
        let bits = self.number(kind, input);
        self.memory.write(*address, at, kind.bytes().max(4), bits)
    }

    fn put_bits(&mut self, address: &u64, field: &BitField) -> Result<(), Trap> {
        let input = self.inputs.get(field.input).copied().unwrap_or(0);
        let (bits, mask) = (field.bits(input) << field.from, field.bits(u64::MAX) << field.from);
        for k in 0..field.bytes() {
            let byte = |all: u64| all >> (8 * k) & 0xff;
            let old = self.memory.read(*address, field.at + k, 1)?;
            self.memory.write(*address, field.at + k, 1, old & !byte(mask) | byte(bits))?;
        }
        Ok(())
    }

    fn with_bits(&mut self, part: u64, from: u32, field: &BitField) -> u64 {
        part | field.bits(self.inputs.get(field.input).copied().unwrap_or(0)).checked_shl(from).unwrap_or(0)
    }

    fn link(&mut self, address: &u64, at: u32, to: u64) -> Result<(), Trap> {
        self.memory.write(*address, at, self.addresses.bytes(), to)
    }
}

/// Lets pointers that inputs ask for lead to other objects, in memory where these have been built; a pointer that leads nowhere is left
/// so.
fn alias(memory: &mut Memory<'_>, call: &CallObjects, inputs: &[u64], arguments: &mut [u64]) -> Result<(), Trap> {
    if !call.aliases.iter().any(|alias| alias.is_asked(inputs)) {
        return Ok(());
    }
    let places = places(call, memory.heap_start());
    let bytes = memory.addresses().bytes();
    for alias in call.aliases.iter().filter(|alias| alias.is_asked(inputs)) {
        let address = u64::from(places[alias.object] + alias.at);
        match alias.pointer {
            PointerPlace::Parameter(place) if arguments[place] != 0 => arguments[place] = address,
            PointerPlace::Member { object, at } if memory.read(places[object].into(), at, bytes)? != 0 => {
                memory.write(places[object].into(), at, bytes, address)?;
            }
            _ => {}
        }
    }
    Ok(())
}
