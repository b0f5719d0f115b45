//! `solve.json`: what SMT-LIB scripts answer.

use super::Document;
use crate::smt::CheckSat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `solve.json` of one script, and what `magneto solve --json` prints of it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ScriptAnswers {
    /// The file, as it was named.
    #[serde(default)]
    pub file: String,
    /// Every `(check-sat)`, in order.
    pub checks: Vec<CheckSat>,
}

impl Document for ScriptAnswers {
    const SCHEMA: &'static str = "magneto/solve-script/1";
    const WRITER: &'static str = "solve";
}

/// `solve.json` of several scripts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ScriptsAnswers {
    /// The scripts in order.
    pub files: Vec<ScriptFile>,
}

impl Document for ScriptsAnswers {
    const SCHEMA: &'static str = "magneto/solve/1";
    const WRITER: &'static str = "solve";
}

/// One of several scripts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ScriptFile {
    /// The file, as it was named.
    pub file: String,
    /// Every `(check-sat)`, in order.
    pub checks: Vec<CheckSat>,
    /// Why it is no script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
