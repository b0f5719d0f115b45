//! Inputs to begin with and ways to change one: special values, values of every size, constants of the code.

use super::ordinal::{from_ordinal, masked, ordinal, stepped};
use super::rng::Rng;
use crate::code::ins::{Const, Ins};
use crate::code::module::Module;
use crate::code::program::Kind;

/// Values at which numerical code often does something else.
#[must_use]
pub fn special(kind: Kind) -> Vec<u64> {
    let values = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.5,
        -0.5,
        2.0,
        -2.0,
        3.0,
        -3.0,
        1.5,
        -1.5,
        10.0,
        1e-3,
        100.0,
        1e6,
        -1e6,
        1e10,
        1e-10,
        1e20,
        1e-20,
        1e30,
        1e-30,
    ];
    match kind {
        Kind::F64 => {
            let ends = [f64::MAX, f64::MIN, f64::MIN_POSITIVE, f64::from_bits(1), f64::from_bits((1 << 52) - 1), 1e300];
            values.iter().chain(&ends).map(|x| x.to_bits()).collect()
        }
        Kind::F32 => {
            let ends = [f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::from_bits(1), f32::from_bits((1 << 23) - 1)];
            values.iter().map(|x| *x as f32).chain(ends).map(|x| u64::from(x.to_bits())).collect()
        }
        Kind::Bool => vec![0, 1],
        Kind::Int { .. } => {
            let ends = [i128::MIN, i128::MAX];
            let small =
                [0, 1, -1, 2, -2, 3, 4, 5, 7, 8, 10, 16, 100, 127, 128, 255, 256, 1000, 1023, 1024, 32767, 65536];
            let mut all: Vec<u64> = ends.iter().chain(&small).map(|n| from_ordinal(kind, *n)).collect();
            all.sort_unstable();
            all.dedup();
            all
        }
    }
}

/// The constants that functions of a module compare and compute with, as values of a kind: numbers as they are, and
/// integers also as the upper part of a float, as code that looks at bits has them.
#[must_use]
pub fn constants(module: &Module, functions: &[u32], kind: Kind) -> Vec<u64> {
    let mut all = Vec::new();
    for f in functions {
        for ins in &module.functions[*f as usize].code {
            let Ins::Const(c) = ins else { continue };
            match (kind, *c) {
                (Kind::F64, Const::F64(bits)) => all.push(bits),
                (Kind::F64, Const::F32(bits)) => all.push(f64::from(f32::from_bits(bits)).to_bits()),
                (Kind::F64, Const::I64(n)) => all.extend([n as u64, (n as f64).to_bits()]),
                (Kind::F64, Const::I32(n)) => all.extend([u64::from(n as u32) << 32, f64::from(n).to_bits()]),
                (Kind::F32, Const::F32(bits)) => all.push(bits.into()),
                (Kind::F32, Const::F64(bits)) => all.push((f64::from_bits(bits) as f32).to_bits().into()),
                (Kind::F32, Const::I32(n)) => all.extend([u64::from(n as u32), (n as f32).to_bits().into()]),
                (Kind::Int { .. }, Const::I32(n)) => all.push(masked(kind, n as u64)),
                (Kind::Int { .. }, Const::I64(n)) => all.push(masked(kind, n as u64)),
                _ => {}
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The bits of the fraction of a float; half of an integer's.
fn fraction(kind: Kind) -> u32 {
    match kind {
        Kind::F64 => 52,
        Kind::F32 => 23,
        Kind::Bool => 0,
        Kind::Int { bytes, .. } => 4 * u32::from(bytes),
    }
}

/// A value of any size, small and large ones alike, with a full or a short fraction.
pub fn any(kind: Kind, rng: &mut Rng) -> u64 {
    let bits = masked(kind, rng.bits());
    match kind {
        Kind::Bool => bits,
        Kind::Int { .. } => {
            let shift = rng.below(8 * kind.bytes() as usize) as u32;
            let n = ordinal(kind, bits) >> shift;
            from_ordinal(kind, n)
        }
        _ => match rng.below(4) {
            // Within a few binades of 1.
            0 => {
                let one = if kind == Kind::F64 { 1.0f64.to_bits() } else { 1.0f32.to_bits().into() };
                let exponent = rng.below(40) as i128 - 20;
                let n = ordinal(kind, one) + (exponent << fraction(kind));
                let n = n + ordinal(Kind::Int { bytes: 8, signed: false }, bits & ((1 << fraction(kind)) - 1));
                from_ordinal(kind, if bits >> (8 * kind.bytes() - 1) & 1 == 1 { -n } else { n })
            }
            1 => shortened(kind, bits, rng),
            _ => bits,
        },
    }
}

/// With only a few bits of the fraction left.
fn shortened(kind: Kind, bits: u64, rng: &mut Rng) -> u64 {
    let drop = rng.below(fraction(kind) as usize + 1) as u32;
    bits >> drop << drop
}

/// What [`changed`] draws from.
pub struct Pool {
    /// For each input what is special for its kind, and constants of the code.
    pub values: Vec<Vec<u64>>,
}

impl Pool {
    /// For inputs of these kinds to functions of a module.
    #[must_use]
    pub fn new(module: &Module, functions: &[u32], kinds: &[Kind]) -> Self {
        let values = kinds.iter().map(|k| [special(*k), constants(module, functions, *k)].concat()).collect();
        Pool { values }
    }
}

/// One input changed in one of many ways; the others stay.
pub fn changed(input: &[u64], kinds: &[Kind], pool: &Pool, rng: &mut Rng) -> Vec<u64> {
    let mut next = input.to_vec();
    let i = rng.below(input.len());
    let kind = kinds[i];
    let width = 8 * kind.bytes() as usize;
    let x = next[i];
    next[i] = match rng.below(13) {
        0 => x ^ 1 << rng.below(width),
        1 => x ^ 1 << rng.below(width) ^ 1 << rng.below(width),
        2 => x & !((1 << fraction(kind)) - 1) | masked(kind, rng.bits()) & ((1 << fraction(kind)) - 1),
        3 => shortened(kind, x, rng),
        4 | 5 => {
            let values = &pool.values[i];
            let chosen = values[rng.below(values.len())];
            if rng.below(2) == 0 { chosen } else { stepped(kind, chosen, [-2, -1, 1, 2][rng.below(4)]) }
        }
        6 => {
            // Another input's value, as it is or beside it.
            let other = rng.below(input.len());
            let copied = if kinds[other] == kind { input[other] } else { x };
            let copied = if rng.below(4) == 0 { copied ^ 1 << (width - 1) } else { copied };
            stepped(kind, copied, [0, 0, -1, 1][rng.below(4)])
        }
        7 => any(kind, rng),
        8 => stepped(kind, x, rng.below(2000) as i128 - 1000),
        9 => masked(kind, rng.bits() >> rng.below(63)),
        // Another sign and exponent.
        10 => x & ((1 << fraction(kind)) - 1) | masked(kind, rng.bits()) & !((1 << fraction(kind)) - 1),
        11 => {
            let n = (rng.bits() >> (8 + rng.below(55))) as f64 / [1.0, 2.0, 4.0][rng.below(3)];
            let n = if rng.below(2) == 0 { n } else { -n };
            match kind {
                Kind::F64 => n.to_bits(),
                Kind::F32 => (n as f32).to_bits().into(),
                Kind::Bool | Kind::Int { .. } => from_ordinal(kind, n as i128),
            }
        }
        // Up or down by binades.
        _ => stepped(kind, x, (rng.below(129) as i128 - 64) << fraction(kind)),
    };
    next[i] = masked(kind, next[i]);
    next
}
