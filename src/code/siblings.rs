//! Files beside those under test that define what these use, as they lie in a library's folder.

use crate::cc::Flags;
use crate::cc::compiler::{is_c, real};
use crate::cc::names::{cpp, generic};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The most files that are added: of C, and of C++, which takes far longer to compile.
const MOST: [usize; 2] = [40, 8];
/// The most bytes of a file that is looked into.
const MOST_BYTES: u64 = 4 << 20;

/// The files of the same language in the folders of sources and in those where headers are looked for.
pub(super) struct Siblings {
    /// Each with its text.
    files: Vec<(PathBuf, String)>,
    /// Names that were looked for.
    tried: BTreeSet<String>,
    added: usize,
    is_cpp: bool,
}

impl Siblings {
    pub(super) fn of(sources: &[PathBuf], flags: &Flags) -> Siblings {
        let named: BTreeSet<PathBuf> = sources.iter().map(|s| real(s)).collect();
        let folders: BTreeSet<PathBuf> = sources.iter().filter_map(|s| Some(folder(s)?.to_owned())).collect();
        let folders: BTreeSet<PathBuf> = folders.iter().chain(&flags.folders()).map(|f| real(f)).collect();
        let languages: BTreeSet<_> = sources.iter().filter_map(|s| s.extension()).collect();
        let mut files: Vec<PathBuf> = folders
            .iter()
            .flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok))
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|e| languages.contains(e)) && !named.contains(&real(path)))
            .filter(|path| std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() <= MOST_BYTES))
            .collect();
        files.sort();
        // Programs of their own and tests come with a main function.
        let text = |path: PathBuf| Some((path.clone(), std::fs::read_to_string(path).ok()?));
        let all = files.into_iter().filter_map(text).filter(|(_, text)| !defines(text, "main"));
        let is_cpp = sources.iter().any(|s| !is_c(s));
        Siblings { files: all.collect(), tried: BTreeSet::new(), added: 0, is_cpp }
    }

    /// Whether files were added.
    pub(super) fn are_used(&self) -> bool {
        self.added > 0
    }

    /// A file that seems to define one of these, each file once: the only one that does.
    pub(super) fn defining<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> Option<PathBuf> {
        if self.added >= MOST[usize::from(self.is_cpp)] {
            return None;
        }
        for name in names {
            // What the language's own library has is not beside a source.
            if !self.tried.insert(name.to_owned())
                || name.starts_with("_ZNSt")
                || name.starts_with("_ZSt")
                || name.starts_with("_ZNKSt")
            {
                continue;
            }
            let found: Vec<usize> =
                (0..self.files.len()).filter(|i| defines(&self.files[*i].1, &written(name))).collect();
            // Of several the one that has its name.
            let stem = |i: &&usize| self.files[**i].0.file_stem().is_some_and(|s| s == name.trim_start_matches('_'));
            let one = if found.len() == 1 { found.first() } else { found.iter().find(stem) };
            if let Some(at) = one {
                self.added += 1;
                return Some(self.files.remove(*at).0);
            }
        }
        None
    }
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
        let head = (is_cpp || !before.starts_with(char::is_whitespace))
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
        body.starts_with('{') || (is_cpp && ["const", "noexcept", ":"].iter().any(|word| body.starts_with(word)))
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
        assert_eq!(["f", "g", "h", "k", "n"].map(|name| defines(text, name)), [false, true, false, true, false]);
        let cpp = "  template<class T> T Math::sum(T x, T y) { return x; }\n  Math::Math(int n)\n    : n(n) {}\n  x = Math::off(3);\n";
        assert_eq!(["Math::sum", "Math::Math", "Math::off"].map(|name| defines(cpp, name)), [true, true, false]);
        assert_eq!(written("_ZN13GeographicLib4Math3sumIdEET_S2_S2_RS2_"), "Math::sum");
    }
}
