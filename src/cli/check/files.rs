//! The files of a run over the implementations of a project: those of each implementation, an overview of all, and one for
//! other tools. All commands that make such a run refuse and write them here.

use super::pairs::{Pair, earlier};
use crate::cli::destination;
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use clap::ArgMatches;
use magneto::record::store::{self, FileKind, Files, FolderClaim, Mark};
use std::path::Path;

/// Where the files of an implementation go.
pub(in crate::cli) struct FilePlace {
    /// The folder below that of the run; empty where it is that one.
    pub(in crate::cli) folder: String,
    /// The names of its files, where they are known before the run.
    pub(in crate::cli) names: Vec<String>,
}

/// Beside what the files of a run may stand.
pub(in crate::cli) enum Neighbours {
    /// Results of other commands. Earlier files that the function knows by their names are replaced, and pages are removed that
    /// show them; whether the page of a run does is the second.
    Results(fn(&str) -> bool, bool),
    /// Nothing in its folders but an earlier run with an overview of this schema.
    None(&'static str),
}

/// The files of a run.
pub(in crate::cli) struct ProjectFiles<'a> {
    /// What the command line says: no input is overwritten.
    pub(in crate::cli) matches: &'a ArgMatches,
    /// The folder of `--output`, if there is one.
    pub(in crate::cli) dir: Option<&'a Path>,
    /// The name of the overview.
    pub(in crate::cli) overview: &'static str,
    /// What else may be there.
    pub(in crate::cli) beside: Neighbours,
    /// The places of the implementations, in order.
    pub(in crate::cli) places: Vec<FilePlace>,
    /// The file for other tools that an option names, if it does.
    pub(in crate::cli) aside: Option<&'a Path>,
    /// What that is.
    pub(in crate::cli) aside_kind: FileKind,
}

impl FilePlace {
    /// Of an implementation whose files stand with those of its specification.
    pub(in crate::cli) fn of(pair: &Pair<'_>, dir: Option<&Path>, extensions: &[&str]) -> Self {
        let inside = pair.folder.strip_prefix(dir.unwrap_or(Path::new(""))).unwrap_or(&pair.folder);
        FilePlace {
            folder: inside.to_string_lossy().into_owned(),
            names: extensions.iter().map(|extension| pair.named(extension)).collect(),
        }
    }

    /// One of its files, from the folder of the run.
    fn path(&self, name: &str) -> String {
        if self.folder.is_empty() { name.to_owned() } else { format!("{}/{name}", self.folder) }
    }
}

impl ProjectFiles<'_> {
    /// That all files may be written, before anything is run.
    pub(in crate::cli) fn claim(&self) -> Result<(), Failure> {
        destination::file(self.matches, self.aside, self.aside_kind)?;
        let Some(dir) = self.dir else { return Ok(()) };
        match self.beside {
            Neighbours::Results(..) => {
                destination::folder(self.matches, Some(dir), &FolderClaim::Beside(&[self.overview]))?;
                self.places.iter().try_for_each(|place| {
                    let names: Vec<&str> = place.names.iter().map(String::as_str).collect();
                    destination::folder(self.matches, Some(&dir.join(&place.folder)), &FolderClaim::Beside(&names))
                })
            }
            Neighbours::None(schema) => {
                let folders = self.places.iter().map(|place| place.folder.as_str());
                let names: Vec<&str> = folders.chain([self.overview]).collect();
                let own = FolderClaim::Own(&names, Mark { file: self.overview, schema });
                destination::folder(self.matches, Some(dir), &own)
            }
        }
    }

    /// The document of each implementation, as the overview beside it names it; none where nothing is written.
    pub(in crate::cli) fn documents(&self) -> Vec<Option<String>> {
        let document = |place: &FilePlace| {
            let name = place.names.iter().find(|name| name.ends_with(".json"))?;
            self.dir.map(|_| place.path(name))
        };
        self.places.iter().map(document).collect()
    }

    /// Writes the file for other tools.
    pub(in crate::cli) fn write_aside(&self, bytes: impl FnOnce() -> Result<Vec<u8>, Failure>) -> Result<(), Failure> {
        destination::write(self.matches, self.aside, self.aside_kind, bytes)
    }

    /// Writes the files of the implementations, by name, and the overview: all or none. Pages that showed earlier ones are gone
    /// then, and that is told.
    pub(in crate::cli) fn write(&self, found: Vec<Files>, overview: Vec<u8>, output: &Output) -> Result<(), Failure> {
        let Some(dir) = self.dir else { return Ok(()) };
        let mut files = Files::new();
        for (place, own) in self.places.iter().zip(found) {
            files.extend(own.into_iter().map(|(name, bytes)| (place.path(&name), bytes)));
        }
        let (mut stale, mut pages) = (Vec::new(), Vec::new());
        if let Neighbours::Results(is_own, shown_by_run) = self.beside {
            pages = destination::outdated(dir, &[], shown_by_run);
            let mut folders: Vec<&str> = self.places.iter().map(|place| place.folder.as_str()).collect();
            folders.dedup();
            for folder in folders {
                let path = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
                let gone = earlier(&dir.join(folder), |name| is_own(name) && !files.contains_key(&path(name)));
                stale.extend(gone.iter().map(|name| path(name)));
                if !folder.is_empty() {
                    let shown = destination::outdated(&dir.join(folder), &[], shown_by_run);
                    pages.extend(shown.iter().map(|name| path(name)));
                }
            }
        }
        files.insert(self.overview.to_owned(), overview);
        stale.extend(pages.iter().cloned());
        store::write(dir, &files, &stale)?;
        destination::tell_outdated(dir, &pages, output);
        destination::tell_record(dir, output);
        Ok(())
    }
}
