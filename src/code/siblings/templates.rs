//! Files whose functions get their names from macros: they include templates, as `matrix/init.c` includes `init_source.c`.

use super::has_any;
use crate::cc::Flags;
use crate::cc::compiler::{named, run};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most files that are preprocessed.
const MOST: usize = 200;

/// What the preprocessor makes of such files.
#[derive(Debug, Default)]
pub(super) struct Templates {
    /// The texts that are known; empty where the preprocessor refuses a file.
    texts: BTreeMap<PathBuf, String>,
}

impl Templates {
    /// Takes the one file that defines a symbol by macros. Only files are looked into whose folder or own name is part of the symbol.
    pub(super) fn take_defining(
        &mut self,
        symbol: &str,
        files: &mut Vec<(PathBuf, String)>,
        flags: &Flags,
    ) -> Option<(PathBuf, String)> {
        let names = [symbol.to_owned()];
        let mut found = Vec::new();
        for (i, (path, text)) in files.iter().enumerate() {
            if !includes_source(text) || !is_named_like(path, symbol) {
                continue;
            }
            if !self.texts.contains_key(path) && self.texts.len() < MOST {
                self.texts.insert(path.clone(), preprocessed(path, flags));
            }
            if self.texts.get(path).is_some_and(|text| has_any(text, &names)) {
                found.push(i);
            }
        }
        let [one] = found[..] else { return None };
        let (path, _) = files.remove(one);
        let text = self.texts.remove(&path).unwrap_or_default();
        Some((path, text))
    }
}

/// Whether a text includes what is no header.
fn includes_source(text: &str) -> bool {
    text.lines().filter_map(|line| line.trim_start().strip_prefix('#')).any(|rest| {
        let file = rest.trim_start().strip_prefix("include").and_then(|rest| rest.trim().strip_prefix('"'));
        let name = file.and_then(|rest| rest.split('"').next()).unwrap_or_default();
        Path::new(name).extension().is_some_and(|e| !["h", "hpp", "hh"].iter().any(|header| e == *header))
    })
}

/// Whether a word of a symbol is the name of a file, or of its folder.
fn is_named_like(path: &Path, symbol: &str) -> bool {
    let names = [path.file_stem(), path.parent().and_then(Path::file_name)];
    names.into_iter().flatten().any(|name| symbol.split('_').any(|word| name == word))
}

fn preprocessed(path: &Path, flags: &Flags) -> String {
    let mut clang = Command::new(named("CLANG", "clang"));
    clang.args(["-E", "-P", "-w"]).args(flags.arguments()).arg(path);
    run(&clang, "").map_or_else(|_| String::new(), |answer| answer.output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_told_from_headers_and_by_the_words_of_a_symbol() {
        let text = "#include <stdio.h>\n#  include \"init_source.c\"\n";
        assert!(includes_source(text) && !includes_source("#include \"init.h\"\n#include <x.c>\n"));
        let path = Path::new("lib/matrix/init.c");
        let names = ["lib_matrix_alloc", "lib_init", "lib_matrices"];
        assert_eq!(names.map(|name| is_named_like(path, name)), [true, true, false]);
    }
}
