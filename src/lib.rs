//! Mutation testing of numerical specifications.

pub mod num;
pub mod ops;
pub mod spec;
