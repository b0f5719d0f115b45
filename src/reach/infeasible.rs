//! Proofs that no input takes a branch: runs on boxes of inputs that together hold all of them.
//!
//! A box on which no path reaches the goal is done with; one on which a path might is cut, at a binade where it spans
//! several and in the middle otherwise, the input first that spans most. No box left: infeasible.

use crate::code::boxes::{InputSets, Paths, of_kind};
use crate::code::given::Given;
use crate::code::nearby;
use crate::code::program::{BranchGoal, CodeProgram};
use crate::code::sets::{Floats, Ints, Nan, ValueSet};
use crate::halt;

/// What an attempt at a proof came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofVerdict {
    /// No input takes the branch.
    Infeasible {
        /// The boxes that together hold all inputs.
        boxes: u64,
        /// What that holds under.
        given: Given,
    },
    /// The budget was used up with boxes left.
    Open,
    /// A box of one input was left, which may take it: an input to try.
    Candidate(Vec<u64>),
}

/// Instructions of an attempt where nothing else is said.
pub const BUDGET: u64 = 4_000_000;

/// What it costs to look at an instruction when an attempt begins, in instructions that are run.
const LOOK: u64 = 16;

/// Try to prove that no input takes `goal`, with at most about `budget` instructions in all runs.
#[must_use]
pub fn prove(program: &CodeProgram, goal: BranchGoal, budget: u64) -> ProofVerdict {
    attempt(program, goal, budget).0
}

/// The same, and about how many instructions it took, those that were only looked at included. What is proved is proved once
/// more with less taken for granted, as far as that takes not much longer.
pub(super) fn attempt(program: &CodeProgram, goal: BranchGoal, budget: u64) -> (ProofVerdict, u64) {
    if program.is_hidden(goal) {
        return (ProofVerdict::Open, 0);
    }
    let givens = program.givens();
    let (most, less) = givens.split_last().map_or((Given::Nothing, &[][..]), |(most, less)| (*most, less));
    let (mut verdict, mut took) = attempt_given(program, goal, budget, most);
    for given in less {
        if !matches!(verdict, ProofVerdict::Infeasible { .. }) {
            break;
        }
        let (again, more) = attempt_given(program, goal, budget.min(AGAIN * took), *given);
        took += more;
        if matches!(again, ProofVerdict::Infeasible { .. }) {
            verdict = again;
            break;
        }
    }
    (verdict, took)
}

/// How many times as long a proof may take that takes less for granted.
const AGAIN: u64 = 8;

fn attempt_given(program: &CodeProgram, goal: BranchGoal, budget: u64, given: Given) -> (ProofVerdict, u64) {
    let mut paths = Paths::new(program, goal, given);
    let mut looked = program.module.functions.iter().map(|f| f.code.len() as u64).sum::<u64>();
    let mut steps = 0;
    if nearby::is_impossible(program, &mut paths, goal, &mut steps, &mut looked) {
        return (ProofVerdict::Infeasible { boxes: 1, given }, LOOK * looked + steps);
    }
    let left = budget.saturating_sub(steps);
    let mut attempt = Attempt { paths, given, left, leaves: 0 };
    let verdict = attempt.verdict(program);
    (verdict, LOOK * looked + steps + (left - attempt.left))
}

/// The state of an attempt.
struct Attempt<'p> {
    paths: Paths<'p>,
    given: Given,
    left: u64,
    /// Boxes that are done with.
    leaves: u64,
}

impl Attempt<'_> {
    fn verdict(&mut self, program: &CodeProgram) -> ProofVerdict {
        let all: InputSets = program.inputs.iter().map(|input| of_kind(input.kind)).collect();
        let mut boxes = vec![all];
        boxes.retain(|b| self.is_possible(b));
        while let Some(inputs) = boxes.pop() {
            if self.left == 0 || halt::requested() {
                return ProofVerdict::Open;
            }
            match self.halved(&inputs) {
                Some(halves) => boxes.extend(halves),
                None => return single(&inputs).map_or(ProofVerdict::Open, ProofVerdict::Candidate),
            }
        }
        ProofVerdict::Infeasible { boxes: self.leaves, given: self.given }
    }

    fn is_possible(&mut self, inputs: &InputSets) -> bool {
        let reach = self.paths.reach(inputs);
        self.left = self.left.saturating_sub(reach.steps);
        self.leaves += u64::from(!reach.possible);
        reach.possible
    }

    /// What is left of a box when it is cut at one input: a float of which numbers and NaN are possible, else the widest one,
    /// unless cutting another settles more. `None` where no input can be cut.
    fn halved(&mut self, inputs: &InputSets) -> Option<Vec<InputSets>> {
        if let Some((i, parts)) = inputs.iter().enumerate().find_map(|(i, s)| Some((i, kinds(s)?))) {
            let with = |part: Floats| {
                let mut inputs = inputs.clone();
                inputs[i] = ValueSet::Float(part);
                inputs
            };
            return Some(parts.into_iter().map(with).filter(|b| self.is_possible(b)).collect());
        }
        let mut order: Vec<usize> = (0..inputs.len()).collect();
        order.sort_by_key(|i| std::cmp::Reverse(span(&inputs[*i])));
        let before = self.leaves;
        let mut best: Option<(Vec<InputSets>, u64)> = None;
        for at in order {
            let Some((a, b)) = cut(inputs, at) else { continue };
            self.leaves = before;
            let left: Vec<InputSets> = [b, a].into_iter().filter(|half| self.is_possible(half)).collect();
            if best.as_ref().is_none_or(|(found, _)| left.len() < found.len()) {
                best = Some((left, self.leaves));
            }
            if best.as_ref().is_some_and(|(found, _)| found.is_empty()) {
                break;
            }
        }
        self.leaves = best.as_ref().map_or(before, |(_, leaves)| *leaves);
        best.map(|(left, _)| left)
    }
}

/// The negative numbers, the others, and the NaNs of a set of floats that has numbers and NaNs.
fn kinds(s: &ValueSet) -> Option<Vec<Floats>> {
    let ValueSet::Float(all) = *s else { return None };
    if all.no_number() || !all.nan.is() {
        return None;
    }
    let signs = [Floats { hi: -1, nan: Nan::No, ..all }, Floats { lo: 0, nan: Nan::No, ..all }];
    Some(signs.into_iter().chain(nans(all.double)).collect())
}

/// All NaNs, by sign and by whether a bit of the fraction's upper half is set.
fn nans(double: bool) -> Vec<Floats> {
    let mut parts = Vec::new();
    for sign in [false, true] {
        let (Nan::Some { lo, hi, .. }, Nan::Some { lo: upper, .. }) = (Nan::any(double), Nan::of_arithmetic(double))
        else {
            continue;
        };
        let ranges = if upper > lo { vec![(lo, upper - 1), (upper, hi)] } else { vec![(lo, hi)] };
        parts.extend(ranges.into_iter().map(|(lo, hi)| nan_between(double, Some(sign), lo, hi)));
    }
    parts
}

fn nan_between(double: bool, negative: Option<bool>, lo: i64, hi: i64) -> Floats {
    Floats::only_nan(double, Nan::Some { negative, lo, hi })
}

/// The only input of a box.
fn single(inputs: &InputSets) -> Option<Vec<u64>> {
    let bits = |s: &ValueSet| match s {
        ValueSet::Float(Floats { double, nan: Nan::Some { negative: Some(sign), lo, hi }, .. }) if lo == hi => {
            Some(*lo as u64 | u64::from(*sign) << if *double { 63 } else { 31 })
        }
        s => s.single(),
    };
    inputs.iter().map(bits).collect()
}

/// How much a set spans: in ordinals.
fn span(s: &ValueSet) -> u64 {
    match s {
        ValueSet::Int(s) => s.hi.abs_diff(s.lo),
        ValueSet::Outside => 0,
        // NaNs rarely differ: what is a number is cut first.
        ValueSet::Float(Floats { nan: Nan::Some { lo, hi, .. }, .. }) => (hi - lo) as u64 >> 32,
        // A float of binary32 counts as much as what it stands for in binary64.
        ValueSet::Float(s) => s.hi.abs_diff(s.lo) << if s.double { 0 } else { 29 },
    }
}

/// The two parts of a box that is cut at one input.
fn cut(inputs: &InputSets, i: usize) -> Option<(InputSets, InputSets)> {
    let (lo, hi) = match inputs[i] {
        ValueSet::Outside => return None,
        ValueSet::Int(s) => (s.lo, s.hi),
        ValueSet::Float(Floats { nan: Nan::Some { lo, hi, .. }, .. }) => (lo, hi),
        ValueSet::Float(s) => (s.lo, s.hi),
    };
    if lo >= hi {
        return None;
    }
    let at = match inputs[i] {
        ValueSet::Float(s) => split(lo, hi, if s.double { 52 } else { 23 }),
        ValueSet::Int(_) | ValueSet::Outside => split(lo, hi, 16),
    };
    let (mut a, mut b) = (inputs.clone(), inputs.clone());
    match inputs[i] {
        ValueSet::Float(Floats { double, nan: Nan::Some { negative, .. }, .. }) => {
            a[i] = ValueSet::Float(nan_between(double, negative, lo, at - 1));
            b[i] = ValueSet::Float(nan_between(double, negative, at, hi));
        }
        ValueSet::Float(s) => {
            a[i] = ValueSet::Float(Floats { hi: at - 1, ..s });
            b[i] = ValueSet::Float(Floats { lo: at, ..s });
        }
        ValueSet::Int(s) => {
            a[i] = ValueSet::Int(Ints::between(s.width, lo, at - 1));
            b[i] = ValueSet::Int(Ints::between(s.width, at, hi));
        }
        ValueSet::Outside => {}
    }
    Some((a, b))
}

/// The first of the upper half: the roundest number near the middle, a multiple of 2^`bits` (a binade) if there is one.
fn split(lo: i64, hi: i64, bits: u32) -> i64 {
    let middle = lo + (hi.abs_diff(lo) / 2) as i64 + 1;
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
