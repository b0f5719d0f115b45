//! Where inputs for tests come from: probes, special points, what a person brings, and points at random.

pub(super) mod boundary;
pub(super) mod defined;
pub(super) mod earlier;
pub(super) mod ending;
pub(super) mod given;
pub(super) mod places;
pub(super) mod probing;
pub mod random;
pub(super) mod regions;
pub(super) mod somewhere;
pub(super) mod ties;
pub(super) mod zeros;
