//! "Specification and mutant must differ" as a problem for the solver: constraints, and what verifies a kill.

pub mod build;
pub mod decide;
pub mod judge;
pub mod look;
pub mod meets;
pub mod question;
pub mod tolerance;
pub mod verify;

pub use build::{Csp, Encoding, Pair};
pub use decide::decide;
pub use judge::{InputJudgement, StatusJudge};
pub use question::Question;
pub use verify::Verifier;
