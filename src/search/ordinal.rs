//! Bits as ordinals: the values of a kind counted in ascending order, so that a step is a step to the next value.

use crate::code::program::Kind;

/// Sign and magnitude to a signed integer: -0 and 0 are both 0, the smallest subnormal 1, infinity the last but NaN.
fn folded(bits: u64, sign: u32) -> i64 {
    let magnitude = (bits & ((1 << sign) - 1)) as i64;
    if bits >> sign & 1 == 1 { -magnitude } else { magnitude }
}

/// The ordinal of a value. NaN lies beyond the infinities.
#[must_use]
pub fn ordinal(kind: Kind, bits: u64) -> i128 {
    match kind {
        Kind::F64 => i128::from(folded(bits, 63)),
        Kind::F32 => i128::from(folded(bits & 0xffff_ffff, 31)),
        Kind::Bool => i128::from(bits & 1),
        Kind::Int { bytes, signed } => {
            let unused = 64 - 8 * u32::from(bytes);
            if signed { i128::from((bits << unused) as i64 >> unused) } else { i128::from(bits << unused >> unused) }
        }
    }
}

/// The value of an ordinal: floats end at the infinities, integers at their ends.
#[must_use]
pub fn from_ordinal(kind: Kind, n: i128) -> u64 {
    let float = |infinity: i128, sign: u32| {
        let n = n.clamp(-infinity, infinity);
        if n < 0 { (-n) as u64 | 1 << sign } else { n as u64 }
    };
    match kind {
        Kind::F64 => float(0x7ff0_0000_0000_0000, 63),
        Kind::F32 => float(0x7f80_0000, 31),
        Kind::Bool => n.clamp(0, 1) as u64,
        Kind::Int { bytes, signed } => {
            let bits = 8 * u32::from(bytes);
            let (lo, hi) =
                if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
            masked(kind, n.clamp(lo, hi) as u64)
        }
    }
}

/// The bits that a value of a kind has.
#[must_use]
pub fn masked(kind: Kind, bits: u64) -> u64 {
    let unused = if kind == Kind::Bool { 63 } else { 64 - 8 * u32::from(kind.bytes()) };
    bits << unused >> unused
}

/// The value so many values further.
#[must_use]
pub fn stepped(kind: Kind, bits: u64, by: i128) -> u64 {
    from_ordinal(kind, ordinal(kind, bits) + by)
}

/// A value as a binary64 number, if it is one exactly.
#[must_use]
pub fn number(kind: Kind, bits: u64) -> Option<f64> {
    match kind {
        Kind::F64 => Some(f64::from_bits(bits)),
        Kind::F32 => Some(f32::from_bits(bits as u32).into()),
        Kind::Bool | Kind::Int { .. } => {
            let n = ordinal(kind, bits);
            let x = n as f64;
            (x as i128 == n).then_some(x)
        }
    }
}

/// The value of a kind that is nearest to a number.
#[must_use]
pub fn nearest(kind: Kind, x: f64) -> u64 {
    match kind {
        Kind::F64 => x.to_bits(),
        Kind::F32 => u64::from((x as f32).to_bits()),
        Kind::Bool | Kind::Int { .. } => from_ordinal(kind, x.round() as i128),
    }
}
