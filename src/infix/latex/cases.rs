//! `\begin{cases} a & x < 0 \\ b & \text{otherwise} \end{cases}`.

use super::super::build::{Build, Part, Read};
use super::super::operators::Infix;
use super::Latex;
use super::lex::PieceKind;
use crate::spec::core::{Compare, Expr, ExprKind};
use crate::text::Diagnostic;

const ELSE: [&str; 4] = ["otherwise", "else", "otherwise.", "sonst"];
const IF: [&str; 4] = ["if", "for", "when", "where"];

impl Latex<'_> {
    /// Takes an upright word out of some.
    fn takes_word(&mut self, words: &[&str]) -> bool {
        let is_next = matches!(&self.peek().kind, PieceKind::Upright(word) if words.contains(&word.trim()));
        self.at += usize::from(is_next);
        is_next
    }

    /// Takes `{cases}` behind `\begin` or `\end`.
    fn environment(&mut self) -> Result<(), Diagnostic> {
        let start = self.peek().span;
        self.at += 1;
        self.expect('{')?;
        let mut name = String::new();
        while let PieceKind::Letter(letter) = self.peek().kind {
            name.push(letter);
            self.at += 1;
        }
        self.expect('}')?;
        if matches!(name.as_str(), "cases" | "dcases") {
            return Ok(());
        }
        let message = format!("`{name}` is no formula of numbers");
        Err(Diagnostic::syntax(self.since(start), message).hint("one formula is read, and `\\begin{cases}`"))
    }

    /// Values with their conditions.
    pub(super) fn cases(&mut self) -> Read {
        let start = self.peek().span;
        self.environment()?;
        let mut rows: Vec<(Part, Part)> = Vec::new();
        let last = loop {
            let value = self.outside_bars(Self::sum)?;
            self.takes(',');
            self.expect('&')?;
            if self.takes_word(&ELSE) {
                self.takes('.');
                self.takes_command(&["\\"]);
                break value;
            }
            self.takes_word(&IF);
            let condition = self.outside_bars(Self::condition)?;
            self.takes('.');
            self.takes(',');
            rows.push((condition, value));
            if self.takes_command(&["\\"]) && self.command() != Some("end") {
                continue;
            }
            // `x < 0` and `x \ge 0` are all there is.
            if rows.len() == 2 && is_opposite(&rows[0].0, &rows[1].0) && self.command() == Some("end") {
                break rows.remove(1).1;
            }
            return Err(self.unexpected("the last case has to be `\\text{otherwise}`").hint(
                "where no condition holds, the formula would have no value: write `\\text{otherwise}` as the last condition",
            ));
        };
        if self.command() != Some("end") {
            return Err(self.unexpected("`\\end{cases}` is missing"));
        }
        self.environment()?;
        let span = self.since(start);
        rows.into_iter().rev().try_fold(last, |no, (condition, yes)| Build::conditional(condition, yes, no, span))
    }

    /// Comparisons with `\land` and `\lor` between them.
    fn condition(&mut self) -> Read {
        let mut left = self.all_of()?;
        while self.takes_command(&["lor", "vee"]) || self.takes_word(&["or"]) {
            let right = self.all_of()?;
            left = self.build.binary(Infix::Or, left, right)?;
        }
        Ok(left)
    }

    fn all_of(&mut self) -> Read {
        let mut left = self.comparison()?;
        while self.takes_command(&["land", "wedge"]) || self.takes_word(&["and"]) {
            let right = self.comparison()?;
            left = self.build.binary(Infix::And, left, right)?;
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Read {
        let (mut parts, mut relations) = (vec![self.sum()?], Vec::new());
        while let Some(relation) = self.relation() {
            self.at += 1;
            relations.push(relation);
            parts.push(self.sum()?);
        }
        if relations.is_empty() {
            return Err(self.unexpected("a comparison is missing").hint("write a condition such as `x < 0`"));
        }
        self.build.compared(parts, &relations)
    }

    fn relation(&self) -> Option<Compare> {
        Some(match &self.peek().kind {
            PieceKind::Sign('<') => Compare::Lt,
            PieceKind::Sign('>') => Compare::Gt,
            PieceKind::Sign('=') => Compare::Eq,
            PieceKind::Sign('≤') => Compare::Le,
            PieceKind::Sign('≥') => Compare::Ge,
            PieceKind::Sign('≠') => Compare::Ne,
            PieceKind::Command(name) => match name.as_str() {
                "lt" => Compare::Lt,
                "gt" => Compare::Gt,
                "le" | "leq" | "leqslant" => Compare::Le,
                "ge" | "geq" | "geqslant" => Compare::Ge,
                "ne" | "neq" => Compare::Ne,
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// Whether one of two comparisons holds wherever the other does not.
fn is_opposite(a: &Part, b: &Part) -> bool {
    let (ExprKind::Compare(first, left), ExprKind::Compare(second, right)) = (&a.expr.kind, &b.expr.kind) else {
        return false;
    };
    let text = |e: &[Expr]| -> Vec<String> { e.iter().map(Expr::to_string).collect() };
    let (left, mut right, mut second) = (text(left), text(right), *second);
    if left.len() != 2 || right.len() != 2 {
        return false;
    }
    if left != right {
        right.reverse();
        second = match second {
            Compare::Lt => Compare::Gt,
            Compare::Gt => Compare::Lt,
            Compare::Le => Compare::Ge,
            Compare::Ge => Compare::Le,
            same => same,
        };
    }
    let opposite = match first {
        Compare::Lt => Compare::Ge,
        Compare::Ge => Compare::Lt,
        Compare::Le => Compare::Gt,
        Compare::Gt => Compare::Le,
        Compare::Eq => Compare::Ne,
        Compare::Ne => Compare::Eq,
    };
    left == right && second == opposite
}
