//! `cover.json` as far as tests are made of it: inputs, and what a specification's oracle owes there.

use super::Error;
use super::manifest::{Input, file_name, inputs};
use crate::spec::Spec;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The specification whose oracle judged the inputs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judging {
    /// Its name.
    pub specification: String,
    /// The requirement that it answers to.
    pub requirement: Option<String>,
    /// The name of its file, without folders.
    pub file: String,
    /// The accuracy in words.
    pub accuracy: String,
    /// The inputs in order.
    pub inputs: Vec<Input>,
    /// The floating-point format of results.
    pub result_format: String,
}

impl Judging {
    /// By this specification.
    #[must_use]
    pub fn of(spec: &Spec) -> Self {
        Judging {
            specification: spec.name.clone(),
            requirement: spec.requirement.clone(),
            file: file_name(spec),
            accuracy: spec.accuracy.to_string(),
            inputs: inputs(spec),
            result_format: spec.result_format.name().to_owned(),
        }
    }
}

/// What was found for one function.
#[derive(Clone, Debug, Deserialize)]
pub struct Covering {
    /// The function.
    pub function: String,
    /// The specification, if there was one.
    #[serde(default)]
    pub judging: Option<Judging>,
    /// The inputs.
    pub runs: Vec<Row>,
}

/// An input.
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    /// Its values in order, floats in hexadecimal.
    pub input: Vec<String>,
    /// The branches that it was the first to take.
    pub branches: Vec<usize>,
    /// The branches on which its error is the largest that was found.
    pub worst_of: Vec<usize>,
    /// The smallest and the largest result that are owed; none where no result is.
    #[serde(default)]
    pub owed: Option<[String; 2]>,
}

/// The schema of one function's document.
const ONE: &str = "magneto/cover/1";
/// The schema of that of several functions.
const SEVERAL: &str = "magneto/cover-run/1";

/// What `cover` found for the functions of a folder; none where there is no `cover.json`, or the folder is one of `gen`.
///
/// # Errors
/// It is damaged, or has another schema.
pub fn read(folder: &Path) -> Result<Option<Vec<Covering>>, Error> {
    #[derive(Deserialize)]
    struct Head {
        #[serde(default)]
        schema: String,
        #[serde(default)]
        functions: Vec<Covering>,
    }
    let path = folder.join("cover.json");
    if !path.is_file() || folder.join("summary.json").exists() {
        return Ok(None);
    }
    let bytes = std::fs::read(&path).map_err(|e| Error::File(path.clone(), e))?;
    let damaged = |e: serde_json::Error| Error::Damaged {
        file: path.clone(),
        place: (e.line() > 0).then(|| (e.line(), e.column())),
        why: e.to_string(),
        writer: "cover",
    };
    let head: Head = serde_json::from_slice(&bytes).map_err(damaged)?;
    match head.schema.as_str() {
        ONE => Ok(Some(vec![serde_json::from_slice(&bytes).map_err(damaged)?])),
        SEVERAL => Ok(Some(head.functions)),
        _ => Err(Error::Schema { file: path, schema: ONE, writer: "cover" }),
    }
}
