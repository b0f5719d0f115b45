//! The lowest score that passes.

use magneto::options::{Score, Settings};
use magneto::suite::{Counts, Share};

/// Whether counts fall short of `--min-score`.
pub(crate) fn is_below(settings: &Settings, counts: &Counts) -> bool {
    settings.min_score.as_ref().is_some_and(|least| *least > share(counts, settings.score).exact())
}

/// The score that the gate is about.
fn share(c: &Counts, score: Score) -> Share {
    match score {
        Score::Rigorous => c.rigorous(),
        Score::Paper => c.paper(),
    }
}
