//! The state of a run: the specification with its mutants, what is known of each, the tests and their verdicts.

pub(super) mod beyond;
pub(super) mod bits;
pub(super) mod dyadic;
pub(super) mod engine;
pub(super) mod ground;
pub(super) mod matrix;
pub(super) mod outside;
pub(super) mod programs;
pub(super) mod row;
pub(super) mod statuses;
