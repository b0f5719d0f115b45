//! Functions whose results may depend on the order in which an expression's parts are evaluated. C leaves it open, and compilers
//! differ: gcc takes arguments from the last one to the first, clang from the first to the last.
//!
//! An instruction that puts together what two calls return, or a call and what is read from memory, where the calls may write, is
//! part of such an expression. Through local variables nothing flows: what is stored there is a statement of its own.

use super::{called, symbol};
use crate::code::memory;
use std::collections::{BTreeMap, BTreeSet};

/// What a function does with memory that is not its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    Nothing,
    Reads,
    Writes,
}

/// What a value is made of: the reading of memory, or a call that may write, by number.
type Origins = BTreeSet<usize>;

const READING: usize = 0;

/// The functions of a text with such an expression.
pub(super) fn functions_of_open_order(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let mut bodies: Vec<(&str, &[&str])> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let length = lines[at..].iter().position(|line| *line == "}").unwrap_or(lines.len() - at);
        if let Some(name) = symbol(lines[at]).filter(|_| lines[at].starts_with("define ")) {
            bodies.push((name, &lines[at + 1..at + length]));
            at += length;
        }
        at += 1;
    }
    let mut effects: BTreeMap<&str, Effect> = bodies.iter().map(|(name, _)| (*name, Effect::Nothing)).collect();
    loop {
        let now = bodies.iter().map(|(name, body)| (*name, effect(body, &effects))).collect();
        if now == effects {
            break;
        }
        effects = now;
    }
    bodies.iter().filter(|(_, body)| is_open(body, &effects)).map(|(name, _)| *name).collect()
}

/// The values of a line: what it names by `%`, types among it.
fn values(line: &str) -> impl Iterator<Item = &str> {
    let end = line.find(", !").unwrap_or(line.len());
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    line[..end].match_indices('%').map(move |(at, _)| {
        let rest = &line[at..end];
        &rest[..rest[1..].find(|c| !is_inside(c)).map_or(rest.len(), |length| length + 1)]
    })
}

/// The variables of a function that no other one has the address of, with the values that are addresses inside of them.
fn own_variables<'t>(body: &[&'t str]) -> BTreeMap<&'t str, &'t str> {
    let mut roots: BTreeMap<&str, &str> = BTreeMap::new();
    let mut escaped: BTreeSet<&str> = BTreeSet::new();
    for line in body {
        let target = line.trim_start().split(" = ").next().filter(|name| name.starts_with('%'));
        let is_call =
            called(line).is_some_and(|name| !name.starts_with("llvm.lifetime") && !name.starts_with("llvm.dbg"));
        // A call by a pointer has no name.
        let is_call = is_call || (line.contains("call ") && called(line).is_none()) || line.contains("invoke ");
        if line.contains(" = alloca ") {
            roots.extend(target.map(|name| (name, name)));
        } else if line.contains(" = bitcast ") || line.contains(" = getelementptr ") {
            let root = values(line).skip(1).find_map(|value| roots.get(value).copied());
            if let (Some(target), Some(root)) = (target, root) {
                roots.insert(target, root);
            }
        } else if is_call {
            escaped.extend(values(line).filter_map(|value| roots.get(value).copied()));
        } else if let Some(stored) = line.trim_start().strip_prefix("store ") {
            let value = stored.split(", ").next().unwrap_or_default();
            escaped.extend(values(value).filter_map(|value| roots.get(value).copied()));
        } else if !line.contains(" = load ") && !line.contains("@llvm.lifetime") && !line.contains("@llvm.dbg") {
            escaped.extend(values(line).filter_map(|value| roots.get(value).copied()));
        }
    }
    roots.retain(|_, root| !escaped.contains(*root));
    roots
}

/// What a call does.
fn effect_of_call(line: &str, effects: &BTreeMap<&str, Effect>) -> Effect {
    match called(line).or_else(|| symbol(line).filter(|_| line.contains("invoke "))) {
        Some(name) if effects.contains_key(name) => effects[name],
        Some(name) if name.starts_with("llvm.mem") => Effect::Writes,
        Some(name) if name.starts_with("llvm.") || memory::is_pure(name) => Effect::Nothing,
        _ => Effect::Writes,
    }
}

fn is_call(line: &str) -> bool {
    line.contains(" call ") || line.contains(" invoke ")
}

fn effect(body: &[&str], effects: &BTreeMap<&str, Effect>) -> Effect {
    let own = own_variables(body);
    let is_own = |line: &str| values(line).any(|value| own.contains_key(value));
    let one = |line: &&str| match () {
        () if is_call(line) => effect_of_call(line, effects),
        () if line.starts_with("  store ")
            && !is_own(line.rsplit(", ").find(|part| part.contains(['%', '@'])).unwrap_or_default()) =>
        {
            Effect::Writes
        }
        () if line.contains(" = load ") && !is_own(line) => Effect::Reads,
        () => Effect::Nothing,
    };
    body.iter().map(one).max().unwrap_or(Effect::Nothing)
}

fn is_open(body: &[&str], effects: &BTreeMap<&str, Effect>) -> bool {
    let own = own_variables(body);
    let mut known: BTreeMap<&str, Origins> = BTreeMap::new();
    for (at, line) in body.iter().enumerate() {
        let (target, text) = match line.trim_start().split_once(" = ") {
            Some((target, text)) if target.starts_with('%') => (Some(target), text),
            _ => (None, *line),
        };
        // What comes together there was evaluated one after the other.
        if text.starts_with("phi ") || text.starts_with("alloca ") {
            continue;
        }
        let mut origins: Origins = values(text).filter_map(|value| known.get(value)).flatten().copied().collect();
        let calls = origins.iter().filter(|origin| **origin != READING).count();
        if calls > 1 || (calls == 1 && origins.contains(&READING)) {
            return true;
        }
        if text.starts_with("load ") && calls == 0 && !values(text).any(|value| own.contains_key(value)) {
            origins = Origins::from([READING]);
        } else if is_call(line) {
            match effect_of_call(line, effects) {
                Effect::Nothing => {}
                Effect::Reads => origins = Origins::from([READING]),
                Effect::Writes => origins = Origins::from([at + 1]),
            }
        }
        if let Some(target) = target.filter(|_| !origins.is_empty()) {
            known.insert(target, origins);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(lines: &str) -> String {
        let next = "define i32 @next() #0 {\n  %1 = load i32, i32* @c\n  %2 = add i32 %1, 1\n  store i32 %2, i32* @c\n  ret i32 %2\n}\n";
        let twice = "define i32 @twice(i32 %0) #0 {\n  %2 = alloca i32\n  store i32 %0, i32* %2\n  %3 = load i32, i32* %2\n  ret i32 %3\n}\n";
        format!("{next}{twice}define i32 @f(i32 %0, i32* %1) #0 {{\n{lines}\n  ret i32 %9\n}}\n")
    }

    #[test]
    fn calls_that_write_and_come_together_have_an_open_order() {
        for open in [
            "  %3 = call i32 @next(), !dbg !5\n  %4 = call i32 @next(), !dbg !5\n  %9 = call i32 @twice2(i32 %3, i32 %4)",
            "  %3 = call i32 @next()\n  %4 = mul i32 %3, 10\n  %5 = call i32 @next()\n  %9 = add i32 %4, %5",
            "  %3 = load i32, i32* %1\n  %4 = call i32 @next()\n  %9 = add i32 %3, %4",
            "  %3 = alloca i32\n  %4 = call i32 @take(i32* %3)\n  %5 = load i32, i32* %3\n  %9 = add i32 %4, %5",
            "  %3 = call i32 @next()\n  %4 = call i32* @place()\n  store i32 %3, i32* %4",
        ] {
            assert_eq!(functions_of_open_order(&body(open)), ["f"], "{open}");
        }
        for closed in [
            // The outer one waits for the inner one.
            "  %3 = call i32 @next()\n  %4 = call i32 @twice2(i32 %3)\n  %9 = add i32 %4, 1",
            // Two statements.
            "  %3 = alloca i32\n  %4 = call i32 @next()\n  store i32 %4, i32* %3\n  %5 = call i32 @next()\n  %6 = load i32, i32* %3\n  %9 = add i32 %5, %6",
            // Functions that change nothing.
            "  %3 = call i32 @twice(i32 %0)\n  %4 = call i32 @next()\n  %9 = add i32 %3, %4",
            "  %3 = call double @sin(double 1.0)\n  %4 = load i32, i32* %1\n  %5 = call double @cos(double 2.0)\n  %9 = fadd double %3, %5",
            // What is read where a call says.
            "  %3 = call i32* @place()\n  %4 = load i32, i32* %3\n  %9 = add i32 %4, 1",
        ] {
            assert_eq!(functions_of_open_order(&body(closed)), Vec::<&str>::new(), "{closed}");
        }
    }
}
