//! Specifications: reading and printing FPCore, and what a core means as a specification.

pub mod core;
pub mod diagnostic;
mod number;
pub mod parse;
pub mod print;
mod same;
mod sexp;

pub use diagnostic::{Diagnostic, DiagnosticKind};
pub use number::{parse_rational, rational_text};
pub use parse::{File, parse_file};
pub use same::{same_core, same_expr};
pub use sexp::MAX_DEPTH;
