//! A run put into its folder as one thing.
//!
//! The new folder is written beside the old one, with all in it that is not of a run, and the two are exchanged in one
//! step. So the folder is wholly old or wholly new at every moment, whatever happens. Where that cannot be (the folder is
//! a mount point, it is the current folder, its parent is read-only, the file system cannot exchange or link), files are
//! replaced one by one, an error undoes what was done, and a kill leaves a mixture that every reader refuses: the
//! manifest, which is put into place first, has the hashes of all the others.

use super::disk::{Disk, remove_all};
use super::staging::{Staging, lock, sweep};
use super::undo::{Step, undo};
use super::{Content, StoreError, no_links};
use crate::halt;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

/// Makes `files` the run in `dir`, in place of an older one whose files are `stale`. All else that is in the folder stays.
///
/// # Errors
/// What the operating system says, with the path. The folder is then as it was, or the error says what it is.
pub fn publish<C: Content>(
    disk: &dyn Disk,
    dir: &Path,
    files: &BTreeMap<String, C>,
    stale: &[String],
) -> Result<(), StoreError> {
    changing(disk, dir, |target| {
        no_links(target, files.keys().chain(stale).map(String::as_str))?;
        match apart(target) {
            Some(parent) => match whole(disk, parent, target, files, stale) {
                Err(e) if is_unsupported(&e) => one_by_one(disk, target, files, stale),
                done => done,
            },
            None => one_by_one(disk, target, files, stale),
        }
    })
}

/// Puts files into a folder, made if need be, each whole or not at all, and removes those of `stale` that are not among
/// them. All else stays.
///
/// # Errors
/// What the operating system says, with the path. The folder is then as it was, or the error says what it is.
pub fn add(disk: &dyn Disk, dir: &Path, files: &super::Files, stale: &[String]) -> Result<(), StoreError> {
    changing(disk, dir, |target| {
        no_links(target, files.keys().chain(stale).map(String::as_str))?;
        one_by_one(disk, target, files, stale)
    })
}

/// With the folders above `dir` made, the place locked, and leftovers gone.
fn changing(disk: &dyn Disk, dir: &Path, work: impl FnOnce(&Path) -> Result<(), StoreError>) -> Result<(), StoreError> {
    let (target, missing) = resolve(dir)?;
    let mut made = Vec::new();
    let result = (|| {
        for folder in &missing {
            match disk.create_dir(folder) {
                Ok(()) => made.push(folder.clone()),
                // Another process was faster.
                Err(e) if e.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
                Err(e) => return Err(StoreError::at(folder)(e)),
            }
        }
        let parent = target.parent().unwrap_or(&target);
        let _lock = lock(parent)?;
        halt::unbroken(|| {
            sweep(disk, parent);
            sweep(disk, &target);
            work(&target)
        })
    })();
    if result.is_err() {
        made.iter().rev().for_each(|folder| drop(disk.remove_dir(folder)));
    }
    result
}

/// The folder without links and relative parts, and the folders above it that are not there.
fn resolve(dir: &Path) -> Result<(PathBuf, Vec<PathBuf>), StoreError> {
    if let Ok(there) = dir.canonicalize() {
        return Ok((there, Vec::new()));
    }
    let mut missing: Vec<&std::ffi::OsStr> = Vec::new();
    let mut above = dir;
    let base = loop {
        match above.components().next_back() {
            Some(Component::Normal(name)) => missing.push(name),
            _ => return Err(StoreError::at(dir)(ErrorKind::NotFound.into())),
        }
        above = above.parent().unwrap_or(Path::new(""));
        let there = if above.as_os_str().is_empty() { Path::new(".") } else { above };
        match there.canonicalize() {
            Ok(base) => break base,
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            Err(e) => return Err(StoreError::at(there)(e)),
        }
    };
    let mut paths = Vec::new();
    let mut path = base;
    for name in missing.into_iter().rev() {
        path.push(name);
        paths.push(path.clone());
    }
    let target = paths.pop().unwrap_or(path);
    Ok((target, paths))
}

/// The folder above a target that can be exchanged with another one: it is nobody's current folder that we know of, and
/// belongs to us.
fn apart(target: &Path) -> Option<&Path> {
    let parent = target.parent()?;
    let here = std::env::current_dir().and_then(|d| d.canonicalize()).ok();
    if here.is_some_and(|here| here.starts_with(target)) {
        return None;
    }
    match (fs::metadata(target), fs::metadata(parent)) {
        (Ok(own), Ok(above)) => {
            let ours = rustix::process::geteuid().as_raw() == own.uid();
            (ours && own.is_dir() && own.dev() == above.dev()).then_some(parent)
        }
        _ => Some(parent),
    }
}

/// Whether an operation does not exist here, rather than failed.
fn is_unsupported(e: &StoreError) -> bool {
    use rustix::io::Errno;
    let codes = [
        Errno::NOSYS,
        Errno::INVAL,
        Errno::OPNOTSUPP,
        Errno::PERM,
        Errno::ACCESS,
        Errno::ROFS,
        Errno::XDEV,
        Errno::MLINK,
        Errno::BUSY,
    ];
    let StoreError::Disk { error, .. } = e else { return false };
    error.kind() == ErrorKind::Unsupported
        || error.raw_os_error().is_some_and(|code| codes.iter().any(|c| c.raw_os_error() == code))
}

/// The new folder in one step.
fn whole<C: Content>(
    disk: &dyn Disk,
    parent: &Path,
    target: &Path,
    files: &BTreeMap<String, C>,
    stale: &[String],
) -> Result<(), StoreError> {
    let staging = Staging::folder(disk, parent).map_err(StoreError::at(target))?;
    let new = staging.path.as_path();
    let is_new = !target.exists();
    let result = (|| {
        for (name, content) in files {
            let path = new.join(name);
            make_folder(disk, path.parent().unwrap_or(new))?;
            let old = target.join(name);
            if second_name(disk, content, &path) {
                continue;
            }
            let bytes = content.bytes().map_err(StoreError::at(&old))?;
            // What has not changed is on the disk already.
            if !(is_same(&old, &bytes) && disk.link(&old, &path).is_ok()) {
                disk.write(&path, &bytes).map_err(StoreError::at(&old))?;
            }
        }
        if !is_new {
            let gone: BTreeSet<PathBuf> = files.keys().chain(stale).map(|name| target.join(name)).collect();
            carry(disk, target, new, &gone)?;
            disk.permit(new, target).map_err(StoreError::at(target))?;
        }
        disk.sync_tree(new).map_err(StoreError::at(target))?;
        let swap = || if is_new { disk.rename(new, target) } else { disk.exchange(new, target) };
        swap().map_err(StoreError::at(target))?;
        disk.sync(parent).map_err(|e| {
            // Not surely on the disk: back to what was there.
            let back = if is_new { disk.rename(target, new) } else { disk.exchange(new, target) };
            match back {
                Ok(()) => StoreError::at(target)(e),
                Err(_) => StoreError::Unsure { folder: target.to_owned(), error: e },
            }
        })
    })();
    if matches!(result, Ok(()) | Err(StoreError::Unsure { .. })) && !is_new {
        // Somebody may have put something into the old folder in the meantime.
        let kept: BTreeSet<PathBuf> = files.keys().chain(stale).map(|name| new.join(name)).collect();
        rescue(disk, new, target, &kept);
    }
    // What cannot be removed now, the next run removes.
    if new.exists() {
        let _ = remove_all(disk, new);
    }
    result
}

/// Gives the file that holds something a second name, if there is one and that can be.
fn second_name(disk: &dyn Disk, content: &impl Content, path: &Path) -> bool {
    content.file().is_some_and(|file| disk.link(file, path).is_ok())
}

/// Whether a file is there, and holds just this.
fn is_same(path: &Path, bytes: &[u8]) -> bool {
    let about = fs::symlink_metadata(path);
    about.is_ok_and(|a| a.is_file() && a.len() == bytes.len() as u64) && fs::read(path).is_ok_and(|old| old == bytes)
}

fn make_folder(disk: &dyn Disk, folder: &Path) -> Result<(), StoreError> {
    if folder.is_dir() { Ok(()) } else { disk.create_dir(folder).map_err(StoreError::at(folder)) }
}

/// Gives all that is in one folder, except `gone`, a second name in another one.
fn carry(disk: &dyn Disk, from: &Path, to: &Path, gone: &BTreeSet<PathBuf>) -> Result<(), StoreError> {
    for entry in fs::read_dir(from).map_err(StoreError::at(from))? {
        let entry = entry.map_err(StoreError::at(from))?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if gone.contains(&path) {
            continue;
        }
        if !entry.file_type().map_err(StoreError::at(&path))?.is_dir() {
            disk.link(&path, &copy).map_err(StoreError::at(&path))?;
            continue;
        }
        let was_there = copy.is_dir();
        make_folder(disk, &copy)?;
        disk.permit(&copy, &path).map_err(StoreError::at(&path))?;
        carry(disk, &path, &copy, gone)?;
        // A folder of the older run is gone with its files.
        let of_the_run = gone.iter().any(|g| g.parent() == Some(&path));
        let is_empty = || fs::read_dir(&copy).is_ok_and(|mut entries| entries.next().is_none());
        if of_the_run && !was_there && is_empty() {
            disk.remove_dir(&copy).map_err(StoreError::at(&copy))?;
        }
    }
    Ok(())
}

/// Moves what is in the old folder and has no second name in the new one there.
fn rescue(disk: &dyn Disk, old: &Path, new: &Path, known: &BTreeSet<PathBuf>) {
    for entry in fs::read_dir(old).into_iter().flatten().flatten() {
        let (path, place) = (entry.path(), new.join(entry.file_name()));
        if known.contains(&path) {
            continue;
        }
        if entry.file_type().is_ok_and(|t| t.is_dir()) && place.is_dir() {
            rescue(disk, &path, &place, known);
        } else if fs::symlink_metadata(&place).is_err() && !known.iter().any(|k| k.starts_with(&path)) {
            let _ = disk.rename(&path, &place);
        }
    }
}

/// File by file, each whole; an error undoes all that was done.
fn one_by_one<C: Content>(
    disk: &dyn Disk,
    target: &Path,
    files: &BTreeMap<String, C>,
    stale: &[String],
) -> Result<(), StoreError> {
    let made = !target.is_dir();
    if made {
        disk.create_dir(target).map_err(StoreError::at(target))?;
    }
    let mut steps = Vec::new();
    let staging = Staging::folder(disk, target).map_err(StoreError::at(target));
    let result = match &staging {
        Ok(staging) => replace(disk, target, &staging.path, files, stale, &mut steps)
            .map_err(|e| undo(disk, target, &staging.path, &steps, e)),
        Err(_) => Ok(()),
    };
    // What could not be put back stays.
    if let Ok(staging) = &staging
        && !result.as_ref().is_err_and(|e| e.keeps(&staging.path))
    {
        let _ = remove_all(disk, &staging.path);
    }
    if made && (result.is_err() || staging.is_err()) {
        let _ = disk.remove_dir(target);
    }
    staging.and(result)
}

fn replace<C: Content>(
    disk: &dyn Disk,
    target: &Path,
    staging: &Path,
    files: &BTreeMap<String, C>,
    stale: &[String],
    steps: &mut Vec<Step>,
) -> Result<(), StoreError> {
    // The manifests come first, since with them there a mixture is known for one, and the overview last, since it says
    // which folders are of the run.
    let rank = |name: &str| if name.ends_with("manifest.json") { 0 } else { 1 + usize::from(name == OVERVIEW) };
    let mut order: Vec<(usize, &String)> = files.keys().enumerate().collect();
    order.sort_by_key(|(_, name)| rank(name));
    for (k, name) in &order {
        let (path, content) = (staging.join(k.to_string()), &files[*name]);
        if second_name(disk, content, &path) {
            continue;
        }
        let written = content.bytes().and_then(|bytes| disk.write(&path, &bytes));
        written.map_err(StoreError::at(&target.join(name)))?;
    }
    disk.sync_tree(staging).map_err(StoreError::at(target))?;
    let (last, first): (Vec<_>, Vec<_>) = order.into_iter().partition(|(_, name)| *name == OVERVIEW);
    for (k, name) in first {
        put(disk, target, &staging.join(k.to_string()), name, steps)?;
    }
    let emptied = remove(disk, target, staging, files, stale, steps)?;
    for (k, name) in last {
        put(disk, target, &staging.join(k.to_string()), name, steps)?;
    }
    disk.sync_tree(target).map_err(StoreError::at(target))?;
    // A folder stays where another file is left in it.
    emptied.iter().for_each(|folder| drop(disk.remove_dir(folder)));
    Ok(())
}

/// The file that says what is in the folders of a run.
const OVERVIEW: &str = "summary.json";

/// A second name for a file that is about to be replaced or removed.
fn kept(from: &Path, name: &str) -> PathBuf {
    from.with_file_name(format!("old-{}", name.replace('/', "-")))
}

/// Puts one file into place.
fn put(disk: &dyn Disk, target: &Path, from: &Path, name: &str, steps: &mut Vec<Step>) -> Result<(), StoreError> {
    let to = target.join(name);
    let folder = to.parent().unwrap_or(target);
    if !folder.is_dir() {
        disk.create_dir(folder).map_err(StoreError::at(folder))?;
        steps.push(Step::Made(folder.to_owned()));
    }
    let step = if fs::symlink_metadata(&to).is_ok() {
        let backup = kept(from, name);
        match disk.link(&to, &backup).map_err(StoreError::at(&to)) {
            Err(e) if is_unsupported(&e) => {
                let bytes = fs::read(&to).map_err(StoreError::at(&to))?;
                disk.write(&backup, &bytes).map_err(StoreError::at(&to))?;
            }
            linked => linked?,
        }
        Step::Replaced(backup, to.clone())
    } else {
        Step::Put(from.to_owned(), to.clone())
    };
    disk.rename(from, &to).map_err(StoreError::at(&to))?;
    steps.push(step);
    Ok(())
}

/// Removes what is stale, the manifests last: a folder is known by its manifest. The folders that may be empty now.
fn remove<C: Content>(
    disk: &dyn Disk,
    target: &Path,
    staging: &Path,
    files: &BTreeMap<String, C>,
    stale: &[String],
    steps: &mut Vec<Step>,
) -> Result<BTreeSet<PathBuf>, StoreError> {
    let mut gone: Vec<&String> = stale.iter().filter(|name| !files.contains_key(*name)).collect();
    gone.sort_by_key(|name| name.ends_with("manifest.json"));
    let mut emptied = BTreeSet::new();
    for name in gone {
        let path = target.join(name);
        if fs::symlink_metadata(&path).is_err() {
            continue;
        }
        let backup = kept(&staging.join(name.replace('/', "-")), name);
        disk.rename(&path, &backup).map_err(StoreError::at(&path))?;
        steps.push(Step::Replaced(backup, path.clone()));
        emptied.extend(path.parent().filter(|p| *p != target).map(Path::to_owned));
    }
    Ok(emptied)
}
