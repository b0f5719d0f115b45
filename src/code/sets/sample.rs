//! Values that are bad for arithmetic, and sets that hold them, for tests.

use super::floats::{of_total, of_total32};
use super::{Floats, Ints, Nan, ValueSet};
use crate::code::ins::Type;

/// Whether there is a compiler for this machine; under CI there has to be.
pub(in crate::code) fn has_cc() -> bool {
    let there = std::process::Command::new("cc").arg("--version").output().is_ok_and(|o| o.status.success());
    assert!(there || std::env::var_os("CI").is_none(), "cc is needed");
    there
}

/// How many random cases a test of one operator takes: `MAGNETO_CASES`, or a few thousand.
pub(in crate::code) fn times() -> usize {
    cases().unwrap_or(6_000)
}

fn cases() -> Option<usize> {
    std::env::var("MAGNETO_CASES").ok()?.parse().ok()
}

/// Of how many pairs of sets a test takes one: all of them where `MAGNETO_CASES` is set.
pub(in crate::code) fn one_in(some: usize) -> usize {
    if cases().is_some() { 1 } else { some }
}

/// Pseudo-random numbers.
pub(in crate::code) struct Random(pub(in crate::code) u64);

impl Random {
    pub(in crate::code) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    pub(in crate::code) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub(in crate::code) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Of all sizes.
    fn sized(&mut self) -> u64 {
        let by = self.below(64);
        self.bits() >> by
    }
}

pub(in crate::code) const TYPES: [Type; 4] = [Type::I32, Type::I64, Type::F32, Type::F64];

/// The type of the operands of an operator, by its name: the last type that it names.
pub(in crate::code) fn operand(name: &str) -> Type {
    let types = [("I32", Type::I32), ("I64", Type::I64), ("F32", Type::F32), ("F64", Type::F64)];
    let found = types.into_iter().max_by_key(|(t, _)| name.rfind(t).map_or(-1, |at| at as i64));
    found.map_or(Type::I32, |(_, ty)| ty)
}

fn width(ty: Type) -> u32 {
    if matches!(ty, Type::I32 | Type::F32) { 32 } else { 64 }
}

/// Bits of a type: ends of ranges, numbers at which conversions change, NaNs, and any.
pub(in crate::code) fn bits(ty: Type, random: &mut Random) -> u64 {
    let mask = Ints::mask(width(ty));
    let near = |x: u64, random: &mut Random| x.wrapping_add(random.below(5) as u64).wrapping_sub(2);
    match (ty, random.below(4)) {
        (_, 0) => random.bits() & mask,
        (Type::I32 | Type::I64, 1) => {
            random.of(&[0u64, 1 << 31, 1 << 63, 1 << 32, 32, 64]).wrapping_add(near(0, random)) & mask
        }
        (Type::I32 | Type::I64, 2) => random.sized() & mask,
        (Type::I32 | Type::I64, _) => (random.sized() as i64).wrapping_neg() as u64 & mask,
        (Type::F64, 1) => near(corner(random).to_bits(), random),
        (Type::F32, 1) => near((corner(random) as f32).to_bits().into(), random) & mask,
        (Type::F64, 2) => {
            ((random.sized() as i64 >> random.below(60)) as f64 / random.of(&[1.0, -2.0, 65536.0])).to_bits()
        }
        (Type::F32, 2) => {
            ((random.sized() as i64 >> random.below(60)) as f32 / random.of(&[1.0, -2.0, 256.0])).to_bits().into()
        }
        // A NaN, or an infinity.
        (Type::F64, _) => {
            (random.bits() & 1 << 63) | 0x7ff << 52 | (random.bits() >> random.below(64)) & ((1 << 52) - 1)
        }
        (Type::F32, _) => {
            (random.bits() & 1 << 31) | 0xff << 23 | (random.bits() >> random.below(64)) & ((1 << 23) - 1)
        }
    }
}

fn corner(random: &mut Random) -> f64 {
    let x = random.of(&CORNERS);
    if random.below(2) == 0 { x } else { -x }
}

/// Numbers at which something changes, without a sign.
pub(in crate::code) const CORNERS: [f64; 16] = [
    0.0,
    5e-324,
    1e-45,
    f64::MIN_POSITIVE,
    1.175_494_350_822_287_5e-38,
    0.5,
    1.0,
    1.5,
    2_147_483_648.0,
    4_294_967_296.0,
    9_223_372_036_854_775_808.0,
    18_446_744_073_709_551_616.0,
    3.402_823_466_385_288_6e38,
    1e300,
    f64::MAX,
    f64::INFINITY,
];

/// A set that holds bits of a type.
pub(in crate::code) fn around(ty: Type, bits: u64, random: &mut Random) -> ValueSet {
    let away = |random: &mut Random| {
        if random.below(3) == 0 { 0 } else { (random.sized() >> random.below(63)) as i64 & i64::MAX }
    };
    if let Type::I32 | Type::I64 = ty {
        let w = width(ty);
        let (n, all) = (Ints::signed(w, bits), Ints::all(w));
        let (lo, hi) = (n.saturating_sub(away(random)).max(all.lo), n.saturating_add(away(random)).min(all.hi));
        let unknown =
            random.of(&[0, u64::MAX, u64::MAX, u64::MAX << 3, 0xffff_ffff, random.0, !random.0]) & all.unknown;
        return ValueSet::Int(Ints { width: w, lo, hi, known: bits & !unknown, unknown }.tightened());
    }
    let double = ty == Type::F64;
    let one = Floats::one(double, bits);
    let all = Floats::all(double);
    // NaNs besides a number, and numbers besides a NaN.
    let nan = match one.nan {
        Nan::Some { negative, lo, hi } => {
            let (least, most) = Nan::limits(double);
            let (lo, hi) = (lo.saturating_sub(away(random)).max(least + 1), hi.saturating_add(away(random)).min(most));
            Nan::Some { negative: negative.filter(|_| random.below(2) == 0), lo, hi }
        }
        Nan::No => random.of(&[Nan::No, Nan::No, Nan::of_arithmetic(double), Nan::any(double)]),
    };
    if one.no_number() && random.below(2) == 0 {
        return ValueSet::Float(Floats { nan, ..one });
    }
    let n = if one.no_number() { (random.sized() as i64).clamp(all.lo, all.hi) } else { one.lo };
    let (lo, hi) = (n.saturating_sub(away(random)).max(all.lo), n.saturating_add(away(random)).min(all.hi));
    ValueSet::Float(Floats { double, lo, hi, nan })
}

/// Whether a set holds bits.
pub(in crate::code) fn holds(set: ValueSet, bits: u64) -> bool {
    match set {
        ValueSet::Outside => true,
        ValueSet::Int(s) => s.holds(Ints::signed(s.width, bits)),
        ValueSet::Float(s) => {
            let one = Floats::one(s.double, bits);
            match (one.nan, s.nan) {
                (Nan::No, _) => s.lo <= one.lo && one.lo <= s.hi,
                (Nan::Some { lo, negative, .. }, Nan::Some { lo: least, hi: most, negative: sign }) => {
                    least <= lo && lo <= most && (sign.is_none() || sign == negative)
                }
                (Nan::Some { .. }, Nan::No) => false,
            }
        }
    }
}

/// All sets of numbers between two of the corners, each with those of the corners that it holds.
pub(in crate::code) fn intervals(double: bool) -> Vec<(ValueSet, Vec<u64>)> {
    let numbers: Vec<f64> = CORNERS.iter().flat_map(|x| [-x, *x]).collect();
    let bits = |x: &f64| if double { x.to_bits() } else { (*x as f32).to_bits().into() };
    let mut corners: Vec<u64> = numbers.iter().map(bits).collect();
    corners.sort_by_key(|b| Floats::one(double, *b).lo);
    corners.dedup();
    let mut all = Vec::new();
    for (i, a) in corners.iter().enumerate() {
        for (j, b) in corners.iter().enumerate().skip(i) {
            let (lo, hi) = (Floats::one(double, *a).lo, Floats::one(double, *b).lo);
            let nan = [Nan::No, Nan::No, Nan::of_arithmetic(double)][(i + j) % 3];
            let back = if double { of_total(lo).to_bits() } else { of_total32(lo).to_bits().into() };
            assert_eq!(back, *a);
            all.push((ValueSet::Float(Floats { double, lo, hi, nan }), corners[i..=j].to_vec()));
        }
    }
    all
}
