//! `resume.json`: the formulas that are complete, so that a run that was stopped can go on.

use super::fpbench::FpbenchPlan;
use super::rows::FormulaRow;
use crate::record::continued::Continued;
use crate::record::{Document, Provenance};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `resume.json` of a run.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct FpbenchResume {
    /// What made it.
    #[serde(flatten)]
    made: Provenance,
    /// The command line.
    command: String,
    /// SHA-256 of the formulas' files.
    formulas_sha256: String,
    /// The formulas that are complete.
    rows: Vec<FormulaRow>,
}

impl Document for FpbenchResume {
    const SCHEMA: &'static str = "magneto/bench-fpbench-resume/3";
    const WRITER: &'static str = "bench fpbench";
}

impl Continued for FpbenchResume {
    fn difference(&self, other: &Self, own: &str) -> Option<String> {
        let about = || match self.command == other.command {
            false => Some(format!("is of `{}`, {own} of `{}`", other.command, self.command)),
            true => {
                (self.formulas_sha256 != other.formulas_sha256).then(|| "has other texts of the formulas".to_owned())
            }
        };
        self.made.difference(&other.made, own).or_else(about)
    }
}

impl FpbenchResume {
    /// Of a run of which these formulas are complete.
    #[must_use]
    pub fn new(plan: &FpbenchPlan, rows: &[FormulaRow]) -> Self {
        FpbenchResume {
            made: Provenance::here(),
            command: plan.command(),
            formulas_sha256: plan.formulas_sha256(),
            rows: rows.to_vec(),
        }
    }

    /// The formulas that are complete.
    #[must_use]
    pub fn into_rows(self) -> Vec<FormulaRow> {
        self.rows
    }
}
