//! The branch-and-prune solver: a point that solves a problem, verified, or a proof that there is none.
//!
//! It knows no specification and no mutant. A [`Problem`] says what its parts are, what is known of one, how it is cut and
//! what a verified point is; [`search()`] is the one loop over parts. Problems over the reals share boxes, contractors and
//! bisection ([`reals`]); [`Conjunction`] is the one that asks for nothing but constraints.

pub mod answer;
pub mod bisect;
pub mod conjunction;
pub mod constraints;
pub mod contract;
pub mod float;
pub mod hc4;
pub mod problem;
pub mod reals;
pub mod search;
pub mod shave;
pub mod tally;

pub use answer::{Limits, SearchEnd, Stats, StopReason};
pub use bisect::Bisection;
pub use conjunction::Conjunction;
pub use constraints::{Cone, Constraint, Constraints};
pub use problem::{Care, PointCheck, Problem, Seen};
pub use search::{Turn, search, search_parts};
pub use tally::Tally;
