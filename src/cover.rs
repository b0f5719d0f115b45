//! Covers: parts that together hold a domain are looked at one by one, and cut where that says too little.
//!
//! What is shown of every part is shown of the domain, whatever the order. A cover that ends early has shown nothing.

use crate::halt;
use std::collections::VecDeque;

/// What looking at a part showed.
pub enum PartLook<P, E> {
    /// All that is asked of it.
    Done,
    /// Too little: these two together hold all of it.
    Cut([P; 2]),
    /// That the cover is at an end.
    End(E),
}

/// Which of the open parts is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one that waits longest: all parts of a depth before those of the next.
    Oldest,
    /// The newest one: few parts wait at a time.
    Newest,
}

/// Where a part stands in its cover.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// How often the domain was cut to get it.
    pub depth: u32,
    /// How many parts were looked at, this one among them.
    pub count: u64,
}

/// How a cover ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covered<E> {
    /// With all parts done: so many were looked at.
    All(u64),
    /// With more parts to look at than allowed.
    Budget,
    /// By an interruption, or for want of memory.
    Interrupted,
    /// As looking at some part said.
    Ended(E),
}

/// Cover the domain that some parts make together, looking at no more than `budget` parts.
pub fn cover<P, E>(
    parts: impl IntoIterator<Item = P>,
    order: Order,
    budget: u64,
    mut look: impl FnMut(&P, At) -> PartLook<P, E>,
) -> Covered<E> {
    let mut open: VecDeque<(P, u32)> = parts.into_iter().map(|p| (p, 0)).collect();
    let mut count = 0;
    let next = |open: &mut VecDeque<(P, u32)>| match order {
        Order::Oldest => open.pop_front(),
        Order::Newest => open.pop_back(),
    };
    while let Some((part, depth)) = next(&mut open) {
        count += 1;
        if halt::requested() {
            return Covered::Interrupted;
        }
        if count > budget {
            return Covered::Budget;
        }
        match look(&part, At { depth, count }) {
            PartLook::Done => {}
            PartLook::Cut(two) => open.extend(two.map(|half| (half, depth + 1))),
            PartLook::End(end) => return Covered::Ended(end),
        }
    }
    Covered::All(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cut ranges of whole numbers until they are single ones.
    fn singles(order: Order, budget: u64, stop_at: u32) -> (Covered<u32>, Vec<u32>) {
        let mut seen = Vec::new();
        let end = cover([(0u32, 8u32)], order, budget, |&(a, b), at| {
            assert_eq!(b - a, 8 >> at.depth);
            match b - a {
                1 if a == stop_at => PartLook::End(a),
                1 => {
                    seen.push(a);
                    PartLook::Done
                }
                _ => PartLook::Cut([(a, a.midpoint(b)), (a.midpoint(b), b)]),
            }
        });
        (end, seen)
    }

    #[test]
    fn every_part_is_looked_at_within_the_budget() {
        assert_eq!(singles(Order::Oldest, 15, 8), (Covered::All(15), (0..8).collect()));
        assert_eq!(singles(Order::Newest, 15, 8), (Covered::All(15), (0..8).rev().collect()));
        assert_eq!(singles(Order::Oldest, 14, 8).0, Covered::Budget);
        assert_eq!(singles(Order::Oldest, 15, 2), (Covered::Ended(2), vec![0, 1]));
    }
}
