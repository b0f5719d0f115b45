//! Points at which numerical code is likely to be wrong: beside the zeros of everything that a formula computes, where
//! differences cancel and choices go over; where inputs are equal, opposite, or nearly so; and where several inputs are
//! special at once.
//!
//! Binary64 arithmetic finds them. That only says where to look: every test gets its oracle like any other.

mod zeros;

use super::spread::spread;
use super::staircase;
use super::values::{JOINT, JointValue};
use crate::floats::{Format, middle_float};
use crate::num::float::power;
use crate::spec::InputBox;
use crate::tape::{NodeId, Tape};
use std::collections::HashSet;
use zeros::zeros;

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

/// Through how many points lines go along which zeros are looked for.
const THROUGH: usize = 3;
/// How far apart two inputs are that are nearly equal. Unit: log2 of their quotient less 1.
const APART: [i32; 5] = [-6, -10, -26, -40, -52];
/// The most patterns of signs of the other inputs where one is 0.
const PATTERNS: usize = 4;
/// The most inputs between which relations are tried.
const RELATED: usize = 6;

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
    if n == 0 {
        return;
    }
    for (value, what) in JOINT {
        let at = |i: usize| match value {
            JointValue::Number(x) if domain.formats[i].holds(x) => x,
            JointValue::Number(x) => domain.formats[i].nearest(x),
            JointValue::Low => domain.ranges[i].inf() + 0.0,
            JointValue::High => domain.ranges[i].sup() + 0.0,
            JointValue::Least => least(domain.formats[i]),
        };
        let is_minus_zero = matches!(value, JointValue::Number(x) if x == 0.0 && x.is_sign_negative());
        if has_minus_zero || !is_minus_zero {
            found.push((0..n).map(at).collect(), || format!("every input {what}"));
        }
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
