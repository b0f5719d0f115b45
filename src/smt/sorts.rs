//! Sorts of a script.

use super::Result;
use super::arrays::ArraySort;
use super::model::symbol;
use crate::floats::Format;
use crate::solve::float::Sort;
use crate::text::sexp::{Sexp, SexpKind};
use crate::text::{Diagnostic, Span, quote};
use std::collections::HashMap;

/// The most bits of a vector.
pub(super) const MOST_WIDTH: u32 = 1 << 16;

/// Names of sorts that a script defines.
#[derive(Clone, Debug, Default)]
pub(super) struct Names<'a> {
    known: HashMap<&'a str, Named<'a>>,
    /// Names of sorts that are declared, by their numbers.
    declared: Vec<&'a str>,
}

#[derive(Clone, Debug)]
enum Named<'a> {
    Sort(Of),
    /// One with parameters: it is its body, with them put in.
    Parametric(Vec<&'a str>, Sexp<'a>),
}

impl<'a> Names<'a> {
    /// Say what a name is.
    pub(super) fn define(&mut self, name: &'a str, parameters: Vec<&'a str>, body: &Sexp<'a>) -> Result<()> {
        let named = if parameters.is_empty() {
            Named::Sort(sort(self, body)?)
        } else {
            Named::Parametric(parameters, body.clone())
        };
        self.known.insert(name, named);
        Ok(())
    }

    /// A new sort of which nothing is known.
    pub(super) fn declare(&mut self, name: &'a str) {
        let number = self.declared.len() as u32;
        self.declared.push(name);
        self.known.insert(name, Named::Sort(Of::Sort(Sort::Element(number))));
    }

    /// A sort as this script writes it.
    pub(super) fn written(&self, of: Of) -> String {
        let one = |sort: Sort| match sort {
            Sort::Element(number) => self.declared.get(number as usize).map_or_else(|| named(sort), |n| symbol(n)),
            _ => named(sort),
        };
        match of {
            Of::Sort(sort) => one(sort),
            Of::Array(ArraySort { index, element }) => format!("(Array {} {})", one(index), one(element)),
            _ => of.named(),
        }
    }
}

/// A sort of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Sort(Sort),
    Array(ArraySort),
    /// Real numbers.
    Real,
    /// Integers: numbers as well, but no unknowns.
    Int,
}

impl Of {
    pub(super) fn named(self) -> String {
        match self {
            Of::Sort(sort) => named(sort),
            Of::Array(ArraySort { index, element }) => format!("(Array {} {})", named(index), named(element)),
            Of::Real => "Real".to_owned(),
            Of::Int => "Int".to_owned(),
        }
    }

    /// Whether a term of this sort may stand where another is expected; integers are not told from real numbers.
    pub(super) fn fits(self, other: Of) -> bool {
        let is_number = |of: Of| matches!(of, Of::Real | Of::Int);
        self == other || (is_number(self) && is_number(other))
    }
}

/// A sort as a script writes it.
pub(super) fn named(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Mode => "RoundingMode".to_owned(),
        Sort::Float(format) => format!("(_ FloatingPoint {} {})", format.exponent_bits(), format.precision()),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Element(number) => format!("of a declared sort {number}"),
    }
}

/// That there are too many bits.
pub(super) fn too_wide(span: Span) -> Diagnostic {
    Diagnostic::unsupported(span, format!("bit vectors have 1 to {MOST_WIDTH} bits here"))
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
    Format::wide(index(exponent)?, index(precision)?).ok_or_else(|| {
        let wrong = Diagnostic::unsupported(span, "this floating-point format is not supported");
        wrong.hint("formats have 2 to 15 bits of exponent and 2 to 250 of significand")
    })
}

/// The sort that is written.
pub(super) fn sort<'a>(names: &Names<'a>, sexp: &Sexp<'a>) -> Result<Of> {
    let known = |sort| Ok(Of::Sort(sort));
    match &sexp.kind {
        SexpKind::Atom("Bool") => known(Sort::Bool),
        SexpKind::Atom("RoundingMode") => known(Sort::Mode),
        SexpKind::Atom("Float16") => known(Sort::Float(Format::BINARY16)),
        SexpKind::Atom("Float32") => known(Sort::Float(Format::BINARY32)),
        SexpKind::Atom("Float64") => known(Sort::Float(Format::BINARY64)),
        SexpKind::Atom("Float128") => {
            Format::wide(15, 113).map(|f| Of::Sort(Sort::Float(f))).ok_or_else(|| no_sort(sexp.span))
        }
        SexpKind::Atom("Real") => Ok(Of::Real),
        SexpKind::Atom("Int") => Ok(Of::Int),
        SexpKind::Atom(name) => match names.known.get(name) {
            Some(Named::Sort(of)) => Ok(*of),
            _ => Err(Diagnostic::unsupported(sexp.span, format!("there is no sort {}", quote(name))).hint(
                "sorts are Bool, RoundingMode, (_ FloatingPoint E S), Float16, Float32, Float64, Float128, (_ BitVec N), \
                 (Array I E), Real and what the script declares",
            )),
        },
        SexpKind::List(items) => match items.as_slice() {
            [under, name, indices @ ..] if under.atom() == Some("_") => match (name.atom(), indices) {
                (Some("FloatingPoint"), indices) => known(Sort::Float(format(sexp.span, indices)?)),
                (Some("BitVec"), [width]) => {
                    let width = index(width)?;
                    if (1..=MOST_WIDTH).contains(&width) { known(Sort::Bits(width)) } else { Err(too_wide(sexp.span)) }
                }
                _ => Err(no_sort(sexp.span)),
            },
            [head, rest @ ..] => applied(names, sexp, head.atom().unwrap_or_default(), rest),
            [] => Err(no_sort(sexp.span)),
        },
        SexpKind::Text(_) => Err(Diagnostic::syntax(sexp.span, "a sort is expected")),
    }
}

fn no_sort(span: Span) -> Diagnostic {
    Diagnostic::unsupported(span, "there is no such sort")
}

/// A sort that is made of others.
fn applied<'a>(names: &Names<'a>, sexp: &Sexp<'a>, head: &str, rest: &[Sexp<'a>]) -> Result<Of> {
    let of = rest.iter().map(|s| sort(names, s)).collect::<Result<Vec<Of>>>()?;
    match (head, names.known.get(head), &of[..]) {
        ("Array", _, [Of::Sort(index), Of::Sort(element)]) => {
            Ok(Of::Array(ArraySort { index: *index, element: *element }))
        }
        ("Array", _, [_, _]) => {
            let wrong = "places and values of arrays are truth values, floats, bit vectors or of declared sorts here";
            Err(Diagnostic::unsupported(sexp.span, wrong))
        }
        (_, Some(Named::Sort(of)), []) => Ok(*of),
        (_, Some(Named::Parametric(parameters, body)), of) if parameters.len() == of.len() => {
            let mut inner = names.clone();
            for (name, of) in parameters.iter().zip(of) {
                inner.known.insert(name, Named::Sort(*of));
            }
            sort(&inner, body)
        }
        _ => Err(no_sort(sexp.span)),
    }
}
