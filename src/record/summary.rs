//! `summary.json`: counts and scores, of one specification and of a run over several.

use super::manifest::file_name;
use super::number::decimal;
use super::{Document, Fields, Part, Suite};
use crate::mutate::Operator;
use crate::suite::Counts;
use crate::suite::second::{SecondOrder, second_order};
use crate::suite::subsumption::minimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Counts with the scores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// All mutants.
    pub mutants: usize,
    /// Killed: some test surely gets a wrong result from them.
    pub killed: usize,
    /// Accuracy mutants that the paper counts as probably killed.
    pub probable: usize,
    /// Proved to be the same function on the domain.
    pub equivalent: usize,
    /// Proved to be within the accuracy everywhere on the domain.
    pub indistinguishable: usize,
    /// Neither killed nor proved.
    pub undecided: usize,
    /// Neither killed nor proved, and a person has decided that they need not be.
    pub accepted: usize,
    /// Killed of those that can be killed, accuracy mutants left out.
    pub rigorous: Share,
    /// Killed or probably killed of all.
    pub paper: Share,
    /// Those that are not undecided, of all.
    pub resolved: Share,
}

/// A score with its counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// How many.
    pub part: usize,
    /// Of how many.
    pub whole: usize,
    /// part / whole, as the shortest decimal that reads back as the same binary64 number; 1 of nothing.
    pub score: String,
}

impl From<crate::suite::Share> for Share {
    fn from(share: crate::suite::Share) -> Self {
        Share { part: share.part, whole: share.whole, score: decimal(share.value()) }
    }
}

impl Scores {
    /// Of counts.
    #[must_use]
    pub fn new(c: &Counts) -> Self {
        Scores {
            mutants: c.all,
            killed: c.killed,
            probable: c.probable,
            equivalent: c.equivalent,
            indistinguishable: c.indistinguishable,
            undecided: c.undecided,
            accepted: c.accepted,
            rigorous: c.rigorous().into(),
            paper: c.paper().into(),
            resolved: c.resolved_share().into(),
        }
    }
}

/// `summary.json` of one specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Its name.
    pub specification: String,
    /// The requirement that it answers to.
    pub requirement: Option<String>,
    /// The name of its file, without folders.
    pub file: String,
    /// The accuracy in words.
    pub accuracy: String,
    /// Whether nobody stated it.
    pub accuracy_is_default: bool,
    /// Whether the run was stopped early.
    pub interrupted: bool,
    /// How many tests there are.
    pub tests: usize,
    /// The killed mutants that stand for all others on these tests.
    pub minimal: usize,
    /// All mutants together.
    pub scores: Scores,
    /// By mutation operator, those without mutants left out.
    pub operators: Fields<Scores>,
    /// How second-order mutants compare with their parts, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_order: Option<SecondOrder>,
}

impl Document for Summary {
    const SCHEMA: &'static str = "magneto/summary/1";
}

impl Summary {
    /// Of what a run found.
    #[must_use]
    pub fn new(suite: &Suite<'_>) -> Self {
        let (spec, generated) = (suite.spec, suite.generated);
        let of = |o: &Operator| {
            let some = generated.mutants.iter().filter(|j| j.mutant.operator == *o);
            (o.name().to_owned(), Scores::new(&Counts::of(some)))
        };
        Summary {
            specification: spec.name.clone(),
            requirement: spec.requirement.clone(),
            file: file_name(spec),
            accuracy: spec.accuracy.to_string(),
            accuracy_is_default: spec.accuracy_defaulted,
            interrupted: generated.interrupted,
            tests: generated.tests.len(),
            minimal: minimal(&generated.mutants).len(),
            scores: Scores::new(&generated.counts),
            operators: Fields(Operator::ALL.iter().map(of).filter(|(_, s)| s.mutants > 0).collect()),
            second_order: second_order(&generated.mutants, &generated.matrix),
        }
    }
}

/// `summary.json` of a run over several specifications, each of which has a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Overview {
    /// Whether the run was stopped early.
    pub interrupted: bool,
    /// How many tests there are.
    pub tests: usize,
    /// The minimal mutants of all specifications together.
    pub minimal: usize,
    /// All mutants together.
    pub scores: Scores,
    /// The specifications in order.
    pub specifications: Vec<Entry>,
}

/// One specification of a run over several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// Its folder.
    pub folder: String,
    /// Its name.
    pub specification: String,
    /// The requirement that it answers to.
    pub requirement: Option<String>,
    /// The name of its file, without folders.
    pub file: String,
    /// Whether the run was stopped before it was done.
    pub interrupted: bool,
    /// How many tests there are.
    pub tests: usize,
    /// Its minimal mutants.
    pub minimal: usize,
    /// Its mutants.
    pub scores: Scores,
    /// SHA-256 of the `manifest.json` in its folder, which has those of the other files.
    pub manifest: String,
}

impl Document for Overview {
    const SCHEMA: &'static str = "magneto/run/2";
}

impl Overview {
    /// Of the parts of a run, each with its folder. The hashes of the manifests come with the files.
    pub(super) fn new(parts: &[(String, Part)]) -> Self {
        let counts: Vec<Counts> = parts.iter().map(|(_, p)| p.mutants.counts()).collect();
        let entry = |(folder, part): &(String, Part)| {
            let s = &part.summary;
            Entry {
                folder: folder.clone(),
                specification: s.specification.clone(),
                requirement: s.requirement.clone(),
                file: s.file.clone(),
                interrupted: s.interrupted,
                tests: s.tests,
                minimal: s.minimal,
                scores: s.scores.clone(),
                manifest: String::new(),
            }
        };
        Overview {
            interrupted: parts.iter().any(|(_, p)| p.summary.interrupted),
            tests: parts.iter().map(|(_, p)| p.summary.tests).sum(),
            minimal: parts.iter().map(|(_, p)| p.summary.minimal).sum(),
            scores: Scores::new(&counts.iter().sum()),
            specifications: parts.iter().map(entry).collect(),
        }
    }
}
