//! `resume.json`: the formulas that are complete, so that a run that was stopped can go on.

use super::fpbench::Plan;
use super::rows::Row;
use crate::record::manifest::{COMMIT, VERSION};
use crate::unfit::Unfit;
use serde::{Deserialize, Serialize};

/// The schema, by which a folder of results is known again.
pub const SCHEMA: &str = "magneto/bench-fpbench-resume/2";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: String,
    magneto: String,
    command: String,
    formulas_sha256: String,
    rows: Vec<Row>,
}

fn version() -> String {
    COMMIT.map_or_else(|| VERSION.to_owned(), |c| format!("{VERSION} {c}"))
}

/// The document.
#[must_use]
pub fn text(plan: &Plan, rows: &[Row]) -> Vec<u8> {
    let document = Document {
        schema: SCHEMA.to_owned(),
        magneto: version(),
        command: plan.command(),
        formulas_sha256: plan.formulas_sha256(),
        rows: rows.to_vec(),
    };
    crate::record::json::text(&document)
}

/// The formulas that an earlier run of the same plan completed.
///
/// # Errors
/// A sentence that says why they cannot be used.
pub fn rows(plan: &Plan, text: &[u8]) -> Result<Vec<Row>, Unfit> {
    let document: Document = serde_json::from_slice(text).map_err(|e| format!("it cannot be read: {e}"))?;
    if document.schema != SCHEMA {
        return Err(format!("it has the schema `{}`, not `{SCHEMA}`", document.schema).into());
    }
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
