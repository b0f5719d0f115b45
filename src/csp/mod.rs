//! Constraint satisfaction problems: where do specification and mutant have to differ?

pub mod build;
pub mod domain;
pub mod tolerance;

pub use build::{Cone, Csp, Encoding, Pair};
pub use domain::InputBox;
