//! What the names of a file of C or C++ mean: its functions, constants and types, in namespaces.

use super::super::language::SourceLanguage;
use super::super::tree::{at_file_level, fields, inside};
use super::super::walk::span;
use super::{CFile, only};
use crate::text::{Diagnostic, Span, quote};
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::{Node, Tree};

impl<'t> CFile<'t> {
    pub(in super::super) fn new(
        source: &'t str,
        language: SourceLanguage,
        root: Node<'t>,
        macros: &'t BTreeMap<String, (Tree, String)>,
    ) -> Self {
        let mut file = CFile {
            source,
            language,
            root,
            functions: BTreeMap::new(),
            macros,
            constants: BTreeMap::new(),
            declared: BTreeSet::new(),
            types: BTreeMap::new(),
            doubtful: BTreeSet::new(),
            opens: opens(root, source),
        };
        file.doubt(root);
        file.define_types(root);
        for node in at_file_level(root, "function_definition") {
            file.define(node);
        }
        for node in at_file_level(root, "declaration") {
            for declared in fields(node, "declarator") {
                file.declare(node, declared);
            }
        }
        file
    }

    fn define(&mut self, function: Node<'t>) {
        let Some(name) = self.declarator(function).and_then(|d| d.child_by_field_name("declarator")) else { return };
        let full = format!("{}{}", self.scope(function).unwrap_or_default(), self.text(name));
        let is_plain = matches!(name.kind(), "identifier" | "qualified_identifier");
        if is_plain && self.functions.insert(full.clone(), function).is_some() {
            self.doubtful.insert(full);
        } else if name.kind() == "template_function" {
            // A template has another body for some types.
            self.doubtful.extend(full.split('<').next().map(str::to_owned));
        }
    }

    /// A variable of the file, or a function that is only declared.
    fn declare(&mut self, node: Node<'t>, declared: Node<'t>) {
        let scope = self.scope(node).unwrap_or_default();
        let name = declared.child_by_field_name("declarator").unwrap_or(declared);
        let full = format!("{scope}{}", self.text(name));
        let is_function = declared.kind() == "function_declarator";
        // Outside of namespaces a declaration may be that of a function of C.
        if name.kind() != "identifier" || is_function && scope.is_empty() {
            return;
        }
        let value = declared.child_by_field_name("value").filter(|_| self.is_qualified(node, "const") && !is_function);
        match (value, self.holds(node)) {
            (Some(value), Some(holds)) => {
                if self.constants.insert(full.clone(), (only(value), holds)).is_some() {
                    self.doubtful.insert(full);
                }
            }
            _ => {
                self.declared.insert(full);
            }
        }
    }

    /// Finds `typedef`, `using` and types that templates are made for, which are taken for numbers.
    fn define_types(&mut self, root: Node<'t>) {
        let field = |node: Node<'t>, name: &str| node.child_by_field_name(name).map(|n| self.text(n).to_owned());
        let mut found: Vec<(Option<String>, Option<String>)> = Vec::new();
        for node in at_file_level(root, "type_definition") {
            found.push((field(node, "declarator"), field(node, "type")));
        }
        for node in at_file_level(root, "alias_declaration") {
            found.push((field(node, "name"), field(node, "type")));
        }
        for list in at_file_level(root, "template_parameter_list") {
            for parameter in inside(list).into_iter().filter(|p| p.kind().ends_with("type_parameter_declaration")) {
                let name = inside(parameter).first().map(|n| self.text(*n).to_owned());
                found.push((name, Some("double".to_owned())));
            }
        }
        for (name, of) in found.into_iter().filter_map(|(name, of)| name.zip(of)) {
            let known = self.types.entry(name).or_insert_with(|| of.clone());
            if *known != of {
                known.clear();
            }
        }
    }

    /// Finds macros with arguments, and those that have two values or are undefined again.
    fn doubt(&mut self, root: Node<'t>) {
        let mut seen = BTreeSet::new();
        let plain = at_file_level(root, "preproc_def").into_iter().filter_map(|n| n.child_by_field_name("name"));
        self.doubtful = plain.map(|n| self.text(n).to_owned()).filter(|name| !seen.insert(name.clone())).collect();
        for node in at_file_level(root, "preproc_function_def") {
            self.doubtful.extend(node.child_by_field_name("name").map(|n| self.text(n).to_owned()));
        }
        for node in at_file_level(root, "preproc_call") {
            let argument = node.child_by_field_name("argument").map(|n| self.text(n).trim().to_owned());
            self.doubtful.extend(argument.filter(|_| self.text(node).starts_with("#undef")));
        }
    }

    /// That a name means one thing.
    pub(super) fn sure(&self, name: &str, at: Span) -> Result<(), Diagnostic> {
        if !self.doubtful.contains(name) {
            return Ok(());
        }
        let message = format!("{} is a macro with arguments, or the file defines it twice", quote(name));
        Err(Diagnostic::semantic(at, message).hint("leave one definition, as a function or a constant"))
    }

    /// That a variable has a name of its own: a macro would stand in its place.
    pub(super) fn own(&self, name: Node<'t>) -> Result<(), Diagnostic> {
        let text = self.text(name);
        if !self.macros.contains_key(text) && !self.doubtful.contains(text) {
            return Ok(());
        }
        let message = format!("the variable {} is called as a macro is", quote(text));
        Err(Diagnostic::semantic(span(name), message).hint("rename one of the two"))
    }

    /// The namespaces around a node, with `::` behind each; none for one of a macro, which stands anywhere.
    fn scope(&self, node: Node<'t>) -> Option<String> {
        let (mut around, mut at) = (String::new(), node);
        while let Some(parent) = at.parent() {
            at = parent;
            let name = at.child_by_field_name("name").filter(|_| at.kind() == "namespace_definition");
            // Names of an inline namespace are those of the one around it.
            if let Some(name) = name.filter(|_| !self.text(at).starts_with("inline")) {
                around = format!("{}::{around}", self.text(name));
            }
        }
        (at.id() == self.root.id()).then_some(around)
    }

    /// The full name of what a name means at a place, if the file says what it is: that of the innermost namespace.
    pub(super) fn resolved(&self, name: &str, node: Node<'t>) -> Result<Option<String>, Diagnostic> {
        if self.macros.contains_key(name) {
            return Ok(Some(name.to_owned()));
        }
        let all = || self.functions.keys().chain(self.constants.keys()).chain(&self.declared);
        let scope = self.scope(node);
        let own = name.trim_start_matches("::");
        let mut around = scope.as_deref().filter(|_| own == name).unwrap_or_default();
        let found = loop {
            let full = format!("{around}{own}");
            if all().any(|known| *known == full) {
                break Some(full);
            }
            let Some(inner) = around.strip_suffix("::") else { break None };
            around = inner.rfind("::").map_or("", |at| &inner[..at + 2]);
        };
        let inside = format!("::{own}");
        let is_doubtful = self.opens || scope.is_none();
        match all().find(|known| known.ends_with(&inside) && Some(*known) != found.as_ref()) {
            Some(other) if is_doubtful => {
                let message = format!("what {} means here depends on `using`, or on where a macro stands", quote(name));
                Err(Diagnostic::semantic(span(node), message).hint(format!("write the namespace, as in `{other}`")))
            }
            _ => Ok(found),
        }
    }

    /// The full name of the function that a person names.
    pub(in super::super) fn full_name(&self, name: &str) -> Result<String, Diagnostic> {
        if self.functions.contains_key(name) {
            return Ok(name.to_owned());
        }
        let inside = format!("::{name}");
        let named: Vec<&str> = self.functions.keys().filter(|f| f.ends_with(&inside)).map(String::as_str).collect();
        match named[..] {
            [] => Ok(name.to_owned()),
            [one] => Ok(one.to_owned()),
            _ => {
                let message = format!("the file has several functions {}", quote(name));
                Err(Diagnostic::semantic(Span::default(), message).hint(format!("name one: {}", named.join(", "))))
            }
        }
    }
}

/// Whether something below a node opens a namespace of the file, or takes a name out of one.
fn opens(node: Node<'_>, source: &str) -> bool {
    if node.kind() == "using_declaration" {
        let words = source[node.byte_range()].trim_start_matches("using").trim_start();
        return !words.trim_start_matches("namespace").trim_start().starts_with("std");
    }
    let mut cursor = node.walk();
    node.named_children(&mut cursor).any(|child| opens(child, source))
}
