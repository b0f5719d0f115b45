//! Projections of functions of bits, and of conversions between integers and floats.

use super::apply::{self, mask};
use super::domain::TermDomain;
use super::op::{BitsOp, Sort, TermOp};
use crate::floats::Format;
use crate::floats::set::FloatSpan;

/// What the result and its operands may be: the domains of both, narrowed.
pub(super) fn project(
    op: TermOp,
    (sort, below): (Sort, [Sort; 2]),
    z: TermDomain,
    x: [TermDomain; 2],
    count: usize,
) -> (TermDomain, [TermDomain; 2]) {
    let points: Vec<i64> = x[..count].iter().filter_map(|d| d.single()).collect();
    if points.len() == count {
        return match apply::of(op, sort, &below, &points) {
            Some(v) => (TermDomain::one(sort, v), x),
            None => (z, x),
        };
    }
    match (op, sort, below[1]) {
        (TermOp::FromInteger { signed }, Sort::Float(_), Sort::Bits(width)) => from_integer(sort, width, signed, z, x),
        (TermOp::ToInteger { signed }, Sort::Bits(width), Sort::Float(format)) => {
            to_integer(format, (width, signed), z, x)
        }
        (TermOp::Bits(op), _, _) => bits(op, sort, below, z, x),
        _ => (z, x),
    }
}

/// A float nearest to an integer: in each half of the integers it rises with the bits.
fn from_integer(
    sort: Sort,
    width: u32,
    signed: bool,
    z: TermDomain,
    x: [TermDomain; 2],
) -> (TermDomain, [TermDomain; 2]) {
    let Sort::Float(format) = sort else { return (z, x) };
    let (modes, (lo, hi), wanted) = (x[0].set(), x[1].bits(), z.set());
    let half = if signed { mask(width) >> 1 } else { mask(width) };
    let (mut image, mut left) = (FloatSpan::EMPTY, TermDomain::Bits(1, 0));
    for (first, last) in [(0, half), (half + u64::from(signed), mask(width))] {
        let (first, last) = (lo.max(first), hi.min(last));
        if first > last {
            continue;
        }
        for place in modes.lo..=modes.hi {
            let at = |n: u64| apply::from_integer(format, apply::mode(place), width, signed, n);
            image = image.hull(FloatSpan::between(at(first), at(last)));
            if wanted.has_numbers() && at(first) <= wanted.hi && at(last) >= wanted.lo {
                let from = least(first, last, |n| at(n) >= wanted.lo);
                let to = if at(last) <= wanted.hi { last } else { least(first, last, |n| at(n) > wanted.hi) - 1 };
                left = left.hull(TermDomain::Bits(from, to));
            }
        }
    }
    (z.meet(TermDomain::Set(image)), [x[0], left])
}

/// An integer nearest to a float, which rises with it. Nothing is narrowed where a number has none: what stands for it is open.
fn to_integer(
    format: Format,
    (width, signed): (u32, bool),
    z: TermDomain,
    x: [TermDomain; 2],
) -> (TermDomain, [TermDomain; 2]) {
    let (modes, numbers) = (x[0].set(), x[1].set());
    let Some(mode) = modes.single().filter(|_| !numbers.nan && numbers.has_numbers()) else { return (z, x) };
    // As integers without a sign, in their order.
    let top = if signed { 1 << (width - 1) } else { 0 };
    let at = |n: i64| apply::to_integer(format, apply::mode(mode), width, signed, n).map(|bits| bits ^ top);
    let (Some(first), Some(last)) = (at(numbers.lo), at(numbers.hi)) else { return (z, x) };
    let turned = |(lo, hi): (u64, u64)| if lo & top == hi & top { (lo ^ top, hi ^ top) } else { (0, mask(width)) };
    let image = turned((first, last));
    let z = z.meet(TermDomain::Bits(image.0, image.1));
    if z.is_empty() {
        return (z, x);
    }
    let (from, upto) = turned(z.bits());
    if last < from || upto < first {
        return (z, [x[0], TermDomain::Set(FloatSpan::EMPTY)]);
    }
    let place = |n: i64| n as u64 ^ 1 << 63;
    let ordinal = |n: u64| (n ^ 1 << 63) as i64;
    let reaches = |least: u64| move |n: u64| at(ordinal(n)).is_some_and(|k| k >= least);
    let (lo, hi) = (place(numbers.lo), place(numbers.hi));
    let lowest = ordinal(least(lo, hi, reaches(from)));
    let highest = if last <= upto { numbers.hi } else { ordinal(least(lo, hi, reaches(upto + 1))) - 1 };
    (z, [x[0], TermDomain::Set(FloatSpan::between(lowest, highest))])
}

/// The least of a range for which something holds that holds for all after it, and for the last.
fn least(mut first: u64, mut last: u64, holds: impl Fn(u64) -> bool) -> u64 {
    while first < last {
        let middle = first.midpoint(last);
        if holds(middle) { last = middle } else { first = middle + 1 }
    }
    first
}

fn bits(op: BitsOp, sort: Sort, below: [Sort; 2], z: TermDomain, x: [TermDomain; 2]) -> (TermDomain, [TermDomain; 2]) {
    let width = |sort: Sort| if let Sort::Bits(width) = sort { width } else { 1 };
    let ((a, b), (c, d)) = (x[0].bits(), x[1].bits());
    let (lo, hi) = z.bits();
    match op {
        BitsOp::Concat => {
            let low = width(below[1]);
            let z = z.meet(TermDomain::Bits(a << low | c, b << low | d));
            let (lo, hi) = z.bits();
            let upper = x[0].meet(TermDomain::Bits(lo >> low, hi >> low));
            let same = lo >> low == hi >> low;
            let lower = if same { x[1].meet(TermDomain::Bits(lo & mask(low), hi & mask(low))) } else { x[1] };
            (z, [upper, lower])
        }
        BitsOp::Extract(top) => {
            let drop = top + 1 - width(sort);
            // Where the bits above are known, the rest is a range.
            let above = |n: u64| if top >= 63 { 0 } else { n >> (top + 1) };
            if above(a) != above(b) {
                return (z, x);
            }
            let part = |n: u64| n >> drop & mask(width(sort));
            let z = z.meet(TermDomain::Bits(part(a), part(b)));
            let (lo, hi) = z.bits();
            let fixed = a & !mask(top + 1);
            (z, [x[0].meet(TermDomain::Bits(fixed | lo << drop, fixed | hi << drop | mask(drop))), x[1]])
        }
        BitsOp::Not => {
            let all = mask(width(sort));
            (z.meet(TermDomain::Bits(all - b, all - a)), [x[0].meet(TermDomain::Bits(all - hi, all - lo)), x[1]])
        }
        BitsOp::Xor if x[1] == TermDomain::one(sort, 1 << (width(sort) - 1)) => {
            // The other order of the halves: numbers with a sign as numbers without.
            let turned = |x: TermDomain| {
                let ((lo, hi), top) = (x.bits(), 1 << (width(sort) - 1));
                if lo & top == hi & top { TermDomain::Bits(lo ^ top, hi ^ top) } else { TermDomain::all(sort) }
            };
            let z = z.meet(turned(x[0]));
            (z, [x[0].meet(turned(z)), x[1]])
        }
        BitsOp::Less | BitsOp::LessEqual => compare(op == BitsOp::Less, z, x),
        // Whatever both may be.
        _ => (z, x),
    }
}

fn compare(strict: bool, z: TermDomain, x: [TermDomain; 2]) -> (TermDomain, [TermDomain; 2]) {
    let ((a, b), (c, d)) = (x[0].bits(), x[1].bits());
    let holds = |p: u64, q: u64| if strict { p < q } else { p <= q };
    let (may, must) = (holds(a, d), holds(b, c));
    let outcomes = match (may, must) {
        (false, _) => FloatSpan::one(0),
        (_, true) => FloatSpan::one(1),
        _ => FloatSpan::between(0, 1),
    };
    let z = z.meet(TermDomain::Set(outcomes));
    // p < q: p is at most d - 1, and q at least a + 1; where the end has no such number the outcome is known already.
    let left = |strict: bool, x: TermDomain, y: TermDomain, gap: (u64, u64)| {
        let by = u64::from(strict);
        (
            x.meet(TermDomain::Bits(0, gap.1.saturating_sub(by))),
            y.meet(TermDomain::Bits(gap.0.saturating_add(by), u64::MAX)),
        )
    };
    match z.single() {
        Some(1) => {
            let (p, q) = left(strict, x[0], x[1], (a, d));
            (z, [p, q])
        }
        Some(0) => {
            let (q, p) = left(!strict, x[1], x[0], (c, b));
            (z, [p, q])
        }
        _ => (z, x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Rounding;

    /// All ranges of floats of five bits, to all ranges of integers of three, in all directions.
    #[test]
    fn conversions_to_integers_lose_no_value() {
        let (format, width) = (Format::new(3, 2).unwrap(), 3);
        let numbers: Vec<i64> = (format.minus_infinity()..=format.infinity()).collect();
        let ranges = |n: usize| (0..n).flat_map(move |i| (i..n).map(move |j| (i, j)));
        let mut narrowed = 0;
        for (signed, mode) in
            [true, false].into_iter().flat_map(|s| (0..Rounding::ALL.len() as i64).map(move |m| (s, m)))
        {
            for ((i, j), (p, q)) in ranges(numbers.len()).flat_map(|x| ranges(8).map(move |z| (x, z))) {
                let x = [
                    TermDomain::Set(FloatSpan::one(mode)),
                    TermDomain::Set(FloatSpan::between(numbers[i], numbers[j])),
                ];
                let before = (TermDomain::Bits(p as u64, q as u64), x);
                let (z, below) = to_integer(format, (width, signed), before.0, x);
                let integers: Vec<Option<u64>> = numbers[i..=j]
                    .iter()
                    .map(|n| apply::to_integer(format, apply::mode(mode), width, signed, *n))
                    .collect();
                if integers.contains(&None) {
                    assert_eq!((z, below), before, "what is open was narrowed");
                    continue;
                }
                narrowed += usize::from((z, below) != before);
                let (lo, hi) = z.bits();
                for (n, k) in numbers[i..=j].iter().zip(integers.into_iter().flatten()) {
                    let wanted = p as u64 <= k && k <= q as u64;
                    assert!(
                        !wanted || lo <= k && k <= hi && below[1].set().contains(*n),
                        "{n} is {k}: {z:?} {below:?}"
                    );
                }
            }
        }
        assert!(narrowed > 1000, "{narrowed}");
    }

    /// All ranges of few bits, of the functions of which ranges are followed.
    #[test]
    fn functions_of_bits_lose_no_value() {
        let bits = Sort::Bits;
        let parts =
            (0..3).flat_map(|top| (1..=top + 1).map(move |width| (BitsOp::Extract(top), bits(width), [bits(3); 2], 1)));
        let others = [
            (BitsOp::Concat, bits(4), [bits(2), bits(2)], 2),
            (BitsOp::Concat, bits(3), [bits(2), bits(1)], 2),
            (BitsOp::Not, bits(3), [bits(3); 2], 1),
            (BitsOp::Xor, bits(3), [bits(3); 2], 2),
            (BitsOp::Less, Sort::Bool, [bits(3); 2], 2),
            (BitsOp::LessEqual, Sort::Bool, [bits(3); 2], 2),
        ];
        let most = |sort: Sort| if let Sort::Bits(width) = sort { mask(width) } else { 1 };
        let ranges = |most: u64| (0..=most).flat_map(move |lo| (lo..=most).map(move |hi| TermDomain::Bits(lo, hi)));
        let numbers = |x: TermDomain| x.bits().0..=x.bits().1;
        for (op, sort, below, count) in others.into_iter().chain(parts) {
            // Of an exclusive or with the top bit something is known, and nothing of one with another number.
            let second = |x: &TermDomain| match op {
                BitsOp::Xor => [Some(3), Some(4)].contains(&x.single()),
                _ => count == 2 || x.bits() == (0, 0),
            };
            let wanted = |z: TermDomain| {
                if sort == Sort::Bool {
                    TermDomain::Set(FloatSpan::between(z.bits().0 as i64, z.bits().1 as i64))
                } else {
                    z
                }
            };
            let holds = |domain: TermDomain, n: u64| {
                !domain
                    .meet(TermDomain::one(if let TermDomain::Set(_) = domain { Sort::Bool } else { bits(4) }, n as i64))
                    .is_empty()
            };
            let (mut narrowed, mut all) = (0, 0);
            for (x, y) in
                ranges(most(below[0])).flat_map(|x| ranges(most(below[1])).filter(second).map(move |y| (x, y)))
            {
                for z in ranges(most(sort)).map(wanted) {
                    let (left, operands) = project(TermOp::Bits(op), (sort, below), z, [x, y], count);
                    for (m, n) in numbers(x).flat_map(|m| numbers(y).map(move |n| (m, n))) {
                        let value = apply::of(TermOp::Bits(op), sort, &below[..count], &[m as i64, n as i64][..count]);
                        let value = value.expect("a value") as u64;
                        let is_left = holds(left, value) && holds(operands[0], m) && holds(operands[1], n);
                        assert!(
                            !holds(z, value) || is_left,
                            "{op:?} {m} {n} is {value}: {x:?} {y:?} {z:?} {left:?} {operands:?}"
                        );
                    }
                    all += 1;
                    narrowed += u32::from((left, operands) != (z, [x, y]));
                }
            }
            assert!(6 * narrowed > all, "{op:?}: {narrowed} of {all}");
        }
    }
}
