//! What stands in memory is held by the sets that are read from it, whatever was written, copied and read how.

use super::{Written, anything};
use crate::code::ins::{Load, Store, Type};
use crate::code::sets::ValueSet;
use crate::code::sets::sample::{Random, TYPES, around, bits, holds};

const LENGTH: usize = 48;

fn bytes_of(ty: Type, random: &mut Random) -> u8 {
    match ty {
        Type::F32 => 4,
        Type::F64 => 8,
        Type::I32 => random.of(&[1, 2, 4, 4]),
        Type::I64 => random.of(&[1, 2, 4, 8, 8, 8]),
    }
}

fn place(length: usize, random: &mut Random) -> usize {
    // What is written is often read where it was, and often beside.
    let step = random.of(&[1, 2, 4, 8]);
    random.below((LENGTH - length) / step + 1) * step
}

/// What a run of the interpreter reads.
fn read(memory: &[u8], load: Load, at: usize) -> u64 {
    let mut word = [0; 8];
    word[..load.bytes.into()].copy_from_slice(&memory[at..at + usize::from(load.bytes)]);
    let (x, unused) = (u64::from_le_bytes(word), 64 - 8 * u32::from(load.bytes));
    let x = if load.signed { ((x << unused) as i64 >> unused) as u64 } else { x };
    if load.ty == Type::I32 { x & 0xffff_ffff } else { x }
}

#[test]
fn sets_that_are_read_hold_what_stands_there() {
    let mut random = Random(5);
    let mut narrow = 0;
    for round in 0..3_000 {
        let start: Vec<u8> = (0..LENGTH).map(|_| random.bits() as u8).collect();
        let whole = 0..start.len() as u32;
        let (mut memory, mut written) = (start.clone(), Written::new(&start, std::slice::from_ref(&whole)));
        let mut done = Vec::new();
        for _ in 0..40 {
            match random.below(8) {
                0..=2 => {
                    let ty = random.of(&TYPES);
                    let store = Store { ty, bytes: bytes_of(ty, &mut random) };
                    let (at, x) = (place(store.bytes.into(), &mut random), bits(ty, &mut random));
                    let set = around(ty, x, &mut random);
                    memory[at..at + usize::from(store.bytes)].copy_from_slice(&x.to_le_bytes()[..store.bytes.into()]);
                    written.store(store, at as u32, set).unwrap();
                    done.push(format!("{store:?} {x:#x} at {at} as {set:?}"));
                }
                3 => {
                    let length = random.below(25);
                    let (to, from) = (place(length, &mut random), place(length, &mut random));
                    memory.copy_within(from..from + length, to);
                    written.copy(to as u32, from as u32, length as u8);
                    done.push(format!("copy {length} from {from} to {to}"));
                }
                4 if random.below(40) == 0 => {
                    written.forget();
                    done.push("forget".to_owned());
                }
                _ => {
                    let ty = random.of(&TYPES);
                    let bytes = bytes_of(ty, &mut random);
                    let signed = random.below(2) == 0 && bytes < if ty == Type::I32 { 4 } else { 8 };
                    let load = Load { ty, bytes, signed: signed && matches!(ty, Type::I32 | Type::I64) };
                    let at = place(bytes.into(), &mut random);
                    let (x, set) = (read(&memory, load, at), written.load(load, at as u32).unwrap());
                    assert!(holds(set, x), "round {round}, {load:?} at {at}: {x:#x} not in {set:?} after {done:#?}");
                    let is_long = matches!(set, ValueSet::Int(s) if s.width == 64)
                        || matches!(set, ValueSet::Float(s) if s.double);
                    assert_eq!(is_long, matches!(ty, Type::I64 | Type::F64), "{load:?}: {set:?}");
                    narrow += usize::from(set != anything(ty));
                }
            }
        }
    }
    assert!(narrow > 10_000, "{narrow}");
}
