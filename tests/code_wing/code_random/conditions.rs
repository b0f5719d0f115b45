//! Secret inputs, and conditions that the values computed from them satisfy.

use super::generator::{DOUBLE, FLOAT, Type, Variable};
use crate::support::rng::Rng;

/// An input: special ones as often as any others.
pub(crate) fn secret(ty: Type, rng: &mut Rng) -> u64 {
    let r = rng.bits();
    if !ty.float {
        let x = if rng.below(3) == 0 { r >> rng.below(64) } else { r };
        return if ty.bits == 64 { x } else { x & ((1 << ty.bits) - 1) };
    }
    let special =
        [0.0, 1.0, f64::INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE, 5e-324, 4294967296.0, 9.3e18, 0.1, 300.0, 1e5];
    let x = match rng.below(4) {
        0 => *rng.pick(&special),
        1 => (r >> 40) as f64 / 1024.0,
        2 => (r as i64 as f64) * 2f64.powi(rng.below(40) as i32 - 60),
        _ => f64::from_bits(r & !(1 << 62) | 1 << 61),
    };
    let x = if rng.below(2) == 0 { -x } else { x };
    if ty == DOUBLE { x.to_bits() } else { u64::from((x as f32).to_bits()) }
}

/// The value of an integer variable with these bits.
fn value(ty: Type, bits: u64) -> i128 {
    let unused = 64 - ty.bits;
    if ty.signed { i128::from((bits << unused) as i64 >> unused) } else { i128::from(bits << unused >> unused) }
}

fn literal(ty: Type, value: i128) -> String {
    if value < 0 {
        format!("({})({:#x}ull)", ty.name, value as u64)
    } else {
        format!("{value}{}", if ty.signed { "ll" } else { "ull" })
    }
}

/// That a variable has a value, as one comparison.
pub(crate) fn single(v: &Variable, bits: u64) -> String {
    let (name, ty) = (&v.name, v.ty);
    if !ty.float {
        return format!("{name} == {}", literal(ty, value(ty, bits)));
    }
    let x = if ty == DOUBLE { f64::from_bits(bits) } else { f64::from(f32::from_bits(bits as u32)) };
    let suffix = if ty == FLOAT { "f" } else { "" };
    match x {
        _ if x.is_nan() => format!("{name} != {name}"),
        _ if x.is_infinite() => {
            format!("{name} {}", if x > 0.0 { "> 1.7976931348623157e308" } else { "< -1.7976931348623157e308" })
        }
        _ if ty == FLOAT => format!("{name} == {:e}{suffix}", f32::from_bits(bits as u32)),
        _ => format!("{name} == {x:e}"),
    }
}

/// The same, or a small range, or something about its bits.
pub(crate) fn several(v: &Variable, bits: u64, form: u64) -> String {
    let (name, ty) = (&v.name, v.ty);
    let near = i128::from(form >> 32 & 15);
    match form >> 8 & 3 {
        0 if !ty.float => {
            let v = value(ty, bits);
            let (least, most) =
                (value(ty, 1 << (ty.bits - 1)).min(0), value(ty, u64::MAX >> u32::from(ty.signed) >> (64 - ty.bits)));
            let (from, to) = ((v - near).max(least), (v + near).min(most));
            format!("{name} >= {} && {name} <= {}", literal(ty, from), literal(ty, to))
        }
        1 if !ty.float => {
            let mask = form >> 20;
            format!("((uint64_t){name} ^ {mask:#x}ull) == {:#x}ull", value(ty, bits) as u64 ^ mask)
        }
        2 if !ty.float && ty.bits > 8 => {
            let half = ty.bits / 2;
            let v = value(ty, bits) as u64;
            let (high, low) = (v >> half, v & ((1 << half) - 1));
            format!(
                "(uint64_t){name} >> {half} == {high:#x}ull && ((uint64_t){name} & {:#x}) == {low:#x}",
                (1u64 << half) - 1
            )
        }
        0 | 1 if ty == DOUBLE && v.given => format!("bits_of({name}) == {bits:#x}ull"),
        2 if ty == DOUBLE && f64::from_bits(bits).is_finite() => {
            let x = f64::from_bits(bits);
            format!("{name} >= {:e} && {name} <= {:e}", x.next_down().max(-f64::MAX), x.next_up().min(f64::MAX))
        }
        _ => single(v, bits),
    }
}
