//! SMT-LIB: scripts about floats (QF_FP, with bit vectors and real numbers) and their answers.
//!
//! The text is read ([`mod@crate::text::sexp`]), terms become a graph (`terms`, `theory`), and each `(check-sat)` is decided ([`mod@crate::decide`]) by
//! propagation over ordinals and by search; real numbers are polynomials of floats (`poly`, `reals`, `constraint`). The meaning of floats is that of the standard's theory: one NaN, five
//! directions, `=` that tells the zeros apart. What it leaves open (the minimum of -0 and +0, an integer for a float that is
//! out of range) is open here too: sat if some meaning makes it so, unsat if none does.

mod answers;
mod arrays;
mod bits;
mod call;
mod constraint;
mod equations;
mod functions;
mod model;
mod names;
mod open;
mod overflow;
mod poly;
mod question;
mod reals;
mod script;
mod session;
mod sorts;
mod stream;
mod terms;
mod theory;

pub use crate::decide::DecisionWork;
pub use answers::{Answers, Budget, CheckSat, Listener, SatStatus, ScriptEvent, UnknownReason};
pub use model::{ShownValue, shown};
pub use session::{expected, run, run_stream, run_told};

/// What reading a script may end with: what is not SMT-LIB or not supported, with its place.
type Result<T> = std::result::Result<T, crate::text::Diagnostic>;
