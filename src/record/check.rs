//! `check.json`: what an implementation did at tests.

use super::json;
use super::manifest::hash;
use super::matrix::VerdictWord;
use super::number::from_hex;
use super::{Document, Fields};
use crate::mutate::MutationOperator;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::AddAssign;

/// `check.json`, and what `magneto check --json` prints. Nothing in it depends on the time or the machine's load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The version of Magneto.
    pub magneto: String,
    /// The name of the specification.
    pub specification: String,
    /// The requirement that it answers to.
    pub requirement: Option<String>,
    /// The name of its file, without folders.
    pub file: String,
    /// SHA-256 of its file.
    pub sha256: String,
    /// The accuracy in words.
    pub accuracy: String,
    /// Whether nobody stated it.
    pub accuracy_is_default: bool,
    /// What was run, and how.
    pub implementation: Fields<String>,
    /// The exit code.
    pub exit: u8,
    /// Whether the check was stopped early.
    pub interrupted: bool,
    /// Verdicts at inputs of the domain.
    pub counts: VerdictCounts,
    /// Verdicts at inputs outside of it.
    pub robustness: VerdictCounts,
    /// Whether these fail the check: only where the specification writes what is owed there.
    #[serde(default)]
    pub robustness_counts: bool,
    /// What could not be run, if something could not.
    pub broken: Option<Broken>,
    /// The likely causes of the failures, best first: those that explain every result.
    pub causes: Vec<Cause>,
    /// What explains only a part of the failures, or contradicts other results.
    #[serde(default)]
    pub partial_causes: Vec<Cause>,
    /// What was noticed besides.
    pub facts: Vec<String>,
    /// The tests in order.
    pub tests: Vec<TestResult>,
    /// What became of tests that are not among these, of an interrupted check of many: who waits for its end waits no longer
    /// for their rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unlisted: Option<Unlisted>,
    /// What the harness noticed.
    pub notes: Vec<String>,
    /// The last lines of the implementation's standard error.
    pub stderr: Vec<String>,
    /// SHA-256 of this document, as it stands in its file, with an empty text here. Who changes a result by hand is found out.
    pub content_sha256: String,
}

impl Document for Check {
    const SCHEMA: &'static str = "magneto/check/2";
    const WRITER: &'static str = "check";
}

impl Check {
    /// The document with the hash of its content.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.content_sha256.clear();
        self.content_sha256 = hash(&json::document(&self));
        self
    }

    /// The text of the file, sealed: written once, since it may be long.
    #[must_use]
    pub fn text(mut self) -> Vec<u8> {
        self.content_sha256.clear();
        let mut text = json::document(&self);
        let hash = hash(&text);
        // The hash is the last text of the document.
        let at = text.iter().rposition(|b| *b == b'"').unwrap_or(text.len());
        text.splice(at..at, hash.into_bytes());
        text
    }

    /// What the implementation is called: by the name that it was given, else by its function or its kind.
    #[must_use]
    pub fn label(&self) -> &str {
        self.implementation.label()
    }

    /// What in the document does not agree with the rest of it, as a sentence; none if all does.
    #[must_use]
    pub fn disagreement(&self) -> Option<String> {
        for (name, robustness, said) in [("counts", false, self.counts), ("robustness", true, self.robustness)] {
            let mut found = VerdictCounts::of(self.tests.iter().filter(|t| t.robustness == robustness));
            if let Some(more) = self.unlisted {
                found += if robustness { more.robustness } else { more.counts };
            }
            if said != found {
                return Some(format!("`{name}` says {said}, and its tests are {found}"));
            }
        }
        if let Some(t) = self.tests.iter().find(|t| t.is_wrongly_ok()) {
            let (result, lo, hi) = (t.result.as_ref().unwrap_or(&t.answer), &t.lo, &t.hi);
            let bounds =
                lo.as_deref().zip(hi.as_deref()).map_or(String::new(), |(lo, hi)| format!(", owed {lo} to {hi}"));
            return Some(format!("test {} is called OK with {result}{bounds}", t.id));
        }
        let is_sealed = self.content_sha256 == self.clone().sealed().content_sha256;
        (!is_sealed).then(|| "`content_sha256` is not that of its content, which was changed".to_owned())
    }
}

/// How many tests got which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictCounts {
    /// All.
    pub tests: usize,
    /// OK.
    pub ok: usize,
    /// KO.
    pub ko: usize,
    /// UNCERTAIN.
    pub uncertain: usize,
    /// Without a verdict.
    pub none: usize,
}

impl VerdictCounts {
    /// Of these tests.
    fn of<'a>(tests: impl Iterator<Item = &'a TestResult>) -> Self {
        let mut counts = VerdictCounts::default();
        for test in tests {
            counts.tests += 1;
            *match test.verdict {
                VerdictWord::Ok => &mut counts.ok,
                VerdictWord::Ko => &mut counts.ko,
                VerdictWord::None => &mut counts.none,
                // No implementation is probably wrong.
                VerdictWord::Uncertain | VerdictWord::Probable => &mut counts.uncertain,
            } += 1;
        }
        counts
    }
}

impl AddAssign for VerdictCounts {
    fn add_assign(&mut self, more: Self) {
        let VerdictCounts { tests, ok, ko, uncertain, none } = more;
        self.tests += tests;
        self.ok += ok;
        self.ko += ko;
        self.uncertain += uncertain;
        self.none += none;
    }
}

/// Verdicts of tests that are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unlisted {
    /// At inputs of the domain.
    pub counts: VerdictCounts,
    /// At inputs outside of it.
    pub robustness: VerdictCounts,
}

impl fmt::Display for VerdictCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let VerdictCounts { tests, ok, ko, uncertain, none } = self;
        write!(f, "{tests} tests: {ok} OK, {ko} KO, {uncertain} UNCERTAIN, {none} without a verdict")
    }
}

/// What could not be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Broken {
    /// The test at which it happened, if at one.
    pub test: Option<String>,
    /// Why.
    pub reason: String,
}

/// A wrong version of the specification that the results fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cause {
    /// The mutation operator that makes such a mistake, if one does.
    pub class: Option<MutationOperator>,
    /// What the results match, as a part of a sentence.
    pub matches: String,
    /// The failures that agree.
    pub failures: usize,
    /// Of how many that were compared.
    pub of_failures: usize,
    /// The results that agree.
    pub results: usize,
    /// Of how many that were compared.
    pub of_results: usize,
    /// The mutants that this is.
    pub mutants: Vec<String>,
}

/// What an implementation did at a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestResult {
    /// The test's id.
    pub id: String,
    /// The exact inputs by name.
    pub inputs: Fields<String>,
    /// The same in decimal.
    pub inputs_dec: Fields<String>,
    /// Whether the input is outside the domain.
    pub robustness: bool,
    /// The verdict.
    pub verdict: VerdictWord,
    /// What came back: `result`, `reject`, `crash`, `hang`, `unreadable` or `missing`.
    pub answer: String,
    /// The result.
    pub result: Option<String>,
    /// The same in decimal.
    pub result_dec: Option<String>,
    /// The smallest right result.
    pub lo: Option<String>,
    /// The largest right result.
    pub hi: Option<String>,
    /// The value of the result format nearest to f; outside the domain the response that is owed.
    pub expected: Option<String>,
    /// How far the result is off, in units of the error bound.
    pub error_in_bounds: Option<String>,
    /// How far the result is off, in units in the last place.
    pub error_in_ulps: Option<String>,
    /// Why the verdict is what it is.
    pub reason: String,
}

impl TestResult {
    /// Whether it is called OK inside the domain, where its own row says that it is not: nothing came back, or a result that
    /// is not between `lo` and `hi`.
    fn is_wrongly_ok(&self) -> bool {
        let number = |text: &Option<String>| text.as_deref().and_then(from_hex);
        if self.robustness || self.verdict != VerdictWord::Ok {
            return false;
        }
        match (number(&self.result), number(&self.lo), number(&self.hi)) {
            (Some(y), Some(lo), Some(hi)) => !(lo <= y && y <= hi),
            (Some(_), ..) => false,
            (None, ..) => true,
        }
    }
}
