//! The grammar of forms, conditions and facts.

use super::{PrintedCondition, Says};
use crate::equiv::rewrite::laws::expression_of;
use crate::num::Rational;
use crate::num::float::rational;
use crate::ops::{Constant, Op};
use crate::spec::parse_rational;
use crate::tape::{Builder, NodeId};

/// Reads a form or a condition from its text.
pub(super) struct Reader<'t, 'a> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) names: &'a [String],
    pub(super) b: &'a mut Builder,
}

/// Signs with their texts, the longer ones first where one begins another.
const SIGNS: [(&str, [bool; 3]); 7] = [
    ("<= 0", [true, true, false]),
    (">= 0", [false, true, true]),
    ("< 0", [true, false, false]),
    ("= 0", [false, true, false]),
    ("> 0", [false, false, true]),
    ("!= 0", [true, false, true]),
    ("is a number", [true, true, true]),
];

impl<'t> Reader<'t, '_> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn expect(&mut self, token: &str) -> Option<()> {
        self.take(token).then_some(())
    }

    /// Go back if it does not fit.
    fn attempt<T>(&mut self, part: impl Fn(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.at;
        let found = part(self);
        if found.is_none() {
            self.at = before;
        }
        found
    }

    /// `{an expression in FPCore}`
    fn expression(&mut self) -> Option<NodeId> {
        self.expect("{")?;
        let end = self.rest().find('}')?;
        let node = expression_of(&self.rest()[..end], self.names, self.b)?;
        self.at += end + 1;
        Some(node)
    }

    /// What is said to hold on the domain.
    pub(super) fn fact(&mut self) -> Option<Says> {
        // One value on the whole domain.
        let value = self.attempt(|r| {
            let node = r.expression()?;
            r.expect(" = ")?;
            let value = parse_rational(r.rest()).ok()?;
            r.at = r.text.len();
            let value = r.b.rational(value);
            let difference = r.b.op(Op::Sub, &[node, value]);
            Some(PrintedCondition::Sign(difference, [false, true, false]))
        });
        value.or_else(|| self.formula()).map(Says::Holds)
    }

    /// A condition.
    pub(super) fn formula(&mut self) -> Option<PrintedCondition> {
        if self.take("never") {
            return Some(PrintedCondition::Bool(false));
        }
        for (text, truth) in [("true", true), ("false", false)] {
            if self.take(text) {
                return Some(PrintedCondition::Bool(truth));
            }
        }
        if self.take("if ") {
            let condition = self.formula()?;
            self.expect(" then ")?;
            let then = self.list()?;
            self.expect(" else ")?;
            let otherwise = self.list()?;
            return Some(PrintedCondition::If(Box::new([condition, then, otherwise])));
        }
        if self.take("not ") {
            return Some(PrintedCondition::Not(Box::new(PrintedCondition::Condition(self.expression()?))));
        }
        self.attempt(Self::joined)
            .or_else(|| self.attempt(Self::in_domain))
            .or_else(|| self.attempt(Self::of_expression))
            .or_else(|| self.sign())
    }

    fn list(&mut self) -> Option<PrintedCondition> {
        self.expect("[")?;
        let mut parts = Vec::new();
        while !self.take("]") {
            if !parts.is_empty() {
                self.expect(", ")?;
            }
            parts.push(self.formula()?);
        }
        Some(PrintedCondition::All(parts))
    }

    /// `(…) and (…)`, `(…) or (…)`
    fn joined(&mut self) -> Option<PrintedCondition> {
        let bracketed = |r: &mut Self| {
            r.expect("(")?;
            let part = r.formula()?;
            r.expect(")")?;
            Some(part)
        };
        let mut parts = vec![bracketed(self)?];
        let all = self.rest().starts_with(" and ");
        while self.take(if all { " and " } else { " or " }) {
            parts.push(bracketed(self)?);
        }
        match parts.len() {
            1 => None,
            _ if all => Some(PrintedCondition::All(parts)),
            _ => Some(PrintedCondition::Any(parts)),
        }
    }

    /// `(…, …) is in the domain of op`
    fn in_domain(&mut self) -> Option<PrintedCondition> {
        let args = self.arguments()?;
        self.expect(" is in the domain of ")?;
        let op = self.name();
        let op = Op::from_fpcore(op, args.len())?;
        Some(PrintedCondition::HasValue(self.b.op(op, &args)))
    }

    /// `{…} has a value`, or a condition
    fn of_expression(&mut self) -> Option<PrintedCondition> {
        let node = self.expression()?;
        if self.take(" has a value") {
            return Some(PrintedCondition::HasValue(node));
        }
        let ends =
            self.rest().is_empty() || self.rest().starts_with([')', ']', ',']) || self.rest().starts_with(" then");
        ends.then_some(PrintedCondition::Condition(node))
    }

    fn sign(&mut self) -> Option<PrintedCondition> {
        let node = self.sum()?;
        self.expect(" ")?;
        let (text, signs) = SIGNS.iter().find(|s| self.rest().starts_with(s.0))?;
        self.at += text.len();
        Some(PrintedCondition::Sign(node, *signs))
    }

    /// A form.
    pub(super) fn sum(&mut self) -> Option<NodeId> {
        let mut value = self.product()?;
        loop {
            let op = match () {
                () if self.take(" + ") => Op::Add,
                () if self.take(" - ") => Op::Sub,
                () => return Some(value),
            };
            let next = self.product()?;
            value = self.b.op(op, &[value, next]);
        }
    }

    fn product(&mut self) -> Option<NodeId> {
        let negative = self.take("-");
        let mut value = self.power()?;
        loop {
            let op = match () {
                () if self.take("*") => Op::Mul,
                () if self.take("/") => Op::Div,
                () => break,
            };
            let next = self.power()?;
            value = self.b.op(op, &[value, next]);
        }
        Some(if negative { self.b.op(Op::Neg, &[value]) } else { value })
    }

    fn power(&mut self) -> Option<NodeId> {
        let base = self.primary()?;
        if !self.take("^") {
            return Some(base);
        }
        let exponent = self.integer()?;
        let exponent = self.b.rational(exponent);
        Some(self.b.op(Op::Pow, &[base, exponent]))
    }

    fn integer(&mut self) -> Option<Rational> {
        let digits = self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
        let value = parse_rational(&self.rest()[..digits]).ok();
        self.at += digits;
        value.filter(|_| digits > 0)
    }

    fn name(&mut self) -> &'t str {
        let end = self.rest().find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest().len());
        let name = &self.rest()[..end];
        self.at += end;
        name
    }

    fn arguments(&mut self) -> Option<Vec<NodeId>> {
        self.expect("(")?;
        let mut args = vec![self.sum()?];
        while self.take(", ") {
            args.push(self.sum()?);
        }
        self.expect(")")?;
        Some(args)
    }

    fn primary(&mut self) -> Option<NodeId> {
        let first = self.rest().chars().next()?;
        if first.is_ascii_digit() {
            let value = self.integer()?;
            return Some(self.b.rational(value));
        }
        if first == '{' {
            return self.expression();
        }
        if self.take("(") {
            let value = self.sum()?;
            self.expect(")")?;
            return Some(value);
        }
        let quoted = self.take("`");
        let name = if quoted { self.rest().split('`').next()? } else { self.name() };
        if quoted {
            self.at += name.len() + 1;
        }
        if !quoted && name == "if" {
            self.expect("(")?;
            let condition = self.formula()?;
            self.expect(", ")?;
            let then = self.sum()?;
            self.expect(", ")?;
            let otherwise = self.sum()?;
            self.expect(")")?;
            let condition = node_of(self.b, &condition);
            return Some(self.b.choose(condition, then, otherwise));
        }
        if !quoted && self.rest().starts_with('(') {
            let args = self.arguments()?;
            return Some(self.b.op(Op::from_fpcore(name, args.len())?, &args));
        }
        if !quoted && name == "PI" {
            return Some(self.b.named(Constant::Pi));
        }
        self.names.iter().position(|n| n == name).map(|i| self.b.var(i))
    }
}

/// The condition as a node.
fn node_of(b: &mut Builder, formula: &PrintedCondition) -> NodeId {
    match formula {
        PrintedCondition::Bool(truth) => b.boolean(*truth),
        PrintedCondition::Condition(node) => *node,
        PrintedCondition::Not(part) => {
            let part = node_of(b, part);
            b.not(part)
        }
        PrintedCondition::HasValue(node) => b.equal(*node, *node),
        PrintedCondition::Sign(node, allowed) => {
            let zero = b.rational(rational(0.0));
            let mut any = b.boolean(false);
            let cases = [b.less(*node, zero), b.equal(*node, zero), b.less(zero, *node)];
            for case in cases.iter().zip(allowed).filter(|c| *c.1).map(|c| *c.0) {
                any = b.or(any, case);
            }
            any
        }
        PrintedCondition::All(parts) | PrintedCondition::Any(parts) => {
            let all = matches!(formula, PrintedCondition::All(_));
            let mut joined = b.boolean(all);
            for part in parts {
                let part = node_of(b, part);
                joined = if all { b.and(joined, part) } else { b.or(joined, part) };
            }
            joined
        }
        PrintedCondition::If(parts) => {
            let [c, t, e] = [0, 1, 2].map(|k| node_of(b, &parts[k]));
            let (holds, fails) = (b.and(c, t), b.not(c));
            let otherwise = b.and(fails, e);
            b.or(holds, otherwise)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::TapeNode;

    #[test]
    fn lists_and_quoted_names_are_read_to_their_ends() {
        let names = ["x".to_owned(), "a-b".to_owned()];
        let mut b = Builder::apart(2);
        let text = "[x > 0, `a-b` <= 0]";
        let mut reader = Reader { text, at: 0, names: &names, b: &mut b };
        let Some(PrintedCondition::All(parts)) = reader.list() else { panic!("a list") };
        assert_eq!(reader.at, text.len());
        let sign = |part: &PrintedCondition| match part {
            PrintedCondition::Sign(of, allowed) => (b.tape().node(*of), *allowed),
            other => panic!("{other:?}"),
        };
        let (positive, not_positive) = ([false, false, true], [true, true, false]);
        let expected = [(TapeNode::Var(0), positive), (TapeNode::Var(1), not_positive)];
        assert_eq!(parts.iter().map(sign).collect::<Vec<_>>(), expected);
    }
}
