//! `verify.json`: what the independent checker said of a run, written by it on request (`magneto verify --keep`).

use super::Document;
use super::manifest::hash;
use super::read::{ReadError, document};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path};

/// The file of it, beside the run.
pub const FILE: &str = "verify.json";
/// The checker's word for a claim that it proved again.
pub const VERIFIED: &str = "verified";
/// The checker's word for a claim that is false.
pub const REFUTED: &str = "REFUTED";

/// `verify.json`, and what `magneto verify --json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// How many claims are proved again.
    pub verified: u64,
    /// How many are not settled within the checker's limits.
    #[serde(rename = "not verified")]
    pub not_verified: u64,
    /// How many are false.
    #[serde(rename = "REFUTED")]
    pub refuted: u64,
    /// Folders whose manifest is not the one of the run.
    pub wrong_manifests: Vec<String>,
    /// Each specification, and each document that could not be checked.
    pub specifications: Vec<VerifiedSpecification>,
    /// The file that stands for the folder: of a run its manifest, or of several specifications its summary; else the first
    /// document. In files alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<VerifiedFile>,
    /// The documents of `check`, `worst`, `eval`, `cover`, `reach` and `solve` that were checked with it. In files alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<VerifiedFile>,
}

/// A file that the checker read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerifiedFile {
    /// Its name, in the folder of the run its path.
    pub file: String,
    /// SHA-256 of it.
    pub sha256: String,
    /// Of a document, under which name its claims stand. In files of this version alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specification: Option<String>,
}

/// What the checker said of one specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerifiedSpecification {
    /// The name of its folder.
    pub specification: String,
    /// How many claims of a kind got which verdict.
    pub counts: Vec<VerifiedKind>,
    /// Each claim that is not verified.
    pub not_verified: Vec<UnverifiedClaim>,
}

/// Claims of one kind with one verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerifiedKind {
    /// The kind, in words: `oracle`, `kill`, `check: verdict`.
    pub kind: String,
    /// `verified`, `not verified` or `REFUTED`.
    pub verdict: String,
    /// How many.
    pub claims: u64,
}

/// A claim that the checker did not prove.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnverifiedClaim {
    /// Its kind.
    pub kind: String,
    /// The test, the mutant or both that it is about.
    pub subject: String,
    /// `not verified` or `REFUTED`.
    pub verdict: String,
    /// The limit that was reached, or what is wrong, with the input.
    pub why: String,
}

impl Document for Verification {
    const SCHEMA: &'static str = "magneto/verify/1";
    const WRITER: &'static str = "verify --keep";
}

impl Verification {
    /// What the checker said of a document that it read: its file, and the part of the claims in which those of it are.
    #[must_use]
    pub fn of_document(
        &self,
        is_it: impl Fn(&VerifiedFile) -> bool,
    ) -> Option<(&VerifiedFile, &VerifiedSpecification)> {
        let file = self.about.iter().chain(&self.evidence).find(|f| is_it(f))?;
        let part = self.specifications.iter().find(|s| Some(&s.specification) == file.specification.as_ref())?;
        Some((file, part))
    }
}

/// What the checker said of the run in a folder; none where it was not asked, or was asked of another run or of other documents than
/// those that stand there.
///
/// # Errors
/// The file is damaged or has another schema.
pub fn of_folder(folder: &Path) -> Result<Option<Verification>, ReadError> {
    let file = folder.join(FILE);
    if !file.is_file() {
        return Ok(None);
    }
    let found: Verification = document(&file)?;
    // Nothing outside the folder is read.
    let is_below = |f: &VerifiedFile| Path::new(&f.file).components().all(|c| matches!(c, Component::Normal(_)));
    let here = |f: &VerifiedFile| is_below(f).then(|| folder.join(&f.file));
    let is_same = |f: &VerifiedFile| {
        let bytes = here(f).and_then(|path| std::fs::read(path).ok());
        bytes.is_some_and(|bytes| hash(&bytes) == f.sha256)
    };
    let is_elsewhere = |f: &VerifiedFile| here(f).is_none_or(|path| !path.exists());
    let is_of_this = found.about.as_ref().is_some_and(is_same);
    let is_current = found.evidence.iter().all(|f| is_elsewhere(f) || is_same(f));
    Ok(Some(found).filter(|_| is_of_this && is_current))
}
