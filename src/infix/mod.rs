//! Formulas as people write them: infix text in one of several notations becomes FPCore.
//!
//! What a text means is what its notation makes of it, over the real numbers. Where notations differ, or a reader may take
//! a text for either of two formulas, the text is refused with a hint; nothing is guessed. What is taken for granted beside
//! that is an [`Assumption`] of the [`Reading`].

mod build;
mod constants;
mod declared;
mod functions;
mod latex;
mod lex;
mod notation;
mod operators;
mod parse;
mod places;
mod ranges;
mod source;
mod sympy;
mod template;

pub use declared::read;
pub use notation::Notation;
pub use places::Places;
pub use ranges::{InputRange, read_range};
pub use source::{SourceLanguage, functions_of, read_function};

use crate::spec::core::Core;
use crate::text::Span;

/// A formula that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The formula, with its inputs and their ranges. Its inputs are those that the text declares, then the others in the
    /// order of the text.
    pub core: Core,
    /// The name of the result, if the text has one: `v` of `v = x/t`.
    pub name: Option<String>,
    /// The inputs whose range is stated, be it any number.
    pub ranged: Vec<String>,
    /// What was taken for granted.
    pub assumptions: Vec<Assumption>,
}

/// Something that a reader took for granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The part of the text that it is about.
    pub span: Span,
    /// A sentence without a full stop.
    pub says: String,
}
