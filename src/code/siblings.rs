//! Files beside those under test that define what these use, as they lie in a library's folder.

mod templates;

use crate::cc::Flags;
use crate::cc::compiler::{is_c, real};
use crate::cc::names::{cpp, generic};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use templates::Templates;

/// The most files that are added, unless more are named: of C, and of C++, which takes far longer to compile.
const MOST: [usize; 2] = [40, 8];
/// So many files are compiled at a time. It is the same on all machines, on which the same files shall be added.
const AT_A_TIME: usize = 4;
/// The most bytes of a file that is looked into; and of one of C++ that lies elsewhere in the project.
const MOST_BYTES: u64 = 4 << 20;
const MOST_BYTES_OF_CPP: u64 = 128 << 10;

/// The most files of a project that are looked into, and how far above a source its root may lie.
const MOST_IN_PROJECT: usize = 6000;
const HIGHEST: usize = 4;
/// What lies in the root of a project that is built from there.
const ROOTS: [&str; 7] =
    ["configure", "configure.ac", "CMakeLists.txt", "meson.build", "Makefile", "Makefile.am", "WORKSPACE"];
/// How the names of folders begin that have programs of their own, or what a build makes.
const APART: [&str; 10] =
    ["test", "unit-test", "unittest", "example", "demo", "doc", "bench", "build", "target", "node_modules"];

/// The files of the same language in the folders of sources and in those where headers are looked for, and in the rest of the
/// project.
pub(super) struct Siblings {
    sources: Vec<PathBuf>,
    flags: Flags,
    /// Each with its text.
    files: Vec<(PathBuf, String)>,
    /// The headers in these folders.
    headers: Vec<PathBuf>,
    /// For symbols the names that sources write in their place, by macros of headers such as `#define round lib_round`; none as long as
    /// they are not looked into.
    renamed: Option<BTreeMap<String, Vec<String>>>,
    /// Files of the project's other folders; none as long as they are not looked into.
    project: Option<Vec<(PathBuf, String)>>,
    templates: Templates,
    /// Names that were looked for.
    tried: BTreeSet<String>,
    added: usize,
    most: usize,
    is_cpp: bool,
}

impl Siblings {
    pub(super) fn of(sources: &[PathBuf], flags: &Flags) -> Siblings {
        let folders: BTreeSet<PathBuf> = sources.iter().filter_map(|s| Some(folder(s)?.to_owned())).collect();
        let folders: BTreeSet<PathBuf> = folders.iter().chain(&flags.folders()).map(|f| real(f)).collect();
        let paths: Vec<PathBuf> =
            folders.iter().flat_map(|folder| entries(folder)).filter(|path| path.is_file()).collect();
        let is_header = |path: &&PathBuf| path.extension().is_some_and(|e| e == "h" || e == "hpp" || e == "hh");
        let headers = paths.iter().filter(is_header).cloned().collect();
        let is_cpp = sources.iter().any(|s| !is_c(s));
        let sources = sources.to_vec();
        let most = MOST[usize::from(is_cpp)].max(sources.len());
        let files = texts(paths, &sources);
        Siblings {
            sources,
            flags: flags.clone(),
            files,
            headers,
            renamed: None,
            project: None,
            templates: Templates::default(),
            tried: BTreeSet::new(),
            added: 0,
            most,
            is_cpp,
        }
    }

    /// Whether files were added.
    pub(super) fn are_used(&self) -> bool {
        self.added > 0
    }

    /// Some files that each seem to define one of these, each file once: the only one that does.
    pub(super) fn defining<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> Vec<Sibling> {
        let mut found: Vec<Sibling> = Vec::new();
        for name in names {
            if found.len() == AT_A_TIME || self.added + found.len() == self.most {
                break;
            }
            // What the language's own library has is not beside a source.
            let is_own = ["_ZNSt", "_ZSt", "_ZNKSt"].iter().any(|head| name.starts_with(head));
            // What one of them defines is lacking no more, unless that one cannot be compiled.
            let names = [vec![written(name)], self.renamed(name)];
            let is_found = |s: &Sibling| names.iter().any(|names| has_any(&s.text, names));
            if is_own || found.iter().any(is_found) || !self.tried.insert(name.to_owned()) {
                continue;
            }
            // Its own name counts more than one that a macro gives.
            let file = names.iter().find_map(|names| self.one_defining(names));
            let file = file.or_else(|| self.one_defining_by_macros(name));
            found.extend(file.map(|(path, text)| Sibling { path, text, name: name.to_owned() }));
        }
        self.added += found.len();
        found
    }

    /// The names that macros have stand for a symbol.
    fn renamed(&mut self, symbol: &str) -> Vec<String> {
        let renamed = self.renamed.get_or_insert_with(|| renamed(&self.headers));
        renamed.get(symbol).cloned().unwrap_or_default()
    }

    /// Takes the file that defines one of these names: beside the sources, else in the project.
    fn one_defining(&mut self, names: &[String]) -> Option<(PathBuf, String)> {
        if names.is_empty() {
            return None;
        }
        one_defining(&mut self.files, names).or_else(|| one_defining(self.rest_of_project(), names))
    }

    /// The files of the project that lie in other folders.
    fn rest_of_project(&mut self) -> &mut Vec<(PathBuf, String)> {
        let known: BTreeSet<PathBuf> = self.files.iter().map(|(path, _)| real(path)).collect();
        let project = self.project.get_or_insert_with(|| texts(project(&self.sources), &self.sources));
        let most = if self.is_cpp { MOST_BYTES_OF_CPP } else { MOST_BYTES };
        project.retain(|(path, text)| !known.contains(path) && text.len() as u64 <= most);
        project
    }

    /// Takes the file that defines a symbol of C by macros: beside the sources, else in the project.
    fn one_defining_by_macros(&mut self, symbol: &str) -> Option<(PathBuf, String)> {
        if self.is_cpp {
            return None;
        }
        let mut templates = std::mem::take(&mut self.templates);
        let flags = self.flags.clone();
        let found = templates
            .take_defining(symbol, &mut self.files, &flags)
            .or_else(|| templates.take_defining(symbol, self.rest_of_project(), &flags));
        self.templates = templates;
        found
    }

    /// Takes back a file of which nothing is lacking any more.
    pub(super) fn take_back(&mut self, sibling: Sibling) {
        self.added -= 1;
        self.files.push((sibling.path, sibling.text));
    }
}

/// A file that seems to define a name.
pub(super) struct Sibling {
    pub(super) path: PathBuf,
    text: String,
    /// The symbol that is lacking.
    pub(super) name: String,
}

/// Whether a text seems to define a function or a variable of one of these names.
fn has_any(text: &str, written: &[String]) -> bool {
    written.iter().any(|name| defines(text, name) || defines_variable(text, name))
}

/// For symbols the names that macros of these headers have them stand for.
fn renamed(headers: &[PathBuf]) -> BTreeMap<String, Vec<String>> {
    let is_read = |path: &&PathBuf| std::fs::metadata(path).is_ok_and(|m| m.len() <= MOST_BYTES);
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in headers.iter().filter(is_read) {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        for line in text.lines() {
            let Some(rest) = line.trim_start().strip_prefix('#') else { continue };
            let words: Vec<&str> = rest.split_whitespace().collect();
            if let ["define", name, symbol, ..] = words[..]
                && [name, symbol].iter().all(|word| is_identifier(word))
                && words.get(3).is_none_or(|word| word.starts_with("//") || word.starts_with("/*"))
            {
                all.entry(symbol.to_owned()).or_default().push(name.to_owned());
            }
        }
    }
    all
}

fn is_identifier(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Takes the file that defines one of these names, if it is one: of several the one that has such a name itself.
fn one_defining(files: &mut Vec<(PathBuf, String)>, names: &[String]) -> Option<(PathBuf, String)> {
    let found: Vec<usize> = (0..files.len()).filter(|i| has_any(&files[*i].1, names)).collect();
    let is_named = |stem: &OsStr| names.iter().any(|name| stem == name.trim_start_matches('_'));
    let stem = |i: &&usize| files[**i].0.file_stem().is_some_and(is_named);
    let named: Vec<&usize> = found.iter().filter(stem).collect();
    let at = match (&found[..], &named[..]) {
        ([one], _) => *one,
        (_, [one]) => **one,
        _ => return None,
    };
    Some(files.remove(at))
}

/// What is in a folder, in alphabetical order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()).collect();
    all.sort();
    all
}

/// Those among files that are of the language of sources and none of them, with their texts. Programs of their own and tests come
/// with a main function and are left out.
fn texts(mut files: Vec<PathBuf>, sources: &[PathBuf]) -> Vec<(PathBuf, String)> {
    let named: BTreeSet<PathBuf> = sources.iter().map(|s| real(s)).collect();
    let languages: BTreeSet<_> = sources.iter().filter_map(|s| s.extension()).collect();
    files.retain(|path| path.extension().is_some_and(|e| languages.contains(e)) && !named.contains(&real(path)));
    files.retain(|path| std::fs::metadata(path).is_ok_and(|m| m.len() <= MOST_BYTES));
    files.sort();
    let text = |path: PathBuf| Some((path.clone(), std::fs::read_to_string(path).ok()?));
    files.into_iter().filter_map(text).filter(|(_, text)| !defines(text, "main")).collect()
}

/// The files of the projects that sources belong to; none of a project that is too large.
fn project(sources: &[PathBuf]) -> Vec<PathBuf> {
    let roots: BTreeSet<PathBuf> = sources.iter().filter_map(|s| root(&real(s))).collect();
    let is_apart = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        name.starts_with('.') || APART.iter().any(|head| name.starts_with(head))
    };
    let mut folders: Vec<PathBuf> = roots.into_iter().collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            match std::fs::symlink_metadata(&path) {
                Ok(m) if m.is_dir() && !is_apart(&path) => folders.push(path),
                Ok(m) if m.is_file() => files.push(path),
                _ => {}
            }
        }
        if files.len() > MOST_IN_PROJECT {
            return Vec::new();
        }
    }
    files
}

/// The root of the project of a source: a folder around it that is kept by git, else the outermost one near it that is built.
fn root(source: &Path) -> Option<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let is_project = |folder: &&Path| folder.parent().is_some() && home.as_deref() != Some(*folder);
    let around = || source.ancestors().skip(1).take(HIGHEST).filter(is_project);
    let is_built = |folder: &&Path| ROOTS.iter().any(|name| folder.join(name).exists());
    around().find(|f| f.join(".git").exists()).or_else(|| around().filter(is_built).last()).map(Path::to_owned)
}

fn folder(source: &Path) -> Option<&Path> {
    let folder = source.parent()?;
    Some(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
}

/// The name under which a source defines what has this symbol: of C++ with the class or namespace around it.
fn written(symbol: &str) -> String {
    let Some((name, _)) = cpp(symbol) else { return symbol.to_owned() };
    let parts: Vec<&str> = generic(&name).split("::").collect();
    parts[parts.len().saturating_sub(2)..].join("::")
}

/// Whether a text has a definition of a function: its name at or near the beginning of a line, and a body after the
/// parameters.
fn defines(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let line = text[..at].rfind('\n').map_or(0, |n| n + 1);
        let (before, after) = (&text[line..at], &text[at + name.len()..]);
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_cpp = name.contains("::");
        let head = (is_cpp || !(before.starts_with(char::is_whitespace) || before.starts_with("static ")))
            && !before.ends_with(is_word)
            && !before.trim_start().starts_with("return ")
            && before.chars().all(|c| is_word(c) || "* ".contains(c) || (is_cpp && ":&<>,".contains(c)));
        let Some(rest) = after.trim_start().strip_prefix('(').filter(|_| head) else { return false };
        let mut depth = 1;
        let end = rest.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        let body = end.map_or("", |end| without_comments(&rest[end + 1..]));
        body.starts_with('{')
            || is_old_style(body)
            || (is_cpp && ["const", "noexcept", ":"].iter().any(|word| body.starts_with(word)))
    })
}

/// Whether what follows parameters declares them and has a body, as C had it at first.
fn is_old_style(after: &str) -> bool {
    let may_declare = |c: char| c.is_ascii_alphanumeric() || c.is_whitespace() || "_*,;[]".contains(c);
    let declared = after.split_once('{').map_or("", |(declared, _)| declared.trim());
    !declared.starts_with(';') && declared.ends_with(';') && declared.chars().all(may_declare)
}

/// Whether a text has a definition of a variable that other files can use: its name on a line that is not indented, behind a type
/// and before a value or the end.
fn defines_variable(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let line = text[..at].rfind('\n').map_or(0, |n| n + 1);
        let (before, mut after) = (&text[line..at], text[at + name.len()..].trim_start());
        let is_shared = !["extern", "static", "typedef", "return", "goto"].iter().any(|word| before.starts_with(word));
        let is_typed = before.starts_with(is_word) && before.chars().all(|c| is_word(c) || "* ".contains(c));
        if !is_shared || !is_typed || before.ends_with(is_word) {
            return false;
        }
        while let Some((_, rest)) = after.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            after = rest.trim_start();
        }
        after.starts_with(';') || (after.starts_with('=') && !after.starts_with("=="))
    })
}

fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(comment) = rest.strip_prefix("/*") {
        let Some(end) = comment.find("*/") else { return "" };
        rest = comment[end + 2..].trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_told_from_calls_and_declarations() {
        let text = "double f(double x);\nstatic int g(int n)\n/* what it does */\n{\n    return h(n);\n}\ndouble\nk(void) {\n}\n";
        assert_eq!(["f", "g", "h", "k", "n"].map(|name| defines(text, name)), [false, false, false, true, false]);
        let old = "double old(x, y)\ndouble x, *y;\n{\n}\nint none(x);\nint more(int x) NOTHROW;\nstruct s {\n};\n";
        assert_eq!(["old", "none", "more"].map(|name| defines(old, name)), [true, false, false]);
        let cpp = "  template<class T> T Math::sum(T x, T y) { return x; }\n  Math::Math(int n)\n    : n(n) {}\n  x = Math::off(3);\n";
        assert_eq!(["Math::sum", "Math::Math", "Math::off"].map(|name| defines(cpp, name)), [true, true, false]);
        let data = "extern double e;\nstatic int s[2] = {1, 2};\nconst struct t table = {\n};\nint rows [3][4];\n  int inner = 3;\n";
        let names = ["e", "s", "table", "rows", "inner", "t"];
        assert_eq!(names.map(|name| defines_variable(data, name)), [false, false, true, true, false, false]);
        assert_eq!(written("_ZN13GeographicLib4Math3sumIdEET_S2_S2_RS2_"), "Math::sum");
    }
}
