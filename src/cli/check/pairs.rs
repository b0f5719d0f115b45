//! The implementations that a `magneto.toml` names, for the commands that go over all of them.

use super::Environment;
use super::implementation::Implementation;
use crate::cli::exit::{Exit, Failure};
use crate::cli::interrupt::STOP;
use crate::cli::output::Output;
use crate::cli::shards::{self, Part};
use crate::cli::sources;
use crate::cli::specs::{self, Loaded};
use magneto::harness::kinds::path_seen_from;
use magneto::harness::{ImplementationKind, kind_of_key};
use magneto::options::{ImplementationEntry, Settings, options_of_implementations};
use magneto::record::{read, store};
use magneto::threads::{self, Threads};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// One implementation of one specification.
pub(in crate::cli) struct Pair<'a> {
    pub(in crate::cli) loaded: &'a Loaded,
    entry: &'a ImplementationEntry,
    /// What it is called among those of its specification.
    pub(in crate::cli) label: String,
    /// The folder of its specification's files.
    pub(in crate::cli) folder: PathBuf,
    /// The name of its files without an extension.
    pub(in crate::cli) stem: String,
}

/// What a command makes of the entries of a `magneto.toml`.
pub(in crate::cli) struct Taker {
    /// What its files are called, and how the names of several begin.
    pub(in crate::cli) stem: &'static str,
    /// Whether it takes entries of a kind.
    pub(in crate::cli) takes: fn(&str) -> bool,
    /// What an implementation of the kinds that it takes is on its command line, for hints.
    pub(in crate::cli) alone: fn(fn(&str) -> bool) -> String,
}

/// Parses the specifications that are given, or all for which there is an implementation.
pub(in crate::cli) fn specifications(
    given: &[String],
    settings: &Settings,
    taker: &Taker,
    output: &Output,
) -> Result<Vec<Loaded>, Failure> {
    if settings.implementations.is_empty() {
        let alone = (taker.alone)(taker.takes);
        return Err(Failure::usage_hint(
            "nothing says what the implementation is",
            format!("give {alone}, or name implementations in magneto.toml as [[implementation]]"),
        ));
    }
    let mut misspelt = sources::unmatched_implementations(settings);
    if !misspelt.is_empty() {
        misspelt.push("hint: correct `spec`, or remove the implementation\n".to_owned());
        return Err(Failure::rendered(misspelt));
    }
    if !given.is_empty() {
        return specs::load_named(given, settings, output);
    }
    let files = settings.implementations.iter().flat_map(|entry| sources::files(&entry.about));
    let mut all: Vec<String> = files.map(|f| f.to_string_lossy().into_owned()).collect();
    all.sort_unstable();
    all.dedup();
    specs::load_named(&all, settings, output)
}

/// The implementations of each specification that a command takes, in the order of the specifications and of the file.
pub(in crate::cli) fn pairs<'a>(
    loaded: &'a [Loaded],
    settings: &'a Settings,
    dir: Option<&Path>,
    taker: &Taker,
    output: &Output,
) -> Result<Vec<Pair<'a>>, Failure> {
    let folders = store::folders(loaded.iter().map(|l| l.spec.name.as_str()));
    let (mut pairs, mut without, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for (one, own) in loaded.iter().zip(folders) {
        let (name, file) = (&one.spec.name, &one.spec.source_file);
        let labels: Vec<String> = one.spec.core.ident.iter().chain([name]).cloned().collect();
        let all: Vec<&ImplementationEntry> =
            settings.implementations.iter().filter(|e| sources::is_meant(&e.about, file, &labels)).collect();
        if all.is_empty() {
            without.push(name.clone());
        }
        let labels: Vec<String> = all.iter().map(|e| e.label(name, file)).collect();
        if let Some(k) = (1..labels.len()).find(|k| labels[..*k].contains(&labels[*k])) {
            let message = format!("two implementations of {name} are called `{}`", labels[k]);
            return Err(Failure::usage_hint(message, "give each a `name` in magneto.toml"));
        }
        let dir = dir.unwrap_or(Path::new(""));
        let folder = match read::folder(dir, &one.spec, &one.source) {
            Ok((folder, _)) => folder,
            Err(_) if loaded.len() == 1 => dir.to_owned(),
            Err(_) => dir.join(own),
        };
        let (taken, not): (Vec<_>, Vec<_>) =
            all.into_iter().zip(labels).partition(|(entry, _)| (taker.takes)(entry.kind()));
        left_out.extend(not.into_iter().map(|(_, label)| format!("{name}, {label}")));
        let stems = stems(taker.stem, taken.iter().map(|(_, label)| label.as_str()));
        for ((entry, label), stem) in taken.into_iter().zip(stems) {
            pairs.push(Pair { loaded: one, entry, label, folder: folder.clone(), stem });
        }
    }
    if !without.is_empty() {
        let hint = "name one in magneto.toml as [[implementation]], or leave these specifications out";
        return Err(Failure::usage_hint(format!("there is no implementation of {}", without.join(", ")), hint));
    }
    if !left_out.is_empty() {
        output.note(format!("`{}` takes no implementations of this kind: {}", taker.stem, left_out.join("; ")));
    }
    if pairs.is_empty() {
        let hint = format!("give {}", (taker.alone)(taker.takes));
        return Err(Failure::usage_hint(format!("there is nothing that `{}` takes", taker.stem), hint));
    }
    Ok(pairs)
}

/// The names of the files of a specification's implementations: of the only one as if it were alone.
fn stems<'a>(stem: &str, labels: impl ExactSizeIterator<Item = &'a str>) -> Vec<String> {
    if labels.len() == 1 {
        return vec![stem.to_owned()];
    }
    // Another file of a run has this one's name.
    let taken = std::iter::once("resume");
    store::folders(taken.chain(labels)).iter().skip(1).map(|label| format!("{stem}-{label}")).collect()
}

/// What some work makes of each implementation, or of each of a part of them, side by side. After an interruption all from
/// the first that had not begun are missing: what is there belongs to the implementations in order.
pub(in crate::cli) fn each<R: Send>(
    pairs: &[Pair<'_>],
    part: Option<&Part>,
    threads: &Threads,
    work: impl Fn(&Pair<'_>) -> R + Sync,
) -> Vec<R> {
    let own: Vec<&Pair<'_>> = shards::own(part, pairs.len()).into_iter().map(|k| &pairs[k]).collect();
    let one = |pair: &&Pair<'_>| (!STOP.load(Ordering::Relaxed)).then(|| work(pair));
    threads::deep(|| threads.side_by_side(1, &own, one)).into_iter().map_while(|found| found).collect()
}

/// The name of each implementation, and all that a part of a run has to have in common with the others.
pub(in crate::cli) fn items(pairs: &[Pair<'_>]) -> Vec<(String, Vec<u8>)> {
    let name = |p: &Pair<'_>| (format!("{} {}", p.loaded.spec.name, p.label), p.loaded.source.to_vec());
    pairs.iter().map(name).collect()
}

/// The files in a folder that are to go, by their names.
pub(in crate::cli) fn earlier(folder: &Path, goes: impl Fn(&str) -> bool) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
    names.filter(|name| goes(name)).collect()
}

/// How a run over several implementations ends: by the worst of them.
pub(in crate::cli) fn worst(exits: &[u8], interrupted: bool) -> Exit {
    if interrupted {
        return Exit::Interrupted;
    }
    let order = [Exit::Bug, Exit::Usage, Exit::Harness, Exit::Gate, Exit::Inconclusive];
    order.into_iter().find(|e| exits.contains(&(*e as u8))).unwrap_or(Exit::Passed)
}

impl Pair<'_> {
    /// Its file with an extension.
    pub(in crate::cli) fn named(&self, extension: &str) -> String {
        format!("{}.{extension}", self.stem)
    }

    /// What magneto.toml says of a key.
    pub(in crate::cli) fn said(&self, key: &str) -> Option<String> {
        self.entry.value(key, &self.loaded.spec.name, &self.loaded.spec.source_file)
    }

    /// What it says of the key of a kind, as it is to be written in the current folder.
    fn value_of_kind(&self, kind: &dyn ImplementationKind) -> Option<String> {
        Some(kind.seen_from(&self.entry.about.folder, self.said(kind.key())?))
    }

    /// A file that it names by a key, from the folder of the magneto.toml.
    pub(in crate::cli) fn file(&self, key: &str) -> Option<String> {
        Some(path_seen_from(&self.entry.about.folder, &self.said(key)?))
    }

    /// The implementation, as options would say it.
    pub(in crate::cli) fn implementation(&self) -> Implementation {
        let value = |name: &str| match kind_of_key(name) {
            Some(kind) => self.value_of_kind(kind),
            None => self.said(name),
        };
        Implementation { said: options_of_implementations().filter_map(|name| Some((name, value(name)?))).collect() }
    }

    /// Where it ran and by whom, as magneto.toml says it, else as the options do.
    pub(in crate::cli) fn environment(&self, said: &Environment) -> Environment {
        let own = |key: &str, whole: &Option<String>| self.said(key).or_else(|| whole.clone());
        Environment {
            target: own("target", &said.target),
            tester: own("tester", &said.tester),
            software: own("software", &said.software),
        }
    }

    /// The folder in which there are tests of its specification: of the run beside its files, or of the output folder.
    pub(in crate::cli) fn tests_of_a_run(&self, settings: &Settings) -> Option<PathBuf> {
        let (spec, source) = (&self.loaded.spec, &self.loaded.source);
        let above = self.folder.parent().unwrap_or(Path::new(""));
        [self.folder.as_path(), above, &settings.output].into_iter().find_map(|dir| {
            let (folder, _) = read::folder(dir, spec, source).ok()?;
            matches!(read::test_file(dir, spec, source), Ok((_, false))).then(|| folder.join("tests.csv"))
        })
    }
}
