//! One specification's folder of a run.

use super::{Manifest, Matrix, Suite, Summary, json, mutants, tests};

/// All that a run wrote down about one specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// `manifest.json`.
    pub manifest: Manifest,
    /// `summary.json`.
    pub summary: Summary,
    /// `tests.json` and `tests.csv`.
    pub tests: tests::Tests,
    /// `mutants.json` and `mutants.csv`.
    pub mutants: mutants::Mutants,
    /// `matrix.csv`.
    pub matrix: Matrix,
    /// `source.fpcore`: the specification's file.
    pub source: Vec<u8>,
}

impl Part {
    /// Of what a run found.
    #[must_use]
    pub fn new(suite: &Suite<'_>) -> Self {
        Part {
            manifest: Manifest::new(suite),
            summary: Summary::new(suite),
            tests: tests::Tests::new(suite),
            mutants: mutants::Mutants::new(suite),
            matrix: Matrix::new(suite),
            source: suite.source.to_vec(),
        }
    }

    /// The files: name and contents.
    #[must_use]
    pub fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![
            ("tests.csv", self.tests.table(&self.manifest.specification.inputs)),
            ("tests.json", json::document(&self.tests)),
            ("mutants.csv", self.mutants.table()),
            ("mutants.json", json::document(&self.mutants)),
            ("matrix.csv", self.matrix.text()),
            ("trace.csv", self.trace()),
            ("summary.json", json::document(&self.summary)),
            ("source.fpcore", self.source.clone()),
            ("manifest.json", json::document(&self.manifest)),
        ]
    }
}
