//! How the compiler hands over parameters: the list of a function's definition in LLVM's text.

use super::ins::Type;
use std::path::PathBuf;

/// A parameter of the code as the compiler for the user's machine has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassedAs {
    /// What it is in WebAssembly.
    pub(super) types: Vec<Type>,
    /// Whether it is an address.
    pub(super) is_address: bool,
    /// Whether it is that of a value which is handed over in memory.
    is_value: bool,
    /// The name of the structure that it is the address of, if it is.
    to: String,
    /// Whether the result is written there.
    pub(super) is_result: bool,
    /// Whether it is where a variable number of arguments lies.
    pub(super) is_rest: bool,
}

/// A function that is defined.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DefinedSymbol {
    /// Its name among symbols.
    pub symbol: String,
    /// The source of one that no other file sees, as its whole path; empty of others.
    pub source: PathBuf,
}

impl PassedAs {
    /// A value of this type.
    pub(super) fn plain(ty: Type) -> PassedAs {
        PassedAs { types: vec![ty], ..PassedAs::default() }
    }

    /// Whether a structure of this name and size is handed over by its address.
    pub(super) fn is_address_of(&self, name: &str, bytes: u64) -> bool {
        // Of short ones a pointer may be the first part.
        let own = name.rsplit(' ').next().unwrap_or_default().split('<').next().unwrap_or_default();
        self.is_address && (self.is_value || bytes > 16 || (!own.is_empty() && self.to == own))
    }
}

/// The parameters of a definition; none where one of them is of a type that is not known.
pub(super) fn parameters(head: &str) -> Option<Vec<PassedAs>> {
    let at = head.find('@')?;
    let named = &head[at + 1..];
    let behind = match named.strip_prefix('"') {
        Some(quoted) => &quoted[quoted.find('"')? + 1..],
        None => &named[named.find('(')?..],
    };
    let inside = enclosed(behind)?;
    pieces(inside).into_iter().map(|piece| parameter(piece.trim())).collect()
}

/// What stands in the parentheses at the beginning.
pub(super) fn enclosed(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(1..at);
        }
    }
    None
}

/// The characters that are in no brackets and no quotes, with their places.
fn outside_brackets(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let (mut depth, mut is_quoted) = (0, false);
    text.char_indices().filter(move |(_, c)| {
        match c {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => return depth == 0,
        }
        false
    })
}

/// Parts between commas that are in no brackets.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    let (mut from, mut all) = (0, Vec::new());
    for (at, _) in outside_brackets(text).filter(|(_, c)| *c == ',') {
        all.push(&text[from..at]);
        from = at + 1;
    }
    if !text.trim().is_empty() {
        all.push(&text[from..]);
    }
    all
}

fn parameter(text: &str) -> Option<PassedAs> {
    if text == "..." {
        return Some(PassedAs { types: vec![Type::I64], is_address: true, is_rest: true, ..PassedAs::default() });
    }
    let ty = type_at_head(text);
    let is_address = ty.ends_with('*') || ty == "ptr";
    let types = if is_address { vec![Type::I64] } else { types(ty)? };
    let to = ty.trim_end_matches('*').trim_start_matches('%').trim_matches('"');
    let to = to.split_once('.').map_or("", |(_, name)| name).to_owned();
    let has = |word: &str| is_address && text.contains(word);
    Some(PassedAs { types, is_address, is_value: has(" byval("), is_result: has(" sret("), is_rest: false, to })
}

/// The type at the beginning of a parameter.
pub(super) fn type_at_head(text: &str) -> &str {
    let is_end = |(at, c): &(usize, char)| *c == ' ' && !text[*at..].trim_start().starts_with(['(', '*']);
    outside_brackets(text).find(is_end).map_or(text, |(at, _)| &text[..at])
}

/// What a value of a type is in WebAssembly.
fn types(ty: &str) -> Option<Vec<Type>> {
    Some(match ty {
        "float" => vec![Type::F32],
        "double" => vec![Type::F64],
        "x86_fp80" | "fp128" => vec![Type::I64, Type::I64],
        _ if ty.starts_with('i') => match ty[1..].parse().ok()? {
            0..=32 => vec![Type::I32],
            33..=64 => vec![Type::I64],
            128 => vec![Type::I64, Type::I64],
            _ => return None,
        },
        _ if ty.starts_with('{') => {
            let inside = ty.trim_matches(['{', '}']);
            let all: Option<Vec<Vec<Type>>> = pieces(inside).into_iter().map(|p| types(p.trim())).collect();
            all?.concat()
        }
        _ => {
            let inside = ty.trim_matches(['<', '>', '[', ']']);
            let (count, of) = inside.split_once(" x ")?;
            types(of.trim())?.repeat(count.trim().parse().ok().filter(|n| *n <= 16)?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_from_a_definition() {
        let head = "define dso_local noundef double @_Z1fPA2_d(%struct.R* noalias sret(%struct.R) align 8 %0, <2 x float> %1, \
                    [2 x double]* noundef %2, i16 signext %3, %struct.P* noundef byval(%struct.P) align 8 %4, double (i32, i8*)* %5) #0 {";
        let all = parameters(head).unwrap();
        let types: Vec<&[Type]> = all.iter().map(|p| &p.types[..]).collect();
        assert_eq!(
            types,
            [&[Type::I64][..], &[Type::F32, Type::F32], &[Type::I64], &[Type::I32], &[Type::I64], &[Type::I64]]
        );
        let addresses: Vec<bool> = all.iter().map(|p| p.is_address).collect();
        assert_eq!(addresses, [true, false, true, false, true, true]);
        assert!(all[0].is_result && !all[4].is_result);
        assert_eq!(parameters("define void @f() #0 {"), Some(Vec::new()));
        assert_eq!(parameters("define void @f(<9 x ppc_fp128> %0) #0 {"), None);
    }
}
