//! What `check` found of an implementation, kept for later runs.

use super::entry::{body, seal};
use super::{Cache, CacheKey};
use crate::harness::RunRecord;
use crate::record::check::Check;
use crate::record::manifest::hash;
use crate::record::store::Staging;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::time::SystemTime;

/// How the name of such an entry ends.
pub(super) const ENDING: &str = ".check";

/// What the verdicts on an implementation depend on.
pub struct CheckKey<'a> {
    /// The specification, and the options.
    pub about: CacheKey<'a>,
    /// The tests: the name of their file with the hash of its contents; none where they are made of the specification.
    pub tests: Option<(String, String)>,
    /// What the implementation is, and how it is made and run.
    pub record: &'a RunRecord,
    /// All that its answers rest on, as a text.
    pub foundation: &'a str,
}

/// What was found, with what was told beside it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptCheck {
    /// The document.
    pub check: Check,
    /// What was worth knowing.
    pub notes: Vec<String>,
}

impl Cache {
    /// The hash of all that verdicts depend on.
    #[must_use]
    pub fn check_key(&self, q: &CheckKey<'_>) -> String {
        let about = (self.key(&q.about), hash(q.about.source), &q.about.spec.source_file, q.about.settings.limits);
        // Quotes part the pieces.
        hash(format!("{:?}", ("check", about, &q.tests, &q.record.0, q.foundation)).as_bytes())
    }

    /// What is kept under a key; none where there is nothing, or something that was changed.
    #[must_use]
    pub fn check(&self, key: &str) -> Option<KeptCheck> {
        let path = self.dir.join(format!("{key}{ENDING}"));
        let text = fs::read(&path).ok()?;
        let kept: KeptCheck = serde_json::from_slice(body(key, &text)?).ok()?;
        // What is used stays. Where that cannot be noted it will be found anew some day.
        let _ = File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(kept)
    }

    /// Keeps what was found.
    ///
    /// # Errors
    /// What the operating system says. There is no new entry then.
    pub fn put_check(&self, key: &str, kept: &KeptCheck) -> io::Result<()> {
        self.make()?;
        let text = serde_json::to_vec(kept)?;
        let (staging, mut file) = Staging::file(&self.dir)?;
        let written = file.write_all(&[seal(key, &text).as_bytes(), b"\n", &text].concat());
        let placed = written.and_then(|()| fs::rename(&staging.path, self.dir.join(format!("{key}{ENDING}"))));
        placed.inspect_err(|_| drop(fs::remove_file(&staging.path)))
    }
}
