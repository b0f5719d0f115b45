//! Labels whose addresses are taken (`&&label` of GNU C), in LLVM's text.

use super::{names, symbol};
use std::collections::BTreeSet;

/// The functions that jump to computed labels, by symbol.
pub(super) fn computed<'t>(lines: &[&'t str]) -> BTreeSet<&'t str> {
    let mut function = "";
    let mut all = BTreeSet::new();
    for line in lines {
        if line.starts_with("define ") {
            function = symbol(line).unwrap_or_default();
        } else if line.contains("indirectbr ") {
            all.insert(function);
        }
    }
    all
}

/// A variable's definition with nothing in the place of labels of these functions, of which no code is left.
pub(super) fn without_labels(line: &str, functions: &BTreeSet<&str>) -> String {
    const LABEL: &str = "blockaddress(";
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, label)) = rest.split_once(LABEL) {
        let Some((inside, after)) = label.split_once(')') else { break };
        out += before;
        match names(inside).next() {
            Some(name) if functions.contains(name) => out += "null",
            _ => out.extend([LABEL, inside, ")"]),
        }
        rest = after;
    }
    out + rest
}
