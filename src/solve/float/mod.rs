//! The same loop over floats: formulas of IEEE 754 arithmetic, decided exactly.
//!
//! A value of any binary format is its ordinal ([`mod@crate::floats::format`]), what it may be is a range of ordinals with a flag for NaN
//! ([`crate::floats::set`]). Correctly rounded functions ([`crate::floats::soft`]) are projected both ways ([`project`]), comparisons too ([`relate`]);
//! [`propagate`] does that over a graph of terms ([`op`], [`term`]) until nothing more follows, and [`problem`] is what the search
//! cuts. What it takes for a solution is evaluated exactly ([`value`], [`apply`]), whatever brought it there.

mod affine;
pub mod apply;
pub mod domain;
pub mod eliminate;
pub mod evaluation;
pub mod exact;
mod image;
mod integers;
pub mod library;
mod monotone;
pub mod op;
mod orders;
pub mod problem;
pub mod project;
pub mod propagate;
pub mod relate;
mod rewrite;
mod slices;
mod sum;
pub mod term;
pub mod value;
mod wide;

pub use eliminate::{Eliminated, eliminate, eliminate_equal};
pub use library::Library;
pub use op::{BitsOp, ELEMENT_BITS, Sort, TermOp};
pub use problem::{Cuts, Satisfy};
pub use term::{Graph, Term};
