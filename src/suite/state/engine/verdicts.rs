//! The verdicts of an input on mutants: by intervals with binary64 ends where these decide it, else in multiple precision.

use super::Engine;
use crate::csp::judge::InputJudgement;
use crate::halt;
use crate::mutate::Change;
use crate::num::{Interval, Rational, Ternary};
use crate::ops::Op;
use crate::oracle::LadderSeen;
use crate::oracle::shared::Shared;
use crate::suite::state::ground::{Examined, Kind, Look};
use crate::suite::state::programs;
use crate::suite::{Expectation, MatrixCell, Status, Test};
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::{NeededValues, NodeId, Settled, TapeNode, is_lost};

/// How many cells that need multiple precision are worth a thread. One takes from 5 us on.
const ROW: usize = 8;
/// How many cells of rows there may be before these are taken in.
const CELLS: usize = 1 << 21;

/// What intervals with binary64 ends settle.
struct Values<'v>(&'v NeededValues<Enclosure>);

impl Settled for Values<'_> {
    fn has_value(&self, node: NodeId) -> bool {
        self.0.value(node).def.is_true()
    }
    fn truth(&self, condition: NodeId) -> Ternary {
        if self.has_value(condition) { self.0.value(condition).as_truth() } else { Ternary::Unknown }
    }
    fn is_total(&self, node: NodeId, _: Op) -> bool {
        self.0.value(node).own.is_true()
    }
    fn follows_loops(&self) -> bool {
        false
    }
}

/// A row of which some verdicts are left for later.
pub(in crate::suite) struct OpenRow {
    /// A verdict a mutant; UNCERTAIN for those that are left.
    pub(in crate::suite) cells: Vec<MatrixCell>,
    /// The mutants whose verdicts are left.
    pub(in crate::suite) left: Vec<usize>,
}

/// All verdicts are there.
impl From<Vec<MatrixCell>> for OpenRow {
    fn from(cells: Vec<MatrixCell>) -> Self {
        OpenRow { cells, left: Vec::new() }
    }
}

impl Engine<'_> {
    /// The verdicts of an input of the domain's box on all mutants.
    pub(in crate::suite) fn row(&self, examined: &Examined) -> Vec<MatrixCell> {
        let all: Vec<usize> = (0..self.kinds().len()).collect();
        self.cells(examined, &all)
    }

    /// The same, without those verdicts on settled mutants that take multiple precision: [`Engine::complete_rows`] adds them.
    pub(in crate::suite) fn open_row(&self, examined: &Examined) -> OpenRow {
        let all: Vec<usize> = (0..self.kinds().len()).collect();
        let is_urgent = |mutant: usize| self.is_open(mutant) || !matches!(self.kinds()[mutant], Kind::Body(_));
        self.timed(|| {
            let at = self.shared(&examined.input);
            let mut row = self.quick_cells(examined, &all, &at);
            let unknown: Vec<usize> = (0..row.len()).filter(|k| row[*k].is_none()).collect();
            let (urgent, left): (Vec<usize>, Vec<usize>) = unknown.into_iter().partition(|k| is_urgent(*k));
            let judged = self.threads.side_by_side(ROW, &urgent, |k| self.exact_cell(*k, examined, &at));
            urgent.into_iter().zip(judged).for_each(|(k, cell)| row[k] = Some(cell));
            let cells = row.into_iter().map(|cell| cell.unwrap_or(MatrixCell::Uncertain)).collect();
            OpenRow { cells, left }
        })
    }

    /// Judge what was left of the tests' rows.
    pub(in crate::suite) fn complete_rows(&mut self) {
        for left in self.matrix.take_left() {
            if halt::requested() {
                return;
            }
            let Test { input, expectation, .. } = &self.tests()[left.test];
            let examined = Examined { input: input.clone(), expectation: expectation.clone() };
            let verdicts = self.cells(&examined, &left.mutants);
            self.matrix.fill(&left, verdicts);
        }
    }

    /// The verdicts of an input of the domain's box on some mutants, in their order.
    pub(in crate::suite) fn cells(&self, examined: &Examined, mutants: &[usize]) -> Vec<MatrixCell> {
        self.timed(|| self.judge_cells(examined, mutants))
    }

    /// How many inputs are worth to be given to [`Engine::examined_rows`] at once.
    pub(in crate::suite) fn rows_at_once(&self) -> usize {
        (CELLS / self.kinds().len().max(1)).max(self.threads.most())
    }

    /// Inputs of the domain's box with their verdicts on all mutants, side by side; none where there can be no test, or where
    /// that was not finished when the work was to end early.
    pub(in crate::suite) fn examined_rows(
        &self,
        inputs: &[&[f64]],
        look: Look,
    ) -> Vec<Option<(Examined, Vec<MatrixCell>)>> {
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
    pub(in crate::suite) fn each_row<T>(
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
        let at = self.shared(&examined.input);
        let mut row = self.quick_cells(examined, mutants, &at);
        let open: Vec<usize> = (0..row.len()).filter(|k| row[*k].is_none()).collect();
        let judged = self.threads.side_by_side(ROW, &open, |k| self.exact_cell(mutants[*k], examined, &at));
        for (k, cell) in open.into_iter().zip(judged) {
            row[k] = Some(cell);
        }
        row.into_iter().map(|cell| cell.unwrap_or(MatrixCell::Uncertain)).collect()
    }

    /// The verdicts on some mutants that intervals with binary64 ends decide.
    fn quick_cells(&self, examined: &Examined, mutants: &[usize], at: &Shared<'_>) -> Vec<Option<MatrixCell>> {
        let inputs: Vec<Interval> = examined.input.iter().map(|x| Interval::point(*x)).collect();
        self.room.with(|values| {
            let roots = mutants.iter().filter_map(|i| self.root_of(*i));
            values.evaluate(self.tape(), &mut Boxes { inputs: &inputs }, roots.chain([self.root()]));
            mutants.iter().map(|i| self.quick_cell(*i, examined, Some(values), at)).collect()
        })
    }

    /// The verdict on a mutant, if intervals with binary64 ends decide it; they have values only if there are some.
    pub(super) fn quick_cell(
        &self,
        mutant: usize,
        examined: &Examined,
        values: Option<&NeededValues<Enclosure>>,
        at: &Shared<'_>,
    ) -> Option<MatrixCell> {
        let has_value = examined.asks_result();
        match &self.kinds()[mutant] {
            Kind::Body(g) if *g == self.root() => Some(MatrixCell::Ok),
            Kind::Body(root) => {
                let values = values?;
                if self.taken(*root, values) == self.root() {
                    return Some(MatrixCell::Ok);
                }
                let (f, g) = (values.value(self.root()), values.value(*root));
                match self.judge().quick(f, g, self.tolerance(), self.tolerance()) {
                    Some(kill @ InputJudgement::Sure { .. }) if has_value => Some(kill.into()),
                    _ if matches!(self.judged()[mutant].status, Status::Equivalent(_)) => Some(MatrixCell::Ok),
                    Some(InputJudgement::No) if f.def.is_true() && g.def.is_true() => self.inside(f.x, g.x, at),
                    // Multiple precision would not settle it either.
                    _ if is_lost(self.tape(), *root, &Values(values)) => Some(MatrixCell::Uncertain),
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
    fn taken(&self, mut g: NodeId, values: &NeededValues<Enclosure>) -> NodeId {
        while let TapeNode::If(condition, then, otherwise) = self.tape().node(g) {
            let condition = values.value(condition);
            if !condition.def.is_true() {
                // Where the condition has no value the choice has none.
                break;
            }
            match condition.as_truth() {
                Ternary::True => g = then,
                Ternary::False => g = otherwise,
                Ternary::Unknown => break,
            }
        }
        g
    }

    /// The verdict on a mutant that is left, in multiple precision.
    pub(super) fn exact_cell(&self, mutant: usize, examined: &Examined, at: &Shared<'_>) -> MatrixCell {
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
    pub(in crate::suite) fn reaches(&self, mutant: usize, input: &[f64]) -> bool {
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
}
