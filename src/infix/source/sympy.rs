//! Expressions of SymPy that a Python file has names for: `energy = m*v**2/2`.

use super::super::build::Build;
use super::super::lex::{TokenKind, tokens};
use super::super::parse::Parser;
use super::super::{Assumption, Notation};
use super::bindings::{Bindings, bind};
use super::python::PythonFile;
use super::walk::span;
use crate::spec::core::Expr;
use crate::text::{Diagnostic, Span, quote};
use tree_sitter::Node;

/// The deepest nesting of names.
const DEEPEST: usize = 40;

/// An expression with the symbols in it.
#[derive(Default)]
pub(super) struct Expression {
    pub(super) symbols: Vec<String>,
    pub(super) assumptions: Vec<Assumption>,
}

impl Expression {
    /// Reads the value of a name, with the values of names in it.
    pub(super) fn read(
        &mut self,
        file: &PythonFile<'_>,
        source: &str,
        value: Node<'_>,
        depth: usize,
    ) -> Result<Expr, Diagnostic> {
        let at = span(value);
        if depth > DEEPEST {
            let message = format!("{} is made of itself", quote(&source[at.start..at.end]));
            return Err(Diagnostic::semantic(at, message));
        }
        // Places are those of the file.
        let text = format!("{}{}", " ".repeat(at.start), &source[at.start..at.end]);
        let tokens = tokens(&text, Notation::Sympy)?;
        let mut parser = Parser::new(&text, tokens, Build::new(Notation::Sympy, &[]));
        let part = parser.formula()?;
        if parser.peek().kind != TokenKind::End {
            return Err(parser.unexpected("the formula ends before this"));
        }
        let body = parser.build.result(part)?;
        let Build { inputs, assumptions, .. } = parser.build;
        self.assumptions.extend(assumptions);
        let mut bindings = Bindings::new();
        for name in inputs {
            match file.expression(&name) {
                Some(inner) => bindings.push((name, self.read(file, source, inner, depth + 1)?)),
                None if file.is_symbol(&name) => {
                    if !self.symbols.contains(&name) {
                        self.symbols.push(name);
                    }
                }
                None => {
                    let place = text.find(&name).map_or(at, |start| Span { start, end: start + name.len() });
                    let message = format!("{} is no symbol and no expression of this file", quote(&name));
                    return Err(Diagnostic::semantic(place, message)
                        .hint("symbols are made by `x = Symbol('x')` or `x, y = symbols('x y')`"));
                }
            }
        }
        Ok(bind(bindings, false, body, at))
    }
}
