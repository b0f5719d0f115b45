//! `covers.json`: the branches of several implementations, each with what became of them.

use super::cover::CoveredFunction;
use super::{Document, Provenance};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `covers.json`, and what `magneto cover --json` prints of the implementations of a `magneto.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Covers {
    /// What made it.
    #[serde(flatten)]
    pub made: Provenance,
    /// The exit code: of the worst.
    pub exit: u8,
    /// The implementations, in the order of their specifications.
    pub implementations: Vec<CoveredImplementation>,
}

/// An implementation of a specification, with what became of its branches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoveredImplementation {
    /// The name of the specification.
    pub specification: String,
    /// The requirement that it answers to.
    pub requirement: Option<String>,
    /// What the implementation is called.
    pub implementation: String,
    /// The folder of its files beside this one.
    pub folder: String,
    /// The exit code: 1 where a result is wrong, too few branches are taken or the native program does something else.
    pub exit: u8,
    /// The counts; none where it could not be looked into.
    pub counts: Option<BranchCounts>,
    /// Why it could not be looked into, if it could not.
    pub broken: Option<String>,
}

/// What became of the branches of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BranchCounts {
    /// The function.
    pub function: String,
    /// All branches.
    pub branches: usize,
    /// Those that some input takes.
    pub taken: usize,
    /// Those of which it is proved that no input takes them, whatever the call.
    pub infeasible: usize,
    /// The others.
    pub open: usize,
    /// The share of those taken, those proved infeasible left out: 0 to 1.
    pub coverage: f64,
    /// Inputs with wrong results.
    pub wrong: usize,
}

impl Document for Covers {
    const SCHEMA: &'static str = "magneto/covers/1";
    const WRITER: &'static str = "cover";
}

impl BranchCounts {
    /// Of a function.
    #[must_use]
    pub fn of(f: &CoveredFunction) -> Self {
        BranchCounts {
            function: f.function.clone(),
            branches: f.branches.len(),
            taken: f.taken,
            infeasible: f.infeasible,
            open: f.open + f.infeasible_given,
            coverage: f.coverage(),
            wrong: f.runs.iter().filter(|r| r.verdict.as_deref() == Some("KO")).count(),
        }
    }
}
