//! What operators do with bits: the semantics of WebAssembly's numeric instructions.
//!
//! A cast in C is compiled to a saturating conversion (`-mnontrapping-fptoint`). Where the number has no integer the cast is
//! undefined, and [`cast`] gives what x86-64 gives, the least integer.

#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

use super::ins::{Binary, Compare, Unary};
use super::machine::Trap;

fn f32s(a: u64) -> f32 {
    f32::from_bits(a as u32)
}

fn f64s(a: u64) -> f64 {
    f64::from_bits(a)
}

fn of32(x: f32) -> u64 {
    u64::from(x.to_bits())
}

fn of64(x: f64) -> u64 {
    x.to_bits()
}

fn int(x: i32) -> u64 {
    u64::from(x as u32)
}

/// A function to whole numbers; a NaN is quiet afterwards, which the library's own functions do not see to everywhere.
fn whole64(x: f64, f: fn(f64) -> f64) -> f64 {
    if x.is_nan() { f64::from_bits(x.to_bits() | 1 << 51) } else { f(x) }
}

fn whole32(x: f32, f: fn(f32) -> f32) -> f32 {
    if x.is_nan() { f32::from_bits(x.to_bits() | 1 << 22) } else { f(x) }
}

/// An operator of one operand.
pub(super) fn unary(op: Unary, a: u64) -> Result<u64, Trap> {
    use Unary::*;
    let i = a as i32;
    let l = a as i64;
    Ok(match op {
        I32Eqz => u64::from(i == 0),
        I32Clz => u64::from(i.leading_zeros()),
        I32Ctz => u64::from(i.trailing_zeros()),
        I32Popcnt => u64::from(i.count_ones()),
        I32Extend8S => int(i32::from(i as i8)),
        I32Extend16S => int(i32::from(i as i16)),
        I64Eqz => u64::from(l == 0),
        I64Clz => u64::from(l.leading_zeros()),
        I64Ctz => u64::from(l.trailing_zeros()),
        I64Popcnt => u64::from(l.count_ones()),
        I64Extend8S => i64::from(l as i8) as u64,
        I64Extend16S => i64::from(l as i16) as u64,
        I64Extend32S | I64ExtendI32S => i64::from(l as i32) as u64,
        F32Abs => a & 0x7fff_ffff,
        F32Neg => (a ^ 0x8000_0000) & 0xffff_ffff,
        F32Ceil => of32(whole32(f32s(a), f32::ceil)),
        F32Floor => of32(whole32(f32s(a), f32::floor)),
        F32Trunc => of32(whole32(f32s(a), f32::trunc)),
        F32Nearest => of32(whole32(f32s(a), f32::round_ties_even)),
        F32Sqrt => of32(f32s(a).sqrt()),
        F64Abs => a & !(1 << 63),
        F64Neg => a ^ (1 << 63),
        F64Ceil => of64(whole64(f64s(a), f64::ceil)),
        F64Floor => of64(whole64(f64s(a), f64::floor)),
        F64Trunc => of64(whole64(f64s(a), f64::trunc)),
        F64Nearest => of64(whole64(f64s(a), f64::round_ties_even)),
        F64Sqrt => of64(f64s(a).sqrt()),
        I32WrapI64 | I64ExtendI32U => a & 0xffff_ffff,
        F32ConvertI32S => of32(i as f32),
        F32ConvertI32U => of32(i as u32 as f32),
        F32ConvertI64S => of32(l as f32),
        F32ConvertI64U => of32(a as f32),
        F32DemoteF64 => of32(f64s(a) as f32),
        F64ConvertI32S => of64(f64::from(i)),
        F64ConvertI32U => of64(f64::from(i as u32)),
        F64ConvertI64S => of64(l as f64),
        F64ConvertI64U => of64(a as f64),
        F64PromoteF32 => of64(f64::from(f32s(a))),
        I32ReinterpretF32 | I64ReinterpretF64 | F32ReinterpretI32 | F64ReinterpretI64 => a,
        _ => return truncate(op, a),
    })
}

/// The number that a conversion to an integer is of.
fn converted(op: Unary, a: u64) -> f64 {
    use Unary::*;
    match op {
        I32TruncF32S | I32TruncF32U | I64TruncF32S | I64TruncF32U | I32TruncSatF32S | I32TruncSatF32U
        | I64TruncSatF32S | I64TruncSatF32U => f64::from(f32s(a)),
        _ => f64s(a),
    }
}

const TWO_31: f64 = 2_147_483_648.0;
const TWO_32: f64 = 4_294_967_296.0;
const TWO_63: f64 = 9_223_372_036_854_775_808.0;

/// Conversions to integers: towards zero, where the number has none a trap or the nearest integer, 0 for NaN.
fn truncate(op: Unary, a: u64) -> Result<u64, Trap> {
    use Unary::*;
    let x = converted(op, a);
    // Conversions of the host's language saturate in just this way.
    let (result, inside) = match op {
        I32TruncF32S | I32TruncF64S | I32TruncSatF32S | I32TruncSatF64S => {
            (int(x as i32), x > -TWO_31 - 1.0 && x < TWO_31)
        }
        I32TruncF32U | I32TruncF64U | I32TruncSatF32U | I32TruncSatF64U => {
            (u64::from(x as u32), x > -1.0 && x < TWO_32)
        }
        I64TruncF32S | I64TruncF64S | I64TruncSatF32S | I64TruncSatF64S => {
            (x as i64 as u64, (-TWO_63..TWO_63).contains(&x))
        }
        _ => (x as u64, x > -1.0 && x < 2.0 * TWO_63),
    };
    if op.saturates() || inside { Ok(result) } else { Err(Trap::Overflow) }
}

/// A cast in C as x86-64 does it: the least integer where the number has none.
pub(super) fn cast(op: Unary, a: u64) -> u64 {
    use Unary::*;
    let x = converted(op, a);
    let long = |x: f64| if (-TWO_63..TWO_63).contains(&x) { x as i64 } else { i64::MIN };
    match op {
        I32TruncSatF32S | I32TruncSatF64S => int(if x > -TWO_31 - 1.0 && x < TWO_31 { x as i32 } else { i32::MIN }),
        // Through a 64-bit integer.
        I32TruncSatF32U | I32TruncSatF64U => int(long(x) as i32),
        I64TruncSatF32S | I64TruncSatF64S => long(x) as u64,
        // From 2^63 on the difference is converted, and the top bit set.
        _ if x.is_nan() || x < TWO_63 => long(x) as u64,
        _ => long(x - TWO_63) as u64 ^ (1 << 63),
    }
}

/// An operator of two operands.
pub(super) fn binary(op: Binary, a: u64, b: u64) -> Result<u64, Trap> {
    use Binary::*;
    let (i, j) = (a as i32, b as i32);
    let (u, v) = (a as u32, b as u32);
    let (l, m) = (a as i64, b as i64);
    Ok(match op {
        I32Add => int(i.wrapping_add(j)),
        I32Sub => int(i.wrapping_sub(j)),
        I32Mul => int(i.wrapping_mul(j)),
        I32DivS => int(i.checked_div(j).ok_or(division(j == 0))?),
        I32DivU => u64::from(u.checked_div(v).ok_or(Trap::DivisionByZero)?),
        I32RemS => int(if j == 0 { return Err(Trap::DivisionByZero) } else { i.wrapping_rem(j) }),
        I32RemU => u64::from(u.checked_rem(v).ok_or(Trap::DivisionByZero)?),
        I32And => int(i & j),
        I32Or => int(i | j),
        I32Xor => int(i ^ j),
        I32Shl => int(i.wrapping_shl(v)),
        I32ShrS => int(i.wrapping_shr(v)),
        I32ShrU => u64::from(u.wrapping_shr(v)),
        I32Rotl => u64::from(u.rotate_left(v & 31)),
        I32Rotr => u64::from(u.rotate_right(v & 31)),
        I64Add => a.wrapping_add(b),
        I64Sub => a.wrapping_sub(b),
        I64Mul => a.wrapping_mul(b),
        I64DivS => l.checked_div(m).ok_or(division(m == 0))? as u64,
        I64DivU => a.checked_div(b).ok_or(Trap::DivisionByZero)?,
        I64RemS => (if m == 0 { return Err(Trap::DivisionByZero) } else { l.wrapping_rem(m) }) as u64,
        I64RemU => a.checked_rem(b).ok_or(Trap::DivisionByZero)?,
        I64And => a & b,
        I64Or => a | b,
        I64Xor => a ^ b,
        I64Shl => a.wrapping_shl(v),
        I64ShrS => l.wrapping_shr(v) as u64,
        I64ShrU => a.wrapping_shr(v),
        I64Rotl => a.rotate_left(v & 63),
        I64Rotr => a.rotate_right(v & 63),
        F32Add => of32(f32s(a) + f32s(b)),
        F32Sub => of32(f32s(a) - f32s(b)),
        F32Mul => of32(f32s(a) * f32s(b)),
        F32Div => of32(f32s(a) / f32s(b)),
        F32Min => of32(least(f64::from(f32s(a)), f64::from(f32s(b))) as f32),
        F32Max => of32(-least(-f64::from(f32s(a)), -f64::from(f32s(b))) as f32),
        F32Copysign => (a & 0x7fff_ffff) | (b & 0x8000_0000),
        F64Add => of64(f64s(a) + f64s(b)),
        F64Sub => of64(f64s(a) - f64s(b)),
        F64Mul => of64(f64s(a) * f64s(b)),
        F64Div => of64(f64s(a) / f64s(b)),
        F64Min => of64(least(f64s(a), f64s(b))),
        F64Max => of64(-least(-f64s(a), -f64s(b))),
        F64Copysign => (a & !(1 << 63)) | (b & (1 << 63)),
    })
}

fn division(by_zero: bool) -> Trap {
    if by_zero { Trap::DivisionByZero } else { Trap::Overflow }
}

/// The smaller one; NaN if one is, and -0 below 0.
fn least(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else if a < b || (a == b && a.is_sign_negative()) {
        a
    } else {
        b
    }
}

/// Whether a comparison of two floats by their order is one of a NaN.
pub(super) fn is_unordered(op: Compare, a: u64, b: u64) -> bool {
    use Compare::*;
    match op {
        F32Lt | F32Gt | F32Le | F32Ge => f32s(a).is_nan() || f32s(b).is_nan(),
        F64Lt | F64Gt | F64Le | F64Ge => f64s(a).is_nan() || f64s(b).is_nan(),
        _ => false,
    }
}

/// A comparison.
#[must_use]
pub(super) fn compare(op: Compare, a: u64, b: u64) -> bool {
    use Compare::*;
    let (i, j) = (a as i32, b as i32);
    let (u, v) = (a as u32, b as u32);
    let (l, m) = (a as i64, b as i64);
    match op {
        I32Eq => i == j,
        I32Ne => i != j,
        I32LtS => i < j,
        I32LtU => u < v,
        I32GtS => i > j,
        I32GtU => u > v,
        I32LeS => i <= j,
        I32LeU => u <= v,
        I32GeS => i >= j,
        I32GeU => u >= v,
        I64Eq => a == b,
        I64Ne => a != b,
        I64LtS => l < m,
        I64LtU => a < b,
        I64GtS => l > m,
        I64GtU => a > b,
        I64LeS => l <= m,
        I64LeU => a <= b,
        I64GeS => l >= m,
        I64GeU => a >= b,
        F32Eq => f32s(a) == f32s(b),
        F32Ne => f32s(a) != f32s(b),
        F32Lt => f32s(a) < f32s(b),
        F32Gt => f32s(a) > f32s(b),
        F32Le => f32s(a) <= f32s(b),
        F32Ge => f32s(a) >= f32s(b),
        F64Eq => f64s(a) == f64s(b),
        F64Ne => f64s(a) != f64s(b),
        F64Lt => f64s(a) < f64s(b),
        F64Gt => f64s(a) > f64s(b),
        F64Le => f64s(a) <= f64s(b),
        F64Ge => f64s(a) >= f64s(b),
    }
}
