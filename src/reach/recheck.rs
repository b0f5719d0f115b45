//! Proofs that no input takes a branch, looked at again from the beginning: by a second arithmetic of sets
//! ([`crate::code::plain`]), with boxes of its own, and by runs at points of every box that is left.

use crate::code::given::Given;
use crate::code::ins::BranchTest;
use crate::code::machine::Trap;
use crate::code::nearby;
use crate::code::plain::{Pieces, PlainPaths, between, ends_of};
use crate::code::program::{BranchGoal, CodeProgram};
use crate::code::run::{Runner, Watch};
use crate::floats::BitsKind;
use crate::halt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What became of a proof that was looked at again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Recheck {
    /// It holds: these boxes together hold all inputs.
    Confirmed(u64),
    /// So many boxes were looked at, and some are left.
    Open(u64),
    /// It does not hold: this input takes the branch.
    Refuted(Vec<u64>),
}

impl fmt::Display for Recheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Recheck::Confirmed(boxes) => write!(f, "confirmed by {boxes}"),
            Recheck::Open(boxes) => write!(f, "not confirmed by {boxes}"),
            Recheck::Refuted(_) => write!(f, "refuted"),
        }
    }
}

/// How many times more boxes than a proof has are looked at, and how many in any case.
const AGAIN: u64 = 10;
const LEAST: u64 = 1_000;
/// The most instructions of a run at a point.
const FUEL: u64 = 200_000;

/// For each input the first and the last value, in the order of [`ends_of`].
type Inputs = Vec<(i128, i128)>;

/// Which value between two.
type At = fn(&(i128, i128)) -> i128;

/// Look again at a proof of so many boxes that takes something for granted, with at most so many instructions.
#[must_use]
pub fn recheck(program: &CodeProgram, goal: BranchGoal, boxes: u64, given: Given, instructions: u64) -> Recheck {
    let kinds: Vec<BitsKind> = program.inputs.iter().map(|i| i.kind).collect();
    let mut runner = Runner::new(&program.module);
    runner.fuel = FUEL;
    let mut paths = PlainPaths::new(program, goal, given);
    if nearby::is_impossible(program, &mut paths, goal, &mut 0, &mut 0) {
        return Recheck::Confirmed(1);
    }
    let mut again = Again { program, goal, kinds, runner, paths, looked: 0, settled: 0 };
    let whole: Inputs = again.kinds.iter().map(|k| ends_of(*k)).collect();
    let mut open = Vec::new();
    if again.may_reach(&whole) {
        open.push(whole);
    }
    while let Some(inputs) = open.pop() {
        if let Some(taken) = again.taken_at_points(&inputs) {
            return Recheck::Refuted(taken);
        }
        let most = LEAST.max(boxes.saturating_mul(AGAIN));
        if again.looked >= most || again.paths.steps >= instructions || halt::requested() {
            return Recheck::Open(again.looked);
        }
        match again.halved(&inputs) {
            Some(left) => open.extend(left),
            // One input, which was run.
            None if again.runs(&again.point(&inputs, |(lo, _)| *lo)).1 => again.settled += 1,
            None => return Recheck::Open(again.looked),
        }
    }
    Recheck::Confirmed(again.settled)
}

struct Again<'p> {
    program: &'p CodeProgram,
    goal: BranchGoal,
    kinds: Vec<BitsKind>,
    runner: Runner<'p>,
    paths: PlainPaths<'p>,
    /// Boxes that were looked at, and those that are done with.
    looked: u64,
    settled: u64,
}

impl Again<'_> {
    fn may_reach(&mut self, inputs: &Inputs) -> bool {
        let sets: Vec<Pieces> = self.kinds.iter().zip(inputs).map(|(k, (lo, hi))| between(*k, *lo, *hi)).collect();
        let may = self.paths.may_reach(&sets);
        self.looked += 1;
        self.settled += u64::from(!may);
        may
    }

    /// What is left of a box that is cut where most is settled; none where it is one input.
    fn halved(&mut self, inputs: &Inputs) -> Option<Vec<Inputs>> {
        let mut order: Vec<usize> = (0..inputs.len()).filter(|i| inputs[*i].0 < inputs[*i].1).collect();
        order.sort_by_key(|i| std::cmp::Reverse(span(self.kinds[*i], inputs[*i])));
        let before = self.settled;
        let mut best: Option<(Vec<Inputs>, u64)> = None;
        for i in order {
            let at = cut(self.kinds[i], inputs[i]);
            let half = |ends| {
                let mut half = inputs.clone();
                half[i] = ends;
                half
            };
            let halves = [half((at, inputs[i].1)), half((inputs[i].0, at - 1))];
            self.settled = before;
            let left: Vec<Inputs> = halves.into_iter().filter(|h| self.may_reach(h)).collect();
            let is_all = left.is_empty();
            if best.as_ref().is_none_or(|(found, _)| left.len() < found.len()) {
                best = Some((left, self.settled));
            }
            if is_all {
                break;
            }
        }
        self.settled = best.as_ref().map_or(before, |(_, settled)| *settled);
        best.map(|(left, _)| left)
    }

    /// One of the first, the middle and the last inputs of a box, if it takes the branch.
    fn taken_at_points(&mut self, inputs: &Inputs) -> Option<Vec<u64>> {
        let points: [At; 3] = [|(lo, _)| *lo, |(lo, hi)| lo + (hi - lo) / 2, |(_, hi)| *hi];
        let points = points.map(|at| self.point(inputs, at));
        points.into_iter().find(|input| self.runs(input).0)
    }

    /// The bits of an input of a box.
    fn point(&self, inputs: &Inputs, at: At) -> Vec<u64> {
        self.kinds.iter().zip(inputs).map(|(kind, ends)| at(ends) as u64 & mask(*kind)).collect()
    }

    /// Whether an input takes the branch, and whether the run comes to an end.
    fn runs(&mut self, input: &[u64]) -> (bool, bool) {
        let mut takes = Takes { goal: self.goal, hit: false };
        let outcome = self.program.run(&mut self.runner, input, &mut takes);
        (takes.hit, !matches!(outcome, Err(Trap::Fuel | Trap::StackOverflow | Trap::Memory | Trap::Import(_))))
    }
}

fn mask(kind: BitsKind) -> u64 {
    u64::MAX >> (64 - 8 * u32::from(kind.bytes()))
}

/// How much an interval spans; NaNs, which rarely differ, are cut last.
fn span(kind: BitsKind, (lo, hi): (i128, i128)) -> i128 {
    match kind {
        BitsKind::F64 | BitsKind::F32 if lo & (special(kind).0 - 1) >= special(kind).1 => (hi - lo) >> 40,
        // A float of binary32 counts as much as what it stands for in binary64.
        BitsKind::F32 => (hi - lo) << 29,
        _ => hi - lo,
    }
}

/// The bit of the sign, and the bits of the least NaN.
fn special(kind: BitsKind) -> (i128, i128) {
    if kind == BitsKind::F64 { (1 << 63, (0x7ff << 52) + 1) } else { (1 << 31, (0xff << 23) + 1) }
}

/// The first value of the upper half: where the kind of number changes, or the roundest near the middle.
fn cut(kind: BitsKind, (lo, hi): (i128, i128)) -> i128 {
    let is_inside = |at: &i128| lo < *at && *at <= hi;
    let (sign, nan) = special(kind);
    // The infinities and the zeros, which are unlike all others, alone.
    let places = match kind {
        BitsKind::F64 | BitsKind::F32 => [sign, nan, sign + nan, nan - 1, sign + nan - 1, 1, sign + 1],
        _ => [0; 7],
    };
    if let Some(place) = places.into_iter().find(is_inside) {
        return place;
    }
    let middle = lo + (hi - lo) / 2 + 1;
    (0..64).rev().map(|power| middle >> power << power).find(is_inside).unwrap_or(hi)
}

/// Sees whether a branch is taken.
struct Takes {
    goal: BranchGoal,
    hit: bool,
}

impl Watch for Takes {
    fn branch(&mut self, site: u32, way: u32, _: BranchTest, _: u64, _: u64) {
        self.hit |= self.goal == BranchGoal { site, way };
    }

    fn arm(&mut self, site: u32, arm: u32, _: u32, _: u32) {
        self.hit |= self.goal == BranchGoal { site, way: arm };
    }

    fn asked(&mut self, site: u32, yes: bool, _: BranchTest, _: u64, _: u64) {
        self.hit |= yes && self.goal == BranchGoal { site, way: 1 };
    }
}
