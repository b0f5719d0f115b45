//! Functions whose results may depend on the order in which an expression's parts are evaluated. C leaves it open, and compilers
//! differ: gcc takes arguments from the last one to the first, clang from the first to the last.
//!
//! Two things of which one writes and the other one reads or writes have such an order where they stand in one line of the source, or
//! flow into one instruction, and neither flows into the other. That is so of more than C leaves open, as of `a() && b()`.

use super::places::Places;
use super::{called, symbol};
use crate::code::hosted;
use std::collections::{BTreeMap, BTreeSet};

/// What a function does with memory that is not its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    Nothing,
    Reads,
    Writes,
}

/// What happens in a line of the source: by number, those that flow into a value or into something that happens.
type Origins = BTreeSet<usize>;

/// What kind of thing happens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EventKind {
    /// A call that may write.
    WritingCall,
    /// A call that reads.
    ReadingCall,
    /// A look at memory that others may write.
    Load,
    /// Writing there.
    Store,
    /// A call that may set `errno`.
    MathCall,
    /// A call that says where `errno` is.
    Errno,
}

struct Event {
    kind: EventKind,
    /// The file and the line of the source; none where they are not known.
    line: Option<String>,
    /// From 1; 0 where it is not known.
    column: usize,
    before: Origins,
}

/// The lines of sources.
#[derive(Default)]
struct SourceLines(BTreeMap<String, Vec<String>>);

impl SourceLines {
    /// Whether a statement ends between two columns of a line, which is named as `FILE:LINE: `. Where the text says it, not less.
    fn are_apart(&mut self, line: &str, columns: [usize; 2]) -> bool {
        let Some((file, number)) = line.trim_end_matches(": ").rsplit_once(':') else { return false };
        let lines = self.0.entry(file.to_owned()).or_insert_with(|| {
            let text = std::fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
        });
        let text = number.parse::<usize>().ok().and_then(|n| lines.get(n.checked_sub(1)?));
        let (from, to) = (columns[0].min(columns[1]), columns[0].max(columns[1]));
        text.and_then(|text| text.get(from.checked_sub(1)?..to.checked_sub(1)?)).is_some_and(ends_statement)
    }
}

/// Whether a part of a line has the end of a statement that is inside of nothing which ends in it.
fn ends_statement(text: &str) -> bool {
    if text.contains(['"', '\'']) || text.contains("/*") {
        return false;
    }
    let (mut depth, mut least, mut ends) = (0, 0, Vec::new());
    for c in text.chars() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            ';' => ends.push(depth),
            _ => {}
        }
        least = least.min(depth);
    }
    ends.contains(&least)
}

/// The functions of a text with such an expression.
pub(super) fn functions_of_open_order<'t>(text: &'t str, places: &Places<'_>) -> Vec<&'t str> {
    let lines: Vec<&'t str> = text.lines().collect();
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
    let mut sources = SourceLines::default();
    bodies.iter().filter(|(_, body)| is_open(body, &effects, (places, &mut sources))).map(|(name, _)| *name).collect()
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
        Some(name) if name.starts_with("llvm.") || hosted::is_pure(name) => Effect::Nothing,
        _ => Effect::Writes,
    }
}

/// Where a store goes.
fn place_of_store(line: &str) -> &str {
    let text = line.split(", !").next().unwrap_or_default();
    text.split(", ").skip(1).find(|part| part.contains(['%', '@'])).unwrap_or_default()
}

fn is_call(line: &str) -> bool {
    line.contains(" call ") || line.contains(" invoke ")
}

fn effect(body: &[&str], effects: &BTreeMap<&str, Effect>) -> Effect {
    let own = own_variables(body);
    let is_own = |line: &str| values(line).any(|value| own.contains_key(value));
    let one = |line: &&str| match () {
        () if is_call(line) => effect_of_call(line, effects),
        () if line.starts_with("  store ") && !is_own(place_of_store(line)) => Effect::Writes,
        () if line.contains(" = load ") && !is_own(line) => Effect::Reads,
        () => Effect::Nothing,
    };
    body.iter().map(one).max().unwrap_or(Effect::Nothing)
}

/// Whether two of these may come in both orders, and it matters.
fn is_conflict(a: EventKind, b: EventKind) -> bool {
    use EventKind::{Errno, Load, MathCall, ReadingCall, Store, WritingCall};
    let one = |a, b| match a {
        WritingCall => !matches!(b, MathCall),
        Store => b == ReadingCall,
        MathCall => b == Errno,
        Load | ReadingCall | Errno => false,
    };
    one(a, b) || one(b, a)
}

/// Whether there are such two in one line of the source, or flow into one value.
fn is_open(
    body: &[&str],
    effects: &BTreeMap<&str, Effect>,
    (places, sources): (&Places<'_>, &mut SourceLines),
) -> bool {
    let own = own_variables(body);
    let is_own = |text: &str| values(text).any(|value| own.contains_key(value));
    let mut known: BTreeMap<&str, Origins> = BTreeMap::new();
    let mut events: Vec<Event> = Vec::new();
    for line in body {
        let (target, text) = match line.trim_start().split_once(" = ") {
            Some((target, text)) if target.starts_with('%') => (Some(target), text),
            _ => (None, line.trim_start()),
        };
        if text.starts_with("alloca ") || text.starts_with("call void @llvm.dbg") || text.contains("@llvm.lifetime") {
            continue;
        }
        let mut origins: Origins = values(text).filter_map(|value| known.get(value)).flatten().copied().collect();
        let kind = match () {
            () if is_call(line) => match effect_of_call(line, effects) {
                _ if line.contains("@__errno_location(") => Some(EventKind::Errno),
                Effect::Nothing if called(line).is_some_and(hosted::may_set_errno) => Some(EventKind::MathCall),
                Effect::Nothing => None,
                Effect::Reads => Some(EventKind::ReadingCall),
                Effect::Writes => Some(EventKind::WritingCall),
            },
            () if text.starts_with("load ") && !is_own(text) => Some(EventKind::Load),
            () if text.starts_with("store ") && !is_own(place_of_store(text)) => Some(EventKind::Store),
            () => None,
        };
        // What comes together there was evaluated one after the other.
        let is_ordered = text.starts_with("phi ");
        let pairs = || origins.iter().flat_map(|a| origins.iter().map(move |b| (*a, *b)));
        if !is_ordered && pairs().any(|(a, b)| a < b && is_open_pair(&events, a, b)) {
            return true;
        }
        if let Some(kind) = kind {
            let before = origins.iter().flat_map(|e| events[*e].before.iter().chain([e])).copied().collect();
            let column = places.column_of_line(line).unwrap_or(0);
            events.push(Event { kind, line: places.of_line(line), column, before });
            origins = Origins::from([events.len() - 1]);
        }
        if let Some(target) = target.filter(|_| !origins.is_empty()) {
            known.insert(target, origins);
        }
    }
    let mut beside = |a: usize, b: usize| {
        let (first, second) = (&events[a], &events[b]);
        first.line == second.line
            && is_open_pair(&events, a, b)
            && !first.line.as_ref().is_some_and(|line| sources.are_apart(line, [first.column, second.column]))
    };
    (0..events.len()).any(|b| events[b].line.is_some() && (b.saturating_sub(64)..b).any(|a| beside(a, b)))
}

fn is_open_pair(events: &[Event], a: usize, b: usize) -> bool {
    let (first, second) = (&events[a], &events[b]);
    is_conflict(first.kind, second.kind) && !second.before.contains(&a) && !first.before.contains(&b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(lines: &str) -> String {
        let next = "define i32 @next() #0 {\n  %1 = load i32, i32* @c\n  %2 = add i32 %1, 1\n  store i32 %2, i32* @c\n  ret i32 %2\n}\n";
        let twice = "define i32 @twice(i32 %0) #0 {\n  %2 = alloca i32\n  store i32 %0, i32* %2\n  %3 = load i32, i32* %2\n  ret i32 %3\n}\n";
        let read = "define i32 @read() #0 {\n  %1 = load i32, i32* @x\n  ret i32 %1\n}\n";
        let notes = "!1 = distinct !DISubprogram(name: \"f\", file: !2, line: 3)\n!2 = !DIFile(filename: \"none.c\", directory: \"/d\")\n\
                     !5 = !DILocation(line: 7, column: 3, scope: !1)\n!6 = !DILocation(line: 7, column: 9, scope: !1)\n\
                     !8 = !DILocation(line: 8, scope: !1)\n";
        format!("{read}{next}{twice}define i32 @f(i32 %0, i32* %1) #0 {{\n{lines}\n  ret i32 %9\n}}\n{notes}")
    }

    #[test]
    fn calls_that_write_and_come_together_have_an_open_order() {
        for open in [
            "  %3 = call i32 @next(), !dbg !5\n  %4 = call i32 @next(), !dbg !5\n  %9 = call i32 @twice2(i32 %3, i32 %4)",
            "  %3 = call i32 @next()\n  %4 = mul i32 %3, 10\n  %5 = call i32 @next()\n  %9 = add i32 %4, %5",
            "  %3 = load i32, i32* %1\n  %4 = call i32 @next()\n  %9 = add i32 %3, %4",
            "  %3 = alloca i32\n  %4 = call i32 @take(i32* %3)\n  %5 = load i32, i32* %3\n  %9 = add i32 %4, %5",
            "  %3 = call i32 @next()\n  %4 = call i32* @place()\n  store i32 %3, i32* %4",
            // In one line, and nothing flows together.
            "  call void @set(i32 5), !dbg !5\n  %3 = load i32, i32* @x, !dbg !6\n  %9 = add i32 %3, 1, !dbg !6",
            "  store i32 5, i32* @x, !dbg !5\n  %9 = call i32 @read(), !dbg !6",
            "  %3 = call double @log(double -2.0), !dbg !5\n  %4 = call i32* @__errno_location(), !dbg !5\n  %9 = load i32, i32* %4, !dbg !5",
        ] {
            let text = body(open);
            assert_eq!(functions_of_open_order(&text, &Places::of(&text)), ["f"], "{open}");
        }
        for closed in [
            // The outer one waits for the inner one.
            "  %3 = call i32 @next()\n  %4 = call i32 @twice2(i32 %3)\n  %9 = add i32 %4, 1",
            // Two statements.
            "  %3 = alloca i32\n  %4 = call i32 @next()\n  store i32 %4, i32* %3\n  %5 = call i32 @next()\n  %6 = load i32, i32* %3\n  %9 = add i32 %5, %6",
            // Functions that change nothing.
            "  %3 = call i32 @twice(i32 %0)\n  %4 = call i32 @next()\n  %9 = add i32 %3, %4",
            "  %3 = call double @sin(double 1.0)\n  %4 = load i32, i32* %1\n  %5 = call double @cos(double 2.0)\n  %9 = fadd double %3, %5",
            "  call void @set(i32 5), !dbg !5\n  %3 = load i32, i32* @x, !dbg !8\n  %9 = add i32 %3, 1, !dbg !8",
            // What is read where a call says.
            "  %3 = call i32* @place()\n  %4 = load i32, i32* %3\n  %9 = add i32 %4, 1",
        ] {
            let text = body(closed);
            assert_eq!(functions_of_open_order(&text, &Places::of(&text)), Vec::<&str>::new(), "{closed}");
        }
    }

    #[test]
    fn statements_end_at_semicolons_outside_of_what_ends() {
        for apart in ["p(x); v = ", "f(); b < ", "p(({ int a = g(); a; })); q"] {
            assert!(ends_statement(apart), "{apart}");
        }
        for together in ["next(), ", "next(); a; }), ({ int b = ", "f(\"a;\"), ", "a /* ; */, ", ""] {
            assert!(!ends_statement(together), "{together}");
        }
    }
}
