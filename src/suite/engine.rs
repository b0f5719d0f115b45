//! The state of a run: one tape for the specification and all mutants, tests found so far, the kill matrix.

use super::parallel::side_by_side;
use super::programs;
use super::{Cell, Expectation, Judged, Origin, Proof, Status, Test};
use crate::csp::domain::representable;
use crate::csp::verify::{GLANCE, Rules};
use crate::csp::{InputBox, Pair};
use crate::halt;
use crate::mutate::{Change, Lowering, Mutant};
use crate::num::{Interval, Rational, Ternary};
use crate::ops::float::LibmUlps;
use crate::oracle::quick::{QuickTolerance, disjoint};
use crate::oracle::shared::{Common, Shared};
use crate::oracle::{Comparison, Ladder, Oracle, Seen, all_hold, oracle};
use crate::program::Program;
use crate::spec::core::{Classify, Expr, ExprKind};
use crate::spec::{OutOfRange, Spec};
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::lower::lower;
use crate::tape::{Builder, Node, NodeId, Tape, evaluate};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a mutant changes, ready to be evaluated.
pub(super) enum Kind {
    /// Another function: its root on the shared tape.
    Body(NodeId),
    /// Another range of an input: its representable values, if there are any.
    Range { input: usize, range: Option<Interval> },
    /// Another accuracy.
    Accuracy,
    /// A program over floats.
    Program(Arc<Program>),
}

/// How many cells that need multiple precision are worth a thread. One takes from 5 us on.
const ROW: usize = 32;

/// The state of a run.
pub(super) struct Engine<'a> {
    pub(super) spec: &'a Spec,
    pub(super) domain: InputBox,
    pub(super) cap: u32,
    /// Specification and mutants as roots of one tape.
    pub(super) tape: Tape,
    pub(super) root: NodeId,
    /// The specification alone, with itself as mutant.
    pub(super) own: Pair,
    pub(super) judged: Vec<Judged>,
    pub(super) kinds: Vec<Kind>,
    pub(super) tests: Vec<Test>,
    /// A row a test, a cell a mutant.
    pub(super) matrix: Vec<Vec<Cell>>,
    pub(super) tolerance: QuickTolerance,
    /// The largest error of a library function.
    pub(super) ulps: LibmUlps,
    /// Threads that judge a row.
    pub(super) jobs: usize,
    values: Vec<Enclosure>,
    /// The specification's nodes, which most of a mutant's are too.
    common: Common,
    conditions: Vec<NodeId>,
    /// For every mutant the first one that is known to be the same function: often itself.
    same: Vec<usize>,
    /// The time that oracles and their rows have taken. Unit: ns.
    oracle_time: AtomicU64,
}

/// An input with what the specification says of it.
pub(super) struct Examined {
    pub(super) input: Vec<f64>,
    pub(super) expectation: Expectation,
}

impl<'a> Engine<'a> {
    /// Lower the specification and its mutants; those that are the same expression are proved at once.
    ///
    /// # Errors
    /// The name of an input whose range holds no value of its format.
    pub(super) fn new(spec: &'a Spec, mutants: Vec<Mutant>, cap: u32) -> Result<Self, String> {
        Engine::of_some(spec, &mut mutants.into_iter().map(Judged::new), cap, usize::MAX)
    }

    /// The same of mutants of which something may be known, until the tape has more than so many nodes: the others are
    /// left, and at least one is taken.
    ///
    /// # Errors
    /// See [`Engine::new`].
    pub(super) fn of_some(
        spec: &'a Spec,
        mutants: &mut impl Iterator<Item = Judged>,
        cap: u32,
        nodes: usize,
    ) -> Result<Self, String> {
        let domain = InputBox::new(spec)?;
        let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
        let mut builder = Builder::new(names.len());
        let root = lower(&mut builder, &names, &spec.core.body);
        let conditions: Vec<NodeId> = spec.constraints.iter().map(|c| lower(&mut builder, &names, c)).collect();
        let mut lowering = Lowering::new(&names);
        let (mut kinds, mut judged) = (Vec::new(), Vec::new());
        for mut one in mutants {
            let kind = match &one.mutant.change {
                Change::Body(body) => Kind::Body(lowering.body(&mut builder, body)),
                Change::Range { input, range } => {
                    Kind::Range { input: *input, range: representable(range, spec.inputs[*input].format) }
                }
                Change::Accuracy(_) => Kind::Accuracy,
                Change::Evaluation(e) => Kind::Program(e.program.clone()),
            };
            let proof = match &kind {
                Kind::Body(g) if *g == root => Some(Status::Equivalent(Proof::SameExpression)),
                Kind::Range { input, range } if *range == Some(domain.ranges[*input]) => {
                    Some(Status::Equivalent(Proof::SameInputs))
                }
                Kind::Range { .. } if !can_be_told(spec.out_of_range) => {
                    Some(Status::Indistinguishable(Proof::ResponseNotTold))
                }
                _ => None,
            };
            one.status = proof.unwrap_or(one.status);
            kinds.push(kind);
            judged.push(one);
            if builder.tape().len() > nodes || halt::requested() {
                break;
            }
        }
        let mut first = HashMap::new();
        let one = |(i, kind): (usize, &Kind)| match kind {
            Kind::Body(g) => *first.entry(*g).or_insert(i),
            Kind::Range { .. } | Kind::Accuracy | Kind::Program(_) => i,
        };
        let same = kinds.iter().enumerate().map(one).collect();
        let tape = builder.finish();
        let own = Pair::extract(&tape, root, root, &conditions, &spec.accuracy, &spec.accuracy);
        let tolerance = QuickTolerance::new(&spec.accuracy);
        let common = Common::new(&tape, root);
        Ok(Engine {
            spec,
            domain,
            cap,
            tape,
            root,
            own,
            judged,
            kinds,
            tests: Vec::new(),
            matrix: Vec::new(),
            tolerance,
            ulps: spec.libm_ulps,
            jobs: 1,
            values: Vec::new(),
            common,
            conditions,
            same,
            oracle_time: AtomicU64::new(0),
        })
    }

    /// Whether every verdict on a mutant is OK by a proof.
    fn is_proved(&self, mutant: usize) -> bool {
        matches!(self.judged[mutant].status, Status::Indistinguishable(Proof::MeetsAccuracy { .. }))
    }

    /// The mutants of which nothing is known yet, and which are programs.
    pub(super) fn open_programs(&self) -> Vec<usize> {
        (0..self.kinds.len()).filter(|i| self.is_open(*i) && matches!(self.kinds[*i], Kind::Program(_))).collect()
    }

    /// Whether nothing is known of a mutant yet.
    pub(super) fn is_open(&self, mutant: usize) -> bool {
        matches!(self.judged[mutant].status, Status::Undecided(_))
    }

    /// The mutants of which nothing is known yet, and which have another function.
    pub(super) fn open_bodies(&self) -> Vec<usize> {
        (0..self.kinds.len()).filter(|i| self.is_open(*i) && matches!(self.kinds[*i], Kind::Body(_))).collect()
    }

    /// Specification and mutant on a small tape of their own.
    pub(super) fn pair(&self, mutant: usize) -> Option<Pair> {
        let Kind::Body(g) = self.kinds[mutant] else { return None };
        let accuracy = &self.spec.accuracy;
        Some(Pair::extract(&self.tape, self.root, g, &self.conditions, accuracy, accuracy))
    }

    /// What the specification says of an input in the box of its domain; `None` if it can be no test: a condition does
    /// not surely hold, f has no value or that is not settled, the accuracy cannot be met, or which results meet it is
    /// not settled for each at the precision cap.
    pub(super) fn examine(&self, input: &[f64]) -> Option<Examined> {
        self.timed(|| self.examine_up_to(input, self.cap))
    }

    /// The same, but no more than a glance at an input of which it is not soon seen that f has a value there: work that is
    /// bounded, and enough nearly everywhere. `None` too where more bits may decide more.
    pub(super) fn glance(&self, input: &[f64]) -> Option<Examined> {
        let examined = self.timed(|| self.examine_up_to(input, self.cap.min(GLANCE)));
        let is_cut = |e: &Examined| matches!(e.expectation, Expectation::Result(Oracle::Capped { .. }));
        examined.filter(|e| self.cap <= GLANCE || !is_cut(e))
    }

    /// Whether the conditions beyond the box surely hold at an input.
    pub(super) fn inside(&self, input: &[f64]) -> bool {
        self.own.conditions.is_empty()
            || all_hold(&mut Ladder::new(&self.own.tape, input, self.cap.min(GLANCE)), &self.own.conditions).is_true()
    }

    fn examine_up_to(&self, input: &[f64], cap: u32) -> Option<Examined> {
        let mut ladder = Ladder::new(&self.own.tape, input, cap);
        if !all_hold(&mut ladder, &self.own.conditions).is_true() {
            return None;
        }
        let mut owed = oracle(&mut ladder, self.own.spec(), self.spec.result_format);
        if matches!(owed, Oracle::Capped { .. }) && cap < self.cap {
            // It has a value, and only its last bits are not settled: what is written has to be.
            ladder.raise(self.cap);
            owed = oracle(&mut ladder, self.own.spec(), self.spec.result_format);
        }
        let decided = matches!(owed, Oracle::Decided { .. });
        decided.then(|| Examined { input: input.to_vec(), expectation: Expectation::Result(owed) })
    }

    /// Whether an input of the domain's box surely can be no test: the conditions do not hold there, f has no value, or
    /// no value of the result format meets the accuracy.
    pub(super) fn is_no_test(&self, input: &[f64]) -> bool {
        let mut ladder = Ladder::new(&self.own.tape, input, self.cap);
        all_hold(&mut ladder, &self.own.conditions).is_false()
            || matches!(
                oracle(&mut ladder, self.own.spec(), self.spec.result_format),
                Oracle::Undefined | Oracle::Unsatisfiable
            )
    }

    /// The time that oracles and their rows have taken.
    pub(super) fn oracle_time(&self) -> Duration {
        Duration::from_nanos(self.oracle_time.load(Ordering::Relaxed))
    }

    fn timed<T>(&self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.oracle_time.fetch_add(nanos, Ordering::Relaxed);
        result
    }

    /// What decides whether a difference is a kill.
    pub(super) fn rules(&self) -> Rules {
        Rules { cap: self.cap, format: self.spec.result_format, response: self.spec.out_of_range }
    }

    /// Whether the response owed outside the domain can be told from a result.
    pub(super) fn response_told(&self) -> bool {
        can_be_told(self.spec.out_of_range)
    }

    /// Whether a program may tell an input -0 from 0, which is one number to the specification: then no test has a -0.
    pub(super) fn tells_zeros_apart(&self) -> bool {
        fn tells(e: &Expr) -> bool {
            let own = match &e.kind {
                ExprKind::Op(op, _) => op.tells_zeros_apart(),
                ExprKind::Classify(class, _) => *class == Classify::SignBit,
                _ => false,
            };
            own || e.children().into_iter().any(tells)
        }
        self.spec.constraints.iter().chain([&self.spec.core.body]).any(tells)
    }

    /// The verdicts of an input of the domain's box on all mutants.
    pub(super) fn row(&mut self, examined: &Examined) -> Vec<Cell> {
        let all: Vec<usize> = (0..self.kinds.len()).collect();
        self.cells(examined, &all)
    }

    /// The verdicts of an input of the domain's box on some mutants, in their order.
    pub(super) fn cells(&mut self, examined: &Examined, mutants: &[usize]) -> Vec<Cell> {
        let inputs: Vec<Interval> = examined.input.iter().map(|x| Interval::point(*x)).collect();
        let mut values = std::mem::take(&mut self.values);
        let row = self.timed(|| {
            evaluate(&self.tape, &mut Boxes { inputs: &inputs }, &mut values);
            let at = self.shared(&examined.input);
            let known = mutants.iter().map(|i| self.quick_cell(*i, examined, &values));
            let mut row: Vec<Option<Cell>> = known.collect();
            let open: Vec<usize> = (0..row.len()).filter(|k| row[*k].is_none()).collect();
            let judged = side_by_side(self.jobs, ROW, &open, |k| self.exact_cell(mutants[*k], examined, &at));
            for (k, cell) in open.into_iter().zip(judged) {
                row[k] = Some(cell);
            }
            row.into_iter().map(|cell| cell.unwrap_or(Cell::Uncertain)).collect()
        });
        self.values = values;
        row
    }

    /// The specification at an input, to be compared with mutants.
    fn shared(&self, input: &[f64]) -> Shared<'_> {
        Shared::new(&self.tape, &self.common, &self.spec.accuracy, input, self.cap)
    }

    /// The verdict on a mutant, if intervals with binary64 ends decide it.
    fn quick_cell(&self, mutant: usize, at: &Examined, values: &[Enclosure]) -> Option<Cell> {
        let has_value = matches!(at.expectation, Expectation::Result(_));
        match &self.kinds[mutant] {
            Kind::Body(g) if *g == self.root || values.len() > g.index() && self.taken(*g, values) == self.root => {
                Some(Cell::Ok)
            }
            Kind::Body(g) => {
                let (f, g) = (&values[self.root.index()], &values[g.index()]);
                match disjoint(f, g, &self.tolerance, &self.tolerance) {
                    (Ternary::True, margin) if has_value => Some(Cell::Ko { margin }),
                    _ if matches!(self.judged[mutant].status, Status::Equivalent(_)) => Some(Cell::Ok),
                    _ => None,
                }
            }
            Kind::Range { input, range } => {
                let inside = range.is_some_and(|r| r.contains(at.input[*input]));
                Some(match inside || !has_value {
                    true => Cell::Ok,
                    false if self.response_told() => Cell::Ko { margin: f64::INFINITY },
                    // A program that owes nothing there may return what is right.
                    false => Cell::Uncertain,
                })
            }
            // The larger set holds the specification's and more.
            Kind::Accuracy => (!has_value).then_some(Cell::Ok),
            // What a program returns where f has no value is not judged.
            Kind::Program(_) => (!has_value || self.is_proved(mutant)).then_some(Cell::Ok),
        }
    }

    /// The branch that a choice at the root surely takes.
    fn taken(&self, mut g: NodeId, values: &[Enclosure]) -> NodeId {
        while let Node::If(condition, then, otherwise) = self.tape.node(g) {
            match values[condition.index()].as_truth() {
                Ternary::True => g = then,
                Ternary::False => g = otherwise,
                Ternary::Unknown => break,
            }
        }
        g
    }

    /// The verdict on a mutant that is left, in multiple precision.
    fn exact_cell(&self, mutant: usize, examined: &Examined, at: &Shared<'_>) -> Cell {
        match &self.kinds[mutant] {
            Kind::Body(g) => self.compared(*g, at),
            Kind::Range { .. } => Cell::Uncertain,
            Kind::Accuracy => {
                let reaches = matches!(examined.expectation, Expectation::Result(_)) && self.reaches_at(at, mutant);
                if reaches { Cell::Probable } else { Cell::Uncertain }
            }
            Kind::Program(program) => match &examined.expectation {
                Expectation::Result(oracle) => programs::cell(program, oracle, &examined.input, self.ulps),
                Expectation::OutOfRange(_) => Cell::Ok,
            },
        }
    }

    /// The verdict on another function, in multiple precision, at an input where f has a value.
    fn compared(&self, g: NodeId, at: &Shared<'_>) -> Cell {
        match at.compare(g, &self.spec.accuracy, self.cap) {
            Comparison::Disjoint { margin } => Cell::Ko { margin },
            Comparison::MutantUndefined if self.response_told() => Cell::Ko { margin: f64::INFINITY },
            Comparison::Inside => Cell::Ok,
            // A program that owes nothing there may return what is right.
            Comparison::MutantUndefined | Comparison::SpecUndefined | Comparison::NotKilled | Comparison::Unsettled => {
                Cell::Uncertain
            }
        }
    }

    /// Whether the part of a larger valid set that is surely invalid reaches further than 1000 r on one side (the
    /// paper's probable kill; r is the relative bound, or the absolute one where there is none).
    pub(super) fn reaches(&self, mutant: usize, input: &[f64]) -> bool {
        self.reaches_at(&self.shared(input), mutant)
    }

    fn reaches_at(&self, at: &Shared<'_>, mutant: usize) -> bool {
        let Change::Accuracy(larger) = &self.judged[mutant].mutant.change else { return false };
        let reach = super::accuracy::reach(&self.spec.accuracy);
        for level in 1..at.levels() {
            let (Seen::Value(small), Seen::Value(large)) = (at.see(level), &at.see_with(larger, level)) else {
                continue;
            };
            let (small, large) = (&small.tolerance, &large.tolerance);
            if Rational::from(&large.lo - &small.hi) > reach {
                return true;
            }
            if Rational::from(&large.hi - &small.lo) <= reach {
                return false;
            }
        }
        false
    }

    /// The conditions of the domain beyond its box.
    pub(super) fn conditions(&self) -> &[NodeId] {
        &self.conditions
    }

    /// Note that a mutant is the same function as an earlier one.
    pub(super) fn is_the_same(&mut self, mutant: usize, known: usize) {
        let (of, as_this) = (self.same[mutant], self.same[known]);
        self.same.iter_mut().filter(|s| **s == of).for_each(|s| *s = as_this);
    }

    /// The mutant whose search is this one's too.
    pub(super) fn searched_as(&self, mutant: usize) -> usize {
        // The other may have been settled by itself: a cell of it that was decided, and is not for this one.
        let first = self.same[mutant];
        if self.is_open(first) { first } else { mutant }
    }

    /// Tell of every mutant which earlier one is the same function.
    pub(super) fn name_the_same(&mut self) {
        for (mutant, &first) in self.same.iter().enumerate().filter(|(i, first)| **first != *i) {
            self.judged[mutant].same_as = Some(self.judged[first].mutant.id.clone());
        }
    }

    /// Give a mutant its status, and the same to the open ones that are the same function.
    pub(super) fn settle(&mut self, mutant: usize, status: Status) {
        let (id, stats) = (self.judged[mutant].mutant.id.clone(), self.judged[mutant].stats);
        let same_as = |proof: &Proof| Proof::SameAs { id: id.clone(), proof: Box::new(proof.clone()) };
        let other = match &status {
            Status::Equivalent(proof) => Status::Equivalent(same_as(proof)),
            Status::Indistinguishable(proof) => Status::Indistinguishable(same_as(proof)),
            status => status.clone(),
        };
        for i in 0..self.kinds.len() {
            if i != mutant && self.is_open(i) && self.same[i] == self.same[mutant] {
                self.judged[i].status = other.clone();
                self.judged[i].stats = stats;
            }
        }
        self.judged[mutant].status = status;
    }

    /// Add a test with its row; open mutants that it kills are killed.
    pub(super) fn add(&mut self, examined: Examined, row: Vec<Cell>, origin: Origin, target: usize) {
        let mutant = &self.judged[target].mutant;
        let reason = format!("kills {}: {} -> {}", mutant.id, mutant.before, mutant.after);
        self.push(examined, row, (origin, Some(target), reason));
    }

    /// The same for a reason of its own.
    pub(super) fn add_for(&mut self, examined: Examined, row: Vec<Cell>, origin: Origin, target: usize, reason: &str) {
        let reason = format!("{reason}; kills {}", self.judged[target].mutant.id);
        self.push(examined, row, (origin, Some(target), reason));
    }

    /// Add a test that a reviewer expects, whatever it kills.
    pub(super) fn add_boundary(&mut self, examined: Examined, row: Vec<Cell>, reason: String) {
        let is_same =
            |t: &&mut Test| t.input.iter().map(|x| x.to_bits()).eq(examined.input.iter().map(|x| x.to_bits()));
        if let Some(known) = self.tests.iter_mut().find(is_same) {
            known.origin = Origin::Boundary;
            known.reason = format!("{}; {reason}", known.reason);
            return;
        }
        self.push(examined, row, (Origin::Boundary, None, reason));
    }

    fn push(&mut self, examined: Examined, row: Vec<Cell>, (origin, target, reason): (Origin, Option<usize>, String)) {
        let id = format!("t{:03}", self.tests.len() + 1);
        let Examined { mut input, expectation } = examined;
        if self.tells_zeros_apart() {
            input.iter_mut().for_each(|x| *x += 0.0);
        }
        self.push_test(Test { id, input, expectation, origin, target, reason }, row);
    }

    /// Add a test as it is, with its row.
    pub(super) fn push_test(&mut self, test: Test, row: Vec<Cell>) {
        for (judged, cell) in self.judged.iter_mut().zip(&row) {
            match (cell, &judged.status) {
                (Cell::Ko { .. }, Status::Undecided(_)) => judged.status = Status::Killed,
                (Cell::Probable, Status::Undecided(_)) => judged.status = Status::Probable,
                _ => {}
            }
        }
        self.tests.push(test);
        self.matrix.push(row);
    }

    /// Add an input of the domain's box as a test if it kills `target`.
    pub(super) fn try_input(&mut self, input: &[f64], origin: Origin, target: usize) -> bool {
        let Some(examined) = self.examine(input) else { return false };
        if !matches!(self.kinds[target], Kind::Body(_)) && !self.kills(&examined, target) {
            return false;
        }
        let row = self.row(&examined);
        // A row that was not finished is none.
        let kills = row[target].is_kill() && !halt::requested();
        if kills {
            self.add(examined, row, origin, target);
        }
        kills
    }

    /// Whether an input kills a mutant that has the specification's function, found out without a row.
    fn kills(&self, examined: &Examined, target: usize) -> bool {
        self.timed(|| {
            let quick = self.quick_cell(target, examined, &[]);
            quick.unwrap_or_else(|| self.exact_cell(target, examined, &self.shared(&examined.input))).is_kill()
        })
    }
}

/// Whether the response owed outside the domain can be told from a result.
pub(super) fn can_be_told(response: OutOfRange) -> bool {
    matches!(response, OutOfRange::Reject | OutOfRange::Nan)
}

/// The node of a mutant with another function.
pub(super) fn root_of(engine: &Engine<'_>, mutant: usize) -> Option<NodeId> {
    if let Kind::Body(g) = engine.kinds[mutant] { Some(g) } else { None }
}
