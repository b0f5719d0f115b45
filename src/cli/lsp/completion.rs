//! What can stand at a place of a text that may be half written.

use super::cursor::{Cursor, ListRole};
use super::manual;
use super::places::Text;
use crate::cli::operators;
use gen_lsp_types::{CompletionItem, CompletionItemKind, CompletionList, MarkupContent, MarkupKind, TextEdit};
use magneto::floats::Format;
use magneto::ops::Constant;
use magneto::spec::{OutOfRange, parse_file, precisions, properties};
use magneto::text::Span;
use std::collections::BTreeSet;

/// A word that can stand somewhere.
struct Word {
    text: String,
    kind: CompletionItemKind,
    /// In a few words.
    detail: Option<String>,
    /// Markdown.
    about: Option<String>,
}

impl Word {
    fn new(text: &str, kind: CompletionItemKind) -> Self {
        Word { text: text.to_owned(), kind, detail: None, about: None }
    }
}

/// The words that can stand at a byte of a text, all of them: the editor chooses by what is there already.
pub(super) fn completion(text: &Text, offset: usize) -> CompletionList {
    let cursor = Cursor::new(&text.text, offset);
    let words = if cursor.is_text { Vec::new() } else { words(&text.text, offset, &cursor) };
    let span = cursor.word.map_or(Span { start: offset, end: offset }, |(span, _)| span);
    let range = text.range(span);
    let item = |word: Word| {
        let value = |value| MarkupContent { kind: MarkupKind::Markdown, value };
        CompletionItem {
            label: word.text.clone(),
            kind: Some(word.kind),
            detail: word.detail,
            documentation: word.about.map(|about| value(about).into()),
            // With its colon, which editors do not take for a part of a word.
            filter_text: Some(word.text.clone()),
            text_edit: Some(TextEdit { range, new_text: word.text }.into()),
            ..CompletionItem::default()
        }
    };
    CompletionList { items: words.into_iter().map(item).collect(), ..CompletionList::default() }
}

fn words(source: &str, offset: usize, cursor: &Cursor<'_>) -> Vec<Word> {
    let Some(list) = cursor.list() else { return Vec::new() };
    let typed = cursor.word.map_or("", |(_, word)| word);
    let is_core = cursor.open.len() == 1;
    if typed.starts_with(':') {
        return of_properties(list.role == ListRole::Core);
    }
    match list.last {
        Some(":precision") => return values(precisions()),
        Some(":magneto-inputs") => return values(Format::names().into_iter().chain(["integer"])),
        Some(":magneto-out-of-range") => return values(OutOfRange::ALL.iter().map(|r| r.name())),
        _ => {}
    }
    match list.role {
        ListRole::Arguments | ListRole::Argument | ListRole::Bindings => Vec::new(),
        ListRole::Binding if cursor.is_head() => Vec::new(),
        _ if cursor.is_head() && is_core => vec![Word::new("FPCore", CompletionItemKind::Keyword)],
        _ if cursor.is_head() => heads(source, offset),
        _ => {
            let names: BTreeSet<&str> = cursor.names.iter().copied().collect();
            let names = names.into_iter().map(|name| Word::new(name, CompletionItemKind::Variable));
            let constants = Constant::ALL.iter().map(|c| Word::new(c.name(), CompletionItemKind::Constant));
            names.chain(constants).collect()
        }
    }
}

fn values<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Word> {
    names.map(|name| Word::new(name, CompletionItemKind::Value)).collect()
}

/// All properties, or those that a part of a formula can have.
fn of_properties(is_core: bool) -> Vec<Word> {
    let of_part = |key: &&str| is_core || matches!(*key, "precision" | "round" | "overflow" | "math-library");
    let word = |key: &str| Word {
        about: manual::property(key),
        ..Word::new(&format!(":{key}"), CompletionItemKind::Property)
    };
    properties().filter(of_part).map(word).collect()
}

/// What can stand at the head of a list: operators, forms, and the FPCores before.
fn heads(source: &str, offset: usize) -> Vec<Word> {
    let mut seen = BTreeSet::new();
    let operator = |row: operators::Row| {
        let name = row.call.trim_matches(['(', ')']).split(' ').next().unwrap_or_default().to_owned();
        let word = || Word {
            detail: Some(format!("{}: {}", row.call, row.function)),
            about: manual::operator(&name),
            ..Word::new(&name, CompletionItemKind::Function)
        };
        seen.insert(name.clone()).then(word)
    };
    let mut all: Vec<Word> = operators::rows(None).into_iter().filter_map(operator).collect();
    let form = |name: &str| Word { about: manual::form(name), ..Word::new(name, CompletionItemKind::Keyword) };
    all.extend(manual::forms().into_iter().map(form));
    let before = source[..offset].rfind("\n(FPCore").map_or(0, |at| at + 1);
    let cores = parse_file(&source.as_bytes()[..before]).cores;
    let idents = cores.iter().flatten().filter_map(|core| core.ident.as_deref());
    all.extend(idents.map(|ident| Word::new(ident, CompletionItemKind::Function)));
    all
}
