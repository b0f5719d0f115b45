//! Reading back what commands wrote.

use super::check::Check;
use super::json::{self, Unread};
use super::manifest::hash;
use super::{Document, Manifest, Matrix, Overview, Part, Summary};
use crate::spec::Spec;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Why something cannot be read from a run's folder.
#[derive(Debug)]
pub enum Error {
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
    /// Files do not fit each other or what is asked for: a sentence.
    Misfit(String),
}

impl Error {
    /// Whether the message says itself what to do.
    #[must_use]
    pub fn has_remedy(&self) -> bool {
        match self {
            Error::File(_, e) => e.kind() == ErrorKind::NotFound,
            Error::Damaged { .. } | Error::Schema { .. } => true,
            Error::Misfit(why) => why.contains("run `magneto "),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::File(file, e) if e.kind() == ErrorKind::NotFound => {
                write!(f, "cannot read {}: there is no such file; run `magneto gen` first", file.display())
            }
            Error::File(file, e) => write!(f, "cannot read {}: {e}", file.display()),
            Error::Damaged { file, place, why, writer } => {
                let place = place.map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
                write!(f, "{}{place}: the file is damaged: {why}; run `magneto {writer}` again", file.display())
            }
            Error::Schema { file, schema, writer } => {
                write!(f, "{} does not have the schema `{schema}`; run `magneto {writer}` again", file.display())
            }
            Error::Misfit(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

fn bytes(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|e| Error::File(path.to_owned(), e))
}

/// A document of a folder.
///
/// # Errors
/// It is not there, damaged, or has another schema.
pub fn document<D: Document>(path: &Path) -> Result<D, Error> {
    parsed(path, &bytes(path)?)
}

fn parsed<D: Document>(path: &Path, bytes: &[u8]) -> Result<D, Error> {
    json::read(bytes).map_err(|e| match e {
        Unread::Damaged(e) => damaged(path, &e, D::WRITER),
        Unread::Schema(_) => Error::Schema { file: path.to_owned(), schema: D::SCHEMA, writer: D::WRITER },
    })
}

/// What is wrong with a file, with the place.
fn damaged(file: &Path, e: &serde_json::Error, writer: &'static str) -> Error {
    let said = e.to_string();
    let why = said.rsplit_once(" at line ").map_or(said.as_str(), |(why, _)| why).to_owned();
    let place = (e.line() > 0).then(|| (e.line(), e.column()));
    Error::Damaged { file: file.to_owned(), place, why, writer }
}

/// The folders of a run: relative to its own, empty where it has one specification.
///
/// # Errors
/// The summary is not there, damaged, or names no specification.
pub fn folders(dir: &Path) -> Result<Vec<String>, Error> {
    Ok(entries(dir)?.into_iter().map(|(folder, _)| folder).collect())
}

/// The folders of a run with the names of their specifications.
fn entries(dir: &Path) -> Result<Vec<(String, String)>, Error> {
    let path = dir.join("summary.json");
    let bytes = bytes(&path)?;
    let wrong_schema = |e: &Error| matches!(e, Error::Schema { .. });
    match parsed::<Summary>(&path, &bytes) {
        Ok(summary) => return Ok(vec![(String::new(), summary.specification)]),
        Err(e) if !wrong_schema(&e) => return Err(e),
        Err(_) => {}
    }
    let overview: Overview = parsed(&path, &bytes)?;
    if overview.specifications.is_empty() {
        return Err(Error::Misfit(format!("{} names no specification", path.display())));
    }
    Ok(overview.specifications.into_iter().map(|e| (e.folder, e.specification)).collect())
}

/// The folder of a specification in a run's output, with its manifest.
///
/// # Errors
/// There is none.
pub fn folder(dir: &Path, spec: &Spec) -> Result<(PathBuf, Manifest), Error> {
    let entries = entries(dir)?;
    let found = entries.iter().find(|(folder, name)| folder.is_empty() || *name == spec.name);
    let (folder, _) = found.ok_or_else(|| {
        Error::Misfit(format!("{} says nothing of `{}`", dir.join("summary.json").display(), spec.name))
    })?;
    let folder = dir.join(folder);
    let manifest = document(&folder.join("manifest.json"))?;
    Ok((folder, manifest))
}

/// The test file that an argument means: of a run's output folder the `tests.csv` of the specification, otherwise the
/// path itself. With it, whether the run was on another version of the specification's file.
///
/// # Errors
/// A sentence that says why the folder holds no tests of `spec`.
pub fn test_file(path: &Path, spec: &Spec, source: &[u8]) -> Result<(PathBuf, bool), Error> {
    if !path.is_dir() {
        return Ok((path.to_owned(), false));
    }
    let (folder, manifest) = folder(path, spec)?;
    let about = &manifest.specification;
    if about.name != spec.name {
        return Err(Error::Misfit(format!("{} is about `{}`, not `{}`", folder.display(), about.name, spec.name)));
    }
    Ok((folder.join("tests.csv"), about.sha256 != hash(source)))
}

/// `check.json` of a folder, if it is there.
///
/// # Errors
/// It is damaged, or has another schema.
pub fn check(folder: &Path) -> Result<Option<Check>, Error> {
    let path = folder.join("check.json");
    if path.is_file() { document(&path).map(Some) } else { Ok(None) }
}

impl Part {
    /// Reads the folder of one specification, and sees to it that its files fit each other.
    ///
    /// # Errors
    /// What is missing, damaged, or does not fit.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let manifest: Manifest = document(&folder.join("manifest.json"))?;
        let at = folder.join("source.fpcore");
        let source = bytes(&at)?;
        if hash(&source) != manifest.specification.sha256 {
            return Err(Error::Misfit(format!("{} is not the file that the run was made from", at.display())));
        }
        let at = folder.join("matrix.csv");
        let matrix = Matrix::read(&bytes(&at)?).map_err(|why| Error::Damaged {
            file: at.clone(),
            place: None,
            why,
            writer: "gen",
        })?;
        let part = Part {
            manifest,
            source,
            matrix,
            summary: document(&folder.join("summary.json"))?,
            tests: document(&folder.join("tests.json"))?,
            mutants: document(&folder.join("mutants.json"))?,
        };
        let misfit = |what: &str| Err(Error::Misfit(format!("{} is not about the {what}", at.display())));
        if !part.matrix.mutants.iter().eq(part.mutants.mutants.iter().map(|m| &m.id)) {
            return misfit("mutants of mutants.json");
        }
        if !part.matrix.tests.iter().eq(part.tests.tests.iter().map(|t| &t.id)) {
            return misfit("tests of tests.json");
        }
        Ok(part)
    }
}
