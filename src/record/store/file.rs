//! One file where a person says, such as `--junit FILE`. Only a file of the same kind that a command of ours wrote is
//! replaced: no input, no work of somebody else, and nothing behind a symbolic link.

use super::{Files, StoreError, write};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Component, Path};

/// What a file is, and by what one is known that a command of ours wrote.
#[derive(Clone, Copy, Debug)]
pub struct FileKind {
    /// What it is called in messages, with its article.
    pub name: &'static str,
    /// How it begins.
    pub start: &'static str,
    /// A text in it.
    pub inside: &'static str,
}

/// The record that people sign, as PDF: known by its title.
pub const RECORD_PDF: FileKind = FileKind { name: "a record as PDF", start: "%PDF-", inside: "Verification record" };

impl FileKind {
    /// Whether these are the contents of such a file. An empty file holds nothing that could be lost.
    pub(super) fn is_of(self, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        text.is_empty() || text.starts_with(self.start) && text.contains(self.inside)
    }
}

/// Whether a file of this kind may be written to `path`.
///
/// # Errors
/// A symbolic link or a folder is there, or a file that is no such file of ours.
pub fn may_write(path: &Path, kind: FileKind) -> Result<(), StoreError> {
    if is_stream(path) {
        return Ok(());
    }
    let Ok(about) = fs::symlink_metadata(path) else { return Ok(()) };
    if about.is_symlink() {
        return Err(StoreError::Link(path.to_owned()));
    }
    if about.is_dir() {
        return Err(StoreError::at(path)(std::io::ErrorKind::IsADirectory.into()));
    }
    match fs::read(path).map_err(StoreError::at(path))? {
        bytes if kind.is_of(&bytes) => Ok(()),
        _ => Err(StoreError::Foreign { path: path.to_owned(), wanted: kind.name }),
    }
}

/// Writes a file of this kind where [`may_write`] says that it may be, whole or not at all. Into what is no file, such as a
/// pipe or a device, the bytes are written.
///
/// # Errors
/// Those of [`may_write`], and what the operating system says.
pub fn write_file(path: &Path, kind: FileKind, bytes: Vec<u8>) -> Result<(), StoreError> {
    if is_stream(path) {
        let opened = OpenOptions::new().append(true).open(path);
        return opened.and_then(|mut to| to.write_all(&bytes)).map_err(StoreError::at(path));
    }
    let Some(name) = path.file_name().map(|n| n.to_string_lossy().into_owned()) else {
        return Err(StoreError::at(path)(std::io::ErrorKind::InvalidFilename.into()));
    };
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    write_into(folder, &Files::from([(name, bytes)]), kind)
}

/// The same of files in a folder: all or none.
///
/// # Errors
/// Those of [`may_write`], and what the operating system says.
pub fn write_into(folder: &Path, files: &Files, kind: FileKind) -> Result<(), StoreError> {
    files.keys().try_for_each(|name| may_write(&folder.join(name), kind))?;
    write(folder, files, &[])
}

/// Whether a path leads to a pipe, a device or a descriptor of this process, whatever that is open for.
fn is_stream(path: &Path) -> bool {
    let descriptors = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    descriptors.iter().any(|d| path.starts_with(d)) || fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// That none of these files, relative to `dir`, is a symbolic link or lies behind one. `dir` itself may be one.
///
/// # Errors
/// The first link.
pub fn no_links<'a>(dir: &Path, names: impl IntoIterator<Item = &'a str>) -> Result<(), StoreError> {
    for name in names {
        let mut path = dir.to_owned();
        for part in Path::new(name).components().filter(|c| matches!(c, Component::Normal(_))) {
            path.push(part);
            if path.is_symlink() {
                return Err(StoreError::Link(path));
            }
        }
    }
    Ok(())
}
