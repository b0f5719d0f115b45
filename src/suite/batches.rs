//! Mutants are judged batch by batch, so that no more of them are on the tape at a time than memory has room for: nearly
//! always that is all of them. Else all batches have their points and short proofs before any has searches. Tests of one batch are
//! tried on the next before its own are looked for, and in the end those that were found later on the batches before.

use super::adequacy::{minimize, subsumption};
use super::inputs::{boundary, given, regions};
use super::phases::Watch;
use super::run::{Generated, Interrupt, NoRun, Options};
use super::state::engine::{Engine, Examined};
use super::state::matrix::LeftCells;
use super::state::outside;
use super::steps::{Stretch, Turn, judge as judge_batch};
use super::{Counts, Expectation, Judged, MatrixCell, Row, Test};
use crate::points::probes::probes;
use crate::spec::Spec;
use std::time::Duration;

/// Mutants that were judged together, with a row for each of the first tests.
struct Batch {
    judged: Vec<Judged>,
    matrix: Vec<Vec<MatrixCell>>,
    /// What is left of the rows.
    left: Vec<LeftCells>,
}

/// How many mutants some batches have.
fn mutants_of(batches: &[Batch]) -> usize {
    batches.iter().map(|b| b.judged.len()).sum()
}

/// The memory that one node of the tape of a batch takes, with its values in several kinds of arithmetic. Unit: bytes.
const BYTES_A_NODE: u64 = 1 << 10;

/// The nodes after which a batch of mutants is full.
fn nodes_of_a_batch(options: &Options) -> usize {
    usize::try_from(options.max_memory / BYTES_A_NODE).unwrap_or(usize::MAX)
}

/// Judge mutants of `spec`, on some tests first that are known; none at all still checks that there is an input to test.
pub(super) fn judge(
    spec: &Spec,
    made: Vec<Judged>,
    tests: Vec<Test>,
    options: &Options,
    interrupt: &Interrupt<'_>,
) -> Result<Generated, NoRun> {
    judge_by(nodes_of_a_batch(options), spec, (made, tests), options, interrupt)
}

/// The same, a batch being full after so many nodes.
fn judge_by(
    nodes: usize,
    spec: &Spec,
    (made, tests): (Vec<Judged>, Vec<Test>),
    options: &Options,
    interrupt: &Interrupt<'_>,
) -> Result<Generated, NoRun> {
    // Tests that are known may kill mutants that are not here.
    let is_whole = tests.is_empty();
    let mut run = Batches { spec, options, interrupt, tests, all: Turn::default() };
    let mut left = made.into_iter();
    let mut done: Vec<Batch> = Vec::new();
    while done.is_empty() || left.len() > 0 {
        let mut watch = Watch::start();
        let mut engine = run.engine_of(&mut left, nodes)?;
        run.all.phases.mutants += watch.lap(Duration::ZERO);
        retry(&mut engine, &mut run.tests, interrupt);
        let is_only = done.is_empty() && left.len() == 0;
        let stretch = if is_only { Stretch::Whole } else { Stretch::BeforeSearches };
        let known = engine.tests().len();
        run.take_turn(&mut engine, stretch, done.is_empty())?;
        if is_only {
            run.add_wanted(&mut engine);
            engine.complete_rows();
        }
        done.push(run.take_apart(engine, known, mutants_of(&done)));
        if interrupt.stopped() {
            done.push(Batch { judged: left.by_ref().collect(), matrix: Vec::new(), left: Vec::new() });
        }
    }
    if done.len() > 1 {
        // No search of a batch keeps others waiting for what costs little.
        for k in 0..done.len() {
            let (before, is_last) = (mutants_of(&done[..k]), k + 1 == done.len());
            run.again(&mut done[k], before, |run, engine| {
                run.take_turn(engine, Stretch::Searches, false)?;
                if is_last {
                    run.add_wanted(engine);
                }
                Ok(())
            })?;
        }
    }
    for batch in &mut done {
        if batch.matrix.len() < run.tests.len() || !batch.left.is_empty() {
            run.again(batch, 0, |_, engine| {
                engine.complete_rows();
                Ok(())
            })?;
        }
    }
    Ok(join(done, run.tests, run.all, options, is_whole, interrupt))
}

/// A run whose mutants are judged batch by batch.
struct Batches<'r, 'i> {
    spec: &'r Spec,
    options: &'r Options,
    interrupt: &'r Interrupt<'i>,
    tests: Vec<Test>,
    all: Turn,
}

impl<'r> Batches<'r, '_> {
    fn engine_of(&self, mutants: &mut impl Iterator<Item = Judged>, nodes: usize) -> Result<Engine<'r>, NoRun> {
        let work = (self.options.precision_cap, self.interrupt.threads_of(self.options));
        Ok(Engine::of_some(self.spec, mutants, work, nodes)?)
    }

    /// Take some of the steps with the mutants of an engine.
    fn take_turn(&mut self, engine: &mut Engine<'_>, stretch: Stretch, is_first: bool) -> Result<(), NoRun> {
        let all_boxes = self.options.all_boxes.saturating_sub(self.all.boxes);
        let options = Options { all_boxes, ..self.options.clone() };
        let turn = judge_batch(engine, &options, self.interrupt, stretch, is_first)?;
        self.all.solved.extend(turn.solved);
        self.all.boxes += turn.boxes;
        self.all.evaluations += turn.evaluations;
        self.all.phases = self.all.phases.plus(&turn.phases);
        Ok(())
    }

    /// Add the tests that are wanted whatever they kill.
    fn add_wanted(&self, engine: &mut Engine<'_>) {
        if self.options.boundary {
            add_boundary(engine, self.interrupt);
        }
        given::add(engine, &self.options.given);
    }

    /// The mutants of an engine, and its tests as those of the run: the targets of those from `known` on have `before` mutants before
    /// them in the run.
    fn take_apart(&mut self, engine: Engine<'_>, known: usize, before: usize) -> Batch {
        let (judged, matrix, left);
        (judged, self.tests, matrix, left) = engine.into_parts();
        self.tests[known..].iter_mut().for_each(|test| test.target = test.target.map(|target| before + target));
        Batch { judged, matrix, left }
    }

    /// Give a batch its rows for the tests that were found after its turn, and do some work with it; `before` it are so many mutants.
    fn again(
        &mut self,
        batch: &mut Batch,
        before: usize,
        work: impl FnOnce(&mut Self, &mut Engine<'_>) -> Result<(), NoRun>,
    ) -> Result<(), NoRun> {
        if self.interrupt.stopped() {
            return Ok(());
        }
        let mut watch = Watch::start();
        let mut mutants = std::mem::take(&mut batch.judged).into_iter();
        let engine = self.engine_of(&mut mutants, usize::MAX)?;
        self.all.phases.mutants += watch.lap(Duration::ZERO);
        let rest: Vec<Judged> = mutants.collect();
        let mut later = self.tests.split_off(batch.matrix.len());
        let mut engine = engine.with_matrix(
            std::mem::take(&mut self.tests),
            std::mem::take(&mut batch.matrix),
            std::mem::take(&mut batch.left),
        );
        retry(&mut engine, &mut later, self.interrupt);
        let known = engine.tests().len();
        work(self, &mut engine)?;
        *batch = self.take_apart(engine, known, before);
        // Left where the work was to end early.
        batch.judged.extend(rest);
        Ok(())
    }
}

/// Try tests on the engine's mutants, whose tests they become.
fn retry(engine: &mut Engine<'_>, tests: &mut Vec<Test>, interrupt: &Interrupt<'_>) {
    for test in tests.drain(..) {
        if interrupt.stopped() {
            engine.push_test(test, Vec::new());
        } else if let Expectation::Result(_) = test.expectation {
            let examined = Examined { input: test.input.clone(), expectation: test.expectation.clone() };
            let row = engine.open_row(&examined);
            engine.push_test(test, row);
        } else {
            let row = outside::outside_row(engine, &test.input);
            engine.push_test(test, row);
        }
    }
}

/// The tests that a reviewer expects: beside all that there would be without them.
fn add_boundary(engine: &mut Engine<'_>, interrupt: &Interrupt<'_>) {
    let points = probes(engine.domain());
    if let Some(nominal) = boundary::nominal(engine, &points) {
        boundary::add(engine, &nominal, interrupt);
        regions::expected(engine);
    }
}

/// The run of all batches, whether these are all mutants there are.
fn join(
    done: Vec<Batch>,
    mut tests: Vec<Test>,
    all: Turn,
    options: &Options,
    is_whole: bool,
    interrupt: &Interrupt<'_>,
) -> Generated {
    let mut judged = Vec::new();
    let mut rows: Vec<Vec<MatrixCell>> = vec![Vec::new(); tests.len()];
    for batch in done {
        let mutants = batch.judged.len();
        let mut parts = batch.matrix.into_iter();
        for row in &mut rows {
            // A row that an interruption left out says nothing.
            let part = parts.next().filter(|r| r.len() == mutants);
            row.extend(part.unwrap_or_else(|| vec![MatrixCell::Uncertain; mutants]));
        }
        judged.extend(batch.judged);
    }
    let mut matrix: Vec<Row> = rows.into_iter().map(Row::from).collect();
    if is_whole {
        minimize::prune(&mut tests, &mut matrix, &judged);
    }
    if options.minimize {
        minimize::minimize(&mut tests, &mut matrix, &judged);
    }
    subsumption::note(&mut judged, &matrix);
    let counts = Counts::of(&judged);
    Generated {
        mutants: judged,
        tests,
        matrix,
        counts,
        solved: all.solved,
        boxes: all.boxes,
        evaluations: all.evaluations,
        phases: all.phases,
        interrupted: interrupt.stopped(),
        out_of_memory: false,
        sample: None,
        left_out: 0,
        is_large: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::{OperatorSet, mutants};
    use crate::spec::{Overrides, parse_file, resolve};
    use crate::suite::Status;

    const SPECS: [&str; 2] = [
        "(FPCore (x y) :pre (and (<= 1 x 4) (<= 1 y 2)) :magneto-rel-error 1e-6
           (+ (* (sin x) (exp (- 0 (* x y)))) (+ (sqrt (+ 1 (* x y))) (/ x (+ 1 (log y))))))",
        "(FPCore (x) :pre (<= -0.9 x 1000) :magneto-ulps (2 binary64) (log (+ 1 x)))",
    ];

    #[test]
    fn what_is_judged_in_batches_is_judged_as_at_once() {
        for source in SPECS {
            let spec = resolve(&parse_file(source.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
            for boundary in [false, true] {
                let options = Options { operators: OperatorSet::Full, boundary, jobs: 1, ..Options::default() };
                let run = |nodes: usize| {
                    let made = mutants(&spec, &options.operators).into_iter().map(Judged::new).collect();
                    judge_by(nodes, &spec, (made, Vec::new()), &options, &Interrupt::default()).unwrap()
                };
                let at_once = run(usize::MAX);
                // So small that every few mutants are a batch, and half of all.
                for nodes in [60, 900] {
                    let parts = run(nodes);
                    assert_eq!(parts.mutants.len(), at_once.mutants.len());
                    assert_eq!(parts.matrix.len(), parts.tests.len());
                    for (i, (m, same)) in parts.mutants.iter().zip(&at_once.mutants).enumerate() {
                        assert_eq!(m.mutant.id, same.mutant.id);
                        assert_eq!(m.status == Status::Killed, same.status == Status::Killed, "{}", m.mutant.id);
                        let killed = parts.matrix.iter().any(|row| matches!(row[i], MatrixCell::Ko { .. }));
                        assert_eq!(killed, m.status == Status::Killed, "{}", m.mutant.id);
                    }
                    for (test, row) in parts.tests.iter().zip(&parts.matrix) {
                        assert!(test.target.is_none_or(|m| row[m].is_kill()), "{}", test.id);
                    }
                    let mut shared = 0;
                    for (test, row) in parts.tests.iter().zip(&parts.matrix) {
                        let Some(k) = at_once.tests.iter().position(|t| t.input == test.input) else { continue };
                        let kills = |row: &Row| -> Vec<bool> { row.known().map(|(_, c)| c.is_kill()).collect() };
                        assert_eq!(kills(row), kills(&at_once.matrix[k]), "{:?}", test.input);
                        shared += 1;
                    }
                    assert!(shared > 5, "{shared}");
                }
            }
        }
    }
}
