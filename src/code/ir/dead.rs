//! Code that constant conditions lead around: `sizeof(x) == sizeof(float) ? a : b` has both ways in the compiler's output, and
//! one of them never runs.

use super::word;
use std::collections::{BTreeMap, BTreeSet};

/// A function without the blocks that nothing leads to: its head and its body. None where there is no such block.
pub(super) fn without_dead(head: &str, body: &[&str]) -> Option<(String, Vec<String>)> {
    let blocks = blocks(head, body);
    let by_name: BTreeMap<&str, usize> = blocks.iter().enumerate().map(|(i, b)| (b.name.as_str(), i)).collect();
    let mut live: BTreeSet<usize> = BTreeSet::new();
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if live.insert(at) {
            open.extend(blocks[at].next().iter().filter_map(|name| by_name.get(name)));
        }
    }
    if live.len() == blocks.len() {
        return None;
    }
    let is_dead = |name: &str| by_name.get(name).is_some_and(|at| !live.contains(at));
    let mut kept = Vec::new();
    for at in &live {
        let block = &blocks[*at];
        let mark = if block.name.starts_with(|c: char| c.is_ascii_digit()) { "v" } else { "" };
        kept.push(format!("{mark}{}:", block.name));
        kept.extend(block.lines.iter().map(|line| renamed(&without_edges(line, is_dead))));
    }
    Some((renamed(head), kept))
}

struct Block<'b> {
    name: String,
    lines: Vec<&'b str>,
}

impl Block<'_> {
    /// The blocks that may follow.
    fn next(&self) -> Vec<&str> {
        let last = self.lines.iter().rposition(|l| is_end(l)).unwrap_or(0);
        let end = self.lines.get(last).copied().unwrap_or_default().trim_start();
        let all: Vec<&str> = self.lines[last..].iter().flat_map(|line| labels(line)).collect();
        match (end.starts_with("br i1 true,"), end.starts_with("br i1 false,"), &all[..]) {
            (true, _, [first, _]) => vec![first],
            (_, true, [_, second]) => vec![second],
            _ => all,
        }
    }
}

/// Whether an instruction ends a block.
fn is_end(line: &str) -> bool {
    ["br ", "switch ", "ret ", "unreachable", "indirectbr ", "invoke ", "resume "]
        .iter()
        .any(|end| line.trim_start().starts_with(end))
}

/// The blocks of a function in order. The first one has no label: its number follows those of the parameters.
fn blocks<'b>(head: &str, body: &[&'b str]) -> Vec<Block<'b>> {
    let parameters = head.match_indices(" %").filter(|(at, _)| {
        let rest = &head[at + 2..];
        rest.starts_with(|c: char| c.is_ascii_digit())
    });
    let mut all = Vec::new();
    let mut block = Block { name: parameters.count().to_string(), lines: Vec::new() };
    for line in body {
        let label = line.split_once(':').map(|(name, _)| name).filter(|n| !n.is_empty() && n.chars().all(word));
        match label.filter(|_| !line.starts_with(' ')) {
            Some(name) => all.push(std::mem::replace(&mut block, Block { name: name.to_owned(), lines: Vec::new() })),
            None if line.is_empty() => {}
            None => block.lines.push(line),
        }
    }
    all.push(block);
    // A function that was looked at before has a label there.
    if all.len() > 1 && all[0].lines.is_empty() {
        all.remove(0);
    }
    all
}

/// The blocks that a line names.
fn labels(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("label %").map(|(at, label)| {
        let rest = &line[at + label.len()..];
        &rest[..rest.find(|c| !word(c)).unwrap_or(rest.len())]
    })
}

/// A line without ways from and to blocks that are not there.
fn without_edges(line: &str, is_dead: impl Fn(&str) -> bool) -> String {
    if let Some((target, rest)) = line.split_once(" = phi ") {
        let (ty, values) = rest.split_once(" [").unwrap_or((rest, ""));
        let (values, tail) = match values.rfind(']') {
            Some(at) => values.split_at(at + 1),
            None => (values, ""),
        };
        let kept: Vec<&str> = values
            .split("], [")
            .filter(|pair| {
                let from = pair.trim_end_matches(']').trim().rsplit('%').next().unwrap_or_default();
                !is_dead(from.trim())
            })
            .map(|pair| pair.trim_matches(|c| c == '[' || c == ']'))
            .collect();
        return format!("{target} = phi {ty} [{}]{tail}", kept.join("], ["));
    }
    let trimmed = line.trim_start();
    if trimmed.starts_with("br i1 true,") || trimmed.starts_with("br i1 false,") {
        let all: Vec<&str> = labels(line).collect();
        if let Some(taken) = all.iter().find(|name| !is_dead(name)).filter(|_| all.iter().any(|name| is_dead(name))) {
            let tail = line.find(", !").map_or("", |at| &line[at..]);
            return format!("  br label %{taken}{tail}");
        }
    }
    line.to_owned()
}

/// With names in the place of numbers, which would have to be without a gap.
fn renamed(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 16);
    for (at, c) in line.char_indices() {
        out.push(c);
        let digit = line[at + 1..].starts_with(|d: char| d.is_ascii_digit());
        if c == '%' && digit {
            out.push('v');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "define i32 @f(double noundef %0) #0 {";
    const BODY: [&str; 13] = [
        "  %2 = fcmp ogt double %0, 1.0",
        "  br i1 false, label %3, label %5, !dbg !7",
        "",
        "3:                                                ; preds = %1",
        "  %4 = fpext double %0 to x86_fp80",
        "  br label %6",
        "",
        "5:                                                ; preds = %1",
        "  br label %6",
        "",
        "6:",
        "  %7 = phi i1 [ true, %3 ], [ %2, %5 ], !dbg !8",
        "  ret i32 0",
    ];

    #[test]
    fn blocks_that_nothing_leads_to_are_left_out() {
        let (head, body) = without_dead(HEAD, &BODY).unwrap();
        assert_eq!(head, "define i32 @f(double noundef %v0) #0 {");
        assert_eq!(
            body,
            [
                "v1:",
                "  %v2 = fcmp ogt double %v0, 1.0",
                "  br label %v5, !dbg !7",
                "v5:",
                "  br label %v6",
                "v6:",
                "  %v7 = phi i1 [ %v2, %v5 ], !dbg !8",
                "  ret i32 0",
            ]
        );
    }

    #[test]
    fn a_function_without_such_blocks_stays() {
        let body = BODY.map(|line| if line.contains("false") { "  br i1 %2, label %3, label %5" } else { line });
        assert_eq!(without_dead(HEAD, &body), None);
    }
}
