//! Paths of code: an input that follows one, or a proof that none does.
//!
//! Each run of the code says what its path is; to turn one of its decisions is a formula over floats, which is decided
//! ([`mod@crate::decide`]), and gives the input of another path or shows that there is none. What is found is run before it is told.

use crate::code::ins::BranchTest;
use crate::code::machine::Trap;
use crate::code::program::{BranchGoal, CodeProgram};
use crate::code::run::{Runner, Watch};
use crate::code::symbolic::{Guide, Path, follow};
use crate::decide::{Asked, Confirmation, DecisionEffort, DecisionWork, Engine, confirm_by_another, decide_both};
use crate::halt;
use crate::sat::SatVerdict;
use crate::search::values::special;
use crate::solve::float::Term;
use std::time::{Duration, Instant};

/// What paths may cost.
#[derive(Clone, Copy, Debug)]
pub struct PathLimits {
    /// The most decisions of a path that depend on inputs; what comes after them is of no interest. Default: 20.
    pub decisions: usize,
    /// The most paths that are told. Default: 1000.
    pub paths: usize,
    /// Boxes that may be looked at for each question. Default: 20,000.
    pub boxes: u64,
    /// Conflicts of the engine of gates for each question that few boxes and runs of the code leave open; with 0 it is not asked. Default:
    /// 20,000.
    pub conflicts: u64,
    /// Runs of the code for each question that boxes leave open. Default: 20,000.
    pub runs: u64,
    /// Instructions of a symbolic run. Default: 200,000.
    pub fuel: u64,
    /// The beginning of the pseudo-random sequence of the search. Default: 0.
    pub seed: u64,
    /// All questions together: terms times the boxes and points at which they are looked at. Then paths are left open. Default:
    /// no limit.
    pub terms: u64,
    /// Boxes for each proof that is looked at again by plain evaluation. Default: none is.
    pub confirmation: Option<u64>,
}

impl Default for PathLimits {
    fn default() -> Self {
        let terms = u64::MAX;
        PathLimits {
            decisions: 20,
            paths: 1000,
            boxes: 20_000,
            conflicts: 20_000,
            runs: 20_000,
            fuel: 200_000,
            seed: 0,
            terms,
            confirmation: None,
        }
    }
}

/// Boxes before the code is run.
const FIRST: u64 = 1000;
/// To make the gates of a term costs as much as so many looks at it.
const MAKING: u64 = 300;
/// The most gates for one question: some hundred megabytes.
const GATES: u32 = 3_000_000;

/// What became of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum PathOutcome {
    /// This input follows it; with what the function then does.
    Feasible(Vec<u64>, Result<Option<u64>, Trap>),
    /// No input follows it.
    Infeasible,
    /// Neither was found.
    Open(OpenReason),
}

/// Why a path is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenReason {
    /// The boxes were not enough.
    Budget,
    /// What was found goes elsewhere: something on the way has no term.
    Elsewhere,
    /// Terms do not say what happens: an address depends on inputs, say.
    Unsaid,
    /// The same after the last decision: what inputs do that come so far is not known of all.
    Beyond,
    /// The function ends before all decisions are made.
    Short,
    /// More instructions than are followed.
    Fuel,
    /// More paths than may be told: this one and others were not looked at.
    Paths,
    /// Somebody asked to stop.
    Interrupted,
}

impl OpenReason {
    /// For people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            OpenReason::Budget => "not decided within the boxes allowed",
            OpenReason::Elsewhere => {
                "what was found goes elsewhere: the path depends on memory of which nothing is said, or on a call without exact \
                 meaning here"
            }
            OpenReason::Unsaid => "what happens on the way is not known: an address that depends on inputs, or a call",
            OpenReason::Beyond => {
                "what other inputs do after these decisions is not known: an address that depends on inputs, or a call"
            }
            OpenReason::Short => "the function ends after fewer tests that depend on inputs",
            OpenReason::Fuel => {
                "what other inputs do after these decisions is not known: more instructions than are followed"
            }
            OpenReason::Paths => "not looked at, nor are others: more paths than may be told",
            OpenReason::Interrupted => "interrupted",
        }
    }
}

/// A path, as its decisions that depend on inputs, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PathRow {
    /// The decisions, in order.
    pub decisions: Vec<BranchGoal>,
    /// What became of it.
    pub outcome: PathOutcome,
    /// What it took.
    pub work: DecisionWork,
    /// How long.
    pub took: Duration,
    /// What a proof came to that was looked at again.
    pub confirmation: Option<Confirmation>,
    /// Whether functions of the mathematical library are on the way.
    pub library: bool,
}

impl PathRow {
    /// What became of these decisions without work.
    #[must_use]
    pub fn new(decisions: Vec<BranchGoal>, outcome: PathOutcome) -> Self {
        let (work, took) = (DecisionWork::default(), Duration::ZERO);
        PathRow { decisions, outcome, work, took, confirmation: None, library: false }
    }
}

/// All paths that were looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathTable {
    /// In the order of their decisions: fails before holds.
    pub rows: Vec<PathRow>,
    /// Whether every input follows one of them that is feasible, as far as paths were to be told apart: none is open.
    pub complete: bool,
    /// Whether besides each of them goes to the end of the function: there is no path but these.
    pub whole: bool,
}

impl PathTable {
    /// Whether a proof takes the errors of functions of the mathematical library to be bounded.
    #[must_use]
    pub fn is_given_library(&self) -> bool {
        self.rows.iter().any(|r| r.outcome == PathOutcome::Infeasible && r.library)
    }
}

/// Writes down which way each decision goes.
#[derive(Default)]
struct Ways(Vec<u32>);

impl Watch for Ways {
    fn branch(&mut self, _: u32, way: u32, _: BranchTest, _: u64, _: u64) {
        self.0.push(way);
    }

    fn arm(&mut self, _: u32, arm: u32, _: u32, _: u32) {
        self.0.push(arm);
    }
}

/// Follows paths of one function.
pub struct Explorer<'p> {
    pub(super) program: &'p CodeProgram,
    pub(super) runner: Runner<'p>,
    pub(super) limits: PathLimits,
    /// Of [`PathLimits::terms`].
    spent: u64,
}

impl<'p> Explorer<'p> {
    /// For a function.
    #[must_use]
    pub fn new(program: &'p CodeProgram, limits: PathLimits) -> Self {
        Explorer { program, runner: Runner::new(&program.module), limits, spent: 0 }
    }

    /// The path of an input, and what the function does with it.
    pub fn path_of(&mut self, input: &[u64]) -> (Path, Result<Option<u64>, Trap>) {
        self.path_upto(input, self.limits.decisions)
    }

    fn path_upto(&mut self, input: &[u64], decisions: usize) -> (Path, Result<Option<u64>, Trap>) {
        let mut ways = Ways::default();
        let outcome = self.program.run(&mut self.runner, input, &mut ways);
        (follow(self.program, Guide::Recorded(&ways.0), decisions, self.limits.fuel), outcome)
    }

    /// The path that makes these decisions, one after the other.
    pub fn decide(&mut self, ways: &[u32]) -> PathRow {
        let path = follow(self.program, Guide::Asked(ways), ways.len(), self.limits.fuel);
        let decisions: Vec<BranchGoal> = path.decisions.iter().map(|d| d.goal).collect();
        if decisions.len() < ways.len() {
            let ends = !matches!(path.end, Err(Trap::Undecided | Trap::Fuel | Trap::Settled));
            return PathRow::new(
                decisions,
                PathOutcome::Open(if ends { OpenReason::Short } else { OpenReason::Unsaid }),
            );
        }
        let roots = path.upto(ways.len());
        let upto = path.decisions.last().map_or(0, |d| d.place + 1);
        self.answer(&path, &roots, decisions, &path.trail[..upto])
    }

    /// The path of an input with one of its decisions turned to another way.
    pub fn turned(&mut self, path: &Path, at: usize, way: u32) -> PathRow {
        let mut roots = path.upto(at);
        roots.push(path.decisions[at].conditions[way as usize]);
        let decisions = path.turned(at, way);
        let mut trail = path.trail[..=path.decisions[at].place].to_vec();
        trail[path.decisions[at].place].way = way;
        self.answer(path, &roots, decisions, &trail)
    }

    /// Inputs that fulfil formulas and make these decisions, the last ones of a trail.
    fn answer(&mut self, path: &Path, roots: &[Term], decisions: Vec<BranchGoal>, trail: &[BranchGoal]) -> PathRow {
        let began = Instant::now();
        let mut work = DecisionWork::default();
        // A few boxes, then runs of the code, then all boxes.
        let first =
            DecisionEffort { boxes: self.limits.boxes.min(FIRST), conflicts: 0, gates: 0, seed: self.limits.seed };
        let (mut found, mut engine) = self.decided(path, roots, &decisions, first, &mut work);
        if matches!(found, PathOutcome::Open(OpenReason::Budget | OpenReason::Elsewhere)) && !self.is_spent() {
            let (input, runs) = self.along(trail, self.limits.runs);
            work.evaluations += runs;
            if let Some(input) = input {
                found = self.followed(input, &decisions);
            }
        }
        let PathLimits { boxes, conflicts, seed, .. } = self.limits;
        if found == PathOutcome::Open(OpenReason::Budget) && (boxes > FIRST || conflicts > 0) {
            let all = DecisionEffort { boxes, conflicts, gates: GATES, seed };
            (found, engine) = self.decided(path, roots, &decisions, all, &mut work);
        }
        let took = began.elapsed();
        let again = self.limits.confirmation.filter(|_| found == PathOutcome::Infeasible);
        let confirmation = again.map(|boxes| {
            let effort = DecisionEffort { gates: GATES, ..DecisionEffort::of_boxes(boxes) };
            confirm_by_another(&path.graph, Asked { roots, lemmas: &[], effort }, engine, work)
        });
        PathRow { decisions, outcome: found, work, took, confirmation, library: path.graph.has_library() }
    }

    /// The same with some effort, and by which engine.
    fn decided(
        &mut self,
        path: &Path,
        roots: &[Term],
        decisions: &[BranchGoal],
        effort: DecisionEffort,
        work: &mut DecisionWork,
    ) -> (PathOutcome, Engine) {
        if halt::requested() {
            return (PathOutcome::Open(OpenReason::Interrupted), Engine::Ordinals);
        }
        if self.is_spent() {
            return (PathOutcome::Open(OpenReason::Budget), Engine::Ordinals);
        }
        let decided = decide_both(&path.graph, Asked { roots, lemmas: &[], effort });
        let took = decided.work;
        *work = work.and(took);
        let to_make_gates = if took.conflicts > 0 { MAKING } else { 0 };
        let points = took.boxes + took.evaluations + took.conflicts + to_make_gates;
        self.spent = self.spent.saturating_add(points * path.graph.len() as u64);
        let outcome = match decided.verdict {
            SatVerdict::Unsat => PathOutcome::Infeasible,
            SatVerdict::Unknown if halt::requested() => PathOutcome::Open(OpenReason::Interrupted),
            SatVerdict::Unknown => PathOutcome::Open(OpenReason::Budget),
            SatVerdict::Sat(bits, _) => self.followed(path.bits(&path.graph.narrow(&bits)), decisions),
        };
        (outcome, decided.engine)
    }

    /// What becomes of an input that should make these decisions.
    fn followed(&mut self, input: Vec<u64>, decisions: &[BranchGoal]) -> PathOutcome {
        let (path, outcome) = self.path_upto(&input, decisions.len());
        let goes = path.decisions.iter().map(|d| d.goal);
        if goes.eq(decisions.iter().copied()) {
            PathOutcome::Feasible(input, outcome)
        } else {
            PathOutcome::Open(OpenReason::Elsewhere)
        }
    }

    fn is_spent(&self) -> bool {
        self.spent >= self.limits.terms
    }

    /// All paths up to so many decisions.
    pub fn explore(&mut self) -> PathTable {
        let first: Vec<u64> = self.program.inputs.iter().map(|i| special(i.kind)[0]).collect();
        let mut table = PathTable { rows: Vec::new(), complete: true, whole: true };
        // Inputs whose paths are not yet told, with the decision from which on theirs are to be turned.
        let mut open = vec![(first, 0, DecisionWork::default(), Duration::ZERO)];
        // Whether no more are looked for.
        let mut unseen = false;
        while let Some((input, from, work, took)) = open.pop() {
            let (path, outcome) = self.path_of(&input);
            let beyond = match &path.end {
                Ok(_) => None,
                Err(Trap::Settled) => {
                    table.whole = false;
                    None
                }
                Err(Trap::Fuel) => Some(OpenReason::Fuel),
                // A native program may go on where it is undefined.
                Err(trap) if outcome.as_ref().err() == Some(trap) && !trap.goes_on() => None,
                Err(_) => Some(OpenReason::Beyond),
            };
            let decisions: Vec<BranchGoal> = path.decisions.iter().map(|d| d.goal).collect();
            table.rows.push(PathRow {
                work,
                took,
                ..PathRow::new(decisions.clone(), PathOutcome::Feasible(input, outcome))
            });
            // An input that could not be followed to its end stands for paths that nobody has seen.
            table.rows.extend(beyond.map(|reason| PathRow::new(decisions, PathOutcome::Open(reason))));
            for at in from..path.decisions.len() {
                for way in 0..path.decisions[at].conditions.len() as u32 {
                    if way == path.decisions[at].goal.way || unseen {
                        continue;
                    }
                    if table.rows.len() + open.len() >= self.limits.paths {
                        unseen = true;
                        table.rows.push(PathRow::new(path.turned(at, way), PathOutcome::Open(OpenReason::Paths)));
                        continue;
                    }
                    let row = self.turned(&path, at, way);
                    match row.outcome {
                        PathOutcome::Feasible(input, _) => open.push((input, at + 1, row.work, row.took)),
                        PathOutcome::Infeasible => table.rows.push(row),
                        PathOutcome::Open(reason) => {
                            unseen = reason == OpenReason::Interrupted || self.is_spent();
                            table.rows.push(row);
                        }
                    }
                }
            }
        }
        table.complete = !table.rows.iter().any(|r| matches!(r.outcome, PathOutcome::Open(_)));
        table.whole &= table.complete;
        table.rows.sort_by(|a, b| a.decisions.iter().map(|g| g.way).cmp(b.decisions.iter().map(|g| g.way)));
        table
    }
}
