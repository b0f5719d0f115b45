//! What has been shown of a domain so far, whatever the number of turns in which it is searched.

use super::answer::{SearchEnd, Stats, StopReason};
use crate::num::Interval;

/// The state of one question, into which every turn writes. There is one of it for as long as the question is open, lent
/// to each search of a part: a part that says less than all of its boxes would cannot be put together with the others in
/// any other way.
#[derive(Debug, Default)]
#[must_use = "what it holds is the answer"]
pub struct Tally {
    stats: Stats,
    /// How near a solution any part that was set aside for good may have come: at most 1.
    worst: f64,
    /// Why what was looked at so far is no proof: something was left out that is in no box still to come.
    left_out: Option<StopReason>,
}

impl Tally {
    /// The work done.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// For counting work.
    pub fn work(&mut self) -> &mut Stats {
        &mut self.stats
    }

    /// A box was set aside for good: on all of it distance - room is at most `upper`, which is not positive, where `room`
    /// holds the tolerances there.
    pub fn bounded(&mut self, upper: f64, room: Interval) {
        // distance / room is at most 1 + upper / room, and that is largest where the room is.
        let share = Interval::point(upper) / Interval::point(room.sup());
        let ratio = (Interval::point(1.0) + share).sup();
        if ratio.is_finite() { self.at_most(ratio) } else { self.unbounded() }
    }

    /// A box was set aside for good, of which no more is known than that it holds no solution.
    pub fn unbounded(&mut self) {
        self.at_most(1.0);
    }

    fn at_most(&mut self, ratio: f64) {
        self.worst = self.worst.max(ratio.clamp(0.0, 1.0));
    }

    /// Something was left out for this reason: from now on there is no proof.
    pub fn leave_out(&mut self, reason: StopReason) {
        self.left_out = Some(reason);
    }

    /// Take over what was shown of a problem that is done: all solutions of the question are solutions of the problems
    /// together.
    pub fn absorb(&mut self, other: Tally) {
        self.worst = self.worst.max(other.worst);
        self.left_out = other.left_out.or(self.left_out);
        self.count(other);
    }

    /// Only the work of a search that will be made anew.
    pub fn count(&mut self, other: Tally) {
        let Stats { boxes, pruned, points, rounds } = other.stats;
        self.stats.boxes += boxes;
        self.stats.pruned += pruned;
        self.stats.points += points;
        self.stats.rounds += rounds;
    }

    /// The answer once no box is left.
    #[must_use]
    pub fn answer<X, D>(&self) -> SearchEnd<X, D> {
        self.left_out.map_or(SearchEnd::Infeasible { worst: self.worst }, SearchEnd::Unknown)
    }
}
