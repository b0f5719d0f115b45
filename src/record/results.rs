//! What a folder holds that can be shown to people: the documents of commands, found by the names of their files.

use super::check::Check;
use super::checks::Checks;
use super::cover::CoveredFunction;
use super::covers::{BranchCounts, CoveredImplementation, Covers};
use super::evaluation::Evaluation;
use super::reach::{ListedGoal, ListedPaths, Listing};
use super::read::{self, ReadError};
use super::solve::{ScriptAnswers, ScriptFile, ScriptsAnswers};
use super::store::{CHECKS, COVERS, WORSTS, is_worst};
use super::worst::Worst;
use super::worsts::Worsts;
use std::path::{Component, Path};

/// What a command found.
#[derive(Debug)]
pub enum FoundDocument {
    /// A run of `gen`, whose files are read with its folder.
    Run,
    /// What an implementation did at tests.
    Check(Box<Check>),
    /// A search for the worst input.
    Worst(Box<Worst>),
    /// What tests that somebody brought do.
    Evaluation(Box<Evaluation>),
    /// The branches of a function.
    Cover(Box<CoveredFunction>),
    /// One of the implementations of a project, with its branches where it could be looked into.
    Covered(Box<CoveredImplementation>, Option<Box<CoveredFunction>>),
    /// Paths of code, or what became of a goal.
    Reach(Box<Listing>),
    /// What scripts answer.
    Solve(Vec<ScriptFile>),
}

/// A document with its place.
#[derive(Debug)]
pub struct FolderResult {
    /// The folder in the folder that was asked for; empty where it is that one.
    pub folder: String,
    /// The name of its file without the extension.
    pub stem: String,
    /// What it says.
    pub document: FoundDocument,
}

/// The file of what `reach` found.
pub const REACH: &str = "reach.json";

/// All that commands left in a folder: of a run of `gen` its parts, of several implementations each, and what stands
/// beside these. Empty where there is nothing.
///
/// # Errors
/// A document is damaged, has another schema, or is not the one that an overview is about.
pub fn results(dir: &Path) -> Result<Vec<FolderResult>, ReadError> {
    let mut all = Vec::new();
    let is_run = dir.join("summary.json").exists();
    let mut folders = vec![String::new()];
    if is_run {
        folders = read::folders(dir)?;
        let part = |folder: &String| FolderResult {
            folder: folder.clone(),
            stem: "summary".to_owned(),
            document: FoundDocument::Run,
        };
        all.extend(folders.iter().map(part));
        if !folders.contains(&String::new()) {
            folders.push(String::new());
        }
    }
    let (checks, worsts) = (overview(dir, CHECKS)?, overview(dir, WORSTS)?);
    for folder in &folders {
        let at = dir.join(folder);
        if checks.is_none() {
            let found = read::checks(&at)?.into_iter();
            all.extend(found.map(|(file, check)| of_file(folder, &file, FoundDocument::Check(Box::new(check)))));
        }
        if worsts.is_none() {
            all.extend(searches(folder, &at)?);
        }
        let one = |name: &str| Some(at.join(name)).filter(|file| file.is_file());
        if let Some(file) = one("eval.json") {
            let evaluation: Evaluation = read::document(&file)?;
            all.push(of_file(folder, &file, FoundDocument::Evaluation(Box::new(evaluation))));
        }
        if let Some(file) = one(REACH) {
            all.push(of_file(folder, &file, FoundDocument::Reach(Box::new(listing(&file)?))));
        }
        if let Some(file) = one("solve.json") {
            all.push(of_file(folder, &file, FoundDocument::Solve(scripts(&file)?)));
        }
    }
    if let Some(checks) = checks {
        all.extend(of_checks(dir, &checks)?);
    }
    if let Some(worsts) = worsts {
        all.extend(of_worsts(dir, &worsts)?);
    }
    all.extend(branches(dir)?);
    Ok(all)
}

/// An overview of several implementations, if there is one.
fn overview<D: super::Document + serde::de::DeserializeOwned>(dir: &Path, name: &str) -> Result<Option<D>, ReadError> {
    let path = dir.join(name);
    if path.is_file() { read::document(&path).map(Some) } else { Ok(None) }
}

fn of_file(folder: &str, file: &Path, document: FoundDocument) -> FolderResult {
    let stem = file.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
    FolderResult { folder: folder.to_owned(), stem, document }
}

/// The searches in a folder, in the order of their names.
fn searches(folder: &str, at: &Path) -> Result<Vec<FolderResult>, ReadError> {
    let entries = std::fs::read_dir(at).into_iter().flatten().flatten();
    let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|n| is_worst(n) && n.ends_with(".json") && n != WORSTS).collect();
    names.sort();
    let read = |name: String| {
        let file = at.join(name);
        let worst: Worst = read::document(&file)?;
        Ok(of_file(folder, &file, FoundDocument::Worst(Box::new(worst))))
    };
    names.into_iter().map(read).collect()
}

/// An overview does not fit what it is about.
fn misfit(overview: &Path, why: &str) -> ReadError {
    let command = overview.file_stem().map_or(String::new(), |s| s.to_string_lossy().trim_end_matches('s').to_owned());
    ReadError::Misfit(format!("{}: {why}; run `magneto {command}` again", overview.display()))
}

/// The folder of a document that an overview names, empty for that of the overview.
fn folder_of<'a>(overview: &Path, document: Option<&'a String>) -> Result<(&'a str, &'a str), ReadError> {
    let name = document.ok_or_else(|| misfit(overview, "it does not say where the documents are"))?;
    let parts: Vec<Component<'_>> = Path::new(name).components().collect();
    // What is read and written stays in the folder.
    if parts.len() > 2 || !parts.iter().all(|part| matches!(part, Component::Normal(_))) {
        return Err(misfit(overview, &format!("`{name}` is no file of a specification")));
    }
    Ok((name.rsplit_once('/').map_or("", |(folder, _)| folder), name))
}

fn of_checks(dir: &Path, checks: &Checks) -> Result<Vec<FolderResult>, ReadError> {
    let overview = dir.join(CHECKS);
    let one = |entry: &super::checks::CheckedImplementation| {
        let (folder, name) = folder_of(&overview, entry.document.as_ref())?;
        let check = read::check(&dir.join(name))?;
        if check.content_sha256 != entry.content_sha256 {
            return Err(misfit(&overview, &format!("`{name}` is not the document that it was made with")));
        }
        Ok(of_file(folder, Path::new(name), FoundDocument::Check(Box::new(check))))
    };
    checks.implementations.iter().map(one).collect()
}

fn of_worsts(dir: &Path, worsts: &Worsts) -> Result<Vec<FolderResult>, ReadError> {
    let overview = dir.join(WORSTS);
    let one = |entry: &super::worsts::SearchedImplementation| {
        let (folder, name) = folder_of(&overview, entry.document.as_ref())?;
        let worst: Worst = read::document(&dir.join(name))?;
        let said = (&worst.specification, worst.label(), worst.exit, worst.evaluations);
        if said != (&entry.specification, entry.implementation.as_str(), entry.exit, entry.evaluations) {
            return Err(misfit(&overview, &format!("`{name}` is not the document that it was made with")));
        }
        Ok(of_file(folder, Path::new(name), FoundDocument::Worst(Box::new(worst))))
    };
    worsts.implementations.iter().map(one).collect()
}

/// The branches of functions, or of the implementations of a project.
fn branches(dir: &Path) -> Result<Vec<FolderResult>, ReadError> {
    let mut all = Vec::new();
    let cover = |folder: &str, document| FolderResult { folder: folder.to_owned(), stem: "cover".to_owned(), document };
    for (folder, found) in read::covered(dir)?.into_iter().flatten() {
        all.push(cover(&folder, FoundDocument::Cover(Box::new(found))));
    }
    let covers: Option<Covers> = overview(dir, COVERS)?;
    for entry in covers.into_iter().flat_map(|covers| covers.implementations) {
        let (folder, _) = folder_of(&dir.join(COVERS), Some(&format!("{}/cover.json", entry.folder)))
            .map(|(folder, name)| (folder.to_owned(), name.to_owned()))?;
        let found: Option<CoveredFunction> = match entry.counts {
            Some(_) => Some(read::document(&dir.join(&folder).join("cover.json"))?),
            None => None,
        };
        let is_it = |found: &CoveredFunction| {
            let counts = BranchCounts::of(found);
            entry.counts.as_ref() == Some(&counts)
        };
        if found.as_ref().is_some_and(|found| !is_it(found)) {
            return Err(misfit(&dir.join(COVERS), &format!("`{folder}` is not the folder that it was made with")));
        }
        all.push(cover(&folder, FoundDocument::Covered(Box::new(entry), found.map(Box::new))));
    }
    Ok(all)
}

/// What `reach` found: paths, or a goal.
fn listing(file: &Path) -> Result<Listing, ReadError> {
    match read::document::<ListedPaths>(file) {
        Ok(paths) => Ok(paths.listing),
        Err(ReadError::Schema { .. }) => read::document::<ListedGoal>(file).map(|goal| goal.listing),
        Err(e) => Err(e),
    }
}

/// What one script or several answer; the name of one that is alone is not known.
fn scripts(file: &Path) -> Result<Vec<ScriptFile>, ReadError> {
    match read::document::<ScriptsAnswers>(file) {
        Ok(all) => Ok(all.files),
        Err(ReadError::Schema { .. }) => {
            let one: ScriptAnswers = read::document(file)?;
            Ok(vec![ScriptFile { file: one.file, checks: one.checks, error: None }])
        }
        Err(e) => Err(e),
    }
}
