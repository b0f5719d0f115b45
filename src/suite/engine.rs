//! The state of a run: what does not change, what is known of each mutant, and the tests with their verdicts.

pub(super) use super::ground::{Examined, Ground, Kind, Look};
use super::matrix::Matrix;
use super::programs;
use super::statuses::Statuses;
use super::{EquivalenceProof, Expectation, Judged, MatrixCell, NearestMiss, Origin, Status, Test};
use crate::csp::judge::InputJudgement;
use crate::halt;
use crate::mutate::{Change, Mutant};
use crate::num::{Interval, Rational, Ternary};
use crate::oracle::LadderSeen;
use crate::oracle::shared::Shared;
use crate::solve::Stats;
use crate::spec::EmptyRange;
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::{NodeId, TapeNode, evaluate};
use crate::threads::{Room, Threads};
use std::ops::Deref;

/// How many cells that need multiple precision are worth a thread. One takes from 5 us on.
const ROW: usize = 8;
/// How many cells of rows there may be before these are taken in.
const CELLS: usize = 1 << 21;

/// The state of a run.
pub(super) struct Engine<'a> {
    ground: Ground<'a>,
    statuses: Statuses,
    matrix: Matrix,
    /// Threads that judge rows.
    threads: Threads,
    /// For the values of the tape's nodes at an input.
    room: Room<Enclosure>,
}

/// What does not change can be read as if it were the engine's own.
impl<'a> Deref for Engine<'a> {
    type Target = Ground<'a>;

    fn deref(&self) -> &Ground<'a> {
        &self.ground
    }
}

/// What is said of a test and a mutant that it takes out.
fn kills(cell: MatrixCell) -> &'static str {
    if cell == MatrixCell::Probable { "probably kills" } else { "kills" }
}

impl<'a> Engine<'a> {
    /// Lower the specification and its mutants; those that are the same expression are proved at once.
    ///
    /// # Errors
    /// An input whose range holds no value of its format.
    pub(super) fn new(spec: &'a crate::spec::Spec, mutants: Vec<Mutant>, cap: u32) -> Result<Self, EmptyRange> {
        Engine::of_some(spec, &mut mutants.into_iter().map(Judged::new), (cap, Threads::new(1)), usize::MAX)
    }

    /// The same of mutants of which something may be known, until the tape has more than so many nodes: the others are
    /// left, and at least one is taken. With a cap of the precision, and threads that judge a row.
    ///
    /// # Errors
    /// See [`Engine::new`].
    pub(super) fn of_some(
        spec: &'a crate::spec::Spec,
        mutants: &mut impl Iterator<Item = Judged>,
        (cap, threads): (u32, Threads),
        nodes: usize,
    ) -> Result<Self, EmptyRange> {
        let (ground, judged) = Ground::new(spec, mutants, cap, nodes)?;
        let statuses = Statuses::new(judged, ground.kinds());
        Ok(Engine { ground, statuses, matrix: Matrix::default(), threads, room: Room::default() })
    }

    /// The same with tests that are known, and their rows.
    pub(super) fn with_matrix(self, tests: Vec<Test>, rows: Vec<Vec<MatrixCell>>) -> Self {
        Engine { matrix: Matrix::new(tests, rows), ..self }
    }

    /// The mutants, the tests, and the verdicts.
    pub(super) fn into_parts(self) -> (Vec<Judged>, Vec<Test>, Vec<Vec<MatrixCell>>) {
        let (tests, rows) = self.matrix.into_parts();
        (self.statuses.into_all(), tests, rows)
    }

    /// The mutants with what is known of each.
    pub(super) fn judged(&self) -> &[Judged] {
        self.statuses.all()
    }

    pub(super) fn tests(&self) -> &[Test] {
        self.matrix.tests()
    }

    /// The kill matrix: a row a test, a cell a mutant.
    pub(super) fn rows(&self) -> &[Vec<MatrixCell>] {
        self.matrix.rows()
    }

    /// Threads for whatever can be done side by side.
    pub(super) fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Whether every verdict on a mutant is OK by a proof.
    fn is_proved(&self, mutant: usize) -> bool {
        matches!(self.judged()[mutant].status, Status::Indistinguishable(EquivalenceProof::MeetsAccuracy { .. }))
    }

    /// Whether nothing is known of a mutant yet.
    pub(super) fn is_open(&self, mutant: usize) -> bool {
        self.statuses.is_open(mutant)
    }

    /// The mutants of which nothing is known yet, and which change something of a kind.
    pub(super) fn open(&self, is_of: impl Fn(&Kind) -> bool) -> Vec<usize> {
        let kinds = self.kinds().iter().enumerate();
        kinds.filter(|(i, kind)| self.is_open(*i) && is_of(kind)).map(|(i, _)| i).collect()
    }

    /// The mutants of which nothing is known yet, and which are programs.
    pub(super) fn open_programs(&self) -> Vec<usize> {
        self.open(|kind| matches!(kind, Kind::Program(_)))
    }

    /// The mutants of which nothing is known yet, and which have another function.
    pub(super) fn open_bodies(&self) -> Vec<usize> {
        self.open(|kind| matches!(kind, Kind::Body(_)))
    }

    /// Give one mutant its status.
    pub(super) fn set(&mut self, mutant: usize, status: Status) {
        self.statuses.set(mutant, status);
    }

    /// Give a mutant its status, and the same to the open ones that are the same function.
    pub(super) fn settle(&mut self, mutant: usize, status: Status) {
        self.statuses.settle(mutant, status);
    }

    /// Note what the search for a mutant has cost so far. Returns what it had before.
    pub(super) fn set_stats(&mut self, mutant: usize, stats: Stats) -> Stats {
        self.statuses.set_stats(mutant, stats)
    }

    /// Note how near a mutant came.
    pub(super) fn set_near_miss(&mut self, mutant: usize, miss: Option<NearestMiss>) {
        self.statuses.set_near_miss(mutant, miss);
    }

    /// Note that a mutant is the same function as an earlier one.
    pub(super) fn is_the_same(&mut self, mutant: usize, known: usize) {
        self.statuses.is_the_same(mutant, known);
    }

    /// The mutant whose search is this one's too.
    pub(super) fn searched_as(&self, mutant: usize) -> usize {
        self.statuses.searched_as(mutant)
    }

    /// Tell of every mutant which earlier one is the same function.
    pub(super) fn name_the_same(&mut self) {
        self.statuses.name_the_same();
    }

    /// The verdicts of an input of the domain's box on all mutants.
    pub(super) fn row(&self, examined: &Examined) -> Vec<MatrixCell> {
        let all: Vec<usize> = (0..self.kinds().len()).collect();
        self.cells(examined, &all)
    }

    /// The verdicts of an input of the domain's box on some mutants, in their order.
    pub(super) fn cells(&self, examined: &Examined, mutants: &[usize]) -> Vec<MatrixCell> {
        self.timed(|| self.judge_cells(examined, mutants))
    }

    /// How many inputs are worth to be given to [`Engine::examined_rows`] at once.
    pub(super) fn rows_at_once(&self) -> usize {
        (CELLS / self.kinds().len().max(1)).max(self.threads.most())
    }

    /// Inputs of the domain's box with their verdicts on all mutants, side by side; none where there can be no test, or where
    /// that was not finished when the work was to end early.
    pub(super) fn examined_rows(&self, inputs: &[&[f64]], look: Look) -> Vec<Option<(Examined, Vec<MatrixCell>)>> {
        let all: Vec<usize> = (0..self.kinds().len()).collect();
        let one = |input: &&[f64]| {
            let examined = self.look(input, look)?;
            let row = self.judge_cells(&examined, &all);
            (!halt::requested()).then_some((examined, row))
        };
        self.timed(|| self.threads.side_by_side(1, inputs, one))
    }

    /// Hand on each of some items with its input of the domain's box and the verdicts there, in their order, where there can
    /// be a test.
    pub(super) fn each_row<T>(
        &mut self,
        items: &[T],
        input: impl Fn(&T) -> &[f64],
        mut take: impl FnMut(&mut Self, &T, Examined, Vec<MatrixCell>),
    ) {
        for some in items.chunks(self.rows_at_once()).take_while(|_| !halt::requested()) {
            let inputs: Vec<&[f64]> = some.iter().map(&input).collect();
            for (item, row) in some.iter().zip(self.examined_rows(&inputs, Look::Whole)) {
                if let Some((examined, row)) = row {
                    take(self, item, examined, row);
                }
            }
        }
    }

    fn judge_cells(&self, examined: &Examined, mutants: &[usize]) -> Vec<MatrixCell> {
        let inputs: Vec<Interval> = examined.input.iter().map(|x| Interval::point(*x)).collect();
        let at = self.shared(&examined.input);
        let mut row: Vec<Option<MatrixCell>> = self.room.with(|values| {
            evaluate(self.tape(), &mut Boxes { inputs: &inputs }, values);
            mutants.iter().map(|i| self.quick_cell(*i, examined, (values, &at))).collect()
        });
        let open: Vec<usize> = (0..row.len()).filter(|k| row[*k].is_none()).collect();
        let judged = self.threads.side_by_side(ROW, &open, |k| self.exact_cell(mutants[*k], examined, &at));
        for (k, cell) in open.into_iter().zip(judged) {
            row[k] = Some(cell);
        }
        row.into_iter().map(|cell| cell.unwrap_or(MatrixCell::Uncertain)).collect()
    }

    /// The verdict on a mutant, if intervals with binary64 ends decide it.
    fn quick_cell(
        &self,
        mutant: usize,
        examined: &Examined,
        (values, at): (&[Enclosure], &Shared<'_>),
    ) -> Option<MatrixCell> {
        let has_value = examined.asks_result();
        match &self.kinds()[mutant] {
            Kind::Body(g) if *g == self.root() || values.len() > g.index() && self.taken(*g, values) == self.root() => {
                Some(MatrixCell::Ok)
            }
            Kind::Body(g) => {
                let (f, g) = (&values[self.root().index()], &values[g.index()]);
                match self.judge().quick(f, g, self.tolerance(), self.tolerance()) {
                    Some(kill @ InputJudgement::Sure { .. }) if has_value => Some(kill.into()),
                    _ if matches!(self.judged()[mutant].status, Status::Equivalent(_)) => Some(MatrixCell::Ok),
                    Some(InputJudgement::No) if f.def.is_true() && g.def.is_true() => self.inside(f.x, g.x, at),
                    _ => None,
                }
            }
            Kind::Range { input, range } => {
                let inside = range.is_some_and(|r| r.contains(examined.input[*input]));
                Some(if inside || !has_value { MatrixCell::Ok } else { self.judge().without_result().into() })
            }
            // The larger set holds the specification's and more.
            Kind::Accuracy => (!has_value).then_some(MatrixCell::Ok),
            // What a program returns where f has no value is not judged.
            Kind::Program(_) => (!has_value || self.is_proved(mutant)).then_some(MatrixCell::Ok),
        }
    }

    /// The verdict on a mutant whose valid set surely meets the specification's, if intervals with binary64 ends decide it.
    fn inside(&self, f: Interval, g: Interval, at: &Shared<'_>) -> Option<MatrixCell> {
        match self.tolerance().inside(g, f) {
            Ternary::True => Some(MatrixCell::Ok),
            Ternary::False => Some(MatrixCell::Uncertain),
            // Multiple precision would not show it either.
            Ternary::Unknown => (self.tolerance().grows_slowly() && at.is_rounded()).then_some(MatrixCell::Uncertain),
        }
    }

    /// The branch that a choice at the root surely takes.
    fn taken(&self, mut g: NodeId, values: &[Enclosure]) -> NodeId {
        while let TapeNode::If(condition, then, otherwise) = self.tape().node(g) {
            match values[condition.index()].as_truth() {
                Ternary::True => g = then,
                Ternary::False => g = otherwise,
                Ternary::Unknown => break,
            }
        }
        g
    }

    /// The verdict on a mutant that is left, in multiple precision.
    fn exact_cell(&self, mutant: usize, examined: &Examined, at: &Shared<'_>) -> MatrixCell {
        match (&self.kinds()[mutant], &examined.expectation) {
            (Kind::Body(g), _) => self.judge().of(&at.compare(*g, &self.spec().accuracy, self.cap())).into(),
            (Kind::Range { .. }, _) => MatrixCell::Uncertain,
            (Kind::Accuracy, Expectation::Result(_)) if self.reaches_at(at, mutant) => MatrixCell::Probable,
            (Kind::Accuracy, _) => MatrixCell::Uncertain,
            (Kind::Program(program), Expectation::Result(oracle)) => {
                let error = |y| self.error_of(at, y);
                programs::cell(program, oracle, &examined.input, self.ulps(), error)
            }
            (Kind::Program(_), Expectation::OutOfRange(_)) => MatrixCell::Ok,
        }
    }

    /// How far a result is from f, in units of the tolerance, if f is known to a small part of it.
    fn error_of(&self, at: &Shared<'_>, y: f64) -> Option<f64> {
        let format = self.spec().result_format;
        at.first(|at, level| match at.see(level) {
            LadderSeen::Value(set) => {
                let unknown = Rational::from(&set.value.hi - &set.value.lo) << 20;
                (unknown <= set.tolerance.lo).then(|| set.error(y, format).0)
            }
            _ => None,
        })
    }

    /// Whether the part of a larger valid set that is surely invalid reaches further than 1000 r on one side (the
    /// paper's probable kill; r is the relative bound, or the absolute one where there is none).
    pub(super) fn reaches(&self, mutant: usize, input: &[f64]) -> bool {
        self.reaches_at(&self.shared(input), mutant)
    }

    fn reaches_at(&self, at: &Shared<'_>, mutant: usize) -> bool {
        let Change::Accuracy(larger) = &self.judged()[mutant].mutant.change else { return false };
        let reaches = at.first(|at, level| {
            let (LadderSeen::Value(small), LadderSeen::Value(large)) = (at.see(level), &at.see_with(larger, level))
            else {
                return None;
            };
            let (small, large) = (&small.tolerance, &large.tolerance);
            let least = Rational::from(&large.lo - &small.hi) > *self.reach();
            let most = Rational::from(&large.hi - &small.lo) <= *self.reach();
            (least || most).then_some(least)
        });
        reaches.unwrap_or(false)
    }

    /// Add a test with its row; open mutants that it kills are killed.
    pub(super) fn add(&mut self, examined: Examined, row: Vec<MatrixCell>, origin: Origin, target: usize) {
        let mutant = &self.judged()[target].mutant;
        let reason = format!("{} {}: {} -> {}", kills(row[target]), mutant.id, mutant.before, mutant.after);
        self.push(examined, row, (origin, Some(target), reason));
    }

    /// The same for a reason of its own.
    pub(super) fn add_for(
        &mut self,
        examined: Examined,
        row: Vec<MatrixCell>,
        origin: Origin,
        target: usize,
        reason: &str,
    ) {
        let reason = format!("{reason}; {} {}", kills(row[target]), self.judged()[target].mutant.id);
        self.push(examined, row, (origin, Some(target), reason));
    }

    /// Add a test that a reviewer expects, whatever it kills.
    pub(super) fn add_boundary(&mut self, examined: Examined, row: Vec<MatrixCell>, reason: String) {
        self.add_expected(examined, row, Origin::Boundary, reason);
    }

    /// Add a test that is wanted for what it is, whatever it kills.
    pub(super) fn add_expected(&mut self, examined: Examined, row: Vec<MatrixCell>, origin: Origin, reason: String) {
        if !self.matrix.expect(&examined.input, origin, &reason) {
            self.push(examined, row, (origin, None, reason));
        }
    }

    fn push(
        &mut self,
        examined: Examined,
        row: Vec<MatrixCell>,
        (origin, target, reason): (Origin, Option<usize>, String),
    ) {
        let test = self.test(examined, self.tests().len(), (origin, target, reason));
        self.push_test(test, row);
    }

    /// A test after so many others.
    fn test(&self, at: Examined, count: usize, (origin, target, reason): (Origin, Option<usize>, String)) -> Test {
        let id = format!("t{:03}", count + 1);
        let Examined { mut input, expectation } = at;
        if self.tells_zeros_apart() {
            input.iter_mut().for_each(|x| *x += 0.0);
        }
        Test { id, input, expectation, origin, target, reason }
    }

    /// The test at an input that kills a mutant which is not the engine's: `count` others are before it, and `target` is the
    /// mutant's place among those of the run.
    pub(super) fn test_of(&self, examined: Examined, mutant: &Mutant, (count, target): (usize, usize)) -> Test {
        let reason = format!("kills {}: {} -> {}", mutant.id, mutant.before, mutant.after);
        self.test(examined, count, (Origin::Probe, Some(target), reason))
    }

    /// Add a test as it is, with its row.
    pub(super) fn push_test(&mut self, test: Test, row: Vec<MatrixCell>) {
        self.statuses.take_in(&row);
        self.matrix.push(test, row);
    }

    /// Add an input of the domain's box as a test if it kills `target`.
    pub(super) fn try_input(&mut self, input: &[f64], origin: Origin, target: usize) -> bool {
        let Some(examined) = self.examine(input) else { return false };
        if !matches!(self.kinds()[target], Kind::Body(_)) && !self.kills(&examined, target) {
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
            let at = self.shared(&examined.input);
            let quick = self.quick_cell(target, examined, (&[], &at));
            quick.unwrap_or_else(|| self.exact_cell(target, examined, &at)).is_kill()
        })
    }
}
