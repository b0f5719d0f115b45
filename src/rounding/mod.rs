//! Bounds on rounding errors: what a program over floating-point numbers computes differs from the real function by at
//! most so much, proved over boxes of inputs.
//!
//! [`bound`] proves a bound of its error over a domain, absolute, relative, or in units of a
//! specification's tolerance, in which at most 1 means that the accuracy is met. A box is walked through twice: forward
//! for the ranges of all values and the error that each operation adds (half a unit in the last place, nothing where it is
//! exact), backward for how much each of these errors moves the result. The sum holds with all higher orders in it, since
//! the derivatives are enclosed over all values that the program may pass through. Where a box is too wide it is cut.
//!
//! The model: basic operations, roots, fused multiply-add and conversions are correctly rounded to nearest, results below
//! the normal numbers included; minimum, absolute value and their kin are exact; any other function returns some value of
//! the format within so many units in the last place, in its range, and exactly 0 at 0 where the function is odd.
//!
//! Sources: Solovyev, Baranowski, Briggs, Jacobsen, Rakamarić, Gopalakrishnan, "Rigorous Estimation of Floating-Point
//! Round-off Errors with Symbolic Taylor Expansions", TOPLAS 2018, for errors as weighted by derivatives and maximised
//! together; Sterbenz's lemma and its kin: Boldo, Melquiond, "Computer Arithmetic and Formal Proofs", 2017.

mod backward;
mod branches;
mod carried;
mod cover;
mod edges;
mod fact;
mod forward;
mod found;
mod goal;
mod local;
mod polynomial;
mod products;
mod shares;
mod single;
mod stated;
mod tiny;
mod units;

pub use cover::{Bound, BoundQuestion, Effort, RealFunction, bound, meets, prove, standard_bound};
pub use edges::{edges, middle_of};
pub use found::{FoundError, find, largest_of};
pub use goal::Goal;
