//! Numbers: intervals over binary64, multiple-precision intervals, three-valued logic.

pub mod ball;
pub mod directed;
pub mod elementary;
pub mod float;
pub mod interval;
pub mod mpfr;
pub mod outward;
pub mod random;
pub mod ternary;

pub use ball::Ball;
pub use interval::Interval;
pub use mpfr::{Integer, MpInterval, Rational};
pub use outward::{AtLeast, AtMost};
pub use ternary::Ternary;
