//! Reading back what a run wrote.

use super::explain::{Outcome, Rank};
use super::manifest::hash;
use super::resume::from_hex;
use crate::spec::Spec;
use crate::suite::Status;
use serde_json::Value;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What became of a mutant, from the files of a run.
///
/// # Errors
/// A sentence that says what is missing or does not fit.
pub fn outcome(dir: &Path, spec: &Spec, source: &[u8], id: &str) -> Result<Outcome, String> {
    let folder = folder(dir, spec)?;
    let manifest = read_versioned(&folder.join("manifest.json"), "magneto/manifest/1")?;
    let there = manifest["specification"]["sha256"].as_str().unwrap_or_default();
    if there != hash(source) {
        return Err(format!("{} is about another version of {}", folder.display(), spec.source_file));
    }
    let path = folder.join("mutants.json");
    let mutants = read_versioned(&path, "magneto/mutants/1")?;
    let rows = mutants["mutants"].as_array().map_or(&[][..], Vec::as_slice);
    let mutant = rows.iter().find(|m| m["id"].as_str() == Some(id));
    let mutant =
        mutant.ok_or_else(|| format!("{} has no mutant {id}: it was a run with other options", path.display()))?;
    let text = |key: &str| mutant[key].as_str().map(str::to_owned);
    let killers = mutant["killed_by"].as_array().map_or(&[][..], Vec::as_slice);
    let tests = read_tests(&folder)?;
    let tests = tests["tests"].as_array().map_or(&[][..], Vec::as_slice);
    let input = |killer: &Value| {
        let test = tests.iter().find(|t| t["id"] == *killer)?;
        let x = spec.inputs.iter().map(|i| from_hex(test["inputs"][&i.name].as_str()?)).collect::<Option<Vec<_>>>()?;
        Some((killer.as_str()?.to_owned(), x))
    };
    let found: Option<Vec<_>> = killers.iter().map(input).collect();
    Ok(Outcome {
        status: text("status").unwrap_or_default(),
        tests: found.ok_or_else(|| format!("{} lacks a test that kills {id}", folder.display()))?,
        alone: false,
        margin: text("margin"),
        proof: text("proof"),
        reason: text("reason"),
        same_as: text("same_as"),
        rank: rank(mutant, rows),
        cost: mutant["search"]["boxes"].as_u64().zip(mutant["search"]["points"].as_u64()),
    })
}

/// Where a killed mutant stands among those of its run, if the run says so: earlier versions did not.
fn rank(mutant: &Value, rows: &[Value]) -> Option<Rank> {
    let by = mutant.get("subsumed_by").filter(|_| mutant["status"] == Status::Killed.name())?;
    Some(match by.as_str() {
        Some(id) => Rank::SubsumedBy(id.to_owned()),
        None => Rank::Minimal(rows.iter().filter(|m| m["subsumed_by"] == mutant["id"]).count()),
    })
}

/// The test file that an argument means: of a run's output folder the `tests.csv` of the specification, otherwise the
/// path itself. With it, whether the run was on another version of the specification's file.
///
/// # Errors
/// A sentence that says why the folder holds no tests of `spec`.
pub fn test_file(path: &Path, spec: &Spec, source: &[u8]) -> Result<(PathBuf, bool), String> {
    if !path.is_dir() {
        return Ok((path.to_owned(), false));
    }
    let folder = folder(path, spec)?;
    let manifest = read_versioned(&folder.join("manifest.json"), "magneto/manifest/1")?;
    let name = manifest["specification"]["name"].as_str().unwrap_or_default();
    if name != spec.name {
        return Err(format!("{} is about `{name}`, not `{}`", folder.display(), spec.name));
    }
    let there = manifest["specification"]["sha256"].as_str().unwrap_or_default();
    Ok((folder.join("tests.csv"), there != hash(source)))
}

/// The folder of a specification in a run's output.
fn folder(dir: &Path, spec: &Spec) -> Result<PathBuf, String> {
    let summary = dir.join("summary.json");
    let document = parse(&summary)?;
    if document["schema"] == "magneto/summary/1" {
        return Ok(dir.to_owned());
    }
    let parts = document["specifications"].as_array().map_or(&[][..], Vec::as_slice);
    let part = parts.iter().find(|p| p["specification"] == spec.name.as_str());
    let folder = part.and_then(|p| p["folder"].as_str());
    folder.map(|f| dir.join(f)).ok_or_else(|| format!("{} says nothing of `{}`", summary.display(), spec.name))
}

/// The folders of a run's output: its own, or one for each specification.
pub(super) fn folders(dir: &Path) -> Result<Vec<PathBuf>, String> {
    let summary = dir.join("summary.json");
    let document = parse(&summary)?;
    if document["schema"] == "magneto/summary/1" {
        return Ok(vec![dir.to_owned()]);
    }
    let parts = document["specifications"].as_array().map_or(&[][..], Vec::as_slice);
    let folders: Vec<PathBuf> = parts.iter().filter_map(|p| p["folder"].as_str()).map(|f| dir.join(f)).collect();
    if folders.is_empty() { Err(format!("{} names no specification", summary.display())) } else { Ok(folders) }
}

/// `tests.json` of a folder. Version 1 had no reasons.
pub(super) fn read_tests(folder: &Path) -> Result<Value, String> {
    let path = folder.join("tests.json");
    read_versioned(&path, "magneto/tests/2").or_else(|e| read_versioned(&path, "magneto/tests/1").map_err(|_| e))
}

/// A document with its schema.
pub(super) fn read_versioned(path: &Path, schema: &str) -> Result<Value, String> {
    let document = parse(path)?;
    if document["schema"] == schema {
        Ok(document)
    } else {
        let shown = path.display().to_string();
        Err(format!("{shown} does not have the schema `{schema}`; run `magneto {}` again", writer(&shown)))
    }
}

fn parse(path: &Path) -> Result<Value, String> {
    let bytes = std::fs::read(path).map_err(|e| match e.kind() {
        ErrorKind::NotFound => {
            format!("cannot read {}: there is no such file; run `magneto gen` first", path.display())
        }
        _ => format!("cannot read {}: {e}", path.display()),
    })?;
    serde_json::from_slice(&bytes).map_err(|e| damaged(&path.display().to_string(), &e))
}

/// The command that writes a file of a run's folder.
fn writer(file: &str) -> &'static str {
    if file.ends_with("check.json") { "check" } else { "gen" }
}

/// What is wrong with a file of a run that is not what a run writes, with the place.
pub(super) fn damaged(file: &str, e: &serde_json::Error) -> String {
    let said = e.to_string();
    let why = said.rsplit_once(" at line ").map_or(said.as_str(), |(why, _)| why);
    // Some errors are found in a document that was read before, and have no place.
    let place = if e.line() == 0 { String::new() } else { format!(":{}:{}", e.line(), e.column()) };
    format!("{file}{place}: the file is damaged: {why}; run `magneto {}` again", writer(file))
}
