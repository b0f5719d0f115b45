//! Sorts of a script.

use super::Result;
use crate::floats::Format;
use crate::solve::float::Sort;
use crate::text::sexp::{Sexp, SexpKind};
use crate::text::{Diagnostic, Span, quote};
use std::collections::HashMap;

/// Names of sorts that a script defines.
pub(super) type Names<'a> = HashMap<&'a str, Of>;

/// A sort of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Sort(Sort),
    /// Real numbers.
    Real,
    /// Integers: numbers as well, but no unknowns.
    Int,
}

impl Of {
    pub(super) fn named(self) -> String {
        match self {
            Of::Sort(sort) => named(sort),
            Of::Real => "Real".to_owned(),
            Of::Int => "Int".to_owned(),
        }
    }

    /// Whether a term of this sort may stand where another is expected; integers are not told from real numbers.
    pub(super) fn fits(self, other: Of) -> bool {
        self == other || (!matches!(self, Of::Sort(_)) && !matches!(other, Of::Sort(_)))
    }
}

/// A sort as a script writes it.
pub(super) fn named(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Mode => "RoundingMode".to_owned(),
        Sort::Float(format) => format!("(_ FloatingPoint {} {})", format.exponent_bits(), format.precision()),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
    }
}

/// A number of an indexed name.
pub(super) fn index(sexp: &Sexp<'_>) -> Result<u32> {
    let number = sexp.atom().filter(|a| a.bytes().all(|b| b.is_ascii_digit())).and_then(|a| a.parse().ok());
    number.ok_or_else(|| Diagnostic::syntax(sexp.span, "a numeral is expected"))
}

/// The format with two indices.
pub(super) fn format(span: Span, indices: &[Sexp<'_>]) -> Result<Format> {
    let [exponent, precision] = indices else {
        return Err(Diagnostic::syntax(span, "a format has two indices: bits of the exponent and of the significand"));
    };
    Format::new(index(exponent)?, index(precision)?).ok_or_else(|| {
        let wrong = Diagnostic::unsupported(span, "this floating-point format is not supported");
        wrong.hint("formats have 2 to 15 bits of exponent, 2 to 60 of significand, and 64 in all at most")
    })
}

/// The sort that is written.
pub(super) fn sort(names: &Names<'_>, sexp: &Sexp<'_>) -> Result<Of> {
    let known = |sort| Ok(Of::Sort(sort));
    match &sexp.kind {
        SexpKind::Atom("Bool") => known(Sort::Bool),
        SexpKind::Atom("RoundingMode") => known(Sort::Mode),
        SexpKind::Atom("Float16") => known(Sort::Float(Format::BINARY16)),
        SexpKind::Atom("Float32") => known(Sort::Float(Format::BINARY32)),
        SexpKind::Atom("Float64") => known(Sort::Float(Format::BINARY64)),
        SexpKind::Atom("Real") => Ok(Of::Real),
        SexpKind::Atom("Int") => Ok(Of::Int),
        SexpKind::Atom(name) => names.get(name).copied().ok_or_else(|| {
            Diagnostic::unsupported(sexp.span, format!("there is no sort {}", quote(name))).hint(
                "sorts are Bool, RoundingMode, (_ FloatingPoint E S), Float16, Float32, Float64, (_ BitVec N) and Real",
            )
        }),
        SexpKind::List(items) => match items.as_slice() {
            [under, name, indices @ ..] if under.atom() == Some("_") => match (name.atom(), indices) {
                (Some("FloatingPoint"), indices) => known(Sort::Float(format(sexp.span, indices)?)),
                (Some("BitVec"), [width]) => {
                    let width = index(width)?;
                    if (1..=64).contains(&width) {
                        known(Sort::Bits(width))
                    } else {
                        Err(Diagnostic::unsupported(sexp.span, "bit vectors have 1 to 64 bits here"))
                    }
                }
                _ => Err(Diagnostic::unsupported(sexp.span, "there is no such sort")),
            },
            _ => Err(Diagnostic::unsupported(sexp.span, "there is no such sort")),
        },
        SexpKind::Text(_) => Err(Diagnostic::syntax(sexp.span, "a sort is expected")),
    }
}
