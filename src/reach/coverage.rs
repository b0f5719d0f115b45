//! Branch coverage: inputs that together take every branch that can be taken.
//!
//! All goals share one archive: each run updates, for every goal that is open, the nearest input. The search goes for the
//! goals whose site was reached, nearest first in turn, with budgets that grow.

use super::infeasible::{ProofVerdict, attempt};
use super::pool::pool;
use super::recheck::{Recheck, recheck};
use super::runs::{LEAST, Runs, USUAL};
use super::watch::Record;
use crate::code::compiled::MachineCode;
use crate::code::given::Given;
use crate::code::machine::Trap;
use crate::code::program::{BranchGoal, CodeProgram};
use crate::code::run::FUEL;
use crate::floats::BitsKind;
use crate::halt;
use crate::num::random::Random;
use crate::search::goal::{Best, wander};
use crate::search::goal::{Distance, FAR};
use crate::search::values::{Pool, any, special, usual, with_text};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a search may cost.
#[derive(Clone, Copy, Debug)]
pub struct CoverageLimits {
    /// Runs of the code. Default: 200,000.
    pub evaluations: u64,
    /// The beginning of the pseudo-random sequence. Default: 0.
    pub seed: u64,
}

impl Default for CoverageLimits {
    fn default() -> Self {
        CoverageLimits { evaluations: 200_000, seed: 0 }
    }
}

/// What became of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Taken by this input, by index into the inputs found.
    By(usize),
    /// Not taken; the distance and the input that came nearest, if its site was reached at all.
    Open(Option<Best>),
    /// Proved that no input takes it.
    Infeasible {
        /// The boxes that together hold all inputs.
        boxes: u64,
        /// What that holds under.
        given: Given,
    },
}

/// An input that took something new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundInput {
    /// Its bits.
    pub input: Vec<u64>,
    /// The goals that it was the first to take.
    pub first: Vec<usize>,
    /// The result's bits, or why there is none.
    pub outcome: Result<Option<u64>, Trap>,
    /// How many runs had been made.
    pub evaluation: u64,
    /// Since the search began, proofs included.
    pub after: Duration,
}

/// The state of a search for coverage.
pub struct Coverage<'p> {
    pub(super) program: &'p CodeProgram,
    runs: Runs<'p>,
    kinds: Vec<BitsKind>,
    /// The goals.
    pub goals: Vec<BranchGoal>,
    /// What became of each.
    pub reached: Vec<Reached>,
    /// What became of proofs that were looked at again, by goal.
    pub rechecked: BTreeMap<usize, Recheck>,
    /// Inputs that took something new, in the order in which they were found.
    pub found: Vec<FoundInput>,
    /// Runs so far.
    pub evaluations: u64,
    /// How many of these ended otherwise than by returning, by what they ended at.
    pub ended: BTreeMap<String, u64>,
    limits: CoverageLimits,
    began: Instant,
    rng: Random,
    turn: u64,
    pub(super) watch: Record,
    /// The goals that matter; the others only show the way.
    wanted: Vec<bool>,
    /// Whether the first values were tried.
    begun: bool,
    /// For each input the ordinals between which it is kept.
    within: Option<Vec<(i128, i128)>>,
    /// The inputs that came nearest to goals that were proved infeasible.
    approached: Vec<Vec<u64>>,
    /// Boxes and points that turning paths took.
    pub solved: u64,
    /// Instructions of all runs together, for each run that is allowed.
    instructions_each: u64,
}

/// Random inputs before any goal is searched for.
const WARM_UP: usize = 500;
/// Inputs with objects that functions of the code make, after these.
const WITH_OBJECTS: usize = 100;
/// Instructions of all runs together, for each run that is allowed: loops that do not end are no reason to wait for hours.
const INSTRUCTIONS: u64 = 6_000;
/// The same where a time is set, after which the search ends in any case: four seconds or so in machine code.
const INSTRUCTIONS_IN_TIME: u64 = 24_000;
/// The first search and the first attempt at proofs have this part of their budgets.
pub(super) const FIRST_SHARE: u64 = 20;
/// All attempts at proofs together may cost so many times what one may: functions of thousands of branches are no reason to
/// wait for hours either.
const MOST_PROOFS: u64 = 32;
/// Instructions of a turn at a goal, for each of its runs.
const TURN_INSTRUCTIONS: u64 = 40_000;
/// Where a turn at a goal ends: at whichever comes first.
#[derive(Clone, Copy)]
struct TurnEnd {
    /// Runs of the whole search.
    evaluations: u64,
    /// Instructions of the whole search.
    instructions: u64,
}

/// Runs of the first turn at a goal.
const TURN: u64 = 256;

/// Which goals matter: where something is asked, a "yes" to it, and else every branch.
fn wanted(program: &CodeProgram, goals: &[BranchGoal]) -> Vec<bool> {
    let asked = program.module.asked.is_some();
    let yes = |g: &BranchGoal| g.way == 1 && program.module.sites[g.site as usize].probe.is_some();
    goals.iter().map(|g| !asked || yes(g)).collect()
}

impl<'p> Coverage<'p> {
    /// For the branches of these functions.
    #[must_use]
    pub fn new(program: &'p CodeProgram, functions: &[u32], limits: CoverageLimits) -> Self {
        let mut first = vec![None; program.module.sites.len()];
        let mut goals = Vec::new();
        for (site, _) in program.sites(functions) {
            first[site as usize] = Some(goals.len() as u32);
            goals.extend((0..program.module.sites[site as usize].ways).map(|way| BranchGoal { site, way }));
        }
        let count = goals.len();
        Coverage {
            program,
            runs: Runs::new(program),
            kinds: program.inputs.iter().map(|i| i.kind).collect(),
            wanted: wanted(program, &goals),
            goals,
            reached: vec![Reached::Open(None); count],
            rechecked: BTreeMap::new(),
            found: Vec::new(),
            evaluations: 0,
            ended: BTreeMap::new(),
            limits,
            watch: Record::new(first, count),
            began: Instant::now(),
            rng: Random::seeded(limits.seed),
            turn: TURN,
            begun: false,
            within: None,
            approached: Vec::new(),
            solved: 0,
            instructions_each: INSTRUCTIONS,
        }
    }

    /// The first goal of each site, or none where the site does not count.
    pub(crate) fn first(&self) -> Vec<Option<u32>> {
        self.watch.first().to_vec()
    }

    /// Whether a goal matters, or only shows the way to others.
    #[must_use]
    pub fn is_wanted(&self, goal: usize) -> bool {
        self.wanted[goal]
    }

    /// The search may take more instructions: whoever calls it ends it in time.
    pub fn ends_in_time(&mut self) {
        self.instructions_each = INSTRUCTIONS_IN_TIME;
    }

    /// From now on what this search has compiled is there for others in the same module, and what they have compiled for this one.
    ///
    /// # Panics
    /// If the code is of another module.
    pub fn share(&mut self, code: &Arc<MachineCode>) {
        assert!(code.is_of(&self.program.module), "machine code of another module");
        self.runs.share(code);
    }

    /// From now on runs are made in machine code, where that can be had; whether it can. Otherwise that is done where it pays.
    pub fn compile(&mut self) -> bool {
        self.runs.compile()
    }

    /// From now on all runs are interpreted, however long they become. What is found is the same.
    pub fn interpret(&mut self) {
        self.runs.interpret();
    }

    /// How many goals were taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.reached.iter().filter(|r| matches!(r, Reached::By(_))).count()
    }

    pub(super) fn runs_allowed(&self) -> u64 {
        self.limits.evaluations
    }

    pub(super) fn seed(&self) -> u64 {
        self.limits.seed
    }

    fn instructions_allowed(&self) -> u64 {
        self.limits.evaluations.saturating_mul(self.instructions_each)
    }

    /// Whether a run may still be made.
    fn may_run(&self) -> bool {
        self.evaluations < self.limits.evaluations
            && self.runs.instructions < self.instructions_allowed()
            && !halt::requested()
    }

    /// The bits with each input moved to the nearest one between its ends, where there are such.
    fn kept(&self, input: &[u64]) -> Vec<u64> {
        let Some(within) = &self.within else { return input.to_vec() };
        let one = |((x, kind), (lo, hi)): ((&u64, &BitsKind), &(i128, i128))| {
            let n = (*kind).rank(*x);
            if (lo..=hi).contains(&&n) { *x } else { (*kind).from_rank(n.clamp(*lo, *hi)) }
        };
        input.iter().zip(&self.kinds).zip(within).map(one).collect()
    }

    /// Run on one input and keep what is new.
    pub fn evaluate(&mut self, input: &[u64]) {
        let input = &self.kept(input)[..];
        self.evaluations += 1;
        let instructions = self.instructions_allowed().saturating_sub(self.runs.instructions);
        self.runs.compile_if_it_pays(self.limits.evaluations.saturating_sub(self.evaluations), instructions);
        // Where nothing branches every run may be the one that counts.
        let outcome = self.runs.run(input, &mut self.watch, self.goals.is_empty());
        if let Err(trap) = &outcome {
            *self.ended.entry(trap.to_string()).or_default() += 1;
        }
        // Where nothing branches one input is enough: one that the function returns from, if there is one.
        let is_first = self.is_straight() && !self.found.iter().any(|f| f.outcome.is_ok());
        if is_first && outcome.is_ok() {
            self.found.clear();
        }
        if !self.watch.taken.is_empty() || (is_first && self.found.is_empty()) {
            let mut first: Vec<usize> = self.watch.taken.iter().map(|g| *g as usize).collect();
            // Memory that a proof leaves out takes it back: anything else contradicts it, which replays tell.
            let is_beyond = self.program.is_beyond_proofs(input);
            first.retain(|goal| is_beyond || !matches!(self.reached[*goal], Reached::Infeasible { .. }));
            for goal in &first {
                self.reached[*goal] = Reached::By(self.found.len());
            }
            let evaluation = self.evaluations;
            let after = self.began.elapsed();
            self.found.push(FoundInput { input: input.to_vec(), first, outcome, evaluation, after });
        }
        while let Some(goal) = self.watch.near.pop() {
            let goal = goal as usize;
            let distance = Distance::at_test(std::mem::replace(&mut self.watch.distance[goal], FAR));
            if let Reached::Open(best) = &mut self.reached[goal]
                && best.as_ref().is_none_or(|b| distance < b.distance)
            {
                *best = Some(Best { input: input.to_vec(), distance });
            }
        }
    }

    /// The distance that a run on an input has to the goal that is aimed at.
    fn measured(&mut self, input: &[u64], upto: TurnEnd) -> Option<Distance> {
        if self.evaluations >= upto.evaluations || self.runs.instructions >= upto.instructions || !self.may_run() {
            return None;
        }
        self.evaluate(input);
        Some(self.watch.reached())
    }

    pub(super) fn nearest(&self, goal: usize) -> Option<Best> {
        if let Reached::Open(best) = &self.reached[goal] { best.clone() } else { None }
    }

    /// Whether there is nothing to take but the way through: branches are looked for, and there is none.
    #[must_use]
    pub fn is_straight(&self) -> bool {
        self.goals.is_empty() && self.program.module.asked.is_none()
    }

    /// The inputs that took something new, and those that came nearest to what none takes.
    pub(super) fn best_inputs(&self) -> Vec<Vec<u64>> {
        let nearest = (0..self.goals.len()).filter_map(|g| Some(self.nearest(g)?.input));
        self.found.iter().map(|f| f.input.clone()).chain(nearest).chain(self.approached.iter().cloned()).collect()
    }

    /// Whether a goal that matters is.
    pub(super) fn is_open(&self) -> bool {
        if self.is_straight() {
            return !self.found.iter().any(|f| f.outcome.is_ok());
        }
        self.reached.iter().zip(&self.wanted).any(|(r, wanted)| *wanted && matches!(r, Reached::Open(_)))
    }

    /// Only goals of these count; the others show the way.
    pub fn only(&mut self, goals: &[BranchGoal]) {
        for (wanted, goal) in self.wanted.iter_mut().zip(&self.goals) {
            *wanted &= goals.contains(goal);
        }
    }

    /// Search first, with a small share of the runs, among inputs between these ends, one pair for each input: what can be
    /// taken there is taken there.
    pub fn search_within(&mut self, ends: &[(u64, u64)]) {
        let ordinals = ends.iter().zip(&self.kinds).map(|((lo, hi), k)| ((*k).rank(*lo), (*k).rank(*hi)));
        self.within = Some(ordinals.collect());
        self.search(self.evaluations + self.limits.evaluations / FIRST_SHARE);
        self.within = None;
        self.begun = false;
    }

    /// Begin with this input, in place of special values and random ones.
    pub fn begin_at(&mut self, input: &[u64]) {
        self.begun = true;
        self.evaluate(input);
    }

    /// Search until every goal is taken or so many runs have been made.
    pub fn search(&mut self, upto: u64) {
        let all = self.limits.evaluations;
        self.limits.evaluations = upto.min(all);
        if self.kinds.is_empty() {
            if self.evaluations == 0 {
                self.evaluate(&[]);
            }
        } else {
            let mut rng = self.rng.clone();
            if !std::mem::replace(&mut self.begun, true) {
                self.begin(&mut rng);
            }
            self.rounds(&mut rng);
            self.rng = rng;
        }
        self.limits.evaluations = all;
    }

    /// Turns at all open goals, longer and longer.
    fn rounds(&mut self, rng: &mut Random) {
        let pool = pool(self.program, &self.kinds);
        while self.may_run() && self.is_open() && !self.is_straight() {
            let open: Vec<usize> = (0..self.goals.len()).filter(|g| self.nearest(*g).is_some()).collect();
            if open.is_empty() {
                let input: Vec<u64> = self.kinds.iter().map(|k| any(*k, rng)).collect();
                self.evaluate(&input);
            }
            for goal in open {
                self.go_for(goal, self.turn, &pool, rng);
            }
            self.turn = self.turn.saturating_mul(2);
        }
    }

    /// Try to prove of every open goal that no input takes it, with at most `budget` instructions each, and not many times
    /// that in all.
    pub fn prove(&mut self, budget: u64) {
        let mut left = budget.saturating_mul(MOST_PROOFS);
        for goal in 0..self.goals.len() {
            if halt::requested() || left == 0 {
                return;
            }
            if !self.wanted[goal] || !matches!(self.reached[goal], Reached::Open(_)) {
                continue;
            }
            let (verdict, took) = attempt(self.program, self.goals[goal], budget);
            left = left.saturating_sub(took);
            match verdict {
                ProofVerdict::Infeasible { boxes, given } => {
                    self.approached.extend(self.nearest(goal).map(|best| best.input));
                    self.reached[goal] = Reached::Infeasible { boxes, given };
                    if given == Given::Nothing || !self.program.may_be_beyond_proofs() {
                        self.watch.close(goal);
                    }
                }
                ProofVerdict::Candidate(input) => self.evaluate(&input),
                ProofVerdict::Open => {}
            }
        }
    }

    /// Look again at each proof that no input takes a branch, with at most so many instructions for each.
    pub fn recheck(&mut self, instructions: u64) {
        for (goal, reached) in self.reached.iter().enumerate() {
            if let Reached::Infeasible { boxes, given } = reached
                && self.wanted[goal]
                && !halt::requested()
            {
                self.rechecked.insert(goal, recheck(self.program, self.goals[goal], *boxes, *given, instructions));
            }
        }
    }

    /// Special values of all inputs together, then values of every size.
    fn begin(&mut self, rng: &mut Random) {
        let special: Vec<Vec<u64>> = self.kinds.iter().map(|k| special(*k)).collect();
        let most = special.iter().map(Vec::len).fold(1, usize::saturating_mul).min(4 * WARM_UP);
        let combined = |n: usize| -> Vec<u64> {
            let mut left = n;
            let pick = |values: &Vec<u64>| {
                let x = values[left % values.len()];
                left /= values.len();
                x
            };
            special.iter().map(pick).collect()
        };
        let texts = pool(self.program, &self.kinds).texts;
        let first = texts.iter().enumerate().map(|(n, text)| with_text(&combined(n), text));
        // With objects that are made and shared most of what they are in would seldom be as it is usually.
        let random = (0..WARM_UP).map(|n| {
            let input = self.kinds.iter().map(|k| any(*k, rng)).collect();
            if n % 2 == 0 { self.program.within_proofs(input) } else { input }
        });
        let inputs: Vec<Vec<u64>> = first.chain((0..most).map(combined)).chain(random).collect();
        self.evaluate_all(inputs);
        if self.program.may_make_objects() {
            // What makes an object seldom has use for numbers of every size, and what works on it may take long.
            let usual = |_| self.program.made(self.kinds.iter().map(|k| usual(*k, rng)).collect());
            let inputs = (0..WITH_OBJECTS).map(usual).collect();
            self.runs.needed = FUEL;
            self.evaluate_all(inputs);
            self.runs.needed = 0;
        }
    }

    fn evaluate_all(&mut self, inputs: Vec<Vec<u64>>) {
        for input in inputs {
            if !self.may_run() || !self.is_open() {
                return;
            }
            self.evaluate(&input);
        }
    }

    /// One turn at one goal: climb from the nearest input, then from changes of it.
    fn go_for(&mut self, goal: usize, turn: u64, pool: &Pool, rng: &mut Random) {
        let upto = TurnEnd {
            evaluations: self.evaluations.saturating_add(turn),
            instructions: self.runs.instructions.saturating_add(turn.saturating_mul(TURN_INSTRUCTIONS)),
        };
        let Some(mut best) = self.nearest(goal) else { return };
        let kinds = self.kinds.clone();
        if self.come_to(goal, &best.input, upto) {
            // Where it ends the budget is used up, or the goal is reached.
            let _ = wander(&mut best, &kinds, pool, rng, &mut |x| self.measured(x, upto));
        }
        self.runs.needed = 0;
    }

    /// Finds out how many instructions a run on this input needs to come to the goal that is aimed at; whether runs are left.
    fn come_to(&mut self, goal: usize, input: &[u64], upto: TurnEnd) -> bool {
        self.runs.needed = LEAST / 4;
        loop {
            self.watch.aim(self.goals[goal]);
            match self.measured(input, upto) {
                None => return false,
                Some(Distance::FAR) if self.runs.needed < USUAL => self.runs.needed *= 4,
                Some(_) => return true,
            }
        }
    }
}
