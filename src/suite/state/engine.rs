//! The state of a run: what does not change, what is known of each mutant, and the tests with their verdicts.

mod verdicts;

pub(in crate::suite) use self::verdicts::OpenRow;
use crate::halt;
use crate::mutate::Mutant;
use crate::solve::Stats;
use crate::spec::EmptyRange;
pub(in crate::suite) use crate::suite::state::ground::{Examined, Ground, Kind, Look};
use crate::suite::state::matrix::{LeftCells, Matrix};
use crate::suite::state::statuses::Statuses;
use crate::suite::{EquivalenceProof, Judged, MatrixCell, NearestMiss, Origin, Status, Test};
use crate::tape::NeededValues;
use crate::tape::eval::Enclosure;
use crate::threads::{Room, Threads};
use std::ops::Deref;

/// The state of a run.
pub(in crate::suite) struct Engine<'a> {
    ground: Ground<'a>,
    statuses: Statuses,
    matrix: Matrix,
    /// Threads that judge rows.
    threads: Threads,
    /// For the values of the tape's nodes at an input.
    room: Room<NeededValues<Enclosure>>,
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
    pub(in crate::suite) fn new(
        spec: &'a crate::spec::Spec,
        mutants: Vec<Mutant>,
        cap: u32,
    ) -> Result<Self, EmptyRange> {
        Engine::of_some(spec, &mut mutants.into_iter().map(Judged::new), (cap, Threads::new(1)), usize::MAX)
    }

    /// The same of mutants of which something may be known, until the tape has more than so many nodes: the others are
    /// left, and at least one is taken. With a cap of the precision, and threads that judge a row.
    ///
    /// # Errors
    /// See [`Engine::new`].
    pub(in crate::suite) fn of_some(
        spec: &'a crate::spec::Spec,
        mutants: &mut impl Iterator<Item = Judged>,
        (cap, threads): (u32, Threads),
        nodes: usize,
    ) -> Result<Self, EmptyRange> {
        let (ground, judged) = Ground::new(spec, mutants, cap, nodes)?;
        let statuses = Statuses::new(judged, ground.kinds());
        Ok(Engine { ground, statuses, matrix: Matrix::default(), threads, room: Room::default() })
    }

    /// The same with tests that are known, their rows, and what is left of these.
    pub(in crate::suite) fn with_matrix(
        self,
        tests: Vec<Test>,
        rows: Vec<Vec<MatrixCell>>,
        left: Vec<LeftCells>,
    ) -> Self {
        Engine { matrix: Matrix::new(tests, rows, left), ..self }
    }

    /// The mutants, the tests, the verdicts, and what is left of these.
    pub(in crate::suite) fn into_parts(self) -> (Vec<Judged>, Vec<Test>, Vec<Vec<MatrixCell>>, Vec<LeftCells>) {
        let (tests, rows, left) = self.matrix.into_parts();
        (self.statuses.into_all(), tests, rows, left)
    }

    /// The mutants with what is known of each.
    pub(in crate::suite) fn judged(&self) -> &[Judged] {
        self.statuses.all()
    }

    pub(in crate::suite) fn tests(&self) -> &[Test] {
        self.matrix.tests()
    }

    /// The kill matrix: a row a test, a cell a mutant.
    pub(in crate::suite) fn rows(&self) -> &[Vec<MatrixCell>] {
        self.matrix.rows()
    }

    /// Threads for whatever can be done side by side.
    pub(in crate::suite) fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Whether every verdict on a mutant is OK by a proof.
    fn is_proved(&self, mutant: usize) -> bool {
        matches!(self.judged()[mutant].status, Status::Indistinguishable(EquivalenceProof::MeetsAccuracy { .. }))
    }

    /// Whether nothing is known of a mutant yet.
    pub(in crate::suite) fn is_open(&self, mutant: usize) -> bool {
        self.statuses.is_open(mutant)
    }

    /// The mutants of which nothing is known yet, and which change something of a kind.
    pub(in crate::suite) fn open(&self, is_of: impl Fn(&Kind) -> bool) -> Vec<usize> {
        let kinds = self.kinds().iter().enumerate();
        kinds.filter(|(i, kind)| self.is_open(*i) && is_of(kind)).map(|(i, _)| i).collect()
    }

    /// The mutants of which nothing is known yet, and which are programs.
    pub(in crate::suite) fn open_programs(&self) -> Vec<usize> {
        self.open(|kind| matches!(kind, Kind::Program(_)))
    }

    /// The mutants of which nothing is known yet, and which have another function.
    pub(in crate::suite) fn open_bodies(&self) -> Vec<usize> {
        self.open(|kind| matches!(kind, Kind::Body(_)))
    }

    /// Give one mutant its status.
    pub(in crate::suite) fn set(&mut self, mutant: usize, status: Status) {
        self.statuses.set(mutant, status);
    }

    /// Give a mutant its status, and the same to the open ones that are the same function.
    pub(in crate::suite) fn settle(&mut self, mutant: usize, status: Status) {
        self.statuses.settle(mutant, status);
    }

    /// Note what the search for a mutant has cost so far. Returns what it had before.
    pub(in crate::suite) fn set_stats(&mut self, mutant: usize, stats: Stats) -> Stats {
        self.statuses.set_stats(mutant, stats)
    }

    /// Note how near a mutant came.
    pub(in crate::suite) fn set_near_miss(&mut self, mutant: usize, miss: Option<NearestMiss>) {
        self.statuses.set_near_miss(mutant, miss);
    }

    /// Note that a mutant is the same function as an earlier one.
    pub(in crate::suite) fn is_the_same(&mut self, mutant: usize, known: usize) {
        self.statuses.is_the_same(mutant, known);
    }

    /// The mutant whose search is this one's too.
    pub(in crate::suite) fn searched_as(&self, mutant: usize) -> usize {
        self.statuses.searched_as(mutant)
    }

    /// Tell of every mutant which earlier one is the same function.
    pub(in crate::suite) fn name_the_same(&mut self) {
        self.statuses.name_the_same();
    }

    /// Add a test with its row; open mutants that it kills are killed.
    pub(in crate::suite) fn add(&mut self, examined: Examined, row: impl Into<OpenRow>, origin: Origin, target: usize) {
        let row = row.into();
        let mutant = &self.judged()[target].mutant;
        let reason = format!("{} {}: {} -> {}", kills(row.cells[target]), mutant.id, mutant.before, mutant.after);
        self.push(examined, row, (origin, Some(target), reason));
    }

    /// The same for a reason of its own.
    pub(in crate::suite) fn add_for(
        &mut self,
        examined: Examined,
        row: impl Into<OpenRow>,
        origin: Origin,
        target: usize,
        reason: &str,
    ) {
        let row = row.into();
        let reason = format!("{reason}; {} {}", kills(row.cells[target]), self.judged()[target].mutant.id);
        self.push(examined, row, (origin, Some(target), reason));
    }

    /// Add a test that a reviewer expects, whatever it kills.
    pub(in crate::suite) fn add_boundary(&mut self, examined: Examined, row: Vec<MatrixCell>, reason: String) {
        self.add_expected(examined, row, Origin::Boundary, reason);
    }

    /// Add a test that is wanted for what it is, whatever it kills.
    pub(in crate::suite) fn add_expected(
        &mut self,
        examined: Examined,
        row: Vec<MatrixCell>,
        origin: Origin,
        reason: String,
    ) {
        if !self.matrix.expect(&examined.input, origin, &reason) {
            self.push(examined, row.into(), (origin, None, reason));
        }
    }

    fn push(&mut self, examined: Examined, row: OpenRow, (origin, target, reason): (Origin, Option<usize>, String)) {
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
    pub(in crate::suite) fn test_of(
        &self,
        examined: Examined,
        mutant: &Mutant,
        (count, target): (usize, usize),
    ) -> Test {
        let reason = format!("kills {}: {} -> {}", mutant.id, mutant.before, mutant.after);
        self.test(examined, count, (Origin::Probe, Some(target), reason))
    }

    /// Add a test as it is, with its row.
    pub(in crate::suite) fn push_test(&mut self, test: Test, row: impl Into<OpenRow>) {
        let OpenRow { cells, left } = row.into();
        self.statuses.take_in(&cells);
        self.matrix.leave(LeftCells { test: self.tests().len(), mutants: left });
        self.matrix.push(test, cells);
    }

    /// Add an input of the domain's box as a test if it kills `target`.
    pub(in crate::suite) fn try_input(&mut self, input: &[f64], origin: Origin, target: usize) -> bool {
        let Some(examined) = self.examine(input) else { return false };
        if !matches!(self.kinds()[target], Kind::Body(_)) && !self.kills(&examined, target) {
            return false;
        }
        let row = self.open_row(&examined);
        // A row that was not finished is none.
        let kills = row.cells[target].is_kill() && !halt::requested();
        if kills {
            self.add(examined, row, origin, target);
        }
        kills
    }

    /// Whether an input kills a mutant that has the specification's function, found out without a row.
    fn kills(&self, examined: &Examined, target: usize) -> bool {
        self.timed(|| {
            let at = self.shared(&examined.input);
            let quick = self.quick_cell(target, examined, None, &at);
            quick.unwrap_or_else(|| self.exact_cell(target, examined, &at)).is_kill()
        })
    }
}
