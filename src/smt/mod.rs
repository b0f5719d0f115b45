//! SMT-LIB: scripts about floats (QF_FP, with bit vectors and numbers as constants) and their answers.
//!
//! The text is read (`read`), terms become a graph (`terms`, `theory`), and each `(check-sat)` is decided ([`mod@crate::decide`]) by
//! propagation over ordinals and by search. The meaning of floats is that of the standard's theory: one NaN, five
//! directions, `=` that tells the zeros apart. What it leaves open (the minimum of -0 and +0, an integer for a float that is
//! out of range) is open here too: sat if some meaning makes it so, unsat if none does.

mod call;
mod model;
mod read;
mod script;
mod sorts;
mod terms;
mod theory;

pub use crate::decide::Work;
pub use script::{Answers, Budget, Checked, Status, run};
