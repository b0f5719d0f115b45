//! Mutation testing of numerical specifications.

pub mod accept;
pub mod bench;
pub mod csp;
pub mod equiv;
pub mod harness;
pub mod lint;
pub mod mutate;
pub mod num;
pub mod ops;
pub mod options;
pub mod oracle;
pub mod report;
pub mod solver;
pub mod spec;
pub mod suite;
pub mod tape;
pub mod testfile;
