//! The branch-and-prune solver: probes, contractors, bisection, best-first search, verified answers.

pub mod batch;
pub mod bisect;
pub mod contract;
pub mod decide;
pub mod hc4;
mod lanes;
pub mod multi;
pub mod probes;
pub mod search;
pub mod shave;
pub mod spread;
pub mod tally;
pub mod verify;

pub use bisect::Bisection;
pub use decide::decide;
pub use search::{Answer, Care, Check, Limits, Stats, StopReason, search};
pub use tally::Tally;
pub use verify::Verifier;
