//! Search by evaluation alone, in two engines.
//!
//! [`goal`] reaches a goal: "take this branch" becomes "make this distance 0" (Fu and Su, *Mathematical Execution*, 2016, and CoverMe,
//! PLDI 2017), where the distance is counted in floats and lowered by the alternating-variable method over bit patterns
//! ([`values`]). [`most`] looks for the largest value of a function: cells of floats, zooming, models of rounding errors, climbing.

pub mod goal;
pub mod most;
pub mod values;
