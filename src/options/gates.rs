//! What makes a run fail, beside what is wrong.

use super::one_of;
use crate::suite;
use crate::unfit::Unfit;

/// Which score `--min-score` is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Score {
    /// Killed of those that can be killed.
    #[default]
    Rigorous,
    /// Killed and probable of all.
    Paper,
}

impl Score {
    /// As it stands in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Score::Rigorous => "rigorous",
            Score::Paper => "paper",
        }
    }

    /// The score of counts.
    #[must_use]
    pub fn of(self, counts: &suite::Counts) -> suite::ScoreShare {
        match self {
            Score::Rigorous => counts.rigorous(),
            Score::Paper => counts.paper(),
        }
    }
}

/// What `--fail-on` is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailOn {
    /// A mutant that is undecided.
    pub undecided: bool,
    /// A score below that of an earlier run.
    pub lower_score: bool,
    /// A looser accuracy or a narrower domain than in an earlier run.
    pub weaker_spec: bool,
    /// Fewer killed mutants than in an earlier run.
    pub fewer_kills: bool,
}

impl FailOn {
    /// The first of the values that compare with an earlier run.
    #[must_use]
    pub fn compares(self) -> Option<&'static str> {
        let all =
            [(self.lower_score, "lower-score"), (self.weaker_spec, "weaker-spec"), (self.fewer_kills, "fewer-kills")];
        all.into_iter().find(|(is, _)| *is).map(|(_, name)| name)
    }

    /// Of values after commas, and of several such.
    pub(super) fn read(values: &[String]) -> Result<Self, Unfit> {
        let mut all = FailOn::default();
        for one in values.iter().flat_map(|v| v.split(',')) {
            match one_of(&[one.to_owned()], FAIL_ON)? {
                None => {}
                Some(Gate::Undecided) => all.undecided = true,
                Some(Gate::LowerScore) => all.lower_score = true,
                Some(Gate::WeakerSpec) => all.weaker_spec = true,
                Some(Gate::FewerKills) => all.fewer_kills = true,
            }
        }
        Ok(all)
    }

    pub(super) fn text(self) -> String {
        let names = [
            (self.undecided, "undecided"),
            (self.lower_score, "lower-score"),
            (self.weaker_spec, "weaker-spec"),
            (self.fewer_kills, "fewer-kills"),
        ];
        let set: Vec<&str> = names.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
        if set.is_empty() { "nothing".to_owned() } else { set.join(",") }
    }
}

/// One of the things that [`FailOn`] is about.
#[derive(Clone, Copy)]
enum Gate {
    Undecided,
    LowerScore,
    WeakerSpec,
    FewerKills,
}

const FAIL_ON: &[(&str, Option<Gate>)] = &[
    ("nothing", None),
    ("undecided", Some(Gate::Undecided)),
    ("lower-score", Some(Gate::LowerScore)),
    ("weaker-spec", Some(Gate::WeakerSpec)),
    ("fewer-kills", Some(Gate::FewerKills)),
];
pub(super) const SCORES: &[(&str, Score)] = &[("rigorous", Score::Rigorous), ("paper", Score::Paper)];
