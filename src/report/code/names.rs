//! Names and texts of a specification, fit for source code.

use super::reserved::is_reserved;
use crate::num::float::{decimal, hex};
use crate::text::number_of;

/// The longest identifier, so that lines and file names around it fit everywhere: MATLAB has names of 63 characters.
const LONGEST: usize = 48;

/// An identifier that every language takes: ASCII letters, digits and single underscores, a letter first, not too long.
pub(super) fn identifier(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let words: Vec<&str> = clean.split('_').filter(|w| !w.is_empty()).collect();
    let mut name = words.join("_");
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert_str(0, if name.is_empty() { "f" } else { "f_" });
    }
    name.truncate(LONGEST);
    name.truncate(name.trim_end_matches('_').len());
    if is_reserved(&name) {
        name.push_str("_1");
    }
    name
}

/// Identifiers for texts that differ; they differ also where cases are the same.
pub(super) fn identifiers<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = std::collections::HashSet::new();
    let one = |text: &str| {
        let base = identifier(text);
        let mut name = base.clone();
        let mut k = 2;
        while !taken.insert(name.to_ascii_lowercase()) {
            name = format!("{base}_{k}");
            k += 1;
        }
        name
    };
    texts.into_iter().map(one).collect()
}

/// Whether a text is identifiers with a separator between them; with an empty separator, one identifier.
pub(super) fn is_path(text: &str, separator: &str) -> bool {
    let plain = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if separator.is_empty() { plain(text) } else { text.split(separator).all(plain) }
}

/// A text for a comment of any language, on one line. What ends a line in some language, or turns the direction of a text,
/// is written by its number: Ada ends a comment at U+2028, and what follows would be code.
pub(super) fn comment(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => plain.push(' '),
            // Two question marks may begin a trigraph, with which a line goes on.
            '?' if plain.ends_with('?') => plain.push_str(" ?"),
            c => match number_of(c) {
                Some(number) => plain.push_str(&number),
                None => plain.push(c),
            },
        }
    }
    plain.replace('\\', "/").replace("*/", "* /").replace("/*", "/ *")
}

/// A string literal for C, C++, Rust and Python: printable ASCII only.
pub(super) fn string(text: &str) -> String {
    let shown = |c: char| match c {
        '"' | '\\' => vec!['\\', c],
        ' '..='~' => vec![c],
        _ => vec!['?'],
    };
    // Two question marks may begin a trigraph.
    let mut inside: String = text.chars().flat_map(shown).collect();
    while inside.contains("??") {
        inside = inside.replace("??", "?");
    }
    format!("\"{inside}\"")
}

/// A number for a comment: hexadecimal, which is exact, with the decimal.
pub(super) fn both(x: f64) -> String {
    format!("{} ({})", hex(x), decimal(x))
}
