//! Mutation testing of numerical specifications.

pub mod bench;
pub mod csp;
pub mod mutate;
pub mod num;
pub mod ops;
pub mod oracle;
pub mod solver;
pub mod spec;
pub mod suite;
pub mod tape;
