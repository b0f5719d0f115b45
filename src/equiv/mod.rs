//! Proofs that a mutant is the specification's function on the domain: the same value at every point where either has
//! one, and values at the same points.
//!
//! Both are brought into a normal form over exact rationals ([`Prover`]); where operators depend on signs (`fmax`,
//! `fabs`, `sqrt` of a square, `log` of a product, `if`), the signs are decided on the domain by interval evaluation.
//! The same normal form means the same function. Definedness is proved apart: every step records what it needs for a
//! value (a divisor that is not 0, an argument that is in the domain), in normal form too, and what only one side needs
//! must hold on the whole domain.
//!
//! "Not proved" means nothing: limits on size end in "don't know".

mod algebraic;
mod arith;
mod bounds;
mod cases;
mod cone;
mod definedness;
mod derived;
mod enclosed;
mod explog;
mod facts;
mod ids;
mod near_zero;
mod normal;
mod polynomial;
mod products;
mod proof;
mod quotient;
mod range;
pub mod read;
mod rewrite;
mod roots;
mod rules;
mod sign;
mod slopes;
mod table;
mod text;
mod trig;

pub use cases::prove_by_cases;
pub use proof::{NormalFunction, Proof, ProofKind, Prover};
pub use rewrite::{LawText, laws, prove_by_rewriting};

use crate::spec::InputBox;
use crate::tape::{NodeId, Tape};

/// Prove that `f` and `g` are the same function on `domain` where `conditions` hold. For many mutants of one
/// specification make one [`Prover`].
#[must_use]
pub fn prove_equal(tape: &Tape, f: NodeId, g: NodeId, domain: &InputBox, conditions: &[NodeId]) -> Option<Proof> {
    Prover::new(tape, domain, conditions).prove_equal(f, g)
}
