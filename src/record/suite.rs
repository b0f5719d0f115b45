//! What a run found, before it is written down.

use crate::options::Settings;
use crate::spec::Spec;
use crate::suite::{Generated, MatrixCell};
use crate::text::line_column;

/// All that the files of one specification are made of.
#[derive(Clone, Copy)]
pub struct Suite<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// The text of the file that it was read from.
    pub source: &'a [u8],
    /// The options of the run.
    pub settings: &'a Settings,
    /// What the run found.
    pub generated: &'a Generated,
}

/// A test that kills a mutant, probably or surely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kill {
    /// The test, by index.
    pub test: usize,
    /// How far outside, in units of the bound; none for a probable kill.
    pub margin: Option<f64>,
}

impl Suite<'_> {
    /// For each mutant the tests that kill it, in order; for one that is only probably killed, those that probably do.
    #[must_use]
    pub fn kills(&self) -> Vec<Vec<Kill>> {
        let mut kills = vec![Vec::new(); self.generated.mutants.len()];
        for (test, row) in self.generated.matrix.iter().enumerate() {
            for (mutant, cell) in row.known() {
                match cell {
                    MatrixCell::Ko { margin } => kills[mutant].push(Kill { test, margin: Some(margin) }),
                    MatrixCell::Probable => kills[mutant].push(Kill { test, margin: None }),
                    MatrixCell::Ok | MatrixCell::Uncertain => {}
                }
            }
        }
        kills
    }

    /// Line and column of a mutant's change, from 1.
    #[must_use]
    pub fn place(&self, mutant: usize) -> (usize, usize) {
        line_column(self.source, self.generated.mutants[mutant].mutant.span.start)
    }
}
