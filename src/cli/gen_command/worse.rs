//! What is told where a run falls back beside an earlier one.

use magneto::options::{FailOn, Settings};

/// In what a run falls back beside an earlier one, a line for each specification.
#[derive(Default)]
pub(in crate::cli) struct Worse {
    /// A score that fell, before and now.
    pub(in crate::cli) scores: Vec<String>,
    /// A looser accuracy or a narrower domain.
    pub(in crate::cli) specs: Vec<String>,
    /// Fewer killed mutants.
    pub(in crate::cli) kills: Vec<String>,
}

impl Worse {
    /// Whether it fails the run.
    pub(in crate::cli) fn fails(&self, on: FailOn) -> bool {
        self.kinds(on).iter().any(|(is_gate, _, lines)| *is_gate && !lines.is_empty())
    }

    /// What is told of it, as errors where it fails the run.
    pub(in crate::cli) fn messages(&self, settings: &Settings) -> Vec<String> {
        let one = |(is_gate, what, lines): (bool, &str, &[String])| {
            let kind = if is_gate { "error" } else { "warning" };
            let score = if what.contains("score") { format!("{} ", settings.score.name()) } else { String::new() };
            (!lines.is_empty()).then(|| format!("{kind}: the {score}{what} {}\n", lines.join("; ")))
        };
        self.kinds(settings.fail_on).into_iter().filter_map(one).collect()
    }

    fn kinds(&self, on: FailOn) -> [(bool, &'static str, &[String]); 3] {
        [
            (on.lower_score, "score fell for", &self.scores),
            (on.weaker_spec, "earlier run asked for more:", &self.specs),
            (on.fewer_kills, "earlier run killed more mutants:", &self.kills),
        ]
    }
}
