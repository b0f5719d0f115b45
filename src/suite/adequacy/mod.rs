//! What tests are worth: which mutants they kill, what they miss, which of them would do.

pub(super) mod claims;
pub(super) mod complete;
pub mod evaluate;
pub(super) mod minimize;
pub(super) mod plain;
pub mod second;
pub(super) mod standings;
pub mod subsumption;
