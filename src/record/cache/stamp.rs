//! Whether a file is as it was, without reading it.

use serde::{Deserialize, Serialize};
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

/// How long before now a file is said to be from. Systems count time in steps, and a change within the step of the last one
/// would not be seen; no step is as long as this.
const STEP: Duration = Duration::from_millis(100);

/// What tells this run of the machine from all others, where the system has a name for it. A file that was written before the
/// machine lost its power may be of the right size without its contents.
pub(super) fn boot() -> Option<&'static str> {
    static BOOT: LazyLock<Option<String>> =
        LazyLock::new(|| std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok());
    BOOT.as_deref()
}

/// What a file is known by while nobody changes it: which file it is, its size, and the time of its last change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    inode: u64,
    bytes: u64,
    seconds: i64,
    nanoseconds: i64,
}

impl Stamp {
    /// Of a file whose contents are read from now on, or were written where nobody else sees it. Its time is set to a moment
    /// that is past: whoever changes it later gives it another one.
    pub(super) fn new(file: &File) -> io::Result<Self> {
        file.set_modified(SystemTime::now() - STEP)?;
        Ok(Stamp::of(&file.metadata()?))
    }

    fn of(about: &Metadata) -> Self {
        let (seconds, nanoseconds) = (about.mtime(), about.mtime_nsec());
        Stamp { inode: about.ino(), bytes: about.len(), seconds, nanoseconds }
    }

    /// Whether the file is as it was. Where whole seconds are all that a file system keeps, that is never known.
    pub(super) fn fits(&self, about: &Metadata) -> bool {
        self.nanoseconds != 0 && about.is_file() && *self == Stamp::of(about)
    }
}
