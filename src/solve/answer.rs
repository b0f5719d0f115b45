//! What bounds a search, and how it ends.

use super::bisect::Bisection;
use crate::num::Interval;

/// Bounds and choices of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most boxes to look at. Unit: boxes. Default: 4000.
    pub boxes: u64,
    /// The relative width below which a box is set aside at first; it shrinks by factors of 10. Default: 1e-2.
    pub delta: f64,
    /// The smallest such width; 0 goes down to single floats. Default: 0.
    pub delta_min: f64,
    /// How to choose the input to cut.
    pub bisection: Bisection,
    /// Whether to contract boxes with HC4. Default: yes.
    pub hc4: bool,
    /// Whether to bound the gap by its derivatives. Default: yes.
    pub mean_value: bool,
    /// Whether to shave boxes that HC4 does not contract, deep in the search. Default: yes.
    pub shave: bool,
    /// Whether to look at narrow boxes in multiple precision. Default: yes.
    pub multi: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            boxes: 4000,
            delta: 1e-2,
            delta_min: 0.0,
            bisection: Bisection::Smear,
            hc4: true,
            mean_value: true,
            shave: true,
            multi: true,
        }
    }
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The budget of boxes was used up.
    Budget,
    /// Boxes were left that are narrower than the smallest width allowed.
    DeltaMin,
    /// Single points were left at which exact examination settles nothing.
    Unsettled,
    /// The run was interrupted.
    Interrupted,
}

/// What a search cost, and how near it came.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    /// Boxes looked at.
    pub boxes: u64,
    /// Boxes proved to hold no solution.
    pub pruned: u64,
    /// Points examined exactly.
    pub points: u64,
    /// How often the width shrank by 10.
    pub rounds: u32,
}

/// The end of a search, of boxes where nothing else is said.
#[derive(Clone, Debug)]
pub enum SearchEnd<X = Vec<f64>, D = Vec<Interval>> {
    /// A verified solution.
    Inner {
        /// The point.
        point: X,
        /// The part around it that was being looked at.
        domain: D,
        /// Whether all of that part is proved to solve the problem, up to exact examination.
        inner: bool,
    },
    /// No point is a solution.
    Infeasible {
        /// How near any part may have come to one, at most 1; of two functions the largest |f - g| / (t_f + t_g).
        worst: f64,
    },
    /// There is nothing to search: both sides of the question are the same function.
    Equal,
    /// Neither was reached.
    Unknown(StopReason),
}
