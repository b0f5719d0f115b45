//! The operations that change a disk, one by one, so that a test can let each of them fail.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// What changes a disk. The program uses [`Real`]; a test counts the operations and breaks them.
pub trait Disk {
    /// Makes a folder, whose parent is there.
    ///
    /// # Errors
    /// What the operating system says, as for all of these.
    fn create_dir(&self, path: &Path) -> io::Result<()>;
    /// Makes a file with these contents.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Sees to it that a file or folder survives a loss of power.
    fn sync(&self, path: &Path) -> io::Result<()>;
    /// Sees to it, with one wait, that a folder and all that is in it survive a loss of power. More may be written on the way.
    fn sync_tree(&self, folder: &Path) -> io::Result<()>;
    /// Renames, in one step; a file in the way is replaced.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Exchanges two files or folders, in one step.
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()>;
    /// Gives a file a second name.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a folder the permissions of another one.
    fn permit(&self, path: &Path, like: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove_file(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty folder.
    fn remove_dir(&self, path: &Path) -> io::Result<()>;
}

/// The disk as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Real;

impl Disk for Real {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        File::create_new(path)?.write_all(bytes)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    #[cfg(target_os = "linux")]
    fn sync_tree(&self, folder: &Path) -> io::Result<()> {
        Ok(rustix::fs::syncfs(File::open(folder)?)?)
    }

    #[cfg(not(target_os = "linux"))]
    fn sync_tree(&self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.sync_tree(&entry.path())?;
            } else if kind.is_file() {
                self.sync(&entry.path())?;
            }
        }
        self.sync(folder)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    fn exchange(&self, _: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn permit(&self, path: &Path, like: &Path) -> io::Result<()> {
        fs::set_permissions(path, fs::metadata(like)?.permissions())
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }
}

/// Removes a file, or a folder with all that is in it. Symbolic links are removed, not followed.
///
/// # Errors
/// The first that there is; what can be removed after it stays.
pub(in crate::record) fn remove_all(disk: &dyn Disk, path: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(path)?.is_dir() {
        return disk.remove_file(path);
    }
    for entry in fs::read_dir(path)? {
        remove_all(disk, &entry?.path())?;
    }
    disk.remove_dir(path)
}
