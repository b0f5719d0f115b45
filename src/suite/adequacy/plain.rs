//! What became of the body as it is written, in the format of the result: what a plain implementation does.

use crate::mutate::Change;
use crate::num::AtMost;
use crate::program::LibmUlps;
use crate::suite::{EquivalenceProof, Generated, MatrixCell, Status};

/// Whether the plain evaluation of a formula is accurate enough.
#[derive(Clone, Debug, PartialEq)]
pub enum PlainAccuracy {
    /// Everywhere, proved: its error is at most this share of the tolerance.
    Meets {
        /// At most 1.
        worst: AtMost,
        /// The errors of library functions that the proof takes for granted; none where the program calls none.
        library: Option<LibmUlps>,
    },
    /// Not at this input of a test, whatever the library returns within its errors.
    Misses {
        /// The input.
        input: Vec<f64>,
        /// The error in units of the tolerance; infinite where the result is no number, or another than the 0 that is owed.
        times: f64,
        /// The errors of library functions that this takes for granted; none where the program calls none.
        library: Option<LibmUlps>,
    },
    /// Neither is shown.
    Open {
        /// The worst input found, with the error there in units of the tolerance.
        worst: Option<(Vec<f64>, f64)>,
    },
}

/// What a run found of the plain evaluation, with library functions within `ulps`; none if the mutant was not made.
#[must_use]
pub fn plain(run: &Generated, ulps: LibmUlps) -> Option<PlainAccuracy> {
    let program_of = |c: &Change| match c {
        Change::Evaluation(e) if e.is_plain => Some(e.program.clone()),
        _ => None,
    };
    let programs = run.mutants.iter().map(|j| program_of(&j.mutant.change));
    let (mutant, program) = programs.enumerate().find_map(|(k, p)| Some((k, p?)))?;
    let judged = &run.mutants[mutant];
    let margins = run.matrix.iter().zip(&run.tests).filter_map(|(row, test)| match row[mutant] {
        MatrixCell::Ko { margin } => Some((margin, &test.input)),
        _ => None,
    });
    Some(match &judged.status {
        Status::Indistinguishable(EquivalenceProof::MeetsAccuracy { worst, library, .. }) => {
            PlainAccuracy::Meets { worst: *worst, library: *library }
        }
        Status::Killed => {
            let (margin, input) = margins.reduce(|a, b| if b.0 > a.0 { b } else { a })?;
            PlainAccuracy::Misses { input: input.clone(), times: 1.0 + margin, library: program.assumes(ulps) }
        }
        _ => PlainAccuracy::Open { worst: judged.near_miss.as_ref().map(|m| (m.input.clone(), m.ratio)) },
    })
}
