//! Results that were computed before, by all on which they depend: who asks for the same again need not wait.
//!
//! A result is kept under the SHA-256 of its question ([`Cache::key`]): the texts of the specification and of what it
//! calls, the options, the decisions about its mutants, and the program itself, byte by byte with the libraries that it
//! runs on. What is not in the question is not taken from the answer: where the texts stand in their file, the rest of
//! that file, where options came from, gates.
//!
//! What `check` found of an implementation is kept beside that, see [`KeptCheck`].
//!
//! An entry is a folder with the files of a specification, put into place in one step, so that any number of processes may
//! use a cache at a time. Results of runs that did not come to their end are not kept.
//!
//! A run does not write these files again: it gives them a second name in its output folder. So whoever changes one there in
//! place changes the entry. That is seen: a file that is not the one that was written, or has another size or time, is read,
//! and its hash compared with the one in the entry's head, which has its own hash.

mod checked;
mod entry;
mod program;
mod stamp;
mod tests_of;

pub use tests_of::tests_of;

use super::manifest::{file_name, hash};
use super::resume::SourceText;
use super::store::{self, Files, Lock, Real, Staging};
use super::{Suite, Written};
use crate::mutate::Sample;
use crate::options::Settings;
use crate::spec::Spec;
use crate::suite::Phases;
use crate::unfit::Unfit;
pub use checked::{CheckKey, KeptCheck};
use entry::{Entry, HEAD};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The file by which a cache is known, and by which programs that back files up leave it out (<https://bford.info/cachedir/>).
const TAG: &str = "CACHEDIR.TAG";
const TAG_TEXT: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
                        # This folder is a cache of `magneto gen` and `magneto check`. It may be removed at any time.\n";
/// Of a tag that is ours.
const OURS: &str = "cache of `magneto gen`";

/// How the name of an entry ends.
const ENDING: &str = ".result";

/// Entries that no run has used for so long are removed.
const MOST_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Where entries take more, beside what is in output folders as well, those that were not used for longest are removed.
/// Unit: bytes.
const MOST_BYTES: u64 = 2 << 30;

/// A folder with results of earlier runs.
pub struct Cache {
    dir: PathBuf,
    /// What identifies this program.
    program: String,
    /// Of a cache of one run alone, what goes with it.
    passing: Option<Passing>,
}

/// A temporary folder that is removed in the end.
struct Passing(Staging);

impl Drop for Passing {
    fn drop(&mut self) {
        let _ = store::remove_all(&Real, &self.0.path);
    }
}

/// What a result depends on.
#[derive(Clone, Copy)]
pub struct CacheKey<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// The text of its file.
    pub source: &'a [u8],
    /// The options.
    pub settings: &'a Settings,
    /// The decisions about its mutants, as a text.
    pub decisions: &'a str,
}

impl<'a> CacheKey<'a> {
    /// The specification and the text of its file.
    fn file(&self) -> SourceText<'a> {
        (self.spec, self.source)
    }
}

/// A result, with what else is told of it.
#[derive(Clone, Debug)]
pub struct CacheEntry {
    /// What was found, as it is written.
    pub written: Written,
    /// What it took to find it.
    pub phases: Phases,
    /// Which mutants were made, where there was no room for all.
    pub sample: Option<Sample>,
    /// Mutants that a person accepted without need, with the status that they have.
    pub needless: Vec<(String, String)>,
    /// How many inputs that a person brought are no tests.
    pub astray: usize,
    /// The findings of `lint` that a run tells, as it tells them.
    pub warnings: Vec<String>,
}

/// What a cache has for a question.
#[derive(Debug)]
pub enum CacheAnswer {
    /// A result.
    Kept {
        /// [`CacheEntry::warnings`]; none where they name another path or place.
        warnings: Option<Vec<String>>,
    },
    /// Nothing.
    Nothing,
    /// An entry that cannot be used: it was changed, or is not all there.
    Damaged(PathBuf),
}

impl Cache {
    /// The cache in a folder, which need not be there.
    ///
    /// # Errors
    /// The folder holds something else, or this program cannot be read, so that what another version found could not be
    /// told from what it would find.
    pub fn open(dir: &Path) -> Result<Self, Unfit> {
        let shown = dir.display();
        match fs::read_dir(dir) {
            Ok(mut entries) => {
                let tag = fs::read(dir.join(TAG)).unwrap_or_default();
                if entries.next().is_some() && !String::from_utf8_lossy(&tag).contains(OURS) {
                    return Err(format!("{shown} is no cache: it holds other things").into());
                }
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(format!("{shown} is no cache: {e}").into()),
        }
        let program = program::identity().map_err(|e| format!("this program cannot be told from others: {e}"))?;
        Ok(Cache { dir: dir.to_owned(), program, passing: None })
    }

    /// A cache of this run alone in a temporary folder of `folder`: results are on the disk rather than in memory until they
    /// are written.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn passing(folder: &Path) -> io::Result<Self> {
        store::sweep(&Real, folder);
        let staging = Staging::folder(&Real, folder)?;
        Ok(Cache { dir: staging.path.clone(), program: String::new(), passing: Some(Passing(staging)) })
    }

    /// Whether it is of one run alone.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        self.passing.is_some()
    }

    /// Where it is.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The hash of a question. Two questions with one hash have one answer.
    #[must_use]
    pub fn key(&self, q: &CacheKey<'_>) -> String {
        let texts: Vec<_> =
            q.spec.texts.iter().map(|t| String::from_utf8_lossy(q.source.get(t.start..t.end).unwrap_or(&[]))).collect();
        let mut options = q.settings.suite.clone();
        // The number of threads changes nothing.
        options.jobs = 0;
        let (name, file) = (&q.spec.name, file_name(q.spec));
        let asked = (&q.settings.overrides, options, q.settings.fingerprint(), q.decisions);
        // Every field of the options is in this text, also one that is new; and quotes part its pieces.
        let text = format!("{:?}", (&self.program, name, file, texts, q.spec.to_stated_core().one_line(), asked));
        hash(text.as_bytes())
    }

    /// Whether there is something for a question. It is not held in memory, of which a run may use so much and no more.
    #[must_use]
    pub fn look(&self, q: &CacheKey<'_>) -> CacheAnswer {
        let key = self.key(q);
        match self.read(&key) {
            Ok(entry) => {
                // What is used stays. Where that cannot be noted it will be computed anew some day.
                let _ = File::open(self.path(&key).join(HEAD)).and_then(|f| f.set_modified(SystemTime::now()));
                CacheAnswer::Kept { warnings: entry.warnings(q) }
            }
            Err(entry::Unfit::Gone) => CacheAnswer::Nothing,
            Err(entry::Unfit::Damaged) => CacheAnswer::Damaged(self.path(&key)),
        }
    }

    /// The result for a question; none where there is none, or none any more. Its files are those of the cache, which stay
    /// while somebody [`uses`](Cache::used) it.
    #[must_use]
    pub fn get(&self, q: &CacheKey<'_>) -> Option<CacheEntry> {
        let key = self.key(q);
        self.read(&key).ok()?.kept(&self.path(&key), q)
    }

    /// The entry of a key, all of it what was written.
    fn read(&self, key: &str) -> Result<Entry, entry::Unfit> {
        let folder = self.path(key);
        let (entry, anew) = Entry::read(&folder, key)?;
        if anew {
            // Where that cannot be noted its files are read the next time too.
            let _ = entry.text(key).and_then(|text| {
                let (staging, mut file) = Staging::file(&self.dir)?;
                let written = file.write_all(&text).and_then(|()| fs::rename(&staging.path, folder.join(HEAD)));
                written.inspect_err(|_| drop(fs::remove_file(&staging.path)))
            });
        }
        Ok(entry)
    }

    /// Sees to it that no process removes what is in it, until that is dropped; none where there is no need.
    #[must_use]
    pub fn used(&self) -> Option<Lock> {
        if self.is_passing() { None } else { store::share(&self.dir) }
    }

    /// Keeps a result. `suite` is what `kept` was made of, and came to its end.
    ///
    /// # Errors
    /// What the operating system says. There is no new entry then.
    pub fn put(&self, q: &CacheKey<'_>, suite: &Suite<'_>, kept: &CacheEntry) -> io::Result<()> {
        let key = self.key(q);
        self.make()?;
        let staging = Staging::folder(&Real, &self.dir)?;
        let written = entry::write(&staging.path, &key, q, suite, kept);
        let placed = written.and_then(|()| place(&staging.path, &self.path(&key), &key));
        // Once it is placed, its old name may be that of another one.
        if !matches!(placed, Ok(true)) {
            let _ = store::remove_all(&Real, &staging.path);
        }
        placed.map(drop)
    }

    /// Removes entries that were not used for long, and what killed processes left. Where another process uses some, it is
    /// left to that one.
    pub fn clean(&self) {
        if let Some(Passing(staging)) = &self.passing {
            let _ = store::remove_all(&Real, &staging.path);
            return;
        }
        store::sweep(&Real, &self.dir);
        let Some(_lock) = store::alone(&self.dir) else { return };
        let entry = |e: fs::DirEntry| {
            let path = e.path();
            // Those of older programs were files.
            let head = if path.is_dir() { path.join(HEAD) } else { path.clone() };
            let used = fs::metadata(&head).and_then(|m| m.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
            is_entry(&path).then(|| (used, size(&path), path))
        };
        let mut all: Vec<_> = fs::read_dir(&self.dir).into_iter().flatten().flatten().filter_map(entry).collect();
        all.sort_by_key(|entry| std::cmp::Reverse(entry.0));
        let mut sum = 0;
        for (used, size, path) in all {
            sum += size;
            if sum > MOST_BYTES || used.elapsed().is_ok_and(|unused| unused > MOST_AGE) {
                let _ = store::remove_all(&Real, &path);
            }
        }
    }

    fn path(&self, key: &str) -> PathBuf {
        self.dir.join(format!("{key}{ENDING}"))
    }

    /// Sees to it that the folder is there, and that neither git nor backups take it for somebody's work.
    fn make(&self) -> io::Result<()> {
        if self.dir.join(TAG).is_file() {
            return Ok(());
        }
        let files = [(TAG, TAG_TEXT), (".gitignore", "*\n")];
        let files: Files = files.into_iter().map(|(name, text)| (name.to_owned(), text.into())).collect();
        store::write(&self.dir, &files, &[]).map_err(io::Error::other)
    }
}

/// Gives a new entry its name. One that has it stays if it is sound: another process was faster, and may be using it; then
/// this is false.
fn place(new: &Path, place: &Path, key: &str) -> io::Result<bool> {
    match fs::rename(new, place) {
        Err(_) if fs::symlink_metadata(place).is_ok() => {
            if Entry::read(place, key).is_ok() {
                return Ok(false);
            }
            store::remove_all(&Real, place)?;
            fs::rename(new, place)?;
        }
        renamed => renamed?,
    }
    Ok(true)
}

/// What there is more room for without an entry: a file that has a second name in an output folder stays. Unit: bytes.
fn size(entry: &Path) -> u64 {
    let bytes = |path: &Path| {
        fs::symlink_metadata(path)
            .ok()
            .filter(|about| about.is_dir() || about.nlink() == 1)
            .map_or(0, |about| about.len())
    };
    // What `check` found is a file.
    let files = fs::read_dir(entry).into_iter().flatten().flatten();
    files.map(|file| bytes(&file.path())).sum::<u64>() + bytes(entry)
}

/// Whether a file or folder has the name of an entry.
fn is_entry(path: &Path) -> bool {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let key = [ENDING, checked::ENDING].iter().find_map(|ending| name.strip_suffix(ending));
    key.is_some_and(|key| key.len() == 64 && key.bytes().all(|b| b.is_ascii_hexdigit()))
}
