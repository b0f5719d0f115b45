//! Who may write a variable: a look at all places that name it, or an address made from it.

use super::{names, symbol, word};
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of addresses in a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Use {
    /// Something is written there.
    is_written: bool,
    /// Somebody else may have the address.
    escapes: bool,
}

/// The variables of this source alone that no code writes, and of which nobody else has the address: they keep the values
/// that they have at the start.
pub(super) fn unchanging<'t>(lines: &[&'t str]) -> BTreeSet<&'t str> {
    // Names in quotes are left alone.
    let own = |line: &&&'t str| {
        line.starts_with('@')
            && !line.starts_with("@\"")
            && line.contains(" internal ")
            && [" global ", " constant "].iter().any(|kind| line.contains(kind))
    };
    let mut left: BTreeSet<&str> = lines.iter().filter(own).filter_map(|line| symbol(line)).collect();
    let mut body: Option<usize> = None;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("define ") {
            body = Some(at);
        } else if *line == "}" {
            let Some(from) = body.take() else { continue };
            let inside = &lines[from + 1..at];
            let named: BTreeSet<&str> = inside.iter().flat_map(|l| names(l)).filter(|n| left.contains(n)).collect();
            for name in named {
                let found = followed(inside, &format!("@{name}"));
                if found.is_written || found.escapes {
                    left.remove(name);
                }
            }
        } else if body.is_none() && line.starts_with('@') {
            // The address stands in another variable.
            for name in names(line).skip(1) {
                left.remove(name);
            }
        }
    }
    left
}

/// What a read that may give another value each time is of, where somebody else may write it; none where only this function
/// can.
pub(super) fn read_by_others(body: &[&str], at: usize, unchanging: &BTreeSet<&str>) -> Option<String> {
    let line = body[at];
    let plain = line.contains(" load volatile ");
    let read = line.split_once(" load ").map_or(line, |(_, rest)| rest);
    let Some(pointer) = tokens(read).rfind(|t| t.starts_with(['@', '%']) && !is_type(t)) else {
        return Some("memory".to_owned());
    };
    let made = made_of(body);
    let mut root = pointer;
    while let Some(from) = made.get(root) {
        root = from;
    }
    match root.strip_prefix('@') {
        Some(name) => {
            let name = name.trim_matches('"');
            (!plain || !unchanging.contains(name)).then(|| format!("the volatile or atomic `{name}`"))
        }
        None => {
            let is_local = body.iter().any(|l| l.trim_start().split_once(" = alloca ").is_some_and(|(n, _)| n == root));
            (!is_local || followed(body, root).escapes).then(|| "volatile or atomic memory".to_owned())
        }
    }
}

fn is_type(token: &str) -> bool {
    ["%struct.", "%union.", "%class."].iter().any(|t| token.starts_with(t))
}

/// The words of a line that may be names.
fn tokens(line: &str) -> impl DoubleEndedIterator<Item = &str> {
    // What follows the operands is about the source.
    let line = line.split(", !").next().unwrap_or(line);
    line.split(|c: char| !word(c) && !matches!(c, '@' | '%' | '"')).filter(|t| !t.is_empty())
}

/// For each address that is made of another one, that one.
fn made_of<'b>(body: &[&'b str]) -> BTreeMap<&'b str, &'b str> {
    let mut all = BTreeMap::new();
    for line in body {
        if let Some((name, rest)) = line.trim_start().split_once(" = ")
            && is_address(rest)
            && let Some(from) = tokens(rest).find(|t| t.starts_with(['@', '%']) && !is_type(t))
        {
            all.insert(name, from);
        }
    }
    all
}

fn is_address(instruction: &str) -> bool {
    ["getelementptr ", "bitcast "].iter().any(|i| instruction.starts_with(i))
}

/// What a function does with an address and with all that it makes of it.
fn followed(body: &[&str], address: &str) -> Use {
    let mut all = Use::default();
    let mut names = vec![address.to_owned()];
    let mut next = 0;
    while next < names.len() {
        let name = names[next].clone();
        next += 1;
        for line in body {
            let count = tokens(line).filter(|t| *t == name).count();
            let line = line.trim_start();
            if count == 0 || line.starts_with(&format!("{name} = alloca ")) || line.starts_with(&format!("{name} = ")) {
                continue;
            }
            let instruction = line.split_once(" = ").map_or(line, |(_, rest)| rest);
            let head = instruction.trim_start_matches("tail ");
            if is_address(head) {
                // The first operand is the address; as an index it would be a number.
                if let Some((made, _)) = line.split_once(" = ") {
                    names.push(made.to_owned());
                }
            } else if head.starts_with("store ") {
                // The last operand is where, the others what.
                let at = tokens(line).rfind(|t| t.starts_with(['@', '%']) && !is_type(t));
                all.is_written = true;
                all.escapes |= count > 1 || at != Some(&name);
            } else if !(head.starts_with("load ") || head.starts_with("icmp ") || is_harmless(head)) {
                all.escapes = true;
            }
        }
    }
    all
}

/// A call that neither reads nor writes.
fn is_harmless(instruction: &str) -> bool {
    ["@llvm.dbg.", "@llvm.lifetime."].iter().any(|name| instruction.contains(name))
}
