//! Types of C and C++: what variables hold, and the parameters of functions.

use super::super::statement::{Holds, Parameter};
use super::super::tree::inside;
use super::super::walk::span;
use super::CFile;
use crate::text::{Diagnostic, quote};
use tree_sitter::Node;

impl<'t> CFile<'t> {
    pub(super) fn is_qualified(&self, node: Node<'t>, word: &str) -> bool {
        inside(node)
            .iter()
            .any(|n| n.kind() == "type_qualifier" && matches!(self.text(*n), w if w == word || w == "constexpr"))
    }

    /// What the type of a declaration holds; none for what is no number.
    pub(super) fn holds(&self, node: Node<'t>) -> Option<Holds> {
        self.holds_of(self.text(node.child_by_field_name("type")?))
    }

    /// What a type of that name holds; none for what is no number.
    pub(super) fn holds_of(&self, name: &str) -> Option<Holds> {
        match self.plain_name(name) {
            "double" | "long double" | "double_t" => Some(Holds::Number),
            "float" | "float_t" => Some(Holds::Single),
            "bool" | "_Bool" => Some(Holds::Truth),
            "auto" => Some(Holds::Auto),
            // What is computed may be too large for the short ones, and would be cut.
            other => integers(other).filter(|format| *format != SHORT).map(|_| Holds::Whole),
        }
    }

    /// The type that a name of a type stands for.
    fn plain_name<'s>(&'s self, mut name: &'s str) -> &'s str {
        for _ in 0..8 {
            match self.types.get(name) {
                Some(of) => name = of,
                None => break,
            }
        }
        name.trim_start_matches("std::")
    }

    /// That a type is one of numbers.
    pub(super) fn number(&self, node: Node<'t>, what: &str) -> Result<(), Diagnostic> {
        if matches!(self.holds(node), Some(Holds::Number | Holds::Single | Holds::Auto)) {
            return Ok(());
        }
        let at = node.child_by_field_name("type").unwrap_or(node);
        let message = format!("{what} is {}, and no double, float or long double", quote(self.text(at)));
        Err(Diagnostic::semantic(span(at), message).hint("a formula is over the real numbers: declare it double"))
    }

    /// The parameters of a function.
    pub(super) fn parameters(&self, function: Node<'t>) -> Result<Vec<Parameter>, Diagnostic> {
        let list = self.declarator(function).and_then(|d| d.child_by_field_name("parameters"));
        let mut names = Vec::new();
        for parameter in list.map(inside).unwrap_or_default() {
            if self.text(parameter) == "void" {
                continue;
            }
            let declarator = parameter.child_by_field_name("declarator");
            let referred = declarator.filter(|d| d.kind() == "reference_declarator");
            if let Some(reference) = referred.filter(|_| !self.is_qualified(parameter, "const")) {
                let message = format!("{} may change what the caller passes", quote(self.text(parameter)));
                return Err(Diagnostic::semantic(span(reference), message).hint("pass a number, or `const double &`"));
            }
            match referred.and_then(|d| inside(d).first().copied()).or(declarator) {
                Some(name) if name.kind() == "identifier" => {
                    self.own(name)?;
                    names.push(self.parameter(parameter, name)?);
                }
                _ => {
                    let message = format!("the parameter {} is no plain number", quote(self.text(parameter)));
                    return Err(Diagnostic::semantic(span(parameter), message)
                        .hint("pointers, arrays and structures are not read: pass numbers"));
                }
            }
        }
        Ok(names)
    }

    /// A parameter with the name that a node has.
    fn parameter(&self, parameter: Node<'t>, name: Node<'t>) -> Result<Parameter, Diagnostic> {
        let own = self.text(name);
        let integers = parameter.child_by_field_name("type").and_then(|of| integers(self.plain_name(self.text(of))));
        if integers.is_none() {
            self.number(parameter, &format!("the parameter `{own}`"))?;
        }
        let holds = if integers.is_some() { Holds::Whole } else { Holds::Number };
        Ok(Parameter { name: own.to_owned(), holds, integers })
    }

    /// The node that has the type of a function's result, which may stand behind `->`.
    pub(super) fn result(&self, function: Node<'t>) -> Node<'t> {
        let behind = self.declarator(function).map(inside).unwrap_or_default();
        let behind = behind.into_iter().find(|n| n.kind() == "trailing_return_type");
        behind.and_then(|n| inside(n).first().copied()).unwrap_or(function)
    }

    /// Whether a function is a template; of types alone, or it is refused.
    pub(super) fn is_template(&self, function: Node<'t>) -> Result<bool, Diagnostic> {
        let Some(template) = function.parent().filter(|p| p.kind() == "template_declaration") else { return Ok(false) };
        let list = template.child_by_field_name("parameters").map(inside).unwrap_or_default();
        match list.into_iter().find(|p| !p.kind().ends_with("type_parameter_declaration")) {
            None => Ok(true),
            Some(other) => {
                let message = format!("{} is a parameter of a template that is no type", quote(self.text(other)));
                Err(Diagnostic::semantic(span(other), message).hint("write a function without it"))
            }
        }
    }
}

/// The format of the short integers.
const SHORT: &str = "(fixed 0 16)";

/// The format of FPCore that has the numbers of a type of integers, of those of 64 bits the ones that a double has. Unsigned
/// integers are none of them: they wrap around below 0.
fn integers(name: &str) -> Option<&'static str> {
    match name {
        "int" | "int32_t" => Some("(fixed 0 32)"),
        "short" | "int16_t" => Some(SHORT),
        "long" | "long long" | "long int" | "int64_t" => Some("integer"),
        _ => None,
    }
}
