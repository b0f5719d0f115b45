//! `checks.json`: several implementations, each with what became of it.

use super::check::{Check, VerdictCounts};
use super::{Document, Provenance};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `checks.json`, and what `magneto check --json` prints of several implementations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Checks {
    /// What made it.
    #[serde(flatten)]
    pub made: Provenance,
    /// The exit code: of the worst.
    pub exit: u8,
    /// The implementations, in the order of their specifications.
    pub implementations: Vec<CheckedImplementation>,
}

/// An implementation of a specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedImplementation {
    /// The name of the specification.
    pub specification: String,
    /// The requirement that it answers to.
    pub requirement: Option<String>,
    /// What the implementation is called.
    pub implementation: String,
    /// The file of its own document, from the folder of this one; none where no files are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The exit code of its check.
    pub exit: u8,
    /// Verdicts at inputs of the domain.
    pub counts: VerdictCounts,
    /// Verdicts at inputs outside of it.
    pub robustness: VerdictCounts,
    /// Why it could not be run, if it could not.
    pub broken: Option<String>,
    /// SHA-256 of the content of its own document.
    pub content_sha256: String,
}

impl Document for Checks {
    const SCHEMA: &'static str = "magneto/checks/1";
    const WRITER: &'static str = "check";
}

impl Checks {
    /// The overview of some checks that ends with an exit code; each has its document's file beside it.
    #[must_use]
    pub fn new(checks: &[Check], documents: &[Option<String>], exit: u8) -> Self {
        let one = |(c, document): (&Check, &Option<String>)| CheckedImplementation {
            specification: c.specification.clone(),
            requirement: c.requirement.clone(),
            implementation: c.label().to_owned(),
            document: document.clone(),
            exit: c.exit,
            counts: c.counts,
            robustness: c.robustness,
            broken: c.broken.as_ref().map(|b| b.reason.clone()),
            content_sha256: c.clone().sealed().content_sha256,
        };
        Checks { made: Provenance::here(), exit, implementations: checks.iter().zip(documents).map(one).collect() }
    }
}
