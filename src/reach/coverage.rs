//! Branch coverage: inputs that together take every branch that can be taken.
//!
//! All goals share one archive: each run updates, for every goal that is open, the nearest input. The search goes for the
//! goals whose site was reached, nearest first in turn, with budgets that grow.

use crate::code::ins::Test;
use crate::code::machine::Trap;
use crate::code::program::{Goal, Kind, Program};
use crate::code::run::{Runner, Watch};
use crate::search::climb::{Best, climb};
use crate::search::distance::{FAR, distance, to_arm};
use crate::search::rng::Rng;
use crate::search::values::{Pool, any, changed, special};

/// What a search may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Runs of the code. Default: 200,000.
    pub evaluations: u64,
    /// The beginning of the pseudo-random sequence. Default: 0.
    pub seed: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { evaluations: 200_000, seed: 0 }
    }
}

/// What became of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Taken by this input, by index into the inputs found.
    By(usize),
    /// Not taken; the distance and the input that came nearest, if its site was reached at all.
    Open(Option<Best>),
}

/// An input that took something new.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its bits.
    pub input: Vec<u64>,
    /// The goals that it was the first to take.
    pub first: Vec<usize>,
    /// The result's bits, or why there is none.
    pub outcome: Result<Option<u64>, Trap>,
    /// How many runs had been made.
    pub evaluation: u64,
}

/// The state of a search for coverage.
pub struct Coverage<'p> {
    program: &'p Program,
    runner: Runner<'p>,
    kinds: Vec<Kind>,
    /// The goals.
    pub goals: Vec<Goal>,
    /// What became of each.
    pub reached: Vec<Reached>,
    /// Inputs that took something new, in the order in which they were found.
    pub found: Vec<Found>,
    /// Runs so far.
    pub evaluations: u64,
    limits: Limits,
    watch: Record,
}

/// The goals seen in one run.
struct Record {
    /// The first goal of each site, or none where the site does not count.
    first: Vec<Option<u32>>,
    open: Vec<bool>,
    distance: Vec<u64>,
    taken: Vec<u32>,
}

impl Watch for Record {
    fn branch(&mut self, site: u32, way: u32, test: Test, a: u64, b: u64) {
        let Some(first) = self.first[site as usize] else { return };
        let (here, other) = ((first + way) as usize, (first + 1 - way) as usize);
        if self.open[here] {
            self.open[here] = false;
            self.taken.push(here as u32);
        }
        if self.open[other] {
            let d = distance(test, a, b, way == 0);
            self.distance[other] = self.distance[other].min(d);
        }
    }

    fn arm(&mut self, site: u32, arm: u32, arms: u32, index: u32) {
        let Some(first) = self.first[site as usize] else { return };
        for other in 0..arms {
            let goal = (first + other) as usize;
            if !self.open[goal] {
                continue;
            }
            if other == arm {
                self.open[goal] = false;
                self.taken.push(goal as u32);
            } else {
                self.distance[goal] = self.distance[goal].min(to_arm(index, other, arms));
            }
        }
    }
}

/// Random inputs before any goal is searched for.
const WARM_UP: usize = 500;
/// Runs of the first turn at a goal.
const TURN: u64 = 256;

impl<'p> Coverage<'p> {
    /// For the branches of these functions.
    #[must_use]
    pub fn new(program: &'p Program, functions: &[u32], limits: Limits) -> Self {
        let mut first = vec![None; program.module.sites.len()];
        let mut goals = Vec::new();
        for (site, _) in program.sites(functions) {
            first[site as usize] = Some(goals.len() as u32);
            goals.extend((0..program.module.sites[site as usize].ways).map(|way| Goal { site, way }));
        }
        let count = goals.len();
        let watch = Record { first, open: vec![true; count], distance: vec![FAR; count], taken: Vec::new() };
        Coverage {
            program,
            runner: Runner::new(&program.module),
            kinds: program.inputs.iter().map(|i| i.kind).collect(),
            goals,
            reached: vec![Reached::Open(None); count],
            found: Vec::new(),
            evaluations: 0,
            limits,
            watch,
        }
    }

    /// How many goals were taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.reached.iter().filter(|r| matches!(r, Reached::By(_))).count()
    }

    /// Run on one input and keep what is new.
    pub fn evaluate(&mut self, input: &[u64]) {
        self.evaluations += 1;
        self.watch.taken.clear();
        let outcome = self.program.run(&mut self.runner, input, &mut self.watch);
        if !self.watch.taken.is_empty() {
            let first: Vec<usize> = self.watch.taken.iter().map(|g| *g as usize).collect();
            for goal in &first {
                self.reached[*goal] = Reached::By(self.found.len());
            }
            let evaluation = self.evaluations;
            self.found.push(Found { input: input.to_vec(), first, outcome, evaluation });
        }
        for goal in 0..self.goals.len() {
            if self.watch.distance[goal] == FAR {
                continue;
            }
            let d = std::mem::replace(&mut self.watch.distance[goal], FAR);
            if let Reached::Open(best) = &mut self.reached[goal]
                && best.as_ref().is_none_or(|b| d < b.distance)
            {
                *best = Some(Best { input: input.to_vec(), distance: d });
            }
        }
    }

    /// The distance that a run on an input has to a goal: 0 where it takes it.
    fn measured(&mut self, input: &[u64], goal: usize) -> Option<u64> {
        if self.evaluations >= self.limits.evaluations {
            return None;
        }
        let before = self.nearest(goal);
        // The distance of this run alone, not the best of all.
        if let Reached::Open(best) = &mut self.reached[goal] {
            *best = None;
        }
        self.evaluate(input);
        let here = self.nearest(goal);
        let d = match (&self.reached[goal], &here) {
            (Reached::By(_), _) => 0,
            (_, Some(best)) => best.distance,
            (_, None) => FAR,
        };
        if let (Reached::Open(best), Some(before)) = (&mut self.reached[goal], before)
            && before.distance <= d
        {
            *best = Some(before);
        }
        Some(d)
    }

    fn nearest(&self, goal: usize) -> Option<Best> {
        if let Reached::Open(best) = &self.reached[goal] { best.clone() } else { None }
    }

    /// Search until every goal is taken or the budget is used up.
    pub fn search(&mut self) {
        if self.kinds.is_empty() {
            self.evaluate(&[]);
            return;
        }
        let mut rng = Rng::new(self.limits.seed);
        let functions = self.program.reached();
        let pool = Pool::new(&self.program.module, &functions, &self.kinds);
        self.begin(&mut rng);
        let mut turn = TURN;
        while self.evaluations < self.limits.evaluations && self.taken() < self.goals.len() {
            let open: Vec<usize> = (0..self.goals.len()).filter(|g| self.nearest(*g).is_some()).collect();
            if open.is_empty() {
                let input: Vec<u64> = self.kinds.iter().map(|k| any(*k, &mut rng)).collect();
                self.evaluate(&input);
            }
            for goal in open {
                self.go_for(goal, turn, &pool, &mut rng);
            }
            turn *= 2;
        }
    }

    /// Special values of all inputs together, then values of every size.
    fn begin(&mut self, rng: &mut Rng) {
        let special: Vec<Vec<u64>> = self.kinds.iter().map(|k| special(*k)).collect();
        let most = special.iter().map(Vec::len).product::<usize>().min(4 * WARM_UP);
        for n in 0..most {
            let mut left = n;
            let pick = |values: &Vec<u64>| {
                let x = values[left % values.len()];
                left /= values.len();
                x
            };
            let input: Vec<u64> = special.iter().map(pick).collect();
            self.evaluate(&input);
            if self.evaluations >= self.limits.evaluations {
                return;
            }
        }
        for _ in 0..WARM_UP {
            let input: Vec<u64> = self.kinds.iter().map(|k| any(*k, rng)).collect();
            self.evaluate(&input);
            if self.evaluations >= self.limits.evaluations {
                return;
            }
        }
    }

    /// One turn at one goal: climb from the nearest input, then from changes of it.
    fn go_for(&mut self, goal: usize, turn: u64, pool: &Pool, rng: &mut Rng) {
        let upto = (self.evaluations + turn).min(self.limits.evaluations);
        let Some(mut best) = self.nearest(goal) else { return };
        let kinds = self.kinds.clone();
        let measure = |this: &mut Self, input: &[u64]| {
            if this.evaluations >= upto { None } else { this.measured(input, goal) }
        };
        if climb(&mut best, &kinds, &mut |x| measure(self, x)).is_none() {
            return;
        }
        while best.distance > 0 {
            let input = changed(&best.input, &kinds, pool, rng);
            let Some(distance) = measure(self, &input) else { return };
            let mut next = Best { input, distance };
            // From a worse point too: where inputs have to change together, one change alone makes it worse.
            let promising = next.distance < best.distance || rng.below(3) == 0;
            if promising && climb(&mut next, &kinds, &mut |x| measure(self, x)).is_none() {
                return;
            }
            // Sideways is a move too: a plateau is left in the end.
            if next.distance <= best.distance {
                best = next;
            }
        }
    }
}
