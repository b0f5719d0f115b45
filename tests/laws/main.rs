//! Laws that hold of every operator and every format, by trying all or by trying the bad ones.

#[path = "../cli_support/mod.rs"]
mod cli_support;
#[path = "../support/mod.rs"]
mod support;

mod float_arithmetic;
mod float_forms;
mod float_projections;
mod laws_contract;
mod laws_float;
mod laws_interval;
mod operators;
mod rounding_tiny;
mod smt_tiny;
mod tiny_floats;
