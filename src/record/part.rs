//! One specification's folder of a run.

use super::manifest::hash;
use super::{Fields, Manifest, Matrix, Suite, Summary, json, mutants, tests};
use crate::threads::Threads;

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

    /// The files: name and contents. The manifest has the hashes of the others.
    #[must_use]
    pub fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let mut files = self.contents(&Threads::new(1), |bytes| bytes);
        let hashes = files.iter().map(|(name, bytes)| ((*name).to_owned(), hash(bytes))).collect();
        let manifest = Manifest { files: Fields(hashes), ..self.manifest.clone() };
        files.push(("manifest.json", json::document(&manifest)));
        files
    }

    /// The files but for the manifest, with what is made of the contents of each, side by side.
    pub(super) fn contents<T: Send>(
        &self,
        threads: &Threads,
        make: impl Fn(Vec<u8>) -> T + Sync,
    ) -> Vec<(&'static str, T)> {
        let files: [(&str, &(dyn Fn() -> Vec<u8> + Sync)); 7] = [
            ("tests.csv", &|| self.tests.table(&self.manifest.specification.inputs)),
            ("tests.json", &|| json::document(&self.tests)),
            ("mutants.csv", &|| self.mutants.table()),
            ("mutants.json", &|| self.mutants.text()),
            ("matrix.csv", &|| self.matrix.text()),
            ("summary.json", &|| json::document(&self.summary)),
            ("source.fpcore", &|| self.source.clone()),
        ];
        threads.side_by_side(1, &files, |(name, contents)| (*name, make(contents())))
    }
}
