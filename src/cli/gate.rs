//! The lowest score that passes.

use magneto::num::Rational;
use magneto::options::{Score, Settings};
use magneto::suite::Counts;

/// Whether counts fall short of `--min-score`.
pub(crate) fn is_below(settings: &Settings, counts: &Counts) -> bool {
    settings.min_score.as_ref().is_some_and(|least| *least > share(counts, settings.score))
}

/// A score, exactly.
fn share(c: &Counts, score: Score) -> Rational {
    let (part, whole) = match score {
        Score::Rigorous => (c.killed, c.functional - c.functional_not_killable),
        Score::Paper => (c.killed + c.probable, c.all),
    };
    if whole == 0 { Rational::from(1) } else { Rational::from((part as u64, whole as u64)) }
}
