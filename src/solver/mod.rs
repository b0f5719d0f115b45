//! The branch-and-prune solver: contractors, bisection, best-first search.

pub mod bisect;
pub mod contract;
pub mod hc4;
pub mod meanvalue;
pub mod search;

pub use bisect::Bisection;
pub use search::{Answer, Check, Limits, Stats, StopReason, search};
