//! Where to look: points of a domain at which numerical code is likely to be wrong, or formulas to differ.
//!
//! Binary64 arithmetic finds them. That only says where to look: whatever is found at a point is judged like at any other.

pub mod bracket;
pub mod gaps;
pub mod probes;
pub mod special;
pub mod spread;
mod staircase;
pub mod switches;
pub mod values;

pub use bracket::Bracket;

/// At most `count` of a list, evenly spread from the first to the last.
#[must_use]
pub fn evenly<T: Copy>(list: &[T], count: usize) -> Vec<T> {
    if list.len() <= count {
        return list.to_vec();
    }
    (0..count).map(|k| list[k * (list.len() - 1) / (count - 1).max(1)]).collect()
}
