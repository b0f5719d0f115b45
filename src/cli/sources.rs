//! What folders and patterns among the arguments stand for: the FPCore files below them.

use super::written;
use glob::{MatchOptions, Pattern, glob_with};
use magneto::options::{Settings, SpecPattern};
use magneto::record::store;
use magneto::spec::parse_file;
use magneto::text::line_column;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The files of specifications end so.
const EXTENSION: &str = "fpcore";

/// The arguments with each folder and pattern replaced by its files, in the order of their paths, and what is wrong with
/// any of them. A file that stood before is not repeated.
pub(super) fn expand<'a>(arguments: impl Iterator<Item = &'a String>) -> (Vec<String>, Vec<String>) {
    let (mut files, mut messages, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    let mut is_new = |file: &str| seen.insert(Path::new(file).canonicalize().unwrap_or_else(|_| file.into()));
    for argument in arguments {
        match found(argument) {
            None => {
                is_new(argument);
                files.push(argument.clone());
            }
            Some(Ok(several)) => files.extend(several.into_iter().filter(|f| is_new(f))),
            Some(Err(message)) => messages.push(message),
        }
    }
    (files, messages)
}

/// The files that an argument stands for; none if it is a file's name.
fn found(argument: &str) -> Option<Result<Vec<String>, String>> {
    let path = Path::new(argument);
    if written::is_formula(argument) {
        return None;
    }
    let (pattern, nothing) = if path.is_dir() {
        let below = format!("{}/**/*.{EXTENSION}", Pattern::escape(argument.trim_end_matches('/')));
        (below, format!("error: there is no .{EXTENSION} file in {argument}\nhint: name a folder that has one\n"))
    } else if !path.exists() && argument.contains(['*', '?', '[']) {
        let hint = "`*` stands for part of a name, `**` for any folders";
        (argument.to_owned(), format!("error: there is no .{EXTENSION} file that fits {argument}\nhint: {hint}\n"))
    } else {
        return None;
    };
    let options = MatchOptions { require_literal_leading_dot: true, ..MatchOptions::default() };
    let paths = match glob_with(&pattern, options) {
        Ok(paths) => paths,
        Err(e) => return Some(Err(format!("error: {argument} is no pattern: {e}\n"))),
    };
    // What cannot be read is told: a folder that is left out would be tests that nobody misses.
    let paths: Result<Vec<PathBuf>, String> = paths.map(|p| p.map_err(|e| format!("error: {e}\n"))).collect();
    Some(paths.and_then(|paths| {
        let mut files: Vec<String> =
            paths.into_iter().filter(|p| is_specification(p)).map(|p| p.to_string_lossy().into_owned()).collect();
        files.sort_unstable();
        if files.is_empty() { Err(nothing) } else { Ok(files) }
    }))
}

/// How the patterns of sections are read: `*` stands for part of a name, `**` for any folders.
const IN_SECTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

/// The pattern for files, and the name after it.
fn parts(about: &SpecPattern) -> (&str, Option<&str>) {
    let pattern = &about.pattern;
    match pattern.match_indices(':').find(|(at, _)| pattern[..*at].ends_with(EXTENSION)) {
        Some((at, _)) => (&pattern[..at], Some(&pattern[at + 1..])),
        None => (pattern, None),
    }
}

/// The patterns of a `magneto.toml`, each with what it is of.
pub(super) fn patterns(settings: &Settings) -> impl Iterator<Item = (&'static str, &SpecPattern)> {
    let sections = settings.sections.iter().map(|s| ("section", &s.about));
    let implementations = settings.implementations.iter().filter(|i| !i.about.pattern.is_empty());
    sections.chain(implementations.map(|i| ("implementation of", &i.about)))
}

/// What is wrong with a pattern, if something is.
pub(super) fn misspelt(about: &SpecPattern) -> Option<String> {
    Pattern::new(parts(about).0).err().map(|e| format!("`{}` is no pattern: {e}", about.pattern))
}

/// Whether a pattern means the FPCore of these names in a file.
pub(super) fn is_meant(about: &SpecPattern, file: &str, labels: &[String]) -> bool {
    if about.pattern.is_empty() {
        return true;
    }
    let (pattern, name) = parts(about);
    let is_named = name.is_none_or(|name| labels.iter().any(|label| label == name));
    let (Ok(pattern), Ok(file), Ok(folder)) =
        (Pattern::new(pattern), Path::new(file).canonicalize(), about.folder.canonicalize())
    else {
        return false;
    };
    is_named && file.strip_prefix(folder).is_ok_and(|inside| pattern.matches_path_with(inside, IN_SECTIONS))
}

/// The files that a pattern means.
pub(super) fn files(about: &SpecPattern) -> Vec<PathBuf> {
    let below = format!("{}/{}", Pattern::escape(&about.folder.to_string_lossy()), parts(about).0);
    let found = glob_with(&below, IN_SECTIONS).map(|paths| paths.flatten().filter(|f| f.is_file()).collect());
    found.unwrap_or_default()
}

/// A warning for each pattern that means no file at all, or that names an FPCore which none of its files has, whichever
/// files a command is about.
pub(super) fn unmatched(settings: &Settings) -> Vec<String> {
    misfits(patterns(settings), "warning")
}

/// The same as errors, of implementations alone: one that is left out is one that nobody runs.
pub(super) fn unmatched_implementations(settings: &Settings) -> Vec<String> {
    let named = settings.implementations.iter().filter(|i| !i.about.pattern.is_empty());
    misfits(named.map(|i| ("implementation of", &i.about)), "error")
}

fn misfits<'a>(patterns: impl Iterator<Item = (&'static str, &'a SpecPattern)>, kind: &str) -> Vec<String> {
    let message = |(of, about): (&str, &SpecPattern)| {
        let mut files = files(about).into_iter().peekable();
        let what = match parts(about).1 {
            _ if files.peek().is_none() => "no file fits",
            Some(name) if !files.any(|f| may_have(&f, name)) => "no FPCore of its files has the name of",
            _ => return None,
        };
        let file = about.folder.join("magneto.toml");
        let (line, column) = std::fs::read(&file).map_or((1, 1), |text| line_column(&text, about.span.start));
        Some(format!("{kind}: {}:{line}:{column}: {what} the {of} `{}`\n", file.display(), about.pattern))
    };
    patterns.filter_map(message).collect()
}

/// Whether an FPCore of a file has a name, or the file cannot be read.
fn may_have(file: &Path, name: &str) -> bool {
    let labels = |text: Vec<u8>| parse_file(&text).labels;
    std::fs::read(file).map_or(true, |text| labels(text).iter().flatten().any(|label| label == name))
}

/// Whether a file is one of specifications, and not a copy in a run's folder.
fn is_specification(path: &Path) -> bool {
    let is_copy = path.ends_with(store::SOURCE) && path.parent().is_some_and(store::is_of_a_command);
    path.is_file() && path.extension().is_some_and(|e| e == EXTENSION) && !is_copy
}
