//! Operations on floats. An interval is cut at the zeros, the infinities and the NaNs: on what is between these the basic
//! operations are monotone, so that the machine's own results at the corners are the bounds.

use super::integers::{Outcomes, of_intervals};
use super::pieces::{Pieces, mask, modulo, width};
use crate::code::bits;
use crate::code::ins::{Binary, Compare, Type, Unary};
use crate::code::relation::{CodeRelation, relation};

/// The bits of the sign, and those of infinity.
fn signs(ty: Type) -> (u64, u64) {
    if ty == Type::F64 { (1 << 63, 0x7ff << 52) } else { (1 << 31, 0xff << 23) }
}

fn atoms(a: &Pieces) -> Vec<(u64, u64)> {
    let (sign, infinity) = signs(a.ty);
    let places = [1, infinity, infinity + 1];
    let places: Vec<u64> = [0, sign].iter().flat_map(|s| places.map(|p| s | p)).chain([sign]).collect();
    a.cut(&places)
}

fn value(ty: Type, x: u64) -> f64 {
    if ty == Type::F64 { f64::from_bits(x) } else { f32::from_bits(x as u32).into() }
}

fn is_nan(ty: Type, x: u64) -> bool {
    value(ty, x).is_nan()
}

/// Whether a NaN may be there.
pub(super) fn may_be_nan(a: &Pieces) -> bool {
    atoms(a).iter().any(|(lo, _)| is_nan(a.ty, *lo))
}

/// Whether an infinity may be there.
pub(super) fn may_be_infinite(a: &Pieces) -> bool {
    atoms(a).iter().any(|(lo, hi)| lo == hi && value(a.ty, *lo).is_infinite())
}

/// The members for which something holds that is the same for all of an atom.
pub(super) fn only(a: &Pieces, keep: impl Fn(f64) -> bool) -> Pieces {
    Pieces::new(a.ty, atoms(a).into_iter().filter(|(lo, _)| keep(value(a.ty, *lo))).collect())
}

/// All NaNs.
fn nans(ty: Type) -> [(u64, u64); 2] {
    let (sign, infinity) = signs(ty);
    [(infinity + 1, sign - 1), ((sign | infinity) + 1, mask(width(ty)))]
}

/// All numbers between the least and the largest of some; both zeros if one is. All and NaN, where one of them is NaN and
/// another is not.
fn between(ty: Type, corners: &[u64]) -> Vec<(u64, u64)> {
    let (sign, infinity) = signs(ty);
    let numbers: Vec<u64> = corners.iter().copied().filter(|x| !is_nan(ty, *x)).collect();
    let order = |a: &u64, b: &u64| value(ty, *a).total_cmp(&value(ty, *b));
    let (Some(lo), Some(hi)) = (numbers.iter().copied().min_by(order), numbers.iter().copied().max_by(order)) else {
        return nans(ty).to_vec();
    };
    if numbers.len() < corners.len() {
        return [&[(0, infinity), (sign, sign | infinity)], &nans(ty)[..]].concat();
    }
    let (p, q) = (value(ty, lo), value(ty, hi));
    if p > 0.0 {
        vec![(lo, hi)]
    } else if q < 0.0 {
        vec![(hi, lo)]
    } else {
        vec![(sign, if p < 0.0 { lo } else { sign }), (0, if q > 0.0 { hi } else { 0 })]
    }
}

/// An operation on floats.
pub(super) fn binary(op: Binary, a: &Pieces, b: &Pieces) -> Pieces {
    let ty = a.ty;
    let (sign, _) = signs(ty);
    let mut parts = Vec::new();
    for x in atoms(a) {
        for y in atoms(b) {
            if matches!(op, Binary::F64Copysign | Binary::F32Copysign) {
                parts.push(((x.0 & !sign) | (y.0 & sign), (x.1 & !sign) | (y.0 & sign)));
            } else if is_nan(ty, x.0) || is_nan(ty, y.0) {
                parts.extend(nans(ty));
            } else {
                let corners = [(x.0, y.0), (x.0, y.1), (x.1, y.0), (x.1, y.1)];
                parts.extend(between(ty, &corners.map(|(p, q)| bits::binary(op, p, q).unwrap_or(0))));
            }
        }
    }
    Pieces::new(ty, parts)
}

/// The type that a conversion gives; none of another operation.
fn converted(op: Unary) -> Option<Type> {
    use Unary::*;
    Some(match op {
        I32ReinterpretF32 | I32TruncF32S | I32TruncF32U | I32TruncF64S | I32TruncF64U | I32TruncSatF32S
        | I32TruncSatF32U | I32TruncSatF64S | I32TruncSatF64U => Type::I32,
        I64ReinterpretF64 | I64TruncF32S | I64TruncF32U | I64TruncF64S | I64TruncF64U | I64TruncSatF32S
        | I64TruncSatF32U | I64TruncSatF64S | I64TruncSatF64U => Type::I64,
        F32ReinterpretI32 | F32ConvertI32S | F32ConvertI32U | F32ConvertI64S | F32ConvertI64U | F32DemoteF64 => {
            Type::F32
        }
        F64ReinterpretI64 | F64ConvertI32S | F64ConvertI32U | F64ConvertI64S | F64ConvertI64U | F64PromoteF32 => {
            Type::F64
        }
        _ => return None,
    })
}

/// An operation on one float, or with a float as result.
pub(super) fn unary(op: Unary, a: &Pieces) -> Pieces {
    use Unary::*;
    let ty = converted(op).unwrap_or(a.ty);
    let (sign, _) = signs(ty);
    let own = |x: u64| bits::unary(op, x).unwrap_or(0);
    match op {
        I32ReinterpretF32 | I64ReinterpretF64 | F32ReinterpretI32 | F64ReinterpretI64 => Pieces { ty, ..a.clone() },
        F32Abs | F64Abs | F32Neg | F64Neg => {
            Pieces::new(ty, a.cut(&[sign]).into_iter().map(|(lo, hi)| (own(lo), own(hi))).collect())
        }
        F32ConvertI32S | F32ConvertI64S | F64ConvertI32S | F64ConvertI64S | F32ConvertI32U | F32ConvertI64U
        | F64ConvertI32U | F64ConvertI64U => {
            let parts = a.cut(&[1 << (width(a.ty) - 1)]).into_iter();
            Pieces::new(ty, parts.flat_map(|(lo, hi)| between(ty, &[own(lo), own(hi)])).collect())
        }
        _ if ty == Type::I32 || ty == Type::I64 => to_integer(ty, a, |x| bits::unary(op, x).ok()),
        _ => {
            // Never decreasing.
            let of = |(lo, hi): (u64, u64)| {
                if is_nan(a.ty, lo) { nans(ty).to_vec() } else { between(ty, &[own(lo), own(hi)]) }
            };
            Pieces::new(ty, atoms(a).into_iter().flat_map(of).collect())
        }
    }
}

/// A cast in C as the target has it.
pub(super) fn cast(op: Unary, a: &Pieces) -> Pieces {
    to_integer(converted(op).unwrap_or(Type::I64), a, |x| Some(bits::cast(op, x)))
}

/// A conversion to an integer: monotone where both ends are converted to what they are without their fractions.
fn to_integer(ty: Type, a: &Pieces, own: impl Fn(u64) -> Option<u64>) -> Pieces {
    let w = width(ty);
    let exact = |x: u64| {
        let number = value(a.ty, x).trunc();
        let is_small = number.abs() < 2f64.powi(63);
        own(x).filter(|y| is_small && modulo(w, number as i128, number as i128) == [(*y, *y)]).map(|_| number as i128)
    };
    // Between these no other number is given for what is too large.
    let inside = |n: i128| -(1i128 << (w - 1)) <= n && n < 1i128 << (w - 1);
    let of = |(lo, hi): (u64, u64)| match (exact(lo), exact(hi)) {
        _ if lo == hi || is_nan(a.ty, lo) => own(lo).map(|y| (y, y)).into_iter().collect(),
        (Some(p), Some(q)) if inside(p) && inside(q) => modulo(w, p.min(q), p.max(q)),
        _ => vec![(0, mask(w))],
    };
    Pieces::new(ty, atoms(a).into_iter().flat_map(of).collect())
}

/// A comparison of floats.
pub(super) fn compare(op: Compare, a: &Pieces, b: &Pieces) -> Outcomes {
    let relation = relation(op).0;
    let mut all = (false, false);
    for x in atoms(a) {
        for y in atoms(b) {
            let (yes, no) = if is_nan(a.ty, x.0) || is_nan(b.ty, y.0) {
                (relation == CodeRelation::Ne, relation != CodeRelation::Ne)
            } else {
                of_intervals(relation, ends(a.ty, x), ends(b.ty, y))
            };
            all = (all.0 || yes, all.1 || no);
        }
    }
    all
}

/// The least and the largest number of an atom.
fn ends(ty: Type, (lo, hi): (u64, u64)) -> (f64, f64) {
    let (p, q) = (value(ty, lo), value(ty, hi));
    (p.min(q), p.max(q))
}

/// The numbers in order, as integers: 0 is both zeros, and each is followed by the next.
pub(super) fn in_order(a: &Pieces) -> Vec<(i128, i128)> {
    let (sign, _) = signs(a.ty);
    let at = |x: u64| if x & sign == 0 { i128::from(x) } else { -i128::from(x & !sign) };
    let numbers = atoms(a).into_iter().filter(|(lo, _)| !is_nan(a.ty, *lo));
    numbers.map(|(lo, hi)| (at(lo).min(at(hi)), at(lo).max(at(hi)))).collect()
}
