//! Operations on integers, each interval with each by exact rules.

use super::pieces::{Pieces, mask, modulo, width};
use crate::code::bits;
use crate::code::ins::{Binary, Compare, Type, Unary};
use crate::code::relation::{CodeRelation, relation};
use crate::floats::BitsKind;

/// Pairs of values that are tried one by one.
const TRIED: u128 = 16;

/// An operation on integers.
pub(super) fn binary(op: Binary, a: &Pieces, b: &Pieces) -> Pieces {
    let half = 1 << (width(a.ty) - 1);
    let mut parts = Vec::new();
    for x in a.cut(&[half]) {
        for y in b.cut(&[half]) {
            let count = |(lo, hi): (u64, u64)| u128::from(hi - lo) + 1;
            if count(x) <= TRIED && count(y) <= TRIED && count(x) * count(y) <= TRIED {
                // What traps has no result.
                let results = (x.0..=x.1).flat_map(|p| (y.0..=y.1).filter_map(move |q| bits::binary(op, p, q).ok()));
                parts.extend(results.map(|z| (z, z)));
            } else {
                parts.extend(of_parts(op, a.ty, x, y));
            }
        }
    }
    Pieces::new(a.ty, parts)
}

/// Of two intervals of which each has one sign.
fn of_parts(op: Binary, ty: Type, x: (u64, u64), y: (u64, u64)) -> Vec<(u64, u64)> {
    use Binary::*;
    let w = width(ty);
    let all = vec![(0, mask(w))];
    let signed = |p: u64| i128::from(p) - if p >> (w - 1) == 1 { 1 << w } else { 0 };
    let ((a, b), (c, d)) = ((signed(x.0), signed(x.1)), (signed(y.0), signed(y.1)));
    let by = (y.0 == y.1).then(|| (y.0 % u64::from(w)) as u32);
    match op {
        I32Add | I64Add => modulo(w, a + c, b + d),
        I32Sub | I64Sub => modulo(w, a - d, b - c),
        I32Mul | I64Mul => between(w, &[a * c, a * d, b * c, b * d]),
        // A divisor of 0 has no result; of the others the quotient is monotone.
        I32DivS | I64DivS if d == 0 && c == 0 => Vec::new(),
        I32DivS | I64DivS => {
            let c = if c == 0 { 1 } else { c };
            between(w, &[a / c, a / d, b / c, b / d])
        }
        I32DivU | I64DivU | I32RemU | I64RemU if y.1 == 0 => Vec::new(),
        I32DivU | I64DivU => vec![(x.0 / y.1, x.1 / y.0.max(1))],
        I32RemU | I64RemU if x.1 < y.0 => vec![x],
        I32RemU | I64RemU => vec![(0, x.1.min(y.1 - 1))],
        I32RemS | I64RemS => {
            let most = c.abs().max(d.abs()) - 1;
            modulo(w, a.max(-most).min(0), b.min(most).max(0))
        }
        I32And | I64And if y.0 == y.1 && is_simple(y.0) => masked(x, y.0),
        I32And | I64And if x.0 == x.1 && is_simple(x.0) => masked(y, x.0),
        I32And | I64And => known(x, y, |(p, q), (r, s)| (p & r, q & s)),
        I32Or | I64Or if y.0 == y.1 && is_simple(!y.0 & mask(w)) => {
            masked(x, !y.0 & mask(w)).into_iter().map(|(p, q)| (p + y.0, q + y.0)).collect()
        }
        I32Or | I64Or if x.0 == x.1 && y.0 != y.1 => of_parts(op, ty, y, x),
        I32Or | I64Or => known(x, y, |(p, q), (r, s)| (p | r, q | s)),
        I32Xor | I64Xor if y == (mask(w), mask(w)) => vec![(x.1 ^ y.0, x.0 ^ y.0)],
        I32Xor | I64Xor => known(x, y, |(p, q), (r, s)| ((p & !s) | (r & !q), (q | s) & !(p & r))),
        I32Shl | I64Shl => by.map_or(all, |n| modulo(w, a << n.min(63), b << n.min(63))),
        I32ShrU | I64ShrU => by.map_or(all, |n| vec![(x.0 >> n, x.1 >> n)]),
        I32ShrS | I64ShrS => by.map_or(all, |n| modulo(w, a >> n, b >> n)),
        _ => all,
    }
}

fn between(width: u32, corners: &[i128]) -> Vec<(u64, u64)> {
    let least = corners.iter().fold(i128::MAX, |a, b| a.min(*b));
    modulo(width, least, corners.iter().fold(i128::MIN, |a, b| a.max(*b)))
}

/// Whether its bits are few runs of ones.
fn is_simple(mask: u64) -> bool {
    (mask & !(mask << 1)).count_ones() <= 3
}

/// The bits of `mask` alone of the numbers of an interval.
fn masked((lo, hi): (u64, u64), mask: u64) -> Vec<(u64, u64)> {
    if mask == 0 {
        return vec![(0, 0)];
    }
    let from = mask.trailing_zeros();
    let ones = (mask >> from).trailing_ones();
    let next = from + ones;
    if next < 64 && mask >> next != 0 {
        // More than one run of bits: each of them for itself.
        let (low, high) = (mask & ((1 << next) - 1), mask >> next << next);
        let (low, high) = (masked((lo, hi), low), masked((lo, hi), high));
        return high.iter().flat_map(|h| low.iter().map(move |l| (h.0 + l.0, h.1 + l.1))).collect();
    }
    let run = modulo(ones.min(63), i128::from(lo >> from), i128::from(hi >> from));
    if ones == 64 { vec![(lo, hi)] } else { run.into_iter().map(|(p, q)| (p << from, q << from)).collect() }
}

/// By the leading bits that all of an interval share: of each operand the bits that are 1, and those that may be.
fn known(x: (u64, u64), y: (u64, u64), combine: impl Fn((u64, u64), (u64, u64)) -> (u64, u64)) -> Vec<(u64, u64)> {
    let of = |(lo, hi): (u64, u64)| {
        let free = if lo == hi { 0 } else { u64::MAX >> (lo ^ hi).leading_zeros() };
        (lo & !free, lo | free)
    };
    vec![combine(of(x), of(y))]
}

/// An operation on one integer; `None` for what is none.
pub(super) fn unary(op: Unary, a: &Pieces) -> Option<Pieces> {
    use Unary::*;
    let w = width(a.ty);
    let cut = |to: u32| -> Pieces {
        let parts = a.unsigned().into_iter().flat_map(|(lo, hi)| modulo(to, lo, hi)).collect();
        Pieces::new(a.ty, parts)
    };
    // The number of the low bits, with a sign.
    let extended = |ty: Type, from: u32, low: &Pieces| {
        let half = 1u64 << (from - 1);
        let number = |x: u64| i128::from(x) - if x >= half { 1 << from } else { 0 };
        let parts = low.cut(&[half]).into_iter().flat_map(|(lo, hi)| modulo(width(ty), number(lo), number(hi)));
        Pieces::new(ty, parts.collect())
    };
    Some(match op {
        I32Eqz | I64Eqz => truth(equality(a, &Pieces::one(a.ty, 0))),
        I32Clz | I64Clz => {
            let zeros = |x: u64| u64::from(x.leading_zeros() - (64 - w));
            Pieces::new(a.ty, a.parts.iter().map(|(lo, hi)| (zeros(*hi), zeros(*lo))).collect())
        }
        I32Ctz | I64Ctz | I32Popcnt | I64Popcnt => Pieces::new(a.ty, vec![(0, w.into())]),
        I32WrapI64 => Pieces { ty: Type::I32, outside: false, ..cut(32) },
        I64ExtendI32U => Pieces { ty: Type::I64, ..a.clone() },
        I64ExtendI32S => extended(Type::I64, 32, a),
        I32Extend8S | I64Extend8S => extended(a.ty, 8, &cut(8)),
        I32Extend16S | I64Extend16S => extended(a.ty, 16, &cut(16)),
        I64Extend32S => extended(a.ty, 32, &cut(32)),
        _ => return None,
    })
}

/// Whether a comparison may come out true, and whether false.
pub(super) type Outcomes = (bool, bool);

/// A truth value.
pub(super) fn truth((yes, no): Outcomes) -> Pieces {
    Pieces::new(Type::I32, [(yes, 1), (no, 0)].into_iter().filter(|(is, _)| *is).map(|(_, n)| (n, n)).collect())
}

fn equality(a: &Pieces, b: &Pieces) -> Outcomes {
    compare(Compare::I64Eq, a, b)
}

/// A comparison of integers.
pub(super) fn compare(op: Compare, a: &Pieces, b: &Pieces) -> Outcomes {
    let (relation, kind) = relation(op);
    let is_signed = !matches!(kind, BitsKind::Int { signed: false, .. });
    let of = |s: &Pieces| if is_signed { s.signed() } else { s.unsigned() };
    let (a, b) = (of(a), of(b));
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| of_intervals(relation, *x, *y)));
    pairs.fold((false, false), |p, q| (p.0 || q.0, p.1 || q.1))
}

/// A comparison of numbers of two intervals.
pub(super) fn of_intervals<T: PartialOrd>(relation: CodeRelation, (a, b): (T, T), (c, d): (T, T)) -> Outcomes {
    match relation {
        CodeRelation::Lt => (a < d, b >= c),
        CodeRelation::Le => (a <= d, b > c),
        CodeRelation::Gt => (b > c, a <= d),
        CodeRelation::Ge => (b >= c, a < d),
        CodeRelation::Eq => (a <= d && c <= b, !(a == b && c == d && a == c)),
        CodeRelation::Ne => (!(a == b && c == d && a == c), a <= d && c <= b),
    }
}
