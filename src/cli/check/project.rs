//! `magneto check` of all implementations that a `magneto.toml` names.

use super::{Environment, Implementation, Options, checked, exit_of, fits, make_tests, read_tests};
use crate::cli::exit::{Exit, Failure};
use crate::cli::interrupt::STOP;
use crate::cli::output::Output;
use crate::cli::shards::{self, Sharded};
use crate::cli::specs::{self, Loaded};
use crate::cli::{destination, flags, sources};
use clap::ArgMatches;
use magneto::harness::{Case, Checked, PipeRun, RunRecord};
use magneto::options::{ImplementationEntry, Settings, shell_word};
use magneto::record::check::Check;
use magneto::record::checks::Checks;
use magneto::record::store::{self, CHECKS, FolderClaim};
use magneto::record::{json, read};
use magneto::report::check::document::{LISTED, document, table};
use magneto::report::check::{CheckReport, several};
use magneto::report::junit;
use magneto::threads::{self, Threads};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// One implementation of one specification.
struct Pair<'a> {
    loaded: &'a Loaded,
    entry: &'a ImplementationEntry,
    /// What it is called among those of its specification.
    label: String,
    /// The folder of its files, and their name without an extension.
    folder: PathBuf,
    stem: String,
}

/// Runs all implementations of the specifications that are given, or of all that have one.
pub(super) fn run(
    matches: &ArgMatches,
    options: &Options,
    settings: &Settings,
    output: &Output,
) -> Result<Exit, Failure> {
    if options.tap {
        return Err(Failure::usage_hint("--tap is for one implementation", "--junit FILE has the tests of all"));
    }
    destination::file(matches, options.junit.as_deref(), junit::KIND)?;
    let loaded = specifications(options, settings, output)?;
    let pairs = pairs(&loaded, settings, options.output.as_deref())?;
    let sharded = Sharded { output: options.output.clone(), shard: options.shard };
    let name = |p: &Pair<'_>| (format!("{} {}", p.loaded.spec.name, p.label), p.loaded.source.to_vec());
    let items: Vec<(String, Vec<u8>)> = pairs.iter().map(name).collect();
    let words = (&["check"][..], &super::command());
    let part = shards::part(matches, words, &sharded, settings.fingerprint(), &items, output)?;
    if part.is_none() {
        claim(matches, options, &pairs)?;
    }
    let own: Vec<&Pair<'_>> = shards::own(part.as_ref(), pairs.len()).into_iter().map(|k| &pairs[k]).collect();
    let threads = Threads::new(settings.suite.jobs);
    let one = |pair: &&Pair<'_>| {
        (!STOP.load(Ordering::Relaxed)).then(|| found(pair, &options.environment, settings, &threads, output))
    };
    let checks: Vec<Check> = threads::deep(|| threads.side_by_side(1, &own, one)).into_iter().flatten().collect();
    let interrupted = STOP.load(Ordering::Relaxed);
    match part {
        // As text: the order of an implementation's fields is kept.
        Some(part) => {
            let texts: Vec<String> =
                checks.into_iter().map(|c| String::from_utf8_lossy(&c.text()).into_owned()).collect();
            part.save(&texts, interrupted, output)
        }
        None => told(matches, options, (&pairs, checks), interrupted, output),
    }
}

/// Ends a run of which all parts are there.
pub(in crate::cli) fn end(matches: &ArgMatches, found: Vec<String>, output: &Output) -> Result<Exit, Failure> {
    let damaged = |_| Failure::usage_hint("a shard is damaged: it holds no check", "make the shards again");
    let found: Vec<Check> =
        found.iter().map(|text| json::read(text.as_bytes())).collect::<Result<_, _>>().map_err(damaged)?;
    let settings = flags::settings("check", matches)?;
    let options: Options = flags::options(matches)?;
    let loaded = specifications(&options, &settings, output)?;
    let pairs = pairs(&loaded, &settings, options.output.as_deref())?;
    told(matches, &options, (&pairs, found), false, output)
}

fn specifications(options: &Options, settings: &Settings, output: &Output) -> Result<Vec<Loaded>, Failure> {
    if settings.implementations.is_empty() {
        return Err(Failure::usage_hint(
            "nothing says what the implementation is",
            "give --c-source, --lib, --python, --exec or --results, or name implementations in magneto.toml as [[implementation]]",
        ));
    }
    let tests = options.tests.iter().map(|p| p.to_string_lossy().into_owned());
    let mut given: Vec<String> = options.spec.iter().cloned().chain(tests).collect();
    if given.is_empty() {
        let files = settings.implementations.iter().flat_map(|entry| sources::files(&entry.about));
        given = files.map(|f| f.to_string_lossy().into_owned()).collect();
        given.sort_unstable();
        given.dedup();
    }
    specs::load_named(&given, settings, output)
}

/// The implementations of each specification, in the order of the specifications and of the file.
fn pairs<'a>(loaded: &'a [Loaded], settings: &'a Settings, output: Option<&Path>) -> Result<Vec<Pair<'a>>, Failure> {
    let folders = store::folders(loaded.iter().map(|l| l.spec.name.as_str()));
    let (mut pairs, mut without) = (Vec::new(), Vec::new());
    for (one, own) in loaded.iter().zip(folders) {
        let (name, file) = (&one.spec.name, &one.spec.source_file);
        let labels: Vec<String> = one.spec.core.ident.iter().chain([name]).cloned().collect();
        let entries: Vec<&ImplementationEntry> =
            settings.implementations.iter().filter(|e| sources::is_meant(&e.about, file, &labels)).collect();
        if entries.is_empty() {
            without.push(name.clone());
        }
        let dir = output.unwrap_or(Path::new(""));
        let folder = match read::folder(dir, &one.spec, &one.source) {
            Ok((folder, _)) => folder,
            Err(_) if loaded.len() == 1 => dir.to_owned(),
            Err(_) => dir.join(own),
        };
        let labels: Vec<String> = entries.iter().map(|e| e.label(name, file)).collect();
        if let Some(k) = (1..labels.len()).find(|k| labels[..*k].contains(&labels[*k])) {
            let message = format!("two implementations of {name} are called `{}`", labels[k]);
            return Err(Failure::usage_hint(message, "give each a `name` in magneto.toml"));
        }
        let stems = match labels.len() {
            1 => vec!["check".to_owned()],
            _ => store::folders(labels.iter().map(String::as_str)).iter().map(|s| format!("check-{s}")).collect(),
        };
        for ((entry, label), stem) in entries.into_iter().zip(labels).zip(stems) {
            pairs.push(Pair { loaded: one, entry, label, folder: folder.clone(), stem });
        }
    }
    if without.is_empty() {
        return Ok(pairs);
    }
    let hint = "name one in magneto.toml as [[implementation]], or leave these specifications out";
    Err(Failure::usage_hint(format!("there is no implementation of {}", without.join(", ")), hint))
}

/// That all files may be written, before anything is run.
fn claim(matches: &ArgMatches, options: &Options, pairs: &[Pair<'_>]) -> Result<(), Failure> {
    let Some(dir) = options.output.as_deref() else { return Ok(()) };
    destination::folder(matches, Some(dir), &FolderClaim::Beside(&[CHECKS]))?;
    for pair in pairs {
        let files = pair.files();
        let names: Vec<&str> = files.iter().map(String::as_str).collect();
        destination::folder(matches, Some(&pair.folder), &FolderClaim::Beside(&names))?;
    }
    Ok(())
}

impl Pair<'_> {
    /// The names of its files: the document and the table.
    fn files(&self) -> [String; 2] {
        ["json", "csv"].map(|extension| format!("{}.{extension}", self.stem))
    }

    /// What magneto.toml says of a key.
    fn said(&self, key: &str) -> Option<String> {
        self.entry.value(key, &self.loaded.spec.name, &self.loaded.spec.source_file)
    }

    /// The same of a file, from the folder of the magneto.toml.
    fn file(&self, key: &str) -> Option<String> {
        let text = self.said(key)?;
        // A bare name of a library may be one that the loader finds elsewhere.
        let is_bare = key == "lib" && !text.contains('/');
        if is_bare { Some(text) } else { Some(self.seen_from_here(&text)) }
    }

    /// A path from the folder of the magneto.toml as one from the current folder where it is below that: what is recorded does
    /// not depend on where a project lies.
    fn seen_from_here(&self, path: &str) -> String {
        let whole = self.entry.about.folder.join(path);
        let here = std::env::current_dir().unwrap_or_default();
        whole.strip_prefix(here).unwrap_or(&whole).to_string_lossy().into_owned()
    }

    /// The implementation, as options would say it.
    fn implementation(&self) -> Implementation {
        // A command runs in the folder of the magneto.toml, whatever the current one is.
        let folder = &self.entry.about.folder;
        let is_here = folder.canonicalize().ok() == std::env::current_dir().ok();
        let command = |c: String| match is_here {
            true => c,
            false => format!("cd -- {} && {c}", shell_word(&folder.to_string_lossy())),
        };
        let python = |text: String| match text.split_once(".py:") {
            Some(_) => self.seen_from_here(&text),
            None => text,
        };
        Implementation {
            exec: self.said("exec").map(command),
            lib: self.file("lib"),
            symbol: self.said("symbol"),
            c_source: self.file("c-source"),
            function: self.said("fn"),
            signature: self.said("signature"),
            python: self.said("python").map(python),
        }
    }

    /// The tests: those that magneto.toml names, those of the run in the output folder, else new ones.
    fn cases(&self, settings: &Settings, output: &Output) -> Result<Vec<Case>, Failure> {
        let own = &self.loaded.settings;
        if let Some(path) = self.file("tests") {
            return read_tests(self.loaded, Path::new(&path), own, output);
        }
        let (spec, source) = (&self.loaded.spec, &self.loaded.source);
        for dir in [self.folder.as_path(), self.folder.parent().unwrap_or(Path::new("")), &settings.output] {
            if let Ok((folder, _)) = read::folder(dir, spec, source)
                && let Ok((_, false)) = read::test_file(dir, spec, source)
            {
                return read_tests(self.loaded, &folder.join("tests.csv"), own, output);
            }
        }
        make_tests(self.loaded, own, output)
    }
}

/// What came of one implementation; one that cannot be run is no reason not to run the others.
fn found(pair: &Pair<'_>, said: &Environment, settings: &Settings, threads: &Threads, output: &Output) -> Check {
    let own = |key: &str, whole: &Option<String>| pair.said(key).or_else(|| whole.clone());
    let environment = Environment {
        target: own("target", &said.target),
        tester: own("tester", &said.tester),
        software: own("software", &said.software),
    };
    let run = || {
        let target = pair.implementation().target()?;
        fits(target.as_ref(), pair.loaded)?;
        let cases = pair.cases(settings, output)?;
        let results = pair.file("results").unwrap_or_default();
        checked(pair.loaded, cases, target.as_ref().ok_or(results.as_str()), &environment, threads, output)
    };
    let (mut checked, exit) = match run() {
        Ok(checked) => {
            let exit = exit_of(&checked);
            (checked, exit)
        }
        Err(failure) => (broken(pair, &failure, threads), failure.exit),
    };
    checked.record.0.insert(0, ("name".to_owned(), pair.label.clone()));
    let report = CheckReport { spec: &pair.loaded.spec, source: &pair.loaded.source, checked: &checked };
    document(&report, exit as u8, LISTED, threads)
}

/// A check in which nothing could be run.
fn broken(pair: &Pair<'_>, failure: &Failure, threads: &Threads) -> Checked {
    let why = failure.messages.concat();
    let why = why.trim().trim_start_matches("error: ").to_owned();
    let broken = magneto::harness::HarnessFault { test: None, why, errors: Vec::new() };
    let run = PipeRun { broken: Some(broken), ..PipeRun::default() };
    let cap = pair.loaded.settings.suite.precision_cap;
    Checked::new(&pair.loaded.spec, Vec::new(), (run, RunRecord::default()), Vec::new(), (cap, threads))
}

/// Writes and shows what was found.
fn told(
    matches: &ArgMatches,
    options: &Options,
    (pairs, found): (&[Pair<'_>], Vec<Check>),
    interrupted: bool,
    output: &Output,
) -> Result<Exit, Failure> {
    let units = || junit::document("magneto check", &several::groups(&found)).map_err(Failure::usage);
    destination::write(matches, options.junit.as_deref(), junit::KIND, units)?;
    let exit = worst(&found, interrupted || found.len() < pairs.len());
    let checks = Checks::new(&found, exit as u8);
    if let Some(dir) = &options.output {
        let mut folders: HashMap<&Path, store::Files> = HashMap::new();
        for (pair, check) in pairs.iter().zip(&found) {
            let [document, rows] = pair.files();
            let files = folders.entry(&pair.folder).or_default();
            files.insert(rows, table(&pair.loaded.spec, check));
            files.insert(document, check.clone().text());
        }
        for (folder, files) in folders {
            store::write(folder, &files, &earlier(folder, &files))?;
        }
        store::write(dir, &store::Files::from([(CHECKS.to_owned(), json::document(&checks))]), &[])?;
    }
    if output.json {
        output.print_json(&json::Versioned(&checks))?;
    } else if !output.quiet {
        output.say(several::text(&found, options.verbose))?;
    }
    if exit == Exit::Interrupted {
        let whole = found.iter().filter(|c| !c.interrupted).count();
        output.note(format!("interrupted: {whole} of {} implementations were run to their end", pairs.len()));
    }
    Ok(exit)
}

/// The files of implementations that the folder has no more.
fn earlier(folder: &Path, files: &store::Files) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
    names.filter(|name| store::is_check(name) && !files.contains_key(name)).collect()
}

/// How a run over several implementations ends: by the worst of them.
fn worst(found: &[Check], interrupted: bool) -> Exit {
    let has = |exit: Exit| found.iter().any(|c| c.exit == exit as u8);
    if interrupted {
        return Exit::Interrupted;
    }
    let order = [Exit::Bug, Exit::Usage, Exit::Harness, Exit::Gate, Exit::Inconclusive];
    order.into_iter().find(|e| has(*e)).unwrap_or(Exit::Passed)
}
