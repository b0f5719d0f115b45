//! Which numbers behind pointers a function reads, and which pointers it looks at before it follows them: found out by runs
//! on values that are made up. It narrows what is searched; proofs do not depend on it.

use super::arrange::{Arrangement, InputWishes, OPEN, ROOM};
use super::called::call_on;
use super::input::CodeInput;
use super::ins::BranchTest;
use super::module::Module;
use super::objects::{MemoryAccess, MemoryObject, after, is_behind, places};
use super::run::{Blind, Runner, Watch};
use super::stubs::HEAD;
use crate::cc::shape::FunctionShape;
use crate::floats::BitsKind;
use crate::num::random::Random;
use std::collections::BTreeSet;

/// Runs that tell what is read.
const READS: usize = 100;
/// Runs that tell whether a pointer is looked at.
const LOOKS: usize = 8;
/// Instructions of a run.
const FUEL: u64 = 20_000;
/// Elements behind a pointer in a structure that are inputs in any case.
const MEMBERS: u32 = 4;
/// The most characters of a line that has something in fixed columns, all of which are inputs.
const COLUMNS: u32 = 80;
/// Beyond so many inputs only those are left that were read.
const MANY: usize = 40;

/// The ways that a run goes.
#[derive(Default)]
struct Ways(BTreeSet<(u32, u32)>);

impl Watch for Ways {
    fn branch(&mut self, site: u32, way: u32, _: BranchTest, _: u64, _: u64) {
        self.0.insert((site, way));
    }

    fn arm(&mut self, site: u32, arm: u32, _: u32, _: u32) {
        self.0.insert((site, arm));
    }
}

/// What is asked of the inputs with what is found out about those that nobody asked for.
pub(super) fn found_out(
    all: &Arrangement,
    (module, entry): (&Module, u32),
    shape: &FunctionShape,
    mut wishes: InputWishes,
) -> InputWishes {
    let has_stubs = all.call.objects.iter().any(|o| o.stub.is_some());
    let is_plain = all.open.is_empty() && !has_stubs && all.inputs.len() - all.call.aliases.len() <= MANY;
    let mut random = Random::seeded(37);
    let made = MadeInputs { all, arrays: all.byte_arrays(), texts: module.texts(module.reached_from(entry)) };
    let mut runner = Runner::new(module);
    runner.fuel = FUEL;
    wishes.nullable = Some(nullable(&made, entry, &mut runner, &mut random));
    if is_plain {
        return wishes;
    }
    let places = watch_runs(&made, entry, &mut runner, &mut random);
    let is_read = |at: u32, length: u32| runner.memory.reads()[at as usize..(at + length) as usize].contains(&true);
    let mut columns = Vec::new();
    for (name, object, size) in &all.open {
        let bytes = all.call.objects[*object].bytes;
        let elements: Vec<u32> =
            (0..bytes / (*size).max(1)).filter(|k| is_read(places[*object] + k * size, *size)).collect();
        let is_const = shape.is_const(name);
        // What a member leads to may be read where these runs do not come.
        let least = if name.contains('.') {
            MEMBERS
        } else {
            u32::from(is_const || !all.call.objects[*object].links.is_empty())
        };
        let found = elements.last().map_or(0, |k| k + 1).max(least);
        // Characters at fixed places are read beyond the end of what is a text in these runs.
        let is_columns = *size == 1 && (OPEN + 2..=COLUMNS).contains(&found);
        if is_columns {
            columns.extend(elements.iter().map(|k| format!("{name}[{k}]")));
        }
        let most = if is_columns { COLUMNS } else { all.inputs_behind(*object, *size) };
        wishes.elements.insert(name.clone(), found.min(most));
    }
    for (object, place) in all.call.objects.iter().zip(&places) {
        let Some(stub) = &object.stub else { continue };
        let is_taken = |k: &u32| [HEAD, stub.doubles()].iter().any(|from| is_read(place + from + 8 * k, 8));
        let taken = (0..stub.slots).filter(is_taken).map(|k| k + 1).max().unwrap_or(1);
        wishes.elements.entry(object.name.clone()).or_insert(taken);
    }
    if all.inputs.len() - all.call.aliases.len() > MANY {
        let mut only: BTreeSet<String> = all.inputs.iter().map(|i| i.name.clone()).collect();
        for (object, place) in all.call.objects.iter().zip(&places).filter(|(o, _)| o.is_stored) {
            let numbers = object.fields.iter().filter_map(|f| Some((f.at, f.kind.bytes().into(), f.input?)));
            let all_fields = numbers.chain(object.bit_fields.iter().map(|f| (f.at, f.bytes(), f.input)));
            for (_, _, input) in all_fields.filter(|(at, bytes, _)| !is_read(place + at, *bytes)) {
                only.remove(&all.inputs[input].name);
            }
        }
        only.extend(columns);
        wishes.only = Some(only);
    }
    wishes
}

/// How often the room behind pointers is doubled.
const DOUBLED: usize = 4;

/// Gives pointers to numbers or structures as much room as runs use: more where they reach a little beyond. Where there is no end to
/// it, as where a length is an input, the room stays as it is. `arranged` is the call with other wishes.
pub(super) fn give_room(
    arranged: impl Fn(&InputWishes) -> Option<Arrangement>,
    (module, entry): (&Module, u32),
    wishes: &mut InputWishes,
) {
    let mut runner = Runner::new(module);
    runner.fuel = FUEL;
    for doubled in 0..=DOUBLED {
        let Some(all) = arranged(wishes) else { return };
        let open: Vec<&(String, usize, u32)> = all.open.iter().filter(|(_, _, size)| *size > 1).collect();
        if open.is_empty() {
            return;
        }
        let made = MadeInputs { all: &all, arrays: all.byte_arrays(), texts: Vec::new() };
        let mut random = Random::seeded(43);
        let mut beyond = BTreeSet::new();
        let places = places(&all.call, runner.memory.heap_start());
        for _ in 0..READS {
            let inputs = made.next(&mut random);
            let _ = call_on(&mut runner, &all.call, (entry, &inputs), &mut Blind);
            let Some(address) = runner.memory.take_outside() else { continue };
            let is_it =
                |open: &&&(String, usize, u32)| is_behind(address, places[open.1], all.call.objects[open.1].bytes);
            beyond.extend(open.iter().find(is_it).map(|(name, ..)| name.clone()));
        }
        if beyond.is_empty() {
            return;
        }
        for name in beyond {
            let room = wishes.rooms.entry(name.clone()).or_insert(ROOM);
            *room *= 2;
            if doubled == DOUBLED {
                wishes.rooms.remove(&name);
            }
        }
    }
}

/// Runs on values that are made up, and sees what they read. Returns where each object lies, from the heap's start on.
fn watch_runs(made: &MadeInputs<'_>, entry: u32, runner: &mut Runner<'_>, random: &mut Random) -> Vec<u32> {
    let all = made.all;
    let places = places(&all.call, 0);
    let end = places.iter().zip(&all.call.objects).map(|(at, object)| after(*at, object.bytes)).max().unwrap_or(0);
    runner.memory.watch_reads(end);
    for _ in 0..READS {
        let inputs = made.next(random);
        let _ = call_on(runner, &all.call, (entry, &inputs), &mut Blind);
    }
    places
}

/// How such runs read each object, by its index; places are from its begin on.
pub(super) fn accesses(all: &Arrangement, (module, entry): (&Module, u32)) -> Vec<BTreeSet<MemoryAccess>> {
    let mut runner = Runner::new(module);
    runner.fuel = FUEL;
    let made = MadeInputs { all, arrays: all.byte_arrays(), texts: module.texts(module.reached_from(entry)) };
    let places = watch_runs(&made, entry, &mut runner, &mut Random::seeded(41));
    let own = |(object, place): (&MemoryObject, &u32)| {
        let inside = runner.memory.accesses().filter(|a| (*place..place + object.bytes).contains(&a.at));
        inside.map(|a| MemoryAccess { at: a.at - place, ..a }).collect()
    };
    all.call.objects.iter().zip(&places).map(own).collect()
}

/// The pointers of which the function asks whether they lead somewhere.
fn nullable(made: &MadeInputs<'_>, entry: u32, runner: &mut Runner<'_>, random: &mut Random) -> BTreeSet<String> {
    let all = made.all;
    let mut names = BTreeSet::new();
    let choices = &all.choices;
    for _ in 0..if choices.is_empty() { 0 } else { LOOKS } {
        let inputs = made.next(random);
        let mut usual = Ways::default();
        let _ = call_on(runner, &all.call, (entry, &inputs), &mut usual);
        for (name, input) in choices.iter().filter(|(name, _)| !names.contains(name)).collect::<Vec<_>>() {
            let mut changed = inputs.clone();
            changed[*input] = 0;
            let mut ways = Ways::default();
            let _ = call_on(runner, &all.call, (entry, &changed), &mut ways);
            if !ways.0.is_subset(&usual.0) {
                names.insert(name.clone());
            }
        }
    }
    names
}

/// Inputs that are made up.
struct MadeInputs<'a> {
    all: &'a Arrangement,
    /// Its arrays of bytes.
    arrays: Vec<Vec<usize>>,
    /// Texts of the code, to which it may compare those that it is given.
    texts: Vec<&'a [u8]>,
}

impl MadeInputs<'_> {
    /// Inputs of which many are small, and some are texts of the code; all pointers lead somewhere, some to the same, and no call that
    /// allocates fails.
    fn next(&self, random: &mut Random) -> Vec<u64> {
        let all = self.all;
        let failure = all.call.objects.iter().filter(|object| object.is_of_failure).flat_map(|o| &o.fields).next();
        let has_aliases = random.below(1) == 0;
        let one = |(i, input): (usize, &CodeInput)| {
            if all.call.aliases.iter().any(|alias| alias.choice == i) {
                return u64::from(has_aliases && random.below(2) == 0);
            }
            if all.choices.iter().any(|(_, choice)| *choice == i) {
                1
            } else if failure.is_some_and(|field| field.input == Some(i)) {
                0
            } else {
                value(input.kind, random)
            }
        };
        let mut made: Vec<u64> = all.inputs.iter().enumerate().map(one).collect();
        for bytes in self.arrays.iter().filter(|_| !self.texts.is_empty()) {
            if random.below(1) == 0 {
                let text = self.texts[random.below(self.texts.len() as u64 - 1) as usize];
                bytes.iter().zip(text.iter().chain([&0])).for_each(|(input, byte)| made[*input] = u64::from(*byte));
            }
        }
        made
    }
}

fn value(kind: BitsKind, random: &mut Random) -> u64 {
    let small = random.below(9) as i64 - 3;
    let float = match random.below(3) {
        0 => small as f64,
        1 => small as f64 * random.unit(),
        _ => (random.unit() - 0.5) * 10f64.powi(random.below(12) as i32 - 4),
    };
    match kind {
        BitsKind::F64 => float.to_bits(),
        BitsKind::F32 => (float as f32).to_bits().into(),
        BitsKind::Bool => random.bits() & 1,
        BitsKind::Int { bytes: 1, .. } if random.below(1) == 0 => {
            kind.masked(b" -+.0129eEaZ,/"[random.below(13) as usize].into())
        }
        BitsKind::Int { .. } if random.below(3) == 0 => kind.masked(random.bits()),
        BitsKind::Int { .. } => kind.masked(small as u64),
    }
}
