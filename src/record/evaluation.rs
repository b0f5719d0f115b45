//! `eval.json`: what tests that somebody else brought do.

use super::summary::{RecordedShare, Scores};
use super::{Document, Fields};
use crate::mutate::MutationOperator;
use crate::suite::{Standing, Whereabouts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `eval.json`, and what `magneto eval --json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evaluation {
    /// The name of the specification.
    pub specification: String,
    /// The requirement that it answers to.
    pub requirement: Option<String>,
    /// The name of its file, without folders.
    #[serde(default)]
    pub file: String,
    /// SHA-256 of its file; empty in documents that say nothing of it.
    #[serde(default)]
    pub sha256: String,
    /// The accuracy in words.
    pub accuracy: String,
    /// Whether nobody stated it.
    pub accuracy_is_default: bool,
    /// Whether not all tests were judged, or not all mutants.
    pub interrupted: bool,
    /// Numbers of tests.
    pub tests: TestCounts,
    /// The first wrong expectations.
    pub wrong: Vec<Wrong>,
    /// Mutants that a test exists for and that these tests miss.
    pub missed: usize,
    /// All mutants together.
    pub scores: Scores,
    /// The minimal mutants of the run that the tests kill.
    pub minimal: Minimal,
    /// By mutation operator.
    pub operators: Fields<OperatorGroup>,
    /// The tests of the file that are the first to kill some mutant, in the order of their lines: with their inputs anybody can look
    /// at these kills again.
    #[serde(default)]
    pub killers: Vec<KillingTest>,
    /// The mutants in the order of their enumeration.
    pub mutants: Vec<EvaluatedMutant>,
    /// Tests that kill what is missed, if they were asked for.
    pub suggested: Vec<Suggestion>,
    /// The rigorous score with what is suggested; not written where nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<After>,
    /// What the tests' own tolerances let pass; not written where they have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerances: Option<OwnTolerances>,
    /// What `--complete` found; not written without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion: Option<CompletionRecord>,
}

/// The rigorous score with the tests that are suggested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct After {
    /// With those at everyday magnitudes alone.
    pub everyday: RecordedShare,
    /// With all.
    pub all: RecordedShare,
}

/// What the tests take for right by intervals and tolerances of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnTolerances {
    /// Tests with an interval or a tolerance.
    pub tests: u64,
    /// Those that take wrong results for right.
    pub loose: u64,
    /// Mutants that the tests' inputs tell apart, and whose value every such test takes for right by its own tolerance: a program with
    /// that mistake passes.
    pub let_pass: Vec<String>,
    /// The rigorous score if these count as missed.
    pub rigorous: RecordedShare,
}

/// What `--complete` found of the tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CompletionRecord {
    /// Tests that can be taken out together: the others were judged again without them, and kill the same mutants.
    pub redundant: Vec<Named>,
    /// Mutants that the tests kill, and whose value each killing test takes for right by its own tolerance: a program with that
    /// mistake passes them.
    pub let_pass: Vec<String>,
    /// For each input with a range, where the missed mutants would be killed.
    pub missed_at: Fields<Whereabouts>,
}

/// A test of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Named {
    /// Its id.
    pub test: String,
    /// Its line.
    pub line: usize,
}

impl Document for Evaluation {
    const SCHEMA: &'static str = "magneto/eval/1";
    const WRITER: &'static str = "eval";
}

/// Numbers of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestCounts {
    /// All.
    pub all: u64,
    /// At inputs of the domain.
    pub inside: u64,
    /// At other inputs.
    pub outside: u64,
    /// Where no result is as accurate as asked for.
    pub unsatisfiable: u64,
    /// Where the precision cap does not settle f.
    pub unsettled: u64,
    /// Those that are the first to kill some mutant.
    pub first_to_kill: u64,
    /// Those that say what they expect.
    pub with_expectations: u64,
    /// Those that expect something wrong, or take wrong results for right.
    pub wrong_expectations: u64,
    /// Those among them whose interval or tolerance holds right results and wrong ones.
    #[serde(default)]
    pub loose_tolerances: u64,
    /// Expectations outside the domain that differ from what is taken for owed where the specification writes no
    /// :magneto-out-of-range; they fail nothing.
    #[serde(default)]
    pub waived_expectations: u64,
    /// Those of whose expectation it is not settled.
    pub unsettled_expectations: u64,
}

/// The share of the run's minimal mutants that the tests kill, and of those of each objective taken alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Minimal {
    /// Of all.
    #[serde(flatten)]
    pub all: RecordedShare,
    /// By objective.
    pub objectives: Fields<RecordedShare>,
}

/// A wrong expectation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wrong {
    /// The test's id.
    pub test: String,
    /// Its line in the file.
    pub line: usize,
    /// The exact inputs by name.
    pub inputs: Fields<String>,
    /// What the file says.
    pub claim: String,
    /// What is right.
    pub right: String,
    /// How far off it is, in the unit of the accuracy; of an interval, its farther end.
    #[serde(default)]
    pub off: Option<String>,
    /// Whether it is an interval or tolerance that holds right results too.
    #[serde(default)]
    pub loose: bool,
}

/// A test of the file that kills a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KillingTest {
    /// The test's id.
    pub test: String,
    /// Its line in the file.
    pub line: usize,
    /// The exact inputs by name.
    pub inputs: Fields<String>,
}

/// The mutants of one mutation operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OperatorGroup {
    /// Those that a test exists for and that these tests miss.
    pub missed: usize,
    /// The counts with the scores.
    #[serde(flatten)]
    pub scores: Scores,
}

/// What the tests do to a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvaluatedMutant {
    /// Its id.
    pub id: String,
    /// The mutation operator.
    pub operator: MutationOperator,
    /// The test objective that the operator serves.
    pub objective: String,
    /// The line of the change in the specification's file, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What was there.
    pub before: String,
    /// What is there now.
    pub after: String,
    /// What became of it.
    pub standing: Standing,
    /// The first test of the file that kills it.
    pub killed_by: Option<String>,
    /// The line of that test.
    pub test_line: Option<usize>,
    /// How many tests of the file kill it, if all kills were wanted.
    pub tests: Option<u64>,
    /// The generated tests that kill it, where the file's do not.
    pub would_kill: Vec<String>,
    /// The proof that no test can kill it.
    pub proof: Option<String>,
    /// Why there is neither a test nor a proof.
    pub reason: Option<String>,
    /// Of a killed mutant that is not minimal, the minimal one that stands for it on the generated tests.
    pub subsumed_by: Option<String>,
}

/// A test that is suggested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suggestion {
    /// The generated test's id.
    pub id: String,
    /// The exact inputs by name.
    pub inputs: Fields<String>,
    /// The smallest right result.
    pub lo: Option<String>,
    /// The largest right result.
    pub hi: Option<String>,
    /// The value of the result format nearest to f; outside the domain the response that is owed.
    pub expected: Option<String>,
    /// Whether its inputs have magnitudes that a person would write; the others are not 0 and below a millionth of the input's scale,
    /// or above a billion times it.
    #[serde(default)]
    pub everyday: bool,
    /// The missed mutants that it kills.
    pub kills: Vec<String>,
}
