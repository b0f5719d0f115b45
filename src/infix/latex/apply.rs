//! What a function is of: `\sin 2x`, `\sin^2 x`, `\ln\frac{a}{b}`, `\max(a, b)`.

use super::super::build::{Build, Part, Read};
use super::super::operators::Infix;
use super::Latex;
use super::lex::PieceKind;
use crate::spec::core::{Expr, ExprKind};
use crate::text::{Diagnostic, Span};

impl Latex<'_> {
    /// A function whose name was taken, with its power and what it is of.
    pub(super) fn apply(&mut self, name: &str, head: Span) -> Read {
        let base = if self.takes('_') {
            if name != "log" {
                return Err(self.unexpected(&format!("`\\{name}` has no index")));
            }
            Some(Build::as_number(self.argument()?)?)
        } else {
            None
        };
        if base.is_none() && matches!(name, "log" | "lg") {
            let message = format!("`\\{name}` has several readings: the base is not said");
            return Err(Diagnostic::semantic(head, message).hint("write `\\ln x`, `\\log_{10} x` or `\\log_2 x`"));
        }
        let power = if self.takes('^') { Some(self.exponent()?) } else { None };
        if let Some(part) = &power
            && matches!(&part.expr.kind, ExprKind::Number(n) if n.value == -1)
        {
            let message = format!("`\\{name}^{{-1}}` has two readings: the inverse function, or one by it");
            let span = Span { start: head.start, end: part.span().end };
            let inverse = match name.strip_suffix('h') {
                Some(_) => format!("\\operatorname{{ar{name}}} x"),
                None => format!("\\arc{name} x"),
            };
            return Err(
                Diagnostic::semantic(span, message).hint(format!("write `{inverse}` or `\\frac{{1}}{{\\{name} x}}`"))
            );
        }
        let arguments = self.arguments(name)?;
        let span = self.since(head);
        let value = match base {
            Some(base) => {
                let mut arguments = arguments.into_iter().map(Build::as_number).collect::<Result<Vec<_>, _>>()?;
                Build::logarithm(base, arguments.swap_remove(0), span)?
            }
            None => self.build.call("", name, arguments, span, head)?,
        };
        // Of several arguments only the value has a power.
        let behind = if power.is_none() && self.takes('^') { Some(self.exponent()?) } else { None };
        let span = self.since(head);
        let Some(power) = power.or(behind) else { return Ok(value) };
        let part = self.build.binary(Infix::Power, value, power)?;
        Ok(Part { expr: Expr { span, ..part.expr }, ..part })
    }

    /// What a function is of.
    fn arguments(&mut self, name: &str) -> Result<Vec<Part>, Diagnostic> {
        let close = match &self.peek().kind {
            PieceKind::Sign('(') => Some(PieceKind::Sign(')')),
            PieceKind::Sign('[') => Some(PieceKind::Sign(']')),
            PieceKind::Command(brace) if brace == "{" => Some(PieceKind::Command("}".to_owned())),
            _ => None,
        };
        let start = self.peek().span;
        let Some(close) = close else {
            // SymPy writes `\sin{\left(x \right)}`.
            if self.is_sign('{') {
                let at = self.at;
                let part = self.unseen_group()?;
                if part.grouped {
                    self.no_power(name, start)?;
                    return Ok(vec![part]);
                }
                self.at = at;
            }
            return self.implicit(name).map(|part| vec![part]);
        };
        self.at += 1;
        let mut all = Vec::new();
        loop {
            all.push(self.outside_bars(Self::sum)?);
            if self.peek().kind == close {
                self.at += 1;
                break;
            }
            self.expect(',')?;
        }
        if all.len() == 1 {
            self.no_power(name, start)?;
        }
        Ok(all)
    }

    /// That no power is behind brackets, which may be of the function or of what is in them.
    fn no_power(&self, name: &str, start: Span) -> Result<(), Diagnostic> {
        if !self.is_sign('^') {
            return Ok(());
        }
        let span = Span { start: start.start, end: self.peek().span.end };
        let message = "a power behind the brackets of a function has two readings";
        Err(Diagnostic::semantic(span, message).hint(format!("write `\\{name}^2(x)` or `\\{name}((x)^2)`")))
    }

    /// Factors without brackets: `2\pi f t`, a fraction, a root, or another function.
    fn implicit(&mut self, name: &str) -> Read {
        let unclear = |latex: &Self, why: &str| {
            let message = format!("what `\\{name}` is of has two readings: {why}");
            Diagnostic::semantic(latex.peek().span, message).hint(format!("write brackets: `\\{name}(…)`"))
        };
        let is_other = |latex: &Self| latex.is_function();
        if is_other(self) {
            return self.factor();
        }
        if !self.starts_factor(self.peek()) {
            return Err(self.unexpected(&format!("what `\\{name}` is of is missing")));
        }
        let mut left: Option<Part> = None;
        loop {
            let is_plain = matches!(self.peek().kind, PieceKind::Number(..))
                || self.starts_variable()
                || self.command() == Some("pi");
            let only_numbers = left.as_ref().is_none_or(|l| matches!(l.expr.kind, ExprKind::Number(_)));
            if !is_plain && !only_numbers {
                break;
            }
            if let Some(before) = left.is_some().then(|| self.pieces[self.at - 1].clone()) {
                self.beside(&before)?;
            }
            let right = self.factor()?;
            left = Some(match left {
                Some(left) => self.build.binary(Infix::Mul, left, right)?,
                None => right,
            });
            if !is_plain || !self.starts_factor(self.peek()) || is_other(self) {
                break;
            }
        }
        if self.is_sign('/') || self.command() == Some("div") {
            return Err(unclear(self, "with or without the quotient"));
        }
        if self.starts_factor(self.peek()) && !is_other(self) {
            return Err(unclear(self, "with or without the factor behind it"));
        }
        left.ok_or_else(|| self.unexpected("a number, a letter or a bracket is missing"))
    }
}
