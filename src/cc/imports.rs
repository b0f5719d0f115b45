//! What a shared library takes from others, and what runs of it when it is loaded.

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use std::collections::BTreeSet;
use std::path::Path;

/// What a library takes and gives, by the names of symbols without versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LibrarySymbols {
    /// What others define.
    pub taken: BTreeSet<String>,
    /// What it defines for others.
    pub given: BTreeSet<String>,
    /// Whether it has more functions that run when it is loaded than the one that compilers put into each library.
    pub runs_when_loaded: bool,
}

impl LibrarySymbols {
    /// Reads those of a library; none where it is no ELF file that can be read.
    #[must_use]
    pub fn read(library: &Path) -> Option<Self> {
        let bytes = std::fs::read(library).ok()?;
        let file = object::File::parse(&*bytes).ok()?;
        if !matches!(file, object::File::Elf32(_) | object::File::Elf64(_)) {
            return None;
        }
        let mut found = LibrarySymbols::default();
        for symbol in file.dynamic_symbols() {
            let name = symbol.name().ok()?.to_owned();
            match symbol.is_undefined() {
                // The first symbol of each table has no name.
                true if name.is_empty() => {}
                true => drop(found.taken.insert(name)),
                false => drop(found.given.insert(name)),
            }
        }
        let pointer = if file.is_64() { 8 } else { 4 };
        let size = |name: &str| file.section_by_name(name).map_or(0, |section| section.size());
        // A library without a table of sections does not tell.
        file.sections().next()?;
        found.runs_when_loaded =
            size(".init_array") > pointer || size(".ctors") > 2 * pointer || size(".preinit_array") > 0;
        Some(found)
    }
}
