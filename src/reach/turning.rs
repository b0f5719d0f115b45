//! What a search for coverage leaves open: paths that come near a branch are turned to it, and where a function has few paths
//! all of them are looked at.

use super::coverage::{Coverage, FIRST_SHARE, Reached};
use super::paths::{self, Explorer};
use crate::halt;

/// Decisions of a path that are looked at.
const MOST_DECISIONS: usize = 400;
/// Decisions of one path that are turned for one goal.
const MOST_TURNS: usize = 4;
/// Boxes for a turn, at first.
const FIRST_BOXES: u64 = 1000;
/// Boxes for a turn, later.
const BOXES: u64 = 20_000;
/// Conflicts of the engine of gates for a turn, later.
const CONFLICTS: u64 = 1000;
/// Terms that all questions of one round may look at: about a second.
const TERMS: u64 = 5_000_000;
/// A proof by paths has no more of them.
const MOST_PATHS: usize = 200;
/// Runs before paths are turned, where few goals count.
const FIRST_RUNS: u64 = 50;

impl Coverage<'_> {
    /// Search for what is open, and prove of what is not found that it cannot be taken, with at most `budget` instructions
    /// for each branch. A first, short attempt at proofs keeps the search from what is easily proved; then paths of what came
    /// near are turned, and all paths looked at where they are few.
    pub fn search_and_prove(&mut self, budget: u64) {
        let all = self.runs_allowed();
        self.search(self.evaluations + all / FIRST_SHARE);
        self.prove(budget / FIRST_SHARE);
        self.search(all);
        let mut taken = usize::MAX;
        while self.is_open() && std::mem::replace(&mut taken, self.taken()) != self.taken() {
            self.turn_paths(BOXES, CONFLICTS);
        }
        self.prove(budget);
        self.prove_by_paths();
    }

    /// Search for what matters where that is little, as [`Coverage::search_and_prove`] does, paths first.
    pub fn reach(&mut self, budget: u64) {
        self.search(self.evaluations + FIRST_RUNS);
        let mut taken = usize::MAX;
        while self.is_open() && std::mem::replace(&mut taken, self.taken()) != self.taken() {
            self.turn_paths(FIRST_BOXES, 0);
        }
        self.search_and_prove(budget);
    }

    /// Of each goal that is open and whose test was reached: turn the decisions at its place on the path that came nearest,
    /// with so many boxes and conflicts for each, until one turns.
    fn turn_paths(&mut self, boxes: u64, conflicts: u64) {
        let limits = paths::PathLimits {
            decisions: MOST_DECISIONS,
            boxes,
            conflicts,
            // The search has run the code already.
            runs: 0,
            seed: self.seed(),
            terms: TERMS,
            ..paths::PathLimits::default()
        };
        let mut explorer = Explorer::new(self.program, limits);
        for at in 0..self.goals.len() {
            let goal = self.goals[at];
            if self.program.module.sites[goal.site as usize].probe.is_some() || !self.is_open() || halt::requested() {
                continue;
            }
            let Some(best) = self.nearest(at) else { continue };
            let (path, _) = explorer.path_of(&best.input);
            let places = path.decisions.iter().enumerate().filter(|(_, d)| d.goal.site == goal.site);
            let places: Vec<usize> = places.map(|(i, _)| i).take(MOST_TURNS).collect();
            for place in places {
                let row = explorer.turned(&path, place, goal.way);
                self.solved += row.work.boxes + row.work.evaluations;
                if let paths::PathOutcome::Feasible(input, _) = row.outcome {
                    self.evaluate(&input);
                    break;
                }
            }
        }
    }

    /// Where the function has few paths: what none of them takes is taken by no input.
    fn prove_by_paths(&mut self) {
        if !self.is_open() || self.program.module.asked.is_some() || halt::requested() {
            return;
        }
        let limits = paths::PathLimits {
            decisions: MOST_DECISIONS,
            paths: MOST_PATHS,
            boxes: FIRST_BOXES,
            conflicts: 0,
            runs: 0,
            seed: self.seed(),
            terms: TERMS,
            ..paths::PathLimits::default()
        };
        let table = Explorer::new(self.program, limits).explore();
        let boxes: u64 = table.rows.iter().map(|r| r.work.boxes).sum();
        self.solved += table.rows.iter().map(|r| r.work.boxes + r.work.evaluations).sum::<u64>();
        for row in &table.rows {
            if let paths::PathOutcome::Feasible(input, _) = &row.outcome {
                self.evaluate(input);
            }
        }
        if !table.whole {
            return;
        }
        let given = self.program.given_of_paths(table.is_given_library());
        for goal in 0..self.goals.len() {
            if matches!(self.reached[goal], Reached::Open(_)) && !self.program.is_hidden(self.goals[goal]) {
                self.reached[goal] = Reached::Infeasible { boxes, given };
                self.watch.close(goal);
            }
        }
    }
}
