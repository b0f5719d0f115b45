//! Reading back what commands wrote.

use super::check::Check;
use super::cover::{CoveredFunction, CoveredFunctions};
use super::json::{self, Unread};
use super::manifest::hash;
use super::mutants::Mutants;
use super::store::{self, is_check};
use super::tests::Tests;
use super::worst::Worst;
use super::{Document, Manifest, Matrix, Overview, Part, Summary};
use crate::spec::Spec;
use crate::text::line_column;
use crate::unfit::Unfit;
use serde::de::DeserializeOwned;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Why something cannot be read from a run's folder.
#[derive(Debug)]
pub enum ReadError {
    /// The operating system does not give the file.
    File(PathBuf, std::io::Error),
    /// The file is not what the command writes.
    Damaged {
        /// The file.
        file: PathBuf,
        /// Line and column, where that is known.
        place: Option<(usize, usize)>,
        /// What is wrong.
        why: String,
        /// The command that writes it.
        writer: &'static str,
    },
    /// The file has another schema, or another version of it.
    Schema {
        /// The file.
        file: PathBuf,
        /// The schema that it should have.
        schema: &'static str,
        /// The command that writes it.
        writer: &'static str,
    },
    /// Files are not of the run that the manifest, or the overview of several, describes.
    Mixed {
        /// The files.
        files: Vec<PathBuf>,
        /// What they do not fit.
        to: PathBuf,
    },
    /// Files do not fit each other or what is asked for: a sentence.
    Misfit(String),
}

impl ReadError {
    /// Whether the message says itself what to do.
    #[must_use]
    pub fn has_remedy(&self) -> bool {
        match self {
            ReadError::File(_, e) => e.kind() == ErrorKind::NotFound,
            ReadError::Damaged { .. } | ReadError::Schema { .. } | ReadError::Mixed { .. } => true,
            ReadError::Misfit(why) => why.contains("run `magneto "),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::File(file, e) if e.kind() == ErrorKind::NotFound => {
                write!(f, "cannot read {}: there is no such file; run `magneto gen` first", file.display())
            }
            ReadError::File(file, e) => write!(f, "cannot read {}: {e}", file.display()),
            ReadError::Damaged { file, place, why, writer } => {
                let place = place.map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
                write!(f, "{}{place}: the file is damaged: {why}; run `magneto {writer}` again", file.display())
            }
            ReadError::Schema { file, schema, writer } => {
                write!(f, "{} does not have the schema `{schema}`; run `magneto {writer}` again", file.display())
            }
            ReadError::Mixed { files, to } => {
                let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
                let are = if names.len() == 1 { "is" } else { "are" };
                write!(
                    f,
                    "{} {are} not of the run that {} describes: changed, or left by a run that did not come to its end; run \
                     `magneto gen` again",
                    names.join(", "),
                    to.display()
                )
            }
            ReadError::Misfit(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ReadError {}

fn bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    std::fs::read(path).map_err(|e| ReadError::File(path.to_owned(), e))
}

/// A document of a folder.
///
/// # Errors
/// It is not there, damaged, or has another schema.
pub fn document<D: Document + DeserializeOwned>(path: &Path) -> Result<D, ReadError> {
    parsed(path, &bytes(path)?)
}

fn parsed<D: Document + DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<D, ReadError> {
    json::read(bytes).map_err(|e| match e {
        Unread::Damaged(e) => damaged(path, &e, D::WRITER),
        Unread::Schema(_) => ReadError::Schema { file: path.to_owned(), schema: D::SCHEMA, writer: D::WRITER },
    })
}

/// What is wrong with a file, with the place.
fn damaged(file: &Path, e: &serde_json::Error, writer: &'static str) -> ReadError {
    let said = e.to_string();
    let why = said.rsplit_once(" at line ").map_or(said.as_str(), |(why, _)| why).to_owned();
    let place = (e.line() > 0).then(|| (e.line(), e.column()));
    ReadError::Damaged { file: file.to_owned(), place, why, writer }
}

/// The manifest of a folder whose files are of one run.
///
/// # Errors
/// The manifest cannot be read, or another file is not the one that it names.
pub fn manifest(folder: &Path) -> Result<Manifest, ReadError> {
    let path = folder.join("manifest.json");
    let manifest: Manifest = document(&path)?;
    let mut mixed = Vec::new();
    for (name, expected) in &manifest.files.0 {
        let file = folder.join(name);
        match std::fs::read(&file) {
            Ok(bytes) if hash(&bytes) == *expected => {}
            Ok(bytes) => {
                // Half a document says itself where it ends.
                if name.ends_with(".json") {
                    serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).map_err(|e| damaged(&file, &e, "gen"))?;
                }
                mixed.push(file);
            }
            Err(e) if e.kind() == ErrorKind::NotFound => mixed.push(file),
            Err(e) => return Err(ReadError::File(file, e)),
        }
    }
    if mixed.is_empty() { Ok(manifest) } else { Err(ReadError::Mixed { files: mixed, to: path }) }
}

/// The folders of a run: relative to its own, empty where it has one specification.
///
/// # Errors
/// The summary is not there, damaged, or names no specification; or a folder is not of the run.
pub fn folders(dir: &Path) -> Result<Vec<String>, ReadError> {
    let path = dir.join("summary.json");
    let bytes = bytes(&path)?;
    match parsed::<Summary>(&path, &bytes) {
        Ok(_) => return Ok(vec![String::new()]),
        Err(ReadError::Schema { .. }) => {}
        Err(e) => return Err(e),
    }
    let overview: Overview = parsed(&path, &bytes)?;
    if overview.specifications.is_empty() {
        return Err(ReadError::Misfit(format!("{} names no specification", path.display())));
    }
    let mut mixed = Vec::new();
    for entry in &overview.specifications {
        // A name, no path: what is read and written stays in the folder.
        let mut parts = Path::new(&entry.folder).components();
        if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
            let why = format!("`{}` is not the name of a folder", entry.folder);
            return Err(ReadError::Damaged { file: path, place: None, why, writer: "gen" });
        }
        let manifest = dir.join(&entry.folder).join("manifest.json");
        if std::fs::read(&manifest).map(|bytes| hash(&bytes)).ok().as_ref() != Some(&entry.manifest) {
            mixed.push(manifest);
        }
    }
    if !mixed.is_empty() {
        return Err(ReadError::Mixed { files: mixed, to: path });
    }
    Ok(overview.specifications.into_iter().map(|e| e.folder).collect())
}

/// Whether a run was stopped before its end, so that specifications may be missing.
///
/// # Errors
/// The summary is not there or damaged.
pub fn is_interrupted(dir: &Path) -> Result<bool, ReadError> {
    let path = dir.join("summary.json");
    let bytes = bytes(&path)?;
    match parsed::<Summary>(&path, &bytes) {
        Ok(one) => Ok(one.interrupted),
        Err(ReadError::Schema { .. }) => parsed::<Overview>(&path, &bytes).map(|all| all.interrupted),
        Err(e) => Err(e),
    }
}

/// The folder of a specification in a run's output, with its manifest. `source` is the text of its file: of the same text
/// the same FPCore is meant, whatever others are called.
///
/// # Errors
/// There is none, or there are several.
pub fn folder(dir: &Path, spec: &Spec, source: &[u8]) -> Result<(PathBuf, Manifest), ReadError> {
    let all = folders(dir)?.into_iter().map(|inside| {
        let folder = if inside.is_empty() { dir.to_owned() } else { dir.join(inside) };
        manifest(&folder).map(|m| (folder, m))
    });
    let all = all.collect::<Result<Vec<_>, _>>()?;
    let sha256 = hash(source);
    let place = line_column(source, spec.core.span.start);
    let same_file = |m: &Manifest| m.specification.sha256 == sha256;
    let same_core = |m: &Manifest| same_file(m) && (m.specification.line, m.specification.column) == place;
    // The very FPCore; else, where the file has changed, the one of that name.
    let exact = all.iter().position(|(_, m)| same_core(m) && m.specification.name == spec.name);
    let named: Vec<usize> =
        (0..all.len()).filter(|k| !same_file(&all[*k].1) && all[*k].1.specification.name == spec.name).collect();
    let found = match (exact, &named[..]) {
        (Some(k), _) => Some(k),
        (None, [one]) => Some(*one),
        (None, []) => None,
        (None, several) => {
            let folders: Vec<String> = several.iter().map(|k| all[*k].0.display().to_string()).collect();
            let (n, list) = (folders.len(), folders.join(" or "));
            return Err(ReadError::Misfit(format!("{n} specifications there are called `{}`: name {list}", spec.name)));
        }
    };
    let there: Vec<String> = all.iter().map(|(_, m)| m.specification.name.clone()).collect();
    match found.and_then(|k| all.into_iter().nth(k)) {
        Some(found) => Ok(found),
        None if there.contains(&spec.name) => Err(ReadError::Misfit(format!(
            "{} is about another FPCore that is called `{}`: run `magneto gen` on this one",
            dir.display(),
            spec.name
        ))),
        None if there.len() == 1 => {
            Err(ReadError::Misfit(format!("{} is about `{}`, not `{}`", dir.display(), there[0], spec.name)))
        }
        None => {
            Err(ReadError::Misfit(format!("{} says nothing of `{}`", dir.join("summary.json").display(), spec.name)))
        }
    }
}

/// The test file that an argument means: of a run's output folder the `tests.csv` of the specification, of a folder that
/// has only what a search for the worst input or for branches wrote that one's `worst.csv` or `tests.csv`, otherwise the path
/// itself. With it, whether it
/// was on another version of the specification's file.
///
/// # Errors
/// A sentence that says why the folder holds no tests of `spec`.
pub fn test_file(path: &Path, spec: &Spec, source: &[u8]) -> Result<(PathBuf, bool), ReadError> {
    if !path.is_dir() {
        return Ok((path.to_owned(), false));
    }
    if let Some(worst) = worst(path)? {
        return Ok((path.join("worst.csv"), worst.sha256 != hash(source)));
    }
    if path.join("cover.json").is_file() && !path.join("summary.json").exists() {
        let judging = document::<CoveredFunction>(&path.join("cover.json")).ok().and_then(|c| c.judging);
        let is_other = judging.is_some_and(|j| !j.sha256.is_empty() && j.sha256 != hash(source));
        return Ok((path.join("tests.csv"), is_other));
    }
    let (folder, manifest) = folder(path, spec, source)?;
    Ok((folder.join("tests.csv"), manifest.specification.sha256 != hash(source)))
}

/// What `cover` found for the functions of a folder, with the folder of each in it; none where there is no `cover.json`,
/// or the folder is one of `gen`.
///
/// # Errors
/// It is damaged, or has another schema.
pub fn covered(folder: &Path) -> Result<Option<Vec<(String, CoveredFunction)>>, ReadError> {
    let path = folder.join("cover.json");
    if !path.is_file() || folder.join("summary.json").exists() {
        return Ok(None);
    }
    match document::<CoveredFunctions>(&path) {
        Ok(run) => {
            let folders = store::folders(run.functions.iter().map(|f| f.0.function.as_str()));
            Ok(Some(folders.into_iter().zip(run.functions.into_iter().map(|f| f.0)).collect()))
        }
        Err(ReadError::Schema { .. }) => Ok(Some(vec![(String::new(), document(&path)?)])),
        Err(e) => Err(e),
    }
}

/// The checks of a folder, with their files: `check.json`, and of several implementations `check-NAME.json` in the order of
/// their names.
///
/// # Errors
/// One is damaged, has another schema, or does not agree with itself.
pub fn checks(folder: &Path) -> Result<Vec<(PathBuf, Check)>, ReadError> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|n| is_check(n) && n.ends_with(".json")).collect();
    names.sort();
    let read = |name: String| {
        let file = folder.join(name);
        check(&file).map(|found| (file, found))
    };
    names.into_iter().map(read).collect()
}

/// What an implementation did at tests.
///
/// # Errors
/// The file is damaged, has another schema, or does not agree with itself.
pub fn check(file: &Path) -> Result<Check, ReadError> {
    let check: Check = document(file)?;
    match check.disagreement() {
        Some(why) => Err(ReadError::Damaged { file: file.to_owned(), place: None, why, writer: Check::WRITER }),
        None => Ok(check),
    }
}

/// `worst.json` of a folder that is no run's, if it is there.
///
/// # Errors
/// It is damaged, or has another schema.
pub fn worst(folder: &Path) -> Result<Option<Worst>, ReadError> {
    let path = folder.join("worst.json");
    if path.is_file() && !folder.join("summary.json").exists() { document(&path).map(Some) } else { Ok(None) }
}

impl Part {
    /// Reads the folder of one specification, and sees to it that its files fit each other.
    ///
    /// # Errors
    /// What is missing, damaged, or does not fit.
    pub fn read(folder: &Path) -> Result<Self, ReadError> {
        let manifest = manifest(folder)?;
        let source = bytes(&folder.join("source.fpcore"))?;
        if hash(&source) != manifest.specification.sha256 {
            let why = format!("{} is not the file that the run was made from", folder.join("source.fpcore").display());
            return Err(ReadError::Misfit(why));
        }
        let tests: Tests = document(&folder.join("tests.json"))?;
        let mutants: Mutants = document(&folder.join("mutants.json"))?;
        let at = folder.join("matrix.csv");
        let matrix = Matrix::read(&bytes(&at)?, mutants.mutants.len(), mutants.is_large());
        let damaged =
            |why: Unfit| ReadError::Damaged { file: at.clone(), place: None, why: why.to_string(), writer: "gen" };
        let matrix = matrix.map_err(damaged)?;
        let summary = document(&folder.join("summary.json"))?;
        let part = Part { manifest, source, matrix, summary, tests, mutants };
        if !part.matrix.tests.iter().eq(part.tests.tests.iter().map(|t| &t.id)) {
            return Err(ReadError::Misfit(format!("{} is not about the tests of tests.json", at.display())));
        }
        Ok(part)
    }
}
