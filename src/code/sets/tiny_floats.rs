//! Sets of floats of a few bits, all of them, against each of their members: no result is lost.

use super::floats::{Arithmetic, Numbers, halves, joined, of_total, total};
use super::sample::one_in;
use super::tiny::{all, holds};
use super::{Floats, Ints, Nan, inside, saturated, truncated};

/// A format with subnormals and infinities, whose numbers binary64 holds.
#[derive(Clone, Copy, Debug)]
struct Format {
    exponent_bits: u32,
    fraction_bits: u32,
}

impl Format {
    fn infinity(self) -> i64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    fn ordinals(self) -> std::ops::RangeInclusive<i64> {
        -self.infinity() - 1..=self.infinity()
    }

    /// The number of an ordinal; -0 is -1.
    fn number(self, ordinal: i64) -> f64 {
        if ordinal < 0 {
            return -self.number(-ordinal - 1);
        }
        if ordinal == self.infinity() {
            return f64::INFINITY;
        }
        let (exponent, fraction) = (ordinal >> self.fraction_bits, ordinal & ((1 << self.fraction_bits) - 1));
        let hidden = if exponent == 0 { 0 } else { 1 << self.fraction_bits };
        let bias = (1 << (self.exponent_bits - 1)) - 1 + i64::from(self.fraction_bits);
        ((fraction | hidden) as f64) * ((exponent.max(1) - bias) as f64).exp2()
    }

    /// The ordinal of the nearest number, of two the one whose last bit is 0. In place of infinity stands the number that
    /// would come next.
    fn nearest(self, x: f64) -> i64 {
        if x.is_sign_negative() {
            return -self.nearest(-x) - 1;
        }
        let beyond = 2.0 * self.number(self.infinity() - (1 << self.fraction_bits));
        let at = |n: i64| if n == self.infinity() { beyond } else { self.number(n) };
        let below = (0..=self.infinity()).rev().find(|n| at(*n) <= x).unwrap_or(0);
        if below == self.infinity() {
            return below;
        }
        let middle = (at(below) + at(below + 1)) / 2.0;
        if x > middle || (x == middle && below % 2 == 1) { below + 1 } else { below }
    }

    /// The result of an operator on two numbers; none where it is NaN. Sums and products are exact in binary64, and rounding
    /// a quotient twice is harmless where the first precision is more than twice the second.
    fn result(self, op: Arithmetic, a: i64, b: i64) -> Option<i64> {
        let (x, y) = (self.number(a), self.number(b));
        let z = match op {
            Arithmetic::Add => x + y,
            Arithmetic::Sub => x - y,
            Arithmetic::Mul => x * y,
            Arithmetic::Div => x / y,
        };
        (!z.is_nan()).then(|| self.nearest(z))
    }
}

const OPERATORS: [Arithmetic; 4] = [Arithmetic::Add, Arithmetic::Sub, Arithmetic::Mul, Arithmetic::Div];

/// All pairs of intervals of a format, or one in some of them.
fn look_at_pairs(format: Format, one_in: usize) -> u64 {
    let first = *format.ordinals().start();
    let count = format.ordinals().count();
    let intervals: Vec<Numbers> =
        format.ordinals().flat_map(|lo| (lo..=format.infinity()).map(move |hi| Numbers { lo, hi })).collect();
    let mut looked = 0;
    for (k, op) in OPERATORS.into_iter().enumerate() {
        let table: Vec<Option<i64>> =
            format.ordinals().flat_map(|a| format.ordinals().map(move |b| format.result(op, a, b))).collect();
        let result = |a: i64, b: i64| table[(a - first) as usize * count + (b - first) as usize];
        for (i, a) in intervals.iter().enumerate() {
            for b in intervals.iter().skip((i + k) % one_in).step_by(one_in) {
                let nan = op.may_be_nan(*a, *b, format.infinity());
                let image = op.image(*a, *b, format.infinity(), |x, y| result(x, y).unwrap());
                for (x, y) in (a.lo..=a.hi).flat_map(|x| (b.lo..=b.hi).map(move |y| (x, y))) {
                    looked += 1;
                    match result(x, y) {
                        Some(z) => {
                            assert!(image.lo <= z && z <= image.hi, "{format:?} {op:?} {a:?} {b:?}: {x} {y} {z}")
                        }
                        None => assert!(nan, "{format:?} {op:?} {a:?} {b:?}: {x} {y} gives NaN"),
                    }
                }
            }
        }
    }
    looked
}

#[test]
fn arithmetic_on_all_intervals_of_floats_of_five_bits() {
    let format = Format { exponent_bits: 3, fraction_bits: 1 };
    let numbers: Vec<f64> = format.ordinals().map(|n| format.number(n)).collect();
    assert!(numbers.windows(2).all(|w| w[0] <= w[1]) && numbers[0] == f64::NEG_INFINITY, "{numbers:?}");
    for n in format.ordinals() {
        assert_eq!(format.nearest(format.number(n)), n);
    }
    assert!(look_at_pairs(format, one_in(7)) > 1_000_000);
}

#[test]
fn arithmetic_on_intervals_of_floats_of_six_bits() {
    for (exponent_bits, fraction_bits) in [(2, 3), (3, 2), (4, 1)] {
        let format = Format { exponent_bits, fraction_bits };
        assert!(look_at_pairs(format, one_in(5000)) > 100_000);
    }
}

/// Halves of magnitudes and signs, with three bits each.
#[test]
fn halves_of_all_ranges_of_six_bits_hold_those_of_every_member() {
    for (lo, hi) in (0..32i64).flat_map(|lo| (lo..32).map(move |hi| (lo, hi))) {
        for negative in [false, true] {
            let (upper, lower) = halves(3, lo, hi, negative);
            let back = joined(upper, lower, negative).unwrap();
            for magnitude in lo..=hi {
                let bits = magnitude as u64 | u64::from(negative) << 5;
                assert!(holds(upper, bits >> 3) && holds(lower, bits & 7), "{bits:#b} {lo} {hi}: {upper:?} {lower:?}");
                assert!(back.0 <= magnitude && magnitude <= back.1);
            }
        }
    }
    let sets = all(3, true);
    for ((upper, xs), (lower, ys)) in sets.iter().flat_map(|a| sets.iter().map(move |b| (a, b))) {
        for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
            let (magnitude, negative) = (((x & 3) << 3 | y) as i64, x & 4 != 0);
            let (lo, hi) = joined(*upper, *lower, negative).unwrap();
            assert!(lo <= magnitude && magnitude <= hi, "{upper:?} {lower:?}: {x} {y}");
        }
    }
}

/// Floats to integers of a few bits, in all three ways, for all ranges of quarters around the integers' ends.
#[test]
fn floats_become_integers_of_a_few_bits() {
    for width in 3..=5 {
        let most = 5 << width;
        let ends: Vec<f64> = (-most..=most).step_by(1 + one_in(2)).map(|k| f64::from(k) / 4.0).collect();
        for (i, lo) in ends.iter().enumerate() {
            for (j, hi) in ends.iter().enumerate().skip(i) {
                let nan = if (i + j) % 3 == 0 { Nan::of_arithmetic(true) } else { Nan::No };
                let s = Floats { double: true, lo: total(*lo), hi: total(*hi), nan };
                look_at_conversions(s, width, &ends[i..=j]);
            }
        }
    }
}

fn look_at_conversions(s: Floats, width: u32, members: &[f64]) {
    let whole = Ints::all(width);
    let super::ValueSet::Int(near) = saturated(s, width) else { panic!() };
    let native = truncated(s, width);
    let signed = inside(s, width, true);
    let unsigned = inside(s, width, false);
    let nan = s.nan.is().then_some(f64::NAN);
    for x in members.iter().copied().chain(nan) {
        let n = x.trunc();
        let fits = n >= whole.lo as f64 && n <= whole.hi as f64;
        let saturates = if x.is_nan() { 0 } else { (n as i64).clamp(whole.lo, whole.hi) };
        assert!(near.holds(saturates), "{x} of {s:?} as {width} bits: {near:?}");
        let cast = if fits { n as i64 } else { whole.lo };
        assert!(native.holds(cast), "{x} of {s:?} as {width} bits: {native:?}");
        if let Some(set) = signed {
            assert!(fits && matches!(set, super::ValueSet::Int(set) if set.holds(n as i64)), "{x} of {s:?}: {set:?}");
        }
        if let Some(set) = unsigned {
            let fits = n >= 0.0 && n < f64::from(width).exp2();
            let inside = |set: Ints| set.holds(Ints::signed(width, n as u64));
            assert!(fits && matches!(set, super::ValueSet::Int(set) if inside(set)), "{x} of {s:?}: {set:?}");
        }
    }
}

/// Turning and leaving out signs, and hulls, know ordinals alone.
#[test]
fn signs_of_all_short_ranges_of_ordinals() {
    let sets: Vec<Floats> =
        (-9..9).flat_map(|lo| (lo..9).map(move |hi| Floats { double: true, lo, hi, nan: Nan::No })).collect();
    let inside = |s: Floats, x: f64| s.lo <= total(x) && total(x) <= s.hi;
    for s in &sets {
        for x in (s.lo..=s.hi).map(of_total) {
            assert!(inside(s.negated(), -x) && inside(s.absolute(), x.abs()), "{x:e} of {s:?}");
            assert!(sets.iter().all(|t| inside(s.hull(*t), x)));
        }
    }
}
