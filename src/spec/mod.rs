//! Specifications: reading and printing FPCore, and what a core means as a specification.

pub mod core;
