//! Addresses as numbers. Where something lies is the linker's and the machine's choice, so no proof may know it.

use std::collections::BTreeMap;

/// The import that a function calls before it takes an address for a number.
pub(crate) const LOOKS_AT_ADDRESS: &str = "magneto looks at an address";

/// The instructions of a function that take an address for a number, by line: all but those of which only differences are used.
pub(super) fn looks(body: &[&str]) -> Vec<usize> {
    let made = |line: &str| line.split_once(" = ptrtoint ").map(|(name, _)| name.trim().to_owned());
    let names: BTreeMap<String, usize> =
        body.iter().enumerate().filter_map(|(at, line)| Some((made(line)?, at))).collect();
    let mut all: Vec<usize> =
        body.iter().enumerate().filter(|(_, line)| line.contains("ptrtoint (")).map(|(at, _)| at).collect();
    for line in body.iter().filter(|_| !names.is_empty()) {
        let rest = line.split_once(" = ").map_or(*line, |(_, rest)| rest);
        let values = rest.split(|c: char| !(c.is_ascii_alphanumeric() || "%._$-".contains(c)));
        let used: Vec<usize> = values.filter_map(|value| names.get(value).copied()).collect();
        if !(rest.starts_with("sub ") && used.len() == 2) {
            all.extend(used);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The call that stands before such an instruction.
pub(super) fn note(line: &str) -> String {
    let place = line.find(", !dbg ").map(|at| line[at..].split(", !").nth(1).unwrap_or_default());
    format!("  call void @\"{LOOKS_AT_ADDRESS}\"(){}\n", place.map_or(String::new(), |dbg| format!(", !{dbg}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_addresses_are_no_addresses() {
        let body = [
            "  %3 = ptrtoint double* %0 to i64, !dbg !7",
            "  %4 = ptrtoint double* %1 to i64, !dbg !7",
            "  %5 = sub i64 %3, %4, !dbg !7",
            "  %6 = sdiv exact i64 %5, 8, !dbg !7",
        ];
        assert_eq!(looks(&body), [] as [usize; 0]);
        let body = [
            "  %3 = ptrtoint double* %0 to i64",
            "  %4 = and i64 %3, 15",
            "  store i64 ptrtoint (i8* @x to i64), i64* %2",
        ];
        assert_eq!(looks(&body), [0, 2]);
        assert_eq!(
            note("  %3 = ptrtoint double* %0 to i64, !dbg !7"),
            "  call void @\"magneto looks at an address\"(), !dbg !7\n"
        );
    }
}
