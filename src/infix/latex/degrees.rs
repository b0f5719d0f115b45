//! Angles in degrees: `30^\circ`.

use super::super::build::{Build, Part, Read};
use super::Latex;
use super::lex::PieceKind;
use crate::text::{Diagnostic, Span};

impl Latex<'_> {
    /// Takes `^\circ` or `^{\circ}`.
    fn takes_circle(&mut self) -> bool {
        let is = |k: usize, kind: &PieceKind| self.pieces.get(self.at + k).is_some_and(|p| p.kind == *kind);
        let circle = PieceKind::Command("circ".to_owned());
        let taken = match () {
            () if !is(0, &PieceKind::Sign('^')) => 0,
            () if is(1, &circle) => 2,
            () if is(1, &PieceKind::Sign('{')) && is(2, &circle) && is(3, &PieceKind::Sign('}')) => 4,
            () => 0,
        };
        self.at += taken;
        taken > 0
    }

    /// An operand, which is an angle if a circle of degrees is behind it.
    pub(super) fn degrees(&mut self, of: Part, start: Span) -> Read {
        if !self.takes_circle() {
            return Ok(of);
        }
        let span = self.since(start);
        let is_scale = match &self.peek().kind {
            PieceKind::Letter(letter) => matches!(letter, 'C' | 'F'),
            PieceKind::Upright(word) => matches!(word.as_str(), "C" | "F"),
            _ => false,
        };
        if is_scale {
            return Err(Diagnostic::semantic(span, "a unit of temperature is no part of a formula")
                .hint("leave units out: a range may have one, as in `T=[0,100] °C`"));
        }
        self.build.assume(span, format!("`{}` is an angle in degrees", self.spelled(span)));
        let angle = self.build.template("(* x (/ PI 180))", vec![Build::as_number(of)?], span)?;
        Ok(Part { grouped: true, ..angle })
    }
}
