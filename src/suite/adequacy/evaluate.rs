//! Adequacy of tests that somebody else brings: which mutants they kill, and which of the others could be killed.
//!
//! Tests come in batches and are not kept, so that a suite of any length takes the same memory. A mutant that is killed
//! is not looked at again, unless all kills are wanted or only tests have killed it that let it pass by tolerances of their
//! own. What kills is the input of a test, judged by the oracle; what the file expects is checked against the oracle on the
//! way.

use crate::csp::Pair;
use crate::csp::judge::InputJudgement;
use crate::csp::tolerance::reach;
use crate::mutate::Change;
use crate::num::float::rational_to_f64;
use crate::num::mpfr::Round;
use crate::num::{Interval, Ternary};
use crate::oracle::quick::{QuickTolerance, attainable};
use crate::oracle::{Ladder, Oracle, all_hold, compare, oracle};
use crate::spec::{EmptyRange, OutOfRange, Spec};
use crate::suite::adequacy::claims::{claims, doubts, lets_pass, surely_hold};
use crate::suite::adequacy::standings::{Killer, SuiteEvaluation};
use crate::suite::run::Generated;
use crate::suite::state::engine::{Engine, Kind};
use crate::suite::state::outside::{beyond_ranges, outside_cell};
use crate::suite::state::programs;
use crate::suite::{Expectation, MatrixCell, Status};
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::{NodeId, Tape, evaluate};
use crate::testfile::{FileProblem, TestRecord};
use crate::threads::{Room, Threads};
use std::sync::OnceLock;

/// How many tests are judged before killed mutants are dropped. Results do not depend on it.
pub const BATCH: usize = 8192;
/// Tests that one thread takes at a time.
const UNIT: usize = 256;
/// The most claims that do not hold of which more than the number is kept.
const KEPT: usize = 50;

/// The most mistakes of a file that are reported.
const PROBLEMS: usize = 10;

/// Judges tests batch by batch.
pub struct Evaluator<'a> {
    engine: Engine<'a>,
    all: bool,
    threads: Threads,
    /// The mutants to look at, by index.
    live: Vec<usize>,
    pairs: Vec<OnceLock<Pair>>,
    /// Of accuracy mutants: their tolerance.
    larger: Vec<Option<QuickTolerance>>,
    /// How far beyond the specification's set a probable kill reaches, rounded down.
    reach: f64,
    compiled: Compiled,
    found: SuiteEvaluation,
}

/// What is evaluated at each test: specification, conditions and live mutants.
struct Compiled {
    tape: Tape,
    f: NodeId,
    conditions: Vec<NodeId>,
    /// Roots of the live mutants, in their order; of those with another function.
    roots: Vec<Option<NodeId>>,
}

/// Where an input stands.
enum Place {
    /// In the domain; the oracle if it was needed.
    Inside(Option<Oracle>),
    /// The response is owed, and whoever keeps the conditions owes the same.
    Refused,
    /// In :pre, f without a value.
    Undefined,
    /// Outside the box, where f has a value.
    Beyond,
    Unsatisfiable,
    Unsettled,
}

/// What one unit of tests gave.
#[derive(Default)]
struct Unit {
    /// In the order of the tests.
    kills: Vec<Hit>,
    found: SuiteEvaluation,
}

/// A kill by a test of a unit.
struct Hit {
    mutant: usize,
    test: usize,
    probable: bool,
    /// Whether the test lets the mutant's value pass all the same, by its own tolerance.
    passes: bool,
}

impl<'a> Evaluator<'a> {
    /// Get ready to judge tests by the mutants of a run. With `all` a mutant stays when it is killed.
    ///
    /// # Errors
    /// See [`crate::suite::generate()`].
    pub fn new(spec: &'a Spec, run: &Generated, cap: u32, jobs: usize, all: bool) -> Result<Self, EmptyRange> {
        let mutants = run.mutants.iter().map(|j| j.mutant.clone()).collect();
        let engine = Engine::new(spec, mutants, cap)?;
        // What is proved not to be killable is not killed.
        let open = |i: &usize| {
            !matches!(run.mutants[*i].status, Status::Equivalent(_) | Status::Indistinguishable(_))
                && !matches!(engine.judged()[*i].status, Status::Equivalent(_) | Status::Indistinguishable(_))
        };
        let live: Vec<usize> = (0..run.mutants.len()).filter(open).collect();
        let larger = |i: usize| match &engine.judged()[i].mutant.change {
            Change::Accuracy(a) => Some(QuickTolerance::new(a)),
            Change::Body(_) | Change::Range { .. } | Change::Evaluation(_) => None,
        };
        let found = SuiteEvaluation {
            killers: vec![None; run.mutants.len()],
            counted: all,
            kills: vec![0; run.mutants.len()],
            caught: vec![false; run.mutants.len()],
            ..SuiteEvaluation::default()
        };
        Ok(Evaluator {
            compiled: Compiled::new(&engine, &live),
            larger: (0..run.mutants.len()).map(larger).collect(),
            reach: rational_to_f64(&reach(&spec.accuracy), Round::Down),
            pairs: run.mutants.iter().map(|_| OnceLock::new()).collect(),
            engine,
            all,
            threads: Threads::new(jobs),
            live,
            found,
        })
    }

    /// How many mutants are still looked at.
    #[must_use]
    pub fn left(&self) -> usize {
        self.live.len()
    }

    /// Judge some tests. Returns, where all kills are wanted, the kills of each test: mutant by index, and whether it is
    /// only probable.
    pub fn judge(&mut self, records: &[TestRecord]) -> Vec<Vec<(usize, bool)>> {
        let units: Vec<&[TestRecord]> = records.chunks(UNIT).collect();
        let this: &Self = self;
        let room = Room::default();
        let one = |unit: &&[TestRecord]| room.with(|values| this.unit(unit, values));
        let results = this.threads.side_by_side(1, &units, one);
        let mut rows = vec![Vec::new(); if self.all { records.len() } else { 0 }];
        for (k, unit) in results.into_iter().enumerate() {
            self.merge(&records[k * UNIT..], unit, &mut rows[(k * UNIT).min(rows_len(self.all, records))..]);
        }
        if !self.all && self.live.iter().any(|m| self.found.caught[*m]) {
            self.live.retain(|m| !self.found.caught[*m]);
            self.compiled = Compiled::new(&self.engine, &self.live);
        }
        rows
    }

    /// What was found.
    #[must_use]
    pub fn finish(self) -> SuiteEvaluation {
        self.found
    }

    /// Judge all tests of a file. After each batch `after` is told of it, with the kills of its tests as from
    /// [`Evaluator::judge`], and says whether to go on.
    ///
    /// # Errors
    /// What is wrong with the file: the first few problems.
    pub fn stream(
        &mut self,
        tests: impl Iterator<Item = Result<TestRecord, FileProblem>>,
        mut after: impl FnMut(&Self, &[TestRecord], &[Vec<(usize, bool)>]) -> bool,
    ) -> Result<(), Vec<FileProblem>> {
        let mut batch = Vec::with_capacity(BATCH);
        let mut problems = Vec::new();
        for test in tests {
            match test {
                Err(problem) => problems.push(problem),
                Ok(record) if problems.is_empty() => batch.push(record),
                Ok(_) => {}
            }
            if problems.len() == PROBLEMS {
                break;
            }
            if batch.len() == BATCH {
                let rows = self.judge(&batch);
                if !after(self, &batch, &rows) {
                    return Ok(());
                }
                batch.clear();
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let rows = self.judge(&batch);
        after(self, &batch, &rows);
        Ok(())
    }

    fn merge(&mut self, records: &[TestRecord], unit: Unit, rows: &mut [Vec<(usize, bool)>]) {
        let mut last = None;
        for Hit { mutant, test, probable, passes } in unit.kills {
            self.found.caught[mutant] |= !passes;
            if let Some(row) = rows.get_mut(test) {
                row.push((mutant, probable));
            }
            self.found.kills[mutant] += 1;
            if self.found.killers[mutant].is_none() {
                let TestRecord { id, line, input, .. } = records[test].clone();
                self.found.killers[mutant] = Some(Killer { id, line, input, probable });
                if last.replace(test) != Some(test) {
                    self.found.useful += 1;
                }
            }
        }
        let (all, some) = (&mut self.found, unit.found);
        all.tests += some.tests;
        all.inside += some.inside;
        all.outside += some.outside;
        all.unsatisfiable += some.unsatisfiable;
        all.unsettled += some.unsettled;
        all.claimed += some.claimed;
        all.wrong += some.wrong;
        all.loose += some.loose;
        all.waived += some.waived;
        all.tolerant += some.tolerant;
        all.unsure += some.unsure;
        let room = KEPT.saturating_sub(all.doubts.len());
        all.doubts.extend(some.doubts.into_iter().take(room));
    }

    fn unit(&self, records: &[TestRecord], values: &mut Vec<Enclosure>) -> Unit {
        let mut unit = Unit::default();
        // Positions in `live` of those that are not caught in this unit.
        let mut open: Vec<usize> = (0..self.live.len()).collect();
        let mut point = Vec::new();
        for (test, record) in records.iter().enumerate() {
            point.clear();
            point.extend(record.input.iter().map(|x| Interval::point(*x)));
            evaluate(&self.compiled.tape, &mut Boxes { inputs: &point }, values);
            let place = self.place(record, values);
            let before = unit.kills.len();
            for &slot in &open {
                let cell = self.cell(slot, record, &place, values);
                if let Some(probable) = cell {
                    let passes = self.passes(slot, record, values);
                    unit.kills.push(Hit { mutant: self.live[slot], test, probable, passes });
                }
            }
            if !self.all && unit.kills.len() > before {
                let dead: Vec<usize> = unit.kills[before..].iter().filter(|k| !k.passes).map(|k| k.mutant).collect();
                open.retain(|slot| !dead.contains(&self.live[*slot]));
            }
            self.tally(record, place, values, &mut unit.found);
        }
        unit
    }

    /// Where an input stands; binary64 intervals first.
    fn place(&self, record: &TestRecord, values: &[Enclosure]) -> Place {
        let engine = &self.engine;
        let x = &record.input;
        let refused = |c: &NodeId| {
            let c = &values[c.index()];
            c.def.is_false() || c.as_truth().is_false()
        };
        if self.compiled.conditions.iter().any(refused) {
            return Place::Refused;
        }
        let holds = |c: &NodeId| values[c.index()].def.is_true() && values[c.index()].as_truth().is_true();
        let settled = self.compiled.conditions.iter().all(holds);
        let f = &values[self.compiled.f.index()];
        if !engine.domain().contains(x) {
            if f.def.is_false() {
                return Place::Refused;
            }
            let taken = settled && f.def.is_true() || engine.is_taken(x);
            return if taken { Place::Beyond } else { Place::Refused };
        }
        let tolerance = engine.tolerance();
        if settled && f.def.is_true() && attainable(f.x, tolerance, engine.spec().result_format) {
            if surely_hold(engine, record, f) {
                return Place::Inside(None);
            }
        } else if settled && f.def.is_false() {
            return Place::Undefined;
        }
        let mut ladder = Ladder::new(&engine.own().tape, x, engine.cap());
        match all_hold(&mut ladder, &engine.own().conditions) {
            Ternary::True => {}
            Ternary::False => return Place::Refused,
            Ternary::Unknown => return Place::Unsettled,
        }
        match oracle(&mut ladder, engine.own().spec(), engine.spec().result_format) {
            o @ (Oracle::Decided { .. } | Oracle::Capped { .. }) => Place::Inside(Some(o)),
            Oracle::Undefined => Place::Undefined,
            Oracle::Unsatisfiable => Place::Unsatisfiable,
            Oracle::Unsettled => Place::Unsettled,
        }
    }

    /// Whether a test kills a mutant, and if so whether only probably.
    fn cell(&self, slot: usize, record: &TestRecord, place: &Place, values: &[Enclosure]) -> Option<bool> {
        let (engine, mutant) = (&self.engine, self.live[slot]);
        match (place, &engine.kinds()[mutant]) {
            (Place::Inside(_), Kind::Body(_)) => {
                let (f, g) = (&values[self.compiled.f.index()], &values[self.compiled.roots[slot]?.index()]);
                let quick = engine.judge().quick(f, g, engine.tolerance(), engine.tolerance());
                surely(quick.or_else(|| self.exactly(mutant, &record.input))?)
            }
            (Place::Inside(_), Kind::Range { input, range }) => {
                let taken = range.is_some_and(|r| r.contains(record.input[*input]));
                if taken { None } else { surely(engine.judge().without_result()) }
            }
            (Place::Beyond, kind @ Kind::Range { .. }) if engine.judge().tells() => {
                let cell = outside_cell(kind, &record.input, &beyond_ranges(engine, &record.input));
                matches!(cell, MatrixCell::Ko { .. }).then_some(false)
            }
            (Place::Inside(oracle), Kind::Program(program)) => {
                let found = match oracle {
                    Some(oracle) => Some(Expectation::Result(oracle.clone())),
                    None => engine.examine(&record.input).map(|e| e.expectation),
                };
                let Some(Expectation::Result(oracle)) = found else { return None };
                programs::cell(program, &oracle, &record.input, engine.ulps(), |_| None).is_kill().then_some(false)
            }
            (Place::Inside(_), Kind::Accuracy) => {
                let f = values[self.compiled.f.index()].x;
                let most = self.larger[mutant].as_ref()?.bounds(f).1 - engine.tolerance().bounds(f).0;
                // An upper bound of the reach, rounded up.
                (most.next_up() > self.reach && engine.reaches(mutant, &record.input)).then_some(true)
            }
            _ => None,
        }
    }

    /// Whether the value of a mutant with another function, or what one that is a program returns, surely lies where the test
    /// itself takes all for right.
    fn passes(&self, slot: usize, record: &TestRecord, values: &[Enclosure]) -> bool {
        if let (Some(_), Kind::Program(program)) = (record.passes, &self.engine.kinds()[self.live[slot]]) {
            return lets_pass(record, &program.results(&record.input, self.engine.ulps()));
        }
        let (Some((lo, hi)), Some(root)) = (record.passes, self.compiled.roots[slot]) else { return false };
        let g = &values[root.index()];
        g.def.is_true() && lo <= g.x.inf() && g.x.sup() <= hi
    }

    /// The verdict on a mutant with another function, in multiple precision.
    fn exactly(&self, mutant: usize, input: &[f64]) -> Option<InputJudgement> {
        let pair = match self.pairs[mutant].get() {
            Some(pair) => pair,
            None => {
                let made = self.engine.pair(mutant)?;
                self.pairs[mutant].get_or_init(|| made)
            }
        };
        let mut ladder = Ladder::new(&pair.tape, input, self.engine.cap());
        Some(self.engine.judge().of(&compare(&mut ladder, pair.spec(), pair.mutant(), false)))
    }

    fn tally(&self, record: &TestRecord, place: Place, values: &[Enclosure], found: &mut SuiteEvaluation) {
        found.tests += 1;
        let has_claims = claims(record).next().is_some();
        found.claimed += u64::from(has_claims);
        found.tolerant += u64::from(record.passes.is_some());
        let out_of_range = Expectation::OutOfRange(self.engine.spec().out_of_range);
        let owed = match place {
            Place::Inside(oracle) => {
                found.inside += 1;
                debug_assert!(oracle.is_some() || values[self.compiled.f.index()].def.is_true());
                oracle.map(Expectation::Result)
            }
            Place::Refused | Place::Beyond => {
                found.outside += 1;
                Some(out_of_range)
            }
            // Not in the domain, and :pre does not say so: nothing is owed.
            Place::Undefined => {
                found.outside += 1;
                Some(Expectation::OutOfRange(OutOfRange::Any))
            }
            Place::Unsatisfiable => {
                found.unsatisfiable += 1;
                Some(Expectation::Result(Oracle::Unsatisfiable))
            }
            Place::Unsettled => {
                found.unsettled += 1;
                Some(Expectation::Result(Oracle::Unsettled))
            }
        };
        let Some(owed) = owed.filter(|_| has_claims) else { return };
        let (wrong, unsure) = doubts(&self.engine, record, &owed);
        let is_waived = matches!(owed, Expectation::OutOfRange(_)) && !self.engine.spec().out_of_range_stated;
        if is_waived {
            found.waived += wrong.len() as u64;
            return;
        }
        found.wrong += wrong.len() as u64;
        found.loose += wrong.iter().filter(|d| d.is_loose()).count() as u64;
        found.unsure += u64::from(unsure);
        let room = KEPT.saturating_sub(found.doubts.len());
        found.doubts.extend(wrong.into_iter().take(room));
    }
}

/// That a sure kill is one, and not only probable.
fn surely(kill: InputJudgement) -> Option<bool> {
    matches!(kill, InputJudgement::Sure { .. }).then_some(false)
}

fn rows_len(all: bool, records: &[TestRecord]) -> usize {
    if all { records.len() } else { 0 }
}

impl Compiled {
    fn new(engine: &Engine<'_>, live: &[usize]) -> Self {
        let mut roots = vec![engine.root()];
        roots.extend(engine.conditions());
        let body = |m: &usize| if let Kind::Body(g) = engine.kinds()[*m] { Some(g) } else { None };
        roots.extend(live.iter().filter_map(body));
        let (tape, at) = engine.tape().extract(&roots);
        let (own, rest) = at.split_at(1 + engine.conditions().len());
        let mut rest = rest.iter().copied();
        let roots = live.iter().map(|m| body(m).and_then(|_| rest.next())).collect();
        Compiled { tape, f: own[0], conditions: own[1..].to_vec(), roots }
    }
}
