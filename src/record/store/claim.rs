//! Which folders a command may write into: no work of somebody else is lost, and nothing is written through a link.

use super::look::{Existing, earlier, in_the_way, is_export, is_of_a_run, look, schema_of, writable};
use super::{Files, no_links};
use crate::unfit::io_reason;
use std::fmt;
use std::path::Path;

/// A document by which a folder is known.
#[derive(Clone, Copy, Debug)]
pub struct Mark<'a> {
    /// The name of its file.
    pub file: &'a str,
    /// How its schema begins.
    pub schema: &'a str,
}

impl Mark<'_> {
    /// Whether a folder has the document.
    fn is_in(&self, dir: &Path) -> bool {
        schema_of(&dir.join(self.file)).is_some_and(|s| s.starts_with(self.schema))
    }
}

/// What a command is going to write into a folder.
#[derive(Clone, Copy, Debug)]
pub enum FolderClaim<'a> {
    /// The files of a run, and these folders in it. The folder is free, or holds nothing but an earlier run; with `force` it
    /// may hold other things too, but nothing that would be overwritten.
    Run {
        /// The folders; an empty name is the folder itself.
        folders: &'a [String],
        /// Whether there may be other things.
        force: bool,
    },
    /// These files, in a folder that is free or holds results of ours.
    Beside(&'a [&'a str]),
    /// These files and folders, none of which is there, unless the folder has such a document: it is of an earlier run of
    /// the same command.
    Own(&'a [&'a str], Mark<'a>),
    /// All of a folder that is empty, or has one of these documents.
    Alone(&'a [Mark<'a>]),
    /// Exported tests: they replace such alone, with `force` other files too, but none of a run.
    Exports(&'a Files, bool),
}

/// Why a folder is not one to write into.
#[derive(Debug)]
pub struct Refusal {
    /// A sentence without a full stop.
    pub why: String,
    /// What a person can do.
    pub hint: &'static str,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Refusal {}

/// What a person can do as a rule.
const ELSEWHERE: &str = "choose another folder with --output";

fn refused(why: impl fmt::Display) -> Refusal {
    Refusal { why: why.to_string(), hint: ELSEWHERE }
}

/// Sees to it that a folder, which need not be there, may be written into: to be asked before anything is computed at length.
/// The files of an earlier run that are replaced, relative to the folder.
///
/// # Errors
/// Something is there that would be lost, or the system does not let it be written.
pub fn claim(dir: &Path, claim: &FolderClaim<'_>) -> Result<Vec<String>, Refusal> {
    match *claim {
        FolderClaim::Run { folders, force } => of_run(dir, folders, force),
        FolderClaim::Beside(_) => match existing(dir)? {
            Existing::Foreign(name) => Err(foreign(dir, &name)),
            Existing::Free | Existing::Own(_) => Ok(Vec::new()),
        },
        FolderClaim::Own(files, mark) => {
            if mark.is_in(dir) {
                let links = no_links(dir, files.iter().copied());
                return links
                    .map(|()| Vec::new())
                    .map_err(|e| Refusal { why: e.to_string(), hint: e.hint().unwrap_or(ELSEWHERE) });
            }
            match files.iter().map(|name| dir.join(name)).find(|path| path.symlink_metadata().is_ok()) {
                Some(path) => {
                    Err(refused(format_args!("{} is of something else, and would be overwritten", path.display())))
                }
                None => Ok(Vec::new()),
            }
        }
        FolderClaim::Alone(marks) => match std::fs::read_dir(dir).map(Iterator::count) {
            Ok(1..) if !marks.iter().any(|mark| mark.is_in(dir)) => {
                Err(refused(format_args!("{} holds files that this command did not write", dir.display())))
            }
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(unwritable(dir, &e)),
            Ok(_) | Err(_) => Ok(Vec::new()),
        },
        FolderClaim::Exports(files, force) => of_exports(dir, files, force),
    }
}

fn unwritable(dir: &Path, e: &std::io::Error) -> Refusal {
    refused(format_args!("cannot write into {}: {}", dir.display(), io_reason(e)))
}

fn foreign(dir: &Path, name: &str) -> Refusal {
    refused(format_args!("{} holds `{name}`, which magneto did not write", dir.display()))
}

fn existing(dir: &Path) -> Result<Existing, Refusal> {
    look(dir).map_err(|e| unwritable(dir, &e))
}

fn of_run(dir: &Path, folders: &[String], force: bool) -> Result<Vec<String>, Refusal> {
    let stale = match existing(dir)? {
        Existing::Free => Vec::new(),
        Existing::Own(files) => files,
        Existing::Foreign(_) if force => earlier(dir),
        Existing::Foreign(name) => {
            let hint = match in_the_way(dir, folders, true) {
                Some(_) => ELSEWHERE,
                None => "choose another folder with --output, or --force to write beside it",
            };
            return Err(Refusal { hint, ..foreign(dir, &name) });
        }
    };
    if let Some(path) = in_the_way(dir, folders, force) {
        return Err(refused(format_args!("{} is not of a run, and would be overwritten", path.display())));
    }
    // Now, not after a long run.
    writable(dir).map_err(refused)?;
    Ok(stale)
}

fn of_exports(dir: &Path, files: &Files, force: bool) -> Result<Vec<String>, Refusal> {
    for path in files.keys().map(|name| dir.join(name)).filter(|path| path.exists()) {
        let name = path.strip_prefix(dir).unwrap_or(&path).to_string_lossy();
        if is_of_a_run(dir, &name) {
            let why = format_args!("{} is of the run in that folder, and would be overwritten", path.display());
            return Err(refused(why));
        }
        if !force && !is_export(&path) {
            let hint = "choose another folder with --output, or --force to replace it";
            return Err(Refusal { why: format!("{} is there, and magneto did not write it", path.display()), hint });
        }
    }
    Ok(Vec::new())
}
