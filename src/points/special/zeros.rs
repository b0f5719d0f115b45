//! Zeros of what a formula computes, and where its choices go over, by binary64 arithmetic along lines.

use super::{Found, SpecialKind, THROUGH};
use crate::floats::{Format, from_rank, middle_float, rank};
use crate::num::float::power;
use crate::ops::Op;
use crate::points::probes::{LANES, lanes};
use crate::points::switches::steps;
use crate::points::{Bracket, evenly};
use crate::tape::eval::Points;
use crate::tape::{NodeId, Tape, TapeNode, evaluate};

/// By so many ways, a distance and a side each, the first of a place is after that of the place before: prime to their number.
const APART_WAYS: usize = 5;
/// How far beside a zero points lie. Unit: log2 of ulps.
const BESIDE: [u32; 8] = [0, 10, 20, 26, 31, 36, 42, 46];
/// How far beside a zero at 0 they lie. Unit: log2.
const BESIDE_ZERO: [i32; 8] = [-3, -9, -16, -26, -40, -54, -140, -1020];
/// The zeros of one node along one line, evenly chosen where there are more.
const CHANGES: usize = 3;
/// The most nodes evaluated to find zeros.
const WORK: usize = 30_000_000;
/// The steps of halving a range of ordinals.
const HALVINGS: u32 = 64;

/// Zeros of what the formula computes, and where its choices go over, one input moving, and points beside them.
pub(super) fn zeros(tape: &Tape, f: NodeId, found: &mut Found<'_>, base: &[Vec<f64>], names: &[String]) {
    let live = tape.cone(&[f]);
    let keys: Vec<Key> = (0..tape.len()).filter(|i| live[*i]).filter_map(|i| key(tape, i)).collect();
    let mut left = WORK / tape.len().max(1);
    let mut seen = 0;
    for through in base.iter().take(THROUGH) {
        for (input, name) in names.iter().enumerate() {
            let (range, format) = (found.domain.ranges[input], found.domain.formats[input]);
            let mut xs = steps(range.inf(), range.sup(), format);
            xs.extend([0.0, 1.0, -1.0].into_iter().filter(|x| range.contains(*x)));
            xs.sort_by(f64::total_cmp);
            xs.dedup();
            if left < xs.len() + HALVINGS as usize {
                return;
            }
            left -= xs.len();
            let mut line = Line { tape, through, input, values: Vec::new() };
            let sides = line.sides(&keys, &xs);
            let mut places: Vec<(f64, SpecialKind)> = Vec::new();
            for (key, sides) in keys.iter().zip(&sides) {
                let all: Vec<usize> = (0..xs.len().saturating_sub(1)).filter(|k| sides[*k] != sides[k + 1]).collect();
                let some = evenly(&all, CHANGES);
                for k in some {
                    if left < HALVINGS as usize {
                        break;
                    }
                    left -= HALVINGS as usize;
                    let ends = Bracket { before: xs[k], after: xs[k + 1] };
                    places.push((line.halve(key, format, sides[k], ends), key.kind()));
                }
                // What underflows beside 0 is 0 from some other place on, and yet code has its windows around 0 itself.
                if key.kind() == SpecialKind::Zero
                    && xs.iter().zip(sides).any(|(x, side)| *x == 0.0 && *side == Some(0.0))
                {
                    places.push((0.0, SpecialKind::Zero));
                }
            }
            // Of one place that is both the choice counts.
            places.sort_by(|a, b| {
                a.0.total_cmp(&b.0).then((a.1 != SpecialKind::Choice).cmp(&(b.1 != SpecialKind::Choice)))
            });
            places.dedup_by(|a, b| a.0 == b.0);
            for (x, kind) in places {
                beside(found, through, (input, x), (seen, kind), name);
                seen += 1;
            }
        }
    }
}

/// What goes over at a place along a line.
#[derive(Clone, Copy)]
enum Key {
    /// The sign of a node.
    Sign(NodeId),
    /// Which of two nodes is larger.
    Order(NodeId, NodeId),
    /// The whole number that a node is.
    Whole(NodeId),
    /// The whole number to which a quotient is rounded.
    Quotient(NodeId, NodeId, fn(f64) -> f64),
}

impl Key {
    fn kind(self) -> SpecialKind {
        if let Key::Sign(_) = self { SpecialKind::Zero } else { SpecialKind::Choice }
    }
}

/// What goes over at a zero of a node, or where it chooses.
fn key(tape: &Tape, i: usize) -> Option<Key> {
    let this = NodeId(i as u32);
    match tape.nodes()[i] {
        // The zeros of these are those of an operand.
        TapeNode::Op(Op::Mul | Op::Div | Op::Neg | Op::Fabs | Op::Sqrt | Op::Cbrt | Op::Pow | Op::Copysign, _) => None,
        TapeNode::Op(Op::Fmin | Op::Fmax | Op::Fdim, [a, b, ..]) => Some(Key::Order(a, b)),
        TapeNode::Op(Op::Floor | Op::Ceil | Op::Round | Op::Nearbyint | Op::Trunc, _) => Some(Key::Whole(this)),
        TapeNode::Op(Op::Fmod, [a, b, ..]) => Some(Key::Quotient(a, b, f64::trunc)),
        TapeNode::Op(Op::Remainder, [a, b, ..]) => Some(Key::Quotient(a, b, f64::round_ties_even)),
        TapeNode::Op(..) => Some(Key::Sign(this)),
        TapeNode::Less(a, b) | TapeNode::LessEq(a, b) | TapeNode::Equal(a, b) => Some(Key::Order(a, b)),
        _ => None,
    }
}

struct Line<'a> {
    tape: &'a Tape,
    through: &'a [f64],
    input: usize,
    values: Vec<[f64; LANES]>,
}

/// On which side of a key a point is; none where there is no number.
type Side = Option<f64>;

impl Line<'_> {
    fn at(&self, x: f64) -> Vec<f64> {
        let mut point = self.through.to_vec();
        point[self.input] = x;
        point
    }

    fn side(&self, key: Key, lane: usize) -> Side {
        let of = |n: NodeId| self.values[n.index()][lane];
        let sign = |order: Option<std::cmp::Ordering>| order.map(|o| f64::from(o as i8));
        match key {
            Key::Sign(a) => sign(of(a).partial_cmp(&0.0)),
            Key::Order(a, b) => sign(of(a).partial_cmp(&of(b))),
            Key::Whole(a) => Some(of(a) + 0.0).filter(|y| !y.is_nan()),
            Key::Quotient(a, b, round) => Some(round(of(a) / of(b)) + 0.0).filter(|y| !y.is_nan()),
        }
    }

    /// For each key its side at each place.
    fn sides(&mut self, keys: &[Key], xs: &[f64]) -> Vec<Vec<Side>> {
        let mut sides = vec![Vec::with_capacity(xs.len()); keys.len()];
        for chunk in xs.chunks(LANES) {
            let points: Vec<Vec<f64>> = chunk.iter().map(|x| self.at(*x)).collect();
            let inputs = lanes(&points, self.tape.inputs());
            evaluate(self.tape, &mut Points { inputs: &inputs }, &mut self.values);
            for (key, sides) in keys.iter().zip(&mut sides) {
                sides.extend((0..chunk.len()).map(|lane| self.side(*key, lane)));
            }
        }
        sides
    }

    /// A place between two of which the first is on a side and the second is not: the first on the other side, or the last
    /// where there is 0.
    fn halve(&mut self, key: &Key, format: Format, side: Side, ends: Bracket<f64>) -> f64 {
        let middle = |a: &f64, b: &f64| {
            let middle = format.nearest(middle_float(*a, *b)) + 0.0;
            (*a < middle && middle < *b).then_some(middle)
        };
        let place = ends.bisect(HALVINGS, middle, |x| {
            let inputs = lanes(&[self.at(*x)], self.tape.inputs());
            evaluate(self.tape, &mut Points { inputs: &inputs }, &mut self.values);
            Some(self.side(*key, 0) == side)
        });
        let is_zero = side == Some(0.0) && matches!(key, Key::Sign(_) | Key::Order(..));
        if is_zero { place.before } else { place.after }
    }
}

/// A zero and points beside it on both sides, from the `place`th one. Their turns go through all distances and sides, for
/// each place from another one on: of few points that are chosen each is as far from its place as no other one.
fn beside(
    found: &mut Found<'_>,
    through: &[f64],
    (input, x): (usize, f64),
    (place, kind): (usize, SpecialKind),
    name: &str,
) {
    let format = found.domain.formats[input];
    let mut put = |value: f64, where_: &str, kind: SpecialKind, turn: usize| {
        let mut point = through.to_vec();
        point[input] = found.nearest(input, value) + 0.0;
        (found.kind, found.turn) = (kind, if kind == SpecialKind::Choice { 0 } else { turn });
        found.push(point, || match kind {
            SpecialKind::Choice => format!("{name} {where_} where a choice goes over"),
            _ => format!("{name} {where_} where what is computed goes through 0"),
        });
    };
    let ways = 2 * BESIDE.len();
    let turn = |way: usize| (way + ways - place * APART_WAYS % ways) % ways;
    put(x, "is", kind, ways);
    let sides = if place.is_multiple_of(2) { [1.0, -1.0] } else { [-1.0, 1.0] };
    for (s, side) in sides.into_iter().enumerate() {
        if x == 0.0 {
            for (k, e) in BESIDE_ZERO.iter().enumerate() {
                put(side * power(*e) * 1.2345678912345, "is beside", SpecialKind::Zero, turn(2 * k + s));
            }
        } else {
            // An ulp of the format is so many of binary64's.
            let unit = 53 - format.precision();
            for (k, far) in BESIDE.iter().enumerate().filter(|(_, k)| **k + 3 < format.precision()) {
                let away = 1i64 << (far + unit);
                let away = if (side > 0.0) == (x > 0.0) { away } else { -away };
                let kind = if *far == 0 { kind } else { SpecialKind::Zero };
                put(from_rank(rank(x) + away), "is beside", kind, turn(2 * k + s));
            }
        }
    }
    found.turn = 0;
}
