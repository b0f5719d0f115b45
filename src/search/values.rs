//! Inputs to begin with and ways to change one: special values, values of every size, values from a pool.

use crate::floats::BitsKind;
use crate::num::random::Random;
use crate::points::values::{INTEGERS, OF_CODE, OF_CODE_32, OF_CODE_64};

/// Values at which numerical code often does something else.
#[must_use]
pub fn special(kind: BitsKind) -> Vec<u64> {
    match kind {
        BitsKind::F64 => OF_CODE.iter().chain(&OF_CODE_64).map(|x| x.to_bits()).collect(),
        BitsKind::F32 => OF_CODE.iter().map(|x| *x as f32).chain(OF_CODE_32).map(|x| u64::from(x.to_bits())).collect(),
        BitsKind::Bool => vec![0, 1],
        BitsKind::Int { .. } => {
            let ends = [i128::MIN, i128::MAX];
            let mut all: Vec<u64> = ends.iter().chain(&INTEGERS).map(|n| kind.from_rank(*n)).collect();
            all.sort_unstable();
            all.dedup();
            all
        }
    }
}

/// A value of any size, small and large ones alike, with a full or a short fraction.
pub fn any(kind: BitsKind, rng: &mut Random) -> u64 {
    let bits = kind.masked(rng.bits());
    match kind {
        BitsKind::Bool => bits,
        BitsKind::Int { .. } => {
            let shift = rng.index(8 * kind.bytes() as usize) as u32;
            let n = kind.rank(bits) >> shift;
            kind.from_rank(n)
        }
        _ => match rng.index(4) {
            // Within a few binades of 1.
            0 => {
                let one = if kind == BitsKind::F64 { 1.0f64.to_bits() } else { 1.0f32.to_bits().into() };
                let exponent = rng.index(40) as i128 - 20;
                let n = kind.rank(one) + (exponent << kind.fraction());
                let n = n + i128::from(bits & ((1 << kind.fraction()) - 1));
                kind.from_rank(if bits >> (8 * kind.bytes() - 1) & 1 == 1 { -n } else { n })
            }
            1 => shortened(kind, bits, rng),
            _ => bits,
        },
    }
}

/// A value as people have them: an integer from -2 to 20, or a float between 0.01 and 1000 in size.
pub fn usual(kind: BitsKind, rng: &mut Random) -> u64 {
    match kind {
        BitsKind::Bool => rng.bits() & 1,
        BitsKind::Int { .. } => kind.from_rank(rng.index(23) as i128 - 2),
        _ => {
            let size = (1.0 + 9.0 * rng.unit()) * 10f64.powi(rng.index(5) as i32 - 2);
            number(kind, if rng.index(4) == 0 { -size } else { size })
        }
    }
}

/// With only a few bits of the fraction left.
fn shortened(kind: BitsKind, bits: u64, rng: &mut Random) -> u64 {
    let drop = rng.index(kind.fraction() as usize + 1) as u32;
    bits >> drop << drop
}

/// The bits of a number, rounded.
fn number(kind: BitsKind, n: f64) -> u64 {
    match kind {
        BitsKind::F64 => n.to_bits(),
        BitsKind::F32 => (n as f32).to_bits().into(),
        BitsKind::Bool | BitsKind::Int { .. } => kind.from_rank(n as i128),
    }
}

/// A value and so many units.
fn moved(kind: BitsKind, x: u64, units: f64) -> u64 {
    match kind {
        BitsKind::F64 => (f64::from_bits(x) + units).to_bits(),
        BitsKind::F32 => (f32::from_bits(x as u32) + units as f32).to_bits().into(),
        BitsKind::Bool | BitsKind::Int { .. } => kind.stepped(x, units as i128),
    }
}

/// What [`changed`] draws from.
pub struct Pool {
    /// For each input what is special for its kind, and constants of the code.
    pub values: Vec<Vec<u64>>,
    /// Texts of the code, each as the inputs that have its characters, with these.
    pub texts: Vec<Vec<(usize, u64)>>,
}

/// The inputs with a text in place of some.
pub fn with_text(input: &[u64], text: &[(usize, u64)]) -> Vec<u64> {
    let mut next = input.to_vec();
    text.iter().for_each(|(i, character)| next[*i] = *character);
    next
}

/// One input changed in one of many ways, or a text put in; the others stay.
pub fn changed(input: &[u64], kinds: &[BitsKind], pool: &Pool, rng: &mut Random) -> Vec<u64> {
    if !pool.texts.is_empty() && rng.index(8) == 0 {
        return with_text(input, &pool.texts[rng.index(pool.texts.len())]);
    }
    let mut next = input.to_vec();
    let i = rng.index(input.len());
    let kind = kinds[i];
    let width = 8 * kind.bytes() as usize;
    let x = next[i];
    next[i] = match rng.index(14) {
        0 => x ^ 1 << rng.index(width),
        1 => x ^ 1 << rng.index(width) ^ 1 << rng.index(width),
        2 => x & !((1 << kind.fraction()) - 1) | kind.masked(rng.bits()) & ((1 << kind.fraction()) - 1),
        3 => shortened(kind, x, rng),
        4 | 5 => {
            let values = &pool.values[i];
            let chosen = values[rng.index(values.len())];
            if rng.index(2) == 0 { chosen } else { kind.stepped(chosen, [-2, -1, 1, 2][rng.index(4)]) }
        }
        6 => {
            // Another input's value, as it is or beside it.
            let other = rng.index(input.len());
            let copied = if kinds[other] == kind { input[other] } else { x };
            let copied = if rng.index(4) == 0 { copied ^ 1 << (width - 1) } else { copied };
            kind.stepped(copied, [0, 0, -1, 1][rng.index(4)])
        }
        7 => any(kind, rng),
        8 => kind.stepped(x, rng.index(2000) as i128 - 1000),
        9 => kind.masked(rng.bits() >> rng.index(63)),
        // Another sign and exponent.
        10 => x & ((1 << kind.fraction()) - 1) | kind.masked(rng.bits()) & !((1 << kind.fraction()) - 1),
        11 => {
            let n = (rng.bits() >> (8 + rng.index(55))) as f64 / [1.0, 2.0, 4.0][rng.index(3)];
            number(kind, if rng.index(2) == 0 { n } else { -n })
        }
        // So many units more or fewer: another day, another degree.
        12 => {
            let n = (rng.bits() >> (40 + rng.index(24))) as f64;
            moved(kind, x, if rng.index(2) == 0 { n } else { -n })
        }
        // Up or down by binades.
        _ => kind.stepped(x, (rng.index(129) as i128 - 64) << kind.fraction()),
    };
    next[i] = kind.masked(next[i]);
    next
}
