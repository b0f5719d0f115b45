//! Names and texts of a specification, fit for source code.

use crate::num::float::{decimal, hex};

/// Words that no language of ours may get as a name. One list for all: a reader meets the same names everywhere.
const RESERVED: &[&str] = &[
    "abort",
    "abs",
    "abstract",
    "accept",
    "access",
    "alignas",
    "alignof",
    "all",
    "and",
    "array",
    "as",
    "asm",
    "assert",
    "async",
    "at",
    "auto",
    "await",
    "begin",
    "body",
    "bool",
    "box",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "constant",
    "continue",
    "crate",
    "declare",
    "def",
    "default",
    "del",
    "delay",
    "delete",
    "delta",
    "digits",
    "do",
    "double",
    "dyn",
    "elif",
    "else",
    "elsif",
    "elseif",
    "end",
    "entry",
    "enum",
    "errno",
    "except",
    "exception",
    "exit",
    "explicit",
    "export",
    "extern",
    "false",
    "final",
    "finally",
    "float",
    "fn",
    "for",
    "friend",
    "from",
    "function",
    "gen",
    "generic",
    "global",
    "goto",
    "hi",
    "id",
    "if",
    "impl",
    "import",
    "in",
    "inline",
    "int",
    "interface",
    "is",
    "lambda",
    "let",
    "limited",
    "lo",
    "long",
    "loop",
    "macro",
    "main",
    "match",
    "mod",
    "move",
    "mut",
    "namespace",
    "new",
    "none",
    "nonlocal",
    "not",
    "null",
    "operator",
    "or",
    "others",
    "otherwise",
    "out",
    "overriding",
    "package",
    "parfor",
    "pass",
    "persistent",
    "pragma",
    "priv",
    "private",
    "procedure",
    "protected",
    "pub",
    "public",
    "raise",
    "range",
    "record",
    "ref",
    "register",
    "rem",
    "renames",
    "requeue",
    "restrict",
    "result",
    "return",
    "reverse",
    "select",
    "self",
    "separate",
    "short",
    "signed",
    "sizeof",
    "some",
    "static",
    "struct",
    "subtype",
    "super",
    "switch",
    "synchronized",
    "tagged",
    "task",
    "template",
    "terminate",
    "test",
    "then",
    "this",
    "throw",
    "trait",
    "true",
    "try",
    "type",
    "typedef",
    "typename",
    "typeof",
    "union",
    "unsafe",
    "unsigned",
    "until",
    "use",
    "using",
    "virtual",
    "void",
    "volatile",
    "when",
    "where",
    "while",
    "why",
    "with",
    "xor",
    "yield",
];

/// An identifier that every language takes: ASCII letters, digits and single underscores, a letter first.
pub(super) fn identifier(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let words: Vec<&str> = clean.split('_').filter(|w| !w.is_empty()).collect();
    let mut name = words.join("_");
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert_str(0, if name.is_empty() { "f" } else { "f_" });
    }
    if RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
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

/// A text for a comment of any language, on one line.
pub(super) fn comment(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.replace("*/", "* /").replace("/*", "/ *").replace('\\', "/")
}

/// A string literal for C, C++, Rust and Python: printable ASCII only.
pub(super) fn string(text: &str) -> String {
    let shown = |c: char| match c {
        '"' | '\\' => vec!['\\', c],
        ' '..='~' => vec![c],
        _ => vec!['?'],
    };
    // Two question marks may begin a trigraph.
    let inside: String = text.chars().flat_map(shown).collect();
    format!("\"{}\"", inside.replace("??", "?"))
}

/// A number for a comment: hexadecimal, which is exact, with the decimal.
pub(super) fn both(x: f64) -> String {
    format!("{} ({})", hex(x), decimal(x))
}
