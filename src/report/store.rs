//! Folders of results on disk: a file is there whole or not at all, and nothing is overwritten that a run did not write.

use super::code::MARK;
use crate::testfile::columns::{AFTER, BEFORE};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The files that a run writes, in the order in which they are put into place: the manifest comes last.
const OWN: [&str; 22] = [
    "tests.csv",
    "tests.json",
    "mutants.csv",
    "mutants.json",
    "matrix.csv",
    "trace.csv",
    "source.fpcore",
    "check.csv",
    "check.json",
    "report.html",
    "stryker.json",
    "report.sarif",
    "junit.xml",
    "summary.csv",
    "traceability.csv",
    "resume.json",
    "eval.csv",
    "eval-matrix.csv",
    "eval.json",
    "suggested.csv",
    "summary.json",
    "manifest.json",
];

/// The name of the file of answers to go on from.
pub const RESUME: &str = "resume.json";

/// Files by path, relative to the output folder, with `/` between folder and name.
pub type Files = BTreeMap<String, Vec<u8>>;

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
        if name.starts_with(TEMPORARY) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            folders.push((name, entry.path()));
        } else if OWN.contains(&name.as_str()) {
            own.push(name);
        } else if !is_export(&entry.path()) {
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
            let is_own = OWN.iter().any(|own| entry.file_name() == *own);
            if entry.file_type()?.is_dir() || !is_own && !is_export(&entry.path()) {
                return Ok(Existing::Foreign(file));
            }
            if is_own {
                own.push(file);
            }
        }
        if !marked(&path.join("summary.json")) {
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
    let named = |p: &PathBuf| !OWN.iter().any(|own| p.ends_with(own)) && is_export(p);
    let shown = |p: PathBuf| p.strip_prefix(dir).unwrap_or(&p).to_string_lossy().into_owned();
    let mut names: Vec<String> = files.filter(named).map(shown).collect();
    names.sort_unstable();
    names
}

/// Whether `magneto export` wrote a file: source code says so in its first lines, and vectors are a run's tests.
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
        _ => text.lines().take(MARKED).any(|line| line.contains(MARK)),
    }
}

/// The lines at the beginning of exported source code of which one has the mark.
const MARKED: usize = 6;

/// Whether a file is a document of ours. A folder of somebody else may hold one of the same name.
fn marked(path: &Path) -> bool {
    let text = fs::read(path).unwrap_or_default();
    let document: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    document["schema"].as_str().is_some_and(|s| s.starts_with("magneto/"))
}

/// A file in one of these folders that has the name of a run's file, where no run is: writing there would destroy it.
#[must_use]
pub fn in_the_way(dir: &Path, folders: &[String]) -> Option<PathBuf> {
    let all = std::iter::once(dir.to_owned()).chain(folders.iter().filter(|f| !f.is_empty()).map(|f| dir.join(f)));
    let of_nobody = all.filter(|folder| !is_of_a_command(folder));
    of_nobody.flat_map(|folder| OWN.map(|name| folder.join(name))).find(|path| path.exists())
}

/// Whether a folder holds the results of a run, or of another command alone.
fn is_of_a_command(folder: &Path) -> bool {
    ["summary.json", "check.json", "eval.json"].iter().any(|name| marked(&folder.join(name)))
}

/// Whether files can be written into a folder, or, where it is not there yet, where it would be made. Leaves nothing.
///
/// # Errors
/// What the operating system says, with the path.
pub fn writable(dir: &Path) -> Result<(), String> {
    let there = dir.ancestors().map(|a| if a.as_os_str().is_empty() { Path::new(".") } else { a }).find(|a| a.exists());
    let folder = there.unwrap_or(dir);
    let temporary = tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(folder);
    temporary.map(drop).map_err(|e| format!("cannot write into {}: {}", folder.display(), e.kind()))
}

/// The names of the specifications of the run in a folder, if there is one.
#[must_use]
pub fn specifications(dir: &Path) -> Vec<String> {
    let read = |path: PathBuf| -> serde_json::Value {
        fs::read(path).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    };
    let own = read(dir.join("mutants.json"))["specification"].as_str().map(str::to_owned);
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let of_folder = |e: fs::DirEntry| read(e.path().join("mutants.json"))["specification"].as_str().map(str::to_owned);
    let mut all: Vec<String> = own.into_iter().chain(entries.filter_map(of_folder)).collect();
    all.sort_unstable();
    all
}

/// The answers of an interrupted run, if there are some in a folder that also holds other things: they are stale once
/// another run writes there.
#[must_use]
pub fn answers(dir: &Path) -> Vec<String> {
    Some(RESUME.to_owned()).filter(|name| marked(&dir.join(name))).into_iter().collect()
}

/// How the names of temporary folders begin.
pub const TEMPORARY: &str = ".magneto-tmp-";

/// Puts files into a folder, made if need be. They are first written beside their places and then renamed, so that a
/// crash leaves no half of a file. Files of `stale` that are not among them are removed.
///
/// # Errors
/// What the operating system says, with the path.
pub fn write(dir: &Path, files: &Files, stale: &[String]) -> Result<(), String> {
    let said = |path: &Path| {
        let path = path.display().to_string();
        move |e: io::Error| format!("cannot write {path}: {e}")
    };
    fs::create_dir_all(dir).map_err(said(dir))?;
    let temporary = dir.join(format!("{TEMPORARY}{}", std::process::id()));
    let result = (|| {
        fs::create_dir_all(&temporary).map_err(said(&temporary))?;
        let mut moves: Vec<(PathBuf, PathBuf)> = Vec::new();
        for (k, (name, bytes)) in files.iter().enumerate() {
            let from = temporary.join(k.to_string());
            let mut file = fs::File::create(&from).map_err(said(&from))?;
            file.write_all(bytes).and_then(|()| file.sync_all()).map_err(said(&from))?;
            moves.push((from, dir.join(name)));
        }
        moves.sort_by_key(|(_, to)| order(to));
        for (from, to) in &moves {
            let folder = to.parent().unwrap_or(dir);
            fs::create_dir_all(folder).map_err(said(folder))?;
            fs::rename(from, to).map_err(said(to))?;
        }
        for name in stale.iter().filter(|n| !files.contains_key(*n)) {
            let path = dir.join(name);
            fs::remove_file(&path).map_err(said(&path))?;
            if let Some((folder, _)) = name.split_once('/') {
                // It stays where another file is left in it.
                let _ = fs::remove_dir(dir.join(folder));
            }
        }
        Ok(())
    })();
    let _ = fs::remove_dir_all(&temporary);
    result
}

/// The place of a file in the order of renaming.
fn order(path: &Path) -> usize {
    let name = path.file_name().unwrap_or_default();
    OWN.iter().position(|o| name == *o).unwrap_or(OWN.len())
}

/// Folder names for specifications: letters, digits, `.`, `_` and `-`; a suffix tells equal ones apart.
#[must_use]
pub fn folders<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = std::collections::HashSet::new();
    let one = |name: &str| {
        let allowed = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
        let clean: String = name.chars().map(allowed).take(60).collect();
        let clean = clean.trim_matches(['.', '-']).to_owned();
        let base = if clean.is_empty() { "specification".to_owned() } else { clean };
        let mut unique = base.clone();
        let mut k = 2;
        // Some file systems do not tell cases apart; and a folder must not have the name of a file.
        while OWN.contains(&unique.to_lowercase().as_str()) || !taken.insert(unique.to_lowercase()) {
            unique = format!("{base}-{k}");
            k += 1;
        }
        unique
    };
    names.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_names() {
        let names = ["a b", "a/b", "../..", "", "A-B", "summary.json", "x"];
        assert_eq!(
            folders(names),
            ["a-b", "a-b-2", "specification", "specification-2", "A-B-3", "summary.json-2", "x"]
        );
    }
}
