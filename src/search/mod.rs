//! Search over bit patterns for inputs that reach a goal.
//!
//! "Take this branch" becomes "make this distance 0" (Fu and Su, *Mathematical Execution*, 2016, and CoverMe, PLDI 2017);
//! here the distance is counted in floats ([`distance`]) and lowered by the alternating-variable method over ordinals
//! ([`climb`]).

pub mod climb;
pub mod distance;
pub mod ordinal;
pub mod rng;
pub mod values;
