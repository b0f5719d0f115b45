//! What was done to the files of a folder, step by step, and how it is undone.

use super::disk::Disk;
use super::{Mixture, StoreError};
use std::path::{Path, PathBuf};

/// What was done to a file, to be undone.
pub(super) enum Step {
    /// A file was put where none was; the temporary name it had.
    Put(PathBuf, PathBuf),
    /// A file was replaced or removed; the second name that the old one has.
    Replaced(PathBuf, PathBuf),
    /// A folder was made.
    Made(PathBuf),
}

impl Step {
    fn undo(&self, disk: &dyn Disk) -> std::io::Result<()> {
        match self {
            Step::Put(from, to) => disk.rename(to, from),
            Step::Replaced(backup, to) => disk.rename(backup, to),
            Step::Made(folder) => disk.remove_dir(folder),
        }
    }
}

/// Undoes all steps, the last one first. Returns `error`, why that has to be, and with it what could not be undone: then the
/// older files stay in `staging`, under a name that no later run takes for a leftover.
pub(super) fn undo(disk: &dyn Disk, target: &Path, staging: &Path, steps: &[Step], error: StoreError) -> StoreError {
    let done: Vec<&Step> = steps.iter().rev().filter(|step| step.undo(disk).is_err()).collect();
    // Folders that are in the way of nothing but themselves leave all files as they were.
    if !done.iter().any(|step| matches!(step, Step::Put(..) | Step::Replaced(..))) {
        return error;
    }
    let mut mixture = Mixture { folder: target.to_owned(), ..Mixture::default() };
    for step in &done {
        match step {
            Step::Put(_, file) => mixture.new.push(file.clone()),
            Step::Replaced(_, file) if file.symlink_metadata().is_ok() => mixture.new.push(file.clone()),
            Step::Replaced(_, file) => mixture.missing.push(file.clone()),
            Step::Made(_) => {}
        }
    }
    let backups = done.iter().filter_map(|step| if let Step::Replaced(backup, _) = step { Some(backup) } else { None });
    mixture.earlier = backups.filter_map(|b| b.file_name()).map(|n| n.to_string_lossy().into_owned()).collect();
    if !mixture.earlier.is_empty() {
        let name = staging.file_name().unwrap_or_default().to_string_lossy().replace(super::TEMPORARY, SAVED);
        let place = target.join(name);
        mixture.saved = if disk.rename(staging, &place).is_ok() { place } else { staging.to_owned() };
    }
    StoreError::Mixed { cause: Box::new(error), mixture: Box::new(mixture) }
}

/// How the name of a folder begins in which a person finds what could not be put back.
const SAVED: &str = "magneto-earlier-";
