//! `worsts.json`: searches for the worst inputs of several implementations, each with what it came to.

use super::worst::Worst;
use super::{Document, Provenance};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `worsts.json`, and what `magneto worst --json` prints of several implementations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Worsts {
    /// What made it.
    #[serde(flatten)]
    pub made: Provenance,
    /// The exit code: of the worst.
    pub exit: u8,
    /// The implementations, in the order of their specifications.
    pub implementations: Vec<SearchedImplementation>,
}

/// An implementation of a specification, with the largest error found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchedImplementation {
    /// The name of the specification.
    pub specification: String,
    /// The requirement that it answers to.
    pub requirement: Option<String>,
    /// What the implementation is called.
    pub implementation: String,
    /// The file of its own document, from the folder of this one; none where no files are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The exit code of its search.
    pub exit: u8,
    /// How often it was called.
    pub evaluations: u64,
    /// The largest error found, in units of the bound; none where no result could be judged.
    pub tolerances: Option<String>,
    /// The same in units in the last place of the exact value.
    pub ulps: Option<String>,
    /// How many kinds of answers came that are no finite number.
    pub findings: usize,
    /// Why it could not be run, if it could not.
    pub broken: Option<String>,
}

impl Document for Worsts {
    const SCHEMA: &'static str = "magneto/worsts/1";
    const WRITER: &'static str = "worst";
}

impl Worsts {
    /// The overview of some searches that ends with an exit code; each has its document's file beside it.
    #[must_use]
    pub fn new(searches: &[Worst], documents: &[Option<String>], exit: u8) -> Self {
        let one = |(w, document): (&Worst, &Option<String>)| SearchedImplementation {
            specification: w.specification.clone(),
            requirement: w.requirement.clone(),
            implementation: w.label().to_owned(),
            document: document.clone(),
            exit: w.exit,
            evaluations: w.evaluations,
            tolerances: w.parts.first().map(|p| p.tolerances.clone()),
            ulps: w.parts.first().map(|p| p.ulps.clone()),
            findings: w.findings.len(),
            broken: w.broken.clone(),
        };
        Worsts { made: Provenance::here(), exit, implementations: searches.iter().zip(documents).map(one).collect() }
    }
}
