//! A function's declaration as a person writes it, in C's form: what the parameters mean where a module does not say.

use super::types::{SourceFunction, SourceType};
use std::fmt;

/// What is wrong with a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignatureError {
    /// It is no declaration.
    Shape,
    /// A type that cannot be an input or a result.
    Type(String),
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignatureError::Shape => {
                f.write_str("expected a declaration\n  hint: such as 'double f(double x, unsigned n, const float *y)'")
            }
            SignatureError::Type(ty) => write!(
                f,
                "`{ty}` is no type of a number\n  hint: float, double, bool, char, short, int, long long with `unsigned` or without, \
                 int8_t to uint64_t, size_t, i8 to u64, f32, f64, and pointers to these"
            ),
        }
    }
}

impl std::error::Error for SignatureError {}

/// Read a declaration: a type, perhaps a name, and parameters in parentheses, each a type and perhaps a name. `long`,
/// `size_t` and `ptrdiff_t` have so many bytes as `long` says. Where there is no name it is empty, and a parameter is `x1`,
/// `x2`, ….
///
/// # Errors
/// What is wrong with it.
pub fn parse(text: &str, long: u8) -> Result<SourceFunction, SignatureError> {
    let text = text.trim().trim_end_matches(';').trim_end();
    let inside = text.strip_suffix(')').and_then(|t| t.split_once('('));
    let (before, parameters) = inside.ok_or(SignatureError::Shape)?;
    if parameters.contains(['(', ')']) {
        return Err(SignatureError::Shape);
    }
    let (name, result) = declared(before, long)?;
    let mut all = Vec::new();
    if !matches!(parameters.trim(), "" | "void") {
        for (i, parameter) in parameters.split(',').enumerate() {
            let (name, ty) = declared(parameter, long)?;
            if ty == SourceType::Void {
                return Err(SignatureError::Type("void".to_owned()));
            }
            all.push((if name.is_empty() { format!("x{}", i + 1) } else { name }, ty));
        }
    }
    Ok(SourceFunction { name, parameters: all, result, line: 0 })
}

/// A name, perhaps empty, and its type.
fn declared(text: &str, long: u8) -> Result<(String, SourceType), SignatureError> {
    let (mut text, mut name) = (text.trim(), "");
    // An array as a parameter is a pointer.
    let array = text.strip_suffix(']').and_then(|t| t.rsplit_once('['));
    if let Some((before, _)) = array {
        text = before.trim_end();
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let head = text.trim_end_matches(is_word);
    let last = &text[head.len()..];
    let words: Vec<&str> = text.split(|c: char| c == '*' || c.is_whitespace()).filter(|w| !w.is_empty()).collect();
    if words.is_empty() || words.iter().any(|w| !w.chars().all(is_word)) {
        return Err(SignatureError::Shape);
    }
    let types = words.len() - words.iter().filter(|w| QUALIFIERS.contains(w)).count();
    if !last.is_empty() && (head.contains('*') || types > 1) && !WORDS.contains(&last) && !QUALIFIERS.contains(&last) {
        (text, name) = (head.trim_end(), last);
    }
    let stars = text.matches('*').count() + usize::from(array.is_some());
    let first = text.split('*').next().unwrap_or_default();
    let to = number(first, long)?;
    let is_const = first.split_whitespace().any(|w| w == "const");
    let ty = match stars {
        0 => to,
        1 if to != SourceType::Void => SourceType::Pointer(Box::new(to), is_const),
        _ => return Err(SignatureError::Type(text.to_owned())),
    };
    Ok((name.to_owned(), ty))
}

const QUALIFIERS: [&str; 4] = ["const", "volatile", "restrict", "extern"];
/// Words of types that may be the last of several.
const WORDS: [&str; 9] = ["char", "short", "int", "long", "unsigned", "signed", "double", "float", "void"];

/// The type of a number by its words.
fn number(text: &str, long: u8) -> Result<SourceType, SignatureError> {
    let words: Vec<&str> = text.split_whitespace().filter(|w| !QUALIFIERS.contains(w)).collect();
    let unknown = || SignatureError::Type(words.join(" "));
    let int = |bytes, signed| SourceType::Int { bytes, signed };
    Ok(match words[..] {
        ["void"] => SourceType::Void,
        ["float" | "f32"] => SourceType::Float(4),
        ["double" | "f64"] => SourceType::Float(8),
        ["long", "double"] | ["double", "long"] => SourceType::Other("long double".to_owned()),
        [float @ ("_Float128" | "__float128" | "_Float16" | "__bf16")] => SourceType::Other(float.to_owned()),
        ["bool" | "_Bool"] => SourceType::Bool,
        ["u8" | "uint8_t"] => int(1, false),
        ["i8" | "int8_t"] => int(1, true),
        ["i16" | "int16_t"] => int(2, true),
        ["u16" | "uint16_t"] => int(2, false),
        ["i32" | "int32_t"] => int(4, true),
        ["u32" | "uint32_t"] => int(4, false),
        ["isize" | "ssize_t" | "ptrdiff_t" | "intptr_t"] => int(long, true),
        ["usize" | "size_t" | "uintptr_t"] => int(long, false),
        ["i64" | "int64_t"] => int(8, true),
        ["u64" | "uint64_t"] => int(8, false),
        _ => {
            // The words of C's integer types, in any order.
            let signs = words.iter().filter(|w| ["signed", "unsigned"].contains(w)).count();
            let mut size: Vec<&str> = words.iter().copied().filter(|w| !["signed", "unsigned"].contains(w)).collect();
            if size.len() > 1
                && let Some(at) = size.iter().position(|w| *w == "int")
            {
                size.remove(at);
            }
            let bytes = match size[..] {
                [] if signs == 1 => 4,
                ["char"] => 1,
                ["short"] => 2,
                ["int"] => 4,
                ["long"] => long,
                ["long", "long"] => 8,
                _ => return Err(unknown()),
            };
            if signs > 1 {
                return Err(unknown());
            }
            int(bytes, !words.contains(&"unsigned"))
        }
    })
}
