//! Where the files of specifications are: a run records their names without folders.

use crate::record::manifest::hash;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files below a folder that have the names and contents of specifications' files, by both, in the order of their paths.
pub(super) struct Sources(BTreeMap<(String, String), Vec<String>>);

impl Sources {
    /// Of the files with some names. Folders whose names begin with a dot are left out, and links to folders not followed,
    /// since they may lead in circles.
    pub(super) fn below(above: &str, names: &[&str]) -> Self {
        let mut found: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        let mut folders = if above.is_empty() { Vec::new() } else { vec![PathBuf::from(above)] };
        while let Some(folder) = folders.pop() {
            for name in names {
                let path = folder.join(name);
                let Ok(text) = std::fs::read(&path) else { continue };
                let shown = path.to_string_lossy().replace('\\', "/");
                // From the root of the repository, as `.` means it.
                let shown = shown.strip_prefix("./").unwrap_or(&shown).to_owned();
                found.entry(((*name).to_owned(), hash(&text))).or_default().push(shown);
            }
            folders.extend(inside(&folder));
        }
        found.values_mut().for_each(|paths| paths.sort_unstable());
        Sources(found)
    }

    /// The nth file of a name and content, from 0; the last one where there are fewer.
    pub(super) fn nth(&self, name: &str, sha256: &str, n: usize) -> Option<&String> {
        let all = self.0.get(&(name.to_owned(), sha256.to_owned()))?;
        all.get(n).or(all.last())
    }
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_hidden = |e: &std::fs::DirEntry| e.file_name().to_string_lossy().starts_with('.');
    let is_folder = |e: &std::fs::DirEntry| e.file_type().is_ok_and(|t| t.is_dir());
    entries.filter(|e| is_folder(e) && !is_hidden(e)).map(|e| e.path()).collect()
}
