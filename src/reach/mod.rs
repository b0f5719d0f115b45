//! Goals of code: inputs that reach them, and proofs that none does.

pub mod coverage;
pub mod document;
pub mod errors;
mod forms;
pub mod infeasible;
#[cfg(feature = "html")]
pub mod page;
pub mod replay;
mod value;
mod watch;
