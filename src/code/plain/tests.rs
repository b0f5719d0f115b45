//! The plain arithmetic holds every result of its members, for all operators.

use super::memory::Memory;
use super::pieces::{Pieces, mask, width};
use super::{binary, compare, floats, unary};
use crate::code::bits as machine;
use crate::code::ins::{Binary, Compare, Load, Store, Type, Unary};
use crate::code::sets::sample::{Random, TYPES, bits, operand};

fn holds(a: &Pieces, x: u64) -> bool {
    a.parts.iter().any(|(lo, hi)| *lo <= x && x <= *hi)
}

/// Some intervals, of which one holds a value.
fn around(ty: Type, x: u64, random: &mut Random) -> Pieces {
    let away = |random: &mut Random| if random.below(3) == 0 { 0 } else { random.bits() >> random.below(64) };
    let most = mask(width(ty));
    let mut parts = vec![(x.saturating_sub(away(random)), x.saturating_add(away(random)).min(most))];
    for _ in 0..random.of(&[0, 0, 1, 2, 12]) {
        let (a, b) = (random.bits() & most, random.bits() & most);
        parts.push((a, a.max(b)));
    }
    Pieces::new(ty, parts)
}

const TIMES: usize = 4_000;

#[test]
fn unary_operators_hold_every_result() {
    let mut random = Random(11);
    for op in Unary::ALL {
        let ty = operand(&format!("{op:?}"));
        for _ in 0..TIMES {
            let x = bits(ty, &mut random);
            let a = around(ty, x, &mut random);
            let image = unary(*op, &a);
            if let Ok(y) = machine::unary(*op, x) {
                assert!(holds(&image, y), "{op:?} of {x:#x} in {a:x?} is {y:#x}, not in {image:x?}");
            }
            if op.saturates() {
                let (image, y) = (floats::cast(*op, &a), machine::cast(*op, x));
                assert!(holds(&image, y), "cast {op:?} of {x:#x} in {a:x?} is {y:#x}, not in {image:x?}");
            }
        }
    }
}

#[test]
fn binary_operators_hold_every_result() {
    let mut random = Random(12);
    for op in Binary::ALL {
        let ty = operand(&format!("{op:?}"));
        for _ in 0..2 * TIMES {
            let (x, y) = (bits(ty, &mut random), bits(ty, &mut random));
            let (a, b) = (around(ty, x, &mut random), around(ty, y, &mut random));
            let image = binary(*op, &a, &b);
            if let Ok(z) = machine::binary(*op, x, y) {
                assert!(holds(&image, z), "{op:?} of {x:#x} in {a:x?}, {y:#x} in {b:x?} is {z:#x}, not in {image:x?}");
            }
        }
    }
}

#[test]
fn comparisons_may_come_out_as_they_do() {
    let mut random = Random(13);
    for op in Compare::ALL {
        let ty = operand(&format!("{op:?}"));
        let mut decided = 0;
        for n in 0..TIMES {
            let x = bits(ty, &mut random);
            let y = if n % 4 == 0 { x } else { bits(ty, &mut random) };
            let (a, b) = (around(ty, x, &mut random), around(ty, y, &mut random));
            let (yes, no) = compare(*op, &a, &b);
            let is = machine::compare(*op, x, y);
            assert!(if is { yes } else { no }, "{op:?} of {x:#x} in {a:x?} and {y:#x} in {b:x?} is {is}");
            decided += usize::from(yes != no);
        }
        assert!(decided > TIMES / 40, "{op:?}: {decided}");
    }
}

#[test]
fn memory_holds_what_stands_there() {
    let mut random = Random(14);
    for round in 0..1_500 {
        let start: Vec<u8> = (0..40).map(|_| random.bits() as u8).collect();
        let known = std::ops::Range { start: 0, end: 40 };
        let (mut bytes, mut memory) = (start.clone(), Memory::new(&start, std::slice::from_ref(&known)));
        for _ in 0..40 {
            let ty = random.of(&TYPES);
            let n = if matches!(ty, Type::F32 | Type::F64) { ty.bytes() } else { random.of(&[1, 2, 4, ty.bytes()]) };
            let at = random.below(40 - usize::from(n) + 1);
            let all = at..at + usize::from(n);
            match random.below(5) {
                0 | 1 => {
                    let x = bits(ty, &mut random);
                    memory.store(Store { ty, bytes: n }, at as u32, around(ty, x, &mut random));
                    bytes[all].copy_from_slice(&x.to_le_bytes()[..n.into()]);
                }
                2 => {
                    let length = random.below(20);
                    let (to, from) = (random.below(40 - length), random.below(40 - length));
                    memory.copy(to as u32, from as u32, length as u32);
                    bytes.copy_within(from..from + length, to);
                }
                _ => {
                    let signed = n < ty.bytes() && random.below(2) == 0;
                    let found = memory.load(Load { ty, bytes: n, signed }, at as u32);
                    let mut word = [0; 8];
                    word[..n.into()].copy_from_slice(&bytes[all]);
                    let (x, unused) = (u64::from_le_bytes(word), 64 - 8 * u32::from(n));
                    let x = if signed { ((x << unused) as i64 >> unused) as u64 & mask(width(ty)) } else { x };
                    assert_eq!(found.ty, ty);
                    assert!(holds(&found, x), "round {round}: {ty:?}, {n} bytes at {at}: {x:#x} not in {found:x?}");
                }
            }
        }
    }
}
