//! Expressions of Python.

use super::super::super::build::{Build, Part, Read};
use super::super::super::lex::{TokenKind, tokens};
use super::super::super::operators::{self, Infix};
use super::super::super::{Notation, constants, functions};
use super::super::tree::{fields, inside, odd};
use super::super::walk::{Grammar, Walk, span};
use super::{PythonFile, prefix};
use crate::text::{Diagnostic, Span, quote};
use tree_sitter::Node;

impl<'t> PythonFile<'t> {
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
        self.sure(name)?;
        let assigned = self.constants.get(name).copied();
        let known = match assigned {
            // `log = math.log10` gives a function another name.
            Some(Some(value)) if matches!(value.kind(), "attribute" | "identifier") => value,
            None if !walk.is_variable(name) => function,
            _ => {
                let message = format!("{} is a variable, and no function that is known", quote(name));
                return Err(Diagnostic::semantic(span(function), message).hint("name what is called otherwise"));
            }
        };
        let (prefix, name) = self.qualified(known);
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
            return constants::named(prefix, own, Notation::Python)
                .is_some()
                .then(|| walk.build.name(prefix, own, Span::default()));
        }
        let value = self.constants.get(name)?;
        if let Err(d) = self.sure(name) {
            return Some(Err(d));
        }
        match value {
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
