//! The rounds of a loop that are not written out, at a single input: they are gone through one by one. On the way it is looked
//! whether some rounds lead back into a box around the variables, with the condition holding: then the loop never ends.

use super::eval::Following;
use super::node::{LoopRest, Tape};
use super::round::{LoopRound, extract_round};
use super::rounds::BoxRound;
use crate::halt;
use crate::num::{Interval, Ternary};

/// The most rounds that are gone through after those that are written out.
pub const FOLLOWED_ROUNDS: usize = 1000;
/// The rounds before which it is looked whether the loop never ends.
const LOOKS: [usize; 4] = [0, 30, 120, 480];

impl LoopRest {
    /// The rest of a loop whose round is on the tape of rounds, and of whose names those are `used` that are arguments.
    pub(super) fn new(round: &LoopRound, rounds: &Tape, used: &[usize], deciding: &[usize]) -> Self {
        let (tape, goes_on, next) = extract_round(rounds, round.goes_on, &round.next);
        let (ended, value) = rounds.extract(&[round.value]);
        let places = (0..round.next.len()).map(|k| used.iter().position(|u| *u == k)).collect();
        let decides = (0..round.next.len()).map(|k| deciding.contains(&k)).collect();
        LoopRest { places, decides, round: tape, goes_on, next, ended, value: value[0] }
    }

    /// The value of the loop for arguments, of which it is known that it has none where a condition holds. It is unknown where it is
    /// not known whether a round takes place, where too many do, and where the work is to end early.
    pub(super) fn follow<D: Following>(&self, domain: &mut D, has_none: &D::Value, args: &[&D::Value]) -> D::Value {
        if domain.decide(has_none) == Ternary::True {
            return domain.undefined();
        }
        self.end(domain, args).unwrap_or_else(|| domain.unknown())
    }

    fn end<D: Following>(&self, domain: &mut D, args: &[&D::Value]) -> Option<D::Value> {
        let of_name = |place: &Option<usize>| place.map_or_else(|| domain.unknown(), |place| args[place].clone());
        let mut state: Vec<D::Value> = self.places.iter().map(of_name).collect();
        for round in 0..FOLLOWED_ROUNDS {
            if halt::requested() {
                return None;
            }
            if LOOKS.contains(&round) && self.never_ends(domain, &state) {
                return Some(domain.undefined());
            }
            let values = domain.evaluate_over(&self.round, &state);
            match domain.decide(&values[self.goes_on.index()]) {
                Ternary::True => {
                    for (variable, next) in state.iter_mut().zip(&self.next) {
                        if let Some(next) = next {
                            *variable = values[next.index()].clone();
                        }
                    }
                }
                Ternary::False => return domain.evaluate_over(&self.ended, &state).get(self.value.index()).cloned(),
                Ternary::Unknown => return None,
            }
        }
        None
    }

    /// Whether it is shown that the loop never ends from a state on.
    fn never_ends<D: Following>(&self, domain: &D, state: &[D::Value]) -> bool {
        let followed = self.next.iter().zip(&self.decides).map(|(next, decides)| next.filter(|_| *decides)).collect();
        if state.iter().zip(&self.decides).any(|(value, decides)| *decides && !domain.has_value(value)) {
            return false;
        }
        let round = BoxRound { tape: &self.round, goes_on: self.goes_on, next: followed };
        let enclosure = |(value, decides): (&D::Value, &bool)| match decides {
            true => domain.interval(value),
            false => Interval::ENTIRE,
        };
        round.returning_box(&state.iter().zip(&self.decides).map(enclosure).collect::<Vec<_>>()).is_some()
    }
}
