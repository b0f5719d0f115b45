//! The `magneto.accept.toml` of specifications: where it is, and what of it holds for a run.

use super::exit::Failure;
use super::output::Output;
use super::specs::{Loaded, shown};
use magneto::accept::{self, Entry, NAME};
use magneto::report::forms;
use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::suite::{Generated, Standing};
use magneto::text::Diagnostic;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// A `magneto.accept.toml`, which need not be there.
pub(crate) struct Place {
    /// Its folder.
    pub(crate) folder: PathBuf,
    /// The specification's file, as entries name it.
    pub(crate) file: String,
}

impl Place {
    /// The nearest one upward from a specification's file, else the one that would be beside it; none for standard input.
    pub(crate) fn of(source_file: &str) -> Option<Self> {
        let path = Path::new(source_file);
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (name, beside) = (path.file_name()?, parent.canonicalize().ok()?);
        if source_file == "-" || source_file == super::written::SHOWN {
            return None;
        }
        let folder = nearest(&beside).unwrap_or(&beside).to_owned();
        let parts = beside.strip_prefix(&folder).ok()?.join(name);
        let parts: Vec<String> = parts.iter().map(|p| p.to_string_lossy().into_owned()).collect();
        Some(Place { folder, file: parts.join("/") })
    }

    /// The path as messages have it: from the current folder, if it is below that.
    pub(crate) fn shown(&self) -> String {
        let path = self.folder.join(NAME);
        let here = std::env::current_dir().and_then(|d| d.canonicalize()).unwrap_or_default();
        path.strip_prefix(&here).unwrap_or(&path).display().to_string()
    }

    /// Text and entries, none if there is no file.
    pub(crate) fn read(&self) -> Result<(String, Vec<Entry>), Failure> {
        let shown = self.shown();
        let bytes = match std::fs::read(self.folder.join(NAME)) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|e| Failure::usage(format!("cannot read {shown}: {e}")))?,
        };
        let text = String::from_utf8(bytes).map_err(|_| Failure::usage(format!("{shown} is not a text file")))?;
        let rendered = |d: &Diagnostic| d.render(&shown, text.as_bytes());
        let entries = accept::read(&text).map_err(|list| Failure::rendered(list.iter().map(rendered).collect()))?;
        Ok((text, entries))
    }
}

/// The nearest folder upward that has a `magneto.accept.toml`.
fn nearest(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|d| d.join(NAME).is_file())
}

/// Notes where the decisions that are found upward from a run's folder, or from the folder of its specifications, are no
/// longer those that the run had. A report of it shows what the run had: it is the record of that run.
pub(crate) fn differences(dir: &Path, specifications: &str, output: &Output) -> Result<(), Failure> {
    let specifications = if specifications.is_empty() { "." } else { specifications };
    let starts = [dir, Path::new(specifications)].map(Path::canonicalize);
    let folders: BTreeSet<PathBuf> =
        starts.iter().flatten().filter_map(|start| nearest(start)).map(Path::to_owned).collect();
    // A folder that is no run, or one that was made by hand, is for the report to complain about.
    let Ok(run) = forms::read(dir, "") else { return Ok(()) };
    for folder in folders {
        let place = Place { folder, file: String::new() };
        let (_, entries) = place.read()?;
        for one in &run {
            let about =
                |e: &&Entry| e.specification == one.name() && e.file.rsplit('/').next() == Some(one.file.as_str());
            let there: Vec<&Entry> = entries.iter().filter(about).collect();
            let now = there.iter().filter(|e| match one.status(&e.mutant) {
                Some((Standing::Accepted, words)) => words != Some((e.by.as_str(), e.reason.as_str())),
                Some((status, _)) => status == Standing::Undecided,
                // One of other operators, or stale, which `gen` says.
                None => false,
            });
            let then = one.accepted().filter(|id| there.iter().all(|e| e.mutant != *id));
            let ids: Vec<&str> = now.map(|e| e.mutant.as_str()).chain(then).collect();
            if !ids.is_empty() {
                let (shown, name, ids) = (place.shown(), one.name(), ids.join(", "));
                output.note(format!(
                    "{shown} does not say what this run had about {ids} of {name}; the report shows what the run had: \
                     run `magneto gen` again"
                ));
            }
        }
    }
    Ok(())
}

/// The entries about one specification.
#[derive(Default)]
pub(crate) struct Accepted {
    shown: String,
    name: String,
    entries: Vec<Entry>,
    /// The mutants that were accepted for what the file asks for, where flags ask for something else.
    for_the_file: Vec<String>,
}

impl Accepted {
    /// Gives the mutants of a run their status, and notes what is not needed.
    pub(crate) fn apply(&self, run: &mut Generated, output: &Output) {
        let needless = self.give(run);
        self.note(&needless, output);
    }

    /// Gives the mutants of a run their status. Returned are those that need not be accepted, with the status that they have.
    pub(crate) fn give(&self, run: &mut Generated) -> Vec<(String, String)> {
        let entries: Vec<&Entry> = self.entries.iter().collect();
        let needless = accept::apply(run, &entries).into_iter();
        needless.map(|(entry, status)| (entry.mutant.clone(), status.to_owned())).collect()
    }

    /// Notes what is not needed.
    pub(crate) fn note(&self, needless: &[(String, String)], output: &Output) {
        for (id, status) in needless {
            let (shown, name) = (&self.shown, &self.name);
            output.note(format!("{shown}: mutant {id} of {name} need not be accepted: it is {status}"));
        }
        if !self.for_the_file.is_empty() {
            let (shown, name, ids) = (&self.shown, &self.name, self.for_the_file.join(", "));
            let was = if self.for_the_file.len() == 1 { "was" } else { "were" };
            output.note(format!(
                "{shown}: {ids} of {name} {was} accepted for what its file asks for, and the options ask for something else"
            ));
        }
    }

    /// The decisions, to compare runs by.
    pub(crate) fn fingerprint(&self) -> String {
        let entries = self.entries.iter();
        entries.map(|e| format!("{:?}\n", (&e.file, &e.specification, &e.mutant, &e.by, &e.reason))).collect()
    }
}

/// All decisions about some specifications, to compare runs by.
pub(crate) fn fingerprint(all: &[Accepted]) -> String {
    all.iter().map(Accepted::fingerprint).collect()
}

/// The entries about each specification. One that is stale is an error: it hides that a decision no longer holds.
pub(crate) fn read(loaded: &[Loaded]) -> Result<Vec<Accepted>, Failure> {
    let mut files: BTreeMap<PathBuf, (String, Vec<Entry>)> = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut messages = Vec::new();
    let mut all = Vec::new();
    for one in loaded {
        let mut accepted = Accepted { name: one.spec.name.clone(), ..Accepted::default() };
        if let Some(place) = Place::of(&one.spec.source_file) {
            accepted.shown = place.shown();
            if !files.contains_key(&place.folder) {
                files.insert(place.folder.clone(), place.read()?);
            }
            let (text, entries) = &files[&place.folder];
            let about: Vec<&Entry> = entries.iter().filter(|e| e.file == place.file).collect();
            if !about.is_empty() {
                let source = Source::new(one);
                for (entry, what) in about.iter().filter_map(|e| Some((*e, source.stale(e, one)?))) {
                    if seen.insert((place.folder.clone(), entry.at.start)) {
                        let d = Diagnostic::semantic(entry.at, what).hint(advice(one, &entry.mutant));
                        messages.push(d.render(&accepted.shown, text.as_bytes()));
                    }
                }
            }
            accepted.entries = about.into_iter().filter(|e| e.specification == one.spec.name).cloned().collect();
            let other = accepted.entries.iter().filter(|e| !e.was_decided_for(&one.spec));
            accepted.for_the_file = other.map(|e| e.mutant.clone()).collect();
        }
        all.push(accepted);
    }
    if messages.is_empty() { Ok(all) } else { Err(Failure::rendered(messages)) }
}

fn advice(one: &Loaded, id: &str) -> String {
    let file = shown(&one.spec.source_file);
    format!(
        "the specification has changed since: `magneto mutants {file}` lists its mutants, `magneto accept {file} \
         --remove {id}` removes the entry"
    )
}

/// The file of a specification without any flags.
pub(crate) struct Source {
    names: Vec<String>,
    specs: Vec<Spec>,
}

impl Source {
    pub(crate) fn new(one: &Loaded) -> Self {
        let file = parse_file(&one.source);
        let path = &one.spec.source_file;
        let resolved = |k: usize| resolve(&file, k, path, &Overrides::default()).ok();
        let specs: Vec<Spec> = (0..file.cores.len()).filter_map(resolved).collect();
        let names = file.labels.iter().flatten().cloned().chain(specs.iter().map(|s| s.name.clone())).collect();
        Source { names, specs }
    }

    /// What is stale in an entry about the file; nothing is said of other specifications in it than `one`.
    pub(crate) fn stale(&self, entry: &Entry, one: &Loaded) -> Option<String> {
        if entry.specification != one.spec.name {
            let gone = !self.names.contains(&entry.specification);
            return gone.then(|| format!("{} has no specification `{}`", entry.file, entry.specification));
        }
        let same = self.specs.iter().filter(|s| s.name == one.spec.name);
        accept::stale(entry, &same.chain([&one.spec]).collect::<Vec<_>>())
    }
}
