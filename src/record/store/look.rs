//! What is in a folder before a command writes there.

use super::file::RECORD_PDF;
use super::{CACHE, CHECKS, MARK, OWN, RESUME, SHARD, SHARE, TEMPORARY, WORSTS, is_check, is_worst};
use crate::testfile::columns::{AFTER, BEFORE};
use crate::unfit::{Unfit, io_reason};
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Whether commands write a file of this name into a run's folder.
fn is_result(name: &str) -> bool {
    OWN.contains(&name) || is_check(name) || is_worst(name)
}

/// What an output folder holds before a run.
#[derive(Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is not there, or it is empty.
    Free,
    /// The files of an earlier run, relative to it.
    Own(Vec<String>),
    /// Something that no run wrote: the first such entry.
    Foreign(String),
}

/// Looks at an output folder. Files that `magneto export` wrote there count as neither: a run leaves them alone.
///
/// # Errors
/// What the operating system says.
pub fn look(dir: &Path) -> io::Result<Existing> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Existing::Free),
        Err(e) => return Err(e),
    };
    let mut own = Vec::new();
    let mut folders = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(TEMPORARY) || name == CACHE {
            continue;
        }
        if entry.file_type()?.is_dir() {
            folders.push((name, entry.path()));
        } else if is_result(&name) && !entry.path().is_symlink() {
            own.push(name);
        } else if is_result(&name) || !is_export(&entry.path()) {
            return Ok(Existing::Foreign(name));
        }
    }
    folders.sort();
    if own.is_empty() && folders.is_empty() {
        return Ok(Existing::Free);
    }
    if !is_of_a_command(dir) {
        let first = own.into_iter().chain(folders.into_iter().map(|f| f.0)).next();
        return Ok(Existing::Foreign(first.unwrap_or_default()));
    }
    for (name, path) in folders {
        for entry in fs::read_dir(&path)? {
            let entry = entry?;
            let file = format!("{name}/{}", entry.file_name().to_string_lossy());
            let is_own = is_result(&entry.file_name().to_string_lossy());
            let is_link = entry.path().is_symlink();
            if entry.file_type()?.is_dir() || is_own && is_link || !is_own && !is_export(&entry.path()) {
                return Ok(Existing::Foreign(file));
            }
            if is_own {
                own.push(file);
            }
        }
        if !is_of_a_command(&path) {
            return Ok(Existing::Foreign(name));
        }
    }
    own.sort();
    Ok(Existing::Own(own))
}

/// The files in a folder, and in the folders in it, that `magneto export` wrote, relative to it.
#[must_use]
pub fn exports(dir: &Path) -> Vec<String> {
    let of = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|e| e.path()).collect()
    };
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = of(dir).into_iter().partition(|p| p.is_dir());
    let files = files.into_iter().chain(folders.iter().flat_map(|f| of(f)));
    let own = |p: &PathBuf| p.file_name().is_some_and(|name| is_result(&name.to_string_lossy()));
    let named = |p: &PathBuf| !own(p) && is_export(p);
    let shown = |p: PathBuf| p.strip_prefix(dir).unwrap_or(&p).to_string_lossy().into_owned();
    let mut names: Vec<String> = files.filter(named).map(shown).collect();
    names.sort_unstable();
    names
}

/// Whether `magneto export` wrote a file, or a record that people sign: source code and pages say so in their first lines,
/// vectors are a run's tests.
#[must_use]
pub fn is_export(path: &Path) -> bool {
    /// The beginning of a file, in which the mark stands, or the header of a table whose inputs have long names.
    const START: u64 = 4096;
    let mut start = Vec::new();
    let read = fs::File::open(path).and_then(|f| f.take(START).read_to_end(&mut start));
    if !path.is_file() || read.is_err() {
        return false;
    }
    let text = String::from_utf8_lossy(&start);
    let first = text.lines().next().unwrap_or_default();
    match path.extension().and_then(|e| e.to_str()) {
        Some("csv") => first.starts_with(BEFORE[0]) && first.contains(&AFTER[..8].join(",")),
        Some("json") => text.contains("\"schema\": \"magneto/tests/"),
        Some("pdf") => fs::read(path).is_ok_and(|bytes| RECORD_PDF.is_of(&bytes)),
        _ => text.lines().take(MARKED).any(|line| line.contains(MARK)),
    }
}

/// The lines at the beginning of exported source code of which one has the mark.
const MARKED: usize = 6;

/// The schema of a document. A folder of somebody else may hold one of the same name.
pub(super) fn schema_of(path: &Path) -> Option<String> {
    let document: serde_json::Value = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    document["schema"].as_str().map(str::to_owned)
}

/// A file in one of these folders that has the name of a run's file, where no run is: writing there would destroy it; or a
/// symbolic link with such a name. With `force` a run that has lost its documents counts as one by its tables.
#[must_use]
pub(super) fn in_the_way(dir: &Path, folders: &[String], force: bool) -> Option<PathBuf> {
    let inside = || folders.iter().filter(|f| !f.is_empty()).map(|f| dir.join(f));
    let all = || std::iter::once(dir.to_owned()).chain(inside());
    let link =
        inside().chain(all().flat_map(|folder| OWN.map(|name| folder.join(name)))).find(|path| path.is_symlink());
    if link.is_some() {
        return link;
    }
    let of_nobody = all().filter(|folder| !(is_of_a_command(folder) || force && has_tables(folder)));
    of_nobody.flat_map(|folder| OWN.map(|name| folder.join(name))).find(|path| path.exists())
}

/// Whether a folder holds the results of a run, or of another command alone: one document of ours is enough, since the
/// others may have been lost.
#[must_use]
pub fn is_of_a_command(folder: &Path) -> bool {
    /// The documents by which a folder is known, with the beginnings of their schemas. Not tests.json: an export may have
    /// that name.
    const DOCUMENTS: [(&str, &str); 13] = [
        ("manifest.json", "magneto/manifest/"),
        ("summary.json", "magneto/summary/"),
        ("summary.json", "magneto/run/"),
        ("mutants.json", "magneto/mutants/"),
        ("check.json", "magneto/check/"),
        (CHECKS, "magneto/checks/"),
        (WORSTS, "magneto/worsts/"),
        ("eval.json", "magneto/eval/"),
        ("worst.json", "magneto/worst/"),
        ("worst-resume.json", "magneto/worst-resume/"),
        ("resume.json", "magneto/resume/"),
        (SHARD, "magneto/shard/"),
        (SHARE, "magneto/share/"),
    ];
    let has = |name: &str, schema: &str| schema_of(&folder.join(name)).is_some_and(|s| s.starts_with(schema));
    DOCUMENTS.iter().any(|(name, schema)| has(name, schema)) || of_several(folder).any(|name| has(&name, "magneto/"))
}

/// The documents of a folder that say what came of one of several implementations.
fn of_several(folder: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".json") && (is_check(name) || is_worst(name)))
}

/// Whether a file of this name in a folder is one of the results there.
#[must_use]
pub(super) fn is_of_a_run(folder: &Path, name: &str) -> bool {
    is_result(name) && is_of_a_command(folder)
}

/// Whether the tables of tests and mutants in a folder are a run's.
fn has_tables(folder: &Path) -> bool {
    let header = |name: &str| first_line(&folder.join(name)).unwrap_or_default();
    is_export(&folder.join("tests.csv")) || header("mutants.csv").starts_with("id,operator,objective,line,column,")
}

fn first_line(path: &Path) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.lines().next()?.to_owned())
}

/// Whether files can be written into a folder, or, where it is not there yet, where it would be made. Leaves nothing.
///
/// # Errors
/// What the operating system says, with the path.
pub(super) fn writable(dir: &Path) -> Result<(), Unfit> {
    let there = dir.ancestors().map(|a| if a.as_os_str().is_empty() { Path::new(".") } else { a }).find(|a| a.exists());
    let folder = there.unwrap_or(dir);
    let probe = folder.join(format!("{TEMPORARY}{}-probe", std::process::id()));
    let written = fs::create_dir(&probe);
    let _ = fs::remove_dir(&probe);
    written.map_err(|e| format!("cannot write into {}: {}", folder.display(), io_reason(&e)).into())
}

/// Whether a folder that is there belongs to the user who runs this: what others put into theirs is not to be relied on.
#[must_use]
pub fn is_own(dir: &Path) -> bool {
    fs::metadata(dir).is_ok_and(|about| about.uid() == rustix::process::geteuid().as_raw())
}

/// The names of the specifications of the run in a folder, if there is one.
#[must_use]
pub fn specifications(dir: &Path) -> Vec<String> {
    let read = |path: PathBuf| -> serde_json::Value {
        fs::read(path).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    };
    // The manifest is small, but may have been lost.
    let of_folder = |folder: &Path| {
        let by_manifest = read(folder.join("manifest.json"))["specification"]["name"].as_str().map(str::to_owned);
        by_manifest.or_else(|| read(folder.join("mutants.json"))["specification"].as_str().map(str::to_owned))
    };
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let inside = entries.filter_map(|e| of_folder(&e.path()));
    let mut all: Vec<String> = of_folder(dir).into_iter().chain(inside).collect();
    all.sort_unstable();
    all
}

/// The answers of an interrupted run, if there are some in a folder that also holds other things: they are stale once
/// another run writes there.
#[must_use]
pub fn answers(dir: &Path) -> Vec<String> {
    Some(RESUME.to_owned())
        .filter(|name| schema_of(&dir.join(name)).is_some_and(|s| s.starts_with("magneto/")))
        .into_iter()
        .collect()
}

/// The files of an earlier run in a folder that also holds other things, by its own documents: they are stale once another
/// run writes there.
#[must_use]
pub fn earlier(dir: &Path) -> Vec<String> {
    let read = |path: PathBuf| -> serde_json::Value {
        fs::read(path).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    };
    let of_folder = |folder: &Path| -> Vec<String> {
        let manifest = read(folder.join("manifest.json"));
        if !manifest["schema"].as_str().is_some_and(|s| s.starts_with("magneto/manifest/")) {
            return Vec::new();
        }
        let files = manifest["files"].as_object().cloned().unwrap_or_default();
        let own = |name: &&str| files.contains_key(*name) || *name == "manifest.json";
        OWN.into_iter().filter(own).map(str::to_owned).collect()
    };
    let mut files = of_folder(dir);
    let overview = read(dir.join("summary.json"));
    if overview["schema"].as_str().is_some_and(|s| s.starts_with("magneto/run/")) {
        files.push("summary.json".to_owned());
        let names = overview["specifications"].as_array().into_iter().flatten().filter_map(|e| e["folder"].as_str());
        let is_inside = |n: &&str| !n.contains(['/', '\\']) && *n != ".." && *n != "." && !dir.join(n).is_symlink();
        for name in names.filter(is_inside) {
            files.extend(of_folder(&dir.join(name)).into_iter().map(|file| format!("{name}/{file}")));
        }
    }
    files.extend(answers(dir));
    let is_shard = schema_of(&dir.join(SHARD)).is_some_and(|s| s.starts_with("magneto/shard/"));
    files.extend(is_shard.then(|| SHARD.to_owned()));
    files.retain(|name| dir.join(name).is_file() && !dir.join(name).is_symlink());
    files
}
