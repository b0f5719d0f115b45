//! The tests found so far, and their verdicts on all mutants.

use crate::suite::{MatrixCell, Origin, Test};

/// The kill matrix with its tests.
#[derive(Default)]
pub(super) struct Matrix {
    tests: Vec<Test>,
    /// A row a test, a cell a mutant.
    rows: Vec<Vec<MatrixCell>>,
}

impl Matrix {
    /// Tests that are known, with their rows.
    pub(in crate::suite) fn new(tests: Vec<Test>, rows: Vec<Vec<MatrixCell>>) -> Self {
        Matrix { tests, rows }
    }

    pub(in crate::suite) fn tests(&self) -> &[Test] {
        &self.tests
    }

    pub(in crate::suite) fn rows(&self) -> &[Vec<MatrixCell>] {
        &self.rows
    }

    pub(in crate::suite) fn into_parts(self) -> (Vec<Test>, Vec<Vec<MatrixCell>>) {
        (self.tests, self.rows)
    }

    pub(in crate::suite) fn push(&mut self, test: Test, row: Vec<MatrixCell>) {
        self.tests.push(test);
        self.rows.push(row);
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
