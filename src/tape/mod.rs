//! The tape: specification and mutants as roots of one hash-consed expression graph, evaluated by a forward walk over
//! all nodes, or a lazy one over those that are needed at an input.

mod angle;
pub mod builder;
pub mod chain;
pub mod diff;
pub mod eval;
mod follow;
pub mod grad;
mod identity;
pub mod lower;
pub mod meanvalue;
mod memo;
mod needed;
pub mod node;
pub mod ordered;
mod pi;
mod rest;
mod round;
mod rounds;
pub mod simplify;
mod taylor;

pub use builder::Builder;
pub use eval::{Domain, evaluate};
pub use follow::FOLLOWED_ROUNDS;
pub use needed::{NeededValues, Settled, evaluate_needed, is_lost};
pub use node::{Const, LoopRest, NodeId, Tape, TapeNode};
pub use rest::SAMPLES;
pub use taylor::knows_series;
