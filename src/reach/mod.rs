//! Goals of code: inputs that reach them, and proofs that none does.

pub mod aim;
mod along;
pub mod attack;
pub mod coverage;
pub mod document;
pub mod errors;
pub mod forms;
pub mod infeasible;
pub mod lines;
pub mod listing;
#[cfg(feature = "html")]
pub mod page;
pub mod paths;
pub mod recheck;
pub mod replay;
mod turning;
mod value;
mod watch;
