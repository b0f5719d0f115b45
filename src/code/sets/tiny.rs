//! Every operation on sets of integers of few bits against each of its members: no result is lost.

use super::ints::{Ints, Op, Shift};
use super::sample::one_in;
use super::{ValueSet, compare};
use crate::code::ins::Compare;

/// A set and its members, as bits.
type Listed = (Ints, Vec<u64>);

/// A comparison, and what it says of numbers.
type Meaning<T> = (Compare, fn(T, T) -> bool);

pub(super) fn holds(s: Ints, bits: u64) -> bool {
    s.holds(Ints::signed(s.width, bits))
}

fn members(s: Ints) -> Vec<u64> {
    (0..=Ints::mask(s.width)).filter(|b| holds(s, *b)).collect()
}

/// All sets of integers of a width: all bounds, with all patterns of known bits where `patterns`. The empty one is left out.
pub(super) fn all(width: u32, patterns: bool) -> Vec<Listed> {
    let (mask, whole) = (Ints::mask(width), Ints::all(width));
    let mut sets: Vec<Ints> = Vec::new();
    for unknown in if patterns { 0..=mask } else { mask..=mask } {
        for known in (0..=mask).filter(|k| k & unknown == 0) {
            let pairs = (whole.lo..=whole.hi).flat_map(|lo| (lo..=whole.hi).map(move |hi| (lo, hi)));
            for (lo, hi) in pairs {
                let raw = Ints { width, lo, hi, known, unknown };
                let inside = members(raw);
                let s = raw.tightened();
                if inside.is_empty() {
                    continue;
                }
                assert!(s.holds(s.lo) && s.holds(s.hi), "{s:?}");
                assert_eq!(members(s), inside, "{raw:?} is another set as {s:?}");
                sets.push(s);
            }
        }
    }
    sets.sort_by_key(|s| (s.lo, s.hi, s.known, s.unknown));
    sets.dedup();
    sets.into_iter().map(|s| (s, members(s))).collect()
}

const OPS: [Op; 15] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Div { signed: true },
    Op::Div { signed: false },
    Op::Rem { signed: true },
    Op::Rem { signed: false },
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Shift(Shift::Left),
    Op::Shift(Shift::Right),
    Op::Shift(Shift::RightLogical),
    Op::Rotate { left: true },
    Op::Rotate { left: false },
];

/// The result of an operation, as WebAssembly would have it for integers of this width; none where it traps.
fn result(width: u32, op: Op, a: u64, b: u64) -> Option<u64> {
    let (p, q) = (Ints::signed(width, a), Ints::signed(width, b));
    let by = (b % u64::from(width)) as u32;
    let least = Ints::all(width).lo;
    let bits = match op {
        Op::Add => a + b,
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a * b,
        Op::Div { .. } | Op::Rem { .. } if b == 0 => return None,
        Op::Div { signed: true } if p == least && q == -1 => return None,
        Op::Div { signed: true } => (p / q) as u64,
        Op::Div { signed: false } => a / b,
        Op::Rem { signed: true } => (p % q) as u64,
        Op::Rem { signed: false } => a % b,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Shift(Shift::Left) => a << by,
        Op::Shift(Shift::Right) => (p >> by) as u64,
        Op::Shift(Shift::RightLogical) => a >> by,
        Op::Rotate { left: true } => a << by | a >> (width - by),
        Op::Rotate { left: false } => a >> by | a << (width - by),
    };
    Some(bits & Ints::mask(width))
}

fn look(op: Op, (a, xs): &Listed, (b, ys): &Listed) {
    let image = a.image_of(op, *b);
    for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
        match (image, result(a.width, op, x, y)) {
            (Some(image), Some(z)) => assert!(holds(image, z), "{op:?} {a:?} {b:?}: {x} {y} is {z}, not in {image:?}"),
            (Some(image), None) => panic!("{op:?} {a:?} {b:?}: {x} {y} traps, and the sets say {image:?}"),
            (None, _) => {}
        }
    }
    if image.is_none() {
        let traps = |x: &u64| ys.iter().any(|y| result(a.width, op, *x, *y).is_none());
        assert!(xs.iter().any(traps), "{op:?} {a:?} {b:?} never traps");
    }
}

#[test]
fn operations_on_all_sets_of_three_bits() {
    let sets = all(3, true);
    assert_eq!(sets.len(), 60);

    for op in OPS {
        for a in &sets {
            sets.iter().for_each(|b| look(op, a, b));
        }
    }
}

#[test]
fn operations_on_all_sets_of_four_bits_and_all_intervals_of_more() {
    let widths = [(4, true, 11), (5, false, 17), (6, false, 61)];
    for (width, patterns, stride) in widths {
        let (sets, stride) = (all(width, patterns), one_in(stride));
        for (n, op) in OPS.iter().enumerate() {
            for (i, a) in sets.iter().enumerate() {
                // Which pairs are looked at differs from set to set and from operation to operation.
                sets.iter().skip((n + i) % stride).step_by(stride).for_each(|b| look(*op, a, b));
            }
        }
        let singles: Vec<&Listed> = sets.iter().filter(|s| s.1.len() == 1).collect();
        for op in OPS {
            for a in &sets {
                singles.iter().for_each(|b| look(op, a, b));
            }
        }
    }
}

#[test]
fn sets_of_all_widths_are_cut_and_extended() {
    let widths = [(3, true), (4, true), (6, false)];
    for (width, patterns) in widths {
        for (s, xs) in all(width, patterns) {
            for to in 1..=width {
                let cut = s.cut(to);
                xs.iter().for_each(|x| assert!(holds(cut, x & Ints::mask(to)), "{x} of {s:?} cut to {to}: {cut:?}"));
            }
            for (to, signed) in [(7, true), (7, false), (64, true), (64, false)] {
                let long = s.extended(to, signed);
                for x in &xs {
                    let y = if signed { Ints::signed(width, *x) as u64 & Ints::mask(to) } else { *x };
                    assert!(holds(long, y), "{x} of {s:?} extended to {to}: {long:?}");
                }
            }
            let (lo, hi) = s.unsigned();
            assert!(lo <= xs[0] && xs[xs.len() - 1] <= hi, "{s:?}");
        }
    }
}

#[test]
fn hulls_hold_both_sets() {
    let (sets, stride) = (all(4, true), one_in(3));
    for (i, (a, xs)) in sets.iter().enumerate() {
        for (b, ys) in sets.iter().skip(i % stride).step_by(stride) {
            let hull = a.hull(*b);
            assert!(xs.iter().chain(ys).all(|x| holds(hull, *x)), "{a:?} {b:?} {hull:?}");
        }
    }
}

#[test]
fn comparisons_that_are_decided_come_out_so_for_all_members() {
    use Compare::*;
    let (sets, stride) = (all(4, true), one_in(5));
    let signed: [Meaning<i64>; 6] = [
        (I32Eq, |a, b| a == b),
        (I32Ne, |a, b| a != b),
        (I32LtS, |a, b| a < b),
        (I32LeS, |a, b| a <= b),
        (I32GtS, |a, b| a > b),
        (I32GeS, |a, b| a >= b),
    ];
    let unsigned: [Meaning<u64>; 4] =
        [(I32LtU, |a, b| a < b), (I32LeU, |a, b| a <= b), (I32GtU, |a, b| a > b), (I32GeU, |a, b| a >= b)];
    let mut decided = 0;
    for (i, (a, xs)) in sets.iter().enumerate() {
        for (b, ys) in sets.iter().skip(i % stride).step_by(stride) {
            let pairs = || xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y)));
            let asked = |op| compare(op, ValueSet::Int(*a), ValueSet::Int(*b));
            for (op, f) in signed {
                let Some(outcome) = asked(op) else { continue };
                decided += 1;
                let comes_out = |(x, y)| f(Ints::signed(4, x), Ints::signed(4, y)) == outcome;
                assert!(pairs().all(comes_out), "{op:?} {a:?} {b:?}");
            }
            for (op, f) in unsigned {
                let Some(outcome) = asked(op) else { continue };
                decided += 1;
                assert!(pairs().all(|(x, y)| f(x, y) == outcome), "{op:?} {a:?} {b:?}");
            }
        }
    }
    assert!(decided > 10_000, "{decided}");
}
