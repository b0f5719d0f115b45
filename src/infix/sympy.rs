//! What SymPy prints: `srepr`, which names every operation, and expressions with SymPy's functions.

use super::build::{Build, Kind, Part, Read};
use super::lex::TokenKind;
use super::operators::Infix;
use super::parse::Parser;
use crate::ops::Op;
use crate::spec::core::{Compare, Expr, ExprKind, Number};
use crate::spec::parse_rational;
use crate::text::{Diagnostic, Span, quote};

/// Names of relations.
const RELATIONS: [(&str, Compare); 12] = [
    ("StrictLessThan", Compare::Lt),
    ("LessThan", Compare::Le),
    ("StrictGreaterThan", Compare::Gt),
    ("GreaterThan", Compare::Ge),
    ("Equality", Compare::Eq),
    ("Unequality", Compare::Ne),
    ("Lt", Compare::Lt),
    ("Le", Compare::Le),
    ("Gt", Compare::Gt),
    ("Ge", Compare::Ge),
    ("Eq", Compare::Eq),
    ("Ne", Compare::Ne),
];
/// What is no formula of numbers.
const REFUSED: [&str; 14] = [
    "Derivative",
    "Integral",
    "Sum",
    "Product",
    "Limit",
    "Matrix",
    "ImmutableDenseMatrix",
    "Function",
    "Subs",
    "Order",
    "conjugate",
    "re",
    "im",
    "polar_lift",
];

impl Parser<'_> {
    /// A call that SymPy alone has, behind its opening bracket; none for a plain function.
    pub(super) fn sympy_call(&mut self, name: &str, head: Span) -> Option<Read> {
        let relation = RELATIONS.iter().find(|(own, _)| *own == name).map(|(_, relation)| *relation);
        Some(match name {
            "Symbol" | "Dummy" | "symbols" | "Wild" => self.symbol(head),
            "Integer" | "Float" | "Rational" | "S" | "sympify" | "Number" => self.sympy_number(name, head),
            "Add" | "Mul" | "Pow" => self.operation(name, head),
            "Piecewise" => self.piecewise(head),
            "And" | "Or" | "Not" => self.logic(name, head),
            _ if relation.is_some() => self.sympy_arguments().and_then(|mut parts| {
                let relation = relation.unwrap_or(Compare::Eq);
                parts.truncate(2);
                if parts.len() < 2 {
                    return Err(Diagnostic::syntax(head, format!("{} compares two operands", quote(name))));
                }
                self.build.compared(parts, &[relation])
            }),
            _ if REFUSED.contains(&name) => {
                Err(Diagnostic::semantic(head, format!("{} is no function of numbers", quote(name)))
                    .hint("evaluate it in SymPy first, as by `.doit()`"))
            }
            _ => return None,
        })
    }

    /// The place of a call whose last bracket was taken.
    fn called(&self, head: Span) -> Span {
        Span { start: head.start, end: self.tokens[self.at.max(1) - 1].span.end }
    }

    /// Takes `positive=True` and its kin, which say nothing of a value.
    fn keywords(&mut self) -> Result<(), Diagnostic> {
        while self.takes(",") {
            if self.sign() == Some(")") {
                break;
            }
            self.next();
            self.expect("=")?;
            self.next();
        }
        self.expect(")")
    }

    /// `Symbol('x', real=True)`.
    fn symbol(&mut self, head: Span) -> Read {
        let token = self.next();
        let TokenKind::Text(name) = token.kind else {
            self.at -= 1;
            return Err(self.unexpected("the name of a symbol is missing").hint("write `Symbol('x')`"));
        };
        self.keywords()?;
        let is_name = name.starts_with(super::lex::is_start)
            && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'');
        if !is_name {
            let message = format!("{} is no name of an input", quote(&name));
            return Err(Diagnostic::semantic(token.span, message).hint("name the symbol with letters, digits and `_`"));
        }
        let span = self.called(head);
        Ok(self.build.input(&name, span))
    }

    /// `Integer(2)`, `Float('0.5', precision=53)`, `Rational(1, 3)`.
    fn sympy_number(&mut self, name: &str, head: Span) -> Read {
        let token = self.peek().clone();
        if let TokenKind::Text(text) = token.kind {
            self.at += 1;
            self.keywords()?;
            let text = text.trim().to_owned();
            let value = parse_rational(&text).map_err(|e| Diagnostic::syntax(token.span, e.to_string()))?;
            let span = self.called(head);
            return Ok(Build::real(Expr { kind: ExprKind::Number(Number { value, text }), span }));
        }
        let mut parts = self.sympy_arguments()?;
        let span = self.called(head);
        match (name, parts.len()) {
            ("Rational", 2) => {
                let bottom = parts.remove(1);
                self.build.binary(Infix::Div, parts.remove(0), bottom).map(|part| Part { grouped: true, ..part })
            }
            (_, 1) => Ok(Part { grouped: true, ..parts.remove(0) }),
            _ => Err(Diagnostic::syntax(span, format!("{} has too many arguments", quote(name)))),
        }
    }

    /// The arguments of a call, up to its last bracket; keywords are left out.
    fn sympy_arguments(&mut self) -> Result<Vec<Part>, Diagnostic> {
        let mut parts = Vec::new();
        while !self.takes(")") {
            let is_keyword = self.tokens.get(self.at + 1).is_some_and(|t| t.kind == TokenKind::Sign("="));
            if is_keyword {
                self.at += 3;
            } else {
                parts.push(self.formula()?);
            }
            if self.sign() != Some(")") {
                self.expect(",")?;
            }
        }
        Ok(parts)
    }

    /// `Add(…)`, `Mul(…)`, `Pow(x, y)` as a person would write them.
    fn operation(&mut self, name: &str, head: Span) -> Read {
        let parts = self.sympy_arguments()?;
        let span = self.called(head);
        let mut operands = parts.into_iter().map(Build::as_number).collect::<Result<Vec<_>, _>>()?;
        if operands.is_empty() || name == "Pow" && operands.len() != 2 {
            return Err(Diagnostic::syntax(span, format!("{} has other arguments", quote(name))));
        }
        let expr = match name {
            "Add" => sum(operands, span),
            "Mul" => product(operands, span),
            _ => {
                let exponent = operands.swap_remove(1);
                power(operands.swap_remove(0), exponent, span)
            }
        };
        Ok(Part { grouped: true, ..Build::real(expr) })
    }

    /// `Piecewise((x, x > 0), (0, True))`, also with `ExprCondPair(…)`.
    fn piecewise(&mut self, head: Span) -> Read {
        let mut rows = Vec::new();
        let last = loop {
            if let TokenKind::Name { name, .. } = &self.peek().kind
                && matches!(name.as_str(), "ExprCondPair" | "Tuple")
            {
                self.at += 1;
            }
            self.expect("(")?;
            let value = self.formula()?;
            self.expect(",")?;
            let is_else =
                matches!(&self.peek().kind, TokenKind::Name { name, .. } if matches!(name.as_str(), "True" | "true"));
            if is_else {
                self.at += 1;
                self.expect(")")?;
                break value;
            }
            let condition = self.formula()?;
            self.expect(")")?;
            rows.push((condition, value));
            if !self.takes(",") || self.sign() == Some(")") {
                return Err(self.unexpected("the last case has to be for `True`").hint(
                    "where no condition holds, the formula would have no value: write `(0, True)` as the last case",
                ));
            }
        };
        self.takes(",");
        self.expect(")")?;
        let span = self.called(head);
        rows.into_iter().rev().try_fold(last, |no, (condition, yes)| Build::conditional(condition, yes, no, span))
    }

    /// `And(…)`, `Or(…)`, `Not(x)`.
    fn logic(&mut self, name: &str, head: Span) -> Read {
        let parts = self.sympy_arguments()?;
        let span = self.called(head);
        let mut parts = parts.into_iter();
        let Some(first) = parts.next() else {
            return Err(Diagnostic::syntax(span, format!("{} has no arguments", quote(name))));
        };
        if name == "Not" {
            return Build::not(first, span);
        }
        let means = if name == "And" { Infix::And } else { Infix::Or };
        let first = Part { expr: Build::as_condition(first)?, kind: Kind::Condition, grouped: false };
        parts.try_fold(first, |left, right| self.build.binary(means, left, right))
    }
}

fn op(op: Op, operands: Vec<Expr>, span: Span) -> Expr {
    Expr { kind: ExprKind::Op(op, operands), span }
}

/// A number without its sign, if it has one.
fn positive(e: &Expr) -> Option<Expr> {
    match &e.kind {
        ExprKind::Number(n) if n.value < 0 => {
            let number = Number { value: -n.value.clone(), text: n.text.trim_start_matches('-').to_owned() };
            Some(Expr { kind: ExprKind::Number(number), span: e.span })
        }
        ExprKind::Op(Op::Neg, es) => es.first().cloned(),
        ExprKind::Op(o @ (Op::Mul | Op::Div), es) => {
            let mut es = es.clone();
            es[0] = positive(&es[0])?;
            Some(op(*o, es, e.span))
        }
        _ => None,
    }
}

fn is(e: &Expr, value: u32) -> bool {
    matches!(&e.kind, ExprKind::Number(n) if n.value == value)
}

/// A sum in which negative terms are taken away.
fn sum(terms: Vec<Expr>, span: Span) -> Expr {
    let mut terms = terms.into_iter();
    let first = terms.next().unwrap_or_else(|| Expr::number(0.into()));
    terms.fold(first, |left, term| match (positive(&term), left.kind) {
        (Some(term), kind) => op(Op::Sub, vec![Expr { kind, span: left.span }, term], span),
        (None, ExprKind::Op(Op::Add, mut all)) => {
            all.push(term);
            op(Op::Add, all, span)
        }
        (None, kind) => op(Op::Add, vec![Expr { kind, span: left.span }, term], span),
    })
}

/// A product in which what is divided by stands below.
fn product(factors: Vec<Expr>, span: Span) -> Expr {
    let (mut above, mut below, mut is_negative) = (Vec::new(), Vec::new(), false);
    for factor in factors {
        let factor = match positive(&factor) {
            Some(factor) => {
                is_negative = !is_negative;
                factor
            }
            None => factor,
        };
        match factor.kind {
            ExprKind::Op(Op::Div, mut es) if es.len() == 2 => {
                below.extend(es.pop());
                above.extend(es.pop());
            }
            kind => above.push(Expr { kind, span: factor.span }),
        }
    }
    above.retain(|e| !is(e, 1));
    let joined = |mut all: Vec<Expr>| match all.len() {
        0 => Expr::number(1.into()),
        1 => all.remove(0),
        _ => op(Op::Mul, all, span),
    };
    let above = joined(above);
    let whole = if below.is_empty() { above } else { op(Op::Div, vec![above, joined(below)], span) };
    if is_negative { op(Op::Neg, vec![whole], span) } else { whole }
}

/// A power: a root or a quotient where it is one.
fn power(base: Expr, exponent: Expr, span: Span) -> Expr {
    if let Some(exponent) = positive(&exponent) {
        return op(Op::Div, vec![Expr::number(1.into()), power(base, exponent, span)], span);
    }
    let is_half = match &exponent.kind {
        ExprKind::Number(n) => n.value.clone() * 2_u32 == 1,
        ExprKind::Op(Op::Div, es) => matches!(&es[..], [a, b] if is(a, 1) && is(b, 2)),
        _ => false,
    };
    match is_half {
        true => op(Op::Sqrt, vec![base], span),
        false if is(&exponent, 1) => base,
        false => op(Op::Pow, vec![base, exponent], span),
    }
}
