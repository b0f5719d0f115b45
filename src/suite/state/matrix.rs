//! The tests found so far, and their verdicts on all mutants.

use crate::suite::{MatrixCell, Origin, Test};

/// The kill matrix with its tests.
#[derive(Default)]
pub(super) struct Matrix {
    tests: Vec<Test>,
    /// A row a test, a cell a mutant.
    rows: Vec<Vec<MatrixCell>>,
    /// What is left of the rows.
    left: Vec<LeftCells>,
}

/// Cells that are to be filled in yet: UNCERTAIN until then.
pub(in crate::suite) struct LeftCells {
    /// The place of the row.
    pub(in crate::suite) test: usize,
    /// The places of the cells in it.
    pub(in crate::suite) mutants: Vec<usize>,
}

impl Matrix {
    /// Tests that are known, with their rows and what is left of these.
    pub(in crate::suite) fn new(tests: Vec<Test>, rows: Vec<Vec<MatrixCell>>, left: Vec<LeftCells>) -> Self {
        Matrix { tests, rows, left }
    }

    pub(in crate::suite) fn tests(&self) -> &[Test] {
        &self.tests
    }

    pub(in crate::suite) fn rows(&self) -> &[Vec<MatrixCell>] {
        &self.rows
    }

    pub(in crate::suite) fn into_parts(self) -> (Vec<Test>, Vec<Vec<MatrixCell>>, Vec<LeftCells>) {
        (self.tests, self.rows, self.left)
    }

    pub(in crate::suite) fn push(&mut self, test: Test, row: Vec<MatrixCell>) {
        self.tests.push(test);
        self.rows.push(row);
    }

    /// Note what is left of a row.
    pub(in crate::suite) fn leave(&mut self, cells: LeftCells) {
        if !cells.mutants.is_empty() {
            self.left.push(cells);
        }
    }

    /// What is left of the rows; nothing is after that.
    pub(in crate::suite) fn take_left(&mut self) -> Vec<LeftCells> {
        std::mem::take(&mut self.left)
    }

    /// Fill in the verdicts that were left of a row.
    pub(in crate::suite) fn fill(&mut self, left: &LeftCells, verdicts: Vec<MatrixCell>) {
        left.mutants.iter().zip(verdicts).for_each(|(mutant, verdict)| self.rows[left.test][*mutant] = verdict);
    }

    /// Say of the test at an input, if there is one, that it is wanted for what it is too.
    pub(in crate::suite) fn expect(&mut self, input: &[f64], origin: Origin, reason: &str) -> bool {
        let is_same = |t: &&mut Test| t.input.iter().map(|x| x.to_bits()).eq(input.iter().map(|x| x.to_bits()));
        let Some(known) = self.tests.iter_mut().find(is_same) else { return false };
        known.origin = origin;
        known.reason = format!("{}; {reason}", known.reason);
        true
    }
}
