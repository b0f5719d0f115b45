//! `resume.json`: the solver's answers of a run that was interrupted, so that the next one need not search again.

use super::continued::Continued;
use super::manifest::hash;
use super::number::from_hex;
use super::{Document, Provenance};
use crate::num::Interval;
use crate::num::float::hex;
use crate::options::Settings;
use crate::solve::{SearchEnd, Stats, StopReason};
use crate::spec::Spec;
use crate::suite::Solved;
use crate::unfit::Unfit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// `resume.json`: the answers that an interrupted run has so far.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Resume {
    /// What made it.
    #[serde(flatten)]
    made: Provenance,
    /// SHA-256 of the options on which answers depend.
    options: String,
    /// The specifications of the run in order.
    specifications: Vec<Part>,
}

impl Document for Resume {
    const SCHEMA: &'static str = "magneto/resume/2";
}

/// The answers for one specification.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Answers")]
struct Part {
    /// Its name.
    name: String,
    /// SHA-256 of its file.
    sha256: String,
    /// The searches that are done.
    solved: Vec<Entry>,
}

/// The search for one mutant.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Answered")]
struct Entry {
    /// The mutant's id.
    mutant: String,
    /// What the search found.
    answer: Kept,
    boxes: u64,
    pruned: u64,
    points: u64,
    rounds: u32,
    turn: u32,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(rename = "Answer")]
enum Kept {
    Inner { point: Vec<String>, domain: Vec<[String; 2]>, inner: bool },
    Infeasible { worst: String },
    Budget,
    DeltaMin,
    Unsettled,
    Equal,
}

/// What identifies a specification's source: the file's text.
pub type SourceText<'a> = (&'a Spec, &'a [u8]);

impl Resume {
    /// Of a run over `specs`, each with the answers that it has so far.
    #[must_use]
    pub fn new<'a>(
        settings: &Settings,
        specs: impl IntoIterator<Item = (SourceText<'a>, &'a [(String, Solved)])>,
    ) -> Self {
        let part = |((spec, source), solved): (SourceText<'a>, &'a [(String, Solved)])| Part {
            name: spec.name.clone(),
            sha256: hash(source),
            solved: solved.iter().filter_map(|(id, s)| entry(id, s)).collect(),
        };
        Resume {
            made: Provenance::here(),
            options: hash(settings.fingerprint().as_bytes()),
            specifications: specs.into_iter().map(part).collect(),
        }
    }

    /// The answers for each of `specs`, the run's specifications, by mutant.
    ///
    /// # Errors
    /// A sentence that says which answer cannot be read.
    pub fn answers(&self, specs: &[SourceText<'_>]) -> Result<Vec<HashMap<String, Solved>>, Unfit> {
        let one = |(part, (spec, _)): (&Part, &SourceText<'_>)| {
            let solved = part.solved.iter().map(|e| Ok((e.mutant.clone(), e.solved(spec.inputs.len())?)));
            solved.collect::<Result<HashMap<_, _>, Unfit>>()
        };
        self.specifications.iter().zip(specs).map(one).collect()
    }
}

impl Continued for Resume {
    fn difference(&self, other: &Self, own: &str) -> Option<String> {
        let names = |r: &Self| r.specifications.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
        let about = || {
            if self.options != other.options {
                return Some("had other options".to_owned());
            }
            let (ours, theirs) = (names(self), names(other));
            if ours != theirs {
                return Some(format!("is of a run over {theirs}, {own} over {ours}"));
            }
            let changed = self.specifications.iter().zip(&other.specifications).find(|(a, b)| a.sha256 != b.sha256);
            changed.map(|(part, _)| format!("was made from another text of `{}`", part.name))
        };
        self.made.difference(&other.made, own).or_else(about)
    }
}

/// None for a search that was itself interrupted.
fn entry(id: &str, solved: &Solved) -> Option<Entry> {
    let answer = match &solved.answer {
        SearchEnd::Inner { point, domain, inner } => Kept::Inner {
            point: point.iter().copied().map(hex).collect(),
            domain: domain.iter().map(|x| [hex(x.inf()), hex(x.sup())]).collect(),
            inner: *inner,
        },
        SearchEnd::Infeasible { worst } => Kept::Infeasible { worst: hex(*worst) },
        SearchEnd::Unknown(StopReason::Budget) => Kept::Budget,
        SearchEnd::Unknown(StopReason::DeltaMin) => Kept::DeltaMin,
        SearchEnd::Unknown(StopReason::Unsettled) => Kept::Unsettled,
        SearchEnd::Unknown(StopReason::Interrupted) => return None,
        SearchEnd::Equal => Kept::Equal,
    };
    let Stats { boxes, pruned, points, rounds } = solved.stats;
    Some(Entry { mutant: id.to_owned(), answer, boxes, pruned, points, rounds, turn: solved.turn })
}

impl Entry {
    fn solved(&self, inputs: usize) -> Result<Solved, Unfit> {
        let broken = || format!("the answer for mutant {} cannot be read", self.mutant);
        let number = |text: &String| from_hex(text).ok_or_else(broken);
        let answer = match &self.answer {
            Kept::Inner { point, domain, inner } => {
                let point = point.iter().map(number).collect::<Result<Vec<_>, _>>()?;
                if point.len() != inputs || !point.iter().all(|x| x.is_finite()) {
                    return Err(broken().into());
                }
                let side = |[lo, hi]: &[String; 2]| match (number(lo)?, number(hi)?) {
                    (lo, hi) if lo <= hi => Ok(Interval::new(lo, hi)),
                    _ => Err(broken()),
                };
                let domain = domain.iter().map(side).collect::<Result<Vec<_>, _>>()?;
                SearchEnd::Inner { point, domain, inner: *inner }
            }
            Kept::Infeasible { worst } => SearchEnd::Infeasible { worst: number(worst)? },
            Kept::Budget => SearchEnd::Unknown(StopReason::Budget),
            Kept::DeltaMin => SearchEnd::Unknown(StopReason::DeltaMin),
            Kept::Unsettled => SearchEnd::Unknown(StopReason::Unsettled),
            Kept::Equal => SearchEnd::Equal,
        };
        let Entry { boxes, pruned, points, rounds, turn, .. } = *self;
        Ok(Solved { answer, stats: Stats { boxes, pruned, points, rounds }, turn })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_round_trip() {
        let stats = Stats { boxes: 1, pruned: 2, points: 3, rounds: 4 };
        let domain = vec![Interval::new(1.0, 2.0)];
        assert!(entry("id", &Solved { answer: SearchEnd::Unknown(StopReason::Interrupted), stats, turn: 1 }).is_none());
        for answer in [
            SearchEnd::Inner { point: vec![0.1], domain, inner: true },
            SearchEnd::Infeasible { worst: 0.7 },
            SearchEnd::Unknown(StopReason::Budget),
            SearchEnd::Unknown(StopReason::DeltaMin),
            SearchEnd::Unknown(StopReason::Unsettled),
            SearchEnd::Equal,
        ] {
            let before = Solved { answer, stats, turn: 2 };
            let text = serde_json::to_string(&entry("id", &before).unwrap()).unwrap();
            let after = serde_json::from_str::<Entry>(&text).unwrap().solved(1).unwrap();
            assert_eq!(format!("{before:?}"), format!("{after:?}"));
        }
    }
}
