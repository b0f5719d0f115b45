//! Specifications: reading and printing FPCore, and what a core means as a specification.

pub mod accuracy;
mod arithmetic;
mod beside;
mod constant;
pub mod core;
mod domain;
mod inline;
pub mod inputs;
mod meaning;
mod number;
mod overflow;
pub mod parse;
pub mod people;
pub mod pick;
mod precondition;
pub mod print;
mod property;
mod range;
pub mod remarks;
pub mod resolve;
mod results;
mod same;
mod shape;
mod sizes;
mod sort;
pub mod unroll;
mod zeros;

pub use accuracy::{Accuracy, Overrides, parse_error_bound, parse_format, parse_libm_ulps, parse_ulps};
pub use arithmetic::DIRECTIONS;
pub use beside::beside;
pub use inputs::{EmptyRange, InputBox};
pub use meaning::{is_program, program_in_words};
pub use number::{BadNumber, parse_rational, rational_text};
pub use overflow::{saturated, wrapped};
pub use parse::{File, parse_file};
pub use property::{misspelt, precisions, properties};
pub use range::{Range, RangeEnd, parse_domain};
pub use resolve::{Input, OutOfRange, Spec, resolve};
pub use results::ResultPlace;
pub use same::{same_core, same_expr};
pub(crate) use sort::{Sort, is_condition, sort, variables};

/// The deepest nesting of an FPCore that is read or made: whatever walks over the tree may recurse.
pub const MAX_DEPTH: usize = crate::text::sexp::Dialect::FpCore.deepest();
