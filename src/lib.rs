//! Mutation testing of numerical specifications.

pub mod num;
pub mod ops;
pub mod spec;
pub mod tape;
pub mod oracle;
pub mod csp;
pub mod solver;
pub mod mutate;
