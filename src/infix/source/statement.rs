//! Statements, as far as they are a formula.

use super::super::operators::Infix;
use crate::text::Span;
use tree_sitter::Node;

/// What the type of a variable lets it hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Number,
    /// A number that is rounded to binary32.
    Single,
    /// C's integers: a number without its fraction, or whether a condition holds.
    Whole,
    /// Whether a condition holds.
    Truth,
    /// Python's names: anything.
    Any,
    /// What its first value is: `auto` of C++.
    Auto,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) holds: Holds,
    /// The format of an input that it is, as FPCore writes it, where integers alone are passed.
    pub(super) integers: Option<&'static str>,
}

/// A function of a file.
#[derive(Clone, Debug)]
pub(super) struct Definition<'t> {
    pub(super) parameters: Vec<Parameter>,
    /// Whether a parameter or the result is a float of C.
    pub(super) is_single: bool,
    /// Whether it is one function for each type of its arguments.
    pub(super) is_generic: bool,
    /// Whether its result has the type of what is returned.
    pub(super) is_deduced: bool,
    pub(super) body: Vec<Statement<'t>>,
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Statement<'t> {
    /// Variables get values at once, or are declared without one.
    Set {
        parts: Vec<(String, Option<Node<'t>>)>,
        /// What they may hold, where they are declared.
        declares: Option<Holds>,
        /// The operation of `+=` and its kin.
        operator: Option<Infix>,
        at: Span,
    },
    /// A choice.
    If { condition: Node<'t>, yes: Vec<Statement<'t>>, no: Vec<Statement<'t>>, at: Span },
    /// The result.
    Return { value: Node<'t> },
    /// No result: NaN or an error.
    Nothing { at: Span },
    /// No result unless a condition holds.
    Require { condition: Node<'t> },
}

impl Statement<'_> {
    /// Whether nothing behind it is reached.
    pub(super) fn ends(&self) -> bool {
        match self {
            Statement::Return { .. } | Statement::Nothing { .. } => true,
            Statement::If { yes, no, .. } => yes.iter().any(Self::ends) && no.iter().any(Self::ends),
            _ => false,
        }
    }

    /// Whether something behind it may not be reached.
    pub(super) fn may_end(&self) -> bool {
        match self {
            Statement::Return { .. } | Statement::Nothing { .. } | Statement::Require { .. } => true,
            Statement::If { yes, no, .. } => yes.iter().chain(no).any(Self::may_end),
            Statement::Set { .. } => false,
        }
    }
}
