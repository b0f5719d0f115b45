//! How mutants are settled: searches, proofs, and what mutants of ranges, of the accuracy and of the arithmetic need.

pub(super) mod accuracy;
pub(super) mod bounds;
pub(super) mod evaluations;
pub(super) mod near;
pub(super) mod nowhere;
pub(super) mod proofs;
pub(super) mod searches;
