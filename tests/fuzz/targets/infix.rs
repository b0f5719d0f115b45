//! Formulas in the notations of several languages, and functions of C, C++ and Python. The first byte says which.

#![no_main]

use libfuzzer_sys::fuzz_target;
use magneto::infix::{Notation, SourceLanguage, functions_of, read, read_function, read_range};
use magneto::spec::core::Core;
use magneto::spec::{parse_file, same_core};

/// What is read is FPCore: written as such, it is read as the same core.
fn check(core: &Core, text: &str) {
    let written = core.to_string();
    let file = parse_file(written.as_bytes());
    let again = file.cores.first().and_then(|c| c.as_ref().ok());
    assert!(again.is_some_and(|c| same_core(core, c)), "{text}\nis\n{written}\n{:?}", file.diagnostics);
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let kind = usize::from(*first) % (Notation::ALL.len() + 4);
    if let Some(notation) = Notation::ALL.get(kind) {
        match read(text, *notation) {
            Ok(reading) => check(&reading.core, text),
            Err(diagnostic) => _ = diagnostic.render("formula", rest),
        }
        return;
    }
    let languages = [SourceLanguage::C, SourceLanguage::Cpp, SourceLanguage::Python];
    let Some(language) = languages.get(kind - Notation::ALL.len()) else {
        let _ = read_range(text);
        return;
    };
    for name in functions_of(text, *language).iter().take(4) {
        match read_function(text, *language, name) {
            Ok(reading) => check(&reading.core, text),
            Err(diagnostic) => _ = diagnostic.render("source", rest),
        }
    }
});
