//! The lowest score that passes.

use magneto::num::Rational;
use magneto::options::{Score, Settings};
use magneto::suite::Counts;

/// What a specification has to reach.
#[derive(Clone)]
pub(crate) struct Gate {
    least: Option<Rational>,
    score: Score,
}

impl Gate {
    /// As the options of the specification say.
    pub(crate) fn new(settings: &Settings) -> Self {
        Gate { least: settings.min_score.clone(), score: settings.score }
    }

    /// Whether counts fall short of it.
    pub(crate) fn is_missed(&self, counts: &Counts) -> bool {
        self.least.as_ref().is_some_and(|least| *least > self.score.of(counts).exact())
    }
}

/// The message about specifications that fall short of their gates, if there are any.
pub(crate) fn missed<'a>(all: impl Iterator<Item = (&'a str, &'a Gate, Counts)> + Clone) -> Option<String> {
    let missed = all.filter(|(_, gate, counts)| gate.is_missed(counts));
    let mut scores: Vec<&str> = Vec::new();
    for (_, gate, _) in missed.clone() {
        if !scores.contains(&gate.score.name()) {
            scores.push(gate.score.name());
        }
    }
    let line = |score: &str| {
        let names: Vec<&str> = missed.clone().filter(|(_, g, _)| g.score.name() == score).map(|(n, ..)| n).collect();
        format!("error: the {score} score is below --min-score for {}\n", names.join(", "))
    };
    (!scores.is_empty()).then(|| scores.into_iter().map(line).collect())
}
