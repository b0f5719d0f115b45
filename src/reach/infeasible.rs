//! Proofs that no input takes a branch: runs on boxes of inputs that together hold all of them.
//!
//! A box on which no path reaches the goal is done with; one on which a path might is cut, at a binade where it spans
//! several and in the middle otherwise, the input first that spans most. No box left: infeasible.

use crate::code::boxes::{InputBox, Paths, of_kind};
use crate::code::program::{Goal, Program};
use crate::code::sets::{Floats, Ints, Nan, Set};

/// What an attempt at a proof came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No input takes the branch.
    Infeasible {
        /// The boxes that together hold all inputs.
        boxes: u64,
    },
    /// The budget was used up with boxes left.
    Open,
    /// A box of one input was left, which may take it: an input to try.
    Candidate(Vec<u64>),
}

/// Instructions of an attempt where nothing else is said.
pub const BUDGET: u64 = 4_000_000;

/// Try to prove that no input takes `goal`, with at most about `budget` instructions in all runs.
#[must_use]
pub fn prove(program: &Program, goal: Goal, budget: u64) -> Verdict {
    let mut paths = Paths::new(program);
    let mut boxes = start(program);
    let mut steps = 0;
    let mut leaves = 0;
    while let Some(inputs) = boxes.pop() {
        if steps > budget {
            return Verdict::Open;
        }
        let mut hit = false;
        let reach = paths.reach(&inputs, |g| {
            hit |= *g == goal;
            hit
        });
        steps += reach.steps;
        if !hit && reach.complete {
            leaves += 1;
            continue;
        }
        match cut(&inputs) {
            Some((a, b)) => boxes.extend([b, a]),
            None => return single(&inputs).map_or(Verdict::Open, Verdict::Candidate),
        }
    }
    Verdict::Infeasible { boxes: leaves }
}

/// Boxes that hold all inputs: for each float its negative numbers, its others, and NaN.
fn start(program: &Program) -> Vec<InputBox> {
    let mut boxes: Vec<InputBox> = vec![Vec::new()];
    for input in &program.inputs {
        let parts = match of_kind(input.kind) {
            Set::Float(all) => {
                let signs = [Floats { hi: -1, nan: Nan::No, ..all }, Floats { lo: 0, nan: Nan::No, ..all }];
                let nans = [Nan::High, Nan::Low, Nan::LowTop].map(|nan| Floats::only_nan(all.double, nan));
                signs.into_iter().chain(nans.into_iter().take(if all.double { 3 } else { 1 })).map(Set::Float).collect()
            }
            ints => vec![ints],
        };
        let extended = |b: &InputBox| parts.iter().map(|p| [&b[..], &[*p]].concat()).collect::<Vec<_>>();
        boxes = boxes.iter().flat_map(extended).collect();
    }
    boxes
}

/// The only input of a box.
fn single(inputs: &InputBox) -> Option<Vec<u64>> {
    inputs.iter().map(|s| s.single()).collect()
}

/// How much a set spans: in ordinals.
fn span(s: &Set) -> u64 {
    match s {
        Set::Int(s) => s.hi.abs_diff(s.lo),
        Set::Float(s) if s.no_number() => 0,
        // A float of binary32 counts as much as what it stands for in binary64.
        Set::Float(s) => s.hi.abs_diff(s.lo) << if s.double { 0 } else { 29 },
    }
}

fn cut(inputs: &InputBox) -> Option<(InputBox, InputBox)> {
    let widest = (0..inputs.len()).max_by_key(|i| span(&inputs[*i]))?;
    let (lo, hi) = match inputs[widest] {
        Set::Int(s) => (s.lo, s.hi),
        Set::Float(s) => (s.lo, s.hi),
    };
    if lo >= hi {
        return None;
    }
    let at = match inputs[widest] {
        Set::Float(s) => split(lo, hi, if s.double { 52 } else { 23 }),
        Set::Int(_) => split(lo, hi, 16),
    };
    let (mut a, mut b) = (inputs.clone(), inputs.clone());
    match inputs[widest] {
        Set::Float(s) => {
            a[widest] = Set::Float(Floats { hi: at - 1, ..s });
            b[widest] = Set::Float(Floats { lo: at, ..s });
        }
        Set::Int(s) => {
            a[widest] = Set::Int(Ints::between(s.width, lo, at - 1));
            b[widest] = Set::Int(Ints::between(s.width, at, hi));
        }
    }
    Some((a, b))
}

/// The first of the upper half: the roundest number near the middle, a multiple of 2^`bits` (a binade) if there is one.
fn split(lo: i64, hi: i64, bits: u32) -> i64 {
    let middle = lo.midpoint(hi) + 1;
    for power in (0..=bits).rev() {
        let round = middle >> power << power;
        if round > lo && round <= hi {
            return round;
        }
        let above = round.saturating_add(1 << power);
        if above > lo && above <= hi {
            return above;
        }
    }
    middle
}
