//! Python: what a function computes that has no loops, and what a name of a module is.

use super::super::Notation;
use super::super::build::{Build, Part, Read};
use super::super::functions;
use super::super::lex::{TokenKind, tokens};
use super::super::operators::{self, Infix};
use super::statement::{Definition, Holds, Statement};
use super::tree::{broken, fields, inside, no_function, odd, text};
use super::walk::{Grammar, Walk, compound, span};
use crate::spec::Diagnostic;
use crate::spec::core::Span;
use crate::spec::diagnostic::quote;
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

/// A file.
pub(super) struct PythonFile<'t> {
    source: &'t str,
    functions: BTreeMap<String, Node<'t>>,
    /// Values of names of the module, by name; none where one has several.
    constants: BTreeMap<String, Option<Node<'t>>>,
    /// Symbols of SymPy.
    symbols: BTreeSet<String>,
    /// Modules by the name that they have in the file.
    modules: BTreeMap<String, String>,
    /// Functions that are imported, by the name that they have in the file: the prefix and their own name.
    imported: BTreeMap<String, (String, String)>,
}

/// What each module is called where functions are known.
fn prefix(module: &str) -> String {
    match module {
        "numpy" | "jax.numpy" | "cupy" | "autograd.numpy" => "np.".to_owned(),
        _ => format!("{module}."),
    }
}

impl<'t> PythonFile<'t> {
    pub(super) fn new(source: &'t str, root: Node<'t>) -> Self {
        let mut file = PythonFile {
            source,
            functions: BTreeMap::new(),
            constants: BTreeMap::new(),
            symbols: BTreeSet::new(),
            modules: BTreeMap::new(),
            imported: BTreeMap::new(),
        };
        for node in inside(root) {
            match node.kind() {
                "function_definition" => file.define(node),
                "decorated_definition" => {
                    if let Some(node) =
                        node.child_by_field_name("definition").filter(|n| n.kind() == "function_definition")
                    {
                        file.define(node);
                    }
                }
                "import_statement" | "import_from_statement" => file.import(node),
                "expression_statement" => {
                    for assignment in inside(node).into_iter().filter(|n| n.kind().ends_with("assignment")) {
                        file.assign(assignment);
                    }
                }
                _ => {}
            }
        }
        file
    }

    fn text(&self, node: Node<'_>) -> &'t str {
        text(node, self.source)
    }

    fn define(&mut self, node: Node<'t>) {
        if let Some(name) = node.child_by_field_name("name") {
            self.functions.insert(self.text(name).to_owned(), node);
        }
    }

    fn assign(&mut self, node: Node<'t>) {
        let (Some(left), right) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else { return };
        let called = right.and_then(|r| r.child_by_field_name("function")).map(|f| self.text(f)).unwrap_or_default();
        let is_symbol = matches!(called.rsplit('.').next(), Some("symbols" | "Symbol" | "Dummy" | "var"));
        for name in if left.kind() == "identifier" { vec![left] } else { inside(left) } {
            if is_symbol {
                self.symbols.insert(self.text(name).to_owned());
                continue;
            }
            let value = right.filter(|_| left.kind() == "identifier" && node.kind() == "assignment");
            let name = self.text(name).to_owned();
            let is_new = !self.constants.contains_key(&name);
            self.constants.insert(name, value.filter(|_| is_new));
        }
    }

    fn import(&mut self, node: Node<'t>) {
        let from = node.child_by_field_name("module_name").map(|m| self.text(m));
        for name in fields(node, "name") {
            let (own, alias) = match (name.child_by_field_name("name"), name.child_by_field_name("alias")) {
                (Some(own), Some(alias)) => (self.text(own), self.text(alias)),
                _ => (self.text(name), self.text(name)),
            };
            match from {
                // `from scipy import special` is a module.
                Some(package) if own == "special" => {
                    self.modules.insert(alias.to_owned(), format!("{package}.{own}."));
                }
                Some(module) => {
                    self.imported.insert(alias.to_owned(), (prefix(module), own.to_owned()));
                }
                None => {
                    self.modules.insert(alias.to_owned(), prefix(own));
                }
            }
        }
    }

    /// The parameters of a function.
    fn parameters(&self, function: Node<'t>, build: &mut Build) -> Result<Vec<String>, Diagnostic> {
        let mut names = Vec::new();
        for parameter in function.child_by_field_name("parameters").map(inside).unwrap_or_default() {
            let name = match parameter.kind() {
                "identifier" => Some(parameter),
                "typed_parameter" => inside(parameter).first().copied().filter(|n| n.kind() == "identifier"),
                "default_parameter" | "typed_default_parameter" => parameter.child_by_field_name("name"),
                _ => None,
            };
            let Some(name) = name else {
                let message = format!("the parameter {} is no plain number", quote(self.text(parameter)));
                return Err(Diagnostic::semantic(span(parameter), message).hint("name each number"));
            };
            if parameter.kind().contains("default") {
                build.assume(
                    span(parameter),
                    format!("`{}` is an input, and its default plays no part", self.text(name)),
                );
            }
            names.push(self.text(name).to_owned());
        }
        Ok(names)
    }

    /// The value of a name of the module that is no function.
    pub(super) fn expression(&self, name: &str) -> Option<Node<'t>> {
        let value = self.constants.get(name).copied().flatten()?;
        (!self.functions.contains_key(name) && value.kind() != "lambda").then_some(value)
    }

    /// Whether a name of the module is a symbol of SymPy.
    pub(super) fn is_symbol(&self, name: &str) -> bool {
        self.symbols.contains(name)
    }

    /// The names of its functions.
    pub(super) fn names(&self) -> Vec<String> {
        self.functions.keys().cloned().collect()
    }

    /// The function of that name, with its parameters and statements.
    pub(super) fn function(&self, name: &str, build: &mut Build) -> Result<Definition<'t>, Diagnostic> {
        let Some(function) = self.functions.get(name).copied() else {
            return Err(no_function(name, &self.names()));
        };
        if let Some(at) = broken(function) {
            return Err(Diagnostic::syntax(at, "this is not read as Python"));
        }
        let body = function.child_by_field_name("body").ok_or_else(|| odd(function))?;
        Ok(Definition { parameters: self.parameters(function, build)?, body: self.statements(body)? })
    }

    fn statements(&self, block: Node<'t>) -> Result<Vec<Statement<'t>>, Diagnostic> {
        let mut all = Vec::new();
        for child in inside(block) {
            all.extend(self.statement(child)?);
        }
        Ok(all)
    }

    fn statement(&self, node: Node<'t>) -> Result<Vec<Statement<'t>>, Diagnostic> {
        let at = span(node);
        let start = Span { start: at.start, end: at.start + self.text(node).find('\n').unwrap_or(at.end - at.start) };
        let refused = |message: &str, hint: &str| Err(Diagnostic::unsupported(start, message).hint(hint));
        match node.kind() {
            "pass_statement" | "import_statement" | "import_from_statement" => Ok(Vec::new()),
            "expression_statement" => self.assignment(node),
            "return_statement" => match inside(node).first() {
                Some(value) if self.is_nan(*value) => Ok(vec![Statement::Nothing { at }]),
                Some(value) => Ok(vec![Statement::Return { value: *value }]),
                None => Ok(vec![Statement::Nothing { at }]),
            },
            "raise_statement" => Ok(vec![Statement::Nothing { at }]),
            "assert_statement" => {
                let condition = inside(node).first().copied().ok_or_else(|| odd(node))?;
                Ok(vec![Statement::Require { condition }])
            }
            "if_statement" => {
                let condition = node.child_by_field_name("condition").ok_or_else(|| odd(node))?;
                let yes = node.child_by_field_name("consequence").ok_or_else(|| odd(node))?;
                let no = self.alternatives(&fields(node, "alternative"))?;
                Ok(vec![Statement::If { condition, yes: self.statements(yes)?, no, at: start }])
            }
            "for_statement" | "while_statement" => refused(
                "loops are not read",
                "write a formula without them, or test the function with `check` or `worst`",
            ),
            "global_statement" | "nonlocal_statement" => {
                refused("what changes outside of the function is no formula", "pass it as a parameter")
            }
            kind => refused(&format!("a {} is not read", kind.replace('_', " ")), "leave it out"),
        }
    }

    /// `elif` and `else`.
    fn alternatives(&self, clauses: &[Node<'t>]) -> Result<Vec<Statement<'t>>, Diagnostic> {
        let Some((first, rest)) = clauses.split_first() else { return Ok(Vec::new()) };
        if first.kind() == "else_clause" {
            let body = first.child_by_field_name("body").ok_or_else(|| odd(*first))?;
            return self.statements(body);
        }
        let condition = first.child_by_field_name("condition").ok_or_else(|| odd(*first))?;
        let yes = first.child_by_field_name("consequence").ok_or_else(|| odd(*first))?;
        let (yes, no) = (self.statements(yes)?, self.alternatives(rest)?);
        Ok(vec![Statement::If { condition, yes, no, at: span(condition) }])
    }

    fn is_nan(&self, value: Node<'t>) -> bool {
        matches!(self.text(value), "None" | "math.nan" | "np.nan" | "numpy.nan" | "float('nan')" | "float(\"nan\")")
    }

    fn assignment(&self, node: Node<'t>) -> Result<Vec<Statement<'t>>, Diagnostic> {
        let at = span(node);
        let refused = |message: &str, hint: &str| Err(Diagnostic::unsupported(at, message).hint(hint));
        let Some(inner) = inside(node).first().copied() else { return Ok(Vec::new()) };
        match inner.kind() {
            "string" => return Ok(Vec::new()),
            "assignment" | "augmented_assignment" => {}
            "call" => return refused("a call whose result is not used is not read", "leave it out"),
            _ => return refused("this statement has no effect that is read", "leave it out"),
        }
        let (Some(left), Some(right)) = (inner.child_by_field_name("left"), inner.child_by_field_name("right")) else {
            return Err(odd(inner));
        };
        let sign = inner.child_by_field_name("operator").map(|o| self.text(o));
        let operator = sign.and_then(compound);
        if sign.is_some() && operator.is_none() {
            return refused(
                &format!("`{}` is not read", sign.unwrap_or_default()),
                "formulas are over the real numbers",
            );
        }
        let is_list = |n: Node<'t>| matches!(n.kind(), "pattern_list" | "tuple_pattern" | "expression_list" | "tuple");
        let (names, values) = match (is_list(left), is_list(right)) {
            (true, true) => (inside(left), inside(right)),
            (false, false) => (vec![left], vec![right]),
            _ => return refused("several values stand against one", "assign them one by one"),
        };
        if names.len() != values.len() || names.iter().any(|n| n.kind() != "identifier") {
            return refused("names stand before `=`, as many as values", "assign them one by one");
        }
        let parts = names.iter().zip(values).map(|(n, v)| (self.text(*n).to_owned(), Some(v))).collect();
        // A name is declared where it first gets a value.
        let declares = if operator.is_none() { Some(Holds::Any) } else { None };
        Ok(vec![Statement::Set { parts, declares, operator, at }])
    }

    /// A name with its module, as functions are known.
    fn qualified(&self, node: Node<'t>) -> (String, String) {
        let whole = self.text(node);
        let Some((module, name)) = whole.rsplit_once('.') else {
            return self.imported.get(whole).cloned().unwrap_or((String::new(), whole.to_owned()));
        };
        let known = self.modules.get(module).cloned();
        (known.unwrap_or_else(|| prefix(module)), name.to_owned())
    }

    fn call(&self, node: Node<'t>, walk: &mut Walk<'t, '_>) -> Read {
        let (Some(function), Some(list)) =
            (node.child_by_field_name("function"), node.child_by_field_name("arguments"))
        else {
            return Err(odd(node));
        };
        let mut arguments = Vec::new();
        for argument in inside(list) {
            if argument.kind() == "keyword_argument" {
                let message = "an argument with a name is not read";
                return Err(Diagnostic::unsupported(span(argument), message).hint("give it by its place"));
            }
            arguments.push(walk.value(argument)?);
        }
        let name = self.text(function);
        if self.functions.contains_key(name) {
            let definition = self.function(name, &mut walk.build)?;
            return walk.call(name, span(node), &definition, arguments);
        }
        let (prefix, name) = self.qualified(function);
        if !functions::is_prefix(&prefix, Notation::Python) {
            let message = format!("{} is of a module that is not known", quote(self.text(function)));
            return Err(
                Diagnostic::semantic(span(function), message).hint("functions of math, NumPy and SciPy are read")
            );
        }
        walk.build.call(&prefix, &name, arguments, span(node), span(function))
    }

    fn comparison(&self, node: Node<'t>, walk: &mut Walk<'t, '_>) -> Read {
        let mut relations = Vec::new();
        for operator in fields(node, "operators") {
            match operators::infix(self.text(operator), Notation::Python).map(|row| row.means) {
                Some(Infix::Compare(relation)) => relations.push(relation),
                _ => {
                    let message = format!("{} compares no numbers", quote(self.text(operator)));
                    return Err(Diagnostic::unsupported(span(operator), message).hint("write `<`, `<=` and their kin"));
                }
            }
        }
        let mut parts = Vec::new();
        for operand in inside(node) {
            parts.push(walk.value(operand)?);
        }
        if parts.len() != relations.len() + 1 {
            return Err(odd(node));
        }
        walk.build.compared(parts, &relations)
    }

    fn binary(&self, node: Node<'t>, walk: &mut Walk<'t, '_>) -> Read {
        let (Some(left), Some(operator), Some(right)) =
            (node.child_by_field_name("left"), node.child_by_field_name("operator"), node.child_by_field_name("right"))
        else {
            return Err(odd(node));
        };
        let sign = self.text(operator);
        let means = operators::infix(sign, Notation::Python).map(|row| row.means);
        if let Some(Infix::Refused(why, hint)) = means {
            return Err(Diagnostic::semantic(span(operator), format!("{} {why}", quote(sign))).hint(hint));
        }
        let Some(means) = means else {
            return Err(Diagnostic::unsupported(span(operator), format!("{} is not read", quote(sign))));
        };
        let (left, right) = (walk.value(left)?, walk.value(right)?);
        walk.build.binary(means, left, right)
    }

    fn literal(&self, node: Node<'t>, walk: &mut Walk<'t, '_>) -> Read {
        let at = span(node);
        let shifted = |mut d: Diagnostic| {
            d.span = Span { start: d.span.start + at.start, end: d.span.end + at.start };
            d
        };
        let token = tokens(self.text(node), Notation::Python).map_err(shifted)?.into_iter().next();
        match token.map(|t| t.kind) {
            Some(TokenKind::Number { text, value, whole, single }) => {
                Ok(walk.build.number(&text, value, whole, single, at))
            }
            _ => Err(odd(node)),
        }
    }
}

impl<'t> Grammar<'t> for PythonFile<'t> {
    fn value(&self, node: Node<'t>, walk: &mut Walk<'t, '_>) -> Read {
        let at = span(node);
        let part = |name: &str| node.child_by_field_name(name).ok_or_else(|| odd(node));
        match node.kind() {
            "integer" | "float" => self.literal(node, walk),
            "identifier" => walk.name(self.text(node), at),
            "attribute" => {
                let (prefix, name) = self.qualified(node);
                walk.build.name(&prefix, &name, at)
            }
            "parenthesized_expression" => {
                let inner = inside(node).first().copied().ok_or_else(|| odd(node))?;
                let part = walk.value(inner)?;
                Ok(Part { grouped: true, ..part })
            }
            "unary_operator" => {
                let sign = self.text(part("operator")?);
                let value = walk.value(part("argument")?)?;
                match sign {
                    "-" => Build::negate(value, at),
                    "+" => Ok(Part { grouped: true, ..value }),
                    sign => Err(Diagnostic::unsupported(at, format!("{} works on bits", quote(sign)))),
                }
            }
            "not_operator" => Build::not(walk.value(part("argument")?)?, at),
            "binary_operator" | "boolean_operator" => self.binary(node, walk),
            "comparison_operator" => self.comparison(node, walk),
            "conditional_expression" => match inside(node)[..] {
                [yes, condition, no] => {
                    let (yes, condition, no) = (walk.value(yes)?, walk.value(condition)?, walk.value(no)?);
                    Build::conditional(condition, yes, no, at)
                }
                _ => Err(odd(node)),
            },
            "call" => self.call(node, walk),
            kind => {
                let what = kind.replace('_', " ");
                let hint = "a formula is made of numbers, variables, operators and calls of functions";
                Err(Diagnostic::unsupported(at, format!("a {what} is not read")).hint(hint))
            }
        }
    }

    fn constant(&self, name: &str, walk: &mut Walk<'t, '_>) -> Option<Read> {
        if let Some((prefix, own)) = self.imported.get(name) {
            // A constant such as `pi`, imported from `math`.
            return super::super::constants::named(prefix, own, Notation::Python)
                .is_some()
                .then(|| walk.build.name(prefix, own, Span::default()));
        }
        match self.constants.get(name)? {
            Some(value) => {
                let value = *value;
                let part = walk.outside(|walk| walk.value(value));
                Some(part.map(|part| Part { grouped: true, ..part }))
            }
            None => {
                let message = format!("{} of the module has several values", quote(name));
                Some(Err(Diagnostic::semantic(Span::default(), message).hint("assign it once")))
            }
        }
    }
}
