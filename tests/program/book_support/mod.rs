//! Reading Markdown: links, headings, tables and fenced blocks.

use crate::support;
use std::path::{Path, PathBuf};

/// A document.
pub(crate) struct Page {
    pub(crate) path: PathBuf,
    /// From the root of the repository.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A fenced block.
pub(crate) struct Block {
    /// Of the opening fence, from 1.
    pub(crate) line: usize,
    pub(crate) language: String,
    /// What stands behind the language, such as `exit=1`.
    attributes: Vec<String>,
    pub(crate) text: String,
}

impl Block {
    pub(crate) fn has(&self, attribute: &str) -> bool {
        self.attributes.iter().any(|a| a == attribute)
    }

    /// The value of `key=value`.
    pub(crate) fn value(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find_map(|a| a.strip_prefix(key)?.strip_prefix('='))
    }
}

/// The documents among these files and in these folders.
pub(crate) fn pages(places: &[&str]) -> Vec<Page> {
    let mut open: Vec<PathBuf> = places.iter().map(|place| support::here(place)).collect();
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(Page::read(&path));
        }
    }
    found
}

impl Page {
    pub(crate) fn read(path: &Path) -> Page {
        let name = path.strip_prefix(support::here("")).unwrap_or(path).to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{name}: {e}"));
        Page { path: path.to_owned(), name, text }
    }

    pub(crate) fn blocks(&self) -> Vec<Block> {
        let (mut blocks, mut inside): (Vec<Block>, bool) = (Vec::new(), false);
        for (line, text) in self.text.lines().enumerate() {
            if let Some(info) = text.strip_prefix("```") {
                inside = !inside;
                let mut words = info.split(' ').map(str::to_owned);
                if inside {
                    let language = words.next().unwrap_or_default();
                    blocks.push(Block { line: line + 1, language, attributes: words.collect(), text: String::new() });
                }
            } else if let (true, Some(block)) = (inside, blocks.last_mut()) {
                block.text += text;
                block.text.push('\n');
            }
        }
        assert!(!inside, "{}: a block has no end", self.name);
        blocks
    }

    /// The lines outside of blocks.
    fn prose(&self) -> impl Iterator<Item = &str> {
        let mut inside = false;
        self.text.lines().filter(move |line| {
            let is_fence = line.starts_with("```");
            inside ^= is_fence;
            !inside && !is_fence
        })
    }

    /// Where the links lead; what stands in `code` is none.
    pub(crate) fn links(&self) -> Vec<String> {
        let text: String = self.prose().flat_map(|line| [line, "\n"]).collect();
        // A link whose text is code is cut by the code: only what stands outside of it is looked at.
        let text: String = text.split('`').step_by(2).collect();
        let ends = text.match_indices("](").map(|(at, _)| &text[at + 2..]);
        ends.map(|rest| rest.split(')').next().unwrap().to_owned()).collect()
    }

    /// The headings as a link names them.
    pub(crate) fn headings(&self) -> Vec<String> {
        let slug = |heading: &str| {
            let kept = heading.trim_start_matches('#').trim().to_lowercase();
            let kept: String = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect();
            kept.replace(' ', "-")
        };
        self.prose().filter(|line| line.starts_with('#')).map(slug).collect()
    }

    /// The rows of all tables, cell by cell, heads and rules left out.
    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        let lines: Vec<&str> = self.prose().collect();
        let is_rule = |line: &str| line.starts_with("|-") || line.starts_with("|:");
        let is_head = |at: usize| lines.get(at + 1).is_some_and(|next| is_rule(next));
        let cells = |line: &str| -> Vec<String> {
            let line = line.trim().trim_matches('|').replace("\\|", "\u{1}");
            line.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect()
        };
        let rows =
            lines.iter().enumerate().filter(|(at, line)| line.starts_with('|') && !is_rule(line) && !is_head(*at));
        rows.map(|(_, line)| cells(line)).collect()
    }
}

/// Whether an output is what a page shows: `…` stands for anything within a line, and on a line of its own for any lines.
pub(crate) fn is_like(shown: &str, printed: &str) -> bool {
    let shown: Vec<&str> = shown.trim_end().lines().collect();
    let printed: Vec<&str> = printed.trim_end().lines().collect();
    lines_fit(&shown, &printed)
}

fn lines_fit(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first.trim() == "…" => (0..=printed.len()).any(|n| lines_fit(rest, &printed[n..])),
        Some((first, rest)) => {
            printed.split_first().is_some_and(|(line, more)| line_fits(first, line) && lines_fit(rest, more))
        }
    }
}

fn line_fits(shown: &str, printed: &str) -> bool {
    let mut parts = shown.trim_end().split('…');
    let Some(mut left) = printed.trim_end().strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return left.is_empty() };
    for part in parts {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(last)
}

#[test]
fn wildcards_stand_for_anything() {
    for (shown, printed, fits) in [
        ("a\nb", "a\nb\n", true),
        ("a\nb", "a\nb\nc", false),
        ("a\n  …", "a\nb\nc", true),
        ("…\nc", "a\nb\nc", true),
        ("…\nc", "a\nc\nb", false),
        ("a … c", "a b c", true),
        ("a … c", "a b d", false),
        ("a …, …", "a b, c", true),
        ("a", "a b", false),
    ] {
        assert_eq!(is_like(shown, printed), fits, "{shown:?}, {printed:?}");
    }
}
