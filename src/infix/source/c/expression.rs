//! Expressions of C.

use super::super::super::Notation;
use super::super::super::build::{Build, Part, Read};
use super::super::super::lex::{TokenKind, tokens};
use super::super::super::operators::{self, Infix};
use super::super::statement::Holds;
use super::super::tree::{inside, odd};
use super::super::walk::{Walk, span};
use super::CFile;
use crate::text::{Diagnostic, Span, quote};
use tree_sitter::Node;

impl<'t> CFile<'t> {
    fn literal(&self, node: Node<'t>, source: &str, walk: &mut Walk<'t, '_>) -> Read {
        let at = span(node);
        let shifted = |mut d: Diagnostic| {
            d.span = Span { start: d.span.start + at.start, end: d.span.end + at.start };
            d
        };
        // In a macro the sign is a part of it.
        let spelled = &source[at.start..at.end];
        let digits = spelled.trim_start_matches(['-', '+']);
        let token = tokens(digits, Notation::C).map_err(shifted)?.into_iter().next();
        match token.map(|t| t.kind) {
            Some(TokenKind::Number { text, value, whole, single }) => {
                let part = walk.build.number(&text, value, whole, single, at);
                if spelled.starts_with('-') { Build::negate(part, at) } else { Ok(part) }
            }
            _ => Err(odd(node)),
        }
    }

    /// A cast.
    fn cast(&self, node: Node<'t>, source: &'t str, walk: &mut Walk<'t, '_>) -> Read {
        let (Some(to), Some(value)) = (node.child_by_field_name("type"), node.child_by_field_name("value")) else {
            return Err(odd(node));
        };
        let spelled = &source[to.start_byte()..to.end_byte()];
        match self.holds(to) {
            Some(Holds::Number | Holds::Single) => {
                let part = self.expression(value, source, walk)?;
                Ok(Part { grouped: true, ..Build::real(Build::as_number(part)?) })
            }
            Some(_) => {
                let message = format!("a cast to {} cuts a fraction off", quote(spelled));
                Err(Diagnostic::semantic(span(node), message).hint("write `trunc(x)`"))
            }
            None if to.child_by_field_name("type").is_none_or(|t| t.kind() != "type_identifier") => {
                let message = format!("a cast to {} is none to a number with a fraction", quote(spelled));
                Err(Diagnostic::semantic(span(node), message).hint("leave it out"))
            }
            // `(x) * y` is one where `x` is a type, which only a compiler knows.
            None => {
                let message = format!("{} before an operand reads as a cast", quote(&format!("({spelled})")));
                Err(Diagnostic::semantic(span(node), message).hint("leave the brackets out"))
            }
        }
    }

    fn binary(&self, node: Node<'t>, source: &'t str, walk: &mut Walk<'t, '_>) -> Read {
        let (Some(left), Some(operator), Some(right)) =
            (node.child_by_field_name("left"), node.child_by_field_name("operator"), node.child_by_field_name("right"))
        else {
            return Err(odd(node));
        };
        let sign = &source[operator.start_byte()..operator.end_byte()];
        let means = operators::infix(sign, Notation::C).map(|row| row.means);
        if let Some(Infix::Refused(why, hint)) = means {
            return Err(Diagnostic::semantic(span(operator), format!("{} {why}", quote(sign))).hint(hint));
        }
        let (left, right) = (self.expression(left, source, walk)?, self.expression(right, source, walk)?);
        match means {
            Some(Infix::Compare(relation)) => walk.build.compared(vec![left, right], &[relation]),
            Some(means) => walk.build.binary(means, left, right),
            None => Err(Diagnostic::unsupported(span(operator), format!("{} is not read", quote(sign)))),
        }
    }

    fn call(&self, node: Node<'t>, source: &'t str, walk: &mut Walk<'t, '_>) -> Read {
        let (Some(function), Some(list)) =
            (node.child_by_field_name("function"), node.child_by_field_name("arguments"))
        else {
            return Err(odd(node));
        };
        let name = &source[function.start_byte()..function.end_byte()];
        self.sure(name, span(function))?;
        if self.macros.contains_key(name) {
            let message = format!("the function {} is called as a macro is", quote(name));
            return Err(Diagnostic::semantic(span(function), message).hint("rename one of the two"));
        }
        let mut arguments = Vec::new();
        for argument in inside(list) {
            arguments.push(self.expression(argument, source, walk)?);
        }
        if self.functions.contains_key(name) {
            return walk.call(name, span(node), &self.function(name)?, arguments);
        }
        walk.build.call("", name, arguments, span(node), span(function))
    }

    pub(super) fn expression(&self, node: Node<'t>, source: &'t str, walk: &mut Walk<'t, '_>) -> Read {
        let at = span(node);
        let part = |name: &str| node.child_by_field_name(name).ok_or_else(|| odd(node));
        match node.kind() {
            "number_literal" => self.literal(node, source, walk),
            "identifier" => walk.name(&source[at.start..at.end], at),
            "parenthesized_expression" => {
                let inner = inside(node).first().copied().ok_or_else(|| odd(node))?;
                let part = self.expression(inner, source, walk)?;
                Ok(Part { grouped: true, ..part })
            }
            "unary_expression" => {
                let sign = part("operator")?;
                let value = self.expression(part("argument")?, source, walk)?;
                match &source[sign.start_byte()..sign.end_byte()] {
                    "-" => Build::negate(value, at),
                    "+" => Ok(Part { grouped: true, ..value }),
                    "!" => Build::not(value, at),
                    sign => Err(Diagnostic::unsupported(at, format!("{} works on bits", quote(sign)))),
                }
            }
            "binary_expression" => self.binary(node, source, walk),
            "conditional_expression" => {
                let condition = self.expression(part("condition")?, source, walk)?;
                let yes = self.expression(part("consequence")?, source, walk)?;
                let no = self.expression(part("alternative")?, source, walk)?;
                Build::conditional(condition, yes, no, at)
            }
            "cast_expression" => self.cast(node, source, walk),
            "call_expression" => self.call(node, source, walk),
            kind => {
                let what = kind.replace('_', " ");
                let hint = "a formula is made of numbers, variables, operators and calls of functions";
                Err(Diagnostic::unsupported(at, format!("a {what} is not read")).hint(hint))
            }
        }
    }
}
