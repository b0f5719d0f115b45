//! C and C++: what a function computes that has no loops, no pointers and no integers but constants.

mod expression;
mod names;
mod types;

use super::super::build::{Build, INT, Kind, Part, Read};
use super::super::operators::Infix;
use super::language::SourceLanguage;
use super::statement::{Definition, Holds, Statement};
use super::tree::{at_file_level, broken, fields, first_line, inside, no_function, odd, text, tree};
use super::walk::{Grammar, Walk, compound, span};
use crate::text::{Diagnostic, Span, quote};
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::{Node, Tree};

/// A file.
pub(super) struct CFile<'t> {
    source: &'t str,
    language: SourceLanguage,
    root: Node<'t>,
    /// Functions by name, those of namespaces of C++ by one such as `air::flow`; constants and what is declared alike.
    functions: BTreeMap<String, Node<'t>>,
    /// Values of `#define`, by name: trees of their own, with the places of the file.
    macros: &'t BTreeMap<String, (Tree, String)>,
    /// Values of constants, by name, with whether it is an integer.
    constants: BTreeMap<String, (Node<'t>, Holds)>,
    /// Variables, and functions of namespaces, of which the file does not say what they are.
    declared: BTreeSet<String>,
    /// Types by name, with the one that each stands for; nothing for a name that stands for several.
    types: BTreeMap<String, String>,
    /// Whether `using` may give names of the file another meaning.
    opens: bool,
    /// Names of which the file says two things, as on both sides of `#else`, or that are macros with arguments.
    doubtful: BTreeSet<String>,
}

/// The values of `#define`, each with the text that its tree is of: blanks, then the value at its place.
pub(super) fn macros(source: &str, language: SourceLanguage, root: Node<'_>) -> BTreeMap<String, (Tree, String)> {
    let mut found = BTreeMap::new();
    for node in at_file_level(root, "preproc_def") {
        let (Some(name), Some(value)) = (node.child_by_field_name("name"), node.child_by_field_name("value")) else {
            continue;
        };
        let blank = " ".repeat(value.start_byte());
        let own = format!("{blank}{};", text(value, source));
        if let Ok(tree) = tree(&own, language) {
            found.insert(text(name, source).to_owned(), (tree, own));
        }
    }
    found
}

impl<'t> CFile<'t> {
    fn text(&self, node: Node<'_>) -> &'t str {
        text(node, self.source)
    }

    /// The declarator of a function that returns no pointer.
    fn declarator(&self, function: Node<'t>) -> Option<Node<'t>> {
        let declarator = function.child_by_field_name("declarator")?;
        (declarator.kind() == "function_declarator").then_some(declarator)
    }

    /// The names of its functions.
    pub(super) fn names(&self) -> Vec<String> {
        self.functions.keys().cloned().collect()
    }

    /// The function of that full name, with its parameters and statements.
    pub(super) fn function(&self, name: &str) -> Result<Definition<'t>, Diagnostic> {
        self.sure(name, Span::default())?;
        let Some(function) = self.functions.get(name).copied() else {
            return Err(no_function(name, &self.names()));
        };
        if let Some(at) = broken(function) {
            let language = if self.language == SourceLanguage::Cpp { "C++" } else { "C" };
            let message = format!("this is not read as {language}");
            return Err(Diagnostic::syntax(at, message).hint("macros and extensions are not written out"));
        }
        let named = self.declarator(function).and_then(|d| d.child_by_field_name("declarator"));
        if let Some(outside) = named.filter(|n| n.kind() == "qualified_identifier") {
            let message = format!("{} is defined outside of its namespace or class", quote(name));
            return Err(Diagnostic::unsupported(span(outside), message).hint("define it in `namespace name { … }`"));
        }
        let result = self.result(function);
        self.number(result, &format!("the result of `{name}`"))?;
        let mut is_generic = self.is_template(function)?;
        let body = function.child_by_field_name("body").ok_or_else(|| odd(function))?;
        let list = self.declarator(function).and_then(|d| d.child_by_field_name("parameters"));
        let typed: Vec<Option<Holds>> =
            list.map(inside).unwrap_or_default().into_iter().map(|p| self.holds(p)).collect();
        is_generic |= typed.contains(&Some(Holds::Auto));
        let of_result = self.holds(result);
        let is_single = of_result == Some(Holds::Single) || typed.contains(&Some(Holds::Single));
        let is_deduced = of_result == Some(Holds::Auto);
        let (parameters, body) = (self.parameters(function)?, self.statements(body)?);
        Ok(Definition { parameters, is_single, is_generic, is_deduced, body })
    }

    fn statements(&self, node: Node<'t>) -> Result<Vec<Statement<'t>>, Diagnostic> {
        if node.kind() != "compound_statement" {
            return self.statement(node);
        }
        let mut all = Vec::new();
        for child in inside(node) {
            all.extend(self.statement(child)?);
        }
        Ok(all)
    }

    fn statement(&self, node: Node<'t>) -> Result<Vec<Statement<'t>>, Diagnostic> {
        let at = span(node);
        let refused =
            |message: &str, hint: &str| Err(Diagnostic::unsupported(first_line(at, self.source), message).hint(hint));
        match node.kind() {
            "compound_statement" => self.statements(node),
            "declaration" => self.declaration(node),
            "expression_statement" => inside(node).first().map_or(Ok(Vec::new()), |e| self.assignment(*e)),
            "return_statement" => match inside(node).first() {
                Some(value) if self.is_nan(*value) => Ok(vec![Statement::Nothing { at }]),
                Some(value) => Ok(vec![Statement::Return { value: *value }]),
                None => refused("nothing is returned here", "return a number"),
            },
            "if_statement" => {
                let condition = node.child_by_field_name("condition").ok_or_else(|| odd(node))?;
                let yes = node.child_by_field_name("consequence").ok_or_else(|| odd(node))?;
                let no = node.child_by_field_name("alternative").and_then(|n| inside(n).first().copied());
                let no = no.map(|n| self.statements(n)).transpose()?.unwrap_or_default();
                Ok(vec![Statement::If { condition, yes: self.statements(yes)?, no, at }])
            }
            "for_statement" | "while_statement" | "do_statement" => refused(
                "loops are not read",
                "write a formula without them, or test the function with `check` or `worst`",
            ),
            "switch_statement" => refused("`switch` is not read", "write `if`"),
            "goto_statement" | "labeled_statement" => refused("`goto` is not read", "write `if`"),
            "throw_statement" => Ok(vec![Statement::Nothing { at }]),
            // What it opens is looked at for the whole file.
            "using_declaration" | "static_assert_declaration" => Ok(Vec::new()),
            kind => refused(&format!("a {} is not read", kind.replace('_', " ")), "leave it out"),
        }
    }

    /// Whether a value is NaN.
    fn is_nan(&self, value: Node<'t>) -> bool {
        let name = value.child_by_field_name("function").filter(|_| value.kind() == "call_expression").unwrap_or(value);
        let name = self.text(name);
        matches!(name.trim_start_matches("std::"), "NAN" | "nan" | "nanf" | "nanl" | "__builtin_nan")
            || name.starts_with("std::numeric_limits<") && name.ends_with(">::quiet_NaN")
    }

    fn declaration(&self, node: Node<'t>) -> Result<Vec<Statement<'t>>, Diagnostic> {
        let is_static = inside(node).iter().any(|n| n.kind() == "storage_class_specifier" && self.text(*n) == "static");
        if is_static && !self.is_qualified(node, "const") {
            let message = "a static variable keeps its value from call to call";
            return Err(Diagnostic::semantic(span(node), message).hint("make it `static const`, or a parameter"));
        }
        let Some(holds) = self.holds(node) else {
            let at = node.child_by_field_name("type").unwrap_or(node);
            let message = format!("{} is no type of numbers that is known", quote(self.text(at)));
            return Err(Diagnostic::semantic(span(at), message).hint("declare it double"));
        };
        let mut all = Vec::new();
        for declared in fields(node, "declarator") {
            let name = declared.child_by_field_name("declarator").unwrap_or(declared);
            if name.kind() != "identifier" {
                let message = format!("{} is no plain number", quote(self.text(declared)));
                return Err(Diagnostic::semantic(span(declared), message).hint("pointers and arrays are not read"));
            }
            self.own(name)?;
            let parts = vec![(self.text(name).to_owned(), declared.child_by_field_name("value").map(only))];
            all.push(Statement::Set { parts, declares: Some(holds), operator: None, at: span(declared) });
        }
        Ok(all)
    }

    fn assignment(&self, node: Node<'t>) -> Result<Vec<Statement<'t>>, Diagnostic> {
        let at = span(node);
        let refused = |message: &str, hint: &str| Err(Diagnostic::unsupported(at, message).hint(hint));
        match node.kind() {
            "assignment_expression" => {
                let (Some(left), Some(operator), Some(right)) = (
                    node.child_by_field_name("left"),
                    node.child_by_field_name("operator"),
                    node.child_by_field_name("right"),
                ) else {
                    return Err(odd(node));
                };
                // What a caller may look at besides the result is none of the formula.
                if self.text(left) == "errno" {
                    return Ok(Vec::new());
                }
                if left.kind() != "identifier" {
                    return refused(
                        "only variables of the function are assigned to",
                        "pointers and arrays are not read",
                    );
                }
                let sign = self.text(operator);
                let means = compound(sign).filter(|m| *m != Infix::Modulo);
                if sign != "=" && means.is_none() {
                    return refused(&format!("`{sign}` works on integers"), "formulas are over the real numbers");
                }
                let parts = vec![(self.text(left).to_owned(), Some(right))];
                Ok(vec![Statement::Set { parts, declares: None, operator: means, at }])
            }
            "cast_expression" if self.text(node).starts_with("(void)") => Ok(Vec::new()),
            "update_expression" => refused("`++` and `--` are not read", "write `x += 1`"),
            "call_expression" => refused("a call whose result is not used is not read", "leave it out"),
            _ => refused("this statement has no effect that is read", "leave it out"),
        }
    }
}

/// The value in `{x}` or `(x)`, with which C++ begins a variable.
fn only(value: Node<'_>) -> Node<'_> {
    match (value.kind(), &inside(value)[..]) {
        ("initializer_list" | "argument_list", [one]) => *one,
        _ => value,
    }
}

impl<'t> Grammar<'t> for CFile<'t> {
    fn value(&self, node: Node<'t>, walk: &mut Walk<'t, '_>) -> Read {
        self.expression(node, self.source, walk)
    }

    fn constant(&self, name: &str, walk: &mut Walk<'t, '_>) -> Option<Read> {
        if let Err(d) = self.sure(name, Span::default()) {
            return Some(Err(d));
        }
        if let Some((value, holds)) = self.constants.get(name).copied() {
            let part = walk.outside(|walk| walk.value(value));
            return Some(part.and_then(|part| match (holds, part.kind) {
                (Holds::Whole, Kind::Real) => {
                    let message = format!("{} is an integer, so that the fraction is cut off", quote(name));
                    Err(Diagnostic::semantic(part.expr.span, message).hint("declare it double"))
                }
                (Holds::Whole, Kind::Whole(Some(value))) if value.clone().abs() >= INT => {
                    let message = format!("{} is more than an int of C can be", quote(name));
                    Err(Diagnostic::semantic(part.expr.span, message).hint("declare it double"))
                }
                (Holds::Number | Holds::Single, _) => Ok(Part { grouped: true, ..Build::real(part.expr) }),
                (_, kind) => Ok(Part { kind, grouped: true, ..part }),
            }));
        }
        let (tree, source) = self.macros.get(name)?;
        let statement = inside(tree.root_node()).first().copied()?;
        let value = inside(statement).first().copied().unwrap_or(statement);
        if let Some(at) = broken(tree.root_node()) {
            let message = format!("the value of the macro {} is no expression", quote(name));
            return Some(Err(
                Diagnostic::semantic(at, message).hint("define a number, or write brackets around the expression")
            ));
        }
        // In an expression a macro without brackets binds as its parts do.
        let is_loose = matches!(value.kind(), "binary_expression" | "conditional_expression");
        if is_loose {
            let message = format!("the value of the macro {} has no brackets around it", quote(name));
            return Some(Err(
                Diagnostic::semantic(span(value), message).hint("write them: what stands beside it would get in")
            ));
        }
        Some(walk.outside(|walk| self.expression(value, source, walk)))
    }
}
