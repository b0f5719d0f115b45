//! What folders and patterns among the arguments stand for: the FPCore files below them.

use glob::{MatchOptions, Pattern, glob_with};
use magneto::options::{Section, Settings};
use magneto::record::store;
use magneto::spec::diagnostic::line_column;
use magneto::spec::parse_file;
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

/// The pattern of a section for files, and the name after it.
fn parts(section: &Section) -> (&str, Option<&str>) {
    match section.pattern.match_indices(':').find(|(at, _)| section.pattern[..*at].ends_with(EXTENSION)) {
        Some((at, _)) => (&section.pattern[..at], Some(&section.pattern[at + 1..])),
        None => (&section.pattern, None),
    }
}

/// What is wrong with the pattern of a section, if something is.
pub(super) fn misspelt(section: &Section) -> Option<String> {
    Pattern::new(parts(section).0).err().map(|e| format!("`{}` is no pattern: {e}", section.pattern))
}

/// Whether a section is about the FPCore of these names in a file.
pub(super) fn is_meant(section: &Section, file: &str, labels: &[String]) -> bool {
    let (pattern, name) = parts(section);
    let is_named = name.is_none_or(|name| labels.iter().any(|label| label == name));
    let (Ok(pattern), Ok(file), Ok(folder)) =
        (Pattern::new(pattern), Path::new(file).canonicalize(), section.folder.canonicalize())
    else {
        return false;
    };
    is_named && file.strip_prefix(folder).is_ok_and(|inside| pattern.matches_path_with(inside, IN_SECTIONS))
}

/// A warning for each section that is about no file at all, or that names an FPCore which none of its files has, whichever
/// files a command is about.
pub(super) fn unmatched(settings: &Settings) -> Vec<String> {
    let warning = |section: &Section| {
        let (pattern, name) = parts(section);
        let below = format!("{}/{pattern}", Pattern::escape(&section.folder.to_string_lossy()));
        let mut files = glob_with(&below, IN_SECTIONS).ok()?.flatten().filter(|f| f.is_file()).peekable();
        let what = match name {
            _ if files.peek().is_none() => "no file fits",
            Some(name) if !files.any(|f| may_have(&f, name)) => "no FPCore of its files has the name of",
            _ => return None,
        };
        let file = section.folder.join("magneto.toml");
        let (line, column) = std::fs::read(&file).map_or((1, 1), |text| line_column(&text, section.span.start));
        Some(format!("warning: {}:{line}:{column}: {what} the section `{}`\n", file.display(), section.pattern))
    };
    settings.sections.iter().filter_map(warning).collect()
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
