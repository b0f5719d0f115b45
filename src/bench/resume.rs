//! `resume.json`: the formulas that are complete, so that a run that was stopped can go on.

use super::fpbench::FpbenchPlan;
use super::rows::FormulaRow;
use crate::record::Document;
use crate::record::json::{self, Unread};
use crate::record::manifest::{COMMIT, VERSION};
use crate::unfit::Unfit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `resume.json` of a run.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct FpbenchResume {
    magneto: String,
    command: String,
    formulas_sha256: String,
    rows: Vec<FormulaRow>,
}

impl Document for FpbenchResume {
    const SCHEMA: &'static str = "magneto/bench-fpbench-resume/2";
    const WRITER: &'static str = "bench fpbench";
}

fn version() -> String {
    COMMIT.map_or_else(|| VERSION.to_owned(), |c| format!("{VERSION} {c}"))
}

/// The document.
#[must_use]
pub fn text(plan: &FpbenchPlan, rows: &[FormulaRow]) -> Vec<u8> {
    let document = FpbenchResume {
        magneto: version(),
        command: plan.command(),
        formulas_sha256: plan.formulas_sha256(),
        rows: rows.to_vec(),
    };
    json::document(&document)
}

/// The formulas that an earlier run of the same plan completed.
///
/// # Errors
/// A sentence that says why they cannot be used.
pub fn rows(plan: &FpbenchPlan, text: &[u8]) -> Result<Vec<FormulaRow>, Unfit> {
    let document: FpbenchResume = json::read(text).map_err(|e| match e {
        Unread::Damaged(e) => format!("it cannot be read: {e}"),
        Unread::Schema(there) => format!("it has the schema `{there}`, not `{}`", FpbenchResume::SCHEMA),
    })?;
    if document.magneto != version() {
        return Err(format!("it was written by magneto {}, and this is {}", document.magneto, version()).into());
    }
    if document.command != plan.command() {
        return Err(format!("it is of `{}`, and this is `{}`", document.command, plan.command()).into());
    }
    if document.formulas_sha256 != plan.formulas_sha256() {
        return Err("the formulas have changed since".into());
    }
    Ok(document.rows)
}
