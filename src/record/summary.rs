//! `summary.json`: counts and scores, of one specification and of a run over several.

use super::manifest::file_name;
use super::number::decimal;
use super::{Document, Fields, Suite, Told};
use crate::mutate::MutationOperator;
use crate::oracle::accepted_by_all;
use crate::suite::second::{SecondOrder, second_order};
use crate::suite::subsumption::minimal;
use crate::suite::{Counts, Expectation, PlainAccuracy, plain};
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
    pub rigorous: RecordedShare,
    /// Killed or probably killed of all.
    pub paper: RecordedShare,
    /// Those that are not undecided, of all.
    pub resolved: RecordedShare,
}

/// A score with its counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedShare {
    /// How many.
    pub part: usize,
    /// Of how many.
    pub whole: usize,
    /// part / whole, as the shortest decimal that reads back as the same binary64 number; 1 of nothing.
    pub score: String,
}

impl From<crate::suite::ScoreShare> for RecordedShare {
    fn from(share: crate::suite::ScoreShare) -> Self {
        RecordedShare { part: share.part, whole: share.whole, score: decimal(share.value()) }
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
    /// Whether the run is large: its searches share one budget.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_large: bool,
    /// How many tests there are.
    pub tests: usize,
    /// The killed mutants that stand for all others on these tests; 0 of a large run, in which most are judged until one test
    /// kills them.
    pub minimal: usize,
    /// All mutants together.
    pub scores: Scores,
    /// By mutation operator, those without mutants left out.
    pub operators: Fields<Scores>,
    /// How many changes of loops are no mutants, since how often the loop would go round depends on an input or is more than
    /// allowed, or an index would be outside of its array.
    #[serde(default, skip_serializing_if = "is_none")]
    pub left_out: usize,
    /// How second-order mutants compare with their parts, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_order: Option<SecondOrder>,
    /// By test objective, those without mutants left out.
    #[serde(default)]
    pub objectives: Fields<Scores>,
    /// A constant that passes every test inside the domain, where there is one: then these tests say nothing of a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<Passing>,
    /// What a plain implementation of the formula loses, if that was asked.
    pub plain_evaluation: Option<PlainEvaluation>,
}

/// A constant that passes tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Passing {
    /// Its value, a number of the result format.
    pub value: String,
    /// How many tests inside the domain there are, all of which accept it.
    pub tests: usize,
}

impl Passing {
    fn new(suite: &Suite<'_>) -> Option<Self> {
        let oracles = suite.generated.tests.iter().filter_map(|t| match &t.expectation {
            Expectation::Result(oracle) => Some(oracle),
            Expectation::OutOfRange(_) => None,
        });
        let value = accepted_by_all(oracles.clone(), suite.spec.result_format)?;
        Some(Passing { value: decimal(value), tests: oracles.count() })
    }
}

/// The formula evaluated as it is written, operation by operation in the format of the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlainEvaluation {
    /// The format.
    pub format: String,
    /// Whether the accuracy is met.
    pub verdict: PlainVerdict,
    /// The error in units of the tolerance: proved to be no larger anywhere where the accuracy is met (rounded up), else the
    /// largest one found; `inf` where there is no finite result, or another than the 0 that is owed.
    pub error: Option<String>,
    /// The inputs at which it was found, by name.
    pub inputs: Option<Fields<String>>,
    /// The errors of library functions, in ulps, that the verdict takes for granted; none where the formula calls none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library_ulps: Option<String>,
}

/// Whether the plain evaluation of a formula is accurate enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlainVerdict {
    /// Everywhere on the domain, proved.
    Meets,
    /// Not at the input given, whatever the library returns there.
    Misses,
    /// Neither is shown.
    Open,
}

impl PlainEvaluation {
    fn new(suite: &Suite<'_>) -> Option<Self> {
        let inputs =
            |x: &[f64]| Fields(suite.spec.inputs.iter().zip(x).map(|(i, x)| (i.name.clone(), decimal(*x))).collect());
        let (verdict, error, at, library) = match plain(suite.generated, suite.spec.libm_ulps)? {
            PlainAccuracy::Meets { worst, library } => (PlainVerdict::Meets, Some(worst.decimal()), None, library),
            PlainAccuracy::Misses { input, times, library } => {
                (PlainVerdict::Misses, Some(decimal(times)), Some(inputs(&input)), library)
            }
            PlainAccuracy::Open { worst: Some((input, error)) } => {
                (PlainVerdict::Open, Some(decimal(error)), Some(inputs(&input)), None)
            }
            PlainAccuracy::Open { worst: None } => (PlainVerdict::Open, None, None, None),
        };
        let format = suite.spec.result_format.name().to_owned();
        let library_ulps = library.map(|u| decimal(u.get()));
        Some(PlainEvaluation { format, verdict, error, inputs: at, library_ulps })
    }
}

impl Document for Summary {
    const SCHEMA: &'static str = "magneto/summary/1";
}

impl Summary {
    /// Of what a run found.
    #[must_use]
    pub fn new(suite: &Suite<'_>) -> Self {
        let (spec, generated) = (suite.spec, suite.generated);
        let of = |o: &MutationOperator| {
            let some = generated.mutants.iter().filter(|j| j.mutant.operator == *o);
            (o.name().to_owned(), Scores::new(&Counts::of(some)))
        };
        let mut objectives: Vec<&str> = MutationOperator::ALL.iter().map(|o| o.objective()).collect();
        objectives.sort_unstable();
        objectives.dedup();
        let of_objective = |name: &str| {
            let some = generated.mutants.iter().filter(|j| j.mutant.operator.objective() == name);
            (name.to_owned(), Scores::new(&Counts::of(some)))
        };
        Summary {
            specification: spec.name.clone(),
            requirement: spec.requirement.clone(),
            file: file_name(spec),
            accuracy: spec.accuracy.to_string(),
            accuracy_is_default: spec.accuracy_defaulted,
            interrupted: generated.interrupted,
            is_large: generated.is_large,
            tests: generated.tests.len(),
            minimal: if generated.is_large { 0 } else { minimal(&generated.mutants).len() },
            scores: Scores::new(&generated.counts),
            objectives: Fields(objectives.into_iter().map(of_objective).filter(|(_, s)| s.mutants > 0).collect()),
            constant: Passing::new(suite),
            plain_evaluation: PlainEvaluation::new(suite),
            operators: Fields(MutationOperator::ALL.iter().map(of).filter(|(_, s)| s.mutants > 0).collect()),
            left_out: generated.left_out,
            second_order: second_order(&generated.mutants, &generated.matrix),
        }
    }
}

fn is_none(count: &usize) -> bool {
    *count == 0
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
    pub specifications: Vec<SummaryEntry>,
}

/// One specification of a run over several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SummaryEntry {
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
    pub(super) fn new(parts: &[(String, Told)]) -> Self {
        let counts: Vec<Counts> = parts.iter().map(|(_, p)| p.counts).collect();
        let entry = |(folder, part): &(String, Told)| {
            let s = &part.summary;
            SummaryEntry {
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
