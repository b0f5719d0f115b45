//! Syntax trees of files, by tree-sitter.

use super::language::SourceLanguage;
use super::walk::span;
use crate::text::{Diagnostic, Span, nearest, quote};
use tree_sitter::{Node, Parser, Tree};

/// The deepest nesting of a file that is read: whatever walks over its tree may recurse.
const DEEPEST: usize = 1000;

/// The tree of a text.
///
/// # Errors
/// The parser cannot be made, or the text is nested too deep.
pub(super) fn tree(text: &str, language: SourceLanguage) -> Result<Tree, Diagnostic> {
    let grammar = match language {
        SourceLanguage::C => tree_sitter_c::LANGUAGE,
        SourceLanguage::Cpp => tree_sitter_cpp::LANGUAGE,
        SourceLanguage::Python => tree_sitter_python::LANGUAGE,
    };
    let mut parser = Parser::new();
    let parsed = parser.set_language(&grammar.into()).ok().and_then(|()| parser.parse(text, None));
    let unparsed = || Diagnostic::unsupported(Span::default(), "the file cannot be parsed");
    let tree = parsed.ok_or_else(unparsed)?;
    match too_deep(&tree) {
        Some(at) => {
            let message = format!("the file is nested more than {DEEPEST} deep here");
            Err(Diagnostic::unsupported(at, message).hint("copy the function into a file of its own"))
        }
        None => Ok(tree),
    }
}

/// A place at which a tree is nested too deep.
fn too_deep(tree: &Tree) -> Option<Span> {
    let (mut cursor, mut depth) = (tree.walk(), 0);
    loop {
        if cursor.goto_first_child() {
            depth += 1;
            if depth > DEEPEST {
                return Some(span(cursor.node()));
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
            depth -= 1;
        }
    }
}

/// The text of a node.
pub(super) fn text<'s>(node: Node<'_>, source: &'s str) -> &'s str {
    &source[node.start_byte()..node.end_byte()]
}

/// The nodes inside of one that are no punctuation and no comments.
pub(super) fn inside(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// The children of a field.
pub(super) fn fields<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// The first place below a node that is not of the language.
pub(super) fn broken(node: Node<'_>) -> Option<Span> {
    if node.is_error() || node.is_missing() {
        return Some(span(node));
    }
    if !node.has_error() {
        return None;
    }
    let mut cursor = node.walk();
    node.children(&mut cursor).find_map(broken)
}

/// What is missing of a node that is not as it should be.
pub(super) fn odd(node: Node<'_>) -> Diagnostic {
    Diagnostic::syntax(span(node), format!("a part of this {} is missing", node.kind().replace('_', " ")))
}

/// That a file has no function of that name, with those that it has.
pub(super) fn no_function(name: &str, names: &[String]) -> Diagnostic {
    let hint = match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "the file has no function".to_owned(),
        None => format!("it has {}", names.join(", ")),
    };
    Diagnostic::semantic(Span::default(), format!("the file has no function {}", quote(name))).hint(hint)
}

/// The nodes of a kind at the level of the file, also in `#if`, `extern "C"`, namespaces and templates.
pub(super) fn at_file_level<'t>(node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    for child in inside(node) {
        if child.kind() == kind {
            found.push(child);
        } else if child.kind().starts_with("preproc_")
            || matches!(
                child.kind(),
                "linkage_specification" | "declaration_list" | "namespace_definition" | "template_declaration"
            )
        {
            found.extend(at_file_level(child, kind));
        }
    }
    found
}

/// The first line of a place.
pub(super) fn first_line(at: Span, source: &str) -> Span {
    let end = source[at.start..at.end].find('\n').map_or(at.end, |k| at.start + k);
    Span { start: at.start, end }
}
