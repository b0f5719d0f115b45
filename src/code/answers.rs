//! Answers to the questions of [`super::probe`]: for a run, and for runs on sets.

use super::bits;
use super::host::{Call, Pole, Without};
use super::ins::{Binary, BranchTest, Compare, Type, Unary};
use super::probe::{Operation, Probe, integers, is_double, is_from_single};
use super::relation::relation;
use super::sets::{self, Floats, Nan, ValueSet};
use crate::floats::BitsKind;

/// What a probe finds: the answer, and a test that comes out true nearer and nearer to "yes".
pub(super) struct Seen {
    pub(super) holds: bool,
    pub(super) test: BranchTest,
    pub(super) a: u64,
    pub(super) b: u64,
}

/// The answer for the bits of operands; `result` is what the function of the host gives, where one is called.
pub(super) fn seen(probe: Probe, operands: &[u64], result: u64) -> Seen {
    let (a, b) = (operands.first().copied().unwrap_or(0), operands.get(1).copied().unwrap_or(0));
    let seen = match probe {
        Probe::Equal(op) => near(op, a, Some(b)),
        Probe::Below(op) => near(op, a, step(op, b, false)),
        Probe::Above(op) => near(op, a, step(op, b, true)),
        Probe::Overflow(op) => infinite(op, &Numbers::of(op, operands, result), true),
        Probe::Infinity(op) => infinite(op, &Numbers::of(op, operands, result), false),
        Probe::Beyond(op) => beyond(op, a),
        Probe::Nan(op) => nan(op, &Numbers::of(op, operands, result)),
        Probe::ZeroDivisor(op) => zero(op, b),
        Probe::Reached => Seen { holds: true, test: BranchTest::NonZero, a: 1, b: 0 },
    };
    // A test that holds where the answer is "no" would be no guide.
    match seen.test {
        BranchTest::Compare(op) if !seen.holds && bits::compare(op, seen.a, seen.b) => {
            Seen { test: NOWHERE, a: NAN, ..seen }
        }
        _ => seen,
    }
}

const NAN: u64 = 0x7ff8_0000_0000_0000;
/// A test that tells no distance, on a NaN.
const NOWHERE: BranchTest = BranchTest::Compare(Compare::F64Eq);

/// The test for equality of the operands of a comparison.
fn equality(op: Compare) -> Compare {
    match relation(op).1 {
        BitsKind::F64 => Compare::F64Eq,
        BitsKind::F32 => Compare::F32Eq,
        BitsKind::Int { bytes: 8, .. } => Compare::I64Eq,
        BitsKind::Bool | BitsKind::Int { .. } => Compare::I32Eq,
    }
}

fn near(op: Compare, a: u64, b: Option<u64>) -> Seen {
    let Some(b) = b else { return Seen { holds: false, test: NOWHERE, a: NAN, b: 0 } };
    let equal = equality(op);
    Seen { holds: bits::compare(equal, a, b), test: BranchTest::Compare(equal), a, b }
}

/// The next number up or down among the operands of a comparison; none beyond the last.
fn step(op: Compare, x: u64, up: bool) -> Option<u64> {
    match relation(op).1 {
        BitsKind::F64 => {
            let x = f64::from_bits(x);
            let next = if up { x.next_up() } else { x.next_down() };
            (!x.is_nan() && next != x).then_some(next.to_bits())
        }
        BitsKind::F32 => {
            let x = f32::from_bits(x as u32);
            let next = if up { x.next_up() } else { x.next_down() };
            (!x.is_nan() && next != x).then_some(u64::from(next.to_bits()))
        }
        BitsKind::Int { bytes: 8, signed: true } => (x as i64).checked_add(if up { 1 } else { -1 }).map(|n| n as u64),
        BitsKind::Int { bytes: 8, .. } => x.checked_add_signed(if up { 1 } else { -1 }),
        BitsKind::Int { signed: true, .. } => {
            (x as i32).checked_add(if up { 1 } else { -1 }).map(|n| u64::from(n as u32))
        }
        BitsKind::Bool | BitsKind::Int { .. } => (x as u32).checked_add_signed(if up { 1 } else { -1 }).map(u64::from),
    }
}

/// The operands and the result of an operation as binary64, which holds all of them but some integers.
struct Numbers {
    operands: [f64; 3],
    count: usize,
    result: f64,
}

impl Numbers {
    fn of(op: Operation, operands: &[u64], result: u64) -> Numbers {
        let wide = |double: bool, x: u64| if double { f64::from_bits(x) } else { f64::from(f32::from_bits(x as u32)) };
        let mut all = Numbers { operands: [0.0; 3], count: operands.len(), result: 0.0 };
        let at = |i: usize| operands.get(i).copied().unwrap_or(0);
        match op {
            Operation::One(op) => {
                let (from, to) = (op != Unary::F32Sqrt, op == Unary::F64Sqrt);
                all.operands[0] = wide(from, at(0));
                all.result = wide(to, bits::unary(op, at(0)).unwrap_or(0));
            }
            Operation::Two(op) => {
                let double = is_double(op) == Some(true);
                all.operands = [wide(double, at(0)), wide(double, at(1)), 0.0];
                all.result = wide(double, bits::binary(op, at(0), at(1)).unwrap_or(0));
            }
            Operation::Call(call) => {
                for (i, ty) in call.arguments.iter().enumerate() {
                    all.operands[i] = match ty {
                        Some(Type::F64) => wide(true, at(i)),
                        Some(Type::F32) => wide(false, at(i)),
                        Some(Type::I32 | Type::I64) => f64::from(at(i) as i32),
                        None => 0.0,
                    };
                }
                all.result = wide(call.is_double, result);
            }
        }
        all
    }

    fn operands(&self) -> &[f64] {
        &self.operands[..self.count]
    }
}

fn infinite(op: Operation, of: &Numbers, overflow: bool) -> Seen {
    let finite = of.operands().iter().all(|x| x.is_finite());
    let asked = finite && !(overflow && op.is_at_pole(of.operands()));
    let size = if asked { of.result.abs() } else { f64::NAN };
    let test = BranchTest::Compare(Compare::F64Eq);
    Seen { holds: asked && of.result.is_infinite(), test, a: size.to_bits(), b: f64::INFINITY.to_bits() }
}

fn beyond(op: Unary, a: u64) -> Seen {
    let x = if is_from_single(op) { f64::from(f32::from_bits(a as u32)) } else { f64::from_bits(a) };
    let (least, end) = integers(op).unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let holds = x.is_finite() && (x >= end || x.trunc() < least);
    let (compare, bound) = if x >= 0.0 { (Compare::F64Ge, end) } else { (Compare::F64Le, least - 1.0) };
    Seen { holds, test: BranchTest::Compare(compare), a: x.to_bits(), b: bound.to_bits() }
}

fn nan(op: Operation, of: &Numbers) -> Seen {
    let asked = of.operands().iter().all(|x| !x.is_nan());
    let (x, y) = (of.operands[0], of.operands[1]);
    let infinity = f64::INFINITY;
    let (compare, left, right) = match op {
        Operation::One(_) => (Compare::F64Lt, x, 0.0),
        // Both 0; both infinite is the other way.
        Operation::Two(Binary::F64Div | Binary::F32Div) => (Compare::F64Eq, x.abs().max(y.abs()), 0.0),
        // 0 times infinity needs one that is.
        Operation::Two(Binary::F64Mul | Binary::F32Mul) => (Compare::F64Eq, x.abs().max(y.abs()), infinity),
        Operation::Two(_) => (Compare::F64Eq, x.abs().min(y.abs()), infinity),
        Operation::Call(Call { without, .. }) => match without {
            Without::Below(n) => (Compare::F64Lt, x, n.into()),
            Without::BeyondOne => (Compare::F64Gt, x.abs(), 1.0),
            Without::Infinite => (Compare::F64Eq, x.abs(), infinity),
            Without::Remainder => (Compare::F64Eq, y.abs(), 0.0),
            Without::Some | Without::Nothing => (Compare::F64Eq, f64::NAN, 0.0),
        },
    };
    Seen {
        holds: asked && of.result.is_nan(),
        test: BranchTest::Compare(compare),
        a: left.to_bits(),
        b: f64::to_bits(right),
    }
}

fn zero(op: Binary, b: u64) -> Seen {
    use Binary::*;
    let compare = match op {
        F64Div => Compare::F64Eq,
        F32Div => Compare::F32Eq,
        I64DivS | I64DivU | I64RemS | I64RemU => Compare::I64Eq,
        _ => Compare::I32Eq,
    };
    Seen { holds: bits::compare(compare, b, 0), test: BranchTest::Compare(compare), a: b, b: 0 }
}

/// The operands that are asked about: numbers, and finite ones where the question is about these.
pub(super) fn asked_of(probe: Probe, operands: &[ValueSet]) -> Vec<ValueSet> {
    let finite = matches!(probe, Probe::Overflow(_) | Probe::Infinity(_) | Probe::Beyond(_));
    let kept = |s: &ValueSet| match s {
        ValueSet::Float(s) if finite => ValueSet::Float(s.finite()),
        ValueSet::Float(s) => ValueSet::Float(Floats { nan: Nan::No, ..*s }),
        other @ (ValueSet::Int(_) | ValueSet::Outside) => *other,
    };
    operands.iter().map(kept).collect()
}

/// Whether the answer may be "yes" for members of sets: surely it is not where this is false. `result` has the results of
/// the function of the host on [`asked_of`] them, where one is called.
pub(super) fn is_possible(probe: Probe, operands: &[ValueSet], result: Option<ValueSet>) -> bool {
    // NaN is equal to nothing, and what is asked of results is asked of numbers as operands.
    let asked = asked_of(probe, operands);
    let is_empty = |s: &ValueSet| matches!(s, ValueSet::Float(s) if s.no_number());
    let matters = if matches!(probe, Probe::ZeroDivisor(_)) { &asked[1..] } else { &asked[..] };
    if matters.iter().any(is_empty) {
        return false;
    }
    match (probe, &asked[..]) {
        (Probe::Equal(op), [a, b]) => sets::compare(equality(op), *a, *b) != Some(false),
        (Probe::Below(_), [a, b]) => may_follow(a, b),
        (Probe::Above(_), [a, b]) => may_follow(b, a),
        (Probe::Infinity(op), _) if !may_be_infinite(op, &asked) => false,
        (Probe::Overflow(op) | Probe::Infinity(op), _) => match applied(op, &asked, result) {
            Some(ValueSet::Float(r)) => r.contains(f64::INFINITY) || r.contains(f64::NEG_INFINITY),
            _ => true,
        },
        (Probe::Beyond(op), [ValueSet::Float(a)]) => {
            let (least, end) = integers(op).unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
            let (lo, hi) = a.ends();
            hi >= end || lo.trunc() < least
        }
        (Probe::Nan(op), _) => match applied(op, &asked, result) {
            Some(ValueSet::Float(r)) => r.nan.is() && is_without(op, &asked),
            _ => true,
        },
        (Probe::ZeroDivisor(_), [_, ValueSet::Float(b)]) => b.contains(0.0),
        (Probe::ZeroDivisor(_), [_, ValueSet::Int(b)]) => b.lo <= 0 && b.hi >= 0,
        _ => true,
    }
}

/// The results of an operation on sets; none where nothing is known.
fn applied(op: Operation, operands: &[ValueSet], result: Option<ValueSet>) -> Option<ValueSet> {
    match (op, operands) {
        (Operation::One(op), [a]) => sets::unary(op, *a),
        (Operation::Two(op), [a, b]) => sets::binary(op, *a, *b),
        (Operation::Call(_), _) => result,
        _ => None,
    }
}

/// Whether the function that is called may be infinite at some of the finite numbers.
fn may_be_infinite(op: Operation, operands: &[ValueSet]) -> bool {
    match (op, operands.first()) {
        (Operation::Call(Call { overflows: false, pole: Pole::Zero, .. }), Some(ValueSet::Float(x))) => x.contains(0.0),
        _ => true,
    }
}

/// Whether the function that is called may have no value at some of the numbers.
fn is_without(op: Operation, operands: &[ValueSet]) -> bool {
    let (Operation::Call(call), Some(ValueSet::Float(x))) = (op, operands.first()) else { return true };
    let (lo, hi) = x.ends();
    match call.without {
        Without::Nothing => false,
        Without::Below(n) => lo < f64::from(n),
        Without::BeyondOne => lo < -1.0 || hi > 1.0,
        Without::Infinite => lo == f64::NEG_INFINITY || hi == f64::INFINITY,
        Without::Remainder => {
            let zero = !matches!(operands.get(1), Some(ValueSet::Float(y)) if !y.contains(0.0));
            zero || lo == f64::NEG_INFINITY || hi == f64::INFINITY
        }
        Without::Some => true,
    }
}

/// Whether a member of `a` may be the number just below one of `b`.
fn may_follow(a: &ValueSet, b: &ValueSet) -> bool {
    match (a, b) {
        // -0 and 0 are one number and two ordinals.
        (ValueSet::Float(a), ValueSet::Float(b)) => a.lo < b.hi && a.hi.saturating_add(2) >= b.lo,
        // Signed or not: where both have one sign the order is the same.
        (ValueSet::Int(a), ValueSet::Int(b)) => {
            (a.lo.saturating_add(1) <= b.hi && a.hi.saturating_add(1) >= b.lo) || (b.lo < 0 && a.hi >= 0)
        }
        _ => true,
    }
}
