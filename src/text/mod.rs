//! Texts that people write: places in them, what is wrong at one, how messages quote them, and S-expressions.

pub mod diagnostic;
pub mod place;
pub mod quote;
pub mod sexp;
pub mod span;
pub mod spelling;

pub use diagnostic::{Diagnostic, DiagnosticKind};
pub use place::{Lines, line_column};
pub use quote::{clip, is_hidden, number_of, quote, visible};
pub use span::Span;
pub use spelling::nearest;
pub(crate) use spelling::nearest_within;
