//! Folders in which files are written before they are put into place, and what is left of them where a process was
//! killed.
//!
//! Whoever works in such a folder holds a lock on it (flock), which the operating system releases when the process ends,
//! however it ends. So what is locked belongs to a living process, and what is not can be removed.

use super::disk::{Disk, remove_all};
use super::{StoreError, TEMPORARY};
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for another process that is writing. Writing takes a moment: who takes longer is stuck.
const PATIENCE: Duration = Duration::from_secs(20);
/// The time between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// A lock on a folder, released when it is dropped. None where the file system has no locks.
pub struct Lock(#[allow(dead_code, reason = "held, not used")] Option<File>);

fn try_lock(file: &File) -> io::Result<bool> {
    try_lock_as(file, FlockOperation::NonBlockingLockExclusive)
}

fn try_lock_as(file: &File, operation: FlockOperation) -> io::Result<bool> {
    match flock(file, operation) {
        Ok(()) => Ok(true),
        Err(e) if e == rustix::io::Errno::WOULDBLOCK => Ok(false),
        Err(e) => Err(e.into()),
    }
}

/// Waits until no other process of this program changes what is in `folder`.
///
/// # Errors
/// Another one does so for too long.
pub fn lock(folder: &Path) -> Result<Lock, StoreError> {
    let Ok(file) = File::open(folder) else { return Ok(Lock(None)) };
    let started = Instant::now();
    loop {
        match try_lock(&file) {
            Ok(true) => return Ok(Lock(Some(file))),
            Err(_) => return Ok(Lock(None)),
            Ok(false) if started.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            Ok(false) => return Err(StoreError::Busy { folder: folder.to_owned(), process: living(folder) }),
        }
    }
}

/// Uses what is in a folder, together with others: until the lock is dropped nobody is [`alone`] there. None where it is not
/// there, or somebody is alone there for too long.
#[must_use]
pub fn share(folder: &Path) -> Option<Lock> {
    let file = File::open(folder).ok()?;
    let started = Instant::now();
    loop {
        match try_lock_as(&file, FlockOperation::NonBlockingLockShared) {
            Ok(true) => return Some(Lock(Some(file))),
            Err(_) => return Some(Lock(None)),
            Ok(false) if started.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            Ok(false) => return None,
        }
    }
}

/// A lock on a folder that nobody uses ([`share`]); none where somebody does.
#[must_use]
pub fn alone(folder: &Path) -> Option<Lock> {
    let file = File::open(folder).ok()?;
    match try_lock(&file) {
        Ok(is_alone) => is_alone.then_some(Lock(Some(file))),
        Err(_) => Some(Lock(None)),
    }
}

/// The process that works in a temporary folder of `folder`, by the folder's name.
fn living(folder: &Path) -> Option<u32> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    let own = std::process::id();
    let id = |e: fs::DirEntry| e.file_name().to_str()?.strip_prefix(TEMPORARY)?.split('-').next()?.parse().ok();
    entries.filter_map(id).find(|id| *id != own)
}

/// A temporary folder or file, locked while this lives. It is not removed by itself.
pub struct Staging {
    /// Where it is.
    pub path: PathBuf,
    #[allow(dead_code, reason = "holds the lock")]
    locked: Option<File>,
}

impl Staging {
    /// A new folder in `folder`.
    pub(in crate::record) fn folder(disk: &dyn Disk, folder: &Path) -> io::Result<Self> {
        Staging::make(folder, |path| disk.create_dir(path))
    }

    /// A new file in `folder`, for what is written as it comes. Who puts it into place renames it.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn file(folder: &Path) -> io::Result<(Self, File)> {
        let mut made = None;
        let staging = Staging::make(folder, |path| {
            made = Some(File::create_new(path)?);
            Ok(())
        })?;
        made.map(|file| (staging, file)).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn make(folder: &Path, mut create: impl FnMut(&Path) -> io::Result<()>) -> io::Result<Self> {
        const MOST: u32 = 1000;
        for n in 0..MOST {
            let path = folder.join(format!("{TEMPORARY}{}-{n}", std::process::id()));
            match create(&path) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            }
            let locked = File::open(&path).ok().filter(|f| try_lock(f).unwrap_or(false));
            // Between the two steps another process may have taken it for a leftover.
            let same = |f: &File| Some(f.metadata().ok()?.ino() == fs::metadata(&path).ok()?.ino());
            if locked.as_ref().is_none_or(|f| same(f) == Some(true)) && path.exists() {
                return Ok(Staging { path, locked });
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

/// Removes what dead processes left in a folder. What cannot be removed stays.
pub(in crate::record) fn sweep(disk: &dyn Disk, folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
            continue;
        }
        let path = entry.path();
        // A symbolic link is nothing that this program makes.
        let Ok(file) = File::open(&path) else { continue };
        if !entry.file_type().is_ok_and(|t| t.is_symlink()) && try_lock(&file).unwrap_or(false) {
            let _ = remove_all(disk, &path);
        }
    }
}
