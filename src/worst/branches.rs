//! How far results are from what a specification owes, branch by branch: for each branch the input of the domain at which
//! the code errs most among those found that take it.
//!
//! An input that takes a branch says little of the results along it. The error is made as large as it gets: first by the
//! search for the worst input of the whole domain, which every branch has its share of, then by a climb inside each branch's
//! set of inputs. All branches share one archive.

use super::beginnings;
use super::measure::{Known, Measure, MeasureScratch};
use crate::code::machine::Trap;
use crate::code::program::CodeProgram;
use crate::code::run::Runner;
use crate::floats::BitsKind;
use crate::halt;
use crate::num::random::Random;
use crate::reach::coverage::{Coverage, Reached};
use crate::reach::pool::pool;
use crate::reach::watch::Takes;
use crate::search::goal::{Best, Distance, FAR, wander};
use crate::search::most;
use crate::search::most::points::{Errors, Places};
use crate::search::most::space::Space;
use crate::spec::{EmptyRange, InputBox, Spec};

/// The search of the whole domain has this part of them.
const EVERYWHERE: u64 = 2;
/// Inputs of the first turn at a branch.
const TURN: u64 = 64;
/// Instructions of all runs together, for each input that may be judged.
const INSTRUCTIONS: u64 = 20_000;

/// The input with the largest error found on a branch.
#[derive(Clone, Debug)]
pub struct BranchWorst {
    /// Its bits.
    pub input: Vec<u64>,
    /// The result's bits, or why there is none.
    pub outcome: Result<Option<u64>, Trap>,
    /// About how large the error is, in units of the tolerance; infinite where no finite number came and one is owed.
    pub error: f64,
}

/// The ends of the domain for inputs of these kinds; those of the kind where it reaches further.
///
/// # Errors
/// An input of which the domain holds no value.
pub fn ends(spec: &Spec, kinds: &[BitsKind]) -> Result<Vec<(u64, u64)>, EmptyRange> {
    let domain = InputBox::new(spec)?;
    let each = domain.ranges.iter().zip(kinds);
    Ok(each.map(|(range, kind)| ((*kind).nearest(range.inf()), (*kind).nearest(range.sup()))).collect())
}

/// For each goal of a coverage the largest error found on it, with at most `judged` inputs judged; none where no input of the
/// domain was found to take it. A function without branches has one goal, its whole domain. `cap` is the last precision of the ladder in bits.
///
/// # Errors
/// An input of which the domain holds no value.
pub fn largest(
    program: &CodeProgram,
    coverage: &Coverage<'_>,
    spec: &Spec,
    judged: u64,
    cap: u32,
) -> Result<Vec<Option<BranchWorst>>, EmptyRange> {
    let domain = InputBox::new(spec)?;
    let space = Space::new(&domain);
    let measure = Measure::new(spec, cap);
    let mut judge = Judge {
        program,
        runner: Runner::new(&program.module),
        kinds: program.inputs.iter().map(|i| i.kind).collect(),
        space: &space,
        domain: &domain,
        measure: &measure,
        scratch: MeasureScratch::default(),
        takes: Takes::new(coverage.first(), coverage.goals.len()),
        worst: vec![None; coverage.goals.len().max(1)],
        left: judged,
        later: 0,
        instructions: judged.saturating_mul(INSTRUCTIONS),
    };
    for found in &coverage.found {
        judge.error(&found.input, 0.0);
    }
    if judge.kinds.is_empty() || program.result().is_none() {
        return Ok(judge.worst);
    }
    judge.later = judge.left - judge.left / EVERYWHERE;
    let known: Vec<Vec<f64>> = coverage.found.iter().filter_map(|f| judge.values(&f.input)).collect();
    let starts = beginnings((&space, &domain), &measure, &known, judge.left());
    // Where it stops early, what was found stands.
    let _ = most::search(&space, &starts, &mut judge);
    judge.later = 0;
    judge.branches(coverage);
    Ok(judge.worst)
}

/// Why a search stops before its evaluations are used up.
struct Stopped;

/// Code under test beside its specification.
struct Judge<'a, 'p, 'm> {
    program: &'p CodeProgram,
    runner: Runner<'p>,
    kinds: Vec<BitsKind>,
    space: &'a Space,
    domain: &'a InputBox,
    measure: &'a Measure<'m>,
    scratch: MeasureScratch,
    takes: Takes,
    worst: Vec<Option<BranchWorst>>,
    /// Inputs that may still be judged, and how many of them are for later.
    left: u64,
    later: u64,
    instructions: u64,
}

impl Judge<'_, '_, '_> {
    /// The values of an input of the domain's box.
    fn values(&self, input: &[u64]) -> Option<Vec<f64>> {
        let values = input.iter().zip(&self.kinds).map(|(x, k)| (*k).number(*x)).collect::<Option<Vec<f64>>>()?;
        let held = values.iter().zip(&self.domain.formats).all(|(x, f)| x.is_finite() && f.holds(*x));
        (held && self.domain.contains(&values)).then_some(values)
    }

    /// Run on an input. The error there in units of the tolerance, near enough where it is more than `best`; none outside of
    /// the domain.
    fn error(&mut self, input: &[u64], best: f64) -> Option<f64> {
        self.signed_error(input, best).map(f64::abs)
    }

    /// The same, below 0 where the result is too small.
    fn signed_error(&mut self, input: &[u64], best: f64) -> Option<f64> {
        self.left = self.left.saturating_sub(1);
        self.takes.begin();
        let values = self.values(input)?;
        let known = self.measure.known(&values, &mut self.scratch);
        if known == Known::Outside {
            return None;
        }
        let outcome = self.program.run(&mut self.runner, input, &mut self.takes);
        self.instructions = self.instructions.saturating_sub(self.runner.steps());
        let result = match (&outcome, self.program.result()) {
            (Ok(Some(bits)), Some(kind)) => kind.number(*bits).filter(|y| y.is_finite()),
            _ => None,
        };
        let most = |goal: &u32| self.worst[*goal as usize].as_ref().map_or(0.0, |w| w.error);
        let least = self.takes.taken().iter().map(most).fold(best, f64::min);
        let error = match result {
            Some(y) => self.measure.signed(&values, known, y, least)?,
            // Where no finite number is within the tolerance, none is owed.
            None => self.measure.exact(&values, self.measure.format().max()).map(|_| f64::INFINITY)?,
        };
        for goal in self.takes.taken() {
            let worst = &mut self.worst[*goal as usize];
            if worst.as_ref().is_none_or(|w| w.error < error.abs()) {
                *worst = Some(BranchWorst { input: input.to_vec(), outcome: outcome.clone(), error: error.abs() });
            }
        }
        Some(error)
    }

    /// Turns at all branches, longer and longer: climbs inside their sets of inputs.
    fn branches(&mut self, coverage: &Coverage<'_>) {
        let pool = pool(self.program, &self.kinds);
        let mut rng = Random::seeded(1);
        let mut turn = TURN;
        let taken = |g: &usize| match &coverage.reached[*g] {
            Reached::By(run) => Some((*g, coverage.found[*run].input.clone())),
            _ => None,
        };
        let mut goals: Vec<(usize, Vec<u64>)> = (0..coverage.goals.len()).filter_map(|g| taken(&g)).collect();
        if coverage.is_straight() {
            goals.extend(coverage.found.first().map(|f| (0, f.input.clone())));
        }
        while self.may_run() {
            // No error is larger than that of no finite result.
            goals.retain(|(goal, _)| self.worst[*goal].as_ref().is_none_or(|w| w.error.is_finite()));
            if goals.is_empty() {
                return;
            }
            for (goal, by) in &goals {
                let upto = self.left.saturating_sub(turn);
                let known = self.worst[*goal].clone();
                let input = known.map_or_else(|| by.clone(), |w| w.input);
                let Some(distance) = self.distance(*goal, &input, upto) else { continue };
                let mut best = Best { input, distance };
                let kinds = self.kinds.clone();
                let _ = wander(&mut best, &kinds, &pool, &mut rng, &mut |x| self.distance(*goal, x, upto));
            }
            turn = turn.saturating_mul(2);
        }
    }

    /// The error of an input that takes a branch as a distance, the larger the nearer; all other inputs are further away.
    fn distance(&mut self, goal: usize, input: &[u64], upto: u64) -> Option<Distance> {
        if self.left <= upto || !self.may_run() {
            return None;
        }
        let best = self.worst[goal].as_ref().map_or(0.0, |w| w.error);
        let error = self.error(input, best);
        let takes = self.takes.taken().contains(&(goal as u32));
        Some(match error.filter(|_| takes) {
            Some(error) => Distance { level: 0, ulps: f64::INFINITY.to_bits().saturating_sub(error.to_bits()) },
            None => Distance { level: 1, ulps: FAR },
        })
    }

    fn may_run(&self) -> bool {
        self.left > self.later && self.instructions > 0 && !halt::requested()
    }
}

impl Errors for Judge<'_, '_, '_> {
    type Stop = Stopped;

    fn errors(&mut self, points: &[Places], best: &[f64]) -> Result<Vec<Option<f64>>, Stopped> {
        Ok(self.all(points, best)?.into_iter().map(|e| e.map(f64::abs)).collect())
    }

    fn signed(&mut self, points: &[Places]) -> Result<Vec<Option<f64>>, Stopped> {
        self.all(points, &vec![-1.0; points.len()])
    }

    fn left(&self) -> u64 {
        self.left.saturating_sub(self.later)
    }
}

impl Judge<'_, '_, '_> {
    /// The errors at points with their signs, for each the error beyond which it matters.
    fn all(&mut self, points: &[Places], best: &[f64]) -> Result<Vec<Option<f64>>, Stopped> {
        let mut found = Vec::with_capacity(points.len());
        for (point, best) in points.iter().zip(best) {
            if !self.may_run() {
                return if halt::requested() || self.instructions == 0 {
                    Err(Stopped)
                } else {
                    found.resize(points.len(), None);
                    Ok(found)
                };
            }
            let values = self.space.values(point);
            let input: Vec<u64> = values.iter().zip(&self.kinds).map(|(x, k)| (*k).nearest(*x)).collect();
            found.push(self.signed_error(&input, *best));
        }
        Ok(found)
    }
}
