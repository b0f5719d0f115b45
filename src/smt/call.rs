//! What terms of a script mean, and what an operator is given.

use super::Result;
use super::arrays::Array;
use super::poly::Real;
use super::sorts;
use crate::solve::float::{Graph, Sort, Term};
use crate::text::{Diagnostic, Span, quote};

/// What a term of a script is.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Term(Term),
    /// A real number.
    Real(Real),
    Array(Array),
}

/// What an operator is given: its place, its name and its operands.
pub(super) struct Call<'s> {
    pub(super) span: Span,
    pub(super) name: &'s str,
    pub(super) operands: &'s [Meaning],
}

impl Call<'_> {
    /// A mistake at this call.
    pub(super) fn wrong(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::semantic(self.span, message)
    }

    /// That there are so many operands, at most `most`.
    pub(super) fn count(&self, least: usize, most: usize) -> Result<()> {
        let n = self.operands.len();
        if (least..=most).contains(&n) {
            return Ok(());
        }
        let wanted = if least == most { least.to_string() } else { format!("{least} or more") };
        Err(self.wrong(format!("{} takes {wanted} operands, and has {n}", quote(self.name))))
    }

    /// An operand that is a term.
    pub(super) fn term(&self, i: usize) -> Result<Term> {
        match &self.operands[i] {
            Meaning::Term(term) => Ok(*term),
            Meaning::Array(_) => Err(self.wrong(format!("operand {} of {} is an array", i + 1, quote(self.name)))),
            Meaning::Real(_) => {
                let message = format!("operand {} of {} is a real number", i + 1, quote(self.name));
                Err(self.wrong(message).hint("`((_ to_fp E S) RNE …)` makes it a float"))
            }
        }
    }

    /// An operand of a sort.
    pub(super) fn of(&self, graph: &Graph, i: usize, sort: Sort) -> Result<Term> {
        let term = self.term(i)?;
        let found = graph.sort(term);
        if found == sort {
            return Ok(term);
        }
        let (name, sort, found) = (quote(self.name), sorts::named(sort), sorts::named(found));
        Err(self.wrong(format!("operand {} of {name} is of sort {found}, and should be of sort {sort}", i + 1)))
    }

    /// All operands, of the sort of the first.
    pub(super) fn alike(&self, graph: &Graph) -> Result<Vec<Term>> {
        let sort = graph.sort(self.term(0)?);
        (0..self.operands.len()).map(|i| self.of(graph, i, sort)).collect()
    }
}

/// The width of an operand.
pub(super) fn width_of(graph: &Graph, call: &Call<'_>, i: usize) -> Result<u32> {
    match graph.sort(call.term(i)?) {
        Sort::Bits(width) => Ok(width),
        other => {
            let (name, sort) = (quote(call.name), sorts::named(other));
            Err(call.wrong(format!("operand {} of {name} should be a bit vector, and is of sort {sort}", i + 1)))
        }
    }
}
