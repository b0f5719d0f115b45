//! Python: what a function computes that has no loops, and what a name of a module is.

mod expression;

use super::super::Notation;
use super::super::build::Build;
use super::super::functions::is_prefix;
use super::statement::{Definition, Holds, Parameter, Statement};
use super::tree::{broken, fields, inside, no_function, odd, text};
use super::walk::{compound, span};
use crate::text::{Diagnostic, Span, quote};
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

/// A file.
pub(super) struct PythonFile<'t> {
    source: &'t str,
    functions: BTreeMap<String, Node<'t>>,
    /// Values of names of the module, by name; none where one has several.
    constants: BTreeMap<String, Option<Node<'t>>>,
    /// Names that the module changes, or defines under a condition.
    doubtful: BTreeSet<String>,
    /// Symbols of SymPy.
    symbols: BTreeSet<String>,
    /// Modules by the name that they have in the file.
    modules: BTreeMap<String, String>,
    /// Functions that are imported, by the name that they have in the file: the prefix and their own name.
    imported: BTreeMap<String, (String, String)>,
    /// An import of all names of a module that is not known.
    unknown: Option<Node<'t>>,
}

/// What each module is called where functions are known.
fn prefix(module: &str) -> String {
    match module {
        "numpy" | "jax.numpy" | "cupy" | "autograd.numpy" => "np.".to_owned(),
        _ => format!("{module}."),
    }
}

/// The format of FPCore that has the integers of a type that a parameter is annotated with, if it is one; of more than 53 bits
/// those that a double has.
fn integers(annotation: &str) -> Option<&'static str> {
    match annotation.rsplit('.').next().unwrap_or(annotation) {
        "int" | "int64" | "int_" => Some("integer"),
        "int32" | "intc" => Some("(fixed 0 32)"),
        "int16" => Some("(fixed 0 16)"),
        "int8" => Some("(fixed 0 8)"),
        _ => None,
    }
}

/// Whether a type that a parameter is annotated with is one of integers that wrap around below 0.
fn is_unsigned(annotation: &str) -> bool {
    annotation.rsplit('.').next().is_some_and(|name| name.starts_with("uint"))
}

/// Decorators of numba, numpy and functools that compile, broadcast or store: values stay as they are.
const KEEPING: [&str; 5] = ["njit", "jit", "vectorize", "cache", "lru_cache"];

impl<'t> PythonFile<'t> {
    pub(super) fn new(source: &'t str, root: Node<'t>) -> Self {
        let mut file = PythonFile {
            source,
            functions: BTreeMap::new(),
            constants: BTreeMap::new(),
            symbols: BTreeSet::new(),
            doubtful: BTreeSet::new(),
            modules: BTreeMap::new(),
            imported: BTreeMap::new(),
            unknown: None,
        };
        file.doubt(root, true);
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

    /// Finds names that get a value, or a function, elsewhere than at the level of the module.
    fn doubt(&mut self, node: Node<'t>, is_module: bool) {
        for child in inside(node) {
            let changed = match child.kind() {
                "global_statement" => inside(child),
                "function_definition" if !is_module => child.child_by_field_name("name").into_iter().collect(),
                "assignment" | "augmented_assignment" if !is_module => {
                    child.child_by_field_name("left").into_iter().collect()
                }
                _ => Vec::new(),
            };
            self.doubtful.extend(changed.into_iter().map(|n| text(n, self.source).to_owned()));
            match child.kind() {
                // What a function assigns is its own, unless it says otherwise.
                "function_definition" => self.doubt_globals(child),
                "expression_statement" | "decorated_definition" => self.doubt(child, is_module),
                _ => self.doubt(child, false),
            }
        }
    }

    fn doubt_globals(&mut self, node: Node<'t>) {
        for child in inside(node) {
            if child.kind() == "global_statement" {
                self.doubtful.extend(inside(child).into_iter().map(|n| text(n, self.source).to_owned()));
            }
            self.doubt_globals(child);
        }
    }

    /// That a name of the module means one thing.
    fn sure(&self, name: &str) -> Result<(), Diagnostic> {
        if !self.doubtful.contains(name) {
            return Ok(());
        }
        let message = format!("{} of the module depends on what ran before", quote(name));
        Err(Diagnostic::semantic(Span::default(), message).hint("give it one value, at the level of the module"))
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
        if left.kind() == "identifier"
            && let Some(lambda) = right.filter(|r| r.kind() == "lambda")
        {
            let name = self.text(left).to_owned();
            if self.functions.insert(name.clone(), lambda).is_some() {
                self.doubtful.insert(name);
            }
            return;
        }
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
        let is_known = |module| [Notation::Python, Notation::Sympy].iter().any(|n| is_prefix(&prefix(module), *n));
        if from.is_some_and(|m| !is_known(m)) && inside(node).iter().any(|n| n.kind() == "wildcard_import") {
            self.unknown = Some(node);
        }
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
    fn parameters(&self, function: Node<'t>, build: &mut Build) -> Result<Vec<Parameter>, Diagnostic> {
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
            let of = parameter.child_by_field_name("type");
            if let Some(of) = of.filter(|of| is_unsigned(self.text(*of))) {
                let message = format!("the parameter `{}` is an integer that wraps around below 0", self.text(name));
                return Err(Diagnostic::semantic(span(of), message).hint("declare it `int` or `float`"));
            }
            let integers = of.and_then(|of| integers(self.text(of)));
            names.push(Parameter { name: self.text(name).to_owned(), holds: Holds::Number, integers });
        }
        Ok(names)
    }

    /// The value of a name of the module that is no function.
    pub(super) fn expression(&self, name: &str) -> Option<Node<'t>> {
        let value = self.constants.get(name).copied().flatten()?;
        (!self.functions.contains_key(name)).then_some(value)
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
        self.sure(name)?;
        let Some(function) = self.functions.get(name).copied() else {
            return Err(no_function(name, &self.names()));
        };
        if self.constants.contains_key(name) {
            let message = format!("{} is a function and has another value too", quote(name));
            return Err(Diagnostic::semantic(span(function), message).hint("give one of the two another name"));
        }
        if let Some(at) = broken(function) {
            return Err(Diagnostic::syntax(at, "this is not read as Python"));
        }
        if let Some(node) = self.unknown {
            let message = "what names this import gives another meaning is not known";
            return Err(Diagnostic::unsupported(span(node), message).hint("import each name"));
        }
        self.keeps_values(function)?;
        let body = function.child_by_field_name("body").ok_or_else(|| odd(function))?;
        let parameters = self.parameters(function, build)?;
        let body = match function.kind() {
            "lambda" => vec![Statement::Return { value: body }],
            _ => self.statements(body)?,
        };
        Ok(Definition { parameters, is_single: false, is_generic: false, is_deduced: false, body })
    }

    /// That no decorator gives the function other values.
    fn keeps_values(&self, function: Node<'t>) -> Result<(), Diagnostic> {
        let decorated = function.parent().filter(|p| p.kind() == "decorated_definition");
        for decorator in decorated.map(inside).unwrap_or_default().into_iter().filter(|n| n.kind() == "decorator") {
            let named = self.text(decorator).trim_start_matches('@');
            let name = named.split('(').next().unwrap_or(named).trim();
            let last = name.rsplit('.').next().unwrap_or(name);
            if !KEEPING.contains(&last) || self.functions.contains_key(name) {
                let message = format!("the decorator `@{name}` may give the function other values");
                let hint = "move the formula to a function of its own, without a decorator";
                return Err(Diagnostic::unsupported(span(decorator), message).hint(hint));
            }
        }
        Ok(())
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
}
