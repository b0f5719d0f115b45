//! Every operator on sets of values of 32 and 64 bits against the interpreter's on their members: no result is lost.

use super::sample::{Random, around, bits, holds, intervals, one_in, operand, times};
use super::{ValueSet, binary, cast, compare, from_words, unary, words};
use crate::code::bits as machine;
use crate::code::ins::{Binary, Compare, Type, Unary};

fn look_unary(op: Unary, set: ValueSet, x: u64) {
    match (unary(op, set), machine::unary(op, x)) {
        (Some(image), Ok(y)) => assert!(holds(image, y), "{op:?} of {x:#x} in {set:?} is {y:#x}, not in {image:?}"),
        (Some(image), Err(_)) => panic!("{op:?} of {x:#x} in {set:?} traps, and the sets say {image:?}"),
        (None, _) => {}
    }
    if op.saturates() {
        let (image, y) = (cast(op, set), machine::cast(op, x));
        assert!(holds(image, y), "cast {op:?} of {x:#x} in {set:?} is {y:#x}, not in {image:?}");
    }
}

fn look_binary(op: Binary, (a, x): (ValueSet, u64), (b, y): (ValueSet, u64)) {
    match (binary(op, a, b), machine::binary(op, x, y)) {
        (Some(image), Ok(z)) => {
            assert!(holds(image, z), "{op:?} of {x:#x} in {a:?} and {y:#x} in {b:?} is {z:#x}, not in {image:?}");
        }
        (Some(image), Err(_)) => panic!("{op:?} of {x:#x} in {a:?} and {y:#x} in {b:?} traps, not {image:?}"),
        (None, _) => {}
    }
}

fn look_compare(op: Compare, (a, x): (ValueSet, u64), (b, y): (ValueSet, u64)) -> bool {
    let Some(outcome) = compare(op, a, b) else { return false };
    assert_eq!(machine::compare(op, x, y), outcome, "{op:?} of {x:#x} in {a:?} and {y:#x} in {b:?}");
    true
}

#[test]
fn unary_operators_hold_every_result() {
    let mut random = Random(1);
    for op in Unary::ALL {
        let ty = operand(&format!("{op:?}"));
        for _ in 0..times() {
            let x = bits(ty, &mut random);
            look_unary(*op, around(ty, x, &mut random), x);
        }
    }
}

#[test]
fn binary_operators_hold_every_result() {
    let mut random = Random(2);
    for op in Binary::ALL {
        let ty = operand(&format!("{op:?}"));
        for _ in 0..times() {
            let (x, y) = (bits(ty, &mut random), bits(ty, &mut random));
            look_binary(*op, (around(ty, x, &mut random), x), (around(ty, y, &mut random), y));
        }
    }
}

#[test]
fn comparisons_are_decided_only_as_all_members_come_out() {
    let mut random = Random(3);
    for op in Compare::ALL {
        let ty = operand(&format!("{op:?}"));
        let mut decided = 0;
        for n in 0..times() {
            let x = bits(ty, &mut random);
            let y = if n % 4 == 0 { x } else { bits(ty, &mut random) };
            let decides = look_compare(*op, (around(ty, x, &mut random), x), (around(ty, y, &mut random), y));
            decided += usize::from(decides);
        }
        assert!(decided > times() / 20, "{op:?}: {decided}");
    }
}

#[test]
fn operators_on_floats_hold_every_result_between_all_corners() {
    for (double, ty) in [(true, Type::F64), (false, Type::F32)] {
        let (sets, stride) = (intervals(double), one_in(11));
        for op in Unary::ALL.iter().filter(|op| operand(&format!("{op:?}")) == ty) {
            for (set, members) in &sets {
                members.iter().for_each(|x| look_unary(*op, *set, *x));
            }
        }
        for op in Binary::ALL.iter().filter(|op| operand(&format!("{op:?}")) == ty) {
            for (i, (a, xs)) in sets.iter().enumerate() {
                for (b, ys) in sets.iter().skip(i % stride).step_by(stride) {
                    let image = binary(*op, *a, *b).unwrap();
                    for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
                        let z = machine::binary(*op, x, y).unwrap();
                        assert!(holds(image, z), "{op:?} of {x:#x} in {a:?} and {y:#x} in {b:?}: {z:#x}, {image:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn halves_of_bits_hold_those_of_every_member() {
    let mut random = Random(4);
    for _ in 0..20 * times() {
        let x = bits(Type::F64, &mut random);
        let ValueSet::Float(s) = around(Type::F64, x, &mut random) else { continue };
        let (upper, lower) = words(s);
        let whole = from_words(upper, lower);
        assert!(holds(ValueSet::Int(upper), x >> 32), "{x:#x} of {s:?}: {upper:?}");
        assert!(holds(ValueSet::Int(lower), x & 0xffff_ffff), "{x:#x} of {s:?}: {lower:?}");
        assert!(holds(ValueSet::Float(whole), x), "{x:#x} of {s:?}: {whole:?}");
    }
}
