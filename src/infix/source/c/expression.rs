//! Expressions of C and C++.

use super::super::super::Notation;
use super::super::super::build::{Build, Part, Read};
use super::super::super::lex::{TokenKind, tokens};
use super::super::super::operators::{self, Infix};
use super::super::language::SourceLanguage;
use super::super::statement::Holds;
use super::super::tree::{inside, odd};
use super::super::walk::{Walk, placed, span};
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
        let digits = if self.language == SourceLanguage::Cpp { digits.replace('\'', "") } else { digits.to_owned() };
        let token = tokens(&digits, Notation::C).map_err(shifted)?.into_iter().next();
        match token.map(|t| t.kind) {
            Some(TokenKind::Number { text, value, whole, single }) => {
                let part = walk.build.number(&text, value, whole, single, at);
                if spelled.starts_with('-') { Build::negate(part, at) } else { Ok(part) }
            }
            _ => Err(odd(node)),
        }
    }

    /// A value in the type that a node names.
    fn cast(&self, node: Node<'t>, to: Node<'t>, value: Node<'t>, source: &'t str, walk: &mut Walk<'t, '_>) -> Read {
        let spelled = &source[to.start_byte()..to.end_byte()];
        match self.holds(to).or_else(|| self.holds_of(spelled)) {
            Some(Holds::Number | Holds::Single) => {
                let part = self.expression(value, source, walk)?;
                Ok(Part { grouped: true, ..Build::real(Build::as_number(part)?) })
            }
            Some(_) => {
                let message = format!("a cast to {} cuts a fraction off", quote(spelled));
                Err(Diagnostic::semantic(span(node), message).hint("write `trunc(x)`"))
            }
            None if self.language == SourceLanguage::Cpp
                || to.child_by_field_name("type").is_none_or(|t| t.kind() != "type_identifier") =>
            {
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
        let spelled = &source[function.start_byte()..function.end_byte()];
        let given = inside(list);
        let made_for = made_for(function);
        // `double(x)` and `static_cast<double>(x)`.
        let to = match (&made_for[..], spelled.split('<').next()) {
            ([to], Some("static_cast")) => Some(*to),
            ([], _) if function.kind() == "primitive_type" || self.types.contains_key(spelled) => Some(function),
            _ => None,
        };
        if let (Some(to), [value]) = (to, &given[..]) {
            return self.cast(node, to, *value, source, walk);
        }
        let is_real = |to: &&Node<'t>| matches!(self.holds(**to), Some(Holds::Number | Holds::Single));
        if let Some(other) = made_for.iter().find(|to| !is_real(to)) {
            let message = "a template that is made for this type is not read";
            return Err(Diagnostic::unsupported(span(*other), message).hint("make it for double"));
        }
        let name = if made_for.is_empty() { spelled } else { spelled.split('<').next().unwrap_or(spelled).trim_end() };
        self.sure(name, span(function))?;
        if self.macros.contains_key(name) {
            let message = format!("the function {} is called as a macro is", quote(name));
            return Err(Diagnostic::semantic(span(function), message).hint("rename one of the two"));
        }
        // `std::max({a, b})` is `std::max(a, b)`.
        let is_list = matches!(name, "std::max" | "std::min") && given.len() == 1;
        let listed = |n: Node<'t>| if n.kind() == "initializer_list" { inside(n) } else { vec![n] };
        let given: Vec<Node<'t>> = if is_list { given.into_iter().flat_map(listed).collect() } else { given };
        let mut arguments = Vec::new();
        for argument in given {
            let part = self.expression(argument, source, walk)?;
            let part = if made_for.is_empty() { part } else { Build::real(Build::as_number(part)?) };
            arguments.push(part);
        }
        if let Some(full) = self.resolved(name, node)?
            && (self.functions.contains_key(&full) || self.language == SourceLanguage::Cpp)
        {
            let definition = self.function(&full).map_err(|d| placed(d, span(function)))?;
            return walk.call(&full, span(node), &definition, arguments);
        }
        if self.language == SourceLanguage::Cpp && walk.is_variable(name) {
            let message = format!("{} is a variable, and no function that is known", quote(name));
            return Err(Diagnostic::semantic(span(function), message).hint("rename it if a function is meant"));
        }
        let (prefix, own) = split(name);
        walk.build.call(prefix, own, arguments, span(node), span(function))
    }

    /// A name that is not called.
    fn name(&self, node: Node<'t>, source: &'t str, walk: &mut Walk<'t, '_>) -> Read {
        let (at, spelled) = (span(node), &source[node.start_byte()..node.end_byte()]);
        if walk.is_variable(spelled) {
            return walk.name(spelled, at);
        }
        if let Some(full) = self.resolved(spelled, node)? {
            return walk.name(&full, at);
        }
        match split(spelled) {
            ("", own) => walk.name(own, at),
            // `std::numbers::pi_v<double>` is pi as well.
            (prefix, own) => {
                let own = own.strip_suffix("_v<double>").or_else(|| own.strip_suffix("_v<float>")).unwrap_or(own);
                walk.build.name(prefix, own, at)
            }
        }
    }

    pub(super) fn expression(&self, node: Node<'t>, source: &'t str, walk: &mut Walk<'t, '_>) -> Read {
        let at = span(node);
        let part = |name: &str| node.child_by_field_name(name).ok_or_else(|| odd(node));
        match node.kind() {
            "number_literal" => self.literal(node, source, walk),
            "identifier" | "qualified_identifier" => self.name(node, source, walk),
            "condition_clause" if node.child_by_field_name("initializer").is_none() => {
                self.expression(part("value")?, source, walk)
            }
            "compound_literal_expression" => match inside(part("value")?)[..] {
                [value] => self.cast(node, part("type")?, value, source, walk),
                _ => Err(Diagnostic::unsupported(at, "several values in braces are no number")),
            },
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
            "cast_expression" => self.cast(node, part("type")?, part("value")?, source, walk),
            "call_expression" => self.call(node, source, walk),
            kind => {
                let what = kind.replace('_', " ");
                let hint = "a formula is made of numbers, variables, operators and calls of functions";
                Err(Diagnostic::unsupported(at, format!("a {what} is not read")).hint(hint))
            }
        }
    }
}

/// The types that a template is made for where it is called.
fn made_for(function: Node<'_>) -> Vec<Node<'_>> {
    let mut last = function;
    while let Some(name) = last.child_by_field_name("name").filter(|_| last.kind() == "qualified_identifier") {
        last = name;
    }
    let list = last.child_by_field_name("arguments").filter(|_| last.kind() == "template_function");
    list.map(inside).unwrap_or_default()
}

/// A name as its namespaces, with `::` behind each, and what stands in them.
fn split(name: &str) -> (&str, &str) {
    let name = name.trim_start_matches("::");
    name.split_at(name.rfind("::").map_or(0, |at| at + 2))
}
