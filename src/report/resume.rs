//! `resume.json`: the solver's answers of a run that was interrupted, so that the next one need not search again.

use super::manifest::{VERSION, hash};
use crate::num::Interval;
use crate::num::float::{hex, rational_to_f64};
use crate::num::mpfr::Round;
use crate::options::Settings;
use crate::solver::{Answer, Stats, StopReason};
use crate::spec::{Spec, parse_rational};
use crate::suite::Solved;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

const SCHEMA: &str = "magneto/resume/1";

/// The document.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resume {
    schema: String,
    magneto: String,
    options: String,
    specifications: Vec<Part>,
}

/// The answers for one specification.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    name: String,
    sha256: String,
    solved: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    mutant: String,
    answer: Kept,
    boxes: u64,
    pruned: u64,
    points: u64,
    rounds: u32,
    turn: u32,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Kept {
    Inner { point: Vec<String>, domain: Vec<[String; 2]>, inner: bool },
    Infeasible { worst: String },
    Budget,
    DeltaMin,
    Unsettled,
    Equal,
}

/// What identifies a specification's source: the file's text.
pub type Source<'a> = (&'a Spec, &'a [u8]);

impl Resume {
    /// Of a run over `specs`, each with the answers that it has so far.
    #[must_use]
    pub fn new<'a>(settings: &Settings, specs: impl IntoIterator<Item = (Source<'a>, &'a [(String, Solved)])>) -> Self {
        let part = |((spec, source), solved): (Source<'a>, &'a [(String, Solved)])| Part {
            name: spec.name.clone(),
            sha256: hash(source),
            solved: solved.iter().filter_map(|(id, s)| entry(id, s)).collect(),
        };
        Resume {
            schema: SCHEMA.to_owned(),
            magneto: VERSION.to_owned(),
            options: hash(settings.fingerprint().as_bytes()),
            specifications: specs.into_iter().map(part).collect(),
        }
    }

    /// Reads the document.
    ///
    /// # Errors
    /// A sentence that says what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|e| e.to_string())
    }

    /// The answers for each of `specs`, by mutant.
    ///
    /// # Errors
    /// A sentence that says why they cannot be used: another version, other options or specifications.
    pub fn known(&self, settings: &Settings, specs: &[Source<'_>]) -> Result<Vec<HashMap<String, Solved>>, String> {
        if self.schema != SCHEMA {
            return Err(format!("it has the schema `{}`, not `{SCHEMA}`", self.schema));
        }
        if self.magneto != VERSION {
            return Err(format!("it was written by magneto {}, and this is {VERSION}", self.magneto));
        }
        if self.options != hash(settings.fingerprint().as_bytes()) {
            return Err("the interrupted run had other options".into());
        }
        let names = |list: Vec<&str>| list.join(", ");
        let (theirs, ours) = (
            names(self.specifications.iter().map(|p| p.name.as_str()).collect()),
            names(specs.iter().map(|s| s.0.name.as_str()).collect()),
        );
        if theirs != ours {
            return Err(format!("the interrupted run was over {theirs}, not over {ours}"));
        }
        let one = |(part, (spec, source)): (&Part, &Source<'_>)| {
            if part.sha256 != hash(source) {
                return Err(format!("the file of `{}` has changed since the interrupted run", spec.name));
            }
            let solved = part.solved.iter().map(|e| Ok((e.mutant.clone(), e.solved(spec.inputs.len())?)));
            solved.collect::<Result<HashMap<_, _>, String>>()
        };
        self.specifications.iter().zip(specs).map(one).collect()
    }
}

/// None for a search that was itself interrupted.
fn entry(id: &str, solved: &Solved) -> Option<Entry> {
    let answer = match &solved.answer {
        Answer::Inner { point, domain, inner } => Kept::Inner {
            point: point.iter().copied().map(hex).collect(),
            domain: domain.iter().map(|x| [hex(x.inf()), hex(x.sup())]).collect(),
            inner: *inner,
        },
        Answer::Infeasible { worst } => Kept::Infeasible { worst: hex(*worst) },
        Answer::Unknown(StopReason::Budget) => Kept::Budget,
        Answer::Unknown(StopReason::DeltaMin) => Kept::DeltaMin,
        Answer::Unknown(StopReason::Unsettled) => Kept::Unsettled,
        Answer::Unknown(StopReason::Interrupted) => return None,
        Answer::Equal => Kept::Equal,
    };
    let Stats { boxes, pruned, points, rounds } = solved.stats;
    Some(Entry { mutant: id.to_owned(), answer, boxes, pruned, points, rounds, turn: solved.turn })
}

impl Entry {
    fn solved(&self, inputs: usize) -> Result<Solved, String> {
        let broken = || format!("the answer for mutant {} cannot be read", self.mutant);
        let number = |text: &String| from_hex(text).ok_or_else(broken);
        let answer = match &self.answer {
            Kept::Inner { point, domain, inner } => {
                let point = point.iter().map(number).collect::<Result<Vec<_>, _>>()?;
                if point.len() != inputs || !point.iter().all(|x| x.is_finite()) {
                    return Err(broken());
                }
                let side = |[lo, hi]: &[String; 2]| match (number(lo)?, number(hi)?) {
                    (lo, hi) if lo <= hi => Ok(Interval::new(lo, hi)),
                    _ => Err(broken()),
                };
                let domain = domain.iter().map(side).collect::<Result<Vec<_>, _>>()?;
                Answer::Inner { point, domain, inner: *inner }
            }
            Kept::Infeasible { worst } => Answer::Infeasible { worst: number(worst)? },
            Kept::Budget => Answer::Unknown(StopReason::Budget),
            Kept::DeltaMin => Answer::Unknown(StopReason::DeltaMin),
            Kept::Unsettled => Answer::Unknown(StopReason::Unsettled),
            Kept::Equal => Answer::Equal,
        };
        let Entry { boxes, pruned, points, rounds, turn, .. } = *self;
        Ok(Solved { answer, stats: Stats { boxes, pruned, points, rounds }, turn })
    }
}

/// The inverse of [`hex`].
pub(super) fn from_hex(text: &str) -> Option<f64> {
    match text {
        "nan" => return Some(f64::NAN),
        "inf" => return Some(f64::INFINITY),
        "-inf" => return Some(f64::NEG_INFINITY),
        "-0x0p+0" => return Some(-0.0),
        _ => {}
    }
    let exact = parse_rational(text).ok()?;
    let x = rational_to_f64(&exact, Round::Down);
    (x == rational_to_f64(&exact, Round::Up)).then_some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_round_trips() {
        for x in [0.0, -0.0, 1.5, -0.1, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(from_hex(&hex(x)).map(f64::to_bits), Some(x.to_bits()));
        }
        assert_eq!(from_hex("0.1"), None);
        assert_eq!(from_hex("x"), None);
    }

    #[test]
    fn entries_round_trip() {
        let stats = Stats { boxes: 1, pruned: 2, points: 3, rounds: 4 };
        let domain = vec![Interval::new(1.0, 2.0)];
        assert!(entry("id", &Solved { answer: Answer::Unknown(StopReason::Interrupted), stats, turn: 1 }).is_none());
        for answer in [
            Answer::Inner { point: vec![0.1], domain, inner: true },
            Answer::Infeasible { worst: 0.7 },
            Answer::Unknown(StopReason::Budget),
            Answer::Unknown(StopReason::DeltaMin),
            Answer::Unknown(StopReason::Unsettled),
            Answer::Equal,
        ] {
            let before = Solved { answer, stats, turn: 2 };
            let text = serde_json::to_string(&entry("id", &before).unwrap()).unwrap();
            let after = serde_json::from_str::<Entry>(&text).unwrap().solved(1).unwrap();
            assert_eq!(format!("{before:?}"), format!("{after:?}"));
        }
    }
}
