//! What an editor offers at a place: a change that a hint speaks of, and to make tests.

use super::examine::Finding;
use super::generate::COMMAND;
use super::places::Text;
use gen_lsp_types::{CodeAction, CodeActionKind, CodeActionResponse, Command, Range, TextEdit, Uri, WorkspaceEdit};
use magneto::text::Span;
use serde_json::json;
use std::collections::HashMap;

/// The kind of the action that makes tests.
pub(super) const MAKES_TESTS: &str = "magneto.generateTests";

/// What can be done at a range of a document; `only` are the kinds that are asked for, if not all are.
pub(super) fn actions(
    uri: &Uri,
    text: &Text,
    findings: &[Finding],
    range: Range,
    only: Option<&[CodeActionKind]>,
) -> Vec<CodeActionResponse> {
    let asked = |kind: &str| {
        let covers = |asked: &CodeActionKind| {
            let asked = asked.to_string();
            asked.is_empty() || kind == asked || kind.strip_prefix(&asked).is_some_and(|rest| rest.starts_with('.'))
        };
        only.is_none_or(|only| only.iter().any(covers))
    };
    let mut all: Vec<CodeAction> = Vec::new();
    if asked("quickfix") {
        let asked = Span { start: text.offset(range.start), end: text.offset(range.end) };
        let is_there = |f: &&Finding| f.diagnostic.span.start <= asked.end && asked.start <= f.diagnostic.span.end;
        all.extend(findings.iter().filter(is_there).filter_map(|f| replacement(uri, text, f)));
    }
    if asked(MAKES_TESTS) {
        all.push(CodeAction {
            title: "Generate tests from this file".to_owned(),
            kind: Some(MAKES_TESTS.to_owned().into()),
            command: Some(Command {
                title: "Generate tests".to_owned(),
                command: COMMAND.to_owned(),
                arguments: Some(vec![json!(uri)]),
                ..Command::default()
            }),
            ..CodeAction::default()
        });
    }
    all.into_iter().map(CodeActionResponse::CodeAction).collect()
}

/// The change that a hint such as "did you mean `sin`?" speaks of, where it is about one word.
fn replacement(uri: &Uri, text: &Text, finding: &Finding) -> Option<CodeAction> {
    let hint = finding.diagnostic.hint.as_ref()?;
    let meant = hint.strip_prefix("did you mean `")?.strip_suffix("`?")?;
    let span = finding.diagnostic.span;
    let there = text.text.get(span.start..span.end)?;
    if there.is_empty() || there.contains(|c: char| c.is_whitespace() || "()[]\";".contains(c)) {
        return None;
    }
    let edit = TextEdit { range: text.range(span), new_text: meant.to_owned() };
    Some(CodeAction {
        title: format!("Replace `{there}` by `{meant}`"),
        kind: Some(CodeActionKind::QuickFix),
        is_preferred: Some(true),
        edit: Some(WorkspaceEdit {
            changes: Some(HashMap::from([(uri.clone(), vec![edit])])),
            ..WorkspaceEdit::default()
        }),
        ..CodeAction::default()
    })
}
