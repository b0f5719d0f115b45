//! Points at which numerical code is likely to be wrong: beside the zeros of everything that a formula computes, where
//! differences cancel and choices go over; where inputs are equal, opposite, or nearly so; and where several inputs are
//! special at once.
//!
//! Binary64 arithmetic finds them. That only says where to look: every test gets its oracle like any other.

use super::probes::{LANES, lanes};
use super::spread::spread;
use super::staircase;
use super::switches::steps;
use super::{Bracket, evenly};
use crate::floats::{Format, from_rank, middle_float, rank};
use crate::num::float::power;
use crate::ops::Op;
use crate::spec::InputBox;
use crate::tape::eval::Points;
use crate::tape::{NodeId, Tape, TapeNode, evaluate};
use std::collections::HashSet;

/// A point with the reason why it is worth a look.
#[derive(Clone, Debug)]
pub struct SpecialPoint {
    /// The inputs.
    pub input: Vec<f64>,
    /// What is special there, for people.
    pub reason: String,
    /// The same by kind.
    pub kind: SpecialKind,
    /// In which turn it is chosen among those of its kind, the first ones of which are of as many places and distances as
    /// there are.
    pub turn: usize,
}

/// What is special at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialKind {
    /// All inputs, or several.
    Joint,
    /// One input is 0, or -0.
    Axis,
    /// Code that counts steps is easily one off there.
    Step,
    /// The formula goes over from one choice to another at it, or next to it.
    Choice,
    /// Inputs are equal, opposite, sums or differences of one another, or nearly so.
    Relation,
    /// What the formula computes is 0 there, or near.
    Zero,
}

/// By so many ways, a distance and a side each, the first of a place is after that of the place before: prime to their number.
const APART_WAYS: usize = 5;
/// Through how many points lines go along which zeros are looked for.
const THROUGH: usize = 3;
/// How far beside a zero points lie. Unit: log2 of ulps.
const BESIDE: [u32; 8] = [0, 10, 20, 26, 31, 36, 42, 46];
/// How far beside a zero at 0 they lie. Unit: log2.
const BESIDE_ZERO: [i32; 8] = [-3, -9, -16, -26, -40, -54, -140, -1020];
/// How far apart two inputs are that are nearly equal. Unit: log2 of their quotient less 1.
const APART: [i32; 5] = [-6, -10, -26, -40, -52];
/// The most patterns of signs of the other inputs where one is 0.
const PATTERNS: usize = 4;
/// The zeros of one node along one line, evenly chosen where there are more.
const CHANGES: usize = 3;
/// The most nodes evaluated to find zeros.
const WORK: usize = 30_000_000;
/// The most inputs between which relations are tried.
const RELATED: usize = 6;
/// The steps of halving a range of ordinals.
const HALVINGS: u32 = 64;

/// The special points of a function on a box, without repetitions. `names` are those of the inputs. Where a program may tell
/// -0 from 0, which the function does not, there must be no -0.
pub fn special_points(
    tape: &Tape,
    f: NodeId,
    domain: &InputBox,
    names: &[String],
    has_minus_zero: bool,
) -> Vec<SpecialPoint> {
    let mut found = Found { domain, list: Vec::new(), seen: HashSet::new(), kind: SpecialKind::Joint, turn: 0 };
    let base = spread(domain, 2 * THROUGH, 2 * THROUGH);
    joint(&mut found, &base, has_minus_zero);
    axes(&mut found, &base, has_minus_zero);
    steps_of(tape, f, &mut found, &base, names);
    found.kind = SpecialKind::Relation;
    relations(&mut found, &base, names);
    zeros(tape, f, &mut found, &base, names);
    found.list
}

struct Found<'d> {
    domain: &'d InputBox,
    list: Vec<SpecialPoint>,
    seen: HashSet<Vec<u64>>,
    /// What is special at the points that come next, and when they are chosen.
    kind: SpecialKind,
    turn: usize,
}

impl Found<'_> {
    /// Add a point, if all of its numbers are of the box.
    fn push(&mut self, point: Vec<f64>, reason: impl FnOnce() -> String) {
        let holds = self.domain.formats.iter().zip(&point).all(|(f, x)| f.holds(*x));
        if holds && self.domain.contains(&point) && self.seen.insert(point.iter().map(|x| x.to_bits()).collect()) {
            // Of the joint ones the first come first.
            let turn = if self.kind == SpecialKind::Joint { self.list.len() } else { self.turn };
            self.list.push(SpecialPoint { input: point, reason: reason(), kind: self.kind, turn });
        }
    }

    /// The number of an input's format nearest to `x`.
    fn nearest(&self, input: usize, x: f64) -> f64 {
        if x.is_nan() { x } else { self.domain.formats[input].nearest(x) }
    }
}

/// Points at which several inputs are special.
fn joint(found: &mut Found<'_>, base: &[Vec<f64>], has_minus_zero: bool) {
    let domain = found.domain;
    let n = domain.ranges.len();
    let small = |x: f64| move |_: usize| x;
    if n == 0 {
        return;
    }
    let mut all = |value: &dyn Fn(usize) -> f64, what: &str| {
        found.push((0..n).map(value).collect(), || format!("every input {what}"));
    };
    all(&small(0.0), "is 0");
    all(&|i| domain.ranges[i].inf() + 0.0, "at the low end of its range");
    all(&|i| domain.ranges[i].sup() + 0.0, "at the high end of its range");
    all(&|i| least(domain.formats[i]), "is the smallest positive number of its format");
    all(&|i| domain.formats[i].nearest(1e-8), "is 1e-8");
    all(&small(1.0), "is 1");
    if has_minus_zero {
        all(&small(-0.0), "is -0");
    }
    for (k, apart) in [0.0, power(-10), power(-20), power(-30)].into_iter().enumerate() {
        let common = domain.ranges.iter().skip(1).fold(domain.ranges[0], |all, r| all & *r);
        // Some number of the middle, or a large one: there more digits are lost.
        let part = if k % 2 == 0 { 0.9 } else { 0.4 };
        let middle = common.inf() * (1.0 - part) + common.sup() * part;
        if n > 1 && !common.is_empty() {
            // The squares keep the distances different.
            let point = (0..n).map(|i| domain.formats[i].nearest(middle * (1.0 + apart * (i * i) as f64)));
            found.push(point.collect(), || format!("all inputs are {}equal", if k == 0 { "" } else { "nearly " }));
        }
    }
    // Corners beyond these two.
    for k in 1..(1usize << n.min(3)) {
        let end = |i: usize| if k >> (i % 3) & 1 == 0 { domain.ranges[i].inf() } else { domain.ranges[i].sup() };
        found.push((0..n).map(|i| end(i) + 0.0).collect(), || "a corner of the domain".to_owned());
    }
    for (i, j) in pairs(n) {
        let mut point = base[(i + j) % base.len()].clone();
        (point[i], point[j]) = (0.0, 0.0);
        found.push(point, || "two inputs are 0".to_owned());
    }
}

/// Points at which one input is 0. On which side of an axis the others are decides at a branch cut, and -0 may be on another
/// side than 0: first one of the two for each input and each pattern of signs of the others, then the other one.
fn axes(found: &mut Found<'_>, base: &[Vec<f64>], has_minus_zero: bool) {
    found.kind = SpecialKind::Axis;
    for is_other in [false, true] {
        for input in 0..found.domain.ranges.len() {
            let mut patterns: Vec<Vec<bool>> = Vec::new();
            for from in base {
                let signs = (0..from.len()).filter(|j| *j != input).map(|j| from[j] < 0.0).collect();
                if patterns.len() == PATTERNS || patterns.contains(&signs) {
                    continue;
                }
                let is_minus = has_minus_zero && ((patterns.len() + input).is_multiple_of(2) == is_other);
                found.turn = patterns.len() + if is_other { PATTERNS } else { 0 };
                patterns.push(signs);
                let mut point = from.clone();
                point[input] = if is_minus { -0.0 } else { 0.0 };
                found.push(point, || format!("an input is {}0", if is_minus { "-" } else { "" }));
            }
        }
    }
    found.turn = 0;
}

/// The numbers next to places at which a step goes over that is a literal times an input.
fn steps_of(tape: &Tape, f: NodeId, found: &mut Found<'_>, base: &[Vec<f64>], names: &[String]) {
    found.kind = SpecialKind::Step;
    for (k, place) in staircase::places(tape, &tape.cone(&[f]), found.domain).into_iter().enumerate() {
        let mut point = base[k % base.len()].clone();
        point[place.input] = place.x;
        found.turn = place.turn;
        found.push(point, || {
            format!("{} is at a step, of which the floats beside it are easily taken for it", names[place.input])
        });
    }
    found.turn = 0;
}

fn least(format: Format) -> f64 {
    format.next_up(0.0).unwrap_or_default()
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    let n = n.min(RELATED);
    (0..n).flat_map(move |j| (0..j).map(move |i| (i, j)))
}

/// Inputs that are equal, opposite, or nearly so, and inputs that are sums or differences of others. The turns go through
/// all distances, for each pair and point from another one on.
fn relations(found: &mut Found<'_>, base: &[Vec<f64>], names: &[String]) {
    let n = found.domain.ranges.len();
    let ways = APART.len() + 1;
    let mut first = 0;
    for (i, j) in pairs(n) {
        for sign in [1.0, -1.0] {
            let word = if sign > 0.0 { "" } else { "-" };
            for (k, from) in related(found, (i, j), sign, base).into_iter().enumerate().take(2) {
                let mut put = |x: f64, how: &str, way: usize| {
                    let mut point = from.clone();
                    point[i] = found.nearest(i, x);
                    found.turn = (way + first) % ways;
                    found.push(point, || format!("{} is {how}{word}{}", names[i], names[j]));
                };
                let equal = sign * from[j];
                put(equal, "", 0);
                for (m, apart) in APART.iter().enumerate() {
                    let apart = power(*apart) * if (m + k) % 2 == 0 { 1.0 } else { -1.0 };
                    put(equal * (1.0 + apart), "nearly ", m + 1);
                }
                first += 2;
            }
        }
        found.turn = 0;
        for k in (0..n.min(RELATED)).filter(|k| *k != i && *k != j) {
            for sign in [1.0, -1.0] {
                for (target, other) in [(i, j), (j, i)] {
                    let mut point = base[(i + j + k) % base.len()].clone();
                    point[target] = found.nearest(target, point[other] + sign * point[k]);
                    let word = if sign > 0.0 { "sum" } else { "difference" };
                    found.push(point, || format!("{} is a {word} of two inputs", names[target]));
                }
            }
        }
    }
}

/// Points whose input `j` lies where `sign` times it lies in the range of input `i` too.
fn related(found: &Found<'_>, (i, j): (usize, usize), sign: f64, base: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let (ri, rj) = (found.domain.ranges[i], found.domain.ranges[j]);
    let mirrored = if sign > 0.0 { ri } else { -ri };
    let common = mirrored & rj;
    let usable = |p: &&Vec<f64>| common.contains(p[j]);
    let mut list: Vec<Vec<f64>> = base.iter().filter(usable).cloned().collect();
    if list.is_empty() && !common.is_empty() {
        list.extend(base.iter().take(2).map(|p| {
            let mut p = p.clone();
            p[j] = found.nearest(j, middle_float(common.inf(), common.sup()));
            p
        }));
    }
    list
}

/// Zeros of what the formula computes, and where its choices go over, one input moving, and points beside them.
fn zeros(tape: &Tape, f: NodeId, found: &mut Found<'_>, base: &[Vec<f64>], names: &[String]) {
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
