//! Goals of code: inputs that reach them, and proofs that none does.

pub mod aim;
mod along;
pub mod attack;
pub mod coverage;
mod distance;
pub mod infeasible;
pub mod lines;
pub mod paths;
pub mod pool;
pub mod recheck;
pub mod replay;
mod runs;
mod turning;
pub mod value;
pub(crate) mod watch;
