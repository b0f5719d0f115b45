//! The lowest score that passes.

use magneto::options::Settings;
use magneto::suite::Counts;

/// Whether counts fall short of `--min-score`.
pub(crate) fn is_below(settings: &Settings, counts: &Counts) -> bool {
    settings.min_score.as_ref().is_some_and(|least| *least > settings.score.of(counts).exact())
}
