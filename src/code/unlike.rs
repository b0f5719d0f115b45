//! Where code under test, compiled for 32-bit WebAssembly without an operating system, is not what it is elsewhere.

use wasmparser::{KnownCustom, Linking, Parser, Payload, SymbolInfo};

/// Variables outside of functions, of one object file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Variables {
    /// Those that it defines.
    pub(super) defined: Vec<String>,
    /// Those of them that are no constants.
    pub(super) changeable: Vec<String>,
    /// Those that it uses and another file has to define.
    pub(super) undefined: Vec<String>,
}

impl Variables {
    /// Of an object file; what cannot be read of it is left out, and the linker will say so.
    pub(super) fn of(object: &[u8]) -> Self {
        let (mut segments, mut symbols): (Vec<&str>, Vec<SymbolInfo<'_>>) = (Vec::new(), Vec::new());
        for payload in Parser::new(0).parse_all(object).map_while(Result::ok) {
            let Payload::CustomSection(section) = payload else { continue };
            let KnownCustom::Linking(linking) = section.as_known() else { continue };
            for part in linking.subsections().map_while(Result::ok) {
                match part {
                    Linking::SegmentInfo(map) => segments.extend(map.into_iter().map_while(Result::ok).map(|s| s.name)),
                    Linking::SymbolTable(map) => symbols.extend(map.into_iter().map_while(Result::ok)),
                    _ => {}
                }
            }
        }
        let mut all = Variables::default();
        for symbol in symbols {
            let SymbolInfo::Data { name, symbol, .. } = symbol else { continue };
            let Some(place) = symbol else {
                all.undefined.push(name.to_owned());
                continue;
            };
            all.defined.push(name.to_owned());
            let segment = segments.get(place.index as usize).copied().unwrap_or_default();
            // Texts and other constants are in `.rodata`; `errno` is another matter.
            if [".data", ".bss"].iter().any(|s| segment.starts_with(s)) && name != ERRNO {
                all.changeable.push(name.to_owned());
            }
        }
        all
    }
}

/// What `errno` is called by the header that comes with the compiler's flags.
const ERRNO: &str = "magneto_errno";

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The file, as it was named.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// What a text after the preprocessor says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    /// Where `errno` is read first.
    pub(super) reads_errno: Option<At>,
    /// Where a type stands first that has 32 bits here and mostly 64 elsewhere, and the type.
    pub(super) long: Option<(At, &'static str)>,
}

/// Words that a type is written with.
const TYPE_WORDS: [&str; 10] =
    ["long", "int", "unsigned", "signed", "double", "const", "volatile", "register", "static", "_Complex"];
/// Types that are as long as an address.
const ADDRESSES: [&str; 2] = ["uintptr_t", "intptr_t"];

impl Text {
    /// Of what the preprocessor has made of a file: a person's own lines, not those of the compiler's headers.
    pub(super) fn of(text: &str) -> Self {
        let mut found = Text::default();
        let mut at = At { file: String::new(), line: 0 };
        let mut is_own = true;
        let (mut longs, mut doubles, mut long_at, mut last_errno) = (0, 0, None, None);
        for line in text.lines() {
            if let Some(marker) = line.strip_prefix("# ") {
                let (number, rest) = marker.split_once(' ').unwrap_or((marker, ""));
                let (file, flags) = rest.trim_start_matches('"').rsplit_once('"').unwrap_or((rest, ""));
                at = At { file: file.to_owned(), line: number.parse().unwrap_or(0) };
                is_own = !flags.split(' ').any(|f| f == "3") && !file.starts_with('<');
                continue;
            }
            for token in tokens(line).filter(|_| is_own) {
                if let Some(read) = last_errno.take().filter(|_| token != "=") {
                    found.reads_errno.get_or_insert(read);
                }
                if token == ERRNO {
                    last_errno = Some(at.clone());
                }
                if let Some(name) = ADDRESSES.iter().find(|a| **a == token) {
                    found.long.get_or_insert((at.clone(), name));
                }
                match token {
                    "long" => {
                        longs += 1;
                        long_at.get_or_insert_with(|| at.clone());
                    }
                    "double" => doubles += 1,
                    _ if TYPE_WORDS.contains(&token) => {}
                    _ => {
                        if let Some(place) = long_at.take().filter(|_| longs == 1 && doubles == 0) {
                            found.long.get_or_insert((place, "long"));
                        }
                        (longs, doubles) = (0, 0);
                    }
                }
            }
            at.line += 1;
        }
        found
    }
}

/// Words, numbers and signs of a line; texts in quotes are one each, `==` is one.
fn tokens(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = match first {
            '"' | '\'' => {
                let mut escaped = false;
                let close = rest.char_indices().skip(1).find(|(_, c)| {
                    let ends = *c == first && !escaped;
                    escaped = *c == '\\' && !escaped;
                    ends
                });
                close.map_or(rest.len(), |(k, _)| k + 1)
            }
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            '=' if rest.starts_with("==") => 2,
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(token)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(body: &str) -> Text {
        Text::of(&format!("# 1 \"f.c\"\n# 1 \"/x/stdlib.h\" 1 3\nlong labs(long);\n# 2 \"f.c\" 2\n{body}"))
    }

    #[test]
    fn long_is_found_where_it_has_32_bits() {
        let at = |line| At { file: "f.c".to_owned(), line };
        for body in ["long n;", "(unsigned long)x", "unsigned\nlong int\nn", "const long *p"] {
            assert!(matches!(text(&format!("int y;\n{body};\n")).long, Some((_, "long"))), "{body}");
        }
        assert_eq!(text("int y;\n\nlong n;").long, Some((at(4), "long")));
        for body in ["long long n;", "long double x;", "unsigned long long int n", "char *s = \"long n\";", "longer n"]
        {
            assert_eq!(text(&format!("{body};\n")).long, None, "{body}");
        }
        assert_eq!(text("uintptr_t p;").long, Some((at(2), "uintptr_t")));
    }

    #[test]
    fn errno_may_be_written_and_not_read() {
        let reads = |body| text(body).reads_errno.is_some();
        assert!(!reads("magneto_errno = 33;") && !reads("magneto_errno\n = 0;"));
        assert!(reads("if (magneto_errno) return;") && reads("magneto_errno == 33;"));
        assert!(reads("magneto_errno = 0; y = magneto_errno;"));
    }
}
