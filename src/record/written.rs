//! What a run writes about one specification, and what it tells of it at its end. The files may be in memory, or be files
//! of a cache that are given a second name.

use super::manifest::hash;
use super::mutants::{MutantRow, Mutants};
use super::store::Content;
use super::{Fields, Manifest, Overview, Part, Summary, json};
use crate::suite::{Counts, Standing};
use crate::threads::Threads;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// What is told of a specification at the end of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Told {
    /// `summary.json`.
    pub summary: Summary,
    /// Its mutants.
    pub counts: Counts,
    /// Mutants that are the same function as an earlier one.
    pub repeated: usize,
    /// The first undecided mutants, [`Told::NAMED`] at most.
    pub undecided: Vec<MutantRow>,
}

impl Told {
    /// The most undecided mutants that are named.
    pub const NAMED: usize = 5;

    /// Of what is written down.
    #[must_use]
    pub fn new(summary: &Summary, mutants: &Mutants) -> Self {
        let all = &mutants.mutants;
        let undecided = all.iter().filter(|m| m.status == Some(Standing::Undecided));
        Told {
            summary: summary.clone(),
            counts: mutants.counts(),
            repeated: all.iter().filter(|m| m.same_as.is_some()).count(),
            undecided: undecided.take(Told::NAMED).cloned().collect(),
        }
    }
}

/// What one file is to hold.
#[derive(Clone, Debug)]
pub enum Held {
    /// These bytes.
    Bytes(Vec<u8>),
    /// What this file holds, which may have a second name.
    File(PathBuf),
    /// What this file holds, which is another user's: who may change it at any time.
    Foreign(PathBuf),
}

impl Content for Held {
    fn file(&self) -> Option<&Path> {
        if let Held::File(path) = self { Some(path) } else { None }
    }

    fn bytes(&self) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Held::Bytes(bytes) => Ok(Cow::Borrowed(bytes)),
            Held::File(path) | Held::Foreign(path) => std::fs::read(path).map(Cow::Owned),
        }
    }
}

/// A file with its hash.
#[derive(Clone, Debug)]
pub struct Filed {
    /// What it holds.
    pub held: Held,
    /// The SHA-256 of that.
    pub sha256: String,
}

impl From<Vec<u8>> for Filed {
    fn from(bytes: Vec<u8>) -> Self {
        Filed { sha256: hash(&bytes), held: Held::Bytes(bytes) }
    }
}

/// All that a run has of one specification at its end.
#[derive(Clone, Debug)]
pub struct Written {
    /// What is told of it.
    pub told: Told,
    /// The files by name, `manifest.json` the last.
    pub(super) files: Vec<(String, Filed)>,
}

/// The name of the file that has the hashes of the others.
pub(super) const MANIFEST: &str = "manifest.json";

impl Written {
    /// Of what is written down.
    #[must_use]
    pub fn new(part: &Part, threads: &Threads) -> Self {
        let files = part.contents(threads, Filed::from).into_iter().map(|(name, filed)| (name.to_owned(), filed));
        Written::with_manifest(Told::new(&part.summary, &part.mutants), &part.manifest, files.collect())
    }

    /// Adds the manifest, with the hashes of all other files.
    pub(super) fn with_manifest(told: Told, manifest: &Manifest, mut files: Vec<(String, Filed)>) -> Self {
        let hashes = files.iter().map(|(name, filed)| (name.clone(), filed.sha256.clone())).collect();
        let manifest = Manifest { files: Fields(hashes), ..manifest.clone() };
        files.push((MANIFEST.to_owned(), json::document(&manifest).into()));
        Written { told, files }
    }
}

/// The files of a run by path.
pub type RunFiles = BTreeMap<String, Held>;

/// A run over some specifications.
#[derive(Debug)]
pub struct WrittenRun {
    /// What is said of all together.
    pub overview: Overview,
    /// All files.
    pub files: RunFiles,
    /// What is told of each, with its folder.
    pub told: Vec<(String, Told)>,
}

/// Puts the parts of a run together. Each has its folder, which is empty if there is but one specification; then the run has
/// no overview of its own among the files.
#[must_use]
pub fn run(parts: Vec<(String, Written)>, interrupted: bool) -> WrittenRun {
    let (mut files, mut told, mut manifests) = (RunFiles::new(), Vec::new(), Vec::new());
    for (folder, part) in parts {
        for (name, filed) in part.files {
            if name == MANIFEST {
                manifests.push(filed.sha256);
            }
            files.insert(if folder.is_empty() { name } else { format!("{folder}/{name}") }, filed.held);
        }
        told.push((folder, part.told));
    }
    let mut overview = Overview { interrupted, ..Overview::new(&told) };
    overview.specifications.iter_mut().zip(manifests).for_each(|(entry, hash)| entry.manifest = hash);
    if told.iter().all(|(folder, _)| !folder.is_empty()) {
        files.insert("summary.json".to_owned(), Held::Bytes(json::document(&overview)));
    }
    WrittenRun { overview, files, told }
}
